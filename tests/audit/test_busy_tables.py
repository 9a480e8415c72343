"""A quick dealer, and players who all move at once: whose arm it was, and what it did, among several over the felt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import HandSeen
from audit.timing import Span
from tests.audit.asking import accused, only_round
from tests.audit.pairs.between import bought
from tests.audit.pairs.deal import start, table
from tests.audit.pairs.dice import dicey, shoot
from tests.audit.pairs.packs import laid_out
from tests.audit.pairs.whole_shoes import blackjack
from tests.notation import Felt, wide_profile


def told(felt: Felt, procedure: str) -> list[str]:
    return [one[0] for one in accused(felt) if procedure == one[1]]


def test_cards_that_a_players_hand_took_as_the_round_ended_are_suspected_to_be_touched() -> None:
    """P217: the dealer picks them up then, and a hand may be told from the wrong side."""
    felt = start(table(), {1: "Th 9c", 2: "Tc 9d"}, "Td 8s").turn().pay(1, "10").pay(2, "10").collect(1).collect(2)
    felt.hand("player", "seat2.cards", seat=2)
    for name in felt.names("s2.h1."):
        felt.remove(name)
    assert told(felt.snap().pick_up(), "P217") == ["suspect"]


def test_one_hand_over_the_cards_of_two_seats_that_both_went_picked_them_up() -> None:
    """P217."""
    felt = start(table(), {1: "Th 9c", 2: "Tc 9d"}, "Td 8s").turn().pay(1, "10").pay(2, "10").collect(1).collect(2)
    felt.hand("player", "seat2.cards", "seat1.cards", seat=2)
    for name in (*felt.names("s2.h1."), *felt.names("s1.h1.")):
        felt.remove(name)
    assert told(felt.snap().pick_up(), "P217") == []


def test_arm_that_fetched_a_winning_beside_a_bet_that_stays_placed_no_two_bets() -> None:
    """P226: the arm of seat 1 lay over both spots when the last round's cards went away."""
    felt = start(table(), {1: "Th 9c", 2: "Tc 9d"}, "Td 8s", bet="5").turn().pay(1, "5").pay(2, "5")
    for seat in (2, 1):
        felt.pick_up_seat(seat)
    felt.hand("dealer", "dealer.cards", "discard").hand("player", "seat1.main", "seat2.main", seat=1)
    for name in [*felt.names("d."), "s1.pay.0", "s2.pay.0"]:
        if name in felt.things:
            felt.remove(name)
    felt.snap()
    felt.deal({1: "Ts 9h", 2: "Tc 8d"}, dealer="Td 7s").turn().pay(1, "5").pay(2, "5").collect(1).collect(2)
    assert told(felt.pick_up(), "P226") == []


def test_cheques_of_a_players_own_that_one_look_missed_were_not_given_for_the_bill() -> None:
    """P170."""
    felt = bought(100.0, folded=False)
    first = next(n for n, state in enumerate(felt.states) if any(i.kind == "bill" for i in state.objects))
    own = table()
    own.put_chips("own", " ".join(["red"] * 7), own.at("seat1.main", 150.0, 60.0))
    own.put_chips("sent", " ".join(["red"] * 20), own.at("seat1.main", 70.0, 60.0))
    sent = max(n for n, state in enumerate(felt.states) if any(i.kind == "bill" for i in state.objects))
    for place, state in enumerate(felt.states):
        more = [own.things[name] for name in ("own",) * (place != first) + ("sent",) * (place >= sent)]
        felt.states[place] = replace(state, objects=(*state.objects, *more))
    assert told(felt, "P170") == []


@pytest.mark.parametrize("busy", [True, False])
def test_paid_winner_that_went_while_the_dealer_paid_another_from_the_rack_was_fetched(*, busy: bool) -> None:
    """P032: the arm over it is told as his; another one of his, at the rack for seat 1, brought nothing there."""
    felt = Felt(wide_profile("draw_n_shoot_21", ("ante", "raise"))).bets({1: "20", 3: "20"}, "ante")
    felt.card(1, "Ts").card(3, "Th").hand("player", "seat1.cards", seat=1).hand("player", "seat3.cards", seat=3)
    felt.roll(5, 4).pay_spot(3, "ante", "20").pick_up_seat(3)
    began = felt.now
    felt.put_chips("s1.pay", "20", felt.at("seat1.ante", 0.0, -42.0))
    for name in felt.names("s3."):
        felt.remove(name)
    zones = ("rack", "seat1.ante") if busy else ("rack", "seat1.ante", "seat3.ante")
    felt.hands.append(HandSeen(side="dealer", zones=zones, span=Span.of(began, began + 900)))
    felt.hands.append(HandSeen(side="dealer", zones=("seat3.ante",), span=Span.of(began + 200, began + 700)))
    felt.now = began + 2_500
    felt.snap()
    felt.now += 2_000
    felt.collect_spot(1, "ante").pick_up_seat(1).cover_dice()
    assert told(felt, "P032") == ([] if busy else ["violation"])


def test_cards_of_a_push_that_stay_are_left_as_well_as_passed_over() -> None:
    """P058 beside P052, P037 beside P028: his turn came, and his cards went only after the next player's."""
    for felt, one, other in ((dicey(), "P052", "P058"), (shoot(), "P028", "P037")):
        felt.bets({1: "10", 2: "10", 3: "10"}, "ante").card(1, "Ts").card(2, "9s").card(3, "Th")
        for seat in (1, 2, 3):
            felt.hand("player", f"seat{seat}.cards", seat=seat)
        felt.roll(*((5, 3, 3) if one == "P052" else (5, 3)))
        (first,) = [f for f in only_round(_closed(felt)).findings if f.code == "settling-order"]
        assert {one, other} <= set(first.procedures)


def _closed(felt: Felt) -> Felt:
    """Seats 3 and 1 are paid, seat 2 pushes; its cards go last."""
    for seat in (3, 1):
        felt.pay_spot(seat, "ante", "10").collect_spot(seat, "ante").pick_up_seat(seat)
    return felt.pick_up_seat(2).collect_spot(2, "ante").cover_dice()


def test_stack_past_an_insurance_line_that_is_an_arc_is_past_it_where_it_lies() -> None:
    """P130: at the side the arc comes nearer to the dealer."""
    arc = ((-290.0, 60.0), (-150.0, 150.0), (0.0, 180.0), (150.0, 150.0), (290.0, 60.0), (290.0, 80.0))
    arc = (*arc, (150.0, 170.0), (0.0, 200.0), (-150.0, 170.0), (-290.0, 80.0))
    verdicts = []
    for place in ((0.0, 170.0), (240.0, 170.0)):
        felt = laid_out(blackjack(seats=2), (place,))
        zones = (replace(z, polygon_mm=arc) if z.name == "insurance" else z for z in felt.profile.zones)
        felt.profile = replace(felt.profile, zones=tuple(zones))
        verdicts.append(told(felt, "P130"))
    assert verdicts == [[], ["violation"]]


@pytest.mark.parametrize(("dealer", "pays", "takes"), [("8s", ["5.00"], []), ("Ks", [], ["5.00"])])
def test_toke_that_was_paid_is_no_take_and_one_that_lost_is(dealer: str, pays: list[str], takes: list[str]) -> None:
    """Both the toke and its payment come down (004:L995): what was paid is told, nothing was taken for the house."""
    felt = Felt(wide_profile("blackjack", ("main", "toke"), finder=False))
    felt.bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "Th 9c"}, dealer=f"Td {dealer}").turn()
    if pays:
        felt.pay(2, "20").hand("dealer", "rack", "seat2.toke")
        felt.put_chips("s2.toke.pay", "5", felt.at("seat2.toke", 0.0, -42.0))
        felt.snap()
    else:
        felt.take_spot(2, "main")
    felt.hand("dealer", "seat2.toke", "rack")
    for name in felt.names("s2.toke"):
        felt.remove(name)
    felt = (felt.snap().collect(2) if pays else felt.snap()).pick_up()
    observed = only_round(felt).observed
    moved = [
        [f"{float(one.amount or 0):.2f}" for one in some if one.key.bet == "toke"]
        for some in (observed.pays, observed.takes)
    ]
    assert moved == [pays, takes]
