"""Cards turned where they must not be: a hole card shown and turned down again, a player's cards laid face down."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused, only_round
from tests.notation import Felt


def shown(felt: Felt, face: str) -> Felt:
    """The dealer turns his hole card beside his up card, or turns it down under it again."""
    felt.hand("dealer", "dealer.cards")
    right, away = (-244.0, -6.0) if face == "back" else (-180.0, 0.0)
    felt.put_card("d.hole", face, felt.at("dealer.cards", right, away), 0.0)
    return felt.snap()


def paid(felt: Felt) -> Felt:
    return felt.turn().pay(1, "25").collect(1).pick_up()


def test_hole_card_shown_and_turned_down_again_breaks_p236_and_is_one_card(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s")
    paid(shown(shown(felt, "7s"), "back"))
    assert accused(felt) == [("violation", "P236", None)]
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s"]


def test_hole_card_shown_and_turned_down_again_while_players_draw_breaks_p252(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 4c"}, dealer="Td 7s").hit(1, "2d")
    paid(shown(shown(felt, "7s"), "back").hit(1, "3d"))
    assert accused(felt) == [("violation", "P252", None)]


@pytest.mark.parametrize(("place", "procedure"), [(0, "P233"), (1, "P235")], ids=["first", "second"])
def test_players_card_dealt_face_down_and_turned_by_the_dealer_is_told(felt: Felt, place: int, procedure: str) -> None:
    felt.bets({1: "25"})
    faces = ["Th", "8c"]
    faces[place] = "back"
    felt.deal({1: " ".join(faces)}, dealer="Td 7s").hand("dealer", "seat1.cards")
    card = felt.things[f"s1.h1.{place}"]
    felt.put_card(f"s1.h1.{place}", ("Th", "8c")[place], card.xy_mm, card.angle_deg or 0.0)
    paid(felt.snap())
    assert accused(felt) == [("violation", procedure, None)]
