"""Chips of the trade: colours, measures, and the local view of a stack in a calibrated or an unknown camera."""

from __future__ import annotations

from typing import Final

COLOURS: Final = ("blue", "white", "pink", "red", "green", "black", "purple", "orange", "grey", "teal")
"""The manual's colours, by rising value."""

CHIP_DIAMETER_MM: Final = 39.0
CHIP_RADIUS_MM: Final = CHIP_DIAMETER_MM / 2
CHIP_HEIGHT_MM: Final = 3.3
HIGHEST_STACK: Final = 20
