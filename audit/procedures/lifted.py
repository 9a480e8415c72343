"""Cards that a player picks up and lays down again: gone from a clear look, and back, with his hand alone there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import ALL_GAMES, Audited, Case, Draft, found
from audit.procedures.hands import touched_ids
from audit.procedures.moments import playing, things
from audit.reconstruction.places import CARD_WIDTH_MM, distance, lies_there
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.timing import Span

_GONE_MS: Final = 2_000  # a hand hides cards for less while it signals


def cards_lifted(case: Case) -> Iterator[Draft]:
    """Yield a card that was gone and came back with only a player's hand over it: P217, P390 (004:L579, L1065).

    Where all of a hand were gone and lie where they lay, his hand may have hidden them: at most suspect.
    """
    for seat in case.seen.seats if not case.seen.piece.missing else ():
        for span, face, moved in _lifted(case, f"seat{seat}.cards"):
            yield from found(
                case,
                *touched_ids(case),
                code="card-touched",
                span=span,
                expected="cards touched by the dealer only",
                observed=f"{face} was gone and lay there again, with only a player's hand over it",
                seat=seat,
                capped=not moved,
                name=("card-lifted", seat, face),
            )


def _lifted(case: Case, zone: str) -> Iterator[tuple[Span, str, bool]]:
    """Yield each read card that left a zone and came back to it while no hand but the player's was there.

    With it, whether it was gone while another lay there, or lies elsewhere since.
    """
    states, told = playing(case), set[str]()
    for number, (before, after) in enumerate(pairwise(states)):
        lay, lie = (_lying(case, state, zone) for state in (before, after))
        gone = [card for card in lay if card.card not in {other.card for other in lie}]
        one_or_all = len(gone) == len(lay) - len(lie) and len(gone) in (1, len(lay))
        if not one_or_all or not _by_the_player(before, after, zone):
            continue
        for card in gone:
            back = _laid_down(case, states[number + 1 :], zone, card.card)
            if card.card is None or card.card in told or back is None or _hidden_by_cheques(after, card):
                continue
            moved = len(gone) == 1 or _lies_elsewhere(case, back, zone, card)
            if moved or back.span.first - after.span.first >= _GONE_MS:
                told |= {one.card for one in gone if one.card is not None}
                yield before.span.hull(back.span), card.card, moved


def _lies_elsewhere(case: Case, state: TableState, zone: str, card: SeenObject) -> bool:
    """Whether a card lies farther from where it lay than jitter reaches: a hand over all of them may only hide them."""
    again = [other for other in _lying(case, state, zone) if other.card == card.card]
    return all(not lies_there(other, card) for other in again)


def _laid_down(case: Case, states: Sequence[TableState], zone: str, face: str | None) -> TableState | None:
    """Return the state in which a card lies there again by the player's hand, None if the dealer's came before."""
    for before, after in pairwise(states):
        sides = {hand.side for hand in after.hands if zone in hand.zones}
        if any(card.card == face for card in _lying(case, after, zone)):
            return after if _by_the_player(before, after, zone) else None
        if sides - {"player"} or after.view != "ok" or zone in after.covered:
            return None
    return None


def _by_the_player(before: TableState, after: TableState, zone: str) -> bool:
    """Whether only a player's hand was over a zone between two clear looks at it."""
    clear = before.view == after.view == "ok" and zone not in before.covered | after.covered
    return clear and {hand.side for hand in after.hands if zone in hand.zones} == {"player"}


def _lying(case: Case, state: TableState, zone: str) -> list[SeenObject]:
    return [item for item in things(state, *CARD_KINDS) if zone in case.places.zones(item.xy_mm)]


def _hidden_by_cheques(state: TableState, card: SeenObject) -> bool:
    return any(distance(pile.xy_mm, card.xy_mm) < CARD_WIDTH_MM for pile in things(state, "chips"))


CHECKS: Final = (Audited(check=cards_lifted, games=ALL_GAMES, ids=("P217", "P390"), of_cards=True),)
