"""What stands in a round after corrections and withdrawals, on findings written by hand."""

from __future__ import annotations

from typing import Any

import pytest
from sqlite_utils import Database

from audit.store import corrections, ledger
from audit.store.corrections import as_corrected
from audit.store.database import StoreError
from audit.store.review import findings_of_round, queue_counts, round_row
from audit.store.users import Role, add_user
from tests.store.conftest import NOW, audited, finding, round_

FIRST = finding(code="pay-amount", probability=0.6, verdict="suspect")
LATER = finding(code="late-bet", because_of=0, amount=None)
SAID = {"kind": "card", "at_ms": 18300, "x_mm": 0.0, "y_mm": 200.0, "first_reading": {"card": "2c"}}


@pytest.fixture
def desk(db: Database) -> Database:
    audited(db, FIRST, LATER)
    add_user(db, name="ann", role=Role.SURVEILLANCE, at=NOW)
    return db


def correct(db: Database, *findings: dict[str, Any], withdraws: int | None = None) -> int:
    said = SAID | {"withdraws": withdraws, "reading": {} if withdraws else {"card": "Jc"}}
    record = None if withdraws else round_(status="partial")
    found = None if withdraws else findings
    return corrections.append(db, 1, said=said, record=record, findings=found, user_id=1, at=NOW)


def standing(db: Database) -> list[tuple[int, str, int | None]]:
    return [(row.id, row.code, row.because_of) for row in findings_of_round(db, 1)]


def test_without_a_correction_the_round_is_as_it_was_audited(desk: Database) -> None:
    assert as_corrected(desk, round_row(desk, 1)).status == "complete"
    assert corrections.entries(desk, 1) == ()


def test_a_finding_that_says_the_same_keeps_its_number_and_a_new_one_follows(desk: Database) -> None:
    correct(desk, FIRST, finding(code="push-paid", because_of=0))
    assert standing(desk) == [(1, "pay-amount", None), (3, "push-paid", 0)]
    assert as_corrected(desk, round_row(desk, 1)).status == "partial"
    assert queue_counts(desk).by_code == {"pay-amount": 1, "push-paid": 1}


def test_a_cause_that_is_itself_new_is_named_by_its_new_place(desk: Database) -> None:
    correct(desk, finding(code="push-paid"), finding(code="late-bet", because_of=0, amount=None, seat=5))
    assert standing(desk) == [(3, "push-paid", None), (4, "late-bet", 2)]


def test_an_open_finding_that_became_likelier_is_stated_anew(desk: Database) -> None:
    correct(desk, FIRST | {"probability": 0.95})
    assert [(row.id, row.probability) for row in findings_of_round(desk, 1)] == [(3, 0.95)]


def test_a_decided_finding_stays_decided_when_it_became_likelier(desk: Database) -> None:
    ledger.decide(desk, 1, user_id=1, kind=ledger.Decision.CONFIRM, note="", at=NOW)
    correct(desk, FIRST | {"probability": 0.95})
    assert [(row.id, row.decision) for row in findings_of_round(desk, 1)] == [(1, "confirm")]


def test_a_withdrawal_brings_back_what_was_audited_and_is_possible_once(desk: Database) -> None:
    number = correct(desk)
    assert standing(desk) == []
    correct(desk, withdraws=number)
    assert standing(desk) == [(1, "pay-amount", None), (2, "late-bet", 0)]
    assert corrections.all_standing(desk) == ()
    with pytest.raises(StoreError, match="expected a standing correction of round 1, found none"):
        correct(desk, withdraws=number)


def test_a_correction_by_nobody_changes_nothing(desk: Database) -> None:
    said = SAID | {"withdraws": None, "reading": {"card": "Jc"}}
    with pytest.raises(StoreError, match="expected a stored user"):
        corrections.append(desk, 1, said=said, record=round_(), findings=(), user_id=9, at=NOW)
    assert len(standing(desk)) == 2


def test_a_round_of_an_older_audit_is_corrected_without_coming_into_the_queue(desk: Database) -> None:
    desk.execute("UPDATE runs SET current = 0")
    desk.execute("UPDATE findings SET current = 0")
    correct(desk, finding(code="push-paid"))
    assert queue_counts(desk).unreviewed == 0
