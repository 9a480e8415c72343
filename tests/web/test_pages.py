"""The pages through Flask's test client."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.store import settings, users
from audit.store.database import open_store
from audit.store.log_reading import check_chain
from tests.web.conftest import AT, post, sign_in
from web.correcting import told


def test_without_signing_in_every_page_sends_to_the_form(client: FlaskClient) -> None:
    for path in ("/", "/findings/1", "/rounds/1", "/rounds/1/states.json", "/footage", "/footage/1/video"):
        answer = client.get(path)
        assert answer.status_code == 302
        assert answer.location.startswith("/sign-in")


def test_a_wrong_password_is_refused_and_a_right_one_opens_the_queue(client: FlaskClient) -> None:
    client.get("/sign-in")
    assert post(client, "/sign-in", name="sam", password="wrong").status_code == 401
    assert post(client, "/sign-in", name="nobody", password="right sam").status_code == 401
    sign_in(client, "sam")
    assert b"Pay amount" in client.get("/").data


@pytest.mark.parametrize("elsewhere", ["//evil.example/x", "https://evil.example", "/\\evil.example"])
def test_signing_in_never_leads_elsewhere(client: FlaskClient, elsewhere: str) -> None:
    client.get("/sign-in")
    answer = post(client, "/sign-in", name="sam", password="right sam", next=elsewhere)
    assert answer.location == "/"


def test_a_one_time_login_works_once_and_not_after_it_expired(client: FlaskClient, data_dir: Path) -> None:
    db = open_store(data_dir)
    sam = users.user_named(db, "sam")
    assert sam is not None
    users.add_one_time_login(db, token="once", user_id=sam.id, expires=AT + timedelta(minutes=5))
    users.add_one_time_login(db, token="late", user_id=sam.id, expires=AT - timedelta(minutes=5))
    db.close()
    assert client.get("/login/once").status_code == 302
    assert client.get("/").status_code == 200
    assert client.get("/login/once").status_code == 401
    assert client.get("/login/late").status_code == 401


def test_a_post_without_the_forms_token_is_refused(client: FlaskClient) -> None:
    sign_in(client, "sam")
    assert client.post("/findings/1/decide", data={"verdict": "confirm"}).status_code == 400


def test_the_queue_puts_most_money_first_and_escapes_what_was_observed(client: FlaskClient) -> None:
    sign_in(client, "sam")
    page = client.get("/").text
    assert page.index("Pay amount</a>") < page.index("Dealer hit</a>")
    assert "<script>" not in page.split("third card")[1][:20]


def test_the_round_page_shows_cards_totals_rule_and_money(client: FlaskClient) -> None:
    sign_in(client, "sam")
    page = client.get("/findings/1").text
    for words in (
        "A♠",
        "K♦",
        "9♠",
        "17",
        "21",
        "3 to 2 on 50.00: 75.00",
        "100.00 in green",
        "+25.00",
        "004:L686",
        "P280",
    ):
        assert words in page


def test_states_cover_the_round_with_its_margins(client: FlaskClient) -> None:
    sign_in(client, "sam")
    answer = client.get("/rounds/1/states.json?finding=1").json
    assert answer["clip_ms"] == [0, 4000]
    assert answer["incident_ms"] == [2000, 2200]
    assert [state["t_ms"] for state in answer["states"]] == [[1000, 1900], [2000, 2900]]
    assert {mark["kind"] for mark in answer["marks"]} == {"card", "pay", "finding"}


def test_the_video_is_sent_in_parts(client: FlaskClient) -> None:
    sign_in(client, "sam")
    with client.get("/footage/1/video", headers={"Range": "bytes=10-19"}) as answer:
        assert answer.status_code == 206
        assert len(answer.data) == 10


def test_a_decision_is_stored_and_leads_to_the_next_finding(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    answer = post(client, "/findings/1/decide", verdict="confirm", note="three green too many")
    assert answer.location == "/findings/2"
    page = client.get("/findings/1").text
    assert 'data-decision="confirm"' in page
    assert "three green too many" in page
    db = open_store(data_dir)
    assert check_chain(db).broken is None
    db.close()


def test_a_withdrawal_is_added_and_hides_nothing(client: FlaskClient) -> None:
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="dismiss")
    assert post(client, "/findings/1/decide", verdict="withdraw").location == "/findings/1"
    page = client.get("/findings/1").text
    assert 'data-decision="dismiss"' in page
    assert 'data-decision="undo"' in page
    assert post(client, "/findings/1/decide", verdict="withdraw").location == "/findings/1"
    assert "Nothing was changed: expected a decision that stands" in client.get("/findings/1").text


def test_withdrawing_is_offered_only_while_a_decision_stands(client: FlaskClient) -> None:
    sign_in(client, "sam")
    mine = "Take back my last decision"
    assert mine not in client.get("/findings/1").text
    post(client, "/findings/1/decide", verdict="dismiss")
    assert "Withdraw the last" in client.get("/findings/1").text
    assert mine in client.get("/findings/2").text
    post(client, "/findings/1/decide", verdict="withdraw")
    page = client.get("/findings/1").text
    assert "Withdraw the last" not in page
    assert mine not in page


def test_on_a_finding_with_a_withdrawn_decision_the_last_one_elsewhere_is_taken_back(client: FlaskClient) -> None:
    sign_in(client, "sam")
    post(client, "/findings/2/decide", verdict="dismiss")
    post(client, "/findings/2/decide", verdict="withdraw")
    assert post(client, "/findings/1/decide", verdict="confirm").location == "/findings/2"
    page = client.get("/findings/2").text
    assert 'action="/decisions/undo"' in page
    assert 'value="withdraw"' not in page


def test_the_last_decision_leads_back_to_the_queue(client: FlaskClient) -> None:
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="confirm")
    assert post(client, "/findings/2/decide", verdict="cant_tell").location == "/"
    assert "no finding matches" in client.get("/").text


@pytest.mark.parametrize(("name", "queue", "decide"), [("pat", 200, 403), ("ali", 403, 403), ("root", 403, 403)])
def test_roles_see_and_decide_only_what_is_theirs(client: FlaskClient, name: str, queue: int, decide: int) -> None:
    sign_in(client, name)
    assert client.get("/").status_code == queue
    with client.get("/footage/1/video") as answer:
        assert answer.status_code == queue
    assert post(client, "/findings/1/decide", verdict="confirm").status_code == decide


@pytest.mark.parametrize(
    "path", ["/findings/999", "/rounds/999", "/rounds/999/states.json", "/footage/999/video", "/findings/x"]
)
def test_what_is_not_there_is_a_clear_page_not_a_fault(client: FlaskClient, path: str) -> None:
    sign_in(client, "sam")
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("query", ["state=x", "verdict=%00", "from=-5", "from=x", "code=';--", "table=%F0%9F%82%A1"])
def test_a_strange_address_shows_a_queue(client: FlaskClient, query: str) -> None:
    sign_in(client, "sam")
    assert client.get(f"/?{query}").status_code == 200


def test_an_unknown_verdict_is_refused(client: FlaskClient) -> None:
    sign_in(client, "sam")
    assert post(client, "/findings/1/decide", verdict="perhaps").status_code == 400


def test_the_states_name_the_zone_of_the_finding(client: FlaskClient) -> None:
    sign_in(client, "sam")
    assert client.get("/rounds/1/states.json?finding=1").json["here"] == "seat1.main"
    assert client.get("/rounds/1/states.json?finding=2").json["here"] is None
    assert client.get("/rounds/1/states.json").json["here"] is None
    assert client.get("/rounds/1/states.json?finding=999").status_code == 404


def test_the_states_say_when_the_recording_began_by_the_propertys_clock(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    assert client.get("/rounds/1/states.json").json["wall"] is None
    db = open_store(data_dir)
    db.execute("UPDATE footage SET recorded_at = '2026-03-01T04:00:05.000+00:00'")
    here = settings.checked_house(property_name="", zone="America/Los_Angeles", day_starts="6", shift_starts="6,14,22")
    settings.store_house(db, here, actor="root", at=AT)
    db.close()
    assert client.get("/rounds/1/states.json").json["wall"] == {"ms": 72_005_000, "zone": "PST"}


def test_the_tour_leads_to_a_finding_and_else_to_the_queue(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    db = open_store(data_dir)
    db.execute("UPDATE footage SET path = '/sample_footage/clips/blackjack.mp4'")
    db.close()
    step = "leads to the next finding. <a href="
    assert f'{step}"/findings/1"' in client.get("/help").text
    for number in ("1", "2"):
        post(client, f"/findings/{number}/decide", verdict="confirm")
    assert f'{step}"/"' in client.get("/help").text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/findings/99999", "There is no finding with the number 99999."),
        ("/rounds/99999", "There is no round with the number 99999."),
        ("/incidents/99999", "There is no incident report with the number 99999."),
        ("/nowhere", "There is no page at this address."),
    ],
)
def test_what_is_not_there_is_said_in_the_pages_words_with_a_way_on(client: FlaskClient, path: str, words: str) -> None:
    sign_in(client, "sam")
    page = client.get(path).text
    assert words in page
    assert "Back to the first page" in page


def test_the_filter_of_kinds_is_in_words(client: FlaskClient) -> None:
    sign_in(client, "sam")
    assert "Dealer hit (1)</option>" in client.get("/").text


@pytest.mark.parametrize(
    ("kind", "first", "said", "words"),
    [
        ("card", {"card": "2c"}, {"card": "Jc"}, "2c is Jc"),
        ("card", {}, {"absent": True}, "a card that was not read is not there"),
        ("chips", {}, {"stack": ["red", "red"]}, "a pile that was not read is 2 red"),
        ("card_back", {}, {"card": "Jc"}, "a card that lies face down is Jc"),
        ("chips", {"stack": ["red"]}, {"absent": True}, "1 red is not there"),
    ],
)
def test_a_correction_is_told_in_words(kind: str, first: object, said: object, words: str) -> None:
    assert told(kind, first, said) == words
