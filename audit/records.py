"""Rounds and answers as the JSON records of ``contracts/settlement.md``; null is a card, die or amount not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from audit.cards import Card
from audit.games.catalogue import GAMES
from audit.games.terms import RuleSet, Settled, Settlement
from audit.money import format_money
from audit.paytables import PayTableError, load_rules
from audit.record_parsing import SPLITTING, RecordError, parse_line, parse_round, record_id, refused
from audit.rounds import BetKey, Round, SeatPlay
from audit.settlement import COMMON_CODES, settle

__all__ = [
    "RecordError",
    "check_shoe",
    "forbidden_by",
    "key_record",
    "parse_line",
    "parse_round",
    "record_id",
    "round_record",
    "settle_record",
    "settlement_record",
]


def settle_record(record: object, rules_names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the answer to one record: what each bet is due, and what the rules forbid in the round.

    ``rules_names`` names the rule set of a game; without it the game's own rules are meant.

    Raises:
        RecordError: if it is no legal record.
    """
    round_ = parse_round(record)
    try:
        rules = load_rules(round_.game, (rules_names or {}).get(round_.game), round_.variant)
    except PayTableError as error:
        raise RecordError(str(error)) from None
    check_shoe(round_, rules)
    answer = settlement_record(settle(round_, rules))
    if answer["violations"]:
        answer["forbidden"] = {code: forbidden_by(round_.game, code) for _, code in answer["violations"]}
    return answer


def forbidden_by(game: str, code: str) -> str:
    """Return the rule that a violation's code stands for, in words and with its source."""
    return GAMES[game].codes.get(code) or COMMON_CODES[code]


def check_shoe(round_: Round, rules: RuleSet) -> None:
    """Refuse a round in which a card is seen more often than the shoe holds.

    Raises:
        RecordError: naming the card.
    """
    cards = list(round_.dealer)
    for play in round_.seats.values():
        for hand in play.hands:
            cards += hand
    if len(cards) <= rules.decks or len(set(cards)) + rules.decks > len(cards):
        return  # too few doubles for one card to be there more often than there are decks
    for card, count in Counter(cards).items():
        if card is not None and count > rules.decks:
            raise refused(count, at="table", expected=f"at most {rules.decks} of {card} in {rules.decks} decks")


def settlement_record(settlement: Settlement) -> dict[str, Any]:
    """Return the settlement as the answer to a record."""
    return {
        "settled": [_settled_record(settled) for settled in settlement.settled],
        "violations": [list(violation) for violation in settlement.violations],
    }


def key_record(key: BetKey) -> dict[str, Any]:
    """Return what names a bet: ``seat``, ``hand`` if it has one, ``bet``, ``number`` if it has one."""
    record: dict[str, Any] = {"seat": key.seat}
    if key.hand is not None:
        record["hand"] = key.hand
    record["bet"] = key.bet
    if key.number is not None:
        record["number"] = key.number
    return record


def _settled_record(settled: Settled) -> dict[str, Any]:
    record = key_record(settled.key)
    pay = settled.pay
    record["outcome"] = settled.outcome
    record["odds"] = None if settled.odds is None else str(settled.odds)
    record["pay"] = None if pay is None else f"{pay.numerator}.00" if pay.denominator == 1 else format_money(pay)
    if settled.key.bet == "blazing7":
        record["envy"] = format_money(settled.envy)
        record["stake_returned"] = settled.stake_returned
    record["class"] = settled.row
    record["source"] = settled.source
    record["why"] = settled.why
    return record


def round_record(round_: Round) -> dict[str, Any]:
    """Return the round as a record: ``game``, ``variant``, ``table`` and ``bets``; ``parse_round`` reads it back."""
    return {
        "game": round_.game,
        "variant": dict(round_.variant),
        "table": _table_record(round_),
        "bets": [
            key_record(wager.key) | {"amount": None if wager.amount is None else format_money(wager.amount)}
            for wager in round_.wagers
        ],
    }


def _table_record(round_: Round) -> dict[str, Any]:
    seats = {str(seat): _seat_record(play, round_.game) for seat, play in sorted(round_.seats.items())}
    match round_.game:
        case "draw_n_shoot_21":
            return {"dice": _padded([die.value for die in round_.dice], 2), "seats": seats}
        case "dicey_21":
            dice = [{"v": die.value, "c": die.colour} for die in round_.dice]
            return {"dice": [*dice, *[{"v": None, "c": None}] * (3 - len(dice))], "seats": seats}
        case "lucky_draw_baccarat":
            names = ("down", "up", "third")
            dealer = dict(zip(names, _texts(round_.dealer), strict=False))
            return {"dealer": {"down": None, "up": None} | dealer, "seats": seats}
        case _:
            return {"dealer": _padded(_texts(round_.dealer), 2), "seats": seats}


def _padded(values: list[Any], least: int) -> list[Any]:
    """Return the values with null for what every round has and was not seen."""
    return [*values, *[None] * (least - len(values))]


def _texts(cards: Sequence[Card | None]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _seat_record(play: SeatPlay, game: str) -> dict[str, Any]:
    if game in SPLITTING:
        record: dict[str, Any] = {
            "initial": _padded(_texts(play.initial), 2),
            "hands": [{"cards": _texts(hand)} for hand in play.hands or ((None, None),)],
        }
        flags = {"even_money": play.even_money, "free_bet_coupon": play.free_bet_coupon}
        return record | {key: True for key, on in flags.items() if on}
    record = {"cards": _texts(play.hands[0] if play.hands else ())}
    return record if play.first_card_lateral is None else record | {"first_card_lateral": play.first_card_lateral}
