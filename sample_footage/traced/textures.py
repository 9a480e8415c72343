"""Felt, cheques and cards as flat pictures, in another style than ``paint`` has: what Blender wraps on solids."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.table import CHIP_VALUES
from sample_footage.paint.cards import CardArt
from sample_footage.paint.chips import print_value
from sample_footage.paint.look import Look

Pixels = NDArray[np.uint8]
FELT_MM: Final = (-760.0, -420.0, 760.0, 700.0)
"""The part of the table (x0, y0, x1, y1) that the felt's picture shows."""
_PX_PER_MM: Final = 2.0
_PRINT_ORIGIN: Final = (-700.0, -330.0)
_ART: Final = Path(__file__).parents[1] / "art"
_FELTS: Final = {"blue": (96, 52, 20), "burgundy": (38, 24, 92), "green": (58, 92, 26)}
_BODIES: Final = {
    # body and edge spots, BGR: the manual's colours, in other tones and with other spots than ``paint`` has
    "blue": ((168, 92, 30), (70, 200, 240)),
    "white": ((226, 230, 230), (60, 60, 60)),
    "pink": ((176, 128, 236), (90, 60, 60)),
    "red": ((34, 30, 168), (60, 190, 235)),
    "green": ((66, 118, 20), (60, 60, 190)),
    "black": ((38, 36, 36), (90, 170, 90)),
    "purple": ((122, 44, 92), (90, 190, 230)),
    "orange": ((30, 110, 232), (150, 60, 40)),
    "grey": ((130, 130, 128), (200, 160, 90)),
    "teal": ((140, 132, 24), (230, 230, 230)),
}


def write_textures(folder: Path, *, sheet: str, felt: str, faces: Path | None) -> None:
    """Write ``felt.png``, ``rim-COLOUR.png``, ``top-COLOUR.png`` and ``card-CODE.png`` (``card-back.png``)."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "felt.png", felt_picture(sheet, felt))
    for colour in CHIP_VALUES:
        _write(folder / f"rim-{colour}.png", rim_picture(colour))
        _write(folder / f"top-{colour}.png", top_picture(colour))
    for code, face in card_pictures(faces).items():
        _write(folder / f"card-{code}.png", face)


def felt_picture(sheet: str, felt: str) -> Pixels:
    """Return the felt (h, w, 3), BGR, with the table's print in cream, two pixels a millimetre; +y points down."""
    x0, y0, x1, y1 = FELT_MM
    width, height = round((x1 - x0) * _PX_PER_MM), round((y1 - y0) * _PX_PER_MM)
    rng = np.random.default_rng(7)
    cloth = rng.normal(0, 1, (height, width)).astype(np.float32)
    cloth = cv2.GaussianBlur(src=cloth, ksize=(0, 0), sigmaX=1.2) * 0.12
    colour = (1.0 + cloth)[..., None] * np.array(_FELTS[felt], np.float32)
    art = np.asarray(cv2.imread(str(_ART / sheet), cv2.IMREAD_COLOR)).max(axis=2)
    xs = np.linspace(x0, x1, width, dtype=np.float32)
    ys = np.linspace(y0, y1, height, dtype=np.float32)
    across, down = np.meshgrid((-xs - _PRINT_ORIGIN[0]) * _PX_PER_MM, (ys - _PRINT_ORIGIN[1]) * _PX_PER_MM)
    ink = cv2.remap(src=art, map1=across, map2=down, interpolation=cv2.INTER_LINEAR, borderValue=0)
    cover = ink.astype(np.float32)[..., None] / 255 * 0.8
    colour = colour * (1 - cover) + cover * np.array((170, 205, 215), np.float32)
    return np.asarray(np.clip(colour, 0, 255), dtype=np.uint8)


def rim_picture(colour: str) -> Pixels:
    """Return the unrolled rim (32, 768, 3): eight square spots, each split in two."""
    body, spot = _BODIES[colour]
    rim = np.full((32, 768, 3), body, np.uint8)
    for i in range(8):
        x = i * 96 + 20
        rim[:, x : x + 16] = spot
        rim[:, x + 24 : x + 40] = spot
    rim[:2], rim[-2:] = rim[:2] // 2, rim[-2:] // 2
    return np.asarray(rim, dtype=np.uint8)


def top_picture(colour: str) -> Pixels:
    """Return the face (256, 256, 3): spots at the edge, a white inlay with the value."""
    body, spot = _BODIES[colour]
    art = np.full((256, 256, 3), body, np.uint8)
    for i in range(8):
        for part in (20 / 96, 44 / 96):
            start = (i + part) * 45.0
            cv2.ellipse(
                img=art,
                center=(128, 128),
                axes=(120, 120),
                angle=0,
                startAngle=start,
                endAngle=start + 7.5,
                color=spot,
                thickness=16,
                lineType=cv2.LINE_AA,
            )
    cv2.circle(img=art, center=(128, 128), radius=70, color=(232, 236, 236), thickness=-1, lineType=cv2.LINE_AA)
    cv2.circle(img=art, center=(128, 128), radius=62, color=body, thickness=3, lineType=cv2.LINE_AA)
    sizes = {1: 2.2, 2: 1.7, 3: 1.3, 4: 0.95, 5: 0.95}
    print_value(art, colour, font=cv2.FONT_HERSHEY_TRIPLEX, sizes=sizes, ink=(30, 30, 30))
    return art


def card_pictures(faces: Path | None) -> dict[str, Pixels]:
    """Return the deck (h, w, 3) by code and ``back``: the PNG files of a folder, else the sample deck."""
    if faces is not None:
        return {path.stem: np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR)) for path in sorted(faces.glob("*.png"))}
    art = CardArt(Look())
    found = {rank + suit: _flat(art.texture(rank + suit)) for rank in "AKQJT98765432" for suit in "shcd"}
    return {**found, "back": _flat(art.texture(None))}


def _flat(texture: NDArray[Any]) -> Pixels:
    return np.clip(texture[..., :3] + (255.0 - texture[..., 3:]) * 0.9, 0, 255).astype(np.uint8)


def _write(path: Path, picture: Pixels) -> None:
    cv2.imwrite(filename=str(path), img=picture)
