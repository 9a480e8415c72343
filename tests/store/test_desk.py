"""Search, filters, claims, saved views, bulk dismissal and undo, on findings written by hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlite_utils import Database

from audit.store import desk, ledger, review
from audit.store.database import StoreError, stamp
from audit.store.ledger import Decision
from audit.store.log_reading import check_chain
from audit.store.review import QueueFilter, finding, next_unreviewed, queue_counts, queue_ids, queue_page, queue_size
from audit.store.users import Role, add_user
from tests.store.conftest import NOW, audited, new_run
from tests.store.conftest import finding as found

SHORT = found(seat=1, amount="-40.00", expected="1 to 1 on 40.00", observed="nothing paid", code="win-unpaid")
OVER = found(seat=2, amount="12.50", observed="50.00 in red")
NONE = found(seat=None, hand=None, bet=None, amount=None, code="hole-card-shown", verdict="suspect", observed="crème")


@pytest.fixture
def three(db: Database) -> Database:
    """Findings 1 (short 40.00), 2 (over 12.50) and 3 (no money); users 1 and 2."""
    audited(db, SHORT, OVER, NONE)
    for name in ("ann", "bob"):
        add_user(db, name=name, role=Role.SURVEILLANCE, at=NOW)
    return db


def chosen(db: Database, **filters: object) -> list[int]:
    return [row.id for row in queue_page(db, QueueFilter(**filters)).rows]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("red", [2]),
        ("nothing pa", [1]),
        ("hole card", [3]),
        ("creme", [3]),
        ("BJ-07", [1, 2, 3]),
        ("zebra", []),
    ],
)
def test_search_finds_words_of_the_finding_the_last_as_a_beginning(
    three: Database, words: str, expected: list[int]
) -> None:
    assert chosen(three, text=words) == expected


def test_search_finds_words_of_notes_and_reasons_together_with_those_of_the_finding(three: Database) -> None:
    ledger.decide(
        three, 2, user_id=1, kind=Decision.DISMISS, note="colour-up by the floor", reason="reading wrong", at=NOW
    )
    assert chosen(three, state="any", text="red floor") == [2]
    assert chosen(three, state="any", text="reading") == [2]


@pytest.mark.parametrize("words", ['"', "a OR", "NEAR(", "*", "", "finding:x", "';--", "\x00", "-"])
def test_search_takes_any_text(three: Database, words: str) -> None:
    assert isinstance(chosen(three, text=words), list)


def test_filters_choose_by_money_and_side(three: Database) -> None:
    assert chosen(three, minimum_cents=2000) == [1]
    assert chosen(three, maximum_cents=2000) == [2]
    assert chosen(three, side="over") == [2]
    assert chosen(three, side="short") == [1]
    assert chosen(three, verdict="suspect") == [3]


def test_time_is_known_once_it_is_known_when_the_footage_was_recorded(three: Database) -> None:
    assert chosen(three, since="2026-11-20T00:00:00.000+00:00") == []
    three.execute("UPDATE footage SET recorded_at = ?", [stamp(NOW)])
    assert finding(three, 1).happened_at == "2026-11-21T04:00:40.100+00:00"
    assert chosen(three, since="2026-11-21T04:00:40.000+00:00") == [1, 2, 3]
    assert chosen(three, until="2026-11-21T04:00:40.000+00:00") == []


def test_time_is_known_at_once_where_the_recording_was_dated_before(db: Database) -> None:
    audited(db)
    db.execute("UPDATE footage SET recorded_at = ?", [stamp(NOW)])
    place = {"run_id": 1, "ordinal": 9, "game": "blackjack", "table_name": "BJ-07", "procedures": "[]", "extra": "{}"}
    text = {"code": "x", "verdict": "suspect", "expected": "", "observed": "", "citation": ""}
    when = {"first_ms": 3600000, "last_ms": 3600000, "rank": 0.0, "probability": 1.0}
    db.table("findings").insert(place | text | when)
    assert finding(db, 1).happened_at == "2026-11-21T05:00:00.000+00:00"


def test_counts_follow_every_decision_and_its_undoing(three: Database) -> None:
    assert queue_counts(three).by_code == {"hole-card-shown": 1, "pay-amount": 1, "win-unpaid": 1}
    ledger.decide(three, 2, user_id=1, kind=Decision.CONFIRM, note="", at=NOW)
    assert queue_counts(three).by_code == {"hole-card-shown": 1, "win-unpaid": 1}
    assert queue_page(three, QueueFilter(code="pay-amount")).total == 0
    ledger.decide(three, 2, user_id=1, kind=Decision.UNDO, note="", at=NOW)
    assert queue_counts(three).unreviewed == 3


def test_what_another_has_claimed_is_passed_over_until_the_claim_ends(three: Database) -> None:
    later = NOW + timedelta(minutes=10)
    assert desk.claim(three, [1, 2], user_id=1, now=NOW, until=later) == (1, 2)
    assert desk.claim(three, [2, 3], user_id=2, now=NOW, until=later) == (3,)
    assert next_unreviewed(three, QueueFilter(free_for=(2, stamp(NOW)))) == 3
    assert chosen(three, claimed_by=(1, stamp(NOW))) == [1, 2]
    assert next_unreviewed(three, QueueFilter(free_for=(2, stamp(later)))) == 1
    assert desk.claim(three, [1], user_id=2, now=later, until=later + timedelta(minutes=1)) == (1,)


def test_a_claim_is_released_by_its_holder_only_and_taken_over_only_on_purpose(three: Database) -> None:
    later = NOW + timedelta(minutes=10)
    desk.claim(three, [1], user_id=1, now=NOW, until=later)
    assert desk.release(three, [1], user_id=2) == 0
    assert desk.claim(three, [1], user_id=2, now=NOW, until=later, taking_over=True) == (1,)
    assert desk.claims_on(three, [1], now=NOW)[1].user_name == "bob"
    assert desk.release(three, [1], user_id=2) == 1
    assert desk.claims_on(three, [1], now=NOW) == {}


def test_claiming_again_never_shortens_a_claim(three: Database) -> None:
    desk.claim(three, [1], user_id=1, now=NOW, until=NOW + timedelta(hours=4))
    desk.claim(three, [1], user_id=1, now=NOW, until=NOW + timedelta(minutes=1))
    assert desk.claims_on(three, [1], now=NOW + timedelta(hours=3))[1].user_id == 1


def test_a_finding_that_is_not_there_is_not_claimed(three: Database) -> None:
    assert desk.claim(three, [99], user_id=1, now=NOW, until=NOW + timedelta(hours=1)) == ()


def test_views_are_kept_for_each_user_by_name(three: Database) -> None:
    desk.save_view(three, user_id=1, name="Big money", query="least=100", at=NOW)
    desk.save_view(three, user_id=1, name="big MONEY", query="least=200", at=NOW)
    desk.save_view(three, user_id=2, name="Big money", query="least=300", at=NOW)
    assert [(view.name, view.query) for view in desk.views_of(three, user_id=1)] == [("Big money", "least=200")]
    desk.remove_view(three, desk.views_of(three, user_id=1)[0].id, user_id=2)
    assert len(desk.views_of(three, user_id=1)) == 1
    desk.remove_view(three, desk.views_of(three, user_id=1)[0].id, user_id=1)
    assert desk.views_of(three, user_id=1) == ()
    with pytest.raises(StoreError, match="expected a name"):
        desk.save_view(three, user_id=1, name=" ", query="", at=NOW)


def test_a_look_is_remembered_for_the_one_who_looked(three: Database) -> None:
    desk.note_look(three, 2, user_id=1, at=NOW)
    desk.note_look(three, 2, user_id=1, at=NOW)
    assert desk.looked_at(three, [1, 2, 3], user_id=1) == {2}
    assert desk.looked_at(three, [1, 2, 3], user_id=2) == frozenset()


def test_a_bulk_dismissal_needs_a_reason_and_leaves_decided_findings_alone(three: Database) -> None:
    ledger.decide(three, 1, user_id=2, kind=Decision.CONFIRM, note="", at=NOW)
    with pytest.raises(StoreError, match="expected a reason"):
        ledger.decide_all(three, [2, 3], user_id=1, kind=Decision.DISMISS, note="", reason=" ", at=NOW)
    ids = queue_ids(three, QueueFilter(), limit=10)
    done = ledger.decide_all(
        three, [*ids, 1], user_id=1, kind=Decision.DISMISS, note="", reason="camera was moved", at=NOW
    )
    assert done == 2
    assert [finding(three, number).decision for number in (1, 2, 3)] == ["confirm", "dismiss", "dismiss"]
    assert ledger.decisions_of(three, 3)[0].reason == "camera was moved"
    assert check_chain(three).broken is None


def test_the_last_standing_decision_of_a_user_is_what_undo_takes_back(three: Database) -> None:
    assert ledger.last_standing(three, 1) is None
    ledger.decide(three, 1, user_id=1, kind=Decision.CONFIRM, note="", at=NOW)
    ledger.decide(three, 2, user_id=1, kind=Decision.DISMISS, note="", at=NOW)
    ledger.decide(three, 2, user_id=2, kind=Decision.ESCALATE, note="", at=NOW)
    last = ledger.last_standing(three, 1)
    assert last is not None
    assert last.finding_id == 1
    ledger.decide(three, 1, user_id=1, kind=Decision.UNDO, note="", at=NOW)
    assert ledger.last_standing(three, 1) is None


def test_progress_names_what_is_being_audited(db: Database) -> None:
    audited(db, OVER)
    assert desk.running(db) == ()
    new_run(db, content="b" * 64)
    assert [(one.table_name, one.done, one.segments) for one in desk.running(db)] == [("BJ-07", 0, 2)]


def test_a_search_that_very_many_findings_answer_is_paged_without_being_counted(db: Database) -> None:
    rows = [found(seat=1 + i % 6, amount=f"{i}.00", observed="always the same words") for i in range(2100)]
    audited(db, *rows)
    first = queue_page(db, QueueFilter(text="same words"), limit=50)
    assert (len(first.rows), first.total, first.more) == (50, 50, True)
    assert [row.amount for row in first.rows[:2]] == ["2099.00", "2098.00"]
    last = queue_page(db, QueueFilter(text="same words"), limit=50, offset=2090)
    assert (len(last.rows), last.total, last.more) == (10, 2100, False)
    assert next_unreviewed(db, QueueFilter(text="same words"), after=first.rows[0].id) == first.rows[1].id
    few = queue_page(db, QueueFilter(text="same words", minimum_cents=209000), limit=50)
    assert (few.total, few.more) == (10, False)


def test_a_search_of_very_many_is_read_in_the_order_of_the_queue_and_knows_the_filter(db: Database) -> None:
    verdicts = ("suspect", "violation", "undetermined")
    rows = [
        found(seat=1, amount=f"{i * 7919 % 2100}.00", observed="same words", verdict=verdicts[i % 3])
        for i in range(2100)
    ]
    audited(db, *rows)
    assert [row.amount for row in queue_page(db, QueueFilter(text="same words"), limit=3).rows] == [
        "2099.00",
        "2097.00",  # that of 2098.00 is undetermined and comes last
        "2096.00",
    ]
    plan = review._chosen(db, QueueFilter(text="same words"))
    steps = [
        row[3] for row in db.execute(f"EXPLAIN QUERY PLAN SELECT id {plan.text} ORDER BY {plan.order}", plan.values)
    ]
    assert not [step for step in steps if "TEMP B-TREE" in step], steps
    add_user(db, name="ann", role=Role.SURVEILLANCE, at=NOW)
    first = queue_ids(db, QueueFilter(text="same words"), limit=1)[0]
    ledger.decide(db, first, user_id=1, kind=Decision.DISMISS, note="", at=NOW)
    assert queue_ids(db, QueueFilter(text="same words"), limit=1) != (first,)
    assert queue_ids(db, QueueFilter(text="same words", state="dismiss"), limit=2) == (first,)
    assert queue_ids(db, QueueFilter(text="same words", state="reviewed"), limit=2) == (first,)
    assert queue_page(db, QueueFilter(text="same words", verdict="violation", state="any"), limit=5).total == 700
    ledger.decide(db, first, user_id=1, kind=Decision.UNDO, note="", at=NOW)
    assert queue_ids(db, QueueFilter(text="same words"), limit=1) == (first,)
    assert queue_ids(db, QueueFilter(text="zopen"), limit=1) == ()
    assert queue_size(db, QueueFilter(text="same words", newer_than=2000)) == 100


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ({}, "COVERING INDEX findings_queue"),
        ({"verdict": "suspect", "minimum_cents": 100, "side": "over"}, "COVERING INDEX findings_queue"),
        ({"since": "2026-01-01", "table_name": "BJ-07", "code": "x", "game": "y"}, "COVERING INDEX findings_queue"),
        ({"free_for": (1, "2026"), "dealer_id": 1}, "COVERING INDEX findings_queue"),
        ({"state": "any"}, "COVERING INDEX findings_ranked"),
        ({"state": "confirm", "blind_for": 1}, "COVERING INDEX findings_ranked"),
        ({"text": "red"}, "INTEGER PRIMARY KEY"),
        ({"claimed_by": (1, "2026")}, "INTEGER PRIMARY KEY"),
        ({"newer_than": 1}, "INTEGER PRIMARY KEY"),
    ],
)
def test_no_question_of_the_queue_reads_the_whole_table(three: Database, asked: dict[str, Any], read: str) -> None:
    """What the filters look at stands in the index; few findings are looked up by their number."""
    chosen = review._chosen(three, QueueFilter(**asked))
    sql = f"EXPLAIN QUERY PLAN SELECT id {chosen.text} ORDER BY {chosen.order}"
    plan = [row[3] for row in three.execute(sql, chosen.values)]
    of_findings = [line for line in plan if line.split()[1] == "findings"]
    assert any(read in line for line in of_findings), plan
    assert not [line for line in of_findings if line == "SCAN findings"], plan


def test_a_number_at_the_end_of_a_search_is_not_the_beginning_of_another(db: Database) -> None:
    audited(db, found(seat=3, expected="10.00"), found(seat=5, expected="37.50"))
    assert queue_page(db, QueueFilter(text="seat 3")).total == 1
    assert queue_page(db, QueueFilter(text="se")).total == 2
