"""What every game shares: pay tables and rule sets as values, and the answers of settling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from audit.cards import RANKS, TEN_VALUED, Card
from audit.money import ZERO, Money, Odds, Rounding
from audit.rounds import BetKey, Round, VariantValue, Wager

Violation = tuple[str, str]
"""Where in the round (``dealer``, ``seat 3``, ``seat 3 hand 2``, ``seat 3 trilux``) and the code of what is wrong."""


class Outcome(StrEnum):
    """What became of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a pay table.

    ``pays`` is a printed amount instead of odds times stake, ``share`` a share of the progressive meter, ``envy`` what
    the house adds to the dealers' tokes. ``stake_returned`` is False where the stake was collected before the deal.
    ``why`` says the row as a dealer would: ``21 with one card and the roll: 2 to 1, Draw 'n Shoot 21, 21 Rules 8``.
    """

    name: str
    outcome: Outcome
    odds: Odds | None
    why: str
    source: str
    pays: Money | None = None
    share: Fraction | None = None
    envy: Money = ZERO
    stake_returned: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTable:
    """The rows of one kind of bet, by class."""

    name: str
    title: str
    game: str
    rows: Mapping[str, Row]
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The least and the most that may be wagered on a bet; None = not fixed by the documents."""

    minimum: Money | None
    maximum: Money | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting of a rule set: its value, what else the documents allow, and where they say so."""

    value: VariantValue
    allowed: tuple[VariantValue, ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one table: the pay table of each bet, options and limits.

    ``sha256`` pins the rules file, its pay tables and the variant that overrides them to a run. ``rounding`` is the
    house's policy for amounts that no cheque pays; None: not known, either neighbour is accepted [GEN-2].
    """

    name: str
    title: str
    game: str
    tables: Mapping[str, PayTable]
    options: Mapping[str, Option]
    limits: Mapping[str, Limit]
    sha256: str
    rounding: Rounding | None = None

    @property
    def decks(self) -> int:
        """How many decks the shoe holds."""
        value = self.options["decks"].value
        return value if isinstance(value, int) else 0

    def option(self, key: str) -> VariantValue:
        """Return the value of an option, None if the rule set has none of that name."""
        option = self.options.get(key)
        return None if option is None else option.value

    def limit_of(self, bet: str) -> Limit | None:
        """Return the printed limits of a bet, in a VIP room its own (004:L1058); None if it has none."""
        own = self.limits.get(bet)
        return self.limits.get(f"{bet}_vip", own) if self.option("vip") is True else own

    def rows(self, bet: str) -> Mapping[str, Row]:
        """Return the rows of the bet's pay table."""
        return self.tables[bet].rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What one wager is due.

    ``outcome`` None: it hangs on a card, a die or a fact that was not read, ``why`` says which. ``pay`` is what the
    house hands over beyond the stake, exact; None where the documents do not fix it or the stake was not read.
    """

    key: BetKey
    outcome: Outcome | None
    odds: Odds | None
    pay: Money | None
    why: str
    row: str | None = None
    source: str = ""
    envy: Money = ZERO
    stake_returned: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What every wager of a round is due, in the order of the wagers, and what the rules forbid in the round."""

    settled: tuple[Settled, ...]
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What is particular about one game.

    ``classes`` names, for each bet, the rows its pay table must have; ``options`` the settings its rules file must
    give; ``facts`` the variant keys that say something about one round and not about the table; ``seats`` the spaces
    of the layout; ``codes`` what each code of a violation means, with its section.
    """

    name: str
    title: str
    classes: Mapping[str, frozenset[str]]
    options: frozenset[str]
    settle: Callable[[Round, RuleSet], Settlement]
    seats: int = 9
    facts: frozenset[str] = frozenset()
    codes: Mapping[str, str] = field(default_factory=dict)

    @property
    def bets(self) -> tuple[str, ...]:
        """The kinds of bet this game has."""
        return tuple(self.classes)


VALUES: Final = {rank: 10 if rank in TEN_VALUED else place for place, rank in enumerate(RANKS, start=1)}
"""Counting values of 000, 001, 002 and 004: an ace 1, K Q J T 10."""

_ACE_BONUS: Final = 10
_TWENTY_ONE: Final = 21


def hard_total(cards: Iterable[Card | None]) -> int:
    """Return the total with every ace as 1 (004:L315-317); an unread card counts 1, the least it can be."""
    return sum([1 if card is None else VALUES[card.rank] for card in cards])


def best_total(cards: Iterable[Card | None]) -> int | None:
    """Return the total with one ace as 11 where that does not exceed 21 (004:L650); None if a card was not read."""
    hard = 0
    ace = False
    for card in cards:
        if card is None:
            return None
        value = VALUES[card.rank]
        hard += value
        ace = ace or value == 1
    return hard + _ACE_BONUS if ace and hard + _ACE_BONUS <= _TWENTY_ONE else hard


def answer(wager: Wager, row: Row, facts: str = "") -> Settled:
    """Return what the wager is due under the row; ``facts`` says what was compared."""
    stake = wager.amount
    odds = pay = None
    if row.outcome is not Outcome.WIN:
        pay = ZERO
    elif row.pays is not None:
        odds, pay = row.odds, row.pays
    elif row.odds is not None:
        odds = row.odds
        pay = None if stake is None else stake if odds.a == odds.b else odds.pays(stake)
    return Settled(
        key=wager.key,
        outcome=row.outcome,
        odds=odds,
        pay=pay,
        why=f"{facts}: {row.why}" if facts else row.why,
        row=row.name,
        source=row.source,
        envy=row.envy,
        stake_returned=row.stake_returned and row.outcome is not Outcome.LOSE,
    )


def undecided(wager: Wager, why: str) -> Settled:
    """Return the answer to a wager that hangs on something not read."""
    return Settled(key=wager.key, outcome=None, odds=None, pay=None, why=why, stake_returned=False)


def place(key: BetKey) -> str:
    """Return where a wager stands, in words: ``seat 3 hand 2 double``, ``seat 3 chuck 4``."""
    hand = "" if key.hand is None else f" hand {key.hand}"
    number = "" if key.number is None else f" {key.number}"
    return f"seat {key.seat}{hand} {key.bet}{number}"


def wagers_by_seat(round_: Round) -> dict[int, dict[str, list[Wager]]]:
    """Return the wagers of each seat by kind of bet."""
    seats: dict[int, dict[str, list[Wager]]] = {}
    for wager in round_.wagers:
        seats.setdefault(wager.key.seat, {}).setdefault(wager.key.bet, []).append(wager)
    return seats
