"""Errors with money that every game knows: paid wrongly, not paid, not taken; wagers late, capped, pinched."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Final

from audit.money import Money
from sample_footage.inventing.plan import Plan, Step, Wager, cheques, stack_of
from sample_footage.stacks import Stack, value_of, write_stack

Ids = Mapping[str, Mapping[str, tuple[str, ...]]]
"""For each bet and each code the procedures that are broken, the most specific first."""
_OUTCOME_OF: Final = {
    "over": "win",
    "short": "win",
    "winner-unpaid": "win",
    "winner-taken": "win",
    "loser-left": "lose",
    "loser-paid": "lose",
    "push-paid": "push",
    "push-taken": "push",
}
SETTLING: Final = tuple(_OUTCOME_OF)


def kinds(bets: Iterable[str], *, pushes: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of wrong settling of those bets; ``pushes``: the bets that can push."""
    can_push = frozenset(pushes)
    return tuple(f"{bet} {code}" for bet in bets for code in SETTLING if bet in can_push or not code.startswith("push"))


def settle_wrongly(luck: random.Random, plan: Plan, kind: str, ids: Ids) -> None:
    """Settle one wager wrongly: ``kind`` is ``SPOT code``, such as ``craps loser-left``."""
    spot, _, code = kind.partition(" ")
    fit = [w for w in plan.wagers if w.bet == spot and w.outcome == _OUTCOME_OF[code] and _may_fail(plan, w)]
    if not fit:
        return
    wager = luck.choice(fit)
    amount = _SPOIL[code](wager) if wager.act != "onto" or code not in ("loser-paid",) else None
    if amount is None:
        return
    if wager.act == "leave":  # the player waits for his cheques until the round is over
        plan.steps = [step for step in plan.steps if step.text != f"collect {wager.seat} {wager.spot}"]
    name = "pay-amount" if code in ("over", "short") else code
    own = ids[wager.row or spot]
    procedures = own.get(name) or own[wager.outcome]
    plan.finding(name, *procedures, wager=wager, amount=amount)


def _may_fail(plan: Plan, wager: Wager) -> bool:
    """Whether the wager is settled in view, and nothing of a sweep comes after it that its error would make late."""
    sweep = plan.of("sweep")
    return any(step.wager is wager for step in plan.steps) and (
        not sweep or wager.outcome != "lose" or wager.spot != "craps" or sweep[-1].wager is wager
    )


def _over(wager: Wager) -> Money | None:
    more = (*wager.paid, wager.paid[-1])
    wager.paid = more
    return value_of(more) - wager.due


def _short(wager: Wager) -> Money | None:
    if len(wager.paid) < 2:
        return None
    wager.paid = wager.paid[:-1]
    return value_of(wager.paid) - wager.due


def _unpaid(wager: Wager) -> Money | None:
    wager.act = "leave"
    return -wager.due


def _winner_taken(wager: Wager) -> Money | None:
    wager.act = "take"
    return -wager.due - wager.stake


def _left(wager: Wager) -> Money | None:
    wager.act = "leave"
    return wager.stake


def _loser_paid(wager: Wager) -> Money | None:
    wager.act, wager.paid = "pay", cheques(wager.stake, wager.stack)
    return wager.stake * 2


def _push_paid(wager: Wager) -> Money | None:
    wager.act, wager.paid = "pay", cheques(wager.stake, wager.stack)
    return wager.stake


def _push_taken(wager: Wager) -> Money | None:
    wager.act = "take"
    return -wager.stake


_SPOIL: Final = {
    "over": _over,
    "short": _short,
    "winner-unpaid": _unpaid,
    "winner-taken": _winner_taken,
    "loser-left": _left,
    "loser-paid": _loser_paid,
    "push-paid": _push_paid,
    "push-taken": _push_taken,
}


def half_of(wager: Wager) -> Stack:
    """Return half of a wager, in its colours and those below."""
    return cheques(wager.stake / 2, wager.stack)


def late_bet(luck: random.Random, plan: Plan, spot: str, *procedures: str) -> None:
    """Let a player at a table with cards put a wager on an empty spot after the deal."""
    seats = sorted({step.seat for step in plan.of("deal") if step.seat})
    free = [seat for seat in seats if plan.wager(seat, spot) is None]
    if not free:
        return
    wager = Wager(seat=luck.choice(free), spot=spot, stack=stack_of("1 red"))
    text = f"bet {wager.seat} {spot} 1 red"
    plan.put_after([Step("late", wager.seat, "pause 700"), Step("late", wager.seat, text)], after=plan.of("deal")[-1])
    collect = next((s for s in plan.steps if s.text == f"collect {wager.seat}"), None)
    if collect is None:
        plan.add("settle", wager.seat, f"collect {wager.seat}")
    plan.finding("late-wager", *procedures, wager=wager)


def cap(luck: random.Random, plan: Plan, spots: tuple[str, ...], *procedures: str) -> None:
    """Let a player put one more cheque onto a wager after the deal."""
    fit = [w for w in plan.wagers if w.spot in spots and w.outcome == "win" and w.act == "pay" and len(w.stack) < 8]
    if not fit:
        return
    wager = luck.choice(fit)
    text = f"cap {wager.seat} {wager.spot} 1 {wager.stack[-1]}"
    plan.put_after([Step("late", wager.seat, "pause 700"), Step("late", wager.seat, text)], after=plan.of("deal")[-1])
    plan.finding("capped", *procedures, wager=wager)


def pinch(luck: random.Random, plan: Plan, spots: tuple[str, ...], *procedures: str) -> None:
    """Let a player take the upper half of a wager back after the deal."""
    fit = [w for w in plan.wagers if w.spot in spots and w.outcome == "win" and w.act == "pay" and len(w.stack) > 1]
    if not fit:
        return
    wager = luck.choice(fit)
    rest = wager.stack[: (len(wager.stack) + 1) // 2]
    text = f"pinch {wager.seat} {wager.spot} {write_stack(rest)}"
    plan.put_after([Step("late", wager.seat, "pause 700"), Step("late", wager.seat, text)], after=plan.of("deal")[-1])
    plan.finding("pinched", *procedures, wager=wager)
