"""What the audit could not decide has no breach to confirm: a reviewer says of it what he sees."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from sqlite_utils import Database

from audit.store import audits, footage, ledger, second_reviews
from audit.store.ledger import Decision
from audit.store.second_reviews import Shares
from tests.web.conftest import AT, ROUND, post, sign_in


@pytest.fixture
def db(db: Database) -> Database:
    """A store whose finding 3 is undetermined, and 4 is not."""
    first, second = ROUND["findings"]
    pins = footage.Pins(software="0.2.0", weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=1, profile_id=1, pins=pins, segments=[(0, 4000)], at=AT)
    unread = {**first, "verdict": "undetermined", "probability": 0.0, "amount": None}
    audits.store_audit(db, run, rounds=[{**ROUND, "findings": [unread, second]}], findings=[], at=AT)
    return db


@pytest.fixture
def sam(client: FlaskClient, db: Database) -> FlaskClient:
    sign_in(client, "sam")
    return client


def test_the_buttons_ask_what_is_seen(sam: FlaskClient) -> None:
    page = sam.get("/findings/3").text
    for words in ("Breach seen <kbd>c</kbd>", "No breach seen <kbd>d</kbd>", "Cannot be told <kbd>t</kbd>"):
        assert words in page
    assert "Confirm <kbd>c</kbd>" not in page
    assert "Confirm <kbd>c</kbd>" in sam.get("/findings/4").text


@pytest.mark.parametrize(
    ("verdict", "said"),
    [("confirm", "breach seen"), ("dismiss", "no breach seen"), ("cant_tell", "cannot be told")],
)
def test_what_was_answered_is_written_the_same_everywhere(sam: FlaskClient, verdict: str, said: str) -> None:
    post(sam, "/findings/3/decide", verdict=verdict)
    assert f"{said.capitalize()}: Pay amount" in sam.get("/findings/4").text
    assert f"<b>{said}</b>" in sam.get("/findings/3").text
    assert f"<td>{said}</td>" in sam.get("/?state=any").text
    post(sam, "/findings/3/report", summary="x")
    assert f"<dt>Standing</dt><dd>{said}</dd>" in post(sam, "/incidents/1/print").text
    assert f"<td >{said}</td>" in post(sam, "/incidents/1/print").text
    post(sam, "/decisions/undo")
    assert f"Taken back: {said}." in sam.get("/findings/3").text


def test_a_report_on_it_does_not_call_it_dismissed(sam: FlaskClient) -> None:
    post(sam, "/findings/3/decide", verdict="dismiss", reason="camera or view disturbed")
    page = sam.get("/findings/3/report").text
    assert "No breach was seen by sam on 2026-03-01 04:00 UTC: camera or view disturbed." in page
    assert "dismissed" not in page


def test_a_second_reviewer_is_asked_the_same(sam: FlaskClient, db: Database) -> None:
    second_reviews.set_shares(db, Shares(flagged=1.0, unflagged=1.0), user_id=1, actor="sam", at=AT)
    ledger.decide(db, 3, user_id=2, kind=Decision.CONFIRM, note="", at=AT)
    assert "No breach seen <kbd>d</kbd>" in sam.get("/second/findings/3").text
    post(sam, "/second/findings/3", verdict="dismiss")
    page = sam.get("/agreement").text
    assert "Kept: no breach seen." in page
    assert "<td>breach seen</td><td>no breach seen</td>" in page


def test_the_help_tells_both_readings_of_a_key(sam: FlaskClient) -> None:
    assert "of what is undetermined: breach seen, no breach seen, cannot be told" in sam.get("/help").text
