"""What a bet returns: every result with its exact probability."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from audit.games.terms import Outcome, Row

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One result of a bet: the player's gain in units of the bet, and its probability."""

    name: str
    units: Fraction
    probability: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeReport:
    """The results of one bet under a rule set.

    ``model`` says what was enumerated (how many decks, whose strategy); ``wagered`` is the mean total wager in units of
    the opening bet, above 1 where a strategy raises, draws, doubles or splits.
    """

    game: str
    bet: str
    rules: str
    model: str
    results: tuple[Result, ...]
    wagered: Fraction = Fraction(1)
    strategy: tuple[str, ...] = ()
    note: str = ""

    @property
    def mean(self) -> Fraction:
        """The player's mean gain per unit of the opening bet."""
        return sum([result.units * result.probability for result in self.results], ZERO)

    @property
    def edge(self) -> Fraction:
        """The house's mean gain per unit of the opening bet."""
        return -self.mean

    @property
    def element_of_risk(self) -> Fraction:
        """The house's mean gain per unit of all that is wagered."""
        return self.edge / self.wagered

    @property
    def second_moment(self) -> Fraction:
        """The mean of the squared gain."""
        return sum([result.units**2 * result.probability for result in self.results], ZERO)

    @property
    def variance(self) -> Fraction:
        """The variance of the gain."""
        return self.second_moment - self.mean**2

    @property
    def win_rate(self) -> Fraction:
        """The probability of a gain."""
        return sum([result.probability for result in self.results if result.units > 0], ZERO)

    @property
    def push_rate(self) -> Fraction:
        """The probability that nothing is won and nothing lost."""
        return sum([result.probability for result in self.results if result.units == 0], ZERO)

    def probability(self, *names: str) -> Fraction:
        """Return the probability of the results of these names."""
        return sum([result.probability for result in self.results if result.name in names], ZERO)


def gain(row: Row, *, stake: int = 1, meter: Fraction | None = None) -> Fraction:
    """Return the player's gain in units of his bet under a pay table's row.

    ``stake`` is the bet in dollars where the row pays printed dollars for it; ``meter`` the progressive meter.
    """
    if row.outcome is Outcome.PUSH:
        return ZERO
    if row.outcome is Outcome.LOSE:
        return Fraction(-1)
    if row.share is not None:
        return (meter or ZERO) * row.share / stake - (0 if row.stake_returned else 1)
    if row.pays is not None:
        return row.pays / stake - (0 if row.stake_returned else 1)
    return Fraction(row.odds.a, row.odds.b) if row.odds is not None else ZERO


def by_row(
    weights: Mapping[str, int | Fraction], rows: Mapping[str, Row], *, stake: int = 1, meter: Fraction | None = None
) -> tuple[Result, ...]:
    """Return the results of a bet whose classes occur with these weights."""
    total = sum([Fraction(weight) for weight in weights.values()], ZERO)
    return tuple(
        [
            Result(name=name, units=gain(row, stake=stake, meter=meter), probability=weights[name] / total)
            for name, row in rows.items()
            if name in weights
        ]
    )


def merged(results: Iterable[Result]) -> tuple[Result, ...]:
    """Return the results with those of one name and gain put together, the greatest loss first."""
    sums: dict[tuple[Fraction, str], Fraction] = {}
    for result in results:
        key = (result.units, result.name)
        sums[key] = sums.get(key, ZERO) + result.probability
    return tuple([Result(name=name, units=units, probability=p) for (units, name), p in sorted(sums.items())])
