"""A covered cup is known by its bulk at the place of the dice."""

import cv2
import numpy as np
import pytest

from audit.table import parse_profile
from models.camera import camera_of
from models.close_look import CloseLook
from models.dice_place import DicePlace
from models.felt_view import FeltView
from models.sighting import Sighting

from .toy_table import PROFILE, SIZE, PixelEyes, Toy

TABLE = parse_profile(
    PROFILE + '[[zone]]\nname = "dice"\npolygon_mm = [[-80, 240], [80, 240], [80, 360], [-80, 360]]\n'
)
CAMERA = camera_of(TABLE)
FELT = FeltView(TABLE, CAMERA)
PLACE = DicePlace.of(TABLE, CAMERA, FELT)
WHOLE = FELT.box_of((0, 0, *SIZE))


def standing_out(*ellipses):
    """What stands out: ellipses by their middle and their half axes, in millimetres."""
    mask = np.zeros((WHOLE[3] - WHOLE[1], WHOLE[2] - WHOLE[0]), np.uint8)
    for middle, axes in ellipses:
        x, y = np.array(middle) - FELT.origin_mm - np.array(WHOLE[:2])
        cv2.ellipse(mask, (round(x), round(y)), axes, 0, 0, 360, 255, thickness=-1)
    return mask


def pixels(x, y, half=20.0):
    return CAMERA.to_pixels([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])


CUP = ((0.0, 290.0), (45, 70))


def test_what_stands_high_at_the_place_of_the_dice_is_the_covered_cup():
    (cup,) = PLACE.cups(standing_out(CUP), [], [], WHOLE)
    assert cup.kind == "dice_cup"
    assert cup.xy_mm == pytest.approx((0.0, 300.0))
    outline = CAMERA.to_felt(cup.polygon_px)
    assert np.ptp(outline[:, 0]) == pytest.approx(90, abs=4)
    assert np.ptp(outline[:, 1]) == pytest.approx(140, abs=4)


def test_a_cup_that_the_camera_sees_in_front_of_the_rack_is_told_from_it():
    rack = standing_out(((0.0, 130.0), (200, 90)))
    out = rack | standing_out(CUP)
    assert PLACE.cups(out, [], [], WHOLE) == []
    (cup,) = PLACE.cups(out, [], [], WHOLE, furniture=rack)
    assert np.ptp(CAMERA.to_felt(cup.polygon_px)[:, 0]) == pytest.approx(90, abs=4)
    assert PLACE.cups(rack, [], [], WHOLE, furniture=rack) == []


@pytest.mark.parametrize(
    "seen",
    [
        ((0.0, 300.0), (44, 44)),  # the open dish
        ((0.0, 190.0), (45, 70)),  # beside the place
        ((0.0, 200.0), (40, 200)),  # an arm
    ],
)
def test_what_is_lower_lies_beside_or_reaches_far_is_no_cup(seen):
    assert PLACE.cups(standing_out(seen), [], [], WHOLE) == []


def test_where_dice_or_the_cup_are_seen_or_a_hand_is_over_it_no_cup_is_told():
    out = standing_out(CUP)
    for kind, faces in (("die", {"4": 0.99}), ("dice_cup", {})):
        seen = Sighting(kind=kind, polygon_px=pixels(0, 300), confidence=0.9, xy_mm=(5.0, 310.0), faces=faces)
        assert PLACE.cups(out, [seen], [], WHOLE) == []
    assert PLACE.cups(out, [], [pixels(0, 250)], WHOLE) == []
    assert len(PLACE.cups(out, [], [pixels(200, 250)], WHOLE)) == 1


def test_one_die_alone_of_which_no_face_is_read_hides_no_cup():
    """Two of them may be dice all the same."""
    blank = Sighting(kind="die", polygon_px=pixels(0, 300), confidence=0.8, xy_mm=(5.0, 310.0), faces={"1": 0.5})
    assert len(PLACE.cups(standing_out(CUP), [blank], [], WHOLE)) == 1
    assert PLACE.cups(standing_out(CUP), [blank, blank], [], WHOLE) == []


def test_specks_that_flicker_over_the_cup_do_not_hide_it():
    specks = [pixels(x, y, 7.0) for x, y in ((-30, 250), (20, 330), (40, 280))]
    assert len(PLACE.cups(standing_out(CUP), [], specks, WHOLE)) == 1


@pytest.mark.parametrize(("kind", "away", "claimed"), [("chips", 40, True), ("chips", 80, False), ("card", 40, False)])
def test_what_looks_like_a_pile_beside_the_dish_is_its_cover(kind, away, claimed):
    assert PLACE.claims(kind, (80.0 + away, 300.0)) is claimed
    assert PLACE.claims(kind, (0.0, 300.0))


BESIDE = (210.0, 300.0)


def test_a_dish_that_stood_beside_its_place_is_covered_there():
    out = standing_out(((BESIDE[0], 290.0), (45, 70)))
    assert PLACE.cups(out, [], [], WHOLE) == []
    dice = [(BESIDE[0] - 10.0, BESIDE[1]), (BESIDE[0] + 10.0, BESIDE[1])]
    (cup,) = PLACE.cups(out, [], [], WHOLE, dice_mm=dice)
    assert cup.xy_mm == pytest.approx(BESIDE)
    still = Sighting(kind="die", polygon_px=pixels(*BESIDE), confidence=0.9, xy_mm=BESIDE, faces={"4": 0.99})
    assert PLACE.cups(out, [still], [], WHOLE, dice_mm=dice) == []
    assert PLACE.cups(standing_out((BESIDE, (44, 44))), [], [], WHOLE, dice_mm=dice) == []


@pytest.mark.parametrize(
    ("inside", "is_ring"), [((110, 120, 130), True), ((70, 118, 170), False), ((60, 120, 130), False)]
)
def test_a_printed_ring_is_no_cup(inside, is_ring):
    """Brightness and the two differences of colour within the ring; the felt around has 104, 121, 128."""
    felt = np.full((WHOLE[3] - WHOLE[1], WHOLE[2] - WHOLE[0], 3), (104.0, 121.0, 128.0), np.float32)
    x, y = np.array((0.0, 300.0)) - FELT.origin_of(WHOLE)
    cv2.circle(felt, (round(x), round(y)), 58, inside, thickness=-1)
    cv2.circle(felt, (round(x), round(y)), 60, (220.0, 128.0, 128.0), thickness=4)
    seen = Sighting(kind="dice_cup", polygon_px=pixels(0, 300, 60.0), confidence=0.8, xy_mm=(0.0, 300.0))
    assert PLACE.is_ring(seen, felt, WHOLE) is is_ring


def test_a_look_that_does_not_show_the_whole_place_tells_nothing():
    cut = round(260 - FELT.origin_mm[1]) - WHOLE[1]
    part = (WHOLE[0], WHOLE[1] + cut, WHOLE[2], WHOLE[3])
    assert PLACE.cups(standing_out(CUP)[cut:], [], [], part) == []


def test_a_table_without_dice_has_no_cup():
    bare = DicePlace.of(parse_profile(PROFILE), CAMERA, FELT)
    assert bare.cups(standing_out(CUP), [], [], WHOLE) == []


@pytest.mark.parametrize(("x", "read", "doubted"), [(0.0, 0.5, False), (150.0, 0.5, True), (150.0, 0.9, False)])
def test_beside_the_place_a_die_of_which_no_face_is_read_is_print(x, read, doubted):
    die = Sighting(kind="die", polygon_px=pixels(x, 300.0), confidence=0.9, xy_mm=(x, 300.0), faces={"3": read})
    assert PLACE.doubts(die) is doubted


@pytest.mark.parametrize(
    ("kind", "x", "cup", "learns"),
    [("die", 5.0, True, False), ("die", 5.0, False, True), ("die", 400.0, True, True), ("chips", 5.0, True, True)],
    ids=["over a die", "the rim of its dish", "a die far off", "no die there"],
)
def test_a_cup_put_over_dice_that_are_still_known_is_not_learnt_as_print(kind, x, cup, learns):
    """Seed 53001, Draw 'n Shoot 21: from then on the cup stood out no more, and no shakes were seen in four rounds."""
    close = CloseLook(TABLE, CAMERA, PixelEyes())
    known = Sighting(kind=kind, polygon_px=pixels(x, 310), confidence=0.9, xy_mm=(x, 310.0))
    frame = next(Toy(length_ms=40).frames())
    scene = close._scene(frame, (0, 0, *SIZE), kept=[known], unmoved=(), lying=(), away=(), whole=False)
    rest = close._learn_unknown(scene, standing_out(CUP if cup else ((5.0, 355.0), (70, 12))))
    inside = close.felt.masked_mm(PLACE.polygons_mm, WHOLE) > 0
    assert rest[inside].any() is np.bool_(not learns)
    assert not rest[~inside].any()
