"""What the pages ask for is done by workers: files looked at, folders looked into, audits begun and worked off."""

from __future__ import annotations

import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlite_utils import Database

from audit.store import footage as stored
from audit.store import library as wishes
from workers import attendant, library
from workers.settings import Settings

AT = datetime(2026, 11, 21, 4, 0, tzinfo=UTC)


def clock() -> datetime:
    return datetime.now(UTC)


pytestmark = pytest.mark.usefixtures("fake_workers")


def uploaded(db: Database, path: Path) -> int:
    return stored.register_footage(db, sha256=path.name.ljust(64, "0"), path=str(path), size_bytes=1, at=AT)


def kept_profile(db: Database, profile: Path) -> int:
    text = profile.read_text()
    return stored.store_profile(db, name="BJ-07", game="blackjack", toml=text, sha256="p" * 64, at=AT)


def test_an_uploaded_file_is_looked_at(db: Database, video: Path) -> None:
    footage_id = uploaded(db, video)
    library.look_around(db, clock=clock)
    row = stored.footage(db, footage_id)
    assert (row.duration_ms, row.width, row.height, row.codec, row.error) == (450_000, 64, 48, "h264", None)
    assert not wishes.something_waits(db)


def test_a_file_that_is_no_video_is_told_in_a_sentence_and_not_looked_at_again(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "night.mp4"
    path.write_text("not a video")
    footage_id = uploaded(db, path)
    library.look_around(db, clock=clock)
    error = stored.footage(db, footage_id).error
    assert error is not None
    assert error.startswith("night.mp4: expected a video, found")
    assert wishes.unlooked_footage(db) == ()


def test_a_folder_is_looked_into_and_its_recordings_are_wanted(
    db: Database, video: Path, profile: Path, tmp_path: Path
) -> None:
    nights = tmp_path / "nights"
    nights.mkdir()
    shutil.copy(video, nights / "one.mp4")
    (nights / "bad.mp4").write_text("nothing")
    folder_id = wishes.add_folder(db, str(nights), profile_id=kept_profile(db, profile), actor="sam", at=AT)
    library.look_around(db, clock=clock)
    row = wishes.folder(db, folder_id)
    assert row.error is not None
    assert row.error.startswith("bad.mp4: expected a video")
    assert not row.waits
    good = next(one for one in wishes.library(db) if one.path.endswith("one.mp4"))
    assert wishes.wanted_audits(db) == ((good.id, 1),)


def test_a_folder_that_is_none_is_told(db: Database, tmp_path: Path) -> None:
    folder_id = wishes.add_folder(db, str(tmp_path / "gone"), profile_id=None, actor="sam", at=AT)
    library.look_around(db, clock=clock)
    assert str(wishes.folder(db, folder_id).error).endswith("gone: expected a folder, found none")


def test_footage_of_another_size_than_the_profile_is_refused_in_a_sentence(
    db: Database, video: Path, profile: Path
) -> None:
    profile.write_text(profile.read_text().replace("[64, 48]", "[640, 480]"))
    footage_id = uploaded(db, video)
    library.look_around(db, clock=clock)
    wishes.want_audit(db, footage_id, kept_profile(db, profile), actor="sam", at=AT)
    assert library.begin_audit(db, footage_id, 1, now=AT) is None
    (row,) = wishes.library(db)
    assert "expected 640" in str(row.refused_error)
    assert (row.refused_under, row.refused_at) == ("BJ-07", "2026-11-21T04:00:00.000+00:00")
    assert wishes.wanted_audits(db) == ()


def test_a_wanted_audit_is_worked_off_to_its_end(db: Database, settings: Settings, video: Path, profile: Path) -> None:
    footage_id = uploaded(db, video)
    wishes.want_audit(db, footage_id, kept_profile(db, profile), actor="sam", at=AT)
    library.tend(db, settings, crew_size=1, clock=clock)
    (row,) = wishes.library(db)
    assert (row.run_status, row.segments, row.segments_done, row.wanted) == ("done", 3, 3, 0)
    assert not wishes.something_waits(db)


def test_beside_the_pages_waiting_work_is_done_without_being_asked_again(
    db: Database, settings: Settings, video: Path
) -> None:
    footage_id = uploaded(db, video)
    beside = attendant.Attendant(settings.data_dir, workers=1)
    beside.start()
    deadline = time.monotonic() + 60
    while wishes.something_waits(db) and time.monotonic() < deadline:
        time.sleep(0.1)
    beside.stop()
    assert stored.footage(db, footage_id).duration_ms == 450_000
