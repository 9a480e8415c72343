"""The evaluation of footage from end to end: recognise it, audit it, compare both with the truth."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from audit.states import TableState, format_state, parse_state
from audit.table import TableProfile, parse_profile
from models.camera import camera_of
from models.complaints import complaint
from models.evaluate import StageScore, score_states
from models.evaluate_rounds import RoundScore, score_rounds
from models.frames import Segment, check_size, probe, segments
from models.suitability import require_inside

_NEEDED: Final = ("moments", "rounds", "findings")
OnSegment = Callable[[int, int], None]


class TruthError(ValueError):
    """A truth file that cannot be used; the message names file, key, expected and found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What lay on the table at every settled moment, the rounds as they were played, the errors planted in them."""

    states: tuple[TableState, ...]
    record: dict[str, Any]

    @property
    def table_id(self) -> str | None:
        """The table whose profile the footage wants, None if the truth does not say."""
        name = self.record.get("profile")
        return name if isinstance(name, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All scores of one piece of footage, or of several together."""

    stages: dict[str, StageScore]
    rounds: RoundScore
    states: tuple[TableState, ...]
    warnings: tuple[str, ...]

    def as_record(self) -> dict[str, Any]:
        """Return the scores as plain data."""
        return {
            "stages": {name: score.as_record() for name, score in self.stages.items()},
            "end_to_end": self.rounds.as_record(),
            "planted_by_kind": self.rounds.kinds_record(),
            "false_by_kind": dict(self.rounds.false.most_common()),
            "undetermined_by_reason": dict(self.rounds.reasons.most_common()),
            "warnings": list(self.warnings),
        }

    def lines(self, *, verbose: bool) -> Iterator[str]:
        """Yield the scores as lines to print; ``verbose`` names everything that is not right."""
        for name, score in self.stages.items():
            counts = ", ".join(f"{count} {verdict}" for verdict, count in score.as_record().items())
            yield f"{name}: {counts}"
            for mistake in score.mistakes if verbose else ():
                place = f"({mistake.xy_mm[0]:.0f}, {mistake.xy_mm[1]:.0f}) mm at {mistake.t_ms / 1000:.2f} s"
                yield f"  {mistake.verdict}: expected {mistake.expected}, found {mistake.found}, {place}"
        for name, value in self.rounds.as_record().items():
            yield f"{name}: {value}"
        for kind, fates in self.rounds.kinds_record().items():
            yield f"planted {kind}: " + ", ".join(f"{count} {fate}" for fate, count in fates.items())
        yield from (f"false {kind}: {count}" for kind, count in self.rounds.false.most_common())
        yield from (f"undetermined, {reason}: {count}" for reason, count in self.rounds.reasons.most_common())
        if verbose:
            yield from (f"  {remark}" for remark in self.rounds.remarks)


def together(evaluations: Iterable[Evaluation]) -> Evaluation:
    """Return the scores of several pieces of footage as one; states are left out."""
    stages: dict[str, StageScore] = {}
    rounds = RoundScore()
    warnings: list[str] = []
    for one in evaluations:
        for name, score in one.stages.items():
            stages.setdefault(name, StageScore()).add(score)
        rounds.add(one.rounds)
        warnings.extend(one.warnings)
    return Evaluation(stages=stages, rounds=rounds, states=(), warnings=tuple(warnings))


def load_truth(path: Path) -> Truth:
    """Return the truth in a file.

    Raises:
        TruthError: if it cannot be read or lacks a part.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"{path}: expected a truth file in JSON, found {error.__class__.__name__}"
        raise TruthError(msg) from None
    for key in _NEEDED:
        found = record.get(key) if isinstance(record, dict) else None
        if not isinstance(found, list):
            msg = f"{path}: {key}: expected a list, found {found!r:.40}"
            raise TruthError(msg)
    for place, item in enumerate(record["rounds"]):
        if not isinstance(item, dict):
            msg = f"{path}: rounds[{place}]: expected an object, found {item!r:.40}"
            raise TruthError(msg)
    try:
        states = tuple(_state(moment) for moment in record["moments"])
    except (ValueError, KeyError, TypeError) as error:
        msg = f"{path}: moments: {error}"
        raise TruthError(msg) from None
    return Truth(states=states, record=record)


def _state(moment: dict[str, Any]) -> TableState:
    keys = {key: moment[key] for key in ("t_ms", "objects", "covered") if key in moment}
    return parse_state(json.dumps(keys))


def evaluate_footage(
    footage: Path, truth: Truth, profile: TableProfile, *, workers: int = 0, on_segment: OnSegment
) -> Evaluation:
    """Return how well footage is recognised and audited.

    Raises:
        FootageError: if it is no footage, or of another size than the profile's camera.
        CameraError: if the profile's camera cannot be.
        SuitabilityError: if half of the zones of cards and bets lie outside the picture.
    """
    camera = camera_of(profile)
    require_inside(profile, camera)
    seen = probe(footage)
    check_size(seen, camera.size)
    parts = segments(seen)
    count = workers or os.cpu_count() or 1
    states = _recognised(footage, parts, profile, workers=min(count, len(parts)), on_segment=on_segment)
    return evaluate_states(states, truth, profile, warnings=tuple(filter(None, (complaint(seen, profile),))))


def evaluate_states(
    states: tuple[TableState, ...], truth: Truth, profile: TableProfile, *, warnings: tuple[str, ...] = ()
) -> Evaluation:
    """Return how right states are that were recognised before, and the audit of them."""
    audit = audit_states(states, profile, thresholds=RECOGNISED).to_json()
    return Evaluation(
        stages=score_states(states, truth.states, profile),
        rounds=score_rounds(audit, truth.record),
        states=states,
        warnings=warnings,
    )


def _recognised(
    footage: Path, parts: tuple[Segment, ...], profile: TableProfile, *, workers: int, on_segment: OnSegment
) -> tuple[TableState, ...]:
    lines: dict[int, list[str]] = {}
    if workers <= 1:
        for part in parts:
            lines[part.index] = _recognise_part(str(footage), part, profile.text)
            on_segment(len(lines), len(parts))
    else:
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # two processes' threads would wait for each other
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(max_workers=workers, mp_context=spawn) as pool:
            jobs = {pool.submit(_recognise_part, str(footage), part, profile.text): part for part in parts}
            for job in as_completed(jobs):
                lines[jobs[job].index] = job.result()
                on_segment(len(lines), len(parts))
    return tuple(parse_state(line) for index in sorted(lines) for line in lines[index])


def _recognise_part(footage: str, part: Segment, profile_text: str) -> list[str]:
    """Recognise one segment in this process; states travel between processes as their lines."""
    from models.eyes import load_eyes  # noqa: PLC0415 - networks are loaded only where a segment is recognised
    from models.recognise import recognise  # noqa: PLC0415

    profile = parse_profile(profile_text)
    eyes = load_eyes(camera_of(profile), profile=profile)
    return [format_state(state) for state in recognise(Path(footage), part, profile, eyes)]
