"""Good footage made bad: the same for the same seed, with times and truth that still hold."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from sample_footage.degrade import KINDS, Degradation, DegradeError, Planes, moved_truth

SIZE = (320, 192)
DOT = (90.0, 60.0)


def _clip(length_ms: int) -> list[tuple[int, Planes]]:
    """Grey frames, 25 a second, with a white dot."""
    picture = np.full((SIZE[1], SIZE[0], 3), 110, dtype=np.uint8)
    cv2.circle(picture, (round(DOT[0]), round(DOT[1])), 4, (255, 255, 255), -1)
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    return [(t_ms, planes) for t_ms in range(0, length_ms, 40)]


def _bad(*kinds: str, seed: int = 1, length_ms: int = 20_000) -> Degradation:
    return Degradation(kinds=frozenset(kinds), seed=seed, size=SIZE, length_ms=length_ms)


def _applied(bad: Degradation) -> dict[int, Planes]:
    return dict(bad.applied(_clip(int(bad.length_ms))))


def _dot(planes: Planes) -> tuple[float, float]:
    ys, xs = np.nonzero(planes[: SIZE[1]] > 180)
    return float(xs.mean()), float(ys.mean())


def test_the_same_seed_gives_the_same_and_another_seed_another() -> None:
    one, again, other = (_applied(_bad(*KINDS, seed=seed, length_ms=4_000)) for seed in (5, 5, 6))
    assert one.keys() == again.keys()
    assert all(np.array_equal(one[t_ms], again[t_ms]) for t_ms in one)
    assert one.keys() != other.keys()


def test_nothing_is_touched_where_nothing_is_asked_for() -> None:
    good = dict(_clip(2_000))
    got = _applied(_bad(length_ms=2_000))
    assert all(np.array_equal(got[t_ms], good[t_ms]) for t_ms in good)


def test_lost_frames_leave_the_times_of_the_others_and_gaps() -> None:
    times = list(_applied(_bad("drops")))
    assert set(times) < set(range(0, 20_000, 40))
    assert 350 < len(times) < 490  # of 500: about one in twenty, and some gaps
    assert 150 < max(b - a for a, b in pairwise(times)) < 2_000


def test_a_pushed_camera_sees_as_before_until_then_and_otherwise_ever_after() -> None:
    bad = _bad("bump")
    assert bad.bump is not None
    shown = _applied(bad)
    first, last = shown[0], shown[max(shown)]
    assert 8_000 < bad.bump.at_ms < 12_000
    assert _dot(first) == pytest.approx(DOT, abs=0.5)
    assert np.hypot(*np.subtract(_dot(last), DOT)) > 1.0
    # the truth's outlines go with it
    point = [DOT[0], DOT[1]]
    moments = [{"t_ms": [t, t + 40], "objects": [{"polygon_px": [point] * 4}]} for t in (0, 19_000)]
    before, after = moved_truth({"moments": moments}, bad)["moments"]
    assert before["objects"][0]["polygon_px"][0] == point
    assert after["objects"][0]["polygon_px"][0] == pytest.approx(_dot(last), abs=0.6)


def test_flicker_changes_the_light_and_nothing_else() -> None:
    shown = _applied(_bad("flicker", length_ms=24_000)).values()
    means = [float(planes[: SIZE[1]].mean()) for planes in shown]
    grey = float(_clip(40)[0][1][: SIZE[1]].mean())
    assert max(means) > grey + 2
    assert min(means) < grey - 8
    assert all(_dot(planes) == pytest.approx(DOT, abs=0.5) for planes in shown)


def test_what_passes_before_the_table_comes_and_goes() -> None:
    bad = _bad("occlusion", length_ms=30_000)
    assert len(bad.passings) >= 2
    shown, good = _applied(bad), _clip(40)[0][1]
    differ = {t_ms: not np.array_equal(planes[: SIZE[1]], good[: SIZE[1]]) for t_ms, planes in shown.items()}
    middle = (bad.passings[0].start_ms + bad.passings[0].end_ms) / 2
    assert differ[round(middle / 40) * 40]
    assert not differ[0]
    assert 0 < sum(differ.values()) < 0.8 * len(differ)


def test_an_unknown_kind_is_one_sentence() -> None:
    with pytest.raises(DegradeError, match=r"expected kinds of degradation among occlusion, .*, found 'fog'"):
        _bad("fog")
