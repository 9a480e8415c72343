"""The kinds of object that the detector tells apart, in the order of its outputs."""

from __future__ import annotations

from typing import Final

KINDS: Final = ("card", "card_back", "die", "chips", "hand", "dice_cup")
