"""Black and white pictures are told from those of any colour."""

import numpy as np
import pytest

from models.colourless import shows_colours

SIZE = (320, 240)


def grey_table(*, noise=2, seed=3):
    """A felt in shades of grey with light and dark things on it, and noise that differs from channel to channel."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), 90.0)
    picture[40:80, 60:110] = 235
    picture[120:150, 200:230] = 25
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def reddened():
    picture = grey_table()
    picture[170:185, 90:105] = (40, 40, 190)
    return picture


def test_one_red_chip_is_enough_of_colour():
    assert not shows_colours(grey_table())
    assert shows_colours(reddened())


@pytest.mark.parametrize("size", [(1, 1), (2, 700), (1080, 1920)])
def test_pictures_of_any_size_are_looked_at(size):
    assert not shows_colours(np.full((*size, 3), 80, np.uint8))
