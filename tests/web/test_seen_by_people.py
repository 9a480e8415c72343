"""An error that a person saw and no audit reported: added, counted apart, taken back, kept through every audit."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlite_utils import Database
from werkzeug.security import generate_password_hash

from audit.store import accuracy, audits, corrections, footage, ledger, recordings, review, second_reviews, users
from audit.store.accuracy import Scope
from audit.store.log_reading import check_chain
from audit.store.second_reviews import Shares
from audit.store.tallies import count_runs
from audit.store.users import Role
from tests.web.conftest import AT, ROUND, post, sign_in
from tests.web.pit import EVENING, put_on_duty
from web import create_app

SAW = {
    "procedure": "P280 whatever its title says",
    "seat": "1",
    "from": "0:00:01.5",
    "to": "2.25",
    "due": "75",
    "paid": "100.00",
    "note": "paid two to one",
}


@pytest.fixture
def sam(data_dir: Path) -> FlaskClient:
    put_on_duty(data_dir)
    client = create_app(data_dir, clock=lambda: EVENING).test_client()
    sign_in(client, "sam")
    return client


@pytest.fixture
def added(sam: FlaskClient) -> FlaskClient:
    """Sam's browser after finding 3 was added."""
    assert post(sam, "/rounds/1/findings", **SAW).location == "/findings/3"
    return sam


def kim(data_dir: Path, db: Database) -> FlaskClient:
    secret = generate_password_hash("right kim", method="pbkdf2:sha256:1")
    users.add_user(db, name="kim", role=Role.SURVEILLANCE, at=AT, password_hash=secret)
    client = create_app(data_dir, clock=lambda: EVENING).test_client()
    sign_in(client, "kim")
    return client


def audit_anew(db: Database, software: str, rounds: list[dict[str, object]]) -> int:
    pins = footage.Pins(software=software, weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=1, profile_id=1, pins=pins, segments=[(0, 4000)], at=AT)
    audits.store_audit(db, run, rounds=rounds, findings=[], at=AT)
    return run


def test_what_was_seen_is_stored_as_the_form_says_it_with_who_and_when(added: FlaskClient, db: Database) -> None:
    row = review.finding(db, 3)
    assert (row.code, row.added_name, row.added_at) == ("seen-by-a-person", "sam", "2026-02-28T20:00:00.000+00:00")
    assert (row.procedures, row.seat, row.first_ms, row.last_ms) == (("P280",), 1, 1500, 2250)
    assert (row.amount, row.round_id, row.decision) == ("25.00", 1, None)
    assert row.observed == "100.00 paid: paid two to one"
    assert row.expected.endswith(": 75.00 due")
    entry = ledger.log_entries(db)[-1]
    assert (entry.action, entry.actor, entry.details["finding"]) == ("finding added", "sam", 3)
    assert check_chain(db).broken is None


def test_it_stands_in_the_queue_on_the_page_of_its_round_and_in_its_search(added: FlaskClient) -> None:
    for path in ("/", "/?q=two+to+one", "/?code=seen-by-a-person"):
        assert '<span class="badge violation">seen by sam</span>' in added.get(path).text
    page = added.get("/findings/3").text
    assert "Seen by a person" in page
    assert "not by the audit" in page
    assert "p 1.000" not in page
    assert "seen by sam" in added.get("/rounds/1").text
    assert "<h1>Pay amount</h1>" in added.get("/rounds/1").text


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"procedure": "P999"}, "expected a procedure of the list, found P999"),
        ({"procedure": ""}, "expected a procedure of the list, found none"),
        ({"seat": "7"}, "expected a seat of the table, found 7"),
        ({"from": "soon"}, "expected a time of the recording such as 0:01:02.5, found soon"),
        ({"from": "3", "to": "2"}, "expected a stretch of the round, 0:00:01.0 to 0:00:03.0, found 0:00:03.0"),
        ({"from": "1:00:00", "to": "1:00:01"}, "expected a stretch of the round"),
        ({"paid": "x"}, "expected an amount such as 50 or 12.50, found x"),
        ({"paid": ""}, "expected what was due and what was paid, or neither, found one of them"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    sam: FlaskClient, db: Database, changed: dict[str, str], said: str
) -> None:
    post(sam, "/rounds/1/findings", **(SAW | changed))
    assert f"Nothing was added: {said}" in sam.get("/rounds/1").text
    assert review.last_finding_id(db) == 2


def test_time_and_note_follow_from_the_player_and_the_procedure(sam: FlaskClient, db: Database) -> None:
    title = sam.get("/procedures.json").json["procedures"][0]["title"]
    post(sam, "/rounds/1/findings", procedure=title, shown_ms="1760")
    row = review.finding(db, 3)
    assert (row.procedures, row.first_ms, row.last_ms, row.seat, row.amount) == (("P001",), 1760, 1760, None, None)
    assert row.observed == "a 7th copy of one card, or more than 312 cards, between two shuffles"


def test_all_procedures_are_offered_those_of_the_table_first(sam: FlaskClient) -> None:
    listed = sam.get("/procedures.json?game=blackjack").json["procedures"]
    assert len({one["id"] for one in listed}) == 420
    numbers = [one["id"] for one in listed]
    assert numbers.index("P280") < numbers.index("P001")


def test_the_same_is_not_added_twice(added: FlaskClient, db: Database) -> None:
    post(added, "/rounds/1/findings", **SAW)
    assert "found finding 3 that says the same" in added.get("/rounds/1").text
    assert review.last_finding_id(db) == 3


def test_audits_of_the_same_footage_neither_lose_nor_repeat_it(added: FlaskClient, db: Database) -> None:
    post(added, "/findings/3/decide", verdict="confirm", note="seen twice")
    later = {**ROUND, "start_ms": 3500, "end_ms": 3900, "findings": []}
    shorter = {**ROUND, "end_ms": 2900}
    for software, rounds, place in (
        ("0.2.0", [later, shorter], 3),
        ("0.3.0", [later], None),
        ("0.4.0", [shorter, later], 5),
    ):
        run = audit_anew(db, software, rounds)
        count_runs(db)
        row = review.finding(db, 3)
        assert (row.run_id, row.round_id, row.current, row.decision) == (run, place, 1, "confirm")
        people = [one for one in review.findings_of_run(db, run) if one.added_by]
        assert [one.id for one in people] == [3]
        assert "Seen by a person</a>" in added.get("/?state=any").text
        assert accuracy.records_by(db, Scope(), "table_name")["BJ-07"].errors.seen_by_people == 1
    assert [one.id for one in review.findings_of_round(db, 1)] == [1, 2]
    assert [one.id for one in review.findings_of_round(db, 5)][-1] == 3
    assert "seen twice" in added.get("/findings/3").text


def test_the_stored_audit_holds_nothing_that_a_person_added(sam: FlaskClient, db: Database) -> None:
    before = audits.audit_record(db, 1)
    post(sam, "/rounds/1/findings", **SAW)
    assert audits.audit_record(db, 1) == before


def test_corrections_and_a_growing_recording_leave_it_alone(added: FlaskClient, db: Database) -> None:
    said = {"kind": "card", "at_ms": 1000, "x_mm": 0.0, "y_mm": 0.0, "first_reading": {}, "reading": {"card": "Td"}}
    new = {**ROUND["findings"][1], "code": "dealer-stood"}
    corrections.append(db, 1, said=said, record=ROUND, findings=[new], user_id=1, at=AT)
    assert [one.id for one in review.findings_of_round(db, 1)] == [4, 3]
    db.execute("UPDATE footage SET recorder = 'a:1'")
    recordings.tell(db, 1, rounds=[{**ROUND, "findings": []}], at=AT)
    assert review.finding(db, 3).current == 1


def test_who_added_it_takes_it_back_and_nobody_else(added: FlaskClient, data_dir: Path, db: Database) -> None:
    other = kim(data_dir, db)
    post(other, "/findings/3/take-back")
    assert review.finding(db, 3).current == 1
    assert "Take back what I added <kbd>u</kbd>" in added.get("/findings/3").text
    assert "Take back what I added" not in other.get("/findings/3").text
    post(added, "/findings/3/take-back")
    page = added.get("/findings/3").text
    assert "sam has taken this finding back" in page
    assert "Seen by a person" not in added.get("/?state=any").text.split("<tbody>")[1]
    audit_anew(db, "0.2.0", [ROUND])
    assert [one.added_by for one in review.findings_of_round(db, 2)] == [None, None]
    assert [one.id for one in review.findings_of_round(db, 1)] == [1, 2]
    assert ledger.log_entries(db)[-2].action == "finding taken back"
    assert check_chain(db).broken is None


def test_what_was_decided_on_is_not_taken_back(added: FlaskClient, db: Database) -> None:
    post(added, "/findings/3/decide", verdict="confirm")
    post(added, "/findings/3/take-back")
    assert review.finding(db, 3).current == 1
    post(added, "/decisions/undo")
    assert review.finding(db, 3).decision is None


def test_it_is_judged_a_second_time_like_any_other(added: FlaskClient, data_dir: Path, db: Database) -> None:
    second_reviews.set_shares(db, Shares(flagged=1.0, unflagged=1.0), user_id=1, actor="sam", at=AT)
    other = kim(data_dir, db)
    post(added, "/findings/3/decide", verdict="confirm", note="certain")
    assert other.get("/second").location == "/second/findings/3"
    assert "certain" not in other.get("/findings/3").text
    assert "data-seen" not in other.get("/second/findings/3").text
    post(other, "/second/findings/3", verdict="dismiss")
    assert "certain" in other.get("/findings/3").text


def test_figures_count_it_apart_and_lead_to_it(added: FlaskClient, db: Database) -> None:
    count_runs(db)
    one = accuracy.records_by(db, Scope(), "table_name")["BJ-07"].errors
    assert (one.standing, one.over_cents, one.seen_by_people) == (2, 2500, 1)
    assert set(accuracy.errors_by_kind(db, Scope())) == {"pay-amount", "dealer-hit"}
    for path in ("/dealers", "/dealers/1", "/reports/shift?day=2026-02-28"):
        page = added.get(path).text
        assert "added by people, in no other figure" in page
        assert "code=seen-by-a-person" in page
    listed = added.get("/?state=counted&code=seen-by-a-person").text.split("<tbody>")[1]
    assert "Seen by a person" in listed
    assert "Seen by a person" not in added.get("/?state=counted").text.split("<tbody>")[1]
    assert "2</a></b><span>findings stand; 2 not reviewed" in added.get("/reports/shift?day=2026-02-28").text
    assert added.get("/api/dealers").json["pit"]["seen_by_people"] == 1
    post(added, "/findings/3/decide", verdict="dismiss")
    assert accuracy.records_by(db, Scope(), "table_name")["BJ-07"].errors.seen_by_people == 0


def test_decisions_on_it_say_nothing_of_how_good_the_audit_is(added: FlaskClient, db: Database) -> None:
    count_runs(db)
    post(added, "/findings/3/decide", verdict="confirm")
    assert accuracy.house_quality(db).confirmed["violation"] is None


def test_exports_and_the_interface_say_who_added_it(added: FlaskClient) -> None:
    told = list(csv.DictReader(io.StringIO(added.get("/export/findings.csv").text)))
    assert [(one["finding"], one["added_by"]) for one in told] == [("1", ""), ("2", ""), ("3", "sam")]
    lines = added.get("/export/findings.jsonl").text.splitlines()
    assert json.loads(lines[-1])["added_at"] == "2026-02-28T20:00:00.000+00:00"
    shift = list(csv.DictReader(io.StringIO(added.get("/reports/shift.csv?day=2026-02-28").text)))
    assert sorted(one["added_by"] for one in shift) == ["", "", "sam"]
    assert added.get("/api/findings/3").json["added_by"] == "sam"
    assert added.get("/api/findings/1").json["added_by"] is None


def test_a_report_on_it_names_who_saw_it(added: FlaskClient) -> None:
    post(added, "/findings/3/report", summary="x")
    said = "none of the audit: seen by sam, who added it on 2026-02-28 20:00:00 UTC"
    assert said in post(added, "/incidents/1/print").text


def test_a_round_of_an_earlier_audit_takes_none(sam: FlaskClient, db: Database) -> None:
    audit_anew(db, "0.2.0", [ROUND])
    post(sam, "/rounds/1/findings", **SAW)
    assert "found one of an earlier audit" in sam.get("/rounds/1").text


def test_only_who_decides_adds(sam: FlaskClient, db: Database) -> None:
    sign_in(sam, "pat")
    assert post(sam, "/rounds/1/findings", **SAW).status_code == 403
    assert "data-seen" not in sam.get("/rounds/1").text


def test_round_whose_profile_cannot_be_read_is_shown_without_seats(sam: FlaskClient, db: Database) -> None:
    db.execute("UPDATE profiles SET toml = 'no table'")
    db.conn.commit()
    answer = sam.get("/rounds/1")
    assert answer.status_code == 200
    assert '<option value="1"' not in answer.text.partition('name="seat"')[2].partition("</select>")[0]
