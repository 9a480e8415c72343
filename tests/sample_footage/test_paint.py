"""Pictures: things are painted where the camera sees them, in their colours, and hands hide what is under them."""

import cv2
import numpy as np
import pytest

from sample_footage.choreography import Performance
from sample_footage.coverage import Coverage
from sample_footage.geometry import Camera
from sample_footage.layout import DIE_MM, DISH_FLOOR, Place, bet_place, card_place, zones
from sample_footage.paint.canvas import Light, Patch, blend, smeared
from sample_footage.paint.cards import CardArt, card_patch
from sample_footage.paint.chips import ChipArt, chips_of, pile_patch
from sample_footage.paint.cup import dish_patch, lid_patch
from sample_footage.paint.dice import RING, die_patch, face_texture
from sample_footage.paint.frame import Studio, in_order
from sample_footage.paint.look import Look, LookError, look_of
from sample_footage.profile import table_camera
from sample_footage.tables import CUP, TABLES
from sample_footage.tracks import Thing
from tests.sample_footage.conftest import ROOM

SIZE = (640, 360)


@pytest.fixture(scope="module")
def small() -> Camera:
    return table_camera("players", size=SIZE)


@pytest.fixture(scope="module")
def studio(performance: Performance, small: Camera) -> Studio:
    return Studio(performance, small, Look())


def test_a_card_is_pale_and_the_felt_around_it_green(studio: Studio, small: Camera) -> None:
    picture = studio.paint(9400)  # the first round's cards lie, no hand is over them
    place = card_place(2, 0)
    x, y = small.project([(place.x + 27, place.y)])[0]
    assert picture[int(y), int(x)].min() > 130
    x, y = small.project([(place.x + 60, place.y)])[0]
    blue, green, red = (int(v) for v in picture[int(y), int(x)])
    assert green > red + 20
    assert green > blue + 10


def test_a_red_pile_is_red_and_a_green_one_green(studio: Studio, small: Camera) -> None:
    picture = studio.paint(9400)
    for seat, channel in ((1, 2), (2, 1)):
        place = bet_place(seat)
        x, y = small.project([(place.x + 13, place.y + 6, 12)])[0]
        window = picture[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5].reshape(-1, 3).astype(int)
        assert window[:, channel].mean() == max(window.mean(axis=0))


def test_faces_differ_and_a_face_down_card_shows_the_back(small: Camera) -> None:
    light, art = Light.over(small, Look()), CardArt(Look())
    seen = [card_patch(art, card, card_place(2, 0), small, light) for card in ("Td", "7c", None)]
    colours = [patch.colour for patch in seen if patch is not None]
    assert len(colours) == 3
    assert np.abs(colours[0] - colours[1]).mean() > 2
    assert np.abs(colours[0] - colours[2]).mean() > 10


def test_a_card_seen_edge_on_is_nothing(small: Camera) -> None:
    light, art = Light.over(small, Look()), CardArt(Look())
    assert card_patch(art, "Td", card_place(2, 0), small, light, turn=0.5) is None


def test_a_higher_pile_is_taller_in_the_picture_by_its_chips(small: Camera) -> None:
    light, art, place = Light.over(small, Look()), ChipArt(Look()), bet_place(2)
    heights = []
    for count in (1, 11):
        patch = pile_patch(art, chips_of(("red",) * count, place, seed=1), small, light)
        rows = np.flatnonzero(patch.cover.max(axis=1) > 0.5)
        heights.append(int(rows[-1] - rows[0]))
    scale = small.px_per_mm((place.x, place.y))
    # ten chips of 3.3 mm, seen at 46 degrees or so: between half and all of their height
    assert 0.5 * 33 * scale < heights[1] - heights[0] < 33 * scale


def test_arms_hide_the_zones_that_the_truth_calls_covered(
    studio: Studio, performance: Performance, small: Camera
) -> None:
    coverage = Coverage.of(small)
    names = ("seat1.main", "seat2.main", "seat3.main", "dealer.cards", "rack")
    for t_ms in (3000, 7900, 9900, 16500, 19700, 23000):
        for arm in performance.stage.arms.values():
            spine = coverage.spine(arm, t_ms)
            if spine is None:
                continue
            _, body = studio.arm_patches(arm, t_ms)
            for name in names:
                share = _share_hidden(body, small.project(zones()[name]))
                assert share < 0.12 or name in coverage.zones_under(spine), (t_ms, arm.key, name, share)


def _share_hidden(body: Patch, corners: np.ndarray) -> float:
    x0, y0 = np.floor(corners.min(axis=0)).astype(int)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
    hidden = np.zeros((y1 - y0, x1 - x0), np.uint8)
    flat = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    blend(flat, Patch(np.dstack([body.cover * 255] * 3), body.cover, body.x, body.y))
    hidden = flat[y0:y1, x0:x1, 0]
    return float((hidden > 128).mean())


def test_a_hand_changes_the_picture_where_it_is(studio: Studio, small: Camera, performance: Performance) -> None:
    arm = performance.stage.arms["player1"]
    busy = next(t for t in range(0, 3000, 40) if arm.tip_at(t)[1] < 420 and not arm.is_home_at(t))
    x, y = (int(v) for v in small.project([arm.tip_at(busy)])[0])
    before, during = studio.paint(0), studio.paint(busy)
    window = (slice(y - 6, y + 6), slice(x - 6, x + 6))
    assert np.abs(before[window].astype(int) - during[window]).mean() > 12


def test_a_patch_that_hangs_over_the_edge_is_cut(small: Camera) -> None:
    picture = np.zeros((10, 10, 3), np.uint8)
    blend(picture, Patch(np.full((6, 6, 3), 200, np.float32), np.ones((6, 6), np.float32), -3, 7))
    assert picture[8, 1, 0] == 200
    assert picture[8, 4, 0] == 0
    blend(picture, Patch(np.full((6, 6, 3), 200, np.float32), np.ones((6, 6), np.float32), 40, 40))


def test_a_smear_keeps_the_light_and_spreads_it() -> None:
    patch = Patch(np.full((5, 5, 3), 90, np.float32), np.ones((5, 5), np.float32), 20, 20)
    long = smeared(patch, (24.0, 0.0))
    assert long.cover.sum() == pytest.approx(25)
    assert (long.cover.max(axis=0) > 0).sum() > 20
    assert smeared(patch, (1.0, 0.0)) is patch


@pytest.mark.parametrize("options", [{"felt": "plaid"}, {"chips": "nine"}, {"carpet": "red"}])
def test_a_look_that_there_is_none_of_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(LookError, match="expected"):
        look_of(options)


def test_opposite_faces_of_a_die_sum_to_seven_and_neighbours_agree() -> None:
    for top, ring in RING.items():
        assert ring[0] + ring[2] == ring[1] + ring[3] == 7
        assert {top, 7 - top, *ring} == {1, 2, 3, 4, 5, 6}
        # turned over, the same sides pass by the other way round
        under = RING[7 - top]
        start = under.index(ring[0])
        assert [under[(start - n) % 4] for n in range(4)] == list(ring)


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_a_die_shows_as_many_pips_as_its_face(face: int) -> None:
    dark = (face_texture(face, "white").min(axis=2) < 120).astype(np.uint8)
    count, _ = cv2.connectedComponents(image=dark)
    assert count - 1 == face


def test_a_die_s_top_is_seen_at_its_place_in_its_colour() -> None:
    camera = table_camera("wide")
    light = Light.over(camera, Look())
    place = Place(CUP.x, CUP.y, 20.0)
    for colour, channel in (("red", 2), ("white", 0)):
        patch = die_patch((1, colour), place, camera, light)
        x, y = camera.project([(place.x + 5.5, place.y, DISH_FLOOR + DIE_MM)])[0]
        seen = patch.colour[round(y) - patch.y, round(x) - patch.x]
        assert patch.cover[round(y) - patch.y, round(x) - patch.x] == pytest.approx(1)
        assert seen[channel] > (2 if colour == "red" else 0.9) * seen[1]


def test_the_lid_hides_the_dish_and_stands_higher() -> None:
    camera = table_camera("wide", size=SIZE)
    light = Light.over(camera, Look())
    dish, lid = dish_patch(CUP, camera, light), lid_patch(CUP, camera, light)
    under = Patch(colour=dish.colour, cover=dish.cover, x=dish.x, y=dish.y)
    flat = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    blend(flat, Patch(colour=under.cover[..., None] * 255, cover=under.cover, x=under.x, y=under.y))
    blend(flat, Patch(colour=np.zeros_like(lid.colour), cover=lid.cover, x=lid.x, y=lid.y))
    assert (flat > 128).sum() < 0.06 * (dish.cover > 0.5).sum() * 3
    assert lid.cover.shape[0] > dish.cover.shape[0] + 10


def test_every_table_s_print_is_there() -> None:
    for table in TABLES.values():
        assert (ROOM / "art" / table.sheet).is_file(), table.table_id


def test_the_nearest_die_is_painted_last_and_the_lid_over_them_all(small: Camera) -> None:
    near, far = sorted(
        (Place(0.0, 20.0, 0.0), Place(0.0, 50.0, 0.0)),
        key=lambda place: float(np.hypot(place.x - small.eye_mm[0], place.y - small.eye_mm[1])),
    )
    first = Thing(key="first", home=near, born_ms=0, die=(5, "red"), layers=[(0, 2.0)])
    second = Thing(key="second", home=far, born_ms=0, die=(3, "red"), layers=[(0, 3.0)])
    dish = Thing(key="dish", home=near, born_ms=0, layers=[(0, 1.0)])
    lid = Thing(key="lid", home=near, born_ms=0, layers=[(0, 4.0)])
    assert [thing.key for thing in in_order([lid, first, second, dish], 0, small.eye_mm)] == [
        "dish", "second", "first", "lid",
    ]  # fmt: skip
