"""The dealer's own hand: when he must draw and when he must stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.games.terms import best_total
from audit.procedures.drafts import BLACKJACK, Audited, Case, Draft, found
from audit.procedures.finality import doubt_about_dealer, doubt_about_hand
from audit.procedures.moments import decided_at_once, playing, surely_a_card, things
from audit.procedures.order import possible_orders
from audit.procedures.resting import unsure_cards
from audit.readings import UNKNOWN, Hand, Mass, hand_answers, mass_of, unread
from audit.reconstruction.observation import SeenCard
from audit.reconstruction.places import DEALER
from audit.reconstruction.records import best_card
from audit.states import CARD_KINDS

_STANDS: Final = 17
_TWO: Final = 2
_TWENTY_ONE: Final = 21


def drew_on_17(case: Case) -> Iterator[Draft]:
    """Yield a card that the dealer drew to 17 or more, soft 17 included: P254; P289 where nobody was called.

    A card never read that no look shows beside all before it may be one of them: undetermined.
    """
    later = sorted((*case.seen.dealer[_TWO:], *case.seen.burnt), key=lambda card: card.number)
    cards = (*case.seen.dealer[:_TWO], *later)
    if case.seen.piece.begun_unseen or len(cards) <= _TWO:
        return
    orders = [(0, 1, *(place + _TWO for place in order)) for order in possible_orders(cards[_TWO:])]
    if not orders:
        return
    for count in range(_TWO, len(cards)):
        mass = mass_of(hand_answers(cards, lambda reading: _reached(reading, orders, count)), bool)  # noqa: B023
        one_more = surely_a_card(case, cards[count]) or _lay_at_once(case, count + 1)
        drawn = cards[count].appeared
        total = best_total(best_card(card) for card in cards[:count])
        drafts = list(
            found(
                case,
                "P254",
                "P294",
                "P257",
                *decided_at_once(case, drawn.span),
                code="dealer-drew",
                mass=_with_live_hand(case, mass) if one_more else UNKNOWN,
                span=drawn.span,
                expected="the dealer stands on 17 or more, soft 17 included",
                observed=f"drew {best_card(cards[count]) or 'a card not read'} to {total}",
                name=("dealer-drew",),
                unread=_unread(cards),
                rests_on=unsure_cards(cards),
                capped=not surely_a_card(case, cards[count]),
            )
        )
        yield from drafts
        if drafts:
            return


def _lay_at_once(case: Case, count: int) -> bool:
    """Whether some look shows so many of the dealer's cards."""
    looks = ([case.places.owner(card.xy_mm) for card in things(one, *CARD_KINDS)] for one in playing(case))
    return any(owners.count(DEALER) >= count for owners in looks)


def _reached(reading: Hand, orders: Sequence[tuple[int, ...]], count: int) -> bool:
    """Return whether in every possible order a card was drawn to a total of 17 or more, at this count or before."""
    return all(
        any((best_total(reading[place] for place in order[:n]) or 0) >= _STANDS for n in range(_TWO, count + 1))
        for order in orders
    )


def stood_on_16(case: Case) -> Iterator[Draft]:
    """Yield that the dealer stood on 16 or less although a hand waited for him: P255."""
    cards = case.seen.dealer
    if case.seen.piece.begun_unseen or case.seen.hole_turned is None or doubt_about_dealer(case) is not None:
        return
    if case.seen.piece.missing or any(state.view != "ok" for state in playing(case)):
        return  # a card of his may have come and gone unseen
    mass = mass_of(hand_answers(cards, best_total), lambda total: total is not None and total < _STANDS)
    total = best_total(best_card(card) for card in cards)
    yield from found(
        case,
        "P255",
        code="dealer-stood",
        mass=_with_live_hand(case, mass),
        span=case.seen.hole_turned.span,
        expected="the dealer hits 16 or less",
        observed=f"stood on {total}",
        name=("dealer-stood",),
        follows=(("dealer-drew",),),
        unread=_unread(cards),
        rests_on=unsure_cards(cards),
    )


def _with_live_hand(case: Case, mass: Mass) -> Mass:
    """The dealer's drawing is not judged where no hand waits for him [BJ-13]."""
    dead = 1.0
    for seat, seen in case.seen.seats.items():
        for number, hand in enumerate(seen.hands, start=1):
            over = mass_of(hand_answers(hand, lambda r: _is_over(r, split=len(seen.hands) > 1)), bool)  # noqa: B023
            unsure = doubt_about_hand(case, seat, number) is not None
            dead *= 1.0 if unsure else 1.0 - over.kept
    return Mass(broken=mass.broken * (1.0 - dead), kept=mass.kept + mass.broken * dead)


def _is_over(reading: Hand, *, split: bool) -> bool:
    total = best_total(reading) or 0
    return total > _TWENTY_ONE or (total == _TWENTY_ONE and len(reading) == _TWO and not split)


def _unread(cards: Sequence[SeenCard]) -> tuple[str, ...]:
    return unread((f"dealer's card {i}", card) for i, card in enumerate(cards, start=1))


CHECKS: Final = (
    Audited(check=drew_on_17, games=BLACKJACK, ids=("P254", "P257", "P289", "P294")),
    Audited(check=stood_on_16, games=BLACKJACK, ids=("P255",)),
)
