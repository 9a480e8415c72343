"""Bills that were seen and not read, and piles whose colour is nearly sure alone: what their places tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import SeenObject, StackCandidate
from tests.audit.asking import accused
from tests.audit.pairs.between import cut_and_burnt
from tests.audit.pairs.money import BLACKS, GREENS, bills, changed, cut, push, reds, table
from tests.audit.pairs.pair import put
from tests.notation import Felt

_SENT = 25


def unread(felt: Felt) -> Felt:
    """No bill says what it is worth, nor which side is up."""
    felt.states = [
        replace(state, objects=tuple(replace(one, extra={}) if one.kind == "bill" else one for one in state.objects))
        for state in felt.states
    ]
    return felt


def nearly(felt: Felt) -> Felt:
    """Every pile is what it is with 0.95; what else it may be is not known."""
    felt.states = [replace(state, objects=tuple(map(_nearly, state.objects))) for state in felt.states]
    return felt


def _nearly(item: SeenObject) -> SeenObject:
    return item if item.stack is None else replace(item, stacks=(StackCandidate(stack=item.stack, p=0.95),))


def of(felt: Felt, procedure: str) -> list[str]:
    """The verdicts told of a procedure."""
    return [verdict for verdict, told, _ in accused(felt) if told == procedure]


@pytest.mark.parametrize(
    ("procedure", "wrong", "right"),
    [
        ("P165", bills((100, 1, -100.0), angle=90.0), bills((100, 1, -100.0))),
        ("P165", bills((100, 1, 100.0)), bills((100, 1, -100.0))),
        (
            "P178",
            bills((100, 5, -100.0), cheques=BLACKS, minimum="25.00"),
            bills((100, 5, -100.0), cheques=GREENS, minimum="25.00"),
        ),
        ("P177", bills((100, 1, -100.0), cheques=GREENS[:1]), bills((100, 1, -100.0), cheques=reds(20))),
    ],
)
def test_bills_that_were_not_read_lie_somewhere_and_are_worth_what_is_set_out(
    procedure: str, wrong: Felt, right: Felt
) -> None:
    assert of(unread(wrong), procedure) == ["suspect"]
    assert of(unread(right), procedure) == []


def test_of_unread_bills_nothing_is_told_that_hangs_on_their_worth() -> None:
    """P170: 75 for a hundred."""
    assert of(unread(bills((100, 1, -100.0), cheques=reds(15))), "P170") == []


@pytest.mark.parametrize(
    ("procedure", "wrong", "right"),
    [
        (
            "P168",
            changed((("red red red red red", 60.0, 20.0), ("green green green", 60.0, 80.0))),
            changed((("red red red red red", 60.0, 80.0), ("green green green", 60.0, 20.0))),
        ),
        ("P113", cut(4, 1, colour="grey", apart=39.0), cut(4, 1, colour="grey", apart=60.0)),
    ],
)
def test_what_rests_on_colours_that_are_nearly_sure_is_suspected(procedure: str, wrong: Felt, right: Felt) -> None:
    assert of(nearly(wrong), procedure) == ["suspect"]
    assert of(nearly(right), procedure) == []


@pytest.mark.parametrize(("listed", "told"), [(True, ["suspect"]), (False, [])])
def test_hand_that_cuts_cards_which_are_not_listed_reaches_for_them(listed: bool, told: list[str]) -> None:
    """P203, 004:L171: it seems to be over the shoe alone, as the cut card comes to lie on the felt."""
    felt = cut_and_burnt(reach="shoe")
    if not listed:
        felt.states = [
            replace(state, objects=tuple(one for one in state.objects if one.kind != "card_back"))
            for state in felt.states
        ]
    assert of(felt, "P203") == told


def bought(sent: str, *, heights: tuple[int, ...] = (5, 5, 5), value: str | None = None) -> Felt:
    """Two unread bills; of the cheques set out, four greens and twenty reds, a look misses five; all go out as one."""
    felt = table()
    worth = {"amount": value, "side": "up"} if value is not None else {}
    for place in range(2):
        put(felt, f"bill.{place}", "bill", (-100.0, 100.0 - 14.0 * place), angle_deg=0.0, **worth)
    felt.hand("player", "seat1.cards", seat=1).hand("dealer", "dealer.cards").snap().hand("dealer", "rack")
    felt.put_chips("cut.0", "green green green green", (30.0, 40.0))
    for number, height in enumerate(heights):
        felt.put_chips(f"cut.{number + 1}", " ".join(["red"] * height), (71.0 + 41.0 * number, 40.0))
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    felt.put_chips("sent", sent.strip(), (-400.0, 330.0))
    felt.snap().hand("dealer", "rack")
    for name in felt.names("bill."):
        felt.remove(name)
    felt.snap().hand("player", "seat1.cards", seat=1).remove("sent")
    return push(felt.snap())


@pytest.mark.parametrize(
    ("sent", "told"),
    [("green " * 4 + "red " * 20, []), ("green " * 4 + "red " * 15, ["suspect"]), ("green " * 8, ["suspect"])],
)
def test_cheques_that_a_look_missed_were_given_if_they_went_out(sent: str, told: list[str]) -> None:
    """P177: of two hundred a hundred in red, the rest in green."""
    assert of(bought(sent.strip()), "P177") == told


@pytest.mark.parametrize(
    ("heights", "sure", "doubted", "verdicts"),
    [
        ((5, 5, 5, 5), 0.999, 0.11, []),  # stacked they are nineteen with 0.87
        ((5, 5, 5, 5), 0.999, None, ["violation"]),
        ((5, 5, 5, 5), 1.0, None, ["violation"]),
        ((5, 5, 5, 4), 0.999, 0.11, ["suspect"]),
        ((), 0.999, 0.11, ["suspect"]),
    ],
)
def test_cheques_for_bills_are_read_as_cut_down_and_as_they_stand_stacked(
    heights: tuple[int, ...], sure: float, doubted: float | None, verdicts: list[str]
) -> None:
    """P170: twenty reds for a hundred, that look like nineteen as they are to be sent out."""
    felt = table(minimum="5.00")
    put(felt, "bill", "bill", (-100.0, 100.0), angle_deg=0.0, amount="100.00", side="up")
    felt.snap().hand("dealer", "rack")
    for place, height in enumerate(heights):
        felt.put_chips(f"cut.{place}", " ".join(["red"] * height), (60.0 + 42.0 * place, 32.0))
        own = felt.things[f"cut.{place}"].stack or ()
        ways = (StackCandidate(stack=own, p=sure), StackCandidate(stack=own[1:], p=(1.0 - sure) / 2))
        felt.things[f"cut.{place}"] = replace(felt.things[f"cut.{place}"], stacks=ways)
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    felt.put_chips("out", " ".join(["red"] * 19), (80.0, 90.0))
    ways = (StackCandidate(stack=("red",) * 19, p=0.87), StackCandidate(stack=("red",) * 20, p=doubted or 0.0))
    felt.things["out"] = replace(felt.things["out"], stacks=() if doubted is None else ways)
    felt.snap().hand("dealer", "rack")
    felt.remove("out")
    felt.remove("bill")
    assert of(push(felt.snap(), bet="10"), "P170") == verdicts


@pytest.mark.parametrize(
    ("places", "told"),
    [
        (((-250.0, 100.0), (-170.0, 104.0)), []),
        (((-250.0, 110.0), (-250.0, 90.0)), []),
        (((-250.0, 110.0), (-170.0, 30.0)), ["violation"]),
        (((-250.0, 110.0), (-250.0, 90.0), (-250.0, 70.0), (-170.0, 110.0), (-170.0, 90.0)), ["violation"]),
    ],
)
def test_rows_of_bills_may_run_from_left_to_right_or_away_from_the_dealer(
    places: tuple[tuple[float, float], ...], told: list[str]
) -> None:
    felt = table()
    for number, at in enumerate(places):
        put(felt, f"bill.{number}", "bill", at, angle_deg=0.0, amount="100.00", side="up")
    felt.snap()
    for name in felt.names("bill."):
        felt.remove(name)
    assert of(push(felt.snap()), "P166") == told


@pytest.mark.parametrize(("p", "told"), [(0.61, []), (1.0, ["violation"])])
def test_cheques_sent_out_tell_nothing_against_those_cut_down_unless_surely_read(p: float, told: list[str]) -> None:
    """Twenty reds and four greens for 200 go out and are read as one more."""
    felt = bought("green " * 4 + "red " * 21, heights=(5, 5, 5, 5), value="100.00")
    felt.states = [
        replace(
            state, objects=tuple(_read(item, p) if len(item.stack or ()) == _SENT else item for item in state.objects)
        )
        for state in felt.states
    ]
    assert of(felt, "P170") == told


def _read(pile: SeenObject, p: float) -> SeenObject:
    return replace(pile, stacks=(StackCandidate(stack=pile.stack or (), p=p),))
