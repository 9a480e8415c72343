"""Blackjack with Trilux, Super 3, Blazing 7's and insurance, and double-deck blackjack, invented: 004."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

from audit.cards import RANKS
from audit.money import Money, Odds
from sample_footage.inventing import money_errors
from sample_footage.inventing.blackjack_errors import LATER
from sample_footage.inventing.plan import BETS, Plan, Shoe, UnpayableError, Wager, some_seats, stack_of

EVEN: Final = Odds(1, 1)
_STRAIGHT: Final = "A23456789TJQKA"
_SUPER: Final = {"suited": 270, "straight flush": 180, "three": 90}
_WEAK: Final = "23456"
_RED: Final = "dh"


@dataclass(slots=True)
class Round:
    """A round being played: its plan, the hands of each seat, the dealer's, and what is wished for."""

    luck: random.Random
    shoe: Shoe
    wish: str
    double_deck: bool
    plan: Plan = field(default_factory=Plan)
    hands: dict[int, list[list[str]]] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)


def total_of(cards: list[str]) -> int:
    """Return the best total."""
    hard = _hard(cards)
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


def _hard(cards: list[str]) -> int:
    return sum(10 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in cards)


def three_cards(cards: list[str]) -> str:
    """Return what three cards are at poker: suited, straight flush, three, straight, flush; empty for nothing."""
    ranks, suited = [card[0] for card in cards], len({card[1] for card in cards}) == 1
    if len(set(ranks)) == 1:
        return "suited" if suited else "three"
    runs = (_STRAIGHT[i : i + 3] for i in range(12))
    if any(sorted(ranks) == sorted(run) for run in runs):
        return "straight flush" if suited else "straight"
    return "flush" if suited else ""


def sevens_pay(cards: list[str], up: str) -> Money | None:
    """Return what Blazing 7's pays, None for nothing.

    Raises:
        UnpayableError: for a jackpot, and for a dealer's seven with one of the player's, which the table leaves open.
    """
    own = sum(card[0] == "7" for card in cards)
    if up[0] == "7" and own:
        colours = {card[1] in _RED for card in (*cards, up)}
        if own == 2 and len(colours) == 2:
            return Money(1000)
        msg = "expected a hand that the pay table decides without the meter, found another"
        raise UnpayableError(msg)
    return {1: Money(10), 2: Money(125)}.get(own)


def play_side_bets(luck: random.Random, shoe: Shoe, wish: str) -> Plan:
    """Play a round at the six-deck table with side wagers."""
    return _play(Round(luck=luck, shoe=shoe, wish=wish, double_deck=False))


def play_double_deck(luck: random.Random, shoe: Shoe, wish: str) -> Plan:
    """Play a round of double-deck blackjack."""
    return _play(Round(luck=luck, shoe=shoe, wish=wish, double_deck=True))


def _play(game: Round) -> Plan:
    plan = game.plan
    _wagers(game)
    _deal(game)
    _side_wagers(game)
    dealt_21 = total_of(game.dealer) == 21
    insured = _insurance(game, dealt_21=dealt_21)
    if not dealt_21:
        for seat in game.hands:
            _play_seat(game, seat)
    live = [h for own in game.hands.values() for h in own if total_of(h) <= 21 and not _natural(game, h)]
    plan.add("open", 0, "open")
    if live and not dealt_21:
        _draw_dealer(game)
    _judge(game)
    for seat in sorted(game.hands, reverse=True):
        own = [w for w in plan.wagers if w.seat == seat and w.spot in ("main", "split", "double") and not w.settled]
        own.sort(key=lambda w: (w.hand, w.spot == "double"), reverse=True)
        plan.settle(own)
        plan.settle([w for w in insured if w.seat == seat and dealt_21])
        plan.add("settle", seat, f"collect {seat}")
    left = [str(seat) for seat in sorted(game.hands, reverse=True) if seat not in game.gone]
    plan.add("clear", 0, f"clear {' '.join([*left, 'dealer'])}")
    _plant(game)
    return plan


def _wagers(game: Round) -> None:
    luck, plan = game.luck, game.plan
    for seat in some_seats(luck):
        stack = stack_of(luck.choice([bet for bet in BETS if bet != "1 black 1 green"]))
        if game.wish in ("under-minimum", "over-maximum") and not plan.findings:
            low = game.wish == "under-minimum"
            stack = stack_of("1 red" if low else "4 purple 1 black" if not game.double_deck else "20 purple 1 black")
            wager = plan.bet(Wager(seat=seat, spot="main", stack=stack))
            if game.double_deck and not low:
                plan.finding("over-game-maximum", "P399", "P225", wager=wager)
            elif low:
                plan.finding(game.wish, "P224", wager=wager, verdict="suspect")
            else:
                plan.finding(game.wish, "P225", wager=wager)
        else:
            plan.bet(Wager(seat=seat, spot="main", stack=stack))
        if luck.random() < 0.5:
            plan.bet(Wager(seat=seat, spot="trilux", stack=stack_of(luck.choice(("1 red", "2 red", "1 green")))))
            if not game.double_deck and luck.random() < 0.5:
                plan.bet(Wager(seat=seat, spot="super3", stack=stack_of(luck.choice(("1 red", "2 red")))))
        if not game.double_deck and luck.random() < 0.35:
            plan.bet(Wager(seat=seat, spot="blazing7", stack=stack_of("1 red")))
    if any(wager.spot == "blazing7" for wager in plan.wagers):
        plan.add("sensors", 0, "sensors")


def _deal(game: Round) -> None:
    plan = game.plan
    seats = sorted({wager.seat for wager in plan.wagers})
    game.hands = {seat: [[]] for seat in seats}
    for way in ("down", "under"):
        for seat in seats:
            game.hands[seat][0].append(game.shoe.pop())
            plan.add("deal", seat, f"card {seat} {game.hands[seat][0][-1]}")
        game.dealer.append(game.shoe.pop())
        plan.add("deal", 0, f"dealer {game.dealer[-1]} {way}")


def _side_wagers(game: Round) -> None:
    """Right to left, Blazing 7's first; at each seat losing wagers are taken before winners are paid."""
    plan, up = game.plan, game.dealer[0]
    for seat in sorted(game.hands, reverse=True):
        cards = game.hands[seat][0]
        found = three_cards([*cards, up])
        bonus = Odds(5, 2) if game.double_deck else Odds(9, 1)
        wins = {"trilux": bonus if found else None, "super3": Odds(_SUPER[found], 1) if found in _SUPER else None}
        won = _blazing(plan, seat, cards, up)
        own = [w for w in plan.wagers if w.seat == seat and w.spot in wins]
        for wager in own:
            odds = wins[wager.spot]
            if odds is None:
                wager.loses()
            else:
                wager.wins(odds, by="onto")
                won.append(wager)
        own.sort(key=lambda w: w.outcome != "lose")
        plan.settle(own, phase="side")
        for wager in won:
            plan.add("side", seat, f"collect {seat} {wager.spot}")


def _blazing(plan: Plan, seat: int, cards: list[str], up: str) -> list[Wager]:
    """Pay a progressive wager that wins; one that loses lies in the rack already."""
    wager = plan.wager(seat, "blazing7")
    amount = None if wager is None else sevens_pay(cards, up)
    if wager is None or amount is None:
        if wager is not None:
            wager.outcome = "lose"
        return []
    wager.wins_amount(amount)
    plan.settle([wager], phase="side")
    return [wager]


def _insurance(game: Round, *, dealt_21: bool) -> list[Wager]:
    """An ace is turned sideways and looked at sideways, a ten lengthwise; lost insurance is collected at once."""
    plan, rank = game.plan, game.dealer[0][0]
    insured: list[Wager] = []
    if rank == "A":
        plan.add("insurance", 0, "offer")
        for wager in [w for w in plan.wagers if w.spot == "main" and w.stake % 10 == 0 and game.luck.random() < 0.5]:
            half = money_errors.half_of(wager)
            insured.append(plan.bet(Wager(seat=wager.seat, spot="insurance", stack=half), phase="insurance"))
    if rank in "ATJQK":
        plan.add("peek", 0, "peek")
    if rank == "A" and not dealt_21:
        plan.add("straighten", 0, "straighten")
    for wager in insured:
        if dealt_21:
            wager.wins(Odds(2, 1))
        else:
            wager.loses()
    insured.sort(key=lambda w: -w.seat)
    plan.settle([] if dealt_21 else insured, phase="insurance lost")
    return insured


def _natural(game: Round, hand: list[str]) -> bool:
    split = any(len(own) > 1 and any(h is hand for h in own) for own in game.hands.values())
    return len(hand) == 2 and total_of(hand) == 21 and not split


def _play_seat(game: Round, seat: int) -> None:
    plan, luck, cards = game.plan, game.luck, game.hands[seat][0]
    main = plan.wager(seat, "main")
    assert main is not None  # noqa: S101 - every seat has one
    if _natural(game, cards):
        main.wins(Odds(3, 2))
        main.row = "blackjack"
        plan.settle([main], phase="play")
        plan.add("play", seat, f"collect {seat} main")
        return
    splits = cards[0][0] == cards[1][0] and cards[0][0] in "236789" and (luck.random() < 0.7 or "split" in game.wish)
    if splits:
        _split(game, seat, main)
        return
    if total_of(cards) in (10, 11) and (luck.random() < 0.6 or "double" in game.wish):
        plan.bet(Wager(seat=seat, spot="double", stack=main.stack), phase="play")
        cards.append(game.shoe.pop())
        plan.add("play", seat, f"card {seat} {cards[-1]} sideways")
        return
    _decide(game, seat, cards, str(seat), most=5)
    if total_of(cards) > 21:
        main.loses()
        main.row = "broke"
        plan.settle([main], phase="play")
        plan.add("play", seat, f"clear {seat}")
        game.gone.add(seat)


def _split(game: Round, seat: int, main: Wager) -> None:
    plan, pair = game.plan, game.hands[seat][0]
    plan.bet(Wager(seat=seat, spot="split", stack=main.stack, hand=2), phase="play")
    plan.add("play", seat, f"part {seat}")
    game.hands[seat] = [[pair[1]], [pair[0]]]
    for number, hand in enumerate(game.hands[seat], start=1):
        hand.append(game.shoe.pop())
        plan.add("play", seat, f"card {seat}.{number} {hand[-1]}")
        _decide(game, seat, hand, f"{seat}.{number}", most=3)
        wager = main if number == 1 else plan.wager(seat, "split", 2)
        if wager is not None and total_of(hand) > 21:
            wager.loses()
            wager.row = "broke"
            plan.settle([wager], phase="play")


def _decide(game: Round, seat: int, hand: list[str], place: str, *, most: int) -> None:
    weak = game.dealer[0][0] in _WEAK
    while total_of(hand) < (12 if weak and total_of(hand) == _hard(hand) else 17) and len(hand) < most:
        hand.append(game.shoe.pop())
        game.plan.add("play", seat, f"hit {place} {hand[-1]}")
    if total_of(hand) < 21:
        game.plan.add("play", seat, f"stand {place}")


def _draw_dealer(game: Round) -> None:
    plan, dealer = game.plan, game.dealer
    while total_of(dealer) <= 16:
        if game.wish == "dealer-stood" and not plan.findings:
            plan.finding("dealer-stood", "P255", expected="the dealer hits 16 or less", observed=" ".join(dealer))
            return
        dealer.append(game.shoe.pop())
        plan.add("dealer", 0, f"dealer {dealer[-1]}")
    if game.wish == "dealer-drew" and total_of(dealer) == 17 and len(dealer) < 5:
        dealer.append(game.shoe.pop())
        plan.add("dealer", 0, f"dealer {dealer[-1]}")
        plan.finding("dealer-drew", "P254", expected="the dealer stands on 17", observed=f"{dealer[-1]} drawn")


def _judge(game: Round) -> None:
    """Settle what is left against the dealer's hand."""
    dealt_21 = len(game.dealer) == 2 and total_of(game.dealer) == 21
    other = total_of(game.dealer)
    for wager in game.plan.wagers:
        if wager.spot not in ("main", "split", "double"):
            continue
        if wager.outcome:  # broken, or blackjack, settled in the sequence of play
            wager.settled = True
            continue
        hand = game.hands[wager.seat][wager.hand - 1]
        own = total_of(hand)
        natural = _natural(game, hand)
        if natural and dealt_21:
            wager.pushes()
            wager.row = "both_blackjack"
        elif own > 21 or dealt_21 or (other <= 21 and own < other):
            wager.loses()
            wager.row = "broke" if own > 21 else ""
        elif own == other:
            wager.pushes()
        else:
            wager.wins(EVEN)


def _plant(game: Round) -> None:
    plan, wish = game.plan, game.wish
    if plan.findings or not wish:
        return
    if " " in wish:
        money_errors.settle_wrongly(game.luck, plan, wish, ids(double_deck=game.double_deck))
    elif wish in LATER:
        LATER[wish](game.luck, plan, "double_deck" if game.double_deck else "side_bets")


def ids(*, double_deck: bool) -> money_errors.Ids:
    """Return the procedures that wrong settling breaks, by wager or by what decides it."""
    bonus = ("P401",) if double_deck else ("P385",)
    paid, judged = ("P280", "P281"), ("P281", "P280")
    hand = {"pay-amount": paid, "win": judged, "lose": judged, "push": judged}
    return {
        **dict.fromkeys(("main", "split", "double"), hand),
        "blackjack": {"win": ("P280", "P282")},
        "both_blackjack": {"push": ("P282", "P281")},
        "broke": {"lose": ("P247", "P281")},
        "trilux": {"win": bonus, "lose": bonus},
        "super3": {"win": ("P385",), "lose": ("P385",)},
        "blazing7": {"win": ("P409",)},
        "insurance": {"win": ("P280", "P312"), "lose": ("P313",)},
    }


_LIMITS: Final = ("under-minimum", "over-maximum", "dealer-drew", "dealer-stood")
_HANDS: Final = money_errors.kinds(("main", "split", "double", "trilux", "insurance"), pushes=("main", "split"))
_NOT_DD: Final = frozenset({"sensor-not-cleared", "blazing-amount"})
_SEVENS: Final = tuple(f"blazing7 {code}" for code in ("over", "short", "winner-unpaid"))
SIDE_BET_KINDS: Final = (*_HANDS, *money_errors.kinds(("super3",), pushes=()), *_SEVENS, *_LIMITS, *LATER)
DOUBLE_DECK_KINDS: Final = (*_HANDS, *_LIMITS, *(kind for kind in LATER if kind not in _NOT_DD))
