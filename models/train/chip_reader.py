"""Train the chip reader: ``python -m models.train.chip_reader``.

Draws its crops (kept in ``--folder``), trains both networks, calibrates them and writes the weights that
``models.chip_reader`` loads. Interrupted, the same command goes on from the last checkpoint. A GPU is used if there
is one, with more samples.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.chip_geometry import CHIPS_BELOW, HIGHEST_STACK, STEPS, STEPS_PER_CHIP
from models.train.chip_export import export
from models.train.chip_network import Averaged, StripNetwork, TopNetwork
from models.train.chip_shards import SHARD, Arrays, shard, shard_path

_BATCH: Final = 40
_WARM_UP: Final = 3000
_SHIFTS: Final = 8
_FINE_FIRST: Final = 2.0
"""Coarser chip edges are left out of the warm-up."""
_CHECKPOINT_STEPS: Final = 100


@dataclass(slots=True, kw_only=True)
class Training:
    """Everything that a checkpoint holds."""

    strip: StripNetwork
    top: TopNetwork
    strip_average: Averaged
    top_average: Averaged
    optimiser: Any
    half: bool = False
    step: int = 0

    @classmethod
    def fresh(cls, device: str, *, half: bool) -> Training:
        """Return networks that know nothing."""
        torch.manual_seed(7)
        strip = StripNetwork().to(device, memory_format=torch.channels_last)
        top = TopNetwork().to(device, memory_format=torch.channels_last)
        weights = [*strip.parameters(), *top.parameters()]
        optimiser = torch.optim.AdamW(weights, lr=1e-3, weight_decay=0.01)
        return cls(
            strip=strip,
            top=top,
            strip_average=Averaged(strip),
            top_average=Averaged(top),
            optimiser=optimiser,
            half=half,
        )

    def save(self, path: Path) -> None:
        """Write the checkpoint; an interruption leaves the one before."""
        parts = {
            "strip": self.strip.state_dict(),
            "top": self.top.state_dict(),
            "strip_average": self.strip_average.state,
            "top_average": self.top_average.state,
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }
        torch.save(parts, path.with_suffix(".part"))
        path.with_suffix(".part").rename(path)

    def load(self, path: Path, device: str) -> None:
        """Go on from a checkpoint."""
        parts = torch.load(path, map_location=device, weights_only=True)
        self.strip.load_state_dict(parts["strip"])
        self.top.load_state_dict(parts["top"])
        self.strip_average.state, self.top_average.state = parts["strip_average"], parts["top_average"]
        self.optimiser.load_state_dict(parts["optimiser"])
        self.step = parts["step"]


def batches(folder: Path, *, shards: int, start: int) -> Iterator[Arrays]:
    """Yield batches without end, beginning near batch ``start``, from pairs of shards.

    Every second pair brings a shard drawn for it, the highest that is missing, until there are ``shards``; so
    ``models.train.chip_shards`` can draw the lower ones at the same time.
    """
    pair = start * _BATCH // (2 * SHARD)
    while True:
        there = [index for index in range(shards) if shard_path(folder, name="train", index=index).exists()]
        missing = sorted(set(range(shards)) - set(there))
        rng = np.random.default_rng(pair)
        if missing and (pair % 2 == 0 or len(there) < 2):
            there = [*there, missing[-1]]
            chosen = [missing[-1], int(rng.choice(there))]
        else:
            chosen = [int(index) for index in rng.choice(there, 2, replace=False)]
        parts = [shard(folder, name="train", index=index) for index in chosen]
        both = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
        fine = pair * 2 * SHARD < _WARM_UP * _BATCH
        kept = rng.permutation(np.flatnonzero(both["px_per_edge"] >= (_FINE_FIRST if fine else 0.0)))
        for first in range(0, len(kept) - _BATCH + 1, _BATCH):
            yield {key: value[kept[first : first + _BATCH]] for key, value in both.items()}
        pair += 1


def losses(training: Training, batch: Arrays, device: str) -> tuple[Tensor, dict[str, float]]:
    """Return what to minimise for a batch, and its parts for the log."""
    strip, top = (_varied(batch[key], device) for key in ("strip", "top"))
    facts = torch.from_numpy(batch["facts"].astype(np.float32)).to(device)
    labels = torch.from_numpy(batch["labels"]).to(device)
    counts = (labels > 0).sum(dim=1)
    with torch.autocast(device_type=device, dtype=torch.bfloat16, enabled=training.half):
        scores = training.strip(strip, facts)
    scores = scores.float()
    chances = functional.log_softmax(scores, dim=2).permute(1, 0, 2)
    steps = torch.full((len(labels),), STEPS, dtype=torch.long)
    sequence = functional.ctc_loss(chances, labels, steps, counts.cpu(), reduction="none", zero_infinity=True)
    colour, flatness = training.top(top)
    uppermost = labels.gather(1, (counts - 1).clamp(min=0)[:, None])[:, 0]
    named = functional.cross_entropy(colour.float(), uppermost)
    flat = (flatness.float() - torch.from_numpy(batch["flatness"]).to(device)).abs().mean()
    total = sequence.mean() * 0.15 + named + 2 * flat
    if training.step < _WARM_UP:
        total = total + _upright(chances, labels, counts)
    return total, {"stack": float(sequence.detach().mean()), "top": float(named.detach()), "flat": float(flat.detach())}


def _upright(chances: Tensor, labels: Tensor, counts: Tensor) -> Tensor:
    """How badly stacks of even pitch explain the answers, their foot anywhere near the expected one.

    Stricter than the sequence loss, which lets chips stand anywhere: it gets the training going.
    """
    steps = torch.arange(HIGHEST_STACK, device=labels.device) * STEPS_PER_CHIP
    first = round((CHIPS_BELOW + 0.5) * STEPS_PER_CHIP)
    there = (labels > 0).float()
    rows = torch.arange(len(labels), device=labels.device)[:, None]
    told = []
    for shift in range(-_SHIFTS, _SHIFTS + 1):
        at = (steps + first + shift).clamp(0, STEPS - 1 - STEPS_PER_CHIP // 2)
        chip = chances[at[None], rows, labels]
        gap = chances[at[None] + STEPS_PER_CHIP // 2, rows, 0]
        told.append(((chip + gap) * there).sum(dim=1))
    return -(torch.logsumexp(torch.stack(told), dim=0) / counts.clamp(min=1)).mean()


def _varied(pictures: Any, device: str) -> Tensor:
    """Pictures as (n, 3, rows, columns), some mirrored, each a little brighter, darker or tinted."""
    seen = torch.from_numpy(pictures).to(device).permute(0, 3, 1, 2).float()
    mirrored = torch.rand(len(seen), device=device) < 0.5
    seen[mirrored] = seen[mirrored].flip(3)
    gain = torch.exp(torch.randn(len(seen), 1, 1, 1, device=device) * 0.06)
    tint = torch.exp(torch.randn(len(seen), 3, 1, 1, device=device) * 0.02)
    return (seen * gain * tint).clamp(0, 255)


def train(folder: Path, *, samples: int, shards: int, device: str, half: bool, minutes: float) -> Training:
    """Train, or go on, until ``samples`` crops have been seen or the minutes are over."""
    training, checkpoint = Training.fresh(device, half=half), folder / "chip_reader.ckpt"
    if checkpoint.exists():
        training.load(checkpoint, device)
    steps, began = samples // _BATCH, time.perf_counter()
    log: list[dict[str, float]] = []
    for batch in batches(folder, shards=shards, start=training.step):
        if training.step >= steps or time.perf_counter() - began > minutes * 60:
            break
        log.append(_learn(training, batch, device, steps))
        if training.step % _CHECKPOINT_STEPS == 0:
            training.save(checkpoint)
            means = {key: round(float(np.mean([one[key] for one in log])), 3) for key in log[0]}
            print(training.step, means, f"{time.perf_counter() - began:.0f} s", flush=True)
            log = []
    training.save(checkpoint)
    return training


def _learn(training: Training, batch: Arrays, device: str, steps: int) -> dict[str, float]:
    share = training.step / steps
    rate = 2.5e-3 * min(1.0, (training.step + 1) / 100) * (0.5 + 0.5 * float(np.cos(np.pi * min(share, 1.0)))) + 1e-5
    for group in training.optimiser.param_groups:
        group["lr"] = rate
    training.strip.train()
    training.top.train()
    total, parts = losses(training, batch, device)
    training.optimiser.zero_grad()
    total.backward()
    torch.nn.utils.clip_grad_norm_([*training.strip.parameters(), *training.top.parameters()], max_norm=5.0)
    training.optimiser.step()
    training.step += 1
    training.strip_average.follow(training.strip, training.step)
    training.top_average.follow(training.top, training.step)
    return parts


def main() -> None:
    """Train the chip reader and write its weights."""
    gpu = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "catwalk" / "chips")
    parser.add_argument("--samples", type=int, default=3_000_000 if gpu else 160_000)
    parser.add_argument("--shards", type=int, default=400 if gpu else 40)
    parser.add_argument("--minutes", type=float, default=600.0, help="stop, and export, after so long")
    parser.add_argument("--half", action="store_true", help="half precision: faster where the processor has bfloat16")
    parser.add_argument("--weights", type=Path, default=Path(__file__).parents[1] / "weights" / "chips")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    device = "cuda" if gpu else "cpu"
    limits = {"samples": options.samples, "shards": options.shards, "minutes": options.minutes}
    training = train(options.folder, device=device, half=options.half, **limits)
    export(training.strip_average.state, training.top_average.state, options.weights)


if __name__ == "__main__":
    main()
