"""Cuts the labelled cards out of photographs, for training where there is neither OpenVINO nor the photographs.

``python -m models.train.card_patch_packing FOLDER --out FILE`` finds the corners of the cards that are labelled in a
folder of photographs, as ``models.train.card_photographs`` does. Photographs whose names begin with a word of
``--without`` are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.card_views import turned
from models.train.card_patches import PATCH, Patch, Points, pack
from models.train.card_photo_scores import labelled
from models.train.card_photographs import found_cards

_LONGEST: Final = 190.0  # px, the side of a card in a patch
_NEVER: Final = ("ed_",)


def patch(frame: NDArray[np.uint8], quad: Points, card: str, index_px: Points | None) -> Patch:
    """Return a labelled card cut out of a photograph; with a labelled index (2,) that is the card's first end."""
    if index_px is not None:
        quad = min(quad, turned(quad), key=lambda end: float(np.linalg.norm(end[0] - index_px)))
    longest = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[1] - quad[0]))
    share = min(1.0, _LONGEST / float(longest))
    middle = (quad.min(axis=0) + quad.max(axis=0)) / 2
    half = PATCH / share / 2
    low = np.floor(middle - half - 2).astype(int)
    high = np.ceil(middle + half + 2).astype(int)
    inside = np.clip(np.array([low, high]), 0, [frame.shape[1], frame.shape[0]])
    part = frame[inside[0, 1] : inside[1, 1], inside[0, 0] : inside[1, 0]]
    size = np.maximum(1, np.round((inside[1] - inside[0]) * share)).astype(int)
    small = cv2.resize(part, dsize=(int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    shift = np.round(PATCH / 2 - (middle - inside[0]) * share)
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    square = cv2.warpAffine(small, move, (PATCH, PATCH), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    return Patch(np.asarray(square, np.uint8), (quad - inside[0]) * share + shift, card, index_px is None)


def patches_of(folder: Path, *, fold: int | None, without: tuple[str, ...]) -> Iterator[Patch]:
    """Yield the patches of the labelled cards of a folder whose corners are found."""
    kept = {file for file in labelled(folder) if not file.startswith(without)}
    for frame, quad, card, index_px in found_cards(folder, fold, files=kept):
        yield patch(frame, quad, card, index_px)


def main() -> None:
    """Pack the cards of labelled photographs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fold", type=int, choices=(0, 1), help="keep this half out")
    parser.add_argument("--without", nargs="*", default=list(_NEVER), help="beginnings of names")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    pack(patches_of(options.folder, fold=options.fold, without=tuple(options.without)), options.out)


if __name__ == "__main__":
    main()
