"""What an incident report says of a finding before anybody has written in it."""

from __future__ import annotations

import re
from typing import Any, Final

from audit.store.review import FindingRow, RoundRow
from web.round_view import hands
from web.words import bet_name

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_DOCUMENTS: Final = {
    "000": "Draw 'n Shoot 21",
    "001": "Dicey 21",
    "002": "21 Stud",
    "003": "Lucky Draw Baccarat",
    "004": "Blackjack manual",
}
_SOURCE: Final = re.compile(r"\b(\d{3}):L(\d+)((?:[-–,]\d+)*)")


def summary_of(finding: FindingRow, row: RoundRow | None) -> str:
    """Return where it was, what was expected and observed, and what the player and the dealer held."""
    place = bet_name({"seat": finding.seat, "bet": finding.bet, "hand": finding.hand, "number": finding.number})
    where = (finding.table_name, "" if row is None else f"round {row.ordinal + 1}", place)
    said = f"{', '.join(filter(None, where))}. Expected: {finding.expected}. Observed: {finding.observed}."
    held = "" if row is None else _cards(finding, row)
    return f"{said} {held}".strip()


def with_titles(text: str) -> str:
    """Return a text with every citation such as ``002:L29-31`` written as document and lines."""
    return _SOURCE.sub(_titled, text)


def _titled(match: re.Match[str]) -> str:
    title = _DOCUMENTS.get(match[1])
    lines = "lines" if match[3] else "line"
    return match[0] if title is None else f"{title}, {lines} {match[2]}{match[3]}"


def _cards(finding: FindingRow, row: RoundRow) -> str:
    shown = hands(row)
    seat = next((one for one in shown["seats"] if int(one["number"]) == finding.seat), None)
    own = [] if seat is None else seat["hands"]
    named = [
        (f"seat {finding.seat}" if len(own) == 1 else f"seat {finding.seat}, hand {i}", hand)
        for i, hand in enumerate(own, start=1)
    ]
    parts = [f"{name} {_hand(hand)}" for name, hand in (*named, ("dealer", shown["dealer"])) if hand["cards"]]
    return f"Cards: {'; '.join(parts)}." if parts else ""


def _hand(hand: dict[str, Any]) -> str:
    cards = " ".join(_card(code) for code in hand["cards"])
    return cards if hand["total"] == "–" else f"{cards} ({hand['total']})"


def _card(code: str | None) -> str:
    if code is None:
        return "not read"
    return f"{'10' if code[0] == 'T' else code[0]}{_SUITS[code[1]]}"
