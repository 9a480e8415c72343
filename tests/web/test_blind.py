"""Until a second reviewer has answered, nothing that he can open says what was decided or written first."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlite_utils import Database

from audit.store import incidents, ledger, second_reviews
from audit.store.second_reviews import Shares
from tests.web.conftest import AT, add_round, post, sign_in
from tests.web.pit import EVENING, put_on_duty
from web import create_app, pdf

NOTE = "three green too many"
TEXT = "written by the first reviewer"
WITHHELD = "drawn for a blind second review"


@pytest.fixture
def db(db_with_kim: Database) -> Database:
    """A store in which sam has confirmed finding 1 with a note, which kim may be asked about again."""
    second_reviews.set_shares(db_with_kim, Shares(flagged=1.0, unflagged=1.0), user_id=1, actor="sam", at=AT)
    return db_with_kim


@pytest.fixture
def first(data_dir: Path, db: Database) -> FlaskClient:
    """The browser of sam, who has decided on finding 1 and written a report on it."""
    put_on_duty(data_dir)
    client = create_app(data_dir, clock=lambda: EVENING, make_pack=lambda _: None).test_client()
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="confirm", note=NOTE)
    post(client, "/findings/1/report", summary=TEXT, disposition=TEXT, error_type="Pay amount")
    return client


@pytest.fixture
def second(data_dir: Path, first: FlaskClient) -> FlaskClient:
    """The browser of kim."""
    client = create_app(data_dir, clock=lambda: EVENING, make_pack=lambda _: None).test_client()
    sign_in(client, "kim")
    return client


def seen(client: FlaskClient, path: str) -> str:
    page = client.get(path, follow_redirects=True)
    assert page.status_code == 200
    return page.text


def test_a_report_says_nothing_of_the_first_decision_to_the_second_reviewer(
    first: FlaskClient, second: FlaskClient
) -> None:
    for path in ("/findings/1/report", "/incidents/1"):
        assert TEXT in seen(first, path)
        page = seen(second, path)
        assert WITHHELD in page
        assert '/second/findings/1">Give the second answer' in page
        for words in (TEXT, NOTE, "confirmed", "was dismissed"):
            assert words not in page
    post(second, "/second/findings/1", verdict="dismiss")
    page = seen(second, "/incidents/1")
    assert TEXT in page
    assert WITHHELD not in page


def test_a_dismissal_is_not_told_on_the_form_of_a_new_report(second: FlaskClient, first: FlaskClient) -> None:
    post(first, "/findings/2/decide", verdict="dismiss", reason="reading wrong")
    assert "was dismissed" in seen(first, "/findings/2/report")
    page = seen(second, "/findings/2/report")
    assert "dismissed" not in page
    assert WITHHELD in page
    assert 'name="summary"' in page


def test_no_list_of_reports_says_it_either(first: FlaskClient, second: FlaskClient) -> None:
    for path in ("/incidents", "/api/incidents"):
        assert TEXT in seen(first, path)
        page = seen(second, path)
        assert TEXT not in page
        assert "confirmed" not in page
    assert "second review" in seen(second, "/incidents")


def test_copies_that_the_second_reviewer_makes_leave_it_out(
    first: FlaskClient, second: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    for name in ("text", "facts", "table"):
        monkeypatch.setattr(pdf.Paper, name, lambda _, *said, **__: written.append(str([*map(_listed, said)])))
    assert post(first, "/incidents/1/pdf").status_code == 200
    for words in (TEXT, NOTE, "confirmed"):
        assert words in " ".join(written)
    written.clear()
    assert post(second, "/incidents/1/pdf").status_code == 200
    printed = post(second, "/incidents/1/print").text
    for said in (" ".join(written), printed):
        assert WITHHELD in said
        for words in (TEXT, NOTE, "confirmed"):
            assert words not in said


def _listed(said: object) -> object:
    return said if isinstance(said, str) else list(said)  # type: ignore[call-overload]


def test_a_pack_waits_for_the_second_answer(first: FlaskClient, second: FlaskClient, db: Database) -> None:
    post(second, "/incidents/1/pack")
    assert incidents.copies(db, 1) == ()
    assert "No evidence pack was made" in seen(second, "/incidents/1")
    post(first, "/incidents/1/pack")
    assert second.get("/incidents/1/copies/1").status_code == 409
    post(second, "/second/findings/1", verdict="confirm")
    post(first, "/findings/2/decide", verdict="confirm")
    post(second, "/incidents/1/pack")
    assert len(incidents.copies(db, 1)) == 1
    post(second, "/second/findings/2", verdict="confirm")
    post(second, "/incidents/1/pack")
    assert len(incidents.copies(db, 1)) == 2


def test_a_pack_waits_for_second_answers_on_all_that_its_log_tells(
    first: FlaskClient, second: FlaskClient, db: Database, data_dir: Path
) -> None:
    """Its log is a chain without a gap, and so tells of findings of other rounds, too."""
    add_round(db, "/nights/two.mp4", sha256="e" * 64)
    post(first, "/findings/2/decide", verdict="confirm")
    post(first, "/findings/3/decide", verdict="confirm")
    for number in (1, 2):
        post(second, f"/second/findings/{number}", verdict="confirm")
    post(second, "/incidents/1/pack")
    assert incidents.copies(db, 1) == ()
    assert "the decision on a finding of the round or of its log" in seen(second, "/incidents/1")
    post(first, "/incidents/1/pack")
    finish(db, data_dir, told=3)
    assert [sent(one) for one in (first, second)] == [200, 409]
    post(second, "/second/findings/3", verdict="confirm")
    assert sent(second) == 200
    post(second, "/incidents/1/pack")
    assert len(incidents.copies(db, 1)) == 2


def sent(client: FlaskClient) -> int:
    """The status with which the first pack is sent."""
    with client.get("/incidents/1/copies/1") as answer:
        return answer.status_code


def finish(db: Database, data_dir: Path, *, told: int) -> None:
    """The worker's part of the first pack, whose log tells of a decision."""
    path = data_dir / "exports" / "1.zip"
    folder = path.with_suffix("")
    log = (folder / "log.json").read_text(encoding="utf-8")
    assert f'"finding": {told}' in log
    with zipfile.ZipFile(path, mode="w") as pack:
        for name in ("findings.json", "log.json"):
            pack.write(folder / name, name)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    incidents.finish_copy(db, 1, sha256=digest, size_bytes=path.stat().st_size, at=AT)


def test_the_second_reviewer_writes_over_no_report_that_he_has_not_seen(second: FlaskClient, db: Database) -> None:
    post(second, "/incidents/1", summary="mine")
    assert incidents.incident(db, 1).fields["summary"] == TEXT
    assert "Nothing was written" in seen(second, "/incidents/1")


def test_his_own_report_stays_his_to_read_and_write(first: FlaskClient, second: FlaskClient, db: Database) -> None:
    post(second, "/findings/2/report", summary="by kim")
    post(first, "/findings/2/decide", verdict="dismiss")
    page = seen(second, "/incidents/2")
    assert "by kim" in page
    assert "dismissed" not in page
    post(second, "/incidents/2", summary="by kim again")
    assert incidents.incident(db, 2).fields["summary"] == "by kim again"


def test_the_first_decision_is_neither_overruled_nor_taken_back_unseen(second: FlaskClient, db: Database) -> None:
    for verdict in ("dismiss", "withdraw"):
        post(second, "/findings/1/decide", verdict=verdict)
        assert [one.kind for one in ledger.decisions_of(db, 1)] == ["confirm"]
    assert "second answer" in seen(second, "/findings/1")


def test_a_finding_that_is_open_again_may_be_decided_with_its_past_kept_back(
    first: FlaskClient, second: FlaskClient, db: Database
) -> None:
    post(first, "/findings/1/decide", verdict="withdraw")
    page = seen(second, "/findings/1")
    assert 'data-decide="confirm"' in page
    assert NOTE not in page
    post(second, "/findings/1/decide", verdict="dismiss")
    assert [one.kind for one in ledger.decisions_of(db, 1)] == ["confirm", "undo", "dismiss"]


def test_the_shift_report_counts_no_first_decision_apart(first: FlaskClient, second: FlaskClient) -> None:
    path = "/reports/shift?day=2026-02-28"
    assert "findings stand; 1 confirmed, 1 not reviewed" in seen(first, path)
    page = seen(second, path)
    assert "findings stand; 1 not shown before your own, 1 not reviewed" in page
    assert "confirmed" not in page


def test_no_figure_tells_the_first_decision(first: FlaskClient, second: FlaskClient) -> None:
    """One finding of a dealer: a count of those confirmed would say what was decided on it."""
    assert '<span class="muted">(1)</span>' in seen(first, "/dealers")
    for path in ("/dealers", "/dealers/1"):
        assert '<span class="muted">(1)</span>' not in seen(second, path)
    told = second.get("/api/dealers").json
    assert [(one["findings_confirmed"], one["findings_dismissed"]) for one in told["items"]] == [(0, 0)]


def test_a_note_on_a_decision_that_was_taken_back_is_not_found_by_search(
    first: FlaskClient, second: FlaskClient
) -> None:
    post(first, "/findings/1/decide", verdict="withdraw")
    assert "Pay amount</a>" in seen(first, "/?q=three+green")
    assert "Pay amount</a>" not in seen(second, "/?q=three+green")
