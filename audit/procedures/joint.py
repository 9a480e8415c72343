"""Cards, wager and payment read together: what each joint reading says of how the wager was settled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from audit.money import Money, Rounding, acceptable_pays
from audit.procedures.drafts import Case
from audit.procedures.dues import Done, Due, DueReadings, done, due_readings
from audit.readings import Mass
from audit.reconstruction.amounts import Amounts
from audit.reconstruction.observation import SeenWager
from audit.settlement import Outcome

_BLOCKS: Final = frozenset({"ultimate", "pair", "flush", "normal"})
"""Rows that win although no document prints their odds: nothing paid is wrong whatever the odds are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """One joint reading of cards, wager and payment: how likely it is, and whether the wager was settled wrongly."""

    chance: float
    wrong: bool | None
    dues: frozenset[Due]
    stake: Money | None
    paid: Money | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A wager with its dues, what was done with it, and the joint readings; none where it cannot be judged."""

    dues: DueReadings
    act: Done
    readings: tuple[Joint, ...]

    @property
    def mass(self) -> Mass:
        """How likely the wager was settled wrongly, and rightly."""
        broken, kept = (sum(one.chance for one in self.readings if one.wrong is wrong) for wrong in (True, False))
        return Mass(broken=broken, kept=kept)


def judged(case: Case, wager: SeenWager) -> Judged:
    """Return a wager judged over all readings of its cards, its cheques and its payments."""
    dues, act = due_readings(case, wager), done(case, wager)
    return Judged(dues=dues, act=act, readings=() if dues.doubt else tuple(_joint_readings(case, wager, dues, act)))


def settled_wrongly(case: Case, wager: SeenWager) -> Mass:
    """Return how likely a wager was settled wrongly, and rightly."""
    return judged(case, wager).mass


def _joint_readings(case: Case, wager: SeenWager, dues: DueReadings, act: Done) -> Iterator[Joint]:
    """Yield the joint readings of cards, wager and payment, each with what it says of the settlement."""
    stakes = [_with_the_rest(stake) for stake in wager.stakes]
    paids = _with_the_rest(act.paid)
    house = _House(smallest=min(case.chips.values()), rounding=case.rules.rounding)
    for (allowed, p), (paid, r), ways in product(dues.sets.items(), paids, product(*stakes)):
        chance = p * r * prod(q for _, q in ways)
        if chance <= 0 or not allowed:
            continue
        results = {
            _breaks(due, taken=taken, paid=added, stake=stake, pile_seen=pile_seen, house=house)
            for due in allowed
            for added, pile_seen in [
                (None, False) if act.afar and due.outcome is not Outcome.WIN else (paid, act.pile_seen)
            ]
            for stake, _ in ways
            for taken in ({due.outcome is Outcome.LOSE} if wager.in_rack else act.endings)
        }
        wrong = results.pop() if len(results) == 1 else None
        yield Joint(chance=chance, wrong=wrong, dues=allowed, stake=ways[0][0], paid=paid)


def _with_the_rest(amounts: Amounts) -> list[tuple[Money | None, float]]:
    """Return the readings of an amount, with what no candidate covers."""
    return [*amounts.items(), (None, 1.0 - sum(amounts.values()))]


@dataclass(frozen=True, slots=True, kw_only=True)
class _House:
    """What a house can pay: its smallest cheque, and what it does with less [GEN-2]."""

    smallest: Money
    rounding: Rounding | None


def _breaks(
    due: Due, *, taken: bool, paid: Money | None, stake: Money | None, pile_seen: bool, house: _House
) -> bool | None:
    """Return whether an act breaks a due; None where that hangs on something not read."""
    match due.outcome:
        case None:
            return None
        case Outcome.LOSE:
            wrong = not taken or (paid is not None and paid > 0)
            return True if wrong else None if paid is None else False
        case Outcome.PUSH:
            wrong = taken or (paid is None and pile_seen) or (paid is not None and paid != 0)
            return True if wrong else None if paid is None else False
        case Outcome.WIN:
            if taken:
                return True
            owed = None if stake is None else due.pay(stake)
            if owed is None or paid is None:
                return True if due.row in _BLOCKS and paid == 0 else None
            return paid not in acceptable_pays(owed, house.smallest, house.rounding)
