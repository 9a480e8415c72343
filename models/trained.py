"""The files of the trained networks: where they lie, whether they are the ones that were measured, ready to answer.

Beside each network's files a JSON file holds their SHA-256, so that weights that were lost, cut short on their way or
changed by hand are told before anything is read with them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

_WEIGHTS: Final = Path(__file__).parent / "weights"
CARD_WEIGHTS: Final = _WEIGHTS / "cards"
CHIP_WEIGHTS: Final = _WEIGHTS / "chips"
DETECTOR_WEIGHTS: Final = _WEIGHTS / "detector"
DICE_WEIGHTS: Final = _WEIGHTS / "dice"
SUMS: Final = "sha256.json"
"""The manifest of the chips' and the dice's networks: nothing but the SHA-256 of each file."""


class WeightsError(ValueError):
    """Weights that are missing, broken or not the ones that were measured; the message names the file."""


def read_manifest(path: Path, *, made_by: str) -> dict[str, Any]:
    """Return what the JSON file beside some weights says of them.

    Args:
        path: The file.
        made_by: The module that makes the weights, named where the file is missing.

    Raises:
        WeightsError: if the file is missing or is no JSON object.
    """
    if not path.exists():
        msg = f"expected weights in {path.parent}, found no {path.name}: run python -m {made_by}"
        raise WeightsError(msg)
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        msg = f"{path}: expected JSON, found none: {error}"
        raise WeightsError(msg) from error
    if not isinstance(manifest, dict):
        msg = f"{path}: expected a JSON object, found {type(manifest).__name__}"
        raise WeightsError(msg)
    return manifest


def check_files(folder: Path, names: Iterable[str], sums: Mapping[str, str]) -> None:
    """Compare weight files with the SHA-256 that the manifest beside them lists.

    Raises:
        WeightsError: naming the first file that is missing, not listed or another one.
    """
    for name in names:
        path = folder / name
        expected = sums.get(name, "none listed")
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "no file"
        if found != expected:
            msg = f"{path}: expected SHA-256 {expected}, found {found}"
            raise WeightsError(msg)


def compiled(network: Path, *, threads: int = 1) -> Any:
    """Return a network of OpenVINO's ready to answer, on one thread unless told otherwise."""
    import openvino  # noqa: PLC0415  # 0.3 s: paid when the first picture is looked at

    hint = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1}
    return openvino.Core().compile_model(network, "CPU", hint)
