"""Cards that the dealer picks up and lays on the felt on his way are no cards dealt."""

from __future__ import annotations

from tests.audit.asking import accused, only_round
from tests.audit.pairs.deal import start, table
from tests.notation import Felt, merged


def picked_up_beside_the_dealers_hand() -> Felt:
    """The cards of seat 2 and then of seat 1 are laid beside the dealer's before they go with his."""
    felt = start(table(), {1: "Th 9c", 2: "Ts 9d"}, "Td 8s").turn().pay(2, "10").pay(1, "10").collect(2).collect(1)
    packet: list[str] = []
    for seat, cards in ((2, "Ts 9d"), (1, "Th 9c")):
        felt.hand("dealer", f"seat{seat}.cards")
        for name in (*felt.names(f"s{seat}.h"), *felt.names("p.")):
            felt.remove(name)
        packet += cards.split()
        for number, code in enumerate(packet):
            felt.put_card(f"p.{number}", code, (-290.0 + 9.0 * number, 30.0 - 3.0 * seat), 4.0)
        felt.snap()
    felt.hand("dealer", "dealer.cards", "discard")
    for name in (*felt.names("d."), *felt.names("p.")):
        felt.remove(name)
    return felt.snap()


def test_cards_picked_up_and_laid_beside_the_dealers_are_no_hits_of_his() -> None:
    felt = picked_up_beside_the_dealers_hand()
    assert accused(felt) == []
    assert [len(only_round(felt).observed.round.dealer)] == [2]


def test_dealers_hand_picked_up_first_breaks_p286() -> None:
    felt = (
        start(table(), {1: "Th 9c"}, "Td 8s").turn().pay(1, "10").collect(1).hand("dealer", "dealer.cards", "discard")
    )
    for name in felt.names("d."):
        felt.remove(name)
    assert accused(felt.snap().pick_up_seat(1)) == [("violation", "P286", None)]


def test_push_patted_after_another_hand_was_picked_up_too_early_was_patted() -> None:
    felt = start(table(), {1: "Th 8c", 2: "Ts 7d"}, "Td 8s").turn().pick_up_seat(2).take(2).pat(1)
    assert "P266" not in {procedure for _, procedure, _ in accused(felt.collect(1).pick_up())}


def test_card_like_one_that_is_picked_up_meanwhile_is_drawn_and_not_moved(felt: Felt) -> None:
    """A paid blackjack goes to the discards and the next hand draws a king of diamonds too, between two states."""
    felt.bets({1: "20", 2: "20"}).deal({1: "Ad Kd", 2: "4d 3d"}, dealer="6c Td").pay(1, "30").collect(1)
    start = len(felt.states)
    felt.pick_up_seat(1).hit(2, "Kd")
    felt.states = merged(felt.states, range(start, len(felt.states) - 1))
    seats = only_round(felt.turn().dealer_hits("3h").take(2).pick_up()).observed.round.seats
    assert [[str(card) for card in hand] for seat in seats.values() for hand in seat.hands] == [
        ["Ad", "Kd"],
        ["4d", "3d", "Kd"],
    ]
