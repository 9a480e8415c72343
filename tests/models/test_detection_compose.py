"""Composed training pictures and their labels."""

import math

import numpy as np
import pytest

from audit.cards import DECK
from models.kinds import KINDS
from models.train.compose import Label, compose, label_rows, smallest_box
from models.train.compose_art import DeckArt, drawn_back
from models.train.compose_canvas import Canvas
from models.train.compose_solids import box_along
from models.train.decks import Deck
from models.train.scene import SceneCard
from models.train.scene_camera import random_camera


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    art = drawn_back(np.random.default_rng(1))
    return DeckArt(Deck(name="plain", cards=tuple(DECK), pictures=np.stack([art] * 53)))


def test_one_seed_gives_one_picture(deck: DeckArt) -> None:
    first, second = compose((1, 2), [deck]), compose((1, 2), [deck])
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(label_rows(first[1], 320), label_rows(second[1], 320))


def test_another_seed_gives_another_picture(deck: DeckArt) -> None:
    assert not np.array_equal(compose((1, 2), [deck])[0], compose((1, 3), [deck])[0])


def test_thirty_pictures_show_every_kind_but_the_rarest(deck: DeckArt) -> None:
    kinds = {label.kind for seed in range(30) for label in compose((7, seed), [deck])[1]}
    assert kinds >= set(KINDS) - {"dice_cup"}


def test_label_rows_are_in_shares_of_the_picture() -> None:
    label = Label(kind="die", polygon_px=np.array([[32.0, 64.0], [64.0, 64.0], [64.0, 96.0], [32.0, 96.0]]))
    [row] = label_rows([label], 320)
    assert row[:5].tolist() == pytest.approx([2.0, 0.15, 0.25, 0.1, 0.1], abs=1e-3)
    assert math.sin(2 * row[5]) == pytest.approx(0.0, abs=1e-3)


def test_no_labels_make_no_rows() -> None:
    assert label_rows([], 320).shape == (0, 6)


def test_a_card_has_the_size_of_a_poker_card() -> None:
    corners = SceneCard(xy_mm=np.array([10.0, 20.0]), turn=0.7).corners_mm()
    sides = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    assert sides.tolist() == pytest.approx([63.0, 88.0, 63.0])


def test_cameras_show_the_middle_of_the_felt_from_15_degrees_or_more() -> None:
    for seed in range(200):
        camera = random_camera(np.random.default_rng(seed), 416)
        assert 15.0 <= camera.elevation_deg <= 90.0
        assert np.abs(camera.project(np.zeros((1, 3)))[0] - 208).max() < 416


def test_a_vertical_points_up_in_the_picture_as_far_as_the_camera_is_level() -> None:
    low = [c for c in (random_camera(np.random.default_rng(seed), 416) for seed in range(100)) if c.elevation_deg < 60]
    assert low
    assert all(camera.up_at(np.zeros(2))[1] < 0 for camera in low)


def test_a_covered_object_shows_only_what_is_not_covered() -> None:
    canvas = Canvas(np.zeros((100, 100, 3), np.uint8))
    canvas.polygon(np.array([[10.0, 10.0], [50.0, 10.0], [50.0, 50.0], [10.0, 50.0]]), (9, 9, 9), 1)
    whole = canvas.visible(1)
    canvas.polygon(np.array([[30.0, 0.0], [99.0, 0.0], [99.0, 99.0], [30.0, 99.0]]), (9, 9, 9), 2)
    assert canvas.visible(1) == pytest.approx(whole / 2, rel=0.06)


def test_what_lies_behind_the_camera_is_not_drawn() -> None:
    canvas = Canvas(np.zeros((100, 100, 3), np.uint8))
    canvas.polygon(np.array([[1e9, 0.0], [50.0, 10.0], [50.0, 50.0]]), (9, 9, 9), 1)
    assert canvas.visible(1) == 0


def test_a_box_along_the_vertical_holds_the_outline() -> None:
    box = box_along(np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 30.0], [0.0, 30.0]]), np.array([0.0, -5.0]))
    assert sorted(box.round(3).tolist()) == [[0.0, 0.0], [0.0, 30.0], [10.0, 0.0], [10.0, 30.0]]


def test_the_smallest_box_of_a_turned_square_is_that_square() -> None:
    box = smallest_box(np.array([[10.0, 0.0], [20.0, 10.0], [10.0, 20.0], [0.0, 10.0]]))
    assert sorted(box.round(3).tolist()) == [[0.0, 10.0], [10.0, 0.0], [10.0, 20.0], [20.0, 10.0]]
