"""What the manual asks of every table, also where no blackjack is dealt: tokes, the manner of paying, stacks."""

from __future__ import annotations

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED, Thresholds
from tests.audit.asking import accused, audited
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, wide_profile


def two_antes(ante: str = "20", paid: str = "20") -> Felt:
    """Seats 1 and 2 at Draw 'n Shoot 21: an eight and a ten; nine with the dice make 17, a push, and 19."""
    felt = shoot().bets({1: "10", 2: ante}, "ante").card(1, "8c").card(2, "Ts").roll(4, 5)
    felt.pay_spot(2, "ante", paid)
    return felt


def toke_round(felt: Felt, *, down: bool, first: bool = True, upon: bool = False) -> Felt:
    """Seat 2 wins at Lucky Draw Baccarat with a toke beside his bet; both are paid evenly."""
    if first:
        felt.bets({2: "20"}, "enter").bets({2: "5"}, "toke")
    else:
        felt.bets({2: "20"}, "enter")
    felt.card(2, "9c").dealer_card("1", "back", -40).card(2, "Kd").dealer_card("2", "7h", 30)
    felt.hand("dealer", "dealer.cards")
    felt.put_card("d.1", "Js", felt.things["d.1"].xy_mm, 0.0)
    felt.snap().pay_spot(2, "enter", "20")
    if upon:
        felt.hand("dealer", "seat2.toke", "rack").put_chips("s2.toke.1", "red red", felt.at("seat2.toke"))
        return felt.snap().collect_spot(2, "enter").pick_up_seat(2).pick_up()
    felt.pay_spot(2, "toke", "5").hand("dealer", "seat2.toke", "rack")
    for name in felt.names("s2.pay.toke") + (felt.names("s2.toke.") if down else []):
        felt.remove(name)
    return felt.snap().collect_spot(2, "enter").pick_up_seat(2).pick_up()


def baccarat() -> Felt:
    return Felt(wide_profile("lucky_draw_baccarat", ("enter", "draw", "block_bonus", "toke")))


def test_a_winning_toke_left_up_is_told_at_every_table() -> None:
    felt = toke_round(baccarat(), down=False)
    felt.bets({2: "20"}, "enter").card(2, "5c")
    assert [(one[0], one[1]) for one in accused(felt)] == [("violation", "P366")]


def test_a_winning_toke_taken_down_is_right_at_every_table() -> None:
    felt = toke_round(baccarat(), down=True)
    felt.bets({2: "20"}, "enter").card(2, "5c")
    assert accused(felt) == []


def test_a_payment_set_upon_a_winning_toke_that_stays_there_is_told() -> None:
    """One pile of the toke and what was paid on it plays on in the next round (004:L995)."""
    felt = toke_round(baccarat(), down=False, upon=True)
    felt.bets({2: "20"}, "enter").card(2, "5c")
    assert [(one[0], one[1]) for one in accused(felt)] == [("violation", "P366")]


def finished(felt: Felt) -> Felt:
    felt.collect_spot(2, "ante").pick_up_seat(2).hand("dealer", "seat1.ante").snap().pick_up_seat(1)
    return felt.collect_spot(1, "ante").cover_dice()


def test_greens_paid_with_a_black_are_at_most_suspected_at_every_table() -> None:
    felt = finished(two_antes(ante="green green green green", paid="black"))
    assert [(verdict, first) for verdict, first, _ in accused(felt)] == [("suspect", "P277")]


def test_a_larger_cheque_on_top_is_told_at_every_table() -> None:
    felt = finished(two_antes(ante="red red green", paid="red red green"))
    assert [(verdict, first) for verdict, first, _ in accused(felt)] == [("violation", "P222")]


@pytest.mark.parametrize("recognised", [True, False])
def test_in_footage_the_order_of_a_stack_is_at_most_suspected(recognised: bool) -> None:
    felt = finished(two_antes(ante="red red green", paid="red red green"))
    thresholds = RECOGNISED if recognised else Thresholds()
    (one,) = audit_states(felt.states, felt.profile, thresholds=thresholds).rounds
    told = {found.procedures[0]: found.verdict.value for found in one.findings}
    assert told["P222"] == ("suspect" if recognised else "violation")


def test_a_push_passed_over_is_out_of_turn_when_its_cards_go_later() -> None:
    """Ten and seven score 17 with the dice, a push; seat 1 has 19 and is paid before it (000:L51)."""
    felt = shoot().bets({1: "10", 2: "20"}, "ante").card(1, "Tc").card(2, "8s").roll(4, 5)
    felt.pay_spot(1, "ante", "10").pick_up_seat(1).pick_up_seat(2).collect_spot(1, "ante").cover_dice()
    assert [(verdict, first) for verdict, first, _ in accused(felt)] == [("violation", "P028")]


def test_a_push_whose_cards_go_in_its_turn_is_right() -> None:
    felt = shoot().bets({1: "10", 2: "20"}, "ante").card(1, "Tc").card(2, "8s").roll(4, 5)
    felt.pick_up_seat(2).pay_spot(1, "ante", "10").pick_up_seat(1).collect_spot(1, "ante").cover_dice()
    assert accused(felt) == []


def test_a_wager_paid_in_several_piles_is_one_payment_in_the_contract() -> None:
    felt = two_antes(ante="green red red", paid="green")
    felt.hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.pay.x", "red red", felt.at("seat2.ante", 0.0, 42.0))
    felt = finished(felt.snap())
    (one,) = audited(felt).to_json()["rounds"]
    assert [(pay["seat"], pay["bet"], pay["amount"]) for pay in one["pays"]] == [(2, "ante", "35.00")]
    assert one["pays"][0]["first_ms"] < one["pays"][0]["last_ms"]


def test_a_payment_beside_a_payment_counts_where_it_stands_beside_the_zone() -> None:
    """Its piles in a row reach past the edge of the zone, more than 80 mm from the wager."""
    felt = two_antes(ante="green red red", paid="green")
    x, y = felt.at("seat2.ante")
    felt.hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.pay.x", "red red", (x, y - 87.0))
    felt = finished(felt.snap())
    assert accused(felt) == []
