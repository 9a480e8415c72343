"""The detector itself: its weights, what it returns, and what it sees in composed pictures."""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.detection import Detections, Detector, decode
from models.kinds import KINDS
from models.train.compose_art import drawn_back, pyramid
from models.train.compose_canvas import Canvas
from models.trained import DETECTOR_WEIGHTS, WeightsError


def felt(width: int, height: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    return np.clip(np.array([45, 95, 30]) + rng.normal(0, 3, (height, width, 1)), 0, 255).astype(np.uint8)


def with_backs(frame: np.ndarray, quads: list[list[tuple[float, float]]]) -> np.ndarray:
    """Lay card backs on a picture."""
    canvas = Canvas(frame.copy())
    canvas.size = max(frame.shape)
    art = pyramid(drawn_back(np.random.default_rng(3)))
    for number, quad in enumerate(quads, start=1):
        canvas.shade(np.array(quad) + 2, 0.4, 2)
        canvas.warp(art[1], np.array(quad), number)
    return canvas.image


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def test_distances_are_measured_along_the_turned_sides_of_a_rectangle() -> None:
    # The first place of stride 16 in a 64 x 32 input comes after 8 x 4 places of stride 8; its middle is at (8, 8).
    distances = np.array([[1.0], [0.5], [3.0], [0.5]], np.float32)
    [row] = decode(distances, np.array([math.pi / 2], np.float32), np.array([32]), (64, 32))
    # One cell further along the rectangle's own x, which points down the picture.
    assert row.tolist() == pytest.approx([8.0, 24.0, 64.0, 16.0, math.pi / 2], abs=1e-4)


def test_places_are_numbered_along_rows() -> None:
    none = np.zeros((4, 2), np.float32)
    rows = decode(none, np.zeros(2, np.float32), np.array([1, 8]), (64, 32))
    assert rows[:, :2].tolist() == [[12.0, 4.0], [4.0, 12.0]]


def test_detections_whose_parts_differ_in_number_are_refused() -> None:
    with pytest.raises(ValueError, match=r"2 kinds go with polygons \(2, 4, 2\)"):
        Detections(
            polygons_px=np.zeros((1, 4, 2), np.float32),
            kinds=np.array(["card", "die"]),
            confidences=np.zeros(2, np.float32),
        )


def test_detections_are_chosen_by_kind_and_confidence() -> None:
    found = Detections(
        polygons_px=np.arange(24, dtype=np.float32).reshape(3, 4, 2),
        kinds=np.array(["card", "die", "card"]),
        confidences=np.array([0.9, 0.8, 0.4], np.float32),
    )
    assert found.of("card").confidences.tolist() == pytest.approx([0.9, 0.4])
    assert found.above(0.5).kinds.tolist() == ["card", "die"]
    assert len(found.of("hand")) == 0


@pytest.mark.parametrize(
    ("regions", "card_px", "softened"), [(None, 60.0, 2), (None, None, 0), ([(0, 0, 90, 90)], 60.0, 0)]
)
def test_a_whole_picture_of_a_known_camera_is_looked_at_with_soft_edges_too(
    detector: Detector, monkeypatch: pytest.MonkeyPatch, regions: Any, card_px: float | None, softened: int
) -> None:
    sharp = np.zeros((720, 1280, 3), np.uint8)
    sharp[:, ::2] = 255
    seen: list[float] = []

    def passed(_: Detector, frame: np.ndarray, windows: Any) -> np.ndarray:
        seen.append(float(frame.std()))
        return np.zeros((0, 7), np.float32)

    monkeypatch.setattr(Detector, "_pass", passed)
    detector.detect(sharp, regions, card_px=card_px)
    assert sum(contrast < 30 for contrast in seen) == softened
    assert any(contrast > 100 for contrast in seen)


def test_weights_that_were_changed_are_refused(tmp_path: Path) -> None:
    shutil.copytree(DETECTOR_WEIGHTS, tmp_path / "weights")
    binary = tmp_path / "weights" / "detector.bin"
    binary.write_bytes(binary.read_bytes()[:-1] + b"\x00\x01")
    with pytest.raises(WeightsError, match=r"detector\.bin: expected SHA-256 [0-9a-f]{64}, found"):
        Detector(tmp_path / "weights")


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"found no detector\.json"):
        Detector(tmp_path)


def test_weights_for_other_kinds_are_refused(tmp_path: Path) -> None:
    shutil.copytree(DETECTOR_WEIGHTS, tmp_path / "weights")
    path = tmp_path / "weights" / "detector.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"kinds": ["card", "dog"]}))
    with pytest.raises(WeightsError, match="dog"):
        Detector(tmp_path / "weights")


def test_a_picture_without_colours_is_refused(detector: Detector) -> None:
    with pytest.raises(ValueError, match=r"a picture is \(h, w, 3\) of uint8, got \(48, 64\)"):
        detector.detect(np.zeros((48, 64), np.uint8))


def test_the_weights_name_the_kinds_and_their_thresholds(detector: Detector) -> None:
    assert tuple(detector.card["kinds"]) == KINDS
    assert set(detector.card["thresholds"]) == set(KINDS)


@pytest.mark.parametrize(("width", "height"), [(33, 20), (320, 240), (1280, 720)])
def test_an_empty_felt_of_any_size_shows_nothing(detector: Detector, width: int, height: int) -> None:
    assert len(detector.detect(felt(width, height))) == 0


def test_no_regions_give_no_objects(detector: Detector) -> None:
    found = detector.detect(felt(640, 360), [])
    assert found.polygons_px.shape == (0, 4, 2)
    assert found.kinds.shape == (0,)


def test_card_backs_are_found_where_they_lie(detector: Detector) -> None:
    left = [(200, 120), (250, 120), (250, 190), (200, 190)]
    right = [(420, 160), (470, 160), (470, 230), (420, 230)]
    found = detector.detect(with_backs(felt(640, 360), [left, right]))
    assert found.kinds.tolist() == ["card_back", "card_back"]
    middles = sorted(found.polygons_px.mean(axis=1).tolist())
    assert middles[0] == pytest.approx([225, 155], abs=6)
    assert middles[1] == pytest.approx([445, 195], abs=6)


def test_a_region_shows_only_what_has_its_middle_in_it(detector: Detector) -> None:
    left = [(200, 120), (250, 120), (250, 190), (200, 190)]
    right = [(420, 160), (470, 160), (470, 230), (420, 230)]
    found = detector.detect(with_backs(felt(640, 360), [left, right]), [(380.0, 120.0, 520.0, 260.0)])
    assert len(found) == 1
    assert found.polygons_px[0].mean(axis=0).tolist() == pytest.approx([445, 195], abs=6)


def test_the_same_picture_gives_the_same_objects(detector: Detector) -> None:
    frame = with_backs(felt(640, 360), [[(200, 120), (250, 120), (250, 190), (200, 190)]])
    assert np.array_equal(detector.detect(frame).polygons_px, detector.detect(frame).polygons_px)


def test_once_over_a_picture_sees_what_has_a_card_s_size_at_its_own_resolution() -> None:
    small = [(300.0, 120.0), (360.0, 120.0), (360.0, 204.0), (300.0, 204.0)]
    large = [(240.0, 40.0), (680.0, 40.0), (680.0, 660.0), (240.0, 660.0)]
    found = Detector().once(with_backs(felt(640, 360), [small]))
    assert [str(kind) for kind in found.kinds] == ["card_back"]
    assert found.polygons_px[0].mean(axis=0) == pytest.approx((330, 162), abs=6)
    picture = with_backs(felt(1280, 720), [large])  # 760 px from corner to corner
    once, often = (
        max((float(np.linalg.norm(quad[2] - quad[0])) for quad in found.polygons_px), default=0.0)
        for found in (Detector().once(picture), Detector().detect(picture))
    )
    assert once < 600
    assert often > 680
