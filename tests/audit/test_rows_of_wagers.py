"""Several piles on one spot, moved, paid or pushed on together between two looks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from audit.reconstruction.aiming import is_laid_in_play
from audit.reconstruction.changes import Change
from audit.reconstruction.evidence import may_be_same
from audit.states import HandSeen
from audit.timing import Span
from tests.audit.asking import accused, found, only_round
from tests.audit.pairs.manner import topped_up
from tests.notation import Felt, wide_profile


@pytest.fixture
def felt() -> Felt:
    return Felt(wide_profile("blackjack", ("main",), seats=2, finder=False))


def on_main(felt: Felt, name: str, text: str, right: float, away: float = 0.0) -> None:
    felt.put_chips(name, text, felt.at("seat1.main", right, away))


def paid(felt: Felt) -> dict[tuple[str, int | None], str]:
    """What was paid on each wager of seat 1, by its name and hand."""
    moves = [one for one in only_round(felt).observed.pays if one.key.seat == 1]
    pays = [((one.key.bet, one.key.hand), one.amount or 0) for one in moves]
    return {key: str(sum(amount for other, amount in pays if other == key)) for key, _ in pays}


def test_double_broken_down_as_its_bet_is_paid_is_that_double(felt: Felt) -> None:
    """Payments of the bet stand to its left, the double's parts to its right; both are a green and a red."""
    felt.bets({1: "green red"}).deal({1: "5h 6c"}, dealer="6d Ts").double(1, "green red", "9d").turn()
    felt.dealer_hits("9s").hand("dealer", "rack", "seat1.main").hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.0", "green", -44.0, -20.0)
    on_main(felt, "s1.pay.1", "red", -44.0, 20.0)
    felt.hand("dealer", "seat1.main").remove("s1.double.1")
    on_main(felt, "s1.double.2", "red", 60.0, 20.0)
    on_main(felt, "s1.double.3", "green", 60.0, -20.0)
    felt.snap().hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.2", "green", 104.0, -20.0)
    felt.snap().hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.3", "red", 104.0, 20.0)
    felt.snap().collect(1).pick_up()
    assert accused(felt) == []
    assert paid(felt) == {("main", 1): "30", ("double", 1): "30"}


def test_row_of_wagers_moved_as_one_more_is_laid_is_the_same_row(felt: Felt) -> None:
    """A hand is split again: no pile stands where the second hand's stood, and one on either side of it."""
    felt.bets({1: "25"}).deal({1: "8h 8c"}, dealer="6d Ts").split(1, "25").card(1, "3h")
    felt.double(1, "25", "Js").card(1, "8d", hand=2)
    felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.main", "seat1.cards")
    for name, right in {"main.1": -66.0, "double.1": -27.0, "main.2": 12.0, "main.3": 95.0}.items():
        on_main(felt, f"s1.{name}", "25", right)
    again = felt.things.pop("s1.h2.1").card or ""
    felt.put_card("s1.h3.0", again, felt.at("seat1.cards", 180.0, 18.0), felt.axis(1))
    felt.snap().card(1, "Th", hand=2).card(1, "9c", hand=3).turn().dealer_hits("9s")
    for name in ("main.3", "main.2", "double.1", "main.1"):
        felt.pay(1, "25", beside=name)
    felt.collect(1).pick_up()
    assert accused(felt) == []
    assert paid(felt) == {("main", 1): "25", ("double", 1): "25", ("split", 2): "25", ("split", 3): "25"}


@pytest.mark.parametrize(
    ("spot", "side", "over", "laid"),
    [
        ("seat1.main", "dealer", ("seat1.main",), True),
        ("seat1.main", "dealer", ("rack", "seat1.main"), False),  # he may have brought it
        ("seat1.main", "player", ("seat1.main",), False),
        ("seat2.main", "dealer", ("seat2.main",), False),  # no wager stands there
        ("seat1.trilux", "dealer", ("seat1.trilux",), False),
    ],
)
def test_pile_beside_a_wager_in_play_without_a_hand_at_the_rack_was_laid_by_a_player(
    spot: str, side: str, over: tuple[str, ...], laid: bool
) -> None:
    racked = HandSeen(side="dealer", zones=("rack",), span=Span.of(0, 400))
    hand = HandSeen(side=side, zones=over, span=Span.of(2000, 2400))
    states: Any = [SimpleNamespace(hands=(racked,)), SimpleNamespace(hands=(hand,))]
    came = Change(state=1, seen=Span.of(1000, 3000), hands=(hand,))
    track: Any = SimpleNamespace(spot=spot, appeared=came)
    wagers: Any = [SimpleNamespace(spot="seat1.main"), SimpleNamespace(spot="seat1.trilux")]
    assert is_laid_in_play(track, wagers, states) is laid


def winner_beside_a_loser(felt: Felt) -> Felt:
    """Seat 1 wins with 19 and seat 2 loses with 17 against 18."""
    return felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Ts 7d"}, dealer="Td 8s").turn()


@pytest.mark.parametrize("fetched", [True, False])
def test_wager_and_payment_that_go_together_are_pushed_over_where_the_player_is_next(felt: Felt, fetched: bool) -> None:
    """The dealer's hand came to the rack soon, but for the loser beside; without the player's it may have come back."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 7c", 2: "Ts 9d"}, dealer="Td 8s").turn().pay(2, "25")
    felt.hand("dealer", "seat2.main")
    for name in ("s2.main.1", "s2.pay.0"):
        felt.remove(name)
    felt.snap()
    if fetched:
        felt.hand("player", "seat2.main", seat=2)
    felt.take(1).pick_up()
    assert (accused(felt) == []) is fetched


@pytest.mark.parametrize(("stands", "told"), [("25 25 25", 0), ("", 2)])
def test_wagers_of_which_one_was_paid_and_pushed_on_in_one_gap_are_not_said_to_be_taken(
    felt: Felt, stands: str, told: int
) -> None:
    """Of a split, one hand pushes and one wins: three greens stand before the player; or nothing does."""
    felt.bets({1: "25"}).deal({1: "8h 8c"}, dealer="Td 8s").split(1, "25").card(1, "Th").card(1, "Js", hand=2)
    felt.hit(1, "Ad", hand=2).turn().hand("dealer", "rack", "seat1.main").hand("dealer", "seat1.main")
    for name in ("s1.main.1", "s1.main.2"):
        felt.remove(name)
    if stands:
        felt.put_chips("own", "green green green", felt.at("seat1.main", 0.0, 200.0))
    felt.snap().hand("player", "seat1.main", seat=1).pick_up()
    assert len([one for one in accused(felt) if one[0] == "violation"]) == told


def broken_down(felt: Felt) -> Felt:
    """A bet of a green and a red wins and stands broken down."""
    felt.bets({1: "green red"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "seat1.main")
    on_main(felt, "s1.main.1", "green", 0.0, -40.0)
    on_main(felt, "s1.main.2", "red", 0.0, 40.0)
    return felt.snap()


@pytest.mark.parametrize(("whole", "amount"), [("green green red red", "30"), ("green green red", "25")])
def test_bet_broken_down_that_is_paid_and_sent_on_in_one_gap_was_paid_what_stands_there_more(
    felt: Felt, whole: str, amount: str
) -> None:
    broken_down(felt).hand("dealer", "rack", "seat1.main").hand("dealer", "seat1.main")
    for name in ("s1.main.1", "s1.main.2"):
        felt.remove(name)
    felt.put_chips("own", whole, felt.at("seat1.main", 0.0, 150.0))
    felt.snap().hand("player", "seat1.main", seat=1).remove("own")
    assert paid(felt.snap().pick_up()) == {("main", 1): amount}
    assert [verdict for verdict, _, _ in accused(felt)] == ([] if amount == "30" else ["violation"])


def test_payment_put_upon_its_bet_by_a_hand_that_nobody_saw_is_paid_once(felt: Felt) -> None:
    winner_beside_a_loser(felt).take(2).pay(1, "25").remove("s1.pay.0")
    on_main(felt, "s1.main.1", "green green", 0.0)
    felt.snap().snap().collect(1).pick_up()
    assert accused(felt) == []
    assert paid(felt) == {("main", 1): "25"}


def test_bet_broken_down_collected_and_laid_anew_in_one_gap_may_have_been_paid_more(felt: Felt) -> None:
    """The last red of the payment, the player's hand, and the same bet again: no look tells how much was paid."""
    felt.bets({1: "black black green red red red"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand(
        "dealer", "seat1.main"
    )
    on_main(felt, "s1.main.1", "red red red", 0.0)
    on_main(felt, "s1.main.2", "green", -42.0)
    on_main(felt, "s1.main.3", "black black", -84.0)
    felt.hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.0", "black black", -84.0, 42.0)
    felt.snap().hand("dealer", "rack", "seat1.main").hand("player", "seat1.main", seat=1)
    for name in ("s1.main.2", "s1.main.3", "s1.pay.0"):
        felt.remove(name)
    on_main(felt, "s1.main.1", "black black green red red red", 0.0)
    felt.snap().pick_up()
    assert [verdict for verdict, procedure, _ in found(felt) if procedure in ("P280", "P281")] == ["undetermined"]


@pytest.mark.parametrize(("watched", "told"), [(False, []), (True, ["violation"])])
def test_winner_is_not_said_to_be_unpaid_where_hands_went_unseen(felt: Felt, watched: bool, told: list[str]) -> None:
    """The cards of seat 2 went though no hand was seen over them: the payment may have come and gone unseen, too."""
    winner_beside_a_loser(felt).take(2)
    if watched:
        felt.hand("dealer", "seat2.cards", "discard")
    for name in felt.names("s2.h"):
        felt.remove(name)
    felt.now += 4000
    felt.snap().pick_up()
    assert [verdict for verdict, _, _ in accused(felt)] == told


def test_bust_taken_in_the_gap_of_its_split_leaves_the_wager_of_the_other_hand(felt: Felt) -> None:
    """The first look after the split shows a hand of 26 and one wager, which stays when those cards are away."""
    felt.bets({1: "25"}).deal({1: "6h 6c"}, dealer="6d Ts").hand("player", "seat1.main", seat=1)
    felt.hand("dealer", "seat1.main", "seat1.cards", "shoe").hand("player", "seat1.cards", seat=1)
    felt.hand("dealer", "shoe", "seat1.cards", "seat1.main", "rack")
    first, second = felt.things.pop("s1.h1.0"), felt.things.pop("s1.h1.1")
    for code, right, away in ((first.card, -65.0, 18.0), ("Kh", -83.0, -2.0), ("Qd", -101.0, -22.0)):
        felt.put_card(f"s1.h1.{code}", code or "", felt.at("seat1.cards", right, away), felt.axis(1))
    felt.put_card("s1.h2.0", second.card or "", felt.at("seat1.cards", 65.0, 18.0), felt.axis(1))
    felt.snap().hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1.h1."):
        felt.remove(name)
    felt.snap().card(1, "As", hand=2).hand("player", "seat1.cards", seat=1).turn().dealer_hits("9s")
    felt.pay(1, "25").collect(1).pick_up()
    assert accused(felt) == []


def test_what_two_readings_leave_open_is_not_the_same_for_that() -> None:
    two: tuple[str, ...] = ("green", "red")
    one: tuple[str, ...] = ("red",)
    assert not may_be_same({two: 0.95}, {one: 0.95})
    assert may_be_same({two: 0.7}, {one: 0.7})


def test_bet_laid_after_a_blackjack_was_paid_is_of_the_next_round(felt: Felt) -> None:
    felt.bets({1: "20", 2: "25"}).deal({1: "As Kh", 2: "Th 9c"}, dealer="7d 8s").pay(1, "30").collect(1)
    felt.bets({1: "50"}).hit(2, "2c").turn().dealer_hits("Ts").pay(2, "25").collect(2).pick_up()
    assert accused(felt) == []
    assert paid(felt) == {("main", 1): "30"}


@pytest.mark.parametrize("again", ["green red", "green green red red", "50"])
def test_bet_that_stands_where_one_was_paid_in_parts_is_no_payment(felt: Felt, again: str) -> None:
    """The player's hand was missed: he laid the same bet again, put his cheques together, or laid another one."""
    broken_down(felt).hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.0", "green", 42.0, -40.0)
    felt.snap().hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.1", "red", 42.0, 40.0)
    felt.snap()
    for name in ("s1.main.1", "s1.main.2", "s1.pay.0", "s1.pay.1"):
        felt.remove(name)
    on_main(felt, "s1.next", again, 0.0)
    felt.snap().snap().hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1.h"):
        felt.remove(name)
    felt.snap().pick_up()
    assert accused(felt) == []
    assert paid(felt) == {("main", 1): "30"}


@pytest.mark.parametrize("taken", [True, False])
def test_cards_that_went_with_a_wager_that_the_dealer_took_were_lifted_by_a_hand_unseen(
    felt: Felt, taken: bool
) -> None:
    """Seat 1 signals, draws and breaks between two looks: of the dealer only the hand that took the bet was seen."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 6c", 2: "Ts 9d"}, dealer="Td 7s")
    felt.hand("player", "seat1.cards", seat=1)
    if taken:
        felt.hand("dealer", "seat1.main", "rack").remove("s1.main.1")
    for name in felt.names("s1.h"):
        felt.remove(name)
    felt.snap().turn().pay(2, "25").collect(2).pick_up()
    assert (accused(felt) == []) is taken


def test_short_payment_fetched_and_done_again_between_two_looks_is_no_error() -> None:
    """The dealer's hand came to it and the rack twice: he brought it back and did it again (004:L738)."""
    assert accused(topped_up(brought_back=True, watched=False)) == []
    assert ("suspect", "P265", None) in accused(topped_up(brought_back=False))


def test_bet_laid_where_a_blackjack_was_settled_out_of_sight_is_of_the_next_round(felt: Felt) -> None:
    """Between two looks the dealer's hand came with the payment and the player's for both; another one laid the bet."""
    felt.bets({1: "20", 2: "25"}).deal({1: "As Kh", 2: "Th 9c"}, dealer="7d 8s").hand("dealer", "rack", "seat1.main")
    felt.hand("player", "seat1.main", seat=1).remove("s1.main.1")
    felt.snap().bets({1: "50"}).hit(2, "2c").turn().dealer_hits("Ts").pay(2, "25").collect(2).pick_up()
    assert accused(felt) == []


def test_wagers_of_a_split_pushed_over_together_with_a_payment_are_not_taken(felt: Felt) -> None:
    """One hand is paid in view, the other pushes; the dealer lifts all of it, and his hand comes to no rack."""
    felt.bets({1: "25"}).deal({1: "8h 8c"}, dealer="Td 8s").split(1, "25").card(1, "Th").card(1, "Js", hand=2)
    felt.hit(1, "Ad", hand=2).turn().pay(1, "25", beside="main.2").hand("dealer", "seat1.main")
    for name in ("s1.main.1", "s1.main.2", "s1.pay.0"):
        felt.remove(name)
    felt.snap().hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1.h"):
        felt.remove(name)
    felt.snap().pick_up()
    assert [one for one in accused(felt) if one[0] == "violation" and one[1] in ("P280", "P281")] == []


def test_payment_that_two_side_bets_may_have_got_is_of_that_to_which_the_dealer_came_back() -> None:
    """Super 3 is lost and goes to the rack; Trilux is paid, stacked up and sent on in the same gap (004:L1044)."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux", "super3")))
    felt.bets({2: "25"}).bets({2: "red red"}, "trilux").bets({2: "red"}, "super3").deal({2: "2s 9s"}, dealer="7s 8h")
    felt.hand("dealer", "seat2.super3", "rack").hand("dealer", "rack", "seat2.trilux").hand("dealer", "seat2.trilux")
    for name in ("s2.trilux.1", "s2.super3.1"):
        felt.remove(name)
    felt.put_chips("own", " ".join(["red"] * 20), felt.at("seat2.trilux", 0.0, 100.0))
    felt.snap().hand("player", "seat2.trilux", seat=2).remove("own")
    felt.snap().hit(2, "9c").turn().dealer_hits("Kd").pay(2, "25").collect(2).pick_up()
    assert [one for one in accused(felt) if one[0] == "violation"] == []
    pays = {one.key.bet: str(one.amount) for one in only_round(felt).observed.pays}
    assert (pays.get("trilux"), pays.get("super3")) == ("90", None)


def test_bet_of_which_more_was_paid_than_was_seen_is_not_said_to_be_paid_short(felt: Felt) -> None:
    """A green of its payment stood beside it; it stands before the player with that and a red more."""
    broken_down(felt).hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.0", "green", 42.0, -40.0)
    felt.snap().hand("dealer", "rack", "seat1.main").hand("dealer", "seat1.main")
    for name in ("s1.main.1", "s1.main.2", "s1.pay.0"):
        felt.remove(name)
    felt.put_chips("own", "green green red red", felt.at("seat1.main", 0.0, 150.0))
    felt.snap().hand("player", "seat1.main", seat=1).remove("own")
    assert accused(felt.snap().pick_up()) == []


@pytest.mark.parametrize(("bet_goes", "amount"), [(True, "30"), (False, "25")])
def test_payment_that_nobody_brought_or_lifted_is_one_where_its_bet_went_with_it(
    felt: Felt, *, bet_goes: bool, amount: str
) -> None:
    """A hand over the bet was missed then, and not a pile seen where there was none."""
    felt.bets({1: "green red"}).deal({1: "Ts 9c"}, dealer="9d 8s").turn().hand("dealer", "rack", "seat1.main")
    on_main(felt, "s1.pay.0", "green", -50.0)
    felt.snap()
    on_main(felt, "s1.pay.1", "red", -50.0, -50.0)
    felt.snap().snap().remove("s1.pay.1")
    if bet_goes:
        felt.remove("s1.pay.0")
        felt.remove("s1.main.1")
        felt.snap().snap()
    else:
        felt.snap().snap().collect(1)
    felt.pick_up()
    assert paid(felt) == {("main", 1): amount}


@pytest.mark.parametrize("seen", [True, False])
def test_wagers_of_a_split_moved_aside_together_are_the_same_though_no_hand_was_seen(felt: Felt, *, seen: bool) -> None:
    felt.bets({1: "10"}).deal({1: "8h 8c"}, dealer="6d Ts").split(1, "10").card(1, "Th").card(1, "3s", hand=2)
    if seen:
        felt.hand("dealer", "seat1.main")
    for number, right in ((1, -97.0), (2, -9.0)):
        on_main(felt, f"s1.main.{number}", "10", right)
    felt.snap().hand("player", "seat1.main", seat=1)
    on_main(felt, "s1.double.2", "5", 33.0)
    felt.snap().card(1, "Td", hand=2, sideways=True).turn().dealer_hits("9s").pay(1, "10").pay(1, "10", beside="main.2")
    felt.pay(1, "5", beside="double.2").collect(1).pick_up()
    assert accused(felt) == []
    stakes = {(one.key.bet, one.key.hand): str(one.amount) for one in only_round(felt).observed.round.wagers}
    assert stakes == {("main", 1): "10", ("split", 2): "10", ("double", 2): "5"}


@pytest.mark.parametrize(("seat", "paid_on"), [(1, True), (2, False)])
def test_short_pile_is_a_ghost_unless_another_of_its_seat_went_unseen_with_it(
    felt: Felt, *, seat: int, paid_on: bool
) -> None:
    """Two looks show a payment of seat 1 that no hand brought; then a wager of either seat is gone with it, unseen."""
    felt.bets({1: "10", 2: "10"}).deal({1: "Th 9c", 2: "Ts 9d"}, dealer="Td 8s").turn()
    on_main(felt, "s1.pay.0", "10", -50.0)
    felt.snap().snap().remove("s1.pay.0")
    felt.remove(f"s{seat}.main.1")
    felt.snap().snap().pick_up()
    assert (("main", 1) in paid(felt)) is paid_on


def broke_and_doubled(felt: Felt, *, together: bool) -> Felt:
    """Of a split the left hand breaks and is taken, the right one is doubled: in one gap, or in looks of their own."""
    felt.bets({1: "25"}).deal({1: "8h 8c"}, dealer="Td 8s")
    left, right = felt.things["s1.h1.0"], felt.things.pop("s1.h1.1")
    felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.main", "seat1.cards")
    felt.put_card("s1.h1.0", left.card or "", felt.at("seat1.cards", -60.0, 18.0), felt.axis(1))
    felt.put_card("s1.h2.0", right.card or "", felt.at("seat1.cards", 60.0, 18.0), felt.axis(1))
    on_main(felt, "s1.main.1", "25", -45.0)
    on_main(felt, "s1.main.2", "25", 45.0)
    felt.snap().card(1, "6h").hit(1, "Kd")
    felt.hand("dealer", "seat1.main", "rack").remove("s1.main.1")
    felt = felt if together else felt.snap()
    felt.hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1.h1."):
        felt.remove(name)
    felt = felt if together else felt.snap()
    felt.hand("dealer", "shoe", "seat1.cards")
    felt.put_card("s1.h2.1", "3s", felt.at("seat1.cards", 27.0, -9.0), felt.axis(1))
    felt = felt if together else felt.snap()
    felt.hand("player", "seat1.main", seat=1)
    on_main(felt, "s1.double.1", "25", 88.0)
    felt.snap().card(1, "Th", hand=2, sideways=True).turn()
    return felt.pay(1, "25", beside="main.2").pay(1, "25", beside="double.1").collect(1).pick_up()


@pytest.mark.parametrize("together", [True, False])
def test_wager_of_a_broken_hand_is_taken_in_the_gap_in_which_the_other_is_doubled(felt: Felt, together: bool) -> None:
    """As many piles as before stand there, one of them elsewhere: no row that was moved."""
    assert [one for one in accused(broke_and_doubled(felt, together=together)) if one[0] == "violation"] == []
    assert paid(felt) == {("split", 2): "25", ("double", 2): "25"}


def test_wagers_of_a_split_that_change_places_as_the_dealer_lays_them_out_are_neither_taken_nor_new(
    felt: Felt,
) -> None:
    """The third one is laid at the right and set between the others, of which one is of less than the bet."""
    felt.bets({1: "red red"}).deal({1: "8s 8h"}, dealer="6d Tc").split(1, "red").card(1, "8d")
    on_main(felt, "s1.main.1", "red red", -40.0)
    on_main(felt, "s1.main.2", "red", 30.0)
    felt.snap().hand("player", "seat1.main", seat=1)
    on_main(felt, "s1.main.3", "red red", 95.0)
    felt.snap().hand("dealer", "seat1.main", "seat1.cards")
    for place, name in enumerate(("s1.h1.0", "s1.h1.1", "s1.h2.0")):
        code = felt.things.pop(name).card or ""
        felt.put_card(f"s1.h{place + 5}.0", code, felt.at("seat1.cards", (place - 1.0) * 110.0, 18.0), felt.axis(1))
    on_main(felt, "s1.main.1", "red red", -62.0)
    on_main(felt, "s1.main.3", "red red", 4.0)
    on_main(felt, "s1.main.2", "red", 68.0)
    felt.snap()
    for place, code in enumerate(("Th", "Tc", "Ts")):
        at = felt.at("seat1.cards", (place - 1.0) * 110.0 - 10.0, -14.0)
        felt.hand("player", "seat1.cards", seat=1).hand("dealer", "shoe", "seat1.cards")
        felt.put_card(f"s1.h{place + 5}.1", code, at, felt.axis(1))
        felt.snap()
    felt.hand("player", "seat1.cards", seat=1).snap().turn().dealer_hits("9s")
    for name, amount in (("main.2", "red"), ("main.3", "red red"), ("main.1", "red red")):
        felt.pay(1, amount, beside=name)
    felt.collect(1).pick_up()
    bets = [(one.key.bet, str(one.amount)) for one in only_round(felt).observed.round.wagers]
    assert sorted(bets) == [("main", "10"), ("split", "10"), ("split", "5")]
    assert [one.code for one in only_round(felt).findings if one.verdict.value == "violation"] == [
        "split-wager-differs"
    ]
