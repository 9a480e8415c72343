"""Whether a pile that the detector found stands there, by how its place differs from the felt.

At the first look the bare felt is not known yet, and in dim light a cheque of about its colour hardly differs from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from models.motion import Mask, share_of
from models.sighting import Sighting

_DETECTED: Final = 0.35
_DETECTED_ALONE: Final = 0.5
_READ_PILE: Final = 0.5
_SURELY_PILE: Final = 0.98
_SURELY_READ: Final = 0.9
_LEAST_OUT: Final = 0.15  # of what a detected pile covers; print on the felt does not stand out at all
_MOST_DIFFERS: Final = 0.8  # of it: of printed lines and letters much less


def stands_there(one: Sighting, place: Mask, out: Mask, differing: Callable[[], Mask], *, on_spot: bool) -> bool:
    """Return whether a detected pile is one.

    Args:
        one: the pile, read.
        place: what it covers in the view from above.
        out: what stands out from the felt there.
        differing: tells what differs from the felt ever so little.
        on_spot: whether wagers stand there.
    """
    least = _DETECTED if on_spot else _DETECTED_ALONE
    pile = sum(stack.p for stack in one.stacks)
    if one.confidence < least or pile < _READ_PILE:
        return False
    if share_of(place, out) >= _LEAST_OUT:
        return True
    read = pile >= _SURELY_PILE and max((stack.p for stack in one.stacks), default=0.0) >= _SURELY_READ
    sure = on_spot and read and one.confidence >= _DETECTED_ALONE
    return sure and share_of(place, differing()) >= _MOST_DIFFERS
