"""The training loop of the small networks: one core or a GPU, resumable, fed from shards that may still be written."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

Batch = dict[str, Any]
Loss = Callable[[Any, Batch], Any]
Crops = dict[str, NDArray[np.generic]]
Shard = Mapping[str, NDArray[np.generic]]
Prepare = Callable[[Shard, float], Crops]

_CHECKPOINT_EVERY: Final = 16  # shards
_WAIT_S: Final = 5.0
_BLURRED, _COARSE = 0.15, 0.2  # of the batches
_PALE: Final = 0.12  # of the pictures have hardly any colour
_WARM_UP: Final = 0.04
_AVERAGED: Final = 0.999  # of the running mean of weights, which is what is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one network is trained; ``samples`` counts repetitions."""

    name: str
    shards: Path
    samples: int
    batch: int = 64
    learning_rate: float = 2.5e-3
    shift: float = 0.0
    seed: int = 1


def device() -> Any:
    """Return the GPU where there is one, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def half_precision(kind: str) -> Any:
    """Return a context in which a device's kind ("cpu", "cuda") computes in bfloat16, if that is quicker there.

    A processor without such instructions takes ten times as long for it.
    """
    quick = kind != "cpu" or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # noqa: SLF001 - no public name
    return torch.autocast(kind, dtype=torch.bfloat16, enabled=quick)


def warm_then_falling(rate: float, *, step: int, share: float, warm_steps: int, last: float) -> float:
    """Return the learning rate: it rises over the first steps, then falls along a cosine as the work gets done."""
    warm = min(1.0, (step + 1) / warm_steps)
    return rate * warm * (0.5 + 0.5 * math.cos(math.pi * min(1.0, share))) + last


def train(plan: Plan, network: Any, loss: Loss, *, prepare: Prepare, checkpoint: Path) -> Any:
    """Train a network, from its checkpoint if there is one, and return it with averaged weights, ready to be used.

    ``prepare`` picks what the loss needs from a shard, given the share of the training that is done; ``loss`` gets the
    network's output and a batch of tensors.
    """
    torch.manual_seed(plan.seed)
    where = device()
    network = network.to(where).train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.learning_rate, weight_decay=0.02)
    averaged = {key: value.detach().clone() for key, value in network.state_dict().items()}
    seen, shards = _resume(checkpoint, network, optimiser, averaged)
    rng, started, running = np.random.default_rng([plan.seed, shards]), time.perf_counter(), 0.0
    while seen < plan.samples:
        with np.load(_next_shard(plan.shards, shards)) as shard:
            crops = prepare(shard, seen / plan.samples)
        for batch in _batches(crops, plan, rng, where):
            _set_rate(optimiser, plan, seen)
            with half_precision(where.type):
                output = network(batch["picture"])
            value = loss(output.float(), batch)
            optimiser.zero_grad()
            value.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            seen += plan.batch
            _average(averaged, network, min(_AVERAGED, 1 - 1 / (2 + seen / plan.batch / 4)))
            running += 0.01 * (float(value.detach()) - running)
        shards += 1
        if shards % _CHECKPOINT_EVERY == 0:
            _save(checkpoint, network, optimiser, averaged, (seen, shards))
            print(f"{plan.name}: {seen} samples, loss {running:.4f}, {time.perf_counter() - started:.0f} s", flush=True)
    network.load_state_dict(averaged)
    _save(checkpoint, network, optimiser, averaged, (seen, shards))
    return network.eval().cpu()


def _set_rate(optimiser: Any, plan: Plan, seen: int) -> None:
    """Warm up, then let the learning rate fall along a cosine."""
    share = min(1.0, seen / plan.samples)
    rate = share / _WARM_UP if share < _WARM_UP else 0.5 * (1 + np.cos(np.pi * (share - _WARM_UP) / (1 - _WARM_UP)))
    for group in optimiser.param_groups:
        group["lr"] = plan.learning_rate * max(0.005, float(rate))


def _average(averaged: dict[str, Any], network: Any, keep: float) -> None:
    with torch.no_grad():
        for key, value in network.state_dict().items():
            if value.dtype.is_floating_point:
                averaged[key].lerp_(value, 1 - keep)
            else:
                averaged[key].copy_(value)


def _next_shard(folder: Path, number: int) -> Path:
    """Return the file of a shard, each in turn; waits for the first one to be written."""
    while not (paths := sorted(folder.glob("*.npz"))):
        time.sleep(_WAIT_S)
    return paths[number % len(paths)]


def _batches(crops: Crops, plan: Plan, rng: np.random.Generator, where: Any) -> Iterator[Batch]:
    count = len(next(iter(crops.values())))
    order = rng.permutation(count)
    for start in range(0, count - plan.batch + 1, plan.batch):
        rows = order[start : start + plan.batch]
        batch = {key: torch.from_numpy(np.ascontiguousarray(value[rows])).to(where) for key, value in crops.items()}
        yield batch | {"picture": vary(batch["picture"], shift=plan.shift)}


def vary(pictures: Any, *, shift: float = 0.0) -> Any:
    """Return pictures (n, h, w, 3) as another camera would have taken them, so that no epoch repeats.

    ``shift`` is how far they are also moved, stretched and turned, as a share of their size.
    """
    count = len(pictures)
    varied = pictures.float() if not shift else _shifted(pictures.float(), shift)
    if torch.rand(()) < _COARSE:
        varied = _coarser(varied)
    varied = toned(varied, _colourful(count, varied.device))
    gain = 1 + 0.14 * torch.randn(count, 1, 1, 1, device=varied.device)
    tint = 1 + 0.05 * torch.randn(count, 1, 1, 3, device=varied.device)
    noise = torch.randn_like(varied) * 5 * torch.rand(count, 1, 1, 1, device=varied.device)
    return (varied * gain * tint + noise).clamp_(0, 255)


def toned(pictures: Any, colour: Any) -> Any:
    """Return pictures (n, h, w, 3) with steeper or flatter tones, and ``colour`` (n, 1, 1, 1) times as colourful."""
    steep = torch.exp(0.2 * torch.randn(len(pictures), 1, 1, 1, device=pictures.device))
    seen = 255 * (pictures.clamp(1, 255) / 255) ** steep
    grey = seen.mean(dim=3, keepdim=True)
    return grey + colour * (seen - grey)


def _colourful(count: int, where: Any) -> Any:
    """How colourful pictures are to be (count, 1, 1, 1); one in eight has hardly any colour."""
    colour, pale, share = (torch.rand(count, 1, 1, 1, device=where) for _ in range(3))
    colour = 0.6 + 0.7 * colour
    return torch.where(pale < _PALE, colour * 0.3 * share, colour)


def _coarser(pictures: Any) -> Any:
    """Pictures in which less can be made out."""
    planes = pictures.permute(0, 3, 1, 2)
    share = 0.45 + 0.45 * float(torch.rand(()))
    small = torch.nn.functional.interpolate(planes, scale_factor=share, mode="bilinear", antialias=True)
    large = torch.nn.functional.interpolate(small, size=planes.shape[2:], mode="bilinear")
    return large.permute(0, 2, 3, 1)


def _shifted(pictures: Any, shift: float) -> Any:
    count, where = len(pictures), pictures.device
    turn = torch.eye(2, 3, device=where) + shift * torch.randn(count, 2, 3, device=where)
    grid = torch.nn.functional.affine_grid(turn, [count, 3, *pictures.shape[1:3]], align_corners=False)
    planes = pictures.permute(0, 3, 1, 2)
    moved = torch.nn.functional.grid_sample(planes, grid, padding_mode="border", align_corners=False)
    if torch.rand(()) < _BLURRED:
        moved = torch.nn.functional.avg_pool2d(moved, 3, stride=1, padding=1, count_include_pad=False)
    return moved.permute(0, 2, 3, 1)


def _save(path: Path, network: Any, optimiser: Any, averaged: dict[str, Any], progress: tuple[int, int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "averaged": averaged}
    torch.save(state | {"seen": progress[0], "shards": progress[1]}, part)
    part.replace(path)


def _resume(path: Path, network: Any, optimiser: Any, averaged: dict[str, Any]) -> tuple[int, int]:
    """Return how many samples and shards a checkpoint has seen; none without one."""
    if not path.exists():
        return 0, 0
    state = torch.load(path, weights_only=True, map_location=device())
    network.load_state_dict(state["network"])
    optimiser.load_state_dict(state["optimiser"])
    averaged.update(state["averaged"])
    return int(state["seen"]), int(state["shards"])
