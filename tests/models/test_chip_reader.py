"""The chip reader on drawn stacks of an unseen design: what it reads is right, what it cannot see stays open."""

import shutil

import numpy as np
import pytest

from models.chip_geometry import FootCamera
from models.chip_palette import Palette
from models.chip_reader import ChipReader
from models.train.chip_crops import detector_box
from models.train.chip_scenes import random_scene
from models.train.chip_styles import HELD_OUT_FAMILIES, random_style
from models.train.chips import draw_stack, paste
from models.trained import CHIP_WEIGHTS, WeightsError


@pytest.fixture(scope="module")
def reader():
    return ChipReader()


def table(colours, *, px_per_edge, elevation_deg=45.0, seed=1):
    """A green felt with one upright stack, its box and its camera."""
    rng = np.random.default_rng(seed)
    sine, cosine = np.sin(np.radians(elevation_deg)), np.cos(np.radians(elevation_deg))
    scale = px_per_edge / (3.3 * cosine)
    frame = np.full((400, 400, 3), (60, 95, 35), np.uint8)
    style = random_style(rng, families=HELD_OUT_FAMILIES)
    sprite = draw_stack(
        colours, style, elevation_deg=elevation_deg, px_per_mm=scale, rng=rng, lean_deg=0.0, jitter_mm=0.3
    )
    shift = paste(frame, sprite, (200.0, 300.0))
    camera = FootCamera(foot_px=sprite.base_xy + shift, px_per_mm=scale, sine=float(sine), cosine=float(cosine))
    outline = sprite.outline + shift
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    return frame, np.array([[left, top], [right, top], [right, bottom], [left, bottom]]), camera


def test_five_reds_on_two_greens_are_the_likeliest_bottom_to_top(reader):
    stack = ("green", "green", "red", "red", "red", "red", "red")
    frame, box, camera = table(stack, px_per_edge=6.0)
    (reading,) = reader.read(frame, box[None], camera)
    assert reading.candidates[0][0] == stack
    assert reading.stack in {stack, None}
    assert reading.top_colour == "red"
    assert reading.base_mm == pytest.approx((0, 0), abs=2)


def test_single_chip_is_likeliest_one_chip(reader):
    frame, box, camera = table(("black",), px_per_edge=6.0)
    (reading,) = reader.read(frame, box[None], camera)
    assert reading.candidates[0][0] == ("black",)


def test_numbers_are_those_of_the_readings_whatever_the_colours(reader):
    frame, box, camera = table(("green",) * 4, px_per_edge=6.0)
    boxes = np.stack([box, box + 3.0])
    seen = reader.look_into(frame, boxes, camera)
    assert [one.numbers.shape for one in seen] == [(21,), (21,)]
    for one, reading in zip(seen, reader.read(frame, boxes, camera), strict=True):
        assert one.numbers.argmax() == 4
        assert one.numbers[4] == pytest.approx(reading.count_p, abs=0.02)


def test_a_box_that_was_looked_into_is_read_like_a_box_alone(reader):
    frame, box, camera = table(("green", "red", "red"), px_per_edge=6.0)
    _, seen = reader.look_into(frame, np.stack([box + 3.0, box]), camera)
    (alone,) = reader.read(frame, box[None], camera)
    read = reader.read_colours(frame, seen, camera)
    assert [stack for stack, _ in read.candidates] == [stack for stack, _ in alone.candidates]
    assert [p for _, p in read.candidates] == pytest.approx([p for _, p in alone.candidates], abs=1e-3)
    assert (read.stack, read.top_colour, read.base_mm) == (alone.stack, alone.top_colour, alone.base_mm)


def test_no_boxes_are_no_readings(reader):
    assert reader.read(np.zeros((50, 50, 3), np.uint8), np.zeros((0, 4, 2))) == []


def test_readings_come_in_the_order_of_the_boxes(reader):
    frame, box, camera = table(("red",) * 3, px_per_edge=6.0)
    empty = box - np.array([150.0, 150.0])
    readings = reader.read(frame, np.stack([empty, box]), camera)
    assert readings[0].stack is None
    assert readings[1].top_colour == "red"


def test_edges_below_a_pixel_are_never_a_certain_count_of_a_tall_stack(reader):
    frame, box, camera = table(("blue",) * 17, px_per_edge=0.9)
    (reading,) = reader.read(frame, box[None], camera)
    assert reading.stack is None
    assert reading.count is None


def test_candidates_are_probabilities_that_fall_and_sum_to_one_at_most(reader):
    scene = random_scene(np.random.default_rng(8), families=HELD_OUT_FAMILIES)
    rng = np.random.default_rng(9)
    boxes = np.stack([detector_box(stack.outline, stack.camera.roll, rng) for stack in scene.stacks])
    frame, plain, _ = table(("red",) * 3, px_per_edge=6.0)
    told = [reading.candidates for reading in (*reader.read(scene.frame_bgr, boxes), *reader.read(frame, plain[None]))]
    assert told[-1], "a stack in plain view has candidates"
    for candidates in told:
        assert 0 <= sum(p for _, p in candidates) <= 1
        assert [p for _, p in candidates] == sorted((p for _, p in candidates), reverse=True)


def test_colours_not_in_play_at_the_table_are_not_read():
    frame, box, camera = table(("purple",) * 3, px_per_edge=6.0)
    (every,) = ChipReader().read(frame, box[None], camera)
    (reading,) = ChipReader(colours=("red", "green")).read(frame, box[None], camera)
    assert every.candidates[0][0] == ("purple",) * 3
    assert {colour for stack, _ in reading.candidates for colour in stack} <= {"red", "green"}
    assert reading.candidates
    assert reading.top_colour != "purple"


@pytest.mark.parametrize(("looks", "is_read"), [("teal", "green"), ("orange", "red")])
def test_colour_not_in_play_is_the_one_in_play_that_casinos_make_alike(looks, is_read):
    reader = ChipReader(colours=("blue", "white", "pink", "red", "green", "black", "purple"))
    for seed in (1, 2, 6):
        frame, box, camera = table((looks,) * 2, px_per_edge=3.5, seed=seed)
        (reading,) = reader.read(frame, box[None], camera)
        assert reading.candidates[0][0] == (is_read,) * 2


def test_without_a_camera_there_is_no_place_on_the_felt(reader):
    frame, box, _ = table(("red",) * 3, px_per_edge=6.0)
    (reading,) = reader.read(frame, box[None])
    assert reading.base_mm is None
    assert reading.base_px == pytest.approx((200, 300), abs=6)


def test_box_outside_the_picture_is_unread_not_a_crash(reader):
    frame, box, camera = table(("red",) * 3, px_per_edge=6.0)
    (reading,) = reader.read(frame, box[None] + 5000.0, camera)
    assert reading.stack is None


def test_changed_weights_are_refused(tmp_path):
    folder = tmp_path / "chips"
    shutil.copytree(CHIP_WEIGHTS, folder)
    (folder / "strip.bin").write_bytes(b"other weights")
    with pytest.raises(WeightsError, match=r"strip\.bin: expected SHA-256"):
        ChipReader(folder)


def test_missing_weights_say_how_to_make_them(tmp_path):
    with pytest.raises(WeightsError, match=r"run python -m models\.train\.chip_reader"):
        ChipReader(tmp_path)


def test_reading_a_stack_again_at_its_place_changes_nothing(reader):
    frame, box, camera = table(("green", "green", "red"), px_per_edge=4.0)
    palette = Palette()
    first = reader.read(frame, box[None], camera, palette=palette)
    assert reader.read(frame, box[None], camera, palette=palette)[0].candidates == first[0].candidates


def test_other_stacks_of_the_table_speak_for_what_they_look_like(reader):
    stack = ("red",) * 4
    frame, box, camera = table(stack, px_per_edge=3.0)
    wide = np.concatenate([frame, frame], axis=1)
    (alone,) = reader.read(wide, box[None], camera)
    both = reader.read(wide, np.stack([box, box + np.array([400.0, 0.0])]), camera)
    doubt = [1 - sum(p for one, p in reading.candidates if set(one) == {"red"}) for reading in (alone, both[0])]
    assert doubt[1] < 0.7 * doubt[0]


def test_without_colours_chips_are_not_told_and_nothing_is_learnt(reader):
    frame, box, camera = table(("red",) * 3, px_per_edge=6.0)
    grey = np.repeat(frame.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    palette = Palette()
    (reading,) = reader.read(grey, box[None], camera, palette=palette)
    assert (reading.stack, reading.candidates, reading.top_colour) == (None, (), None)
    fresh = reader.read(frame, box[None], camera, palette=Palette())
    assert reader.read(frame, box[None], camera, palette=palette)[0].candidates == fresh[0].candidates
