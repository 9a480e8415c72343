"""What is known of a pile before it is looked at: what stood there is its foot, and a double mostly equals its bet."""

from __future__ import annotations

import pytest

from audit.money import parse_money
from audit.pipeline import audit_states
from audit.reconstruction.priors import piled_upon, sharpened, with_its_bet
from audit.states import SeenObject, StackCandidate
from tests.audit.asking import only_round
from tests.audit.pairs.dice import dicey
from tests.notation import Felt, doubtful_stack, sample_profile

PROFILE = sample_profile()
FIFTY, MORE = parse_money("50"), parse_money("75")
RED, BLACK, GREEN = "red", "black", "green"


def pile(*stacks: tuple[tuple[str, ...], float]) -> SeenObject:
    ways = tuple(StackCandidate(stack=stack, p=p) for stack, p in stacks)
    return SeenObject(kind="chips", xy_mm=(0.0, 400.0), stack=None, stacks=ways)


def chances(item: SeenObject) -> dict[tuple[str, ...], float]:
    return {one.stack: one.p for one in item.stacks}


def test_what_stood_there_is_the_foot_of_what_grew() -> None:
    seen = pile(((BLACK, BLACK, BLACK), 0.5), ((RED, BLACK, BLACK), 0.4))
    grown = chances(piled_upon(sharpened(seen, PROFILE), {(RED,): 0.99, (RED, RED): 0.01}, PROFILE))
    assert grown[RED, BLACK, BLACK] == pytest.approx(0.9 * 0.4 * 1.0 / (0.4 + 0.05 * 0.5), abs=0.02)


def test_foot_may_lie_unseen_under_what_was_put_upon_it_unless_its_cheques_are_seen_elsewhere() -> None:
    reds = chances(piled_upon(sharpened(pile(((RED, RED), 0.9)), PROFILE), {(BLACK,): 0.99}, PROFILE))
    assert 0.1 < reds[BLACK, RED, RED] < reds[RED, RED]
    upon = chances(piled_upon(sharpened(pile(((BLACK, BLACK, RED), 0.9)), PROFILE), {(RED,): 0.99}, PROFILE))
    assert set(upon) == {(BLACK, BLACK, RED)}


def test_cheque_in_place_of_another_may_lie_upon_it_where_a_reading_says_so() -> None:
    """A green one as dark as the felt, and a red one put upon it."""
    seen = pile(((RED,), 0.946), ((GREEN, RED), 0.051))
    upon = chances(piled_upon(seen, {(GREEN,): 0.99}, PROFILE))
    assert upon[GREEN, RED] > upon[(RED,)]
    exchanged = pile(((RED,), 0.99), ((GREEN, RED), 0.005))
    assert piled_upon(exchanged, {(GREEN,): 0.99}, PROFILE) is exchanged


def test_wager_upon_which_a_player_put_a_cheque_that_hides_it_is_both() -> None:
    felt = Felt().bets({1: GREEN}).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "green red", felt.at("seat1.main"))
    felt.snap().deal({1: "Th 8c"}, dealer="Td 9s").turn().take(1).pick_up()
    states = doubtful_stack(felt.states, (GREEN, RED), {(RED,): 0.946, (GREEN, RED): 0.051})
    (one,) = audit_states(states, felt.profile).rounds
    assert [str(it.amount) for it in one.observed.round.wagers] == ["30"]


def test_higher_cheques_on_a_wager_are_no_disorder_if_they_were_put_on_it() -> None:
    seen = pile(((RED, BLACK, BLACK), 0.5), ((BLACK, RED), 0.5))
    alone = chances(sharpened(seen, PROFILE))
    assert alone[RED, BLACK, BLACK] < alone[BLACK, RED] / 10
    grown = chances(piled_upon(sharpened(seen, PROFILE), {(RED,): 1.0}, PROFILE))
    assert grown[RED, BLACK, BLACK] > grown[BLACK, RED] * 10


def test_pile_that_did_not_grow_is_what_it_looks_like() -> None:
    seen = pile(((GREEN,), 0.6), ((BLACK,), 0.4))
    assert piled_upon(seen, {(RED, RED): 1.0}, PROFILE) is seen
    assert piled_upon(seen, {}, PROFILE) is seen


def test_pile_that_perhaps_has_not_grown_is_perhaps_what_it_was() -> None:
    seen = pile(((GREEN, GREEN), 0.5), ((GREEN,), 0.45))
    grown = chances(piled_upon(seen, {(GREEN,): 0.9, (GREEN, GREEN): 0.1}, PROFILE))
    assert grown[(GREEN,)] > 0.4


def test_double_and_bet_are_each_others_likelier_reading() -> None:
    bet, double = with_its_bet({FIFTY: 0.55, MORE: 0.45}, {MORE: 0.95})
    assert max(bet, key=lambda amount: bet[amount]) == MORE
    assert sum(bet.values()) == pytest.approx(1.0)
    assert sum(double.values()) == pytest.approx(0.95)


def test_certain_double_over_its_bet_stays_one() -> None:
    bet, double = with_its_bet({FIFTY: 1.0}, {MORE: 1.0})
    assert (bet, double) == ({FIFTY: 1.0}, {MORE: 1.0})


def test_bet_read_as_less_than_its_double_is_taken_for_its_equal(felt: Felt) -> None:
    greens, reds = (GREEN,) * 3, " ".join([RED] * 15)
    felt.bets({1: " ".join(greens)}).deal({1: "5h 6c"}, dealer="Td 9s").double(1, reds, "Tc").turn()
    felt.pay(1, reds).pay(1, reds, beside="double.1").collect(1).pick_up()
    states = doubtful_stack(felt.states, greens, {greens[:2]: 0.55, greens: 0.45})
    assert [one.amount for one in only_round(states).observed.round.wagers] == [MORE, MORE]


def test_raise_read_as_less_than_its_ante_is_taken_for_its_equal() -> None:
    felt = dicey()
    blacks = (BLACK,) * 2
    felt.bets({2: "200"}, "ante").card(2, "Ts").bets({2: " ".join([GREEN] * 8)}, "raise").hit(2, "5c").roll(4, 5, 2)
    states = doubtful_stack(felt.states, blacks, {blacks[:1]: 0.55, blacks: 0.45})
    wagers = audit_states(states, felt.profile).rounds[0].observed.round.wagers
    assert {one.key.bet: one.amount for one in wagers} == {"ante": parse_money("200"), "raise": parse_money("200")}
