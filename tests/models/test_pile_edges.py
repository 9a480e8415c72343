"""A pile's outline is found where the felt ends, whatever is printed on it; two piles in one line of sight are two."""

from __future__ import annotations

import av
import cv2
import numpy as np
import pytest

from audit.table import parse_profile
from models.camera import camera_of
from models.cheque_size import CHIP_HEIGHT_MM
from models.felt_view import FeltView
from models.frames import Frame
from models.outline import Outline
from models.pile_edges import (
    PileView,
    before_standing,
    fit_pile,
    height_chances,
    heights_of_two,
    is_cut_off,
    pile_box_px,
    split_pile,
)
from models.proposals import Proposal, fitted_anew

FELT, LINE = (60, 110, 40), (235, 235, 235)
RED, RED_TOP = (40, 40, 200), (90, 90, 230)
PLACE = (20.0, 300.0)
CORNER_PX, PART, FINER = (760, 440), 320, 8

TABLE = parse_profile("""
[table]
id = "OBLIQUE"
game = "blackjack"
minimum = "10.00"
maximum = "500.00"
[camera]
image_size = [1920, 1080]
matrix = [[3850.0, 0.0, 960.0], [0.0, 3850.0, 540.0], [0.0, 0.0, 1.0]]
rotation = [[-1.0, 0.0, 0.0], [0.0, 0.7431811272, -0.669090287], [0.0, -0.669090287, -0.7431811272]]
translation = [0.0, -167.95893, 2351.21645]
[[zone]]
name = "seat1.main"
polygon_mm = [[-150, 150], [150, 150], [150, 450], [-150, 450]]
""")
CAMERA = camera_of(TABLE)


def painted(piles: list[tuple[tuple[float, float], int]], *, line_at: float) -> Frame:
    """A frame of felt, a printed line across it, and piles from the far one to the near one."""
    width, height = CAMERA.size
    picture = np.full((height, width, 3), FELT, dtype=np.uint8)
    fine = np.full((FINER * PART, FINER * PART, 3), FELT, dtype=np.uint8)
    ends = finely(CAMERA.to_pixels(np.array([[-120.0, line_at, 0.0], [120.0, line_at, 0.0]])))
    cv2.line(fine, *[(round(x), round(y)) for x, y in ends.tolist()], color=LINE, thickness=6 * FINER)
    for foot, chips in piles:
        rings = [finely(ring(foot, level)) for level in (0.0, chips * CHIP_HEIGHT_MM)]
        hull = cv2.convexHull(np.vstack(rings).astype(np.float32))[:, 0]
        for outline, colour in ((hull, RED), (rings[1], RED_TOP)):
            cv2.fillConvexPoly(fine, points=np.round(outline).astype(np.int32), color=colour)
    part = cv2.resize(fine, dsize=(PART, PART), interpolation=cv2.INTER_AREA)
    x, y = CORNER_PX
    picture[y : y + PART, x : x + PART] = cv2.GaussianBlur(part, ksize=(0, 0), sigmaX=0.8)
    source = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    return Frame(t_ms=0, source=source)


def finely(points_px: np.ndarray) -> np.ndarray:
    """Pixels of the frame in the finer picture of its part."""
    return (points_px - CORNER_PX + 0.5) * FINER - 0.5


def ring(foot: tuple[float, float], level: float) -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    points = np.column_stack([19.5 * np.cos(turn) + foot[0], 19.5 * np.sin(turn) + foot[1], np.full(96, level)])
    return CAMERA.to_pixels(points)


def felt_learnt_from(frame: Frame) -> FeltView:
    felt = FeltView(TABLE, CAMERA)
    box = (0, 0, felt.shape[1], felt.shape[0])
    felt.learn_bare(felt.seen(frame, box), box, np.full(felt.shape, 255, dtype=np.uint8))
    return felt


def view(
    piles: list[tuple[tuple[float, float], int]],
    start: tuple[tuple[float, float], int],
    beside: tuple[tuple[tuple[float, float], int], ...] = (),
) -> PileView:
    line_at = PLACE[1] + 22.0  # it touches the foot, on the camera's side
    felt = felt_learnt_from(painted([], line_at=line_at))
    around = PileView.around(painted(piles, line_at=line_at), CAMERA, felt, start, beside)
    assert around is not None
    return around


@pytest.mark.parametrize("chips", [1, 3, 8])
def test_a_pile_beside_a_printed_line_is_as_high_as_it_is_from_a_start_two_chips_off(chips: int) -> None:
    start = ((PLACE[0] + 1.0, PLACE[1] + 5.0), chips + 2)
    (x, y), found = fit_pile(view([(PLACE, chips)], start), start)
    assert found == chips
    assert np.hypot(x - PLACE[0], y - PLACE[1]) < 1.5


@pytest.mark.parametrize("chips", [1, 3, 8])
def test_the_outline_of_a_pile_speaks_for_its_number_of_chips(chips: int) -> None:
    chances = height_chances(view([(PLACE, chips)], (PLACE, chips)), (PLACE, chips))
    assert max(chances, key=chances.__getitem__) == chips
    assert chances[chips] > 0.5
    assert chances.get(chips + 3, 0.0) < 0.05
    assert sum(chances.values()) == pytest.approx(0.97)


def test_two_piles_in_one_line_of_sight_that_look_like_one_tall_pile_are_told_apart() -> None:
    behind = (PLACE[0], PLACE[1] - 42.0)
    start = (PLACE, 16)
    seen = view([(behind, 2), (PLACE, 3)], start)
    split = split_pile(seen, fit_pile(seen, start))
    assert split is not None
    (front, near), (back, far) = split
    assert near in (3, 4)  # the one behind has nearly the colour of the one before it
    assert far in (2, 3)
    assert np.hypot(front[0] - PLACE[0], front[1] - PLACE[1]) < 3
    assert np.hypot(back[0] - behind[0], back[1] - behind[1]) < 5


@pytest.mark.parametrize("aside", [-16.0, 16.0])
def test_two_cheques_side_by_side_that_look_like_one_tall_pile_are_told_apart(aside: float) -> None:
    """A wager of two colours broken down, 61 s: the pair was sought in one line of sight, and the green one lost."""
    behind = (PLACE[0] + aside, PLACE[1] - 41.0)
    start = (PLACE, 12)
    split = split_pile(view([(behind, 1), (PLACE, 1)], start), start)
    assert split is not None
    (front, near), (back, far) = split
    assert (near, far) == (1, 1)
    assert np.hypot(front[0] - PLACE[0], front[1] - PLACE[1]) < 2
    assert np.hypot(back[0] - behind[0], back[1] - behind[1]) < 3


@pytest.mark.parametrize("chips", [12, 18])
@pytest.mark.parametrize("third", [(20.0, -60.0), (-20.0, -60.0), (0.0, -80.0)])
def test_of_three_piles_that_look_like_one_no_two_stand_in_each_other(third: tuple[float, float], chips: int) -> None:
    """A payment beside a wager broken down, 32 s: two cheques were found, and fourteen more 1 mm from their foot."""
    aside, beyond = (PLACE[0] - 13.0, PLACE[1] - 40.0), (PLACE[0] + third[0], PLACE[1] + third[1])
    start = (PLACE, chips)
    seen = view([(beyond, 1), (aside, 1), (PLACE, 2)], start)
    split = split_pile(seen, fit_pile(seen, start), start)
    assert split is not None
    (front, near), (back, far) = split
    assert near == 2
    assert far in (1, 2)
    assert np.hypot(front[0] - PLACE[0], front[1] - PLACE[1]) < 3
    assert np.hypot(back[0] - aside[0], back[1] - aside[1]) < 5


@pytest.mark.parametrize("near", [9, 12])
def test_high_payment_before_the_wager_that_stood_there_is_no_taller_pile(near: int) -> None:
    behind = ((PLACE[0] + 8.0, PLACE[1] - 42.0), 3)
    start = (PLACE, 20)
    seen = view([behind, (PLACE, near)], start)
    pair = before_standing(seen, fit_pile(seen, start), [behind])
    assert pair is not None
    (front, chips), back = pair
    assert chips == near
    assert np.hypot(front[0] - PLACE[0], front[1] - PLACE[1]) < 3
    assert back == behind


@pytest.mark.parametrize("stood", [((PLACE[0], PLACE[1] - 42.0), 3), ((PLACE[0] + 60.0, PLACE[1]), 3)])
def test_tall_pile_that_hides_or_passes_what_stood_there_stays_one(stood: tuple[tuple[float, float], int]) -> None:
    start = (PLACE, 16)
    seen = view([(PLACE, 16)], start)
    assert before_standing(seen, fit_pile(seen, start), [stood]) is None


def test_the_outlines_of_two_piles_speak_for_their_numbers_of_chips() -> None:
    behind = (PLACE[0], PLACE[1] - 42.0)
    near, far = heights_of_two(view([(behind, 2), (PLACE, 3)], (PLACE, 16)), (PLACE, 3), (behind, 2))
    assert max(near, key=near.__getitem__) == 3
    assert max(far, key=far.__getitem__) in {2, 3}  # its foot is hidden by the one before it, which looks alike


def test_before_a_known_pile_of_the_same_colours_the_edge_between_them_does_not_count() -> None:
    """So no number of chips is ruled out by an edge that is hardly seen."""
    behind, start = ((PLACE[0], PLACE[1] - 40.0), 4), (PLACE, 3)
    piles = [behind, start]
    alone = view([start], start).contrast(start)
    apart = [abs(view(piles, start, known).contrast(start) - alone) for known in ((), (behind,))]
    assert apart[1] < 5 < apart[0]


def test_a_tall_pile_stays_one() -> None:
    start = (PLACE, 14)
    seen = view([(PLACE, 14)], start)
    assert split_pile(seen, fit_pile(seen, start)) is None


def test_nothing_is_looked_for_outside_the_picture() -> None:
    felt = FeltView(TABLE, CAMERA)
    assert PileView.around(painted([], line_at=200.0), CAMERA, felt, ((5000.0, 300.0), 3)) is None


def test_behind_a_tall_pile_nothing_is_made_out_that_it_would_hide() -> None:
    for chips in (6, 7, 9):
        seen = view([(PLACE, chips)], (PLACE, chips + 1))
        assert split_pile(seen, (PLACE, chips), (PLACE, chips + 1)) is None


def proposed(place: tuple[float, float], chips: int) -> Proposal:
    outline = Outline(heights={chips: 0.97}, faint=frozenset({"green"}))
    box = pile_box_px(CAMERA, place, chips)
    return Proposal(kind="chips", polygon_px=box, xy_mm=place, angle_deg=None, confidence=0.9, outline=outline)


def test_a_pile_that_was_taken_for_a_higher_one_is_fitted_anew_where_it_stands():
    felt, frame = felt_learnt_from(painted([], line_at=322.0)), painted([(PLACE, 1)], line_at=322.0)
    again = fitted_anew(proposed((PLACE[0] + 1, PLACE[1] + 5), 3), 1, frame, CAMERA, felt)
    assert np.hypot(again.xy_mm[0] - PLACE[0], again.xy_mm[1] - PLACE[1]) < 1.5
    assert max(again.outline.heights, key=again.outline.heights.get) == 1
    assert again.outline.faint == {"green"}
    assert again.polygon_px == pytest.approx(pile_box_px(CAMERA, PLACE, 1), abs=2.0)


def test_a_pile_that_fits_already_is_left_as_it_is():
    felt, frame = felt_learnt_from(painted([], line_at=322.0)), painted([(PLACE, 3)], line_at=322.0)
    once = fitted_anew(proposed(PLACE, 3), 3, frame, CAMERA, felt)
    assert fitted_anew(once, 3, frame, CAMERA, felt) is once


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [((40, 60), (90, 110), False), ((40, 60), (90, 198.5), True), ((0.5, 60), (40, 110), True)],
)
def test_a_pile_at_the_border_of_the_picture_goes_on_beyond(low, high, cut):
    outline = np.array([low, (high[0], low[1]), high, (low[0], high[1])], dtype=np.float64)
    assert is_cut_off(outline, np.zeros((200, 300, 3), np.uint8)) is cut
