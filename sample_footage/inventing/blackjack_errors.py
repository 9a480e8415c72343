"""Errors of procedure at the blackjack tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from audit.money import Odds
from sample_footage.inventing import money_errors
from sample_footage.inventing.plan import Plan, Step, Wager, stack_of
from sample_footage.stacks import write_stack

EVEN: Final = Odds(1, 1)
Plant = Callable[[random.Random, Plan, str], None]


def _moved(plan: Plan, phase: str) -> list[Step]:
    """Steps of a phase in which a wager is taken or paid."""
    return [s for s in plan.of(phase) if s.wager is not None and s.wager.act in ("pay", "onto", "take")]


def _first_hit(plan: Plan) -> Step | None:
    return next((s for s in plan.of("play") if s.text.startswith("hit")), None)


def _stack(plan: Plan, wager: Wager, text: str) -> None:
    """Give a wager another stack; what it wins follows."""
    step = next(s for s in plan.steps if s.text == f"bet {wager.place} {wager.spot} {write_stack(wager.stack)}")
    wager.stack = stack_of(text)
    step.text = f"bet {wager.place} {wager.spot} {text}"
    if wager.outcome == "win":
        wager.wins(Odds(2, 1) if wager.spot == "insurance" else EVEN)


def _one(luck: random.Random, plan: Plan, spot: str) -> Wager | None:
    fit = [wager for wager in plan.wagers if wager.spot == spot]
    return luck.choice(fit) if fit else None


def _over_half(luck: random.Random, plan: Plan, _game: str) -> None:
    if (wager := _one(luck, plan, "insurance")) is not None:
        main = plan.wager(wager.seat, "main")
        assert main is not None  # noqa: S101 - insured beside it
        _stack(plan, wager, write_stack(main.stack))
        plan.finding("insurance-over-half", "P304", wager=wager)


def _insured_without_ace(luck: random.Random, plan: Plan, _game: str) -> None:
    last = plan.of("deal")[-1]
    main = _one(luck, plan, "main")
    if main is not None and main.stake >= 20 and not plan.of("insurance") and not plan.of("side"):
        wager = Wager(seat=main.seat, spot="insurance", stack=stack_of("1 red"))
        texts = (f"bet {main.seat} insurance 1 red", "pause 700", f"take {main.seat} insurance")
        plan.put_after([Step("insurance", main.seat, text) for text in texts], after=last)
        plan.finding("insurance-without-ace", "P302", wager=wager)


def _insurance_late_taken(luck: random.Random, plan: Plan, _game: str) -> None:
    lost, hit = plan.of("insurance lost"), _first_hit(plan)
    if lost and hit is not None:
        step = luck.choice(lost)
        plan.put_after([Step("play", 0, "pause 600"), step], after=hit)
        plan.finding("insurance-late-taken", "P313", wager=step.wager)


def _double_too_large(luck: random.Random, plan: Plan, game: str) -> None:
    if (wager := _one(luck, plan, "double")) is not None and wager.seat:
        _stack(plan, wager, write_stack((*wager.stack, wager.stack[-1])))
        plan.finding("double-over-wager", "P392" if game == "double_deck" else "P315", wager=wager)


def _double_upright(luck: random.Random, plan: Plan, _game: str) -> None:
    fit = [s for s in plan.of("play") if s.text.endswith(" sideways")]
    if fit:
        step = luck.choice(fit)
        step.text = step.text.removesuffix(" sideways")
        plan.finding("double-upright", "P318", seat=step.seat)


def _double_late(luck: random.Random, plan: Plan, _game: str) -> None:
    fit = [s for s in plan.of("play") if s.text.endswith(" sideways")]
    if fit:
        card = luck.choice(fit)
        bet = next(s for s in plan.of("play", card.seat) if s.text.startswith(f"bet {card.seat} double"))
        card.text = card.text.replace("card", "hit")
        plan.put_after([Step("play", card.seat, "pause 700"), bet], after=card)
        plan.finding("double-late", "P320", seat=card.seat)


def _split_differs(luck: random.Random, plan: Plan, _game: str) -> None:
    wager = _one(luck, plan, "split")
    if wager is not None and len(wager.stack) > 1:
        _stack(plan, wager, write_stack(wager.stack[:-1]))
        plan.finding("split-wager-differs", "P322", wager=wager)


def _hole_early(_luck: random.Random, plan: Plan, _game: str) -> None:
    hits = [s for s in plan.of("play") if s.text.startswith("hit")]
    if hits and plan.of("play")[-1].seat == hits[-1].seat:
        plan.put(plan.of("open"), before=hits[-1])
        plan.finding("hole-early", "P252", seat=hits[-1].seat)


def _hits_swapped(_luck: random.Random, plan: Plan, _game: str) -> None:
    seats = [seat for seat in (1, 2, 3) if any(s.text.startswith("hit") for s in plan.of("play", seat))]
    if len(seats) > 1:
        later = plan.of("play", seats[-1])
        plan.put([*later, Step("play", 0, "pause 1300")], before=plan.of("play", seats[0])[0])
        plan.finding("hit-order", "P241", seat=seats[-1])


def _deal_swapped(_luck: random.Random, plan: Plan, _game: str) -> None:
    first = [s for s in plan.of("deal") if s.seat]
    seats = sorted({s.seat for s in first})
    if len(seats) > 1:
        plan.put([first[len(seats) - 1], Step("deal", 0, "pause 700")], before=first[0])
        plan.finding("deal-order", "P233", seat=seats[-1])


def _settled_swapped(_luck: random.Random, plan: Plan, _game: str) -> None:
    moved = _moved(plan, "settle")
    seats = list(dict.fromkeys(s.seat for s in moved))
    if len(seats) > 1:
        block = plan.of("settle", seats[-1])
        plan.put([*block, Step("settle", 0, "pause 700")], before=plan.of("settle")[0])
        plan.finding("settling-order", "P259", "P260", seat=seats[-1])


def _picked_up_swapped(_luck: random.Random, plan: Plan, _game: str) -> None:
    step = plan.of("clear")[0]
    seats = step.text.split()[1:-1]
    if len(seats) > 1:
        step.text = f"clear {seats[-1]}"
        rest = " ".join([*seats[:-1], "dealer"])
        plan.put_after([Step("clear", 0, "pause 600"), Step("clear", 0, f"clear {rest}")], after=step)
        plan.finding("pick-up-order", "P284", "P286", seat=int(seats[-1]))


def _cards_first(_luck: random.Random, plan: Plan, _game: str) -> None:
    clear = plan.of("clear")[0]
    seats = clear.text.split()[1:-1]
    fit = [s for s in _moved(plan, "settle") if s.wager is not None and s.wager.spot == "main" and s.wager.hand == 1]
    fit = [s for s in fit if str(s.seat) in seats and sum(o.seat == s.seat for o in _moved(plan, "settle")) == 1]
    if fit and fit[0].seat == max(map(int, seats)):
        step = fit[0]
        clear.text = " ".join(["clear", *(seat for seat in seats if seat != str(step.seat)), "dealer"])
        plan.put([Step("clear", step.seat, f"clear {step.seat}"), Step("settle", 0, "pause 900")], before=step)
        plan.finding("cards-before-money", "P192", "P287", wager=step.wager)


def _skipped(luck: random.Random, plan: Plan, _game: str) -> None:
    free = [seat for seat in (1, 2, 3) if not any(w.seat == seat for w in plan.wagers)]
    if free:
        wager = Wager(seat=luck.choice(free), spot="main", stack=stack_of("4 red"))
        plan.put([Step("bets", wager.seat, f"bet {wager.seat} main 4 red")], before=plan.of("deal")[0])
        plan.add("end", wager.seat, f"collect {wager.seat}")
        plan.finding("seat-skipped", "P233", "P296", wager=wager)


def _trilux_alone(luck: random.Random, plan: Plan, _game: str) -> None:
    free = [seat for seat in (1, 2, 3) if not any(w.seat == seat for w in plan.wagers)]
    if free:
        wager = Wager(seat=luck.choice(free), spot="trilux", stack=stack_of("1 red"))
        plan.put([Step("bets", wager.seat, f"bet {wager.seat} trilux 1 red")], before=plan.of("deal")[0])
        plan.add("end", wager.seat, f"collect {wager.seat}")
        plan.finding("side-wager-alone", "P377", wager=wager)


def _side_late(_luck: random.Random, plan: Plan, _game: str) -> None:
    hit = _first_hit(plan)
    lost = [s for s in _moved(plan, "side") if s.wager is not None and s.wager.act == "take"]
    if hit is not None and lost and lost[-1] is _moved(plan, "side")[-1]:
        step = lost[-1]
        plan.put_after([Step("play", 0, "pause 600"), step], after=hit)
        plan.finding("side-wager-late", "P380", "P299", wager=step.wager)


def _side_swapped(_luck: random.Random, plan: Plan, _game: str) -> None:
    lost = [s for s in _moved(plan, "side") if s.wager is not None and s.wager.act == "take"]
    if len({s.seat for s in lost}) > 1 and not any(w.spot == "blazing7" for w in plan.wagers):
        plan.put([lost[-1], Step("side", 0, "pause 700")], before=plan.of("side")[0])
        plan.finding("side-order", "P381", seat=lost[-1].seat)


def _not_cleared(_luck: random.Random, plan: Plan, _game: str) -> None:
    own = [wager for wager in plan.wagers if wager.spot == "blazing7"]
    if len(own) == 1 and own[0].outcome == "lose":
        plan.steps = [s for s in plan.steps if s.phase != "sensors"]
        plan.put_after([Step("side", own[0].seat, f"take {own[0].seat} blazing7")], after=plan.of("deal")[-1])
        plan.finding("sensor-not-cleared", "P407", wager=own[0])


def _blazing_ten(luck: random.Random, plan: Plan, _game: str) -> None:
    wager = _one(luck, plan, "blazing7")
    if wager is not None and wager.outcome == "lose":
        _stack(plan, wager, "2 red")
        plan.finding("over-maximum", "P403", wager=wager)


def _up_card_early(_luck: random.Random, plan: Plan, _game: str) -> None:
    step = next(s for s in plan.of("deal") if s.text.startswith("dealer"))
    step.text = step.text.replace(" down", " up")
    plan.finding("up-card-early", "P234", "P236")


def _no_peek(_luck: random.Random, plan: Plan, _game: str) -> None:
    if plan.of("peek") and plan.of("play"):
        plan.steps = [s for s in plan.steps if s.phase != "peek"]
        up = next(s for s in plan.of("deal") if s.text.startswith("dealer")).text.split()[1]
        plan.finding("no-peek", "P309" if up[0] == "A" else "P308")


def _stacked_wrongly(luck: random.Random, plan: Plan, _game: str) -> None:
    fit = [
        w for w in plan.wagers if w.spot == "main" and len(set(w.stack)) > 1 and plan.wager(w.seat, "split", 2) is None
    ]
    fit = [w for w in fit if plan.wager(w.seat, "double") is None]
    if fit:
        wager = luck.choice(fit)
        step = next(s for s in plan.of("bets", wager.seat) if " main " in s.text)
        wager.stack = wager.stack[::-1]
        step.text = f"bet {wager.seat} main {write_stack(wager.stack)}"
        plan.finding("stack-order", "P222", wager=wager, verdict="suspect")


def _late(luck: random.Random, plan: Plan, _game: str) -> None:
    money_errors.late_bet(luck, plan, "trilux", "P378", "P221")


def _capped(luck: random.Random, plan: Plan, _game: str) -> None:
    money_errors.cap(luck, _lone(plan), ("main",), "P205", "P221")


def _pinched(luck: random.Random, plan: Plan, _game: str) -> None:
    money_errors.pinch(luck, _lone(plan), ("main",), "P206", "P223")


def _lone(plan: Plan) -> Plan:
    """A round in which no wager was split or doubled, else an empty one: nothing is planted there."""
    derived = any(wager.spot in ("split", "double") for wager in plan.wagers)
    return Plan() if derived else plan


LATER: Final[dict[str, Plant]] = {
    "insurance-over-half": _over_half,
    "insurance-without-ace": _insured_without_ace,
    "insurance-late-taken": _insurance_late_taken,
    "double-over-wager": _double_too_large,
    "double-upright": _double_upright,
    "double-late": _double_late,
    "split-wager-differs": _split_differs,
    "hole-early": _hole_early,
    "hit-order": _hits_swapped,
    "deal-order": _deal_swapped,
    "settling-order": _settled_swapped,
    "pick-up-order": _picked_up_swapped,
    "cards-before-money": _cards_first,
    "seat-skipped": _skipped,
    "side-wager-alone": _trilux_alone,
    "side-wager-late": _side_late,
    "side-order": _side_swapped,
    "sensor-not-cleared": _not_cleared,
    "blazing-amount": _blazing_ten,
    "up-card-early": _up_card_early,
    "no-peek": _no_peek,
    "stack-order": _stacked_wrongly,
    "late-wager": _late,
    "capped": _capped,
    "pinched": _pinched,
}
