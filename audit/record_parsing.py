"""Rounds read from the JSON records of ``contracts/settlement.md``; null is a card, die or amount not read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from audit.cards import DECK, Card
from audit.games.catalogue import GAMES
from audit.games.terms import Game
from audit.money import Money
from audit.rounds import BetKey, Die, Round, SeatPlay, VariantValue, Wager

RECORD_KEYS: Final = frozenset({"id", "game", "variant", "table", "bets"})
AUDIT_KEYS: Final = frozenset(
    {"start_ms", "end_ms", "status", "missing", "settled", "violations", "pays", "takes", "tokes", "findings"}
)
"""What a round of ``contracts/audit.md`` has beside a record; it may be fed back as it is."""

SPLITTING: Final = frozenset({"blackjack", "double_deck"})
_SEATS: Final = {str(seat): seat for seat in range(1, 10)}
_CENTS: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,2})?")
_METER: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
_LONGEST_NUMBER: Final = 18
_SHOWN: Final = 60


class RecordError(ValueError):
    """A line that is no legal record; the message names the field, what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A number that JSON can write and no field can hold: NaN, an infinity, an integer of many digits."""

    text: str

    def __repr__(self) -> str:
        return self.text[:_SHOWN]


def parse_line(line: bytes) -> object:
    """Return the JSON value of one line.

    Raises:
        RecordError: if the line is not UTF-8, no JSON, nested too deep, or names a key twice.
    """
    try:
        return _DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        msg = f"line: expected UTF-8, found byte 0x{line[error.start]:02x} at {error.start}"
    except json.JSONDecodeError as error:
        msg = f"line: expected a JSON object, found {error.msg.lower()} at character {error.pos}"
    except RecursionError:
        msg = "line: expected a JSON object, found one nested too deep"
    raise RecordError(msg)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        msg = f"{twice[:_SHOWN]}: expected each key once, found it more than once"
        raise RecordError(msg)
    return record


def _integer(digits: str) -> int | Unusable:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else Unusable(digits)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_constant=Unusable)


def record_id(record: object) -> str | int | None:
    """Return the record's ``id`` to be repeated in its answer, None if it has none that can be."""
    value = record.get("id") if isinstance(record, dict) else None
    return value if type(value) in (str, int) else None


def parse_round(record: object) -> Round:
    """Return the round written in a record.

    Raises:
        RecordError: naming the field, what was expected and what was found.
    """
    if not isinstance(record, dict):
        raise refused(record, at="line", expected="a JSON object")
    if not record.keys() <= RECORD_KEYS:
        _known(record, RECORD_KEYS | AUDIT_KEYS, "")
    if record_id(record) is None and record.get("id") is not None:
        raise refused(record["id"], at="id", expected="text or a number")
    name = record.get("game")
    if not isinstance(name, str) or name not in GAMES:
        raise refused(name, at="game", expected=f"one of {', '.join(GAMES)}")
    game = GAMES[name]
    variant = _variant(record.get("variant", {}), game)
    table = record.get("table")
    if not isinstance(table, dict):
        raise refused(table, at="table", expected="an object")
    seats = _seats(table.get("seats"), game)
    dealer, dice = _dealer_and_dice(table, game)
    wagers = _wagers(record.get("bets"), game, seats)
    return Round(game=name, variant=variant, dealer=dealer, seats=seats, dice=dice, wagers=wagers)


def refused(found: object, *, at: str, expected: str) -> RecordError:
    """Return the error that says where what was expected and what was found."""
    if found is None:
        shown = "nothing"
    elif isinstance(found, str):
        shown = repr(found[: _SHOWN + 1])
    elif isinstance(found, dict | list):
        shown = f"{'an object' if isinstance(found, dict) else 'a list'} of {len(found)}"
    else:
        shown = json.dumps(found) if isinstance(found, bool) else repr(found)
    return RecordError(f"{at}: expected {expected}, found {shown[:_SHOWN]}")


def _known(section: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    for key in section:
        if key not in known:
            raise refused(key, at=f"{where}{key[:_SHOWN]}", expected=f"one of the keys {', '.join(sorted(known))}")


def _variant(value: object, game: Game) -> dict[str, VariantValue]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise refused(value, at="variant", expected="an object")
    for key, setting in value.items():
        if key not in game.options and key not in game.facts:
            raise refused(
                key, at=f"variant.{key[:_SHOWN]}", expected=f"one of {', '.join(sorted(game.options | game.facts))}"
            )
        if key == "progressive_meter":
            if setting is not None and not (isinstance(setting, str) and _METER.fullmatch(setting)):
                raise refused(setting, at=f"variant.{key}", expected="an amount of dollars as a decimal string")
        elif key in game.facts and not isinstance(setting, bool):
            raise refused(setting, at=f"variant.{key}", expected="true or false")
        elif not isinstance(setting, str | int | dict | None) or (
            isinstance(setting, dict) and not all(isinstance(odds, str) for odds in setting.values())
        ):
            raise refused(setting, at=f"variant.{key}", expected="a setting of the rules")
    return value


def _seats(value: object, game: Game) -> dict[int, SeatPlay]:
    if not isinstance(value, dict):
        raise refused(value, at="table.seats", expected="an object of seats")
    seats = {}
    read = _hands_play if game.name in SPLITTING else _cards_play
    for key, entry in value.items():
        if key not in _SEATS:
            raise refused(key, at="table.seats", expected="seats 1 to 9")
        where = f"table.seats.{key}"
        if not isinstance(entry, dict):
            raise refused(entry, at=where, expected="an object")
        seats[_SEATS[key]] = read(entry, where, game)
    return seats


_HANDS_KEYS: Final = frozenset({"initial", "hands", "even_money", "free_bet_coupon"})
_CARDS_KEYS: Final = frozenset({"cards", "first_card_lateral"})


def _hands_play(entry: Mapping[str, Any], where: str, game: Game) -> SeatPlay:
    del game
    _known(entry, _HANDS_KEYS, f"{where}.")
    hands = entry.get("hands")
    if not isinstance(hands, list) or not hands:
        raise refused(hands, at=f"{where}.hands", expected="a list of hands")
    final = []
    for number, hand in enumerate(hands):
        if not isinstance(hand, dict) or hand.keys() != {"cards"}:
            raise refused(hand, at=f"{where}.hands[{number}]", expected='an object {"cards": [...]}')
        final.append(_cards(hand["cards"], f"{where}.hands[{number}].cards"))
    return SeatPlay(
        initial=_cards(entry.get("initial"), f"{where}.initial"),
        hands=tuple(final),
        even_money=_flag(entry, "even_money", where),
        free_bet_coupon=_flag(entry, "free_bet_coupon", where),
    )


def _cards_play(entry: Mapping[str, Any], where: str, game: Game) -> SeatPlay:
    dice_game = game.name not in {"stud_21", "lucky_draw_baccarat"}
    _known(entry, _CARDS_KEYS if dice_game else frozenset({"cards"}), f"{where}.")
    lateral = entry.get("first_card_lateral")
    if lateral is not None and not isinstance(lateral, bool):
        raise refused(lateral, at=f"{where}.first_card_lateral", expected="true, false or null")
    return SeatPlay(hands=(_cards(entry.get("cards"), f"{where}.cards"),), first_card_lateral=lateral)


def _flag(entry: Mapping[str, Any], key: str, where: str) -> bool:
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise refused(value, at=f"{where}.{key}", expected="true or false")
    return value


def _cards(value: object, where: str) -> tuple[Card | None, ...]:
    if not isinstance(value, list):
        raise refused(value, at=where, expected="a list of cards")
    try:
        return tuple([DECK[text] for text in value])
    except (KeyError, TypeError):
        return tuple([_card(text, f"{where}[{place}]") for place, text in enumerate(value)])


def _card(text: object, where: str) -> Card | None:
    if text is None:
        return None
    if not isinstance(text, str) or text not in DECK:
        raise refused(text, at=where, expected="a card: a rank of A23456789TJQK and a suit of cdhs")
    return DECK[text]


def _dealer_and_dice(table: Mapping[str, Any], game: Game) -> tuple[tuple[Card | None, ...], tuple[Die, ...]]:
    if game.name in {"draw_n_shoot_21", "dicey_21"}:
        _known(table, frozenset({"dice", "seats"}), "table.")
        return (), _dice(table.get("dice"), game)
    _known(table, frozenset({"dealer", "seats"}), "table.")
    if game.name == "lucky_draw_baccarat":
        return _baccarat_dealer(table.get("dealer")), ()
    return _cards(table.get("dealer"), "table.dealer"), ()


def _baccarat_dealer(value: object) -> tuple[Card | None, ...]:
    """Return down, up and third card; a null third card of a dealer who stands on his first two is none (003:L68)."""
    if not isinstance(value, dict):
        raise refused(value, at="table.dealer", expected="an object of down, up and third")
    _known(value, frozenset({"down", "up", "third"}), "table.dealer.")
    for key in ("down", "up"):
        if key not in value:
            raise refused(None, at=f"table.dealer.{key}", expected="a card")
    two = (_card(value["down"], "table.dealer.down"), _card(value["up"], "table.dealer.up"))
    third = _card(value.get("third"), "table.dealer.third")
    if "third" not in value or (third is None and _stands(two)):
        return two
    return (*two, third)


def _stands(two: tuple[Card | None, Card | None]) -> bool:
    from_total = [card.value % 10 for card in two if card is not None]
    return len(from_total) == len(two) and sum(from_total) % 10 >= 5  # noqa: PLR2004 - 003:L68


def _dice(value: object, game: Game) -> tuple[Die, ...]:
    coloured = game.name == "dicey_21"
    count = 3 if coloured else 2
    if not isinstance(value, list) or len(value) != count:
        raise refused(value, at="table.dice", expected=f"a list of {count} dice")
    return tuple([_die(die, f"table.dice[{place}]", coloured=coloured) for place, die in enumerate(value)])


def _die(die: object, where: str, *, coloured: bool) -> Die:
    if not coloured:
        return Die(value=_face(die, where))
    if not isinstance(die, dict) or die.keys() != {"v", "c"}:
        raise refused(die, at=where, expected='an object {"v": 1 to 6, "c": colour}')
    colour = die["c"]
    if colour is not None and (not isinstance(colour, str) or not colour):
        raise refused(colour, at=f"{where}.c", expected="a colour")
    return Die(value=_face(die["v"], f"{where}.v"), colour=colour)


def _face(value: object, where: str) -> int | None:
    return None if value is None else _whole(value, where, "", 6)


def _whole(value: object, where: str, key: str, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise refused(value, at=f"{where}.{key}".rstrip("."), expected=f"a whole number from 1 to {most}")
    return value


_BET_KEYS: Final = frozenset({"seat", "bet", "amount", "hand"})
_NUMBERED_KEYS: Final = _BET_KEYS | {"number"}


def _wagers(value: object, game: Game, seats: Mapping[int, SeatPlay]) -> tuple[Wager, ...]:
    if not isinstance(value, list):
        raise refused(value, at="bets", expected="a list of bets")
    return tuple([_wager(entry, f"bets[{place}]", game, seats) for place, entry in enumerate(value)])


def _wager(entry: object, where: str, game: Game, seats: Mapping[int, SeatPlay]) -> Wager:
    if not isinstance(entry, dict):
        raise refused(entry, at=where, expected="an object")
    bet = entry.get("bet")
    if not isinstance(bet, str) or bet not in game.classes:
        raise refused(bet, at=f"{where}.bet", expected=f"one of {', '.join(game.classes)}")
    numbered = bet == "chuck"
    if not entry.keys() <= (_NUMBERED_KEYS if numbered else _BET_KEYS):
        _known(entry, _NUMBERED_KEYS if numbered else _BET_KEYS, f"{where}.")
    seat = _whole(entry.get("seat"), where, "seat", 9)
    if seat not in seats:
        shown = ", ".join(map(str, sorted(seats))) or "none"
        raise refused(seat, at=f"{where}.seat", expected=f"a seat with cards ({shown})")
    hand = entry.get("hand")
    if hand is not None:
        hand = _whole(hand, where, "hand", len(seats[seat].hands))
    elif bet in {"split", "double"}:
        raise refused(None, at=f"{where}.hand", expected="the number of the hand it stands on")
    number = _whole(entry.get("number"), where, "number", 6) if numbered else None
    amount = entry.get("amount", "")
    return Wager(
        key=BetKey(seat=seat, bet=bet, hand=hand, number=number),
        amount=None if amount is None else _amount(amount, where, "amount"),
    )


def _amount(value: object, where: str, key: str) -> Money:
    amount = _money(value) if isinstance(value, str) else None
    if amount is None:
        raise refused(
            value, at=f"{where}.{key}", expected="an amount of dollars above 0 as a decimal string such as '37.50'"
        )
    return amount


@lru_cache(maxsize=4096)
def _money(text: str) -> Money | None:
    amount = Money(text) if _CENTS.fullmatch(text) else None
    return amount or None
