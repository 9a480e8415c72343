"""Inventing a whole session of acts: round after round from a shoe, with errors where they are wanted."""

from __future__ import annotations

import random
from typing import Any, Final

from audit.cards import RANKS, SUITS
from sample_footage.inventing import blackjack_games, card_games, dice_games
from sample_footage.inventing.plan import Plan, Play, Shoe, UnpayableError

_LEAST_CARDS: Final = 60
_TRIES: Final = 60
GAMES: Final[dict[str, tuple[str, int, Play, tuple[str, ...]]]] = {
    # name -> table, decks, how it is played, the kinds of error that can be planted
    "draw_n_shoot_21": ("DNS-03", 6, dice_games.play_draw, dice_games.DRAW_KINDS),
    "dicey_21": ("DIC-02", 6, dice_games.play_dicey, dice_games.DICEY_KINDS),
    "stud_21": ("STU-11", 6, card_games.play_stud, card_games.STUD_KINDS),
    "lucky_draw_baccarat": ("LDB-05", 8, card_games.play_baccarat, card_games.BACCARAT_KINDS),
    "side_bets": ("BJ-12", 6, blackjack_games.play_side_bets, blackjack_games.SIDE_BET_KINDS),
    "double_deck": ("DD-04", 2, blackjack_games.play_double_deck, blackjack_games.DOUBLE_DECK_KINDS),
}


def invented_acts(game: str, *, rounds: int, seed: int, errors: float, only: str = "") -> str:
    """Return a session of that many rounds as TOML; ``errors`` is the part of them that gets an error planted.

    The kinds of error take turns; ``only`` one of them.
    """
    table, decks, play, kinds = GAMES[game]
    luck = random.Random(f"{game} {seed}")
    turns = list(kinds)
    luck.shuffle(turns)
    parts = [f'[session]\nid = "random-{game}-{seed}"\ntable = "{table}"\nseed = {seed}\n']
    shoe: Shoe = []
    turn = 0
    carried: list[dict[str, Any]] = []
    for number in range(1, rounds + 1):
        fresh = len(shoe) < (_LEAST_CARDS if decks > 2 else 45)
        if fresh:
            shoe = [rank + suit for rank in RANKS for suit in SUITS] * decks
            luck.shuffle(shoe)
        wish = ""
        if luck.random() < errors:
            wish, turn = only or turns[turn % len(turns)], turn + 1
        opening = _fresh_shoe(game, shoe) if fresh and number > 1 else []
        plan, shoe = _tried(luck, play, shoe, "" if carried or number == rounds else wish)
        told = carried + ([] if plan.follows else plan.findings)
        carried = plan.findings if plan.follows else []
        plan.findings = told
        parts.append(_written(number, plan, opening))
    return "\n".join(parts)


def _fresh_shoe(game: str, shoe: Shoe) -> list[str]:
    """The shuffle, and the card that is burnt after it: shown at 21 Stud (002:L21), unseen at blackjack (004:L180)."""
    way = {"stud_21": "up", "side_bets": "down", "double_deck": "down"}.get(game)
    return ["shuffle"] if way is None else ["shuffle", f"burn {shoe.pop()} {way}"]


def _tried(luck: random.Random, play: Play, shoe: Shoe, wish: str) -> tuple[Plan, Shoe]:
    """Play from that shoe until the error that is wished for could be planted; give up after some tries."""
    for attempt in range(2 * _TRIES):
        wanted = wish if attempt < _TRIES else ""
        left = list(shoe)
        if attempt:
            top = left[-20:]
            luck.shuffle(top)
            left[-20:] = top
        try:
            plan = play(luck, left, wanted)
        except UnpayableError:
            continue
        if plan.findings or not wanted:
            return plan, left
    msg = f"expected a round with {wish!r} from this shoe, found none"
    raise UnpayableError(msg)


def _written(number: int, plan: Plan, opening: list[str]) -> str:
    kinds = ", ".join(finding["code"] for finding in plan.findings) or "all is right"
    lines = ["[[round]]", f'title = "{number}: {kinds}"', 'acts = """']
    lines += [*opening, *plan.lines(), '"""']
    for finding in plan.findings:
        lines.append("  [[round.finding]]")
        told = {"expected": finding["code"], "observed": "planted"} | finding
        lines += [f"  {key} = {_toml(value)}" for key, value in told.items()]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
