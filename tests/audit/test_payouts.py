"""Blackjack manual, "Wagers" and "Blackjack Payouts": every wager is paid, taken or left as it is due."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Verdict
from audit.money import Rounding
from audit.paytables import load_rules
from audit.pipeline import audit_states
from audit.procedures.payout_errors import in_any_reading
from tests.audit.asking import accused, found, only_round
from tests.notation import Felt, covering, doubtful, doubtful_stack, handless, stack, unread, wide_profile


def winner(felt: Felt, paid: str | None, wager: str = "100") -> Felt:
    """19 against the dealer's 18, on 100.00 as a rule."""
    felt.bets({1: wager}).deal({1: "Th 9c"}, dealer="Td 8s").turn()
    if paid is not None:
        felt.pay(1, paid)
    return felt.collect(1).pick_up()


def test_winner_paid_evenly_is_right(felt: Felt) -> None:
    assert found(winner(felt, "100")) == []


def test_winner_short_paid_is_a_violation_with_the_difference(felt: Felt) -> None:
    assert found(winner(felt, "75")) == [("violation", "P280", "-25.00")]


def test_winner_overpaid_is_a_violation_with_the_difference(felt: Felt) -> None:
    assert found(winner(felt, "125")) == [("violation", "P280", "25.00")]


def test_winner_not_paid_is_short_by_the_whole_payment(felt: Felt) -> None:
    assert found(winner(felt, None)) == [("violation", "P281", "-100.00")]


def test_winner_taken_is_short_by_stake_and_payment(felt: Felt) -> None:
    felt.bets({1: "100"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().take(1).pick_up()
    assert found(felt) == [("violation", "P281", "-200.00")]


def test_payment_says_what_was_expected_and_observed_in_words(felt: Felt) -> None:
    felt.bets({3: "50"}).deal({3: "Ac Qd"}, dealer="8c Jd").pay(3, "100").collect(3).turn().pick_up()
    (finding,) = only_round(felt).findings
    assert finding.expected == "3 to 2 on 50.00: 75.00"
    assert finding.observed == "100.00 in black"
    assert finding.citation == "Blackjack manual, Blackjack Payouts 2 (004:L585)"
    assert finding.procedures == ("P280", "P282")


def test_blackjack_paid_three_to_two_in_sequence_is_right(felt: Felt) -> None:
    felt.bets({3: "50"}).deal({3: "Ac Qd"}, dealer="8c Jd").pay(3, "75").collect(3).pick_up_seat(3).turn().pick_up()
    assert found(felt) == []


def test_push_left_is_right(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 8c"}, dealer="Td 8s").turn().pat(2).collect(2).pick_up()
    assert found(felt) == []


def test_push_paid_is_a_violation(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 8c"}, dealer="Td 8s").turn().pay(2, "25").collect(2).pick_up()
    assert found(felt) == [("violation", "P281", "25.00")]


def test_push_taken_is_a_violation(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 8c"}, dealer="Td 8s").turn().take(2).pick_up()
    assert found(felt) == [("violation", "P281", "-25.00")]


def test_blackjack_against_blackjack_taken_names_the_blackjack_payouts(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Ah Kc"}, dealer="Ad Ks").turn().take(2).pick_up()
    assert found(felt) == [("violation", "P282", "-25.00")]


def test_loser_taken_is_right(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 7c"}, dealer="Td 8s").turn().take(2).pick_up()
    assert found(felt) == []


def test_loser_left_is_a_violation(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 7c"}, dealer="Td 8s").turn().pick_up().collect(2)
    assert found(felt) == [("violation", "P281", "25.00")]


def test_loser_paid_is_a_violation_over_stake_and_payment(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 7c"}, dealer="Td 8s").turn().pay(2, "25").collect(2).pick_up()
    assert found(felt) == [("violation", "P281", "50.00")]


def test_broken_hand_left_names_the_breaking_rule(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 7c"}, dealer="Td 8s").hit(2, "Kd").turn().pick_up().collect(2)
    assert found(felt) == [("violation", "P247", "25.00")]


def test_broken_hand_taken_at_once_is_right(felt: Felt) -> None:
    felt.bets({2: "25", 3: "10"}).deal({2: "Th 7c", 3: "Ts 9s"}, dealer="Td 8s")
    felt.hit(2, "Kd").take(2).pick_up_seat(2).turn().pay(3, "10").collect(3).pick_up()
    assert found(felt) == []


def test_doubled_hand_may_be_paid_with_one_pile(felt: Felt) -> None:
    felt.bets({1: "50"}).deal({1: "6h 5c"}, dealer="Td 6s").double(1, "50", "Kh")
    felt.turn().dealer_hits("9c").pay(1, "100").collect(1).pick_up()
    assert found(felt) == []


def test_doubled_hand_paid_once_is_short_by_the_double(felt: Felt) -> None:
    felt.bets({1: "50"}).deal({1: "6h 5c"}, dealer="Td 6s").double(1, "50", "Kh")
    felt.turn().dealer_hits("9c").pay(1, "50").collect(1).pick_up()
    assert accused(felt) == [("violation", "P281", "-50.00")]


def test_split_hands_are_settled_each_for_itself(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "8c 8d"}, dealer="Td 7s").split(2, "20").hit(2, "Kc").hit(2, "9s", hand=2)
    felt.turn().pay(2, "20", beside="main.1").pat(2)
    felt.remove("s2.main.1")
    felt.remove("s2.pay.0")
    felt.hand("player", "seat2.main", seat=2).snap()
    felt.collect(2).pick_up()
    assert found(felt) == []


def test_split_ten_and_ace_paid_three_to_two_is_a_violation(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Tc Td"}, dealer="Ts 7s").split(2, "20").card(2, "Ac", sideways=True)
    felt.hit(2, "9s", hand=2).turn().pay(2, "20", beside="main.2").pay(2, "30", beside="main.1").collect(2).pick_up()
    assert accused(felt) == [("violation", "P328", "10.00")]


# -- uncertainty -------------------------------------------------------------------------------------------------------
def test_unread_dealer_card_is_undetermined_not_clean(felt: Felt) -> None:
    states = unread(winner(felt, "100").states, "8s")
    (finding,) = only_round(states).findings
    assert finding.verdict.value == "undetermined"
    assert {"P255", "P281"} <= set(finding.procedures)
    assert finding.observed == "dealer's card 2 not read"


def test_payment_that_is_wrong_whatever_the_unread_card_is_stays_a_violation(felt: Felt) -> None:
    assert accused(unread(winner(felt, "75").states, "8s")) == [("violation", "P280", None)]


def test_unread_card_that_changes_nothing_is_still_a_violation(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Th 7c"}, dealer="Td 8s").hit(2, "Kd").turn().pay(2, "25").collect(2).pick_up()
    assert accused(unread(felt.states, "8s")) == [("violation", "P247", "50.00")]


def test_doubtful_card_makes_a_suspect_with_its_probability(felt: Felt) -> None:
    states = doubtful(winner(felt, None).states, "9c", {"9c": 0.6, "8c": 0.38})
    (finding,) = only_round(states).findings
    assert finding.verdict.value == "suspect"
    assert 0.59 < finding.probability < 0.61


def test_payment_wrong_whichever_of_two_a_card_is_tells_both_dues_and_no_sum(felt: Felt) -> None:
    """Low bit rate and blocks before a die, Dicey 21: 100 paid for a wager due 45 was told against 10, with a sum."""
    states = doubtful(winner(felt, "75").states, "9c", {"9c": 0.6, "8c": 0.4})
    (finding,) = only_round(states).findings
    assert (finding.verdict.value, finding.amount) == ("violation", None)
    assert finding.expected == "1 to 1 on 100.00: 100.00 or push: 100.00 left and nothing paid"


def test_almost_certain_card_makes_a_violation(felt: Felt) -> None:
    assert accused(doubtful(winner(felt, "75").states, "9c", {"9c": 0.995})) == [("violation", "P280", "-25.00")]


def test_what_no_candidate_covers_counts_against_a_violation(felt: Felt) -> None:
    assert accused(doubtful(winner(felt, "75").states, "9c", {"9c": 0.95})) == [("suspect", "P280", "-25.00")]


def test_doubtful_payment_makes_a_suspect(felt: Felt) -> None:
    pile = ("green", "green", "green")
    states = doubtful_stack(winner(felt, "75").states, pile, {pile: 0.9, (*pile, "green"): 0.09})
    assert accused(states) == [("suspect", "P280", "-25.00")]


def test_payment_without_any_hand_is_never_a_violation(felt: Felt) -> None:
    assert [one[0] for one in accused(handless(winner(felt, "75").states))] == ["suspect"]


def test_winner_collected_in_the_same_gap_as_the_dealers_hand_is_undetermined(felt: Felt) -> None:
    felt.bets({1: "100"}).deal({1: "Th 9c"}, dealer="Td 8s").turn()
    felt.hand("dealer", "seat1.main").collect(1).pick_up()
    assert [one[0] for one in found(felt)] == ["undetermined"]


def withdrawn(order: str, *, wins: bool = False) -> Felt:
    """Seat 2 takes its wager back at ``2``; the dealer settles seats 1 and 3 and seat 1's Trilux, and picks up, p."""
    felt = (
        Felt(wide_profile("blackjack", ("main", "trilux")))
        .bets({1: "100", 2: "100", 3: "100"})
        .bets({1: "5"}, "trilux")
    )
    second = "Td 9h" if wins else "Td 7h"
    felt.deal({1: "Th 7c", 2: second, 3: "Jh 7d"}, dealer="Ts 8s").turn()
    for act in order:
        match act:
            case "t":
                felt.take_spot(1, "trilux")
            case "p":
                felt.pick_up()
            case "2":
                felt.collect(2)
            case _:
                felt.take(int(act))
    return felt


@pytest.mark.parametrize(
    ("order", "pinched"), [("t231p", True), ("t321p", True), ("t312p", False), ("3tp2", False), ("3t21p", True)]
)
def test_wager_a_player_takes_back_before_the_dealer_comes_to_it_is_a_pinched_one_too(
    order: str, *, pinched: bool
) -> None:
    (finding,) = [one for one in only_round(withdrawn(order)).findings if one.code == "loser-left" and one.seat == 2]
    assert ("P206" in finding.procedures) is pinched


def test_winner_taken_back_before_it_was_paid_is_said_to_be_collected_by_the_player() -> None:
    (finding,) = [one for one in only_round(withdrawn("t321p", wins=True)).findings if one.code == "winner-unpaid"]
    assert (finding.observed, finding.procedures[-2:]) == ("nothing paid, collected by the player", ("P206", "P223"))


def test_winner_whose_spot_was_never_clear_after_the_dealers_hand_is_undetermined(felt: Felt) -> None:
    felt.bets({1: "100"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "seat1.main").snap()
    shown = len(felt.states) - 1
    felt.collect(1).pick_up()
    assert accused(felt) == [("violation", "P281", "-100.00")]
    hidden = covering(felt.states, shown, felt.profile, "seat1.main")
    assert [one[0] for one in found(hidden)] == ["undetermined"]


def test_cards_gone_before_a_last_hit_could_be_seen_are_undetermined(felt: Felt) -> None:
    felt.bets({1: "100", 3: "10"}).deal({1: "Th 6c", 3: "Ts 9s"}, dealer="Td 6s")
    felt.hand("dealer", "shoe", "seat1.cards").take(1).pick_up_seat(1)  # a breaking card was never settled
    felt.turn().dealer_hits("Kc").pay(3, "10").collect(3).pick_up()
    assert accused(felt) == []
    assert [one[0] for one in found(felt)] == ["undetermined"]


def blackjack_on_10_25(paid: str, policy: Rounding | None) -> list[str]:
    """3 to 2 on 10.25 is 15.375, which no cheque of a quarter can pay."""
    felt = Felt().bets({3: "10.25"}).deal({3: "Ac Qd"}, dealer="8c Jd").pay(3, paid).collect(3).pick_up_seat(3)
    rules = replace(load_rules("blackjack", "shoe-six-deck", {}), rounding=policy)
    (one,) = audit_states(felt.turn().pick_up().states, felt.profile, rules=rules).rounds
    return [finding.verdict.value for finding in one.findings]


@pytest.mark.parametrize(
    ("paid", "policy", "verdicts"),
    [
        ("15.25", None, ["undetermined"]),
        ("15.50", None, ["undetermined"]),
        ("15.75", None, ["violation"]),
        ("15.25", Rounding.DOWN, []),
        ("15.50", Rounding.DOWN, ["violation"]),
        ("15.25", Rounding.UP, ["violation"]),
        ("15.50", Rounding.UP, []),
    ],
)
def test_amount_that_no_cheque_pays_is_rounded_as_the_house_does(
    paid: str, policy: Rounding | None, verdicts: list[str]
) -> None:
    assert blackjack_on_10_25(paid, policy) == verdicts


def test_signal_in_the_same_gap_as_the_take_of_a_broken_hand_leaves_it_taken(felt: Felt) -> None:
    felt.bets({2: "25", 3: "10"}).deal({2: "Th 7c", 3: "Ts 9s"}, dealer="Td 8s")
    felt.hand("player", "seat2.main", seat=2).card(2, "Kd", snap=False).hand("dealer", "seat2.main", "rack")
    felt.remove("s2.main.1")
    felt.snap().pick_up_seat(2).turn().pay(3, "10").collect(3).pick_up()
    assert found(felt) == []
    assert [take.key.seat for take in only_round(felt).observed.takes] == [2]


def test_suspect_tells_the_reading_that_would_be_wrong(felt: Felt) -> None:
    pile = ("black",)
    states = doubtful_stack(winner(felt, "100").states, pile, {pile: 0.9, ("purple",): 0.09})
    findings = [one for one in only_round(states).findings if one.code == "pay-amount"]
    assert [one.verdict.value for one in findings] == ["suspect"]
    assert findings[0].expected == "1 to 1 on 500.00: 500.00 or 1 to 1 on 100.00: 100.00"
    assert findings[0].observed == "100.00 or 500.00 paid"
    assert findings[0].amount is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("5.00 in red", "0.00 paid"), "5.00 or 0.00 paid"),
        (("5.00 paid", "10.00 paid"), "5.00 or 10.00 paid"),
        (("5.00 in red", "nothing paid"), "5.00 or nothing paid"),
        (("5.00 in red", "5.00 in pink"), "5.00 paid"),
        (("5.00 in red", "5.00 removed"), "5.00 paid or 5.00 removed"),
    ],
)
def test_what_was_seen_in_any_of_two_readings_is_said_in_one_sentence(words: tuple[str, ...], told: str) -> None:
    assert in_any_reading(words) == told


def test_sure_error_on_a_wager_of_one_or_two_cheques_names_both_and_no_sum(felt: Felt) -> None:
    """15 is too much for either: that the wager was ten is not told as a fact."""
    pile = ("red", "red")
    states = doubtful_stack(winner(felt, "15", wager="10").states, pile, {pile: 0.6, ("red",): 0.395})
    (told,) = [one for one in only_round(states).findings if one.code == "pay-amount"]
    assert (told.verdict.value, told.amount) == ("violation", None)
    assert told.expected == "1 to 1 on 10.00: 10.00 or 1 to 1 on 5.00: 5.00"


def shrunk(felt: Felt) -> Felt:
    """A winner's pile of 60 is one of 40 after the dealer's hand."""
    felt.bets({1: "60"}).deal({1: "Th 9c"}, "8s Th").pat(1).turn()
    felt.put_chips("s1.main.1", "40", felt.at("seat1.main"))
    return felt.hand("dealer", "rack", "seat1.main").snap().collect(1).pick_up()


def test_cheques_removed_from_a_winner_are_told_as_removed(felt: Felt) -> None:
    assert accused(shrunk(felt)) == [("violation", "P280", "-80.00")]
    assert only_round(felt).findings[0].observed == "20.00 removed"


def test_pile_that_may_have_been_misread_is_no_payment_of_less_than_nothing(felt: Felt) -> None:
    """Seen in degraded video: a wager read as 210 stood there as 195, and "-15.00" was said to be paid."""
    shrunk(felt)
    sixty, forty = stack("60", felt.profile), stack("40", felt.profile)
    (told,) = only_round(doubtful_stack(felt.states, sixty, {sixty: 0.7, forty: 0.3})).findings
    assert (told.verdict, told.observed) == (Verdict.SUSPECT, "0.00 paid")


def test_bet_that_the_player_moves_after_its_payment_was_paid_where_it_stood() -> None:
    felt = Felt(wide_profile("blackjack", ("main",), seats=1))
    felt.bets({1: "10"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.pay.1", "10", felt.at("seat1.main", -45.0))
    felt.snap().pick_up().hand("player", "seat1.main", seat=1)
    felt.remove("s1.pay.1")
    felt.snap().hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "10", felt.at("seat1.main", 45.0))
    felt.snap()
    assert accused(felt) == []


def test_view_lost_before_the_dealers_hand_hides_no_payment_of_a_main_wager(felt: Felt) -> None:
    """Seen standing, open and unsettled, after the view was back, it is judged by what was paid then."""
    felt.bets({1: "50"}).deal({1: "Th 9c"}, dealer="Td 7s").lost().snap().hand("player", "seat1.cards", seat=1)
    felt.snap().turn().pay(1, "25").collect(1).pick_up()
    assert accused(felt) == [("violation", "P280", "-25.00")]


def test_view_lost_while_the_hole_card_was_turned_may_hide_a_payment(felt: Felt) -> None:
    felt.bets({1: "50"}).deal({1: "Th 9c"}, dealer="Td 7s").lost().turn().pay(1, "25").collect(1).pick_up()
    assert accused(felt) == []


@pytest.mark.parametrize("paid", ["50", "25"])
def test_view_lost_when_all_cards_are_away_hides_no_payment_that_stands_there(felt: Felt, paid: str) -> None:
    felt.bets({1: "50"}).deal({1: "Th 9c"}, dealer="Td 7s").turn().pay(1, paid).pick_up().snap().lost()
    for name in [*felt.names("s1.main"), *felt.names("s1.pay")]:
        felt.remove(name)
    felt.snap()
    assert found(felt) == ([] if paid == "50" else [("violation", "P280", "-25.00")])


@pytest.mark.parametrize(("paid", "told"), [("50", []), ("25", ["suspect"])])
def test_more_than_was_paid_before_the_view_was_lost_may_have_come_since(
    felt: Felt, paid: str, told: list[str]
) -> None:
    """What is right so far is right; what is not is suspected."""
    felt.bets({1: "50", 2: "10"}).deal({1: "Th 9c", 2: "Td 8c"}, dealer="Td 7s").turn().pay(1, paid).lost()
    felt.collect(1).pay(2, "10").collect(2).pick_up()
    assert [one.verdict.value for one in only_round(felt).findings if one.seat == 1] == told


@pytest.mark.parametrize(("p", "verdict"), [(0.25, "undetermined"), (0.9, "violation")])
def test_loser_that_no_look_could_read_may_be_no_wager_and_is_not_told_as_left(
    felt: Felt, p: float, verdict: str
) -> None:
    """A player's cheques at the edge of a bet's zone were a pile of anything from one to twenty."""
    felt.bets({1: "5", 2: "25"}).deal({1: "Th 8c", 2: "Tc 9h"}, dealer="Td 9c").turn().pat(2).pick_up()
    (one,) = audit_states(doubtful_stack(felt.states, ("red",), {("red",): p}), felt.profile).rounds
    told = [it.verdict.value for it in one.findings if it.seat == 1 and "P281" in it.procedures]
    assert told[:1] == [verdict]
