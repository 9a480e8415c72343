"""Draw 'n Shoot 21 (000): the '21' bet with two dice, and QuickCraps on the first card and the same roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from audit.cards import TEN_VALUED, Card
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
from audit.rounds import Round, SeatPlay, Wager

CRAPS_CLASSES: Final = frozenset(
    {
        *("any_craps", "seven", "seven_with_seven", "ten_with_ten", "match_5_6_8_9"),
        *("ace_with_eleven", "four_with_four", "four_with_hardway_eight", "no_match"),
    }
)
CODES: Final = twenty_one.CODES | {
    "craps-without-ante": "where a skill game is required, craps is played beside an ante (000:L59)",
}

_SEVEN: Final = 7


def craps_class(first: Card, one: int, other: int) -> str:
    """Return the row of the QuickCraps pay table (000:L37, L83-93) [DNS-5, DNS-6, DNS-10]."""
    roll = one + other
    if roll in {2, 3, 12}:
        return "any_craps"
    if roll == _SEVEN:
        return "seven_with_seven" if first.rank == "7" else "seven"
    if first.rank == "4":
        return "four_with_hardway_eight" if one == other == 4 else "four_with_four" if roll == 4 else "no_match"  # noqa: PLR2004
    if first.rank == "A":
        return "ace_with_eleven" if roll == 11 else "no_match"  # noqa: PLR2004 - the ace's match card
    if first.rank in TEN_VALUED:
        return "ten_with_ten" if roll == 10 else "no_match"  # noqa: PLR2004 - the ten's match
    return "match_5_6_8_9" if VALUES[first.rank] == roll else "no_match"


def settle(round_: Round, rules: RuleSet) -> Settlement:
    """Return what every wager of the round is due, and what 000 forbids in it."""
    dice = tuple([die.value for die in round_.dice])
    settled = tuple([_settle_wager(wager, round_, dice, rules) for wager in round_.wagers])
    return Settlement(settled=settled, violations=_forbidden(round_, rules))


def _settle_wager(wager: Wager, round_: Round, dice: tuple[int | None, ...], rules: RuleSet) -> Settled:
    play = round_.seats.get(wager.key.seat)
    if play is None:
        return undecided(wager, f"seat {wager.key.seat} has no cards in this round")
    if wager.key.bet not in rules.tables:
        return undecided(wager, f"{wager.key.bet} is no bet of {rules.title}")
    rows = rules.rows(wager.key.bet)
    if wager.key.bet == "craps":
        return _settle_craps(wager, play, dice, rows)
    return twenty_one.settle_score(wager, play, dice, rows)


def _settle_craps(wager: Wager, play: SeatPlay, dice: tuple[int | None, ...], rows: Mapping[str, Row]) -> Settled:
    first = play.hands[0][0] if play.hands and play.hands[0] else None
    if first is None:
        return undecided(wager, f"the first card of seat {wager.key.seat} was not read")
    if len(dice) != 2 or dice[0] is None or dice[1] is None:  # noqa: PLR2004 - two dice
        return undecided(wager, "a die was not read")
    return answer(wager, rows[craps_class(first, dice[0], dice[1])], f"{first} with {dice[0]}-{dice[1]}")


def _forbidden(round_: Round, rules: RuleSet) -> tuple[Violation, ...]:
    found: list[Violation] = []
    wagers = wagers_by_seat(round_)
    for seat, play in round_.seats.items():
        bets = wagers.get(seat, {})
        found += [(f"seat {seat}", code) for code in twenty_one.check_seat(play, bets, side_bet="craps")]
        if rules.option("skill_game") is True and "craps" in bets and "ante" not in bets:
            found.append((f"seat {seat}", "craps-without-ante"))
    if round_.dice and len(round_.dice) != 2:  # noqa: PLR2004 - two dice
        found.append(("dice", "dice-count"))
    return tuple(found)


GAME: Final = Game(
    name="draw_n_shoot_21",
    title="Draw 'n Shoot 21",
    classes={"ante": twenty_one.CLASSES, "raise": twenty_one.CLASSES, "craps": CRAPS_CLASSES},
    options=frozenset({"decks", "quickcraps_table", "skill_game"}),
    seats=7,  # seven player spaces (000:L19)
    settle=settle,
    codes=CODES,
)
