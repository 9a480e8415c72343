"""Dicey 21 (001): the '21' bet with the two dice of one colour, and Chuck-a-Luck PLUS on all three."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from audit.cards import Card
from audit.games import twenty_one
from audit.games.terms import (
    VALUES,
    Game,
    Row,
    RuleSet,
    Settled,
    Settlement,
    Violation,
    answer,
    undecided,
    wagers_by_seat,
)
from audit.rounds import Die, Round, SeatPlay, Wager

CHUCK_CLASSES: Final = frozenset({"single", "double", "triple", "royal", "quad", "no_match"})
MOST_NUMBERS: Final = 3
CODES: Final = twenty_one.CODES | {
    "chuck-without-ante": "where a skill game is required, Chuck-a-Luck PLUS is played beside an ante (001:L58)",
    "chuck-numbers": "a player bets on one to three numbers (001:L36, L43)",
    "dice-colours": "two dice are of one colour and the third of another (001:L49) [DIC-2]",
}

_DICE: Final = 3
_PAIR: Final = 2


def chuck_class(number: int, dice: Sequence[int], first: Card | None) -> str | None:
    """Return the row of the Chuck-a-Luck PLUS pay table; None if it hangs on the first card and that was not read.

    001:L66-77: the plus match is with the first card only; the ace matches 1 [DIC-3], Royal is king or queen [DIC-4].
    """
    count = dice.count(number)
    if count < _DICE:
        return ("no_match", "single", "double")[count]
    if first is None:
        return None
    if first.rank in {"K", "Q"}:
        return "royal"
    return "quad" if VALUES[first.rank] == number else "triple"


def matching_dice(dice: Sequence[Die]) -> tuple[int | None, ...] | None:
    """Return the values of the two dice of one colour (001:L49, L52); None if their colours do not tell which."""
    colours = Counter(die.colour for die in dice if die.colour is not None)
    pairs = [colour for colour, count in colours.items() if count == _PAIR]
    if len(dice) != _DICE or len(pairs) != 1:
        return None
    return tuple([die.value for die in dice if die.colour == pairs[0]])


def settle(round_: Round, rules: RuleSet) -> Settlement:
    """Return what every wager of the round is due, and what 001 forbids in it."""
    matching = matching_dice(round_.dice)
    settled = tuple([_settle_wager(wager, round_, matching, rules) for wager in round_.wagers])
    return Settlement(settled=settled, violations=_forbidden(round_, rules))


def _settle_wager(wager: Wager, round_: Round, matching: tuple[int | None, ...] | None, rules: RuleSet) -> Settled:
    play = round_.seats.get(wager.key.seat)
    if play is None:
        return undecided(wager, f"seat {wager.key.seat} has no cards in this round")
    if wager.key.bet not in rules.tables:
        return undecided(wager, f"{wager.key.bet} is no bet of {rules.title}")
    rows = rules.rows(wager.key.bet)
    if wager.key.bet == "chuck":
        return _settle_chuck(wager, play, round_.dice, rows)
    return twenty_one.settle_score(wager, play, matching, rows)


def _settle_chuck(wager: Wager, play: SeatPlay, dice: Sequence[Die], rows: Mapping[str, Row]) -> Settled:
    values = [die.value for die in dice if die.value is not None]
    if len(values) != _DICE or wager.key.number is None:
        return undecided(wager, "a die was not read")
    first = play.hands[0][0] if play.hands and play.hands[0] else None
    name = chuck_class(wager.key.number, values, first)
    if name is None:
        return undecided(wager, f"three of the number, and the first card of seat {wager.key.seat} was not read")
    return answer(wager, rows[name], f"{wager.key.number} with {'-'.join(map(str, values))}")


def _forbidden(round_: Round, rules: RuleSet) -> tuple[Violation, ...]:
    found: list[Violation] = []
    wagers = wagers_by_seat(round_)
    for seat, play in round_.seats.items():
        bets = wagers.get(seat, {})
        found += [(f"seat {seat}", code) for code in twenty_one.check_seat(play, bets, side_bet="chuck")]
        numbers = {wager.key.number for wager in bets.get("chuck", ())}
        if len(numbers) > MOST_NUMBERS:
            found.append((f"seat {seat}", "chuck-numbers"))
        if rules.option("skill_game") is True and numbers and "ante" not in bets:
            found.append((f"seat {seat}", "chuck-without-ante"))
    if round_.dice and len(round_.dice) != _DICE:
        found.append(("dice", "dice-count"))
    elif round_.dice and _wrong_colours(round_.dice):
        found.append(("dice", "dice-colours"))
    return tuple(found)


def _wrong_colours(dice: Sequence[Die]) -> bool:
    colours = [die.colour for die in dice]
    return None not in colours and len(set(colours)) != _PAIR


GAME: Final = Game(
    name="dicey_21",
    title="Dicey 21",
    classes={"ante": twenty_one.CLASSES, "raise": twenty_one.CLASSES, "chuck": CHUCK_CLASSES},
    options=frozenset({"decks", "skill_game"}),
    seats=6,  # six player spaces (001:L19)
    settle=settle,
    codes=CODES,
)
