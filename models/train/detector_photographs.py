"""Writes photographs of cards to shard files, so that the detector learns from them among composed pictures.

``python -m models.train.detector_photographs FOLDER --shards datasets/tables``: FOLDER holds the photographs that
``photographed_cards.csv`` names. Its quadrangles are drawn by hand around whole cards, or are a contour that was found;
where a card reaches out of its photograph, or lies under another, they say where its corners would be. With ``--fold``
0 or 1 half of the photographs are kept out, so that they can measure a network that begins (``--start-from``) with
weights from before any photograph: the network that is shipped (``--further``) has learnt from both halves.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.card_photo_scores import kept_out
from models.train.compose import Label, label_rows
from models.train.compose_finish import encode
from models.train.compose_shards import Sample, save_shard, shard_path

QUADS: Final = Path(__file__).parent / "photographed_cards.csv"
_FIRST_SHARD: Final = 9000
_LOOKS: Final = 48  # of each photograph, each of another shape, light and place
_STRETCH: Final = 1.9  # most times as long or as short on one side: many photographs were squeezed into a square
_ROOM: Final = (1.0, 2.0)  # the picture's side, in sides of the photograph
_SIDE_PX: Final = 640
_FILL: Final = (114, 114, 114)

Quads = Mapping[str, list[NDArray[np.float32]]]


def quadrangles(path: Path = QUADS) -> Quads:
    """Return by file the corners (4, 2) of its cards, in pixels of the photograph."""
    found: dict[str, list[NDArray[np.float32]]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as stream:
        for file, *corners in list(csv.reader(stream))[1:]:
            found[file].append(np.array(corners, np.float32).reshape(4, 2))
    return found


def look(photograph: NDArray[np.uint8], quads: list[NDArray[np.float32]], rng: np.random.Generator) -> Sample:
    """Return the photograph as JPEG with its label rows: stretched by chance, somewhere in a square, in other light."""
    height, width = photograph.shape[:2]
    shape = np.exp(rng.uniform(-1, 1) * np.log(_STRETCH) / 2 * np.array([1.0, -1.0]))
    room = rng.uniform(*_ROOM) if rng.random() < 0.5 else 1.0
    zoom = _SIDE_PX / room / max(width * shape[0], height * shape[1])
    scale = shape * zoom
    free = _SIDE_PX - scale * (width, height)
    corner = rng.uniform(0, 1, 2) * free
    matrix = np.array([[scale[0], 0, corner[0]], [0, scale[1], corner[1]]])
    laid = cv2.warpAffine(photograph, matrix, (_SIDE_PX, _SIDE_PX), flags=cv2.INTER_AREA, borderValue=_FILL)
    lit = np.clip(laid * rng.uniform(0.6, 1.25) * rng.uniform(0.92, 1.08, 3), 0, 255).astype(np.uint8)
    labels = [Label(kind="card", polygon_px=(quad * scale + corner).astype(np.float32)) for quad in quads]
    return np.frombuffer(encode(rng, lit), np.uint8), label_rows(labels, _SIDE_PX)


def looks(folder: Path, fold: int | None, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield every photograph that is not kept out once."""
    cards = quadrangles()
    for file in sorted(set(cards) - kept_out(cards, fold)):
        photograph = cv2.imread(str(folder / file), cv2.IMREAD_COLOR)
        if photograph is None:
            msg = f"{folder / file}: expected a photograph that {QUADS.name} names, found none"
            raise SystemExit(msg)
        yield look(np.asarray(photograph, np.uint8), cards[file], rng)


def main() -> None:
    """Write one shard for every look at the photographs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--fold", type=int, choices=(0, 1), help="keep this half out")
    options = parser.parse_args()
    options.shards.mkdir(parents=True, exist_ok=True)
    for number in range(_LOOKS):
        rng = np.random.default_rng((number, 17))
        path = shard_path(options.shards, "train", _FIRST_SHARD + number)
        print(save_shard(path, list(looks(options.folder, options.fold, rng))), flush=True)


if __name__ == "__main__":
    main()
