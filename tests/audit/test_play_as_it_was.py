"""Blackjack played by the book that looks like an error, and errors that look like play by the book."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Finding
from audit.money import parse_money
from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from tests.audit.asking import accused, audited, found, only_round
from tests.audit.pairs.deal import insured, peek, push, start, table, turn_cards
from tests.audit.pairs.pair import change
from tests.audit.pairs.rounds import split
from tests.notation import Felt, doubtful, doubtful_stack, wide_profile

SIDES = ("trilux", "blazing7", "main")


def findings(felt: Felt) -> list[Finding]:
    return [one for round_ in audited(felt).rounds for one in round_.findings]


# -- splits ------------------------------------------------------------------------------------------------------------
def test_hand_split_again_is_played_in_order_although_its_new_cards_lay_there_before() -> None:
    """The card that begins a new hand was dealt to the hand that was split; four hands are allowed (004:L821)."""
    assert accused(split(2)) == []


def parted(felt: Felt, *, rack: bool) -> Felt:
    """The wagers of a split stand at 0 and +45 mm; the dealer lays them to -45 and 0, or takes one and pays one."""
    felt.bets({2: "20"}).deal({2: "8s 8d"}, dealer="6h 9d").split(2, "20")
    for name, right in (("s2.main.1", 0.0), ("s2.main.2", 45.0)):
        change(felt, name, xy_mm=felt.at("seat2.main", right))
    felt.states[-1] = replace(felt.states[-1], objects=tuple(felt.things.values()))
    felt.states[-2] = replace(felt.states[-2], objects=tuple(felt.things.values()))
    felt.hand("dealer", "seat2.main", *(["rack"] if rack else []))
    for name, right in (("s2.main.1", -45.0), ("s2.main.2", 0.0)):
        change(felt, name, xy_mm=felt.at("seat2.main", right))
    felt.snap().card(2, "Td").card(2, "Jd", hand=2).turn().dealer_hits("Tc")
    return felt.pay(2, "20", beside="main.2").pay(2, "20").collect(2).pick_up()


def test_wagers_of_a_split_laid_aside_by_one_place_are_neither_taken_nor_paid(felt: Felt) -> None:
    assert accused(parted(felt, rack=False)) == []


def test_wagers_laid_aside_before_any_hand_is_settled_are_those_of_the_split_wherever_the_hand_came_from(
    felt: Felt,
) -> None:
    assert accused(parted(felt, rack=True)) == []


# -- wagers that are still open ----------------------------------------------------------------------------------------
def restacked(felt: Felt, name: str, zone: str, *amounts: str) -> Felt:
    """A player's hand changes a pile of his, more than once."""
    for amount in amounts:
        felt.hand("player", zone, seat=1)
        felt.put_chips(name, amount, felt.things[name].xy_mm)
        felt.snap()
    return felt


def test_insurance_may_grow_and_shrink_until_the_look() -> None:
    felt = start(table(), {1: "Th 9c"}, "Ad 8s", bet="50").insure(1, "10")
    restacked(felt, "s1.insurance.1", "insurance", "25", "15")
    push(peek(felt, sideways=True).take_spot(1, "insurance"))
    assert found(felt) == []
    assert [str(w.amount) for w in audited(felt).rounds[0].observed.round.wagers if w.key.bet == "insurance"] == ["15"]
    late = peek(start(table(), {1: "Th 9c"}, "Ad 8s", bet="50").insure(1, "10"), sideways=True)
    restacked(late, "s1.insurance.1", "insurance", "25")
    assert [one[:2] for one in accused(push(late.take_spot(1, "insurance")))] == [("violation", "P307")]


def test_insurance_taken_back_before_the_look_is_no_wager() -> None:
    felt = start(table(), {1: "Th 9c"}, "Ad 8s", bet="50").insure(1, "10").collect_spot(1, "insurance")
    assert found(push(peek(felt, sideways=True))) == []


def test_double_may_grow_until_its_card(felt: Felt) -> None:
    felt.bets({1: "20"}).deal({1: "6s 5d"}, dealer="9h 8c").hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.double.1", "10", felt.at("seat1.main", 42.0))
    restacked(felt.snap(), "s1.double.1", "seat1.main", "20").card(1, "9s", sideways=True).turn()
    assert accused(felt.pay(1, "20", beside="double.1").pay(1, "20").collect(1).pick_up()) == []


# -- side wagers -------------------------------------------------------------------------------------------------------
def progressives(*acts: str) -> Felt:
    """Seats 1 and 3 win a progressive and lose a Trilux bet; the dealer does so with each, one after the other."""
    felt = Felt(wide_profile("blackjack", SIDES, finder=False)).bets({1: "10", 3: "10"})
    felt.bets({1: "5", 3: "5"}, "trilux").bets({1: "5", 3: "5"}, "blazing7")
    felt.take_spot(3, "blazing7").take_spot(1, "blazing7").deal({1: "7s 9d", 3: "7c Td"}, dealer="5h 8c")
    for act in acts:
        what, seat = act[:-1], int(act[-1])
        if what == "progressive":
            felt.pay_spot(seat, "blazing7", "10").collect_spot(seat, "blazing7")
        else:
            felt.take_spot(seat, "trilux")
    return felt.turn().take_spot(1, "main").take_spot(3, "main").pick_up()


def test_all_progressives_paid_before_any_trilux_bet_break_p410() -> None:
    wrong = progressives("progressive3", "progressive1", "trilux3", "trilux1")
    assert [one[:2] for one in accused(wrong) if one[1] == "P410"] == [("violation", "P410")]
    right = progressives("progressive3", "trilux3", "progressive1", "trilux1")
    assert [one for one in accused(right) if one[1] == "P410"] == []


def test_progressive_paid_in_two_piles_and_collected_in_the_same_gap_is_undetermined() -> None:
    felt = Felt(wide_profile("blackjack", SIDES, finder=False)).bets({1: "10"}).bets({1: "5"}, "blazing7")
    felt.take_spot(1, "blazing7").deal({1: "7h 7c"}, dealer="9s 8c").pay_spot(1, "blazing7", "75")
    felt.hand("dealer", "seat1.blazing7").collect_spot(1, "blazing7").turn()
    assert [one[:2] for one in found(felt) if one[1] == "P409"] == [("undetermined", "P409")]


def handed_over(*, rack: bool) -> Felt:
    """A Trilux flush is paid; the dealer then lifts the payment with the bet."""
    felt = Felt(wide_profile("blackjack", ("trilux", "main"), finder=False)).bets({1: "10"}).bets({1: "10"}, "trilux")
    felt.deal({1: "2h 9h"}, dealer="Kh 8c").pay_spot(1, "trilux", "90")
    felt.hand("dealer", "seat1.trilux", *(["rack"] if rack else []))
    for name in felt.names("s1.trilux."):
        felt.remove(name)
    return felt.snap().hit(1, "Tc").turn().pay(1, "10").collect(1).pick_up()


def handed_from_hand_to_hand(*, players_last: bool) -> Felt:
    """A Trilux flush of 5 is paid 40; the dealer's hand and the player's are over it when it goes."""
    felt = Felt(wide_profile("blackjack", ("trilux", "main"))).bets({1: "10"}).bets({1: "5"}, "trilux")
    felt.deal({1: "Th 7h"}, dealer="9h Ts").pay_spot(1, "trilux", "40")
    for side, seat in (("dealer", None), ("player", 1)) if players_last else (("player", 1), ("dealer", None)):
        felt.hand(side, "seat1.trilux", seat=seat)
    for name in felt.names("s1.trilux"):
        felt.remove(name)
    return felt.snap().turn().take_spot(1, "main").pick_up()


def test_trilux_bet_that_the_player_takes_from_the_dealers_hand_was_paid_what_was_seen() -> None:
    assert accused(handed_from_hand_to_hand(players_last=True)) == [("violation", "P385", "-5.00")]


def test_paid_trilux_bet_lifted_with_its_payment_is_handed_over() -> None:
    assert accused(handed_over(rack=False)) == []
    assert [one[:2] for one in accused(handed_over(rack=True))] == [("violation", "P385")]


# -- out of sight ------------------------------------------------------------------------------------------------------
def test_dealers_card_that_came_under_cover_since_the_file_began_is_out_of_no_order(felt: Felt) -> None:
    felt.bets({1: "40"}).deal({1: "Ts 9d"}, dealer="9h 8c").turn().pay(1, "40").collect(1).pick_up()
    first = next(n for n, state in enumerate(felt.states) if any(one.kind == "card_back" for one in state.objects))
    for n in range(first + 1):
        kept = tuple(one for one in felt.states[n].objects if one.kind != "card_back")
        felt.states[n] = replace(felt.states[n], objects=kept, covered=frozenset({"dealer.cards"}))
    assert accused(felt) == []


def test_hand_that_broke_and_was_taken_under_cover_is_out_of_no_order(felt: Felt) -> None:
    felt.bets({2: "20", 3: "20"}).deal({2: "9c 7h", 3: "Tc 9d"}, dealer="9h 8c").hand("player", "seat2.cards", seat=2)
    begun = len(felt.states)
    felt.hand("dealer", "shoe", "seat2.cards").snap().take(2).pick_up_seat(2).turn()
    for n in range(begun, len(felt.states)):
        felt.states[n] = replace(felt.states[n], covered=frozenset({"seat2.cards"}))
    felt.pay(3, "20").pick_up_seat(3).pick_up().collect(3)
    assert [one for one in found(felt) if one[1] == "P284"] == []


def test_card_that_comes_with_the_players_signal_alone_is_not_touched(felt: Felt) -> None:
    felt.bets({1: "40"}).deal({1: "Ts 7d"}, dealer="9h 8c").hand("player", "seat1.cards", seat=1)
    felt.put_card("s1.h1.2", "2d", felt.at("seat1.cards", 0.0, 16.0), felt.axis(1))
    assert accused(felt.snap().turn().pay(1, "40").collect(1).pick_up()) == []


# -- the ace finder ----------------------------------------------------------------------------------------------------
def test_two_hands_at_the_finder_between_two_states_may_have_looked() -> None:
    """The look and the turned blackjack fall in one gap, as short as a quick look."""
    felt = push(peek(start(table(), {1: "Th Qc"}, "Td Ks")))
    start(felt, {1: "5s 2h"}, "Tc Ah")
    for _ in range(2):
        felt.hand("dealer", "ace_finder", "dealer.cards")
    assert found(felt.turn().take_spot(1, "main").pick_up()) == [("undetermined", "P308", None)]


def test_rounds_at_a_table_at_which_nobody_looks_into_the_ace_finder_are_suspected_but_in_footage() -> None:
    """Footage may show no look at all: told once there."""
    felt = Felt(wide_profile("blackjack", ("main",), finder=True))
    for cards in ("Td Ks", "Ah 8s"):
        push(start(felt, {1: "Th Qc" if cards == "Td Ks" else "Ts 9h"}, cards))
    assert [one[:2] for one in accused(felt)] == [("suspect", "P308"), ("suspect", "P309")]
    footage = audit_states(felt.states, felt.profile, thresholds=RECOGNISED).findings
    assert [(one.verdict.value, one.procedures) for one in footage] == [("undetermined", ("P308", "P309"))]


def test_a_while_in_which_a_player_alone_was_at_the_table_is_no_look() -> None:
    felt = start(Felt(wide_profile("blackjack", ("main",), finder=True)), {1: "Th Qc"}, "Td Ks")
    felt.now += 3000
    felt.hand("player", "seat1.cards", seat=1).snap()
    assert [one[:2] for one in accused(push(felt))] == [("suspect", "P308")]


@pytest.mark.parametrize(("suit", "apart_mm", "dealers"), [("Ts", 0.0, 2), ("Tc", 0.0, 3), ("Ts", 40.0, 3)])
def test_up_card_misread_before_it_slid_to_the_ace_finder_with_the_hole_card_is_that_card(
    suit: str, apart_mm: float, dealers: int
) -> None:
    """A ten of clubs with 0.95, of spades with 0.045, goes as far as the card beside it, and is one of spades there."""
    felt = start(Felt(wide_profile("blackjack", ("main",), finder=True)), {1: "Th Qc"}, "Ts Ks")
    until = len(felt.states)
    push(peek(felt))
    slid = felt.states[until].objects
    beside = [replace(one, xy_mm=(one.xy_mm[0] + apart_mm, one.xy_mm[1])) for one in slid if one.kind == "card_back"]
    felt.states[until] = replace(felt.states[until], objects=(*(o for o in slid if o.kind != "card_back"), *beside))
    first = {"Tc": 0.95, "Ts": 0.045} if suit == "Ts" else {"Tc": 0.995}
    felt.states[:until] = doubtful(felt.states[:until], "Ts", first)
    assert len(only_round(felt).observed.round.dealer) == dealers


def test_insurance_against_an_ace_that_no_round_shows_turned_was_not_opened() -> None:
    assert [one[:2] for one in accused(insured(table(), sideways=False))] == [("violation", "P300")]
    assert accused(insured(table())) == []


def looked_at_an_ace(*, turned: bool, wait_ms: int = 0) -> Felt:
    """Nobody insures; the dealer turns his ace and hole card sideways and looks into the ace finder, or only looks."""
    felt = start(table(), {1: "Th 9c"}, "Ah 8s")
    if turned:
        turn_cards(felt, 90.0)
    felt.now += wait_ms
    return push(peek(felt, sideways=True))


def test_ace_that_lay_upright_until_it_came_to_the_ace_finder_opened_no_insurance() -> None:
    assert [one[:2] for one in accused(looked_at_an_ace(turned=False))] == [("suspect", "P300")]
    assert accused(looked_at_an_ace(turned=True)) == []
    assert accused(looked_at_an_ace(turned=False, wait_ms=4000)) == []  # it may have been opened and closed meanwhile


# -- even money --------------------------------------------------------------------------------------------------------
def blackjack_paid(amount: str, *, after: bool, hole: str = "7c") -> list[tuple[str, tuple[str, ...], int | None]]:
    """A player's blackjack against an ace is paid before the dealer looks, or afterwards."""
    felt = start(table(), {1: "As Kd"}, f"Ah {hole}", bet="20")
    turn_cards(felt, 90.0)
    felt = peek(felt, sideways=True).pay_spot(1, "main", amount) if after else felt.pay_spot(1, "main", amount)
    felt = (felt if after else peek(felt, sideways=True)).collect(1).pick_up_seat(1).turn().pick_up()
    return [(one.verdict.value, one.procedures, one.because_of) for one in findings(felt)]


def test_even_money_is_paid_before_the_look() -> None:
    assert blackjack_paid("20", after=False) == []
    assert blackjack_paid("20", after=True) == [("suspect", ("P305",), None)]


def test_blackjack_paid_three_to_two_against_an_ace_waits_for_the_look() -> None:
    assert blackjack_paid("30", after=True) == []
    assert blackjack_paid("30", after=False) == [("suspect", ("P305",), None)]
    assert blackjack_paid("30", after=False, hole="Tc") == [
        ("violation", ("P282", "P281"), None),
        ("suspect", ("P305",), 0),
    ]


# -- what is named -----------------------------------------------------------------------------------------------------
def test_wagers_against_a_blackjack_taken_from_the_left_name_its_own_procedure() -> None:
    for up, hole, own in (("Td", "As", "P311"), ("Ad", "Ts", "P312")):
        felt = start(table(), {1: "Th 9c", 3: "Ts 8c"}, f"{up} {hole}")
        if up == "Ad":
            turn_cards(felt, 90.0)
        peek(felt, sideways=up == "Ad").turn()
        felt.take_spot(1, "main").take_spot(3, "main").pick_up()
        assert [one.procedures for one in findings(felt)] == [(own, "P259", "P260")]


def test_limits_of_two_decks_name_the_double_deck_manual() -> None:
    profile = replace(wide_profile("double_deck", ("main",), finder=False), minimum=parse_money("10.00"))
    felt = Felt(profile).bets({1: "20"}).deal({1: "6s 5d"}, dealer="9h 8c").double(1, "5", "2s").turn()
    assert [one.procedures for one in findings(felt.take(1).pick_up())] == [("P392", "P316")]
    felt = (
        Felt(wide_profile("double_deck", ("trilux", "main"), finder=False)).bets({1: "20"}).bets({1: "600"}, "trilux")
    )
    felt.deal({1: "6s Td"}, dealer="9h 8c").take_spot(1, "trilux").turn().take(1).pick_up()
    assert [one.procedures for one in findings(felt)] == [("P401", "P386")]


def test_card_of_a_forbidden_double_follows_from_the_double(felt: Felt) -> None:
    felt.bets({1: "20"}).deal({1: "As Kd"}, dealer="9h 8c").double(1, "20", "9s").turn()
    told = findings(felt.pay(1, "20", beside="double.1").pay(1, "20").collect(1).pick_up())
    assert [(one.procedures[0], one.because_of) for one in told] == [("P315", None), ("P246", 0)]
    assert told[1].observed == "9s drawn on a total of 21"


def test_jackpot_without_a_meter_says_what_is_missing() -> None:
    felt = Felt(wide_profile("blackjack", SIDES, finder=False)).bets({1: "10"}).bets({1: "5"}, "blazing7")
    felt.take_spot(1, "blazing7").deal({1: "7h 7h"}, dealer="7h 8c").turn().take(1).pick_up()
    (told,) = [one for one in findings(felt) if one.procedures == ("P409",)]
    assert told.observed == "seat 1 blazing7: the progressive's meter was not given"


def test_card_laid_on_the_wrong_hand_counts_for_the_hand_that_it_was_for(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 4c", 2: "9h 2c"}, dealer="Td 9s").card(2, "6c")
    felt.hand("dealer", "seat1.cards", "seat2.cards").remove("s2.h1.2")
    felt.put_card("s1.h1.2", "6c", felt.at("seat1.cards", 0.0, 16.0), felt.axis(1))
    felt.snap().hit(2, "8d").turn().pat(2).collect(2).pay(1, "25").collect(1).pick_up()
    assert ("P245", "card-moved") in [(one.procedures[0], one.code) for one in only_round(felt).findings]
    assert [one for one in accused(felt) if one[2] is not None] == []


def test_card_dragged_aside_by_a_player_is_no_split(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s").hand("player", "seat1.cards", seat=1)
    felt.put_card("s1.h1.1", "8c", felt.at("seat1.cards", -40.0, 25.0), felt.axis(1))
    felt.snap().turn().pay(1, "25").collect(1).pick_up()
    assert not {"P321", "P322", "P330"} & {procedure for _, procedure, _ in accused(felt)}


def test_card_turned_down_and_up_by_a_player_is_one_card(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s")
    card = felt.things["s1.h1.1"]
    felt.hand("player", "seat1.cards", seat=1).put_card("s1.h1.1", "back", card.xy_mm, card.angle_deg or 0.0)
    felt.snap().hand("player", "seat1.cards", seat=1).things["s1.h1.1"] = card
    felt.snap().turn().pay(1, "25").collect(1).pick_up()
    assert accused(felt) == [("violation", "P217", None)]


# -- a hole card turned early ------------------------------------------------------------------------------------------
def test_hand_that_breaks_after_the_hole_card_was_turned_early_is_taken_in_its_turn(felt: Felt) -> None:
    """The early card is told (P252), the broken hand's wager taken before those to its right is not (BJ-9)."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 6c", 2: "Ts 9c"}, dealer="Td 7s").turn()
    felt.hit(1, "Kd").take(1).hand("player", "seat2.cards", seat=2).snap().pay(2, "25").collect(2).pick_up()
    assert accused(felt) == [("violation", "P252", None)]


def test_blackjacks_paid_from_the_right_may_break_p282(felt: Felt) -> None:
    felt.bets({1: "20", 2: "20"}).deal({1: "Ah Kc", 2: "As Qc"}, dealer="9d 8s")
    felt.pay(2, "30").pay(1, "30").turn().collect(2).collect(1).pick_up()
    assert accused(felt) == [("suspect", "P282", None)]


def test_blackjacks_paid_from_the_left_are_paid_in_sequence(felt: Felt) -> None:
    felt.bets({1: "20", 2: "20"}).deal({1: "Ah Kc", 2: "As Qc"}, dealer="9d 8s")
    felt.pay(1, "30").pay(2, "30").turn().collect(2).collect(1).pick_up()
    assert accused(felt) == []


# -- settled too early -------------------------------------------------------------------------------------------------
def test_hand_paid_before_the_hole_card_is_turned_breaks_p259(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Ts 9d"}, dealer="Td 8s").pay(2, "25").turn()
    felt.pay(1, "25").collect(2).collect(1).pick_up()
    assert accused(felt) == [("violation", "P259", None)]


@pytest.mark.parametrize(("sure", "verdict"), [(1.0, "violation"), (0.95, "suspect")])
def test_bet_that_only_reads_higher_before_the_hole_card_is_turned_is_no_violation_unless_surely_so(
    sure: float, verdict: str
) -> None:
    felt = Felt().bets({1: "25"}).deal({1: "Ts Kd"}, dealer="Th 7c")
    felt.hand("dealer", "rack", "seat1.main").put_chips("s1.main.1", "green green", felt.at("seat1.main"))
    felt.snap().turn().collect(1).pick_up()
    pile = ("green", "green")
    states = felt.states if sure == 1.0 else doubtful_stack(felt.states, pile, {pile: sure, ("green",): 1 - sure})
    assert [one for one, procedure, _ in found(states) if procedure == "P259"] == [verdict]


def test_live_hand_taken_as_if_it_had_broken_is_one_error(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 6c", 2: "Ts 9d"}, dealer="Td 8s").hit(1, "5d").take(1).turn()
    felt.pay(2, "25").collect(2).pick_up()
    told = [one for one in only_round(felt).findings if one.verdict.value == "violation"]
    assert [(one.procedures[0], one.because_of is None) for one in told] == [("P281", True), ("P259", False)]


def test_double_on_three_cards_breaks_p315(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "2h 3c"}, dealer="6d Ts").hit(1, "4d").double(1, "25", "Th")
    felt.turn().dealer_hits("9s").pay(1, "25").pay(1, "25", beside="double.1").collect(1).pick_up()
    assert ("violation", "P315", None) in accused(felt)


@pytest.mark.parametrize(
    ("other", "verdict"), [(("green",) * 3, "violation"), (("green",), "undetermined")], ids=["more", "unchanged"]
)
def test_payment_stacked_upon_its_bet_tells_the_order_if_no_reading_says_that_it_did_not_grow(
    other: tuple[str, ...], verdict: str
) -> None:
    """Seat 1 is paid on its pile, then seat 3 beside its own; of the pile the number is not sure."""
    felt = Felt().bets({1: "25", 3: "20"}).deal({1: "Ts Kd", 3: "9h Tc"}, dealer="Th 7c").turn()
    felt.hand("dealer", "rack", "seat1.main").put_chips("s1.main.1", "green green", felt.at("seat1.main"))
    felt.snap().pay(3, "20").collect(3).collect(1).pick_up()
    pile = ("green", "green")
    told = found(doubtful_stack(felt.states, pile, {pile: 0.7, other: 0.3}))
    assert [one for one, procedure, _ in told if procedure == "P259"] == [verdict]


@pytest.mark.parametrize(
    ("left_out", "whole", "told"), [(True, True, ["P233"]), (True, False, ["P206", "P233"]), (False, True, ["P206"])]
)
def test_everybody_may_get_out_of_a_round_in_which_a_player_was_left_out(
    *, left_out: bool, whole: bool, told: list[str]
) -> None:
    """P296: seat 1 takes his bet back before the hole card is turned, all of it or a cheque."""
    felt = table().bets({1: "red red", 2: "10"}).deal({1: "Ts 6d"} | ({} if left_out else {2: "Th Qc"}), dealer="Td Ks")
    felt.hand("player", "seat1.main", seat=1)
    if whole:
        felt.remove("s1.main.1")
    else:
        felt.put_chips("s1.main.1", "red", felt.at("seat1.main"))
    felt.snap().pick_up_seat(1)
    felt.turn()
    if left_out:
        felt.collect(2)
    else:
        felt.pat(2).collect(2)
    assert sorted({one[1] for one in accused(felt.pick_up())} & {"P206", "P233"}) == told
