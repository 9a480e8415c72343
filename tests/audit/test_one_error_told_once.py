"""One error of the dealer is told once, and not again as what looks like another."""

from __future__ import annotations

from tests.audit.asking import accused, audited, only_round
from tests.audit.pairs.deal import start
from tests.audit.pairs.dice import dicey, shoot
from tests.audit.pairs.hands import toked
from tests.audit.pairs.other_games import lucky
from tests.audit.pairs.pair import put
from tests.notation import Felt, wide_profile


def table(*bets: str, game: str = "blackjack") -> Felt:
    return Felt(wide_profile(game, bets or ("main",), seats=2))


def test_second_card_on_a_double_that_nobody_asked_for_follows_from_the_double() -> None:
    """Two cards at once on a doubled hand: P317, and P194 because of it."""
    felt = table().bets({1: "10", 2: "10"}).deal({1: "5h 6c", 2: "Ts 9c"}, dealer="6d Ts")
    felt.hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.double.1", "10", felt.at("seat1.main", 45.0))
    felt.snap().card(1, "2d", sideways=True, snap=False).card(1, "8c", sideways=True)
    felt.hand("player", "seat2.cards", seat=2).snap().turn().dealer_hits("9s")
    for seat, spot in ((2, "main.1"), (1, "main.1"), (1, "double.1")):
        felt.pay(seat, "10", beside=spot)
    told = only_round(felt.collect(2).collect(1).pick_up()).findings
    accusing = [one for one in told if one.verdict.value != "undetermined"]
    assert [(one.procedures[0], one.because_of is None) for one in accusing] == [("P317", True), ("P194", False)]


def test_cards_to_a_bill_on_a_betting_spot_are_no_cards_to_an_empty_box() -> None:
    """The bill is the wager, which the dealer had to convert (004:L685)."""
    felt = table().bets({2: "10"}).hand("player", "seat1.main", seat=1)
    put(felt, "bill", "bill", felt.at("seat1.main"), angle_deg=0.0, amount="20.00", side="up")
    felt.snap().deal({1: "Ts 9c", 2: "Th 8c"}, dealer="Td 8s").turn().pat(2).collect(2).pick_up()
    assert accused(felt) == [("violation", "P183", None)]
    assert [one.seat for one in only_round(felt).findings if one.procedures[0] == "P183"] == [1]


def test_bill_for_an_ante_is_told_by_the_blackjack_manual_s_procedure() -> None:
    """000 has none of its own for currency in play (contracts/audit.md)."""
    felt = shoot().bets({2: "20"}, "ante").hand("player", "seat1.ante", seat=1)
    put(felt, "bill", "bill", felt.at("seat1.ante"), angle_deg=0.0, amount="20.00", side="up")
    felt.snap().card(1, "Ts").card(2, "Th").roll(4, 5).pay_spot(2, "ante", "20").collect_spot(2, "ante")
    felt.pick_up_seat(2)
    felt.remove("bill")
    felt.hand("dealer", "seat1.ante", "rack").snap().pick_up_seat(1)
    assert accused(felt.cover_dice()) == [("violation", "P183", None)]


def exposed() -> Felt:
    """The dealer's second card comes face up beside the first, which is turned before anyone draws (004:L778)."""
    felt = table().bets({1: "10"}).card(1, "5h").dealer_card("up", "back", -250.0).card(1, "6c")
    felt.dealer_card("hole", "9h", -175.0)
    felt.hand("dealer", "dealer.cards")
    felt.put_card("d.up", "Kd", felt.at("dealer.cards", -250.0), 0.0)
    felt.snap().hit(1, "8d").hand("player", "seat1.cards", seat=1).snap()
    return felt.pat(1).collect(1).pick_up()


def test_hole_card_shown_instead_of_the_up_card_may_be_that_as_well_as_turned_early() -> None:
    told = [one for one in only_round(exposed()).findings if one.verdict.value == "suspect"]
    assert [one.procedures for one in told if "P252" in one.procedures] == [("P236", "P252")]


def test_face_in_the_rack_after_a_shuffle_is_the_burn_card_and_no_hand() -> None:
    """The card that was burnt face up lies alone in the rack, which was emptied before (P398)."""
    felt = table(game="double_deck").bets({1: "10"}).deal({1: "Ts 9c"}, dealer="Td 9s")
    put(felt, "discards", "discards", felt.at("discard"), height_mm=30.0)
    felt.snap().turn().pat(1).collect(1).pick_up()
    felt.hand("dealer", "discard").remove("discards")
    felt.snap().hand("dealer", "dealer.cards").snap().hand("dealer", "shoe", "discard")
    put(felt, "burnt", "card", felt.at("discard"), card="9c", angle_deg=0.0)
    felt.snap()
    assert "P286" not in {procedure for _, procedure, _ in accused(felt)}


def test_block_bonus_that_is_late_as_the_dealers_first_card_came_face_up_follows_from_that() -> None:
    told = only_round(lucky("Kd 5d", down=False, block="5")).findings
    first_up = next(place for place, one in enumerate(told) if one.procedures == ("P095",))
    assert [one.because_of for one in told if one.procedures == ("P096",)] == [first_up]


def test_push_of_a_wager_that_its_player_took_back_is_not_patted() -> None:
    felt = start(table(), {1: "Th 9c", 2: "Ts 8c"}, "Td 8s")
    felt.hand("player", "seat2.main", seat=2).remove("s2.main.1")
    felt.snap().turn().pay(1, "10").collect(1).pick_up()
    assert {one[1] for one in accused(felt)} == {"P206"}


def test_toke_left_up_is_told_in_the_round_that_it_won_and_not_in_the_next() -> None:
    """The dealer, who takes it to be down, settles it no more: P366, and no P371."""
    felt = toked("pay:m pay:t collect:m").bets({2: "10"}).deal({2: "Ts 9c"}, dealer="Tc 8h").turn()
    felt.pay_spot(2, "main", "10").collect_spot(2, "main").pick_up()
    assert [[one.procedures for one in round_.findings] for round_ in audited(felt).rounds] == [[("P366",)], []]


def test_second_card_of_a_seat_without_an_ante_is_no_hit_before_its_time() -> None:
    """It comes after another seat has drawn: P046, and P047 because of it."""
    felt = dicey().bets({2: "20"}, "ante").bets({1: "5"}, "chuck3").card(1, "9h").card(2, "3d")
    felt.hand("player", "seat2.cards", seat=2).card(2, "6s").card(1, "4c").roll(4, 5)
    felt.take_spot(2, "ante").take_spot(1, "chuck3").pick_up_seat(2).pick_up_seat(1)
    told = [one for one in only_round(felt.cover_dice()).findings if one.verdict.value != "undetermined"]
    assert {(one.procedures[0], one.because_of is None) for one in told} >= {("P046", True), ("P047", False)}
