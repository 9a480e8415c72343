"""Hands of a split: cards that move far, aces split again, and cards that nobody has to ask for (004:L821-828)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import StackCandidate
from tests.audit.asking import accused, found, only_round
from tests.notation import Felt, doubtful, wide_profile

FAR = 155.0


def parted(ranks: str, second: tuple[str, str]) -> Felt:
    """A pair that lies at the right of a seat's place is split, its cards laid out from the left end of it."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"})
    for number, rank in enumerate(ranks):
        felt.card(1, f"{rank}{'cd'[number]}", snap=False)
        item = felt.things[f"s1.h1.{number}"]
        spot = felt.at("seat1.cards", FAR - 33.0 * number, 50.0 - 30.0 * number)
        felt.things[f"s1.h1.{number}"] = replace(item, xy_mm=spot)
        felt.snap()
        felt.dealer_card("up", "back" if number == 0 else "Td", -250.0, snap=number == 0)
    felt.hole = "9s"
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.snap().hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.2", "10", felt.at("seat1.main", 41.0))
    felt.snap().hand("dealer", "seat1.cards", "seat1.main")
    for number in (0, 1):
        item = felt.things.pop(f"s1.h1.{number}")
        spot = felt.at("seat1.cards", -FAR + 105.0 * number, 50.0)
        felt.things[f"s1.h{number + 1}.0"] = replace(item, xy_mm=spot)
    felt.snap()
    for number, code in enumerate(second):
        x, y = felt.things[f"s1.h{number + 1}.0"].xy_mm
        felt.hand("dealer", "shoe", "seat1.cards")
        felt.put_card(f"s1.h{number + 1}.1", code, (x + 12.0, y - 57.0), 90.0)
        felt.snap()
    return felt


def test_split_over_the_whole_of_a_seats_place_is_two_hands() -> None:
    felt = parted("AA", ("8h", "8s")).turn().collect(1).pick_up()
    (seat,) = only_round(felt).observed.round.seats.values()
    assert [[str(card) for card in hand] for hand in seat.hands] == [["Ac", "8h"], ["Ad", "8s"]]
    assert [one for one in accused(felt) if one[1] in ("P317", "P194", "P246")] == []


def test_second_card_of_a_split_hand_that_is_split_again_needs_no_signal() -> None:
    felt = parted("88", ("9h", "8h")).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.3", "10", felt.at("seat1.main", 82.0))
    felt.snap().hand("dealer", "seat1.cards", "seat1.main")
    again = felt.things.pop("s1.h2.1")
    felt.things["s1.h3.0"] = replace(again, xy_mm=felt.at("seat1.cards", -FAR + 210.0, 50.0), angle_deg=0.0)
    felt.snap()
    for hand, code in ((2, "Th"), (3, "Jh")):
        felt.hand("player", "seat1.cards", seat=1).card(1, code, hand=hand)
    assert len(only_round(felt.turn().collect(1).pick_up()).observed.round.seats[1].hands) == 3
    assert "P194" not in {procedure for _, procedure, _ in accused(felt)}


def test_further_card_on_a_split_ace_that_was_not_read_for_certain_breaks_p327(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Ac Ad"}, dealer="Td 8s").split(2, "20")
    felt.card(2, "5c", sideways=True).hit(2, "Kc").card(2, "7h", hand=2, sideways=True).turn().collect(2).pick_up()
    states = doubtful(felt.states, "Ac", {"Ac": 0.999, "4c": 0.001})
    assert ("violation", "P327", None) in accused(states)


def test_further_card_on_a_split_ten_with_an_ace_breaks_p328_first(felt: Felt) -> None:
    felt.bets({2: "20"}).deal({2: "Tc Kd"}, dealer="6d 8s").split(2, "20").card(2, "Ah", sideways=True).hit(2, "2c")
    told = only_round(felt.card(2, "9h", hand=2).turn().dealer_hits("9s").collect(2).pick_up()).findings
    assert ("P328", "P246") in [one.procedures for one in told if one.verdict.value == "violation"]


def at_the_border(*, neighbour: bool) -> Felt:
    """Two eights are split; a card of the right hand lies 3 mm within the place of seat 2, which plays or is empty."""
    profile = wide_profile("blackjack", ("main",), seats=2)
    zones = tuple(
        replace(zone, polygon_mm=tuple((x + 12.0 if x > -20 else x, y) for x, y in zone.polygon_mm))
        if zone.name == "seat1.cards"
        else zone
        for zone in profile.zones
    )
    felt = Felt(replace(profile, zones=zones)).bets({1: "10"} | ({2: "10"} if neighbour else {}))
    felt.deal({1: "8c 8d"} | ({2: "Th 9c"} if neighbour else {}), dealer="Td 9s").split(1, "10")
    felt.things["s1.h2.0"] = replace(felt.things["s1.h2.0"], xy_mm=(-18.0, 300.0))
    felt.snap().hand("dealer", "shoe", "seat1.cards")
    felt.put_card("s1.h1.1", "Tc", felt.at("seat1.cards", -65.0, -20.0), 0.0)
    felt.snap().hand("dealer", "shoe", "seat1.cards")
    felt.put_card("s1.h2.1", "Ts", (13.0, 250.0), 0.0)
    return felt.snap().turn()


def test_card_of_a_split_that_reaches_into_an_empty_seats_place_is_the_splits() -> None:
    seats = only_round(at_the_border(neighbour=False)).observed.round.seats
    assert [[str(card) for card in hand] for hand in seats[1].hands] == [["8c", "Tc"], ["8d", "Ts"]]
    assert 2 not in seats


def test_card_in_the_place_of_a_seat_that_plays_is_its_own() -> None:
    seats = only_round(at_the_border(neighbour=True)).observed.round.seats
    assert "Ts" in [str(card) for hand in seats[2].hands for card in hand]


def test_cards_that_came_together_each_follow_the_hand_that_they_were_drawn_to() -> None:
    """Two cards of the right hand come between two looks; the second lies nearer to the left hand than to its own."""
    felt = parted("88", ("9h", "3h"))
    for name in ("s1.h1.1", "s1.h2.1"):
        felt.things[name] = replace(felt.things[name], angle_deg=0.0)
    felt.snap()
    x, y = felt.things["s1.h2.1"].xy_mm
    felt.hand("player", "seat1.cards", seat=1)
    for number in (2, 1):  # the farther one is listed first
        felt.hand("dealer", "shoe", "seat1.cards")
        felt.put_card(
            f"s1.h2.{number + 1}", f"{number}s".replace("1s", "2c"), (x - 32.0 * number, y - 55.0 * number), 0.0
        )
    seats = only_round(felt.snap().turn().collect(1).pick_up()).observed.round.seats
    assert [[str(card) for card in hand] for hand in seats[1].hands] == [["8c", "9h"], ["8d", "3h", "2c", "2s"]]


def test_bet_that_a_player_moves_when_the_hands_are_settled_stays_the_left_hands(felt: Felt) -> None:
    """19 pushes, 18 is taken; then the player lays the bet that is left to the right, for the next round."""
    felt.bets({2: "25"}).deal({2: "8s 8h"}, dealer="Td 9c").split(2, "25").hit(2, "2d 9d").hit(2, "Th", hand=2).turn()
    felt.pat(2).take(2, "main.2").hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.main.1", "25", felt.at("seat2.main", 60.0))
    assert found(felt.snap().pick_up()) == []


def test_old_wager_that_the_dealer_moved_is_not_told_as_the_new_one_laid_to_its_left(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "8s 8h"}, dealer="Td 8c")
    felt.hand("player", "seat2.main", seat=2).hand("dealer", "seat2.main", "seat2.cards")
    for hand, name in ((1, "s2.h1.0"), (2, "s2.h1.1")):
        spot = felt.at("seat2.cards", (hand - 1.5) * 130.0, 18.0)
        felt.things[f"s2.h{hand}.0"] = replace(felt.things.pop(name), xy_mm=spot)
    felt.put_chips("s2.main.1", "25", felt.at("seat2.main", -64.0))
    felt.put_chips("s2.main.2", "25", felt.at("seat2.main", 24.0))
    felt.snap().hit(2, "8d").hit(2, "Th", hand=2).turn().take(2, "main.1").pat(2)
    felt.hand("player", "seat2.main", seat=2).put_chips("s2.main.2", "25", felt.at("seat2.main"))
    felt.snap().pick_up()
    assert "P324" not in {procedure for _, procedure, _ in accused(felt)}


def test_left_wager_broken_down_when_the_right_one_was_taken_is_the_left_hands(felt: Felt) -> None:
    mixed = "green green red red"
    felt.bets({2: mixed}).deal({2: "8s 8h"}, dealer="Td 7c").split(2, mixed).hit(2, "Th").hit(2, "6d", hand=2).turn()
    felt.take(2, "main.2").hand("dealer", "seat2.main").remove("s2.main.1")
    for name, part, away in (("s2.main.1", "green green", -21.0), ("s2.main.3", "red red", 21.0)):
        felt.put_chips(name, part, felt.at("seat2.main", -50.0, away))
    felt.snap().hand("dealer", "rack", "seat2.main")
    for name, part, away in (("s2.pay.1", "green green", -21.0), ("s2.pay.2", "red red", 21.0)):
        felt.put_chips(name, part, felt.at("seat2.main", -8.0, away))
    assert found(felt.snap().collect(2).pick_up()) == []


def test_card_is_drawn_to_no_hand_that_is_away() -> None:
    """The left hand broke and is gone; the next card of the other lies nearer to where that lay than to its own."""
    felt = parted("88", ("Th", "2h"))
    for name in ("s1.h1.1", "s1.h2.1"):
        felt.things[name] = replace(felt.things[name], angle_deg=0.0)
    felt.hand("player", "seat1.cards", seat=1).card(1, "9c").take(1, "main.1").hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1.h1."):
        felt.remove(name)
    x, y = felt.things["s1.h2.0"].xy_mm
    felt.snap().hand("player", "seat1.cards", seat=1).hand("dealer", "shoe", "seat1.cards")
    felt.put_card("s1.h2.2", "7s", (x - 60.0, y), 0.0)
    seats = only_round(felt.snap().turn().collect(1).pick_up()).observed.round.seats
    assert [[str(card) for card in hand] for hand in seats[1].hands] == [["8c", "Th", "9c"], ["8d", "2h", "7s"]]


def test_wager_of_a_split_that_lies_too_far_from_the_bet_to_pay_it_is_the_splits_whoever_was_seen() -> None:
    """The dealer's hand alone was seen, which drew the bet to the right and laid the new one 84 mm to its left."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"}).deal({1: "Ts Jc"}, dealer="Td 9s")
    felt.hand("dealer", "seat1.main", "seat1.cards")
    for hand, name in ((1, "s1.h1.0"), (2, "s1.h1.1")):
        spot = felt.at("seat1.cards", (hand - 1.5) * 130.0, 18.0)
        felt.things[f"s1.h{hand}.0"] = replace(felt.things.pop(name), xy_mm=spot)
    felt.put_chips("s1.main.1", "10", felt.at("seat1.main", 24.0))
    felt.put_chips("s1.main.2", "10", felt.at("seat1.main", -62.0))
    felt.snap().hit(1, "Kd").card(1, "8s", hand=2).turn().take(1, "main.1").pay(1, "10", beside="main.2")
    bets = only_round(felt.collect(1).pick_up()).observed.round.wagers
    assert [(one.key.bet, one.key.hand) for one in bets] == [("main", 1), ("split", 2)]
    assert "P322" not in {procedure for _, procedure, _ in accused(felt)}


def test_bet_laid_between_the_places_of_split_hands_that_are_paid_is_for_the_next_round() -> None:
    """Both hands won; the player took up bets and payments, and left a bet nearer to where the right one stood."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"}).deal({1: "9s 9c"}, dealer="Td 7s")
    felt.split(1, "10").card(1, "Tc").card(1, "Th", hand=2).turn().pay(1, "10", beside="main.2").pay(1, "10")
    felt.snap().collect(1).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "25", felt.at("seat1.main"))
    felt.snap().pick_up()
    bets = only_round(felt).observed.round.wagers
    assert [(one.key.bet, str(one.amount)) for one in bets] == [("main", "10"), ("split", "10")]
    assert not {"P280", "P281", "P322"} & {procedure for _, procedure, _ in accused(felt)}


def test_two_cards_of_one_face_that_are_moved_aside_together_stay_in_their_hands() -> None:
    """A pair of the same card is split, a ten comes to each, and the dealer moves both hands by half their distance."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"}).deal({1: "9d 9d"}, dealer="Td 7s")
    felt.split(1, "10").hit(1, "4h").card(1, "Th", hand=2).hand("dealer", "seat1.cards")
    for name in felt.names("s1.h"):
        x, y = felt.things[name].xy_mm
        felt.things[name] = replace(felt.things[name], xy_mm=(x + 70.0, y + 8.0))
    felt.snap().hit(1, "6s").turn().pay(1, "10", beside="main.2").pay(1, "10").collect(1).pick_up()
    seats = only_round(felt).observed.round.seats
    assert [[str(card) for card in hand] for hand in seats[1].hands] == [["9d", "4h", "6s"], ["9d", "Th"]]


def broken_beside(right: float) -> Felt:
    """A split's wagers stand 88 mm apart; the right hand breaks, the left is paid so far to its bet's right."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "25"}).deal({1: "8s 8c"}, dealer="6d Th")
    felt.split(1, "25").card(1, "Td").card(1, "Jd", hand=2).hit(1, "5d", hand=2).take(1, "main.2").snap()
    felt.turn().dealer_hits("Tc").hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.pay.0", "25", felt.at("seat1.main", -50.0 + right))
    return felt.snap().collect(1).pick_up()


def test_payment_beside_the_bet_of_a_split_is_no_wager_of_the_broken_hand_put_back() -> None:
    for right in (50.0, 60.0, 70.0):
        assert found(broken_beside(right)) == [], right


def lost_beside(amount: str | None) -> Felt:
    """A split's right wager loses and is taken; then the left one is paid, if it is, where the right one stood."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "25"}).deal({1: "8s 8c"}, dealer="6d Th")
    felt.split(1, "25").card(1, "Td").hit(1, "3d").card(1, "9d", hand=2).turn().dealer_hits("3c")
    place = felt.things["s1.main.2"].xy_mm
    felt.take(1, "main.2")
    if amount is not None:
        felt.hand("dealer", "rack", "seat1.main").put_chips("s1.pay.0", amount, (place[0] - 4.0, place[1]))
        felt.snap()
    return felt.collect(1).pick_up()


def test_payment_where_the_lost_wager_of_a_split_stood_is_no_lost_wager_put_back() -> None:
    felt = lost_beside("25")
    assert accused(felt) == []
    assert [(str(one.amount), one.key.hand) for one in only_round(felt).observed.pays] == [("25", 1)]


def test_left_hand_of_a_split_unpaid_or_underpaid_beside_the_lost_one_is_told_with_its_amount() -> None:
    assert ("violation", "P281", "-25.00") in accused(lost_beside(None))
    assert ("violation", "P280", "-5.00") in accused(lost_beside("red red red red"))


def read_once(felt: Felt, state: int, chances: tuple[float, float]) -> None:
    """One state reads the left wager of nine reds as eight or nine."""
    seen = felt.states[state]
    readings = tuple(StackCandidate(stack=("red",) * n, p=p) for n, p in zip((8, 9), chances, strict=True))
    left = min((item for item in seen.objects if item.kind == "chips"), key=lambda item: item.xy_mm[0])
    misread = replace(left, stack=readings[0].stack, stacks=readings)
    objects = tuple(misread if item is left else item for item in seen.objects)
    felt.states[state] = replace(seen, objects=objects)


def test_wagers_of_a_split_laid_aside_are_the_same_where_one_look_reads_a_cheque_less() -> None:
    """The dealer's hand moves both; the next look, which sees no hand there, reads the nine again."""
    nine = " ".join(["red"] * 9)
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: nine}).deal({1: "8s 8c"}, dealer="6d Th")
    felt.split(1, nine)
    for name, right in (("s1.main.1", -96.0), ("s1.main.2", 13.0)):
        felt.things[name] = replace(felt.things[name], xy_mm=felt.at("seat1.main", right))
    felt.hand("dealer", "seat1.main").snap()
    read_once(felt, -1, (0.55, 0.44))
    felt.card(1, "Td").hand("player", "seat1.cards", seat=1).card(1, "9d", hand=2)
    felt.hand("player", "seat1.cards", seat=1).turn().dealer_hits("2c").take(1, "main.2").collect(1).pick_up()
    assert accused(felt) == []
    assert only_round(felt).observed.pays == ()


def both_won(*payments: tuple[str, float]) -> Felt:
    """Both hands of a split win; each payment with its place, to the dealer's right of the middle of the spot."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "25"}).deal({1: "8s 8c"}, dealer="6d Th")
    felt.split(1, "25").card(1, "Td").hand("player", "seat1.cards", seat=1).card(1, "Jd", hand=2)
    felt.hand("player", "seat1.cards", seat=1).turn().dealer_hits("Tc")
    for number, (amount, right) in enumerate(payments):
        felt.hand("dealer", "rack", "seat1.main")
        felt.put_chips(f"s1.pay.{number}", amount, felt.at("seat1.main", right))
        felt.snap()
    return felt.collect(1).pick_up()


@pytest.mark.parametrize("middle", [-9.0, -6.0, -3.0])
def test_payment_midway_between_the_wagers_of_a_split_pays_the_one_that_gets_no_other(middle: float) -> None:
    felt = both_won(("25", middle), ("25", -92.0))
    assert accused(felt) == []
    assert sorted((one.key.hand, str(one.amount)) for one in only_round(felt).observed.pays) == [(1, "25"), (2, "25")]


def test_short_payment_midway_between_the_wagers_of_a_split_is_short() -> None:
    amounts = [amount for _, _, amount in accused(both_won(("red red red red", -6.0), ("25", -92.0)))]
    assert sum(float(amount) for amount in amounts if amount is not None) == -5.0


def split_again_under_a_hand(*, taken: bool) -> Felt:
    """Two hands become three: a look under the dealer's hand shows the first bet moved, the others hidden.

    ``taken``: the dealer takes the second bet as he does so.
    """
    felt = parted("88", ("9h", "8h")).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.3", "10", felt.at("seat1.main", 82.0))
    felt.snap().hand("dealer", "seat1.cards", "seat1.main")
    for number, right in ((1, -84.0), (2, 0.0), (3, 84.0)):
        felt.things[f"s1.main.{number}"] = replace(felt.things[f"s1.main.{number}"], xy_mm=felt.at("seat1.main", right))
    again = felt.things.pop("s1.h2.1")
    felt.things["s1.h3.0"] = replace(again, xy_mm=felt.at("seat1.cards", -FAR + 210.0, 50.0), angle_deg=0.0)
    hidden = {name: felt.things.pop(name) for name in ("s1.main.2", "s1.main.3", "s1.h2.0", "s1.h3.0")}
    felt.snap(covered=("seat1.main", "seat1.cards")).hand("dealer", "seat1.cards", "seat1.main")
    felt.things |= {name: item for name, item in hidden.items() if name != "s1.main.2" or not taken}
    felt.snap()
    for hand, code in ((2, "Th"), (3, "Jh")):
        felt.hand("player", "seat1.cards", seat=1).card(1, code, hand=hand)
    return felt.turn().collect(1).pick_up()


def test_bets_laid_out_anew_under_a_hand_that_hides_some_of_them_are_neither_paid_nor_taken() -> None:
    felt = split_again_under_a_hand(taken=False)
    assert "P259" not in {one[1] for one in accused(felt)}
    one = only_round(felt).observed
    assert [str(wager.amount) for wager in one.round.wagers] == ["10", "10", "10"]
    assert (one.pays, one.takes) == ((), ())


def test_bet_of_a_split_that_is_gone_when_the_others_are_laid_out_anew_was_taken() -> None:
    assert "P259" in {one[1] for one in accused(split_again_under_a_hand(taken=True))}


@pytest.mark.parametrize(
    ("right", "told"), [(105.0, []), (115.0, [("undetermined", "P322", None)])], ids=["in the zone", "just beyond it"]
)
def test_wager_of_a_split_laid_just_outside_the_zone_leaves_it_open(
    felt: Felt, right: float, told: list[tuple[str, str, str | None]]
) -> None:
    """Places jitter (contracts/states.md); nobody can tell that it is none, nor how it was paid."""
    felt.bets({1: "10"}).deal({1: "8c 8d"}, dealer="6d Ts").split(1, "10")
    felt.states = felt.states[:-2]
    felt.things["s1.main.2"] = replace(felt.things["s1.main.2"], xy_mm=felt.at("seat1.main", right))
    felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.cards", "seat1.main").snap()
    felt.hit(1, "Td").hit(1, "Th", hand=2).turn().dealer_hits("9c")
    felt.pay(1, "10").pay(1, "10", beside="main.2").collect(1).pick_up()
    assert found(felt) == told


def split_again_after_a_broken_hand() -> Felt:
    """The left hand breaks and is away; the right one is split again, and its wager comes to where the lost one was."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "20"}).deal({1: "Tc Td"}, dealer="9h 9s")

    def lay(name: str, code: str, right: float, away: float) -> None:
        felt.hand("dealer", "shoe", "seat1.cards").put_card(name, code, felt.at("seat1.cards", right, away), 0.0)
        felt.snap()

    def wager(name: str, right: float) -> None:
        felt.put_chips(f"s1.{name}", "20", felt.at("seat1.main", right))

    felt.hand("player", "seat1.main", seat=1)
    wager("main.2", 45.0)
    felt.snap().hand("dealer", "seat1.cards", "seat1.main")
    for hand, name in ((1, "s1.h1.0"), (2, "s1.h1.1")):
        item = felt.things.pop(name)
        spot = felt.at("seat1.cards", -120.0 + 120.0 * (hand - 1), 50.0)
        felt.things[f"s1.h{hand}.0"] = replace(item, xy_mm=spot)
    wager("main.1", -42.0)
    wager("main.2", 42.0)
    felt.snap()
    lay("s1.h1.1", "6c", -130.0, 10.0)
    felt.hand("player", "seat1.cards", seat=1)
    lay("s1.h1.2", "Kc", -140.0, -30.0)
    felt.take(1, "main.1").hand("dealer", "seat1.cards", "discard")
    for number in range(3):
        felt.remove(f"s1.h1.{number}")
    felt.snap()
    lay("s1.h2.1", "Th", -10.0, 10.0)
    felt.hand("player", "seat1.main", seat=1)
    wager("main.3", 84.0)
    felt.snap().hand("dealer", "seat1.cards", "seat1.main")
    again = felt.things.pop("s1.h2.1")
    felt.things["s1.h3.0"] = replace(again, xy_mm=felt.at("seat1.cards", 120.0, 50.0))
    wager("main.2", -42.0)
    wager("main.3", 42.0)
    felt.snap()
    lay("s1.h2.1", "9d", -10.0, 10.0)
    felt.hand("player", "seat1.cards", seat=1)
    lay("s1.h3.1", "5d", 110.0, 10.0)
    return felt.hand("player", "seat1.cards", seat=1).snap().turn()


def test_wager_that_comes_to_where_that_of_a_broken_hand_stood_is_its_own_hands() -> None:
    felt = split_again_after_a_broken_hand().take(1, "main.3").pay(1, "20", beside="main.2").collect(1).pick_up()
    assert [one for one in accused(felt) if one[1] != "P308"] == []


def test_wager_of_the_last_hand_paid_though_it_lost_is_told() -> None:
    felt = split_again_after_a_broken_hand().pay(1, "20", beside="main.3").pay(1, "20", beside="main.2")
    assert ("violation", "P281", "40.00") in accused(felt.collect(1).pick_up())


def test_bets_of_a_split_of_which_one_was_not_read_under_the_hand_are_moved_not_taken() -> None:
    """The dealer, whose hand was at the rack too, parts the bets; meanwhile one is hidden and the other not read."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"}).deal({1: "8s 8c"}, dealer="Td 9s")
    felt.hand("player", "seat1.main", seat=1).put_chips("s1.main.2", "10", felt.at("seat1.main", 46.0))
    felt.snap()
    second = felt.things.pop("s1.main.2")
    felt.things["s1.main.1"] = replace(felt.things["s1.main.1"], stack=None)
    felt.hand("player", "seat1.main", seat=1).snap(covered=["seat1.main", "seat1.cards"])
    felt.hand("dealer", "seat1.main", "seat1.cards").hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.main.1", "10", felt.at("seat1.main", -63.0))
    felt.things["s1.main.2"] = replace(second, xy_mm=felt.at("seat1.main", 28.0))
    for hand, name in ((1, "s1.h1.0"), (2, "s1.h1.1")):
        spot = felt.at("seat1.cards", (hand - 1.5) * 130.0, 18.0)
        felt.things[f"s1.h{hand}.0"] = replace(felt.things.pop(name), xy_mm=spot)
    felt.snap().hit(1, "Kd").card(1, "Ts", hand=2).turn().take(1, "main.1").take(1, "main.2").pick_up()
    observed = only_round(felt).observed
    assert accused(felt) == []
    assert [(one.key.bet, str(one.amount)) for one in observed.takes] == [("main", "10"), ("split", "10")]


def test_wager_that_the_dealer_moved_far_before_the_second_came_is_not_settled() -> None:
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "20"})
    felt.things["s1.main.1"] = replace(felt.things["s1.main.1"], xy_mm=felt.at("seat1.main", 50.0))
    felt.deal({1: "8s 8c"}, dealer="6d Th").hand("dealer", "seat1.main", "seat1.cards")
    felt.things["s1.main.1"] = replace(felt.things["s1.main.1"], xy_mm=felt.at("seat1.main", -95.0))
    for hand, name in enumerate(("s1.h1.0", "s1.h1.1")):
        spot = felt.at("seat1.cards", (hand - 0.5) * 130.0, 18.0)
        felt.things[f"s1.h{hand + 1}.0"] = replace(felt.things.pop(name), xy_mm=spot)
    felt.snap().hand("player", "seat1.main", seat=1).put_chips("s1.main.2", "20", felt.at("seat1.main", 38.0))
    felt.snap().card(1, "Td").card(1, "9d", hand=2).turn().dealer_hits("9s")
    felt.pay(1, "20", beside="main.2").pay(1, "20").collect(1).pick_up()
    assert accused(felt) == []


def test_bets_of_a_split_of_which_one_was_never_read_are_moved_not_taken() -> None:
    """The dealer lays them out anew, one by a few millimetres and the other, that no look reads, by seventy."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"})
    felt.things["s1.main.1"] = replace(felt.things["s1.main.1"], stack=None)
    felt.states[-1] = replace(felt.states[-1], objects=tuple(felt.things.values()))
    felt.deal({1: "8s 8c"}, dealer="9s Kd").hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.2", "10", felt.at("seat1.main", 42.0))
    felt.snap().hand("dealer", "seat1.main", "seat1.cards")
    felt.things["s1.main.1"] = replace(felt.things["s1.main.1"], xy_mm=felt.at("seat1.main", -70.0))
    felt.things["s1.main.2"] = replace(felt.things["s1.main.2"], xy_mm=felt.at("seat1.main", 29.0))
    for hand, name in enumerate(("s1.h1.0", "s1.h1.1")):
        spot = felt.at("seat1.cards", (hand - 0.5) * 130.0, 18.0)
        felt.things[f"s1.h{hand + 1}.0"] = replace(felt.things.pop(name), xy_mm=spot)
    felt.snap().hit(1, "Kh").card(1, "Ts", hand=2).turn().take(1, "main.2").take(1, "main.1").pick_up()
    assert accused(felt) == []


def test_second_card_on_a_split_hand_that_was_doubled_is_told() -> None:
    """The hand has four cards then, of which the third lies sideways: P317, and P194 of the card nobody asked for."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"}).deal({1: "8h 8c"}, dealer="6d Ts")
    felt.split(1, "10").card(1, "Th").card(1, "3s", hand=2).double(1, "10", "2d", hand=2).card(1, "4c", hand=2).turn()
    felt.dealer_hits("9s").pay(1, "10").pay(1, "10", beside="main.2").pay(1, "10", beside="double.2").collect(1)
    assert "P317" in {one[1] for one in accused(felt.pick_up())}


def test_unread_bet_moved_aside_for_a_split_is_not_taken() -> None:
    """The dealer's hand did not come to the rack meanwhile."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "10"}).deal({1: "8h 8c"}, dealer="6d Ts")
    felt.split(1, "10").card(1, "Th").card(1, "3s", hand=2).hit(1, "Td", hand=2).turn()
    felt.dealer_hits("9s").pay(1, "10").pay(1, "10", beside="main.2").collect(1).pick_up()
    felt.states = [
        replace(state, objects=tuple(replace(i, stack=None) if i.kind == "chips" else i for i in state.objects))
        for state in felt.states
    ]
    assert accused(felt) == []


def test_wagers_that_the_dealer_moved_as_a_hand_was_split_again_are_all_alike(felt: Felt) -> None:
    """P324: the player lays his third wager beside the left one; the dealer sets all three before their hands."""
    felt.bets({2: "25"}).deal({2: "8s 8h"}, dealer="Td 8c").split(2, "25")
    for name, right in (("s2.main.1", 0.0), ("s2.main.2", 78.0)):
        felt.put_chips(name, "25", felt.at("seat2.main", right))
    felt.states.pop()
    felt.snap().hit(2, "8d").hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.main.3", "25", felt.at("seat2.main", -42.0))
    felt.snap().hand("dealer", "seat2.main", "seat2.cards")
    for place, name in enumerate(("s2.h1.0", "s2.h1.1", "s2.h2.0")):
        code = felt.things.pop(name).card or ""
        felt.put_card(f"s2.h{place + 5}.0", code, felt.at("seat2.cards", (place - 1.0) * 110.0, 18.0), felt.axis(2))
        felt.put_chips(f"s2.main.{place + 1}", "25", felt.at("seat2.main", (place - 1.0) * 62.0))
    felt.snap()
    for hand, code in ((5, "Th"), (6, "Tc"), (7, "Ts")):
        felt.hit(2, code, hand=hand)
    felt.turn().pat(2)
    assert "P324" not in {procedure for _, procedure, _ in accused(felt.collect(2).pick_up())}
