"""What the address of the queue asks for; what it does not know is passed over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Final

from audit.store.database import stamp
from audit.store.review import QueueFilter

STATES: Final = (
    ("unreviewed", "unreviewed"),
    ("reviewed", "reviewed"),
    ("any", "all"),
    ("confirm", "confirmed, breach seen"),
    ("dismiss", "dismissed, no breach seen"),
    ("cannot_tell", "can't tell"),
    ("escalate", "escalated"),
    ("by_me", "decided by me"),
    ("counted", "counted in figures"),
)
VERDICTS: Final = (("", "all"), ("violation", "violation"), ("suspect", "suspect"), ("undetermined", "undetermined"))
SIDES: Final = (("", "either way"), ("over", "overpaid"), ("short", "underpaid"))
CLAIMS: Final = (("", "anyone's"), ("free", "free or mine"), ("mine", "mine"))
NAMES: Final = (
    *("q", "state", "verdict", "code", "table", "game", "dealer"),
    *("since", "until", "least", "most", "side", "claim", "seat", "first", "last"),
)
"""What an address of the queue may carry."""

COUNTED: Final = "counted"
"""The state of what the pit's figures count from ``first`` to ``last``: violations and suspects nobody dismissed."""
_DIGITS: Final = 10
_DECIDED: Final = frozenset({"confirm", "dismiss", "cannot_tell", "escalate"})
_MOST_CENTS: Final = 10**12
_ANY_DAY: Final = ("", "9999-12-31")
_AMOUNT: Final = re.compile(r"\$?(?P<whole>[0-9]{1,3}(,[0-9]{3})+|[0-9]{1,12})([.,](?P<part>[0-9]{1,2}))?")


def chosen_filter(
    asked: Mapping[str, str], *, user_id: int, now: datetime, may_decide: bool = True, zone: tzinfo = UTC
) -> QueueFilter:
    """Return the filter that the address asks for, as this user sees it at this moment.

    Times without an offset are those of ``zone``.
    Where the filter itself would tell what was decided, one who decides is not shown what he may review a second time.
    """
    state = _one_of(asked.get("state"), STATES) or "unreviewed"
    claim = _one_of(asked.get("claim"), CLAIMS)
    me_now = (user_id, stamp(now))
    telling = state in _DECIDED or state == COUNTED or _text(asked.get("q")) is not None
    return QueueFilter(
        state="any" if state in ("by_me", COUNTED) else state,
        verdict=_one_of(asked.get("verdict"), VERDICTS),
        code=_text(asked.get("code")),
        game=_text(asked.get("game")),
        table_name=_text(asked.get("table")),
        text=_text(asked.get("q")),
        since=moment(asked.get("since", ""), zone),
        until=moment(asked.get("until", ""), zone),
        minimum_cents=cents(asked.get("least", "")),
        maximum_cents=cents(asked.get("most", "")),
        side=_one_of(asked.get("side"), SIDES),
        dealer_id=_whole(asked.get("dealer")),
        seat=_whole(asked.get("seat")),
        counted=_days(asked) if state == COUNTED else None,
        free_for=me_now if claim == "free" else None,
        claimed_by=me_now if claim == "mine" else None,
        decided_by=user_id if state == "by_me" else None,
        blind_for=user_id if telling and may_decide else None,
    )


def kept(asked: Mapping[str, str]) -> dict[str, str]:
    """Return what an address carries of a filter, for the addresses that lead on from it."""
    return {name: asked[name][:200] for name in NAMES if asked.get(name)}


def faults(asked: Mapping[str, str]) -> dict[str, str]:
    """Return what of the address cannot be filtered by: the field's name and a sentence on it."""
    said = ((name, asked.get(name, "").strip()) for name in ("least", "most"))
    return {
        name: f"expected an amount such as 50 or 12.50, found {text[:20]}"
        for name, text in said
        if text and cents(text) is None
    }


def cents(text: str) -> int | None:
    """Return whole dollars, or dollars and cents, in cents; None for anything else.

    A comma before three digits parts thousands (``1,250``), before one or two it is a decimal one (``12,50``).
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        return None
    whole, part = found["whole"].replace(",", ""), ((found["part"] or "") + "00")[:2]
    return int(whole + part) if int(whole + part) <= _MOST_CENTS else None


def moment(text: str, zone: tzinfo = UTC) -> str | None:
    """Return a date with a time, of ``zone`` unless it says otherwise, as it is stored; None for anything else."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return stamp(at if at.tzinfo else at.replace(tzinfo=zone))
    except OverflowError:
        return None


def _days(asked: Mapping[str, str]) -> tuple[str, str]:
    """Return the gaming days that the address names, every day where it names none."""
    first, last = (asked.get(name, "")[:10] for name in ("first", "last"))
    return first or _ANY_DAY[0], last or _ANY_DAY[1]


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < _DIGITS else None


def _one_of(value: str | None, options: tuple[tuple[str, str], ...]) -> str | None:
    return value if value and value in dict(options) else None


def _text(value: str | None) -> str | None:
    text = (value or "").replace("\x00", "").strip()[:200]
    return text or None
