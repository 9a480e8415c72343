"""Trains and exports the object detector.

    python -m models.train.compose_shards --folder datasets/tables --count 40
    python -m models.train.detector train --shards datasets/tables --run datasets/detector --minutes 70
    python -m models.train.detector export --run datasets/detector

Training stops after the given minutes, of which ``--resume`` counts those already spent; it takes up shards that appear
meanwhile. It runs on a GPU if there is one.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.detection import WEIGHTS, training_network
from models.kinds import KINDS
from models.train.compose_shards import Sample, read_shard
from models.train.detector_export import AsShipped, converted, export
from models.train.shipped import between, take_over

_PEAK_RATE: Final = 1.2e-3
_LAST_SHARE: Final = 0.01
_WARM_STEPS: Final = 200
_PART_IN_CROP: Final = 0.3
_SAVE_SECONDS: Final = 120.0
_EXAMPLES: Final = 12
_START: Final = "start.pt"
_CUP: Final = KINDS.index("dice_cup")


@dataclass(kw_only=True)
class Run:
    """A training run: network, its running average, optimiser, and what was spent."""

    network: Any
    average: Any
    optimiser: torch.optim.Optimizer
    device: torch.device
    half: bool = False
    seconds: float = 0.0
    steps: int = 0
    pictures: int = 0

    def save(self, path: Path) -> None:
        """Write a checkpoint whole."""
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


def new_run(device: torch.device) -> Run:
    """Return an untrained network with its optimiser; biases and norms are not decayed."""
    network = training_network(device.type)
    plain = [p for p in network.parameters() if p.requires_grad and p.ndim <= 1]
    decayed = [p for p in network.parameters() if p.requires_grad and p.ndim > 1]
    groups = [{"params": decayed, "weight_decay": 5e-4}, {"params": plain, "weight_decay": 0.0}]
    average = copy.deepcopy(network).eval()
    return Run(network=network, average=average, optimiser=torch.optim.AdamW(groups, lr=_PEAK_RATE), device=device)


def go_further(run: Run, shards: Path, least: float, side: int) -> None:
    """Give a run the network that is shipped; its normalisations are set by pictures of the shards."""
    pictures = batches(shards, 16, least, side, np.random.default_rng(5))
    seen = [next(pictures)["img"] for _ in range(_EXAMPLES)]
    examples = [((picture.permute(0, 2, 3, 1) * 255).round().to(torch.uint8),) for picture in seen]
    one_each = [(picture[:1],) for (picture,) in examples]
    shipped = AsShipped(run.network)
    take_over(shipped, WEIGHTS / "detector.xml", [one_each[0], *examples], converted=_of_shipped)
    run.average.load_state_dict(run.network.state_dict())
    run.pictures = int(json.loads((WEIGHTS / "detector.json").read_text(encoding="utf-8"))["pictures"])


def _of_shipped(shipped: AsShipped) -> Any:
    return converted(shipped.network)


def cropped(image: NDArray[np.uint8], rows: NDArray[np.float32], rng: np.random.Generator, size: int) -> Sample:
    """Cut out a square about some object, in which cards are 36 to 120 px long, and show it ``size`` px wide.

    An object stays labelled if its middle or a good part of it lies in the square.
    """
    width = image.shape[0]
    cards = rows[rows[:, 0] <= KINDS.index("card_back")]
    length = float(np.median(cards[:, 3:5].max(axis=1))) * width if len(cards) else rng.uniform(40, 120)
    side = float(np.clip(size * length / math.exp(rng.uniform(math.log(36), math.log(120))), 110, width))
    about = (
        rows[rng.integers(len(rows)), 1:3] * width if len(rows) and rng.random() < 0.85 else rng.uniform(0, width, 2)
    )
    corner = np.clip(about + rng.uniform(-0.4, 0.4, 2) * side - side / 2, 0, width - side)
    scale = size / side
    matrix = np.array([[scale, 0, -corner[0] * scale], [0, scale, -corner[1] * scale]])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    cut = np.asarray(cv2.warpAffine(image, matrix, (size, size), flags=way), np.uint8)
    moved = rows.copy()
    moved[:, 1:3] = (rows[:, 1:3] * width - corner) / side
    moved[:, 3:5] *= width / side
    return cut, moved[[_lies_in(row) for row in moved]]


def _lies_in(row: NDArray[np.float32]) -> bool:
    if 0 < row[1] < 1 and 0 < row[2] < 1:
        return True
    box = cv2.boxPoints(((float(row[1]), float(row[2])), (float(row[3]), float(row[4])), math.degrees(float(row[5]))))
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return bool(cv2.intersectConvexConvex(box, frame)[0] > _PART_IN_CROP * row[3] * row[4])


def turned(image: NDArray[np.uint8], rows: NDArray[np.float32], rng: np.random.Generator) -> Sample:
    """Mirror a picture and its label rows by chance, at times also turn it by quarters."""
    rows = rows.copy()
    if rng.random() < 0.5:
        image, rows[:, 1], rows[:, 5] = image[:, ::-1], 1 - rows[:, 1], -rows[:, 5]
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.25 else 0):
        image = np.rot90(image)
        rows[:, 1], rows[:, 2] = rows[:, 2].copy(), 1 - rows[:, 1]
        rows[:, 5] -= math.pi / 2
    return np.ascontiguousarray(image), rows


def shows_no_tiny_card(rows: NDArray[np.float32], least: float) -> bool:
    """Say whether every card among label rows is at least ``least`` of the picture's width long."""
    cards = rows[rows[:, 0] == KINDS.index("card")]
    return not len(cards) or bool(cards[:, 3:5].max(axis=1).min() >= least)


def batches(
    folder: Path, size: int, least: float, side: int, rng: np.random.Generator, *, cups: int = 1
) -> Iterator[dict[str, torch.Tensor]]:
    """Yield batches without end, each picture once before any comes again, one with a dice cup ``cups`` times.

    New shards are taken up after each round.
    """
    while True:
        shards = (read_shard(path) for path in sorted(folder.glob("train-*.npz")))
        samples: list[Sample] = [sample for shard in shards for sample in shard if shows_no_tiny_card(sample[1], least)]
        samples += [sample for sample in samples if (sample[1][:, 0] == _CUP).any()] * (cups - 1)
        order = rng.permutation(len(samples))
        for start in range(0, len(order) - size + 1, size):
            yield _batch([samples[k] for k in order[start : start + size]], side, rng)


def _batch(samples: list[Sample], side: int, rng: np.random.Generator) -> dict[str, torch.Tensor]:
    images, rows, owners = [], [], []
    for number, (jpeg, labels) in enumerate(samples):
        decoded = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
        image, labels_seen = turned(*cropped(decoded, labels, rng, side), rng)
        images.append(image.transpose(2, 0, 1))
        rows.append(labels_seen)
        owners.append(np.full(len(labels_seen), number, np.float32))
    joined = torch.from_numpy(np.concatenate(rows))
    return {
        "img": torch.from_numpy(np.stack(images)).float() / 255,
        "cls": joined[:, :1],
        "bboxes": joined[:, 1:],
        "batch_idx": torch.from_numpy(np.concatenate(owners)),
    }


def _step(run: Run, batch: dict[str, torch.Tensor], progress: float, peak: float) -> NDArray[np.float64]:
    """Learn from one batch; return the parts of the loss."""
    rate = peak * (_LAST_SHARE + (1 - _LAST_SHARE) * (1 + math.cos(math.pi * progress)) / 2)
    for group in run.optimiser.param_groups:
        group["lr"] = rate * min(1.0, (run.steps + 1) / _WARM_STEPS)
    batch = {key: value.to(run.device) for key, value in batch.items()}
    with torch.autocast(run.device.type, torch.bfloat16, enabled=run.half):
        raw = run.network(batch["img"])
    loss, parts = run.network.loss(batch, _in_full(raw))
    run.optimiser.zero_grad()
    loss.sum().backward()
    torch.nn.utils.clip_grad_norm_(run.network.parameters(), 10.0)
    run.optimiser.step()
    run.steps += 1
    run.pictures += len(batch["img"])
    _follow(run.average, run.network, 0.9995 * (1 - math.exp(-run.steps / 400)))
    return np.array([float(value) for value in parts.values()])


def _in_full(raw: Any) -> Any:
    """Return nested outputs in 32 bits: the loss is not computed in half precision."""
    if isinstance(raw, dict):
        return {key: _in_full(value) for key, value in raw.items()}
    return [value.float() for value in raw] if isinstance(raw, list) else raw.float()


@torch.no_grad()  # type: ignore[untyped-decorator]
def _follow(average: Any, network: Any, keep: float) -> None:
    current = network.state_dict()
    for name, value in average.state_dict().items():
        if value.dtype.is_floating_point:
            value.mul_(keep).add_(current[name], alpha=1 - keep)
        else:
            value.copy_(current[name])


def train(options: argparse.Namespace) -> None:
    """Train for the given minutes, saving every two."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    cv2.setNumThreads(1)
    run, checkpoint = new_run(device), options.run / "last.pt"
    options.run.mkdir(parents=True, exist_ok=True)
    if options.resume:
        run.load(checkpoint)
    elif options.start_from:
        run.load(options.start_from, weights_only=True)
    elif options.further:
        go_further(run, options.shards, options.least_card, options.side)
        run.save(options.run / _START)
    run.network.train()
    run.half = options.bf16
    size = options.batch or (64 if device.type == "cuda" else 8)
    rng, budget = np.random.default_rng((options.seed, run.steps)), options.minutes * 60.0
    last, recent = time.perf_counter(), []
    saved = run.seconds
    for batch in batches(options.shards, size, options.least_card, options.side, rng, cups=options.cups):
        recent.append(_step(run, batch, min(1.0, run.seconds / budget), options.rate))
        now = time.perf_counter()
        run.seconds, last = run.seconds + now - last, now
        if len(recent) == 50:
            print(_report(run, np.mean(recent, axis=0)), flush=True)
            recent.clear()
        if run.seconds - saved > _SAVE_SECONDS or run.seconds >= budget:
            run.save(checkpoint)
            saved = run.seconds
        if run.seconds >= budget:
            break


def _report(run: Run, parts: NDArray[np.float64]) -> str:
    return json.dumps(
        {
            "minutes": round(run.seconds / 60, 2),
            "pictures": run.pictures,
            "per_second": round(run.pictures / run.seconds, 2),
            "loss": [round(float(part), 3) for part in parts],
        }
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="train from scratch, or go on")
    training.add_argument("--shards", type=Path, required=True)
    training.add_argument("--minutes", type=float, default=70.0)
    training.add_argument("--batch", type=int, default=0, help="0: 8 on a CPU, 64 on a GPU")
    training.add_argument(
        "--bf16", action="store_true", help="compute in bfloat16: half again as fast where the processor has it"
    )
    training.add_argument("--least-card", type=float, default=0.08, help="leave out pictures with shorter cards")
    training.add_argument("--side", type=int, default=192, help="pictures are cut to squares of so many pixels")
    training.add_argument("--rate", type=float, default=_PEAK_RATE, help="the highest learning rate")
    training.add_argument("--cups", type=int, default=1, help="show pictures with dice cups, which are few, so often")
    training.add_argument("--threads", type=int, default=1)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--resume", action="store_true", help="go on where the run stopped")
    training.add_argument("--further", action="store_true", help="begin with the network that is shipped")
    training.add_argument("--start-from", type=Path, help="a checkpoint whose weights begin a new schedule")
    exporting = commands.add_parser("export", help="write the OpenVINO model")
    exporting.add_argument("--out", type=Path, default=WEIGHTS)
    exporting.add_argument(
        "--way",
        type=float,
        default=1.0,
        help="how far from the network begun with (--further) to the trained one, 0 to 1",
    )
    for command in (training, exporting):
        command.add_argument("--run", type=Path, required=True)
    options = parser.parse_args()
    if options.command == "train":
        train(options)
    else:
        run = new_run(torch.device("cpu"))
        if options.way < 1:
            run.load(options.run / _START)
        begun = copy.deepcopy(run.average.state_dict())
        run.load(options.run / "last.pt")
        run.average.load_state_dict(between(begun, run.average.state_dict(), options.way))
        export(run.average, options.out, pictures=run.pictures)


if __name__ == "__main__":
    main()
