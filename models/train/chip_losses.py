"""What the two networks of the chip reader are told they did wrong."""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from models.chip_decode import FEET, FIRST_COLOUR, FOOT, INSIDE, LINE, RIM, places
from models.chip_geometry import STEPS

_FOOT_OFF: Final = 2.0
_RIM_OFF: Final = 2.5
"""Steps by which a stack's ends may differ from the true ones to be the right stack."""
_MOST: Final = 30.0

Batch = dict[str, Tensor]


def stack_loss(evidence: Tensor, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return what to minimise for a batch of strips, and its parts for the log.

    Args:
        evidence: (n, STEPS, …), see ``models.chip_decode``.
        batch: ``labels`` (n, HIGHEST_STACK), ``ends`` (n, 2) in steps, ``calibrated`` (n,).
    """
    parts = []
    for known in (True, False):
        chosen = batch["calibrated"] == known
        if chosen.any():
            counts = (batch["labels"][chosen] > 0).sum(dim=1)
            parts.append(_place_loss(evidence[chosen], counts, batch["ends"][chosen], known=known))
    placed = torch.cat(parts).clamp(max=_MOST)
    coloured = _colour_loss(evidence, batch["labels"], batch["ends"])
    said = {"place": float(placed.detach().mean()), "colour": float(coloured.detach())}
    return placed.mean() + coloured, said


def _place_loss(evidence: Tensor, counts: Tensor, ends: Tensor, *, known: bool) -> Tensor:
    """Surprise (n,) at the true number of chips standing where they stand, among all stacks and none."""
    score = stack_scores(evidence, known=known)
    whole = torch.cat([score.flatten(1), torch.zeros_like(score[:, 0, 0, :1])], dim=1).logsumexp(dim=1)
    cells = score[torch.arange(len(counts)), :, :, counts]
    feet = torch.arange(FEET, device=score.device)[None, None, :]
    pitches = torch.from_numpy(places(calibrated=known).pitches).float().to(score.device)[None, :, None]
    rims = feet + pitches * 4 * counts[:, None, None]
    there = (feet - ends[:, :1, None]).abs() <= _FOOT_OFF
    there = there & ((rims - ends[:, 1:, None]).abs() <= _RIM_OFF)
    lost = ~there.flatten(1).any(dim=1)
    cells = cells.masked_fill(~(there | lost[:, None, None]), -1e4).flatten(1)
    return whole - torch.where(counts > 0, cells.logsumexp(dim=1), torch.zeros_like(whole))


def stack_scores(evidence: Tensor, *, known: bool) -> Tensor:
    """Return the scores (n, pitches, feet, HIGHEST_STACK + 1) of all stacks, as ``stack_chances`` has them."""
    where = places(calibrated=known)
    rims = torch.from_numpy(where.rims).to(evidence.device)
    inside = functional.pad(evidence[:, :, INSIDE].cumsum(dim=1), (1, 0))
    lines = functional.pad(_at(evidence[:, :, LINE], rims[..., 1:]).cumsum(dim=3), (2, 0))[..., :-1]
    feet = (evidence[:, :FEET, FOOT] - inside[:, :FEET])[:, None, :, None]
    ends = evidence[:, :, RIM] + inside[:, :-1]
    score = feet + _at(ends, rims) + lines
    score = score + torch.from_numpy(where.prior).float().to(evidence.device)
    return score.masked_fill(~torch.from_numpy(where.possible).to(evidence.device), -1e4)


def _at(values: Tensor, steps: Tensor) -> Tensor:
    """Values (n, STEPS) at steps of any shape."""
    return values.index_select(1, steps.flatten()).view(len(values), *steps.shape)


def _colour_loss(evidence: Tensor, labels: Tensor, ends: Tensor) -> Tensor:
    """How badly the colours are told at the middles of the chips and one step beside."""
    there = labels > 0
    counts = there.sum(dim=1).clamp(min=1)
    pitch = ((ends[:, 1] - ends[:, 0]) / counts)[:, None]
    middles = ends[:, :1] + (torch.arange(labels.shape[1], device=labels.device)[None] + 0.5) * pitch
    middles = middles.floor().long().clamp(1, STEPS - 2)
    scores = evidence[:, :, FIRST_COLOUR:]
    shape = (-1, -1, scores.shape[2])
    seen = sum(scores.gather(1, (middles + beside)[..., None].expand(*shape)) for beside in (-1, 0, 1)) / 3
    share = (1 / counts.float()).sqrt()[:, None].expand_as(there)[there]
    loss = functional.cross_entropy(seen[there], labels[there] - 1, reduction="none")
    return (loss * share).sum() / share.sum().clamp(min=1)


def top_loss(answer: Any, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return what to minimise for a batch of top views, and its parts for the log."""
    colour, flatness = answer
    labels = batch["labels"]
    last = ((labels > 0).sum(dim=1) - 1).clamp(min=0)
    named = functional.cross_entropy(colour, labels.gather(1, last[:, None])[:, 0])
    flat = (flatness - batch["flatness"]).abs().mean()
    return named + 2 * flat, {"top": float(named.detach()), "flat": float(flat.detach())}
