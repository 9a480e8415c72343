"""Upright views of a card."""

from __future__ import annotations

import numpy as np

from models.card_views import corner_view, refine_view, turned, whole_view

QUAD = np.array([[20.0, 20.0], [84.0, 20.0], [84.0, 116.0], [20.0, 116.0]])


def marked_picture() -> np.ndarray:
    """A white card on black, with a red patch in its top-left corner."""
    picture = np.zeros((140, 110, 3), np.uint8)
    picture[20:116, 20:84] = 255
    picture[24:40, 24:36] = (0, 0, 255)
    return picture


def is_red(pixel: np.ndarray) -> bool:
    return bool(pixel[2] > 180 and pixel[0] < 80)


def test_corner_view_shows_the_top_left_corner() -> None:
    assert is_red(corner_view(marked_picture(), QUAD)[20, 18])


def test_the_card_turned_shows_its_other_corner_there() -> None:
    assert not is_red(corner_view(marked_picture(), turned(QUAD))[20, 18])


def test_whole_view_has_a_margin_around_the_card() -> None:
    view = whole_view(marked_picture(), QUAD)
    assert view.shape == (96, 64, 3)
    assert view[0, 30].max() < 60
    assert view[48, 32].min() > 200


def test_a_card_that_reaches_out_of_the_picture_is_still_viewed() -> None:
    assert whole_view(marked_picture(), QUAD + np.array([60.0, 70.0])).shape == (96, 64, 3)


def test_a_card_wholly_outside_the_picture_gives_a_view_of_its_edge() -> None:
    assert whole_view(marked_picture(), QUAD + np.array([4000.0, -4000.0])).shape == (96, 64, 3)


def test_refine_view_maps_back_to_the_frame() -> None:
    view, to_frame = refine_view(marked_picture(), QUAD)
    assert view.shape == (96, 96, 3)
    corner = to_frame @ np.array([22.0, 14.0, 1.0])
    assert np.allclose(corner[:2] / corner[2], [20.0, 20.0], atol=1e-3)


def test_a_large_card_is_shrunk_without_aliasing() -> None:
    stripes = np.zeros((1200, 900, 3), np.uint8)
    stripes[:, ::2] = 255
    view = whole_view(stripes, np.array([[50.0, 50.0], [850.0, 50.0], [850.0, 1150.0], [50.0, 1150.0]]))
    assert view.std() < 12


def test_a_card_of_which_hardly_a_pixel_lies_in_the_picture_has_a_view_all_the_same() -> None:
    """Seen in a photograph: the shrunk part of the picture would have had no pixel."""
    huge = np.array([[-3000.0, -3000.0], [2.0, -3000.0], [2.0, 2.0], [-3000.0, 2.0]])
    assert corner_view(marked_picture(), huge).shape == (72, 48, 3)
    assert whole_view(marked_picture(), huge).shape == (96, 64, 3)
