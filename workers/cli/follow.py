"""``catwalk follow``: audit a running camera."""

from __future__ import annotations

import os
import signal
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from models.live import LiveCamera
    from workers.follow import Told

_PAUSES_S = (1, 2, 5, 10, 30)
_PIPE_AHEAD = 250  # packets: some seconds


@click.command()
@click.argument("source")
@click.option("--profile", required=True, type=click.Path(path_type=Path), help="Table profile (TOML).")
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--minutes", default=15.0, type=click.FloatRange(0.1, 120), help="Length of a recorded file (15).")
@click.option("--tries", type=click.IntRange(0), help="Give up after so many lost connections (never).")
def follow(source: str, profile: Path, data: Path | None, minutes: float, tries: int | None) -> None:
    """Record and audit the running camera at SOURCE, and tell each round as soon as it is over.

    SOURCE is an address (rtsp://, http://, srt://, udp:// and others), or - for the standard input. Its video is kept
    as it comes, in files below the data directory; rounds and findings appear in the pages of `catwalk serve` on the
    same data directory. A connection that breaks is made again. Ctrl-C ends it; what was recorded is audited.
    Exit status: 0 when it was ended, or the standard input has; 2 if the source or the profile is refused.
    """
    from rich.console import Console

    from models.frames import FootageError
    from models.live import PIPE, check_source
    from workers.cli.places import opened
    from workers.settings import read_settings

    settings = read_settings(data_dir=data)
    console, complaints = Console(soft_wrap=True), Console(stderr=True, soft_wrap=True)
    most = 0 if source == PIPE else tries
    try:
        check_source(source)
    except FootageError as error:
        complaints.print(str(error), highlight=False, markup=False)
        raise SystemExit(2) from None
    with opened(settings.data_dir) as db:
        try:
            _Station(db, settings, profile, console, minutes=minutes).attend(source, tries=most)
        except (ValueError, OSError) as error:
            complaints.print(str(error), highlight=False, markup=False)
            raise SystemExit(2) from None


class _Station:
    """Follows a source, again after each lost connection, until it is told to stop."""

    def __init__(self, db: Any, settings: Any, profile: Path, console: Console, *, minutes: float) -> None:
        from audit.table import load_profile
        from models.camera import camera_of
        from models.eyes import load_eyes
        from workers import crew, jobs
        from workers.attendant import Attendant
        from workers.follow import Watch, close_left
        from workers.pins import sha256_of

        self._db, self._folder, self._console = db, settings.data_dir / "recordings", console
        loaded = load_profile(profile)
        self._watch = Watch(
            profile=loaded,
            profile_id=jobs.store_profile(db, loaded, sha256=sha256_of(profile), now=_now()),
            eyes=load_eyes(camera_of(loaded), profile=loaded, threads=1),
            recorder=crew.worker_name(os.getpid()),
            clock=_now,
            file_ms=round(minutes * 60_000),
            tell=self._tell,
        )
        close_left(db, clock=_now)
        self._attendant = Attendant(settings.data_dir, workers=1)
        self._camera: LiveCamera | None = None
        self._stopped = False

    def attend(self, source: str, *, tries: int | None) -> None:
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, self._stop)
        self._attendant.start()
        lost = 0
        try:
            while not self._stopped:
                began = time.monotonic()
                self._follow_once(source, first=lost == 0)
                lost = 1 if time.monotonic() - began > _PAUSES_S[-1] else lost + 1
                if self._stopped or (tries is not None and lost > tries):
                    return
                self._pause(_PAUSES_S[min(lost, len(_PAUSES_S)) - 1])
        finally:
            self._attendant.stop()

    def _follow_once(self, source: str, *, first: bool) -> None:
        from models.frames import FootageError
        from models.live import PIPE, LiveCamera
        from workers.follow import Follower, name_of

        name = partial(name_of, self._folder, self._watch.profile.table_id, _now())
        try:
            self._camera = LiveCamera(source, name, most_ahead=_PIPE_AHEAD if source == PIPE else 0)
            follower = Follower(self._db, self._camera, self._watch)
        except FootageError as error:
            if first:
                raise
            self._say(str(error))
            return
        self._say(f"{self._camera.address}: {self._watch.profile.table_id} is followed")
        follower.follow()
        self._say(f"{self._camera.address}: {self._camera.ended}")

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stopped and time.monotonic() < until:
            time.sleep(0.1)

    def _stop(self, *_: object) -> None:
        self._stopped = True
        if self._camera is not None:
            self._camera.stop()

    def _tell(self, told: Told) -> None:
        from workers.cli.tables import round_lines

        for line in round_lines(told.rounds):
            self._say(line)
        if told.behind_ms > 5_000:  # noqa: PLR2004 - seconds that a reader should know of
            self._say(f"recognition is {told.behind_ms / 1000:.0f} s behind the camera")

    def _say(self, sentence: str) -> None:
        from workers.cli.tables import printable

        self._console.print(
            f"{datetime.now().astimezone():%H:%M:%S} {printable(sentence)}", highlight=False, markup=False
        )


def _now() -> datetime:
    return datetime.now(UTC)
