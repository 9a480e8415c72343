"""Acts that look like an error and are none, or like none and are one: side bets, insurance, the rack, the cup."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Finding
from audit.table import Zone
from tests.audit.asking import audited
from tests.audit.pairs.dice import dicey
from tests.audit.pairs.pair import put
from tests.audit.pairs.whole_shoes import blackjack, cards, shuffle, stand_all
from tests.notation import Felt, wide_profile

SIDES = ("trilux", "main")


def every(felt: Felt) -> list[Finding]:
    result = audited(felt)
    return [*(one for round_ in result.rounds for one in round_.findings), *result.findings]


def told(felt: Felt) -> list[str]:
    """The first procedure of whatever is found that is not left open and follows from nothing else."""
    found = [one for one in every(felt) if one.verdict.value != "undetermined" and one.because_of is None]
    return [one.procedures[0] for one in found]


def table(*bets: str, finder: bool = False) -> Felt:
    return Felt(wide_profile("blackjack", bets or ("main",), finder=finder))


def beside(felt: Felt, name: str, text: str, of: str, right: float) -> None:
    """Put cheques beside others, so far to the dealer's right."""
    x, y = felt.things[of].xy_mm
    felt.put_chips(name, text, (x + right, y))


# -- paying ------------------------------------------------------------------------------------------------------------
def won(felt: Felt, bet: str) -> Felt:
    """One player wins with 20 against 18."""
    return felt.bets({2: bet}).deal({2: "Td Kc"}, dealer="8s Th").turn()


def cut(felt: Felt, *parts: str) -> Felt:
    """The dealer cuts the wager into piles in a row, a payment is set before each."""
    felt.hand("dealer", "seat2.main").remove("s2.main.1")
    x, y = felt.at("seat2.main")
    for place, part in enumerate(parts):
        felt.put_chips(f"s2.main.{place + 1}", part, (x - 84.0 + 42.0 * place, y))
    return felt.snap()


def paid(felt: Felt, *parts: str) -> Felt:
    """Every part of the wager gets its own payment, nearer to the dealer."""
    for place, part in enumerate(parts):
        felt.hand("dealer", "rack", "seat2.main")
        x, y = felt.things[f"s2.main.{place + 1}"].xy_mm
        felt.put_chips(f"s2.pay.{place}", part, (x, y - 42.0))
        felt.snap()
    return felt.collect(2).pick_up()


def test_wager_cut_into_two_is_paid_in_two() -> None:
    half = "red red red"
    assert told(paid(cut(won(table(), "red red red red red red"), half, half), half, half)) == []


def test_payment_beside_the_zone_is_no_pile_of_the_round_before() -> None:
    """Lucky Draw Baccarat: what the player had collected lay in the round's first state, at the same place."""
    felt = table()
    for number in range(2):
        felt.bets({2: "25"}).deal({2: "Td Kc"}, dealer="8s Th").turn()
        felt.hand("dealer", "rack", "seat2.main")
        x, y = felt.at("seat2.main")
        assert felt.profile.zones_at((x, y - 60.0)) == ()
        felt.put_chips("s2.pay.0", "25", (x, y - 60.0))
        felt.things["s2.main.1"] = felt.things.pop("s2.main.1")  # a state lists it after its payment
        felt.snap()
        felt.collect(2).pick_up() if number else felt.pick_up().collect(2)
    assert told(felt) == []


@pytest.mark.parametrize(("green", "red", "wrong"), [("2", "2", []), ("2", "1", ["P280"]), ("3", "2", ["P280"])])
@pytest.mark.parametrize("on_top", [("green",), ("red",), ("green", "red")])
def test_wager_broken_down_by_colour_is_paid_on_its_piles_or_beside_them(
    green: str, red: str, wrong: list[str], on_top: tuple[str, ...]
) -> None:
    """Each colour is sized into its pile or laid beside it (004:L740): what came to any of the piles was paid."""
    felt = cut(won(table(), "green green red red"), "green green", "red red")
    for place, (colour, number) in enumerate((("green", green), ("red", red))):
        felt.hand("dealer", "rack", "seat2.main")
        x, y = felt.things[f"s2.main.{place + 1}"].xy_mm
        paid, top = " ".join([colour] * int(number)), colour in on_top
        name, where = (f"s2.main.{place + 1}", y) if top else (f"s2.pay.{place}", y - 42.0)
        felt.put_chips(name, f"{colour} {colour} {paid}" if top else paid, (x, where))
        felt.snap()
    assert [number for number in told(felt.collect(2).pick_up()) if number == "P280"] == wrong


def test_wager_paid_in_two_piles_without_being_cut_breaks_p263() -> None:
    felt = won(table(), "red red red red red red").pay(2, "red red red red")
    felt.hand("dealer", "rack", "seat2.main")
    beside(felt, "s2.pay.9", "red red", "s2.pay.0", 42.0)
    assert told(felt.snap().collect(2).pick_up()) == ["P263"]


def test_five_parts_of_a_wager_are_no_payments() -> None:
    five = "red red red red red"
    felt = cut(won(table(), " ".join([five] * 5)), five, five, five, five, five).hand("dealer", "rack", "seat2.main")
    x, y = felt.things["s2.main.1"].xy_mm
    felt.put_chips("s2.pay.0", "green green green green green", (x, y - 42.0))
    assert told(felt.snap().collect(2).pick_up()) == []


def test_payment_beside_a_payment_counts_however_far_the_wager_is() -> None:
    felt = table().bets({2: "20"}).deal({2: "Ad Kc"}, dealer="8s Th").turn()
    for place in (1, 2):
        felt.hand("dealer", "rack", "seat2.main")
        beside(felt, f"s2.pay.{place}", "15", "s2.main.1", 44.0 * place)
        felt.snap()
    assert told(felt.collect(2).pick_up()) == []


def test_wager_lifted_for_a_pile_of_wager_and_payment_was_not_taken() -> None:
    felt = won(table(), "red red red red red").hand("dealer", "rack", "seat2.main")
    beside(felt, "s2.pay.0", "green green", "s2.main.1", 44.0)
    felt.snap().remove("s2.main.1")
    assert told(felt.hand("dealer", "seat2.main", "rack").snap().collect(2).pick_up()) == ["P278"]


def test_craps_bet_paid_in_error_in_the_sweep_is_no_turn_out_of_order() -> None:
    felt = Felt(wide_profile("draw_n_shoot_21", ("craps", "ante", "raise")))
    felt.bets({1: "10"}, "craps").bets({1: "10", 2: "10"}, "ante").card(1, "5c", sideways=True).card(2, "9d")
    felt.roll(6, 4, colours=("white", "white")).pay_spot(1, "craps", "10").collect_spot(1, "craps")
    felt.pay_spot(2, "ante", "10").collect_spot(2, "ante").pick_up_seat(2)
    found = told(felt.take_spot(1, "ante").pick_up_seat(1).cover_dice())
    assert "P025" in found
    assert "P028" not in found


# -- side bets and insurance -------------------------------------------------------------------------------------------
def insured(*, first: str) -> Felt:
    """An ace is up; the losing Trilux bet, or a hit, comes before insurance is opened or after it; nobody insures."""
    felt = table(*SIDES).bets({2: "10"}).bets({2: "5"}, "trilux").deal({2: "5c 6d"}, dealer="As 7c")
    if first == "trilux":
        felt.take_spot(2, "trilux")
    if first == "hit":
        felt.take_spot(2, "trilux").hit(2, "7h")
    felt.hand("dealer", "dealer.cards")
    for name in ("d.up", "d.hole"):
        felt.put_card(name, felt.things[name].card or "back", felt.things[name].xy_mm, 90.0)
    felt.snap()
    if first == "insurance":
        felt.take_spot(2, "trilux")
    if first != "hit":
        felt.hit(2, "7h")
    felt.turn()
    return felt.pat(2).collect_spot(2, "main").pick_up()


@pytest.mark.parametrize(("first", "broken"), [("trilux", []), ("insurance", ["P299"]), ("hit", ["P237"])])
def test_side_bets_come_before_insurance_and_insurance_before_hits(first: str, broken: list[str]) -> None:
    assert [number for number in told(insured(first=first)) if number in ("P299", "P237")] == broken


@pytest.mark.parametrize("hidden", [False, True])
def test_insurance_before_a_box_without_a_hand_breaks_p303(hidden: bool) -> None:
    """Of a box whose cards are covered nobody knows whether it has a hand."""
    profile = wide_profile("blackjack", ("insurance", "main"), finder=False)
    felt = Felt(profile).bets({2: "10"}).deal({2: "Tc 9d"}, dealer="As 7c")
    for name in ("d.up", "d.hole"):
        x, y = felt.things[name].xy_mm
        felt.put_card(name, felt.things[name].card or "back", (x, y), 90.0)
    felt.hand("player", "seat1.insurance", seat=2).put_chips("s1.insurance.1", "5", felt.at("seat1.insurance"))
    felt.snap(covered=["seat1.cards"] if hidden else []).remove("s1.insurance.1")
    felt.hand("dealer", "seat1.insurance", "rack").snap().turn().pay(2, "10").collect(2)
    assert ("P303" in told(felt.pick_up())) == (not hidden)


def trilux(*, handed: bool) -> Felt:
    """Three of a kind on Trilux: paid, and handed over or left until the end of the round."""
    felt = table(*SIDES).bets({2: "10"}).bets({2: "5"}, "trilux").deal({2: "5c 5d"}, dealer="5s 7c")
    felt.pay_spot(2, "trilux", "45")
    if handed:
        felt.collect_spot(2, "trilux")
    felt.hit(2, "8h").turn().dealer_hits("Kd").pay_spot(2, "main", "10")
    felt.collect_spot(2, "main")
    if not handed:
        felt.collect_spot(2, "trilux")
    return felt.pick_up()


@pytest.mark.parametrize(("fetched", "says"), [(True, []), (False, ["P385"])])
def test_paid_trilux_that_the_dealer_lifts_with_a_hand_at_the_rack_is_the_players_if_he_fetches_it(
    fetched: bool, says: list[str]
) -> None:
    felt = table(*SIDES).bets({2: "10"}).bets({2: "5"}, "trilux").deal({2: "5c 5d"}, dealer="5s 7c")
    felt.pay_spot(2, "trilux", "45").hand("dealer", "seat2.trilux", "rack")
    for name in felt.names("s2.trilux"):
        felt.remove(name)
    felt.snap()
    if fetched:
        felt.hand("player", "seat2.trilux", seat=2)
    felt.hit(2, "8h").turn().dealer_hits("Kd").pay_spot(2, "main", "10").collect_spot(2, "main")
    assert told(felt.pick_up()) == says


def test_side_bet_that_stays_up_with_its_payment_breaks_p383() -> None:
    assert "P383" in told(trilux(handed=False))
    assert "P383" not in told(trilux(handed=True))


# -- cards -------------------------------------------------------------------------------------------------------------
def picked_up_early(*, first: bool) -> Felt:
    felt = table().bets({1: "10", 2: "10"}).deal({1: "Tc 8d", 2: "9c 7d"}, dealer="Ts 9h").turn().take_spot(2, "main")
    if first:
        felt.pick_up_seat(2)
    return felt.take_spot(1, "main").pick_up()


def test_hand_picked_up_while_another_wager_is_open_breaks_p287() -> None:
    assert told(picked_up_early(first=True)) == ["P287"]
    assert told(picked_up_early(first=False)) == []


@pytest.mark.parametrize(("drawn", "broken"), [(True, []), (False, ["P245"])])
def test_same_face_that_was_drawn_from_the_shoe_was_not_moved(drawn: bool, broken: list[str]) -> None:
    felt = table().bets({1: "10", 2: "10"}).deal({1: "Tc 6d", 2: "5c 7d"}, dealer="Ts 9h").hit(1, "Kd")
    felt.take_spot(1, "main").hand("player", "seat2.cards", seat=2).hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1.h1."):
        felt.remove(name)
    if drawn:
        felt.card(2, "Kd")
    else:
        felt.hand("dealer", "seat2.cards")
        felt.put_card("s2.h1.2", "Kd", felt.at("seat2.cards", -40.0, 16.0), 0.0)
        felt.snap()
    felt.take_spot(2, "main").pick_up_seat(2)
    assert [number for number in told(felt.turn().pick_up()) if number == "P245"] == broken


def exposed(*, signal: bool, hidden: bool = False, side: bool = False) -> Felt:
    """The hole card comes face up beside the up card; a player signals afterwards, or did so before.

    ``hidden``: the look before shows the dealer's hand over his cards, and none of them. ``side``: a side wager is
    taken between.
    """
    felt = table(*(("main", "trilux") if side else ())).bets({2: "10"})
    if side:
        felt.bets({2: "5"}, "trilux")
    felt.card(2, "Tc").dealer_card("up", "back", -250.0).card(2, "8d")
    if not signal:
        felt.hand("player", "seat2.cards", seat=2)
    felt.hand("dealer", "dealer.cards", "shoe")
    if hidden:
        felt.remove("d.up")
        felt.snap(covered=("dealer.cards",)).hand("dealer", "dealer.cards")
    felt.put_card("d.up", "9s", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "8h", felt.at("dealer.cards", -180.0), 0.0)
    felt.snap()
    if side:
        felt.take_spot(2, "trilux")
    if signal:
        felt.hand("player", "seat2.cards", seat=2).snap()
    return felt.pay(2, "10").collect(2).pick_up()


def test_hole_card_that_comes_face_up_before_a_signal_is_suspected() -> None:
    assert "P236" in told(exposed(signal=True))
    assert "P236" in told(exposed(signal=True, side=True))
    assert "P236" not in told(exposed(signal=False))


def test_hole_card_that_comes_face_up_from_under_a_hand_that_hid_the_dealers_cards_is_told() -> None:
    assert "P236" in told(exposed(signal=True, hidden=True))
    assert "P236" not in told(exposed(signal=False, hidden=True))


def alone(*, first: str) -> Felt:
    """A card of the dealer's lies face down by itself in the deal; the other comes face up before a hit or after it."""
    felt = table().bets({2: "10"}).card(2, "Tc").dealer_card("hole", "back", -250.0).card(2, "2d")
    if first == "dealer":
        felt.dealer_card("up", "9s", -180.0)
    felt.hit(2, "7c")
    if first == "player":
        felt.dealer_card("up", "9s", -180.0)
    felt.dealer_card("hole", "Th", -250.0)
    return felt.pat(2).collect(2).pick_up()


def test_dealer_with_one_card_at_a_hit_breaks_p298() -> None:
    assert "P298" in told(alone(first="player"))
    assert "P298" not in told(alone(first="dealer"))


def test_hole_card_that_peeks_out_after_a_hit_was_there() -> None:
    felt = table().bets({2: "10"}).deal({2: "Tc 2d"}, dealer="9s Th")
    hole = felt.things.pop("d.hole")
    felt.states[-1] = replace(felt.states[-1], objects=tuple(felt.things.values()))
    felt.hit(2, "7c").things["d.hole"] = hole
    felt.snap().turn()
    assert told(felt.pat(2).collect(2).pick_up()) == []


# -- limits ------------------------------------------------------------------------------------------------------------
def over(*, left: bool) -> Felt:
    """2,100 stand where 2,000 is the most, and lose."""
    felt = table().bets({2: "2100"}).deal({2: "Tc 8d"}, dealer="Ts 9h").turn()
    if not left:
        return felt.take_spot(2, "main").pick_up()
    felt.hand("dealer", "seat2.main", "rack").put_chips("s2.main.1", "100", felt.at("seat2.main"))
    return felt.snap().collect(2).pick_up()


def test_wager_over_the_maximum_is_in_order_if_only_the_maximum_is_taken() -> None:
    taken = [one for one in every(over(left=False)) if "P225" in one.procedures]
    assert [(one.verdict.value, str(one.amount)) for one in taken] == [("suspect", "-100")]
    assert [one for one in every(over(left=True)) if one.verdict.value != "undetermined"] == []


# -- the rack, the shuffle, the cup ------------------------------------------------------------------------------------
def change_made(*heights: int) -> Felt:
    """Two greens are brought, fetched by the dealer between two rounds; reds are cut out at the right and sent."""
    felt = stand_all(blackjack(seats=2), cards())
    felt.hand("dealer", "seat2.cards", "rack").put_chips("theirs", "green green", (-100.0, 26.0))
    felt.snap().hand("dealer", "rack")
    for place, height in enumerate(heights):
        felt.put_chips(f"cut.{place}", " ".join(["red"] * height), (100.0 + 42.0 * place, 26.0))
    felt.snap().hand("dealer", "rack").hand("dealer", "seat2.cards")
    for name in felt.names("cut."):
        felt.remove(name)
    felt.put_chips("sent", " ".join(["red"] * sum(heights)), (0.0, 560.0))
    felt.snap().hand("dealer", "rack").remove("theirs")
    return felt.snap()


def test_change_is_compared_before_it_is_sent() -> None:
    assert told(change_made(5, 5)) == []
    assert [(one.procedures, str(one.amount)) for one in audited(change_made(5, 5, 1)).findings] == [(("P180",), "5")]


def test_row_that_reaches_beside_the_rack_is_one_row() -> None:
    assert "P110" in told(change_made(5, 5, 5, 5, 5))


def test_players_hand_in_the_rack_is_told_once() -> None:
    felt = stand_all(blackjack(seats=2), cards())
    felt.hand("player", "dealer.cards", "rack", seat=2).snap()
    assert [one.procedures for one in audited(felt).findings] == [("P202", "P203")]


def test_cheques_before_the_rack_amid_a_shuffle_break_p128() -> None:
    def shuffled(*, money: bool) -> Felt:
        felt = blackjack(seats=2)
        shoe = cards()
        stand_all(felt, shoe)
        put(felt, "discards", "discards", felt.at("discard"), height_mm=60.0)
        felt.snap().hand("dealer", "discard").remove("discards")
        put(felt, "stack", "card_back", (0.0, 120.0), angle_deg=0.0)
        felt.snap()
        if money:
            felt.hand("dealer", "rack").put_chips("cut", "red red", (60.0, 26.0))
            felt.snap().remove("cut")
            felt.hand("dealer", "rack").snap()
        felt.hand("dealer", "shoe").remove("stack")
        felt.snap().hand("dealer", "discard").snap()
        return stand_all(felt, shoe)

    assert "P128" in told(shuffled(money=True))
    assert "P128" not in told(shuffled(money=False))


def burnt(times: int) -> Felt:
    """So many cards lie beside the shoe for a moment, each on its way to the discard rack, after the shuffle."""
    felt = blackjack(seats=2)
    shoe = cards()
    shuffle(stand_all(felt, shoe), burn="")
    for _ in range(times):
        felt.hand("dealer", "shoe")
        put(felt, "burn", "card_back", (-340.0, 30.0), angle_deg=0.0)
        felt.snap().hand("dealer", "discard").remove("burn")
        put(felt, "burnt", "discards", felt.at("discard"), height_mm=0.3)
        felt.snap()
    return stand_all(felt, shoe)


def test_cards_seen_on_their_way_to_the_rack_are_counted_as_burnt() -> None:
    assert "P146" not in told(burnt(1))
    assert "P146" in told(burnt(2))


def burnt_open(*, lost: bool) -> Felt:
    """One card is shown on its way to the rack, which the dealer's hand hides; perhaps the shuffle was not seen."""
    felt = blackjack(seats=2)
    shoe = cards()
    shuffle(stand_all(felt, shoe), burn="")
    if lost:
        felt.lost().hand("dealer", "rack").hand("dealer", "shoe").snap(covered=("rack", "shoe"))
    felt.hand("dealer", "shoe").put_card("burn", "Js", (-340.0, 30.0), 0.0)
    felt.snap().hand("dealer", "discard").remove("burn")
    felt.snap(covered=("discard", "rack"))
    put(felt, "burnt", "discards", felt.at("discard"), height_mm=0.3)
    return stand_all(felt.snap(), shoe)


@pytest.mark.parametrize("lost", [False, True])
def test_burn_card_shown_on_its_way_to_a_rack_that_a_hand_hides_is_told(lost: bool) -> None:
    assert "P148" in told(burnt_open(lost=lost))


def bets_beside(lid: str) -> Felt:
    """The cup stands so after a round, while the next bets are placed, and is covered before the deal."""

    def cup(is_on: str) -> None:
        put(felt, "cup", "dice_cup", felt.at("dice"), lid=is_on)

    felt = dicey()
    felt.bets({1: "10"}, "ante").card(1, "9c")
    cup("off")
    felt.roll(3, 4, 2).take_spot(1, "ante").pick_up_seat(1)
    cup(lid)
    felt.hand("dealer", "dice").snap().bets({1: "10"}, "ante")
    cup("on")
    return felt.hand("dealer", "dice").snap().card(1, "8c").hit(1, "Kd")


def test_bets_placed_beside_an_open_cup_break_p059() -> None:
    assert "P059" in told(bets_beside("off"))
    assert "P059" not in told(bets_beside("on"))


def test_insurance_left_from_the_round_before_is_no_insurance_before_it_was_opened() -> None:
    """It stands on the line before the first card, and no state shows the dealer's ace before it."""
    felt = Felt(wide_profile("blackjack", ("main",))).bets({2: "100"}).deal({2: "Ts 9d"}, dealer="Ad 8s")
    felt.insure(2, "50").turn().pat(2).collect_spot(2, "main").pick_up()
    felt.bets({2: "100"}).deal({2: "Th 8d"}, dealer="Ah 7s").turn().pat(2).pick_up()
    told = [one.procedures[0] for case in audited(felt).rounds for one in case.findings]
    assert "P300" not in told[1:]


# -- the shoe ----------------------------------------------------------------------------------------------------------


def reaching(felt: Felt) -> Felt:
    """The shoe's zone begins beside the third card of seat 1."""
    (second, _), (third, _) = felt.things["s1.h1.1"].xy_mm, felt.things["s1.h1.2"].xy_mm
    edge, far = (second + third) / 2, third + 3 * (third - second)
    shoe = Zone(name="shoe", polygon_mm=((edge, 190.0), (far, 190.0), (far, 390.0), (edge, 390.0)))
    zones = tuple(shoe if zone.name == "shoe" else zone for zone in felt.profile.zones)
    felt.profile = replace(felt.profile, zones=zones)
    return felt


def test_a_hand_that_reaches_into_the_shoes_zone_shows_no_face_in_the_shoe() -> None:
    felt = reaching(table().bets({1: "20"}).deal({1: "5h 6c"}, dealer="Th 8s").hit(1, "9d"))
    assert told(felt.turn().pay(1, "20").collect(1).pick_up()) == []


def test_a_hand_that_reaches_into_the_shoes_zone_shows_no_card_drawn_in_anticipation() -> None:
    felt = table().bets({1: "20", 2: "20"}).deal({1: "5h 6c", 2: "4h 5d"}, dealer="Th 8s").hit(1, "8d").hit(2, "Td")
    felt = reaching(felt).turn().pay(2, "20").pay(1, "20")
    assert told(felt.collect(2).collect(1).pick_up()) == []
