"""House edges: every published figure beside the exact one, and figures that the documents do not print."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from audit.edges import blackjack, published, side_bets, strategy_chart
from audit.edges.catalogue import EDGES, edge, edge_bets
from audit.paytables import load_rules
from workers.cli.edge import edge as command


@pytest.fixture(scope="module")
def comparisons() -> tuple[published.Comparison, ...]:
    return published.compare()


def test_every_published_figure_comes_out_as_the_list_says(comparisons: tuple[published.Comparison, ...]) -> None:
    assert [one.figure.id for one in comparisons if not one.as_expected] == []
    assert [sum(one.agrees == verdict for one in comparisons) for verdict in ("yes", "no", "nv")] == [257, 82, 1]


def test_every_figure_that_does_not_reproduce_says_why(comparisons: tuple[published.Comparison, ...]) -> None:
    assert [one.figure.id for one in comparisons if one.agrees == "no" and not one.figure.why] == []


# 002:L73, L86-87, L102-103; 000:L192, L212; 001:L157 - printed percentages, as printed
PRINTED = [
    ("STUD-BASE-LOW", "3.862%"),
    ("STUD-BASE-HIGH", "5.803%"),
    ("STUD-MIRROR-std-6", "-8.11%"),
    ("STUD-MATCH-sp-8", "-1.42%"),
    ("QC-recommended-EDGE", "4.27%"),
    ("QC-alternate-EDGE", "3.85%"),
    ("CL-EDGE", "-3.21%"),
    ("D21-000-EDGE-INF", "-2.39%"),
]


@pytest.mark.parametrize(("name", "printed"), PRINTED)
def test_figure_prints_as_in_the_document(
    comparisons: tuple[published.Comparison, ...], name: str, printed: str
) -> None:
    [one] = [one for one in comparisons if one.figure.id == name]
    assert one.figure.published == printed
    assert one.agrees == "yes"


@pytest.mark.parametrize(
    ("exact", "printed", "prints"),
    [
        (Fraction(427350, 10**7), "4.27%", True),
        (Fraction(427350, 10**7), "4.28%", False),
        (Fraction(1, 13), "0.07692", True),
        (Fraction(-1, 13), "0.07692", False),
        (Fraction(200, 1), "200", True),
        (Fraction(23458, 10000), "1.28", False),
    ],
)
def test_figure_prints_rounded_to_its_places(exact: Fraction, printed: str, prints: bool) -> None:
    assert published.prints_as(exact, printed) is prints


@pytest.mark.parametrize("game", EDGES)
def test_results_of_every_bet_are_certain_together(game: str) -> None:
    rules = load_rules(game)
    for bet in edge_bets(game):
        assert sum(result.probability for result in edge(rules, bet).results) == 1


def test_block_bonus_classes_occur_as_counted_by_hand() -> None:
    # RULES.md, LDB-2: of 2,233,530
    assert side_bets.block_weights(8) == {
        "ultimate": 4368,
        "pair": 29952,
        "flush": 81952,
        "normal": 359424,
        "push": 66066,
        "nothing": 1691768,
    }


def test_insurance_of_six_decks_loses_23_of_311() -> None:
    # 96 tens of 311 unseen cards: 2 x 96 - 215 = -23
    assert edge(load_rules("blackjack"), "insurance").edge == Fraction(23, 311)


def test_double_deck_trilux_at_5_to_2_returns_what_the_register_says() -> None:
    # RULES.md, TRI-1: win probability 9.274%, EV -67.54%
    report = edge(load_rules("double_deck"), "trilux")
    assert round(report.win_rate, 5) == Fraction(9274, 10**5)
    assert round(report.edge, 4) == Fraction(6754, 10**4)


def test_blackjack_edge_is_known_for_these_rules() -> None:
    # infinite deck, S17, double after split, four hands, aces once, peek: about half of one per cent
    report = edge(load_rules("blackjack"), "main")
    assert Fraction(50, 10**4) < report.edge < Fraction(53, 10**4)
    assert min(result.units for result in report.results) == -8


def test_dealers_totals_are_certain_together() -> None:
    for up in blackjack.UPS:
        assert sum(blackjack.dealer(up).values()) == 1


@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize(("cards", "up"), [((1, 2), 5), ((1, 4), 4)])
def test_near_ties_of_the_chart_fall_the_printed_way_with_real_shoes(
    cards: tuple[int, int], up: int, decks: int
) -> None:
    # [BJ-1]
    double, hit = strategy_chart.double_and_hit(cards, up, decks)
    assert double > hit


def test_command_prints_the_edge() -> None:
    result = CliRunner().invoke(command, ["draw_n_shoot_21", "--bet", "craps"])
    assert "house edge 4.2735% of the bet" in result.stdout


def test_command_prints_json() -> None:
    options = ["draw_n_shoot_21", "--bet", "craps", "--rules", "draw-n-shoot-21-alternate", "--json"]
    [record] = json.loads(CliRunner().invoke(command, options).stdout)
    assert record["edge_exact"] == "1/26"
    assert {"name": "ace_with_eleven", "units": "12", "probability": pytest.approx(2 / 468)} in record["results"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["stud_21", "--bet", "craps"], "--bet: expected one of base, match1, match2, mirror, found 'craps'"),
        (["stud_21", "--decks", "5"], "variant.decks: expected 6 or 7 or 8, found 5"),
        (["stud_21", "--rules", "dicey-21"], "dicey-21.toml: game: expected stud_21, found 'dicey_21'"),
        (["blackjack", "--bet", "blazing7", "--meter", "much"], "--meter: an amount is a decimal string"),
    ],
)
def test_command_refuses_what_it_cannot_compute(options: list[str], error: str) -> None:
    result = CliRunner().invoke(command, options)
    assert result.exit_code == 2
    assert error in result.stderr


def test_playing_by_the_chart_costs_less_than_a_hundredth_of_a_percent() -> None:
    rules = load_rules("blackjack")
    best, chart = edge(rules, "main"), edge(rules, "main", strategy="chart")
    assert 0 < chart.edge - best.edge < Fraction(1, 10_000)


def test_strategy_that_prints_the_published_baccarat_edge_is_not_the_best() -> None:
    # RULES.md, LDB-6: 3.3811% prints as the published 3.4%; best play is 3.3448%
    rules = load_rules("lucky_draw_baccarat")
    given = edge(rules, "enter", strategy="draw-to-5-but-against-9")
    assert published.prints_as(given.edge, "3.3811%")
    assert published.prints_as(edge(rules, "enter").edge, "3.3448%")


def test_command_names_the_strategies_it_knows() -> None:
    result = CliRunner().invoke(command, ["lucky_draw_baccarat", "--bet", "enter", "--strategy", "luck"])
    assert result.exit_code == 2
    assert "--strategy: expected draw-to-5, draw-to-5-but-against-9, found 'luck'" in result.stderr
