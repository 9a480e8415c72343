"""21 Stud and Lucky Draw Baccarat, invented: 002 and 003, read as the register of ambiguities reads them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from audit.cards import RANKS
from audit.money import Odds
from sample_footage.inventing import money_errors
from sample_footage.inventing.card_errors import BACCARAT_ERRORS, STUD_ERRORS
from sample_footage.inventing.plan import BETS, SIDE_BETS, Plan, Shoe, Wager, some_seats, stack_of
from sample_footage.tables import BLOCK_ODDS

EVEN: Final = Odds(1, 1)
_ACE_HIGH: Final = "23456789TJQKA"
_MATCH: Final = {(2, 0): 22, (1, 1): 15, (1, 0): 11, (0, 2): 8, (0, 1): 4}
"""Suited and other matches with one dealer card -> to one (002:L91-97, standard)."""
_RED: Final = "dh"
STUD_IDS: Final[money_errors.Ids] = {
    "base": {"win": ("P084",), "lose": ("P084",), "push": ("P082",)},
    "blackjack": {"win": ("P081",)},
    "equal": {"lose": ("P083",)},
    "mirror": {"win": ("P073",), "lose": ("P074",)},
    "match1": {"win": ("P077",), "lose": ("P077",)},
    "match2": {"win": ("P080",), "lose": ("P080",)},
}
BACCARAT_IDS: Final[money_errors.Ids] = {
    "enter": {"win": ("P104",), "push": ("P104",), "lose": ("P104",)},
    "draw": {"win": ("P105",), "push": ("P105",), "lose": ("P105",)},
    "block_bonus": {"win": ("P097",), "push": ("P097",), "lose": ("P097",), "pay-amount": ("P098", "P097")},
}


def stud_total(cards: list[str]) -> int:
    """Return the total of two cards with the ace as eleven; a blackjack, two aces included, is 22."""
    values = [11 if c[0] == "A" else 10 if c[0] in "TJQK" else RANKS.index(c[0]) + 1 for c in cards]
    return 22 if sum(values) >= 21 else sum(values)


def mirror_odds(cards: list[str]) -> Odds | None:
    """Return what a pair pays, None for no pair."""
    one, other = cards
    if one[0] != other[0]:
        return None
    if one[1] == other[1]:
        return Odds(40 if one[0] == "A" else 25, 1)
    return Odds(12 if (one[1] in _RED) == (other[1] in _RED) else 5, 1)


def match_odds(cards: list[str], dealer: str) -> Odds | None:
    """Return what two cards pay against one of the dealer's, None for no match."""
    same = [card for card in cards if card[0] == dealer[0]]
    suited = sum(card[1] == dealer[1] for card in same)
    paid = _MATCH.get((suited, len(same) - suited))
    return None if paid is None else Odds(paid, 1)


def play_stud(luck: random.Random, shoe: Shoe, wish: str) -> Plan:
    """Play a round of 21 Stud."""
    plan = Plan()
    seats = some_seats(luck)
    for seat in seats:
        _opening(luck, plan, seat, "base", wish, ids=("P067", "P067"))
        for spot in ("mirror", "match1", "match2"):
            if luck.random() < 0.45:
                plan.bet(Wager(seat=seat, spot=spot, stack=stack_of(luck.choice(SIDE_BETS))))
    hands, dealer = _dealt(plan, seats, shoe, ("down", "down"))
    _judge_stud(plan, hands, dealer)
    right_to_left = sorted(seats, reverse=True)
    plan.settle((plan.wager(seat, "mirror") for seat in right_to_left), phase="mirror")
    plan.add("expose", 0, "expose 1")
    plan.settle((plan.wager(seat, "match1") for seat in right_to_left), phase="match1")
    plan.add("expose", 0, "expose 2")
    for seat in right_to_left:
        plan.settle((plan.wager(seat, "match2"), plan.wager(seat, "base")))
        plan.add("settle", seat, f"collect {seat}")
        plan.add("clear", seat, f"clear {seat}")
    plan.add("clear", 0, "clear dealer")
    _plant(luck, plan, wish, STUD_IDS, STUD_ERRORS)
    return plan


def _judge_stud(plan: Plan, hands: dict[int, list[str]], dealer: list[str]) -> None:
    other = stud_total(dealer)
    for wager in plan.wagers:
        cards = hands[wager.seat]
        if wager.spot == "base":
            own = stud_total(cards)
            if own > other:
                wager.wins(Odds(3, 2) if own == 22 else EVEN)
                wager.row = "blackjack" if own == 22 else ""
            elif own == other == 22:
                wager.pushes()
            else:
                wager.loses()
                wager.row = "equal" if own == other else ""
            continue
        which = {"match1": 0, "match2": 1}.get(wager.spot)
        odds = mirror_odds(cards) if which is None else match_odds(cards, dealer[which])
        if odds is None:
            wager.loses()
        else:
            wager.wins(odds)


def _opening(luck: random.Random, plan: Plan, seat: int, spot: str, wish: str, *, ids: tuple[str, str]) -> None:
    """Place the wager that every seat needs, outside the limits if that is wished for."""
    stack = stack_of(luck.choice(BETS))
    if wish in ("under-minimum", "over-maximum") and not plan.findings:
        stack = stack_of("4 white" if wish == "under-minimum" else "1 purple 1 black")
        wager = plan.bet(Wager(seat=seat, spot=spot, stack=stack))
        plan.finding(wish, ids[wish == "over-maximum"], wager=wager)
    else:
        plan.bet(Wager(seat=seat, spot=spot, stack=stack))


def _dealt(plan: Plan, seats: list[int], shoe: Shoe, ways: tuple[str, str]) -> tuple[dict[int, list[str]], list[str]]:
    hands: dict[int, list[str]] = {seat: [] for seat in seats}
    dealer: list[str] = []
    for way in ways:
        for seat in seats:
            hands[seat].append(shoe.pop())
            plan.add("deal", seat, f"card {seat} {hands[seat][-1]}")
        dealer.append(shoe.pop())
        plan.add("deal", 0, f"dealer {dealer[-1]} {way}")
    return hands, dealer


def baccarat_score(cards: list[str]) -> int:
    """Return the last digit of the total; tens and faces count nothing."""
    return sum(0 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in cards) % 10


def block_class(cards: list[str], up: str) -> str:
    """Return the class of two cards against the dealer's exposed one; ``push`` or ``lose`` if none."""
    high = _ACE_HIGH.index(up[0])
    higher = [_ACE_HIGH.index(card[0]) > high for card in cards]
    suited = [card[1] == up[1] for card in cards]
    if cards[0][0] == cards[1][0] and higher[0] and any(suited):
        return "ultimate" if all(suited) else "pair"
    if all(suited) and any(higher):
        return "flush"
    if sum(suited) == 1 and higher[suited.index(True)]:
        return "normal"
    return "push" if up in cards else "lose"


def play_baccarat(luck: random.Random, shoe: Shoe, wish: str) -> Plan:
    """Play a round of Lucky Draw Baccarat."""
    plan = Plan()
    seats = some_seats(luck)
    for seat in seats:
        _opening(luck, plan, seat, "enter", wish, ids=("P224", "P225"))
        if luck.random() < 0.5:
            plan.bet(Wager(seat=seat, spot="block_bonus", stack=stack_of(luck.choice(SIDE_BETS))))
    hands, dealer = _dealt(plan, seats, shoe, ("down", "up"))
    right_to_left = sorted(seats, reverse=True)
    _judge_block(plan, hands, dealer[1])
    plan.settle((plan.wager(seat, "block_bonus") for seat in right_to_left), phase="block")
    for seat in right_to_left:
        block = plan.wager(seat, "block_bonus")
        if block is not None and block.outcome == "win":
            plan.add("block", seat, f"collect {seat} block_bonus")
    for seat in seats:
        _draw(plan, seat, hands[seat], shoe, up=dealer[1])
    plan.add("expose", 0, "expose 1")
    _third_card(plan, dealer, shoe, wish)
    _judge_baccarat(plan, hands, dealer)
    for seat in right_to_left:
        plan.settle((plan.wager(seat, "enter"), plan.wager(seat, "draw")))
        plan.add("settle", seat, f"collect {seat}")
    plan.add("clear", 0, f"clear {' '.join(map(str, right_to_left))} dealer")
    _plant(luck, plan, wish, BACCARAT_IDS, BACCARAT_ERRORS)
    return plan


def _third_card(plan: Plan, dealer: list[str], shoe: Shoe, wish: str) -> None:
    """The dealer draws on 0 to 4 and stands on 5 to 9, or the other way round if that is wished for."""
    due = baccarat_score(dealer) <= 4
    wrong = wish == ("dealer-stood" if due else "dealer-drew")
    if wrong and due:
        plan.finding("dealer-stood", "P102", expected="the dealer draws on 0 to 4", observed="no card")
    elif wrong:
        plan.finding("dealer-drew", "P103", expected="the dealer stands on 5 to 9", observed="a card drawn")
    if due != wrong:
        dealer.append(shoe.pop())
        plan.add("third", 0, f"dealer {dealer[-1]}")


def _judge_block(plan: Plan, hands: dict[int, list[str]], up: str) -> None:
    for wager in plan.wagers:
        if wager.spot != "block_bonus":
            continue
        found = block_class(hands[wager.seat], up)
        if found in BLOCK_ODDS:
            wager.wins(Odds(int(BLOCK_ODDS[found].partition(":")[0]), 1))
        elif found == "push":
            wager.pushes()
        else:
            wager.loses()


def _draw(plan: Plan, seat: int, cards: list[str], shoe: Shoe, *, up: str) -> None:
    """Draw as the best play does: on 0 to 5, but not on 3 to 5 against a nine."""
    own, other = baccarat_score(cards), baccarat_score([up])
    enter = plan.wager(seat, "enter")
    if own > 5 or enter is None or (own >= 3 and other == 9):
        plan.add("play", seat, f"stand {seat}")
        return
    plan.bet(Wager(seat=seat, spot="draw", stack=enter.stack), phase="play")
    cards.append(shoe.pop())
    plan.add("play", seat, f"card {seat} {cards[-1]}")


def _judge_baccarat(plan: Plan, hands: dict[int, list[str]], dealer: list[str]) -> None:
    other = baccarat_score(dealer)
    drawn = {9: Odds(3, 1), 8: Odds(2, 1), 7: Odds(3, 2)}
    for wager in plan.wagers:
        own = baccarat_score(hands[wager.seat])
        if wager.spot == "block_bonus":
            continue
        if own > other:
            wager.wins(EVEN if wager.spot == "enter" else drawn.get(own, EVEN))
        elif own == other:
            wager.pushes()
        else:
            wager.loses()


def _plant(
    luck: random.Random,
    plan: Plan,
    wish: str,
    ids: money_errors.Ids,
    errors: dict[str, Callable[[random.Random, Plan], None]],
) -> None:
    if plan.findings or not wish:
        return
    if " " in wish:
        money_errors.settle_wrongly(luck, plan, wish, ids)
    elif wish in errors:
        errors[wish](luck, plan)


STUD_KINDS: Final = (
    *money_errors.kinds(("base", "mirror", "match1", "match2"), pushes=("base",)),
    *("under-minimum", "over-maximum"),
    *STUD_ERRORS,
)
BACCARAT_KINDS: Final = (
    *money_errors.kinds(("enter", "draw", "block_bonus"), pushes=("enter", "draw", "block_bonus")),
    *("under-minimum", "over-maximum", "dealer-drew", "dealer-stood"),
    *BACCARAT_ERRORS,
)
