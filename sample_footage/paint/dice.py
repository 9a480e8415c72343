"""Dice: cubes with pips on the faces that the camera sees; opposite faces sum to seven."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.coverage import die_corners_mm
from sample_footage.geometry import Camera, Floats
from sample_footage.layout import DISH_FLOOR, Place
from sample_footage.paint.canvas import Light, Patch, Reals, soft_mask
from sample_footage.paint.look import Bgr

_OVER: Final = 4
_SIDE_PX: Final = 96
RING: Final = {1: (2, 3, 5, 4), 2: (3, 1, 4, 6), 3: (1, 2, 6, 5), 4: (5, 6, 2, 1), 5: (6, 4, 1, 3), 6: (4, 5, 3, 2)}
"""The four sides around each top face, counter-clockwise seen from above."""
_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_COLOURS: Final[dict[str, tuple[Bgr, Bgr]]] = {
    # body and pips, BGR
    "white": ((222.0, 232.0, 234.0), (34.0, 32.0, 32.0)),
    "red": ((34.0, 30.0, 186.0), (236.0, 240.0, 240.0)),
}
_FACES: Final = ((0, 1), (1, 2), (2, 3), (3, 0))
"""Lower corners of each side, from the one at +y of the die's own axes, clockwise in the order of the corners."""


@lru_cache(maxsize=32)
def face_texture(face: int, colour: str) -> Reals:
    """Return one face (96, 96, 3), BGR, with its pips and a slightly worn edge."""
    body, pip = _COLOURS[colour]
    art = np.full((_SIDE_PX, _SIDE_PX, 3), body, np.float32)
    for across, down in _PIPS[face]:
        centre = (round(_SIDE_PX / 2 + across * 25), round(_SIDE_PX / 2 + down * 25))
        radius = 11 if face > 1 else 13
        cv2.circle(img=art, center=centre, radius=radius, color=pip, thickness=-1, lineType=cv2.LINE_AA)
    ys, xs = np.mgrid[0:_SIDE_PX, 0:_SIDE_PX]
    edge = np.minimum(np.minimum(xs, _SIDE_PX - 1 - xs), np.minimum(ys, _SIDE_PX - 1 - ys))
    gleam = 1.0 + 0.16 * np.exp(-((edge / 3.0) ** 2))
    worn: Reals = np.clip(art * gleam[..., None], 0, 255).astype(np.float32)
    return worn


def die_patch(die: tuple[int, str], place: Place, camera: Camera, light: Light) -> Patch:
    """Return a die as seen: its sides that face the camera, then its top."""
    top, colour = die
    corners = die_corners_mm(place, z_mm=DISH_FLOOR)
    pixels = camera.project(corners)
    x0, y0 = (int(v) - 2 for v in np.floor(pixels.min(axis=0)))
    x1, y1 = (int(v) + 3 for v in np.ceil(pixels.max(axis=0)))
    size = ((x1 - x0) * _OVER, (y1 - y0) * _OVER)
    seen = np.zeros((size[1], size[0], 4), np.float32)
    grid = (pixels - [x0, y0]) * _OVER + (_OVER - 1) / 2
    eye = camera.eye_mm
    for number, (a, b) in enumerate(_FACES):
        outward = (corners[a] + corners[b])[:2] / 2 - (place.x, place.y)
        if outward @ (eye[:2] - corners[a][:2]) > 0:
            face = RING[top][(1 - number) % 4]
            quad = grid[[a + 4, b + 4, b, a]]
            _lay(seen, face_texture(face, colour) * _level(outward), quad)
    _lay(seen, face_texture(top, colour), grid[4:8])
    small = cv2.resize(src=seen, dsize=(x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    return Patch(colour=small[..., :3] * light.at(*pixels.mean(axis=0)), cover=small[..., 3], x=x0, y=y0)


def _level(outward: NDArray[np.float64]) -> float:
    """A side is lit by how far it turns to the lamp, which stands over the players' right."""
    unit = outward / np.linalg.norm(outward)
    return float(0.66 + 0.16 * (unit[0] * 0.35 + unit[1] * 0.75))


def _lay(seen: Reals, texture: Reals, quad: Floats) -> None:
    source = np.array([(0, 0), (_SIDE_PX, 0), (_SIDE_PX, _SIDE_PX), (0, _SIDE_PX)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(src=source, dst=quad.astype(np.float32))
    size = (seen.shape[1], seen.shape[0])
    laid = cv2.warpPerspective(src=texture, M=warp, dsize=size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(seen.shape[:2], np.uint8)
    cv2.fillConvexPoly(img=mask, points=np.round(quad * 16).astype(np.int32), color=1, lineType=cv2.LINE_8, shift=4)
    inside = mask > 0
    seen[inside, :3] = laid[inside]
    seen[inside, 3] = 1.0


def die_shadow(place: Place, camera: Camera) -> Patch:
    """Return the shadow of a die on the dish's floor."""
    foot = die_corners_mm(Place(place.x - 1.5, place.y - 2.5, place.angle), z_mm=DISH_FLOOR)[:4]
    return soft_mask([camera.project(foot)], blur_px=2.4 * camera.size[0] / 1920, strength=0.55)
