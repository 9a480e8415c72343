"""Writes a trained detector as an OpenVINO model with its description."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import openvino
import torch
from openvino.preprocess import PrePostProcessor

from models.kinds import KINDS

THRESHOLDS: Final = {"card": 0.4, "card_back": 0.45, "die": 0.45, "chips": 0.4, "hand": 0.5, "dice_cup": 0.5}


class _Bare(torch.nn.Module):  # type: ignore[misc]  # torch is untyped here
    """The network without its decoding: distances (b, 4, n), scores (b, kinds, n), angles (b, 1, n)."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self._network = network

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        raw = self._network(image)[1]
        return raw["boxes"], raw["scores"].sigmoid(), raw["angle"]


class AsShipped(torch.nn.Module):  # type: ignore[misc]
    """The network as its file is asked: pictures (b, h, w, 3) of 8 bits."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network
        self._bare = _Bare(network)

    def forward(self, pictures: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return distances, scores and angles as the file gives them."""
        answers: tuple[torch.Tensor, torch.Tensor, torch.Tensor] = self._bare(
            pictures.permute(0, 3, 1, 2).float() / 255
        )
        return answers


def converted(network: Any) -> Any:
    """Return a network's OpenVINO model, which takes pictures (b, h, w, 3) of 8 bits."""
    bare = _Bare(network.float().eval())
    example = torch.zeros(1, 3, 320, 320)
    with torch.no_grad():
        traced = torch.jit.trace(bare, example, check_trace=False)
        model = openvino.convert_model(traced, example_input=example)
    model.reshape([1, 3, -1, -1])
    steps = PrePostProcessor(model)
    steps.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
    steps.input().preprocess().convert_element_type(openvino.Type.f32).scale(255.0)
    steps.input().model().set_layout(openvino.Layout("NCHW"))
    return steps.build()


def export(network: Any, folder: Path, *, pictures: int) -> None:
    """Write ``detector.xml``, ``detector.bin`` and ``detector.json`` for a network."""
    model = converted(network)
    folder.mkdir(parents=True, exist_ok=True)
    openvino.save_model(model, folder / "detector.xml", compress_to_fp16=True)
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("detector.xml", "detector.bin")}
    card = {"kinds": list(KINDS), "pictures": pictures, "thresholds": THRESHOLDS, "sha256": sums}
    (folder / "detector.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
