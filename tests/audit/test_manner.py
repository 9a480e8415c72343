"""What the dealer's manner tells, and what looks like an error and is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from audit.states import SeenObject, StackCandidate
from tests.audit.asking import accused
from tests.audit.pairs.deal import insured, laid, peek, push, start, table
from tests.audit.pairs.manner import passed_over, waved
from tests.audit.pairs.money import cut, rows
from tests.audit.pairs.paying import paid, spread_bet, won
from tests.notation import Felt


def test_even_money_paid_as_a_blackjack_is_half_the_stake_too_much() -> None:
    felt = start(table(), {1: "As Kd"}, "Ah 7c", bet="20").pay_spot(1, "main", "30")
    peek(felt, sideways=True).collect(1).pick_up_seat(1).turn().pick_up()
    assert ("suspect", "P305", "10.00") in accused(felt)


def test_table_at_which_no_wave_is_seen_says_nothing_of_waves() -> None:
    assert accused(waved("1 look")) == []


@pytest.mark.parametrize(("acts", "told"), [("wave 1 wave look", set()), ("1 wave look", {"P301"})])
def test_wave_is_one_though_the_hole_card_lies_unseen_under_the_up_card(acts: str, told: set[str]) -> None:
    felt = waved("wave 1 wave look")
    before = len(felt.states)
    waved(acts, felt)
    felt.states[before:] = [
        replace(state, objects=tuple(item for item in state.objects if item.kind != "card_back"))
        for state in felt.states[before:]
    ]
    assert {number for _, number, _ in accused(felt)} & {"P301", "P306"} == told


def test_arm_that_crosses_the_line_on_its_way_is_no_wave() -> None:
    """An arm is told zone by zone: over the line and over a seat's place between the same two states."""
    felt = insured(table())
    felt.hand("dealer", "insurance").hand("dealer", "seat2.cards").snap()
    start(felt, {1: "Th 9c"}, "Ad 8s")
    felt.hand("dealer", "insurance").hand("dealer", "seat2.cards").snap()
    felt.insure(1, "5")
    assert accused(push(peek(felt, sideways=True).take_spot(1, "insurance"))) == []


def test_footage_in_which_no_pat_is_seen_says_nothing_of_a_push_passed_over() -> None:
    felt = passed_over(patted=False)
    (round_,) = audit_states(felt.states, felt.profile, thresholds=RECOGNISED).rounds
    assert "P266" not in {one.procedures[0] for one in round_.findings}


def test_bet_of_two_colours_paid_at_once_may_have_been_stacked_again() -> None:
    assert accused(won("black red red", ("black red red", 42.0, 0.0))) == []


def test_payment_that_grows_under_the_hand_that_pays_is_cut_into_the_bet() -> None:
    """Two goes of one hand, which did not come to the rack between them."""
    felt = paid(table().bets({2: "red red red red red"}).deal({2: "Th 9c"}, dealer="Td 8s").turn(), 2)
    felt.hand("dealer", "rack", "seat2.main").put_chips("s2.pay.0", "red red red", felt.at("seat2.main", 42.0, 0.0))
    felt.snap().hand("dealer", "seat2.main")
    felt.put_chips("s2.pay.0", "red red red red red", felt.at("seat2.main", 42.0, 0.0))
    assert accused(felt.snap().collect(2).pick_up()) == []


def test_cards_that_lay_there_when_the_view_began_are_no_zigzag() -> None:
    """In which order they came was not seen: they may be two hands of a split."""
    felt = laid(90.0, -40.0, 60.0, -40.0)
    whole = next(i for i, state in enumerate(felt.states) if sum(item.kind == "card" for item in state.objects) >= 7)
    assert "P186" in {one[1] for one in accused(felt)}
    felt.states = felt.states[whole:]
    assert "P186" not in {one[1] for one in accused(felt)}


def nine_reds_cut(*heights: int, doubted: float, paid_out: tuple[str, float, float] | None = None) -> Felt:
    """Nine red are cut before the rack and taken up again; the first pile may hold one more."""
    felt = table().bets({2: " ".join(["red"] * 9)}).deal({2: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "rack")
    for place, height in enumerate(heights):
        felt.put_chips(f"cut.{place}", " ".join(["red"] * height), (-110.0 - 42.0 * place, 32.0))
    first = felt.things["cut.0"].stack or ()
    perhaps = (StackCandidate(stack=first, p=1 - doubted), StackCandidate(stack=(*first, "red"), p=doubted))
    felt.things["cut.0"] = replace(felt.things["cut.0"], stacks=perhaps)
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    return paid(felt, 2, *([paid_out] if paid_out else [])).pick_up()


@pytest.mark.parametrize("doubted", [0.005, 0.02])
def test_cheques_cut_into_units_are_right_though_one_pile_is_not_surely_read(doubted: float) -> None:
    assert "P108" not in {one[1] for one in accused(nine_reds_cut(4, 4, 1, doubted=doubted))}


def test_cheques_cut_otherwise_are_told_where_every_pile_is_surely_read() -> None:
    assert "P108" in {one[1] for one in accused(nine_reds_cut(4, 3, 2, doubted=0.005))}


def test_row_of_one_more_than_was_paid_may_be_cut_as_is_written() -> None:
    """Five, four and one may be four, four and one, as nine were paid; five, three and one are cut otherwise."""
    nine = (" ".join(["red"] * 9), 0.0, -42.0)
    told = [accused(nine_reds_cut(*heights, doubted=0.005, paid_out=nine)) for heights in ((5, 4, 1), (6, 3, 1))]
    verdicts = [[verdict for verdict, procedure, _ in one if procedure == "P108"] for one in told]
    assert verdicts == [["suspect"], ["violation"]]


@pytest.mark.parametrize(("heights", "verdicts"), [((7, 2), ["suspect"]), ((5, 4), ["suspect"]), ((4, 4, 1), [])])
def test_cheques_that_are_nearly_surely_read_and_cut_otherwise_are_suspected_at_most(
    heights: tuple[int, ...], verdicts: list[str]
) -> None:
    """Five and four may be four and four."""
    told = accused(nine_reds_cut(*heights, doubted=0.04))
    assert [verdict for verdict, procedure, _ in told if procedure == "P108"] == verdicts


@pytest.mark.parametrize(("heights", "verdict"), [((8, 1), "suspect"), ((5, 3, 1), "violation")])
def test_cut_that_one_look_may_have_joined_is_suspected(heights: tuple[int, ...], verdict: str) -> None:
    """Eight and one may be four and four, that touch, and one."""
    told = accused(nine_reds_cut(*heights, doubted=0.005))
    assert [one for one, procedure, _ in told if procedure == "P108"] == [verdict]


@pytest.mark.parametrize(
    ("heights", "perhaps", "verdicts"),
    [((5, 5), 6, []), ((5, 5), 4, []), ((6, 4), 5, ["suspect"]), ((6, 4), 7, ["suspect"])],
)
def test_cheques_that_stand_stacked_for_sure_were_cut_before_as_they_were_most_likely_read(
    heights: tuple[int, int], perhaps: int, verdicts: list[str]
) -> None:
    """Ten red, of which one pile was hardly read, are ten as they are stacked again to be sent out."""
    felt = table().hand("dealer", "rack")
    for place, height in enumerate(heights):
        felt.put_chips(f"cut.{place}", " ".join(["red"] * height), (-110.0 - 42.0 * place, 32.0))
    own = felt.things["cut.0"].stack or ()
    doubt = (StackCandidate(stack=own, p=0.87), StackCandidate(stack=("red",) * perhaps, p=0.11))
    felt.things["cut.0"] = replace(felt.things["cut.0"], stacks=doubt)
    felt.snap().hand("dealer", "rack").remove("cut.1")
    felt.put_chips("cut.0", " ".join(["red"] * 10), (-120.0, 90.0))
    felt.snap().hand("dealer", "rack").remove("cut.0")
    told = accused(felt.snap())
    assert [one for one, procedure, _ in told if procedure == "P108"] == verdicts


def test_pile_told_as_what_none_of_its_candidates_is_was_not_cut_so() -> None:
    felt = table().hand("dealer", "rack")
    for place in range(2):
        felt.put_chips(f"cut.{place}", "red red red red red", (-110.0 - 42.0 * place, 32.0))
        other = tuple(StackCandidate(stack=("red",) * height, p=0.5) for height in (4, 3))
        felt.things[f"cut.{place}"] = replace(felt.things[f"cut.{place}"], stacks=other)
    felt.snap().hand("dealer", "rack").remove("cut.1")
    felt.put_chips("cut.0", " ".join(["red"] * 10), (-120.0, 90.0))
    felt.snap().hand("dealer", "rack").remove("cut.0")
    assert [one[:2] for one in accused(felt.snap()) if one[1] == "P108"] == [("suspect", "P108")]


@pytest.mark.parametrize("cut", [True, False])
def test_cheques_cut_down_in_two_rows_may_be_stacked_again_in_one(*, cut: bool) -> None:
    """P110: 25 reds in a row of 20 and one of five, and then a full stack beside five, to be sent out."""
    felt = table().hand("dealer", "rack")
    for place in range(5 if cut else 0):
        felt.put_chips(f"cut.{place}", " ".join(["red"] * 5), (-60.0 - 42.0 * (place % 4), 32.0 + 41.0 * (place // 4)))
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    for place, height in enumerate((20, 5)):
        felt.put_chips(f"out.{place}", " ".join(["red"] * height), (-120.0 - 45.0 * place, 90.0))
    felt.snap().hand("dealer", "rack")
    for name in felt.names("out."):
        felt.remove(name)
    assert ("P110" in {procedure for _, procedure, _ in accused(felt.snap())}) is not cut


def nearly_read(felt: Felt) -> Felt:
    """Every pile may hold a cheque more, with 0.03, and is not wholly sure for that (0.95)."""
    felt.states = [
        replace(state, objects=tuple(map(_nearly, state.objects)), hands=state.hands) for state in felt.states
    ]
    return felt


def _nearly(item: SeenObject) -> SeenObject:
    if item.kind != "chips" or item.stack is None:
        return item
    more = StackCandidate(stack=(*item.stack, item.stack[-1]), p=0.03)
    return replace(item, stacks=(StackCandidate(stack=item.stack, p=0.95), more))


@pytest.mark.parametrize(
    ("procedure", "wrong", "right", "verdict"),
    [
        ("P110", cut(5, 5, 5, 5, 5), cut(5, 5, 5, 5), "suspect"),
        ("P111", cut(5, 5, colour="orange"), cut(5, 5, colour="orange", then=(5, 2, 2, 1)), "suspect"),
        ("P113", cut(4, 1, colour="grey", apart=39.0), cut(4, 1, colour="grey", apart=60.0), "violation"),
        (
            "P276",
            rows(("green", -120.0, 40.0), ("red", -40.0, 40.0)),
            rows(("red", -120.0, 40.0), ("green", -40.0, 40.0)),
            "violation",
        ),
    ],
)
def test_what_rests_on_colours_and_rows_is_told_though_heights_are_nearly_sure_alone(
    procedure: str, wrong: Felt, right: Felt, verdict: str
) -> None:
    assert [one[0] for one in accused(nearly_read(wrong)) if one[1] == procedure] == [verdict]
    assert [one for one in accused(nearly_read(right)) if one[1] == procedure] == []


@pytest.mark.parametrize(("black", "told"), [(-25.0, []), (25.0, ["P267"])])
def test_payment_in_a_colour_that_the_bet_has_not_lies_where_it_likes(black: float, told: list[str]) -> None:
    """004:L740-741 speak of the bet's own colours."""
    whites = " ".join(["white"] * 10)
    felt = spread_bet(("black", black), ("red red", -black), pays=(("black", black), (whites, -66.0)))
    assert [one[1] for one in accused(felt) if one[1] == "P267"] == told


def test_a_payment_before_one_of_two_piles_that_stand_side_by_side_makes_no_order() -> None:
    """The player put reds beside a black; what the reds won lay between them and the dealer."""
    felt = table().hand("player", "seat2.main", seat=2)
    for colour, right in (("black", 21.0), ("red red", -21.0)):
        felt.put_chips(f"s2.main.{colour}", colour, felt.at("seat2.main", right, 0.0))
    felt.snap().deal({2: "Th 9c"}, dealer="Td 8s").turn()
    felt.hand("dealer", "rack", "seat2.main")
    for colour, right, away in (("black", 63.0, 0.0), ("red red", -21.0, -44.0)):
        felt.put_chips(f"s2.pay.{colour}", colour, felt.at("seat2.main", right, away))
    felt.snap().hand("player", "seat2.main", seat=2)
    for name in felt.names("s2."):
        if "card" not in name:
            felt.remove(name)
    felt.snap()
    assert [one[1] for one in accused(felt.collect(2).pick_up()) if one[1] == "P267"] == []


@pytest.mark.parametrize(("other", "told"), [("red", ["P267"]), ("green", [])])
def test_how_many_cheques_a_payment_has_need_not_be_known_to_tell_its_colour(other: str, told: list[str]) -> None:
    """Of greens paid beside greens the foot was hidden: two to four; that they stood behind the reds was seen."""
    felt = spread_bet(("black", 25.0), ("red red", -25.0), pays=(("black", 25.0), ("red red", -25.0)))
    doubt = (StackCandidate(stack=("red", "red"), p=0.7), StackCandidate(stack=("red", other, "red"), p=0.29))

    def blurred(item: SeenObject) -> SeenObject:
        is_pay = item.xy_mm == felt.at("seat2.main", 42.0, -25.0)
        return replace(item, stack=None, stacks=doubt) if is_pay else item

    felt.states = [replace(one, objects=tuple(map(blurred, one.objects))) for one in felt.states]
    assert [one[1] for one in accused(felt) if one[1] == "P267"] == told
