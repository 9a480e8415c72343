"""Cards that the dealer drew by mistake and took away again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit.reconstruction.elements import Element
from audit.reconstruction.observation import MoneyMove, SeenCard

_TWO: Final = 2


def burnt_by_mistake(dealer: Sequence[SeenCard], elements: Sequence[Element]) -> tuple[SeenCard, ...]:
    """Return the cards that the dealer drew by mistake and burnt: lifted alone before he settled (004:L729).

    Lucky Draw Baccarat says nothing of them; he settles by the hand that lies there then.
    """
    settled = [move.change for element in elements for move in (*element.pays, *_taken(element))]
    last = max((change.state for change in settled), default=None)
    if last is None or not dealer:
        return ()
    first = [change for change in settled if change.state > max(card.appeared.state for card in dealer)]
    stays = [card for card in dealer[:_TWO] if card.gone is not None and card.gone.state >= last]
    return tuple(
        card
        for card in dealer[_TWO:]
        if len(stays) == _TWO
        and card.gone is not None
        and card.gone.by_dealer
        and first
        and all(card.gone.span.certainly_before(change.span) for change in first)
    )


def _taken(element: Element) -> list[MoneyMove]:
    return [] if element.taken is None else [element.taken]
