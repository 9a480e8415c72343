"""Trains the network that looks at one die with views that processes draw meanwhile; made for a GPU.

``OMP_NUM_THREADS=1 python -m models.train.dice_pool_training --minutes 9 --makers 10 --out OUT``: the network begins
with nothing or, with ``--start-from FILE``, with averaged weights of an earlier training, and learns from all kinds of
dice of ``models.train.dice_views``. OUT gets a checkpoint and ``die.pt``, the averaged weights. Interrupted, the same
command goes on with the minutes that are left, and with new views. It runs on a processor, too, in hours.
``python -m models.train.dice_reader --trained OUT/die.pt`` calibrates, measures and writes what the reader loads.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.train.chip_network import Averaged
from models.train.chip_reader import Training
from models.train.dice_hidden import partly_hidden
from models.train.dice_views import Arrays, flat_views, solid_views, table_views
from models.train.die_network import DieNetwork
from models.train.loop import device, half_precision, vary, warm_then_falling
from models.train.makers import Makers
from models.train.pool import Looks, Pool, Scale

PACK: Final = 400
NAMES: Final = ("view", "value", "colour")
_KINDS: Final = (solid_views, table_views, solid_views, flat_views)
_RATE: Final = 2.5e-3
_RATE_FURTHER: Final = 1e-3
_LAST_RATE: Final = 3e-6
_WARM_STEPS: Final = 400
_KEPT: Final = 0.9995  # of the running mean of weights
_MOVED: Final = 0.03
_OFTEN: Final = 24  # a view is learnt from at most so often, in the mean
_SAVE_S: Final = 45.0


_GPU: Final = Scale(batch=1024, capacity=1_500_000, held=12_000, first=30_000)
_CPU: Final = Scale(batch=64, capacity=100_000, held=1000, first=3000)


def packs(seed: tuple[int, ...], *, size: int = PACK) -> Iterator[Arrays]:
    """Yield packs of views without end, half of them of solids; something hides a part of one die in five."""
    for turn in count(seed[-1]):
        rng = np.random.default_rng((*seed, turn))
        made = _KINDS[turn % len(_KINDS)](rng, size)
        yield made | {"view": partly_hidden(made["view"], rng)}


def makers(number: int, *, seed: tuple[int, ...]) -> Makers[Arrays]:
    """Return so many processes that draw packs of views; they begin with other kinds."""
    return Makers([partial(packs, (*seed, maker, maker)) for maker in range(number)], what="views")


def begun(where: str, checkpoint: Path, start_from: Path | None = None) -> Training:
    """Return the network in training: as the checkpoint has it, or at its beginning."""
    torch.manual_seed(7)
    network = DieNetwork().to(where)
    if start_from is not None:
        network.load_state_dict(torch.load(start_from, map_location=where, weights_only=True))
    rate = _RATE if start_from is None else _RATE_FURTHER
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.02)
    training = Training(
        part="die", network=network, average=Averaged(network, keep=_KEPT), optimiser=optimiser, rate=rate
    )
    if checkpoint.exists():
        training.load(checkpoint, where)
    return training


def loss_of(network: Any, views: Tensor, looks: Looks) -> Tensor:
    """Return how surprised the network is by faces and colours; ``views`` (n, DIE_PX, DIE_PX, 3)."""
    with half_precision(views.device.type):
        value, colour = network(views.permute(0, 3, 1, 2))
    told = functional.cross_entropy(value.float(), looks["value"].long())
    return told + 0.3 * functional.cross_entropy(colour.float(), looks["colour"].long(), ignore_index=-1)


def train(
    pool: Pool, made: Callable[[], list[Arrays]], training: Training, *, folder: Path, seconds: float, batch: int
) -> None:
    """Learn until so many seconds are spent, those before an interruption included; save and report meanwhile."""
    last = saved = time.perf_counter()
    losses: list[Tensor] = []
    while training.seconds < seconds:
        for pack in made():
            pool.add(pack)
        if len(losses) * batch < _OFTEN * pool.count:
            losses.append(_step(pool, training, batch=batch, share=training.seconds / seconds))
        else:
            time.sleep(0.05)
        now = time.perf_counter()
        training.seconds, last = training.seconds + now - last, now
        if now - saved > _SAVE_S or training.seconds >= seconds:
            saved = now
            training.save(folder / "die.ckpt")
            torch.save(training.average.state, folder / "die.part")
            (folder / "die.part").rename(folder / "die.pt")
            print(json.dumps(_report(pool, training, losses[-200:], batch)), flush=True)


def _step(pool: Pool, training: Training, *, batch: int, share: float) -> Tensor:
    looks = pool.chosen(batch)
    views = vary(looks["view"], shift=_MOVED)
    mirrored = torch.rand(len(views), 1, 1, 1, device=views.device) < 0.5
    training.network.train()
    loss = loss_of(training.network, torch.where(mirrored, views.flip(2), views), looks)
    training.learn(loss, _rate(training, share))
    return loss.detach()


def _rate(training: Training, share: float) -> float:
    return warm_then_falling(training.rate, step=training.step, share=share, warm_steps=_WARM_STEPS, last=_LAST_RATE)


@torch.no_grad()  # type: ignore[untyped-decorator]
def _report(pool: Pool, training: Training, losses: list[Tensor], batch: int) -> dict[str, float]:
    """What was spent, the mean of the last losses, and how the averaged weights do on views that only measure."""
    network = copy.deepcopy(training.network)
    network.load_state_dict(training.average.state)
    network.eval()
    held, right, dice = [], 0, 0
    for looks in pool.held_out(batch):
        views = looks["view"].float()
        held.append(float(loss_of(network, views, looks)))
        told = network(views.permute(0, 3, 1, 2))[0].argmax(dim=1)
        shown = looks["value"] > 0
        right, dice = right + int((told == looks["value"])[shown].sum()), dice + int(shown.sum())
    told_of = {"minutes": training.seconds / 60, "views": pool.count, "steps": training.step}
    measured = {"loss": float(torch.stack(losses).mean()) if losses else 0.0, "held": float(np.mean(held))}
    return {name: round(value, 4) for name, value in (told_of | measured | {"right": right / max(dice, 1)}).items()}


def _steps_before(checkpoint: Path) -> int:
    """How far an interrupted run had come: its views do not come again."""
    return int(torch.load(checkpoint, weights_only=True, map_location="cpu")["step"]) if checkpoint.exists() else 0


def main() -> None:
    """Draw and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--makers", type=int, default=10, help="processes that draw views")
    parser.add_argument("--start-from", type=Path, help="averaged weights of an earlier training")
    parser.add_argument("--out", type=Path, required=True, help="folder for the checkpoint and die.pt")
    options = parser.parse_args()
    if options.minutes <= 0 or options.makers < 1:
        parser.error(f"expected minutes above 0 and a maker or more, found {options.minutes:g} and {options.makers}")
    cv2.setNumThreads(1)
    torch.backends.cudnn.benchmark = True
    where: str = device().type
    scale = _GPU if where == "cuda" else _CPU
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint = options.out / "die.ckpt"
    pool = Pool(scale.capacity, held=scale.held, device=where, names=NAMES)
    with makers(options.makers, seed=(9001, _steps_before(checkpoint))) as made:
        while pool.count < scale.first:
            for pack in made():
                pool.add(pack)
            time.sleep(0.05)
        training = begun(where, checkpoint, options.start_from)
        train(pool, made, training, folder=options.out, seconds=options.minutes * 60, batch=scale.batch)


if __name__ == "__main__":
    main()
