"""A sign on the felt looks like a card of which no face is read; what lay there before a round is no card of it."""

from __future__ import annotations

import pytest

from audit.states import SeenObject
from tests.audit.asking import accused
from tests.notation import Felt, wide_profile

NO_FACE = {"Tc": 0.02, "Ts": 0.01}


def with_a_sign(*, before: bool, chances: dict[str, float], kind: str = "card") -> Felt:
    """A round beside which a thing like a card lies, from before it on or since the deal."""
    felt = Felt(wide_profile("blackjack", ("main",))).snap()
    sign = SeenObject(kind=kind, xy_mm=(-380.0, 150.0), angle_deg=20.0, candidates=chances)
    if before:
        felt.things["sign"] = sign
        felt.snap()
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s")
    felt.things["sign"] = sign
    return felt.snap().snap().turn().pay(1, "25").collect(1).pick_up()


@pytest.mark.parametrize(
    ("before", "chances", "kind", "told"),
    [
        (True, NO_FACE, "card", False),
        (False, NO_FACE, "card", True),
        (True, {"Tc": 0.9}, "card", True),
        (True, {}, "card_back", True),
    ],
    ids=["a sign", "came with the deal", "a card left there", "one left face down"],
)
def test_what_has_no_face_and_lay_there_before_the_round_is_no_card_exposed(
    before: bool, chances: dict[str, float], kind: str, told: bool
) -> None:
    found = accused(with_a_sign(before=before, chances=chances, kind=kind))
    assert ("suspect" in [verdict for verdict, procedure, _ in found if procedure == "P293"]) is told


def test_back_that_lay_there_before_the_round_is_none_of_the_dealers_cards() -> None:
    """A stack left beside his place from the shuffle is no third card of his: he did not draw it (P254)."""
    felt = Felt(wide_profile("blackjack", ("main",), finder=False))
    felt.things["left"] = SeenObject(kind="card_back", xy_mm=felt.at("dealer.cards", -120.0, 52.0), angle_deg=0.0)
    felt.snap().bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "25").collect(1).pick_up()
    assert "P254" not in {procedure for _, procedure, _ in accused(felt)}
