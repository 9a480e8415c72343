"""What 004 forbids in the hands and wagers of a blackjack round, as codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from audit.cards import TEN_VALUED, Card
from audit.games.terms import VALUES, Violation, best_total
from audit.money import Money
from audit.rounds import SeatPlay, Wager

Bets = Mapping[str, Sequence[Wager]]

CODES: Final = {
    "initial-cards": "a seat is dealt two cards first (004:L700-704, L712)",
    "initial-differs": "the final hands begin with the first two cards dealt to the seat (004:L821-823)",
    "hand-short": "every hand has at least two cards; a split hand is hit at least once (004:L660, L712)",
    "too-many-hands": "a hand is split at most three times (004:L821), once in double deck (004:L1068)",
    "aces-split-again": "aces are split once, making two hands (004:L821)",
    "split-unequal": "only two cards identical in value are split (004:L660, L821)",
    "hit-on-21": "no card is drawn to a hand of 21 (004:L658, L825-827)",
    "hit-after-break": "no card is drawn to a hand over 21 (004:L223-225, L658)",
    "split-ace-hit": "a split ace gets one card (004:L821-824)",
    "double-cards": "a doubled hand gets exactly one more card (004:L289-293, L815)",
    "double-on-21": "a hand of 21 is not doubled (004:L289-293)",
    "double-on-split-ace": "a split ace is not doubled (004:L660, L815)",
    "double-over-wager": "a double is at most the wager on its hand (004:L660, L815)",
    "double-without-wager": "a double stands beside the wager on its hand (004:L816)",
    "hand-without-wager": "every hand has a wager (004:L679, L701)",
    "hand-with-two-wagers": "a hand has one main or split wager (004:L821)",
    "split-wager-differs": "a split wager equals the original wager (004:L660, L821)",
    "split-wager-without-split": "a split wager needs a split hand (004:L821)",
    "insurance-without-ace": "insurance is open only when the up card is an ace (004:L327-331, L795)",
    "insurance-over-half": "insurance is at most half the original wager (004:L327-331, L799)",
    "insurance-without-main": "insurance is made beside an original wager (004:L656, L799)",
    "even-money-without-blackjack": "even money is offered to a player's blackjack (004:L800)",
    "even-money-without-ace": "even money is offered when the up card is an ace (004:L800)",
    "trilux-without-main": "Trilux Bonus needs a blackjack wager (004:L1040)",
    "super3-without-trilux": "Trilux Super 3 needs the blackjack and the Bonus wager (004:L1040)",
    "blazing7-without-main": "Blazing 7's needs an original blackjack wager (004:L1098)",
    "played-against-blackjack": "no hand is played once the ace finder shows blackjack (004:L806-809)",
    "dealer-cards": "the dealer is dealt two cards (004:L702-704, L712)",
    "dealer-drew-on-17": "the dealer stands on 17 or more, soft 17 included (004:L662, L719)",
    "dealer-stood-below-17": "the dealer hits 16 or less (004:L662, L725)",
}

_TWO: Final = 2
_DOUBLED: Final = 3
_TWENTY_ONE: Final = 21
_STANDS: Final = 17


def check_dealer(cards: Sequence[Card | None], *, live: bool) -> Iterator[str]:
    """Yield what is forbidden in the dealer's hand; drawing is not checked without a live hand [BJ-13]."""
    if len(cards) < _TWO:
        yield "dealer-cards"
        return
    if not live:
        return
    for count in range(_TWO, len(cards)):
        total = best_total(cards[:count])
        if total is not None and total >= _STANDS:
            yield "dealer-drew-on-17"
            break
    final = best_total(cards)
    if final is not None and final < _STANDS:
        yield "dealer-stood-below-17"


def check_seat(play: SeatPlay, bets: Bets, *, up: Card | None, peeked: bool, most_hands: int) -> list[Violation]:
    """Return what is forbidden at one seat; ``peeked``: the dealer has blackjack and it was found before play."""
    found: list[Violation] = []
    hands = play.hands
    first = hands[0] if hands else ()
    found += [("", code) for code in _initial(play)]
    if len(hands) != 1 or len(first) != _TWO or "split" in bets or "double" in bets:
        found += _played(play, bets, most_hands)
        if peeked:
            found.append(("", "played-against-blackjack"))
    elif "main" not in bets:
        found.append((" hand 1", "hand-without-wager"))
    if "insurance" in bets:
        found += [(" insurance", code) for code in _insurance(bets, up)]
    if play.even_money:
        found += [("", code) for code in _even_money(play, up)]
    found += [("", code) for code in _side_bets(bets)]
    return found


def _initial(play: SeatPlay) -> Iterator[str]:
    initial = play.initial
    if len(initial) != _TWO:
        yield "initial-cards"
        return
    if len(play.hands) == 1:
        dealt: Sequence[Card | None] = play.hands[0][:_TWO]
    else:
        dealt = [hand[0] for hand in play.hands if hand]
    if tuple(dealt) == initial or None in initial or None in dealt:
        return
    if Counter(initial) - Counter(dealt):
        yield "initial-differs"


def _played(play: SeatPlay, bets: Bets, most_hands: int) -> Iterator[Violation]:
    hands = play.hands
    split = len(hands) > 1
    if split:
        firsts = [hand[0] for hand in hands if hand and hand[0] is not None]
        if len({VALUES[card.rank] for card in firsts}) > 1:
            yield "", "split-unequal"
        if len(hands) > most_hands:
            yield "", "too-many-hands"
        if len(hands) > _TWO and any(card.rank == "A" for card in firsts):
            yield "", "aces-split-again"
    elif "split" in bets:
        yield "", "split-wager-without-split"
    for number, hand in enumerate(hands, start=1):
        doubles = _on_hand(bets, "double", number)
        codes = [*_cards(hand, split=split), *_base_wager(bets, number)]
        for double in doubles:
            codes += _double(double, hand, bets, number, split=split)
        for code in codes:
            yield f" hand {number}", code


def _on_hand(bets: Bets, bet: str, number: int) -> list[Wager]:
    return [wager for wager in bets.get(bet, ()) if (wager.key.hand or 1) == number]


def _cards(hand: Sequence[Card | None], *, split: bool) -> Iterator[str]:
    if len(hand) < _TWO:
        yield "hand-short"
    if split and len(hand) > _TWO and hand[0] is not None and hand[0].rank == "A":
        yield "split-ace-hit"
    for count in range(_TWO, len(hand)):
        total = best_total(hand[:count])
        if total is not None and total >= _TWENTY_ONE:
            yield "hit-on-21" if total == _TWENTY_ONE else "hit-after-break"
            break


def _base_wager(bets: Bets, number: int) -> Iterator[str]:
    mains, splits = _on_hand(bets, "main", number), _on_hand(bets, "split", number)
    if not mains and not splits:
        yield "hand-without-wager"
    if mains and splits:
        yield "hand-with-two-wagers"
    original = _amount(bets.get("main", ()))
    for wager in splits:
        if original is not None and wager.amount is not None and wager.amount != original:
            yield "split-wager-differs"


def _double(double: Wager, hand: Sequence[Card | None], bets: Bets, number: int, *, split: bool) -> Iterator[str]:
    base = _on_hand(bets, "main", number) or _on_hand(bets, "split", number)
    if not base:
        yield "double-without-wager"
    amount = _amount(base)
    if amount is not None and double.amount is not None and double.amount > amount:
        yield "double-over-wager"
    if len(hand) != _DOUBLED:
        yield "double-cards"
    if best_total(hand[:_TWO]) == _TWENTY_ONE:
        yield "double-on-21"
    if split and hand and hand[0] is not None and hand[0].rank == "A":
        yield "double-on-split-ace"


def _amount(wagers: Sequence[Wager]) -> Money | None:
    return wagers[0].amount if wagers else None


def _insurance(bets: Bets, up: Card | None) -> Iterator[str]:
    if up is not None and up.rank != "A":
        yield "insurance-without-ace"
    if "main" not in bets:
        yield "insurance-without-main"
    original, insured = _amount(bets.get("main", ())), _amount(bets["insurance"])
    if original is not None and insured is not None and insured * 2 > original:
        yield "insurance-over-half"


def _even_money(play: SeatPlay, up: Card | None) -> Iterator[str]:
    hand = play.hands[0] if len(play.hands) == 1 else ()
    ranks = {card.rank for card in hand if card is not None}
    blackjack = len(hand) == _TWO and (None in hand or ("A" in ranks and bool(ranks & TEN_VALUED)))
    if not blackjack:
        yield "even-money-without-blackjack"
    if up is not None and up.rank != "A":
        yield "even-money-without-ace"


def _side_bets(bets: Bets) -> Iterator[str]:
    if "main" not in bets:
        if "trilux" in bets:
            yield "trilux-without-main"
        if "blazing7" in bets:
            yield "blazing7-without-main"
    if "super3" in bets and ("trilux" not in bets or "main" not in bets):
        yield "super3-without-trilux"
