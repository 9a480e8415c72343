"""A pile of which the outline was spoilt by what was set beside it, as payments are.

What stands out is then explained by one pile, far too tall, that hardly any stack fits; the stack of before looks
inside as it did. With it taken as still standing, what is new is left, and read by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from models.close_look import Glimpse
from models.frames import Pixels
from models.sighting import Sighting
from models.tracking import Known, look_anew
from models.two_piles import explains_better, is_strange

_NEAR_MM: Final = 80.0
_READ: Final = 0.8


def look_beside(
    look: Callable[..., Glimpse], kept: Sequence[Sighting], known: Sequence[Known], luma: Pixels
) -> tuple[Glimpse, list[Known]]:
    """Look at a place, and once more if a known pile may stand there still; return the better look and such piles.

    They are remembered as they look now.

    Args:
        look: Looks at the place, given as ``kept`` what is known to lie there still.
        kept: What that is at least.
        known: What else was known to lie there.
        luma: The frame's brightness at full size.
    """
    first = look(kept=kept)
    standing = still_standing(first.sightings, known, luma)
    if not standing:
        return first, []
    again = look(kept=[*kept, *(one.now for one in standing if one.now not in kept)])
    if not explains_better(again.sightings, first.sightings):
        return first, []
    for one in standing:
        look_anew(one, luma)
    return again, standing


def still_standing(seen: Iterable[Sighting], known: Iterable[Known], luma: Pixels) -> list[Known]:
    """Return known piles that look inside as before, and beside which a pile is seen now that no stack fits.

    Args:
        seen: What a look found.
        known: What was known to lie at the place.
        luma: The frame's brightness at full size.
    """
    strange = [one for one in seen if is_strange(one)]
    return [
        one
        for one in known
        if one.kind == "chips"
        and max((stack.p for stack in one.now.stacks), default=0.0) >= _READ
        and any(_are_near(one.now, other) for other in strange)
        and one.stayed_inside(luma)
    ]


def _are_near(one: Sighting, other: Sighting) -> bool:
    if one.xy_mm is None or other.xy_mm is None:
        return False
    return float(np.hypot(one.xy_mm[0] - other.xy_mm[0], one.xy_mm[1] - other.xy_mm[1])) <= _NEAR_MM
