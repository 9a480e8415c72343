"""Sentences of contracts/states.md, one round each: what the felt shows is understood as it is written there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, audited, found, only_round
from tests.notation import Felt, sample_profile, wide_profile


def started(felt: Felt, cards: str = "Th 9c", dealer: str = "Td 8s", bet: str = "25") -> Felt:
    return felt.bets({2: bet}).deal({2: cards}, dealer=dealer)


def test_payment_merged_with_the_bet_is_stake_and_payment(felt: Felt) -> None:
    started(felt).turn().hand("dealer", "rack", "seat2.main")
    felt.put_chips("s2.main.1", "50", felt.things["s2.main.1"].xy_mm)
    felt.snap().collect(2).pick_up()
    assert found(felt) == []
    assert [str(one.amount) for one in only_round(felt).observed.pays] == ["25"]


def test_payment_merged_short_is_found(felt: Felt) -> None:
    started(felt).turn().hand("dealer", "rack", "seat2.main")
    felt.put_chips("s2.main.1", "45", felt.things["s2.main.1"].xy_mm)
    assert found(felt.snap().collect(2).pick_up()) == [("violation", "P280", "-5.00")]


def test_payment_outside_the_zone_within_80_mm_pays_the_nearest_wager(felt: Felt) -> None:
    started(felt).turn().hand("dealer", "rack", "seat2.main")
    x, y = felt.things["s2.main.1"].xy_mm
    felt.put_chips("s2.pay.0", "25", (x, y + 76.0))
    assert found(felt.snap().collect(2).pick_up()) == []


def test_hole_card_that_never_showed_before_it_was_turned_is_the_second_card(felt: Felt) -> None:
    started(felt).turn().pay(2, "25").collect(2).pick_up()
    blind = [
        replace(s, objects=tuple(o for o in s.objects if not (o.kind == "card_back" and o.xy_mm[0] > -180.0)))
        for s in felt.states
    ]
    assert found(blind) == []
    assert [str(card) for card in only_round(blind).observed.round.dealer] == ["Td", "8s"]


def test_dealers_cards_may_travel_to_the_ace_finder_and_back() -> None:
    felt = started(Felt(sample_profile(finder=True)))
    up, hole = felt.things["d.up"], felt.things["d.hole"]
    x, y = felt.at("ace_finder")
    felt.hand("dealer", "dealer.cards", "ace_finder")
    felt.things["d.up"] = replace(up, xy_mm=(x, y))
    felt.things["d.hole"] = replace(hole, xy_mm=(x + 5.0, y - 6.0))
    felt.snap().hand("dealer", "dealer.cards", "ace_finder")
    felt.things["d.up"], felt.things["d.hole"] = up, hole
    felt.snap().turn().pay(2, "25").collect(2).pick_up()
    assert found(felt) == []
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "8s"]


@pytest.mark.parametrize("up_is_seen_first", [False, True])
def test_dealers_cards_may_be_out_of_sight_in_his_hand_and_laid_back_aside(felt: Felt, up_is_seen_first: bool) -> None:
    started(felt)
    up, hole = felt.things.pop("d.up"), felt.things.pop("d.hole")
    felt.hand("dealer", "dealer.cards", "ace_finder").snap()
    (x, y), (u, v) = up.xy_mm, hole.xy_mm
    felt.hand("dealer", "dealer.cards", "ace_finder")
    felt.things["d.up"] = replace(up, xy_mm=(x + 20.0, y - 6.0))
    if up_is_seen_first:
        felt.snap().hand("dealer", "dealer.cards", "ace_finder")
    felt.things["d.hole"] = replace(hole, xy_mm=(u + 20.0, v - 6.0))
    felt.snap().turn().pay(2, "25").collect(2).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "8s"]
    assert found(felt) == []


def test_wager_left_on_the_spot_is_the_next_rounds_wager(felt: Felt) -> None:
    started(felt).turn().pay(2, "25").pick_up()  # neither bet nor payment is collected
    felt.deal({2: "Ts 9d"}, dealer="Kd 8h").turn().pay(2, "50").collect(2).pick_up()
    first, second = audited(felt).rounds
    assert (first.findings, second.findings) == ((), ())
    assert [str(wager.amount) for wager in second.observed.round.wagers] == ["50"]


def test_stack_of_the_players_own_outside_every_zone_is_not_in_play(felt: Felt) -> None:
    felt.put_chips("own", "100", felt.at("seat2.main", 0.0, 110.0))
    felt.snap()
    started(felt).turn().pay(2, "25").collect(2).pick_up()
    assert found(felt) == []
    assert [str(wager.amount) for wager in only_round(felt).observed.round.wagers] == ["25"]


def test_stack_on_one_insurance_line_belongs_to_the_seat_at_its_left() -> None:
    felt = Felt(wide_profile("blackjack", ("main",)))
    felt.bets({1: "100", 2: "100"}).deal({1: "Th 9c", 2: "Ts 9d"}, dealer="Ad 8s").insure(2, "50")
    felt.take_spot(2, "insurance").turn().pat(2).collect_spot(2, "main").pat(1).collect_spot(1, "main").pick_up()
    assert accused(felt) == []
    insured = [w.key.seat for w in only_round(felt).observed.round.wagers if w.key.bet == "insurance"]
    assert insured == [2]


def test_cheques_proved_in_front_of_the_rack_are_no_payment(felt: Felt) -> None:
    started(felt).turn().hand("dealer", "rack")
    felt.put_chips("proof", "100", felt.at("rack", 0.0, 120.0))
    felt.snap().hand("dealer", "rack").remove("proof")
    felt.snap().pay(2, "25").collect(2).pick_up()
    assert found(felt) == []


def test_same_wager_collected_and_bet_again_is_a_new_wager(felt: Felt) -> None:
    started(felt).turn().pay(2, "25").collect(2).pick_up()
    felt.bets({3: "25"}).deal({3: "Ts 9d"}, dealer="Kd 9h").turn().pat(3).collect(3).pick_up()
    felt.bets({2: "25"})
    assert found(felt) == []
    assert [[wager.key.seat for wager in one.observed.round.wagers] for one in audited(felt).rounds] == [[2], [3]]
