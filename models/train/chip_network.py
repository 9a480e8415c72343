"""The two networks of the chip reader: one answers along the strip, one looks at the uppermost face."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.chip_decode import FIRST_COLOUR
from models.chip_geometry import COLOURS

ANSWERS = len(COLOURS) + 2
"""Gap or no chip, the colours, "other"."""


def conv(before: int, after: int, *, stride: tuple[int, int] = (1, 1)) -> Any:
    """Return a 3 × 3 convolution with normalisation."""
    return nn.Sequential(
        nn.Conv2d(before, after, kernel_size=3, stride=stride, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class EvidenceNetwork(nn.Module):  # type: ignore[misc]
    """Measurements of shape and colour (n, STEPS, …) to evidence (n, STEPS, …), see ``models.chip_evidence``."""

    def __init__(self, shape: Tensor, colour: Tensor) -> None:
        super().__init__()
        self.shape = layers(shape, 64, 32, FIRST_COLOUR)
        self.colour = layers(colour, 96, 64, ANSWERS - 1)

    def forward(self, shape: Tensor, colour: Tensor) -> Tensor:
        """Return the evidence along the strip, bottom to top."""
        return torch.cat([self.shape(shape), self.colour(colour)], dim=2)

    def weights(self) -> dict[str, Any]:
        """Return the arrays that ``models.chip_evidence`` computes with."""
        arrays = {}
        for name, layers in (("shape", self.shape), ("colour", self.colour)):
            arrays[f"{name}.mean"], arrays[f"{name}.spread"] = layers[0].mean, layers[0].spread
            for place, layer in zip(("first", "second", "last"), (layers[1], layers[3], layers[5]), strict=True):
                arrays[f"{name}.{place}.weight"], arrays[f"{name}.{place}.bias"] = layer.weight, layer.bias
        return {key: value.detach().numpy().astype(np.float32) for key, value in arrays.items()}


class _Levelled(nn.Module):  # type: ignore[misc]
    """Brings measurements to mean 0 and spread 1, as they are in the values given."""

    def __init__(self, values: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", values.flatten(0, -2).mean(dim=0))
        self.register_buffer("spread", values.flatten(0, -2).std(dim=0) + 1e-3)

    def forward(self, values: Tensor) -> Tensor:
        return (values - self.mean) / self.spread


def layers(values: Tensor, first: int, second: int, answers: int) -> Any:
    """Return a network of two hidden layers for measurements like the values given (…, measurements)."""
    return nn.Sequential(
        _Levelled(values),
        nn.Linear(values.shape[-1], first),
        nn.ReLU(),
        nn.Linear(first, second),
        nn.ReLU(),
        nn.Linear(second, answers),
    )


class TopNetwork(nn.Module):  # type: ignore[misc]
    """Top views (n, 3, TOP_PX, TOP_PX), 0..255, to the colour's scores (n, ANSWERS) and the face's flatness (n,)."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 16, stride=(2, 2)),
            conv(16, 32, stride=(2, 2)),
            conv(32, 64, stride=(2, 2)),
            conv(64, 96),
        )
        self.colour = nn.Linear(96 * 2, ANSWERS)
        self.flatness = nn.Sequential(nn.Linear(96 * 9, 64), nn.ReLU(inplace=True), nn.Linear(64, 1))
        self.coarse = nn.AvgPool2d(kernel_size=2)

    def forward(self, top: Tensor) -> tuple[Tensor, Tensor]:
        """Return the colour's scores and the flatness."""
        seen = self.look(top / 127.5 - 1)
        pooled = torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], dim=1)
        flatness = torch.sigmoid(self.flatness(self.coarse(seen).flatten(1)))
        return self.colour(pooled), flatness[:, 0]


class Averaged:
    """A slow average of a module's weights: steadier than the last step."""

    def __init__(self, module: Any, keep: float = 0.998) -> None:
        self.keep = keep
        self.state = {key: value.detach().clone() for key, value in module.state_dict().items()}

    def follow(self, module: Any, step: int) -> None:
        """Move towards the module's weights; faster in the first steps."""
        keep = min(self.keep, (1 + step) / (10 + step))
        for key, value in module.state_dict().items():
            if value.dtype.is_floating_point:
                self.state[key].mul_(keep).add_(value.detach(), alpha=1 - keep)
            else:
                self.state[key].copy_(value)
