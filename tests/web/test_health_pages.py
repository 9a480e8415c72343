"""Recognition health through Flask's test client."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from flask.testing import FlaskClient

from audit.store.database import open_store
from audit.store.health import keep_evaluation
from tests.web.conftest import AT, post, sign_in
from tests.web.pit import put_on_duty

SCORES = {
    "stages": {"cards": {"right": 90, "wrong": 0, "unread": 8, "missed": 2, "false": 3}},
    "end_to_end": {"rounds": 10, "rounds entirely right": 5, "planted": 5, "found": 3, "found as suspect": 1},
}


def keep(data_dir: Path, scores: dict[str, object], days: int = 0) -> None:
    db = open_store(data_dir)
    at = AT + timedelta(days=days)
    keep_evaluation(db, footage="blackjack.mp4", software="0.1.0", weights_sha256="a" * 64, scores=scores, at=at)
    db.close()


def test_without_an_evaluation_the_page_says_how_to_get_one(client: FlaskClient) -> None:
    sign_in(client, "root")
    page = client.get("/health").text
    assert "catwalk evaluate FOOTAGE" in page
    assert "BJ-07: 0.0 % unread" in page


def test_the_standing_evaluation_is_the_latest_with_its_intervals(client: FlaskClient, data_dir: Path) -> None:
    keep(data_dir, {"stages": {}, "end_to_end": {"rounds": 10, "planted": 5, "found": 0}})
    keep(data_dir, SCORES, days=1)
    sign_in(client, "sam")
    page = client.get("/health").text
    assert "2026-03-02 04:00" in page
    assert "90.0" in page
    assert "82.6 to 94.5" in page  # 90 of 100
    assert "23.7 to 76.3" in page  # 5 of 10
    assert "Earlier evaluations" in page


def test_with_an_evaluation_and_a_decision_a_dealers_rate_is_corrected(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    keep(data_dir, SCORES)
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="confirm")
    assert "no suspect has been confirmed or dismissed yet" in client.get("/dealers/1").text
    post(client, "/findings/2/decide", verdict="dismiss")
    page = client.get("/dealers/1").text
    assert "<b>1,250.0</b>" in page  # one confirmed in one round, of which four of five are found
    assert "4 of 5" in client.get("/dealers").text
