"""``catwalk resettle``: what stored rounds would have been due under other rules."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from workers.what_if import Answer, Question


@click.command()
@click.option("--rules", required=True, help="The name of a rule set, or a .toml file.")
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]), help="Only footage from this moment on (UTC)."
)
@click.option("--json", "out", type=click.Path(path_type=Path), help="Write the comparison as JSON.")
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--processes", type=click.IntRange(1, 256), help="Processes (one for each processor core).")
def resettle(rules: str, since: datetime | None, out: Path | None, data: Path | None, processes: int | None) -> None:
    """Settle the stored rounds of a game again under other rules, and show the difference by bet.

    Nothing stored is changed, no footage is needed. "Differ" counts wagers whose payment or take, as observed, was not
    what the rules say.
    """
    from audit.paytables import PayTableError, load_rules_file, rules_path
    from audit.store.database import stamp
    from workers.cli.places import check_target, opened, written
    from workers.settings import read_settings
    from workers.what_if import Question

    try:
        path = rules_path(rules)
        game = load_rules_file(path).game
    except PayTableError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from None
    question = Question(
        data_dir=read_settings(data_dir=data).data_dir,
        game=game,
        rules=str(path.absolute()),
        since=None if since is None else stamp(since.replace(tzinfo=UTC)),
    )
    if out is not None:
        check_target(out)
    with opened(question.data_dir):
        answer = _asked(question, processes=processes or os.cpu_count() or 1)
    _print(answer, game)
    if out is not None:
        written(out, json.dumps(_record(answer, game), indent=1) + "\n")


def _asked(question: Question, *, processes: int) -> Answer:
    from rich.console import Console
    from rich.progress import Progress

    from workers.what_if import Answer, resettle

    answer = Answer()
    with Progress(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("settling again", total=None)
        for so_far, done, total in resettle(question, processes=processes):
            answer = so_far
            bars.update(bar, completed=done, total=total)
    return answer


def _print(answer: Answer, game: str) -> None:
    from rich.table import Table

    from workers.cli.tables import wide_console

    record = _record(answer, game)
    table = Table(title=f"{answer.rounds} rounds of {game}", title_justify="left")
    headings = (
        "bet",
        "wagers",
        "changed",
        "unknown",
        "due before",
        "due after",
        "difference",
        "differ before",
        "after",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "bet" else "right")
    for bet, row in record["bets"].items():
        table.add_row(bet, *(str(row[key]) for key in row))
    wide_console().print(table)


def _record(answer: Answer, game: str) -> dict[str, Any]:
    from audit.money import format_money

    bets = {
        bet: {
            "wagers": tally.wagers,
            "changed": tally.changed,
            "unknown": tally.unknown,
            "due_before": format_money(tally.due_before),
            "due_after": format_money(tally.due_after),
            "difference": format_money(tally.due_after - tally.due_before),
            "differ_before": tally.differ_before,
            "differ_after": tally.differ_after,
        }
        for bet, tally in sorted(answer.bets.items())
    }
    return {"game": game, "rounds": answer.rounds, "bets": bets}
