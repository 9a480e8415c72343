"""Users, their roles, and logins that work once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction

LONGEST_NAME: Final = 60


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
        StoreError: if the name is taken, or none that can be written.
    """
    with transaction(db):
        if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME or name != name.strip():
            msg = f"expected a name of 1 to {LONGEST_NAME} printable characters, found {name!r:.80}"
            raise StoreError(msg)
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
    """Change what is given of a user.

    Raises:
        StoreError: if nobody would be left who may administer.
    """
    changes = {
        "role": None if role is None else role.value,
        "password_hash": password_hash,
        "disabled_at": None if disabled_at is None else stamp(disabled_at),
    }
    with transaction(db):
        before = user(db, user_id)
        db.table("users").update(user_id, {key: value for key, value in changes.items() if value is not None})
        gone = before is not None and before.role == Role.ADMINISTRATOR and before.disabled_at is None
        if gone and not any(one.role == Role.ADMINISTRATOR and one.disabled_at is None for one in all_users(db)):
            msg = f"expected an administrator besides {before.name if before else user_id}, found none"
            raise StoreError(msg)


def enable_user(db: Database, user_id: int) -> None:
    """Let a disabled user in again."""
    with transaction(db):
        db.execute("UPDATE users SET disabled_at = NULL WHERE id = ?", [user_id])


def first_of_role(db: Database, role: Role) -> UserRow | None:
    """Return the user of the role who was added first and is not disabled, None if there is none."""
    return _user(
        db.query("SELECT * FROM users WHERE role = ? AND disabled_at IS NULL ORDER BY id LIMIT 1", [role.value])
    )


def add_api_token(db: Database, *, token: str, user_id: int, at: datetime) -> int:
    """Store a token with which a program acts as the user, as its hash only, and return its number."""
    with transaction(db):
        row = {"token_sha256": _token_hash(token), "user_id": user_id, "made_at": stamp(at)}
        return int(db.table("api_tokens").insert(row).last_pk)


def api_tokens_of(db: Database, user_id: int) -> tuple[tuple[int, str, str | None], ...]:
    """Return (number, made at, ended at) of the user's tokens, the latest first."""
    rows = db.execute("SELECT id, made_at, ended_at FROM api_tokens WHERE user_id = ? ORDER BY id DESC", [user_id])
    return tuple((row[0], row[1], row[2]) for row in rows)


def end_api_token(db: Database, token_id: int, *, user_id: int, at: datetime) -> bool:
    """End one of the user's tokens; False if it is none, or ended already."""
    with transaction(db):
        ended = db.execute(
            "UPDATE api_tokens SET ended_at = ? WHERE id = ? AND user_id = ? AND ended_at IS NULL",
            [stamp(at), token_id, user_id],
        )
        return bool(ended.rowcount)


def user_of_api_token(db: Database, token: str) -> UserRow | None:
    """Return the user whose token this is, None if it is unknown or ended, or the user disabled."""
    return _user(
        db.query(
            "SELECT u.* FROM users AS u JOIN api_tokens AS t ON t.user_id = u.id"
            " WHERE t.token_sha256 = ? AND t.ended_at IS NULL AND u.disabled_at IS NULL",
            [_token_hash(token)],
        )
    )


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
