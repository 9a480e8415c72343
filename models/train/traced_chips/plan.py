"""What Blender is told to trace: a felt, lamps, a camera and some dozens of stacks of chips."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM
from models.chip_geometry import FootCamera
from models.train.chip_styles import OWN_STYLES, Paint, random_set
from models.train.chip_tables import ChipTable, lay_card, print_places
from models.train.chips import chip_offsets

Floats = NDArray[np.float64]
_REACH_MM: Final = (330.0, 210.0)
"""Stacks stand this far right and away of the middle at most; less where the camera is near."""
_HALF_PX: Final = 430
_FELT_MM: Final = 1200
_MOST: Final = 44
_FINEST: Final = 2.2  # pixels a millimetre


def write_plan(folder: Path, rng: np.random.Generator, *, families: tuple[str, ...]) -> None:
    """Write a random plan and its textures: ``plan.json``, ``felt.png``, ``rim-COLOUR.png``, ``face-COLOUR.png``."""
    folder.mkdir(parents=True, exist_ok=True)
    table = ChipTable.random(rng)
    camera, reach = _camera(rng)
    stacks = _stacks(table, reach, rng)
    colours = sorted({colour for stack in stacks for colour in stack["colours"]})
    chips = random_set(rng, families=families, own=OWN_STYLES)
    for colour in colours:
        _write_paint(folder, colour, chips[colour].paint(colour))
    cv2.imwrite(str(folder / "felt.png"), _felt(table, stacks, rng))
    plan = {
        **camera,
        **_light(rng),
        "felt_mm": _FELT_MM,
        "bevel_mm": float(rng.uniform(0.1, 0.6)),
        "rough": {"rim": float(rng.uniform(0.3, 0.8)), "face": float(rng.uniform(0.3, 0.8))},
        "stacks": stacks,
        "samples": int(rng.choice([4, 7])),
    }
    half_written = folder / "plan.part"
    half_written.write_text(json.dumps(plan))
    half_written.rename(folder / "plan.json")


def _write_paint(folder: Path, colour: str, paint: Paint) -> None:
    cv2.imwrite(str(folder / f"rim-{colour}.png"), cv2.resize(paint.edge, dsize=(720, 24)))
    face = paint.face[..., :3].astype(np.float32) * (255 / np.maximum(paint.face[..., 3:], 1))
    cv2.imwrite(str(folder / f"face-{colour}.png"), face.clip(0, 255).astype(np.uint8))


def _stacks(table: ChipTable, reach: Floats, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Stacks none of which touches another, many of them in small groups."""
    stacks: list[dict[str, Any]] = []
    most = round(_MOST * float(np.prod(reach / _REACH_MM)))
    for _ in range(400):
        at = rng.uniform(-1, 1, 2) * reach
        if stacks and rng.random() < 0.35:
            around, apart = rng.uniform(0, 2 * np.pi), rng.uniform(39.6, 50)
            near = stacks[int(rng.integers(len(stacks)))]["at"]
            at = np.array(near) + apart * np.array([np.cos(around), np.sin(around)])
        if all(np.hypot(*(at - stack["at"])) > CHIP_DIAMETER_MM + 0.5 for stack in stacks):
            colours = table.wager(rng)
            offsets = chip_offsets(len(colours), rng)
            turns = rng.uniform(0, 360, len(colours))
            stacks.append({"at": at.tolist(), "colours": colours, "offsets": offsets.tolist(), "turns": turns.tolist()})
        if len(stacks) >= max(most, 3):
            break
    return stacks


def _felt(table: ChipTable, stacks: list[dict[str, Any]], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The felt from above, one pixel a millimetre, away from the camera upwards."""
    felt = table.felt_picture((_FELT_MM, _FELT_MM), rng)
    for stack in stacks:
        if rng.random() < 0.5:
            foot = np.array(stack["at"]) * (1, -1) + _FELT_MM / 2
            above = FootCamera(foot_px=foot, px_per_mm=1.0, sine=1.0, cosine=0.0, distance_mm=1e6)
            print_places(felt, above, rng)
            if rng.random() < 0.15:
                lay_card(felt, above, rng)
    return felt


def _camera(rng: np.random.Generator) -> tuple[dict[str, Any], Floats]:
    """The camera, and how far right and away of the middle (2,) stacks may stand to be in its picture."""
    elevation = np.radians(rng.triangular(24, 42, 72))
    distance = float(rng.uniform(900, 3200))
    edge_px = float(np.exp(rng.uniform(np.log(1.6), np.log(6.5))))
    scale = float(np.clip(edge_px / (CHIP_HEIGHT_MM * np.cos(elevation)), 0.5, _FINEST))
    reach = np.minimum(_REACH_MM, np.array([1.0, 0.64]) * _HALF_PX / scale)
    turn = rng.choice([0.0, np.pi]) + rng.uniform(-0.3, 0.3)
    away = np.array([np.sin(turn), -np.cos(turn)])
    eye = np.array([*(away * np.cos(elevation) * distance), np.sin(elevation) * distance])
    ahead = -eye / np.linalg.norm(eye)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    roll = rng.normal(0, 0.06)
    right, down = right * np.cos(roll) + down * np.sin(roll), down * np.cos(roll) - right * np.sin(roll)
    width = round((2 * reach[0] + 60) * scale)
    height = round((2 * reach[1] * np.sin(elevation) + 130) * scale)
    camera = {
        "eye_mm": eye.tolist(),
        "rotation": [right.tolist(), down.tolist(), ahead.tolist()],
        "focal_px": scale * distance,
        "size": [width, height],
    }
    return camera, reach


def _light(rng: np.random.Generator) -> dict[str, Any]:
    """A room and one to three lamps above the table, so bright that white paper is nearly white."""
    room = float(rng.uniform(0.1, 0.7))
    warm = np.array([1.0, rng.uniform(0.85, 1.0), rng.uniform(0.7, 1.05)])
    lamps = []
    shares = rng.dirichlet(np.ones(int(rng.integers(1, 4)))) * max(rng.uniform(0.8, 1.3) - room, 0.2)
    for share in shares:
        at = np.array([*rng.uniform(-900, 900, 2), rng.uniform(700, 2000)])
        reach = float(np.linalg.norm(at))
        power = share * np.pi**2 * (reach / 100) ** 2 / (at[2] / reach) ** 2
        lamps.append({"at": at.tolist(), "power": float(power), "size_mm": float(rng.uniform(80, 900))})
    return {"room": room, "walls": float(rng.choice([1.0, rng.uniform(0, 1)])), "tint": warm.tolist(), "lamps": lamps}
