"""Errors that one look shows, though not in which order what it shows came."""

from __future__ import annotations

import pytest

from audit.pipeline import audit_states
from tests.audit.asking import only_round
from tests.audit.pairs.deal import push, start, table
from tests.audit.pairs.other_games import lucky
from tests.notation import Felt, merged, wide_profile

Told = list[tuple[str, str]]


def told(felt: Felt, first: int = 0, until: int = 0) -> Told:
    """Verdict and first procedure of what was found, some states left out."""
    rounds = audit_states(merged(felt.states, range(first, until)), felt.profile).rounds
    findings = [one for round_ in rounds for one in round_.findings if one.verdict.value != "undetermined"]
    return [(one.verdict.value, one.procedures[0]) for one in findings]


@pytest.mark.parametrize(("down", "broken"), [(True, []), (False, [("violation", "P101")])])
def test_both_cards_of_the_dealer_face_up_before_a_draw_were_dealt_or_turned_so(down: bool, broken: Told) -> None:
    assert told(lucky(down=down, draw=("Tc",)), 2, 5) == broken


def exposed(*, visits: int, hit: bool = False) -> Felt:
    """One gap brings all cards, both of the dealer's face up; then seat 1 stands by a sign, or draws a card."""
    felt = table().bets({1: "20"}).card(1, "Kd").dealer_card("up", "6h", -250.0).card(1, "8c", snap=False)
    for _ in range(visits - 1):
        felt.hand("dealer", "dealer.cards")
    felt.put_card("d.hole", "Td", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.hole = "Td"
    felt.snap().hand("player", "seat1.cards", seat=1).snap()
    (felt.card(1, "2c") if hit else felt).turn().dealer_hits("9s")
    return felt.pay(1, "20").collect(1).pick_up()


@pytest.mark.parametrize(("visits", "broken"), [(2, [("violation", "P236")]), (3, [])])
def test_dealers_cards_face_up_by_as_many_hands_as_lay_them_were_dealt_so(visits: int, broken: Told) -> None:
    assert told(exposed(visits=visits), 2, 4) == broken


@pytest.mark.parametrize(("right", "broken"), [(-140.0, [("violation", "P256")]), (-110.0, [])])
def test_dealers_hit_over_the_hole_card_is_told_though_both_came_in_one_gap(right: float, broken: Told) -> None:
    felt = start(table(), {1: "Th 9c"}, "6d Ts")
    begun = len(felt.states)
    felt.turn().dealer_card("hit", "8s", right)
    assert told(felt.pay(1, "10").collect(1).pick_up(), begun, begun + 1) == broken


def drawn_while_the_view_was_lost(*, first_listed: str) -> Felt:
    """The dealer's up card, hole card and hit are first seen when all lie there; a look lists them in some order."""
    felt = table().bets({1: "20"}).card(1, "5h").dealer_card("up", "back", -140.0).card(1, "Jc")
    felt.lost(ms=6000).remove("d.up")
    faces = {"5s": -190.0, "Ks": -120.0, "Kh": -50.0}
    for code in sorted(faces, key=lambda one: one != first_listed):
        felt.put_card(f"d.{code}", code, felt.at("dealer.cards", faces[code]), 0.0)
    return felt.snap().pay(1, "20").collect(1).pick_up()


@pytest.mark.parametrize("first_listed", ["5s", "Kh"])
def test_dealers_cards_first_seen_at_once_came_from_left_to_right(first_listed: str) -> None:
    """P254: fifteen drew a king; a look that lists the king first does not make the five a card drawn to twenty."""
    assert told(drawn_while_the_view_was_lost(first_listed=first_listed)) == []


@pytest.mark.parametrize(("late", "broken"), [(True, [("violation", "P380")]), (False, [])])
def test_lost_side_wager_taken_after_the_hole_card_was_turned_is_late(late: bool, broken: Told) -> None:
    felt = start(table("trilux", "main").bets({1: "5"}, "trilux"), {1: "Th 9c"}, "9d Ks")
    felt = felt.turn().take_spot(1, "trilux") if late else felt.take_spot(1, "trilux")
    assert told(push(felt)) == broken


def beside(right: float) -> Felt:
    """The dealer's second card comes face up, so far beside the first, which stays face down until he has to play."""
    felt = table().bets({1: "20"}).card(1, "Kd").dealer_card("down", "back", -250.0).card(1, "8c")
    felt.dealer_card("up", "Td", -250.0 + right).hand("player", "seat1.cards", seat=1).snap()
    felt.hand("dealer", "dealer.cards").put_card("d.down", "6h", felt.at("dealer.cards", -250.0), 0.0)
    felt.snap().dealer_card("hit", "9s", -110.0)
    return felt.pay(1, "20").collect(1).pick_up()


def test_second_card_face_up_beside_the_first_is_suspected_to_be_exposed() -> None:
    assert told(beside(70.0)) == [("suspect", "P236")]


@pytest.mark.parametrize("hit", [False, True])
def test_second_card_shown_and_turned_down_again_for_the_first_is_exposed_and_nothing_more(hit: bool) -> None:
    """What players draw afterwards, and what they lose, comes as it should."""
    felt = table().bets({1: "20", 2: "20"}).card(1, "Kc").card(2, "Kd").dealer_card("first", "back", -250.0)
    felt.card(1, "5h").card(2, "8c").dealer_card("second", "2c", -230.0).hand("dealer", "dealer.cards")
    felt.put_card("d.first", "7c", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.second", "back", felt.at("dealer.cards", -230.0), 0.0)
    felt.snap().hand("player", "seat1.cards", seat=1).snap()
    if hit:
        felt.card(1, "9d").take(1).pick_up_seat(1)
    felt.hand("player", "seat2.cards", seat=2).snap().hand("dealer", "dealer.cards")
    felt.put_card("d.second", "2c", felt.at("dealer.cards", -190.0), 0.0)
    felt.snap().dealer_card("hit", "Th", -130.0).take(2)
    assert told((felt if hit else felt.take(1)).pick_up()) == [("violation", "P236")]


def test_card_to_a_player_after_the_dealers_second_card_was_dealt_face_up_follows_from_that() -> None:
    felt = exposed(visits=2, hit=True)
    (one,) = audit_states(merged(felt.states, range(2, 4)), felt.profile).rounds
    told_of = {finding.code: place for place, finding in enumerate(one.findings)}
    assert one.findings[told_of["hole-early"]].because_of == told_of["hole-exposed"]


@pytest.mark.parametrize("hit", [False, True])
def test_two_cards_that_came_in_one_gap_were_dealt_in_the_order_in_which_they_lie(hit: bool) -> None:
    """Lost frames hid the deal: the second card, nearer to the dealer, was told as the first in seven rounds of ten."""
    felt = table().bets({1: "20"}).card(1, "5h", snap=False).card(1, "6c", snap=False)
    first, second = felt.names("s1.h1.")
    felt.things[second], felt.things[first] = felt.things.pop(second), felt.things.pop(first)
    felt.snap().dealer_card("up", "9s", -250.0)
    if hit:
        felt.card(1, "2d")
    (round_,) = audit_states(tuple(felt.states), felt.profile).to_json()["rounds"]
    assert round_["table"]["seats"]["1"]["initial"] == ["5h", "6c"]


def test_two_cards_of_a_hand_that_is_all_of_its_seat_are_told_in_the_order_in_which_they_lie() -> None:
    felt = Felt(wide_profile("stud_21", ("base",))).bets({1: "10"}, "base")
    felt.card(1, "Td", snap=False).card(1, "7s", snap=False)
    first, second = felt.names("s1.h1.")
    felt.things[second], felt.things[first] = felt.things.pop(second), felt.things.pop(first)
    felt.snap()
    (round_,) = audit_states(tuple(felt.states), felt.profile).to_json()["rounds"]
    assert round_["table"]["seats"]["1"]["cards"] == ["Td", "7s"]


@pytest.mark.parametrize(("zone", "codes"), [("discard", ["cards-before-money"]), ("rack", [])])
def test_cards_gone_with_a_hand_that_went_to_the_rack_were_not_surely_lifted_before_the_money(
    felt: Felt, zone: str, codes: list[str]
) -> None:
    """Two quick hands merge into one, and the one that lifted the cards was missed."""
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 9s").turn().hand("dealer", "seat1.cards", zone)
    felt.hand("dealer", "seat1.main", "rack")
    for name in felt.names("s1."):
        felt.remove(name)
    findings = only_round(felt.snap().pick_up()).findings
    assert [it.code for it in findings if it.verdict.value != "undetermined"] == codes


def test_wager_gone_before_the_hand_came_that_was_seen_there_may_have_gone_before_its_cards(felt: Felt) -> None:
    """A hand that broke: one look shows neither cards nor bet, and only later the dealer's hand is over its spot."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 6c", 2: "Ts 8c"}, dealer="Td 9s").hit(1, "Kd")
    felt.hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1."):
        felt.remove(name)
    felt.snap().hand("dealer", "seat1.main", "rack").snap().turn().take(2).pick_up()
    findings = only_round(felt).findings
    assert [it.code for it in findings if it.verdict.value != "undetermined"] == []
