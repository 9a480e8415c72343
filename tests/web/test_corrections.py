"""Correcting a misread card on real states: the round settles again, nothing that was read first is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlite_utils import Database

from audit.store import audits, corrections, ledger, review
from audit.store.database import open_store
from tests.web.conftest import AT, post, sign_in
from tests.web.sample_desk import fill_sample, jack_of

ROUND = 3
"""The second round of the sample clip; the hand-written recording has one before it."""


@pytest.fixture
def db(data_dir: Path) -> Database:
    store = open_store(data_dir)
    assert fill_sample(store) == ROUND
    return store


@pytest.fixture
def jack(db: Database) -> dict[str, str]:
    return jack_of(db, ROUND)


def codes(db: Database) -> list[tuple[str, int | None]]:
    return [(one.code, one.seat) for one in review.findings_of_round(db, ROUND)]


def test_the_misread_jack_makes_findings_that_its_correction_takes_away(
    client: FlaskClient, db: Database, jack: dict[str, str]
) -> None:
    sign_in(client, "sam")
    assert codes(db) == [("loser-paid", 2)]
    answer = post(client, f"/rounds/{ROUND}/corrections", **jack, reading="Jc")
    assert answer.status_code == 302
    assert codes(db) == []
    assert review.queue_counts(db).unreviewed == 2  # those of the other recording
    page = client.get(answer.location).text
    assert "2c is Jc" in page
    assert "findings before 1, now 0" in page
    assert 'data-correction="1"' in page


def test_the_first_reading_and_the_audit_are_kept(client: FlaskClient, db: Database, jack: dict[str, str]) -> None:
    sign_in(client, "sam")
    audited = audits.audit_record(db, 2)
    post(client, f"/rounds/{ROUND}/corrections", **jack, reading="Jc")
    assert audits.audit_record(db, 2) == audited
    entry = corrections.entries(db, ROUND)[0]
    assert entry.first_reading["card"] == "2c"
    assert entry.first_reading["candidates"] == {"2c": 0.995, "Jc": 0.004}
    assert entry.reading == {"card": "Jc"}
    assert [one.action for one in ledger.log_entries(db)][-1] == "correction"
    assert ledger.first_broken_entry(db) is None
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute("DELETE FROM corrections")


def test_the_page_draws_the_corrected_card_with_what_was_read_first(
    client: FlaskClient, db: Database, jack: dict[str, str]
) -> None:
    sign_in(client, "sam")
    post(client, f"/rounds/{ROUND}/corrections", **jack, reading="jc")
    states = client.get(f"/rounds/{ROUND}/states.json").json["states"]
    cards = [item for state in states for item in state["objects"] if item.get("card") in ("2c", "Jc")]
    assert cards
    assert {item["card"] for item in cards} == {"Jc"}
    assert {item["first_reading"]["card"] for item in cards} == {"2c"}
    page = client.get(f"/rounds/{ROUND}").text
    assert "J♣" in page
    assert "19" in page


def test_a_withdrawn_correction_brings_back_the_findings_with_their_decisions(
    client: FlaskClient, db: Database, jack: dict[str, str]
) -> None:
    sign_in(client, "sam")
    before = review.findings_of_round(db, ROUND)
    ledger.decide(db, before[0].id, user_id=1, kind=ledger.Decision.CONFIRM, note="", at=AT)
    post(client, f"/rounds/{ROUND}/corrections", **jack, reading="Jc")
    assert "overtaken this finding" in client.get(f"/findings/{before[0].id}").text
    post(client, f"/rounds/{ROUND}/corrections/1/withdraw", at_ms=jack["at_ms"])
    again = review.findings_of_round(db, ROUND)
    assert [one.id for one in again] == [one.id for one in before]
    assert again[0].decision == "confirm"
    page = client.get(f"/rounds/{ROUND}").text
    assert "withdrawn by sam" in page
    assert post(client, f"/rounds/{ROUND}/corrections/1/withdraw").status_code == 302
    assert len(corrections.entries(db, ROUND)) == 2


def test_another_wrong_card_makes_other_findings_that_stand_in_the_queue(
    client: FlaskClient, db: Database, jack: dict[str, str]
) -> None:
    sign_in(client, "sam")
    post(client, f"/rounds/{ROUND}/corrections", **jack, reading="8c")
    row = review.findings_of_round(db, ROUND)[0]
    assert (row.code, row.correction_id) == ("push-paid", 1)
    assert row.id in [one.id for one in review.queue_page(db, review.QueueFilter()).rows]


@pytest.mark.parametrize(
    "change",
    [
        {"reading": "Xx"},
        {"reading": ""},
        {"kind": "hand", "reading": "nothing else"},
        {"at_ms": "x", "reading": "Jc"},
        {"x_mm": "9000", "reading": "Jc"},
        {"x_mm": "nan", "reading": "Jc"},
        {"kind": "chips", "reading": "5 red"},
    ],
)
def test_what_names_no_object_or_no_reading_changes_nothing(
    client: FlaskClient, db: Database, jack: dict[str, str], change: dict[str, str]
) -> None:
    sign_in(client, "sam")
    before = codes(db)
    answer = post(client, f"/rounds/{ROUND}/corrections", **(jack | change))
    assert answer.status_code == 302
    assert "Nothing was corrected: " in client.get(answer.location).text
    assert codes(db) == before


def test_only_surveillance_corrects(client: FlaskClient, db: Database, jack: dict[str, str]) -> None:
    sign_in(client, "pat")
    assert post(client, f"/rounds/{ROUND}/corrections", **jack, reading="Jc").status_code == 403
