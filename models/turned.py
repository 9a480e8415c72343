"""Cards that are turned where they lie: the rim of a pale back looks like that of a face, so that it seems unmoved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from audit.states import CARD_KINDS
from models.proposals import Proposal, once_more
from models.sighting import Sighting, covered_share
from models.tracking import Known

_OVERLAP: Final = 0.02


def turned_in_place(
    known: Known, others: Iterable[Sighting], read: Callable[[Sequence[Proposal]], list[Sighting]]
) -> Sighting | None:
    """Return a card that was never read as it shows a face now, None if it shows none or another card is in the way.

    Args:
        known: what lies there.
        others: what else lies there, or was seen just now.
        read: tells what proposals are.
    """
    if not known.is_unread_card() or any(_overlaps(known.now, other) for other in others):
        return None
    (seen,) = read([once_more(replace(known.now, kind="card_back"), known.xy_mm)])
    return seen if seen.kind == "card" else None


def _overlaps(card: Sighting, other: Sighting) -> bool:
    return other.kind in CARD_KINDS and covered_share(card.polygon_px, other.polygon_px) > _OVERLAP
