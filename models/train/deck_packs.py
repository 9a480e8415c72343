"""Decks in one small file, and decks without end where neither Debian's card art nor rsvg-convert is installed.

``python -m models.train.deck_packs --split train --drawn 0 --out FILE`` packs decks. New ones are drawn from seeds by
the Python package ``resvg-py`` with the fonts of a folder (``models.train.deck_fonts``), or are packed ones whose
print is a little bolder or finer, larger or smaller, and of other tones.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.cards import DECK
from models.train.card_crops import FACE_HEIGHT
from models.train.deck_art import DeckArtError, cut_sheet
from models.train.deck_drawing import draw_sheet
from models.train.deck_fonts import WIDER_FROM
from models.train.decks import Deck, load_decks, reduced

_ORDER: Final = (*DECK, "back")
_QUALITY: Final = 82
_VARIED: Final = 0.35  # of the decks without end are packed ones
_SEEDS: Final = 1_000_000_000

Rgba = NDArray[np.uint8]


def pack(decks: Sequence[Deck], path: Path) -> None:
    """Write decks as they are, faces as WebP."""
    webp = [_encoded(picture) for deck in decks for picture in deck.pictures]
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        path,
        names=np.array([deck.name for deck in decks]),
        cards=np.array([" ".join(deck.cards) for deck in decks]),
        webp=np.concatenate(webp),
        ends=np.cumsum([len(face) for face in webp]),
    )


def _encoded(rgba: Rgba) -> NDArray[np.uint8]:
    bgra = cv2.cvtColor(np.ascontiguousarray(rgba), cv2.COLOR_RGBA2BGRA)
    return np.asarray(cv2.imencode(".webp", bgra, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])[1], np.uint8).ravel()


def unpack(path: Path) -> list[Deck]:
    """Return the decks of a file that ``pack`` wrote."""
    with np.load(path) as file:
        faces = np.split(file["webp"], file["ends"][:-1])
        names, cards = [str(name) for name in file["names"]], [str(some).split() for some in file["cards"]]
    many = len(_ORDER)
    return [
        Deck(name=name, cards=tuple(some), pictures=np.stack([_decoded(f) for f in faces[k * many : (k + 1) * many]]))
        for k, (name, some) in enumerate(zip(names, cards, strict=True))
    ]


def _decoded(webp: NDArray[np.uint8]) -> Rgba:
    """A face as RGBA; WebP keeps no transparency where there is none."""
    picture = np.asarray(cv2.imdecode(webp, cv2.IMREAD_UNCHANGED), np.uint8)
    code = cv2.COLOR_BGR2RGBA if picture.shape[2] == 3 else cv2.COLOR_BGRA2RGBA
    return np.asarray(cv2.cvtColor(picture, code), np.uint8)


def draw_deck(seed: int, fonts: Path) -> Deck:
    """Return the deck of a seed, drawn with the fonts of a folder.

    Raises:
        DeckArtError: if ``resvg-py`` is not installed or draws nothing.
    """
    try:
        import resvg_py  # noqa: PLC0415 - where decks are only unpacked it may be missing
    except ImportError as error:
        msg = "expected the package resvg-py, which draws decks, found none"
        raise DeckArtError(msg) from error
    drawn: Any = resvg_py.svg_to_bytes(
        svg_string=draw_sheet(seed), height=5 * FACE_HEIGHT, skip_system_fonts=True, font_dirs=[str(fonts)]
    )
    sheet = _decoded(np.frombuffer(bytes(drawn), np.uint8))
    faces = cut_sheet(sheet)
    width = min(face.shape[1] for face in faces.values())
    pictures = np.stack([faces[key][:FACE_HEIGHT, :width] for key in _ORDER])
    return Deck(name=f"drawn-{seed}", cards=tuple(DECK), pictures=pictures)


def varied(deck: Deck, rng: np.random.Generator) -> Deck:
    """Return a deck as another press would have printed it."""
    height, width = deck.pictures.shape[1:3]
    grid = _swollen(height, width, rng)
    bolder = rng.choice([-1, 0, 1], p=[0.3, 0.35, 0.35]) * rng.uniform(0.2, 0.9)
    kernel = np.ones((2, 2) if rng.random() < 0.5 else (3, 3), np.uint8)
    tones = _tones(rng)
    faces = []
    for picture in deck.pictures:
        face = cv2.remap(np.ascontiguousarray(picture), *grid, interpolation=cv2.INTER_LINEAR)
        if bolder:
            other = cv2.erode(face[..., :3], kernel) if bolder > 0 else cv2.dilate(face[..., :3], kernel)
            face[..., :3] = cv2.addWeighted(other, abs(bolder), face[..., :3], 1 - abs(bolder), gamma=0)
        face[..., :3] = cv2.LUT(face[..., :3], tones)
        faces.append(face)
    return Deck(name=f"{deck.name}-varied", cards=deck.cards, pictures=np.stack(faces))


def _swollen(height: int, width: int, rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where to look, so that corners swell or shrink and the middle gives way; the same for either way up."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    places = []
    for at, size in ((x, width), (y, height)):
        share = 2 * (at + 0.5) / size - 1
        power = float(np.exp(rng.normal(0, 0.12)))
        places.append(((np.sign(share) * np.abs(share) ** power + 1) * size / 2 - 0.5).astype(np.float32))
    return places[0], places[1]


def _tones(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Tones (1, 256, 3) of other ink and other paper, white for white or nearly so."""
    levels = np.arange(256, dtype=np.float64)[:, None] / 255
    curve = levels ** np.exp(rng.normal(0, 0.2, 3) * rng.choice([0.2, 1.0]))
    ink = rng.uniform(0, 0.15) * rng.uniform(0.6, 1.0, 3)
    return np.asarray(np.clip((ink + (1 - ink) * curve) * 255, 0, 255).astype(np.uint8)[None], np.uint8)


def endless(packed: Sequence[Deck], rng: np.random.Generator, *, fonts: Path | None) -> Iterator[Deck]:
    """Yield decks that nobody has seen; without ``fonts`` all are varied ones."""
    while True:
        if fonts is None or rng.random() < _VARIED:
            yield varied(packed[int(rng.integers(len(packed)))], rng)
        else:
            yield draw_deck(WIDER_FROM + int(rng.integers(_SEEDS)), fonts)


def main() -> None:
    """Pack the decks of a split."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("train", "calibration", "heldout"), default="train")
    parser.add_argument("--drawn", type=int, help="at most so many drawn ones")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    pack([reduced(deck, height=FACE_HEIGHT) for deck in load_decks(options.split, drawn=options.drawn)], options.out)


if __name__ == "__main__":
    main()
