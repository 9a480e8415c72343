"""The trained card networks: OpenVINO files whose hashes are known, run on one thread."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import openvino as ov
from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).parent / "weights" / "cards"
MANIFEST: Final = "cards.json"
LARGE: Final = "_large"
"""Ends the name of the file of a second network that is asked, too, and averaged with the first."""
_AT_ONCE: Final = 64

Bgr = NDArray[np.uint8]


class CardWeightsError(ValueError):
    """Weights that are missing or are not the ones in the manifest; the message names the file."""


def read_manifest(folder: Path = WEIGHTS) -> dict[str, Any]:
    """Return the manifest of a weights folder: hashes of its files, how readings are combined, the threshold."""
    path = folder / MANIFEST
    if not path.exists():
        msg = f"card weights are described by {MANIFEST}, found none in {folder.name}"
        raise CardWeightsError(msg)
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return manifest


class Network:
    """One network; calling it with (n, h, w, 3) BGR pictures gives (n, outputs).

    Where the manifest has a large one of that name, too, it is the mean of both: they err on different cards.
    """

    def __init__(self, name: str, *, folder: Path = WEIGHTS) -> None:
        hashes = read_manifest(folder)["sha256"]
        names = [name, f"{name}{LARGE}"] if f"{name}{LARGE}.xml" in hashes else [name]
        for path in (folder / f"{one}.{kind}" for one in names for kind in ("xml", "bin")):
            _check(path, hashes[path.name])
        settings = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY"}
        self._compiled = [ov.Core().compile_model(str(folder / f"{one}.xml"), "CPU", settings) for one in names]

    def __call__(self, pictures: Bgr) -> NDArray[np.float32]:
        """Return the outputs for a batch of pictures, of which there may be none."""
        parts = [pictures[start : start + _AT_ONCE] for start in range(0, len(pictures), _AT_ONCE)]
        width = self._compiled[0].output(0).get_partial_shape()[1].get_length()
        outputs = [np.mean([one(part)[0] for one in self._compiled], axis=0, dtype=np.float32) for part in parts]
        return np.concatenate(outputs) if outputs else np.zeros((0, width), np.float32)


def _check(path: Path, expected: str) -> None:
    found = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "no file"
    if found != expected:
        msg = f"{path.name} has the hash {expected[:12]}… of the manifest, found {found[:12]}"
        raise CardWeightsError(msg)
