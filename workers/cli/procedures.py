"""``catwalk procedures``: all 420 procedures with their state."""

from __future__ import annotations

from typing import Final

import click

GAMES: Final = ("BJ", "DD", "TRI", "BLZ", "DNS", "DIC", "STU", "LDB", "ALL")


@click.command()
@click.option("--state", type=click.Choice(["audited", "in part", "not audited"]), help="Only those in this state.")
@click.option("--game", type=click.Choice(GAMES, case_sensitive=False), help="Only those of this game.")
def procedures(state: str | None, game: str | None) -> None:
    """List the procedures of the documents: audited, audited in part, or why not."""
    from collections import Counter

    from rich.console import Console
    from rich.table import Table

    from audit.procedures.catalogue import catalogue

    chosen = [
        one for one in catalogue().values() if state in (None, one.state.value) and game in (None, *one.game.split("/"))
    ]
    table = Table(title="Procedures")
    for column in ("id", "game", "class", "state", "severity", "must happen", "source", "what is missing"):
        table.add_column(column, overflow="fold")
    for one in chosen:
        table.add_row(one.id, one.game, one.kind, one.state.value, one.severity.value, one.title, one.citation, one.why)
    console = Console()
    console.print(table)
    counts = Counter(one.state.value for one in chosen)
    console.print(f"{len(chosen)} procedures: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
