"""The published figures of 21 STUD (002), Lucky Draw Baccarat (003), Blazing 7's and the strategy chart (004)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Final

from audit.edges import baccarat, side_bets, strategy_chart, stud
from audit.paytables import load_rules
from audit.rounds import VariantValue

DECKS: Final = (6, 7, 8)
_BLAZING: Final = {"one7": "one_seven", "two7's": "two_sevens", "mixedcolours": "mixed_colours"}


def figures() -> dict[str, Fraction | None]:
    """Return the exact figures; None for the Block Bonus, whose odds are not printed [LDB-2]."""
    return {
        **_stud_base(),
        **_stud_side_bets(),
        "LDB-MAIN": baccarat.enter(load_rules("lucky_draw_baccarat")).edge,
        "LDB-BLOCK": None,
        **_blazing(),
        "BJ-BASIC-STRATEGY": Fraction(len(strategy_chart.wrong_cells())),
    }


def _stud_base() -> dict[str, Fraction | None]:
    edges = []
    for decks, spanish, odds, tie in product(DECKS, (False, True), ("3:2", "6:5"), ("push", "pay")):
        variant: dict[str, VariantValue] = {"decks": decks, "spanish": spanish, "blackjack_odds": odds, "bj_tie": tie}
        edges.append(stud.base(load_rules("stud_21", None, variant)).edge)
    return {"STUD-BASE-LOW": min(edges), "STUD-BASE-HIGH": max(edges)}


def _stud_side_bets() -> dict[str, Fraction | None]:
    exact: dict[str, Fraction | None] = {}
    for decks, (name, spanish) in product(DECKS, (("std", False), ("sp", True))):
        rules = load_rules("stud_21", None, {"decks": decks, "spanish": spanish})
        exact[f"STUD-MIRROR-{name}-{decks}"] = side_bets.mirror(rules).mean
        exact[f"STUD-MATCH-{name}-{decks}"] = side_bets.match(rules).mean
    return exact


def _blazing() -> dict[str, Fraction | None]:
    rows = load_rules("blackjack").rows("blazing7")
    exact: dict[str, Fraction | None] = {}
    for name, row in _BLAZING.items():
        pays = rows[row].pays
        exact[f"BLAZE-ARITH-{name}"] = None if pays is None else pays / side_bets.BLAZING_STAKE
    return exact
