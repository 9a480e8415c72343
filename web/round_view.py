"""A stored round as the round page writes it: hands, settlement rows, marks on the timeline, zones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from audit.cards import parse_card
from audit.games.terms import best_total
from audit.money import format_money, parse_money
from audit.projection import outline_px, to_pixels
from audit.store.review import FindingRow, RoundRow
from audit.table import Point, TableProfile, parse_profile
from web.words import bet_name, signed, title

_TOTALLED: Final = frozenset({"blackjack", "double_deck", "stud_21"})
_MARKED: Final = {"card": "card", "card_back": "card", "chips": "wager"}
_SAME_MM: Final = 25.0
_STEP_MM: Final = 50.0
_KEY: Final = ("seat", "hand", "bet", "number")


def hands(row: RoundRow) -> dict[str, Any]:
    """Return the dealer's hand and the seats with their hands; ``total`` is a dash where a card was not read."""
    table = row.record.get("table", {})
    return {
        "dealer": _hand(_dealer_cards(table.get("dealer", [])), row.game),
        "seats": [
            {"number": number, "hands": [_hand(codes, row.game) for codes in _seat_hands(seat)]}
            for number, seat in sorted(table.get("seats", {}).items(), key=lambda item: int(item[0]))
        ],
        "dice": table.get("dice", []),
    }


def bets(row: RoundRow, findings: Sequence[FindingRow], chosen: FindingRow | None) -> list[dict[str, Any]]:
    """Return one row a wager: stake, what decided it, due, paid, taken and the difference."""
    settled = {_name(one): one for one in row.record.get("settled", [])}
    paid = _sums(row.record.get("pays", []))
    taken = _sums(row.record.get("takes", []))
    money = {_name(vars(one)): one for one in findings if one.amount is not None}
    return [
        _bet(
            bet,
            due=settled.get(_name(bet), {}),
            paid=paid.get(_name(bet)),
            taken=taken.get(_name(bet)),
            finding=money.get(_name(bet)),
            is_hot=chosen is not None and _name(vars(chosen)) == _name(bet),
        )
        for bet in row.record.get("bets", [])
    ]


def marks(row: RoundRow, findings: Sequence[FindingRow]) -> list[dict[str, Any]]:
    """Return what the timeline marks: takes, pays and findings."""
    found = [{"kind": "finding", "ms": one.first_ms, "text": title(one.code)} for one in findings]
    for kind, verb in (("pays", "pay"), ("takes", "take")):
        for move in row.record.get(kind, []):
            amount = move.get("amount") or "unread"
            found.append({"kind": verb, "ms": move["first_ms"], "text": f"{verb} {amount}, {bet_name(move)}"})
    return sorted(found, key=lambda mark: int(mark["ms"]))


def zones(profile_toml: str, states: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the profile's zones, with their outlines in the picture where the camera is known."""
    seen = {name: polygon for state in states for name, polygon in (state.get("zones_px") or {}).items()}
    profile = _profile(profile_toml)
    return (
        []
        if profile is None
        else [
            {
                "name": zone.name,
                "polygon_mm": zone.polygon_mm,
                "polygon_px": seen.get(zone.name) or (outline_px(profile.camera, zone) if profile.camera else None),
            }
            for zone in profile.zones
        ]
    )


def zone_of(profile_toml: str, finding: FindingRow | None) -> str | None:
    """Return the name of the zone that a finding is about: its wager's, else its seat's cards; None without a seat."""
    profile = _profile(profile_toml)
    if profile is None or finding is None or finding.seat is None:
        return None
    known = {zone.name for zone in profile.zones}
    names = (f"seat{finding.seat}.{finding.bet}", f"seat{finding.seat}.cards")
    return next((name for name in names if name in known), None)


def felt_grid(profile_toml: str) -> dict[str, Any]:
    """Return where points of the felt are seen, 50 mm apart, and how cards lie upright at each seat.

    ``px`` goes row by row from ``first_mm``; it is empty where the camera is not known.
    """
    profile = _profile(profile_toml)
    if profile is None:
        return {"grid": None, "axes": {}}
    xs, ys = zip(*(corner for zone in profile.zones for corner in zone.polygon_mm), strict=True)
    left, front = min(xs) - _STEP_MM, min(ys) - _STEP_MM
    columns, rows = (math.ceil((max(values) - min(values)) / _STEP_MM) + 3 for values in (xs, ys))
    points = [(left + _STEP_MM * i, front + _STEP_MM * j) for j in range(rows) for i in range(columns)]
    seen = None if profile.camera is None else to_pixels(profile.camera, points)
    grid = {
        "first_mm": (left, front),
        "step_mm": _STEP_MM,
        "columns": columns,
        "px": [(round(u, 1), round(v, 1)) for u, v in seen or ()],
    }
    return {"grid": grid, "axes": {str(seat): profile.seat_axis_deg(seat) for seat in profile.seats}}


def counting(profile_toml: str, row: RoundRow) -> dict[str, Any]:
    """Return what the plan needs to count what lies on the felt: what chips are worth, and which cards have a total.

    A seat that split has several hands in one zone and is left out.
    """
    profile = _profile(profile_toml)
    seats = hands(row)["seats"] if row.game in _TOTALLED else []
    single = [f"seat{seat['number']}.cards" for seat in seats if len(seat["hands"]) == 1]
    return {
        "cents": {} if profile is None else {colour: int(value * 100) for colour, value in profile.chips.items()},
        "totalled": [*single, "dealer.cards"] if row.game in _TOTALLED else [],
    }


def moments(profile_toml: str, states: Sequence[Mapping[str, Any]], row: RoundRow) -> list[dict[str, Any]]:
    """Return when each card and each wager of the round first lay on the felt, as marks of the timeline."""
    profile = _profile(profile_toml)
    known: list[tuple[str, Point]] = []
    found = []
    for state in states:
        for item in state.get("objects", []):
            kind = _MARKED.get(item["kind"])
            place: Point = (item["xy_mm"][0], item["xy_mm"][1])
            if kind is None or any(kind == one and math.dist(place, at) < _SAME_MM for one, at in known):
                continue
            known.append((kind, place))
            where = _bet_zone(profile, place) if kind == "wager" else ""
            ms = state["t_ms"][0]
            if where is None or not (ms <= row.end_ms and _settles(row, kind, ms)):
                continue
            text = item.get("card") or "card" if kind == "card" else where
            found.append({"kind": kind, "ms": ms, "text": f"{kind} {text}" if kind == "wager" else text})
    return found


def _profile(toml: str) -> TableProfile | None:
    """Return the stored profile, None if it was written for another version and cannot be read."""
    try:
        return parse_profile(toml)
    except ValueError:
        return None


def _settles(row: RoundRow, kind: str, ms: int) -> bool:
    """Return whether chips that come at this moment are not money that the dealer moves."""
    moved = [*row.record.get("pays", []), *row.record.get("takes", [])]
    return kind != "wager" or not any(one["first_ms"] <= ms <= one["last_ms"] for one in moved)


def _bet_zone(profile: TableProfile | None, place: Point) -> str | None:
    """Return the seat and the bet whose zone holds the place, None if none does."""
    zones_there = () if profile is None else profile.zones_at(place)
    zone = next((zone for zone in zones_there if zone.bet is not None), None)
    return None if zone is None else f"seat {zone.seat}, {zone.bet}"


def _bet(
    bet: Mapping[str, Any],
    *,
    due: Mapping[str, Any],
    paid: tuple[str | None, int] | None,
    taken: tuple[str | None, int] | None,
    finding: FindingRow | None,
    is_hot: bool,
) -> dict[str, Any]:
    moved = paid or taken
    return {
        "name": bet_name(bet),
        "stake": bet.get("amount") or "unread",
        "outcome": due.get("outcome") or "undecided",
        "odds": due.get("odds"),
        "why": due.get("why", ""),
        "source": due.get("source", ""),
        "due": due.get("pay") or "",
        "paid": "" if paid is None else paid[0] or "unread",
        "taken": "" if taken is None else taken[0] or "unread",
        "difference": "" if finding is None else signed(finding.amount),
        "side": "" if finding is None or not finding.amount_cents else "over" if finding.amount_cents > 0 else "short",
        "hot": is_hot,
        "at_ms": None if moved is None else moved[1],
    }


def _sums(moves: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], tuple[str | None, int]]:
    """Return the money moved on each wager and when it began; an unread amount makes the sum unread."""
    sums: dict[tuple[Any, ...], tuple[str | None, int]] = {}
    for move in moves:
        before, at = sums.get(_name(move), ("0.00", move["first_ms"]))
        amount = move.get("amount")
        whole = None if before is None or amount is None else format_money(parse_money(before) + parse_money(amount))
        sums[_name(move)] = (whole, at)
    return sums


def _name(record: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(record.get(key) for key in _KEY)


def _dealer_cards(dealer: Any) -> list[str | None]:
    if isinstance(dealer, Mapping):
        return [dealer.get(place) for place in ("down", "up", "third") if place in dealer]
    return list(dealer)


def _seat_hands(seat: Mapping[str, Any]) -> list[list[str | None]]:
    if "hands" in seat:
        return [list(hand["cards"]) for hand in seat["hands"]]
    return [list(seat.get("cards", []))]


def _hand(codes: Sequence[str | None], game: str) -> dict[str, Any]:
    total = best_total(None if code is None else parse_card(code) for code in codes) if game in _TOTALLED else None
    return {"cards": list(codes), "total": "–" if total is None else str(total)}
