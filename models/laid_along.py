"""A card laid along another, most of its length beside it: the two together have the outline of a third one.

Where a card is seen that cannot be read, across one that can, the card that lies along that one is looked for: of all
places in which it would fill the outline of both, the one at which a face is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from models.camera import Camera, Floats
from models.proposals import Proposal
from models.sighting import CARD_HEIGHT_MM, CARD_WIDTH_MM, Sighting, card_corners_mm, covered_share

_UNREAD: Final = 0.5
_READ: Final = 0.95
_ACROSS: Final = 0.2  # of the unread card covers the read one
_APART_MM: Final = 11.0  # cards nearer to each other hide each other's indices


def laid_along(
    detected: Sequence[Sighting],
    others: Sequence[Sighting],
    camera: Camera,
    read: Callable[[Sequence[Proposal]], list[Sighting]],
) -> list[Sighting]:
    """Return what was detected, with unread cards across read ones as the cards that lie along these.

    Args:
        detected: what was detected and not proposed.
        others: what is known to lie there besides.
        camera: the table's camera.
        read: tells what proposals are.
    """
    known = [card for card in (*detected, *others) if card.kind == "card" and card.face is not None]
    return [_along(one, known, camera, read) or one for one in detected]


def _along(
    one: Sighting, known: Sequence[Sighting], camera: Camera, read: Callable[[Sequence[Proposal]], list[Sighting]]
) -> Sighting | None:
    if one.kind != "card" or max(one.faces.values(), default=0.0) >= _UNREAD:
        return None
    across = [card for card in known if covered_share(card.polygon_px, one.polygon_px) >= _ACROSS]
    proposals = [proposal for card in across for proposal in _places(one, card, camera)]
    faces = {card.face for card in across}
    answers = [answer for answer in (read(proposals) if proposals else []) if answer.face not in faces]
    best = max(answers, key=_likeliest, default=None)
    sure = best is not None and best.kind == "card" and _likeliest(best) >= _READ
    return replace(best, confidence=one.confidence) if best is not None and sure else None


def _places(one: Sighting, card: Sighting, camera: Camera) -> Iterator[Proposal]:
    """Yield where a card that lies as ``card`` does would reach to the rim of what both cover together."""
    if card.xy_mm is None or card.angle_deg is None:
        return
    turn = np.deg2rad(card.angle_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])  # along its short and its long side
    corners = np.vstack([camera.to_felt(one.polygon_px), card_corners_mm(card.xy_mm, card.angle_deg)])
    reach = (corners - card.xy_mm) @ axes.T
    half = np.array([CARD_WIDTH_MM, CARD_HEIGHT_MM]) / 2
    low, high = reach.min(axis=0) + half, reach.max(axis=0) - half
    for across in (low[0], 0.0, high[0]):
        for along in (low[1], 0.0, high[1]):
            if np.hypot(across, along) >= _APART_MM:
                yield _proposal(np.array([across, along]) @ axes + card.xy_mm, card.angle_deg, camera)


def _proposal(at_mm: Floats, angle_deg: float, camera: Camera) -> Proposal:
    x, y = map(float, at_mm)
    outline = camera.to_pixels(card_corners_mm((x, y), angle_deg))
    return Proposal(kind="card", polygon_px=outline, xy_mm=(x, y), angle_deg=angle_deg, confidence=_UNREAD)


def _likeliest(one: Sighting) -> float:
    return max(one.faces.values(), default=0.0)
