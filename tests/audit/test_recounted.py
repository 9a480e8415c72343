"""A wager that was read a cheque short is counted anew by the piles of one colour that it is broken down into."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.reconstruction.piles import track_piles
from audit.reconstruction.places import Places
from audit.reconstruction.slices import slices
from audit.states import StackCandidate
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, doubtful_stack, wide_profile

SHORT = {("green", "red", "red"): 0.93, ("green", "green", "red", "red"): 0.06}
"""What the wager of green green red red is taken for."""

_NAMED = 0.03


def told(felt: Felt) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Findings, wagers and payments, where the wager is read a cheque short."""
    states = doubtful_stack(felt.states, ("green", "green", "red", "red"), SHORT)
    (one,) = audit_states(states, felt.profile).rounds
    findings = [(it.verdict.value, it.procedures[0]) for it in one.findings if it.verdict.value != "undetermined"]
    return findings, [str(it.amount) for it in one.observed.round.wagers], [str(it.amount) for it in one.observed.pays]


def broken_down(*, from_rack: bool = False) -> Felt:
    """Seat 2's ante of 60 in two colours, and the dealer's hand, which makes two piles of one colour of it."""
    felt = shoot().bets({2: "green green red red"}, "ante").card(2, "Ts").roll(4, 5)
    felt.hand("dealer", "seat2.ante", *(["rack"] if from_rack else []))
    felt.put_chips("s2.ante.1", "green green", felt.at("seat2.ante", 0.0))
    felt.put_chips("s2.ante.2", "red red", felt.at("seat2.ante", 0.0, 42.0))
    return felt.snap()


def paid_colour_by_colour(felt: Felt) -> Felt:
    for name, cheques, right in (("green", "green green", 0.0), ("red", "red red", 42.0)):
        felt.hand("dealer", "rack", "seat2.ante").put_chips(
            f"s2.ante.p{name}", cheques, felt.at("seat2.ante", right, -42.0)
        )
        felt.snap()
    return felt.collect_spot(2, "ante").pick_up_seat(2).cover_dice()


def test_wager_that_is_broken_down_into_more_cheques_than_were_read_had_them_before() -> None:
    assert told(paid_colour_by_colour(broken_down())) == ([], ["60"], ["50", "10"])


def test_hand_that_came_from_the_rack_may_have_brought_the_cheque_that_is_more() -> None:
    """Then what was read stands, and that one is told as a payment upon it."""
    assert told(paid_colour_by_colour(broken_down(from_rack=True)))[1] == ["35"]


_BLACK_TOO = ("black", "green", "green", "red", "red")


@pytest.mark.parametrize(
    ("other", "from_rack", "least", "most"),
    [
        (("green", "red", "red"), False, 0.99, 0.9999),
        (_BLACK_TOO, False, 0.99, 0.9999),
        (("green", "red", "red"), True, 0.75, 0.95),  # his hand may have brought the other green one
        (("red", "red"), True, 0.99, 0.9999),
        (_BLACK_TOO, True, 0.99, 0.9999),
    ],
)
def test_wager_broken_down_into_what_it_was_read_as_is_that(
    other: tuple[str, ...], from_rack: bool, least: float, most: float
) -> None:
    """An Enter bet of 35, 93 in a hundred, became two reds and a green cheque, and was taken for the Draw bet's 30."""
    felt = broken_down(from_rack=from_rack)
    whole = ("green", "green", "red", "red")
    states = doubtful_stack(felt.states, whole, {whole: 0.6, other: 0.35})
    places = Places(profile=felt.profile)
    (piece,) = slices(states, places)
    wager = next(one for one in track_piles(piece, places) if one.spot == "seat2.ante")
    told = wager.versions()[0].stacks
    assert least < told[whole] / sum(told.values()) < most
    assert sum(told.values()) == pytest.approx(0.95)


def test_wager_read_for_certain_is_not_counted_anew_by_parts_that_are_not() -> None:
    felt = paid_colour_by_colour(broken_down())
    states = doubtful_stack(felt.states, ("green", "green"), {("green", "green"): 0.6, ("green",): 0.35})
    states = doubtful_stack(states, ("green", "green", "red", "red"), {("green", "red", "red"): 0.99})
    (one,) = audit_states(states, felt.profile).rounds
    assert [str(it.amount) for it in one.observed.round.wagers] == ["35"]


def test_green_cheque_under_three_reds_that_no_look_showed_is_counted_when_it_stands_alone() -> None:
    felt = shoot().bets({2: "green red red red"}, "ante").card(2, "Ts").roll(4, 5).hand("dealer", "seat2.ante")
    felt.put_chips("s2.ante.1", "green", felt.at("seat2.ante"))
    felt.put_chips("s2.ante.2", "red red red", felt.at("seat2.ante", 0.0, 42.0))
    felt.snap().collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    reads = {("red",) * 3: 0.82, ("green", *("red",) * 3): 0.04}
    (one,) = audit_states(doubtful_stack(felt.states, ("green", *("red",) * 3), reads), felt.profile).rounds
    assert [str(it.amount) for it in one.observed.round.wagers] == ["40"]


def test_what_stood_there_is_the_foot_of_what_grew_in_every_look_since() -> None:
    """A green is laid, three reds upon it; of them all looks read the reds alone, and hardly the green."""
    felt = shoot().bets({2: "green"}, "ante").bets({2: "green red red red"}, "ante")
    grown = felt.states[-1].span.first
    felt.card(2, "Ts").roll(4, 5).pay_spot(2, "ante", "40").collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    pile = ("green", *("red",) * 3)
    states = doubtful_stack(felt.states, pile, {("red",) * 3: 0.8, pile: 0.05})
    states = [
        replace(state, objects=tuple(replace(one, since_ms=grown if one.stacks else None) for one in state.objects))
        for state in states
    ]
    (one,) = audit_states(states, felt.profile).rounds
    assert [str(it.amount) for it in one.observed.round.wagers] == ["40"]


def test_foot_that_stood_there_and_that_no_look_shows_under_what_was_put_upon_it_is_counted() -> None:
    """The reds alone are read; broken down there is the green again, though a hand came from the rack."""
    felt = shoot().bets({2: "green"}, "ante").bets({2: "green red red"}, "ante").card(2, "Ts").roll(4, 5)
    felt.hand("dealer", "rack", "seat2.ante").put_chips("s2.ante.1", "green", felt.at("seat2.ante"))
    felt.put_chips("s2.ante.2", "red red", felt.at("seat2.ante", 0.0, 42.0))
    felt.snap().collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    reads = {("red", "red"): 0.97, ("red",): 0.015, ("red",) * 3: 0.015}
    (one,) = audit_states(doubtful_stack(felt.states, ("green", "red", "red"), reads), felt.profile).rounds
    assert [str(it.amount) for it in one.observed.round.wagers] == ["35"]


@pytest.mark.parametrize("zones", [(), ("rack",)], ids=["not by the rack", "by the rack"])
def test_foot_read_in_the_colour_of_what_lies_upon_it_is_told_by_the_piles(zones: tuple[str, ...]) -> None:
    """Four reds that fall into a green and three reds: nobody pays a wager and takes of it in one movement."""
    pile = ("green", "red", "red", "red")
    felt = shoot().bets({2: " ".join(pile)}, "ante").card(2, "Ts").roll(4, 5).hand("dealer", "seat2.ante", *zones)
    felt.put_chips("s2.ante.1", "green", felt.at("seat2.ante"))
    felt.put_chips("s2.ante.2", "red red red", felt.at("seat2.ante", 0.0, 42.0))
    felt.snap().collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    reads = {("red",) * 4: 0.83, ("red",) * 3: 0.11}
    (one,) = audit_states(doubtful_stack(felt.states, pile, reads), felt.profile).rounds
    assert [str(it.amount) for it in one.observed.round.wagers] == ["40"]


def test_wager_counted_anew_keeps_the_order_in_which_it_was_read() -> None:
    """Two greens with a red on top, likelier read without it, and broken down: the red was no foot (004:L684)."""
    whole = ("green", "green", "red")
    felt = shoot().bets({2: " ".join(whole)}, "ante").card(2, "Ts").roll(4, 5).hand("dealer", "seat2.ante")
    felt.put_chips("s2.ante.1", "red", felt.at("seat2.ante", 0.0))
    felt.put_chips("s2.ante.2", "green green", felt.at("seat2.ante", 0.0, 42.0))
    for name, cheques, right in (("green", "green green", 42.0), ("red", "red", 0.0)):
        felt.snap().hand("dealer", "rack", "seat2.ante")
        felt.put_chips(f"s2.ante.p{name}", cheques, felt.at("seat2.ante", right, -42.0))
    felt.snap().collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    states = doubtful_stack(felt.states, whole, {whole[:2]: 0.5, whole: 0.46})
    (one,) = audit_states(states, felt.profile).rounds
    assert [it.procedures[0] for it in one.findings if it.code == "stack-order"] == []
    assert [str(it.amount) for it in one.observed.round.wagers] == ["55"]


@pytest.mark.parametrize(
    ("rest", "later", "sure", "hand", "told"),
    [
        (0.06, "red red", 1.0, False, "10"),
        (0.06, "red red", 1.0, True, "5"),
        (0.01, "red red", 1.0, False, "None"),
        (0.06, "red red red", 1.0, False, "None"),
        (0.06, "red red", 0.9, False, "None"),
        (0.03, "red red", 1.0, False, "10"),
        (0.06, "red red", 1.0, None, "5"),
    ],
)
def test_wager_that_no_hand_was_near_is_what_it_is_surely_read_as_at_last(
    *, rest: float, later: str, sure: float, hand: bool | None, told: str
) -> None:
    """Two reds are read as one at first, which leaves something open: nothing was put upon them.

    None: the view is lost meanwhile; 0.03 was their own candidate from the beginning.
    """
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "red"}).deal({1: "Td 9c"}, dealer="9h 8s")
    read = [StackCandidate(stack=("red",), p=1.0 - rest)]
    read += [StackCandidate(stack=("red", "red"), p=rest)] if rest == _NAMED else []
    felt.states = [
        replace(one, objects=tuple(replace(i, stacks=tuple(read)) if i.kind == "chips" else i for i in one.objects))
        for one in felt.states
    ]
    if hand:
        felt.hand("player", "seat1.main", seat=1)
    elif hand is None:
        felt.snap()
        felt.states[-1] = replace(felt.states[-1], view="lost", reason="dark", objects=())
    felt.put_chips("s1.main.1", later, felt.at("seat1.main", 0.0))
    pile = felt.things["s1.main.1"]
    felt.things["s1.main.1"] = replace(pile, stacks=(StackCandidate(stack=pile.stack or (), p=sure),))
    (one,) = audit_states(felt.snap().turn().pay(1, later).collect(1).pick_up().states, felt.profile).rounds
    assert [str(wager.amount) for wager in one.observed.round.wagers] == [told]
    assert (one.findings == ()) is (told == "10")
