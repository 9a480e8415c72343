"""Errors of procedure at 21 Stud and Lucky Draw Baccarat."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from sample_footage.inventing import money_errors
from sample_footage.inventing.plan import Plan, Step, Wager, stack_of
from sample_footage.stacks import write_stack

Plant = Callable[[random.Random, Plan], None]


def _settled(plan: Plan, spot: str) -> list[Step]:
    """Steps in which a wager on that spot is taken or paid."""
    return [s for s in plan.steps if s.wager is not None and s.wager.spot == spot and s.wager.act in ("pay", "take")]


def _mirror_late(luck: random.Random, plan: Plan) -> None:
    if found := _settled(plan, "mirror"):
        step = luck.choice(found)
        plan.put_after([step], after=plan.of("expose")[0])
        plan.finding("settled-late", "P072", wager=step.wager)


def _match1_late(luck: random.Random, plan: Plan) -> None:
    if found := _settled(plan, "match1"):
        step = luck.choice(found)
        plan.put_after([step], after=plan.of("expose")[1])
        plan.finding("settled-late", "P076", wager=step.wager)


def _match2_late(luck: random.Random, plan: Plan) -> None:
    fit = [s for s in _settled(plan, "match2") if s.wager is not None]
    fit = [s for s in fit if any(b.wager is not None and b.wager.seat == s.seat for b in _settled(plan, "base"))]
    if fit:
        step = luck.choice(fit)
        base = next(b for b in _settled(plan, "base") if b.seat == step.seat)
        plan.put_after([Step("settle", step.seat, "pause 1000"), step], after=base)
        plan.finding("settled-late", "P079", wager=step.wager)


def _second_first(_luck: random.Random, plan: Plan) -> None:
    one, two = plan.of("expose")
    if not plan.of("match1"):
        one.text, two.text = two.text, one.text
        plan.finding("card-2-first", "P075")


def _dealer_up(_luck: random.Random, plan: Plan) -> None:
    first = next(s for s in plan.of("deal") if s.text.startswith("dealer"))
    if not any(w.spot == "mirror" for w in plan.wagers):
        first.text = first.text.replace(" down", " up")
        plan.steps = [s for s in plan.steps if s.text != "expose 1"]
        plan.finding("dealer-card-up", "P070")


def _third_card(luck: random.Random, plan: Plan) -> None:
    seat = luck.choice([s.seat for s in plan.of("deal") if s.seat])
    plan.put_after([Step("play", seat, f"hit {seat} 2c")], after=plan.of("deal")[-1])
    plan.finding("too-many-cards", "P071", seat=seat)


def _player_down(luck: random.Random, plan: Plan) -> None:
    step = luck.choice([s for s in plan.of("deal") if s.seat])
    step.text += " down"
    plan.finding("player-card-down", "P069", seat=step.seat)


def _side_alone(luck: random.Random, plan: Plan) -> None:
    free = [seat for seat in (1, 2, 3) if not any(w.seat == seat for w in plan.wagers)]
    if free:
        wager = Wager(seat=luck.choice(free), spot="mirror", stack=stack_of("1 red"))
        _stray_bet(plan, wager)
        plan.finding("side-wager-alone", "P066", wager=wager)


def _stray_bet(plan: Plan, wager: Wager) -> None:
    """A wager that gets no cards; its owner takes it back at the end."""
    text = f"bet {wager.seat} {wager.spot} {write_stack(wager.stack)}"
    plan.put([Step("bets", wager.seat, text)], before=plan.of("deal")[0])
    plan.add("end", wager.seat, f"collect {wager.seat}")


def _skipped(bet: str, *procedures: str) -> Plant:
    def plant(luck: random.Random, plan: Plan) -> None:
        free = [seat for seat in (1, 2, 3) if not any(w.seat == seat for w in plan.wagers)]
        if free:
            wager = Wager(seat=luck.choice(free), spot=bet, stack=stack_of("2 red"))
            _stray_bet(plan, wager)
            plan.finding("seat-skipped", *procedures, wager=wager)

    return plant


def _order(*procedures: str) -> Plant:
    def plant(_luck: random.Random, plan: Plan) -> None:
        seats = [s.seat for s in plan.steps if s.wager is not None and s.wager.act in ("pay", "take")]
        seats = list(dict.fromkeys(s.seat for s in plan.of("settle") if s.seat in seats and _moves(plan, s.seat)))
        if len(seats) > 1:
            last = [s for s in plan.steps if s.phase in ("settle", "clear") and s.seat == seats[-1]]
            plan.put([*last, Step("settle", 0, "pause 700")], before=plan.of("settle")[0])
            plan.finding("settling-order", *procedures, seat=seats[-1])

    return plant


def _moves(plan: Plan, seat: int) -> bool:
    return any(s.wager is not None and s.wager.act in ("pay", "take") for s in plan.of("settle", seat))


def _cards_first(luck: random.Random, plan: Plan) -> None:
    fit = [s for s in _settled(plan, "base") if plan.wager(s.seat, "match2") is None]
    if fit:
        step = luck.choice(fit)
        plan.put([*plan.of("clear", step.seat), Step("settle", 0, "pause 900")], before=step)
        plan.finding("cards-before-money", "P079", "P419", wager=step.wager)


def _late(bet: str, *procedures: str) -> Plant:
    return lambda luck, plan: money_errors.late_bet(luck, plan, bet, *procedures)


def _capped(bet: str, *procedures: str) -> Plant:
    return lambda luck, plan: money_errors.cap(luck, plan, (bet,), *procedures)


def _pinched(bet: str) -> Plant:
    return lambda luck, plan: money_errors.pinch(luck, plan, (bet,), "P206", "P223")


STUD_ERRORS: Final[dict[str, Plant]] = {
    "mirror-late": _mirror_late,
    "match1-late": _match1_late,
    "match2-late": _match2_late,
    "card-2-first": _second_first,
    "dealer-card-up": _dealer_up,
    "too-many-cards": _third_card,
    "player-card-down": _player_down,
    "side-wager-alone": _side_alone,
    "seat-skipped": _skipped("base", "P069"),
    "settling-order": _order("P078"),
    "cards-before-money": _cards_first,
    "late-wager": _late("match2", "P068", "P221"),
    "capped": _capped("base", "P068", "P205"),
    "pinched": _pinched("base"),
}


def _drawers(plan: Plan) -> list[Wager]:
    return [w for w in plan.wagers if w.spot == "draw"]


def _draw_differs(luck: random.Random, plan: Plan) -> None:
    fit = [w for w in _drawers(plan) if w.outcome in ("lose", "push") and len(w.stack) > 1]
    if fit:
        wager = luck.choice(fit)
        step = next(s for s in plan.of("play", wager.seat) if s.text.startswith("bet"))
        wager.stack = wager.stack[:-1]
        step.text = f"bet {wager.seat} draw {write_stack(wager.stack)}"
        plan.finding("draw-differs", "P099", wager=wager)


def _card_without_draw(luck: random.Random, plan: Plan) -> None:
    if fit := _drawers(plan):
        wager = luck.choice(fit)
        plan.wagers.remove(wager)
        plan.steps = [
            s
            for s in plan.steps
            if s.wager is not wager and not (s.phase == "play" and s.text.startswith(f"bet {wager.seat}"))
        ]
        card = next(s for s in plan.of("play", wager.seat) if s.text.startswith("card"))
        card.text = card.text.replace("card", "hit")
        plan.finding("card-without-draw", "P099", seat=wager.seat)


def _draw_late(luck: random.Random, plan: Plan) -> None:
    if fit := _drawers(plan):
        wager = luck.choice(fit)
        bet, card = plan.of("play", wager.seat)[:2]
        card.text = card.text.replace("card", "hit")
        plan.put_after([Step("play", wager.seat, "pause 700"), bet], after=card)
        plan.finding("card-without-draw", "P099", seat=wager.seat)


def _turned_early(_luck: random.Random, plan: Plan) -> None:
    fit = [s for s in plan.of("play") if s.text.startswith("bet")]
    if fit:
        plan.put(plan.of("expose"), before=fit[-1])
        plan.finding("turned-early", "P101")


def _dealer_down(_luck: random.Random, plan: Plan) -> None:
    down = next(s for s in plan.of("deal") if s.text.startswith("dealer"))
    up = [s for s in plan.of("deal") if s.text.startswith("dealer")][1]
    if not plan.of("block"):
        down.text, up.text = down.text.replace("down", "up"), up.text.replace("up", "down")
        plan.of("expose")[0].text = "expose 2"
        plan.finding("dealer-cards-lie", "P095")


def _block_late(luck: random.Random, plan: Plan) -> None:
    found = _settled(plan, "block_bonus")
    first = next((s for s in plan.of("play") if s.text.startswith("bet")), None)
    fit = [s for s in found if first is not None and s.seat != first.seat]
    if fit and first is not None:
        step = luck.choice(fit)
        card = plan.of("play", first.seat)[1]
        back = [s for s in plan.of("block", step.seat) if s.text.startswith("collect")]
        plan.put_after([step, *back], after=card)
        plan.finding("settled-late", "P096", wager=step.wager)


def _block_alone(luck: random.Random, plan: Plan) -> None:
    free = [seat for seat in (1, 2, 3) if not any(w.seat == seat for w in plan.wagers)]
    if free:
        wager = Wager(seat=luck.choice(free), spot="block_bonus", stack=stack_of("1 red"))
        _stray_bet(plan, wager)
        plan.finding("side-wager-alone", "P092", wager=wager)


def _dealt_out_of_order(_luck: random.Random, plan: Plan) -> None:
    first = [s for s in plan.of("deal") if s.seat]
    seats = list(dict.fromkeys(s.seat for s in first))
    if len(seats) > 1:
        plan.put([first[len(seats) - 1], Step("deal", 0, "pause 700")], before=first[0])
        plan.finding("deal-order", "P094", seat=seats[-1])


def _player_card_down(luck: random.Random, plan: Plan) -> None:
    step = luck.choice([s for s in plan.of("deal") if s.seat])
    step.text += " down"
    plan.finding("player-card-down", "P094", seat=step.seat)


BACCARAT_ERRORS: Final[dict[str, Plant]] = {
    "draw-differs": _draw_differs,
    "card-without-draw": _card_without_draw,
    "draw-late": _draw_late,
    "turned-early": _turned_early,
    "dealer-cards-lie": _dealer_down,
    "block-late": _block_late,
    "side-wager-alone": _block_alone,
    "seat-skipped": _skipped("enter", "P094"),
    "deal-order": _dealt_out_of_order,
    "player-card-down": _player_card_down,
    "late-wager": _late("block_bonus", "P221", "P205"),
    "capped": _capped("enter", "P205", "P221"),
    "pinched": _pinched("enter"),
}
