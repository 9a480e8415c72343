"""Light that flickers is taken out of the frames; what happens on the table is not."""

from dataclasses import replace

import av
import numpy as np
import pytest

from audit.timing import Millis
from models.frames import Frame
from models.light import KnownRows, SteadyLight
from models.motion import Watcher
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


LEVELS = [1.0, 1.0, 1.0, 1.0, 1.0, 1.2, 0.92, 1.15, 0.8, 1.022, 0.985, 1.06, 0.8, 1.2, 1.0, 0.75]


@pytest.mark.parametrize("bright", [1.0, 1.1])
def test_white_cards_that_the_camera_cannot_show_brighter_do_not_move_in_flickering_light(bright):
    felt, _ = two_frames(())
    light, watch = SteadyLight(), None
    for number, level in enumerate(LEVELS):
        taken = felt.bgr.astype(float)
        if number > 1:
            taken[200:300, 300:370] = np.array([240, 246, 250]) * bright
            taken[220:280, 320:350:12] = 40
        even = light.even(framed(np.clip(taken * level, 0, 255).astype(np.uint8)))
        watch = watch or Watcher(even.small.luma.shape)
        watch.see(400 * number, even.small)
        if number in (1, 4):
            watch.account(np.full(watch.shape, 255, dtype=np.uint8))
        if number > 4:
            assert not watch.moving.any()
            assert not watch.changed.any()
            watch.follow_light()


def test_what_is_bright_may_differ_a_little_more_than_the_felt_says_of_the_light():
    bgr = np.full((540, 960, 3), 90, dtype=np.uint8)
    bgr[200:300, 300:370] = 215
    light, watch = SteadyLight(), Watcher((270, 480))
    for number, (level, more) in enumerate([(1, 1), (1, 1), (0.9, 1), (0.95, 0.965), (1.0, 1.03), (0.9, 0.98)]):
        lit = bgr * level
        lit[200:300, 300:370] *= more
        watch.see(400 * number, light.even(framed(lit.astype(np.uint8))).small)
        if number == 1:
            watch.account(np.full(watch.shape, 255, dtype=np.uint8))
        assert not watch.moving.any() or number == 0
        assert not watch.changed.any() or number == 0


def test_video_of_which_white_is_255_keeps_its_brightest():
    bgr = np.full((540, 960, 3), 90, dtype=np.uint8)
    shades = framed(bgr)
    planes = [np.frombuffer(plane, np.uint8).reshape(plane.height, -1) for plane in shades.source.planes]
    light, looks = SteadyLight(), []
    for level in (1.0, 0.9):
        luma = (planes[0] * level).astype(np.uint8)
        luma[200:300, 300:370] = 255 if level == 1 else 231
        stored = np.concatenate([plane.ravel() for plane in (luma, *planes[1:])]).reshape(810, 960)
        source = av.VideoFrame.from_ndarray(stored, format="yuv420p")
        looks.append(light.even(Frame(t_ms=Millis(0), source=source)).small)
    assert abs(int(looks[1].luma[125, 165]) - 255) < 5
    assert looks[1].glare is None


def test_while_light_flickers_what_differs_by_little_is_put_back_too():
    first, second = (framed(np.full((540, 960, 3), 150, dtype=np.uint8)) for _ in range(2))
    light = SteadyLight()
    light.even(first)
    slightly = replace(banded(second, np.full(540, 1.02)), t_ms=Millis(4_000))
    assert light.even(slightly) is slightly
    light.even(replace(banded(second, np.full(540, 1.1)), t_ms=Millis(4_040)))
    assert light.even(slightly) is not slightly
    later = replace(slightly, t_ms=Millis(9_500))
    light.even(replace(second, t_ms=Millis(9_400)))
    assert light.even(later) is later


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
