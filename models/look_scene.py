"""One look at a place of the table, as its parts share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from models.felt_view import MmBox, Reals
from models.frames import Frame
from models.motion import Mask
from models.sighting import Sighting

SLIVER_MM: Final = 6  # what sticks out less from a known card is its own misplaced edge
UNEXPLAINED_MM2: Final = 500.0  # less is nothing that has to be explained


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """One look in the view from above: what is seen, what stands out, known things, what is not to be judged."""

    frame: Frame
    box: MmBox
    seen: Reals
    out: Mask
    behind: Mask
    aside: Mask
    kept: Sequence[Sighting]
    lying: Sequence[Sighting]
    piles: Sequence[Sighting]
    dice_mm: Sequence[tuple[float, float]]
    whole: bool
