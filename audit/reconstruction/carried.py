"""Cards of one hand that are moved go together: where one of two like faces is to be looked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit.reconstruction.places import distance
from audit.table import Point

_OF_ITS_HAND_MM: Final = 80.0

Face = tuple[str | None, Point]
"""A card's likeliest face, None if it was not read, and where it lies."""


def looked_for_at(card: Face, others: Sequence[Face], now: Sequence[Face]) -> Point:
    """Return where a card lies now if it went with its hand.

    Args:
        card: what it is, and where it lay.
        others: the other cards of its seat, where they lay.
        now: what lies at the seat now.

    Returns:
        As far from where it lay as the nearest of the others went whose face lies there once, before and after; where
        it lay if its own face lies there once, too, or if no other tells.
    """
    face, at = card
    if face is None or sum(one == face for one, _ in now) < 2:  # noqa: PLR2004 - like faces
        return at
    told = [(lay, lies) for one, lay in others if one is not None and (lies := _only(one, others, now)) is not None]
    near = [(distance(lay, at), lay, lies) for lay, lies in told if distance(lay, at) <= _OF_ITS_HAND_MM]
    if not near:
        return at
    _, lay, lies = min(near)
    return (at[0] + lies[0] - lay[0], at[1] + lies[1] - lay[1])


def _only(face: str, before: Sequence[Face], now: Sequence[Face]) -> Point | None:
    """Where a face lies that lay there once and does so now."""
    places = [at for one, at in now if one == face]
    return places[0] if len(places) == 1 and sum(one == face for one, _ in before) == 1 else None
