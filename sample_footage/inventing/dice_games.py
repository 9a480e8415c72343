"""Draw 'n Shoot 21 and Dicey 21, invented: 000 and 001, read as the register of ambiguities reads them."""

from __future__ import annotations

import random
from typing import Final

from audit.cards import RANKS
from audit.money import Odds
from sample_footage.inventing import money_errors
from sample_footage.inventing.dice_errors import DICE_ERRORS, cards_wished
from sample_footage.inventing.plan import BETS, SIDE_BETS, Plan, Shoe, Wager, some_seats, stack_of

EVEN: Final = Odds(1, 1)
_CRAPS: Final = {
    # first card -> roll that wins -> odds: the recommended table (000:L83-93)
    **{rank: {10: Odds(2, 1)} for rank in "TJQK"},
    **{rank: {int(rank): Odds(4, 1)} for rank in "5689"},
    "A": {11: Odds(20, 1)},
    "7": {7: Odds(4, 1)},
    "4": {4: Odds(10, 1)},
}
_SCORE_IDS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "draw_n_shoot_21": {
        "pay-amount": ("P033", "P032"),
        "winner-unpaid": ("P033", "P032"),
        "winner-taken": ("P032", "P033"),
        "push": ("P034",),
        "lose": ("P035",),
    },
    "dicey_21": {
        "pay-amount": ("P057", "P056"),
        "winner-unpaid": ("P057", "P056"),
        "winner-taken": ("P056", "P057"),
        "push": ("P057", "P056"),
        "lose": ("P057", "P056"),
    },
}
_CRAPS_IDS: Final[dict[str, tuple[str, ...]]] = {
    "pay-amount": ("P030",),
    "winner-unpaid": ("P030",),
    "winner-taken": ("P026", "P030"),
    "push": ("P031",),
    "lose": ("P025",),
}
_CHUCK_IDS: Final[dict[str, tuple[str, ...]]] = {"win": ("P054",), "lose": ("P055",)}
IDS: Final[dict[str, money_errors.Ids]] = {
    game: {"ante": scores, "raise": scores, "craps": _CRAPS_IDS, "chuck": _CHUCK_IDS}
    for game, scores in _SCORE_IDS.items()
}


def hard_total(cards: list[str]) -> int:
    """Return the total with every ace as one."""
    return sum(10 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in cards)


def score_of(cards: list[str], roll: int) -> int:
    """Return cards and dice together; an ace is eleven if that does not break them."""
    score = hard_total(cards) + roll
    return score + 10 if score <= 11 and any(card[0] == "A" for card in cards) else score


def score_odds(cards: list[str], roll: int) -> Odds | None:
    """Return what a score pays, None for a score that does not win."""
    score = score_of(cards, roll)
    if score == 21:
        return Odds(2, 1) if len(cards) == 1 else Odds(6, 5)
    return EVEN if 18 <= score <= 20 else None


def craps_odds(first: str, dice: list[int]) -> Odds | str:
    """Return what a craps bet pays; ``push`` or ``lose`` if nothing."""
    roll = sum(dice)
    if roll in (2, 3, 12):
        return EVEN
    if first == "4" and dice == [4, 4]:
        return Odds(40, 1)
    paid = _CRAPS.get(first, {}).get(roll)
    return paid or ("push" if roll == 7 else "lose")


def chuck_odds(first: str, number: int, dice: list[int]) -> Odds | None:
    """Return what a number pays, None if no die shows it."""
    count = dice.count(number)
    if count < 3:
        return Odds(count, 1) if count else None
    if first in "KQ":
        return Odds(20, 1)
    return Odds(40, 1) if first in (str(number), "A" if number == 1 else "") else Odds(9, 1)


def play_draw(luck: random.Random, shoe: Shoe, wish: str) -> Plan:
    """Play a round of Draw 'n Shoot 21."""
    return _play(luck, shoe, wish, game="draw_n_shoot_21")


def play_dicey(luck: random.Random, shoe: Shoe, wish: str) -> Plan:
    """Play a round of Dicey 21."""
    return _play(luck, shoe, wish, game="dicey_21")


def _play(luck: random.Random, shoe: Shoe, wish: str, *, game: str) -> Plan:
    plan, hands = Plan(), {}
    for seat in some_seats(luck):
        _place(luck, plan, seat, game, wish)
    for seat in sorted({wager.seat for wager in plan.wagers}):
        hands[seat] = [shoe.pop()]
        lateral = any(w.seat == seat and w.bet in ("craps", "chuck") for w in plan.wagers)
        plan.add("deal", seat, f"card {seat} {hands[seat][0]}" + (" lateral" if lateral else ""))
    for seat, cards in hands.items():
        if plan.wager(seat, "ante") is not None:
            _decide(luck, plan, seat, cards, shoe=shoe, wish=wish)
    cards_wished(luck, plan, hands, shoe, wish, game=game)
    dice = [luck.randint(1, 6) for _ in range(2 if game == "draw_n_shoot_21" else 3)]
    plan.add("dice", 0, f"shake {luck.randint(3, 5)}", f"reveal {_written(dice, game)}")
    settle = _settle_draw if game == "draw_n_shoot_21" else _settle_dicey
    settle(plan, hands, dice)
    plan.add("cover", 0, "cover")
    if wish and not plan.findings:
        if " " in wish:
            money_errors.settle_wrongly(luck, plan, wish, IDS[game])
        elif wish in DICE_ERRORS:
            DICE_ERRORS[wish](luck, plan, game)
    return plan


def _written(dice: list[int], game: str) -> str:
    """At Dicey 21 the first two are white."""
    if game == "draw_n_shoot_21":
        return " ".join(map(str, dice))
    return f"{dice[0]}w {dice[1]}w {dice[2]}r"


def _place(luck: random.Random, plan: Plan, seat: int, game: str, wish: str) -> None:
    ante = luck.random() < 0.85
    stack = stack_of(luck.choice(BETS))
    if ante and wish in ("under-minimum", "over-maximum") and not plan.findings:
        stack = stack_of("3 white" if wish == "under-minimum" else "1 purple 1 red")
        wager = plan.bet(Wager(seat=seat, spot="ante", stack=stack))
        plan.finding(wish, "P005" if game == "draw_n_shoot_21" else "P043", wager=wager)
    elif ante:
        plan.bet(Wager(seat=seat, spot="ante", stack=stack))
    if game == "draw_n_shoot_21":
        if not ante or luck.random() < 0.6:
            plan.bet(Wager(seat=seat, spot="craps", stack=stack_of(luck.choice(SIDE_BETS))))
        return
    count = luck.choice((1, 2, 3)) if not ante else luck.choice((0, 1, 1, 2, 3))
    for number in sorted(luck.sample(range(1, 7), count)):
        plan.bet(Wager(seat=seat, spot=f"chuck{number}", stack=stack_of(luck.choice(SIDE_BETS))))


def _decide(luck: random.Random, plan: Plan, seat: int, cards: list[str], *, shoe: Shoe, wish: str) -> None:
    ante = plan.wager(seat, "ante")
    if ante is not None and (cards[0][0] in "A23" or wish.startswith("raise")) and luck.random() < 0.7:
        times = luck.choice((1, 2))
        plan.bet(Wager(seat=seat, spot="raise", stack=ante.stack * times), phase="play")
    while len(cards) < 4 and _would_hit(cards):
        cards.append(shoe.pop())
        plan.add("play", seat, f"hit {seat} {cards[-1]}")
    if hard_total(cards) < 19:
        plan.add("play", seat, f"stand {seat}")


def _would_hit(cards: list[str]) -> bool:
    hard = hard_total(cards)
    if len(cards) > 1 and any(card[0] == "A" for card in cards) and hard <= 11:
        return 15 <= hard + 10 <= 18
    return hard <= 8 and cards[0][0] != "A"


def _settle_score(plan: Plan, seat: int, cards: list[str], roll: int) -> None:
    for spot in ("ante", "raise"):
        wager = plan.wager(seat, spot)
        if wager is None:
            continue
        odds = score_odds(cards, roll)
        if odds is not None:
            wager.wins(odds)
        elif score_of(cards, roll) == 17:
            wager.pushes()
        else:
            wager.loses()


def _settle_draw(plan: Plan, hands: dict[int, list[str]], dice: list[int]) -> None:
    for seat, cards in hands.items():
        _settle_score(plan, seat, cards, sum(dice))
        craps = plan.wager(seat, "craps")
        if craps is None:
            continue
        odds = craps_odds(cards[0][0], dice)
        if isinstance(odds, Odds):
            craps.wins(odds)
        elif odds == "push":
            craps.pushes()
        else:
            craps.loses()
            plan.settle([craps], phase="sweep")
    plan.steps = [s for s in plan.steps if s.phase != "sweep"] + plan.of("sweep")[::-1]
    for seat in sorted(hands, reverse=True):
        craps = plan.wager(seat, "craps")
        plan.settle([craps] if craps is not None and craps.outcome != "lose" else [])
        _rest(plan, seat)


def _settle_dicey(plan: Plan, hands: dict[int, list[str]], dice: list[int]) -> None:
    for seat in sorted(hands, reverse=True):
        _settle_score(plan, seat, hands[seat], sum(dice[:2]))
        numbers: list[Wager] = [w for w in plan.wagers if w.seat == seat and w.bet == "chuck"]
        for number in numbers:
            odds = chuck_odds(hands[seat][0][0], int(number.spot[-1]), dice)
            if odds is None:
                number.loses()
            else:
                number.wins(odds)
        numbers.sort(key=lambda one: one.outcome != "lose")
        plan.settle(numbers)
        _rest(plan, seat)


def _rest(plan: Plan, seat: int) -> None:
    """Ante, raise, then what is left goes back to the player, and the cards away."""
    plan.settle([plan.wager(seat, "ante"), plan.wager(seat, "raise")])
    plan.add("settle", seat, f"collect {seat}")
    plan.add("clear", seat, f"clear {seat}")


def _kinds(bets: tuple[str, ...], more: tuple[str, ...], *, pushes: tuple[str, ...]) -> tuple[str, ...]:
    money = money_errors.kinds(bets, pushes=pushes)
    return (*money, *more, *DICE_ERRORS)


_SHARED: Final = (
    *("under-minimum", "over-maximum", "hit-on-hard-19", "first-card-lateral", "second-card-without-ante"),
    *("raise-size", "raise-late", "raise-early"),
)
DRAW_KINDS: Final = _kinds(("ante", "raise", "craps"), _SHARED, pushes=("ante", "raise", "craps"))
DICEY_KINDS: Final = _kinds(("ante", "raise", "chuck"), (*_SHARED, "chuck-numbers"), pushes=("ante", "raise"))
