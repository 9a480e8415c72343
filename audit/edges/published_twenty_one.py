"""The published figures of the '21' bet (000:L141-173, 001:L114-147)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from audit.edges import twenty_one
from audit.edges.numbers import square_root
from audit.edges.report import EdgeReport
from audit.paytables import load_rules

SIX: Final = 6
_ROWS: Final = {
    # the rows of the return table: gain in antes
    "Lose3units": Fraction(-3),
    "Lose1unit": Fraction(-1),
    "Push": Fraction(0),
    "Win1unit": Fraction(1),
    "Win1.2units": Fraction(6, 5),
    "Win2units": Fraction(2),
    "Win3units": Fraction(3),
    "Win3.6units": Fraction(18, 5),
    "Win6units": Fraction(6),
}
_ODDS: Final = {
    "winevenmoney": "eighteen_to_twenty",
    "win6:5": "twenty_one",
    "win2:1": "blackjack",
    "push": "seventeen",
}


def figures(printed: Mapping[str, str]) -> dict[str, Fraction | None]:
    """Return the exact figures of both documents; ``printed`` for the sums of their own columns."""
    rules = load_rules("draw_n_shoot_21")
    infinite, six = twenty_one.first_cards(rules, decks=None), twenty_one.first_cards(rules, decks=SIX)
    report = twenty_one.report(rules, decks=SIX)
    exact: dict[str, Fraction | None] = {}
    for document in ("000", "001"):
        exact |= _first_cards(document, infinite)
        exact |= _returns(document, report)
        exact |= _totals(document, report, six)
        total = sum([Fraction(printed[f"D21-{document}-BS-{card.name}"]) for card in infinite], Fraction(0))
        exact[f"D21-{document}-EDGE-COLSUM"] = total
    exact["D21-000-RETURN"] = sum([card.probability * card.mean for card in infinite], Fraction(0))
    exact["D21-001-RETURN"] = sum([card.probability * card.mean for card in six], Fraction(0))
    exact["D21-000-RAISEAVG"] = sum([card.probability * card.raised for card in infinite], Fraction(0))
    exact["D21-000-EDGE-INF"] = twenty_one.report(rules, decks=None).mean
    exact["D21-000-EDGE-6D"] = exact["D21-001-EDGE"] = report.mean
    exact["D21-STRATEGY"] = Fraction(twenty_one.follows_published_strategy(rules))
    return exact


def _first_cards(document: str, first: tuple[twenty_one.FirstCard, ...]) -> dict[str, Fraction | None]:
    exact: dict[str, Fraction | None] = {}
    for card in first:
        exact[f"D21-{document}-EV-{card.name}"] = card.mean
        exact[f"D21-{document}-VALUE-{card.name}"] = card.probability * card.mean
        exact[f"D21-{document}-RAISE-{card.name}"] = Fraction(card.raised)
        exact[f"D21-{document}-BS-{card.name}"] = card.probability * card.mean * (1 + card.raised)
        if card.name in {"A", "X"}:
            exact[f"D21-{document}-P-{card.name}"] = card.probability
    return exact


def _returns(document: str, report: EdgeReport) -> dict[str, Fraction | None]:
    exact: dict[str, Fraction | None] = {}
    for name, units in _ROWS.items():
        p = sum([result.probability for result in report.results if result.units == units], Fraction(0))
        exact[f"D21-{document}-RET-{name}-p"] = p
        exact[f"D21-{document}-RET-{name}-pEV"] = p * units
        exact[f"D21-{document}-RET-{name}-vol"] = p * units**2
    return exact


def _totals(document: str, report: EdgeReport, six: tuple[twenty_one.FirstCard, ...]) -> dict[str, Fraction | None]:
    head = f"D21-{document}"
    odds = {f"{head}-ODDS-{name}": report.probability(row) for name, row in _ODDS.items()}
    return {
        **odds,
        f"{head}-ODDS-lose": report.probability("below_seventeen", "over_21"),
        f"{head}-VAR": report.variance,
        f"{head}-SD": square_root(report.variance),
        f"{head}-AVGWAGER": report.wagered,
        f"{head}-EOR": report.element_of_risk,
        f"{head}-CARDS": sum([card.probability * (1 + card.cards) for card in six], Fraction(0)),
    }
