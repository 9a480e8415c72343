"""Black and white pictures: nothing is told of what chips are worth, and the user is told why."""

import av
import numpy as np
import pytest

from models.colourless import complaint, shows_colours
from models.frames import probe

SIZE = (320, 240)


def grey_table(*, noise=2, seed=3):
    """A felt in shades of grey with light and dark things on it, and noise that differs from channel to channel."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), 90.0)
    picture[40:80, 60:110] = 235
    picture[120:150, 200:230] = 25
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def clip(path, pictures):
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.codec_context.gop_size = 5
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    return probe(path)


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


def test_black_and_white_footage_is_told_with_its_moment(tmp_path):
    held = clip(tmp_path / "night.mp4", [reddened()] * 10 + [grey_table()] * 10)
    assert complaint(held) == (
        "night.mp4: expected colours, found black and white at 1.0 s: what chips are worth is not told there"
    )


def test_footage_in_colour_and_dark_footage_are_not_complained_of(tmp_path):
    assert complaint(clip(tmp_path / "day.mp4", [reddened()] * 12)) is None
    assert complaint(clip(tmp_path / "dark.mp4", [np.full((SIZE[1], SIZE[0], 3), 8, np.uint8)] * 12)) is None
