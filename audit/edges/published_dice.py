"""The published figures of QuickCraps (000:L177-214) and Chuck-a-Luck PLUS (001:L149-175)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from audit.edges import side_bets
from audit.edges.numbers import square_root
from audit.edges.report import EdgeReport, gain
from audit.paytables import load_rules

_CRAPS_ROWS: Final = {
    # the printed rows: class and first ranks
    "any_7": ("seven", "A2345689TJQK"),
    "any_craps": ("any_craps", "A23456789TJQK"),
    "ten_10": ("ten_with_ten", "TJQK"),
    "68": ("match_5_6_8_9", "68"),
    "seven_7": ("seven_with_seven", "7"),
    "59": ("match_5_6_8_9", "59"),
    "ace_11": ("ace_with_eleven", "A"),
    "four_4": ("four_with_four", "4"),
    "four_hard8": ("four_with_hardway_eight", "4"),
    "no_match": ("no_match", "A23456789TJQK"),
}
_POINTS: Final = frozenset(_CRAPS_ROWS) - {"any_7", "any_craps", "no_match"}
_CHUCK: Final = {
    "No_Match": ("no_match",),
    "Single": ("single",),
    "Double": ("double",),
    "Triple": ("triple", "royal", "quad"),
}
_TRIPLES: Final = {"Royal": "royal", "Quad": "quad", "Other": "triple"}
_SHOE: Final = 312


def figures() -> dict[str, Fraction | None]:
    """Return the exact figures."""
    return {**_craps("recommended"), **_craps("alternate"), **_craps_odds(), **_chuck()}


def _craps(table: str) -> dict[str, Fraction | None]:
    rules = load_rules("draw_n_shoot_21", None, {"quickcraps_table": table})
    rows, weights = rules.rows("craps"), side_bets.craps_weights()
    total = sum(weights.values())
    exact: dict[str, Fraction | None] = {}
    made = Fraction(0)
    for name, (row, ranks) in _CRAPS_ROWS.items():
        p = Fraction(sum([weights[(row, rank)] for rank in ranks]), total)
        units = gain(rows[row])
        made += p if name in _POINTS and units > 0 else 0
        head = f"QC-{table}-{name}"
        exact |= {f"{head}-p": p, f"{head}-pay": units, f"{head}-pEV": p * units, f"{head}-vol": p * units**2}
    report = side_bets.craps(rules)
    return exact | {
        f"QC-{table}-TOTAL": report.mean,
        f"QC-{table}-EDGE": report.edge,
        f"QC-{table}-VAR": report.variance,
        f"QC-{table}-SD": square_root(report.variance),
        f"QC-{table}-HIT": 1 / (report.win_rate + report.push_rate),
        f"QC-{table}-POINT": 1 / made,
    }


def _craps_odds() -> dict[str, Fraction | None]:
    report = side_bets.craps(load_rules("draw_n_shoot_21"))
    return {
        "QC-WIN": report.win_rate,
        "QC-PUSH": report.push_rate,
        "QC-LOSE": 1 - report.win_rate - report.push_rate,
    }


def _chuck() -> dict[str, Fraction | None]:
    rules = load_rules("dicey_21")
    report, rows = side_bets.chuck(rules), rules.rows("chuck")
    triple = report.probability(*_CHUCK["Triple"])
    average = sum([report.probability(row) * gain(rows[row]) for row in _CHUCK["Triple"]], Fraction(0)) / triple
    exact: dict[str, Fraction | None] = {}
    for name, classes in _CHUCK.items():
        p = report.probability(*classes)
        units = average if name == "Triple" else gain(rows[classes[0]])
        exact |= {f"CL-{name}-n": 216 * p, f"CL-{name}-p": p}
        exact |= {f"CL-{name}-value": p * units, f"CL-{name}-vol": p * units**2}
    for name, row in _TRIPLES.items():
        p, units = report.probability(row) / triple, gain(rows[row])
        exact |= {f"CL-{name}-n": _SHOE * p, f"CL-{name}-p": p, f"CL-{name}-pay": units, f"CL-{name}-val": p * units}
    return exact | _chuck_totals(report, triple, average)


def _chuck_totals(report: EdgeReport, triple: Fraction, average: Fraction) -> dict[str, Fraction | None]:
    return {
        "CL-TRIPLE-AVG": average,
        "CL-TRIPLE-PAY": average,
        "CL-EDGE": report.mean,
        "CL-VAR": report.variance,
        "CL-SD": square_root(report.variance),
        "CL-MATCH-EVERY": 1 / report.win_rate,
        "CL-TRIPLE-EVERY": 1 / triple,
        "CL-Royal-EVERY": 1 / report.probability("royal"),
        "CL-Quad-EVERY": 1 / report.probability("quad"),
    }
