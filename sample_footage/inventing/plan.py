"""A round in the making: steps in order, wagers with what they are due and what is done with them, planted errors."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from audit.money import ZERO, Money, Odds, format_money
from audit.table import CHIP_VALUES
from sample_footage.stacks import Stack, parse_stack, value_of, write_stack

Shoe = list[str]
_COLOURS: Final = ("orange", "purple", "black", "green", "red", "pink", "white")
_MOST_CHEQUES: Final = 20
BETS: Final = (
    *("2 red", "3 red", "4 red", "5 red", "6 red", "1 green", "2 green", "3 green", "4 green"),
    *("1 green 1 red", "1 green 2 red", "2 green 1 red", "1 black", "1 black 1 green", "1 black 2 red"),
)
SIDE_BETS: Final = ("1 red", "2 red", "3 red", "4 red", "1 green")


class UnpayableError(ValueError):
    """An amount that the table's cheques cannot pay: such a round is dealt again."""


@dataclass(slots=True, eq=False)
class Wager:
    """A wager, what it is due (beyond the stake) and what the dealer does: pay, onto, take, push or leave.

    ``row`` names what decides it where that is particular: ``blackjack``, ``both_blackjack``, ``broke``. ``settled``:
    it has been settled in the sequence of play.
    """

    seat: int
    spot: str
    stack: Stack
    hand: int = 1
    outcome: str = ""
    due: Money = ZERO
    act: str = ""
    paid: Stack = ()
    row: str = ""
    settled: bool = False

    @property
    def stake(self) -> Money:
        """What it is worth."""
        return value_of(self.stack)

    @property
    def place(self) -> str:
        """The hand as acts name it."""
        return str(self.seat) if self.hand == 1 else f"{self.seat}.{self.hand}"

    @property
    def bet(self) -> str:
        """The bet's name in a finding."""
        return "chuck" if self.spot.startswith("chuck") else self.spot

    def wins(self, odds: Odds, *, by: str = "pay") -> None:
        """Let it win at those odds, and be paid so."""
        self.wins_amount(odds.pays(self.stake), by=by)

    def wins_amount(self, amount: Money, *, by: str = "pay") -> None:
        """Let it win that amount, and be paid so."""
        self.outcome, self.due, self.act = "win", amount, by
        self.paid = cheques(amount, self.stack)

    def loses(self) -> None:
        """Let it lose, and be taken."""
        self.outcome, self.act = "lose", "take"

    def pushes(self) -> None:
        """Let it push, and be left."""
        self.outcome, self.act = "push", "push"

    def line(self) -> str:
        """Return what is done with it, as an act; empty for nothing."""
        if self.act in ("pay", "onto"):
            return f"{self.act} {self.place} {self.spot} {write_stack(self.paid)}"
        return f"{self.act} {self.place} {self.spot}" if self.act in ("take", "push") else ""


@dataclass(slots=True, eq=False)
class Step:
    """One act of a round: of a phase and a seat (0: the table's), written out or what its wager says."""

    phase: str
    seat: int
    text: str = ""
    wager: Wager | None = None

    def line(self) -> str:
        """Return the act."""
        return self.wager.line() if self.wager is not None else self.text


@dataclass(slots=True)
class Plan:
    """A round: its steps in order, its wagers, and the errors planted in it."""

    steps: list[Step] = field(default_factory=list)
    wagers: list[Wager] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    follows: bool = False
    """Whether the findings show only when the next round begins."""

    def add(self, phase: str, seat: int, *texts: str) -> None:
        """Add acts."""
        self.steps += [Step(phase=phase, seat=seat, text=text) for text in texts]

    def bet(self, wager: Wager, *, phase: str = "bets") -> Wager:
        """Add a wager and the act that places it."""
        self.wagers.append(wager)
        self.add(phase, wager.seat, f"bet {wager.place} {wager.spot} {write_stack(wager.stack)}")
        return wager

    def settle(self, wagers: Iterable[Wager | None], *, phase: str = "settle") -> None:
        """Add the settling of wagers, in that order."""
        self.steps += [Step(phase=phase, seat=w.seat, wager=w) for w in wagers if w is not None]

    def wager(self, seat: int, spot: str, hand: int = 1) -> Wager | None:
        """Return a wager, None if there is none."""
        return next((w for w in self.wagers if (w.seat, w.spot, w.hand) == (seat, spot, hand)), None)

    def of(self, phase: str, seat: int | None = None) -> list[Step]:
        """Return the steps of a phase, of one seat or of all."""
        return [step for step in self.steps if step.phase == phase and seat in (None, step.seat)]

    def put(self, steps: Iterable[Step], *, before: Step) -> None:
        """Move steps, or put new ones, before another."""
        moved = list(steps)
        rest = [step for step in self.steps if not any(step is one for one in moved)]
        index = next(i for i, step in enumerate(rest) if step is before)
        self.steps = [*rest[:index], *moved, *rest[index:]]

    def put_after(self, steps: Iterable[Step], *, after: Step) -> None:
        """Move steps, or put new ones, after another."""
        moved = list(steps)
        rest = [step for step in self.steps if not any(step is one for one in moved)]
        index = next(i for i, step in enumerate(rest) if step is after)
        self.steps = [*rest[: index + 1], *moved, *rest[index + 1 :]]

    def finding(
        self, code: str, *procedures: str, seat: int | None = None, wager: Wager | None = None, **more: Any
    ) -> None:
        """Write down what an audit must say of an error."""
        record: dict[str, Any] = {"code": code, "procedures": list(procedures)}
        if wager is not None:
            record |= {"seat": wager.seat, "bet": wager.bet}
            if wager.spot in ("main", "double", "split"):
                record["hand"] = wager.hand
            if wager.bet == "chuck":
                record["number"] = int(wager.spot[-1])
        elif seat is not None:
            record["seat"] = seat
        amount = more.pop("amount", None)
        self.findings.append(record | more | ({} if amount is None else {"amount": format_money(amount)}))

    def lines(self) -> list[str]:
        """Return the acts of the round."""
        return [line for line in (step.line() for step in self.steps) if line]


Play = Callable[[random.Random, Shoe, str], Plan]
"""How a game is played: from a shoe, with the kind of error that is wished for (empty: none)."""


def cheques(amount: Money, bet: Stack) -> Stack:
    """Return the amount in the bet's highest colour and those below; in higher ones if it took too many cheques."""
    highest = max(CHIP_VALUES[colour] for colour in bet)
    for limit in sorted({highest, *(v for v in map(CHIP_VALUES.__getitem__, _COLOURS) if v > highest)}):
        stack = _greedy(amount, limit)
        if len(stack) <= _MOST_CHEQUES:
            return stack
    return stack


def _greedy(amount: Money, limit: Money) -> Stack:
    """Return the amount in cheques of at most that value, the fewest; a pink one only for the odd half dollar."""
    stack: list[str] = []
    rest = amount
    for colour in _COLOURS:
        value = CHIP_VALUES[colour]
        if value <= limit:
            count = int(rest / value) if colour != "pink" else int(rest % 1 != 0)
            stack += [colour] * count
            rest -= count * value
    if rest:
        msg = f"expected an amount that cheques of $1 and $2.50 can pay, found {format_money(amount)}"
        raise UnpayableError(msg)
    return tuple(stack)


def stack_of(text: str) -> Stack:
    """Return the stack written in a script's words."""
    return parse_stack(text)


def some_seats(luck: random.Random, *, chance: float = 0.75) -> list[int]:
    """Return the seats that play this round."""
    return [seat for seat in (1, 2, 3) if luck.random() < chance] or [luck.choice((1, 2, 3))]
