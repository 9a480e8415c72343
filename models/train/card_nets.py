"""The three small networks for cards, and what they are trained to minimise."""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import nn

from audit.cards import RANKS, SUITS
from models.card_views import REFINE_BOX
from models.train.card_crops import IGNORED

READER_OUTPUTS: Final = len(RANKS) + 1 + len(SUITS)  # ranks, no readable card, suits
REFINE_OUTPUTS: Final = 8 + 3  # offsets of the corners, log of their spread, lies across, is a face
_LEAST_SPREAD: Final = 0.004
_FEATURES: Final = 128
_WIDEST: Final = 144


def _step(before: int, after: int, stride: int) -> tuple[nn.Module, ...]:
    return nn.Conv2d(before, after, 3, stride, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)


def _evened(pictures: Any) -> Any:
    """Return pictures (n, h, w, 3) BGR 0 … 255 as (n, 3, h, w) of even brightness and contrast."""
    shades = pictures.float()
    middle = shades.mean(dim=(1, 2, 3), keepdim=True)
    spread = ((shades - middle) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
    even = (shades - middle) * (1 / (spread + 10.0))
    return even.permute(0, 3, 1, 2).contiguous()


class CardNet(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """A convolutional network over one view with a flat head (where things are) and a pooled head (that they are).

    Takes pictures as they come, (n, h, w, 3) BGR 0 … 255, and evens out their brightness and contrast itself.
    """

    def __init__(self, size_wh: tuple[int, int], outputs: int, hidden: int = 160) -> None:
        super().__init__()
        self.body = nn.Sequential(*_step(3, 16, 2), *_step(16, 32, 2), *_step(32, 64, 2 if size_wh[1] > 80 else 1),
                                  *_step(64, 96, 1 if size_wh[1] > 80 else 2), *_step(96, _FEATURES, 2))  # fmt: skip
        cells = 1
        for side in size_wh:
            for _ in range(4):
                side = (side + 1) // 2  # noqa: PLW2901  # each stride halves
            cells *= side
        self.flat = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(cells * _FEATURES, hidden), nn.ReLU(inplace=True), nn.Dropout(0.1),
            nn.Linear(hidden, outputs),
        )  # fmt: skip
        self.pooled = nn.Linear(2 * _FEATURES, outputs)

    def forward(self, pictures: Any) -> Any:
        """Return (n, outputs)."""
        features = self.body(_evened(pictures))
        pooled = torch.cat([features.mean(dim=(2, 3)), features.amax(dim=(2, 3))], dim=1)
        return self.flat(features) + self.pooled(pooled)


def reader_loss(output: Any, batch: dict[str, Any]) -> Any:
    """Return the cross entropy of rank and suit where they are decided."""
    ranks, suits = output[:, : len(RANKS) + 1], output[:, len(RANKS) + 1 :]
    rank_loss = nn.functional.cross_entropy(ranks, batch["rank"], ignore_index=IGNORED)
    if bool((batch["suit"] != IGNORED).any()):
        rank_loss = rank_loss + nn.functional.cross_entropy(suits, batch["suit"], ignore_index=IGNORED)
    return rank_loss


def refine_loss(output: Any, batch: dict[str, Any]) -> Any:
    """Return the Laplace likelihood of the corner offsets with a spread of their own, plus two yes-no questions."""
    offsets, log_spread, across, face = output[:, :8], output[:, 8], output[:, 9], output[:, 10]
    error = (offsets - corner_offsets(batch["target"])).abs()
    face_true = batch["face"].float()
    log_spread = log_spread.clamp(-6, 1)
    likelihood = (error / (log_spread.exp()[:, None] + _LEAST_SPREAD)).mean(dim=1) + log_spread
    plain = error.mean(dim=1) * 8
    corners = ((likelihood + plain) * face_true).sum() / face_true.sum().clamp(min=1)
    yes_no = nn.functional.binary_cross_entropy_with_logits
    sideways = (yes_no(across, batch["sideways"].float(), reduction="none") * face_true).mean()
    return corners + 0.5 * sideways + 0.5 * yes_no(face, face_true)


def corner_offsets(target: Any) -> Any:
    """Return the corners as shares of the nominal box's height, measured from the nominal corners."""
    left, top, right, bottom = REFINE_BOX
    nominal = torch.tensor([left, top, right, top, right, bottom, left, bottom], device=target.device)
    return (target - nominal) / (bottom - top)


class ReaderNet(nn.Module):  # type: ignore[misc]
    """A larger network for the readers, with the answers and the inputs of ``CardNet``.

    It looks at finer pictures inside, and what a step finds is added to what was known.
    """

    def __init__(self, size_wh: tuple[int, int], outputs: int = READER_OUTPUTS, hidden: int = 192) -> None:
        super().__init__()
        fine = size_wh[1] <= 80
        self.body = nn.Sequential(
            *_step(3, 24, 2),
            *_step(24, 48, 1 if fine else 2),
            *((nn.MaxPool2d(2, ceil_mode=True),) if fine else ()),
            _Added(48),
            *_step(48, 96, 2),
            *(_Added(96) for _ in range(1 if fine else 2)),
            *_step(96, _WIDEST, 2),
        )
        cells = 1
        for side in size_wh:
            for _ in range(4):
                side = (side + 1) // 2  # noqa: PLW2901  # each stride halves
            cells *= side
        self.flat = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(cells * _WIDEST, hidden), nn.ReLU(inplace=True), nn.Dropout(0.1),
            nn.Linear(hidden, outputs),
        )  # fmt: skip
        self.pooled = nn.Linear(2 * _WIDEST, outputs)

    def forward(self, pictures: Any) -> Any:
        """Return (n, outputs)."""
        features = self.body(_evened(pictures))
        pooled = torch.cat([features.mean(dim=(2, 3)), features.amax(dim=(2, 3))], dim=1)
        return self.flat(features) + self.pooled(pooled)


class _Added(nn.Module):  # type: ignore[misc]
    """Two convolutions whose answer is added to what they saw."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.first = nn.Sequential(*_step(wide, wide, 1))
        self.second = nn.Sequential(nn.Conv2d(wide, wide, 3, padding=1, bias=False), nn.BatchNorm2d(wide))
        nn.init.zeros_(self.second[1].weight)

    def forward(self, seen: Any) -> Any:
        return torch.relu(seen + self.second(self.first(seen)))


def weighted_reader_loss(output: Any, rank: Any, suit: Any, *, weight: Any, suit_weight: Any, hidden: float) -> Any:
    """Return the mean cross entropy of rank and suit, each row (n,) with its weights.

    Rows without a readable card count ``hidden`` times as much, those undecided (``IGNORED``) not at all.
    """
    told = nn.functional.cross_entropy
    share = torch.where(rank == len(RANKS), hidden, 1.0) * (rank != IGNORED) * weight
    ranks = told(output[:, : len(RANKS) + 1], rank.clamp(min=0), reduction="none")
    suits = told(output[:, len(RANKS) + 1 :], suit.clamp(min=0), reduction="none")
    suit_share = (suit != IGNORED) * suit_weight
    return (ranks * share).sum() / share.sum().clamp(min=1) + (suits * suit_share).sum() / share.sum().clamp(min=1)
