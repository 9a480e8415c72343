"""Train the chip reader: ``python -m models.train.chip_reader``.

Draws its crops (kept in ``--folder``), adds those of other sets that are there (``models.train.chip_shards --name
cast_train``, ``--name traced_train``), trains both networks and writes the weights that ``models.chip_reader`` loads.
Interrupted, the same command goes on from the last checkpoint. A GPU is used if there is one, with more samples.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import Tensor

from models.train.chip_crops import sides
from models.train.chip_export import export
from models.train.chip_losses import stack_loss, top_loss
from models.train.chip_network import Averaged, StripNetwork, TopNetwork
from models.train.chip_shards import SHARD, Arrays, shard, shard_path
from models.train.loop import half_precision
from models.train.shipped import take_over

_BATCH: Final = 80
_OTHERS: Final = ("cast_train", "traced_train")
_KEPT_SHARDS: Final = 100
_MOST_SHARDS: Final = 10_000
_RATE: Final = 2e-3
_RATE_FURTHER: Final = 1e-3  # of a network that begins with shipped weights
_EXAMPLES: Final = 6  # batches from which its normalisations learn what they get
_FILES: Final = {"stack": "strip.xml", "top": "top.xml"}
_INPUTS: Final = {"stack": ("sides", "facts"), "top": ("top",)}
_WARM_UP: Final = 1000
_FINE_FIRST: Final = 2.0
"""Coarser chip edges are left out of the warm-up."""
_CHECKPOINT_STEPS: Final = 25

Examples = Sequence[tuple[Any, ...]]


@dataclass(slots=True, kw_only=True)
class Training:
    """A network in training: everything that a checkpoint holds."""

    part: str
    network: Any
    average: Averaged
    optimiser: Any
    rate: float = _RATE
    step: int = 0
    seconds: float = 0.0

    @classmethod
    def fresh(cls, part: str, device: str, *, rate: float = _RATE) -> Training:
        """Return a network that knows nothing; ``part`` is "stack" or "top"."""
        torch.manual_seed(7)
        return cls._of(part, TopNetwork() if part == "top" else StripNetwork(), device, rate)

    @classmethod
    def further(
        cls, part: str, weights: Path, examples: Examples, device: str, *, rate: float = _RATE_FURTHER
    ) -> Training:
        """Return a network as it is shipped; ``examples``, batches of its inputs, set its normalisations."""
        network = TopNetwork() if part == "top" else StripNetwork()
        take_over(network, weights / _FILES[part], examples)
        return cls._of(part, network, device, rate)

    @classmethod
    def _of(cls, part: str, network: Any, device: str, rate: float) -> Training:
        network = network.to(device)
        optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
        return cls(part=part, network=network, average=Averaged(network), optimiser=optimiser, rate=rate)

    def learn(self, loss: Tensor, rate: float) -> None:
        """Go one step downhill."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), max_norm=3.0)
        self.optimiser.step()
        self.step += 1
        self.average.follow(self.network, self.step)

    def save(self, path: Path) -> None:
        """Write the checkpoint; an interruption leaves the one before."""
        parts = {
            "network": self.network.state_dict(),
            "average": self.average.state,
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "rate": self.rate,
            "seconds": self.seconds,
        }
        torch.save(parts, path.with_suffix(".part"))
        path.with_suffix(".part").rename(path)

    def load(self, path: Path, device: str) -> None:
        """Go on from a checkpoint."""
        parts = torch.load(path, map_location=device, weights_only=True)
        self.network.load_state_dict(parts["network"])
        self.average.state = parts["average"]
        self.optimiser.load_state_dict(parts["optimiser"])
        self.step, self.rate = parts["step"], parts.get("rate", _RATE)
        self.seconds = parts.get("seconds", 0.0)


def batches(folder: Path, part: str, *, shards: int, start: int, draw: bool = True) -> Iterator[Arrays]:
    """Yield batches without end, beginning near batch ``start``, from pairs of shards.

    Where there are shards of other sets three in four are of those. Every second pair brings a shard drawn for it, the
    highest that is missing, until there are ``shards``; without ``draw`` another process (``models.train.chip_shards``)
    is expected to draw them.
    """
    pair = start * _BATCH // (2 * SHARD)
    while True:
        there = [index for index in range(shards) if shard_path(folder, name="train", index=index).exists()]
        missing = sorted(set(range(shards)) - set(there))
        rng = np.random.default_rng(pair)
        if missing and (len(there) < 2 or (draw and pair % 2 == 0)):
            there = [*there, missing[-1]]
            chosen = [("train", missing[-1]), ("train", int(rng.choice(there)))]
        else:
            chosen = [("train", int(index)) for index in rng.choice(there, 2, replace=False)]
        others = [
            (name, index)
            for name in _OTHERS
            for index in range(shards)
            if shard_path(folder, name=name, index=index).exists()
        ]
        if others:
            chosen[1] = others[int(rng.integers(len(others)))]
            chosen[0] = others[int(rng.integers(len(others)))] if pair % 2 else chosen[0]
        parts = [_prepared(folder, part, *one) for one in chosen]
        both = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
        fine = pair * 2 * SHARD < _WARM_UP * _BATCH
        kept = rng.permutation(np.flatnonzero(both["px_per_edge"] >= (_FINE_FIRST if fine else 0.0)))
        for first in range(0, len(kept) - _BATCH + 1, _BATCH):
            yield {key: value[kept[first : first + _BATCH]] for key, value in both.items()}
        pair += 1


@lru_cache(maxsize=_KEPT_SHARDS)
def _prepared(folder: Path, part: str, name: str, index: int) -> Arrays:
    """A shard as the network of a part gets it."""
    drawn = shard(folder, name=name, index=index)
    kept = {key: drawn[key] for key in ("labels", "lines", "flatness", "px_per_edge", "calibrated")}
    if part == "top":
        return kept | {"top": np.ascontiguousarray(drawn["top"].transpose(0, 3, 1, 2))}
    return kept | {"sides": sides(drawn), "facts": drawn["facts"]}


def _examples(folder: Path, part: str) -> Examples:
    """Inputs of a part from a shard that is there, drawn if there is none."""
    there = (index for index in range(_MOST_SHARDS) if shard_path(folder, name="train", index=index).exists())
    crops = _prepared(folder, part, "train", next(there, 0))
    seen = (torch.from_numpy(crops[key]).float().split(_BATCH) for key in _INPUTS[part])
    return list(zip(*seen, strict=True))[:_EXAMPLES]


def _varied(pictures: Any, device: str) -> Tensor:
    """Pictures (n, 3 or 10, rows, columns), some mirrored, each a little brighter, darker or tinted; not the codes."""
    seen = torch.from_numpy(pictures).to(device).float()
    mirrored = torch.rand(len(seen), device=device) < 0.5
    seen[mirrored] = seen[mirrored].flip(3)
    gain = torch.exp(torch.randn(len(seen), 1, 1, 1, device=device) * 0.06)
    tint = gain * torch.exp(torch.randn(len(seen), 3, 1, 1, device=device) * 0.02)
    plain = torch.ones_like(tint[:, :2])
    scale = tint if seen.shape[1] == tint.shape[1] else torch.cat([tint, plain, tint, plain], dim=1)
    return (seen * scale).clamp(0, 255).contiguous(memory_format=torch.channels_last)


def train(
    part: str,
    folder: Path,
    *,
    samples: int,
    shards: int,
    device: str,
    minutes: float,
    draw: bool = True,
    shipped: Path | None = None,
) -> Training:
    """Train a part, or go on, until ``samples`` crops have been seen or the minutes are over.

    With ``shipped`` the network begins with the weights of that folder.
    """
    checkpoint = folder / f"chip_{part}.ckpt"
    if shipped is not None and not checkpoint.exists():
        training = Training.further(part, shipped, _examples(folder, part), device)
    else:
        training = Training.fresh(part, device)
    if checkpoint.exists():
        training.load(checkpoint, device)
    steps, began = samples // _BATCH, time.perf_counter()
    log: list[dict[str, float]] = []
    for batch in batches(folder, part, shards=shards, start=training.step, draw=draw):
        if training.step >= steps or time.perf_counter() - began > minutes * 60:
            break
        log.append(_learn(training, batch, device, steps))
        if training.step % _CHECKPOINT_STEPS == 0:
            training.save(checkpoint)
            means = {key: round(float(np.mean([one[key] for one in log])), 3) for key in log[0]}
            print(part, training.step, means, f"{time.perf_counter() - began:.0f} s", flush=True)
            log = []
    training.save(checkpoint)
    return training


def _learn(training: Training, batch: Arrays, device: str, steps: int) -> dict[str, float]:
    share = min(1.0, training.step / steps)
    rate = training.rate * min(1.0, (training.step + 1) / 50) * (0.5 + 0.5 * float(np.cos(np.pi * share))) + 1e-5
    training.network.train()
    told = {key: torch.from_numpy(batch[key]).to(device) for key in ("labels", "lines", "calibrated", "flatness")}
    with half_precision(device):
        if training.part == "stack":
            facts = torch.from_numpy(batch["facts"]).to(device).float()
            answer = training.network(_varied(batch["sides"], device), facts).float()
        else:
            answer = tuple(part.float() for part in training.network(_varied(batch["top"], device)))
    total, parts = (stack_loss if training.part == "stack" else top_loss)(answer, told)
    training.learn(total, rate)
    return parts


def main() -> None:
    """Train the chip reader and write its weights."""
    gpu = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "catwalk" / "chips")
    parser.add_argument("--part", choices=("stack", "top"), action="append", help="this part only")
    parser.add_argument("--samples", type=int, default=3_000_000 if gpu else 600_000, help="for the stack; top: half")
    parser.add_argument("--shards", type=int, default=400 if gpu else 70)
    parser.add_argument("--further", action="store_true", help="begin with the weights as shipped")
    parser.add_argument("--drawn-elsewhere", action="store_true", help="use the shards that another process draws")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop, and export, after so long for each part")
    parser.add_argument("--weights", type=Path, default=Path(__file__).parents[1] / "weights" / "chips")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    device = "cuda" if gpu else "cpu"
    limits = {"shards": options.shards, "minutes": options.minutes, "device": device}
    limits |= {"draw": not options.drawn_elsewhere, "shipped": options.weights if options.further else None}
    samples = {"stack": options.samples, "top": options.samples // 2}
    trained = {part: train(part, options.folder, samples=samples[part], **limits) for part in options.part or samples}
    export({part: training.average.state for part, training in trained.items()}, options.weights)


if __name__ == "__main__":
    main()
