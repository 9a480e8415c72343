"""A pile at the edge of a zone jitters over it: all its looks together tell on which side it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, only_round
from tests.audit.pairs.dice import shoot
from tests.notation import Felt


def own_cheques(felt: Felt, beyond: float, *, first: float) -> Felt:
    """Reds of seat 2 so far beyond the edge of its ante's zone; the first look shows them elsewhere by its jitter."""
    x, y = felt.at("seat2.ante", 0.0, 50.0)
    felt.put_chips("own", "red red red", (x, y + first))
    felt.snap()
    felt.things["own"] = replace(felt.things["own"], xy_mm=(x, y + beyond))
    return felt


def played(felt: Felt, paid: str) -> Felt:
    felt.bets({2: "20"}, "ante").card(2, "Ts").roll(4, 5).pay_spot(2, "ante", paid)
    return felt.collect_spot(2, "ante").pick_up_seat(2).cover_dice()


@pytest.mark.parametrize(("paid", "told"), [("20", []), ("35", [("violation", "P033", "15.00")])])
def test_cheques_that_one_look_shows_within_the_zone_are_no_part_of_the_wager(
    paid: str, told: list[tuple[str, str, str]]
) -> None:
    felt = played(own_cheques(shoot(), 5.0, first=-2.0), paid)
    assert accused(felt) == told
    assert [str(wager.amount) for wager in only_round(felt).observed.round.wagers] == ["20"]


def test_cheques_that_one_look_shows_beside_the_zone_are_a_part_of_the_wager_within_it() -> None:
    felt = played(own_cheques(shoot(), -5.0, first=2.0), "35")
    assert [str(wager.amount) for wager in only_round(felt).observed.round.wagers] == ["35"]
