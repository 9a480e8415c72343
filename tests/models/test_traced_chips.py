"""Stacks traced by Blender: what is planned can be traced, and the truth lies where the picture shows the chips."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.cheque_size import CHIP_DIAMETER_MM
from models.chip_geometry import CHIPS_BELOW, COLOURS, STEPS_PER_CHIP
from models.train.chip_crops import traced_crops
from models.train.chip_shards import shard
from models.train.chip_styles import FAMILIES
from models.train.traced_chips.plan import write_plan
from models.train.traced_chips.scenes import PinholeView, traced_folders, traced_scene


@pytest.fixture(params=[5, 8])  # seen from the players' side and from the dealer's
def planned(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder with a plan, and pictures as empty as those of a table without chips."""
    folder = tmp_path / "traced" / "train" / "0000"
    write_plan(folder, np.random.default_rng(request.param), families=FAMILIES)
    width, height = json.loads((folder / "plan.json").read_text())["size"]
    cv2.imwrite(str(folder / "frame.png"), np.full((height, width, 3), (60, 110, 40), np.uint8))
    cv2.imwrite(str(folder / "bare.png"), np.full((height // 2, width // 2, 3), (60, 110, 40), np.uint8))
    return folder


def test_a_plan_has_stacks_that_do_not_touch_and_a_picture_for_every_colour(planned: Path):
    plan = json.loads((planned / "plan.json").read_text())
    places = np.array([stack["at"] for stack in plan["stacks"]])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    assert apart[~np.eye(len(places), dtype=bool)].min() > CHIP_DIAMETER_MM
    for stack in plan["stacks"]:
        assert len(stack["colours"]) == len(stack["offsets"]) == len(stack["turns"])
        for colour in stack["colours"]:
            assert colour in COLOURS
            assert (planned / f"rim-{colour}.png").exists()
            assert (planned / f"face-{colour}.png").exists()


def test_the_same_seed_plans_the_same(tmp_path: Path):
    for name in ("first", "again"):
        write_plan(tmp_path / name, np.random.default_rng(5), families=FAMILIES)
    for path in (tmp_path / "again").iterdir():
        assert path.read_bytes() == (tmp_path / "first" / path.name).read_bytes(), path.name


def test_most_stacks_stand_within_the_picture(planned: Path):
    scene = traced_scene(planned, np.random.default_rng(1))
    height, width = scene.frame_bgr.shape[:2]
    feet = np.concatenate([stack.camera.to_pixels(np.zeros((1, 3))) for stack in scene.stacks])
    inside = ((feet > 0) & (feet < (width, height))).all(axis=1)
    assert inside.mean() > 0.75
    assert scene.bare_bgr.shape == scene.frame_bgr.shape
    shown = [stack.visible for stack in scene.stacks]
    assert max(shown) > 0.9
    assert all(0 <= share < 1.35 for share in shown)


def test_an_outline_holds_its_stack_and_no_more(planned: Path):
    scene = traced_scene(planned, np.random.default_rng(1))
    for stack in scene.stacks:
        high = len(stack.colours) * 3.3
        axis = stack.camera.to_pixels(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, high]]))
        shape = stack.outline.astype(np.float32)
        for point in axis:
            assert cv2.pointPolygonTest(shape, point.tolist(), measureDist=False) > 0
        assert np.ptp(stack.outline[:, 0]) < (CHIP_DIAMETER_MM + 25) * stack.camera.px_per_mm * 1.3


VIEW = PinholeView(
    rotation=np.array([[1.0, 0.0, 0.0], [0.0, -0.6, -0.8], [0.0, 0.8, -0.6]]),
    eye_mm=np.array([0.0, -1600.0, 1200.0]),
    focal_px=3000.0,
    middle_px=np.array([500.0, 400.0]),
)


def test_a_pinhole_sees_the_foot_in_the_middle_and_finds_it_again():
    points = np.array([[0.0, 0.0, 0.0], [80.0, -30.0, 0.0], [-55.0, 120.0, 0.0]])
    seen = VIEW.to_pixels(points)
    assert np.allclose(seen[0], (500, 400))
    assert seen[1, 0] > 500
    assert seen[2, 1] < 400, "what is farther away is higher in the picture"
    assert np.allclose(VIEW.to_felt(seen), points[:, :2])
    assert VIEW.sine == pytest.approx(0.6)
    assert VIEW.px_per_mm == pytest.approx(1.5)
    assert VIEW.roll == pytest.approx(0.0, abs=1e-9)


def test_a_misjudged_pinhole_keeps_the_foot_and_is_a_little_off():
    rng = np.random.default_rng(3)
    top = np.array([[0.0, 0.0, 66.0]])
    off = []
    for _ in range(50):
        other = VIEW.misjudged(rng)
        assert np.allclose(other.to_pixels(np.zeros((1, 3))), VIEW.to_pixels(np.zeros((1, 3))))
        off.append(float(np.linalg.norm(other.to_pixels(top) - VIEW.to_pixels(top))))
    assert 0.2 < np.median(off) < 4.0
    assert max(off) < 12


def test_crops_of_a_traced_picture_tell_what_the_plan_has(planned: Path):
    plan = json.loads((planned / "plan.json").read_text())
    stacks = {tuple(stack["colours"]) for stack in plan["stacks"]}
    cuts = traced_crops(np.random.default_rng(2), [planned], calibrated=1.0)
    some = [next(cuts) for _ in range(20)]
    for crop in some:
        assert tuple(COLOURS[label - 1] for label in crop.labels) in stacks
        assert crop.lines[-1] - crop.lines[0] == pytest.approx(len(crop.labels) * STEPS_PER_CHIP, rel=0.1)
    assert np.median([crop.lines[0] for crop in some]) == pytest.approx(CHIPS_BELOW * STEPS_PER_CHIP, abs=2)


def test_a_shard_without_traced_pictures_says_how_to_make_them(tmp_path: Path):
    assert traced_folders(tmp_path, name="train") == []
    with pytest.raises(SystemExit, match=r"expected traced pictures in .*found none: run"):
        shard(tmp_path, name="traced_train", index=0)
