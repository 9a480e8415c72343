"""What the path tracer is told: every picture, and which part of it differs from the one before."""

import itertools
import json
from pathlib import Path

import click
import cv2
import numpy as np
import pytest

from sample_footage.invent import invented_session
from sample_footage.render import prepare
from sample_footage.script import parse_session
from sample_footage.settled import frame_times, settled
from sample_footage.traced.film import _keep_to_plan, pictures, plan_of
from sample_footage.traced.piles import piles_only
from sample_footage.traced.scene_plan import CAMERAS, shots, traced_camera
from sample_footage.traced.textures import card_pictures, rim_picture, top_picture

SIZE = (960, 540)


@pytest.fixture(scope="module")
def rendering():
    script = parse_session(invented_session(rounds=1, seed=3, errors=0.0, game="blackjack"))
    return prepare(script, size=SIZE, frames=(0, 200))


@pytest.mark.parametrize("view", CAMERAS)
def test_every_spot_is_in_the_picture_of_every_camera(rendering, view):
    camera = traced_camera(view, size=SIZE)
    seen = camera.project([point for name, zone in rendering.performance.table.polygons.items() for point in zone])
    assert (seen > -0.05 * SIZE[0]).all()
    assert (seen < np.array(SIZE) * 1.05).all()


def test_a_picture_is_traced_only_when_something_moved(rendering):
    camera = traced_camera("left", size=SIZE)
    told = shots(rendering.performance, camera, rendering.times)
    assert 10 < len(told) < len(rendering.times)
    assert told[0].changed is None
    assert all(one.record != other.record for one, other in itertools.pairwise(told))


def test_what_moved_lies_in_the_part_that_is_traced_again(rendering):
    camera = traced_camera("left", size=SIZE)
    told = shots(rendering.performance, camera, rendering.times)
    for before, now in itertools.pairwise(told):
        old = {one["key"]: one for one in before.record["things"]}
        for one in now.record["things"]:
            if one != old.get(one["key"]):
                x, y = camera.project([[one["x"], one["y"], one["z"]]])[0]
                x0, y0, x1, y1 = now.changed
                inside = x0 <= x <= x1 and y0 <= y <= y1
                assert inside or not (0 <= x < SIZE[0] and 0 <= y < SIZE[1])


def test_frames_are_laid_over_the_ones_before(rendering, tmp_path: Path):
    camera = traced_camera("left", size=SIZE)
    told = shots(rendering.performance, camera, rendering.times)[:3]
    for number, shot in enumerate(told):
        x0, y0, x1, y1 = shot.changed or (0, 0, *SIZE)
        cv2.imwrite(str(tmp_path / f"{number:05d}.png"), np.full((y1 - y0, x1 - x0, 3), 60 * number + 60, np.uint8))
    frames = list(pictures(rendering, told, tmp_path))
    assert len(frames) == len(rendering.times)
    x0, y0, _, _ = told[2].changed
    assert frames[-1][y0, x0, 0] == 180
    assert {60, 180} <= set(np.unique(frames[-1]).tolist())


def test_the_plan_names_all_that_blender_builds(rendering):
    plan = plan_of(
        rendering, shots(rendering.performance, rendering.camera, rendering.times[:60]), samples=4, threads=1
    )
    assert {"size", "focal_px", "rotation", "eye_mm", "hands", "shots", "felt_mm", "tubes"} <= set(plan)
    assert {one["kind"] for shot in plan["shots"] for one in shot["things"]} == {"chips"}
    assert {arm["grip"] for shot in plan["shots"] for arm in shot["arms"]} <= set(plan["hands"])


def test_cheques_look_otherwise_than_those_of_the_other_renderer():
    assert len(card_pictures(None)) == 53
    assert rim_picture("red").shape == (32, 768, 3)
    assert tuple(top_picture("red")[128, 20]) != tuple(top_picture("green")[128, 20])


def test_pictures_of_another_plan_are_not_mixed_in(rendering, tmp_path: Path):
    path = tmp_path / "plan.json"
    told = shots(rendering.performance, rendering.camera, rendering.times[:60])
    plan = plan_of(rendering, told, samples=4, threads=1)
    _keep_to_plan(path, plan)
    _keep_to_plan(path, plan | {"threads": 2})
    with pytest.raises(click.ClickException, match="found another one"):
        _keep_to_plan(path, plan | {"samples": 8})
    assert json.loads(path.read_text())["samples"] == 4


def test_piles_alone_stand_apart_on_the_felt_for_a_moment_and_then_it_is_bare(rendering):
    shown = piles_only(rendering.performance, sets=3, seed=5)
    camera = traced_camera("right", size=SIZE)
    moments = settled(shown, camera)
    piles = [[item for item in moment.state.objects if item.kind == "chips"] for moment in moments]
    full = [some for some in piles if some]
    assert len(full) == 3
    assert not piles[0]
    assert not piles[-1]
    for some in full:
        assert all(1 <= len(item.stack) <= 14 for item in some)
        places = [item.xy_mm for item in some]
        gaps = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in itertools.combinations(places, 2)]
        assert min(gaps, default=99.0) > 40.0
    assert sum(shot.first_ms > 0 for shot in shots(shown, camera, tuple(frame_times(shown)))) == 6
    again = piles_only(rendering.performance, sets=3, seed=5)
    assert [thing.stack for thing in again.stage.things] == [thing.stack for thing in shown.stage.things]
