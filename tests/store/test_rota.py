"""The rota, and which dealer a round is counted for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlite_utils import Database

from audit.store import dealers, ledger, tallies
from audit.store.accuracy import Scope, errors_by_place, records_by, undetermined_by_reason
from audit.store.audits import store_audit
from audit.store.database import StoreError
from audit.store.dealers import Duty, Source
from audit.store.ledger import Decision
from audit.store.log_reading import check_chain
from audit.store.settings import House, checked_house, house, store_house
from audit.store.users import Role, add_user
from tests.store.conftest import NOW, audited, finding, new_run, round_

EVENING = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def duty(**changes: Any) -> Duty:
    return Duty(**({"dealer": "Ana Ruiz", "table_name": "BJ-07", "starts": EVENING, "ends": EVENING + HOUR} | changes))


def add(db: Database, *duties: Duty) -> int:
    return dealers.add_duties(db, duties, source=Source.IMPORT, actor="pat", at=NOW)


def date_footage(db: Database, at: datetime | None) -> None:
    db.execute("UPDATE footage SET recorded_at = ?", [None if at is None else at.isoformat(timespec="milliseconds")])


def night(db: Database, *rounds: dict[str, Any], findings: tuple[dict[str, Any], ...] = ()) -> int:
    """A finished run of the rounds that was recorded from eight in the evening."""
    run_id = new_run(db)
    store_audit(db, run_id, rounds=rounds, findings=findings, at=NOW)
    date_footage(db, EVENING)
    return run_id


def counted(db: Database, **scope: Any) -> dict[str, int]:
    """Rounds by the dealer's name."""
    tallies.count_runs(db)
    names = {row.id: row.name for row in dealers.all_dealers(db)} | {0: "not known"}
    return {names[key]: one.exposure.rounds for key, one in records_by(db, Scope(**scope), "dealer_id").items()}


def test_a_round_is_the_dealers_who_dealt_all_of_it(db: Database) -> None:
    add(db, duty(ends=EVENING + MINUTE), duty(dealer="Bo Lind", starts=EVENING + MINUTE))
    night(
        db,
        round_(start_ms=0, end_ms=50_000),
        round_(start_ms=55_000, end_ms=70_000),  # the dealer changed at 60,000
        round_(start_ms=75_000, end_ms=90_000),
        round_(start_ms=95_000, end_ms=99_000),
    )
    assert counted(db) == {"not known": 1, "Ana Ruiz": 1, "Bo Lind": 2}


def test_without_a_rota_or_a_date_no_dealer_is_guessed(db: Database) -> None:
    night(db, round_())
    assert counted(db) == {"not known": 1}
    add(db, duty())
    assert counted(db) == {"Ana Ruiz": 1}
    date_footage(db, None)
    assert counted(db) == {"not known": 1}


def test_a_change_of_the_rota_moves_the_rounds_and_their_findings(db: Database) -> None:
    add(db, duty())
    night(db, round_(finding(), finding(code="dealer-drew", amount=None)))
    assert counted(db) == {"Ana Ruiz": 1}
    entry = dealers.rota_between(db, EVENING, EVENING + HOUR)[0]
    dealers.change_duty(db, entry.id, duty(dealer="Bo Lind"), actor="pat", at=NOW)
    assert counted(db) == {"Bo Lind": 1}
    bo = next(row.id for row in dealers.all_dealers(db) if row.name == "Bo Lind")
    assert {place: one.standing for place, one in errors_by_place(db, Scope(dealer_id=bo)).items()} == {
        ("pay-amount", 3): 1,
        ("dealer-drew", 3): 1,
    }
    dealers.remove_duty(db, entry.id, actor="pat", at=NOW)
    assert counted(db) == {"not known": 1}
    assert check_chain(db).broken is None
    assert [one.action for one in ledger.log_entries(db)] == ["rota", "rota", "rota"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"dealer": ""}, "dealer: expected a name"),
        ({"table_name": "x" * 81}, "table: expected a name of at most 80 characters"),
        ({"ends": EVENING}, "to: expected a moment after 2026-11-20T20:00:00+00:00"),
        ({"dealer": "Bo Lind"}, "table: expected BJ-07 free, found Ana Ruiz at BJ-07 from 2026-11-20T20:00"),
        ({"table_name": "BJ-08"}, "dealer: expected Ana Ruiz at one table, found Ana Ruiz at BJ-07"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_is_stored(
    db: Database, changes: dict[str, Any], sentence: str
) -> None:
    add(db, duty())
    with pytest.raises(StoreError) as refused:
        add(db, duty(starts=EVENING + HOUR, ends=EVENING + 2 * HOUR), duty(**changes))
    assert str(refused.value).startswith(sentence)
    assert len(dealers.rota_between(db, EVENING, EVENING + 5 * HOUR)) == 1


def test_a_staff_number_belongs_to_one_dealer(db: Database) -> None:
    add(db, duty(number="417"))
    problem = dealers.problem_with(db, duty(dealer="Bo Lind", number="417", table_name="BJ-08"))
    assert problem == "number: expected 417 to be Ana Ruiz's alone, found '417' for Bo Lind"


def test_a_tap_in_ends_the_duty_of_who_dealt_before(db: Database) -> None:
    add(db, duty())
    over = duty(dealer="Bo Lind", starts=EVENING + 20 * MINUTE, ends=EVENING + HOUR)
    dealers.tap_in(db, over, actor="pat", at=NOW)
    spans = [
        (row.dealer, row.starts_at[11:16], row.ends_at[11:16])
        for row in dealers.rota_between(db, EVENING, EVENING + HOUR)
    ]
    assert spans == [("Ana Ruiz", "20:00", "20:20"), ("Bo Lind", "20:20", "21:00")]


def test_only_rounds_seen_wholly_and_without_an_open_question_count_as_wholly_audited(db: Database) -> None:
    unsure = finding(verdict="undetermined", code="not-seen", observed="hole card not read", amount=None)
    night(db, round_(), round_(unsure), round_(status="partial"), round_(status="void"))
    tallies.count_runs(db)
    (record,) = records_by(db, Scope(), "dealer_id").values()
    assert (record.exposure.rounds, record.exposure.whole, record.exposure.partial, record.exposure.void) == (
        3,
        1,
        1,
        1,
    )
    assert undetermined_by_reason(db, Scope()) == (("hole card not read", 1),)


def test_a_decision_and_a_consequence_change_what_is_counted(db: Database) -> None:
    night(db, round_(finding(), finding(code="push-paid", amount="-5.00"), finding(code="winner-paid", because_of=0)))
    tallies.count_runs(db)
    user_id = add_user(db, name="sam", role=Role.SURVEILLANCE, at=NOW)
    ledger.decide(db, 1, user_id=user_id, kind=Decision.CONFIRM, note="", at=NOW)
    (record,) = records_by(db, Scope(), "day").values()
    assert (record.errors.confirmed, record.errors.open, record.errors.standing) == (1, {"violation": 1}, 2)
    assert (record.errors.over_cents, record.errors.short_cents) == (1250, -500)
    ledger.decide(db, 2, user_id=user_id, kind=Decision.DISMISS, note="", at=NOW)
    (record,) = records_by(db, Scope(), "day").values()
    assert (record.errors.standing, record.errors.dismissed, record.errors.short_cents) == (1, 1, 0)


def test_a_new_run_of_the_same_footage_takes_the_place_of_the_old(db: Database) -> None:
    audited(db, finding())
    assert counted(db) == {"not known": 1}
    from tests.store.conftest import PINS, Pins  # noqa: PLC0415

    newer = Pins(software="0.2.0", weights_sha256=PINS.weights_sha256, rules_sha256=PINS.rules_sha256)
    audited(db, pins=newer)
    assert counted(db) == {"not known": 1}
    assert errors_by_place(db, Scope()) == {}


def test_pace_leaves_out_breaks_and_shuffles(db: Database) -> None:
    add(db, duty())
    rounds = [round_(start_ms=at, end_ms=at + 30_000) for at in (0, 40_000, 80_000, 900_000)]
    night(db, *rounds)
    tallies.count_runs(db)
    (record,) = records_by(db, Scope(), "dealer_id").values()
    assert (record.exposure.paced, record.exposure.paced_ms) == (2, 80_000)
    assert record.exposure.rounds_per_hour == 90.0


def test_the_gaming_day_begins_at_the_propertys_hour(db: Database) -> None:
    chosen = checked_house(property_name="Oak", zone="America/Los_Angeles", day_starts="6", shift_starts="6, 14, 22")
    store_house(db, chosen, actor="root", at=NOW)
    stored = house(db)
    assert stored == House(property_name="Oak", zone="America/Los_Angeles", day_starts=6, shift_starts="6,14,22")
    assert stored.day_of(datetime(2026, 11, 20, 13, 59, tzinfo=UTC)) == "2026-11-19"
    assert stored.day_of(datetime(2026, 11, 20, 14, 0, tzinfo=UTC)) == "2026-11-20"
    assert stored.shift_span("2026-11-20", 3) == (
        datetime(2026, 11, 21, 6, 0, tzinfo=UTC),
        datetime(2026, 11, 21, 14, 0, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"zone": "Mars/Base"}, "time zone: expected a name such as America/Los_Angeles, found 'Mars/Base'"),
        ({"shift_starts": "6,14"}, "shifts: expected 3 hours such as 6,14,22, found '6,14'"),
        ({"shift_starts": "6,22,14"}, "shifts: expected hours in the order of the day, each once"),
        ({"day_starts": "7"}, "day begins: expected the hour of the first shift (6), found '7'"),
    ],
)
def test_settings_that_cannot_be_are_refused(changes: dict[str, str], sentence: str) -> None:
    fields = {"property_name": "", "zone": "UTC", "day_starts": "6", "shift_starts": "6,14,22"} | changes
    with pytest.raises(StoreError, match="expected") as refused:
        checked_house(**fields)
    assert str(refused.value).startswith(sentence)
