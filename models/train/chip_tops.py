"""Continues the training of the network for uppermost chips with photographs among the drawn and traced ones.

``python -m models.train.chip_tops PHOTOGRAPHS --folder CROPS --weights OUT``: PHOTOGRAPHS as
``models.train.chip_photographs`` has them, CROPS as ``models.train.chip_shards`` writes them. The network begins as it
is shipped, or with the weights of ``--further``. Interrupted, it goes on with the pass that it was in. With ``--fold``
0 or 1 half of the photographs are kept out, so that they can measure; then it has to begin with weights from before any
photograph (those shipped have learnt from all of them).
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.chip_geometry import COLOURS, TOP_PX, Floats, top_view, upward
from models.train.card_photo_scores import NEEDS_OLDER, kept_out
from models.train.chip_crops import CLASSES, detector_box
from models.train.chip_export import save_network, seal
from models.train.chip_measure import answers, best_temperature
from models.train.chip_network import Averaged, TopNetwork
from models.train.chip_photographs import labelled
from models.train.chip_shards import shard, shard_path
from models.train.chip_variety import varied_tops
from models.train.passes import trained_in_passes
from models.train.shipped import between, take_over

Batch = dict[str, torch.Tensor]
SHIPPED: Final = Path(__file__).parents[1] / "weights" / "chips"
_LOOKS: Final = 40  # at each photographed stack, its box off in another way each time
_DRAWN, _PHOTOGRAPHED = 64, 24  # of a batch
_STEPS, _PASSES = 250, 10
_SHARDS_AT_ONCE: Final = 4
_STEPS_OF_SHARDS: Final = 60
_RATE: Final = 6e-4
_WAY: Final = 0.75
_FLATNESS: Final = 2.0


def photographed(folder: Path, fold: int | None, *, times: int = _LOOKS) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return top views (n, TOP_PX, TOP_PX, 3) of labelled stacks, so many of each, and the colours' numbers (n,).

    A number is that of ``CLASSES``, from 1 on. With ``fold`` half of the photographs are kept out.
    """
    rng, views, colours = np.random.default_rng(3), [], []
    stacks = labelled(folder)
    for file in sorted(set(stacks) - kept_out(stacks, fold)):
        frame = cv2.imread(str(folder / file), cv2.IMREAD_COLOR)
        if frame is None:
            msg = f"{folder / file}: expected a photograph that boxes.csv names, found none"
            raise SystemExit(msg)
        for (left, top, right, bottom), colour, _ in stacks[file]:
            box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
            views += looks(np.asarray(frame, np.uint8), box, rng, times=times)
            colours += [CLASSES.index(colour if colour in COLOURS else "other") + 1] * times
    return np.stack(views), np.array(colours, np.int64)


def looks(
    frame_bgr: NDArray[np.uint8], box: Floats, rng: np.random.Generator, *, times: int
) -> list[NDArray[np.uint8]]:
    """Return what is seen of one stack through boxes (4, 2) as imprecise as a detector's."""
    boxes = [detector_box(box, 0.0, rng) for _ in range(times)]
    return [top_view(frame_bgr, one, upward(one, None)) for one in boxes]


def batches(crops: Path, photos: tuple[NDArray[np.uint8], NDArray[np.int64]], *, seed: int) -> Iterator[Batch]:
    """Yield drawn and traced views with photographed ones behind them, without end."""
    rng = np.random.default_rng(seed)
    there = [(name, int(path.stem[-4:])) for name in ("train", "traced_train") for path in crops.glob(f"{name}_*.npz")]
    while True:
        chosen = [
            there[int(index)] for index in rng.choice(len(there), min(_SHARDS_AT_ONCE, len(there)), replace=False)
        ]
        parts = [shard(crops, name=name, index=index) for name, index in chosen]
        tops = np.concatenate([part["top"] for part in parts])
        labels = np.concatenate([_uppermost(part["labels"]) for part in parts])
        flatness = np.concatenate([part["flatness"] for part in parts])
        for _ in range(_STEPS_OF_SHARDS):
            rows, others = rng.choice(len(tops), _DRAWN), rng.choice(len(photos[1]), _PHOTOGRAPHED)
            pictures = np.concatenate([tops[rows], photos[0][others]]).transpose(0, 3, 1, 2)
            yield {
                "top": varied_tops(torch.from_numpy(np.ascontiguousarray(pictures)).float()),
                "colour": torch.from_numpy(np.concatenate([labels[rows], photos[1][others]])),
                "flatness": torch.from_numpy(flatness[rows]),
            }


def _uppermost(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    last = np.maximum((labels > 0).sum(axis=1) - 1, 0)
    return np.asarray(labels[np.arange(len(labels)), last])


def continued(
    crops: Path, photos: tuple[NDArray[np.uint8], NDArray[np.int64]], *, further: Path, passes: int, checkpoint: Path
) -> TopNetwork:
    """Return the network trained further; its weights are a part of the way between those before and after."""
    torch.manual_seed(7)
    network, feed = TopNetwork(), batches(crops, photos, seed=5)
    take_over(network, further / "top.xml", [(next(feed)["top"],) for _ in range(6)])
    before = {key: value.clone() for key, value in network.state_dict().items()}

    def one_pass(optimiser: Any, average: Averaged, number: int) -> float:
        losses = []
        network.train()
        for step, batch in zip(range(_STEPS), batches(crops, photos, seed=6 + number), strict=False):
            share = (number + step / _STEPS) / passes
            for group in optimiser.param_groups:
                group["lr"] = _RATE * (0.5 + 0.5 * float(np.cos(np.pi * share))) + 1e-5
            loss = faces_loss(network, batch)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            average.follow(network, number * _STEPS + step)
            losses.append(float(loss.detach()))
        return float(np.mean(losses))

    average = trained_in_passes(network, checkpoint, passes=passes, one_pass=one_pass)
    network.load_state_dict(between(before, average.state, _WAY))
    return network


def faces_loss(network: Any, batch: Batch) -> Any:
    """Return what to minimise.

    Args:
        network: a ``TopNetwork``.
        batch: ``top`` (n, 3, TOP_PX, TOP_PX), ``colour`` (n,), ``flatness`` of the first ones, where it is known.
    """
    colours, flatness = network(batch["top"])
    named = torch.nn.functional.cross_entropy(colours, batch["colour"])
    known = batch["flatness"]
    return named + _FLATNESS * (flatness[: len(known)] - known).abs().mean()


def ship(network: TopNetwork, crops: Path, weights: Path) -> None:
    """Write all the chip reader's files: this network, calibrated on "tune" crops, and the others as they are."""
    shutil.copytree(SHIPPED, weights, dirs_exist_ok=True)
    save_network(network, (torch.zeros(1, 3, TOP_PX, TOP_PX),), weights / "top.xml")
    seen = answers(weights, crops, sets={"tune": 2})
    tops = np.array([row[-1] if row else 0 for row in seen.truth])
    calibration = json.loads((weights / "calibration.json").read_text(encoding="utf-8"))
    calibration["top"]["temperature"] = best_temperature(seen.top, tops)
    (weights / "calibration.json").write_text(json.dumps(calibration, indent=1) + "\n", encoding="utf-8")
    seal(weights)


def main() -> None:
    """Look at the photographs, train further, calibrate, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "catwalk" / "chips", help="crops")
    parser.add_argument("--weights", type=Path, required=True, help="folder for all files of the chip reader")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="keep this half out")
    parser.add_argument("--further", type=Path, default=SHIPPED, help="folder of the weights to begin with")
    parser.add_argument("--passes", type=int, default=_PASSES, help=f"of {_STEPS} batches")
    options = parser.parse_args()
    if options.fold is not None and options.further == SHIPPED:
        parser.error(NEEDS_OLDER)
    cv2.setNumThreads(1)
    if not shard_path(options.folder, name="train", index=0).exists():
        shard(options.folder, name="train", index=0)
    photos = photographed(options.photographs, options.fold)
    print(f"{len(photos[1]) // _LOOKS} photographed stacks", flush=True)
    options.weights.mkdir(parents=True, exist_ok=True)
    checkpoint = options.weights / "top.pt"
    trained = continued(options.folder, photos, further=options.further, passes=options.passes, checkpoint=checkpoint)
    ship(trained, options.folder, options.weights)


if __name__ == "__main__":
    main()
