"""21 Stud (002): wagers that wait for dealer card #2, where the dealer's cards lie, and what goes when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED, Thresholds
from audit.states import TableState
from tests.audit.asking import accused, found, only_round
from tests.audit.hands_of_cards import changed, dealt, finished, turned
from tests.audit.pairs.other_games import dealer_away, two_seats
from tests.notation import Felt, merged, wide_profile


@pytest.fixture
def stud() -> Felt:
    return Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))


# -- hands -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("paid", [True, False])
def test_base_of_a_hand_with_a_third_card_is_not_judged(stud: Felt, *, paid: bool) -> None:
    """9 and 2 lose to 17, with a ten they would win: 002 has no third card (L9), so the card alone is told."""
    turned(dealt(stud, "9s 2d", base="10").card(2, "Kd"), "9c", "8c")
    finished(stud.pay_spot(2, "base", "10") if paid else stud)
    assert accused(stud) == [("violation", "P071", None)]
    assert ("undetermined", "P084", None) in found(stud)


def test_card_laid_at_the_wrong_seat_and_moved_at_once_counts_where_it_went(stud: Felt) -> None:
    """Seat 3 gets seat 2's second card; only that it was moved is told, of which 002 says nothing (004:L713)."""
    stud.bets({2: "10", 3: "10"}, "base").card(2, "Ks").card(3, "Tc").dealer_zone_card("dealer.card1", "back")
    stud.card(3, "9d").hand("dealer", "seat2.cards", "seat3.cards")
    card = stud.things.pop("s3.h1.1")
    stud.things["s2.h1.1"] = replace(card, xy_mm=stud.at("seat2.cards", 33.0, 25.0))
    stud.snap().card(3, "8h").dealer_zone_card("dealer.card2", "back")
    turned(stud, "9c", "8d").pay_spot(3, "base", "10").pick_up_seat(3).pay_spot(2, "base", "10")
    assert accused(finished(stud)) == [("suspect", "P245", None)]


# -- wagers between the dealer's two cards -----------------------------------------------------------------------------
def between(felt: Felt, bet: str, text: str, *, cards: str = "Th 5c") -> Felt:
    """Seat 2 bets 10 on Base and on another spot, and changes one wager while only card #1 is shown."""
    dealt(felt, cards, base="10", **({} if bet == "base" else {bet: "10"}))
    changed(felt.dealer_zone_card("dealer.card1", "Td"), bet, text)
    return felt.dealer_zone_card("dealer.card2", "8s")


def test_base_pinched_after_card_1_and_taken_breaks_p206(stud: Felt) -> None:
    finished(between(stud, "base", "5").take_spot(2, "base"))
    assert accused(stud) == [("violation", "P206", "5.00")]
    (take,) = only_round(stud).observed.takes
    assert str(take.amount) == "5"


def test_payment_of_what_a_pinched_base_was_follows_from_the_pinching(stud: Felt) -> None:
    finished(between(stud, "base", "5", cards="Th 9c").pay_spot(2, "base", "5"))
    assert [(one.code, one.because_of) for one in only_round(stud).findings] == [("pinched", None), ("pay-amount", 0)]


def test_base_withdrawn_after_card_1_is_pinched_not_left(stud: Felt) -> None:
    dealt(stud, "Th 5c", base="10").dealer_zone_card("dealer.card1", "Td").collect_spot(2, "base")
    stud.dealer_zone_card("dealer.card2", "8s")
    assert accused(finished(stud)) == [("violation", "P206", "10.00")]


def test_match_2_pinched_after_card_1_breaks_p206(stud: Felt) -> None:
    between(stud, "match2", "5").take_spot(2, "match2").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P206", "5.00")]


def test_base_capped_before_card_2_is_no_claim_on_a_payment(stud: Felt) -> None:
    finished(between(stud, "base", "15", cards="Th 9c").pay_spot(2, "base", "10"))
    (capped,) = only_round(stud).findings
    assert capped.procedures[0] == "P068"
    assert "P207" not in capped.procedures


def test_losing_base_capped_after_card_1_breaks_p068(stud: Felt) -> None:
    assert accused(finished(between(stud, "base", "20").take_spot(2, "base"))) == [("violation", "P068", None)]


def test_losing_base_pinched_after_card_2_breaks_p206(stud: Felt) -> None:
    changed(turned(dealt(stud, "Th 5c", base="10"), "Td", "8s"), "base", "5").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P206", "5.00")]


def test_losing_base_capped_after_card_2_and_taken_breaks_p068(stud: Felt) -> None:
    changed(turned(dealt(stud, "Th 5c", base="10"), "Td", "8s"), "base", "20").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P068", None)]


def test_pushed_base_may_be_lowered_for_the_next_round(stud: Felt) -> None:
    changed(turned(dealt(stud, "Ah Kc", base="10"), "As", "Qs"), "base", "5")
    assert found(finished(stud)) == []


# -- settled before the card that decides -----------------------------------------------------------------------------
@pytest.mark.parametrize(("bet", "procedure"), [("base", "P078"), ("match2", "P078")])
def test_bet_taken_before_card_2_is_turned_is_early(stud: Felt, bet: str, procedure: str) -> None:
    dealt(stud, "Th 5c", **{"base": "10", bet: "10"}).dealer_zone_card("dealer.card1", "Td").take_spot(2, bet)
    stud.dealer_zone_card("dealer.card2", "8s")
    if bet != "base":
        stud.take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", procedure, None)]


def test_base_paid_before_card_2_is_turned_breaks_p078(stud: Felt) -> None:
    dealt(stud, "Th 9c", base="10").dealer_zone_card("dealer.card1", "Td").pay_spot(2, "base", "10")
    assert accused(finished(stud.dealer_zone_card("dealer.card2", "8s"))) == [("violation", "P078", None)]


def test_match_1_taken_before_card_1_is_turned_breaks_p076(stud: Felt) -> None:
    turned(dealt(stud, "Th 5c", base="10", match1="5").take_spot(2, "match1"), "9d", "8s").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P076", None)]


# -- the dealer's two cards --------------------------------------------------------------------------------------------
def lose_with(felt: Felt, places: tuple[tuple[float, float], ...]) -> Felt:
    """Seat 2 loses with 15; the dealer's cards lie so far right of and away from the zone of card #1."""
    felt.bets({2: "10"}, "base").card(2, "Th").card(2, "5c")
    for code in ("back", "up"):
        for number, place in enumerate(places):
            felt.hand("dealer", "dealer.card1", "dealer.card2", "shoe")
            face = "back" if code == "back" else ("Td", "8s", "4h")[number]
            felt.put_card(f"d.{number}", face, felt.at("dealer.card1", *place), 0.0)
            felt.snap()
    return finished(felt.take_spot(2, "base"))


_RIGHT = 140.0  # from the zone of card #1 to that of card #2


def test_dealers_cards_in_their_zones_are_right(stud: Felt) -> None:
    assert found(lose_with(stud, ((-6.0, 4.0), (_RIGHT + 6.0, -4.0)))) == []


@pytest.mark.parametrize(
    "places",
    [((-20.0, 0.0), (20.0, 0.0)), ((0.0, 0.0), (_RIGHT + 90.0, 0.0)), ((0.0, -80.0), (_RIGHT, -80.0))],
    ids=["both in one zone", "card #2 outside", "both outside"],
)
def test_dealers_cards_not_in_their_zones_break_p070(stud: Felt, places: tuple[tuple[float, float], ...]) -> None:
    accusations = [(one[0], one[1]) for one in accused(lose_with(stud, places)) if one[0] != "undetermined"]
    assert accusations == [("violation", "P070")]


def test_dealers_cards_near_the_edge_of_a_zone_may_lie_in_it(stud: Felt) -> None:
    assert {one[0] for one in found(lose_with(stud, ((0.0, 0.0), (_RIGHT + 54.0, 0.0))))} == {"undetermined"}


def test_card_1_turned_before_the_deal_is_done_breaks_p070(stud: Felt) -> None:
    stud.bets({2: "10"}, "base").card(2, "Th").dealer_zone_card("dealer.card1", "back")
    stud.dealer_zone_card("dealer.card1", "Td").card(2, "5c").dealer_zone_card("dealer.card2", "back")
    stud.dealer_zone_card("dealer.card2", "8s").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P070", None)]


def test_card_2_dealt_face_up_breaks_p070_and_p075(stud: Felt) -> None:
    stud.bets({2: "10"}, "base").card(2, "Th").card(2, "5c").dealer_zone_card("dealer.card1", "back")
    turned(stud, "back", "8s").dealer_zone_card("dealer.card1", "Td").take_spot(2, "base")
    (finding,) = only_round(finished(stud)).findings
    assert (finding.verdict.value, finding.procedures) == ("violation", ("P070", "P075"))


def test_dealers_second_card_put_right_from_the_zone_of_the_first_is_suspected(stud: Felt) -> None:
    stud.bets({2: "10"}, "base").card(2, "Th").card(2, "5c").dealer_zone_card("dealer.card1", "back")
    stud.hand("dealer", "dealer.card1", "shoe")
    stud.put_card("d.dealer.card2", "back", stud.at("dealer.card1", 34.0), 0.0)
    stud.snap().hand("dealer", "dealer.card1", "dealer.card2")
    stud.put_card("d.dealer.card2", "back", stud.at("dealer.card2"), 0.0)
    turned(stud.snap(), "Td", "8s").take_spot(2, "base")
    assert found(finished(stud)) == [("suspect", "P070", None)]


def test_third_player_card_after_the_turn_is_no_early_dealer_card(stud: Felt) -> None:
    turned(dealt(stud, "Th 5c", base="10"), "Td", "8s").card(2, "2c").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P071", None)]


@pytest.mark.parametrize("place", [(30.0, 0.0), (_RIGHT / 2, -70.0), (_RIGHT + 85.0, 0.0)])
def test_third_card_of_the_dealer_breaks_p071(stud: Felt, place: tuple[float, float]) -> None:
    turned(dealt(stud, "Th 5c", base="10"), "Td", "8s").hand("dealer", "shoe", "dealer.card1", "dealer.card2")
    stud.put_card("d.third", "4s", stud.at("dealer.card1", *place), 0.0)
    assert ("violation", "P071", None) in accused(finished(stud.snap().take_spot(2, "base")))


def test_third_card_that_was_never_read_is_a_violation_where_states_are_certain_and_a_suspect_in_footage(
    stud: Felt,
) -> None:
    """A shadow or a hand's edge beside his two cards may be taken for a back."""
    turned(dealt(stud, "Th 5c", base="10"), "Td", "8s").hand("dealer", "shoe", "dealer.card1", "dealer.card2")
    stud.put_card("d.third", "back", stud.at("dealer.card1", 30.0, 0.0), 0.0)
    states = finished(stud.snap().take_spot(2, "base")).states
    for thresholds, verdict in ((Thresholds(), "violation"), (RECOGNISED, "suspect")):
        (one,) = audit_states(states, stud.profile, thresholds=thresholds).rounds
        assert [told.verdict.value for told in one.findings if "P071" in told.procedures] == [verdict]


def test_one_card_at_a_seat_is_suspected_of_p069_and_named(stud: Felt) -> None:
    finished(turned(dealt(stud, "Th", base="10"), "Td", "8s").take_spot(2, "base"))
    assert [(one.verdict.value, one.procedures[0], one.observed) for one in only_round(stud).findings] == [
        ("suspect", "P069", "one card"),
        ("undetermined", "P084", "seat 2: only one card was seen"),
    ]


def test_what_an_unread_card_of_the_dealer_blocks_is_named_in_one_order(stud: Felt) -> None:
    """A push and a loss are the ways that are open; which stands first must not change from one audit to the next."""
    finished(turned(dealt(stud, "Th 7c", base="10"), "Td", "??").take_spot(2, "base"))
    (one,) = only_round(stud).findings
    assert one.procedures == ("P083", "P084")


# -- what goes when ----------------------------------------------------------------------------------------------------
def lost_by_all(felt: Felt, seats: tuple[int, ...]) -> Felt:
    """Every seat loses a Base of 10; the dealer's cards are turned."""
    felt.bets(dict.fromkeys(sorted(seats), "10"), "base")
    for rank in "T7":
        for seat in sorted(seats):
            felt.card(seat, rank + "cdh"[seat - 1])
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    return turned(felt, "Js", "9s")


def test_seats_settled_from_the_left_leave_no_cards_for_a_sweep(stud: Felt) -> None:
    lost_by_all(stud, (1, 2, 3))
    for seat in (1, 3, 2):
        stud.take_spot(seat, "base").pick_up_seat(seat)
    assert [one.procedures[0] for one in only_round(dealer_away(stud)).findings] == ["P078"]


def test_dice_seats_settled_from_the_left_leave_no_cards_for_a_sweep() -> None:
    assert [one.procedures[0] for one in only_round(two_seats(settle=(1, 2))).findings] == ["P028"]


def test_cards_left_until_the_next_base_break_p085(stud: Felt) -> None:
    lost_by_all(stud, (1, 2)).take_spot(2, "base").take_spot(1, "base").pick_up_seat(2).pick_up_seat(1)
    assert accused(dealer_away(stud)) == [("violation", "P085", None)]


@pytest.mark.parametrize(("sweep", "broken"), [(True, [("violation", "P085", None)]), (False, [])])
def test_cards_left_are_told_though_how_the_base_was_settled_was_not_seen(
    stud: Felt, sweep: bool, broken: list[tuple[str, str, str | None]]
) -> None:
    """The payment came, and the player took it with his bet, between two looks."""
    lost_by_all(stud, (1, 2)).hand("dealer", "seat2.base", "rack").collect_spot(2, "base")
    stud = stud.take_spot(1, "base").pick_up_seat(2) if sweep else stud.pick_up_seat(2).take_spot(1, "base")
    assert accused(dealer_away(stud.pick_up_seat(1))) == broken


def test_dealers_cards_lifted_before_the_last_players_break_p086(stud: Felt) -> None:
    lost_by_all(stud, (2,)).take_spot(2, "base")
    assert accused(dealer_away(stud).pick_up_seat(2)) == [("violation", "P086", None)]


def test_of_three_cards_before_the_dealer_none_decides_a_wager(stud: Felt) -> None:
    stud.bets({2: "10"}, "base").bets({2: "5"}, "match2").put_card("d.ghost", "back", (-60.0, 60.0), 0.0)
    dealt(stud, "5h 9c")
    turned(stud, "Td", "9s").pay_spot(2, "match2", "20")
    decided = [one for one in found(finished(stud)) if one[1] in ("P077", "P080", "P081", "P083", "P084")]
    assert {verdict for verdict, _, _ in decided} <= {"undetermined"}
    assert ("violation", "P071", None) in accused(stud)


# -- Mirror Match, which the player's own cards decide -----------------------------------------------------------------
def mirrored(felt: Felt, cards: str) -> Felt:
    return dealt(felt, cards, base="10", mirror="10")


def unseen_hands(felt: Felt) -> list[TableState]:
    return [replace(state, hands=()) for state in felt.states]


def test_mirror_paid_after_the_deal_by_hands_that_nobody_saw_is_no_late_wager(stud: Felt) -> None:
    """A pair of mixed colours pays 5:1 (002:L77-81), before the dealer's first card is turned."""
    mirrored(stud, "8h 8s").pay_spot(2, "mirror", "50").collect_spot(2, "mirror")
    stud.dealer_zone_card("dealer.card1", "Td").dealer_zone_card("dealer.card2", "8c").take_spot(2, "base")
    states = unseen_hands(finished(stud))
    found_ = [one for case in audit_states(states, stud.profile).rounds for one in case.findings]
    assert {one.verdict.value for one in found_} <= {"undetermined"}


def test_mirror_raised_by_the_player_when_all_cards_are_dealt_is_late(stud: Felt) -> None:
    changed(mirrored(stud, "8h 8s"), "mirror", "20").pay_spot(2, "mirror", "50").collect_spot(2, "mirror")
    stud.dealer_zone_card("dealer.card1", "Td").dealer_zone_card("dealer.card2", "8c").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P068", None)]


def test_lost_mirror_taken_back_by_the_player_when_all_cards_are_dealt_was_left(stud: Felt) -> None:
    mirrored(stud, "8h 9s").collect_spot(2, "mirror")
    stud.dealer_zone_card("dealer.card1", "Td").dealer_zone_card("dealer.card2", "8c").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P074", "10.00")]


def test_match_1_capped_when_its_card_is_shown_names_the_game_s_own_procedure_first(stud: Felt) -> None:
    """002:L27 before the blackjack manual's capping of a payoff, P207 (contracts/audit.md)."""
    dealt(stud, "Th 5c", base="10", match1="10").dealer_zone_card("dealer.card1", "Td")
    changed(stud, "match1", "20").pay_spot(2, "match1", "40").collect_spot(2, "match1")
    (capped,) = only_round(finished(stud.dealer_zone_card("dealer.card2", "8s").take_spot(2, "base"))).findings
    assert capped.procedures[0] == "P068"
    assert "P207" in capped.procedures


def test_base_broken_down_by_a_hand_that_nobody_saw_is_one_wager(stud: Felt) -> None:
    """Green and red, cut apart on the spot before they are paid; no hand is told of between the two states."""
    turned(dealt(stud, "Th 9c", base="green red"), "Td", "8s")
    stud.put_chips("s2.base.1", "green", stud.at("seat2.base", 0.0, -24.0))
    stud.put_chips("s2.base.2", "red", stud.at("seat2.base", 0.0, 24.0))
    stud.snap().hand("dealer", "seat2.base", "rack")
    stud.put_chips("s2.base.pay.1", "green", stud.at("seat2.base", 36.0, -24.0))
    stud.put_chips("s2.base.pay.2", "red", stud.at("seat2.base", 36.0, 24.0))
    assert accused(finished(stud.snap())) == []


def test_match_1_settled_between_the_cards_turned_in_the_wrong_order_follows_from_that(stud: Felt) -> None:
    dealt(stud, "Th 9c", base="10", match1="5").dealer_zone_card("dealer.card2", "8s").take_spot(2, "match1")
    finished(stud.dealer_zone_card("dealer.card1", "7d").pay_spot(2, "base", "10"))
    told = only_round(stud).findings
    reasons = {one.code: None if one.because_of is None else told[one.because_of].code for one in told}
    assert reasons == {"card-2-first": None, "settled-late": "card-2-first", "settled-early": "card-2-first"}


# -- states left out ---------------------------------------------------------------------------------------------------
def rounds_of_two(stud: Felt) -> list[TableState]:
    """Seat 1 loses, seat 2 wins; then both lose another round, on other bets."""
    for bets, seats, dealer, wins in (
        ({1: "10", 2: "20"}, {1: "Ts 5c", 2: "Qs Kh"}, ("9c", "Td"), {2}),
        ({1: "20", 2: "25"}, {1: "8d 7d", 2: "4s Jd"}, ("Ah", "9h"), set()),
    ):
        stud.bets(bets, "base")
        for turn in (0, 1):
            for seat, cards in seats.items():
                stud.card(seat, cards.split()[turn])
        stud.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
        turned(stud, *dealer)
        for seat in (2, 1):
            stud = stud.pay_spot(seat, "base", bets[seat]) if seat in wins else stud.take_spot(seat, "base")
            stud.pick_up_seat(seat)
        dealer_away(stud)
        for seat in wins:
            stud.collect_spot(seat, "base")
    return stud.states


@pytest.mark.parametrize("number", [3, 5, 8, 11])
def test_any_states_left_out_in_a_row_accuse_nobody(stud: Felt, number: int) -> None:
    states = rounds_of_two(stud)
    for first in range(1, len(states) - number):
        rounds = audit_states(merged(states, range(first, first + number)), stud.profile).rounds
        told = [one for round_ in rounds for one in round_.findings if one.verdict.value != "undetermined"]
        assert told == [], (first, [one.observed for one in told])


def test_box_with_a_wager_and_no_card_is_told_though_a_hand_passed_it_twice(stud: Felt) -> None:
    """No hand went from its place to the discard rack: no cards came and went."""
    stud.bets({1: "10", 2: "20"}, "base")
    for code in ("Ts", "5c"):
        stud.hand("dealer", "seat2.cards").card(1, code)
    stud.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    turned(stud, "9c", "Td").take_spot(1, "base").pick_up_seat(1)
    assert "P069" in [one[1] for one in accused(dealer_away(stud))]
