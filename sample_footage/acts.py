"""Acts: what is done at the table, one line each; the scripts of all tables with other bets than the plain one.

```toml
[[round]]
title = "seat 1 raises and wins"
acts = '''
bet 1 ante 4 red              # a player's hand puts cheques on a spot; bottom to top
card 1 7h lateral             # the dealer draws a card for a seat: upright, lateral, sideways or down
hit 1 5c                      # the player taps, then a card; stand 1: he sweeps
take 2 craps                  # the dealer lifts wagers into the rack
pay 1 ante 4 red              # and sets a payment beside one; with "onto" he stacks it on the bet
collect 1                     # the player takes back what stands before him
clear 1                       # the dealer picks up cards: seats, or dealer
'''
```
Nothing is added: an act that is not written is not done, so any error can be written down. A seat's second hand is
``2.2``. The verbs are the keys of ``GRAMMAR``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from audit.cards import DECK
from sample_footage.stacks import ScriptError, Stack, parse_stack
from sample_footage.tables import Table

GRAMMAR: Final[dict[str, tuple[str, ...]]] = {
    # verb -> its words; "*" ends the ones that may be left out
    "bet": ("hand", "spot", "stack"),
    "card": ("hand", "card", "*", "way"),
    "hit": ("hand", "card", "*", "way"),
    "stand": ("hand",),
    "part": ("hand",),
    "dealer": ("card", "*", "way"),
    "expose": ("number",),
    "open": (),
    "offer": (),
    "straighten": (),
    "peek": (),
    "take": ("hand", "spots"),
    "pay": ("hand", "spot", "stack"),
    "onto": ("hand", "spot", "stack"),
    "push": ("hand", "spot"),
    "collect": ("hand", "*", "spots"),
    "clear": ("whose",),
    "shake": ("number", "*", "number", "number"),
    "reveal": ("dice",),
    "tip": ("number", "number"),
    "cover": (),
    "cap": ("hand", "spot", "stack"),
    "pinch": ("hand", "spot", "stack"),
    "sensors": (),
    "cut": (),
    "shuffle": (),
    "burn": ("card", "way"),
    "pause": ("number",),
}
WAYS: Final = ("upright", "lateral", "sideways", "down", "up", "under")
_COLOURS: Final = {"w": "white", "r": "red"}
_DERIVED: Final = ("double", "split")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One thing done: the verb and what it is done with."""

    verb: str
    seat: int = 0
    hand: int = 1
    spots: tuple[str, ...] = ()
    stack: Stack = ()
    card: str = ""
    way: str = ""
    numbers: tuple[int, ...] = ()
    dice: tuple[tuple[int, str], ...] = ()
    whose: tuple[int, ...] = ()

    @property
    def spot(self) -> str:
        """The one spot that it is about."""
        return self.spots[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActedRound:
    """One round as acts. ``findings`` are what an audit must say of it, written by the script's author."""

    title: str
    acts: tuple[Act, ...]
    findings: tuple[dict[str, Any], ...] = field(default=())


def parse_acts(text: str, table: Table, where: str) -> tuple[Act, ...]:
    """Return the acts written one a line; what follows a ``#`` is a comment.

    Raises:
        ScriptError: naming the line, what was expected and what was found.
    """
    lines = [line.partition("#")[0].split() for line in text.splitlines()]
    return tuple(_act(words, table, f"{where}, line {n}") for n, words in enumerate(lines, start=1) if words)


def _act(words: Sequence[str], table: Table, where: str) -> Act:
    verb, *rest = words
    if verb not in GRAMMAR:
        msg = f"{where}: expected one of {', '.join(GRAMMAR)}, found {verb!r:.40}"
        raise ScriptError(msg)
    found: dict[str, Any] = {}
    needed = True
    for kind in GRAMMAR[verb]:
        if kind == "*":
            needed = False
            continue
        if not rest and not needed:
            break
        count = len(rest) if kind in _REST else 1
        if not rest:
            msg = f"{where}: {verb}: expected {' '.join(GRAMMAR[verb])}, found {' '.join(words)!r:.60}"
            raise ScriptError(msg)
        text, rest = " ".join(rest[:count]), rest[count:]
        read = _spots(text, table, where) if kind in ("spot", "spots") else _KINDS[kind](text, where)
        for name, value in read.items():
            found[name] = (*found[name], *value) if name == "numbers" and name in found else value
    if rest:
        msg = f"{where}: {verb}: expected nothing more, found {' '.join(rest)!r:.60}"
        raise ScriptError(msg)
    return Act(verb=verb, **found)


def _hand(text: str, where: str) -> dict[str, Any]:
    match = re.fullmatch(r"([1-3])(?:\.([1-4]))?", text)
    if match is None:
        msg = f"{where}: expected a seat such as 2, or a hand such as 2.2, found {text!r:.40}"
        raise ScriptError(msg)
    return {"seat": int(match[1]), "hand": int(match[2] or 1)}


def _spots(text: str, table: Table, where: str) -> dict[str, Any]:
    known = {spot.name for spot in table.spots}
    known |= set(_DERIVED) if "main" in known else set()
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in known]
    if unknown:
        msg = f"{where}: expected a spot out of {', '.join(sorted(known))}, found {unknown[0]!r:.40}"
        raise ScriptError(msg)
    return {"spots": names}


def _stack(text: str, where: str) -> dict[str, Any]:
    return {"stack": parse_stack(text, where)}


def _card(text: str, where: str) -> dict[str, Any]:
    if text not in DECK:
        msg = f"{where}: expected a card such as Th, found {text!r:.40}"
        raise ScriptError(msg)
    return {"card": text}


def _way(text: str, where: str) -> dict[str, Any]:
    if text not in WAYS:
        msg = f"{where}: expected one of {', '.join(WAYS)}, found {text!r:.40}"
        raise ScriptError(msg)
    return {"way": text}


def _number(text: str, where: str) -> dict[str, Any]:
    if not re.fullmatch(r"-?\d{1,5}", text):
        msg = f"{where}: expected a whole number, found {text!r:.40}"
        raise ScriptError(msg)
    return {"numbers": (int(text),)}


def _dice(text: str, where: str) -> dict[str, Any]:
    words = text.split()
    if not all(re.fullmatch(r"[1-6][wr]?", word) for word in words):
        msg = f"{where}: expected dice such as 3 5 or 4w 4w 2r, found {text!r:.40}"
        raise ScriptError(msg)
    return {"dice": tuple((int(word[0]), _COLOURS[word[1:] or "r"]) for word in words)}


def _whose(text: str, where: str) -> dict[str, Any]:
    names = {"dealer": 0, "1": 1, "2": 2, "3": 3}
    if not set(text.split()) <= set(names):
        msg = f"{where}: expected seats and dealer, found {text!r:.40}"
        raise ScriptError(msg)
    return {"whose": tuple(names[word] for word in text.split())}


_REST: Final = ("stack", "dice", "whose")
_KINDS: Final[dict[str, Callable[[str, str], dict[str, Any]]]] = {
    "hand": _hand,
    "stack": _stack,
    "card": _card,
    "way": _way,
    "number": _number,
    "dice": _dice,
    "whose": _whose,
}
