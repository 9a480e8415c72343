"""Which dice are the round's: those that were uncovered last, wherever they lie."""

from dataclasses import replace

import pytest

from audit.reconstruction.dice import dice_seen
from audit.reconstruction.slices import Slice
from audit.states import SeenObject, TableState
from audit.timing import Span
from tests.audit.asking import accused
from tests.audit.pairs.dice import shoot

OLD = {(0.0, 79.0): 5, (1.0, 113.0): 4}
NEW = {(14.0, 97.0): 5, (-19.0, 104.0): 1}


def state(index: int, dice: dict[tuple[float, float], int], *covered: str) -> TableState:
    objects = tuple(SeenObject(kind="die", xy_mm=place, value=value) for place, value in dice.items())
    return TableState(
        span=Span.of(1000 * index, 1000 * index + 400), objects=objects, covered=frozenset(covered), view="ok"
    )


def values(*looks: tuple[dict[tuple[float, float], int], tuple[str, ...]]) -> list[int | None]:
    states = tuple(state(index, dice, *covered) for index, (dice, covered) in enumerate(looks))
    dice, _ = dice_seen(Slice(states=states, first=0, last=len(states) - 1), after=0)
    return sorted(die.likeliest or 0 for die in dice)


@pytest.mark.parametrize("covered", [(), ("dice",)])
def test_dice_that_were_gone_and_lie_elsewhere_were_thrown_anew(covered: tuple[str, ...]) -> None:
    assert values((OLD, ()), ({}, covered), (NEW, ())) == [1, 5]


def test_dice_that_a_hand_hid_and_that_lie_as_before_are_the_same() -> None:
    """What they seem to show later may be misread; the first look counts with the others."""
    assert values((OLD, ()), ({}, ("dice",)), (OLD, ())) == [4, 5]


def test_one_die_that_lies_as_before_was_not_thrown() -> None:
    moved = {(0.0, 79.0): 5, (60.0, 113.0): 2}
    assert values((OLD, ()), ({}, ("dice",)), (moved, ())) == [4, 5]


@pytest.mark.parametrize(("later", "told"), [((6, 6), [6, 6]), ((5, 6), [4, 5])])
def test_dice_that_were_gone_and_all_show_other_faces_were_thrown_anew(later: tuple[int, int], told: list[int]) -> None:
    """Seed 53001, Draw 'n Shoot 21: two sixes came to lie where a one and a two had, under a cup that was not seen."""
    again = dict(zip(OLD, later, strict=True))
    assert values((OLD, ()), ({}, ("dice",)), (again, ())) == told


@pytest.mark.parametrize("lid", [False, True])  # under the hand the cup is remembered with its lid on
@pytest.mark.parametrize(("hidden", "told"), [(True, []), (False, [("violation", "P036", None)])])
def test_dice_whose_place_was_hidden_may_have_been_shown_before_a_bet_was_settled(
    hidden: bool, lid: bool, told: list[tuple[str, str, str | None]]
) -> None:
    """The dealer's hand is at the cup before, and the dice are in sight only after the ante was paid."""
    felt = shoot()
    if lid:
        felt.things["cup"] = SeenObject(kind="dice_cup", xy_mm=felt.at("dice"), lid="on")
    felt = felt.bets({1: "20", 2: "20"}, "ante").card(1, "Ts").card(2, "Td").hand("dealer", "dice").snap()
    begun = len(felt.states) - 1
    felt.pay_spot(2, "ante", "20")
    for place in range(begun, len(felt.states)):
        felt.states[place] = replace(felt.states[place], covered=frozenset({"dice"} if hidden else ()))
    felt.things.pop("cup", None)
    for at, face in enumerate((4, 5)):
        felt.things[f"die.{at}"] = SeenObject(kind="die", xy_mm=felt.at("dice", -40.0 + 40.0 * at), value=face)
    felt = felt if hidden else felt.hand("dealer", "dice")
    felt.snap().collect_spot(2, "ante").pick_up_seat(2)
    felt.pay_spot(1, "ante", "20").collect_spot(1, "ante").pick_up_seat(1).cover_dice()
    assert accused(felt) == told
