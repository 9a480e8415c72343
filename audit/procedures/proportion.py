"""Wagers that stand in proportion to another: what one of them says of the other's cheques that were not surely read.

A raise is once or twice its ante, a Draw bet is its Enter bet, a split wager its original: players and dealers seldom
err in that (``Thresholds.breach``). A pile of 50 or 125 beside a Draw bet of 125 is far likelier the latter. Where the
proportion itself is judged it is the settlement that speaks; where readings are taken as they are nothing does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from audit.money import Money
from audit.procedures.drafts import Case
from audit.procedures.joint import settled_wrongly
from audit.readings import Mass
from audit.reconstruction.amounts import Amounts, combined
from audit.reconstruction.observation import SeenWager
from audit.rounds import BetKey

_SURE: Final = 0.99
_LEAST: Final = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A wager and the bet that it goes by; ``outside`` says of their amounts, in this order, that they do not agree."""

    wager: SeenWager
    base: SeenWager
    procedure: str
    outside: Callable[[Money, Money], bool]

    def mass(self, own: Amounts, bet: Amounts) -> Mass:
        """Return how likely amounts do not agree, and that they do."""
        broken = kept = 0.0
        for stake, p in own.items():
            for other, q in bet.items():
                wrong = self.outside(stake, other)
                broken += p * q if wrong else 0.0
                kept += 0.0 if wrong else p * q
        return Mass(broken=broken, kept=kept)


def proportions(case: Case) -> Iterator[Proportion]:
    """Yield the wagers of a round that go by another: of P315, P322, P304, P012, P047, P099."""
    for wager in case.seen.wagers:
        base = _base(case, wager)
        if base is None:
            continue
        match wager.key.bet:
            case "double":
                number = "P392" if case.rules.game == "double_deck" else "P315"
                yield Proportion(wager=wager, base=base, procedure=number, outside=lambda own, bet: own > bet)
            case "split":
                yield Proportion(wager=wager, base=base, procedure="P322", outside=lambda own, bet: own != bet)
            case "raise":
                number = case.dice_id("P012", "P047")
                twice = lambda own, bet: own not in (bet, 2 * bet)  # noqa: E731
                yield Proportion(wager=wager, base=base, procedure=number, outside=twice)
            case "draw":
                yield Proportion(wager=wager, base=base, procedure="P099", outside=lambda own, bet: own != bet)
            case "insurance":
                both = _with_toke(case, base)
                yield Proportion(wager=wager, base=both, procedure="P304", outside=lambda own, bet: own * 2 > bet)


def by_proportion(case: Case) -> Case:
    """Return the case with the unsure wagers weighed by those that stand in proportion to them, as these were settled.

    What was done with a wager itself does not count.
    """
    if case.thresholds.as_they_are or not any(map(_is_unsure, case.seen.wagers)):
        return case
    related = [as_settled(case, one) for one in proportions(case)]

    def judge(one: SeenWager) -> Iterator[Mass]:
        for proportion in related:
            wager, base = proportion.wager, proportion.base
            if wager.key == one.key and _has_one_stake(base):
                yield proportion.mass(one.stake, base.stake)
            elif base.key == one.key and wager.key.bet != "insurance" and _has_one_stake(wager):
                yield proportion.mass(wager.stake, one.stake)

    wagers = tuple(_weighed(case, wager, judge) for wager in case.seen.wagers)
    return replace(case, seen=replace(case.seen, wagers=wagers))


def as_settled(case: Case, one: Proportion) -> Proportion:
    """Return a proportion with the amounts that were not surely read weighed by how the wagers were settled."""
    base = one.base if one.base not in case.seen.wagers else _settled(case, one.base)  # the first with its toke
    return replace(one, wager=_settled(case, one.wager), base=base)


def _settled(case: Case, wager: SeenWager) -> SeenWager:
    if case.thresholds.as_they_are or not (wager.pays or wager.taken):
        return wager
    return _weighed(case, wager, lambda one: iter([settled_wrongly(case, one)]))


def _base(case: Case, wager: SeenWager) -> SeenWager | None:
    """The wager that another one goes by."""
    seat, hand = wager.key.seat, wager.key.hand
    match wager.key.bet:
        case "double":
            of_hand = (w for w in case.seen.wagers if w.key.seat == seat and w.key.hand == hand)
            return next((w for w in of_hand if w.key.bet in ("main", "split")), None)
        case "split" | "insurance":
            bets: tuple[str, ...] = ("main",)
        case "raise" | "draw":
            bets = ("ante", "enter")
        case _:
            return None
    return next((w for w in case.seen.wagers if w.key.seat == seat and w.key.bet in bets), None)


def _with_toke(case: Case, main: SeenWager) -> SeenWager:
    """A bet with the toke beside it, which may be insured too (004:L998)."""
    toke = case.seen.wager(BetKey(seat=main.key.seat, bet="toke"))
    return main if toke is None else replace(main, stake=combined(main.stake, toke.stake, sign=1))


def _has_one_stake(wager: SeenWager) -> bool:
    return not wager.unseen_stake


def _is_unsure(wager: SeenWager) -> bool:
    return _has_one_stake(wager) and len(wager.stake) > 1 and max(wager.stake.values()) < _SURE


def _weighed(case: Case, wager: SeenWager, judge: Callable[[SeenWager], Iterator[Mass]]) -> SeenWager:
    """A wager with its amounts weighed by what judges say if it was worth each; together as likely as before."""
    if not _is_unsure(wager):
        return wager
    weights = {}
    for amount, p in wager.stake.items():
        weights[amount] = p
        for mass in judge(replace(wager, stake={amount: 1.0})) if p >= _LEAST else ():
            weights[amount] *= mass.likelihood(case.thresholds.breach)
    share = sum(wager.stake.values()) / max(sum(weights.values()), 1e-12)
    return replace(wager, stake={amount: weight * share for amount, weight in weights.items()})
