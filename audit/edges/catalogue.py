"""Which computation tells the edge of which bet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from audit.edges import baccarat, blackjack, side_bets, strategy_chart, stud, twenty_one
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


def _chart(rules: RuleSet, most_hands: int) -> EdgeReport:
    return blackjack.report(rules, most_hands=most_hands, strategy=strategy_chart.CHART_PLAY)


def _draw_to_5(rules: RuleSet) -> EdgeReport:
    return baccarat.enter(rules, stands=lambda score, _: score > 5, name="drawing on 0 to 5")  # noqa: PLR2004


def _draw_to_5_but_against_9(rules: RuleSet) -> EdgeReport:
    """[LDB-6]: 3.3811%, which prints as the published 3.4%."""
    return baccarat.enter(
        rules,
        stands=lambda score, exposed: score > 5 or (score >= 3 and exposed == 9),  # noqa: PLR2004
        name="drawing on 0 to 5, but on 0 to 2 only against a 9",
    )


STRATEGIES: Final[dict[tuple[str, str], dict[str, Compute]]] = {
    ("blackjack", "main"): {"chart": partial(_chart, most_hands=blackjack_game.MOST_HANDS)},
    ("double_deck", "main"): {"chart": partial(_chart, most_hands=double_deck.MOST_HANDS)},
    ("lucky_draw_baccarat", "enter"): {"draw-to-5": _draw_to_5, "draw-to-5-but-against-9": _draw_to_5_but_against_9},
}
"""Given strategies by game and bet; without one, best play is computed."""


def edge_bets(game: str) -> tuple[str, ...]:
    """Return the bets of a game whose edge can be computed."""
    return (*EDGES[game], "blazing7") if game == "blackjack" else tuple(EDGES[game])


def edge(rules: RuleSet, bet: str, *, meter: Money | None = None, strategy: str | None = None) -> EdgeReport:
    """Return what a bet returns under the rules, by best play or a given strategy.

    ``meter`` is the progressive meter of Blazing 7's.

    Raises:
        KeyError: if the bet has no strategy of that name.
    """
    if strategy is not None:
        return STRATEGIES[(rules.game, bet)][strategy](rules)
    if bet == "blazing7":
        return side_bets.blazing_sevens_bet(rules, meter)
    return EDGES[rules.game][bet](rules)
