"""Faded footage gets its colours back; footage in full colours, or in none, stays as it is."""

import av
import cv2
import numpy as np
import pytest

from models.frames import Frame
from models.full_colours import FullColours
from models.light import SteadyLight


def picture(share=1.0):
    """A green felt with chips of several colours, of which a share of the colours is left."""
    seen = np.full((540, 960, 3), (60, 100, 40), np.float64)
    for number, colour in enumerate([(40, 40, 190), (60, 130, 60), (30, 30, 30), (160, 60, 120)]):
        seen[200:260, 100 + 120 * number : 160 + 120 * number] = colour
    grey = seen @ np.array([0.0722, 0.7152, 0.2126])
    return np.clip(grey[..., None] + share * (seen - grey[..., None]), 0, 255).astype(np.uint8)


def frame(share=1.0, t_ms=0):
    source = av.VideoFrame.from_ndarray(picture(share), format="bgr24").reformat(
        format="yuv420p", dst_colorspace="ITU709"
    )
    return Frame(t_ms=t_ms, source=source)


def test_full_colours_stay_as_they_are():
    shown = frame()
    assert FullColours().vivid(shown) is shown


def test_without_colours_there_are_none_to_strengthen():
    shown = frame(0.0)
    assert FullColours().vivid(shown) is shown


@pytest.mark.parametrize("share", [0.25, 0.3])
def test_faded_colours_come_back(share):
    full, seen = picture().astype(int), FullColours().vivid(frame(share))
    chip = np.s_[215:245, 115:145]
    strength = np.ptp(seen.bgr[chip].reshape(-1, 3).mean(axis=0)) / np.ptp(full[chip].reshape(-1, 3).mean(axis=0))
    assert strength == pytest.approx(60 / 150, abs=0.12)  # as strong as tables at least show
    assert seen.luma is seen.shown.luma


def test_what_is_not_sure_of_a_small_picture_stays_so():
    light, colours = SteadyLight(), FullColours()
    light.even(frame(0.3))
    even = light.even(Frame(t_ms=40, source=brightened(frame(0.3).source, 1.2)))
    vivid = colours.vivid(even)
    assert vivid.gain > 1
    assert vivid.small.doubt == even.small.doubt > 0
    assert vivid.small.glare is even.small.glare is not None


def brightened(source, level):
    bgr = np.clip(source.to_ndarray(format="bgr24", src_colorspace="ITU709") * level, 0, 255).astype(np.uint8)
    bgr[300:340, 300:340] = 255
    return av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format="yuv420p", dst_colorspace="ITU709")


def test_planes_and_picture_tell_the_same_colours():
    seen = FullColours().vivid(frame(0.3))
    blue, red = (cv2.resize(plane, (960, 540)).astype(float) - 128 for plane in seen.colours)
    told = seen.bgr.astype(float) - seen.bgr.astype(float) @ np.array([[0.0722], [0.7152], [0.2126]])
    assert np.abs(told[..., 0] - 1.8556 * 255 / 224 * blue)[::9, ::9].mean() < 6
    assert np.abs(told[..., 2] - 1.5748 * 255 / 224 * red)[::9, ::9].mean() < 6


def test_all_frames_are_strengthened_alike_until_one_shows_full_colours():
    colours = FullColours()
    first, second = colours.vivid(frame(0.3)), colours.vivid(frame(0.35, t_ms=2_400))
    assert first.gain == second.gain > 1
    full = frame(1.0, t_ms=4_800)
    assert colours.vivid(full) is full
    later = frame(0.3, t_ms=7_200)
    assert colours.vivid(later) is later


def test_a_recording_that_begins_without_colours_is_strengthened_once_it_has_some():
    colours, dark = FullColours(), frame(0.0)
    assert colours.vivid(dark) is dark
    assert colours.vivid(frame(0.3, t_ms=2_400)).gain > 1
