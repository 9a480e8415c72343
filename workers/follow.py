"""Following a running camera: what it shows is recorded, recognised and told round by round.

The stream is recorded in files of some minutes, cut between rounds. Each is footage with a run of its own, which grows:
its states are stored every few seconds, a round is told as soon as its cards have been cleared for a moment, and when
the file is full, the run is audited once more as a whole and finished like that of any other footage. Recognition goes
on from file to file, so that nothing is looked at twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database

from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from audit.states import HandSeen, TableState, format_state
from audit.store import recordings
from audit.table import TableProfile
from audit.timing import Span
from models.camera import camera_of
from models.frames import FootageError, Frame, probe
from models.live import LiveCamera, Recorded
from models.proposals import Eyes
from models.recognise import FIRST_PART, drift_from
from models.recogniser import INTERVAL_MS, Recogniser
from models.suitability import require_inside
from workers import jobs
from workers.crew import is_gone
from workers.pins import pins_of, sha256_of

logger = logging.getLogger(__name__)

CALM_MS: Final = 2_000
"""How long a table is clear of cards before its round is told, unless it is dealt to again: little changes it then."""
_LOOK_MS: Final = 500
_STORE_MS: Final = 5_000
_FINAL_MS: Final = 6_000  # within this what a file shows is final once the next one has begun
_SETTLED: Final = ("complete", "void")
_BESIDE: Final = frozenset({"shoe", "discard"})
_AT_LATEST: Final = 1.5  # of a file's length: then it is cut though no round has just ended, if no card lies there
_EVER: Final = 1 << 60


@dataclass(frozen=True, kw_only=True)
class Told:
    """Rounds of a recording that were told (``contracts/audit.md``), and how far recognition is behind the camera."""

    path: Path
    run_id: int
    rounds: tuple[dict[str, Any], ...]
    behind_ms: int


@dataclass(frozen=True, kw_only=True)
class Watch:
    """What a camera is followed with."""

    profile: TableProfile
    profile_id: int
    eyes: Eyes
    recorder: str
    clock: jobs.Clock
    file_ms: int
    tell: Callable[[Told], None]


@dataclass(slots=True, eq=False)
class _File:
    """One file of the recording: its states so far, in its own time.

    ``ends`` is when it was to be cut, in the time of the stream: what is laid down from there on to its last picture
    belongs to the first round of the next file.
    """

    recorded: Recorded
    footage_id: int
    run_id: int
    states: list[TableState] = field(default_factory=list)
    stored: int = 0
    stored_until: int = 0
    told: int = 0
    ends: int | None = None


class Follower:
    """Follows one camera until its stream ends.

    Raises:
        FootageError: if the stream has another size than the profile's camera.
        CameraError: if the profile has no usable camera.
        SuitabilityError: if half of the zones of cards and bets lie outside the picture.
    """

    def __init__(self, db: Database, camera: LiveCamera, watch: Watch) -> None:
        self._db = db
        self._camera = camera
        self._watch = watch
        self._view = camera_of(watch.profile)
        require_inside(watch.profile, self._view)
        if camera.size != self._view.size:
            expected, found = ("x".join(map(str, size)) for size in (self._view.size, camera.size))
            msg = f"{camera.address}: expected {expected} as the profile says, found {found}"
            raise FootageError(msg)
        self._files: list[_File] = []
        self._looked_ms = self._stored_ms = 0
        self._dealt = False
        self._clear_since: int | None = None
        self._began = watch.clock()

    def follow(self) -> None:
        """Record, recognise and tell until the stream ends; then finish what was recorded."""
        self._camera.start()
        frames = self._camera.frames(interval_ms=INTERVAL_MS)
        first = list(_first_part(frames))
        drift = drift_from(first, self._watch.profile, self._view)
        recogniser = Recogniser(self._watch.profile, self._view, self._watch.eyes, drift=drift)
        for state in recogniser.states(self._watched(chain(first, frames), recogniser)):
            self._take(state)
        self._camera.join()
        while self._files:
            self._finish(self._files[0])

    def _watched(self, frames: Iterable[Frame], recogniser: Recogniser) -> Iterator[Frame]:
        """Yield the frames, and do what is due after each."""
        for frame in frames:
            t_ms = int(frame.t_ms)
            self._open_files(t_ms)
            yield frame
            if t_ms - self._looked_ms >= _LOOK_MS:
                self._looked_ms = t_ms
                self._tick(t_ms, recogniser.provisional())

    def _open_files(self, t_ms: int) -> None:
        """Store every file that has begun by now as footage with an open run."""
        newest = self._files[-1].recorded.begins if self._files else -1
        for recorded in self._camera.files:
            if newest < recorded.begins <= t_ms:
                self._files.append(self._opened(recorded))

    def _opened(self, recorded: Recorded) -> _File:
        watch = self._watch
        footage_id = recordings.begin_recording(
            self._db,
            path=str(recorded.path.absolute()),
            size=self._camera.size,
            codec=self._camera.codec,
            recorder=watch.recorder,
            began=self._began + timedelta(milliseconds=recorded.begins),
            at=watch.clock(),
        )
        pins = pins_of(watch.profile)
        run_id = recordings.open_run(self._db, footage_id, profile_id=watch.profile_id, pins=pins, at=watch.clock())
        return _File(recorded=recorded, footage_id=footage_id, run_id=run_id)

    def _take(self, state: TableState) -> None:
        """Give a state that is final to the file, or the two files, in which it held."""
        for file, part in self._parts([state]):
            file.states.append(part)

    def _parts(self, states: Iterable[TableState]) -> Iterator[tuple[_File, TableState]]:
        for file in self._files:
            first, end = int(file.recorded.begins), _EVER if file.ends is None else file.ends
            for state in states:
                if state.span.last >= first and state.span.first < end:
                    yield file, within(state, first, end)

    def _tick(self, t_ms: int, provisional: tuple[TableState, ...]) -> None:
        file = self._files[-1]
        if len(self._files) > 1 and t_ms >= file.recorded.begins + _FINAL_MS:
            self._finish(self._files[0])
        if t_ms - self._stored_ms >= _STORE_MS:
            self._stored_ms = t_ms
            self._store(file)
        is_over = self._is_round_over(t_ms, provisional)
        if is_over:
            self._judge(file, [part for of, part in self._parts(provisional) if of is file])
        full_ms = self._watch.file_ms if is_over else _AT_LATEST * self._watch.file_ms
        if file.ends is None and not self._dealt and t_ms - file.recorded.begins >= full_ms:
            file.ends = t_ms
            self._camera.cut()

    def _is_round_over(self, t_ms: int, provisional: tuple[TableState, ...]) -> bool:
        """Whether the cards of a round were cleared a while ago, or cleared and dealt again: once for each round."""
        if not provisional or provisional[-1].view != "ok":
            return False
        dealt, before = self._shows_cards(provisional[-1]), self._clear_since
        if not self._dealt:
            self._dealt = dealt
            return False
        if before is None:
            self._clear_since = None if dealt else t_ms
            return False
        if not dealt and t_ms - before < CALM_MS:
            return False
        self._dealt, self._clear_since = dealt, None
        return True

    def _shows_cards(self, state: TableState) -> bool:
        lying = [one for one in state.objects if one.kind in ("card", "card_back")]
        return any(_BESIDE.isdisjoint(zone.name for zone in self._watch.profile.zones_at(one.xy_mm)) for one in lying)

    def _store(self, file: _File) -> None:
        """Store the states of a file that have become final since the last time."""
        new = file.states[file.stored :]
        if not new:
            return
        first, last = file.stored_until, int(new[-1].span.last) + 1
        lines = [(int(state.span.first), int(state.span.last), format_state(state)) for state in new]
        now = self._watch.clock()
        recordings.add_states(self._db, file.run_id, first_ms=first, last_ms=last, states=lines, at=now)
        file.stored, file.stored_until = len(file.states), last

    def _judge(self, file: _File, provisional: list[TableState]) -> None:
        """Tell the rounds that are over."""
        self._store(file)
        states = [*file.states, *provisional]
        record = audit_states(states, self._watch.profile, thresholds=RECOGNISED).to_json()
        count = len(record["rounds"])
        if count and record["rounds"][-1]["status"] not in _SETTLED:
            count -= 1  # what is partial now may still be completed, unless another round has begun
        if count < file.told:
            return
        rounds = record["rounds"][:count]
        recordings.tell(self._db, file.run_id, rounds=rounds, at=self._watch.clock())
        self._tell(file, rounds)

    def _tell(self, file: _File, rounds: list[dict[str, Any]]) -> None:
        new, file.told = rounds[file.told :], len(rounds)
        if new:
            told = Told(
                path=file.recorded.path, run_id=file.run_id, rounds=tuple(new), behind_ms=self._camera.behind_ms
            )
            self._watch.tell(told)

    def _finish(self, file: _File) -> None:
        """Close the first file and audit it as a whole."""
        self._store(file)
        self._files.remove(file)
        close(self._db, file.footage_id, file.recorded.path, recognised_ms=None, clock=self._watch.clock)
        jobs.audit_run(self._db, file.run_id, clock=self._watch.clock)


def close_left(db: Database, *, clock: jobs.Clock) -> int:
    """Close recordings whose recorder has ended; what nobody has recognised waits for a worker. Return how many."""
    gone = [one for one in recordings.left(db) if is_gone(one.recorder)]
    for one in gone:
        close(db, one.footage_id, Path(one.path), recognised_ms=one.recognised_ms, clock=clock)
    return len(gone)


def close(db: Database, footage_id: int, path: Path, *, recognised_ms: int | None, clock: jobs.Clock) -> None:
    """Take a recorded file for footage like any other.

    Args:
        db: the store.
        footage_id: the recording.
        path: its file.
        recognised_ms: how far it is recognised, None if wholly.
        clock: tells the time.
    """
    try:
        held = probe(path)
    except FootageError as error:
        recordings.give_up_recording(db, footage_id, error=str(error), at=clock())
        return
    rest = None if recognised_ms is None or recognised_ms > held.readable_ms else (recognised_ms, held.readable_ms + 1)
    recordings.close_recording(
        db,
        footage_id,
        sha256=sha256_of(path),
        size_bytes=path.stat().st_size,
        duration_ms=held.readable_ms,
        rest=rest,
    )
    logger.info("closed recording %d: %.1f s", footage_id, held.readable_ms / 1000)


def name_of(folder: Path, table_id: str, began: datetime, number: int) -> Path:
    """Return where a new file of a recording is kept: never where one is, as of a connection lost within a second."""
    table = "".join(c if c.isalnum() or c in "-_" else "_" for c in table_id)
    name = f"{began:%Y-%m-%dT%H-%M-%S}-{number + 1:03}"
    names = chain([name], (f"{name}-{again}" for again in count(2)))
    return next(path for path in (folder / table / f"{one}.mp4" for one in names) if not path.exists())


def within(state: TableState, first_ms: int, end_ms: int) -> TableState:
    """Return the part of a state from a moment up to another, not included, in the time since the first."""
    hands = (_hand_within(hand, first_ms) for hand in state.hands if hand.span.last >= first_ms)
    return replace(state, span=_span_within(state.span, first_ms, end_ms), hands=tuple(hands))


def _hand_within(hand: HandSeen, first_ms: int) -> HandSeen:
    return replace(hand, span=_span_within(hand.span, first_ms, _EVER))


def _span_within(span: Span, first_ms: int, end_ms: int) -> Span:
    return Span.of(max(0, int(span.first) - first_ms), min(int(span.last), end_ms - 1) - first_ms)


def _first_part(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Yield the pictures in which the view of the camera is taken."""
    for frame in frames:
        yield frame
        if frame.t_ms >= FIRST_PART.end_ms:
            return
