"""Which computation tells the edge of which bet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from audit.edges import baccarat, blackjack, side_bets, stud, twenty_one
from audit.edges.report import EdgeReport
from audit.games import blackjack as blackjack_game
from audit.games import double_deck
from audit.games.terms import RuleSet
from audit.money import Money

Compute = Callable[[RuleSet], EdgeReport]


def _trilux(rules: RuleSet) -> EdgeReport:
    return side_bets.trilux_bet(rules, "trilux")


def _super3(rules: RuleSet) -> EdgeReport:
    return side_bets.trilux_bet(rules, "super3")


def _match2(rules: RuleSet) -> EdgeReport:
    return side_bets.match(rules, "match2")


def _score(rules: RuleSet) -> EdgeReport:
    return twenty_one.report(rules, decks=rules.decks)


EDGES: Final[dict[str, dict[str, Compute]]] = {
    "blackjack": {
        "main": partial(blackjack.report, most_hands=blackjack_game.MOST_HANDS),
        "insurance": side_bets.insurance,
        "trilux": _trilux,
        "super3": _super3,
    },
    "double_deck": {
        "main": partial(blackjack.report, most_hands=double_deck.MOST_HANDS),
        "insurance": side_bets.insurance,
        "trilux": _trilux,
    },
    "draw_n_shoot_21": {"ante": _score, "craps": side_bets.craps},
    "dicey_21": {"ante": _score, "chuck": side_bets.chuck},
    "stud_21": {"base": stud.base, "match1": side_bets.match, "match2": _match2, "mirror": side_bets.mirror},
    "lucky_draw_baccarat": {"enter": baccarat.enter, "block_bonus": side_bets.block_bonus},
}
"""The bets whose edge is computed; ``blazing7`` hangs on the meter and has its own. Raises, doubles, splits and Draw
bets belong to the bet that opens the hand."""


def edge_bets(game: str) -> tuple[str, ...]:
    """Return the bets of a game whose edge can be computed."""
    return (*EDGES[game], "blazing7") if game == "blackjack" else tuple(EDGES[game])


def edge(rules: RuleSet, bet: str, meter: Money | None = None) -> EdgeReport:
    """Return what a bet returns under the rules; ``meter`` is the progressive meter of Blazing 7's."""
    if bet == "blazing7":
        return side_bets.blazing_sevens_bet(rules, meter)
    return EDGES[rules.game][bet](rules)
