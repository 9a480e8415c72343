"""Where cards and cheques lie in a hand: the dealer's row, zigzags, split and doubled hands, the discards' top."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from typing import Final

from audit.cards import TEN_VALUED
from audit.procedures.drafts import BLACKJACK, Audited, Case, Draft, found
from audit.procedures.finality import lie_apart
from audit.procedures.moments import playing, surely_a_card, things
from audit.readings import Mass
from audit.reconstruction.evidence import card_chances
from audit.reconstruction.observation import SeatSeen, SeenCard, SeenWager
from audit.reconstruction.places import CARD_HEIGHT_MM, CARD_WIDTH_MM, STILL_MM, distance, lies_there
from audit.rounds import BetKey
from audit.states import CARD_KINDS, SeenObject, TableState

_TWO: Final = 2
_APART_MM: Final = 30.0  # so far from one another stand two wagers that are not on one pile
_COVERED_ACROSS_MM: Final = 32.0
_COVERED_ALONG_MM: Final = 35.0
_ZIGZAG: Final = 3
_ZIGZAG_MM: Final = 24.0


def dealer_row(case: Case) -> Iterator[Draft]:
    """Yield dealer's hits that overlap the card before them or lie to its left: P256.

    Of his cards after the first one at least is a hit in every pair: that two overlap needs no order.
    """
    cards = sorted(case.seen.dealer[1:], key=lambda card: card.number)
    shown = [card for card in cards if card.shown and card.sideways is False and surely_a_card(case, card)]
    for before, card in pairwise(shown if not case.seen.piece.begun_unseen else []):
        right = card.xy_mm[0] - before.xy_mm[0]
        came = before.turned or before.appeared  # the hole card has its place only once it is shown
        apart = came.span.certainly_before(card.appeared.span) and card in case.seen.dealer[_TWO:]
        near = abs(card.xy_mm[1] - before.xy_mm[1]) < CARD_WIDTH_MM
        wrong = "to the left of" if right < -STILL_MM else "over" if right < CARD_WIDTH_MM - STILL_MM else ""
        overlap = wrong == "over" and _came_after_the_up_card(case, before, card) and _seen_together(case, before, card)
        if near and wrong and (apart or overlap):
            yield from found(
                case,
                "P256",
                code="dealer-row",
                span=card.appeared.span,
                expected="the dealer's cards from left to right, apart from each other",
                observed=f"{card.likeliest or 'a card'} {wrong} {before.likeliest or 'the card'} before it",
                name=("dealer-row",),
            )
            return


def _came_after_the_up_card(case: Case, *cards: SeenCard) -> bool:
    """Whether the dealer's up card lay open before he showed any of some other cards."""
    shown = case.seen.dealer[0].face_shown
    later = [card.face_shown for card in cards]
    return shown is not None and all(change is not None and change.state > shown.state for change in later)


def cards_readable(case: Case) -> Iterator[Draft]:
    """Yield cards that cover more than one pip of an earlier one of their hand, or its centre: P235, P184, P185.

    Not said of split hands, whose cards were moved, nor of sideways cards. Where most hands of a round lie so it is
    the dealer's way to lay them, and told once. How much of a card shows is a matter of a few millimetres, and of what
    the house is used to: at most suspect.
    """
    covered = {seat: pair for seat, seen in case.seen.seats.items() if (pair := _covered(case, seen)) is not None}
    judged = [seen for seen in case.seen.seats.values() if len(seen.cards) > 1 and not (seen.splits or seen.unclear)]
    way = len(covered) > 1 and 2 * len(covered) > len(judged)
    for seat, (before, card) in list(covered.items())[: 1 if way else None]:
        across, along = _overlap(before, card)
        also = f", and so at {len(covered) - 1} more" if way else ""
        yield from found(
            case,
            *(("P235",) if card in case.seen.seats[seat].initial else ()),
            "P185",
            "P184",
            code="card-covered",
            span=card.appeared.span,
            expected="at most one pip of a card covered, never its centre",
            observed=f"covered {across:.0f} by {along:.0f} mm of {before.likeliest or 'the card before'}{also}",
            seat=seat,
            capped=True,
            name=("card-covered", card.number),
        )


def cards_on_the_bets(case: Case) -> Iterator[Draft]:
    """Yield a card that came to lie on a betting spot instead of below it: P184 (004:L533). At most suspect.

    Where cards lie is known to some millimetres only, and a hand that has many of them reaches far.
    """
    for seat, seen in case.seen.seats.items() if not case.seen.piece.missing else ():
        for card in seen.initial:
            zones = case.places.zones(card.came_xy_mm)
            if case.places.spot(card.came_xy_mm) is not None and f"seat{seat}.cards" not in zones:
                yield from found(
                    case,
                    "P184",
                    code="card-on-bet",
                    span=card.appeared.span,
                    expected="cards below the betting spot",
                    observed=f"{card.likeliest or 'a card'} on it",
                    seat=seat,
                    capped=True,
                    name=("card-on-bet", card.number),
                )


def _covered(case: Case, seen: SeatSeen) -> tuple[SeenCard, SeenCard] | None:
    """Return the first two cards of a seat of which the later covers too much of the other."""
    if seen.splits or seen.unclear or case.seen.piece.missing:
        return None
    for before, card in combinations(sorted(seen.cards, key=lambda card: card.number), 2):
        across, along = _overlap(before, card) if _lay_together(case, before, card) else (0.0, 0.0)
        if across > _COVERED_ACROSS_MM + STILL_MM and along > _COVERED_ALONG_MM + STILL_MM:
            return before, card
    return None


def _lay_together(case: Case, before: SeenCard, card: SeenCard) -> bool:
    """Whether two cards lay at once where they are said to lie: one may have come there when the other had gone.

    Both are seen there; or neither was moved, and the last look before the second came shows the first, which may be
    covered wholly since.
    """
    states = case.seen.piece.states
    looks = (state for state in states[card.appeared.state - 1 :: -1] if not case.places.hidden(state, before.xy_mm))
    stayed = all(distance(one.came_xy_mm, one.xy_mm) <= STILL_MM for one in (before, card))
    if stayed and any(lies_there(item, before) for item in _cards(next(looks, None))):
        return True
    return _seen_together(case, before, card)


def _seen_together(case: Case, one: SeenCard, other: SeenCard) -> bool:
    """Whether some look shows a card in each of two places."""
    shown = (pair for state in playing(case) for pair in permutations(_cards(state), _TWO))
    return any(lies_there(first, one) and lies_there(second, other) for first, second in shown)


def _cards(state: TableState | None) -> tuple[SeenObject, ...]:
    return () if state is None else things(state, *CARD_KINDS)


def _overlap(first: SeenCard, second: SeenCard) -> tuple[float, float]:
    """Return how much of the first card the second covers, across and along it; both upright."""
    if first.sideways is not False or second.sideways is not False:
        return 0.0, 0.0
    turn = math.radians(first.angle_deg)
    dx, dy = second.xy_mm[0] - first.xy_mm[0], second.xy_mm[1] - first.xy_mm[1]
    across = abs(dx * math.cos(turn) + dy * math.sin(turn))
    along = abs(-dx * math.sin(turn) + dy * math.cos(turn))
    return CARD_WIDTH_MM - across, CARD_HEIGHT_MM - along


def zigzag(case: Case) -> Iterator[Draft]:
    """Yield a long zigzag of a hand's cards, allowed but not preferred: P186, at most suspect.

    Of cards that came between the same two looks, the order is not known.
    """
    for seat, seen in case.seen.seats.items():
        for number, hand in enumerate(seen.hands, start=1):
            if len({card.appeared.state for card in hand}) < len(hand):
                continue
            steps = [
                case.places.along(f"seat{seat}", b.xy_mm)[0] - case.places.along(f"seat{seat}", a.xy_mm)[0]
                for a, b in pairwise(sorted(hand, key=lambda card: card.number))
            ]
            turns = sum(a * b < 0 and min(abs(a), abs(b)) > _ZIGZAG_MM for a, b in pairwise(steps))
            if turns >= _ZIGZAG:
                yield from found(
                    case,
                    "P186",
                    code="zigzag",
                    span=hand[-1].appeared.span,
                    expected="cards in a line or a V",
                    observed=f"a zigzag of {len(hand)} cards",
                    bet=BetKey(seat=seat, bet="main", hand=number),
                    capped=True,
                )


def split_wagers(case: Case) -> Iterator[Draft]:
    """Yield the new wager of a split to the left of the old one, or before it: P324, at most suspect: like piles.

    Said only where a player's hand alone was over the spot between the two looks: the dealer moves the old one. When a
    hand is split again he moves them all, and which of them is new cannot be told.
    """
    first = case.seen.piece.first
    for wager in case.seen.wagers:
        main = case.seen.wager(BetKey(seat=wager.key.seat, bet="main", hand=1))
        again = len(case.seen.seats[wager.key.seat].splits) > 1
        if wager.key.bet != "split" or main is None or again or not main.placed.by_player:
            continue
        later = main.placed.state > first >= wager.placed.state
        before = wager.placed.by_player and _stands_before(case, wager, main)
        if before or (later and _stays(case, wager, main.placed.state)):
            yield from found(
                case,
                "P324",
                code="split-wager-left",
                span=wager.placed.span if before else main.placed.span,
                expected="the new wager to the dealer's right of the old one",
                observed="placed before or behind it" if before else "placed to its left",
                bet=wager.key,
                capped=True,
            )


def _stands_before(case: Case, wager: SeenWager, main: SeenWager) -> bool:
    """Whether a wager stands before or behind another one, and not beside it."""
    owner = f"seat{wager.key.seat}"
    (right, away), (other_right, other_away) = (case.places.along(owner, one.xy_mm) for one in (wager, main))
    return abs(right - other_right) < STILL_MM and abs(away - other_away) > _APART_MM


def _stays(case: Case, wager: SeenWager, state: int) -> bool:
    """Whether a pile stands at a state where one stood on a wager's spot when the first card came: it was not moved."""
    then, now = (
        [item.xy_mm for item in things(case.seen.piece.states[index], "chips")]
        for index in (case.seen.piece.first, state)
    )
    old = [point for point in then if case.places.spot(point) == wager.spot]
    return any(distance(point, other) <= STILL_MM for point in now for other in old)


def double_on_the_right(case: Case) -> Iterator[Draft]:
    """Yield a double to the dealer's left of its bet: P319."""
    for wager in case.seen.wagers:
        bet = case.seen.wager(BetKey(seat=wager.key.seat, bet="main", hand=1))
        alone = len(case.seen.seats[wager.key.seat].hands) == 1
        if wager.key.bet != "double" or bet is None or not alone or wager.on_top:
            continue
        owner = f"seat{wager.key.seat}"
        left = case.places.along(owner, bet.xy_mm)[0] - case.places.along(owner, wager.xy_mm)[0]
        if left > STILL_MM:
            yield from found(
                case,
                "P319",
                code="double-left",
                span=wager.placed.span,
                expected="the double to the dealer's right of the bet",
                observed=f"{left:.0f} mm to its left",
                bet=wager.key,
                capped=lie_apart(case.seen.seats[wager.key.seat].hands[0]),
            )


def double_of_a_split_hand(case: Case) -> Iterator[Draft]:
    """Yield the double of a split hand to the dealer's left of its bet: P329, P319 (004:L828).

    The pile that came between the hand's second and third card is its double. What the dealer's hand may have shifted
    is at most suspect, as like piles look alike.
    """
    for double in case.seen.wagers if not case.seen.piece.missing else ():
        seat, number = double.key.seat, double.key.hand or 1
        hands = case.seen.seats[seat].hands if seat in case.seen.seats else ()
        bet = case.seen.wager(BetKey(seat=seat, bet="main" if number == 1 else "split", hand=number))
        if double.key.bet != "double" or bet is None or len(hands) == 1 or len(hands[number - 1]) <= _TWO:
            continue
        _, second, third = hands[number - 1][: _TWO + 1]
        came = bet.placed.span.certainly_after(second.appeared.span)
        came = came and bet.placed.span.certainly_before(third.appeared.span)
        if came and double.placed.state < bet.placed.state:
            yield from found(
                case,
                "P329",
                "P319",
                code="double-left",
                span=bet.placed.span,
                expected="the double to the dealer's right of the bet",
                observed="placed to its left",
                bet=double.key,
                capped=not bet.placed.by_player,
            )


def split_ten_and_ace(case: Case) -> Iterator[Draft]:
    """Yield an ace on a split ten that lies upright, or another card after it: P328."""
    for seat, seen in case.seen.seats.items():
        for number, hand in enumerate(seen.hands if len(seen.hands) > 1 else (), start=1):
            if len(hand) < _TWO or case.seen.piece.begun_unseen:
                continue
            wrong = "another card drawn" if len(hand) > _TWO else "upright" if hand[1].sideways is False else ""
            chance = _chance(hand[0], TEN_VALUED) * _chance(hand[1], frozenset("A"))
            if wrong:
                yield from found(
                    case,
                    "P328",
                    code="split-ten-ace",
                    mass=Mass(broken=chance, kept=1.0 - chance),
                    span=hand[-1].appeared.span,
                    expected="the ace on a split ten sideways, and no more cards",
                    observed=wrong,
                    bet=BetKey(seat=seat, bet="main" if number == 1 else "split", hand=number),
                    name=("hit-on-21", seat, number) if len(hand) > _TWO else None,
                )


def _chance(card: SeenCard, ranks: frozenset[str]) -> float:
    return sum(p for code, p in card.chances.items() if code[0] in ranks)


def top_of_the_discards(case: Case) -> Iterator[Draft]:
    """Yield a face on top of the discards after the round that is none of the dealer's: P286, P285."""
    own = {code for card in case.seen.dealer for code in card.chances}
    players = {code for seen in case.seen.seats.values() for card in seen.cards for code in card.chances}
    known = all(card.chances for card in case.seen.dealer)
    for state in _until_the_rack_is_emptied(case) if known and not case.seen.piece.missing else ():
        tops = [item for item in things(state, "card") if "discard" in case.places.zones(item.xy_mm)]
        chances = card_chances(tops[0]) if len(tops) == 1 else {}
        broken = sum(p for code, p in chances.items() if code in players - own)
        if chances:
            yield from found(
                case,
                "P286",
                "P285",
                code="discards-top",
                mass=Mass(broken=broken, kept=sum(p for code, p in chances.items() if code in own)),
                span=state.span,
                expected="the dealer's hand on top of the discards",
                observed=f"{tops[0].card or 'another card'} on top",
                name=("discards-top",),
                unread=("which card lies on top of the discards",),
            )
            return


def _until_the_rack_is_emptied(case: Case) -> Iterator[TableState]:
    """Yield the states after a round as long as its cards lie in the discard rack: not those after a shuffle."""
    seen = False
    for state in case.seen.piece.states[case.seen.piece.last + 1 :]:
        cards = things(state, *CARD_KINDS, "discards")
        there = any("discard" in case.places.zones(item.xy_mm) for item in cards)
        if seen and not there and state.view == "ok" and "discard" not in state.covered:
            return
        seen = seen or there
        yield state


CHECKS: Final = (
    Audited(check=cards_on_the_bets, games=BLACKJACK, ids=("P184",), of_cards=True, local=True),
    Audited(check=dealer_row, games=BLACKJACK, ids=("P256",), of_cards=True),
    Audited(check=cards_readable, games=BLACKJACK, ids=("P184", "P185", "P235"), of_cards=True, local=True),
    Audited(check=zigzag, games=BLACKJACK, ids=("P186",), of_cards=True),
    Audited(check=split_wagers, games=BLACKJACK, ids=("P324",), of_cards=True),
    Audited(check=double_on_the_right, games=BLACKJACK, ids=("P319",), of_cards=True),
    Audited(check=double_of_a_split_hand, games=BLACKJACK, ids=("P319", "P329"), of_cards=True),
    Audited(check=split_ten_and_ace, games=BLACKJACK, ids=("P328",), of_cards=True),
    Audited(check=top_of_the_discards, games=BLACKJACK, ids=("P285", "P286"), of_cards=True),
)
