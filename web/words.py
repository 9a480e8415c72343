"""How times, money, bets and findings are written on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import url_for

from audit.store.review import FindingRow
from web.local_time import local, zoned

DECISIONS: Final = {
    "confirm": "confirmed",
    "dismiss": "dismissed",
    "cannot_tell": "can't tell",
    "escalate": "escalated",
    "undo": "withdrew the decision before",
}
_OF_UNDETERMINED: Final = {"confirm": "breach seen", "dismiss": "no breach seen", "cannot_tell": "cannot be told"}
"""The same decisions on what the audit could not decide: no breach is there to confirm, only what is seen."""

ANSWER_WORDS: Final = {
    "": "",
    "confirm": "confirmed",
    "dismiss": "dismissed",
    "cannot_tell": "can't tell",
    "escalate": "escalated",
    "nothing_wrong": "nothing wrong",
    "missed": "something was missed",
}
"""What first and second reviewers answer, of findings and of rounds without any."""

REASONS: Final = (
    "reading wrong",
    "played as the rules allow",
    "corrected at the table",
    "approved by a supervisor",
    "camera or view disturbed",
    "repeats another finding",
)
"""What a reviewer picks from to say why; a note says it in words."""


def decided(kind: str, *, verdict: str) -> str:
    """Return a decision, or a second answer, in words, as it is meant of a finding of that verdict."""
    special = _OF_UNDETERMINED if verdict == "undetermined" else {}
    return special.get(kind) or DECISIONS.get(kind) or ANSWER_WORDS[kind]


@dataclass(frozen=True, kw_only=True)
class FindingView:
    """A finding as the pages write it."""

    id: int
    href: str
    title: str
    verdict: str
    probability: float
    expected: str
    observed: str
    amount_text: str
    over: bool
    short: bool
    favour: str
    seat: int | None
    wager: str
    table_id: str
    round_number: str
    at: str
    when: str
    where: str
    citation: str
    procedures: tuple[str, ...]
    decision: str | None
    clock_time: str
    seen_by: str
    seen_at: str


def finding_view(row: FindingRow) -> FindingView:
    """Return the finding in words."""
    cents = row.amount_cents or 0
    number = "" if row.round_ordinal is None else str(row.round_ordinal + 1)
    return FindingView(
        id=row.id,
        href=url_for("rounds.show_finding", finding_id=row.id),
        title=title(row.code),
        verdict=row.verdict,
        probability=row.probability,
        expected=row.expected,
        observed=row.observed,
        amount_text=signed(row.amount),
        over=cents > 0,
        short=cents < 0,
        favour="more than was due" if cents > 0 else "less than was due" if cents < 0 else "",
        seat=row.seat,
        wager=_wager(row),
        table_id=row.table_name,
        round_number=number,
        at=clock(row.first_ms),
        when=f"{clock(row.first_ms)} to {clock(row.last_ms)}",
        where=bet_name({"seat": row.seat, "bet": row.bet, "hand": row.hand, "number": row.number}) or "table",
        citation=row.citation,
        procedures=row.procedures,
        decision=decided(row.decision, verdict=row.verdict) if row.decision else None,
        clock_time=local(row.happened_at),
        seen_by=row.added_name or "",
        seen_at=zoned(row.added_at),
    )


def _wager(row: FindingRow) -> str:
    """Return seat and wager as a column writes them: ``1 · match1``; a hand only where a seat has several."""
    hand = f"hand {row.hand}" if row.hand is not None and row.hand > 1 else ""
    bet = bet_name({"bet": row.bet, "number": row.number})
    return " · ".join(part for part in (str(row.seat or ""), hand, bet) if part)


def named(row: FindingRow) -> str:
    """Return what names a finding within its round: ``Pay amount, seat 1, match1``."""
    place = bet_name({"seat": row.seat, "bet": row.bet, "hand": row.hand, "number": row.number})
    return ", ".join(part for part in (title(row.code), place) if part)


def title(code: str) -> str:
    """Return a finding's code in words."""
    return code.replace("-", " ").replace("_", " ").capitalize()


def clock(ms: int) -> str:
    """Return media time as hours, minutes and seconds."""
    seconds, rest = divmod(ms, 1000)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    return f"{hours}:{minutes:02}:{seconds:02}.{rest // 100}"


def signed(amount: str | None) -> str:
    """Return the amount with its sign, empty if there is none."""
    if amount is None:
        return ""
    return amount if amount.startswith("-") else f"+{amount}"


def bet_name(key: Mapping[str, Any]) -> str:
    """Return what names a wager: ``seat 3, hand 1, main``."""
    parts = [f"seat {key['seat']}" if key.get("seat") else ""]
    parts.append(f"hand {key['hand']}" if key.get("hand") else "")
    number = f" {key['number']}" if key.get("number") else ""
    parts.append(f"{key['bet']}{number}".replace("_", " ") if key.get("bet") else "")
    return ", ".join(part for part in parts if part)
