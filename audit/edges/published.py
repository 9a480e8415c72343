"""The figures that the five documents publish, each beside the exact one."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from audit.edges import published_cheques, published_dice, published_twenty_one, published_two_cards

FIGURES: Final = Path(__file__).parents[1] / "data" / "published.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One published figure: where it is printed, what it is, and as what it is printed.

    ``expected``: whether the exact figure prints as the published one (``yes``, ``no``), or cannot be known (``nv``);
    ``why`` says why it does not.
    """

    id: str
    where: str
    what: str
    published: str
    expected: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A published figure and the exact one; None if the documents do not give enough to compute it."""

    figure: Figure
    exact: Fraction | None

    @property
    def agrees(self) -> str:
        """``yes`` if the exact figure prints as published, ``no`` if not, ``nv`` if it cannot be computed."""
        if self.exact is None:
            return "nv"
        return "yes" if prints_as(self.exact, self.figure.published) else "no"

    @property
    def as_expected(self) -> bool:
        """Whether the comparison comes out as the list of figures says."""
        return self.agrees == self.figure.expected


def read_figures(path: Path = FIGURES) -> tuple[Figure, ...]:
    """Return the published figures."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            [
                Figure(
                    id=row["id"],
                    where=row["where"],
                    what=row["what"],
                    published=row["published"],
                    expected=row["agrees"],
                    why=row["why"],
                )
                for row in csv.DictReader(file)
            ]
        )


def prints_as(exact: Fraction, published: str) -> bool:
    """Return whether the exact figure, rounded to the places of the published one, is that figure."""
    number = published.removesuffix("%")
    scale = 100 if number != published else 1
    places = len(number.partition(".")[2])
    return Fraction(round(exact * scale * 10**places), 10**places) == Fraction(number)


def in_words(exact: Fraction, published: str, places: int = 7) -> str:
    """Return the exact figure as a decimal, in percent where the published one is."""
    if published.endswith("%"):
        return f"{float(exact * 100):.5f}%"
    return f"{float(exact):.{places}g}"


def compute(figures: tuple[Figure, ...]) -> Mapping[str, Fraction | None]:
    """Return every exact figure by its id."""
    printed = {figure.id: figure.published for figure in figures}
    return {
        **published_twenty_one.figures(printed),
        **published_dice.figures(),
        **published_two_cards.figures(),
        **published_cheques.figures(),
    }


def compare() -> tuple[Comparison, ...]:
    """Return every published figure beside the exact one, in the order of the documents."""
    figures = read_figures()
    exact = compute(figures)
    return tuple([Comparison(figure=figure, exact=exact[figure.id]) for figure in figures])
