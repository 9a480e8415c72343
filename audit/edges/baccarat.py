"""Enter and Draw of Lucky Draw Baccarat: every deal enumerated, and the best decision for each hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final

from audit.edges.report import EdgeReport, Result, merged
from audit.games.terms import Row, RuleSet

_VALUES: Final = range(10)
_DEALER_DRAWS: Final = 4
_LUCKY: Final = {9: "nine", 8: "eight", 7: "seven"}

Tally = Counter[str]
"""How many deals end in each name: ``stand higher``, ``draw nine``, ..."""


def _shoe(decks: int) -> list[int]:
    """Return how many cards there are of each baccarat value 0 to 9."""
    return [16 * decks] + [4 * decks] * 9


def _dealt(shoe: list[int]) -> Iterator[tuple[int, int]]:
    """Yield each value that is left and its count, taking one away while it is out."""
    for value in _VALUES:
        count = shoe[value]
        if count:
            shoe[value] -= 1
            yield value, count
            shoe[value] += 1


def _dealers_scores(shoe: list[int], exposed: int) -> list[int]:
    """Return in how many ways (of two cards more) the dealer ends with each score (003:L68)."""
    scores = [0] * 10
    left = sum(shoe)
    for hidden, ways in _dealt(shoe):
        score = (exposed + hidden) % 10
        if score > _DEALER_DRAWS:
            scores[score] += ways * (left - 1)
            continue
        for third, count in _dealt(shoe):
            scores[(score + third) % 10] += ways * count
    return scores


def _stand(shoe: list[int], score: int, exposed: int) -> Tally:
    found: Tally = Counter()
    left = sum(shoe)
    for dealers, ways in enumerate(_dealers_scores(shoe, exposed)):
        name = "higher" if score > dealers else "equal" if score == dealers else "lower"
        found[f"stand {name}"] += ways * (left - 2)
    return found


def _draw(shoe: list[int], score: int, exposed: int) -> Tally:
    found: Tally = Counter()
    for third, count in _dealt(shoe):
        total = (score + third) % 10
        for dealers, ways in enumerate(_dealers_scores(shoe, exposed)):
            won = _LUCKY.get(total, "one_to_six")
            name = won if total > dealers else "equal" if total == dealers else "lower"
            found[f"draw {name}"] += ways * count
    return found


def _units(enter: dict[str, Fraction], draw: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return the player's gain of each end of a hand, in Enter bets."""
    units = {f"stand {name}": enter[name] for name in enter}
    for name, gained in draw.items():
        units[f"draw {name}"] = gained + enter[name if name in enter else "higher"]
    return units


@lru_cache(maxsize=4)
def _hands(decks: int) -> tuple[tuple[int, int, int, Tally, Tally], ...]:
    """Return for every score and exposed card: the ways, and the ends of standing and of drawing.

    Two hands of the same score are kept apart, for their cards are gone from the shoe.
    """
    shoe = _shoe(decks)
    hands = []
    for first, one in _dealt(shoe):
        for second, two in _dealt(shoe):
            if second < first:
                continue
            ways = one * two * (1 if first == second else 2)
            score = (first + second) % 10
            for exposed, three in _dealt(shoe):
                stand, draw = _stand(shoe, score, exposed), _draw(shoe, score, exposed)
                hands.append((score, exposed, ways * three, stand, draw))
    return tuple(hands)


def _gain(row: Row) -> Fraction:
    if row.odds is not None:
        return Fraction(row.odds.a, row.odds.b)
    return Fraction(0 if row.outcome == "push" else -1)


Stands = Callable[[int, int], bool]
"""Whether a player stands on a score against an exposed card's value."""


def enter(rules: RuleSet, *, stands: Stands | None = None, name: str = "best play of each two cards") -> EdgeReport:
    """Return what Enter and Draw return together, per Enter bet, under best play or a given one."""
    enter_rows, draw_rows = rules.rows("enter"), rules.rows("draw")
    units = _units(
        {name: _gain(row) for name, row in enter_rows.items()}, {name: _gain(row) for name, row in draw_rows.items()}
    )
    results: Counter[str] = Counter()
    drawn: Counter[tuple[int, int, str]] = Counter()
    for score, exposed, ways, stand, draw in _hands(rules.decks):
        values = [sum([n * units[name] for name, n in tally.items()], Fraction(0)) for tally in (stand, draw)]
        draws = values[1] > values[0] if stands is None else not stands(score, exposed)
        drawn[(score, exposed, "draw" if draws else "stand")] += ways
        for end, count in (draw if draws else stand).items():
            results[end] += ways * count
    total = sum(results.values())
    wagered = 1 + Fraction(sum([n for name, n in results.items() if name.startswith("draw")]), total)
    return EdgeReport(
        game=rules.game,
        bet="enter",
        rules=rules.name,
        model=f"Enter and Draw, {name} against the exposed card, {rules.decks} decks",
        results=merged([Result(name=n, units=units[n], probability=Fraction(c, total)) for n, c in results.items()]),
        wagered=wagered,
        strategy=_strategy(drawn),
    )


def _strategy(drawn: Counter[tuple[int, int, str]]) -> tuple[str, ...]:
    """Say against which exposed cards each score draws; "mostly" where it hangs on the cards that make the score."""
    lines = []
    for score in _VALUES:
        always = [e for e in _VALUES if drawn[(score, e, "draw")] and not drawn[(score, e, "stand")]]
        mixed = [e for e in _VALUES if drawn[(score, e, "draw")] and drawn[(score, e, "stand")]]
        if always or mixed:
            against = "everything" if len(always) == len(_VALUES) else ", ".join(map(str, always)) or "nothing"
            depends = f"; by its cards against {', '.join(map(str, mixed))}" if mixed else ""
            lines.append(f"score {score}: draw against {against}{depends}")
    return (*lines, "stand otherwise")
