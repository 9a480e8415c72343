"""Looks that come in the middle of an act, and hands that one look after the other lists: a card or cheques on the way.

So a recording that looks once a second shows a table, whatever happens there.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.states import HandSeen, SeenObject, StackCandidate, parse_state
from audit.timing import Span
from tests.audit.asking import accused, audited
from tests.audit.pairs.bankroll import counted
from tests.audit.pairs.deal import push, start, table, turn_cards
from tests.audit.pairs.lying import bill, spread_dead_game
from tests.audit.pairs.manner import topped_up
from tests.audit.pairs.packs import laid_out, play_on
from tests.audit.pairs.pair import put
from tests.audit.pairs.whole_shoes import blackjack, cards, shuffled_round, stand_all
from tests.notation import Felt, wide_profile


def told(felt: Felt, procedure: str) -> list[str]:
    return [one[0] for one in accused(felt) if one[1] == procedure]


def with_long_hands(felt: Felt, zone: str) -> Felt:
    """The dealer's hands over a zone began when the first of them did, and every look lists them again."""
    first: int | None = None
    for place, state in enumerate(felt.states):
        over = [hand for hand in state.hands if hand.side == "dealer" and zone in hand.zones]
        first = min(hand.span.first for hand in over) if over and first is None else first
        hands = tuple(
            replace(hand, span=Span.of(first, hand.span.last)) if hand in over and first is not None else hand
            for hand in state.hands
        )
        felt.states[place] = replace(state, hands=hands)
    return felt


def test_payment_laid_in_two_parts_by_one_visit_was_not_brought_back() -> None:
    """P265."""
    assert told(topped_up(brought_back=False), "P265") == ["suspect"]
    assert told(with_long_hands(topped_up(brought_back=False), "seat2.main"), "P265") == []


@pytest.mark.parametrize(("stays", "verdicts"), [(True, []), (False, ["suspect"])])
def test_card_seen_on_its_way_from_the_shoe_is_no_card_outside_the_hands(*, stays: bool, verdicts: list[str]) -> None:
    """P293: the hand goes on, and lays a card with its face down next."""
    felt = start(table(), {1: "5h 6c"}, "Td 8s").hand("player", "seat1.cards", seat=1)
    began = felt.now
    felt.hand("dealer", "shoe").put_card("way", "9c", (-380.0, 150.0), 40.0)
    felt.snap().remove("way")
    state = felt.states[-1]
    last = state.span.last if stays else state.span.first - 1
    felt.states[-1] = replace(state, hands=(HandSeen(side="dealer", zones=("shoe",), span=Span.of(began, last)),))
    felt.card(1, "9c").turn().take_spot(1, "main").pick_up()
    assert told(felt, "P293") == verdicts


@pytest.mark.parametrize("read", [1.0, 0.97])
def test_card_moved_to_another_hand_by_a_hand_over_both_is_told_as_surely_as_it_was_read(read: float) -> None:
    """P245: as likely as both looks at its face are right; the other hand rests at the shoe all the while."""
    felt = start(table(), {1: "5h 6c", 2: "5s 4c"}, "Td Ks").hit(1, "9c")
    felt.hand("player", "seat2.cards", seat=2).hand("dealer", "shoe").hand("dealer", "seat1.cards", "seat2.cards")
    felt.remove("s1.h1.2")
    felt.put_card("s2.h1.2", "9c", felt.at("seat2.cards", 0.0, 16.0), 0.0)
    felt.snap().turn().take_spot(2, "main").take_spot(1, "main").pick_up()
    felt.states = [
        replace(state, objects=tuple(_read(item, "9c", read) for item in state.objects)) for state in felt.states
    ]
    (one,) = [one for one in audited(felt).rounds[0].findings if one.procedures[0] == "P245"]
    assert one.verdict.value == "suspect"
    assert one.probability == pytest.approx(read**2, abs=1e-6) or read == 1.0


def _read(item: SeenObject, code: str, p: float) -> SeenObject:
    return replace(item, candidates={code: p}) if item.card == code and p < 1 else item


def test_card_that_one_look_shows_over_another_hand_on_its_way_was_not_moved() -> None:
    """P245: the hand that laid it down was there already."""
    felt = start(table(), {1: "5h 6c", 2: "5s 4c"}, "Td Ks").hand("player", "seat2.cards", seat=2)
    began = felt.now
    felt.hand("dealer", "shoe", "seat1.cards").put_card("way", "9c", felt.at("seat1.cards", -60.0, -30.0), 40.0)
    felt.snap().remove("way")
    felt.hand("dealer", "shoe", "seat1.cards", "seat2.cards")
    felt.put_card("s2.h1.2", "9c", felt.at("seat2.cards", 0.0, 16.0), 0.0)
    felt.snap()
    for place in (-2, -1):
        state = felt.states[place]
        hands = (HandSeen(side="dealer", zones=("seat1.cards", "seat2.cards"), span=Span.of(began, state.span.last)),)
        felt.states[place] = replace(state, hands=hands)
    felt.turn().take_spot(2, "main").take_spot(1, "main").pick_up()
    assert told(felt, "P245") == []


def test_dealers_first_card_out_of_order_is_told_though_his_second_comes_many_looks_later() -> None:
    """P234: with a look after every card, his second comes after all the players' second ones."""
    felt = table().bets({1: "10", 2: "10", 3: "10"})
    felt.card(1, "Th").card(2, "9c").dealer_card("up", "back", -250.0).card(3, "8d")
    for seat, code in ((1, "8h"), (2, "9d"), (3, "Tc")):
        felt.card(seat, code)
    felt.hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.hole = "8s"
    felt.snap().turn()
    assert told(push(felt, 1, 2, 3), "P233") == ["violation"]


def test_burn_card_shown_is_told_while_the_other_hand_rests_at_the_shoe() -> None:
    """P148."""
    felt = blackjack(seats=1)
    shoe = cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=20.0)
    felt.snap().hand("dealer", "discard").remove("discards")
    felt.snap().hand("dealer", "shoe").snap()
    began = felt.now
    felt.hand("dealer", "shoe").put_card("burn", "4s", (300.0, 100.0), 0.0)
    felt.snap().hand("dealer", "discard").remove("burn")
    put(felt, "discards", "discards", felt.at("discard"), height_mm=0.3)
    felt.hands.append(HandSeen(side="dealer", zones=("shoe",), span=Span.of(began, felt.now)))
    assert told(play_on(felt.snap(), shoe), "P148") == ["suspect"]


@pytest.mark.parametrize(("cut", "verdicts"), [((5, 5, 5, 5), []), ((20,), ["suspect"])])
def test_stack_cut_down_is_seen_though_no_pile_was_read_surely(cut: tuple[int, ...], verdicts: list[str]) -> None:
    """P348: every pile was read with 0.93, as one cheque more may be there."""
    felt = counted(((20,), (20,)), (cut, (20,)), ((20,), (20,)))
    felt.states = [replace(state, objects=tuple(map(_hardly, state.objects))) for state in felt.states]
    assert [one[0] for one in accused(felt) if one[1] in ("P340", "P348", "P352")] == verdicts


def _hardly(item: SeenObject) -> SeenObject:
    if item.kind != "chips" or item.stack is None:
        return item
    more = StackCandidate(stack=(item.stack[0], *item.stack), p=0.05)
    return replace(item, stacks=(StackCandidate(stack=item.stack, p=0.93), more))


def test_height_a_little_below_the_felt_is_none() -> None:
    """A camera measures an empty rack within a millimetre or two."""

    line = '{"t_ms": [0, 1], "objects": [{"kind": "discards", "xy_mm": [0, 0], "height_mm": -0.2}]}'
    assert parse_state(line).objects[0].height_mm == 0


@pytest.mark.parametrize(
    ("step_mm", "half_mm", "verdicts"), [(2.0, 13.0, []), (7.0, 18.0, []), (7.0, 10.0, ["suspect"])]
)
def test_two_rows_whose_ends_lie_a_little_apart_are_two(step_mm: float, half_mm: float, verdicts: list[str]) -> None:
    """P119: cards every 2 mm, the rows 26 mm apart; every 7 mm, the rows 36 apart, or 20, as cards may lie in one."""
    felt = spread_dead_game(hand=False)
    for place, state in enumerate(felt.states):
        backs = [item for item in state.objects if item.kind == "card_back"]
        if len(backs) > 20:
            row = [replace(backs[0], xy_mm=(-half_mm - step_mm * n, 100.0)) for n in range(60)]
            other = [replace(backs[0], xy_mm=(half_mm + step_mm * n, 100.0)) for n in range(60)]
            felt.states[place] = replace(state, objects=(*row, *other))
    assert told(felt, "P119") == verdicts


def test_cards_that_are_washed_past_the_line_are_no_stack_yet() -> None:
    """P130."""
    look = tuple((-200.0 + 20.0 * n, 230.0) for n in range(24))
    other = tuple((x + 9.0, y - 14.0) for x, y in look)
    assert told(laid_out(blackjack(seats=2), look, other, ((0.0, 60.0),)), "P130") == []
    assert told(laid_out(blackjack(seats=2), ((0.0, 230.0),)), "P130") == ["violation"]


@pytest.mark.parametrize(("y", "verdicts"), [(100.0, []), (20.0, []), (230.0, ["violation"])])
def test_bill_between_rack_and_line_is_hardly_far_below_it(y: float, verdicts: list[str]) -> None:
    """P165: how near "just below" is, no document says."""
    felt = bill((-100.0, 0.0), (-100.0, 0.0))
    for place, state in enumerate(felt.states):
        moved = tuple(replace(item, xy_mm=(-100.0, y)) if item.kind == "bill" else item for item in state.objects)
        felt.states[place] = replace(state, objects=moved)
    assert told(felt, "P165") == verdicts


def test_shuffle_is_no_draw_of_the_dealers_while_a_forgotten_hand_lies_there() -> None:
    """P254: his hand was cleared; stacks lie where it lay, to be shuffled."""
    felt = start(table(), {1: "Th 7c", 2: "Tc 7d"}, "6h Td").turn()
    felt.dealer_card("hit.0", "2c", 60.0).take_spot(2, "main").pick_up_seat(2).take_spot(1, "main")
    felt.hand("dealer", "dealer.cards", "discard")
    for name in felt.names("d."):
        felt.remove(name)
    felt.snap().hand("dealer", "discard", "dealer.cards")
    felt.put_card("stack", "back", felt.at("dealer.cards", 10.0), 0.0)
    felt.snap().hand("dealer", "dealer.cards").remove("stack")
    for name, right in (("half.0", -60.0), ("half.1", 60.0)):
        felt.put_card(name, "back", felt.at("dealer.cards", right), 0.0)
    felt.snap().snap().pick_up_seat(1)
    assert told(felt, "P254") == []


def test_shuffled_round_as_it_is_elsewhere_stays_right() -> None:
    """What was mended above accuses nobody of an ordinary shuffle."""
    felt = shuffled_round(blackjack(seats=2))
    result = audit_states(felt.states, felt.profile)
    assert [one.code for one in result.findings if one.verdict.value == "violation"] == []


def test_change_for_bills_that_nobody_saw_has_its_highest_cheques_nearest_the_rack() -> None:
    """P168."""
    assert told(_sent_out(near="green", far="red"), "P168") == []
    assert told(_sent_out(near="red", far="green"), "P168") == ["suspect"]


def _sent_out(*, near: str, far: str) -> Felt:
    felt = table().hand("dealer", "rack")
    felt.put_chips("cut.0", " ".join([near] * 4), (100.0, 30.0))
    felt.put_chips("cut.1", " ".join([far] * 4), (100.0, 75.0))
    felt.snap().hand("dealer", "rack", "seat1.main").remove("cut.0")
    felt.remove("cut.1")
    for number, colour in enumerate((near, far)):
        felt.put_chips(f"own.{number}", " ".join([colour] * 4), felt.at("seat1.main", 70.0 + 42.0 * number, 60.0))
    return push(start(felt.snap(), {2: "Th 8c"}, "Td 8s"), 2)


def test_look_told_zone_by_zone_in_one_gap_in_which_the_ace_was_turned_back_is_one() -> None:
    """P309: his hand at the cards, at the finder and at the cards again."""
    felt = Felt(wide_profile("blackjack", ("main",), finder=True))
    start(felt, {1: "Th 9c"}, "Ah 8s")
    turn_cards(felt, 90.0)
    felt.hand("dealer", "dealer.cards").hand("dealer", "ace_finder")
    felt.hands[-1] = replace(felt.hands[-1], span=Span.of(felt.hands[-1].span.first, felt.hands[-1].span.first + 1300))
    felt.now += 900
    turn_cards(felt.hand("dealer", "dealer.cards"), 0.0)
    assert told(push(felt), "P309") == []
