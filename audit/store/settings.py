"""Settings of the property, kept in the store and changed in the pages."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction
from audit.store.ledger import append

SHIFTS: Final = 3
_HOURS: Final = 24
_TEXT: Final = 120


@dataclass(frozen=True, kw_only=True)
class House:
    """What the property is called and how its days run.

    ``zone``: the time zone of the pages and of the rota. ``day_starts``: the hour at which the gaming day begins.
    ``shift_starts``: the hours at which the three shifts begin, written ``6,14,22``.
    """

    property_name: str = ""
    zone: str = "UTC"
    day_starts: int = 6
    shift_starts: str = "6,14,22"

    @property
    def tz(self) -> ZoneInfo:
        """The time zone."""
        return ZoneInfo(self.zone)

    @property
    def shifts(self) -> tuple[int, ...]:
        """The hours at which the shifts begin, in the order of the gaming day."""
        return tuple(int(part) for part in self.shift_starts.split(","))

    def day_of(self, at: datetime) -> str:
        """Return the gaming day of a moment, as ``2026-11-21``."""
        return (at.astimezone(self.tz) - timedelta(hours=self.day_starts)).date().isoformat()

    def shift_span(self, day: str, shift: int) -> tuple[datetime, datetime]:
        """Return the moments between which a shift of a gaming day lies, in UTC."""
        ends = (*self.shifts[1:], self.shifts[0])
        start, end = (self._moment(day, hour) for hour in (self.shifts[shift - 1], ends[shift - 1]))
        return start, end if end > start else end + timedelta(days=1)

    def hours_of(self, first: datetime, end: datetime) -> tuple[str, str]:
        """Return two moments as hours by the property's clock, as they are counted: ``2026-11-20T22``."""
        return first.astimezone(self.tz).isoformat()[:13], end.astimezone(self.tz).isoformat()[:13]

    def _moment(self, day: str, hour: int) -> datetime:
        midnight = datetime.fromisoformat(day).replace(tzinfo=self.tz)
        later = midnight + timedelta(days=1 if hour < self.day_starts else 0)
        return later.replace(hour=hour).astimezone(UTC)


def house(db: Database) -> House:
    """Return the settings, what was never set as it is by default."""
    stored = {row["name"]: row["value"] for row in db.query("SELECT name, value FROM settings")}
    known = {field.name for field in fields(House)}
    chosen: dict[str, str | int] = {name: value for name, value in stored.items() if name in known}
    if "day_starts" in chosen:
        chosen["day_starts"] = int(chosen["day_starts"])
    return House(**chosen)  # type: ignore[arg-type]  # checked when they were stored


def checked_house(*, property_name: str, zone: str, day_starts: str, shift_starts: str) -> House:
    """Return the settings that a form gave.

    Raises:
        StoreError: naming the first that cannot be, what was expected and what was found.
    """
    if len(property_name) > _TEXT:
        _refuse(f"property: expected at most {_TEXT} characters, found {len(property_name)}")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        _refuse(f"time zone: expected a name such as America/Los_Angeles, found {zone!r:.60}")
    hours = [part.strip() for part in shift_starts.split(",")]
    if len(hours) != SHIFTS or not all(_is_hour(part) for part in hours):
        _refuse(f"shifts: expected {SHIFTS} hours such as 6,14,22, found {shift_starts!r:.60}")
    if not _is_hour(day_starts) or int(hours[0]) != int(day_starts):
        _refuse(f"day begins: expected the hour of the first shift ({hours[0]}), found {day_starts!r:.20}")
    after = [(int(hour) - int(day_starts)) % _HOURS for hour in hours]
    if sorted(set(after)) != after:
        _refuse(f"shifts: expected hours in the order of the day, each once, found {shift_starts!r:.60}")
    shifts = ",".join(str(int(hour)) for hour in hours)
    return House(property_name=property_name.strip(), zone=zone, day_starts=int(day_starts), shift_starts=shifts)


def store_house(db: Database, chosen: House, *, actor: str, at: datetime) -> None:
    """Store the settings, with an entry in the log for what changed; days are counted anew where they run otherwise."""
    before = vars(house(db))
    changed = {name: value for name, value in vars(chosen).items() if before[name] != value}
    if not changed:
        return
    with transaction(db):
        db.table("settings").upsert_all(
            (
                {"name": name, "value": str(value), "changed_by": actor, "changed_at": stamp(at)}
                for name, value in changed.items()
            ),
            pk="name",
        )
        append(db, actor=actor, action="settings", details={name: str(value) for name, value in changed.items()}, at=at)
        if changed.keys() & {"zone", "day_starts"}:
            db.execute("INSERT OR IGNORE INTO uncounted_runs SELECT id FROM runs WHERE status = 'done'")


def _is_hour(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) < _HOURS


def _refuse(msg: str) -> None:
    raise StoreError(msg)
