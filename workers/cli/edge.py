"""``catwalk edge``: what every bet returns, and the published figures beside the exact ones."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from audit.edges.report import EdgeReport
from audit.games.catalogue import GAMES
from audit.games.terms import RuleSet
from audit.money import Money, parse_money
from audit.paytables import PayTableError, load_rules


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)), required=False)
@click.option("--rules", "rules_name", metavar="RULES", help="A rule set or .toml file; without it the game's own.")
@click.option("--decks", type=int, help="Decks in the shoe, where the rules allow others.")
@click.option("--bet", metavar="BET", help="One bet; without it every bet of the game.")
@click.option("--strategy", metavar="NAME", help="A given strategy instead of best play; needs --bet.")
@click.option("--meter", metavar="AMOUNT", help="The progressive meter of Blazing 7's, in dollars.")
@click.option("--published", is_flag=True, help="Compare every published figure with the exact one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def edge(
    game: str | None,
    rules_name: str | None,
    decks: int | None,
    bet: str | None,
    strategy: str | None,
    meter: str | None,
    published: bool,
    as_json: bool,
) -> None:
    """Compute what the bets of GAME return, exactly: house edge, rates, variance and every result."""
    if published:
        sys.exit(_print_published(as_json=as_json))
    if game is None:
        raise click.UsageError("expected a game, or --published")  # noqa: EM101, TRY003 - click's own error
    rules = _rules(game, rules_name, decks)
    reports = [_report(rules, name, meter, strategy) for name in _bets(game, bet)]
    if as_json:
        click.echo(json.dumps([report_record(report) for report in reports], indent=2))
    else:
        click.echo("\n\n".join("\n".join(_text(report)) for report in reports))


def _rules(game: str, name: str | None, decks: int | None) -> RuleSet:
    try:
        return load_rules(game, name, None if decks is None else {"decks": decks})
    except PayTableError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def _bets(game: str, bet: str | None) -> tuple[str, ...]:
    from audit.edges.catalogue import edge_bets

    bets = edge_bets(game)
    if bet is None:
        return bets
    if bet not in bets:
        click.echo(f"--bet: expected one of {', '.join(bets)}, found {bet!r:.40}", err=True)
        sys.exit(2)
    return (bet,)


def _report(rules: RuleSet, bet: str, meter: str | None, strategy: str | None) -> EdgeReport:
    from audit.edges import catalogue

    known = catalogue.STRATEGIES.get((rules.game, bet), {})
    if strategy is not None and strategy not in known:
        names = ", ".join(known) or f"none, {bet} has best play only"
        click.echo(f"--strategy: expected {names}, found {strategy!r:.40}", err=True)
        sys.exit(2)
    return catalogue.edge(rules, bet, meter=_meter(meter), strategy=strategy)


def _meter(text: str | None) -> Money | None:
    if text is None:
        return None
    try:
        return parse_money(text)
    except ValueError as error:
        click.echo(f"--meter: {error}", err=True)
        sys.exit(2)


def report_record(report: EdgeReport) -> dict[str, Any]:
    """Return the report as plain data; fractions are exact, the decimals beside them are not."""
    return {
        "game": report.game,
        "bet": report.bet,
        "rules": report.rules,
        "model": report.model,
        "edge": float(report.edge),
        "edge_exact": str(report.edge),
        "wagered": float(report.wagered),
        "element_of_risk": float(report.element_of_risk),
        "win_rate": float(report.win_rate),
        "push_rate": float(report.push_rate),
        "variance": float(report.variance),
        "strategy": list(report.strategy),
        "note": report.note,
        "results": [
            {"name": result.name, "units": str(result.units), "probability": float(result.probability)}
            for result in report.results
        ],
    }


def _text(report: EdgeReport) -> Iterator[str]:
    yield f"{report.game} {report.bet} ({report.rules}): {report.model}"
    yield f"  house edge {float(report.edge):.4%} of the bet, {float(report.element_of_risk):.4%} of all wagered"
    yield (
        f"  wins {float(report.win_rate):.4%}, pushes {float(report.push_rate):.4%},"
        f" variance {float(report.variance):.4f}, mean wager {float(report.wagered):.4f}"
    )
    yield from [f"  {line}" for line in report.strategy]
    if report.note:
        yield f"  {report.note}"
    for result in report.results:
        yield f"  {float(result.units):+12.4f}  {float(result.probability):.8f}  {result.name}"


def _print_published(*, as_json: bool) -> int:
    """Print every published figure beside the exact one; return 0 if all come out as the list says."""
    from audit.edges.published import compare, in_words

    comparisons = compare()
    rows = [
        {
            "id": one.figure.id,
            "where": one.figure.where,
            "what": one.figure.what,
            "published": one.figure.published,
            "exact": None if one.exact is None else in_words(one.exact, one.figure.published),
            "agrees": one.agrees,
            "why": one.figure.why,
        }
        for one in comparisons
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    else:
        signs = {"yes": "=", "no": "≠", "nv": "?"}
        for row in rows:
            why = f"  ({row['why']})" if row["why"] else ""
            exact = row["exact"] or "not printed: cannot be known"
            click.echo(
                f"{signs[str(row['agrees'])]} {row['where']:22} {row['published']:>12} {exact:>12}  {row['what']}{why}"
            )
    counts = Counter(one.agrees for one in comparisons)
    surprises = [one.figure.id for one in comparisons if not one.as_expected]
    click.echo(
        f"{counts['yes']} published figures reproduce to the printed digit, {counts['no']} do not and say why,"
        f" {counts['nv']} cannot be checked",
        err=as_json,
    )
    if surprises:
        click.echo(f"expected otherwise: {', '.join(surprises)}", err=True)
    return 1 if surprises else 0
