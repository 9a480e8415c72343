"""Incident reports: written, printed, as PDF and as an evidence pack that verifies by itself."""

from __future__ import annotations

import hashlib
import io
import json
import re
import time
import zipfile
from contextlib import suppress
from datetime import timedelta
from functools import partial
from html import unescape
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from sqlite_utils import Database

from audit.store import dealers, incidents, ledger, review
from audit.store.database import open_store, stamp
from models.frames import frames, probe
from tests.web.conftest import AT, post, sign_in
from web import create_app
from web.incident_stills import take_stills
from web.summary import with_titles
from workers.cli.serve import start_pack
from workers.cli.verify import verify
from workers.evidence import PackError, make_pack

FIELDS = {
    "property": "The Harbour",
    "occurred_at": "2026-03-01 03:12",
    "reported_at": "2026-03-01 04:00",
    "reported_by": "sam",
    "dealer": "Łucja Nowak",
    "supervisor": "B. Okafor",
    "error_type": "Overpaid blackjack",
    "rule": "Blackjack Payouts 2",
    "money": "loss to the house, 25.00",
    "disposition": "dealer coached",
    "summary": "Seat 1 was paid 2 to 1 <b>on 50.00</b>.",
}


@pytest.fixture
def client(data_dir: Path) -> FlaskClient:
    """Pages whose packs are made at once."""

    def make(copy_id: int) -> None:
        store = open_store(data_dir)
        with suppress(PackError):  # the store says why
            make_pack(store, copy_id, data_dir=data_dir, now=AT)
        store.close()

    client = create_app(data_dir, clock=lambda: AT, make_pack=make).test_client()
    sign_in(client, "sam")
    return client


@pytest.fixture
def written(client: FlaskClient) -> FlaskClient:
    assert post(client, "/findings/1/report", **FIELDS).location == "/incidents/1"
    return client


def test_a_new_report_proposes_what_is_known_and_leaves_the_rest_empty(client: FlaskClient, db: Database) -> None:
    page = client.get("/findings/1/report").text
    assert 'name="error_type" value="Pay amount"' in page
    assert 'name="money" value="loss to the house, 25.00"' in page
    assert 'name="dealer" value=""' in page
    assert 'name="occurred_at" value=""' in page


def test_a_new_report_sums_up_table_round_wager_and_hands(client: FlaskClient) -> None:
    page = unescape(client.get("/findings/1/report").text)
    said = "BJ-07, round 1, seat 1, hand 1, main. Expected: 3 to 2 on 50.00: 75.00. Observed: 100.00 in green."
    assert f"{said} Cards: seat 1 A♠ K♦ (21); dealer 9♠ 8♥ (17)." in page


def test_the_settlement_names_the_document_of_a_rule(written: FlaskClient) -> None:
    assert "blackjack: 3 to 2 (Blackjack manual, line 686)" in post(written, "/incidents/1/print").text
    assert with_titles("see 002:L29-31, and 999:L1") == "see 21 Stud, lines 29-31, and 999:L1"


def test_the_report_on_a_dismissed_finding_says_so_first(written: FlaskClient) -> None:
    assert "was dismissed" not in written.get("/incidents/1").text
    post(written, "/findings/1/decide", verdict="dismiss", reason="reading wrong")
    said = "The finding was dismissed by sam on 2026-03-01 04:00 UTC: reading wrong."
    assert said in written.get("/incidents/1").text
    assert post(written, "/incidents/1/print").text.index(said) < post(written, "/incidents/1/print").text.index("<h2>")


def test_dealer_supervisor_and_time_come_from_the_rota_and_the_recording(client: FlaskClient, db: Database) -> None:
    duty = dealers.Duty(
        dealer="Łucja Nowak",
        table_name="BJ-07",
        starts=AT - timedelta(hours=1),
        ends=AT + timedelta(hours=1),
        supervisor="B. Okafor",
    )
    dealers.add_duties(db, [duty], source=dealers.Source.PAGE, actor="sam", at=AT)
    db.execute("UPDATE footage SET recorded_at = ?", [stamp(AT)])
    page = client.get("/findings/1/report").text
    assert 'name="dealer" value="Łucja Nowak"' in page
    assert 'name="supervisor" value="B. Okafor"' in page
    assert 'name="occurred_at" value="2026-03-01 04:00:02 UTC"' in page


def test_a_finding_has_one_report_and_every_version_is_kept(written: FlaskClient, db: Database) -> None:
    assert written.get("/findings/1/report").location == "/incidents/1"
    post(written, "/findings/1/report", **FIELDS)
    post(written, "/incidents/1", **(FIELDS | {"disposition": "closed"}))
    report = incidents.incident(db, 1)
    assert (report.number, report.versions, report.fields["disposition"]) == ("2026-00001", 2, "closed")
    assert [one.action for one in ledger.log_entries(db)].count("incident report") == 2
    assert "2026-00001" in written.get("/incidents").text


def test_the_printed_view_says_everything_and_is_logged_as_a_copy(written: FlaskClient, db: Database) -> None:
    answer = post(written, "/incidents/1/print")
    for words in (
        *FIELDS.values(),
        "BJ-07",
        "2026-00001",
        "3 to 2 on 50.00: 75.00",
        "100.00 in green",
        "f" * 64,
        "+25.00",
    ):
        assert words.replace("<b>", "&lt;b&gt;").replace("</b>", "&lt;/b&gt;") in answer.text
    copy = incidents.copies(db, 1)[0]
    assert (copy.kind, copy.status, copy.sha256) == ("html", "done", hashlib.sha256(answer.data).hexdigest())
    assert [one.action for one in ledger.log_entries(db)][-2:] == ["copy", "copy made"]


def test_the_pdf_is_one_and_its_hash_is_kept(written: FlaskClient, db: Database) -> None:
    answer = post(written, "/incidents/1/pdf")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF-")
    assert incidents.copies(db, 1)[0].sha256 == hashlib.sha256(answer.data).hexdigest()
    assert "2026-00001.pdf" in answer.headers["Content-Disposition"]


def pictures_in(content: bytes) -> int:
    return len(re.findall(rb"/Subtype /Image\b", content))


def test_paper_shows_the_frames_before_and_after(written: FlaskClient) -> None:
    assert pictures_in(post(written, "/incidents/1/pdf").data) == 4
    printed = post(written, "/incidents/1/print").text
    assert printed.count('src="data:image/jpeg;base64,') == 4
    for words in ("one second before, 0:00:01.0", "it begins, 0:00:02.0", "one second after, 0:00:03.2"):
        assert f"<figcaption>{words}</figcaption>" in printed


def test_the_frames_are_those_of_their_moments(db: Database) -> None:
    """The bright bar of frame 50 of the recording lies from pixel 100 to 140, that of frame 80 from 160 to 200."""
    taken = take_stills(db, review.finding(db, 1)).taken
    for still, left in ((taken[1], 100), (taken[3], 160)):
        blue = cv2.imdecode(np.frombuffer(still.jpeg, np.uint8), flags=cv2.IMREAD_COLOR)[150, :, 0]
        assert blue[left + 20] > 120
        assert blue[left - 20] < 80


def test_paper_says_why_it_shows_no_frames(written: FlaskClient, db: Database) -> None:
    db.execute("UPDATE footage SET path = '/gone/night.mp4'")
    assert pictures_in(post(written, "/incidents/1/pdf").data) == 0
    said = "No still frames could be taken. night.mp4: expected a video file, found no such file."
    assert said in post(written, "/incidents/1/print").text


def test_the_pack_holds_the_round_its_stills_and_exactly_its_clip(written: FlaskClient, tmp_path: Path) -> None:
    post(written, "/findings/1/decide", verdict="confirm", note="seen twice")
    post(written, "/incidents/1/pack")
    with written.get("/incidents/1/copies/1") as answer:
        content = answer.data
    pack = zipfile.ZipFile(io.BytesIO(content))
    manifest = json.loads(pack.read("manifest.json"))
    assert {one["name"] for one in manifest["files"]} == set(pack.namelist()) - {"manifest.json"}
    for one in manifest["files"]:
        assert hashlib.sha256(pack.read(one["name"])).hexdigest() == one["sha256"]
    assert json.loads(pack.read("round.json"))["round"]["start_ms"] == 1000
    assert [one["code"] for one in json.loads(pack.read("findings.json"))] == ["pay-amount", "dealer-hit"]
    assert "seen twice" in pack.read("log.json").decode()
    assert "stills/000002000-begins-boxes.jpg" in pack.namelist()
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(pack.read("clip.mp4"))
    times = [frame.t_ms for frame in frames(clip)]
    assert (times[0], times[-1], len(times)) == (0, 2000, 51)
    assert probe(clip).size == (320, 180)


def test_the_clips_pictures_are_those_of_the_round(written: FlaskClient, tmp_path: Path) -> None:
    """The bright bar of the recording's frame 25 begins 50 pixels from the left."""
    post(written, "/incidents/1/pack")
    with written.get("/incidents/1/copies/1") as answer:
        pack = zipfile.ZipFile(io.BytesIO(answer.data))
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(pack.read("clip.mp4"))
    blue = next(iter(frames(clip))).bgr[90, :, 0]
    assert blue[60] > 150
    assert blue[30] < 80


def test_a_pack_verifies_alone_and_one_changed_byte_is_named(written: FlaskClient, tmp_path: Path) -> None:
    post(written, "/incidents/1/pack")
    with written.get("/incidents/1/copies/1") as answer:
        content = answer.data
    good, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    good.write_bytes(content)
    found = CliRunner().invoke(verify, [str(good)])
    assert found.exit_code == 0
    assert "incident 2026-00001, all" in found.output
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(bad, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"75.00", b"57.00"))
    found = CliRunner().invoke(verify, [str(bad)])
    assert found.exit_code == 2
    assert "round.json: expected SHA-256" in found.output or "findings.json: expected SHA-256" in found.output
    assert CliRunner().invoke(verify, [str(tmp_path / "none.zip")]).exit_code == 2


def test_serving_the_pages_has_packs_made_by_a_process_of_its_own(data_dir: Path, db: Database) -> None:
    client = create_app(data_dir, clock=lambda: AT, make_pack=partial(start_pack, data_dir)).test_client()
    sign_in(client, "sam")
    post(client, "/findings/1/report", **FIELDS)
    post(client, "/incidents/1/pack")
    for _ in range(600):
        if incidents.copies(db, 1)[0].status != "waiting":
            break
        time.sleep(0.1)
    assert incidents.copies(db, 1)[0].status == "done"


def test_a_pack_that_was_changed_on_disk_is_not_sent(written: FlaskClient, data_dir: Path) -> None:
    post(written, "/incidents/1/pack")
    (data_dir / "exports" / "1.zip").write_bytes(b"x")
    assert written.get("/incidents/1/copies/1").status_code == 409


def test_a_recording_that_is_gone_fails_the_pack_with_one_sentence(written: FlaskClient, db: Database) -> None:
    db.execute("UPDATE footage SET path = '/gone/night.mp4'")
    post(written, "/incidents/1/pack")
    assert incidents.copies(db, 1)[0].status == "failed"
    assert written.get("/incidents/1/copies/1").status_code == 404
    assert "night.mp4: expected a video file" in written.get("/incidents/1").text


def test_roles_read_write_and_take_copies_only_as_they_may(written: FlaskClient) -> None:
    for name, read, act in (("pat", 200, 403), ("ali", 403, 403), ("root", 403, 403)):
        sign_in(written, name)
        assert written.get("/incidents/1").status_code == read
        assert written.get("/incidents").status_code == read
        for path in (
            "/incidents/1",
            "/incidents/1/print",
            "/incidents/1/pdf",
            "/incidents/1/pack",
            "/findings/2/report",
        ):
            assert post(written, path, **FIELDS).status_code == act
        assert written.get("/incidents/1/copies/1").status_code == act


@pytest.mark.parametrize(
    "path", ["/incidents/9", "/incidents/1/copies/9", "/findings/99/report", "/incidents/9999999999999999999999"]
)
def test_what_is_not_there_is_a_clear_page(written: FlaskClient, path: str) -> None:
    assert written.get(path).status_code == 404
