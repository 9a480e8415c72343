"""A toke may be doubled with the player's bet, and is then settled at what it became (004:L998)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, found, only_round
from tests.audit.pairs.hands import toke_down, toked
from tests.notation import Felt, wide_profile

Told = list[tuple[str, str, str | None]]


def table() -> Felt:
    return Felt(wide_profile("blackjack", ("blazing7", "main", "toke"), finder=False))


def doubled(*, beside: bool, own: bool = True, more: str = "5", card: str = "Kh", late: bool = False) -> Felt:
    """A bet of 20 and a toke of 5: the toke grows by ``more``, the bet doubles if ``own``; the dealer has 24 or 18."""
    felt = table().bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "6h 5c"}, dealer="Td 6s")
    if own:
        felt.hand("player", "seat2.main", seat=2)
        felt.put_chips("s2.double.1", "20", felt.at("seat2.main", 42.0))
        felt.snap()
    if not late:
        grown(felt, more, beside=beside)
    felt.card(2, card, sideways=own).turn()
    if late:
        grown(felt, more, beside=beside)
    return felt.dealer_hits("8c" if card == "Kh" else "2c")


def grown(felt: Felt, more: str, *, beside: bool) -> None:
    felt.hand("player", "seat2.toke", seat=2)
    if beside:
        felt.put_chips("s2.toke.2", more, felt.at("seat2.toke", 0.0, 42.0))
    else:
        felt.put_chips("s2.toke.1", " ".join(["red"] * (1 + int(more) // 5)), felt.at("seat2.toke"))
    felt.snap()


def tokes_down(felt: Felt, toke: str, *, own: bool = True) -> Felt:
    """The double, the bet and the toke are paid, in this order; the toke comes down, the player collects."""
    felt = (felt.pay(2, "20", beside="double.1") if own else felt).pay(2, "20")
    felt.hand("dealer", "rack", "seat2.toke")
    felt.put_chips("s2.toke.pay", toke, felt.at("seat2.toke", 0.0, -42.0))
    return toke_down(felt.snap()).collect(2).pick_up()


def ids(told: Told) -> list[tuple[str, str]]:
    return [(verdict, procedure) for verdict, procedure, _ in told]


@pytest.mark.parametrize("beside", [False, True])
def test_toke_is_doubled_with_its_bet(beside: bool) -> None:
    assert found(tokes_down(doubled(beside=beside), "10")) == []


@pytest.mark.parametrize("beside", [False, True])
def test_doubled_toke_is_paid_as_what_it_became(beside: bool) -> None:
    assert ids(accused(tokes_down(doubled(beside=beside), "5"))) == [("violation", "P371")]


@pytest.mark.parametrize("beside", [False, True])
def test_doubled_toke_that_lost_is_taken(beside: bool) -> None:
    felt = doubled(beside=beside, card="2h").take(2, "main.1", "double.1")
    felt.hand("dealer", "seat2.toke", "rack")
    for name in felt.names("s2.toke"):
        felt.remove(name)
    assert found(felt.snap().pick_up()) == []


def test_toke_may_not_be_more_than_doubled() -> None:
    assert ("violation", "P205") in ids(accused(tokes_down(doubled(beside=False, more="10"), "15")))


def test_toke_may_not_grow_where_the_bet_is_not_doubled() -> None:
    assert ("violation", "P205") in ids(accused(tokes_down(doubled(beside=False, own=False), "10", own=False)))


def test_toke_may_not_grow_when_the_hole_card_is_shown() -> None:
    assert ("violation", "P207") in ids(accused(tokes_down(doubled(beside=False, late=True), "10")))


@pytest.mark.parametrize(("insured", "told"), [("12 white", []), ("15", [("violation", "P304")])])
def test_toke_may_be_insured_with_its_bet(insured: str, told: list[tuple[str, str]]) -> None:
    felt = table().bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "Th 9c"}, dealer="As 8s")
    felt.insure(2, insured.replace("12 white", "red red white white")).take_spot(2, "insurance").turn()
    felt.collect(2).pick_up()
    assert [one for one in ids(accused(felt)) if one[1] == "P304"] == told


def test_second_toke_of_a_split_hand_is_no_moved_one() -> None:
    felt = table().bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "8c 8d"}, dealer="Td 8s")
    felt.split(2, "20")
    earlier = felt.states[-1]
    felt.put_chips("s2.toke.2", "5", felt.at("seat2.toke", 30.0, 36.0))
    felt.states[-2] = replace(felt.states[-2], objects=(*felt.states[-2].objects, felt.things["s2.toke.2"]))
    felt.states[-1] = replace(earlier, objects=tuple(felt.things.values()))
    felt.hit(2, "Th").hit(2, "Jc", hand=2).turn().collect(2).pick_up()
    assert "P325" not in " ".join(procedure for _, procedure in ids(accused(felt)))


@pytest.mark.parametrize(
    ("cards", "acts", "procedure", "amount"),
    [
        ("Th 8c", "collect:m take:t", "P370", "-5.00"),
        ("Th 7c", "take:m", "P371", "5.00"),
        ("Th 9c", "pay:m collect:m take:t", "P371", "-10.00"),
    ],
)
def test_toke_settled_otherwise_says_by_how_much(cards: str, acts: str, procedure: str, amount: str) -> None:
    assert ("violation", procedure, amount) in accused(toked(acts, cards=cards))


def test_toke_on_a_blackjack_says_what_it_was_due_and_what_was_paid() -> None:
    round_ = only_round(toked("pay:m collect:m pay:t take:t", cards="As Kd"))
    (one,) = (finding for finding in round_.findings if "P371" in finding.procedures)
    assert (one.expected, one.observed) == ("the toke settled as the bet: win, 7.50 due", "paid 5.00")
    assert one.verdict.value == "suspect", "that a toke is paid like a blackjack is written nowhere"


def played_on(stack: str, *sides: str) -> Felt:
    """A toke of 5.00 is paid; hands of ``sides`` come to it, then ``stack`` stands there when the next round begins."""
    felt = toked("pay:m pay:t collect:m")
    for side in sides:
        felt.hand(side, "seat2.toke", seat=2 if side == "player" else None)
    for name in felt.names("s2.toke"):
        felt.remove(name)
    felt.put_chips("s2.toke.1", stack, felt.at("seat2.toke"))
    felt.snap().bets({2: "10"}).deal({2: "Ts 8c"}, dealer="Tc 8h").turn().pat(2).collect_spot(2, "main")
    return felt.pick_up()


@pytest.mark.parametrize(
    ("stack", "sides", "told"),
    [
        ("red red", ("player",), [("suspect", "P366", None)]),
        ("red red", ("dealer",), [("suspect", "P366", None)]),
        ("red red", ("dealer", "player"), []),
        ("red", ("player",), []),
        ("red red red", ("player",), []),
    ],
)
def test_paid_toke_that_a_player_stacks_and_that_plays_on_is_suspected(
    stack: str, sides: tuple[str, ...], told: Told
) -> None:
    """Both the winning toke and its payment come down (004:L995): the dealer's hand was not seen to fetch them."""
    assert [one for one in accused(played_on(stack, *sides)) if one[1] == "P366"] == told


def test_toke_is_paid_by_what_is_set_beside_it_and_upon_that() -> None:
    felt = table().bets({2: "20"}).bets({2: "10"}, "toke").deal({2: "Th 9c"}, dealer="Td 8s").turn()
    felt.pay_spot(2, "main", "20").collect_spot(2, "main")
    for paid in ("5", "10"):
        felt.hand("dealer", "rack", "seat2.toke")
        felt.put_chips("s2.toke.pay", paid, felt.at("seat2.toke", 0.0, -42.0))
        felt.snap()
    assert found(toke_down(felt).pick_up()) == []


@pytest.mark.parametrize(("ms", "verdict"), [(500, "violation"), (2500, "suspect")])
def test_winning_toke_taken_after_a_long_gap_may_have_been_paid_in_it(ms: int, verdict: str) -> None:
    """Toke and payment come down together: a gap of two seconds is long enough for both."""
    felt = table().bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "Th 9c"}, dealer="Td 8s").turn()
    felt.pay_spot(2, "main", "20").collect_spot(2, "main")
    felt.now += ms
    assert [one[0] for one in accused(toke_down(felt.hand("dealer", "rack")).pick_up()) if one[1] == "P371"] == [
        verdict
    ]


@pytest.mark.parametrize(("hidden", "told"), [(True, []), (False, ["violation"])])
def test_toke_over_which_the_view_was_blocked_while_the_dealer_was_there_may_have_been_paid(
    hidden: bool, told: list[str]
) -> None:
    felt = table().bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "Th 9c"}, dealer="Td 8s").turn()
    felt.pay_spot(2, "main", "20").collect_spot(2, "main")
    felt.hand("dealer", "rack", "seat2.toke").snap(covered=["seat2.toke"] if hidden else [])
    assert [one[0] for one in accused(toke_down(felt).pick_up()) if one[1] == "P371"] == told


def test_one_hand_over_a_covered_toke_that_is_gone_then_cannot_have_paid_it_too() -> None:
    felt = table().bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "Th 9c"}, dealer="Td 8s").turn()
    felt.pay_spot(2, "main", "20").collect_spot(2, "main").hand("dealer", "seat2.toke")
    for name in felt.names("s2.toke"):
        felt.remove(name)
    felt.snap(covered=["seat2.toke"]).snap().pick_up()
    assert [one[0] for one in accused(felt) if one[1] == "P371"] == ["violation"]


@pytest.mark.parametrize(
    ("acts", "shown", "told"),
    [("take", False, [("suspect", "P370", "-5.00")]), ("take", True, []), ("collect", False, [])],
)
def test_toke_of_a_round_begun_unseen_is_judged_by_what_was_settled_in_view(acts: str, shown: bool, told: Told) -> None:
    """``shown``: the hole card already lay face up when the round was first seen."""
    felt = table().bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "Th 8c"}, dealer="Td 8s")
    felt = felt.turn() if shown else felt
    felt.states = felt.states[-1:]
    felt = (felt if shown else felt.turn()).pat(2)
    felt = toke_down(felt.collect_spot(2, "main")) if acts == "take" else felt.collect(2)
    assert accused(felt.pick_up()) == told
