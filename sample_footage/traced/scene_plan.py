"""What Blender is told: for every picture, where each thing and each hand is, and which part of the picture changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from sample_footage.choreography import Performance
from sample_footage.coverage import card_corners_mm
from sample_footage.geometry import Camera, Floats, looking_at
from sample_footage.layout import CARD_H, CHIP_H, CHIP_R, Place
from sample_footage.paint.hands import SHAPES
from sample_footage.tracks import Arm, Thing

Record = dict[str, Any]
Box = tuple[int, int, int, int]
_ARM_WIDE_MM: Final = 75.0
_ARM_LONG_MM: Final = {True: 1000.0, False: 560.0}
_ROUND_SHADOW_PX: Final = 36
_LEAST_PX: Final = 32
_LONGEST_MM: Final = 110.0
"""No thing reaches further from its place than this."""

CAMERAS: Final = {
    "left": {"eye_mm": (520.0, 1560.0, 1720.0), "target_mm": (6.0, 232.0, 0.0), "focal_px": 3720.0},
    "right": {"eye_mm": (-430.0, 1420.0, 1840.0), "target_mm": (-4.0, 236.0, 0.0), "focal_px": 3700.0},
}
"""Two more cameras above the players, which no session of ``paint`` is seen by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One picture to trace: when it is first shown, what is in it, and the part that differs from the one before."""

    first_ms: int
    record: Record
    changed: Box | None


def traced_camera(name: str, *, size: tuple[int, int]) -> Camera:
    """Return one of ``CAMERAS``: a pinhole without distortion."""
    place = CAMERAS[name]
    camera = looking_at(
        eye_mm=place["eye_mm"],  # type: ignore[arg-type]  # the table above holds both kinds
        target_mm=place["target_mm"],  # type: ignore[arg-type]
        focal_px=place["focal_px"],  # type: ignore[arg-type]
        size=(1920, 1080),
        distortion=(0.0, 0.0, 0.0, 0.0, 0.0),
    )
    return camera if size == camera.size else camera.scaled_to(size)


def shots(performance: Performance, camera: Camera, times: tuple[int, ...]) -> list[Shot]:
    """Return the pictures to trace, one for each time at which something differs from the time before."""
    found: list[Shot] = []
    before: Record | None = None
    for t_ms in times:
        record = _record(performance, t_ms)
        if record != before:
            found.append(Shot(first_ms=t_ms, record=record, changed=_changed(before, record, camera)))
            before = record
    return found


def hands() -> Record:
    """Return the joints of every grip, for the hands that Blender builds."""
    return {
        name: {"fingers": shape.fingers, "thumb": shape.thumb, "wrist": shape.wrist} for name, shape in SHAPES.items()
    }


def _record(performance: Performance, t_ms: int) -> Record:
    things = [thing for thing in performance.stage.things if thing.exists_at(t_ms)]
    things.sort(key=lambda thing: thing.layer_at(t_ms))
    arms = [arm for arm in performance.stage.arms.values() if not arm.is_home_at(t_ms)]
    return {
        "things": [_thing(thing, t_ms, order) for order, thing in enumerate(things)],
        "arms": [_arm(arm, t_ms) for arm in arms],
    }


def _thing(thing: Thing, t_ms: int, order: int) -> Record:
    pose = thing.pose_at(t_ms)
    lying = 0.35 * order if thing.is_flat else 0.0
    return {
        "key": thing.key,
        "kind": thing.kind,
        "card": thing.card,
        "stack": list(thing.stack),
        "die": list(thing.die) if thing.die is not None else None,
        "x": round(pose.place.x, 2),
        "y": round(pose.place.y, 2),
        "z": round(pose.z_mm + 0.05 * lying, 2),
        "angle": round(pose.place.angle, 2),
        "up": pose.face_up,
        "turn": round(pose.turn, 3),
    }


def _arm(arm: Arm, t_ms: int) -> Record:
    x, y, z = (round(v, 1) for v in arm.tip_at(t_ms))
    return {
        "key": arm.key,
        "tip": [x, y, z],
        "anchor": list(arm.anchor),
        "grip": arm.grip_at(t_ms),
        "mirrored": arm.mirrored,
        "dealer": arm.seat is None,
    }


def _changed(before: Record | None, now: Record, camera: Camera) -> Box | None:
    """Return the part of the picture (x0, y0, x1, y1) outside which nothing moved; None for the whole picture."""
    if before is None:
        return None
    points: list[Floats] = []
    for kind, around in (("things", _around_thing), ("arms", _around_arm)):
        old, new = ({one["key"]: one for one in record[kind]} for record in (before, now))
        for key in old.keys() | new.keys():
            if old.get(key) != new.get(key):
                points += [around(one) for one in (old.get(key), new.get(key)) if one is not None]
    pixels = camera.project(np.vstack(points))
    low = np.floor(pixels.min(axis=0)).astype(int) - _ROUND_SHADOW_PX
    high = np.ceil(pixels.max(axis=0)).astype(int) + _ROUND_SHADOW_PX
    x0, y0 = (int(v) for v in np.clip(low, 0, np.array(camera.size) - _LEAST_PX))
    x1, y1 = (int(v) for v in np.clip(high, 0, camera.size))
    return x0, y0, max(x1, x0 + _LEAST_PX), max(y1, y0 + _LEAST_PX)


def _around_thing(one: Record) -> Floats:
    place = Place(one["x"], one["y"], one["angle"])
    if one["kind"] in ("card", "cut_card"):
        half = CARD_H / 2 if one["turn"] else 0.0
        return np.vstack([card_corners_mm(place, z_mm=one["z"] + dz) for dz in (-half, half)] + [_foot(one, CARD_H)])
    high = len(one["stack"]) * CHIP_H if one["stack"] else _LONGEST_MM
    return np.vstack([_foot(one, CHIP_R if one["stack"] else 60.0, z_mm=z) for z in (0.0, one["z"] + high)])


def _foot(one: Record, radius: float, *, z_mm: float = 0.0) -> Floats:
    x, y, shift = one["x"], one["y"], 0.4 * one["z"]
    return np.array([(x + dx * radius - shift, y + dy * radius - shift, z_mm) for dx in (-1, 1) for dy in (-1, 1)])


def _around_arm(one: Record) -> Floats:
    tip, anchor = np.array(one["tip"]), np.array([*one["anchor"], 0.0])
    back = (anchor - tip)[:2] / np.hypot(*(anchor - tip)[:2])
    across = np.array([back[1], -back[0]])
    corners = [
        [*(tip[:2] + back * along + across * side), z]
        for along in (-30.0, _ARM_LONG_MM[one["dealer"]])
        for side in (-_ARM_WIDE_MM, _ARM_WIDE_MM)
        for z in (0.0, tip[2] + 110.0 + max(0.0, along) * 0.2)
    ]
    return np.array(corners)
