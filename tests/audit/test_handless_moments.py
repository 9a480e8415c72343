"""What a hand did that no state tells of: a card dealt, a bet broken down, last round's cheques collected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, audited, found
from tests.notation import Felt, wide_profile


@pytest.fixture
def felt() -> Felt:
    return Felt(wide_profile("blackjack", ("main",), rules="shoe-six-deck", finder=False))


def dealt_in_one_gap(felt: Felt, *, told: bool) -> Felt:
    """All of the deal comes between two states; ``told``: with the hand that brought the dealer's first card."""
    felt.bets({2: "20"}).card(2, "Tc", snap=False)
    first = felt.hand("dealer", "dealer.cards", "shoe").hands.pop()
    felt.hands += [first] if told else []
    felt.card(2, "9c", snap=False).hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "9h", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.hole = "9d"
    return felt.snap().turn().pay(2, "20").collect(2).pick_up()


@pytest.mark.parametrize("told", [True, False])
def test_deal_in_one_gap_is_in_order_though_a_hand_is_missing(felt: Felt, told: bool) -> None:
    assert accused(dealt_in_one_gap(felt, told=told)) == []


def test_dealers_first_card_after_a_second_one_is_told(felt: Felt) -> None:
    felt.bets({1: "20", 2: "20"}).card(1, "Tc").card(2, "9c").card(1, "9d").dealer_card("up", "back", -250.0)
    felt.card(2, "Td").hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "9h", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.hole = "8d"
    felt.snap().turn().pay(2, "20").pay(1, "20").collect(1).collect(2).pick_up()
    assert [one[:2] for one in accused(felt)] == [("violation", "P233")]


def of_two_colours(felt: Felt) -> Felt:
    return felt.bets({2: "35"}).deal({2: "Tc 9c"}, dealer="9h 9d").turn()


def broken_down(felt: Felt, *payments: str, seen: bool = False) -> Felt:
    """Nobody is seen to break the bet down, or the dealer is; the payments are laid beside its piles."""
    felt.hand("dealer", "seat2.main") if seen else None
    x, y = felt.things.pop("s2.main.1").xy_mm
    felt.put_chips("s2.main.1", "25", (x, y - 22.0))
    felt.put_chips("s2.main.2", "10", (x, y + 22.0))
    felt.snap()
    for number, text in enumerate(payments):
        felt.hand("dealer", "rack", "seat2.main")
        felt.put_chips(f"s2.pay.{number}", text, (x + 42.0, y - 22.0 + 44.0 * number))
        felt.snap()
    return felt


def test_bet_broken_down_out_of_sight_is_one_bet(felt: Felt) -> None:
    assert accused(broken_down(of_two_colours(felt), "25", "10").collect(2).pick_up()) == []


def test_bet_broken_down_out_of_sight_and_paid_short_is_told(felt: Felt) -> None:
    short = broken_down(of_two_colours(felt), "25", "5").collect(2).pick_up()
    assert [one[1:] for one in accused(short)] == [("P280", "-5.00")]


def test_payment_where_that_of_the_round_before_lay_is_no_part_of_the_stake(felt: Felt) -> None:
    """No hand was told of that collected the first; the dealer's lays the second."""
    broken_down(of_two_colours(felt), "25", "10").pick_up()
    for name in felt.names("s2."):
        felt.remove(name)
    felt.snap().snap()
    broken_down(of_two_colours(felt), "25", "10", seen=True).collect(2).pick_up()
    assert accused(felt) == []
    assert [str(one.amount) for one in audited(felt).rounds[1].observed.round.wagers] == ["35"]


def test_late_ante_makes_the_raise_that_goes_by_it_no_error_of_its_own() -> None:
    felt = Felt(wide_profile("draw_n_shoot_21", ("ante", "raise", "craps"))).bets({2: "20"}, "ante").card(2, "Tc")
    felt.hand("player", "seat2.ante", seat=2).put_chips("s2.ante.1", "25", felt.at("seat2.ante"))
    felt.snap().bets({2: "50"}, "raise")
    findings = audited(felt.roll(2, 3, colours=("red", "red"))).rounds[0].findings
    ratio = next(one for one in findings if one.code == "raise-size")
    assert ratio.because_of is not None
    assert "P013" in findings[ratio.because_of].procedures


def test_misread_part_of_a_bet_tells_nothing_of_the_order_of_paying(felt: Felt) -> None:
    """The red pile is read a cheque too high in the one look that shows the bet broken down."""
    of_two_colours(felt).hand("dealer", "seat2.main")
    x, y = felt.things.pop("s2.main.1").xy_mm
    felt.put_chips("s2.main.1", "red red red", (x, y - 22.0))
    felt.put_chips("s2.main.2", "25", (x, y + 22.0))
    felt.snap()
    felt.put_chips("s2.main.1", "red red", (x, y - 22.0))
    for number, text in enumerate(("25", "10")):
        felt.hand("dealer", "rack", "seat2.main")
        felt.put_chips(f"s2.pay.{number}", text, (x + 42.0, y + 22.0 - 44.0 * number))
    felt.snap().collect(2).pick_up()
    assert "P268" not in [one[1] for one in accused(felt)]


def test_insurance_beside_a_split_whose_bet_was_moved_stands_to_the_right_of_the_hand() -> None:
    """The bet's place on its spot does not turn the seat's axis."""
    felt = Felt(wide_profile("blackjack", ("main", "insurance"), rules="shoe-six-deck", finder=False))
    felt.bets({2: "20"}).deal({2: "8c 8d"}, dealer="Ah 7d")
    for name in ("d.up", "d.hole"):
        felt.things[name] = replace(felt.things[name], angle_deg=90.0)
    felt.hand("dealer", "dealer.cards").snap().hand("player", "seat2.insurance", seat=2)
    felt.put_chips("s2.insurance.1", "10", felt.at("seat2.insurance"))
    felt.snap().hand("dealer", "dealer.cards")
    for name in ("d.up", "d.hole"):
        felt.things[name] = replace(felt.things[name], angle_deg=0.0)
    felt.snap().take_spot(2, "insurance").split(2, "20").card(2, "Tc", hand=1)
    felt.hand("player", "seat2.cards", seat=2).card(2, "Th", hand=2).hand("player", "seat2.cards", seat=2).snap()
    felt.turn().take(2).pick_up()
    assert "P303" not in [one[1] for one in accused(felt)]


@pytest.mark.parametrize(("amount", "verdicts"), [("10", {"undetermined"}), ("15", {"suspect"})])
def test_what_a_blazing_seven_won_laid_by_nobody_that_was_seen_is_open(amount: str, verdicts: set[str]) -> None:
    """Nor was who lifted the wager off its sensor."""
    felt = Felt(wide_profile("blackjack", ("main", "blazing7"), rules="shoe-six-deck", finder=False))
    felt.bets({2: "20"}).bets({2: "5"}, "blazing7").deal({2: "7h 9c"}, dealer="8h Ts")
    felt.things["s2.blazing7.2"] = replace(
        felt.things["s2.blazing7.1"], xy_mm=felt.at("seat2.blazing7", 0.0, -42.0), stack=("red",) * (int(amount) // 5)
    )
    felt.snap().collect_spot(2, "blazing7").turn().take(2).pick_up()
    late = [one[0] for one in found(felt) if one[1] in ("P205", "P221", "P378", "P409")]
    assert set(late) == verdicts
