"""What a finding rests on: the cards and piles whose reading is not sure. Findings that share one are one question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from audit.findings import Verdict
from audit.procedures.drafts import Draft, Name
from audit.readings import Seen
from audit.reconstruction.observation import SeenCard, SeenWager

_SURE: Final = 0.99
_LIKELY: Final = 0.5


def unsure_cards(cards: Iterable[Seen]) -> Iterator[Name]:
    """Yield the cards and dice that may be another than the likeliest."""
    for card in cards:
        if _is_unsure(card.chances):
            yield ("card", card.number) if isinstance(card, SeenCard) else ("die", card.xy_mm)


def unsure_money(*wagers: SeenWager) -> Iterator[Name]:
    """Yield the stakes and payments that may be other than the likeliest."""
    for wager in wagers:
        if _is_unsure(wager.stake):
            yield ("stake", wager.key)
        if any(_is_unsure(stacks) for move in wager.pays for stacks in (*move.before, *move.after)):
            yield ("pay", wager.key)


def _is_unsure(chances: Mapping[Any, float]) -> bool:
    return max(chances.values(), default=0.0) < _SURE


def one_question_each(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """Yield drafts; what the likeliest reading denies follows the likeliest suspicion that rests on the same thing.

    A pile that was not read for certain makes a payment doubtful, a double, a split and the order of its colours: one
    question for a reviewer, not four.
    """
    open_ = [draft for draft in drafts if draft.finding.verdict is Verdict.SUSPECT and draft.rests_on]
    ranked = sorted(open_, key=lambda draft: -draft.finding.probability)
    heads: dict[int, Name] = {}
    for place, draft in enumerate(ranked):
        if draft.finding.probability < _LIKELY:
            head = next((other.name for other in ranked[:place] if other.rests_on & draft.rests_on), draft.name)
            heads[id(draft)] = head
    for draft in drafts:
        head = heads.get(id(draft), draft.name)
        yield draft if head == draft.name else replace(draft, follows=(*draft.follows, head))
