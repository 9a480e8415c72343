"""``catwalk run``: audit footage through the workers."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from rich.console import Console
    from sqlite_utils import Database

    from audit.table import TableProfile
    from workers.batch import Intake, Piece
    from workers.settings import Settings

    _Table = tuple[tuple[Path, ...], TableProfile, str]
    """Footage, the profile of its table, and the SHA-256 of the profile's file."""
    _Target = tuple[int, str, Path]
    """A run, what of it is written (``.json`` its audit, ``.jsonl`` its states), and where."""

_STOPPED: Final = 130


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
    what is done is not done again. With several files, --json and --states name folders, and no two files
    may have one name. Exit status: 0 whether or not there are findings, 2 if a file or the profile is refused, 1 if an
    audit broke, 130 if it was stopped with Ctrl+C.
    """
    from rich.console import Console

    from workers.batch import BatchError
    from workers.cli.places import opened
    from workers.cli.tables import wide_console
    from workers.settings import read_settings

    settings = read_settings(data_dir=data)
    console, complaints = wide_console(), Console(stderr=True, soft_wrap=True)
    try:
        tables = _tables(footage, profiles, names_matter=json_out is not None or states_out is not None)
        with opened(settings.data_dir) as db:
            intake = _take_in(db, tables)
            for sentence in intake.complaints:
                _say(complaints, sentence)
            targets = _targets(intake.pieces, json_out=json_out, states_out=states_out)
            broken = _audit(db, settings, intake, console, size=workers)
            _tell(db, intake.pieces, console)
            _write(db, targets)
    except (ValueError, OSError, BatchError) as error:  # a profile, file or worker that fails
        _say(complaints, str(error))
        raise SystemExit(1 if isinstance(error, BatchError) else 2) from None
    except KeyboardInterrupt:
        _say(complaints, "stopped; the same command goes on from here")
        raise SystemExit(_STOPPED) from None
    for sentence in broken:
        _say(complaints, sentence)
    raise SystemExit(2 if intake.complaints else int(bool(broken)))


def _tables(footage: Sequence[Path], profile_paths: Sequence[Path], *, names_matter: bool) -> list[_Table]:
    """Return the footage table by table; nothing is stored yet."""
    from workers import batch, jobs
    from workers.cli.places import refuse_equal_names
    from workers.pins import sha256_of

    if len(profile_paths) not in (1, len(footage)):
        msg = f"--profile: expected one, or one for each of {len(footage)} FOOTAGE, found {len(profile_paths)}"
        raise ValueError(msg)
    loaded = [(jobs.load_usable_profile(path), sha256_of(path)) for path in profile_paths]
    loaded *= len(footage) // len(loaded)
    files = [tuple(batch.footage_files([path])) for path in footage]
    if names_matter:
        refuse_equal_names([file for some in files for file in some])
    return [(some, *one) for some, one in zip(files, loaded, strict=True)]


def _take_in(db: Database, tables: Sequence[_Table]) -> Intake:
    """Register all footage, each piece with its profile."""
    from workers import batch, jobs
    from workers.follow import close_left

    close_left(db, clock=_now)
    parts = []
    for files, profile, sha256 in tables:
        profile_id = jobs.store_profile(db, profile, sha256=sha256, now=_now())
        parts.append(batch.take_in(db, files, profile_id=profile_id, clock=_now))
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


def _tell(db: Database, pieces: Sequence[Piece], console: Console) -> None:
    """Print each audit, and one line for each of several."""
    from audit.store.audits import audit_record
    from audit.store.footage import run as stored_run
    from workers.cli.tables import print_sums

    for piece in pieces:
        _report(db, piece, console)
    done = [piece for piece in pieces if stored_run(db, piece.run_id).status == "done"]
    if len(done) > 1:
        print_sums(console, [(piece.path.name, audit_record(db, piece.run_id)) for piece in done])


def _targets(pieces: Sequence[Piece], *, json_out: Path | None, states_out: Path | None) -> list[_Target]:
    """Return what is to be written of which run, and where: each place can be written, as far as is known yet."""
    from workers.cli.places import check_target, folder_made, target_of

    several = len(pieces) > 1
    wanted = [(out, suffix) for out, suffix in ((json_out, ".json"), (states_out, ".jsonl")) if out is not None]
    for out, _ in wanted:
        if several:
            folder_made(out)
    targets = [
        (piece.run_id, suffix, target_of(out, piece.path, suffix, several=several))
        for piece in pieces
        for out, suffix in wanted
    ]
    for _, _, target in targets:
        check_target(target)
    return targets


def _write(db: Database, targets: Sequence[_Target]) -> None:
    from audit.store.audits import audit_record
    from audit.store.footage import run as stored_run
    from audit.store.footage import states_of
    from workers.cli.places import written

    for run_id, suffix, target in targets:
        if stored_run(db, run_id).status != "done":
            continue
        if suffix == ".json":
            written(target, json.dumps(audit_record(db, run_id), indent=1) + "\n")
        else:
            written(target, "".join(f"{line}\n" for line in states_of(db, run_id)))


def _say(console: Console, sentence: str) -> None:
    from workers.cli.tables import printable

    console.print(printable(sentence), highlight=False)


def _now() -> datetime:
    return datetime.now(UTC)
