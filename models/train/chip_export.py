"""From trained networks to the files that the chip reader loads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from models.chip_geometry import STEPS, STRIP_COLUMNS, STRIP_ROWS, TOP_PX
from models.train.chip_network import StripNetwork, TopNetwork


def export(states: Mapping[str, dict[str, Any]], weights: Path) -> None:
    """Write the trained networks, "stack", "top" or both, for OpenVINO; a part that is not among them stays."""
    weights.mkdir(parents=True, exist_ok=True)
    if "stack" in states:
        strip = StripNetwork()
        strip.load_state_dict(states["stack"])
        sides, facts = torch.zeros(1, 10, STRIP_ROWS, STRIP_COLUMNS), torch.zeros(1, 5, STEPS)
        save_network(strip, (sides, facts), weights / "strip.xml")
    if "top" in states:
        top = TopNetwork()
        top.load_state_dict(states["top"])
        save_network(top, (torch.zeros(1, 3, TOP_PX, TOP_PX),), weights / "top.xml")
    seal(weights)


def seal(weights: Path) -> None:
    """Write the SHA-256 of every weight file, which the reader checks before it loads one."""
    files = sorted(
        path for path in weights.iterdir() if path.suffix in {".xml", ".bin"} or path.name == "calibration.json"
    )
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (weights / "sha256.json").write_text(json.dumps(sums, indent=1) + "\n")


def save_network(network: Any, example: tuple[Any, ...], path: Path) -> None:
    """Write a network for OpenVINO, for any number of pictures at once; weights in half precision."""
    import openvino  # noqa: PLC0415 - not needed where networks are only trained

    network.eval()
    shapes = [[-1, *tensor.shape[1:]] for tensor in example]
    with torch.no_grad():
        model = openvino.convert_model(network, example_input=example, input=shapes)
    openvino.save_model(model, str(path), compress_to_fp16=True)
