"""Errors of procedure at Draw 'n Shoot 21 and Dicey 21."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from audit.cards import RANKS
from sample_footage.inventing import money_errors
from sample_footage.inventing.plan import Plan, Shoe, Step, Wager, stack_of
from sample_footage.stacks import write_stack

Hands = dict[int, list[str]]
_DRAW: Final = "draw_n_shoot_21"


def _id(game: str, draw: str, dicey: str) -> str:
    return draw if game == _DRAW else dicey


def cards_wished(luck: random.Random, plan: Plan, hands: Hands, shoe: Shoe, wish: str, *, game: str) -> None:
    """Plant an error of cards or raises before the dice are shaken, if it is wished for and possible."""
    if wish in _EARLY:
        _EARLY[wish](luck, plan, hands, shoe, game)


def _hit_on_19(luck: random.Random, plan: Plan, hands: Hands, shoe: Shoe, game: str) -> None:
    fit = [seat for seat, cards in hands.items() if _hard(cards) >= 17 and 1 < len(cards) < 4]
    fit = [seat for seat in fit if _hard(hands[seat]) >= 19]
    if fit:
        seat = luck.choice(fit)
        before = " ".join(hands[seat])
        hands[seat].append(shoe.pop())
        plan.put_after([Step("play", seat, f"hit {seat} {hands[seat][-1]}")], after=plan.of("play", seat)[-1])
        expected, observed = "no card on a hard total of 19 or more", f"{hands[seat][-1]} on {before}"
        plan.finding("hit-on-hard-19", _id(game, "P017", "P049"), seat=seat, expected=expected, observed=observed)


def _hard(cards: list[str]) -> int:
    return sum(10 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in cards)


def _lateral(luck: random.Random, plan: Plan, _hands: Hands, _shoe: Shoe, game: str) -> None:
    step = luck.choice(plan.of("deal"))
    was = step.text.endswith(" lateral")
    step.text = step.text.removesuffix(" lateral") if was else step.text + " lateral"
    plan.finding("first-card-lateral", _id(game, "P008" if was else "P009", "P045"), seat=step.seat)


def _second_card(luck: random.Random, plan: Plan, hands: Hands, shoe: Shoe, game: str) -> None:
    fit = [seat for seat in hands if plan.wager(seat, "ante") is None]
    if fit:
        seat = luck.choice(fit)
        hands[seat].append(shoe.pop())
        before = [s for s in plan.steps if s.phase == "deal" or (s.phase == "play" and s.seat < seat)]
        plan.put_after([Step("play", seat, f"hit {seat} {hands[seat][-1]}")], after=before[-1])
        plan.finding("second-card-without-ante", _id(game, "P010", "P046"), seat=seat)


def _raise_size(luck: random.Random, plan: Plan, _hands: Hands, _shoe: Shoe, game: str) -> None:
    fit = [w for w in plan.wagers if w.spot == "raise" and len(w.stack) <= 6]
    if fit:
        wager = luck.choice(fit)
        ante = plan.wager(wager.seat, "ante")
        step = next(s for s in plan.of("play", wager.seat) if s.text.startswith("bet"))
        wager.stack = (ante.stack if ante is not None else ()) * 3
        step.text = f"bet {wager.seat} raise {write_stack(wager.stack)}"
        plan.finding("raise-size", _id(game, "P012", "P047"), wager=wager)


def _raise_late(luck: random.Random, plan: Plan, hands: Hands, _shoe: Shoe, game: str) -> None:
    fit = [w for w in plan.wagers if w.spot == "raise" and len(hands[w.seat]) > 1]
    if fit:
        wager = luck.choice(fit)
        steps = plan.of("play", wager.seat)
        last = next(s for s in reversed(steps) if s.text.startswith("hit"))
        plan.put_after([Step("play", wager.seat, "pause 800"), steps[0]], after=last)
        plan.finding("raise-time", _id(game, "P011", "P047"), wager=wager)


def _raise_early(luck: random.Random, plan: Plan, _hands: Hands, _shoe: Shoe, game: str) -> None:
    fit = [w for w in plan.wagers if w.spot == "raise"]
    if fit:
        wager = luck.choice(fit)
        step = next(s for s in plan.of("play", wager.seat) if s.text.startswith("bet"))
        plan.put([step], before=plan.of("deal")[0])
        plan.finding("raise-time", _id(game, "P004", "P047"), wager=wager)


def _four_numbers(luck: random.Random, plan: Plan, _hands: Hands, _shoe: Shoe, _game: str) -> None:
    fit = [seat for seat in _hands if sum(w.seat == seat and w.bet == "chuck" for w in plan.wagers) == 3]
    if fit:
        seat = luck.choice(fit)
        free = [n for n in range(1, 7) if plan.wager(seat, f"chuck{n}") is None]
        first = plan.of("deal")[0]
        plan.bet(Wager(seat=seat, spot=f"chuck{luck.choice(free)}", stack=stack_of("1 red")))
        plan.put([plan.steps[-1]], before=first)
        plan.finding("chuck-numbers", "P042", seat=seat)


_EARLY: Final[dict[str, Callable[[random.Random, Plan, Hands, Shoe, str], None]]] = {
    "hit-on-hard-19": _hit_on_19,
    "first-card-lateral": _lateral,
    "second-card-without-ante": _second_card,
    "raise-size": _raise_size,
    "raise-late": _raise_late,
    "raise-early": _raise_early,
    "chuck-numbers": _four_numbers,
}


def _shaken_twice(luck: random.Random, plan: Plan, game: str) -> None:
    times = luck.choice((1, 2))
    plan.of("dice")[0].text = f"shake {times}"
    plan.finding("cup-shakes", _id(game, "P018", "P050"), expected="three shakes", observed=f"{times}")


def _opened_aside(_luck: random.Random, plan: Plan, game: str) -> None:
    plan.of("dice")[0].text += " 268 92"
    plan.finding("cup-opened", _id(game, "P020", "P050"), expected="opened near the centre", observed="far off")


def _left_open(_luck: random.Random, plan: Plan, game: str) -> None:
    plan.steps = [s for s in plan.steps if s.phase != "cover"]
    plan.finding("cup-open", _id(game, "P038", "P059"), expected="covered to end the round", observed="open")
    plan.follows = True


def _die_tipped(luck: random.Random, plan: Plan, game: str) -> None:
    reveal = plan.of("dice")[1]
    words = reveal.text.split()[1:]
    number = luck.randrange(len(words))
    shown = int(words[number][0])
    other = luck.choice([face for face in range(1, 7) if face not in (shown, 7 - shown)])
    plan.put_after([Step("tip", 0, f"tip {number + 1} {other}")], after=reveal)
    plan.finding(
        "die-turned", _id(game, "P022", "P050"), expected="the dice as revealed", observed=f"{shown} to {other}"
    )


def _one_die_more(luck: random.Random, plan: Plan, game: str) -> None:
    if game == _DRAW:
        plan.of("dice")[1].text += f" {luck.randint(1, 6)}"
        plan.finding("dice-count", "P023", expected="two dice", observed="three")


def _colours(_luck: random.Random, plan: Plan, game: str) -> None:
    if game != _DRAW:
        plan.of("dice")[1].text = plan.of("dice")[1].text.replace("r", "w").replace("weveal", "reveal")
        plan.finding("dice-colours", "P041", expected="two of one colour, one of another", observed="all alike")


def _settled_out_of_order(_luck: random.Random, plan: Plan, game: str) -> None:
    seats = _settled_seats(plan)
    if len(seats) > 1:
        block = [s for s in plan.steps if s.phase in ("settle", "clear") and s.seat == seats[-1]]
        plan.put([*block, Step("settle", 0, "pause 600")], before=plan.of("settle")[0])
        plan.finding("settling-order", _id(game, "P028", "P052"), seat=seats[-1])


def _settled_seats(plan: Plan) -> list[int]:
    """Seats whose ante is taken or paid, from the right."""
    fit = [w.seat for w in plan.wagers if w.spot == "ante" and w.act in ("pay", "take")]
    return sorted(fit, reverse=True)


def _cards_first(luck: random.Random, plan: Plan, game: str) -> None:
    seats = _settled_seats(plan)
    if seats:
        seat = luck.choice(seats)
        step = next(s for s in plan.of("clear", seat))
        first = next(s for s in plan.of("settle", seat) if s.wager is not None)
        plan.put([step, Step("settle", 0, "pause 900")], before=first)
        wager = plan.wager(seat, "ante")
        plan.finding("cards-before-money", *(("P029",) if game == _DRAW else ("P419", "P192")), wager=wager)


def _dealt_out_of_order(_luck: random.Random, plan: Plan, game: str) -> None:
    deal = plan.of("deal")
    if len(deal) > 1:
        plan.put([deal[-1], Step("deal", 0, "pause 700")], before=deal[0])
        plan.finding("deal-order", _id(game, "P007", "P045"), seat=deal[-1].seat)


def _played_out_of_order(_luck: random.Random, plan: Plan, game: str) -> None:
    hit = [seat for seat in (1, 2, 3) if any(s.text.startswith("hit") for s in plan.of("play", seat))]
    if len(hit) > 1:
        plan.put([*plan.of("play", hit[-1]), Step("play", 0, "pause 1300")], before=plan.of("play", hit[0])[0])
        plan.finding("hit-order", _id(game, "P014", "P047"), seat=hit[-1])


def _swept_late(_luck: random.Random, plan: Plan, game: str) -> None:
    """Take a lost craps bet after the rightmost score was settled; one farther right has gone with its seat by then."""
    others = _settled_seats(plan)
    losers = [s for s in plan.of("sweep") if s.wager is not None and others and s.wager.seat < others[0]]
    if game == _DRAW and losers:
        clear = plan.of("settle", others[0])[-1]
        plan.put_after([Step("settle", 0, "pause 600"), losers[0]], after=clear)
        plan.finding("craps-swept-late", "P025", wager=losers[0].wager)


def _winner_first(_luck: random.Random, plan: Plan, game: str) -> None:
    for seat in (1, 2, 3):
        own = [s for s in plan.of("settle", seat) if s.wager is not None and s.wager.bet == "chuck"]
        outcomes = [s.wager.outcome for s in own if s.wager is not None]
        if game != _DRAW and set(outcomes) == {"win", "lose"}:
            winner = next(s for s in own if s.wager is not None and s.wager.outcome == "win")
            plan.put([winner, Step("settle", seat, "pause 1000")], before=own[0])
            plan.finding("winner-first", "P053", seat=seat)
            return


def _skipped(luck: random.Random, plan: Plan, game: str) -> None:
    seats = sorted({w.seat for w in plan.wagers})
    if len(seats) < 2:
        return
    seat = luck.choice(seats)
    bets = [w for w in plan.wagers if w.seat == seat and w.bet in ("ante", "craps", "chuck")]
    if len(bets) == 1:
        plan.steps = [s for s in plan.steps if s.seat != seat or s.phase == "bets"]
        plan.add("cover", seat, f"collect {seat}")
        plan.finding("seat-skipped", _id(game, "P007", "P045"), seat=seat)


def _empty_box(luck: random.Random, plan: Plan, game: str) -> None:
    free = [seat for seat in (1, 2, 3) if not any(w.seat == seat for w in plan.wagers)]
    if free and len(plan.of("deal")) > 1:
        seat = luck.choice(free)
        later = next((s for s in plan.of("deal") if s.seat > seat), None)
        step = Step("deal", seat, f"card {seat} 2c")
        if later is not None:
            plan.put([step], before=later)
        else:
            plan.put_after([step], after=plan.of("deal")[-1])
        plan.add("clear", seat, f"clear {seat}")
        plan.finding("card-to-empty-box", _id(game, "P007", "P045"), seat=seat)


def _late(luck: random.Random, plan: Plan, game: str) -> None:
    ids = ("P221", "P205") if game == _DRAW else ("P043", "P221")
    money_errors.late_bet(luck, plan, "craps" if game == _DRAW else f"chuck{luck.randint(1, 6)}", *ids)


def _capped(luck: random.Random, plan: Plan, game: str) -> None:
    money_errors.cap(luck, plan, ("ante",), *(("P205", "P221") if game == _DRAW else ("P043", "P205")))


def _pinched(luck: random.Random, plan: Plan, _game: str) -> None:
    money_errors.pinch(luck, plan, ("ante",), "P206", "P223")


DICE_ERRORS: Final[dict[str, Callable[[random.Random, Plan, str], None]]] = {
    "too-few-shakes": _shaken_twice,
    "cup-off-centre": _opened_aside,
    "cup-open": _left_open,
    "die-turned": _die_tipped,
    "dice-count": _one_die_more,
    "dice-colours": _colours,
    "settling-order": _settled_out_of_order,
    "cards-before-money": _cards_first,
    "deal-order": _dealt_out_of_order,
    "hit-order": _played_out_of_order,
    "craps-swept-late": _swept_late,
    "winner-first": _winner_first,
    "seat-skipped": _skipped,
    "card-to-empty-box": _empty_box,
    "late-wager": _late,
    "capped": _capped,
    "pinched": _pinched,
}
