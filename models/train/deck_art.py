"""Card art that Debian packages bring, cut into single faces.

``gnome-cards-data`` has sheets of 13 by 5 cards (clubs, diamonds, hearts, spades; then jokers and back);
``kdegames-card-data-kf5`` has one SVG a deck with an element per card. Both are rasterised with rsvg-convert.
"""

from __future__ import annotations

import gzip
import subprocess
import tempfile
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS, SUITS

FACE_HEIGHT: Final = 360
AISLERIOT: Final = Path("/usr/share/aisleriot/cards")
CARDDECKS: Final = Path("/usr/share/carddecks")

_SUIT_NAMES: Final = dict(zip(SUITS, ("club", "diamond", "heart", "spade"), strict=True))
_RANK_NAMES: Final = dict(zip(RANKS, ("1", *"23456789", "10", "jack", "queen", "king"), strict=True))
_GRIDS: Final = {"svg-xskat-french": ("AKQJT98765432", "cshd")}
_BACK_BORDER: Final = 8
_VISIBLE: Final = 40

Rgba = NDArray[np.uint8]


class DeckArtError(RuntimeError):
    """Card art that is missing or cannot be rasterised; the message names the file."""


def _rasterise(svg: Path, *options: str) -> Rgba:
    """Return what rsvg-convert draws of an SVG file as RGBA."""
    command = ["rsvg-convert", "--unlimited", *options, str(svg)]
    run = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  # a fixed program on a chosen file
    image = cv2.imdecode(np.frombuffer(run.stdout, np.uint8), cv2.IMREAD_UNCHANGED) if run.stdout else None
    if image is None:
        msg = f"rsvg-convert draws card art, got status {run.returncode} for {svg.name}: {run.stderr.decode()[:200]}"
        raise DeckArtError(msg)
    if image.ndim == 2 or image.shape[2] == 3:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGRA if image.ndim == 2 else cv2.COLOR_BGR2BGRA)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA), np.uint8)


def cut_sheet(sheet: Rgba) -> dict[str, Rgba]:
    """Return the 52 faces and the back of a 13 by 5 sheet."""
    height, width = sheet.shape[0] / 5, sheet.shape[1] / 13

    def cell(column: int, row: int) -> Rgba:
        top, left = round(row * height), round(column * width)
        return sheet[top : round((row + 1) * height), left : round((column + 1) * width)].copy()

    faces = {r + s: cell(column, row) for row, s in enumerate(SUITS) for column, r in enumerate(RANKS)}
    return faces | {"back": cell(2, 4)}


def read_sheet(svg: Path) -> dict[str, Rgba]:
    """Return the faces and the back of a sheet in an SVG file, plain or gzipped."""
    return cut_sheet(_rasterise(svg, "--height", str(5 * FACE_HEIGHT), "--keep-aspect-ratio"))


def read_carddeck(svgz: Path) -> dict[str, Rgba]:
    """Return the faces and the back of one kdegames deck."""
    with tempfile.TemporaryDirectory() as folder:
        svg = Path(folder) / svgz.with_suffix(".svg").name
        svg.write_bytes(gzip.decompress(svgz.read_bytes()))
        if svgz.parent.name in _GRIDS:
            return _cut_grid(svg, *_GRIDS[svgz.parent.name])
        names = {r + s: f"{_RANK_NAMES[r]}_{_SUIT_NAMES[s]}" for s in SUITS for r in RANKS} | {"back": "back"}
        zoom = FACE_HEIGHT / _element(svg, names["9d"], zoom=1.0).shape[0]
        return {card: _element(svg, name, zoom=zoom) for card, name in names.items()}


def _element(svg: Path, name: str, *, zoom: float) -> Rgba:
    """Return one element of an SVG file without the empty canvas around it, at the common face height."""
    image = _rasterise(svg, "--export-id", name, "--zoom", f"{zoom:.4f}")
    rows, columns = (np.flatnonzero(image[..., 3].max(axis=axis) > _VISIBLE) for axis in (1, 0))
    image = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = round(image.shape[1] * FACE_HEIGHT / image.shape[0])
    return np.asarray(cv2.resize(image, (width, FACE_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def _cut_grid(svg: Path, ranks: str, suits: str) -> dict[str, Rgba]:
    """Return the faces of a 13 by 5 sheet whose ranks and suits come in another order, with a plain back."""
    cut = cut_sheet(_rasterise(svg, "--height", str(5 * FACE_HEIGHT), "--keep-aspect-ratio"))
    place = {r + s: RANKS[column] + SUITS[row] for row, s in enumerate(suits) for column, r in enumerate(ranks)}
    return {card: cut[cell] for card, cell in place.items()} | {"back": _plain_back(cut["As"].shape)}


def _plain_back(shape: tuple[int, ...]) -> Rgba:
    """Return a plain blue back with a white border for a deck that has none."""
    back = np.full(shape, 255, np.uint8)
    back[_BACK_BORDER:-_BACK_BORDER, _BACK_BORDER:-_BACK_BORDER, :3] = (40, 60, 150)
    return back
