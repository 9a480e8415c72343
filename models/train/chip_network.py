"""The two networks of the chip reader: one answers along the strip, one looks at the uppermost face."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from models.chip_geometry import COLOURS, STRIP_COLUMNS
from models.chip_places import FIRST_COLOUR

ANSWERS = len(COLOURS) + 2
"""Gap or no chip, the colours, "other"."""


def conv(before: int, after: int, *, stride: tuple[int, int] = (1, 1), kernel: tuple[int, int] = (3, 3)) -> Any:
    """Return a convolution with normalisation."""
    padding = (kernel[0] // 2, kernel[1] // 2)
    return nn.Sequential(
        nn.Conv2d(before, after, kernel_size=kernel, stride=stride, padding=padding, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


def conv_along(wide: int, reach: int) -> Any:
    """Return a convolution along the strip that sees ``reach`` steps up and down, with normalisation."""
    return nn.Sequential(
        nn.Conv1d(wide, wide, kernel_size=3, padding=reach, dilation=reach, bias=False),
        nn.BatchNorm1d(wide),
        nn.ReLU(inplace=True),
    )


class StripNetwork(nn.Module):  # type: ignore[misc]
    """Near and far side of strips (n, 10, STRIP_ROWS, STRIP_COLUMNS), 0..255, to evidence (n, STEPS, …).

    Sides see ``both_sides``; facts (n, 5, STEPS), see ``side_facts``; columns of the evidence see
    ``models.chip_places``.
    """

    def __init__(self, wide: int = 160) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(10, 32, stride=(2, 1), kernel=(5, 3)),
            conv(32, 48, stride=(1, 2)),
            Around(48),
            conv(48, 64, stride=(1, 2)),
            Around(64),
            Around(64),
        ).to(memory_format=torch.channels_last)
        self.join = nn.Conv1d(64 * STRIP_COLUMNS // 4 + 5, wide, kernel_size=1)
        self.near = nn.ModuleList(_Along(wide, reach) for reach in (1, 2, 4))
        self.everywhere = nn.Linear(wide, wide)
        self.far = nn.ModuleList(_Along(wide, reach) for reach in (8, 16, 1))
        self.again = nn.ModuleList(_Beside(wide, reach) for reach in (1, 2, 4))
        self.answer = nn.Sequential(nn.Conv1d(wide, 64, kernel_size=1), nn.ReLU(inplace=True))
        self.shape = nn.Conv1d(64, FIRST_COLOUR, kernel_size=1)
        self.colour = nn.Conv1d(64, ANSWERS - 1, kernel_size=1)

    def forward(self, sides: Tensor, facts: Tensor) -> Tensor:
        """Return the evidence along the strip, bottom to top."""
        seen = self.look(sides / 127.5 - 1)
        level = self.join(torch.cat([seen.permute(0, 1, 3, 2).flatten(1, 2), facts], dim=1))
        for block in self.near:
            level = block(level)
        level = level + self.everywhere(level.mean(dim=2))[:, :, None]
        for block in (*self.far, *self.again):
            level = block(level)
        said = self.answer(level)
        return torch.cat([self.shape(said), self.colour(said)], dim=1).transpose(1, 2)


class _Along(nn.Module):  # type: ignore[misc]
    """A step of the strip network: every row learns from those ``reach`` above and below it."""

    def __init__(self, wide: int, reach: int) -> None:
        super().__init__()
        self.change = conv_along(wide, reach)

    def forward(self, level: Tensor) -> Tensor:
        return level + self.change(level)


class Around(nn.Module):  # type: ignore[misc]
    """A step of the look at the strip: every place learns from those around it, nothing at first."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.seen = conv(wide, wide)
        self.change = _silent(nn.Conv2d(wide, wide, kernel_size=3, padding=1))

    def forward(self, level: Tensor) -> Tensor:
        """Return the level and what is learnt around each place."""
        return level + self.change(self.seen(level))


class _Beside(nn.Module):  # type: ignore[misc]
    """Another step along the strip, which may also take away, and changes nothing at first."""

    def __init__(self, wide: int, reach: int) -> None:
        super().__init__()
        self.seen = conv_along(wide, reach)
        self.change = _silent(nn.Conv1d(wide, wide, kernel_size=1))

    def forward(self, level: Tensor) -> Tensor:
        return level + self.change(self.seen(level))


def _silent(layer: Any) -> Any:
    """A layer that answers zero until it has learnt."""
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


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
