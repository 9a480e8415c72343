"""What was never read may be no card and no wager: what a recogniser's states tell of it is not certain.

A shadow, a hand's edge or a piece of print is sometimes taken for a card back or a pile. A check that goes by which
cards came, when and where, cannot tell such a thing from a card; so in footage its findings are at most suspects where
a card of the seat concerned was never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import BLACKJACK, DICE, Audited, Case, Draft
from audit.procedures.moments import surely_a_card

_FACE_UP: Final = BLACKJACK | DICE
"""The games whose players' cards are dealt face up."""


def with_doubt(case: Case, one: Audited, drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield what a check found, as suspected where it goes by cards and one of the round's was never read."""
    doubted = one.of_cards and not case.thresholds.unread_sure and _has_phantoms(case)
    for draft in drafts:
        if doubted and draft.finding.verdict is Verdict.VIOLATION:
            yield replace(draft, finding=replace(draft.finding, verdict=Verdict.SUSPECT))
        else:
            yield draft


def _has_phantoms(case: Case) -> bool:
    """Whether a player's card that should show its face was never read."""
    face_up = case.rules.game in _FACE_UP
    cards = (card for seen in case.seen.seats.values() for card in seen.cards)
    return any((face_up or card.shown) and not surely_a_card(case, card) for card in cards)
