"""How large a cheque is, and how high a stack of them may be that is read."""

from __future__ import annotations

from typing import Final

CHIP_DIAMETER_MM: Final = 39.0
CHIP_RADIUS_MM: Final = CHIP_DIAMETER_MM / 2
CHIP_HEIGHT_MM: Final = 3.3
HIGHEST_STACK: Final = 20
