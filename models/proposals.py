"""What may lie somewhere, and what is asked of the eyes that say what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from models.backdrop import Backdrop
from models.camera import Floats
from models.chip_palette import Palette
from models.frames import Pixels
from models.outline import Outline
from models.sighting import Box, Sighting


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proposal:
    """Something that may lie there: a card's corners or a pile's box (4, 2) in pixels, and its place on the felt.

    ``paper``: share of what is seen of it that is as white as a card's paper. ``outline``: what a
    pile's outline says of the number of its chips; None for a card, and where it tells nothing.
    """

    kind: str
    polygon_px: Floats
    xy_mm: tuple[float, float]
    angle_deg: float | None
    confidence: float
    paper: float = 0.0
    outline: Outline | None = None


class Eyes(Protocol):
    """What looks closely: the detector and the readers."""

    def look(self, frame_bgr: Pixels, regions: Sequence[Box] | None = None) -> list[Sighting]:
        """Return what the detector finds in the regions (the whole frame without), read, hands included."""

    def read(
        self,
        frame_bgr: Pixels,
        proposals: Sequence[Proposal],
        backdrop: Backdrop | None = None,
        palette: Palette | None = None,
    ) -> list[Sighting]:
        """Return what proposals are, in order; one that is nothing gets a confidence of 0."""
