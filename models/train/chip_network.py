"""The two networks of the chip reader: one answers along the strip, one looks at the uppermost face."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

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


class _Along(nn.Module):  # type: ignore[misc]
    """Looks further along the strip."""

    def __init__(self, width: int, spread: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(width, width, kernel_size=3, padding=spread, dilation=spread, bias=False),
            nn.BatchNorm1d(width),
            nn.ReLU(inplace=True),
            nn.Conv1d(width, width, kernel_size=1),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


class StripNetwork(nn.Module):  # type: ignore[misc]
    """Strips (n, 3, STRIP_ROWS, STRIP_COLUMNS), 0..255, and facts (n, 4, STEPS) to scores (n, STEPS, ANSWERS)."""

    def __init__(self, width: int = 88) -> None:
        super().__init__()
        self.look = nn.Sequential(
            nn.AvgPool2d(kernel_size=(1, 2)),
            conv(3, 20, stride=(1, 2)),
            conv(20, 32, stride=(2, 1)),
            conv(32, 48, stride=(1, 2)),
        )
        self.join = nn.Sequential(nn.Conv1d(48 * 4 + 4, width, kernel_size=1), nn.ReLU(inplace=True))
        self.along = nn.Sequential(*(_Along(width, spread) for spread in (1, 2, 4, 8, 16, 1)))
        self.answer = nn.Conv1d(width, ANSWERS, kernel_size=1)

    def forward(self, strip: Tensor, facts: Tensor) -> Tensor:
        """Return the scores along the strip, bottom to top."""
        seen = self.look(strip / 127.5 - 1)
        flat = seen.permute(0, 1, 3, 2).flatten(1, 2)
        scores: Tensor = self.answer(self.along(self.join(torch.cat([flat, facts], dim=1))))
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
