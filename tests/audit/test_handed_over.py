"""Cheques that the dealer hands to a player stand before him afterwards: they were not taken."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from audit.reconstruction.changes import Change
from audit.reconstruction.handing import _holds_more, sent_as_one
from audit.states import HandSeen
from audit.timing import Span
from tests.audit.asking import accused, found, only_round
from tests.audit.hands_of_cards import closed, opened, shown
from tests.audit.pairs.dice import dicey
from tests.notation import Felt, doubtful_stack, wide_profile


@pytest.fixture
def felt() -> Felt:
    return Felt(wide_profile("lucky_draw_baccarat", ("enter", "draw", "block_bonus")))


def handed(felt: Felt, *names: str, away: float = 110.0) -> Felt:
    """The dealer lifts cheques off a spot of seat 2 and sets them down pile by pile, as a rule before the player."""
    felt.hand("dealer", *{f"seat2.{name.split('.')[0]}" for name in names}, "rack")
    for place, name in enumerate(names):
        pile = felt.things.pop(f"s2.{name}")
        text = " ".join(pile.stack or ())
        felt.put_chips(f"own.{name}", text, felt.at("seat2.enter", 20.0 + 45.0 * place, away))
    return felt.snap()


def nine_against_seven(felt: Felt) -> Felt:
    return shown(opened(felt, "7s 2d", "7h", enter="20"), "Kd")


def test_paid_wager_handed_over_in_two_piles_is_not_taken(felt: Felt) -> None:
    nine_against_seven(felt).pay_spot(2, "enter", "20")
    assert accused(handed(felt, "enter.1", "enter.pay").pick_up()) == []


def test_push_handed_back_is_not_taken(felt: Felt) -> None:
    shown(opened(felt, "5s 2d", "7h", enter="20"), "Kd")
    assert accused(handed(felt, "enter.1").pick_up()) == []


def test_losing_wager_handed_back_is_left(felt: Felt) -> None:
    shown(opened(felt, "4s 2d", "7h", enter="20"), "Kd")
    assert accused(handed(felt, "enter.1").pick_up()) == [("violation", "P104", "20.00")]
    (left,) = only_round(felt).findings
    assert left.observed == "20.00 not taken, handed back to the player"
    assert "P206" not in left.procedures


def test_unpaid_winner_handed_back_is_unpaid(felt: Felt) -> None:
    assert accused(handed(nine_against_seven(felt), "enter.1").pick_up()) == [("violation", "P104", "-20.00")]


def test_losing_wager_set_before_the_rack_is_taken(felt: Felt) -> None:
    shown(opened(felt, "4s 2d", "7h", enter="20"), "Kd")
    assert accused(closed(handed(felt, "enter.1", away=-420.0))) == []


def test_paid_stake_that_goes_to_the_rack_is_taken(felt: Felt) -> None:
    """Other cheques that come to lie before the player are not what was lifted."""
    nine_against_seven(felt).pay_spot(2, "enter", "20").hand("dealer", "seat2.enter", "rack").remove("s2.enter.1")
    felt.put_chips("own", "5", felt.at("seat2.enter", 20.0, 110.0))
    assert ("violation", "P104", "-20.00") in found(felt.snap().pick_up())


def test_side_bet_that_went_with_its_payment_while_the_dealers_other_hand_was_at_the_rack_may_have_been_sent_on(
    felt: Felt,
) -> None:
    """In footage the pile that it made before its player rested for less than half a second, and was missed."""
    opened(felt, "7h 2s", "5h", enter="20", block_bonus="5").pay_spot(2, "block_bonus", "10")
    felt.hand("dealer", "rack").hand("dealer", "seat2.block_bonus").remove("s2.block_bonus.1")
    felt.remove(felt.names("s2.block_bonus.pay")[0])
    shown(felt.snap(), "Kd").pay_spot(2, "enter", "20").collect_spot(2, "enter").pick_up()
    assert [one[:2] for one in found(felt)] == [("undetermined", "P098")]


@pytest.mark.parametrize(("taken", "told"), [(True, []), (False, [("violation", "P055", "20.00")])])
def test_like_cheques_that_pay_another_number_are_not_the_loser_handed_back(
    taken: bool, told: list[tuple[str, str, str]]
) -> None:
    """No state shows the loser gone before the winner is paid, past the edge of its zone, with as many reds."""
    felt = dicey().bets({2: "20"}, "chuck1").bets({2: "20"}, "chuck2").card(2, "Js", sideways=True).roll(1, 4, 5)
    felt.hand("dealer", "seat2.chuck2", "rack").hand("dealer", "rack", "seat2.chuck1")
    felt.put_chips("s2.chuck1.pay", "red red red red", felt.at("seat2.chuck1", 0.0, 60.0))
    if taken:
        felt.remove("s2.chuck2.1")
    felt.snap().collect_spot(2, "chuck1").collect_spot(2, "chuck2").pick_up_seat(2).cover_dice()
    assert [one for one in accused(felt) if one[1] != "P053"] == told


@pytest.mark.parametrize("paid", ["20", "15"])
def test_wagers_handed_over_together_are_paid_what_was_paid_on_each(paid: str) -> None:
    """Enter and Draw with their payments go in one gap, and stand before the player in two piles."""
    felt = Felt(wide_profile("lucky_draw_baccarat", ("enter", "draw", "block_bonus")))
    felt = shown(opened(felt, "2c 3d", "5h", enter="20").bets({2: "20"}, "draw").card(2, "As"), "Ks")
    felt.pay_spot(2, "enter", "20").pay_spot(2, "draw", paid)
    felt.hand("dealer", "rack", "seat2.enter").hand("dealer", "rack", "seat2.draw")
    for place, bet in enumerate(("enter", "draw")):
        text = " ".join(cheque for name in felt.names(f"s2.{bet}.") for cheque in felt.things.pop(name).stack or ())
        felt.put_chips(f"own.{bet}", text, felt.at("seat2.enter", 20.0 + 45.0 * place, 110.0))
    told = accused(felt.snap().pick_up())
    assert told == ([] if paid == "20" else [("violation", "P105", "-5.00")])


@pytest.mark.parametrize("rack", [False, True], ids=["handed over", "over the rack"])
def test_wager_that_goes_with_more_before_its_player_may_have_been_paid_unseen(rack: bool) -> None:
    """Nobody saw the payment beside it: both states of its gap show the wager alone, then the sum before the player."""
    nine_against_seven(felt := Felt(wide_profile("lucky_draw_baccarat", ("enter", "draw", "block_bonus"))))
    felt.hand("dealer", "seat2.enter").snap(covered=("seat2.enter",)).remove("s2.enter.1")
    felt.hand("dealer", "seat2.enter", *(("rack",) if rack else ()))
    felt.put_chips("own", " ".join(["red"] * 8), felt.at("seat2.enter", 20.0, 110.0))
    assert accused(felt.snap().pick_up()) == []


def paid_number(*, upon: bool) -> Felt:
    """Number one wins 20 on 20; the dealer pushes the wager upon its payment perhaps, and then lifts all of it."""
    felt = dicey().bets({2: "20"}, "chuck1").card(2, "Js", sideways=True).roll(1, 4, 5).pay_spot(2, "chuck1", "20")
    if upon:
        felt.hand("dealer", "seat2.chuck1").remove("s2.chuck1.1")
        felt.put_chips("s2.chuck1.pay", " ".join(["red"] * 8), felt.at("seat2.chuck1", 0.0, -42.0))
        felt.snap()
    return felt


def lifted(felt: Felt, *zones: str, before_him: bool) -> Felt:
    felt.hand("dealer", "seat2.chuck1", *zones)
    for name in felt.names("s2.chuck1."):
        felt.remove(name)
    if before_him:
        felt.put_chips("own", " ".join(["red"] * 8), felt.at("seat2.chuck1", 10.0, 110.0))
    return felt.snap().pick_up_seat(2).cover_dice()


@pytest.mark.parametrize("zones", [(), ("rack",)], ids=["not to the rack", "by the rack"])
def test_wager_pushed_upon_its_payment_and_handed_over_is_not_taken(zones: tuple[str, ...]) -> None:
    felt = lifted(paid_number(upon=True), *zones, before_him=True)
    assert accused(felt) == []
    assert [str(pay.amount) for pay in only_round(felt).observed.pays] == ["20"]


@pytest.mark.parametrize("upon", [True, False])
def test_paid_wager_that_goes_and_not_to_the_rack_is_undetermined(upon: bool) -> None:
    """Nobody saw where it went: to the player, out of sight, or into the dealer's other hand."""
    felt = lifted(paid_number(upon=upon), before_him=False)
    assert found(felt) == [("undetermined", "P054", None)]


@pytest.mark.parametrize("upon", [True, False])
def test_paid_wager_that_goes_to_the_rack_is_taken_with_its_payment(upon: bool) -> None:
    felt = lifted(paid_number(upon=upon), "rack", before_him=False)
    assert accused(felt) == [("violation", "P054", "-40.00")]
    assert [str(take.amount) for take in only_round(felt).observed.takes] == ["20"]


def test_wager_of_two_piles_pushed_upon_its_payment_is_not_taken() -> None:
    felt = dicey().bets({2: "10"}, "chuck1")
    felt.put_chips("s2.chuck1.1", "5", felt.at("seat2.chuck1"))
    felt.put_chips("s2.chuck1.2", "5", felt.at("seat2.chuck1", 0.0, 41.0))
    felt.snap().card(2, "Js", sideways=True).roll(1, 4, 5).pay_spot(2, "chuck1", "10").hand("dealer", "seat2.chuck1")
    felt.remove("s2.chuck1.1")
    felt.remove("s2.chuck1.2")
    felt.put_chips("s2.chuck1.pay", "red red red red", felt.at("seat2.chuck1", 0.0, -42.0))
    assert accused(felt.snap().collect_spot(2, "chuck1").pick_up_seat(2).cover_dice()) == []


def trilux_flush() -> Felt:
    """Seat 1 wins 45 on a Trilux bet of 5, and is paid beside it."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), rules="shoe-six-deck", finder=False))
    felt.bets({1: "20"}).bets({1: "5"}, "trilux").deal({1: "Th 4h"}, dealer="8h Td")
    return felt.pay_spot(1, "trilux", "45")


def goes_on(felt: Felt) -> Felt:
    return felt.turn().take_spot(1, "main").pick_up()


def put_together(felt: Felt) -> None:
    stacks = [felt.things.pop(name).stack or () for name in felt.names("s1.trilux.")]
    felt.put_chips("own", " ".join(cheque for stack in stacks for cheque in stack), felt.at("seat1.trilux", 49.0, 61.0))


def test_side_wager_put_upon_its_payment_is_no_payment_though_its_spot_was_covered_still() -> None:
    felt = trilux_flush().hand("dealer", "seat1.trilux")
    put_together(felt)
    felt.snap(covered=("seat1.trilux",)).hand("dealer", "seat1.trilux").snap()
    assert accused(goes_on(felt)) == []


def test_pile_sent_on_that_is_perhaps_read_a_cheque_too_high_is_wager_and_payment_all_the_same() -> None:
    felt = trilux_flush().hand("dealer", "seat1.trilux")
    put_together(felt)
    pile = felt.things["own"].stack or ()
    felt.snap(covered=("seat1.trilux",)).hand("dealer", "seat1.trilux").snap()
    states = goes_on(felt).states
    reads = {(*pile, "red"): 0.7, pile: 0.29}
    assert accused(felt) == []
    result = audit_states(doubtful_stack(states, pile, reads), felt.profile)
    assert [one.code for each in result.rounds for one in each.findings if one.verdict.value != "undetermined"] == []


@pytest.mark.parametrize(("whole", "told"), [(10, []), (9, [("violation", "P385", "-5")])])
def test_payment_read_a_cheque_short_is_counted_with_the_wager_with_which_it_is_handed_over(
    whole: int, told: list[tuple[str, str, str]]
) -> None:
    felt = trilux_flush()
    felt.put_chips("s1.trilux.pay", " ".join(["red"] * 9), felt.things["s1.trilux.pay"].xy_mm)
    felt.states[-1] = replace(felt.states[-1], objects=tuple(felt.things.values()))
    felt.hand("dealer", "seat1.trilux", "rack")
    put_together(felt)
    states = goes_on(felt.snap()).states
    for number, read in ((9, 8), (10, whole)):
        pile, likeliest = ("red",) * number, ("red",) * read
        others = {("red",) * (read - 1): 0.005, ("red",) * (read + 1): 0.005}
        states = doubtful_stack(states, pile, {likeliest: 0.985, **others})
    result = audit_states(states, felt.profile, thresholds=RECOGNISED)
    said = [one for each in result.rounds for one in each.findings if one.verdict.value != "undetermined"]
    assert [(one.verdict.value, one.procedures[0], str(one.amount)) for one in said] == told


def test_payment_of_two_piles_of_which_one_is_sent_on_with_its_wager_pays_nothing_more() -> None:
    """The other one is pushed on after it."""
    felt = trilux_flush()
    x, y = felt.things["s1.trilux.pay"].xy_mm
    felt.put_chips("s1.trilux.pay", "red", (x, y))
    felt.put_chips("s1.trilux.pay2", "40", (x, y - 42.0))
    felt.states.pop()
    felt.hand("dealer", "seat1.trilux", "rack").snap().hand("dealer", "seat1.trilux")
    own = felt.things.pop("s1.trilux.1").stack or ()
    felt.things.pop("s1.trilux.pay")
    felt.put_chips("own", " ".join((*own, "red")), felt.at("seat1.trilux", 49.0, 61.0))
    felt.snap(covered=("seat1.trilux",)).hand("dealer", "seat1.trilux")
    second = felt.things.pop("s1.trilux.pay2")
    felt.things["own2"] = replace(second, xy_mm=felt.at("seat1.trilux", 90.0, 61.0))
    assert accused(goes_on(felt.snap())) == []


def test_a_hand_that_rests_at_the_rack_leaves_open_where_a_paid_side_wager_went() -> None:
    """The other hand lifts it with its payment; where the cheques went the arm hides."""
    felt = trilux_flush()
    for zone, later in (("rack", 0), ("seat1.trilux", 300)):
        stays = Span.of(felt.now + later, felt.now + 900)
        felt.hands.append(HandSeen(side="dealer", zones=(zone,), span=stays))
    felt.now += 950
    for name in felt.names("s1.trilux."):
        felt.remove(name)
    assert [one[0] for one in found(goes_on(felt.snap()))] == ["undetermined"]


@pytest.mark.parametrize(
    ("payment", "stands", "as_one"),
    [
        ({("red",): 1.0}, {("red", "red"): 1.0}, True),
        ({("red",): 1.0}, {("red",): 1.0}, False),
        ({}, {}, False),  # neither is read: it may pay another wager
    ],
)
def test_only_what_is_read_as_wager_and_payment_was_sent_as_one(payment: Any, stands: Any, as_one: bool) -> None:
    hand = HandSeen(side="dealer", zones=("seat1.trilux",), span=Span.of(1100, 1900))
    change = Change(state=3, seen=Span.of(1000, 2000), hands=(hand,))

    def pile(stacks: Any) -> Any:
        looks = [SimpleNamespace(stacks=stacks)]
        return SimpleNamespace(spot=None, appeared=change, gone=change, versions=lambda: looks)

    paid: Any = SimpleNamespace(track=pile({("red",): 1.0}), payments=[pile(payment)])
    came = pile(stands)
    assert sent_as_one(came, [came], [paid]) is as_one


@pytest.mark.parametrize(("stands", "codes"), [("20 red", []), ("", ["winner-taken"]), ("1 red", ["winner-unpaid"])])
def test_trilux_wager_paid_stacked_up_and_sent_on_between_two_looks_was_paid(stands: str, codes: list[str]) -> None:
    """Nine to one on 10: 20 reds before the player are the wager and 90; nothing, or a red, are not."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"))).bets({2: "25"}).bets({2: "red red"}, "trilux")
    felt.deal({2: "5s 6s"}, dealer="7s 8h").hand("dealer", "rack", "seat2.trilux").hand("dealer", "seat2.trilux")
    felt.remove("s2.trilux.1")
    if stands:
        text = "red red" if stands == "1 red" else " ".join(["red"] * int(stands.split(maxsplit=1)[0]))
        felt.put_chips("own", text, felt.at("seat2.trilux", 0.0, 100.0))
    felt.snap().hand("player", "seat2.trilux", seat=2)
    if stands:
        felt.remove("own")
    felt.snap().hit(2, "9c").turn().dealer_hits("Kd").pay(2, "25").collect(2).pick_up()
    assert [one.code for one in only_round(felt).findings if one.verdict.value == "violation"] == codes


@pytest.mark.parametrize(("reds", "accuses"), [(20, False), (6, True)])
def test_wager_sent_on_to_where_other_cheques_lay_before(reds: int, accuses: bool) -> None:
    """Four blacks are fetched, and reds lie there, all in one gap: another pile, the wager of 10 and its 90 or not."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"))).bets({2: "25"}).bets({2: "red red"}, "trilux")
    felt.deal({2: "5s 6s"}, dealer="7s 8h").hand("player", "seat2.cards", seat=2)
    felt.put_chips("own", "black black black black", felt.at("seat2.trilux", 8.0, 104.0))
    felt.snap().hand("player", "seat2.main", seat=2)
    felt.hand("dealer", "rack", "seat2.trilux").hand("dealer", "seat2.trilux").remove("s2.trilux.1")
    felt.put_chips("own", " ".join(["red"] * reds), felt.at("seat2.trilux", 0.0, 100.0))
    felt.snap().hand("player", "seat2.trilux", seat=2).remove("own")
    felt.snap().hit(2, "9c").turn().dealer_hits("Kd").pay(2, "25").collect(2).pick_up()
    codes = {one.code for one in only_round(felt).findings if one.verdict.value == "violation"}
    assert bool(codes & {"winner-taken", "winner-unpaid", "pay-amount"}) is accuses


@pytest.mark.parametrize(
    ("reds", "told"),
    [(8, []), (6, [("violation", "P104", "-10.00")]), (0, [("violation", "P104", "-40.00")])],
)
def test_wager_paid_and_sent_on_with_its_payment_between_two_looks_was_paid(
    felt: Felt, reds: int, told: list[tuple[str, str, str]]
) -> None:
    nine_against_seven(felt).hand("dealer", "rack", "seat2.enter").hand("dealer", "seat2.enter").remove("s2.enter.1")
    if reds:
        felt.put_chips("own", " ".join(["red"] * reds), felt.at("seat2.enter", 20.0, 110.0))
    assert accused(felt.snap().pick_up()) == told


@pytest.mark.parametrize(
    ("stands", "paid", "more"),
    [
        ({("green", "green", "red", "red"): 1.0}, True, True),
        ({("green", "green", "red", "red"): 1.0}, False, False),
        ({("green", "red"): 1.0}, True, False),
        ({("green", "green", "green"): 1.0}, True, False),
        ({}, True, False),
    ],
)
def test_a_pile_with_all_cheques_of_a_paid_wager_and_more_is_that_wager_sent_on(
    stands: Any, paid: bool, more: bool
) -> None:
    """However many of the piles into which it had been broken down were followed."""

    def pile(stacks: Any) -> Any:
        return SimpleNamespace(versions=lambda: [SimpleNamespace(stacks=stacks)])

    wager: Any = SimpleNamespace(track=pile({("green", "red"): 1.0}), pays=[object()] if paid else [])
    assert _holds_more([pile(stands)], wager) is more


@pytest.mark.parametrize(
    ("hands", "told"),
    [
        ("rack+ spot player", None),
        ("rack+ spot player rack", None),
        ("rack+ player", "winner-taken"),
        ("rack+ spot rack player", "winner-taken"),
    ],
)
def test_winner_that_may_have_been_paid_and_sent_on_in_one_gap_is_not_said_to_be_taken(
    hands: str, told: str | None
) -> None:
    """The dealer came to it from the rack and again, and then its player's hand, before the dealer's was elsewhere."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=2)).bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn()
    for one in hands.split():
        zones = {"rack+": ("rack", "seat1.main"), "spot": ("seat1.main",), "rack": ("rack",), "player": ()}[one]
        felt.hand("player" if one == "player" else "dealer", *zones, seat=1 if one == "player" else None)
    felt.remove("s1.main.1")
    codes = [one.code for one in only_round(felt.snap().pick_up()).findings if one.bet and one.bet.bet == "main"]
    assert codes == [told or "not-seen"]


@pytest.mark.parametrize(("stays", "told"), [(True, "not-seen"), (False, "winner-taken")])
def test_player_who_reaches_for_what_the_dealer_still_pushes_on_fetches_it(*, stays: bool, told: str) -> None:
    """His hand came before the dealer's had left, and stayed longer, or did not."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=2)).bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn()
    felt.hand("dealer", "rack", "seat1.main").hand("dealer", "seat1.main").hand("player", seat=1).remove("s1.main.1")
    felt.snap().pick_up()
    place = next(n for n, state in enumerate(felt.states) if any(hand.zones == () for hand in state.hands))
    brought, pushed, fetched = felt.states[place].hands
    last = pushed.span.last + (40 if stays else -10)
    fetched = replace(fetched, span=Span.of(pushed.span.last - 20, last))
    felt.states[place] = replace(felt.states[place], hands=(brought, pushed, fetched))
    assert [one.code for one in only_round(felt).findings if one.bet and one.bet.bet == "main"] == [told]


def test_wager_paid_upon_and_pushed_to_its_player_who_fetches_it_next_is_not_taken() -> None:
    felt = Felt(wide_profile("blackjack", ("main",), seats=2)).bets({1: "20"}).deal({1: "Th 9c"}, dealer="Td 8s").turn()
    felt.hand("dealer", "rack", "seat1.main").put_chips("s1.main.1", "40", felt.at("seat1.main"))
    felt.snap().hand("dealer", "seat1.main").hand("player", seat=1).hand("dealer", "rack").remove("s1.main.1")
    assert accused(felt.snap().pick_up()) == []
