"""The trained card networks, asked for many pictures at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models import trained
from models.trained import CARD_WEIGHTS, check_files, compiled

MANIFEST: Final = "cards.json"
LARGE: Final = "_large"
"""Ends the name of the file of a second network that is asked, too, and averaged with the first."""
_AT_ONCE: Final = 64

Bgr = NDArray[np.uint8]


def read_manifest(folder: Path = CARD_WEIGHTS) -> dict[str, Any]:
    """Return the manifest of a weights folder: hashes of its files, how readings are combined, the threshold.

    Raises:
        WeightsError: if it is missing or broken.
    """
    return trained.read_manifest(folder / MANIFEST, made_by="models.train.card_pool_export")


class Network:
    """One network; calling it with (n, h, w, 3) BGR pictures gives (n, outputs).

    Where the manifest has a large one of that name, too, it is the mean of both: they err on different cards.

    Raises:
        WeightsError: if a file is missing or differs from its SHA-256.
    """

    def __init__(self, name: str, *, folder: Path = CARD_WEIGHTS) -> None:
        hashes = read_manifest(folder).get("sha256", {})
        names = [name, f"{name}{LARGE}"] if f"{name}{LARGE}.xml" in hashes else [name]
        check_files(folder, [f"{one}.{kind}" for one in names for kind in ("xml", "bin")], hashes)
        self._compiled = [compiled(folder / f"{one}.xml") for one in names]

    def __call__(self, pictures: Bgr) -> NDArray[np.float32]:
        """Return the outputs for a batch of pictures, of which there may be none."""
        parts = [pictures[start : start + _AT_ONCE] for start in range(0, len(pictures), _AT_ONCE)]
        width = self._compiled[0].output(0).get_partial_shape()[1].get_length()
        outputs = [np.mean([one(part)[0] for one in self._compiled], axis=0, dtype=np.float32) for part in parts]
        return np.concatenate(outputs) if outputs else np.zeros((0, width), np.float32)
