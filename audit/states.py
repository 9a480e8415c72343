"""Settled table states: the boundary between seeing and judging.

One JSON object a line, in time order, each a complete snapshot of what lies on the table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from audit.cards import DECK
from audit.timing import Span

_FAR: Final = 1e9
_UNDER_MM: Final = 2.0
CARD_KINDS: Final = ("card", "card_back")
KNOWN_KINDS: Final = frozenset({*CARD_KINDS, "chips", "die", "dice_cup", "discards", "cut_card"})
LATER_KINDS: Final = frozenset(
    {"bill", "coupon", "lammer", "rack_tube", "float_cover", "marker", "shoe", "carrier", "slip"}
)
"""Kinds of things of the game that recognition does not tell, but another source of states may."""
FOREIGN_KINDS: Final = frozenset({"bag", "purse", "cup", "ashtray", "glass", "bottle", "phone"})
"""Kinds of things that do not belong on a table (004:L641, L988)."""
TROUBLES: Final = "troubles"
"""Key of a state: what made the footage hard to read then, see below; beside it ``CAMERA_MOVED``, pixels."""
PICTURES_LOST: Final = "pictures are lost"
LIGHT_FLICKERS: Final = "the light flickers"
CAMERA_MOVED: Final = "camera_moved_px"


class StatesError(ValueError):
    """A line of table states that cannot be used; the message names line, expected and found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackCandidate:
    """One possible reading of a pile, bottom to top, and its probability."""

    stack: tuple[str, ...]
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenObject:
    """One object on the felt; ``xy_mm`` is its centre (for a card the whole card's, also where it is covered).

    ``card``, ``value`` and ``stack`` are the best readings, None if unread. ``candidates`` holds the probabilities
    of a card or die (code or number -> p), ``stacks`` those of a pile; an empty one means that the reading is certain,
    or, where the reading is None, that nothing is known. ``since_ms``: from when on it was watched and has not changed.
    ``extra`` keeps every key this version does not know.
    """

    kind: str
    xy_mm: tuple[float, float]
    angle_deg: float | None = None
    card: str | None = None
    value: int | None = None
    colour: str | None = None
    stack: tuple[str, ...] | None = None
    candidates: Mapping[str, float] = field(default_factory=dict)
    stacks: tuple[StackCandidate, ...] = ()
    spread: bool = False
    lid: str | None = None
    shakes: int | None = None
    height_mm: float | None = None
    confidence: float | None = None
    since_ms: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSeen:
    """A hand or arm seen since the previous state: whose side it came from, over which zones, when.

    ``taken_for``: the seat as whose it was told, of one that is the dealer's by what it did; 0 for no seat's.
    """

    side: str  # "dealer" or "player"
    zones: tuple[str, ...]
    span: Span
    seat: int | None = None
    taken_for: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A complete snapshot that held at least during ``span``; the change before it happened since the previous state.

    ``covered``: zones that could not be wholly seen; objects there that are not listed are unknown, not gone.
    ``view`` is "ok" or "lost" (then ``reason`` says why and there are no objects).
    """

    span: Span
    objects: tuple[SeenObject, ...] = ()
    covered: frozenset[str] = frozenset()
    hands: tuple[HandSeen, ...] = ()
    view: str = "ok"
    reason: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


def read_states(lines: Iterable[str], *, seats: Iterable[int] | None = None) -> Iterator[TableState]:
    """Yield the states of JSON lines, in order; empty lines, and a byte order mark before the first, are passed over.

    ``seats``: those that the table has, None if any may be.

    Raises:
        StatesError: for a line that is no state, a hand from a seat that is not there, or if time runs backwards.
    """
    known = None if seats is None else frozenset(seats)
    previous: TableState | None = None
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        if not text.strip():
            continue
        try:
            state = _from_seats(parse_state(text), known)
        except (ValueError, RecursionError) as error:
            deep = "expected a JSON object, found more levels of it than can be read"
            msg = f"line {number}: {error if isinstance(error, ValueError) else deep}"
            raise StatesError(msg) from None
        if previous is not None and state.span.first < previous.span.first:
            msg = (
                f"line {number}: t_ms: expected a time not before {previous.span.first}"
                f" (the state above), found {state.span.first}"
            )
            raise StatesError(msg)
        previous = state
        yield state


def _from_seats(state: TableState, seats: frozenset[int] | None) -> TableState:
    """Return the state, if every hand in it comes from one of the seats."""
    for i, hand in enumerate(state.hands):
        if seats is not None and hand.seat is not None and hand.seat not in seats:
            known = ", ".join(map(str, sorted(seats))) or "none"
            msg = f"hands[{i}].seat: expected a seat of the table ({known}), found {hand.seat}"
            raise ValueError(msg)
    return state


def hands_in_their_gaps(states: Iterable[TableState]) -> Iterator[TableState]:
    """Yield the states, each with the hands that came since the one before: a later hand is told by the state after it.

    Recognition may find out later that a state ended sooner, with hands listed already that came after its end.
    """
    held: TableState | None = None
    for state in states:
        if held is None:
            held = state
            continue
        late = tuple(hand for hand in held.hands if hand.span.first > held.span.last)
        in_time = tuple(hand for hand in held.hands if hand not in late)
        yield replace(held, hands=in_time) if late else held
        held = replace(state, hands=(*late, *state.hands)) if late else state
    if held is not None:
        yield held


def is_known(item: SeenObject) -> bool:
    """Return whether the kind of an object is one of the contract's, or names a thing that does not belong there."""
    return item.kind in KNOWN_KINDS | LATER_KINDS | FOREIGN_KINDS


def were_recognised(states: Iterable[TableState]) -> bool:
    """Return whether states were recognised in footage: something in them says since when it was watched."""
    return any(item.since_ms is not None for state in states for item in state.objects)


def parse_state(line: str) -> TableState:
    """Return the state written on one line.

    Raises:
        ValueError: naming the key, what was expected and what was found.
    """
    try:
        record = json.loads(line)
    except ValueError:
        msg = f"expected a JSON object, found {line.strip()!r:.60}"
        raise ValueError(msg) from None
    if not isinstance(record, dict):
        msg = f"expected a JSON object, found {record!r:.60}"
        raise ValueError(msg)
    view = record.get("view", "ok")
    if view not in ("ok", "lost"):
        msg = f"view: expected 'ok' or 'lost', found {view!r:.40}"
        raise ValueError(msg)
    span = _span(record.get("t_ms"), "t_ms")
    if view == "ok" and "objects" not in record:
        msg = "objects: expected a list of all that lies on the table, found none"
        raise ValueError(msg)
    return TableState(
        span=span,
        objects=tuple(_object(item, f"objects[{i}]") for i, item in enumerate(_list(record, "objects"))),
        covered=frozenset(_strings(record.get("covered", []), "covered")),
        hands=tuple(_hand(item, f"hands[{i}]") for i, item in enumerate(_list(record, "hands"))),
        view=view,
        reason=record.get("reason"),
        extra={k: v for k, v in record.items() if k not in _STATE_KEYS},
    )


def format_state(state: TableState) -> str:
    """Return the state as one JSON line, without a line end."""
    record: dict[str, Any] = {
        "t_ms": [state.span.first, state.span.last],
        "objects": [_object_record(item) for item in state.objects],
        "covered": sorted(state.covered),
        "hands": [_hand_record(hand) for hand in state.hands],
        "view": state.view,
    }
    if state.reason is not None:
        record["reason"] = state.reason
    return json.dumps({**record, **state.extra}, separators=(",", ":"))


_NO_PILES: Final = KNOWN_KINDS - {"chips"}
_STATE_KEYS: Final = frozenset({"t_ms", "objects", "covered", "hands", "view", "reason"})
_OBJECT_KEYS: Final = frozenset(
    {
        "kind",
        "xy_mm",
        "angle_deg",
        "card",
        "value",
        "colour",
        "stack",
        "candidates",
        "spread",
        "lid",
        "shakes",
        "height_mm",
        "confidence",
        "since_ms",
    }
)


def _list(record: Mapping[str, Any], key: str) -> list[Any]:
    value = record.get(key, [])
    if not isinstance(value, list):
        msg = f"{key}: expected a list, found {value!r:.40}"
        raise ValueError(msg)
    return value


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        msg = f"{where}: expected a list of strings, found {value!r:.40}"
        raise ValueError(msg)
    return tuple(value)


def _number(value: object, where: str) -> float:
    finite = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _FAR
    if not finite:
        msg = f"{where}: expected a number, found {value!r:.40}"
        raise ValueError(msg)
    return value  # type: ignore[return-value]  # narrowed by ``finite``


def _probability(value: object, where: str) -> float:
    p = _number(value, where)
    if not 0 <= p <= 1:
        msg = f"{where}: expected a probability from 0 to 1, found {value!r:.40}"
        raise ValueError(msg)
    return p


def _millis(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**12:
        msg = f"{where}: expected whole milliseconds, found {value!r:.40}"
        raise ValueError(msg)
    return value


def _count(value: object, where: str, *, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < _FAR:
        msg = f"{where}: expected a whole number from {least} on, found {value!r:.40}"
        raise ValueError(msg)
    return value


def _height(value: object, where: str) -> float:
    """Return a height; one that was measured a little below the felt is none at all."""
    height = _number(value, where)
    if height < -_UNDER_MM:
        msg = f"{where}: expected a height of 0 or more, found {value!r:.40}"
        raise ValueError(msg)
    return max(0.0, height)


def _span(value: object, where: str) -> Span:
    if not isinstance(value, list) or len(value) != 2:  # noqa: PLR2004 - a span has two ends
        msg = f"{where}: expected [first, last] in milliseconds, found {value!r:.40}"
        raise ValueError(msg)
    return _ordered(_millis(value[0], f"{where}[0]"), _millis(value[1], f"{where}[1]"), where)


def _ordered(first: int, last: int, where: str) -> Span:
    if last < first:
        msg = f"{where}: expected first <= last, found [{first}, {last}]"
        raise ValueError(msg)
    return Span.of(first, last)


def _object(item: Any, where: str) -> SeenObject:
    if not isinstance(item, dict) or not isinstance(item.get("kind"), str):
        msg = f"{where}: expected an object with a kind, found {item!r:.60}"
        raise ValueError(msg)
    xy = item.get("xy_mm")
    if not isinstance(xy, list) or len(xy) != 2:  # noqa: PLR2004 - x and y
        msg = f"{where}.xy_mm: expected [x, y], found {xy!r:.40}"
        raise ValueError(msg)
    angle = item.get("angle_deg")
    stack = item.get("stack")
    return SeenObject(
        kind=_kind(item["kind"], where),
        xy_mm=(_number(xy[0], f"{where}.xy_mm"), _number(xy[1], f"{where}.xy_mm")),
        angle_deg=None if angle is None else _number(angle, f"{where}.angle_deg"),
        card=_code(item.get("card"), f"{where}.card"),
        value=_face(item.get("value"), f"{where}.value") if item["kind"] == "die" else None,
        colour=_text(item.get("colour"), f"{where}.colour"),
        stack=None if stack is None else _strings(stack, f"{where}.stack"),
        candidates=_card_candidates(item, where),
        stacks=_stack_candidates(item, where),
        spread=item.get("spread") is True,
        lid=_lid(item.get("lid"), f"{where}.lid"),
        shakes=None if item.get("shakes") is None else _count(item["shakes"], f"{where}.shakes", least=0),
        height_mm=None if item.get("height_mm") is None else _height(item["height_mm"], f"{where}.height_mm"),
        confidence=None if item.get("confidence") is None else _probability(item["confidence"], f"{where}.confidence"),
        since_ms=None if item.get("since_ms") is None else _millis(item["since_ms"], f"{where}.since_ms"),
        extra={k: v for k, v in item.items() if k not in _OBJECT_KEYS or (k == "value" and item["kind"] != "die")},
    )


def _kind(kind: str, where: str) -> str:
    """Kinds of the contract, and names like them that may come later; anything else is a broken line."""
    if kind in KNOWN_KINDS or (kind.isidentifier() and kind.islower()):
        return kind
    msg = f"{where}.kind: expected one of {', '.join(sorted(KNOWN_KINDS))}, found {kind!r:.40}"
    raise ValueError(msg)


def _text(value: object, where: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    msg = f"{where}: expected a string or null, found {value!r:.40}"
    raise ValueError(msg)


def _code(value: object, where: str) -> str | None:
    if value is None or (isinstance(value, str) and value in DECK):
        return value
    msg = f"{where}: expected a rank of A23456789TJQK and a suit of cdhs, or null, found {value!r:.40}"
    raise ValueError(msg)


def _face(value: object, where: str) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 6):  # noqa: PLR2004 - a die
        return value
    msg = f"{where}: expected 1 to 6 or null, found {value!r:.40}"
    raise ValueError(msg)


def _lid(value: object, where: str) -> str | None:
    if value in (None, "on", "off"):
        return value
    msg = f"{where}: expected 'on' or 'off', found {value!r:.40}"
    raise ValueError(msg)


def _card_candidates(item: Mapping[str, Any], where: str) -> dict[str, float]:
    value = item.get("candidates")
    if value is None or (isinstance(value, list) and item["kind"] not in _NO_PILES):
        return {}
    if not isinstance(value, dict):
        msg = f"{where}.candidates: expected an object of probabilities, found {value!r:.40}"
        raise ValueError(msg)
    for code in value:
        _face(int(code) if code.isdigit() else code, f"{where}.candidates") if item["kind"] == "die" else None
        _code(code, f"{where}.candidates") if item["kind"] == "card" else None
    chances = {code: _probability(p, f"{where}.candidates.{code}") for code, p in value.items()}
    _at_most_one(sum(chances.values()), where)
    return chances


def _stack_candidates(item: Mapping[str, Any], where: str) -> tuple[StackCandidate, ...]:
    value = item.get("candidates")
    if not isinstance(value, list):
        if item["kind"] == "chips" and value is not None:
            msg = f"{where}.candidates: expected a list of stacks with their probabilities, found {value!r:.40}"
            raise ValueError(msg)
        return ()
    stacks = tuple(_stack_candidate(one, f"{where}.candidates[{i}]") for i, one in enumerate(value))
    _at_most_one(sum(one.p for one in stacks), where)
    return stacks


def _stack_candidate(one: object, where: str) -> StackCandidate:
    if not isinstance(one, dict):
        msg = f"{where}: expected an object with a stack and its p, found {one!r:.40}"
        raise ValueError(msg)
    return StackCandidate(
        stack=_strings(one.get("stack"), f"{where}.stack"), p=_probability(one.get("p"), f"{where}.p")
    )


def _at_most_one(total: float, where: str) -> None:
    if total > 1 + 1e-6:
        msg = f"{where}.candidates: expected probabilities that sum to at most 1, found {total:.4f}"
        raise ValueError(msg)


def _hand(item: Any, where: str) -> HandSeen:
    if not isinstance(item, dict) or item.get("from") not in ("dealer", "player"):
        msg = f"{where}.from: expected 'dealer' or 'player', found {item!r:.60}"
        raise ValueError(msg)
    seat = item.get("seat")
    first, last = (_millis(item.get(key), f"{where}.{key}") for key in ("first_ms", "last_ms"))
    return HandSeen(
        side=item["from"],
        zones=_strings(item.get("zones", []), f"{where}.zones"),
        span=_ordered(first, last, where),
        seat=None if seat is None else _count(seat, f"{where}.seat", least=1),
    )


def _object_record(item: SeenObject) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": item.kind, "xy_mm": [round(item.xy_mm[0], 1), round(item.xy_mm[1], 1)]}
    if item.angle_deg is not None:
        record["angle_deg"] = round(item.angle_deg, 1)
    if item.kind == "card":
        record["card"] = item.card
    if item.kind == "die":
        record |= {"value": item.value, "colour": item.colour}
    if item.kind == "chips":
        record["stack"] = None if item.stack is None else list(item.stack)
    if item.candidates:
        record["candidates"] = {code: round(p, 5) for code, p in item.candidates.items()}
    if item.stacks:
        record["candidates"] = [{"stack": list(one.stack), "p": round(one.p, 5)} for one in item.stacks]
    if item.spread:
        record["spread"] = True
    optional = {
        "lid": item.lid,
        "shakes": item.shakes,
        "height_mm": item.height_mm,
        "confidence": item.confidence,
        "since_ms": item.since_ms,
    }
    record |= {key: value for key, value in optional.items() if value is not None}
    return {**record, **item.extra}


def _hand_record(hand: HandSeen) -> dict[str, Any]:
    record: dict[str, Any] = {"from": hand.side}
    if hand.seat is not None:
        record["seat"] = hand.seat
    return record | {"zones": list(hand.zones), "first_ms": hand.span.first, "last_ms": hand.span.last}
