"""The JSON Schemas of a settlement record and of its answer."""

from __future__ import annotations

from typing import Any, Final

from audit.cards import RANKS, SUITS
from audit.games.catalogue import GAMES
from audit.games.terms import Game
from audit.paytables import load_rules
from audit.record_parsing import AUDIT_KEYS
from audit.settlement import COMMON_CODES

_CARD: Final = {"type": ["string", "null"], "pattern": f"^[{RANKS}][{SUITS}]$", "description": "null: not read"}
_CARDS: Final = {"type": "array", "items": {"$ref": "#/$defs/card"}}
_MONEY: Final = {"type": ["string", "null"], "pattern": r"^[0-9]{1,12}(\.[0-9]{1,2})?$", "description": "dollars"}
_FACE: Final = {"type": ["integer", "null"], "minimum": 1, "maximum": 6}


def schemas() -> dict[str, Any]:
    """Return the schema of a round (``in``) and of its answer (``out``)."""
    return {"in": _record_schema(), "out": _answer_schema()}


def _record_schema() -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A round to be settled",
        "$defs": {"card": _CARD, "money": _MONEY, "cards": _CARDS},
        "oneOf": [_game_schema(game) for game in GAMES.values()],
    }


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _game_schema(game: Game) -> dict[str, Any]:
    properties = {
        "id": {"type": ["string", "integer", "null"]},
        "game": {"const": game.name},
        "variant": {"type": ["object", "null"], "properties": _variant(game), "additionalProperties": False},
        "table": _table(game),
        "bets": {"type": "array", "items": {"oneOf": [_bet(bet) for bet in game.bets]}},
    }
    return _object(properties | dict.fromkeys(sorted(AUDIT_KEYS), True), ["game", "table", "bets"])


def _variant(game: Game) -> dict[str, Any]:
    options = load_rules(game.name).options
    keys: dict[str, Any] = {key: {"enum": list(option.allowed)} for key, option in options.items() if option.allowed}
    if "block_odds" in options:
        names = ("ultimate", "pair", "flush", "normal")
        odds = {name: {"type": "string", "pattern": "^[0-9]{1,6}:[0-9]{1,6}$"} for name in names}
        keys["block_odds"] = {"type": ["object", "null"], "properties": odds, "additionalProperties": False}
    for fact in game.facts:
        keys[fact] = {"$ref": "#/$defs/money"} if fact == "progressive_meter" else {"type": "boolean"}
    return keys


def _table(game: Game) -> dict[str, Any]:
    cards: dict[str, Any] = {"$ref": "#/$defs/cards"}
    hand = _object({"cards": cards}, ["cards"])
    seat: dict[str, Any] = {"cards": cards}
    first: tuple[str, dict[str, Any]]
    match game.name:
        case "draw_n_shoot_21":
            first = "dice", {"type": "array", "items": _FACE, "minItems": 2, "maxItems": 2}
        case "dicey_21":
            die = _object({"v": _FACE, "c": {"type": ["string", "null"]}}, ["v", "c"])
            first = "dice", {"type": "array", "items": die, "minItems": 3, "maxItems": 3}
        case "lucky_draw_baccarat":
            three = {name: {"$ref": "#/$defs/card"} for name in ("down", "up", "third")}
            first = "dealer", _object(three, ["down", "up"])
        case _:
            first = "dealer", cards
    required = ["cards"]
    if first[0] == "dice":
        seat["first_card_lateral"] = {"type": ["boolean", "null"]}
    if game.name in {"blackjack", "double_deck"}:
        required = ["initial", "hands"]
        seat = {"initial": cards, "hands": {"type": "array", "items": hand, "minItems": 1}}
        seat |= {"even_money": {"type": "boolean"}, "free_bet_coupon": {"type": "boolean"}}
    seats = {"type": "object", "patternProperties": {"^[1-9]$": _object(seat, required)}, "additionalProperties": False}
    return _object({first[0]: first[1], "seats": seats}, [first[0], "seats"])


def _bet(bet: str) -> dict[str, Any]:
    keys: dict[str, Any] = {
        "seat": {"type": "integer", "minimum": 1, "maximum": 9},
        "bet": {"const": bet},
        "amount": {"$ref": "#/$defs/money"},
        "hand": {"type": ["integer", "null"], "minimum": 1},
    }
    required = ["seat", "bet", "amount"] + (["hand"] if bet in {"split", "double"} else [])
    if bet == "chuck":
        keys["number"] = {"type": "integer", "minimum": 1, "maximum": 6}
        required.append("number")
    return _object(keys, required)


def _answer_schema() -> dict[str, Any]:
    text_or_null = {"type": ["string", "null"]}
    settled = {
        "seat": {"type": "integer"},
        "hand": {"type": "integer"},
        "bet": {"enum": sorted({bet for game in GAMES.values() for bet in game.bets})},
        "number": {"type": "integer"},
        "outcome": {"enum": ["win", "lose", "push", None], "description": "null: hangs on something not read"},
        "odds": text_or_null,
        "pay": text_or_null,
        "envy": {"type": "string"},
        "stake_returned": {"type": "boolean"},
        "class": text_or_null,
        "source": {"type": "string"},
        "why": {"type": "string"},
    }
    required = ["seat", "bet", "outcome", "odds", "pay", "class", "source", "why"]
    violation = {"type": "array", "prefixItems": [{"type": "string"}, {"enum": _codes()}], "minItems": 2, "maxItems": 2}
    properties = {
        "id": {"type": ["string", "integer", "null"]},
        "settled": {"type": "array", "items": _object(settled, required)},
        "violations": {"type": "array", "items": violation},
        "forbidden": {"type": "object", "additionalProperties": {"type": "string"}},
        "line": {"type": "integer"},
        "error": {"type": "string"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The answer to a round",
        **_object(properties, ["id"]),
        "oneOf": [{"required": ["settled", "violations"]}, {"required": ["line", "error"]}],
    }


def _codes() -> list[str]:
    return sorted(COMMON_CODES.keys() | {code for game in GAMES.values() for code in game.codes})
