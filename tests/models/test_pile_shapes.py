"""What is known to stand on a table limits what may stand before it; a face that still shows is the same pile."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from audit.states import StackCandidate
from models.cheque_size import CHIP_HEIGHT_MM, HIGHEST_STACK
from models.felt_shapes import Shape
from models.felt_view import FeltView
from models.pile_edges import pile_box_px
from models.pile_faces import unmoved_face_px
from models.pile_shapes import Surroundings, fits_of, fitted, tallest
from models.sighting import Sighting
from models.table_watch import TableWatch
from models.tracking import Known, remember
from tests.models.test_pile_edges import CAMERA, PLACE, TABLE, felt_learnt_from, painted, ring

BEHIND = (PLACE[0], PLACE[1] - 43.0)
SMALL = np.zeros((270, 480), dtype=np.uint8)


def pile(xy_mm: tuple[float, float], chips: int) -> Sighting:
    stacks = (StackCandidate(stack=("red",) * chips, p=0.99),)
    box = pile_box_px(CAMERA, xy_mm, chips)
    return Sighting(kind="chips", polygon_px=box, confidence=0.9, xy_mm=xy_mm, stacks=stacks)


def highest(*known: Sighting) -> int:
    felt = FeltView(TABLE, CAMERA)
    box = (0, 0, felt.shape[1], felt.shape[0])
    among = Surroundings(frame=painted([], line_at=200.0), box=box, faint=frozenset(), piles=fits_of(known))
    return tallest(Shape(kind="chips", xy_mm=PLACE, chips=15), among, CAMERA, felt)


def test_no_pile_is_so_high_that_it_would_hide_one_that_is_seen_behind_it() -> None:
    assert highest() == HIGHEST_STACK
    assert 2 <= highest(pile(BEHIND, 1)) <= 8


def test_piles_before_it_or_beside_it_do_not_limit_a_pile() -> None:
    beside, before = (PLACE[0] + 60.0, PLACE[1]), (PLACE[0], PLACE[1] + 45.0)
    assert highest(pile(beside, 3), pile(before, 3)) == HIGHEST_STACK


@pytest.mark.parametrize(("line_at", "on_print"), [(PLACE[1] + 22.0, True), (PLACE[1] + 60.0, False)])
def test_outline_of_a_pile_right_before_a_printed_line_leaves_no_colour_out(line_at: float, on_print: bool) -> None:
    felt = felt_learnt_from(painted([], line_at=line_at))
    frame = painted([(PLACE, 3)], line_at=line_at)
    box = (0, 0, felt.shape[1], felt.shape[0])
    among = Surroundings(frame=frame, box=box, faint=frozenset({"green", "black"}), piles=())
    _, (found,) = fitted(Shape(kind="chips", xy_mm=PLACE, chips=3), among, CAMERA, felt, like_felt=False)
    assert found.outline is not None
    assert found.outline.on_print is on_print
    assert max(found.outline.heights, key=lambda number: found.outline.heights[number]) == 3


def table_picture(*piles: tuple[tuple[float, float], int, float]) -> np.ndarray:
    """The brightness of a table with piles, far ones first, with white spots turned by so many degrees."""
    picture = np.full((CAMERA.size[1], CAMERA.size[0]), 90, dtype=np.uint8)
    for foot, chips, turned in piles:
        rings = [ring(foot, level) for level in (0.0, chips * CHIP_HEIGHT_MM)]
        hull = cv2.convexHull(np.vstack(rings).astype(np.float32))[:, 0]
        cv2.fillConvexPoly(picture, points=np.round(hull).astype(np.int32), color=40)
        for spot in range(6):
            turn = np.radians(turned + 60 * spot + np.array([-7.0, 7.0]))
            points = [(19.0 * np.cos(turn), 19.0 * np.sin(turn)), (13.0 * np.cos(turn), 13.0 * np.sin(turn))]
            corners = np.vstack([np.stack(points[0], 1), np.stack(points[1], 1)[::-1]]) + foot
            corners = CAMERA.to_pixels(np.column_stack([corners, np.full(4, chips * CHIP_HEIGHT_MM)]))
            cv2.fillConvexPoly(picture, points=np.round(corners).astype(np.int32), color=220)
    return picture


def plain_picture(*piles: tuple[tuple[float, float], int]) -> np.ndarray:
    """The same with cheques that have no spots, but a white inlay."""
    picture = np.full((CAMERA.size[1], CAMERA.size[0]), 90, dtype=np.uint8)
    for foot, chips in piles:
        rings = [ring(foot, level) for level in (0.0, chips * CHIP_HEIGHT_MM)]
        hull = cv2.convexHull(np.vstack(rings).astype(np.float32))[:, 0]
        cv2.fillConvexPoly(picture, points=np.round(hull).astype(np.int32), color=40)
        turn = np.linspace(0, 2 * np.pi, 40)
        inlay = np.stack([10.0 * np.cos(turn), 10.0 * np.sin(turn)], axis=1) + foot
        inlay = CAMERA.to_pixels(np.column_stack([inlay, np.full(40, chips * CHIP_HEIGHT_MM)]))
        cv2.fillConvexPoly(picture, points=np.round(inlay).astype(np.int32), color=220)
    return picture


def unmoved(before: np.ndarray, after: np.ndarray, *, chips: int = 3, others: tuple[Known, ...] = ()) -> int:
    known = remember([pile(BEHIND, chips)], SMALL, before)
    return len(unmoved_face_px(known, after, CAMERA, others))


def test_wager_of_which_a_rim_shows_behind_a_payment_is_the_same_wager() -> None:
    before = table_picture((BEHIND, 3, 0.0))
    after = table_picture((BEHIND, 3, 0.0), (PLACE, 12, 20.0))
    assert 1 <= unmoved(before, after) < 8
    assert unmoved(before, before) == 8


@pytest.mark.parametrize("other", [(BEHIND, 4, 0.0), (BEHIND, 2, 0.0), (BEHIND, 3, 25.0)])
def test_pile_with_a_chip_more_or_less_or_turned_otherwise_is_another(
    other: tuple[tuple[float, float], int, float],
) -> None:
    assert unmoved(table_picture((BEHIND, 3, 0.0)), table_picture(other)) == 0


@pytest.mark.parametrize(("chips", "same"), [(3, True), (4, False), (2, False)])
def test_pile_without_spots_is_known_again_by_its_inlay(chips: int, same: bool) -> None:
    """A wager of plain cheques was read anew, and higher, when its payment was set close to it."""
    before = plain_picture((BEHIND, 3))
    assert (unmoved(before, plain_picture((BEHIND, chips), (PLACE, 2))) > 0) is same


def test_face_that_the_outlines_of_piles_around_it_only_reach_into_shows_itself() -> None:
    """Read anew with what was set beside it, a payment of three piles was taken for a card and a cheque."""
    around = [(BEHIND[0] + x, BEHIND[1] + y) for x, y in ((-36.0, -14.0), (36.0, -14.0), (-30.0, 24.0), (30.0, 24.0))]
    picture = table_picture((BEHIND, 3, 0.0))
    others = tuple(remember([pile(place, 3)], SMALL, picture) for place in around)
    assert unmoved(picture, picture, others=others) >= 4


def test_face_that_another_known_thing_may_hide_shows_nothing() -> None:
    picture = table_picture((BEHIND, 3, 0.0))
    upon = remember([pile(BEHIND, 6)], SMALL, picture)
    assert unmoved(picture, picture, others=(upon,)) == 0


def test_card_has_no_face_of_a_pile() -> None:
    picture = table_picture((BEHIND, 3, 0.0))
    known = remember([pile(BEHIND, 3)], SMALL, picture)
    known.sightings = [Sighting(kind="card", polygon_px=known.now.polygon_px, confidence=0.9, xy_mm=BEHIND)]
    assert unmoved_face_px(known, picture, CAMERA, ()) == []


def ringed(picture: np.ndarray, chips: int) -> np.ndarray:
    """The same with a bright arc printed behind the pile, where the face of one so high would be."""
    turn = np.linspace(0.9 * np.pi, 2.1 * np.pi, 60)
    arc = np.stack([15.0 * np.cos(turn), 15.0 * np.sin(turn)], axis=1) + BEHIND
    arc = CAMERA.to_pixels(np.column_stack([arc, np.full(60, chips * CHIP_HEIGHT_MM)]))
    out = picture.copy()
    cv2.polylines(out, [np.round(arc).astype(np.int32)], isClosed=False, color=220, thickness=3)
    return out


def test_print_beside_a_pile_read_too_high_is_no_face_that_has_stayed() -> None:
    empty = np.full((CAMERA.size[1], CAMERA.size[0]), 90, dtype=np.uint8)
    before, after = ringed(table_picture((BEHIND, 3, 0.0)), 9), ringed(empty, 9)
    known = remember([pile(BEHIND, 9)], SMALL, before)
    assert unmoved_face_px(known, after, CAMERA, ()) != []
    assert unmoved_face_px(known, after, CAMERA, (), is_bare=lambda: True) == []
    assert unmoved_face_px(known, before, CAMERA, (), is_bare=lambda: True) != []


def test_run_takes_a_pile_for_gone_where_bare_felt_shows_and_only_print_looks_as_before() -> None:
    empty = np.full((CAMERA.size[1], CAMERA.size[0]), 90, dtype=np.uint8)
    before, after = ringed(table_picture((BEHIND, 3, 0.0)), 9), ringed(empty, 9)
    known = remember([pile(BEHIND, 9)], SMALL, before)

    def unmoved_in_a_run(*, bare: bool) -> int:
        run = SimpleNamespace(
            _places=SimpleNamespace(known=[known]),
            _camera=CAMERA,
            _close=SimpleNamespace(shows_bare_felt=lambda *_: bare),
        )
        return len(TableWatch._unmoved_px(run, known, SimpleNamespace(luma=after)))  # type: ignore[arg-type]

    assert unmoved_in_a_run(bare=True) == 0
    assert unmoved_in_a_run(bare=False) >= 2
