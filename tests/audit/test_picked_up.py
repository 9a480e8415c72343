"""Cards that the dealer picks up and lays on the felt on his way are no cards dealt."""

from __future__ import annotations

from tests.audit.asking import accused, only_round
from tests.audit.pairs.deal import start, table
from tests.notation import Felt


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
