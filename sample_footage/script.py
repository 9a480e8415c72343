"""The script of a session: what is dealt, decided and paid, and which errors are planted, as a readable TOML file.

```toml
[session]
id = "blackjack"
table = "BJ-07"
seed = 7

[[round]]
title = "seat 1 doubles and wins"
dealer = "Td 7c"                   # up card, hole card, hits
  [round.seat1]
  bet = "2 red 1 green"            # bottom to top
  cards = "6h 5c"
  play = "double 9s"               # hit CARD, double CARD, stand
  end = "pay 2 red 1 green + 2 red 1 green"
  [[round.finding]]
  ...
```
``end`` is what the dealer DOES, right or wrong: ``pay STACK`` (with ``+ STACK`` for the double), ``take``, ``push``
(pats the table and leaves the bet), ``pass`` (leaves it without a sign), ``broken`` (takes bet and cards at once) or
``blackjack STACK`` (pays in the sequence of play). At the tables that have other bets, a round is written as acts
instead: ``sample_footage/acts.py``. A split has ``split = STACK`` and two ``hands``, left first, each
with its ``draw``, ``play`` and ``end``; the left hand holds the second card dealt.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from audit.cards import DECK
from audit.text_files import what_was_found
from sample_footage.acts import ActedRound, parse_acts
from sample_footage.paint.look import look_of
from sample_footage.stacks import ScriptError, Stack, parse_stack
from sample_footage.tables import Table, table_of

ENDS: Final = ("pay", "take", "push", "pass", "broken", "blackjack")
_SESSION_KEYS: Final = frozenset({"id", "table", "seed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player's decision: ``hit``, ``double`` or ``stand``, and the card it brought."""

    kind: str
    card: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandScript:
    """One hand: its cards in the order they came, the decisions, and what the dealer does at the end."""

    cards: tuple[str, ...]
    moves: tuple[Move, ...]
    end: str
    paid: tuple[Stack, ...] = ()

    @property
    def final_cards(self) -> tuple[str, ...]:
        """All cards of the hand."""
        return self.cards + tuple(move.card for move in self.moves if move.card is not None)

    @property
    def is_doubled(self) -> bool:
        """Whether the player doubled."""
        return any(move.kind == "double" for move in self.moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScript:
    """One seat in one round; ``split`` is the second wager of a split pair, then there are two hands."""

    bet: Stack
    initial: tuple[str, str]
    hands: tuple[HandScript, ...]
    split: Stack = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScript:
    """One round. ``findings`` are what an audit must say of it, written by the script's author."""

    title: str
    dealer: tuple[str, ...]
    seats: dict[int, SeatScript]
    findings: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionScript:
    """A session: rounds in order, the table it is played at, how it looks and the seed of every small accident."""

    session_id: str
    table: str
    seed: int
    rounds: tuple[RoundScript | ActedRound, ...]
    look: dict[str, Any] = field(default_factory=dict)
    text: str = ""


def load_session(path: Path) -> SessionScript:
    """Return the session written in the file.

    Raises:
        ScriptError: if it cannot be read, or breaks the format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: expected a readable TOML file, found {what_was_found(error)}"
        raise ScriptError(msg) from None
    try:
        return parse_session(text)
    except ScriptError as error:
        msg = f"{path}: {error}"
        raise ScriptError(msg) from None


def parse_session(text: str) -> SessionScript:
    """Return the session written as TOML.

    Raises:
        ScriptError: naming round, field, what was expected and what was found.
    """
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        msg = f"expected TOML, found {error}"
        raise ScriptError(msg) from None
    session = record.get("session")
    rounds = record.get("round")
    if not isinstance(session, dict) or not isinstance(rounds, list) or not rounds:
        msg = "expected a [session] and at least one [[round]], found fewer"
        raise ScriptError(msg)
    unknown = sorted(set(session) - _SESSION_KEYS)
    if unknown:
        msg = f"session: expected {', '.join(sorted(_SESSION_KEYS))}, found {unknown[0]!r:.40}"
        raise ScriptError(msg)
    table_id = _text(session, "table", "session")
    return SessionScript(
        session_id=_text(session, "id", "session"),
        table=table_id,
        seed=_whole(session.get("seed"), "session.seed"),
        rounds=tuple(_any_round(item, table_of(table_id), f"round {i}") for i, item in enumerate(rounds, start=1)),
        look=_look(record.get("look", {})),
        text=text,
    )


def _look(options: Any) -> dict[str, Any]:
    """Return the options of a look that there is."""
    if not isinstance(options, dict):
        msg = f"look: expected a section, found {options!r:.40}"
        raise ScriptError(msg)
    look_of(options)
    return options


def _text(section: dict[str, Any], key: str, where: str) -> str:
    value = section.get(key)
    if not isinstance(value, str) or not value:
        msg = f"{where}.{key}: expected text, found {value!r:.40}"
        raise ScriptError(msg)
    return value


def _whole(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        msg = f"{where}: expected a whole number, found {value!r:.40}"
        raise ScriptError(msg)
    return value


def _any_round(item: dict[str, Any], table: Table, where: str) -> RoundScript | ActedRound:
    if not table.spots:
        return _round(item, where)
    return ActedRound(
        title=_text(item, "title", where),
        acts=parse_acts(_text(item, "acts", where), table, where),
        findings=tuple(item.get("finding", [])),
    )


def _round(item: dict[str, Any], where: str) -> RoundScript:
    seats = {
        int(key[4:]): _seat(value, f"{where}, {key}")
        for key, value in item.items()
        if re.fullmatch(r"seat[1-3]", key) and isinstance(value, dict)
    }
    if not seats:
        msg = f"{where}: expected at least one of seat1, seat2, seat3, found none"
        raise ScriptError(msg)
    return RoundScript(
        title=_text(item, "title", where),
        dealer=_cards(item, "dealer", where, at_least=2),
        seats=seats,
        findings=tuple(item.get("finding", [])),
    )


def _cards(section: dict[str, Any], key: str, where: str, *, at_least: int) -> tuple[str, ...]:
    cards = tuple(_text(section, key, where).split())
    wrong = [card for card in cards if card not in DECK]
    if wrong or len(cards) < at_least:
        msg = f"{where}.{key}: expected at least {at_least} cards such as 'Th 9c', found {section[key]!r:.40}"
        raise ScriptError(msg)
    return cards


def _seat(item: dict[str, Any], where: str) -> SeatScript:
    bet = parse_stack(_text(item, "bet", where), f"{where}.bet")
    first, second, *more = _cards(item, "cards", where, at_least=2)
    if more:
        msg = f"{where}.cards: expected two cards, found {item['cards']!r:.40}"
        raise ScriptError(msg)
    if "split" not in item:
        return SeatScript(bet=bet, initial=(first, second), hands=(_hand(item, (first, second), where),))
    parts = item.get("hands")
    if not isinstance(parts, list) or len(parts) != 2:
        msg = f"{where}.hands: expected two hands of a split pair, found {parts!r:.40}"
        raise ScriptError(msg)
    hands = tuple(
        _hand(part, (own, *_cards(part, "draw", where, at_least=1)), f"{where}, hand {i}")
        for i, (part, own) in enumerate(zip(parts, (second, first), strict=True), start=1)
    )
    split = parse_stack(_text(item, "split", where), f"{where}.split")
    return SeatScript(bet=bet, initial=(first, second), hands=hands, split=split)


def _hand(item: dict[str, Any], cards: tuple[str, ...], where: str) -> HandScript:
    words = str(item.get("play", "")).replace(",", " ").split()
    moves: list[Move] = []
    while words:
        kind = words.pop(0)
        if kind not in ("hit", "double", "stand") or (kind != "stand" and (not words or words[0] not in DECK)):
            msg = f"{where}.play: expected hit CARD, double CARD or stand, found {item.get('play')!r:.60}"
            raise ScriptError(msg)
        moves.append(Move(kind=kind, card=None if kind == "stand" else words.pop(0)))
    end, _, rest = _text(item, "end", where).partition(" ")
    if end not in ENDS or bool(rest) != (end in ("pay", "blackjack")):
        msg = (
            f"{where}.end: expected one of {', '.join(ENDS)}, with a stack after pay and blackjack,"
            f" found {item['end']!r:.60}"
        )
        raise ScriptError(msg)
    paid = tuple(parse_stack(part, f"{where}.end") for part in rest.split("+")) if rest else ()
    return HandScript(cards=cards, moves=tuple(moves), end=end, paid=paid)
