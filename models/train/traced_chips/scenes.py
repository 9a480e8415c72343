"""Traced pictures of stacks as training gets them, and the command that makes them.

``python -m models.train.traced_chips.scenes --folder FOLDER --blender PYTHON`` writes plans and lets the Python of a
``bpy`` of its own trace them. Interrupted, it goes on with the pictures that are missing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.chip_geometry import Floats
from models.train.chip_scenes import ChipScene, SeenStack, as_taken
from models.train.chip_styles import FAMILIES, HELD_OUT_FAMILIES
from models.train.traced_chips.plan import write_plan

PICTURES: Final = {"train": (11, FAMILIES), "tune": (12, FAMILIES), "test": (13, HELD_OUT_FAMILIES)}
"""Name of a set -> its seed and edge-spot families."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinholeView:
    """A pinhole camera around one foot of a stack: origin there, x right in its view, y away, z up, millimetres.

    ``rotation``: rows right, down, ahead of the camera; ``eye_mm``: where it is, seen from the foot.
    """

    rotation: Floats
    eye_mm: Floats
    focal_px: float
    middle_px: Floats

    @property
    def distance_mm(self) -> float:
        """How far the camera is from the foot."""
        return float(np.linalg.norm(self.eye_mm))

    @property
    def sine(self) -> float:
        """Of the elevation under which the camera sees the foot."""
        return float(self.eye_mm[2]) / self.distance_mm

    @property
    def px_per_mm(self) -> float:
        """Scale at the foot, across the view."""
        return self.focal_px / self.distance_mm

    @property
    def roll(self) -> float:
        """How far the vertical leans clockwise in the picture, in radians."""
        low, high = self.to_pixels(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 10.0]]))
        return float(np.arctan2(high[0] - low[0], low[1] - high[1]))

    def to_pixels(self, points_mm: Floats) -> Floats:
        """Map points (n, 3) to pixels (n, 2)."""
        seen = (points_mm - self.eye_mm) @ self.rotation.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + self.middle_px, dtype=np.float64)

    def to_felt(self, points_px: Floats) -> Floats:
        """Map pixels (n, 2) to points of the felt (n, 2)."""
        flat = np.column_stack([(points_px - self.middle_px) / self.focal_px, np.ones(len(points_px))])
        rays = flat @ self.rotation
        reach = -self.eye_mm[2] / rays[:, 2:]
        return np.asarray((self.eye_mm + rays * reach)[:, :2], dtype=np.float64)

    def misjudged(self, rng: np.random.Generator) -> PinholeView:
        """Return this camera with the errors of a calibration, as ``FootCamera`` makes them."""
        sight = self.eye_mm / self.distance_mm
        aside = np.cross([0.0, 0.0, 1.0], sight)
        aside /= max(float(np.linalg.norm(aside)), 1e-9)
        axis = aside * np.radians(rng.normal(0, 0.4)) + sight * np.radians(rng.normal(0, 0.7))
        turn = np.asarray(cv2.Rodrigues(axis)[0])
        nearer = float(np.exp(rng.normal(0, 0.006)))
        return replace(self, rotation=self.rotation @ turn, eye_mm=turn.T @ self.eye_mm / nearer)


def traced_scene(folder: Path, rng: np.random.Generator) -> ChipScene:
    """Return a traced picture as a camera would have taken it; other chances make another recording of it."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    frame, small = (np.asarray(cv2.imread(str(folder / f"{name}.png")), dtype=np.uint8) for name in ("frame", "bare"))
    bare = np.asarray(cv2.resize(small, dsize=frame.shape[1::-1], interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    owner = np.zeros(frame.shape[:2], np.int16)
    stacks = [_stack(plan, one) for one in plan["stacks"]]
    order = sorted(
        range(len(stacks)),
        key=lambda index: -np.hypot(*(plan["eye_mm"][k] - plan["stacks"][index]["at"][k] for k in (0, 1))),
    )
    for index in order:
        cv2.fillConvexPoly(owner, np.round(stacks[index].outline).astype(np.int32), index + 1)
    seen = [replace(stack, visible=_share(owner, index + 1, stack)) for index, stack in enumerate(stacks)]
    light = int(rng.integers(2**31))
    frame, bare = (as_taken(one, np.random.default_rng(light), rng) for one in (frame, bare))
    return ChipScene(frame_bgr=frame, bare_bgr=bare, stacks=tuple(seen), squeezed=False)


def table_view(folder: Path) -> PinholeView:
    """Return the camera of a traced picture, seen from the table's middle."""
    return _view_from(json.loads((folder / "plan.json").read_text(encoding="utf-8")), (0.0, 0.0), np.eye(3))


def _view_from(plan: Any, at: Sequence[float], own: Floats) -> PinholeView:
    """The plan's camera, seen from a place of its felt; ``own`` turns the plan's axes into those of the view."""
    return PinholeView(
        rotation=np.array(plan["rotation"]) @ own.T,
        eye_mm=own @ (np.array(plan["eye_mm"]) - np.array([*at, 0.0])),
        focal_px=float(plan["focal_px"]),
        middle_px=np.array(plan["size"]) / 2,
    )


def _stack(plan: Any, one: Any) -> SeenStack:
    towards = np.array(one["at"]) - plan["eye_mm"][:2]
    away = towards / np.hypot(*towards)
    own = np.array([[away[1], -away[0], 0.0], [*away, 0.0], [0.0, 0.0, 1.0]])
    camera = _view_from(plan, one["at"], own)
    around = np.linspace(0, 2 * np.pi, num=32, endpoint=False)
    circle = np.stack([np.cos(around), np.sin(around)], axis=1) * CHIP_RADIUS_MM
    rings = []
    for level, offset in enumerate(np.array(one["offsets"]) @ own[:2, :2].T):
        for height in (level, level + 1):
            ring = np.column_stack([circle + offset, np.full(len(circle), height * CHIP_HEIGHT_MM)])
            rings.append(camera.to_pixels(ring))
    outline = cv2.convexHull(np.concatenate(rings).astype(np.float32))[:, 0].astype(np.float64)
    low, high = camera.to_pixels(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, CHIP_HEIGHT_MM]]))
    return SeenStack(
        colours=tuple(one["colours"]),
        camera=camera,
        outline=outline,
        visible=1.0,
        px_per_edge=float(np.linalg.norm(high - low)),
    )


def _share(owner: NDArray[np.int16], number: int, stack: SeenStack) -> float:
    area = cv2.contourArea(stack.outline.astype(np.float32))
    return float(np.count_nonzero(owner == number)) / max(area, 1.0)


def traced_folders(folder: Path, *, name: str) -> list[Path]:
    """Return the folders of a set's pictures that are there, in order."""
    return sorted(path.parent for path in (folder / "traced" / name).glob("*/frame.png"))


def make(folder: Path, *, name: str, pictures: Sequence[int], blender: Path, processes: int) -> None:
    """Trace what is missing of a set's pictures."""
    seed, families = PICTURES[name]
    for index in pictures:
        place = folder / "traced" / name / f"{index:04d}"
        if not (place / "plan.json").exists():
            write_plan(place, np.random.default_rng((seed, index)), families=families)
    script = Path(__file__).with_name("blender_stacks.py")
    command = [str(blender), str(script), str(folder / "traced" / name)]
    running = [subprocess.Popen([*command, str(first), str(processes)]) for first in range(processes)]  # noqa: S603
    if sum(process.wait() != 0 for process in running):
        message = f"expected Blender to trace the pictures, it ended with an error: {' '.join(command)}"
        raise SystemExit(message)


def main() -> None:
    """Trace pictures of stacks for training, calibration and measurement."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "catwalk" / "chips")
    parser.add_argument("--blender", type=Path, required=True, help="a Python that has bpy")
    parser.add_argument("--name", choices=sorted(PICTURES), default="train")
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    make(
        options.folder,
        name=options.name,
        pictures=range(options.count),
        blender=options.blender,
        processes=options.processes,
    )


if __name__ == "__main__":
    main()
