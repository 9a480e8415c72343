"""The network that looks at one die."""

from __future__ import annotations

from torch import Tensor, nn

from models.dice_reader import DICE_COLOURS
from models.train.chip_network import Around, conv


class DieNetwork(nn.Module):  # type: ignore[misc]
    """Views (n, 3, DIE_PX, DIE_PX), 0..255, to scores of none and the faces (n, 7) and of the colours (n, 6)."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 24),
            conv(24, 32, stride=(2, 2)),
            Around(32),
            conv(32, 64, stride=(2, 2)),
            Around(64),
            conv(64, 96, stride=(2, 2)),
            Around(96),
        )
        self.value = nn.Sequential(nn.Linear(96 * 25, 96), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(96, 7))
        self.colour = nn.Linear(96, len(DICE_COLOURS))

    def forward(self, view: Tensor) -> tuple[Tensor, Tensor]:
        """Return both scores."""
        seen = self.look(view / 127.5 - 1)
        return self.value(seen.flatten(1)), self.colour(seen.mean(dim=(2, 3)))
