"""The decks that recognisers are trained and tested with.

Three splits that share no art: ``train``; ``calibration`` (temperatures and thresholds are chosen with it); and
``heldout``, two whole Debian decks that nothing is ever trained or tuned with. Faces are rasterised once into a
cache folder (``CATWALK_DATASETS``, else ``datasets``) and memory-mapped from there.

Left out altogether: decks that share art with the held-out ones (``ancient_french``, ``paris`` and ``svg-gm-paris``
repeat the courts of ``bellot``: correlation 0.8, 0.6; ``svg-penguins`` has the bitmap indices of ``svg-standard``),
suits that are not French (``swiss-xvii``, ``svg-xskat-german``) or in the wrong colours (``svg-konqi-modern``), no
indices in the corners (``svg-future``, the ``svg-oxygen`` family), and second copies of one deck (``svg-dondorf``,
``svg-nicu-ornamental``). Ranks that a deck letters otherwise (B, D, R, V, 1 …) are not among its ``cards``.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.cards import DECK, RANKS
from models.train.deck_art import AISLERIOT, CARDDECKS, read_carddeck, read_sheet
from models.train.deck_drawing import draw_sheet

Split = Literal["train", "calibration", "heldout"]
_ORDER: Final = (*DECK, "back")
_FORMAT: Final = 5  # of the cache: raise it when the drawing changes

_ALL: Final = RANKS
_GERMAN: Final = "A23456789TK"
_RUSSIAN: Final = "23456789TK"
_NUMBERS: Final = "A23456789T"
_DEBIAN: Final[dict[Split, dict[str, str]]] = {
    "train": {
        **dict.fromkeys(("anglo", "anglo_bitmap", "anglo_modern", "anglo_modern_4_color", "anglo_poker"), _ALL),
        **dict.fromkeys(("dondorf", "gnomangelo", "gnomangelo_bitmap", "orell", "ornamental", "plastic"), _ALL),
        **dict.fromkeys(
            ("atlasnye", "simplistic", "tango", "tango_nuevo", "svg-ancient-egyptians", "svg-nicu-white"), _ALL
        ),
        **dict.fromkeys(("atlasnye_skat", "berlin", "lattmann", "rheinland", "svg-xskat-french"), _GERMAN),
        **dict.fromkeys(("slavic_costumes", "Атласные"), _RUSSIAN),
        **dict.fromkeys(("guyenne-classic", "tarocco"), _NUMBERS),
    },
    "calibration": dict.fromkeys(
        ("neoclassical", "neoclassical_4_color", "tigullio", "svg-tigullio-international", "svg-jolly-royal"), _ALL
    ),
    "heldout": dict.fromkeys(("bellot", "svg-standard"), _ALL),
}  # deck -> the ranks whose index is the one that casinos print
_DRAWN: Final[dict[Split, tuple[int, int]]] = {"train": (1000, 220), "calibration": (5000, 16), "heldout": (0, 0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """One deck of card art.

    ``cards`` are the faces that may be shown with their label; every face may be shown as clutter. ``pictures`` is
    (53, h, w, 4) RGBA, faces in the order of ``audit.cards.DECK``, then the back; transparent outside the card.
    """

    name: str
    cards: tuple[str, ...]
    pictures: NDArray[np.uint8]

    def face(self, card: str) -> NDArray[np.uint8]:
        """Return a face, for example ``Td``, as RGBA (h, w, 4)."""
        return np.array(self.pictures[_ORDER.index(card)])

    def back(self) -> NDArray[np.uint8]:
        """Return the back as RGBA (h, w, 4)."""
        return np.array(self.pictures[-1])


def reduced(deck: Deck, *, height: int) -> Deck:
    """Return the deck with its pictures made smaller, held in memory."""
    share = height / deck.pictures.shape[1]
    width = round(deck.pictures.shape[2] * share)
    small = [cv2.resize(p, (width, height), interpolation=cv2.INTER_AREA) for p in deck.pictures]
    return Deck(name=deck.name, cards=deck.cards, pictures=np.stack(small).astype(np.uint8))


def deck_names(split: Split, drawn: int | None = None) -> list[str]:
    """Return the names of the decks of a split, collected ones first, then at most ``drawn`` drawn ones."""
    first, count = _DRAWN[split]
    seeds = range(first, first + (count if drawn is None else min(drawn, count)))
    return [*_DEBIAN[split], *(f"drawn-{seed}" for seed in seeds)]


def load_decks(split: Split, *, cache: Path | None = None, drawn: int | None = None) -> list[Deck]:
    """Return the decks of a split, drawing those that the cache folder does not have yet.

    Args:
        split: Which decks; the splits share no art.
        cache: Dataset folder; by default ``CATWALK_DATASETS``, else ``datasets``.
        drawn: At most this many drawn decks; by default all.

    Raises:
        DeckArtError: if the Debian packages with card art are not installed.
    """
    folder = (cache or Path(os.environ.get("CATWALK_DATASETS", "datasets"))) / f"decks-{_FORMAT}"
    folder.mkdir(parents=True, exist_ok=True)
    ranks = _DEBIAN[split]
    return [
        Deck(name=name, cards=_cards(ranks.get(name, _ALL)), pictures=_cached(folder, name))
        for name in deck_names(split, drawn)
    ]


def _cards(ranks: Sequence[str]) -> tuple[str, ...]:
    return tuple(card for card in DECK if card[0] in ranks)


def _cached(folder: Path, name: str) -> NDArray[np.uint8]:
    """Return the pictures of a deck, from the cache or drawn now."""
    path = folder / f"{name}.npy"
    if not path.exists():
        faces = _draw(name)
        height, width = faces["As"].shape[:2]
        pictures = np.stack([_fitted(faces[key], height, width) for key in _ORDER])
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
            np.save(part, pictures)
        Path(part.name).replace(path)
    return np.asarray(np.load(path, mmap_mode="r"), np.uint8)


def _draw(name: str) -> dict[str, NDArray[np.uint8]]:
    if name.startswith("drawn-"):
        with tempfile.TemporaryDirectory() as folder:
            svg = Path(folder) / "sheet.svg"
            svg.write_text(draw_sheet(int(name.removeprefix("drawn-"))), encoding="utf-8")
            return read_sheet(svg)
    if name.startswith("svg-"):
        return read_carddeck(next((CARDDECKS / name).glob("*.svgz"), CARDDECKS / name / "deck.svgz"))
    return read_sheet(AISLERIOT / f"{name}.svgz")


def _fitted(picture: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    """Return a picture cut or padded by the odd pixel to the size of the deck."""
    fitted = np.zeros((height, width, 4), np.uint8)
    rows, columns = min(height, picture.shape[0]), min(width, picture.shape[1])
    fitted[:rows, :columns] = picture[:rows, :columns]
    return fitted
