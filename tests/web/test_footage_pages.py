"""The footage library through Flask's test client."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.store import footage, library
from audit.store.database import open_store
from tests.web.conftest import AT, post, sign_in
from web.footage_pages import in_name
from web.recording_names import named_profile, recording_name
from web.uploads import safe_name

VIDEO = b"\x00\x00\x00\x18ftypisom" + bytes(range(256)) * 40


def begin(client: FlaskClient, name: str = "night.mp4", size: int = len(VIDEO)) -> str:
    answer = post(client, "/footage/uploads", name=name, size=str(size))
    assert answer.status_code == 200, answer.text
    return str(answer.json["upload"])


def put(client: FlaskClient, token: str, offset: int, body: bytes):
    with client.session_transaction() as session:
        known = session["csrf"]
    return client.put(f"/footage/uploads/{token}?from={offset}", data=body, headers={"X-Catwalk-Token": known})


def test_a_file_comes_in_parts_and_is_registered_by_its_hash(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    token = begin(client, name="../../night 7 .mp4")
    assert put(client, token, 0, VIDEO[:4000]).json == {"received": 4000}
    again = put(client, token, 0, VIDEO[:4000])
    assert again.status_code == 400
    assert again.json == {"error": "night 7 .mp4: expected the part from byte 4000 on, found one from 0"}
    early = post(client, f"/footage/uploads/{token}/finish")
    assert early.json == {"error": f"night 7 .mp4: expected {len(VIDEO)} bytes, found 4000: it has not come in whole"}
    assert put(client, token, 4000, VIDEO[4000:]).json == {"received": len(VIDEO)}
    number = post(client, f"/footage/uploads/{token}/finish", profile="1", recorded_at="2026-02-28T20:00").json[
        "footage"
    ]
    db = open_store(data_dir)
    row = footage.footage(db, number)
    assert row.sha256 == hashlib.sha256(VIDEO).hexdigest()
    assert row.recorded_at == "2026-02-28T20:00:00.000+00:00"
    assert Path(row.path).read_bytes() == VIDEO
    assert Path(row.path).parent == data_dir / "footage"
    assert library.wanted_audits(db) == ((number, 1),)
    db.close()
    assert "waiting for a worker" in client.get("/footage").text


def test_the_same_file_twice_is_one_recording(client: FlaskClient) -> None:
    sign_in(client, "sam")
    numbers = []
    for name in ("one.mp4", "two.mp4"):
        token = begin(client, name=name)
        put(client, token, 0, VIDEO)
        numbers.append(post(client, f"/footage/uploads/{token}/finish").json["footage"])
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"\x89PNG\r\n\x1a\n....", "a PNG picture"),
        (b"dear reader, this", "text"),
        (b"PK\x03\x04\x00\x00\x00\x00", "a ZIP archive"),
        (b"\x00\x01\x02\x03\x04\x05\x06\x07", "something else"),
    ],
)
def test_what_is_no_video_is_refused_at_its_first_part(client: FlaskClient, body: bytes, found: str) -> None:
    sign_in(client, "sam")
    answer = put(client, begin(client, size=len(body)), 0, body)
    assert answer.status_code == 400
    assert answer.json == {"error": f"night.mp4: expected a recorded video, found {found}"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "night.txt", "size": "5"}, "night.txt: expected a video (.mp4,"),
        ({"name": "", "size": "5"}, "unnamed: expected a video"),
        ({"name": "a.mp4", "size": "0"}, "found an empty file"),
        ({"name": "a.mp4", "size": "x"}, "found an empty file"),
        ({"name": "a.mp4", "size": "999999999999999999"}, "for which there is room, found 1000000000.0 GB"),
    ],
)
def test_an_upload_that_cannot_be_is_refused_before_it_begins(
    client: FlaskClient, fields: dict[str, str], sentence: str
) -> None:
    sign_in(client, "sam")
    answer = post(client, "/footage/uploads", **fields)
    assert answer.status_code == 400
    assert sentence in answer.json["error"]


def test_nobody_adds_to_anothers_upload_or_to_one_that_was_never_begun(client: FlaskClient) -> None:
    sign_in(client, "sam")
    token = begin(client)
    sign_in(client, "root")
    client.get("/footage")
    assert "another user's" in put(client, token, 0, VIDEO).json["error"]
    assert "none of that number" in put(client, "0" * 32, 0, VIDEO).json["error"]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("C:\\tapes\\night.mp4", "night.mp4"),
        ("..", "unnamed"),
        (".hidden.mp4", "hidden.mp4"),
        ("a\x00b\n<c>.mp4", "a_b__c_.mp4"),
        ("x" * 300 + ".mp4", "x" * 146 + ".mp4"),
        ("nuit d'été.mkv", "nuit d_été.mkv"),
    ],
)
def test_a_hostile_name_is_made_a_file_name(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_a_recording_is_dated_by_hand_and_the_log_knows_it(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    assert post(client, "/footage/1", act="date", recorded_at="2026-02-28T20:00").status_code == 302
    assert 'value="2026-02-28 20:00:00"' in client.get("/footage").text
    bad = post(client, "/footage/1", act="date", recorded_at="yesterday")
    assert bad.status_code == 400
    assert "recorded at: expected a date and time" in bad.text
    sign_in(client, "ali")
    assert "after 2026-02-28T20:00:00.000+00:00" in client.get("/log?action=recording dated").text


def test_an_audit_that_could_not_be_begun_reads_failed_under_its_profile_until_it_is_asked_for_again(
    client: FlaskClient, data_dir: Path
) -> None:
    db = open_store(data_dir)
    number = footage.register_footage(db, sha256="e" * 64, path="/n/new.mp4", size_bytes=1, at=AT, duration_ms=9000)
    library.want_audit(db, number, 1, actor="sam", at=AT)
    library.audit_refused(db, number, 1, error="rules: expected one of these, found 'x'", at=AT)
    sign_in(client, "sam")
    page = client.get("/footage").text
    assert '<span class="short">failed</span>' in page
    assert 'under BJ-07, <span class="num">2026-03-01 04:00</span>' in page
    assert "rules: expected one of these, found &#39;x&#39;" in page
    library.want_audit(db, number, 1, actor="sam", at=AT)
    db.close()
    assert "failed" not in client.get("/footage").text


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("BJ-07_20261121_220000.mp4", "2026-11-21T22:00:00"),
        ("2026-11-21 22-05.mkv", "2026-11-21T22:05:00"),
        ("cam3_20261399_220000.mp4", ""),
        ("blackjack.mp4", ""),
    ],
)
def test_a_moment_in_a_name_is_suggested_only(name: str, moment: str) -> None:
    assert in_name(name) == moment


@pytest.mark.parametrize(
    ("name", "suggested"),
    [("BJ-07_20261121.mp4", "BJ-07"), ("stu-11 night.mkv", "STU-11"), ("BJ-071.mp4", None), ("BJ-07 STU-11.mp4", None)],
)
def test_the_profile_that_a_files_name_speaks_of_is_suggested(name: str, suggested: str | None) -> None:
    assert named_profile(name, ["BJ-07", "STU-11"]) == suggested


def test_no_profile_is_chosen_for_a_recording_whose_name_says_nothing(client: FlaskClient, data_dir: Path) -> None:
    db = open_store(data_dir)
    for i, name in enumerate(("DIC-02.mp4", "BJ-07_2.mp4")):
        footage.register_footage(db, sha256=f"{i:064}", path=f"/n/{name}", size_bytes=1, at=AT, duration_ms=9000)
    db.close()
    sign_in(client, "sam")
    rows = client.get("/footage").text.split("<tr>")
    assert ["selected" in next(row for row in rows if name in row) for name in ("DIC-02.mp4", "BJ-07_2.mp4")] == [
        False,
        True,
    ]
    assert post(client, "/footage/2", act="audit", profile="").status_code == 400


def test_an_uploaded_recording_bears_the_name_that_it_came_with(client: FlaskClient, data_dir: Path) -> None:
    kept = str(data_dir / "footage" / "a2c524bf8224-night.mp4")
    db = open_store(data_dir)
    said = "a2c524bf8224-night.mp4: expected a video, found text"
    footage.register_footage(db, sha256="a" * 64, path=kept, size_bytes=1, at=AT, error=said)
    db.close()
    sign_in(client, "sam")
    page = client.get("/footage").text
    assert "night.mp4: expected a video, found text" in page
    assert "a2c524bf8224-" not in page
    assert recording_name("/nights/a2c524bf8224-night.mp4") == "a2c524bf8224-night.mp4"


def test_a_folder_is_registered_looked_into_again_and_forgotten(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "root")
    (data_dir / "notes.txt").touch()
    for path, sentence in (
        ("nights", "expected the whole path of a folder on the server, found &#39;nights&#39;"),
        ("\x00", "expected the whole path of a folder on the server"),
        ("/no/such/folder", "expected a folder on the server, found none at /no/such/folder"),
        (str(data_dir / "notes.txt"), f"expected a folder on the server, found a file at {data_dir}/notes.txt"),
    ):
        answer = post(client, "/footage/folders", folder=path)
        assert answer.status_code == 400
        assert sentence in answer.text
    assert post(client, "/footage/folders", folder=str(data_dir)).status_code == 302
    assert "not registered yet" in post(client, "/footage/folders", folder=str(data_dir)).text
    assert "waiting for a worker" in client.get("/footage").text
    assert post(client, "/footage/folders/1", act="look").status_code == 302
    assert post(client, "/footage/folders/1", act="forget").status_code == 302
    assert post(client, "/footage/folders/1", act="forget").status_code == 400


@pytest.mark.parametrize(
    ("name", "seen", "kept"), [("sam", 200, 400), ("root", 200, 400), ("pat", 200, 403), ("ali", 403, 403)]
)
def test_who_sees_and_who_keeps_the_library(client: FlaskClient, name: str, seen: int, kept: int) -> None:
    sign_in(client, name)
    assert client.get("/footage").status_code == seen
    for path in ("/footage/uploads", "/footage/folders", "/footage/1", "/footage/folders/9"):
        assert post(client, path).status_code == kept


def test_an_administrator_sees_no_link_into_the_footage(client: FlaskClient) -> None:
    sign_in(client, "root")
    assert "first round" not in client.get("/footage").text
    sign_in(client, "sam")
    assert "first round" in client.get("/footage").text
