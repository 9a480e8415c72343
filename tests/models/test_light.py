"""Light that flickers is taken out of the frames; what happens on the table is not."""

from dataclasses import replace

import av
import numpy as np
import pytest

from audit.timing import Millis
from models.frames import Frame
from models.light import KnownRows, SteadyLight
from tests.models.test_recognise import content, states_of
from tests.models.toy_table import Thing, Toy

LENGTH = 6_000


def banded(frame: Frame, level: np.ndarray) -> Frame:
    """The frame with each row lit as the level (h,) says."""
    bgr = np.clip(frame.bgr * level[:, None, None] + 0.5, 0, 255).astype(np.uint8)
    source = av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format="yuv420p")
    return Frame(t_ms=Millis(int(frame.t_ms)), source=source)


def two_frames(things: tuple[Thing, ...]) -> tuple[Frame, Frame]:
    toy = Toy(length_ms=40)
    return next(toy.frames()), next(replace(toy, things=things, begin_ms=0).frames())


@pytest.mark.parametrize("things", [(), (Thing(x=-118.0, y=112.0, face="Ah"), Thing(x=60.0, y=112.0, face="Ks"))])
def test_bands_of_light_are_found_whatever_lies_on_the_table(things):
    first, second = two_frames(things)
    first = banded(first, np.ones(540))
    level = 1 + 0.08 * np.sin(2 * np.pi * np.arange(540) / 540)
    found = KnownRows(first.small.luma.astype(np.float32)).gains(banded(second, level).small.luma)
    assert found is not None
    assert np.abs(found[10:-10] - level[1::2][10:-10]).max() < 0.02


def test_a_lit_frame_looks_as_it_did_before_in_every_plane():
    first, second = two_frames(())
    first, light = banded(first, np.ones(540)), SteadyLight()
    assert light.even(first) is first
    even = light.even(banded(second, np.full(540, 0.85)))
    planes, before = ((one.luma, *one.colours, one.bgr) for one in (even, first))
    for plane, known in zip(planes, before, strict=True):
        assert abs(float(plane.mean()) - float(known.mean())) < 1.5
    assert np.abs(even.small.luma.astype(int) - first.small.luma).max() <= 8


def test_a_frame_in_the_same_light_is_passed_on_as_it_is():
    light, (first, second) = SteadyLight(), two_frames((Thing(x=0.0, y=100.0, face="7d"),))
    light.even(first)
    assert light.even(second) is second


def test_lamps_that_go_out_stay_out():
    light, (first, second) = SteadyLight(), two_frames(())
    light.even(first)
    dark = banded(second, np.full(540, 0.1))
    assert light.even(dark) is dark


def test_pulsing_light_changes_nothing_that_is_told():
    things = (Thing(x=-118.0, y=112.0, face="Ah"), Thing(x=-220.0, y=390.0, chips="red", start_ms=2_000))
    calm = states_of(Toy(things=things, length_ms=LENGTH))
    pulsing = states_of(Toy(things=things, length_ms=LENGTH, darken=lambda t_ms: 1 - 0.12 * (t_ms // 400 % 2)))
    assert [content(state) for state in pulsing] == [content(state) for state in calm]
    assert [state.covered for state in pulsing] == [state.covered for state in calm]


@pytest.mark.parametrize("moved", [-12, 14])
def test_a_camera_that_moves_its_black_is_put_back_in_every_plane(moved):
    first, second = two_frames((Thing(x=-118.0, y=112.0, face="Ah"), Thing(x=60.0, y=112.0, face="Ks")))
    light = SteadyLight()
    light.even(framed(shaded(first)))
    taken = np.clip(shaded(second).astype(float) + moved, 0, 255).astype(np.uint8)
    even = [light.even(framed(taken)) for _ in range(4)][-1]
    assert np.abs(even.luma.astype(int) - framed(shaded(second)).luma)[::7, ::7].mean() < 2
    assert np.abs(even.bgr.astype(int) - framed(shaded(second)).bgr)[::7, ::7].mean() < 3
    assert np.abs(even.small.luma.astype(int) - framed(shaded(second)).small.luma).mean() < 2


def shaded(frame):
    """The frame with wood, a rack and print of several shades beside the felt."""
    bgr = frame.bgr.copy()
    for number, level in enumerate([30, 50, 130, 160, 190, 215]):
        bgr[480:540, 150 * number : 150 * number + 100] = level
    return bgr


def framed(bgr):
    source = av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format="yuv420p")
    return Frame(t_ms=Millis(0), source=source)


def test_a_camera_that_sets_its_white_anew_is_put_back_in_every_plane():
    first, second = two_frames((Thing(x=-118.0, y=112.0, face="Ah"), Thing(x=60.0, y=112.0, face="Ks")))
    light = SteadyLight()
    light.even(framed(shaded(first)))
    taken = np.clip(shaded(second) * np.array([0.9, 1.0, 1.1]), 0, 255).astype(np.uint8)
    even, before = [light.even(framed(taken)) for _ in range(4)][-1], framed(shaded(second))
    small = ((frame.small.blue, frame.small.red) for frame in (even, before))
    pairs = [*zip(even.colours, before.colours, strict=True), *zip(*small, strict=True)]
    for plane, known in pairs:
        assert np.abs(plane.astype(int) - known).mean() < 1.5
    assert np.abs(even.bgr.astype(int) - before.bgr)[::7, ::7].mean() < 5


def test_black_or_white_that_moves_for_a_moment_only_is_flicker():
    first, _ = two_frames(())
    light, same = SteadyLight(), framed(shaded(first))
    light.even(same)
    for _ in range(5):
        for gains in ([1.0, 1.0, 1.0], [0.9, 1.0, 1.1], [0.9, 1.0, 1.1]):
            taken = np.clip(shaded(first) * np.array(gains), 0, 255).astype(np.uint8)
            assert getattr(light.even(framed(taken)), "cast", None) is None
