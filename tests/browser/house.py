"""The demo's audit with a house around it, for the pictures of the pages: names, times and a rota are made up."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database

from audit.store import audits, dealers, footage, ledger, review, second_reviews, settings, users
from audit.store.database import open_store
from audit.store.dealers import Duty, Source
from audit.store.library import add_folder, date_footage
from audit.store.review import QueueFilter
from audit.store.second_reviews import Shares
from audit.store.tallies import count_runs
from audit.store.users import Role

NIGHT: Final = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
NOW: Final = datetime(2026, 11, 21, 4, 10, tzinfo=UTC)
DEALERS: Final = ("Ana Ruiz", "Bo Lind", "Chidi Eze", "Dana Petrov", "Emre Kaya", "Fay O'Neill")
PEOPLE: Final = (
    ("sam", Role.SURVEILLANCE),
    ("jo", Role.SURVEILLANCE),
    ("pat", Role.PIT_MANAGER),
    ("ali", Role.AUDITOR),
    ("root", Role.ADMINISTRATOR),
)
_TIMES: Final = 12
"""How often the session is repeated within an hour's recording."""


def furnish(demo: Path, target: Path) -> None:
    """Copy the demo's store and put reviewers, decisions, an incident report and second reviews into it."""
    target.mkdir(parents=True)
    shutil.copy(demo / "catwalk.db", target)
    db = open_store(target)
    for name, role in PEOPLE:
        users.add_user(db, name=name, role=role, at=NIGHT)
    house = settings.checked_house(property_name="Harbour House", zone="UTC", day_starts="6", shift_starts="6,14,22")
    settings.store_house(db, house, actor="root", at=NIGHT)
    date_footage(db, 1, NIGHT, actor="root", at=NIGHT)
    hour = Duty(dealer="Ana Ruiz", number="417", table_name="BJ-07", starts=NIGHT, ends=NIGHT + timedelta(hours=1))
    dealers.add_duties(db, [hour], source=Source.IMPORT, actor="pat", at=NIGHT)
    count_runs(db)
    db.close()


def decide(target: Path) -> None:
    """Take some decisions, have two of them answered blindly."""
    db = open_store(target)
    sam, jo = (_id(db, name) for name in ("sam", "jo"))
    second_reviews.set_shares(db, Shares(flagged=1.0, unflagged=0.0), user_id=_id(db, "root"), actor="root", at=NIGHT)
    kinds = (ledger.Decision.CONFIRM, ledger.Decision.DISMISS, ledger.Decision.CONFIRM, ledger.Decision.CANNOT_TELL)
    for i, number in enumerate(review.queue_ids(db, QueueFilter(), limit=12)[3:]):
        reason = "reading wrong" if i % 4 == 1 else ""
        at = NOW + timedelta(seconds=20 * i)
        ledger.decide(db, number, user_id=sam, kind=kinds[i % 4], note="", reason=reason, at=at)
    for i in range(7):
        item = second_reviews.next_finding(db, user_id=jo)
        if item is not None:
            kind = "dismiss" if i in {1, 4} else "confirm"
            second_reviews.answer(db, item, user_id=jo, kind=kind, note="", at=NOW + timedelta(minutes=5 + i))
    db.close()


def repeat(target: Path) -> None:
    """Repeat the demo's session under other dealers at other tables, over ten nights, so that the pit has figures."""
    db = open_store(target)
    chance = random.Random(20)  # noqa: S311 - made up, nothing secret
    date_footage(db, 1, None, actor="root", at=NIGHT)  # ten rounds with all their findings would dwarf the other days
    shown = audits.audit_record(db, 1)["rounds"]
    pins, toml = _pins(db), footage.profile(db, 1).toml
    for number in range(30):
        table, night = f"BJ-{7 + number % 3:02}", NIGHT - timedelta(days=1 + number // 3)
        profile = toml.replace('id = "BJ-07"', f'id = "{table}"')
        profile_id = footage.store_profile(
            db, name=table, game="blackjack", toml=profile, sha256=f"{7 + number % 3:064}", at=NIGHT
        )
        name = f"/footage/{table}_{night:%Y%m%d_%H%M%S}.mp4"
        made = footage.register_footage(
            db,
            sha256=f"{1000 + number:064}",
            path=name,
            size_bytes=1_490_000_000,
            at=night,
            duration_ms=3_000_000,
            width=1920,
            height=1080,
            codec="h264",
        )
        run = footage.open_run(
            db, footage_id=made, profile_id=profile_id, pins=pins, segments=[], at=night + timedelta(hours=2)
        )
        date_footage(db, made, night, actor="root", at=night)
        audits.store_audit(db, run, rounds=list(_hour(shown, chance)), findings=[], at=night + timedelta(hours=2))
    _rota(db)
    add_folder(db, str(target), profile_id=1, actor="root", at=NIGHT)
    _judge(db, chance)
    count_runs(db)
    db.close()


def _hour(shown: Sequence[Mapping[str, Any]], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield the rounds of an hour; few of them keep a finding, as in a house whose dealers know their trade."""
    for turn in range(_TIMES):
        for one in shown:
            record: dict[str, Any] = _later(one, turn * 245_000)
            yield record | {"findings": [found for found in record["findings"] if chance.random() < 0.03]}


def _later(value: Any, by_ms: int, name: str = "") -> Any:
    """Return a part of a record with every moment in it moved."""
    if isinstance(value, dict):
        return {key: _later(part, by_ms, key) for key, part in value.items() if key != "because_of"}
    if isinstance(value, list):
        return [_later(part, by_ms, name) for part in value]
    return value + by_ms if name.endswith("_ms") and isinstance(value, int) else value


def _rota(db: Database) -> None:
    """Let the dealers change tables by the hour; some of it nobody wrote down."""
    duties = [
        Duty(
            dealer=DEALERS[(2 * night + table) % len(DEALERS)],
            table_name=f"BJ-{7 + table:02}",
            starts=NIGHT - timedelta(days=1 + night),
            ends=NIGHT - timedelta(days=1 + night) + timedelta(hours=1),
            supervisor="Kim Novak",
        )
        for night in range(10)
        for table in range(3)
        if (night, table) != (4, 2)
    ]
    dealers.add_duties(db, duties, source=Source.IMPORT, actor="pat", at=NIGHT)


def _judge(db: Database, chance: random.Random) -> None:
    """Decide on most findings, so that the share that reviewers confirm is known."""
    sam = _id(db, "sam")
    for number in review.queue_ids(db, QueueFilter(), limit=500):
        if chance.random() < 0.7:
            kind = ledger.Decision.CONFIRM if chance.random() < 0.4 else ledger.Decision.DISMISS
            ledger.decide(db, number, user_id=sam, kind=kind, note="", at=NOW)


def _pins(db: Database) -> footage.Pins:
    run = footage.run(db, 1)
    return footage.Pins(software=run.software, weights_sha256=run.weights_sha256, rules_sha256=run.rules_sha256)


def _id(db: Database, name: str) -> int:
    user = users.user_named(db, name)
    assert user is not None
    return user.id
