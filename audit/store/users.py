"""Users, their roles, and logins that work once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction


class Role(StrEnum):
    """What a user may do; the pages decide by it."""

    SURVEILLANCE = "surveillance"
    PIT_MANAGER = "pit_manager"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, kw_only=True)
class UserRow:
    """One user; without a password hash only one-time logins open the door."""

    id: int
    name: str
    password_hash: str | None
    role: str
    created_at: str
    disabled_at: str | None


def add_user(db: Database, *, name: str, role: Role, at: datetime, password_hash: str | None = None) -> int:
    """Store a new user and return the number. Names are compared without case.

    Raises:
        StoreError: if the name is taken.
    """
    with transaction(db):
        if user_named(db, name) is not None:
            msg = f"expected a name that no user has yet, found {name!r:.60}"
            raise StoreError(msg)
        row = {"name": name, "role": role.value, "password_hash": password_hash, "created_at": stamp(at)}
        return int(db.table("users").insert(row).last_pk)


def user(db: Database, user_id: int) -> UserRow | None:
    """Return the user of that number, None if there is none."""
    return _user(db.query("SELECT * FROM users WHERE id = ?", [user_id]))


def user_named(db: Database, name: str) -> UserRow | None:
    """Return the user of that name, None if there is none."""
    return _user(db.query("SELECT * FROM users WHERE name = ?", [name]))


def all_users(db: Database) -> tuple[UserRow, ...]:
    """Return all users by name."""
    return tuple(UserRow(**row) for row in db.query("SELECT * FROM users ORDER BY name"))


def change_user(
    db: Database,
    user_id: int,
    *,
    role: Role | None = None,
    password_hash: str | None = None,
    disabled_at: datetime | None = None,
) -> None:
    """Change what is given of a user."""
    changes = {
        "role": None if role is None else role.value,
        "password_hash": password_hash,
        "disabled_at": None if disabled_at is None else stamp(disabled_at),
    }
    with transaction(db):
        db.table("users").update(user_id, {key: value for key, value in changes.items() if value is not None})


def add_one_time_login(db: Database, *, token: str, user_id: int, expires: datetime) -> None:
    """Store a login link's token, as its hash only."""
    with transaction(db):
        row = {"token_sha256": _token_hash(token), "user_id": user_id, "expires_at": stamp(expires)}
        db.table("one_time_logins").insert(row)


def use_one_time_login(db: Database, *, token: str, now: datetime) -> UserRow | None:
    """Return the user whose token this is and use the token up; None if it is unknown, used or expired."""
    with transaction(db):
        used = db.execute(
            "UPDATE one_time_logins SET used_at = :now"
            " WHERE token_sha256 = :token AND used_at IS NULL AND expires_at > :now",
            {"now": stamp(now), "token": _token_hash(token)},
        )
        if not used.rowcount:
            return None
        return _user(
            db.query(
                "SELECT u.* FROM users AS u JOIN one_time_logins AS l ON l.user_id = u.id"
                " WHERE l.token_sha256 = ? AND u.disabled_at IS NULL",
                [_token_hash(token)],
            )
        )


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _user(rows: Any) -> UserRow | None:
    row = next(iter(rows), None)
    return None if row is None else UserRow(**row)
