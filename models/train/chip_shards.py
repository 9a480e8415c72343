"""Files of a thousand training crops each; a shard is the same for the same seed, and is drawn only once."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import HIGHEST_STACK
from models.train.chip_crops import ChipCrop, cast_crops, crops, traced_crops
from models.train.chip_styles import FAMILIES, HELD_OUT_FAMILIES
from models.train.traced_chips.scenes import PICTURES, traced_folders

SHARD: Final = 1000
SETS: Final = {"train": (1, FAMILIES), "tune": (2, FAMILIES), "test": (3, HELD_OUT_FAMILIES)}
"""Name -> seed and edge-spot families. "tune" calibrates, "test" only measures."""
CAST: Final = {f"cast_{name}": (20 + seed, families) for name, (seed, families) in SETS.items()}
"""The same for the sets that are met by rays, see ``models.train.cast_scenes``."""
TRACED: Final = {f"traced_{name}": seed for name, (seed, _) in PICTURES.items()}
"""Name -> seed of the sets that are cut from traced pictures, see ``models.train.traced_chips``."""
_PICTURES: Final = 45  # give the thousand stacks of a shard

Arrays = dict[str, NDArray[Any]]


def shard_path(folder: Path, *, name: str, index: int) -> Path:
    """Return where a shard is kept."""
    return folder / f"{name}_{index:04d}.npz"


def shard(folder: Path, *, name: str, index: int) -> Arrays:
    """Return the shard, drawing it first if it is not there."""
    path = shard_path(folder, name=name, index=index)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        drawn = as_arrays(list(islice(_cuts(folder, name, index), SHARD)))
        half_written = path.with_suffix(f".{os.getpid()}.part.npz")
        np.savez(half_written, allow_pickle=False, **drawn)
        half_written.rename(path)
    with np.load(path) as stored:
        return {key: stored[key] for key in stored.files}


def _cuts(folder: Path, name: str, index: int) -> Iterator[ChipCrop]:
    if name in SETS:
        seed, families = SETS[name]
        return crops(np.random.default_rng((seed, index)), families=families)
    if name in CAST:
        seed, families = CAST[name]
        return cast_crops(np.random.default_rng((seed, index)), families=families)
    pictures = traced_folders(folder, name=name.removeprefix("traced_"))
    if not pictures:
        message = f"expected traced pictures in {folder}, found none: run python -m models.train.traced_chips.scenes"
        raise SystemExit(message)
    first = index * _PICTURES % len(pictures)
    return traced_crops(np.random.default_rng((TRACED[name], index)), [*pictures[first:], *pictures[:first]])


def as_arrays(cuts: Sequence[ChipCrop]) -> Arrays:
    """Return crops as arrays by the names of their fields; labels and lines that a stack does not have are 0."""
    labels = np.zeros((len(cuts), HIGHEST_STACK), np.int64)
    lines = np.zeros((len(cuts), HIGHEST_STACK + 1), np.float32)
    for row, places, crop in zip(labels, lines, cuts, strict=True):
        row[: len(crop.labels)] = crop.labels
        places[: len(crop.lines)] = crop.lines
    return {
        "strip": np.stack([crop.strip for crop in cuts]),
        "codes": np.stack([crop.codes for crop in cuts]),
        "facts": np.stack([crop.facts for crop in cuts]).astype(np.float16),
        "top": np.stack([crop.top for crop in cuts]),
        "labels": labels,
        "lines": lines,
        "flatness": np.array([crop.flatness for crop in cuts], np.float32),
        "px_per_edge": np.array([crop.px_per_edge for crop in cuts], np.float32),
        "visible": np.array([crop.visible for crop in cuts], np.float32),
        "calibrated": np.array([crop.calibrated for crop in cuts]),
    }


def main() -> None:
    """Draw shards; run beside the training to feed it faster."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--name", choices=sorted([*SETS, *CAST, *TRACED]), default="train")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for index in range(options.first, options.first + options.count):
        shard(options.folder, name=options.name, index=index)
        print(f"drew {options.name} shard {index}", flush=True)


if __name__ == "__main__":
    main()
