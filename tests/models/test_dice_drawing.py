"""Dice drawn as solids for training: their faces, their light, what lies beside them, and what is no die."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.chip_geometry import FootCamera
from models.dice_reader import DICE_COLOURS
from models.train.dice_hidden import partly_hidden
from models.train.dice_looks import TEXTURE_PX, DieLook, random_look
from models.train.dice_others import no_die
from models.train.dice_solid import Lamp, SolidDie, draw_solid, random_solid
from models.train.dice_table import plain_look, table_throw
from models.train.dice_throws import held_box, random_throw

WHITE = DieLook(
    colour="white",
    tones=np.array([[220.0, 230.0, 235.0], [220.0, 230.0, 235.0]]),
    texture=np.zeros((TEXTURE_PX, TEXTURE_PX), np.float32),
    inks=np.full((6, 3), 20.0),
    pips=np.full(6, 0.18),
    reach=0.5,
    hollow=0.0,
    ring=0.0,
    rounding=0.05,
    ball=2.0,
    gloss=0.0,
    metal=0.0,
    clear=0.0,
)
LAMP = Lamp(
    towards=np.array([0, 0, 1], np.float32),
    ambient=0.5,
    direct=0.5,
    sharp=20.0,
    gain=1.0,
    mirror=np.ones(3, np.float32),
)


def camera(elevation: float) -> FootCamera:
    turn = np.radians(elevation)
    return FootCamera(
        foot_px=np.array([60.0, 75.0]), px_per_mm=4.0, sine=float(np.sin(turn)), cosine=float(np.cos(turn))
    )


def die(look: DieLook = WHITE, faces: tuple[int, ...] = (5, 2, 4, 3, 6, 1), turn: float = 0.0) -> SolidDie:
    return SolidDie(place=(0.0, 0.0), turn=turn, side_mm=16.0, faces=faces, flips=(False,) * 6, look=look)


def drawn(one: SolidDie, elevation: float) -> tuple[np.ndarray, np.ndarray]:
    frame = np.full((120, 120, 3), (40, 90, 30), np.uint8)
    _, covered = draw_solid(frame, camera(elevation), one, LAMP)
    return frame, covered


def pips(frame: np.ndarray) -> int:
    dark = (frame.max(axis=2) < 70).astype(np.uint8)
    areas = cv2.connectedComponentsWithStats(dark, connectivity=4)[2][1:, cv2.CC_STAT_AREA]
    return int((areas > 30).sum())


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("turn", [0.0, 0.6])
def test_from_straight_above_the_top_face_alone_shows_its_pips(value: int, turn: float) -> None:
    first = next(v for v in (1, 2, 3) if v not in (value, 7 - value))
    second = next(v for v in (3, 2, 1) if v not in (value, 7 - value))
    frame, _ = drawn(die(faces=(7 - first, first, 7 - second, second, 7 - value, value), turn=turn), 90)
    assert pips(frame) == value


def test_from_aside_the_near_side_shows_below_the_top_face() -> None:
    frame, covered = drawn(die(), 45)
    rows = np.flatnonzero(covered.any(axis=1))
    middle = (rows[0] + rows[-1] + 1) // 2
    assert (pips(frame[:middle]), pips(frame[middle:])) == (1, 4)


def test_what_is_covered_is_the_die_and_the_rest_is_left_as_it_was() -> None:
    frame, covered = drawn(die(), 60)
    around = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3))) == 0
    assert (frame[around] == (40, 90, 30)).all()
    assert covered.sum() == pytest.approx((16 * 4) ** 2 * (np.sin(np.pi / 3) + np.cos(np.pi / 3)), rel=0.02)


@pytest.mark.parametrize("elevation", [40, 60, 75, 90])
@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_rays_that_pass_close_by_a_die_see_the_felt(elevation: float, turn: float) -> None:
    frame = np.full((120, 120, 3), (40, 90, 30), np.uint8)
    outline, covered = draw_solid(frame, camera(elevation), die(replace(WHITE, rounding=0.01), turn=turn), LAMP)
    (y, x), middles = np.nonzero(covered), outline.astype(np.float32)
    outside = [
        -cv2.pointPolygonTest(middles, (float(a), float(b)), measureDist=True) for a, b in zip(x, y, strict=True)
    ]
    assert max(outside) < 0.3, "px"
    assert covered.sum() == pytest.approx(cv2.contourArea(middles), rel=0.02)


def test_rounded_corners_show_the_felt() -> None:
    square, ball = (drawn(die(replace(WHITE, rounding=r, ball=b)), 90)[1] for r, b in ((0.02, 2.0), (0.3, 1.3)))
    assert 0.8 * square.sum() < ball.sum() < 0.98 * square.sum()


def test_through_a_clear_die_the_felt_and_the_pips_below_show() -> None:
    opaque, clear = (drawn(die(replace(WHITE, clear=share)), 90)[0].astype(float) for share in (0.0, 0.6))
    assert clear[75, 85, 2] < opaque[75, 85, 2] - 15, "the felt is darker than the die"
    assert pips((clear * 0.4).astype(np.uint8)) > 0


def test_a_drilled_pip_is_lit_from_one_side() -> None:
    aside = replace(LAMP, towards=np.array([0.8, 0, 0.6], np.float32))
    look = replace(WHITE, inks=WHITE.tones[0] * np.ones((6, 1)), hollow=1.2)
    frame = np.full((120, 120, 3), 60, np.uint8)
    draw_solid(frame, camera(90), die(look), aside)
    y, x = (round(v) for v in camera(90).to_pixels(np.array([[0.0, 0.0, 16.0]]))[0][::-1])
    assert int(frame[y, x - 4, 0]) > int(frame[y, x + 4, 0]) + 20, "the wall that faces the lamp is the far one"


def test_opposite_faces_sum_to_seven_and_every_face_comes_to_lie_above() -> None:
    rng = np.random.default_rng(3)
    thrown = [random_solid(rng, WHITE, place=(0, 0), turn=0, side_mm=16).faces for _ in range(60)]
    assert all(a + b == c + d == e + f == 7 and len({a, c, e, b, d, f}) == 6 for a, b, c, d, e, f in thrown)
    assert {faces[5] for faces in thrown} == {1, 2, 3, 4, 5, 6}


def test_looks_are_of_all_materials_and_pips_of_a_six_do_not_meet() -> None:
    rng = np.random.default_rng(4)
    looks = [random_look(rng) for _ in range(200)]
    assert {look.colour for look in looks} == {*DICE_COLOURS, None}
    for share in ("metal", "clear", "ring", "hollow", "gloss"):
        assert any(getattr(look, share) for look in looks), share
    assert all(look.pips[5] < look.reach / 2 for look in looks)


def test_throws_show_whole_dice_and_are_the_same_for_the_same_seed() -> None:
    throws = [random_throw(np.random.default_rng(seed)) for seed in range(40)]
    again = random_throw(np.random.default_rng(7))
    assert np.array_equal(again.frame_bgr, throws[7].frame_bgr)
    for throw in throws:
        for one in throw.dice:
            assert one.outline.min() > 0
            assert one.outline.max() < min(throw.frame_bgr.shape[:2])
    assert {len(throw.dice) for throw in throws} >= {1, 2, 3}
    assert {throw.held for throw in throws} == {True, False}


def test_dice_of_a_table_are_plain_small_whole_and_the_same_for_the_same_seed() -> None:
    throws = [table_throw(np.random.default_rng(seed)) for seed in range(60)]
    assert np.array_equal(table_throw(np.random.default_rng(7)).frame_bgr, throws[7].frame_bgr)
    dice = [one for throw in throws for one in throw.dice]
    assert {one.value for one in dice} == {1, 2, 3, 4, 5, 6}
    assert {one.colour for one in dice} >= {"white", "red", "green", "blue"}
    widths = [float(np.ptp(one.outline, axis=0).max()) for one in dice]
    assert 15 < min(widths) < max(widths) < 60
    assert not any(throw.held for throw in throws)


def test_plain_dice_are_opaque_sharp_or_rounded() -> None:
    looks = [plain_look(np.random.default_rng(seed)) for seed in range(60)]
    assert not any(look.clear or look.ring or look.texture.any() for look in looks)
    assert min(look.rounding for look in looks) < 0.1 < max(look.rounding for look in looks)


def test_boxes_of_photographed_dice_hold_their_middle() -> None:
    rng = np.random.default_rng(5)
    outline = np.array([(10.0, 10.0), (50.0, 14.0), (46.0, 52.0), (8.0, 48.0)])
    for _ in range(50):
        box = held_box(outline, rng)
        assert cv2.pointPolygonTest(box.astype(np.float32), (28.5, 31.0), measureDist=False) > 0


def test_what_is_no_die_lies_in_its_picture() -> None:
    rng = np.random.default_rng(6)
    for _ in range(40):
        frame, box = no_die(rng)
        assert box.shape == (4, 2)
        assert ((box.mean(axis=0) > 0) & (box.mean(axis=0) < frame.shape[1::-1])).all()


def test_something_hides_a_part_of_some_dice_but_never_their_middle() -> None:
    views = np.random.default_rng(1).integers(0, 256, (40, 40, 40, 3)).astype(np.uint8)
    before = views.copy()
    hidden = partly_hidden(views, np.random.default_rng(2), share=0.5)
    changed = (hidden != before).any(axis=3)
    assert np.array_equal(views, before)
    assert 10 < changed.any(axis=(1, 2)).sum() < 30
    assert changed.mean(axis=(1, 2)).max() < 0.45
    assert not changed[:, 20:28, 18:22].any()
    assert np.array_equal(partly_hidden(views, np.random.default_rng(2), share=0.0), before)
