"""Rounds drawn at random and played by the book: what is right is never found wrong, what is planted is found."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from audit.cards import DECK
from tests.audit.asking import accused, found, only_round
from tests.notation import Felt, jittered, merged

ROUNDS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
POINTS = {rank: 10 if rank in "TJQK" else place for place, rank in enumerate("A23456789TJQK", start=1)}


def total(cards: list[str]) -> int:
    """The blackjack total, counted apart from the program."""
    hard = sum(POINTS[card[0]] for card in cards)
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


@dataclass
class Script:
    """One round of one to three seats: the cards in the order of the shoe, and who hits while below which total."""

    shoe: list[str]
    bets: dict[int, str]
    hits_below: int
    hands: dict[int, list[str]] = field(default_factory=dict)

    def draw(self) -> str:
        return self.shoe.pop(0)


def play(script: Script, felt: Felt) -> Felt:
    """Play by the manual: blackjacks paid in turn, broken hands taken at once, the rest from right to left."""
    seats = sorted(script.bets)
    hands = {seat: [script.draw(), script.draw()] for seat in seats}
    dealer = [script.draw(), script.draw()]
    felt.bets(script.bets).deal({seat: " ".join(hands[seat]) for seat in seats}, dealer=" ".join(dealer))
    script.hands = hands
    peeked = total(dealer) == 21
    live = []
    for seat in seats if not peeked else []:
        if total(hands[seat]) == 21:
            felt.pay(seat, three_to_two(script.bets[seat])).collect(seat).pick_up_seat(seat)
            continue
        while total(hands[seat]) < script.hits_below:
            hands[seat].append(script.draw())
            felt.hit(seat, hands[seat][-1])
        if total(hands[seat]) > 21:
            felt.take(seat).pick_up_seat(seat)
        else:
            live.append(seat)
    felt.turn()
    if live:
        while total(dealer) < 17:
            dealer.append(script.draw())
            felt.dealer_hits(dealer[-1])
    assume(len(dealer) <= 7 and all(len(hand) <= 8 for hand in hands.values()))  # more does not lie in the zones
    settle_by_hand(script, felt, dealer, live if not peeked else seats, peeked=peeked)
    return felt.pick_up()


def settle_by_hand(script: Script, felt: Felt, dealer: list[str], seats: list[int], *, peeked: bool) -> None:
    for seat in reversed(seats):
        own = total(script.hands[seat])
        house = total(dealer)
        if (peeked and own < 21) or (not peeked and house <= 21 and own < house):
            felt.take(seat)
        elif peeked or own == house:
            felt.pat(seat).collect(seat)
        else:
            felt.pay(seat, script.bets[seat]).collect(seat)


def three_to_two(bet: str) -> str:
    return {"10": "15", "25": "37.50", "100": "150", "40": "60"}[bet]


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    shoe = draw(st.lists(st.sampled_from(sorted(DECK)), min_size=40, max_size=40, unique=True))
    seats = draw(st.sets(st.integers(1, 3), min_size=1))
    amounts = st.sampled_from(["10", "25", "40", "100"])
    return Script(
        shoe=shoe, bets={seat: draw(amounts) for seat in seats}, hits_below=draw(st.sampled_from([12, 15, 17]))
    )


@ROUNDS
@given(script=scripts(), seed=st.integers(0, 1000))
def test_round_played_by_the_book_is_found_right(script: Script, seed: int) -> None:
    felt = play(script, Felt())
    assert found(jittered(felt.states, seed)) == []
    one = only_round(felt).observed.round
    assert {seat: [str(card) for card in play.hands[0]] for seat, play in one.seats.items()} == script.hands
    assert {wager.key.seat: str(wager.amount) for wager in one.wagers} == script.bets


@ROUNDS
@given(script=scripts(), drop=st.sets(st.integers(1, 50), max_size=3))
def test_states_that_never_settled_accuse_nobody(script: Script, drop: set[int]) -> None:
    felt = play(script, Felt())
    assert accused(merged(felt.states, drop)) == []
