"""``catwalk evaluate``: how well footage is recognised and audited, against a truth."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from audit.table import TableProfile
    from models.evaluation import Evaluation
    from workers.evaluating import Piece


@click.command()
@click.argument("footage", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--truth", "truths", multiple=True, type=click.Path(path_type=Path), help="Truth (NAME.truth.json beside NAME.mp4)."
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Table profile, or a folder of them (TABLE.toml beside the footage, TABLE as the truth says).",
)
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write the scores here, too.")
@click.option("--states", "states_path", type=click.Path(path_type=Path), help="Write the recognised states here, too.")
@click.option(
    "--from-states", "from_states", type=click.Path(path_type=Path), help="Take the states from here: only audit them."
)
@click.option("--keep", is_flag=True, help="Keep the scores in the data directory, for the pages.")
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option(
    "--workers", type=click.IntRange(0), default=0, show_default="one a core", help="Processes that recognise segments."
)
@click.option("--verbose", is_flag=True, help="Name every object and round that is not right.")
def evaluate(
    footage: tuple[Path, ...],
    truths: tuple[Path, ...],
    profiles: tuple[Path, ...],
    json_path: Path | None,
    states_path: Path | None,
    from_states: Path | None,
    keep: bool,
    data: Path | None,
    workers: int,
    verbose: bool,
) -> None:
    """Recognise and audit FOOTAGE (files or folders) and print, stage by stage and end to end, how much is right.

    The truth's format is described by sample_footage/truth.schema.json, so that anyone can bring footage of their own.
    With several files there is a line for each, then the scores of all together; --states and --from-states name
    folders then.
    """
    from models.evaluation import together
    from workers.cli.places import refuse_equal_names, target_of, written
    from workers.evaluating import pieces_of
    from workers.settings import read_settings

    scores: dict[str, Evaluation] = {}
    data_dir = read_settings(data_dir=data).data_dir
    try:
        pieces = pieces_of(footage, truths, profiles)
        several = len(pieces) > 1
        if several and (states_path or from_states):
            refuse_equal_names([piece.footage for piece in pieces])
        _check_places(json_path, states_path, data_dir if keep else None, several=several)
        for piece in pieces:
            source = from_states and target_of(from_states, piece.footage, ".jsonl", several=several)
            scores[str(piece.footage)] = one = _evaluated(piece, source, workers=workers)
            if states_path is not None:
                _write_states(one, target_of(states_path, piece.footage, ".jsonl", several=several))
    except (ValueError, OSError) as error:  # footage, truth or profile: each message names the file
        click.echo(str(error), err=True)
        sys.exit(2)
    whole = together(scores.values()) if several else next(iter(scores.values()))
    _print(scores, whole, verbose=verbose)
    record = _record_of(scores, whole, several=several)
    if json_path is not None:
        written(json_path, json.dumps(record, indent=1) + "\n")
    if keep:
        names = ", ".join(piece.footage.name for piece in pieces)
        _keep(record, footage=names, profile=pieces[0].profile, data_dir=data_dir)


def _write_states(one: Evaluation, target: Path) -> None:
    from audit.states import format_state
    from workers.cli.places import written

    written(target, "".join(f"{format_state(state)}\n" for state in one.states))


def _record_of(scores: Mapping[str, Evaluation], whole: Evaluation, *, several: bool) -> dict[str, Any]:
    """Return the scores of all together, and of each clip if there are several, as they are kept."""
    record = whole.as_record()
    if several:
        record |= {"clips": {name: one.as_record() for name, one in scores.items()}}
    return record


def _check_places(json_path: Path | None, states_path: Path | None, data_dir: Path | None, *, several: bool) -> None:
    """Refuse a place in which nothing can be kept, before the work."""
    from workers.cli.places import check_target, folder_made, opened

    if json_path is not None:
        check_target(json_path)
    if states_path is not None:
        folder_made(states_path if several else states_path.parent)
        if not several:
            check_target(states_path)
    if data_dir is not None:
        with opened(data_dir):
            pass


def _evaluated(piece: Piece, states: Path | None, *, workers: int) -> Evaluation:
    """Evaluate one file; its warnings are told at once.

    Raises:
        ValueError: if footage or camera cannot be used; the message names the file.
        RefusedError: if the states cannot.
    """
    from models.camera import CameraError
    from models.evaluation import evaluate_footage, evaluate_states
    from models.suitability import SuitabilityError
    from workers.cli.seen import states_in

    if states is not None:
        return evaluate_states(states_in(states, piece.profile), piece.truth, piece.profile)
    try:
        got = evaluate_footage(piece.footage, piece.truth, piece.profile, workers=workers, on_segment=_recognised)
    except (CameraError, SuitabilityError) as error:
        msg = f"{piece.profile.table_id}: {error}"
        raise ValueError(msg) from None
    for text in got.warnings:
        click.echo(text, err=True)
    return got


def _print(scores: Mapping[str, Evaluation], whole: Evaluation, *, verbose: bool) -> None:
    from workers.cli.tables import print_scores, wide_console

    if len(scores) > 1:
        print_scores(wide_console(), {Path(name).name: one.as_record() for name, one in scores.items()})
        for name, one in scores.items() if verbose else ():
            click.echo(f"\n{name}")
            for line in one.lines(verbose=True):
                click.echo(line)
        click.echo(f"\nall {len(scores)} files together")
    for line in whole.lines(verbose=verbose and len(scores) == 1):
        click.echo(line)


def _keep(scores: dict[str, Any], *, footage: str, profile: TableProfile, data_dir: Path) -> None:
    from datetime import UTC, datetime

    from audit.store.health import keep_evaluation
    from workers.cli.places import opened
    from workers.pins import pins_of

    pins = pins_of(profile)
    with opened(data_dir) as db:
        keep_evaluation(
            db,
            footage=footage,
            software=pins.software,
            weights_sha256=pins.weights_sha256,
            scores=scores,
            at=datetime.now(UTC),
        )


def _recognised(done: int, of_all: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\rrecognised {done} of {of_all} segments", nl=done == of_all, err=True)
