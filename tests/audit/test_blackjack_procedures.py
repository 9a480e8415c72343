"""One legal and one illegal round for every audited procedure of the blackjack manual."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.procedures.catalogue import State, catalogue
from audit.procedures.registry import audited
from tests.audit.asking import accused, found, only_round
from tests.notation import Felt, merged, unread, wide_profile


def test_catalogue_lists_all_420_and_says_which_are_audited() -> None:
    records = catalogue()
    assert len(records) == 420
    assert {one.id for one in records.values() if one.state is not State.NOT_AUDITED} == audited()
    assert all(one.why for one in records.values() if one.state is not State.AUDITED)


# -- the dealer's hand -------------------------------------------------------------------------------------------------
def test_dealer_who_hits_soft_17_breaks_p254(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Ad 6s").turn().dealer_hits("Tc").pay(1, "25").collect(1).pick_up()
    assert found(felt) == [("violation", "P254", None)]


def burnt_after(felt: Felt, *, settled_first: bool) -> Felt:
    """The dealer draws a king to his 18; it is burnt before, or after, the wagers are settled on it."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 7c", 2: "9h 9c"}, dealer="Td 8s").turn().dealer_hits("Kc")
    if settled_first:
        felt.take(1).pat(2).collect(2)
    felt.remove("d.hit0")
    felt.hand("dealer", "dealer.cards", "discard").snap()
    return (felt if settled_first else felt.take(1).pat(2).collect(2)).pick_up()


def test_card_drawn_by_mistake_and_burnt_is_none_of_the_dealers_hand(felt: Felt) -> None:
    assert accused(burnt_after(felt, settled_first=False)) == [("violation", "P254", None)]


def test_card_drawn_by_mistake_and_kept_until_the_wagers_are_settled_counts(felt: Felt) -> None:
    assert ("violation", "P281", "-50.00") in accused(burnt_after(felt, settled_first=True))


def test_dealer_who_stands_on_soft_17_is_right(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Ad 6s").turn().pay(1, "25").collect(1).pick_up()
    assert found(felt) == []


def test_dealer_who_stands_on_16_breaks_p255(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 6s").turn().pay(1, "25").collect(1).pick_up()
    assert found(felt) == [("violation", "P255", None)]


def test_dealer_need_not_draw_when_no_hand_is_live(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 6c"}, dealer="Td 6s").hit(1, "Kc").take(1).pick_up_seat(1).turn().pick_up()
    assert found(felt) == []


def test_two_hits_of_unknown_order_are_no_violation_if_one_order_is_right(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 2s").turn()
    felt.dealer_card("hit0", "5c", -110.0, snap=False).dealer_card("hit1", "4h", -46.0)  # 17 then 21, or 16 then 21
    assert accused(felt.take(1).pick_up()) == []


def test_hole_card_turned_before_a_hit_breaks_p252(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "5h 6c"}, dealer="Td 8s").turn().hit(1, "9c").pay(1, "25").collect(1).pick_up()
    assert accused(felt) == [("violation", "P252", None)]


# -- wagers ------------------------------------------------------------------------------------------------------------
def test_wager_placed_after_the_first_card_breaks_p221(felt: Felt) -> None:
    felt.bets({1: "25"}).card(1, "Th").hand("player", "seat3.main", seat=3)
    felt.put_chips("s3.main.1", "25", felt.at("seat3.main"))
    felt.snap().card(3, "9c")
    felt.dealer_card("up", "back", -250.0).card(1, "9h").card(3, "9d")
    finish(felt, "Td", "7s").pay(3, "25").collect(3).pay(1, "25").collect(1).pick_up()
    (finding,) = [one for one in only_round(felt).findings if one.code == "late-wager"]
    assert (finding.verdict.value, finding.procedures[0]) == ("violation", "P221")


def finish(felt: Felt, up: str, hole: str) -> Felt:
    """The up card is shown with the hole card under it, then the hole card is turned."""
    felt.hole = hole
    felt.hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", up, felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    return felt.snap().turn()


def cap(felt: Felt, seat: int, text: str) -> Felt:
    """A player's hand changes the wager on his spot."""
    felt.hand("player", f"seat{seat}.main", seat=seat)
    felt.put_chips(f"s{seat}.main.1", text, felt.things[f"s{seat}.main.1"].xy_mm)
    return felt.snap()


def test_wager_that_grows_after_the_first_card_breaks_p205(felt: Felt) -> None:
    cap(felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s"), 1, "50").turn().pay(1, "25").collect(1).pick_up()
    assert accused(felt) == [("violation", "P205", None)]


@pytest.mark.parametrize(
    ("when", "told"), [("before the cards", []), ("after the cards", [("violation", "P223", None)])]
)
def test_wager_exchanged_for_other_colours_after_the_first_card_breaks_p223(
    felt: Felt, when: str, told: list[tuple[str, str, str | None]]
) -> None:
    reds = "red red red red red"
    felt.bets({1: "25"})
    if when == "before the cards":
        cap(felt, 1, reds)
    felt.deal({1: "Th 9c"}, dealer="Td 9s")
    if when == "after the cards":
        cap(felt, 1, reds)
    assert accused(felt.turn().pat(1).collect(1).pick_up()) == told


def test_wager_changed_by_the_dealer_for_as_much_does_not_break_p223(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").hand("dealer", "seat1.main")
    felt.put_chips("s1.main.1", "red red red red red", felt.things["s1.main.1"].xy_mm)
    assert "P223" not in [one[1] for one in accused(felt.snap().turn().pay(1, "25").collect(1).pick_up())]


def test_capped_wager_paid_in_full_is_a_consequence_of_the_cap(felt: Felt) -> None:
    cap(felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s"), 1, "50").turn().pay(1, "50").collect(1).pick_up()
    findings = only_round(felt).findings
    assert [(one.procedures[0], one.because_of) for one in findings] == [("P205", None), ("P280", 0)]
    assert findings[1].amount == 25


def test_wager_that_shrinks_after_the_first_card_breaks_p206(felt: Felt) -> None:
    cap(felt.bets({1: "50"}).deal({1: "Th 7c"}, dealer="Td 8s"), 1, "25").turn().take(1).pick_up()
    assert accused(felt) == [("violation", "P206", "25.00")]


def test_wager_withdrawn_after_the_first_card_breaks_p206(felt: Felt) -> None:
    felt.bets({1: "50"}).deal({1: "Th 7c"}, dealer="Td 8s").collect(1).turn().pick_up()
    assert accused(felt) == [("violation", "P206", "50.00")]


def test_change_without_a_hand_at_a_table_where_hands_are_seen_is_open(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s")
    felt.put_chips("s1.main.1", "50", felt.things["s1.main.1"].xy_mm)
    felt.snap().turn().pay(1, "25").collect(1).pick_up()
    assert [one[0] for one in found(felt)] == ["undetermined"]


def test_wager_changed_between_the_states_around_the_first_card_is_no_violation(felt: Felt) -> None:
    felt.bets({1: "25"}).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "50", felt.things["s1.main.1"].xy_mm)
    felt.card(1, "Th").dealer_card("up", "back", -250.0).card(1, "9h")
    finish(felt, "Td", "8s").pay(1, "50").collect(1).pick_up()
    assert accused(felt) == []


def test_wager_below_the_minimum_that_is_played_once_is_at_most_suspect(felt: Felt) -> None:
    """Found only when cards are out, the hand is completed (004:L863)."""
    felt.bets({1: "5"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "5").collect(1).pick_up()
    assert accused(felt) == [("suspect", "P224", None)]


@pytest.mark.parametrize(("again", "verdicts"), [("5", ["suspect", "violation"]), ("10", ["suspect"])])
def test_wager_below_the_minimum_accepted_again_breaks_p224(felt: Felt, again: str, verdicts: list[str]) -> None:
    for amount in ("5", again):
        felt.bets({1: amount}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, amount).collect(1).pick_up()
    assert accused(felt) == [(verdict, "P224", None) for verdict in verdicts]


def test_wager_above_the_maximum_is_at_most_suspect_as_it_may_be_announced(felt: Felt) -> None:
    felt.bets({1: "2500"}).deal({1: "Th 9c"}, dealer="Td 9s").turn().pat(1).collect(1).pick_up()
    assert accused(felt) == [("suspect", "P225", None)]


def test_larger_cheque_on_top_breaks_p222(felt: Felt) -> None:
    felt.bets({1: "red red green"}).deal({1: "Th 9c"}, dealer="Td 9s").turn().pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P222", None)]


@pytest.mark.parametrize("seen", [1, 2])  # without the bet, and with it
def test_payment_upon_a_bet_in_the_gap_of_the_first_card_is_no_order_of_the_players(felt: Felt, seen: int) -> None:
    felt.bets({1: "green red"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.main.1", "green red green red", felt.at("seat1.main"))
    felt.snap().collect(1).pick_up()
    grown = next(n for n, state in enumerate(felt.states) if any(len(one.stack or ()) > 2 for one in state.objects))
    told = {one[1] for one in accused(merged(felt.states, range(seen, grown)))}
    assert "P222" not in told


def test_separate_piles_on_one_spot_are_one_wager(felt: Felt) -> None:
    felt.bets({1: "25"}).put_chips("s1.main.b", "10", felt.at("seat1.main", 45.0))
    felt.hand("player", "seat1.main", seat=1).snap().deal({1: "Th 9c"}, dealer="Td 8s").turn()
    felt.pay(1, "35").collect(1).pick_up()
    assert found(felt) == []
    assert [str(wager.amount) for wager in only_round(felt).observed.round.wagers] == ["35"]


# -- the deal ----------------------------------------------------------------------------------------------------------
def test_deal_from_the_wrong_end_breaks_p233(felt: Felt) -> None:
    felt.bets({1: "25", 3: "25"}).deal({1: "Th 9c", 3: "Ts 9d"}, dealer="Td 9s", order=[3, 1])
    felt.turn().pat(3).collect(3).pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P233", None)]


def test_wager_that_gets_no_cards_breaks_p233_and_is_no_bet(felt: Felt) -> None:
    felt.bets({1: "25", 3: "25"}).deal({1: "Th 9c"}, dealer="Td 9s").turn().pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P233", None)]
    assert [wager.key.seat for wager in only_round(felt).observed.round.wagers] == [1]


def test_card_to_a_box_without_a_wager_breaks_p233(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c", 2: "2c 3c"}, dealer="Td 9s").turn().pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P233", None)]


def test_up_card_shown_before_the_second_cards_breaks_p234(felt: Felt) -> None:
    felt.bets({1: "25"}).card(1, "Th").dealer_card("up", "Td", -250.0).card(1, "9h")
    finish(felt, "Td", "9s").pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P234", None)]


def test_up_card_that_may_have_been_any_face_was_not_surely_shown(felt: Felt) -> None:
    """A pale back with lozenges was a face: a queen with 0.44, others, or none."""
    felt.bets({1: "25"}).card(1, "Th").dealer_card("up", "Td", -250.0).card(1, "9h")
    perhaps = {"Qc": 0.44, "Qd": 0.06, "Qs": 0.03, "Kc": 0.03}
    for at, state in enumerate(felt.states):
        objects = [replace(one, card=None, candidates=perhaps) if one.card == "Td" else one for one in state.objects]
        felt.states[at] = replace(state, objects=tuple(objects))
    finish(felt, "Td", "9s").pat(1).collect(1).pick_up()
    assert accused(felt) == []


def test_dealers_first_card_before_the_players_breaks_p233_and_p234(felt: Felt) -> None:
    felt.bets({1: "25"}).dealer_card("up", "back", -250.0).card(1, "Th").card(1, "9h")
    finish(felt, "Td", "9s").pat(1).collect(1).pick_up()
    (told,) = only_round(felt).findings
    assert told.procedures == ("P233", "P234")


def test_players_cards_dealt_out_of_order_break_p233_alone(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9h", 2: "Ts 9c"}, dealer="Td 9s", order=(2, 1)).turn()
    (told,) = only_round(felt.pat(2).pat(1).collect(2).collect(1).pick_up()).findings
    assert told.procedures == ("P233",)


def test_card_made_up_for_a_skipped_seat_is_no_early_up_card(felt: Felt) -> None:
    """The skip is told; its second card after the dealer's second is as the manual says (004:L790)."""
    felt.bets({1: "25", 2: "25", 3: "25"}).card(1, "Th").card(2, "9d").card(3, "Tc")
    felt.dealer_card("up", "back", -250.0).card(1, "9h").card(3, "7h")
    felt.hand("dealer", "dealer.cards", "shoe").put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -238.0, -9.0), 0.0)
    felt.hole = "8s"
    felt.snap().card(2, "8d").turn().take(3).take(2).pay(1, "25").collect(1).pick_up()
    assert accused(felt) == [("suspect", "P233", None)]


@pytest.mark.parametrize(("late", "verdict"), [(2, "suspect"), (3, "violation")])
def test_second_card_made_up_before_the_dealers_own_is_suspected(felt: Felt, late: int, verdict: str) -> None:
    """Seat 2 gets it last, as one that was skipped does (004:L790); or seat 2 before seat 1, and seat 3 last."""
    felt.bets({1: "25", 2: "25", 3: "25"}).card(1, "Th").card(2, "9d").card(3, "Tc")
    felt.dealer_card("up", "back", -250.0)
    for seat in (1, 3, 2) if late == 2 else (2, 1, 3):
        felt.card(seat, {1: "9h", 2: "8d", 3: "7h"}[seat])
    felt.hand("dealer", "dealer.cards", "shoe").put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -238.0, -9.0), 0.0)
    felt.hole = "8s"
    felt.snap().turn().take(3).take(2).pay(1, "25").collect(1).pick_up()
    assert accused(felt) == [(verdict, "P233", None)]


def test_second_card_on_top_of_the_first_breaks_p235(felt: Felt) -> None:
    felt.bets({1: "25"}).card(1, "Th").dealer_card("up", "back", -250.0).card(1, "9h", snap=False)
    first = felt.things["s1.h1.0"]
    felt.things["s1.h1.1"] = replace(felt.things["s1.h1.1"], xy_mm=(first.xy_mm[0] - 4.0, first.xy_mm[1] - 18.0))
    finish(felt.snap(), "Td", "9s").pat(1).collect(1).pick_up()
    assert accused(felt) == [("suspect", "P235", None)]


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        ((1, 2), [("suspect", "P235", True)]),
        ((1,), [("suspect", "P235", False)]),
    ],
)
def test_most_hands_laid_so_are_the_dealers_way_told_once(
    felt: Felt, seats: tuple[int, ...], told: list[tuple[str, str, bool]]
) -> None:
    felt.bets({1: "25", 2: "25"}).card(1, "Th").card(2, "Tc").dealer_card("up", "back", -250.0)
    for seat in (1, 2):
        felt.card(seat, "9h" if seat == 1 else "9c", snap=False)
        first = felt.things[f"s{seat}.h1.0"]
        if seat in seats:
            at = (first.xy_mm[0] - 4.0, first.xy_mm[1] - 18.0)
            felt.things[f"s{seat}.h1.1"] = replace(felt.things[f"s{seat}.h1.1"], xy_mm=at)
        felt.snap()
    finish(felt, "Td", "9s").pat(2).pat(1).collect(2).collect(1).pick_up()
    found = [one for one in only_round(felt).findings if one.verdict.value != "undetermined"]
    assert [(one.verdict.value, one.procedures[0], "more" in one.observed) for one in found] == told


def test_hit_out_of_order_breaks_p241(felt: Felt) -> None:
    felt.bets({1: "25", 3: "25"}).deal({1: "5h 6c", 3: "5s 4d"}, dealer="Td 9s").hit(3, "Ts").hit(1, "8c")
    felt.turn().pat(3).collect(3).pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P241", None)]


# -- the players' hands ------------------------------------------------------------------------------------------------
def test_card_on_21_breaks_p246(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "5h 6c"}, dealer="Td 9s").hit(1, "Tc 2d").take(1).pick_up_seat(1).turn().pick_up()
    assert accused(felt) == [("violation", "P246", None)]


def test_unread_hit_card_is_no_violation_of_p246(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "5h 6c"}, dealer="Td 9s").hit(1, "Tc 2d").take(1).pick_up_seat(1).turn().pick_up()
    assert accused(unread(felt.states, "Tc")) == []


def doubled(felt: Felt) -> Felt:
    return felt.bets({1: "50"}).deal({1: "6h 5c"}, dealer="Td 6s")


def test_double_over_the_wager_breaks_p315(felt: Felt) -> None:
    doubled(felt).double(1, "100", "Kh").turn().dealer_hits("5c").pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P315", None)]


def test_double_below_the_minimum_breaks_p316(felt: Felt) -> None:
    doubled(felt).double(1, "5", "Kh").turn().dealer_hits("5c").pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P316", None)]


def test_double_card_upright_breaks_p318(felt: Felt) -> None:
    doubled(felt).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.double.1", "50", felt.at("seat1.main", 42.0))
    felt.snap().card(1, "Kh").turn().dealer_hits("5c").pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P318", None)]


def test_double_for_less_is_right(felt: Felt) -> None:
    doubled(felt).double(1, "25", "Kh").turn().dealer_hits("5c").pat(1).collect(1).pick_up()
    assert found(felt) == []


def test_double_stacked_on_the_bet_breaks_p319(felt: Felt) -> None:
    cap(doubled(felt), 1, "100").card(1, "Kh", sideways=True).turn().dealer_hits("5c").pat(1).collect(1).pick_up()
    assert accused(felt) == [("violation", "P319", None)]


def test_split_of_unequal_cards_breaks_p321(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "8c 9d"}, dealer="Td 8s").split(2, "20").hit(2, "Kc").hit(2, "9s", hand=2)
    felt.turn().pat(2).pat(2).collect(2).pick_up()
    assert accused(felt) == [("violation", "P321", None)]


def test_split_of_ten_and_king_is_right(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Tc Kd"}, dealer="Td 8s").split(2, "20").hit(2, "8c").hit(2, "8h", hand=2)
    felt.turn().pat(2).collect(2).pick_up()
    assert found(felt) == []


def test_split_wager_unequal_to_the_original_breaks_p322(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Tc Kd"}, dealer="Td 8s").split(2, "25").hit(2, "8c").hit(2, "8h", hand=2)
    felt.turn().pat(2).collect(2).pick_up()
    assert accused(felt) == [("violation", "P322", None)]


def test_split_without_a_second_wager_breaks_p322(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Tc Kd"}, dealer="Td 8s").split(2, "20")
    for state, index in zip(felt.states[-2:], (-2, -1), strict=True):
        felt.states[index] = replace(
            state, objects=tuple(o for o in state.objects if o is not felt.things["s2.main.2"])
        )
    felt.remove("s2.main.2")
    felt.hit(2, "8c").hit(2, "8h", hand=2).turn().pat(2).collect(2).pick_up()
    assert accused(felt) == [("violation", "P322", None)]


def test_right_split_hand_before_the_left_breaks_p326(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Tc Kd"}, dealer="Td 8s").split(2, "20").hit(2, "8h", hand=2).hit(2, "8c")
    felt.turn().pat(2).collect(2).pick_up()
    assert accused(felt) == [("violation", "P326", None)]


def test_third_card_on_a_split_ace_breaks_p327(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Ac Ad"}, dealer="Td 8s").split(2, "20")
    felt.card(2, "5c", sideways=True).hit(2, "2c").card(2, "7h", hand=2, sideways=True).turn().pat(2).collect(
        2
    ).pick_up()
    assert accused(felt) == [("violation", "P327", None)]


def test_split_hand_without_a_second_card_breaks_p330(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Tc Kd"}, dealer="Td 8s").split(2, "20").hit(2, "8c").turn().pat(2).collect(
        2
    ).pick_up()
    assert ("violation", "P330", None) in accused(felt)


# -- closing -----------------------------------------------------------------------------------------------------------
def test_settling_from_the_wrong_end_breaks_p259(felt: Felt) -> None:
    felt.bets({1: "25", 3: "25"}).deal({1: "Th 9c", 3: "Ts 9d"}, dealer="Td 8s").turn()
    felt.pay(1, "25").collect(1).pay(3, "25").collect(3).pick_up()
    assert accused(felt) == [("violation", "P259", None)]


def test_cards_picked_up_from_the_wrong_end_break_p284(felt: Felt) -> None:
    felt.bets({1: "25", 3: "25"}).deal({1: "Th 9c", 3: "Ts 9d"}, dealer="Td 8s").turn()
    felt.pay(3, "25").collect(3).pay(1, "25").collect(1).pick_up_seat(1).pick_up()
    assert accused(felt) == [("violation", "P284", None)]


def test_cards_before_money_break_p192(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 7c"}, dealer="Td 8s").turn().pick_up_seat(1).take(1).pick_up()
    assert accused(felt) == [("violation", "P192", None)]


def test_seventh_copy_of_a_card_breaks_p416() -> None:
    felt = Felt()
    for _ in range(3):
        felt.bets({1: "25", 2: "25"}).deal({1: "9h 9h", 2: "2c 3c"}, dealer="Td 8s").turn()
        felt.take(2).pat(1).collect(1).pick_up()
    assert [one for one in accused(felt) if one[1] == "P416"] == []
    felt.bets({1: "25"}).deal({1: "9h Tc"}, dealer="Td 9s").turn().pat(1).collect(1).pick_up()
    assert [one for one in accused(felt) if one[1] == "P416"] == [("violation", "P416", None)]


@pytest.mark.parametrize(("lost_ms", "verdict"), [(90_000, "undetermined"), (3_000, "violation")])
def test_seventh_copy_after_the_view_was_lost_for_as_long_as_a_shuffle_takes_is_open(
    felt: Felt, lost_ms: int, verdict: str
) -> None:
    for number in range(7):
        felt.bets({1: "25"}).deal({1: "Th Qc"}, dealer="9d 9s").turn().pay(1, "25").collect(1).pick_up()
        if number == 3:
            felt.lost(ms=lost_ms)
    kinds = {one[0] for one in found(felt) if one[1] == "P416"}
    assert kinds == {verdict}


def forgetful(second: dict[int, str]) -> Felt:
    """The dealer passes himself over, and takes his first card only after these seats' second cards."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=2)).bets({1: "10", 2: "10"})
    felt.card(1, "Th").card(2, "Ts")
    for seat, code in second.items():
        felt.card(seat, code)
    felt.dealer_card("up", "back", -250.0)
    for seat, code in {1: "9c", 2: "9d"}.items():
        if seat not in second:
            felt.card(seat, code)
    felt.hole = "9s"
    felt.hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.snap().turn().pat(2).collect(2).pat(1).collect(1)
    return felt.pick_up()


def test_dealer_who_deals_himself_the_cards_he_forgot_is_at_most_suspect() -> None:
    """The manual has him deal them to himself after everyone's second card (004:L791)."""
    assert ("suspect", "P233", None) in accused(forgetful({1: "9c", 2: "9d"}))
    assert all(verdict != "violation" for verdict, _, _ in accused(forgetful({1: "9c", 2: "9d"})))


def test_dealers_first_card_that_was_missed_until_it_was_turned_breaks_no_order(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).card(1, "5h").card(2, "6d").hand("dealer", "dealer.cards", "shoe").snap()
    felt.card(1, "9h").card(2, "Td").dealer_card("up", "Ts", -180.0).hit(1, "5d").pat(1).pat(2).snap()
    felt.dealer_card("hole", "7s", -250.0).take(2).pay(1, "25").collect(1).pick_up()
    assert accused(felt) == []


def test_dealer_who_deals_himself_his_first_card_among_second_cards_breaks_p233() -> None:
    assert ("violation", "P233", None) in accused(forgetful({1: "9c"}))
