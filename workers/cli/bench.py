"""``catwalk bench``: the budgets, measured on this machine."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

Row = tuple[str, str, str, bool]
"""What was measured, the figure, the budget in words, and whether it is kept."""

_SETTLE_ROUNDS: Final = 10_000
_LIVE_S: Final = 90.0


@click.command()
@click.argument("footage", type=click.Path(path_type=Path), required=False)
@click.option("--profile", type=click.Path(path_type=Path), help="The footage's table profile (TOML).")
@click.option("--rounds", type=click.IntRange(1_000), default=1_000_000, show_default=True, help="Rounds to store.")
@click.option("--cores", type=click.IntRange(1, 256), help="Processor cores to use (all).")
@click.option("--json", "out", type=click.Path(path_type=Path), help="Write the figures as JSON.")
def bench(footage: Path | None, profile: Path | None, rounds: int, cores: int | None, out: Path | None) -> None:
    """Measure recognition on FOOTAGE, settling, resettling and the pages, and print each beside its budget.

    Without FOOTAGE only what needs no video is measured. Everything is made in a temporary folder and removed.
    """
    from rich.console import Console
    from rich.table import Table

    from workers.cli.places import check_target, written

    if footage is not None:
        _check(footage, profile)
    if out is not None:
        check_target(out)
    console = Console()
    table = Table(title="Measured here", title_justify="left")
    for heading in ("what", "measured", "budget", ""):
        table.add_column(heading)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="catwalk-bench-") as scratch, console.status("measuring"):
        for row in _measured(
            footage, profile, rounds=rounds, cores=cores or os.cpu_count() or 1, scratch=Path(scratch)
        ):
            rows.append(row)
            table.add_row(row[0], row[1], row[2], "kept" if row[3] else "[bold red]missed")
    console.print(table)
    if out is not None:
        keys = ("what", "measured", "budget", "kept")
        written(out, json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=1) + "\n")


def _check(footage: Path, profile: Path | None) -> None:
    """Refuse footage or a profile with which nothing can be measured, before anything is."""
    from audit.table import ProfileError
    from models.frames import FootageError, probe
    from workers.cli.places import RefusedError
    from workers.jobs import load_usable_profile

    if profile is None:
        msg = "--profile: expected the footage's table profile, found none"
        raise RefusedError(msg)
    try:
        load_usable_profile(profile)
        probe(footage)
    except (ProfileError, FootageError) as error:
        raise RefusedError(str(error)) from None


def _measured(footage: Path | None, profile: Path | None, *, rounds: int, cores: int, scratch: Path) -> Iterator[Row]:
    from workers import bench as measure

    if footage is not None and profile is not None:
        yield from _footage_rows(footage, profile, cores=cores, scratch=scratch / "audit")
    settle_s = measure.measure_settle(rounds=_SETTLE_ROUNDS, scratch=scratch)
    yield _row("settle 10,000 mixed rounds, start included", f"{settle_s:.2f} s", under=2, value=settle_s)
    start_s, memory_mb = measure.measure_pages(scratch=scratch / "pages")
    yield _row("start of the pages, in seconds", f"{start_s:.2f} s", under=1, value=start_s)
    yield _row("memory of the pages, in megabytes", f"{memory_mb:.0f} MB", under=150, value=memory_mb)
    pages_ms, resettle_s = measure.measure_store(
        rounds=rounds, findings=rounds // 10, rules="shoe-eight-deck", scratch=scratch / "store", cores=cores
    )
    stored = f"with {rounds:,} rounds stored"
    yield _row(f"queue and round pages {stored}, 95 %, in ms", f"{pages_ms:.1f} ms", under=50, value=pages_ms)
    yield _row(f"resettle {stored}, for a million", f"{resettle_s:.1f} s", under=60, value=resettle_s * 1e6 / rounds)


def _footage_rows(footage: Path, profile: Path, *, cores: int, scratch: Path) -> Iterator[Row]:
    from workers.bench import measure_footage
    from workers.bench_live import measure_live

    got = measure_footage(footage, profile, scratch=scratch, cores=cores)
    real, decode, yolo = got.length_s / got.audit_s, got.decode_s / got.audit_s, got.yolo_s / got.audit_s
    what = f"audit of {got.length_s:.0f} s ({got.rounds} rounds), times real time"
    yield _row(what, f"{got.audit_s:.1f} s: {real:.1f}", least=15, value=real)
    yield _row("only decoding, of the audit's time", f"{got.decode_s:.1f} s: {decode:.2f}", least=0.5, value=decode)
    yield _row("network on every frame, of the audit's time", f"{got.yolo_s:.1f} s: {yolo:.1f}", least=20, value=yolo)
    yield _row("memory of a worker, in megabytes", f"{got.worker_mb:.0f} MB", under=1500, value=got.worker_mb)
    late = measure_live(footage, profile, scratch=scratch / "live", most_s=_LIVE_S)
    if late:
        what = f"live, from the end of a round to its finding, latest of {len(late)}, in seconds"
        yield _row(what, f"{max(late):.1f} s", under=10, value=max(late))


def _row(what: str, measured: str, *, value: float, under: float | None = None, least: float | None = None) -> Row:
    """Return the row of a figure that must stay under a budget, or reach at least one."""
    if under is not None:
        return what, measured, f"under {under:g}", value < under
    return what, measured, f"at least {least:g}", value >= (least or 0.0)
