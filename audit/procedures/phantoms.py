"""What was never read may be no card and no wager: what a recogniser's states tell of it is not certain.

A shadow, a hand's edge or a piece of print is sometimes taken for a card back or a pile. A check that goes by which
cards came, when and where, cannot tell such a thing from a card; so in footage its findings are at most suspects where
a card of the seat concerned was never read. A thing of a kind that nobody knows may be a card or a wager, too: in a
round that shows one on a zone nothing is more than suspected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import BLACKJACK, DICE, Audited, Case, Draft
from audit.procedures.moments import playing, surely_a_card
from audit.states import is_known

_FACE_UP: Final = BLACKJACK | DICE
"""The games whose players' cards are dealt face up."""


def with_doubt(case: Case, one: Audited, drafts: Iterable[Draft], *, strange: bool = False) -> Iterator[Draft]:
    """Yield what a check found, as suspected where it goes by cards and one of the round's was never read.

    ``strange``: what may be a card or a wager is of no kind that is known.
    """
    doubted = strange or (one.of_cards and not case.thresholds.unread_sure and _has_phantoms(case))
    for draft in drafts:
        if doubted and draft.finding.verdict is Verdict.VIOLATION:
            yield replace(draft, finding=replace(draft.finding, verdict=Verdict.SUSPECT))
        else:
            yield draft


def shows_unknown_things(case: Case) -> bool:
    """Whether a thing of a kind that nobody knows lay on a zone while the round was played."""
    unknown = (item for state in playing(case) for item in state.objects if not is_known(item))
    return any(case.places.zones(item.xy_mm) for item in unknown)


def _has_phantoms(case: Case) -> bool:
    """Whether a player's card that should show its face was never read."""
    face_up = case.rules.game in _FACE_UP
    cards = (card for seen in case.seen.seats.values() for card in seen.cards)
    return any((face_up or card.shown) and not surely_a_card(case, card) for card in cards)
