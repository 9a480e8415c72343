"""Where a hand told as a player's did what only the dealer does, nothing that hangs on whose a hand was is certain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, audited
from tests.audit.test_sides import played, taken_for
from tests.notation import Felt, wide_profile


def once_mistaken(felt: Felt) -> Felt:
    """The hand that deals seat 1 a card is told as seat 2's."""
    return taken_for(felt, 2, "shoe", "seat1.cards")


def reached() -> Felt:
    return played().hand("player", "rack", seat=1).snap()


def test_hand_in_the_rack_is_suspected_and_unlikely_where_sides_were_mistaken() -> None:
    assert [one[:2] for one in accused(reached())] == [("violation", "P202")]
    (told,) = [one for one in audited(once_mistaken(reached())).findings if one.verdict.value != "undetermined"]
    assert (told.verdict.value, told.probability) == ("suspect", 0.3)
    assert told.observed.endswith("(once a hand told as a player's did what only the dealer does: sides were mistaken)")


def test_hands_that_were_told_rightly_leave_a_player_in_the_rack_a_violation() -> None:
    assert "mistaken" not in "".join(one.observed for one in audited(reached()).findings)


def fetched() -> Felt:
    """Seat 1 wins 20 and fetches them, the bet stays; that hand is told as the dealer's."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=4)).bets(dict.fromkeys((1, 2, 3, 4), "20"))
    felt.deal({1: "Th 9c", 2: "Ts 7d", 3: "9s 7c", 4: "8h 9d"}, dealer="Td 8s").turn()
    for seat in (4, 3, 2):
        felt.take_spot(seat, "main")
    felt.pay(1, "20").pick_up().remove(felt.names("s1.pay")[0])
    return felt.hand("dealer", "seat1.main").snap()


def test_player_who_fetches_what_he_won_is_himself_where_sides_were_mistaken() -> None:
    assert accused(once_mistaken(fetched())) == []


def test_payment_that_goes_without_the_rack_is_taken_back_only_where_sides_are_sure() -> None:
    assert [one[1] for one in accused(fetched())] == ["P280"]


def many_rounds(felt: Felt, number: int) -> Felt:
    """Three losers and a winner a round, whose cheques the dealer's hand all takes to the rack or brings from there."""
    for _ in range(number):
        felt.bets(dict.fromkeys((1, 2, 3, 4), "20"))
        felt.deal({1: "Th 9c", 2: "Ts 7d", 3: "9s 7c", 4: "8h 9d"}, dealer="Td 8s").turn()
        for seat in (4, 3, 2):
            felt.take_spot(seat, "main")
        felt.pay(1, "20").collect(1).pick_up()
    return felt


def fetched_after(rounds: int) -> Felt:
    """Seat 1 fetches a bet that pushed when the cards are away; that hand is told as the dealer's."""
    felt = many_rounds(Felt(wide_profile("blackjack", ("main",), seats=4)), rounds)
    felt.bets({1: "20"}).deal({1: "Td 8c"}, dealer="Ts 8s").turn().pat(1).pick_up()
    felt.hand("dealer", "seat1.main").remove(felt.names("s1.main")[0])
    return felt.snap()


@pytest.mark.parametrize(("rounds", "told"), [(0, True), (5, False)])
def test_between_rounds_a_hand_without_the_rack_is_the_player_s_where_the_dealer_s_are_nearly_always_there(
    *, rounds: int, told: bool
) -> None:
    """One hand in a hundred was told from the wrong side, and none as a player's: a push was taken after its cards."""
    assert bool(accused(fetched_after(rounds))) is told


def laid_anew() -> Felt:
    """Seat 1 lost 20 that stayed until the cards were away, and 20 more come to it, without a hand at the rack."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=2)).bets({1: "20", 2: "20"})
    felt.deal({1: "Th 7c", 2: "Ts 7d"}, dealer="Td 8s").turn().take_spot(2, "main").pick_up().hand(
        "dealer", "seat1.main"
    )
    felt.put_chips("s1.more", "20", felt.at("seat1.main", 40.0))
    return felt.snap()


@pytest.mark.parametrize(("at_rack", "verdict"), [(False, "suspect"), (True, "violation")])
def test_cheques_that_come_when_the_cards_are_away_are_a_payment_for_certain_only_from_the_rack(
    *, at_rack: bool, verdict: str
) -> None:
    felt = laid_anew()
    if at_rack:
        last = felt.states[-1]
        hands = tuple(replace(hand, zones=(*hand.zones, "rack")) for hand in last.hands)
        felt.states[-1] = replace(last, hands=hands)
    assert [one[0] for one in accused(felt) if one[2] == "40.00"] == [verdict], accused(felt)
