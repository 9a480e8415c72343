"""What stands on the table: chip rack, shoe, ace finder and discard rack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.geometry import Camera, Floats
from sample_footage.layout import (
    CARD_H,
    CARD_THICK,
    CARD_W,
    CHIP_H,
    CHIP_R,
    DISCARD,
    FINDER,
    RACK,
    SHOE,
    TUBES,
    Place,
    tube_x,
)
from sample_footage.paint.canvas import Light, Patch, Picture, Reals, blend, filled, shade, soft_mask
from sample_footage.paint.cards import CardArt, card_patch
from sample_footage.paint.chips import Chip, ChipArt
from sample_footage.paint.look import Bgr

_AXIS_Z: Final = 7.0
_FRONT_Y: Final = RACK[3] - 6.0
_OVER: Final = 2


def box(
    picture: Picture,
    camera: Camera,
    light: Light,
    corners: tuple[float, float, float, float],
    *,
    z: tuple[float, float],
    bgr: Bgr,
) -> None:
    """Paint an upright box: the sides that face the camera, then its top."""
    x0, y0, x1, y1 = corners
    eye = camera.eye_mm
    low, high = z
    foot = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for i, (a, b) in enumerate(zip(foot, foot[1:] + foot[:1], strict=True)):
        outward = ((0, -1), (1, 0), (0, 1), (-1, 0))[i]
        facing = outward[0] * (eye[0] - a[0]) + outward[1] * (eye[1] - a[1]) > 0
        if facing:
            side = [(*a, low), (*b, low), (*b, high), (*a, high)]
            _face(picture, camera, light, side, bgr, level=0.62 if outward[1] else 0.48)
    _face(picture, camera, light, [(*p, high) for p in foot], bgr, level=1.0)


def _face(
    picture: Picture, camera: Camera, light: Light, points: Sequence[tuple[float, ...]], bgr: Bgr, *, level: float
) -> None:
    polygon = camera.project(points)
    lit = level * light.at(*polygon.mean(axis=0))
    blend(picture, filled(polygon, (bgr[0] * lit, bgr[1] * lit, bgr[2] * lit)))


def paint_shoe(picture: Picture, camera: Camera, light: Light) -> None:
    """Paint the shoe: a dark box, its lid, and the sloping mouth towards the dealer with the next card's edge."""
    x0, y0, x1, y1 = SHOE
    shadow = [camera.project([(x0 - 6, y0 - 12), (x1 + 10, y0 - 12), (x1 + 12, y1 + 6), (x0 - 6, y1 + 6)])]
    shade(picture, soft_mask(shadow, blur_px=9.0, strength=0.5))
    box(picture, camera, light, (x0, y0, x1 - 26, y1), z=(0.0, 78.0), bgr=(38, 36, 40))
    _face(
        picture,
        camera,
        light,
        [(x1 - 26, y0, 78.0), (x1, y0, 14.0), (x1, y1, 14.0), (x1 - 26, y1, 78.0)],
        (64, 60, 62),
        level=0.9,
    )
    _face(
        picture,
        camera,
        light,
        [(x1 - 26, y1, 78.0), (x1, y1, 14.0), (x1, y1, 0.0), (x1 - 26, y1, 0.0)],
        (38, 36, 40),
        level=0.5,
    )
    _face(
        picture, camera, light, [(x1, y0, 14.0), (x1, y0, 0.0), (x1, y1, 0.0), (x1, y1, 14.0)], (30, 28, 32), level=0.5
    )
    lid = [(x0 + 8, y0 + 8, 78.5), (x1 - 34, y0 + 8, 78.5), (x1 - 34, y1 - 8, 78.5), (x0 + 8, y1 - 8, 78.5)]
    _face(picture, camera, light, lid, (52, 48, 52), level=1.0)
    gleam = [(x1 - 24, y0 + 6, 76.0), (x1 - 20, y0 + 6, 66.0), (x1 - 20, y1 - 6, 66.0), (x1 - 24, y1 - 6, 76.0)]
    blend(picture, filled(camera.project(gleam), (150, 148, 150), opacity=0.35))
    slot = [(x1 - 8, 50.0, 34.0), (x1, 50.0, 14.5), (x1, 124.0, 14.5), (x1 - 8, 124.0, 34.0)]
    _face(picture, camera, light, slot, (178, 180, 184), level=0.8)


def paint_finder(picture: Picture, camera: Camera, light: Light) -> None:
    """Paint the ace finder, a flat dark box with a glass slit in front of the rack."""
    box(picture, camera, light, FINDER, z=(0.0, 7.0), bgr=(34, 33, 34))
    x0, y0, x1, y1 = FINDER
    glass = camera.project(
        [(x0 + 30, y0 + 8, 7.2), (x1 - 30, y0 + 8, 7.2), (x1 - 30, y1 - 12, 7.2), (x0 + 30, y1 - 12, 7.2)]
    )
    blend(picture, filled(glass, (96, 88, 80), opacity=0.9))


def paint_rack(picture: Picture, camera: Camera, light: Light, art: ChipArt, counts: Sequence[int]) -> None:
    """Paint the rack with that many chips in each tube, counted from the dealer's left."""
    x0, y0, x1, y1 = RACK
    shade(
        picture,
        soft_mask(
            [camera.project([(x0 - 4, y0 - 6), (x1 + 4, y0 - 6), (x1 + 4, y1 + 6), (x0 - 4, y1 + 6)])],
            blur_px=6,
            strength=0.5,
        ),
    )
    box(picture, camera, light, RACK, z=(0.0, 9.0), bgr=(46, 52, 58))
    for index in range(len(TUBES)):
        paint_tube(picture, camera, light, art, index=index, count=counts[index])


def paint_tube(picture: Picture, camera: Camera, light: Light, art: ChipArt, *, index: int, count: int) -> None:
    """Paint one tube: its trough, and the chips lying in it on their rims."""
    x = tube_x(index)
    edge = [
        (x - 20.6, RACK[1] + 5, 9.1),
        (x + 20.6, RACK[1] + 5, 9.1),
        (x + 20.6, _FRONT_Y + 1, 9.1),
        (x - 20.6, _FRONT_Y + 1, 9.1),
    ]
    _face(picture, camera, light, edge, (24, 24, 26), level=0.9)
    patch = _tube_patch(camera, light, art, index=index, count=count)
    if patch is not None:
        blend(picture, patch)


def _tube_patch(camera: Camera, light: Light, art: ChipArt, *, index: int, count: int) -> Patch | None:
    if not count:
        return None
    x, back = tube_x(index), _FRONT_Y - count * CHIP_H
    bounds = [(x + dx, y, z) for dx in (-CHIP_R, CHIP_R) for y in (back, _FRONT_Y) for z in (-2.0, _AXIS_Z + CHIP_R)]
    outline = camera.project(bounds)
    x0, y0 = (int(v) - 2 for v in np.floor(outline.min(axis=0)))
    x1, y1 = (int(v) + 3 for v in np.ceil(outline.max(axis=0)))
    xs, ys = np.meshgrid(np.arange((x1 - x0) * _OVER), np.arange((y1 - y0) * _OVER))
    pixels = np.stack([xs.ravel(), ys.ravel()], axis=1) / _OVER + [x0, y0] - (_OVER - 1) / (2 * _OVER)
    seen = np.zeros((len(pixels), 4), np.float32)
    _lay_chips(art, camera.rays(pixels), camera.eye_mm, seen, index=index, count=count)
    small = cv2.resize(
        src=seen.reshape((y1 - y0) * _OVER, (x1 - x0) * _OVER, 4),
        dsize=(x1 - x0, y1 - y0),
        interpolation=cv2.INTER_AREA,
    )
    lit = light.at(*outline.mean(axis=0))
    return Patch(colour=small[..., :3] * lit, cover=small[..., 3], x=x0, y=y0)


def _lay_chips(art: ChipArt, rays: Floats, eye: Floats, seen: Reals, *, index: int, count: int) -> None:
    """Meet the rays with a lying cylinder along y: its round, and the face of the foremost chip."""
    x, back = tube_x(index), _FRONT_Y - count * CHIP_H
    reach = (_FRONT_Y - eye[1]) / rays[:, 1]
    u, w = eye[0] + rays[:, 0] * reach - x, eye[2] + rays[:, 2] * reach - _AXIS_Z
    on_face = (u * u + w * w <= CHIP_R**2) & (w > 2.0 - _AXIS_Z) & (eye[1] > _FRONT_Y)
    ox, oz = eye[0] - x, eye[2] - _AXIS_Z
    a = rays[:, 0] ** 2 + rays[:, 2] ** 2
    b = ox * rays[:, 0] + oz * rays[:, 2]
    root = b * b - a * (ox * ox + oz * oz - CHIP_R**2)
    near = (-b - np.sqrt(np.maximum(root, 0.0))) / a
    y, z = eye[1] + rays[:, 1] * near, eye[2] + rays[:, 2] * near
    on_round = (root > 0) & (y > back) & (y < _FRONT_Y) & (z > 2.0) & ~on_face
    colour = TUBES[index]
    rng = np.random.default_rng(9001 + index)
    turns, tints = rng.uniform(0, 2 * np.pi, 60), rng.uniform(0.93, 1.06, 60)
    part = (_FRONT_Y - y[on_round]) / CHIP_H
    number = np.clip(part.astype(int), 0, 59)
    angle = np.arctan2(z[on_round] - _AXIS_Z, (ox + rays[:, 0] * near)[on_round])
    even = Chip(colour=colour, x=0, y=0, turn=0.0, tint=1.0)
    groove = 1.0 - 0.62 * np.exp(-((np.minimum(part % 1, 1 - part % 1) / 0.11) ** 2))
    high = np.clip((z[on_round] - 2.0) / (CHIP_R + _AXIS_Z), 0, 1)
    seen[on_round, :3] = art.rim(even, angle - turns[number]) * (groove * (0.42 + 0.58 * high) * tints[number])[:, None]
    front = Chip(colour=colour, x=0, y=0, turn=float(turns[0]), tint=0.86)
    seen[on_face, :3] = art.face(front, u[on_face], w[on_face]) * 0.8
    seen[on_round | on_face, 3] = 1.0


def paint_discards(picture: Picture, camera: Camera, light: Light, art: CardArt, count: int) -> None:
    """Paint the discard rack with a pile of that many cards, backs up."""
    x0, y0, x1, y1 = DISCARD
    shade(
        picture,
        soft_mask(
            [camera.project([(x0 - 4, y0 - 8), (x1, y0 - 8), (x1, y1 + 3), (x0 - 4, y1 + 3)])], blur_px=6, strength=0.45
        ),
    )
    box(picture, camera, light, DISCARD, z=(0.0, 4.0), bgr=(40, 34, 30))
    if count:
        middle = Place((x0 + x1) / 2, (y0 + y1) / 2, 0.0)
        height = count * CARD_THICK
        half = CARD_W / 2, CARD_H / 2
        foot = (middle.x - half[0], middle.y - half[1], middle.x + half[0], middle.y + half[1])
        box(picture, camera, light, foot, z=(4.0, 4.0 + height), bgr=(206, 210, 212))
        for level in np.arange(4.6, 4.0 + height, 1.5):
            line = camera.project([(foot[0], foot[3], level), (foot[2], foot[3], level)])
            _thin_line(picture, line, (120, 122, 126))
        patch = card_patch(art, None, middle, camera, light, z_mm=4.0 + height)
        if patch is not None:
            blend(picture, patch)
    _glass(picture, camera)


def _thin_line(picture: Picture, ends: NDArray[Any], bgr: Bgr) -> None:
    a, b = (tuple(int(v * 16) for v in end) for end in ends)
    cv2.line(img=picture, pt1=a, pt2=b, color=bgr, thickness=1, lineType=cv2.LINE_AA, shift=4)


def _glass(picture: Picture, camera: Camera) -> None:
    """Two clear acrylic walls, left and right, with bright edges."""
    x0, y0, x1, y1 = DISCARD
    for x in (x0, x1):
        wall = camera.project([(x, y0, 0), (x, y1, 0), (x, y1, 62.0), (x, y0, 62.0)])
        blend(picture, filled(wall, (214, 216, 214), opacity=0.10))
        for a, b in ((2, 3), (1, 2)):
            _thin_line(picture, wall[[a, b]], (196, 200, 198))
