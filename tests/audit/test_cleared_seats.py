"""Seats that were cleared end a round, though the dealer's cards are out of sight."""

from __future__ import annotations

from tests.audit.asking import accused, audited
from tests.notation import Felt


def two_rounds(*, bare_ms: int) -> Felt:
    """The dealer's place stays covered from the picking up on; both rounds' cards lie at the very same places."""
    felt = Felt().bets({1: "25", 2: "10"}).deal({1: "Ts 9c", 2: "Kc 8s"}, dealer="9d 7h").turn()
    felt.dealer_hits("Td").pay(2, "10").collect(2).pay(1, "25").collect(1)
    felt.hand("dealer", "seat1.cards", "seat2.cards", "dealer.cards", "discard")
    for name in [*felt.names("s1.h"), *felt.names("s2.h"), *felt.names("d.")]:
        felt.remove(name)
    felt.snap(covered=["dealer.cards"])
    felt.now += bare_ms
    felt.snap(covered=["dealer.cards"])
    for seat, amount in ((1, "25"), (2, "10")):
        felt.hand("player", f"seat{seat}.main", seat=seat)
        felt.put_chips(f"s{seat}.main.1", amount, felt.at(f"seat{seat}.main"))
    felt.snap(covered=["dealer.cards"])
    for seat, card in ((1, "7d"), (2, "6h"), (1, "5s"), (2, "Th")):
        felt.card(seat, card, snap=False).hand("dealer", "shoe", f"seat{seat}.cards").snap(covered=["dealer.cards"])
    return felt


def test_cards_dealt_to_seats_that_were_bare_for_seconds_are_another_round() -> None:
    felt = two_rounds(bare_ms=2_000)
    rounds = audited(felt).rounds
    assert [len(one.observed.round.seats[1].hands[0]) for one in rounds] == [2, 2]
    assert accused(felt) == []


def test_a_dealer_who_goes_on_drawing_to_bare_seats_plays_the_same_round() -> None:
    """All hands broke; what comes to light then is the dealer's own, however long it was hidden."""
    felt = Felt().bets({1: "25"}).deal({1: "Ts 6c"}, dealer="9d 7h").hit(1, "Kc").take(1, "main.1")
    felt.hand("dealer", "seat1.cards", "discard")
    for name in felt.names("s1.h"):
        felt.remove(name)
    dealers = {name: felt.things.pop(name) for name in felt.names("d.")}
    felt.snap(covered=["dealer.cards"])
    felt.now += 4_000
    felt.snap(covered=["dealer.cards"])
    felt.things |= dealers
    felt.turn().hand("dealer", "dealer.cards", "discard")
    for name in felt.names("d."):
        felt.remove(name)
    assert len(audited(felt.snap()).rounds) == 1
