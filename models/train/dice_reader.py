"""Train the dice reader: ``python -m models.train.dice_reader``.

Draws dice, flat ones (``models.train.dice``), solid ones of all materials (``models.train.dice_throws``) and plain ones
before a table camera (``models.train.dice_table``), trains the network that looks at one die, calibrates it on dice it
has not seen, prints how it does on others, and writes the weights that ``models.dice_reader`` loads. With ``--further
FOLDER`` it begins with the weights that lie there. The drawn crops and the training's state are kept in ``--folder``,
so that the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from itertools import product
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
from models.dice_reader import DICE_COLOURS, DIE_PX, die_view
from models.train.chip_crops import detector_box
from models.train.chip_export import save_network, seal
from models.train.chip_measure import best_temperature, calibration_error
from models.train.chip_network import Averaged, conv
from models.train.dice import dice_picture
from models.train.dice_hidden import partly_hidden
from models.train.dice_others import no_die
from models.train.dice_table import table_throw
from models.train.dice_throws import Throw, held_box, random_throw
from models.train.passes import trained_in_passes
from models.train.shipped import between, take_over

_BATCH: Final = 64
_LAST_RATE: Final = 2e-6
_READ_AT: Final = 0.97
_NO_DIE: Final = 0.4  # of the throws: as many other things
_KEPT: Final = 2000  # views of each kind to calibrate and to test with
_PARTS: Final = ("train", "tune", "test")
Arrays = dict[str, NDArray[Any]]
Kinds = dict[str, tuple[Callable[[np.random.Generator, int], Arrays], int]]
"""Kinds of dice: what draws them, and the seed of their first part."""


class DieNetwork(nn.Module):  # type: ignore[misc]
    """Views (n, 3, DIE_PX, DIE_PX), 0..255, to scores of none and the faces (n, 7) and of the colours (n, 6)."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 24), conv(24, 32, stride=(2, 2)), conv(32, 64, stride=(2, 2)), conv(64, 96, stride=(2, 2))
        )
        self.value = nn.Sequential(nn.Linear(96 * 25, 96), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(96, 7))
        self.colour = nn.Linear(96, len(DICE_COLOURS))

    def forward(self, view: Tensor) -> tuple[Tensor, Tensor]:
        """Return both scores."""
        seen = self.look(view / 127.5 - 1)
        return self.value(seen.flatten(1)), self.colour(seen.mean(dim=(2, 3)))


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


def flat_views(rng: np.random.Generator, count: int) -> Arrays:
    """Draw views of flat dice."""
    views: list[NDArray[np.uint8]] = []
    values, colours = [], []
    while len(views) < count:
        frame, dice = dice_picture(rng)
        for die in dice:
            up = np.array([np.sin(die.roll), -np.cos(die.roll)]) if rng.random() < 0.6 else np.array([0.0, -1.0])
            views.append(die_view(frame, detector_box(die.outline, die.roll, rng), up))
            values.append(die.value)
            colours.append(DICE_COLOURS.index(die.colour))
        if rng.random() < 0.15:
            corner = rng.uniform(0, frame.shape[0] * 0.2, (2,))
            side = rng.uniform(0.1, 0.25) * frame.shape[0]
            blank = np.array([[0, 0], [side, 0], [side, side], [0, side]]) + corner
            hidden = frame.copy()
            hidden[:] = cv2.resize(frame[: frame.shape[0] // 5], dsize=frame.shape[1::-1])
            views.append(die_view(hidden, blank, np.array([0.0, -1.0])))
            values.append(0)
            colours.append(-1)
    return {"view": np.stack(views), "value": np.array(values), "colour": np.array(colours)}


def solid_views(rng: np.random.Generator, count: int) -> Arrays:
    """Draw views of solid dice, two of each, and of what is none."""
    return _thrown_views(rng, count, random_throw, _NO_DIE)


def table_views(rng: np.random.Generator, count: int) -> Arrays:
    """Draw views of dice as the camera of a table sees them, two of each, and of a little that is none."""
    return _thrown_views(rng, count, table_throw, _NO_DIE / 4)


def _thrown_views(
    rng: np.random.Generator, count: int, throws: Callable[[np.random.Generator], Throw], no_dice: float
) -> Arrays:
    rows: list[tuple[NDArray[np.uint8], int, int]] = []
    while len(rows) < count:
        throw = throws(rng)
        for die, _ in product(throw.dice, range(2)):
            box = held_box(die.outline, rng) if throw.held else detector_box(die.outline, die.roll, rng)
            upright = throw.held or rng.random() < 0.4
            up = np.array([0.0, -1.0]) if upright else np.array([np.sin(die.roll), -np.cos(die.roll)])
            colour = -1 if die.colour is None else DICE_COLOURS.index(die.colour)
            rows.append((die_view(throw.frame_bgr, box, up), die.value, colour))
        if rng.random() < no_dice:
            frame, box = no_die(rng)
            rows.append((die_view(frame, box, np.array([0.0, -1.0])), 0, -1))
    views, values, colours = zip(*rows, strict=True)
    return {"view": np.stack(views), "value": np.array(values), "colour": np.array(colours)}


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
    parser.add_argument("--weights", type=Path, default=Path(__file__).parents[1] / "weights" / "dice")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    kinds: Kinds = {"flat": (flat_views, 1), "solid": (solid_views, 11), "table": (table_views, 21)}
    counts = {"flat": options.crops, "solid": options.throws, "table": options.tables}
    crops = _together(options.folder, "train", kinds, counts)
    average = train(crops, options.folder / "dice_reader.ckpt", epochs=options.epochs, further=options.further)
    network = DieNetwork()
    network.load_state_dict(average.state)
    if options.further is not None and options.way < 1:
        network = part_of_the_way(as_shipped(options.further, crops["view"]), network, options.way, crops["view"])
    network.eval()
    options.weights.mkdir(parents=True, exist_ok=True)
    save_network(network, (torch.zeros(1, 3, DIE_PX, DIE_PX),), options.weights / "die.xml")
    tune = _together(options.folder, "tune", kinds, dict.fromkeys(kinds, _KEPT))
    values, colours = _scores(network, tune)
    known = tune["colour"] >= 0
    rule = {
        "temperature": best_temperature(values, tune["value"]),
        "colour_temperature": best_temperature(colours[known], tune["colour"][known]),
        "read_at": _READ_AT,
        "colour_read_at": 0.8,
        "least": 1e-3,
    }
    (options.weights / "calibration.json").write_text(json.dumps(rule, indent=1) + "\n", encoding="utf-8")
    seal(options.weights)
    for kind in kinds:
        test = _together(options.folder, "test", {kind: kinds[kind]}, {kind: _KEPT})
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
