"""The reviewer's desk through Flask's test client: queue, claims, bulk dismissal, undo, second reviews."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlite_utils import Database

from audit.store import audits, dealers, footage, ledger, second_reviews, tallies
from audit.store.database import stamp
from audit.store.ledger import Decision
from audit.store.log_reading import check_chain
from audit.store.second_reviews import Shares
from tests.web.conftest import AT, ROUND, post, sign_in
from web import create_app
from web.queue_filter import cents


@pytest.fixture
def db(db_with_kim: Database) -> Database:
    return db_with_kim


@pytest.fixture
def other(data_dir: Path, db: Database) -> FlaskClient:
    """Kim's browser."""
    client = create_app(data_dir, clock=lambda: AT).test_client()
    sign_in(client, "kim")
    return client


def test_search_and_filters_show_what_they_ask_for(client: FlaskClient) -> None:
    sign_in(client, "sam")
    assert "Dealer hit</a>" not in client.get("/?q=green").text
    assert "Pay amount" in client.get("/?q=gre&least=20&side=over&verdict=violation&table=BJ-07&game=blackjack").text
    assert "no finding matches" in client.get("/?least=26").text
    assert "no finding matches" in client.get("/?since=2026-01-01T00:00").text


@pytest.mark.parametrize(
    "query",
    [
        "q=%22",
        "q=%00",
        "least=x",
        "most=-1",
        "since=x",
        "until=9999-12-31T23:59",
        "dealer=x",
        "side=x",
        "claim=x",
        "from=99999999999999999999",
    ],
)
def test_a_strange_filter_shows_a_queue(client: FlaskClient, query: str) -> None:
    sign_in(client, "sam")
    assert client.get(f"/?{query}").status_code == 200
    assert client.get(f"/queue/news.json?{query}").status_code == 200


def test_the_queue_names_the_wager_beside_its_seat(client: FlaskClient, db: Database) -> None:
    pins = footage.Pins(software="0.2.0", weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=1, profile_id=1, pins=pins, segments=[(0, 4000)], at=AT)
    first, other = ROUND["findings"]
    second = {**other, "seat": 4, "hand": 2, "bet": "match1"}
    audits.store_audit(db, run, rounds=[{**ROUND, "findings": [first, second]}], findings=[], at=AT)
    sign_in(client, "sam")
    page = client.get("/").text
    assert ">1 · main</td>" in page
    assert ">4 · hand 2 · match1</td>" in page


@pytest.mark.parametrize("written", ["fifty", "-5", "1e400", "12.345", "1,25,000", "50,", "9" * 15])
def test_an_amount_that_is_none_is_told_at_its_field_and_nothing_is_shown(client: FlaskClient, written: str) -> None:
    sign_in(client, "sam")
    page = client.get("/", query_string={"least": written}).text
    assert f"expected an amount such as 50 or 12.50, found {written}" in page
    assert 'aria-invalid="true"' in page
    assert "Pay amount</a>" not in page


@pytest.mark.parametrize(
    ("written", "cents_meant"),
    [("50", 5000), ("$50", 5000), ("12.5", 1250), ("12,50", 1250), ("1,250", 125_000), ("1,250.75", 125_075)],
)
def test_amounts_are_read_with_either_comma(written: str, cents_meant: int) -> None:
    assert cents(written) == cents_meant


def test_a_bulk_dismissal_under_an_amount_that_is_none_dismisses_nothing(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    post(client, "/queue/dismiss?least=fifty", all="yes", reason="reading wrong")
    assert "Nothing was dismissed: expected an amount" in client.get("/").text
    assert ledger.decisions_of(db, 1) == ()


def test_news_counts_what_came_after_the_page_was_made(client: FlaskClient) -> None:
    sign_in(client, "sam")
    fresh = client.get("/queue/news.json?after=1").json
    assert fresh["unreviewed"] == 2
    assert fresh["new"] == 1
    assert fresh["progress"] == []
    assert client.get("/queue/news.json?after=2").json["new"] == 0
    assert client.get("/queue/news.json").json["new"] == 0


def test_findings_are_shown_with_and_filtered_by_their_dealer(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    hour = timedelta(hours=1)
    duty = dealers.Duty(dealer="Łucja Nowak", table_name="BJ-07", starts=AT - hour, ends=AT + hour)
    other = dealers.Duty(dealer="M. Keller", table_name="BJ-08", starts=AT - hour, ends=AT + hour)
    dealers.add_duties(db, [duty, other], source=dealers.Source.PAGE, actor="sam", at=AT)
    db.execute("UPDATE footage SET recorded_at = ?", [stamp(AT)])
    tallies.count_runs(db)
    numbers = {one.name: one.id for one in dealers.all_dealers(db)}
    page = client.get(f"/?dealer={numbers['Łucja Nowak']}").text
    assert "Łucja Nowak</td>" in page
    assert "03-01 04:00:02" in page
    assert "no finding matches" in client.get(f"/?dealer={numbers['M. Keller']}").text


def test_the_next_finding_is_the_next_of_the_chosen_view(client: FlaskClient) -> None:
    sign_in(client, "sam")
    page = client.get("/findings/1?verdict=suspect").text
    assert "/findings/2?verdict=suspect" in page
    assert "no further unreviewed finding" in client.get("/findings/1?verdict=violation").text


def test_a_view_is_saved_shown_and_forgotten(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    assert post(client, "/queue/views?verdict=suspect&q=third", name="Hits").status_code == 302
    page = client.get("/").text
    assert "Hits" in page
    assert "q=third&amp;verdict=suspect" in page or "verdict=suspect&amp;q=third" in page
    post(client, "/queue/views/1/remove")
    assert "Hits" not in client.get("/").text


def test_one_reviewer_is_not_led_to_what_another_has_open(client: FlaskClient, other: FlaskClient) -> None:
    sign_in(client, "sam")
    client.get("/findings/1")
    assert "held by sam" in other.get("/").text
    assert "no further unreviewed finding" in other.get("/findings/2").text
    refused = post(other, "/findings/1/decide", verdict="confirm")
    assert refused.location == "/findings/1"
    page = other.get("/findings/1").text
    assert "that sam holds until" in page
    assert "sam holds this finding" in page


def test_taking_over_is_logged_and_then_decides(client: FlaskClient, other: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    client.get("/findings/1")
    post(other, "/findings/1/take-over")
    assert ledger.log_entries(db)[-1].details == {"finding": 1, "from": "sam"}
    post(other, "/findings/1/decide", verdict="confirm")
    assert ledger.decisions_of(db, 1)[0].user_name == "kim"


def test_claims_are_made_and_released_in_the_queue(client: FlaskClient) -> None:
    sign_in(client, "sam")
    post(client, "/queue/claim", finding="2")
    assert "held by me" in client.get("/?claim=mine").text
    assert "Pay amount</a>" not in client.get("/?claim=mine").text
    post(client, "/queue/release", finding="2")
    assert "no finding matches" in client.get("/?claim=mine").text


def test_bulk_dismissal_needs_a_reason(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    post(client, "/queue/dismiss", finding="1", reason="")
    assert "expected a reason" in client.get("/").text
    assert ledger.decisions_of(db, 1) == ()
    post(client, "/queue/dismiss?verdict=suspect", all="yes", reason="reading wrong", note="glare")
    assert [one.reason for one in ledger.decisions_of(db, 2)] == ["reading wrong"]
    assert ledger.decisions_of(db, 1) == ()


def test_what_another_holds_is_not_dismissed_with_the_rest(
    client: FlaskClient, other: FlaskClient, db: Database
) -> None:
    sign_in(client, "sam")
    client.get("/findings/1")
    post(other, "/queue/dismiss", all="yes", reason="reading wrong")
    assert [len(ledger.decisions_of(db, number)) for number in (1, 2)] == [0, 1]


def test_undo_takes_back_the_last_decision_and_goes_to_its_finding(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="dismiss", reason="reading wrong")
    answer = post(client, "/decisions/undo")
    assert answer.location == "/findings/1"
    assert [one.kind for one in ledger.decisions_of(db, 1)] == ["dismiss", "undo"]
    assert "reading wrong" in client.get("/findings/1").text
    post(client, "/decisions/undo")
    assert "no decision of yours" in client.get("/").text


def test_undo_takes_back_a_whole_bulk_dismissal(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    post(client, "/queue/dismiss", all="yes", reason="reading wrong")
    assert "Nothing to review here" in client.get("/").text
    assert post(client, "/decisions/undo").location == "/"
    assert "on 2 findings" in client.get("/").text
    assert [one.kind for one in ledger.decisions_of(db, 2)] == ["dismiss", "undo"]
    assert check_chain(db).broken is None


def test_undo_leaves_alone_what_somebody_decided_anew_since(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    post(client, "/queue/dismiss", all="yes", reason="reading wrong")
    ledger.decide(db, 1, user_id=2, kind=Decision.CONFIRM, note="", at=AT)
    post(client, "/decisions/undo")
    assert [ledger.decisions_of(db, number)[-1].kind for number in (1, 2)] == ["confirm", "undo"]


def test_a_second_reviewer_does_not_see_the_first_decision(
    client: FlaskClient, other: FlaskClient, db: Database
) -> None:
    second_reviews.set_shares(db, Shares(flagged=1.0, unflagged=1.0), user_id=1, actor="sam", at=AT)
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="confirm", note="three green too many")
    for address in ("/findings/1", "/second/findings/1", "/findings/2", "/rounds/1"):
        page = other.get(address).text
        assert "three green too many" not in page
        assert "confirmed" not in page
    assert other.get("/second").location == "/second/findings/1"
    assert "Give second answers · 1 finding" in other.get("/agreement").text
    assert "data-queue" in other.get("/second/findings/1").text
    assert client.get("/second/findings/1").status_code == 404
    queue = other.get("/?state=any").text
    assert "confirmed" not in queue.split("<tbody>")[1]
    assert "no finding matches" in other.get("/?state=confirm").text
    assert "no finding matches" in other.get("/?state=any&q=three").text
    post(other, "/second/findings/1", verdict="dismiss", note="payout right")
    assert "three green too many" in other.get("/findings/1").text
    page = client.get("/agreement").text
    assert "0.0 %" in page
    assert "payout right" in page


def test_a_round_without_findings_is_judged_unprompted_by_two(
    client: FlaskClient, other: FlaskClient, db: Database
) -> None:
    pins = footage.Pins(software="0.2.0", weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=1, profile_id=1, pins=pins, segments=[(0, 4000)], at=AT)
    audits.store_audit(db, run, rounds=[{**ROUND, "findings": []}], findings=[], at=AT)
    second_reviews.set_shares(db, Shares(flagged=1.0, unflagged=1.0), user_id=1, actor="sam", at=AT)
    sign_in(client, "sam")
    assert client.get("/second").location == "/second/rounds/2"
    assert "Give second answers · 1 round<" in client.get("/agreement").text
    page = client.get("/second/rounds/2").text
    assert "1 round left with this one" in page
    assert "data-queue" in page
    assert "Was every wager settled right" in page
    assert "No finding in this round" not in page
    post(client, "/second/rounds/2", verdict="nothing_wrong")
    post(other, "/second/rounds/2", verdict="missed", note="seat 1 paid twice")
    assert "seat 1 paid twice" in client.get("/agreement").text
    assert other.get("/second").location == "/"
    nothing = other.get("/agreement").text
    assert "Nothing waits for your second answer" in nothing
    assert 'href="/second"' not in nothing
    assert client.get("/second/rounds/1").status_code == 404


def test_auditors_do_not_see_agreement_and_only_administrators_set_shares(client: FlaskClient, db: Database) -> None:
    for name, seen, status in (("pat", 200, 403), ("ali", 403, 403), ("sam", 200, 403), ("root", 200, 302)):
        sign_in(client, name)
        assert client.get("/agreement").status_code == seen
        assert post(client, "/agreement/shares", flagged="10", unflagged="0.5").status_code == status
    assert second_reviews.shares(db) == Shares(flagged=0.1, unflagged=0.005)
    post(client, "/agreement/shares", flagged="x", unflagged="")
    assert "Nothing was set" in client.get("/agreement").text


def test_a_decision_by_somebody_who_may_not_changes_nothing(client: FlaskClient, db: Database) -> None:
    sign_in(client, "pat")
    for path in ("/queue/claim", "/queue/dismiss", "/decisions/undo", "/findings/1/take-over", "/second/findings/1"):
        assert post(client, path, finding="1", reason="x", verdict="confirm").status_code == 403
    assert client.get("/second").status_code == 403
    assert ledger.decisions_of(db, 1) == ()


def test_the_state_of_a_reviewed_finding_is_shown_again_after_its_second_review_was_refused(
    client: FlaskClient, db: Database
) -> None:
    sign_in(client, "sam")
    ledger.decide(db, 1, user_id=1, kind=Decision.CONFIRM, note="", at=AT)
    post(client, "/second/findings/1", verdict="confirm")
    assert "Nothing was kept" in client.get("/").text


def test_what_is_wrong_with_the_footage_is_told_beside_its_rounds(client: FlaskClient, db: Database) -> None:
    sign_in(client, "sam")
    assert "The footage:" not in client.get("/rounds/1").text
    told = "night.mp4: expected the 12 marks of BJ-07 where its camera has them, found 3"
    footage.complain_of_footage(db, 1, told)
    for address in ("/findings/1", "/rounds/1"):
        assert f"The footage: {told}" in client.get(address).text
