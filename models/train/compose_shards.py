"""Writes composed pictures and their labels to shard files.

python -m models.train.compose_shards --folder datasets/tables --count 20
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.compose import PICTURE_PX, compose, label_rows
from models.train.compose_art import DeckArt
from models.train.compose_finish import encode
from models.train.decks import Split, load_decks

PICTURES: Final = 500
_DECKS_IN_SHARD: Final = 48

Sample = tuple[NDArray[np.uint8], NDArray[np.float32]]


def shard_path(folder: Path, split: Split, number: int) -> Path:
    """Return where a shard lies."""
    return folder / f"{split}-{number:04d}.npz"


def write_shard(folder: Path, split: Split, number: int, pictures: int = PICTURES) -> Path:
    """Compose one shard and write it whole; the same pictures for the same split and number."""
    decks = load_decks(split)
    base = {"train": 1, "calibration": 2, "heldout": 3}[split]
    rng = np.random.default_rng((base, number))
    chosen = [DeckArt(decks[k]) for k in rng.permutation(len(decks))[:_DECKS_IN_SHARD]]
    samples = []
    for k in range(pictures):
        image, labels = compose((base, number, k), chosen)
        samples.append((np.frombuffer(encode(rng, image), np.uint8), label_rows(labels, PICTURE_PX)))
    return save_shard(shard_path(folder, split, number), samples)


def save_shard(path: Path, samples: Sequence[Sample]) -> Path:
    """Write pictures (JPEG bytes) and their label rows whole or not at all."""
    part = path.with_suffix(".part")
    with part.open("wb") as stream:
        np.savez(
            stream,
            jpeg=np.concatenate([jpeg for jpeg, _ in samples]),
            jpeg_ends=np.cumsum([len(jpeg) for jpeg, _ in samples]),
            rows=np.concatenate([rows for _, rows in samples]),
            row_ends=np.cumsum([len(rows) for _, rows in samples]),
        )
    part.replace(path)
    return path


def read_shard(path: Path) -> Iterator[Sample]:
    """Yield each picture's JPEG bytes and its label rows (n, 6)."""
    with np.load(path) as shard:
        jpeg, rows = shard["jpeg"], shard["rows"]
        jpeg_ends, row_ends = shard["jpeg_ends"], shard["row_ends"]
    yield from zip(np.split(jpeg, jpeg_ends[:-1]), np.split(rows, row_ends[:-1]), strict=True)


def main() -> None:
    """Write the shards that the folder does not have yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--split", choices=("train", "calibration", "heldout"), default="train")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--pictures", type=int, default=PICTURES, help="in each shard")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    os.nice(5)
    options.folder.mkdir(parents=True, exist_ok=True)
    split = cast("Split", options.split)
    for number in range(options.first, options.first + options.count):
        if not shard_path(options.folder, split, number).exists():
            print(write_shard(options.folder, split, number, options.pictures), flush=True)


if __name__ == "__main__":
    main()
