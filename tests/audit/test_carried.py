"""Cards of a hand that are moved go together, so that like faces of two hands are told apart."""

from __future__ import annotations

from dataclasses import replace

from audit.reconstruction.carried import looked_for_at
from tests.audit.asking import only_round
from tests.notation import Felt


def test_like_face_is_looked_for_where_its_hand_has_gone() -> None:
    before = [("Qs", (401.0, 274.0)), ("8s", (435.0, 290.0)), ("8s", (504.0, 234.0))]
    now = [("Qs", (360.0, 298.0)), ("3s", (371.0, 311.0)), ("3s", (461.0, 258.0)), ("8s", (388.0, 315.0))]
    assert looked_for_at(("3s", (415.0, 281.0)), before, now) == (374.0, 305.0)


def test_face_that_lies_there_once_or_whose_hand_nobody_tells_is_looked_for_where_it_lay() -> None:
    at = (415.0, 281.0)
    assert looked_for_at(("3s", at), [("Qs", (401.0, 274.0))], [("Qs", (360.0, 298.0)), ("3s", (371.0, 311.0))]) == at
    twice = [("3s", (371.0, 311.0)), ("3s", (461.0, 258.0))]
    assert looked_for_at(("3s", at), [("Qs", (401.0, 274.0))], twice) == at
    assert looked_for_at((None, at), [], twice) == at


def test_three_of_a_split_hand_stays_its_own_as_another_is_dealt_to_the_next(felt: Felt) -> None:
    """One hand is moved 60 mm to the left as a second three comes to the other, nearer to where the first one lay."""
    felt.bets({2: "25"}).deal({2: "8s 8d"}, dealer="Td 8c").split(2, "25").hit(2, "3s Qs")
    laid(felt, {"s2.h1.0": -10.0, "s2.h1.1": -30.0, "s2.h1.2": -50.0, "s2.h2.0": 90.0})
    felt.hand("dealer", "seat2.cards").snap().hand("player", "seat2.cards", seat=2)
    laid(felt, {"s2.h1.0": -70.0, "s2.h1.1": -90.0, "s2.h1.2": -110.0, "s2.h2.0": 90.0})
    felt.hand("dealer", "seat2.cards").hand("dealer", "shoe", "seat2.cards")
    felt.put_card("s2.h2.1", "3s", felt.at("seat2.cards", 20.0, -20.0), felt.axis(2))
    felt.snap().turn().collect(2).pick_up()
    hands = only_round(felt).observed.round.seats[2].hands
    assert [[str(card) for card in hand] for hand in hands] == [["8s", "3s", "Qs"], ["8d", "3s"]]


def laid(felt: Felt, rights: dict[str, float]) -> None:
    """The cards of seat 2 lie so far to the dealer's right of the middle of their place, each a little lower."""
    for place, (name, right) in enumerate(rights.items()):
        felt.things[name] = replace(felt.things[name], xy_mm=felt.at("seat2.cards", right, -12.0 * (place % 3)))
