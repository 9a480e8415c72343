"""Train the dice reader: ``python -m models.train.dice_reader``.

Draws dice, flat ones (``models.train.dice``), solid ones of all materials (``models.train.dice_throws``) and plain ones
before a table camera (``models.train.dice_table``), trains the network that looks at one die, calibrates it on dice it
has not seen, prints how it does on others, and writes the weights that ``models.dice_reader`` loads. With ``--further
FOLDER`` it begins with the weights that lie there; with ``--trained FILE`` it takes those that
``models.train.dice_pool_training`` has learnt and trains nothing. The drawn crops and the training's state are kept in
``--folder``, so that the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import openvino
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.chip_decode import softmax
from models.dice_reader import DIE_PX
from models.train.chip_export import save_network, seal
from models.train.chip_measure import best_temperature, calibration_error
from models.train.chip_network import Averaged
from models.train.dice_hidden import partly_hidden
from models.train.dice_views import Arrays, flat_views, solid_views, table_views
from models.train.die_network import DieNetwork
from models.train.passes import trained_in_passes
from models.train.shipped import between, take_over

_BATCH: Final = 64
_LAST_RATE: Final = 2e-6
_READ_AT: Final = 0.97
_KEPT: Final = 2000  # views of each kind to calibrate and to test with
_PARTS: Final = ("train", "tune", "test")
Kinds = dict[str, tuple[Callable[[np.random.Generator, int], Arrays], int]]
"""Kinds of dice: what draws them, and the seed of their first part."""


def drawn(
    folder: Path, *, name: str, seed: int, count: int, draw: Callable[[np.random.Generator, int], Arrays]
) -> Arrays:
    """Return ``count`` views of dice and their truth, drawn once and kept."""
    path = folder / f"{name}_{count}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        half_written = path.with_suffix(".part.npz")
        np.savez(half_written, allow_pickle=False, **draw(np.random.default_rng(seed), count))
        half_written.rename(path)
    with np.load(path) as stored:
        return {key: stored[key] for key in stored.files}


def train(crops: Arrays, checkpoint: Path, *, epochs: int, further: Path | None) -> Averaged:
    """Train the network, or go on from the checkpoint, and return its averaged weights."""
    torch.manual_seed(7)
    network = DieNetwork() if further is None else as_shipped(further, crops["view"])
    one_pass = partial(_pass, network=network, crops=crops, epochs=epochs, rate=2e-3 if further is None else 1e-3)
    return trained_in_passes(network, checkpoint, passes=epochs, one_pass=one_pass)


def _pass(
    optimiser: Any, average: Averaged, epoch: int, *, network: Any, crops: Arrays, epochs: int, rate: float
) -> float:
    network.train()
    losses = []
    rng = np.random.default_rng(epoch)
    order = rng.permutation(len(crops["value"]))
    for start in range(0, len(order), _BATCH):
        done = (epoch + start / len(order)) / epochs
        for group in optimiser.param_groups:
            group["lr"] = rate * (0.5 + 0.5 * float(np.cos(np.pi * done))) + _LAST_RATE
        some = order[start : start + _BATCH]
        views = _inputs(partly_hidden(crops["view"][some], rng))
        views = views.flip(3) if epoch % 2 else views
        views = (views * torch.exp(torch.randn(len(some), 1, 1, 1) * 0.08)).clamp(0, 255)
        value, colour = network(views)
        loss = functional.cross_entropy(value, torch.from_numpy(crops["value"][some]))
        loss = loss + 0.3 * functional.cross_entropy(colour, torch.from_numpy(crops["colour"][some]), ignore_index=-1)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.follow(network, epoch * len(order) // _BATCH + start // _BATCH)
        losses.append(float(loss.detach()))
    return float(np.mean(losses))


def as_shipped(weights: Path, views: NDArray[np.uint8]) -> DieNetwork:
    """Return the network with the weights of a folder; some of the views tell its normalisations what they get."""
    network = DieNetwork()
    some = [(_inputs(views[first : first + 256]),) for first in range(0, len(views), 4096)][:24]
    take_over(network, weights / "die.xml", some, converted=_converted)
    return network


def part_of_the_way(before: DieNetwork, after: DieNetwork, way: float, views: NDArray[np.uint8]) -> DieNetwork:
    """Return the network between two; its normalisations learn from some of the views what they get."""
    network = DieNetwork()
    network.load_state_dict(between(before.state_dict(), after.state_dict(), way))
    for layer in network.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.reset_running_stats()
            layer.momentum = None
    network.train()
    with torch.no_grad():
        for first in range(0, len(views), 4096):
            network(_inputs(views[first : first + 256]))
    return network


def _converted(network: Any) -> Any:
    """The network as OpenVINO has it: the order of its layers in the file."""
    example = (torch.zeros(1, 3, DIE_PX, DIE_PX),)
    with torch.no_grad():
        return openvino.convert_model(network.eval(), example_input=example, input=[[-1, 3, DIE_PX, DIE_PX]])


def _inputs(views: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(views).permute(0, 3, 1, 2).float()


def _scores(network: Any, crops: Arrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    with torch.no_grad():
        value, colour = network(_inputs(crops["view"]))
    return value.numpy(), colour.numpy()


def main() -> None:
    """Train the dice reader and write its weights."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "catwalk" / "dice")
    parser.add_argument("--crops", type=int, default=24_000)
    parser.add_argument("--throws", type=int, default=48_000, help="views of solid dice")
    parser.add_argument("--tables", type=int, default=24_000, help="views of plain dice before a table camera")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--further", type=Path, help="folder with the weights to begin with")
    parser.add_argument("--way", type=float, default=1.0, help="part of the way from those weights to the trained ones")
    parser.add_argument("--trained", type=Path, help="weights that dice_pool_training has learnt")
    parser.add_argument("--weights", type=Path, default=Path(__file__).parents[1] / "weights" / "dice")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    kinds: Kinds = {"flat": (flat_views, 1), "solid": (solid_views, 11), "table": (table_views, 21)}
    counts = {"flat": options.crops, "solid": options.throws, "table": options.tables}
    network = DieNetwork()
    if options.trained is not None:
        network.load_state_dict(torch.load(options.trained, map_location="cpu", weights_only=True))
    else:
        crops = _together(options.folder, "train", kinds, counts)
        network.load_state_dict(
            train(crops, options.folder / "dice_reader.ckpt", epochs=options.epochs, further=options.further).state
        )
        if options.further is not None and options.way < 1:
            before = as_shipped(options.further, crops["view"])
            network = part_of_the_way(before, network, options.way, crops["view"])
    _finish(network, options.folder, options.weights, kinds)


def _finish(network: DieNetwork, folder: Path, weights: Path, kinds: Kinds) -> None:
    """Calibrate on dice kept from training, write what the reader loads, measure on others."""
    network.eval()
    weights.mkdir(parents=True, exist_ok=True)
    save_network(network, (torch.zeros(1, 3, DIE_PX, DIE_PX),), weights / "die.xml")
    tune = _together(folder, "tune", kinds, dict.fromkeys(kinds, _KEPT))
    values, colours = _scores(network, tune)
    known = tune["colour"] >= 0
    rule = {
        "temperature": best_temperature(values, tune["value"]),
        "colour_temperature": best_temperature(colours[known], tune["colour"][known]),
        "read_at": _READ_AT,
        "colour_read_at": 0.8,
        "least": 1e-3,
    }
    (weights / "calibration.json").write_text(json.dumps(rule, indent=1) + "\n", encoding="utf-8")
    seal(weights)
    for kind in kinds:
        test = _together(folder, "test", {kind: kinds[kind]}, {kind: _KEPT})
        print(f"{kind} dice", *report(network, test, rule), sep="\n")


def _together(folder: Path, part: str, kinds: Kinds, counts: dict[str, int]) -> Arrays:
    """The views of all kinds for one part of the work: ``train``, ``tune`` or ``test``."""
    sets = [
        drawn(folder, name=f"{part}_{kind}", seed=first + _PARTS.index(part), count=counts[kind], draw=draw)
        for kind, (draw, first) in kinds.items()
        if counts[kind]
    ]
    return {key: np.concatenate([one[key] for one in sets]) for key in sets[0]}


def report(network: Any, crops: Arrays, rule: dict[str, float]) -> list[str]:
    """Return the lines of the model card: faces right, wrong and unread, and the calibration error."""
    values, _ = _scores(network, crops)
    chances = softmax(values, temperature=rule["temperature"])
    best, p = chances.argmax(axis=1), chances.max(axis=1)
    dice, right, read = crops["value"] > 0, best == crops["value"], (p >= rule["read_at"]) & (best > 0)
    shares = [float(100 * which[dice].mean()) for which in (right, read & right, read & ~right, ~read)]
    off = calibration_error(list(zip(p.tolist(), right.tolist(), strict=True)))
    return [
        "top face: best is right {:.2f} %, read right {:.2f} %, read wrong {:.2f} %, unread {:.2f} %".format(*shares),
        f"no die read as one: {100 * float(read[~dice].mean()):.2f} %",
        f"expected calibration error {off:.4f}",
    ]


if __name__ == "__main__":
    main()
