"""Pictures of cheques that are printed on the felt are no wagers; cheques that come and go are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import SeenObject
from audit.timing import Millis
from tests.audit.asking import accused, audited
from tests.notation import Felt, wide_profile

PRINT = "printed"


def two_rounds(*, bet: int | None = None, watched: bool = True, printed: tuple[int, ...] = (1, 3)) -> Felt:
    """Seat 2 plays two rounds; on the Trilux spots of some seats red cheques are printed, on which a seat may bet."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), finder=False))
    for seat in printed:
        item = SeenObject(kind="chips", xy_mm=felt.at(f"seat{seat}.trilux"), stack=("red",))
        felt.things[f"{PRINT}{seat}"] = replace(item, since_ms=Millis(0)) if watched else item
    felt.states.clear()  # nobody saw the spots without
    felt.snap()
    for number in range(2):
        if bet is not None and number:
            felt.things.pop(f"{PRINT}{bet}", None)
            felt.bets({bet: "25"}).bets({bet: "5"}, "trilux")
        felt.bets({2: "25"})
        cards = {2: "Th 9c"} if bet is None or not number else {min(bet, 2): "Th 9c", max(bet, 2): "Ts 3h"}
        felt.deal(cards, dealer="Td 8s").turn()
        felt.pay_spot(2, "main", "25").collect_spot(2, "main")
        felt.pick_up()
    return felt


def open_ends(felt: Felt) -> list[str]:
    return [one.observed for one in audited(felt).findings if one.verdict.value == "undetermined"]


def test_what_stands_on_a_spot_through_every_round_is_no_wager_and_is_told() -> None:
    """Dicey 21 with cheques printed as numbers: twenty violations were of wagers that nobody had laid."""
    felt = two_rounds()
    assert accused(felt) == []
    told = [reason for reason in open_ends(felt) if "through every round" in reason]
    assert sorted(reason.partition(":")[0] for reason in told) == ["seat1.trilux", "seat3.trilux"]


def test_states_that_do_not_say_what_was_watched_are_taken_as_they_are() -> None:
    assert accused(two_rounds(watched=False)) != []
    assert not [reason for reason in open_ends(two_rounds(watched=False)) if "through every round" in reason]


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_wager_that_stands_through_one_round_alone_is_one(rounds: int) -> None:
    felt = two_rounds(printed=(2,))
    if rounds == 1:
        start = next(i for i, state in enumerate(felt.states) if any(one.kind == "card" for one in state.objects))
        away = next(
            i for i, state in enumerate(felt.states[start:], start) if all(one.kind != "card" for one in state.objects)
        )
        felt.states = felt.states[: away + 1]
    assert bool(accused(felt)) is (rounds == 1)


def test_where_another_seat_has_such_a_picture_what_stood_there_from_the_first_is_one_too() -> None:
    """A real wager on the picture counts; what is found of it is a suspicion."""
    felt = two_rounds(bet=3)
    (_, second) = audited(felt).rounds
    assert [(one.key.seat, one.key.bet) for one in second.observed.round.wagers if one.key.bet == "trilux"] == [
        (3, "trilux")
    ]
    found = [one for one in second.findings if one.bet is not None and one.bet.bet == "trilux"]
    assert found
    assert {one.verdict.value for one in found} <= {"suspect", "undetermined"}
    assert any("what is printed there reads as cheques" in one.observed for one in found)
