"""Trains and exports the object detector.

    python -m models.train.compose_shards --folder datasets/tables --count 40
    python -m models.train.detector train --shards datasets/tables --run datasets/detector --minutes 70
    python -m models.train.detector export --run datasets/detector

Training stops after the given minutes, of which ``--resume`` counts those already spent; it takes up shards that appear
meanwhile. It runs on a GPU if there is one: pictures stay there, and crops are made there.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.detection import training_network
from models.train.detector_crops import Batch, joined
from models.train.detector_export import AsShipped, converted, export
from models.train.detector_loss import loss_of
from models.train.detector_photographs import Photographs, quadrangles
from models.train.detector_pictures import Pictures, Shards, ShardsError
from models.train.detector_variety import varied
from models.train.loop import device, half_precision
from models.train.shipped import between, take_over
from models.trained import DETECTOR_WEIGHTS

_RATE: Final = 8e-4
_RATE_IS_OF: Final = 256  # pictures at a step: it grows with the root of the batch
_LAST_SHARE: Final = 0.01
_WARM_STEPS: Final = 200
_KEPT: Final = 0.999  # of the running mean of weights
_SIDE_PX, _LARGE_PX = 192, 256  # of the crops; there are fewer of the large ones in a batch
_MOST_ON_GPU, _MOST_ON_CPU = 70_000, 4_000  # pictures
_BATCH_ON_GPU, _BATCH_ON_CPU = 384, 8
_AHEAD: Final = 2  # batches on a GPU
_AT_ONCE: Final = 500  # pictures are read
_NEW: Final = 4  # a new picture is taken up with so many crops, if there is one
_SAVE_SECONDS: Final = 120.0
_EXAMPLES: Final = 12
_START, _LAST = "start.pt", "last.pt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """What batches are of: ``size`` crops; the shares of batches with large crops, and of crops of photographs."""

    size: int
    large: float
    photographed: float


@dataclass(kw_only=True)
class Run:
    """A training run: network, its running average, optimiser, and what was spent."""

    network: Any
    average: Any
    optimiser: torch.optim.Optimizer
    device: torch.device
    seconds: float = 0.0
    steps: int = 0
    pictures: int = 0

    def save(self, path: Path) -> None:
        """Write a checkpoint whole.

        Raises:
            SystemExit: if the weights are no numbers any more: the checkpoint before is good.
        """
        if not all(bool(value.isfinite().all()) for value in self.average.state_dict().values()):
            msg = f"{path}: expected finite weights, found some that are not; --resume goes on from those before"
            raise SystemExit(msg)
        state = {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "spent": [self.seconds, float(self.steps), float(self.pictures)],
        }
        part = path.with_suffix(".part")
        torch.save(state, part)
        part.replace(path)

    def load(self, path: Path, *, weights_only: bool = False) -> None:
        """Take up a checkpoint; ``weights_only`` begins a new schedule with its averaged weights."""
        state = torch.load(path, map_location=self.device, weights_only=True)
        if weights_only:
            self.average.load_state_dict(state["average"], strict=False)
            self.network.load_state_dict(self.average.state_dict())
            self.pictures = int(state["spent"][2])
            return
        self.average.load_state_dict(state["average"])
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.seconds, self.steps, self.pictures = state["spent"][0], int(state["spent"][1]), int(state["spent"][2])


def new_run(where: torch.device) -> Run:
    """Return an untrained network with its optimiser; biases and norms are not decayed."""
    network = training_network(where.type)
    if where.type == "cuda":
        network = network.to(memory_format=torch.channels_last)
    plain = [p for p in network.parameters() if p.requires_grad and p.ndim <= 1]
    decayed = [p for p in network.parameters() if p.requires_grad and p.ndim > 1]
    groups = [{"params": decayed, "weight_decay": 5e-4}, {"params": plain, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=_RATE)
    return Run(network=network, average=copy.deepcopy(network).eval(), optimiser=optimiser, device=where)


def go_further(run: Run, pictures: Pictures) -> None:
    """Give a run the network that is shipped; its normalisations are set by crops of the pictures."""
    rng = np.random.default_rng(5)
    seen = [joined([(pictures.levels, pictures.cuts(16, _SIDE_PX, rng))], _SIDE_PX)["img"] for _ in range(_EXAMPLES)]
    examples = [(crops.permute(0, 2, 3, 1).round().to(torch.uint8).cpu(),) for crops in seen]
    one_each = [(crops[:1],) for (crops,) in examples]
    shipped = AsShipped(training_network())
    take_over(shipped, DETECTOR_WEIGHTS / "detector.xml", [one_each[0], *examples], converted=_of_shipped)
    for network in (run.network, run.average):
        network.load_state_dict(shipped.network.state_dict())
    run.pictures = int(json.loads((DETECTOR_WEIGHTS / "detector.json").read_text(encoding="utf-8"))["pictures"])


def _of_shipped(shipped: AsShipped) -> Any:
    return converted(shipped.network)


def batches(
    shards: Shards, pictures: Pictures, photographs: Photographs | None, mixture: Mixture, rng: np.random.Generator
) -> Iterator[Batch]:
    """Yield batches without end, see ``models.train.detector_loss.loss_of``; pictures of new shards come among them."""
    while True:
        pictures.add(shards.take(max(1, mixture.size // _NEW), again=pictures.full))
        large = rng.random() < mixture.large
        side = _LARGE_PX if large else _SIDE_PX
        number = max(1, round(mixture.size * (_SIDE_PX / side) ** 2))
        taken = round(number * mixture.photographed) if photographs else 0
        parts = [(pictures.levels, pictures.cuts(number - taken, side, rng))]
        if photographs and taken:
            parts.append((photographs.levels, photographs.cuts(taken, side, rng)))
        batch = joined(parts, side)
        yield batch | {"img": varied(batch["img"])}


def ahead(made: Iterator[Batch], number: int) -> Iterator[Batch]:
    """Yield what an iterator does, so many of which a thread has made before they are asked for."""
    ready: queue.Queue[Batch | Exception] = queue.Queue(maxsize=number)

    def make() -> None:
        try:
            for batch in made:
                ready.put(batch)
        except Exception as error:  # noqa: BLE001 - raised again where the batch is asked for
            ready.put(error)

    threading.Thread(target=make, daemon=True).start()
    while True:
        batch = ready.get()
        if isinstance(batch, Exception):
            raise batch
        yield batch


def filled(shards: Shards, folder: Path, device: torch.device) -> Pictures:
    """Return the pictures of the shards that are there, as many as the device takes.

    Raises:
        ShardsError: if there are none.
    """
    pictures = Pictures(_MOST_ON_GPU if device.type == "cuda" else _MOST_ON_CPU, device)
    while not pictures.full and (some := shards.take(_AT_ONCE, again=False)):
        pictures.add(some)
    if not pictures.count:
        msg = f"{folder}: expected shards train-*.npz with pictures, found none"
        raise ShardsError(msg)
    return pictures


def _step(run: Run, batch: Batch, progress: float, peak: float) -> Tensor:
    """Learn from one batch; return the parts of the loss."""
    rate = peak * (_LAST_SHARE + (1 - _LAST_SHARE) * (1 + math.cos(math.pi * progress)) / 2)
    for group in run.optimiser.param_groups:
        group["lr"] = rate * min(1.0, (run.steps + 1) / _WARM_STEPS)
    with half_precision(run.device.type):
        raw = run.network(batch["img"])
    loss, parts = loss_of(run.network, raw, batch)
    run.optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(run.network.parameters(), 10.0)
    run.optimiser.step()
    run.steps += 1
    run.pictures += len(batch["img"])
    _follow(run.average, run.network, _KEPT * (1 - math.exp(-(run.steps + 20) / 200)))
    return torch.stack([value.float() for value in parts.values()])


@torch.no_grad()  # type: ignore[untyped-decorator]
def _follow(average: Any, network: Any, keep: float) -> None:
    current = network.state_dict()
    for name, value in average.state_dict().items():
        if value.dtype.is_floating_point:
            value.mul_(keep).add_(current[name], alpha=1 - keep)
        else:
            value.copy_(current[name])


def begun(options: argparse.Namespace, pictures: Pictures, where: torch.device) -> Run:
    """Return the run where it stopped, or at the beginning that is asked for."""
    run = new_run(where)
    if options.resume:
        run.load(options.run / _LAST)
    elif options.start_from:
        run.load(options.start_from, weights_only=True)
    elif options.further:
        go_further(run, pictures)
        run.save(options.run / _START)
    run.network.train()
    return run


def train(options: argparse.Namespace) -> None:
    """Train for the given minutes, saving every two."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    cv2.setNumThreads(1)
    where, shards, photographs = device(), Shards(options.shards), None
    if options.photographs:
        photographs = Photographs(options.photographs, where, cards=quadrangles(), fold=options.fold)
    pictures = filled(shards, options.shards, where)
    options.run.mkdir(parents=True, exist_ok=True)
    run = begun(options, pictures, where)
    gpu = where.type == "cuda"
    size = options.batch or (_BATCH_ON_GPU if gpu else _BATCH_ON_CPU)
    mixture = Mixture(size=size, large=options.large, photographed=options.photographed)
    feed = batches(shards, pictures, photographs, mixture, np.random.default_rng((options.seed, run.steps)))
    peak = options.rate * math.sqrt(size / _RATE_IS_OF)
    learn(run, ahead(feed, _AHEAD) if gpu else feed, budget=options.minutes * 60.0, peak=peak, path=options.run / _LAST)


def learn(run: Run, feed: Iterator[Batch], *, budget: float, peak: float, path: Path) -> None:
    """Learn until so many seconds are spent, those before an interruption included, and save."""
    last, saved, recent = time.perf_counter(), run.seconds, []
    while run.seconds < budget:
        recent.append(_step(run, next(feed), run.seconds / budget, peak))
        now = time.perf_counter()
        run.seconds, last = run.seconds + now - last, now
        if len(recent) == 50:
            print(_report(run, torch.stack(recent).mean(dim=0).cpu().numpy()), flush=True)
            recent.clear()
        if run.seconds - saved > _SAVE_SECONDS or run.seconds >= budget:
            run.save(path)
            saved = run.seconds


def _report(run: Run, parts: NDArray[np.float64]) -> str:
    return json.dumps(
        {
            "minutes": round(run.seconds / 60, 2),
            "pictures": run.pictures,
            "steps": run.steps,
            "loss": [round(float(part), 3) for part in parts],
        }
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    _add_training(commands.add_parser("train", help="train from scratch, or go on"))
    exporting = commands.add_parser("export", help="write the OpenVINO model")
    exporting.add_argument("--run", type=Path, required=True)
    exporting.add_argument("--out", type=Path, default=DETECTOR_WEIGHTS)
    exporting.add_argument(
        "--way",
        type=float,
        default=1.0,
        help="how far from the network begun with (--further) to the trained one, 0 to 1",
    )
    options = parser.parse_args()
    if options.command == "export":
        export_run(options.run, options.out, options.way)
        return
    try:
        train(options)
    except (ShardsError, FileNotFoundError) as error:
        parser.error(str(error))


def _add_training(training: argparse.ArgumentParser) -> None:
    training.add_argument("--run", type=Path, required=True)
    training.add_argument("--shards", type=Path, required=True)
    training.add_argument("--minutes", type=float, default=70.0)
    training.add_argument("--batch", type=int, default=0, help=f"0: {_BATCH_ON_CPU} on a CPU, {_BATCH_ON_GPU} on a GPU")
    training.add_argument("--rate", type=float, default=_RATE, help=f"the highest, for batches of {_RATE_IS_OF}")
    training.add_argument("--large", type=float, default=0.2, help=f"share of batches with crops of {_LARGE_PX} px")
    training.add_argument("--photographs", type=Path, help="folder of the photographs that are labelled")
    training.add_argument("--photographed", type=float, default=0.1, help="share of crops that are of photographs")
    training.add_argument("--fold", type=int, choices=(0, 1), help="keep this half of the photographs out")
    training.add_argument("--threads", type=int, default=1)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--resume", action="store_true", help="go on where the run stopped")
    training.add_argument("--further", action="store_true", help="begin with the network that is shipped")
    training.add_argument("--start-from", type=Path, help="a checkpoint whose weights begin a new schedule")


def export_run(folder: Path, out: Path, way: float) -> None:
    """Write a run's averaged network, or what lies a part of the way to it, as an OpenVINO model."""
    run = new_run(torch.device("cpu"))
    if way < 1:
        run.load(folder / _START)
    begun_with = copy.deepcopy(run.average.state_dict())
    run.load(folder / _LAST)
    run.average.load_state_dict(between(begun_with, run.average.state_dict(), way))
    export(run.average, out, pictures=run.pictures)


if __name__ == "__main__":
    main()
