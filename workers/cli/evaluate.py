"""``catwalk evaluate``: how well footage is recognised and audited, against a truth."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from audit.table import TableProfile


@click.command()
@click.argument("footage", type=click.Path(path_type=Path))
@click.option("--truth", "truth_path", required=True, type=click.Path(path_type=Path), help="Truth beside the footage.")
@click.option("--profile", "profile_path", required=True, type=click.Path(path_type=Path), help="Table profile.")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write the scores here, too.")
@click.option("--states", "states_path", type=click.Path(path_type=Path), help="Write the recognised states here, too.")
@click.option("--keep", is_flag=True, help="Keep the scores in the data directory, for the pages.")
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--workers", default=0, show_default="one a core", help="Processes that recognise segments.")
@click.option("--verbose", is_flag=True, help="Name every object and round that is not right.")
def evaluate(
    footage: Path,
    truth_path: Path,
    profile_path: Path,
    json_path: Path | None,
    states_path: Path | None,
    keep: bool,
    data: Path | None,
    workers: int,
    verbose: bool,
) -> None:
    """Recognise and audit FOOTAGE and print, stage by stage and end to end, how much of it is right.

    The truth's format is described by sample_footage/truth.schema.json, so that anyone can bring footage of their own.
    """
    from audit.states import format_state
    from audit.table import ProfileError, load_profile
    from models.camera import CameraError
    from models.evaluation import TruthError, evaluate_footage, load_truth
    from models.frames import FootageError
    from models.suitability import SuitabilityError

    try:
        profile: TableProfile = load_profile(profile_path)
        truth = load_truth(truth_path)
        scores = evaluate_footage(footage, truth, profile, workers=workers, on_segment=_tell)
    except (ProfileError, TruthError, FootageError) as error:
        _fail(str(error))
    except (CameraError, SuitabilityError) as error:
        _fail(f"{profile_path}: {error}")
    for text in scores.warnings:
        click.echo(text, err=True)
    if states_path is not None:
        states_path.write_text("".join(f"{format_state(state)}\n" for state in scores.states), encoding="utf-8")
    if json_path is not None:
        json_path.write_text(json.dumps(scores.as_record(), indent=1) + "\n", encoding="utf-8")
    if keep:
        _keep(scores.as_record(), footage=footage.name, profile=profile, data=data)
    for line in scores.lines(verbose=verbose):
        click.echo(line)


def _keep(scores: dict[str, object], *, footage: str, profile: TableProfile, data: Path | None) -> None:
    from contextlib import closing
    from datetime import UTC, datetime

    from audit.store.database import open_store
    from audit.store.health import keep_evaluation
    from workers.pins import pins_of
    from workers.settings import read_settings

    pins = pins_of(profile)
    with closing(open_store(read_settings(data_dir=data).data_dir)) as db:
        keep_evaluation(
            db,
            footage=footage,
            software=pins.software,
            weights_sha256=pins.weights_sha256,
            scores=scores,
            at=datetime.now(UTC),
        )


def _tell(done: int, of_all: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\rrecognised {done} of {of_all} segments", nl=done == of_all, err=True)


def _fail(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(2)
