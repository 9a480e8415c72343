"""The two networks of the chip reader: one answers along the strip, one looks at the uppermost face."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from models.chip_decode import FIRST_COLOUR
from models.chip_geometry import COLOURS, SIDE_COLUMNS

ANSWERS = len(COLOURS) + 2
"""Gap or no chip, the colours, "other"."""


def conv(before: int, after: int, *, stride: tuple[int, int] = (1, 1)) -> Any:
    """Return a 3 × 3 convolution with normalisation."""
    return nn.Sequential(
        nn.Conv2d(before, after, kernel_size=3, stride=stride, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class StripNetwork(nn.Module):  # type: ignore[misc]
    """Both sides (n, 6, STRIP_ROWS, SIDE_COLUMNS), 0..255, and facts (n, 4, STEPS) to evidence (n, STEPS, …).

    A strip is a sequence of rows; what its columns show are the channels. The columns of the answer: see
    ``models.chip_decode``.
    """

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.look = nn.Sequential(
            nn.Conv1d(6 * SIDE_COLUMNS, width, kernel_size=6, stride=2, padding=2),
            nn.BatchNorm1d(width),
            nn.ReLU(inplace=True),
        )
        self.join = nn.Sequential(nn.Conv1d(width + 4, width, kernel_size=3, padding=1), nn.ReLU(inplace=True))
        self.wide = nn.Sequential(
            nn.Conv1d(width, width, kernel_size=3, padding=2, dilation=2), nn.BatchNorm1d(width), nn.ReLU(inplace=True)
        )
        self.answer = nn.Conv1d(2 * width, FIRST_COLOUR + ANSWERS - 1, kernel_size=3, padding=1)

    def forward(self, sides: Tensor, facts: Tensor) -> Tensor:
        """Return the evidence along the strip, bottom to top."""
        rows = (sides / 127.5 - 1).permute(0, 1, 3, 2).flatten(1, 2)
        close = self.join(torch.cat([self.look(rows), facts], dim=1))
        scores: Tensor = self.answer(torch.cat([close, self.wide(close)], dim=1))
        return scores.permute(0, 2, 1)


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
