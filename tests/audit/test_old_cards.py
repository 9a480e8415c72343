"""A round that is dealt while cards of the last one still lie there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from tests.audit.asking import accused, audited
from tests.audit.pairs.dice import shoot
from tests.audit.pairs.pair import put
from tests.notation import Felt


def played(felt: Felt, *, leave: str) -> Felt:
    """Two seats play a round; all cards are picked up but those whose name begins as given."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Ts 8c"}, dealer="Td 9s").turn()
    felt.take(2).pat(1).collect(1)
    for name in felt.names(leave)[:1]:
        felt.things[f"old.{name}"] = felt.things.pop(name)
    return felt.pick_up()


def again(felt: Felt) -> Felt:
    felt.bets({1: "25", 2: "25"}).deal({1: "Kh 8c", 2: "7s 7c"}, dealer="Jd 9s").turn()
    return felt.take(2).take(1).pick_up()


@pytest.mark.parametrize("leave", ["s2.h1", "d.hole"])
def test_card_left_behind_breaks_p420_and_the_next_round_is_judged_by_its_own_cards(felt: Felt, leave: str) -> None:
    table = again(played(felt, leave=leave))
    assert accused(table) == [("violation", "P420", None)]
    assert [one.observed.status.value for one in audited(table).rounds] == ["complete", "complete"]


def test_card_left_behind_at_a_dice_table_breaks_p420() -> None:
    felt = shoot().bets({2: "10", 3: "10"}, "ante").card(2, "9c").card(3, "Th").roll(4, 5)
    felt.pay_spot(3, "ante", "10").collect_spot(3, "ante").pay_spot(2, "ante", "10").collect_spot(2, "ante")
    felt.pick_up_seat(2).cover_dice()
    felt.bets({2: "10"}, "ante").card(2, "8d").roll(5, 6)
    felt.pay_spot(2, "ante", "10").collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert ("violation", "P420", None) in accused(felt)
    assert [[die.value for die in one.observed.round.dice] for one in audited(felt).rounds] == [[4, 5], [5, 6]]


def test_card_dealt_to_a_seat_by_mistake_and_dealt_again_is_no_new_round(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).card(1, "Th").card(2, "Ts").pick_up_seat(2).card(2, "8c")
    assert len(audited(felt.pick_up()).rounds) == 1


def test_dealers_cards_out_of_sight_until_the_next_deal_end_the_round_all_the_same(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Ts 8c"}, dealer="Td 9s").turn().take(2).pat(1).collect(1)
    felt.pick_up_seat(2).pick_up_seat(1)
    for name in felt.names("d."):
        felt.remove(name)
    felt.states.pop()
    felt.hand("dealer", "dealer.cards", "seat1.cards").snap(covered=["dealer.cards"])
    felt.bets({1: "25", 2: "25"})
    felt.states[-1:] = []
    felt.snap(covered=["dealer.cards"])
    felt.card(1, "Kh", snap=False).snap(covered=["dealer.cards"])
    felt.card(2, "7s").pick_up()
    assert len(audited(felt).rounds) == 2


def test_stack_that_is_shuffled_before_the_dealer_is_no_round(felt: Felt) -> None:
    put(felt, "tray", "discards", felt.at("discard"), height_mm=60.0)
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 9s").turn().pat(1).collect(1).pick_up()
    felt.remove("tray")
    for right in (-50.0, 60.0):
        felt.hand("dealer", "dealer.cards", "discard")
        for place in range(3):
            felt.put_card(f"stack{place}", "back", felt.at("dealer.cards", right, 12.0 * place), 0.0)
        felt.snap()
    for place in range(3):
        felt.remove(f"stack{place}")
    felt.hand("dealer", "dealer.cards", "shoe").snap()
    assert len(audited(felt).rounds) == 1
    assert accused(felt) == []


def test_recognised_footage_is_not_cut_at_cards_that_seem_lifted(felt: Felt) -> None:
    felt = again(played(felt, leave="s2.h1"))
    watched = [
        replace(state, objects=tuple(replace(item, since_ms=state.span.first) for item in state.objects))
        for state in felt.states
    ]
    assert len(audit_states(watched, felt.profile).rounds) == 1


def test_first_card_that_one_look_misses_ends_no_round(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).card(1, "Th")
    card = felt.things.pop("s1.h1.0")
    felt.snap()
    felt.things["s1.h1.0"] = card
    felt.card(2, "Ts").dealer_card("up", "back", -250.0).card(1, "9c").card(2, "8c").hand("dealer", "dealer.cards")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.hole = "9s"
    felt.snap().turn().take(2).pat(1).collect(1).pick_up()
    assert len(audited(felt).rounds) == 1
    assert accused(felt) == []


def test_first_card_lifted_by_the_dealer_and_another_round_begun_are_two_rounds(felt: Felt) -> None:
    felt.bets({1: "25"}).card(1, "Th").pick_up_seat(1).card(1, "Th").pick_up_seat(1)
    assert len(audited(felt).rounds) > 1


@pytest.mark.parametrize(("paid", "told"), [("20", []), ("25", [("violation", "P033", "5.00")])])
def test_dice_covered_again_end_the_round_of_a_seat_that_is_hidden_meanwhile(
    paid: str, told: list[tuple[str, str, str]]
) -> None:
    """The place of seat 2 is covered from before its cards go until the next round's second card lies there."""
    felt = shoot().bets({2: "20"}, "ante").card(2, "Ts").roll(4, 5).pay_spot(2, "ante", "20")
    hidden = len(felt.states)
    felt.pick_up_seat(2).collect_spot(2, "ante").cover_dice()
    felt.now += 2000
    felt.snap().bets({1: "20", 2: "20"}, "ante").card(1, "9h")
    for place in range(hidden, len(felt.states)):
        seen = tuple(item for item in felt.states[place].objects if item.card is None or str(item.card) != "Ts")
        felt.states[place] = replace(felt.states[place], objects=seen, covered=frozenset({"seat2.cards"}))
    felt.card(2, "Th").roll(4, 5)
    for seat in (2, 1):
        felt.pay_spot(seat, "ante", paid if seat == 2 else "20").collect_spot(seat, "ante").pick_up_seat(seat)
    felt.cover_dice()
    assert len(audited(felt).rounds) == 2
    assert accused(felt) == told


@pytest.mark.parametrize(("paid", "told"), [("20", []), ("15", [("violation", "P033", "-5.00")])])
def test_card_that_one_look_misses_while_the_seats_bets_are_settled_is_not_dealt_anew(
    paid: str, told: list[tuple[str, str, str]]
) -> None:
    """Seat 3's card is away, seat 1's lies; the dealer's hand came twice to the ante of seat 2, to no card."""
    felt = shoot().bets({1: "20", 2: "20", 3: "20"}, "ante").card(1, "Ts").card(2, "Td").card(3, "Th").roll(4, 5)
    felt.pay_spot(3, "ante", "20").collect_spot(3, "ante").pick_up_seat(3).pay_spot(2, "ante", paid)
    (name,) = felt.names("s2.h")
    card = felt.things.pop(name)
    felt.hand("dealer", "seat2.ante").snap()
    felt.things[name] = card
    felt.hand("dealer", "seat2.ante").snap().collect_spot(2, "ante").pick_up_seat(2)
    felt.pay_spot(1, "ante", "20").collect_spot(1, "ante").pick_up_seat(1).cover_dice()
    assert len(audited(felt).rounds) == 1
    assert accused(felt) == told


def test_cards_that_nobody_was_seen_to_lift_and_that_several_looks_do_not_show_are_not_left_behind(felt: Felt) -> None:
    """Another card comes where one lay, turned the other way; either may be something else with a twentieth."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Qs 8c"}, dealer="Td 9s").turn().take(2).pat(1).collect(1)
    for name in felt.names("s2.h1"):
        felt.remove(name)
    felt.snap().pick_up().bets({1: "25"}).bets({2: "25"}).snap()
    felt.card(1, "Kh", snap=False).card(2, "9h").dealer_card("up", "back", -250.0)
    felt.card(1, "8d").card(2, "9d").dealer_card("hole", "back", -244.0)
    states = [
        replace(
            state,
            objects=tuple(
                replace(it, candidates={it.card: 0.95}, angle_deg=80.0 if it.card == "9h" else it.angle_deg)
                if it.card in ("Qs", "9h")
                else it
                for it in state.objects
            ),
        )
        for state in felt.states
    ]
    first, *_ = audit_states(states, felt.profile).rounds
    assert [one.code for one in first.findings if one.verdict.value == "violation"] == []
