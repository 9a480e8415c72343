"""Backs of cards: with white borders, under other cards, and turned where they lie."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.back_look import BackLook, ink_of
from models.camera import camera_of
from models.proposals import Proposal
from models.sighting import Sighting, card_corners_mm
from models.tracking import Known, remember
from models.turned import turned_in_place
from tests.models.toy_table import profile

CAMERA = camera_of(profile())
BLUE, RED, WHOLE_MM2, STRIP_MM2 = (160.0, 145.0, 108.0), (150.0, 112.0, 165.0), 5500, 1200
SMALL, GREY = np.full((540, 960), 255, np.uint8), np.full((1080, 1920), 90, np.uint8)


def proposal(x: float = 0.0, **known: Any) -> Proposal:
    corners = CAMERA.to_pixels(card_corners_mm((x, 200.0), 0.0))
    return Proposal(kind="card", polygon_px=corners, xy_mm=(x, 200.0), angle_deg=0.0, **({"confidence": 0.9} | known))


def sighting(x: float = 0.0, kind: str = "card", **faces: float) -> Sighting:
    one = proposal(x)
    return Sighting(kind=kind, polygon_px=one.polygon_px, confidence=0.9, xy_mm=one.xy_mm, angle_deg=0.0, faces=faces)


def told(
    ink: tuple[float, float, float] = RED,
    *,
    paper: float = 0.6,
    mm2: int = STRIP_MM2,
    lying: tuple[Sighting, ...] = (),
    dealers: bool = False,
    **face: float,
) -> str:
    """What a card is taken for at a table whose backs are blue, before the dealer or elsewhere."""
    look = BackLook()
    look.told([proposal(ink=BLUE, paper=0.4, seen_mm2=WHOLE_MM2)], [sighting(kind="card_back")], (), lambda _: True)
    one = proposal(ink=ink, paper=paper, seen_mm2=mm2)
    (seen,) = look.told([one], [sighting(**face)], lying, lambda _: dealers)
    return seen.kind


@pytest.mark.parametrize(
    ("face", "paper", "mm2", "ink", "kind"),
    [
        (0.0, 0.3, STRIP_MM2, BLUE, "card_back"),  # a border
        (0.0, 0.8, STRIP_MM2, BLUE, "card"),  # a strip of a face, perhaps
        (0.0, 0.7, WHOLE_MM2, BLUE, "card_back"),  # a pale back
        (0.07, 0.6, WHOLE_MM2, BLUE, "card_back"),  # film o: green rays on white
        (0.07, 0.6, WHOLE_MM2, RED, "card"),  # side bets, blocks before the table: a king whose place was misjudged
        (0.3, 0.9, WHOLE_MM2, BLUE, "card"),  # a face, badly seen
        (0.44, 0.47, WHOLE_MM2, BLUE, "card_back"),  # lozenges from rim to rim
        (0.84, 0.32, WHOLE_MM2, BLUE, "card_back"),  # lozenges within a white border
        (0.84, 0.32, STRIP_MM2, BLUE, "card"),  # of which little shows, as of a court
        (0.99, 0.3, WHOLE_MM2, BLUE, "card"),  # a court
    ],
)
def test_before_the_dealer_what_is_white_as_paper_is_a_face_unless_no_face_can_be_read(
    face: float, paper: float, mm2: int, ink: tuple[float, float, float], kind: str
) -> None:
    assert told(ink, paper=paper, mm2=mm2, dealers=True, Qd=face) == kind


def test_face_that_the_reader_does_not_know_is_no_card_that_was_dealt_face_down() -> None:
    assert told(RED, paper=0.3, mm2=WHOLE_MM2) == "card"
    assert told(BLUE, paper=0.3, mm2=WHOLE_MM2) == "card_back"
    assert told(BLUE, paper=0.9, mm2=WHOLE_MM2) == "card"


def test_what_seems_to_lie_face_down_elsewhere_tells_nothing_of_the_dealers_backs() -> None:
    """Blackjack on damask: a printed pay table, navy, was a back, and the dealer's red lozenges were no back then."""
    look = BackLook()
    look.told([proposal(ink=BLUE, paper=0.4, seen_mm2=WHOLE_MM2)], [sighting(kind="card_back")])
    one = proposal(ink=RED, paper=0.32, seen_mm2=WHOLE_MM2)
    assert [look.told([one], [sighting(Qd=0.84)], (), lambda _: True)[0].kind for _ in range(2)] == ["card_back"] * 2
    assert look.told([proposal(ink=RED, paper=0.32, seen_mm2=WHOLE_MM2)], [sighting()])[0].kind == "card_back"


def test_what_may_be_no_card_teaches_nothing_of_backs() -> None:
    """A cut-off arm by the rail was a card face down, and the dealer's card did not look like it."""
    look = BackLook()
    look.told([proposal(ink=RED, paper=0.1, seen_mm2=4300, confidence=0.6)], [sighting(kind="card_back")])
    (seen,) = look.told([proposal(ink=BLUE, paper=0.4, seen_mm2=WHOLE_MM2)], [sighting(Qc=0.05)], (), lambda _: True)
    assert seen.kind == "card_back"


def test_strip_with_the_colour_of_the_tables_backs_is_one() -> None:
    assert told(BLUE) == "card_back"
    assert told(RED) == "card"
    assert told(BLUE, paper=0.9) == "card"
    assert told(BLUE, Qd=0.8) == "card"


def test_strip_under_a_face_before_the_dealer_is_his_hole_card() -> None:
    assert told(lying=(sighting(x=12.0, Kd=0.99),), dealers=True) == "card_back"
    assert told(lying=(sighting(x=60.0, Kd=0.99),), dealers=True) == "card"
    assert told(lying=(sighting(x=12.0),), dealers=True) == "card"
    assert told(lying=(sighting(x=12.0, Kd=0.99),)) == "card"


def test_ink_is_the_colour_of_what_is_not_paper() -> None:
    seen = np.full((90, 60, 3), (230.0, 128.0, 128.0), np.float32)
    seen[10:80, 10:50] = BLUE
    inside, paper = np.full((90, 60), 255, np.uint8), np.where(seen[..., 0] > 200, 255, 0).astype(np.uint8)
    assert ink_of(seen, inside, paper) == BLUE
    assert ink_of(seen, inside, np.full_like(paper, 255)) is None


def lying(**faces: float) -> Known:
    return remember([sighting(kind="card_back" if not faces else "card", **faces)], SMALL, GREY)


def turned(known: Known, others: tuple[Sighting, ...] = (), **faces: float) -> Sighting | None:
    face = sighting(**faces)
    return turned_in_place(known, others, lambda asked: [replace(face, kind="card" if faces else asked[0].kind)])


def test_back_that_shows_a_face_where_it_lies_was_turned() -> None:
    seen = turned(lying(), Qd=0.97)
    assert seen is not None
    assert seen.faces == {"Qd": 0.97}
    assert turned(lying()) is None


def test_card_that_was_read_or_lies_under_another_was_not_turned() -> None:
    assert turned(lying(Kd=0.97), Qd=0.97) is None
    assert turned(lying(), (sighting(x=20.0, Ah=0.9),), Qd=0.97) is None
    assert turned(lying(), (sighting(x=70.0, Ah=0.9),), Qd=0.97) is not None


@pytest.mark.parametrize(("right", "backs"), [(22.0, 1), (60.0, 2)])
def test_of_two_backs_under_one_card_one_is_left(right: float, backs: int) -> None:
    """Blackjack at a low bit rate, 32 s: a hole card showed on two sides of the up card, and was two."""
    look, upper = BackLook(), sighting(8.0, Kd=0.99)
    answers = [upper, *(sighting(x, kind="card_back") for x in (0.0, right))]
    proposals = [proposal(one.xy_mm[0]) for one in answers if one.xy_mm is not None]
    seen = look.told(proposals, answers, (), lambda _: True)
    assert sum(one.kind == "card_back" and one.confidence > 0 for one in seen) == backs
