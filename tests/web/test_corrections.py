"""Correcting a misread card on real states: the round settles again, nothing that was read first is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlite_utils import Database

from audit.store import audits, corrections, ledger, review
from audit.store.database import open_store
from audit.store.log_reading import check_chain
from tests.web.conftest import AT, post, sign_in
from tests.web.sample_desk import fill_sample, jack_of

ROUND = 3
"""The second round of the sample clip; the hand-written recording has one before it."""


@pytest.fixture
def db(db: Database) -> Database:
    assert fill_sample(db) == ROUND
    return db


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
    assert "No longer stands: Loser paid, seat 2" in page
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
    assert check_chain(db).broken is None
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


def test_a_correction_stays_on_the_finding_that_it_takes_away(
    client: FlaskClient, db: Database, jack: dict[str, str]
) -> None:
    sign_in(client, "sam")
    number = review.findings_of_round(db, ROUND)[0].id
    there = f"/findings/{number}?at={jack['at_ms']}"
    assert post(client, f"/rounds/{ROUND}/corrections?finding={number}", **jack, reading="Jc").location == there
    page = client.get(there).text
    assert "<s>Loser paid</s>" in page
    assert 'value="confirm"' not in page
    assert "data-next" in page
    post(client, f"/findings/{number}/decide", verdict="confirm")
    assert ledger.decisions_of(db, number) == ()
    assert "Nothing was changed: expected a finding that stands" in client.get(there).text
    back = post(client, f"/rounds/{ROUND}/corrections/1/withdraw?finding={number}", at_ms=jack["at_ms"])
    assert back.location == there
    page = client.get(there).text
    assert "New: Loser paid, seat 2" in page
    assert 'value="confirm"' in page


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


@pytest.fixture
def unseen(data_dir: Path) -> Database:
    """The sample whose jack of clubs recognition did not see at all: seat 2 plays on with one card."""
    store = open_store(data_dir)
    assert fill_sample(store, unseen=True) == ROUND
    return store


ADDED = {"at_ms": "28800", "x_mm": "38.9", "y_mm": "302.6", "reading": "Jc"}


def test_a_card_that_was_not_seen_is_added_and_the_round_settles_again(client: FlaskClient, unseen: Database) -> None:
    sign_in(client, "sam")
    assert ("one-card-hand", 2) in codes(unseen)
    answer = post(client, f"/rounds/{ROUND}/additions", **ADDED)
    page = client.get(answer.location).text
    assert "Settled again, Jc was added. No longer stands: " in page
    assert codes(unseen) == []
    assert "J\N{BLACK CLUB SUIT}" in page
    entry = corrections.entries(unseen, ROUND)[0]
    assert entry.first_reading == {"absent": True}
    assert entry.reading == {"card": "Jc", "lies_ms": [28720, 43760], "angle_deg": 0.0}
    assert '<span class="num">0:00:28.7 to 0:00:43.7</span>' in page
    states = client.get(f"/rounds/{ROUND}/states.json").json["states"]
    shown = [item for state in states for item in state["objects"] if item.get("first_reading")]
    assert {item["card"] for item in shown} == {"Jc"}
    assert all(len(item["polygon_px"]) == 4 for item in shown)


def test_an_added_card_is_corrected_and_taken_away_like_any_other(client: FlaskClient, unseen: Database) -> None:
    sign_in(client, "sam")
    post(client, f"/rounds/{ROUND}/additions", **(ADDED | {"reading": "Tc"}))
    place = ADDED | {"at_ms": "30720", "kind": "card"}
    post(client, f"/rounds/{ROUND}/corrections", **(place | {"reading": "Jc"}))
    page = client.get(f"/rounds/{ROUND}").text
    assert "J\N{BLACK CLUB SUIT}" in page
    post(client, f"/rounds/{ROUND}/corrections", **(place | {"reading": "nothing"}))
    assert ("one-card-hand", 2) in codes(unseen)
    for number in (3, 2, 1):
        post(client, f"/rounds/{ROUND}/corrections/{number}/withdraw")
    assert len(codes(unseen)) == 3


def test_the_stretch_and_the_direction_are_as_they_were_said(client: FlaskClient, unseen: Database) -> None:
    sign_in(client, "sam")
    said = ADDED | {"since_ms": "28000", "until_ms": "30000", "sideways": "yes"}
    post(client, f"/rounds/{ROUND}/additions", **said)
    reading = corrections.entries(unseen, ROUND)[0].reading
    assert reading["lies_ms"] == [28000, 30000]
    assert reading["angle_deg"] == 90.0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"reading": "Xx"}, "expected a card (Td), a die (3, red 3) or a pile from below (5 red + 2 green)"),
        ({"x_mm": "nan"}, "expected a place on the felt, found none"),
        ({"at_ms": "x"}, "expected a moment of the round at which the table was seen, found none"),
        ({"at_ms": "1"}, "expected a moment of the round at which the table was seen, found none"),
        ({"since_ms": "29000"}, "expected a stretch that holds 0:00:28.8, found 0:00:29.0 to 0:00:43.7"),
        (
            {"at_ms": "31000", "x_mm": "4.0", "y_mm": "250.0"},
            "found a card to be corrected",
        ),
    ],
)
def test_an_addition_that_cannot_be_is_refused_in_a_sentence(
    client: FlaskClient, unseen: Database, change: dict[str, str], sentence: str
) -> None:
    sign_in(client, "sam")
    answer = post(client, f"/rounds/{ROUND}/additions", **(ADDED | change))
    page = client.get(answer.location).text
    assert "Nothing was added: " in page
    assert sentence in page
    assert corrections.entries(unseen, ROUND) == ()


def test_only_surveillance_adds(client: FlaskClient, unseen: Database) -> None:
    sign_in(client, "pat")
    assert post(client, f"/rounds/{ROUND}/additions", **ADDED).status_code == 403
