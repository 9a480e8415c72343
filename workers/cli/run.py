"""``catwalk run``: audit footage through the workers."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from sqlite_utils import Database

    from workers.batch import Intake, Piece
    from workers.settings import Settings


@click.command()
@click.argument("footage", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--profile",
    "profiles",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="Table profile (TOML): one for all FOOTAGE, or one for each in the same order.",
)
@click.option("--json", "json_out", type=click.Path(path_type=Path), help="Write rounds and findings as JSON.")
@click.option("--states", "states_out", type=click.Path(path_type=Path), help="Write the recognised table states.")
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--workers", type=click.IntRange(1, 256), help="Worker processes (one for each processor core).")
def run(
    footage: tuple[Path, ...],
    profiles: tuple[Path, ...],
    json_out: Path | None,
    states_out: Path | None,
    data: Path | None,
    workers: int | None,
) -> None:
    """Audit FOOTAGE (files or folders) of the table in the profile and print its rounds and findings.

    For several tables at once give --profile once for each FOOTAGE, in the same order. What was cut off is continued,
    what is done is not done again. With several files, --json and --states name folders.
    Exit status: 0 whether or not there are findings, 2 if a file or the profile is refused, 1 if an audit broke.
    """
    from rich.console import Console

    from audit.store.database import open_store
    from workers.batch import BatchError
    from workers.cli.tables import wide_console
    from workers.follow import close_left
    from workers.settings import read_settings

    settings = read_settings(data_dir=data)
    console, complaints = wide_console(), Console(stderr=True, soft_wrap=True)
    try:
        db = open_store(settings.data_dir)
    except (ValueError, OSError, sqlite3.Error) as error:
        _say(complaints, f"{settings.data_dir}: expected a data directory that can be written, found {error}")
        raise SystemExit(2) from None
    try:
        close_left(db, clock=_now)
        intake = _take_in(db, footage, profiles)
        for sentence in intake.complaints:
            _say(complaints, sentence)
        broken = _audit(db, settings, intake, console, size=workers)
        for piece in intake.pieces:
            _report(db, piece, console)
        _sum_up(db, intake.pieces, console)
        _write(db, intake.pieces, json_out=json_out, states_out=states_out)
    except (ValueError, OSError, BatchError, sqlite3.Error) as error:  # a profile, file, worker or database that fails
        _say(complaints, str(error))
        raise SystemExit(1 if isinstance(error, BatchError | sqlite3.Error) else 2) from None
    finally:
        db.close()
    for sentence in broken:
        _say(complaints, sentence)
    raise SystemExit(2 if intake.complaints else int(bool(broken)))


def _take_in(db: Database, footage: Sequence[Path], profile_paths: Sequence[Path]) -> Intake:
    """Register all footage, each with its profile; files and profiles are looked at before any is stored."""
    from audit.table import load_profile
    from workers import batch, jobs
    from workers.pins import sha256_of

    if len(profile_paths) not in (1, len(footage)):
        msg = f"--profile: expected one, or one for each of {len(footage)} FOOTAGE, found {len(profile_paths)}"
        raise ValueError(msg)
    loaded = [(load_profile(path), sha256_of(path)) for path in profile_paths]
    files = [list(batch.footage_files([path])) for path in footage]
    ids = [jobs.store_profile(db, profile, sha256=sha256, now=_now()) for profile, sha256 in loaded]
    ids *= len(footage) // len(ids)
    parts = [batch.take_in(db, some, profile_id=i, clock=_now) for some, i in zip(files, ids, strict=True)]
    pieces = {piece.run_id: piece for part in parts for piece in part.pieces}
    return batch.Intake(
        pieces=tuple(pieces.values()),
        complaints=tuple(sentence for part in parts for sentence in part.complaints),
    )


def _audit(db: Database, settings: Settings, intake: Intake, console: Console, *, size: int | None) -> list[str]:
    """Work off what is left to do, with a bar for each file; return a sentence for each audit that broke."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from audit.store.footage import run as stored_run
    from workers import batch
    from workers.cli.tables import printable

    todo = {piece.run_id: piece for piece in intake.pieces if not piece.finished_before}
    if not todo:
        console.print("nothing to do" if intake.pieces else "nothing to audit")
        return []
    cores = os.cpu_count() or 1
    states = {run_id: batch.progress_of(db, run_id) for run_id in todo}
    crew = min(size or cores, sum(one.total - one.done for one in states.values()) or 1)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("segments"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bars:
        tasks = {i: bars.add_task(printable(todo[i].path.name), total=states[i].total) for i in todo}
        batch.work_off(
            db,
            settings,
            list(todo),
            crew_size=crew,
            threads=max(1, cores // crew),
            clock=_now,
            tell=lambda seen: bars.update(tasks[seen.run_id], completed=seen.done),
        )
    rows = ((todo[i].path.name, stored_run(db, i)) for i in todo)
    return [f"{name}: {row.error}" for name, row in rows if row.status == "failed"]


def _report(db: Database, piece: Piece, console: Console) -> None:
    from audit.states import parse_state
    from audit.store.audits import audit_record
    from audit.store.footage import run as stored_run
    from audit.store.footage import states_of
    from workers.cli.tables import print_audit, printable, view_notes

    if stored_run(db, piece.run_id).status != "done":
        return
    before = " (audited before)" if piece.finished_before else ""
    console.print(f"\n[bold]{printable(piece.path.name)}[/bold]{before}")
    print_audit(console, audit_record(db, piece.run_id))
    for note in view_notes(map(parse_state, states_of(db, piece.run_id))):
        console.print(printable(note), highlight=False)


def _sum_up(db: Database, pieces: Sequence[Piece], console: Console) -> None:
    """Print one line for each of several audits."""
    from audit.store.audits import audit_record
    from audit.store.footage import run as stored_run
    from workers.cli.tables import print_sums

    done = [piece for piece in pieces if stored_run(db, piece.run_id).status == "done"]
    if len(done) > 1:
        print_sums(console, [(piece.path.name, audit_record(db, piece.run_id)) for piece in done])


def _write(db: Database, pieces: Sequence[Piece], *, json_out: Path | None, states_out: Path | None) -> None:
    from audit.store.audits import audit_record
    from audit.store.footage import run as stored_run
    from audit.store.footage import states_of

    for piece in pieces:
        if stored_run(db, piece.run_id).status != "done":
            continue
        if json_out is not None:
            target = _target(json_out, piece, ".json", several=len(pieces) > 1)
            target.write_text(json.dumps(audit_record(db, piece.run_id), indent=1) + "\n", encoding="utf-8")
        if states_out is not None:
            target = _target(states_out, piece, ".jsonl", several=len(pieces) > 1)
            target.write_text("".join(f"{line}\n" for line in states_of(db, piece.run_id)), encoding="utf-8")


def _target(out: Path, piece: Piece, suffix: str, *, several: bool) -> Path:
    if not several:
        return out
    out.mkdir(parents=True, exist_ok=True)
    return out / f"{piece.path.stem}{suffix}"


def _say(console: Console, sentence: str) -> None:
    from workers.cli.tables import printable

    console.print(printable(sentence), highlight=False)


def _now() -> datetime:
    return datetime.now(UTC)
