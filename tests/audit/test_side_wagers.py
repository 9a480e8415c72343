"""Insurance, Trilux and Super 3 at a blackjack table (004)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, found, only_round
from tests.audit.pairs.side_bets import settled_main
from tests.notation import Felt, wide_profile


@pytest.fixture
def table() -> Felt:
    return Felt(wide_profile("blackjack", ("trilux", "super3", "blazing7", "main", "toke"), finder=False))


def test_insurance_paid_two_to_one_on_a_dealer_blackjack_is_right(table: Felt) -> None:
    table.bets({2: "100"}).deal({2: "Th 9c"}, dealer="Ad Ks").insure(2, "50").turn()
    table.take_spot(2, "main").pay_spot(2, "insurance", "100").collect_spot(2, "insurance").pick_up()
    assert found(table) == []
    assert [(w.key.bet, str(w.amount)) for w in only_round(table).observed.round.wagers] == [
        ("main", "100"),
        ("insurance", "50"),
    ]


def test_insurance_paid_evenly_on_a_dealer_blackjack_is_short(table: Felt) -> None:
    table.bets({2: "100"}).deal({2: "Th 9c"}, dealer="Ad Ks").insure(2, "50").turn()
    table.take_spot(2, "main").pay_spot(2, "insurance", "50").collect_spot(2, "insurance").pick_up()
    assert accused(table) == [("violation", "P280", "-50.00")]


def test_lost_insurance_collected_at_once_is_right(table: Felt) -> None:
    table.bets({2: "100"}).deal({2: "Th 6c"}, dealer="Ad 8s").insure(2, "50").take_spot(2, "insurance")
    table.hit(2, "5d").turn().pay_spot(2, "main", "100").collect_spot(2, "main").pick_up()
    assert found(table) == []


def test_lost_insurance_collected_after_a_hit_breaks_p313(table: Felt) -> None:
    table.bets({2: "100"}).deal({2: "Th 6c"}, dealer="Ad 8s").insure(2, "50").hit(2, "5d")
    table.take_spot(2, "insurance").turn().pay_spot(2, "main", "100").collect_spot(2, "main").pick_up()
    assert accused(table) == [("violation", "P313", None)]


@pytest.mark.parametrize(("hole", "told"), [("8s", [("violation", "P313", None)]), ("Ts", [])])
def test_lost_insurance_that_still_lies_when_the_hole_card_is_turned_breaks_p313(
    table: Felt, hole: str, told: list[tuple[str, str, str | None]]
) -> None:
    table.bets({2: "100"}).deal({2: "Th 9c"}, dealer=f"Ad {hole}").insure(2, "50").turn()
    table.take_spot(2, "insurance").pat(2).collect_spot(2, "main").pick_up()
    assert [one for one in accused(table) if one[1] == "P313"] == told


def test_insurance_against_a_ten_breaks_p302(table: Felt) -> None:
    table.bets({2: "100"}).deal({2: "Th 9c"}, dealer="Kd 8s").insure(2, "50").take_spot(2, "insurance").turn()
    table.pay_spot(2, "main", "100").collect_spot(2, "main").pick_up()
    assert accused(table) == [("violation", "P302", None)]


def test_insurance_over_half_breaks_p304(table: Felt) -> None:
    table.bets({2: "100"}).deal({2: "Th 9c"}, dealer="Ad 8s").insure(2, "75").take_spot(2, "insurance").turn()
    table.pat(2).collect_spot(2, "main").pick_up()
    assert accused(table) == [("violation", "P304", None)]


def blackjack_of_two_colours(felt: Felt, *piles: str) -> Felt:
    """A blackjack against an ace on 30.00 in green and red, cut into both colours and paid pile by pile."""
    felt.bets({2: "green red"}).deal({2: "Ah Kc"}, dealer="Ad 8s").hand("dealer", "seat2.main")
    for number, (colour, away) in enumerate((("green", -22.0), ("red", 22.0)), start=1):
        felt.put_chips(f"s2.main.{number}", colour, felt.at("seat2.main", 0.0, away))
    felt.snap()
    for number, pile in enumerate(piles):
        felt.hand("dealer", "rack", "seat2.main")
        spot = felt.at("seat2.main", 43.0 * (1 + number // 2), -22.0 + 44.0 * (number % 2))
        felt.put_chips(f"s2.pay.{number}", pile, spot)
        felt.snap()
    return felt.collect(2).turn().pick_up()


def test_even_money_paid_on_a_bet_of_two_colours_is_all_that_was_paid(table: Felt) -> None:
    assert found(blackjack_of_two_colours(table, "green", "red")) == []


def test_blackjack_paid_in_piles_of_which_the_first_equals_the_bet_is_no_even_money(table: Felt) -> None:
    table.bets({2: "50"}).deal({2: "Ah Kc"}, dealer="Ad 8s")
    for spot in ("ace_finder", "dealer.cards"):
        table.hand("dealer", "dealer.cards", spot).snap()
    table.pay(2, "50").pay(2, "25", beside="pay.0").collect(2).pick_up_seat(2).turn().pick_up()
    (play,) = only_round(table).observed.round.seats.values()
    assert not play.even_money
    assert "P280" not in {procedure for _, procedure, _ in accused(table)}


def test_trilux_winner_taken_is_told_as_that_and_not_as_out_of_order(table: Felt) -> None:
    """The losers are taken first; the winner at their right is taken when the winners are paid."""
    table.bets({1: "10", 2: "10"}).bets({1: "5", 2: "5"}, "trilux")
    table.deal({1: "2c 7s", 2: "Th 7h"}, dealer="9h Ks").take_spot(1, "trilux").take_spot(2, "trilux").turn()
    assert accused(table.take_spot(2, "main").take_spot(1, "main").pick_up()) == [("violation", "P385", "-50.00")]


def test_even_money_paid_at_once_is_right(table: Felt) -> None:
    table.bets({2: "100"}).deal({2: "Ah Kc"}, dealer="Ad 8s").pay_spot(2, "main", "100").collect_spot(2, "main")
    table.turn().pick_up()
    assert found(table) == []


def trilux(table: Felt, cards: str, up: str) -> Felt:
    return table.bets({2: "100"}).bets({2: "10"}, "trilux").bets({2: "5"}, "super3").deal({2: cards}, dealer=f"{up} 8s")


def test_trilux_flush_paid_nine_to_one_and_super_3_taken_is_right(table: Felt) -> None:
    trilux(table, "Th 7h", "9h").take_spot(2, "super3").pay_spot(2, "trilux", "90").collect_spot(2, "trilux")
    settled_main(table)
    assert found(table) == []


def test_super_3_straight_flush_taken_is_short_by_stake_and_180_to_one(table: Felt) -> None:
    trilux(table, "Th 8h", "9h").pay_spot(2, "trilux", "90").collect_spot(2, "trilux").take_spot(2, "super3")
    table.turn().pay_spot(2, "main", "100").collect_spot(2, "main").pick_up()
    assert accused(table) == [("violation", "P385", "-905.00")]


def test_trilux_flush_paid_short_breaks_p385(table: Felt) -> None:
    trilux(table, "Th 7h", "9h").take_spot(2, "super3").pay_spot(2, "trilux", "50").collect_spot(2, "trilux")
    settled_main(table)
    assert accused(table) == [("violation", "P385", "-40.00")]


def test_trilux_loser_left_breaks_p385(table: Felt) -> None:
    trilux(table, "Th 7c", "9h").take_spot(2, "super3").turn().pat(2)
    table.collect_spot(2, "trilux").collect_spot(2, "main").pick_up()
    assert accused(table) == [("violation", "P385", "10.00")]


def test_super_3_without_the_bonus_breaks_p377(table: Felt) -> None:
    table.bets({2: "100"}).bets({2: "5"}, "super3").deal({2: "Th 7c"}, dealer="9h 8s").take_spot(2, "super3")
    settled_main(table)
    assert accused(table) == [("violation", "P377", None)]


PAID = "green green green red red red"


def lifted_before_the_rack(table: Felt, *, paid: bool) -> Felt:
    """The dealer's hand lifts a Trilux that wins nine to one, stacked with its payment if paid, then cuts another."""
    trilux(table, "Th 7h", "9h").take_spot(2, "super3")
    if paid:
        table.hand("dealer", "seat2.trilux").put_chips("s2.trilux.1", f"red red {PAID}", table.at("seat2.trilux"))
        table.snap()
    table.hand("dealer", "seat2.trilux").hand("dealer", "rack").remove("s2.trilux.1")
    table.snap()
    return table.turn().pat(2).collect_spot(2, "main").pick_up()


def test_trilux_paid_in_one_pile_that_goes_as_the_dealer_fetches_cheques_is_not_taken_for_certain(table: Felt) -> None:
    assert accused(lifted_before_the_rack(table, paid=True)) == []
    assert [str(pay.amount) for pay in only_round(table).observed.pays] == ["90"]


def test_trilux_winner_lifted_unpaid_before_the_rack_is_taken(table: Felt) -> None:
    assert ("violation", "P385") in {one[:2] for one in accused(lifted_before_the_rack(table, paid=False))}


def test_trilux_outside_its_limits_breaks_p386(table: Felt) -> None:
    table.bets({2: "100"}).bets({2: "1"}, "trilux").deal({2: "Th 7c"}, dealer="9h 8s").take_spot(2, "trilux")
    settled_main(table)
    assert accused(table) == [("violation", "P386", None)]


@pytest.mark.parametrize(("vip", "told"), [("false", [("violation", "P386")]), ("true", [])])
def test_super3_may_be_two_hundred_in_the_vip_room(vip: str, told: list[tuple[str, str]]) -> None:
    """004:L1057-1058."""
    felt = Felt(wide_profile("blackjack", ("trilux", "super3", "main"), extra=f"[variant]\nvip = {vip}\n"))
    felt.bets({2: "100"}).bets({2: "5"}, "trilux").bets({2: "200"}, "super3").deal({2: "Th 7c"}, dealer="9h 8s")
    settled_main(felt.take_spot(2, "trilux").take_spot(2, "super3"))
    assert [one[:2] for one in accused(felt)] == told


def test_a_winner_that_went_while_its_spot_was_covered_until_the_cards_were_away_is_not_told_as_taken() -> None:
    felt = Felt(wide_profile("blackjack", ("main",))).bets({1: "10", 2: "10"})
    felt.deal({1: "Th 9c", 2: "Ts 9d"}, dealer="Td 8s").turn()
    covered = len(felt.states)
    felt.take(2, "main.1").pay(1, "10").collect(1).pick_up().snap()
    assert ("violation", "P281") in {one[:2] for one in accused(felt)}
    felt.states[covered:-1] = [replace(one, covered=one.covered | {"seat2.main"}) for one in felt.states[covered:-1]]
    assert accused(felt) == []


def test_toke_stands_in_the_tokes_and_not_among_the_bets(table: Felt) -> None:
    table.bets({2: "100"}).bets({2: "5"}, "toke").deal({2: "8h 9h"}, dealer="9c 8s")
    table.turn().pat(2).collect_spot(2, "main").pick_up()
    one = only_round(table).observed
    assert [(toke.key.seat, str(toke.amount)) for toke in one.tokes] == [(2, "5")]
    assert [wager.key.bet for wager in one.round.wagers] == ["main"]


def test_double_deck_double_over_the_wager_breaks_p392() -> None:
    felt = Felt(wide_profile("double_deck", ("trilux", "main"), finder=False))
    felt.bets({2: "50"}).deal({2: "6h 5c"}, dealer="Td 9s")
    felt.hand("player", "seat2.main", seat=2).put_chips("s2.double.1", "100", felt.at("seat2.main", 38.0))
    felt.snap().card(2, "8h", sideways=True).turn().pat(2).hand("player", "seat2.main", seat=2)
    for name in ("s2.main.1", "s2.double.1"):
        felt.remove(name)
    assert accused(felt.snap().pick_up()) == [("violation", "P392", None)]


def test_third_copy_of_a_card_breaks_p391_with_two_decks() -> None:
    felt = Felt(wide_profile("double_deck", ("trilux", "main"), finder=False))
    for _ in range(3):
        felt.bets({2: "50"}).deal({2: "9h Tc"}, dealer="Kd 9s").turn().pat(2).collect(2).pick_up()
    assert ("violation", "P391", None) in accused(felt)


def test_side_wagers_settled_after_one_hit_are_one_act(table: Felt) -> None:
    table.bets({1: "100", 2: "100"}).bets({1: "5", 2: "5"}, "trilux").deal({1: "Th 4c", 2: "Ts 9d"}, dealer="8c 9s")
    table.hit(1, "5d").take_spot(2, "trilux").take_spot(1, "trilux").turn()
    for seat in (2, 1):
        table.pay_spot(seat, "main", "100").collect_spot(seat, "main")
    late = [one for one in only_round(table.pick_up()).findings if one.code == "side-wager-late"]
    assert sorted((one.bet.seat, one.because_of is None) for one in late if one.bet) == [(1, True), (2, False)]


@pytest.mark.parametrize(("sent", "told"), [(True, []), (False, ["P385"])])
def test_paid_trilux_sent_out_by_an_arm_that_lies_over_the_rack_was_not_taken(*, sent: bool, told: list[str]) -> None:
    """Bet and payment are stacked and stand before the player, in no zone, when they are gone from the spot."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), seats=1)).bets({1: "25"}).bets({1: "5"}, "trilux")
    felt.deal({1: "Th 9h"}, dealer="2h 8c").pay_spot(1, "trilux", "red " * 8 + "red")
    felt.hand("dealer", "seat1.trilux", "rack")
    for name in felt.names("s1.trilux."):
        felt.remove(name)
    if sent:
        x, y = felt.at("seat1.trilux")
        felt.put_chips("sent", "red " * 9 + "red", (x, y + 200.0))
    felt.snap().turn().dealer_hits("Tc").take(1, "main.1").pick_up()
    assert [one[1] for one in accused(felt) if one[1] in ("P385", "P383")] == told


@pytest.mark.parametrize(("later", "told"), [(True, []), (False, ["P385"])])
def test_trilux_that_stands_with_more_before_its_player_a_moment_later_was_not_taken_for_certain(
    *, later: bool, told: list[str]
) -> None:
    """In footage the pile at the picture's border was seen two seconds after it had been put down."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), seats=1)).bets({1: "25"}).bets({1: "5"}, "trilux")
    felt.deal({1: "Th 9h"}, dealer="2h 8c").hand("dealer", "rack").hand("dealer", "seat1.trilux", "seat1.main")
    felt.remove("s1.trilux.1")
    felt.snap().snap().hand("dealer", "rack")
    if later:
        x, y = felt.at("seat1.trilux")
        felt.put_chips("sent", "green red red red red", (x, y + 180.0))
    felt.snap().turn().dealer_hits("Tc").take(1, "main.1").pick_up()
    assert [one[1] for one in accused(felt) if one[1] in ("P385", "P383")] == told


def test_cheques_of_a_buy_in_on_the_line_before_and_after_a_round_are_no_insurance() -> None:
    """Both times the same cheques stand there; in between no look shows any."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1))

    def bought() -> None:
        felt.hand("dealer", "rack").put_chips("sent", "red red red red red", felt.at("insurance"))
        felt.snap().snap().hand("dealer", "rack").remove("sent")
        felt.snap().snap()

    bought()
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="5d 8s").turn().dealer_hits("6c").pat(1).collect(1).pick_up()
    bought()
    assert [wager.key.bet for wager in only_round(felt).observed.round.wagers] == ["main"]
    assert "P302" not in {procedure for _, procedure, _ in accused(felt)}


def test_paid_trilux_that_the_player_reached_for_before_the_dealers_arm_passed_was_not_taken() -> None:
    """A hand over a wager that was paid already is no signal, before the hole card is turned as well."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), seats=1)).bets({1: "25"}).bets({1: "5"}, "trilux")
    felt.deal({1: "Th 9h"}, dealer="2h 8c").pay_spot(1, "trilux", "red " * 8 + "red")
    felt.hand("player", "seat1.trilux", seat=1).hand("dealer", "seat1.trilux", "rack")
    for name in felt.names("s1.trilux."):
        felt.remove(name)
    felt.snap().turn().dealer_hits("Tc").take(1, "main.1").pick_up()
    assert accused(felt) == []


@pytest.mark.parametrize(("bare", "told"), [(0, ["P380"]), (1, ["P380"]), (2, [])])
def test_trilux_gone_before_the_first_hit_is_not_the_one_laid_there_for_the_next_round(
    bare: int, told: list[str]
) -> None:
    """Who took it was not seen; of a loser left there for the hits, a look may miss it as it comes back."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), seats=2, finder=False)).bets({1: "25", 2: "25"})
    felt.bets({1: "5"}, "trilux").deal({1: "Th 4h", 2: "Ts 9s"}, dealer="8d 9c")
    if bare:
        felt.remove("s1.trilux.1")
    for _ in range(bare):
        felt.snap()
    if bare == 1:
        felt.put_chips("s1.trilux.1", "5", felt.at("seat1.trilux"))
    felt.hit(1, "5c")
    for name in felt.names("s1.trilux.1"):
        felt.remove(name)
    felt.snap().pat(2).turn().pay_spot(2, "main", "25").collect_spot(2, "main").pay_spot(1, "main", "25")
    felt.collect_spot(1, "main").pick_up().hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.main.2", "25", felt.at("seat2.main"))
    felt.snap().hand("player", "seat1.trilux", seat=1)
    felt.put_chips("s1.trilux.2", "5", felt.at("seat1.trilux"))
    felt.snap().snap()
    assert [ids for verdict, ids, _ in accused(felt) if verdict == "violation"] == told


@pytest.mark.parametrize(("seat", "known"), [(1, True), (2, False), (None, False)])
def test_paid_trilux_that_its_player_fetched_before_the_dealer_came_to_the_rack_was_handed_over(
    seat: int | None, known: bool
) -> None:
    """All in one gap: he put it together, the player's hand came, and then he went on to another's, which lost."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), seats=2)).bets({1: "25", 2: "25"})
    felt.bets({1: "5", 2: "5"}, "trilux").deal({1: "Th 9h", 2: "Ts 8s"}, dealer="2h 8c")
    felt.pay_spot(1, "trilux", "red " * 8 + "red").hand("dealer", "seat1.trilux")
    if seat is not None:
        felt.hand("player", "seat1.main", seat=seat)
    felt.hand("dealer", "seat2.trilux", "rack")
    for name in [*felt.names("s1.trilux."), *felt.names("s2.trilux.")]:
        felt.remove(name)
    felt.snap().pat(1).pat(2).turn().dealer_hits("Td").pick_up()
    unseen = [one for one in only_round(felt).findings if "P385" in one.procedures and one.bet and one.bet.seat == 1]
    assert [one.verdict.value for one in unseen] == ([] if known else ["undetermined"])


def test_more_than_the_wager_that_its_player_fetches_is_its_payment_too(table: Felt) -> None:
    """P206: Trilux pays 9 to 1 by a hand that no look lists over the spot; ten reds stand there as one pile."""
    table.bets({2: "20"}).bets({2: "red"}, "trilux").deal({2: "Th 9c"}, dealer="8d Ks").hand("dealer", "rack").snap()
    table.put_chips("s2.trilux.1", " ".join(["red"] * 10), table.things["s2.trilux.1"].xy_mm)
    table.snap().hand("player", "seat2.trilux", seat=2).remove("s2.trilux.1")
    table.snap().turn().pay(2, "20").collect(2).pick_up()
    assert "P206" not in {procedure for _, procedure, _ in accused(table)}


@pytest.mark.parametrize(
    ("zones", "procedure"), [(("seat1.trilux",), "P385"), (("seat1.trilux", "seat1.main"), "P206")]
)
def test_winning_trilux_that_the_dealer_passed_over_and_its_player_lifted_was_not_paid(
    table: Felt, zones: tuple[str, ...], procedure: str
) -> None:
    """The dealer has taken the loser at seat 2; an arm over more than the side wagers may only have gone past."""
    table.bets({1: "10", 2: "10"}).bets({1: "5", 2: "5"}, "trilux")
    table.deal({1: "Th 7h", 2: "2c 7s"}, dealer="9h Ks").take_spot(2, "trilux")
    table.hand("dealer", *zones).snap().hand("player", "seat1.trilux", seat=1).remove("s1.trilux.1")
    table.snap().turn().take_spot(2, "main").take_spot(1, "main").pick_up()
    assert [one[:2] for one in accused(table)] == [("violation", procedure)]


@pytest.mark.parametrize("sides", [("dealer", "player"), ("player", "dealer")])
@pytest.mark.parametrize(
    ("cards", "pile", "told"),
    [
        ("Th 7h", "red red green green green red red red", []),
        ("Th 7c", "red red red red", [("suspect", "P385", "20.00")]),
    ],
)
def test_trilux_that_grew_under_hands_of_both_sides_after_the_deal_was_paid(
    table: Felt, sides: tuple[str, str], cards: str, pile: str, told: list[tuple[str, str, str]]
) -> None:
    """Side wagers are settled from the deal on, as main ones from the reveal: an arm that passes raises nothing."""
    table.bets({2: "100"}).bets({2: "10"}, "trilux").deal({2: cards}, dealer="9h 8s")
    for side in sides:
        table.hand(side, "seat2.trilux", seat=1 if side == "player" else None)
    table.put_chips("s2.trilux.1", pile, table.at("seat2.trilux"))
    table.snap()
    table.take_spot(2, "trilux") if told else table.collect_spot(2, "trilux")
    settled_main(table)
    assert accused(table) == told


def test_trilux_that_grew_under_hands_of_both_sides_in_the_deal_was_not_paid(table: Felt) -> None:
    """By then nothing settles it: seat 2 has one card."""
    table.bets({2: "100"}).bets({2: "10"}, "trilux").card(2, "Th")
    for side in ("dealer", "player"):
        table.hand(side, "seat2.trilux", seat=2 if side == "player" else None)
    table.put_chips("s2.trilux.1", "red red red red", table.at("seat2.trilux"))
    table.snap().dealer_card("up", "back", -250.0).card(2, "7c").hand("dealer", "dealer.cards", "shoe")
    table.put_card("d.up", "9h", table.at("dealer.cards", -250.0), 0.0)
    table.put_card("d.hole", "back", table.at("dealer.cards", -244.0, -6.0), 0.0)
    table.hole = "8s"
    table.snap().take_spot(2, "trilux")
    settled_main(table)
    assert "P378" in {one[1] for one in found(table)}
    assert only_round(table).observed.pays == ()
