"""What the two networks of the chip reader are told they did wrong."""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from models.cheque_size import HIGHEST_STACK
from models.chip_geometry import STEPS, STEPS_PER_CHIP
from models.chip_places import (
    FEET,
    FIRST_COLOUR,
    FOOT,
    HEIGHTS,
    INSIDE,
    LINE,
    RIM,
    foot_expected,
    height_expected,
    rigid_steps,
)

_FOOT_OFF: Final = 2.0
_RIM_OFF: Final = 2.5
_LINE_OFF: Final = 1.75
"""Steps by which a stack's ends, or a chip's rim, may differ from the true ones to be the right stack."""
_MOST: Final = 30.0
_NEVER: Final = -1e4
_LOST: Final = -1e3

Batch = dict[str, Tensor]


def stack_loss(evidence: Tensor, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return what to minimise for a batch of strips, and its parts for the log.

    Args:
        evidence: (n, STEPS, …), see ``models.chip_places``.
        batch: ``labels`` (n, HIGHEST_STACK), ``lines`` (n, HIGHEST_STACK + 1) in steps, ``calibrated`` (n,).
    """
    parts = []
    for known in (True, False):
        chosen = batch["calibrated"] == known
        if chosen.any():
            counts = (batch["labels"][chosen] > 0).sum(dim=1)
            surprise = _loose_loss if known else _rigid_loss
            parts.append(surprise(evidence[chosen], counts, batch["lines"][chosen]))
    placed = torch.cat(parts).clamp(max=_MOST)
    coloured = _colour_loss(evidence, batch["labels"], batch["lines"])
    said = {"place": float(placed.detach().mean()), "colour": float(coloured.detach())}
    return placed.mean() + coloured, said


def _loose_loss(evidence: Tensor, counts: Tensor, lines: Tensor) -> Tensor:
    """Surprise (n,) at the true chips lying where they lie, each at a place of its own."""
    steps = torch.arange(STEPS, device=evidence.device)[None, None]
    near = (steps - lines.clamp(0, STEPS - 1)[..., None]).abs() <= _LINE_OFF
    both = torch.cat([torch.ones_like(near), near])  # anywhere, and where the chips lie, in one go
    every, placed = loose_scores(torch.cat([evidence, evidence]), both).chunk(2)
    whole = torch.cat([every, torch.zeros_like(every[:, :1])], dim=1).logsumexp(dim=1)
    some = torch.arange(len(counts), device=evidence.device)
    index = (counts - 1).clamp(min=0)
    true = placed[some, index]
    true = torch.where(true < _LOST, every[some, index], true)
    return whole - torch.where(counts > 0, true, torch.zeros_like(true))


def loose_scores(evidence: Tensor, near: Tensor | None = None) -> Tensor:
    """Return the scores (n, HIGHEST_STACK) of 1, 2, … chips, each of them as high as it seems.

    Args:
        evidence: (n, STEPS, …).
        near: (n, HIGHEST_STACK + 1, STEPS), where the rims may be; None: anywhere.
    """
    expected = torch.from_numpy(height_expected()).float().to(evidence.device)
    inside = functional.pad(evidence[:, :, INSIDE].cumsum(dim=1), (1, 0))[:, :-1]
    feet = torch.from_numpy(foot_expected()).float().to(evidence.device)
    way = functional.pad(evidence[:, :FEET, FOOT] + feet - inside[:, :FEET], (0, STEPS - FEET), value=_NEVER)
    ends = evidence[:, :, RIM] + inside
    scores = []
    for number in range(1, HIGHEST_STACK + 1):
        if near is not None:
            way = way.masked_fill(~near[:, number - 1], _NEVER)
        below = functional.pad(way, (HEIGHTS, 0), value=_NEVER).unfold(1, HEIGHTS, 1)[:, :STEPS]  # s - HEIGHTS … s - 1
        way = (below + expected).logsumexp(dim=2).clamp(min=_NEVER)
        last = ends + way if near is None else (ends + way).masked_fill(~near[:, number], _NEVER)
        scores.append(last.logsumexp(dim=1))
        way = way + evidence[:, :, LINE]
    return torch.stack(scores, dim=1)


def _rigid_loss(evidence: Tensor, counts: Tensor, lines: Tensor) -> Tensor:
    """Surprise (n,) at the true number of chips standing where they stand, all equally high, or at none."""
    score = stack_scores(evidence)
    whole = torch.cat([score.flatten(1), torch.zeros_like(score[:, 0, 0, :1])], dim=1).logsumexp(dim=1)
    cells = score[torch.arange(len(counts)), :, :, counts]
    feet = torch.arange(FEET, device=score.device)[None, None, :]
    pitches = torch.from_numpy(rigid_steps().pitches).float().to(score.device)[None, :, None]
    rims = feet + pitches * STEPS_PER_CHIP * counts[:, None, None]
    rim = lines.gather(1, counts[:, None])
    there = (feet - lines[:, :1, None]).abs() <= _FOOT_OFF
    there = there & ((rims - rim[..., None]).abs() <= _RIM_OFF)
    lost = ~there.flatten(1).any(dim=1)
    cells = cells.masked_fill(~(there | lost[:, None, None]), _NEVER).flatten(1)
    return whole - torch.where(counts > 0, cells.logsumexp(dim=1), torch.zeros_like(whole))


def stack_scores(evidence: Tensor) -> Tensor:
    """Return the scores (n, pitches, feet, HIGHEST_STACK + 1) of all stacks, of equally high chips."""
    where = rigid_steps()
    rims = torch.from_numpy(where.rims).to(evidence.device)
    inside = functional.pad(evidence[:, :, INSIDE].cumsum(dim=1), (1, 0))
    lines = functional.pad(_at(evidence[:, :, LINE], rims[..., 1:]).cumsum(dim=3), (2, 0))[..., :-1]
    feet = (evidence[:, :FEET, FOOT] - inside[:, :FEET])[:, None, :, None]
    ends = evidence[:, :, RIM] + inside[:, :-1]
    score = feet + _at(ends, rims) + lines
    score = score + torch.from_numpy(where.prior).float().to(evidence.device)
    return score.masked_fill(~torch.from_numpy(where.possible).to(evidence.device), _NEVER)


def _at(values: Tensor, steps: Tensor) -> Tensor:
    """Values (n, STEPS) at steps of any shape."""
    return values.index_select(1, steps.flatten()).view(len(values), *steps.shape)


def _colour_loss(evidence: Tensor, labels: Tensor, lines: Tensor) -> Tensor:
    """How badly the colours are told at the middles of the chips and one step beside."""
    there = labels > 0
    counts = there.sum(dim=1).clamp(min=1)
    upper = torch.minimum(lines[:, :-1] + STEPS_PER_CHIP, torch.maximum(lines[:, 1:], lines[:, :-1] + 1))
    middles = ((lines[:, :-1] + upper) / 2).floor().long().clamp(1, STEPS - 2)
    scores = evidence[:, :, FIRST_COLOUR:]
    shape = (-1, -1, scores.shape[2])
    seen = sum(scores.gather(1, (middles + beside)[..., None].expand(*shape)) for beside in (-1, 0, 1)) / 3
    share = (1 / counts.float()).sqrt()[:, None].expand_as(there)[there]
    loss = functional.cross_entropy(seen[there], labels[there] - 1, reduction="none")
    return (loss * share).sum() / share.sum().clamp(min=1)


def top_loss(answer: Any, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return what to minimise for a batch of top views, and its parts for the log."""
    colour, flatness = answer
    named = functional.cross_entropy(colour, uppermost(batch["labels"]))
    flat = (flatness - batch["flatness"]).abs().mean()
    return named + 2 * flat, {"top": float(named.detach()), "flat": float(flat.detach())}


def uppermost(labels: Tensor) -> Tensor:
    """Return the number of the uppermost chip's colour (n,), 0 where there is no chip; labels (n, HIGHEST_STACK)."""
    last = ((labels > 0).sum(dim=1) - 1).clamp(min=0)
    return labels.gather(1, last[:, None])[:, 0]
