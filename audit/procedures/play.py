"""The players' hands: what may be drawn to, doubled and split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod
from typing import Final

from audit.games.terms import best_total
from audit.procedures.drafts import BLACKJACK, Audited, Case, Draft, found
from audit.procedures.finality import doubt_about_hand, lie_apart
from audit.procedures.moments import shows_cheques, surely_lies_so, things
from audit.procedures.order import possible_orders
from audit.procedures.resting import unsure_cards
from audit.readings import CERTAIN, UNKNOWN, Hand, Mass, hand_answers, mass_of, mass_where, unread
from audit.reconstruction.changes import change_between, is_unattended
from audit.reconstruction.observation import SeatSeen, SeenCard, SeenWager
from audit.reconstruction.places import MOVED_MM, SAME_PLACE_MM, distance
from audit.reconstruction.records import best_card
from audit.rounds import BetKey

_TWO: Final = 2
_DOUBLED: Final = 3
_TWENTY_ONE: Final = 21
_LIKELY: Final = 0.5
_MOST_HANDS: Final = {"blackjack": (4, "P323"), "double_deck": (2, "P393")}


def hit_on_21(case: Case) -> Iterator[Draft]:
    """Yield cards drawn to 21 or more: P246, P327 on split aces, P328 on a split ten with an ace.

    At most suspect where no hand was seen to bring one of them: a look may have missed it before.
    """
    for seat, number, hand, seen in _hands(case):
        if len(hand) <= _TWO:
            continue
        orders = possible_orders(hand)
        if not orders:
            continue
        split = len(seen.hands) > 1
        mass = mass_of(hand_answers(hand, partial(_too_far, orders=orders, split=split)), bool)
        aces = split and _chance_of_ace(hand[0]) >= _LIKELY
        ten = split and not aces and _chance_of_ace(hand[1]) >= _LIKELY  # a total of 21 with it, or nothing is broken
        ids = ("P327", "P246") if aces else ("P328", "P246") if ten else ("P246",)
        total = best_total(best_card(card) for card in hand[:-1])
        yield from found(
            case,
            *ids,
            code="hit-on-21",
            mass=mass,
            span=hand[-1].appeared.span,
            expected="one card on each split ace" if aces else "no card on 21 or more",
            observed=f"{best_card(hand[-1]) or 'a card not read'} drawn on a total of {total}",
            bet=BetKey(seat=seat, bet="main" if number == 1 else "split", hand=number),
            capped=any(is_unattended(card.appeared, case.seen.piece.states) for card in hand[1:]),
            name=("hit-on-21", seat, number),
            follows=(("double-not-allowed", BetKey(seat=seat, bet="double", hand=number)),),
            unread=unread((f"seat {seat} hand {number} card {i}", card) for i, card in enumerate(hand, start=1)),
            rests_on=unsure_cards(hand),
        )


def _hands(case: Case) -> Iterator[tuple[int, int, tuple[SeenCard, ...], SeatSeen]]:
    if case.seen.piece.begun_unseen:
        return
    for seat, seen in sorted(case.seen.seats.items()):
        for number, hand in enumerate(seen.hands, start=1):
            if not any(card.appeared.blind for card in hand) and not lie_apart(hand):
                yield seat, number, hand, seen


def _too_far(reading: Hand, *, orders: Sequence[tuple[int, ...]], split: bool) -> bool:
    """Return whether in every possible order a card came to a total of 21 or more, or a second one to a split ace."""
    first = reading[0]
    if split and first is not None and first.rank == "A" and len(reading) > _TWO:
        return True
    return all(
        any((best_total(reading[i] for i in order[:n]) or 0) >= _TWENTY_ONE for n in range(_TWO, len(order)))
        for order in orders
    )


def doubles(case: Case) -> Iterator[Draft]:
    """Yield doubles played otherwise than written: P317, P318, P319, P320, P315."""
    for wager in case.seen.wagers:
        if wager.key.bet != "double" or case.seen.piece.missing:
            continue
        hand = case.seen.seats[wager.key.seat].hands[(wager.key.hand or 1) - 1]
        yield from _double_cards(case, wager, hand)
        yield from _double_cheques(case, wager, hand)


def _double_cards(case: Case, wager: SeenWager, hand: Sequence[SeenCard]) -> Iterator[Draft]:
    seat, number = wager.key.seat, wager.key.hand or 1
    doubt = doubt_about_hand(case, seat, number)
    if len(hand) > _DOUBLED or (len(hand) < _DOUBLED and doubt is None):
        yield from found(
            case,
            "P317",
            code="double-cards",
            span=hand[-1].appeared.span,
            expected="exactly one card on a doubled hand",
            observed=f"{len(hand) - _TWO} cards",
            bet=wager.key,
            capped=lie_apart(hand),
        )
    if len(hand) == _DOUBLED and hand[2].sideways is False:
        yield from found(
            case,
            *(("P329", "P318") if len(case.seen.seats[seat].hands) > 1 else ("P318",)),
            code="double-upright",
            span=hand[2].appeared.span,
            expected="the double's card sideways",
            observed="upright",
            bet=wager.key,
            capped=not surely_lies_so(case, hand[2]),
        )
    split = len(case.seen.seats[seat].hands) > 1
    mass = mass_of(hand_answers(hand[:_TWO], lambda reading: not _may_double(reading, split=split)), bool)
    yield from found(
        case,
        "P315",
        code="double-not-allowed",
        mass=mass,
        span=wager.placed.span,
        expected="no double on 21 or on split aces",
        observed=f"doubled on {' '.join(str(best_card(card) or '??') for card in hand[:_TWO])}",
        bet=wager.key,
        name=("double-not-allowed", wager.key),
        unread=unread((f"seat {seat} hand {number} card {i}", c) for i, c in enumerate(hand[:_TWO], start=1)),
        rests_on=unsure_cards(hand[:_TWO]),
    )


def _may_double(reading: Hand, *, split: bool) -> bool:
    first = reading[0]
    split_ace = split and first is not None and first.rank == "A"
    return not split_ace and best_total(reading) != _TWENTY_ONE


def _double_cheques(case: Case, wager: SeenWager, hand: Sequence[SeenCard]) -> Iterator[Draft]:
    if wager.on_top:
        yield from found(
            case,
            "P319",
            code="double-on-top",
            span=wager.placed.span,
            expected="the double to the dealer's right of the bet",
            observed="stacked on the bet",
            bet=wager.key,
        )
    if len(hand) >= _DOUBLED and wager.placed.span.certainly_after(hand[2].appeared.span):
        yield from found(
            case,
            "P320",
            code="double-late",
            span=wager.placed.span,
            expected="the double's cheques down before its card",
            observed="placed after the card",
            bet=wager.key,
            capped="dealer" not in hand[2].appeared.sides,  # the hand that brought the card was missed
        )


def splits(case: Case) -> Iterator[Draft]:
    """Yield splits of unequal cards, too many hands, hands left short, split aces upright: P321, P323, P330, P327."""
    most, procedure = _MOST_HANDS[case.places.profile.game]
    for seat, seen in sorted(case.seen.seats.items()):
        if not seen.splits or case.seen.piece.begun_unseen:
            continue
        span = seen.splits[0].span
        mass = mass_of(hand_answers(seen.initial, _equal), lambda equal: not equal)
        yield from found(
            case,
            "P321",
            code="split-unequal",
            mass=mass,
            span=span,
            expected="a split of two cards equal in value",
            observed=f"split {' and '.join(str(best_card(card) or '??') for card in seen.initial)}",
            seat=seat,
            unread=unread((f"seat {seat} card {i}", card) for i, card in enumerate(seen.initial, start=1)),
            rests_on=unsure_cards(seen.initial),
        )
        if len(seen.hands) > most:
            yield from found(
                case,
                procedure,
                code="too-many-hands",
                span=seen.splits[-1].span,
                expected=f"at most {most} hands",
                observed=f"{len(seen.hands)} hands",
                seat=seat,
            )
        if len(seen.hands) > _TWO:
            yield from _aces_again(case, seat, seen)
        yield from _split_hands(case, seat, seen)


def _aces_again(case: Case, seat: int, seen: SeatSeen) -> Iterator[Draft]:
    """Yield aces that were split a second time: P323."""
    aces = [mass_where(hand[0].chances, _is_ace) for hand in seen.hands]
    broken, kept = prod(one.broken for one in aces), 1.0 - prod(1.0 - one.kept for one in aces)
    yield from found(
        case,
        "P323",
        code="aces-split-again",
        mass=Mass(broken=broken, kept=kept),
        unread=unread(
            (f"seat {seat} hand {number}'s first card", hand[0]) for number, hand in enumerate(seen.hands, 1)
        ),
        span=seen.splits[-1].span,
        expected="aces split once",
        observed=f"{len(seen.hands)} hands of split aces",
        seat=seat,
        name=("aces-split-again", seat),
        rests_on=unsure_cards(hand[0] for hand in seen.hands),
    )


def _equal(reading: Hand) -> bool:
    return len({card.value for card in reading if card is not None}) <= 1


def _laid_beside_the_spot(case: Case, seat: int, seen: SeatSeen) -> bool:
    """Whether cheques that were not there before lie in no zone, at the edge of the spot or not far from its bet."""
    before, after = (case.seen.piece.states[n] for n in (case.seen.piece.first, seen.splits[-1].state))
    spot = f"seat{seat}.main"
    bets = [item.xy_mm for item in things(after, "chips") if case.places.spot(item.xy_mm) == spot]
    loose = [item.xy_mm for item in things(after, "chips") if case.places.spot(item.xy_mm) is None]
    lay = [item.xy_mm for item in things(before, "chips")]
    came = [one for one in loose if all(distance(one, other) > SAME_PLACE_MM for other in lay)]
    at_the_edge = any(spot in case.places.spots_around(one) for one in came)
    return at_the_edge or any(distance(one, bet) <= MOVED_MM for one in came for bet in bets)


def _settled_since(case: Case, seat: int, seen: SeatSeen) -> bool:
    """Whether wagers may have been settled when the split was first seen: none lay there, or the hole card was up.

    Or a hand had three cards or more by then, and the dealer's hand came to the bets and the rack with them.
    """
    shown, turned = seen.splits[0].state, case.seen.hole_turned
    played = any(len(hand) > _TWO and hand[_TWO].appeared.state <= shown for hand in seen.hands)
    racked = change_between(case.seen.piece.states, shown - 1, shown, {"rack"}).sides
    if played and "dealer" in racked & _hands_over_bet(case, seat, shown):
        return True
    if not shows_cheques(case, case.seen.piece.states[shown], f"seat{seat}.main"):
        return True
    return turned is not None and turned.state <= shown and "dealer" in _hands_over_bet(case, seat, shown)


def _hands_over_bet(case: Case, seat: int, state: int) -> frozenset[str]:
    return change_between(case.seen.piece.states, state - 1, state, {f"seat{seat}.main"}).sides


def _split_hands(case: Case, seat: int, seen: SeatSeen) -> Iterator[Draft]:
    for number, hand in enumerate(seen.hands, start=1):
        key = BetKey(seat=seat, bet="main" if number == 1 else "split", hand=number)
        if case.seen.wager(key) is None and not case.seen.piece.missing and not _main_hidden(case, seat):
            unseen = _laid_beside_the_spot(case, seat, seen) or _settled_since(case, seat, seen)
            yield from found(
                case,
                "P322",
                code="split-without-wager",
                mass=UNKNOWN if unseen else CERTAIN,
                span=seen.splits[0].span,
                expected="a wager on each split hand",
                observed=f"none on hand {number}",
                bet=key,
                unread=[f"seat {seat}: whether what was laid beside the spot is a wager on hand {number}"],
            )
        if len(hand) == 1 and not case.seen.piece.missing and doubt_about_hand(case, seat, number) is None:
            yield from found(
                case,
                "P330",
                code="split-hand-short",
                span=seen.splits[0].span,
                expected="at least one card on each split hand",
                observed="none",
                bet=key,
            )
        if len(hand) == _TWO and hand[1].sideways is False:
            yield from found(
                case,
                "P327",
                code="split-ace-upright",
                mass=mass_where(seen.hands[0][0].chances, _is_ace),
                unread=unread([(f"seat {seat} hand 1's first card", seen.hands[0][0])]),
                span=hand[1].appeared.span,
                expected="one card on a split ace, sideways",
                observed="upright",
                bet=key,
                capped=not surely_lies_so(case, hand[1]),
            )


def _main_hidden(case: Case, seat: int) -> bool:
    """Whether the main spot was out of sight in every state after the deal."""
    piece = case.seen.piece
    states = piece.states[piece.first : piece.last + 1]
    return sum(f"seat{seat}.main" not in state.covered for state in states) <= len(states) // 2


def _chance_of_ace(card: SeenCard) -> float:
    return mass_where(card.chances, _is_ace).broken


def _is_ace(code: str) -> bool:
    return code[0] == "A"


CHECKS: Final = (
    Audited(check=hit_on_21, games=BLACKJACK, ids=("P246", "P327", "P328"), of_cards=True),
    Audited(check=doubles, games=BLACKJACK, ids=("P315", "P317", "P318", "P319", "P320", "P329"), of_cards=True),
    Audited(check=splits, games=BLACKJACK, ids=("P321", "P322", "P323", "P327", "P330", "P393"), of_cards=True),
)
