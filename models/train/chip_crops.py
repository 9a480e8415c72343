"""Training crops for the chip reader: strips, top views and their labels, cut as the reader itself cuts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.chip_geometry import (
    CHIPS_BELOW,
    COLOURS,
    NOTHING_KNOWN,
    STEPS_PER_CHIP,
    Floats,
    Placement,
    SeesPoints,
    both_sides,
    guess_camera,
    place_stack,
    side_facts,
    side_places,
    strip_of,
    top_view,
    unrolled_side,
    upward,
)
from models.train.cast_scenes import recordings
from models.train.chip_scenes import ChipScene, SeenStack, random_scene
from models.train.chip_tables import DrawnBackdrop
from models.train.traced_chips.scenes import traced_scene

_LEAST_VISIBLE = 0.3
_BOX_ERRORS = (0.01, 0.025, 0.06)  # of a box's side, one sigma: outlines, detections, piles of the felt's colour
_BOX_SHARES = (0.45, 0.35, 0.2)
_WRONG_BOXES = 0.15  # are whole chips too high or too low
_RECORDINGS = 2  # of every scene met by rays
CLASSES = (*COLOURS, "other")
"""Class ``i`` is number ``i + 1`` of the networks; 0 is a gap for the strip, no chip for the top view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipCrop:
    """One stack as the networks get it, with the truth.

    ``codes``: against the bare felt, see ``models.backdrop.against``; ``facts``: what the geometry tells, see
    ``side_facts``; ``labels``: class numbers bottom to top, empty for no chips; ``lines``: where in the strip the
    nearest points of each chip's lower rim and of the uppermost's upper rim are, in steps (n + 1,); ``flatness``: short
    by long axis of the uppermost face in the picture.
    """

    strip: NDArray[np.uint8]
    codes: NDArray[np.uint8]
    facts: NDArray[np.float32]
    top: NDArray[np.uint8]
    labels: tuple[int, ...]
    lines: Floats
    flatness: float
    px_per_edge: float
    visible: float
    calibrated: bool


def crops(rng: np.random.Generator, *, families: tuple[str, ...], calibrated: float = 0.7) -> Iterator[ChipCrop]:
    """Yield crops without end; the share ``calibrated`` of the scenes has a known camera."""
    while True:
        known = rng.random() < calibrated
        scene = random_scene(rng, families=families, squeeze=not known and rng.random() < 0.5)
        for stack in scene.stacks:
            if stack.visible > _LEAST_VISIBLE:
                yield cut(scene, stack, rng, calibrated=known)
        if rng.random() < 0.06:
            yield _cut_nothing(scene, rng, calibrated=known)


def cast_crops(rng: np.random.Generator, *, families: tuple[str, ...], calibrated: float = 0.9) -> Iterator[ChipCrop]:
    """Yield crops without end of pictures met by rays (``models.train.cast_scenes``)."""
    while True:
        for scene in recordings(rng, families=families, times=_RECORDINGS):
            known = rng.random() < calibrated
            for stack in scene.stacks:
                if stack.visible > _LEAST_VISIBLE:
                    yield cut(scene, stack, rng, calibrated=known)


def traced_crops(rng: np.random.Generator, folders: Sequence[Path], *, calibrated: float = 0.85) -> Iterator[ChipCrop]:
    """Yield crops without end of traced pictures (``models.train.traced_chips``), every time recorded anew."""
    while True:
        for folder in folders:
            scene, known = traced_scene(folder, rng), rng.random() < calibrated
            for stack in scene.stacks:
                if stack.visible > _LEAST_VISIBLE:
                    yield cut(scene, stack, rng, calibrated=known)


def cut(scene: ChipScene, stack: SeenStack, rng: np.random.Generator, *, calibrated: bool) -> ChipCrop:
    """Return the crop of one stack, through a box as imprecise as a detector's."""
    polygon = detector_box(stack.outline, stack.camera.roll, rng)
    if rng.random() < _WRONG_BOXES:
        polygon = whole_chips_off(polygon, stack.px_per_edge, rng)
    return _crop(scene, stack, polygon, rng, calibrated=calibrated, empty=False)


def detector_box(outline: Floats, roll: float, rng: np.random.Generator) -> Floats:
    """Return a box (4, 2) around an outline, upright in scene or picture or the smallest; each side off a bit."""
    kind = rng.random()
    if kind < 0.12:
        corners = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))).astype(np.float64)
        if abs(corners[0] - corners[1]).sum() < 1 or abs(corners[1] - corners[2]).sum() < 1:
            return np.asarray(corners, dtype=np.float64)
    else:
        turn = 0.0 if kind < 0.35 else roll
        right, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        x, y = outline @ right, outline @ down
        corners = np.array(
            [
                right * a + down * b
                for a, b in ((x.min(), y.min()), (x.max(), y.min()), (x.max(), y.max()), (x.min(), y.max()))
            ]
        )
    first, second = corners[1] - corners[0], corners[3] - corners[0]
    left, right_, top, bottom = rng.normal(0, rng.choice(_BOX_ERRORS, p=_BOX_SHARES), 4).clip(-0.15, 0.15)
    base = corners[0] + first * left + second * top
    first, second = first * (1 + right_ - left), second * (1 + bottom - top)
    return np.array([base, base + first, base + first + second, base + second])


def whole_chips_off(polygon: Floats, px_per_edge: float, rng: np.random.Generator) -> Floats:
    """Return a box (4, 2) whose lower or upper side is one or two chips too high or too low."""
    down = polygon[3] - polygon[0]
    if down[1] <= abs(down[0]):  # the box does not stand upright
        return polygon
    height = float(np.linalg.norm(down))
    off = px_per_edge * float(rng.choice([-2, -1, 1, 2], p=[0.15, 0.35, 0.35, 0.15]))
    off = float(np.clip(off, -0.4 * height, height))  # how much higher the box gets
    moved = polygon.copy()
    if rng.random() < 0.6:
        moved[2:] += down / height * off
    else:
        moved[:2] -= down / height * off
    return moved


def _cut_nothing(scene: ChipScene, rng: np.random.Generator, *, calibrated: bool) -> ChipCrop:
    """A box on bare felt, print or an edge of something: the detector was wrong."""
    stack = scene.stacks[0]
    height, width = scene.frame_bgr.shape[:2]
    blank = scene.frame_bgr.copy()
    x, y = stack.outline.min(axis=0).astype(int), stack.outline.max(axis=0).astype(int)
    patch = cv2.resize(blank[: max(8, height // 6), : max(8, width // 4)], dsize=(width, height))
    blank[max(0, x[1] - 4) : y[1] + 4] = patch[max(0, x[1] - 4) : y[1] + 4]
    polygon = detector_box(stack.outline, stack.camera.roll, rng)
    return _crop(replace(scene, frame_bgr=blank), stack, polygon, rng, calibrated=calibrated, empty=True)


def _crop(
    scene: ChipScene, stack: SeenStack, polygon: Floats, rng: np.random.Generator, *, calibrated: bool, empty: bool
) -> ChipCrop:
    frame = scene.frame_bgr
    width = float(np.ptp(stack.outline[:, 0]))
    flatness = (
        stack.camera.sine * stack.camera.px_per_mm * 39.0 / max(width, 1.0) if scene.squeezed else stack.camera.sine
    )
    camera: SeesPoints
    if calibrated:
        camera = stack.camera.misjudged(rng)
        place, up = place_stack(polygon, camera), upward(polygon, camera)
    else:
        sine = float(flatness * np.exp(rng.normal(0, 0.05)) + rng.normal(0, 0.02))
        camera, place = guess_camera(polygon, sine)
        up = upward(polygon, None)
    known = DrawnBackdrop.learnt(frame, scene.bare_bgr, stack.camera, rng) if calibrated else None
    where = side_places(camera, place)
    codes = NOTHING_KNOWN if known is None else strip_of(known(where))
    return ChipCrop(
        strip=unrolled_side(frame, where),
        codes=codes,
        facts=side_facts(place, codes),
        top=top_view(frame, polygon, up),
        labels=() if empty else tuple(CLASSES.index(colour) + 1 for colour in stack.colours),
        lines=_lines(stack, camera, place),
        flatness=float(np.clip(flatness, 0, 1)),
        px_per_edge=stack.px_per_edge,
        visible=stack.visible,
        calibrated=calibrated,
    )


def _lines(stack: SeenStack, camera: SeesPoints, place: Placement) -> Floats:
    """Where the strip of a place shows the rims of the true stack's chips, in steps."""
    count = len(stack.colours)
    aside = np.zeros((count, 2)) if stack.aside_mm is None else stack.aside_mm
    near = np.concatenate([aside, aside[-1:]]) - [0.0, CHIP_RADIUS_MM]
    true = stack.camera.to_pixels(np.column_stack([near, np.arange(count + 1) * CHIP_HEIGHT_MM]))
    levels = np.linspace(-6.0, 28.0, num=137)
    middle = camera.to_pixels(place.side_points(np.zeros(1), levels * CHIP_HEIGHT_MM)[:, 0])
    along = middle[-1] - middle[0]
    seen = np.interp((true - middle[0]) @ along, (middle - middle[0]) @ along, levels)
    return np.asarray((seen + CHIPS_BELOW) * STEPS_PER_CHIP)


def sides(crops: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """Return near and far sides (n, 10, STRIP_ROWS, STRIP_COLUMNS) of the crops' strips."""
    sine = np.clip(crops["flatness"], 0.1, 0.98)
    tangents = sine / np.sqrt(1 - sine**2)
    return np.stack(
        [
            both_sides(strip, codes, float(tangent))
            for strip, codes, tangent in zip(crops["strip"], crops["codes"], tangents, strict=True)
        ]
    )
