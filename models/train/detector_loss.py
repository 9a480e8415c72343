"""What the detector is told it did wrong: a rectangle has four names, and not every picture says all that it shows."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


class NearestTurn(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """A loss of boxes, against that way to write the true rectangle whose angle is nearest to the answer.

    A rectangle turned by a quarter, its sides exchanged, is the same one; its distances to the four sides are not.
    """

    def __init__(self, plain: nn.Module) -> None:
        super().__init__()
        self._plain = plain

    def forward(self, distances: Tensor, boxes: Tensor, anchors: Tensor, wanted: Tensor, *rest: Any) -> Any:
        """Return what the plain loss does; boxes and those wanted are (b, n, 5), the angle in radians last."""
        return self._plain(distances, boxes, anchors, nearest_turn(wanted, boxes[..., 4:].detach()), *rest)


def nearest_turn(boxes: Tensor, angles: Tensor) -> Tensor:
    """Return boxes (…, 5) turned by quarters, their sides exchanged, to be as near to angles (…, 1) as can be."""
    quarters = torch.round((angles - boxes[..., 4:]) / (math.pi / 2))
    sides = torch.where(torch.remainder(quarters, 2) == 1, boxes[..., [3, 2]], boxes[..., 2:4])
    return torch.cat([boxes[..., :2], sides, boxes[..., 4:] + quarters * (math.pi / 2)], dim=-1)


class CountedKinds(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """The loss of scores (b, n, kinds), of those kinds only that count in a picture: some show chips without a label.

    ``counted`` (b, kinds), 0 or 1, is set before every batch.
    """

    counted: Tensor

    def forward(self, scores: Tensor, wanted: Tensor) -> Tensor:
        """Return the loss of every score."""
        loss = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
        return loss * self.counted[:, None]


def loss_of(network: Any, raw: Any, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    """Return what to minimise for a network's raw answers, and its parts.

    The batch has ``img`` (b, 3, side, side), ``cls`` (m, 1), ``bboxes`` (m, 5) as shares and radians, ``batch_idx``
    (m,) and ``counted`` (b, kinds). The parts do not grow with the batch; the loss is that of a batch of eight, whose
    gradients are clipped alike.
    """
    criterion = network.criterion
    if not isinstance(criterion.bbox_loss, NearestTurn):
        criterion.bbox_loss, criterion.bce = NearestTurn(criterion.bbox_loss), CountedKinds()
    criterion.bce.counted = batch["counted"]
    loss, parts = network.loss(batch, _in_full(raw))
    return loss.sum() * (8 / len(batch["img"])), parts


def _in_full(raw: Any) -> Any:
    """Return nested outputs in 32 bits: the loss is not computed in half precision."""
    if isinstance(raw, dict):
        return {key: _in_full(value) for key, value in raw.items()}
    return [value.float() for value in raw] if isinstance(raw, list) else raw.float()
