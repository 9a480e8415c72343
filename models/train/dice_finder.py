"""Train the dice finder: ``python -m models.train.dice_finder``.

Draws places with and without dice, trains the network that marks the dice, prints how it does on places it has not
seen, and writes the weights that ``models.dice_finder`` loads. The drawn places and the training's state are kept in
``--folder``, so that the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.dice_finder import DIE_PX, STRIDE, WINDOW, DiceFinder
from models.train.chip_export import save_network, seal
from models.train.chip_network import Averaged, conv
from models.train.dice_scenes import dice_scene
from models.train.passes import trained_in_passes

_BATCH: Final = 32
_CELLS: Final = WINDOW // STRIDE
_SPREAD: Final = 1.1  # cells; how softly a die is marked
_SIDES_COUNT: Final = 0.6
_MOST_DICE: Final = 5
_FIRST_BIAS: Final = -4.0
_SETS: Final = {"train": 1, "test": 3}
Arrays = dict[str, NDArray[Any]]


class FinderNetwork(nn.Module):  # type: ignore[misc]
    """Views (n, 3, WINDOW, WINDOW), 0..255, to (n, 5, cells, cells).

    The score of a die's middle, then the distances from the cell's middle to the box's left, top, right and lower side.
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 16, stride=(2, 2), kernel=(5, 5)),
            conv(16, 32),
            conv(32, 40, stride=(2, 2)),
            conv(40, 40),
            *(_wide(40, reach) for reach in (2, 4, 2)),
            conv(40, 40),
        )
        self.answer = nn.Conv2d(40, 5, kernel_size=1)
        nn.init.constant_(self.answer.bias, 0.7)
        self.answer.bias.data[0] = _FIRST_BIAS

    def forward(self, view: Tensor) -> Tensor:
        """Return the answers."""
        return self.answer(self.look(view / 127.5 - 1))


def _wide(channels: int, reach: int) -> Any:
    """A convolution that looks ``reach`` cells around."""
    step = nn.Conv2d(channels, channels, kernel_size=3, padding=reach, dilation=reach, bias=False)
    return nn.Sequential(step, nn.BatchNorm2d(channels), nn.ReLU(inplace=True))


def drawn(folder: Path, *, name: str, count: int, others: list[NDArray[np.uint8]]) -> Arrays:
    """Return ``count`` places and the boxes of their dice (n, _MOST_DICE, 4), drawn once and kept; 0: no die."""
    path = folder / f"places_{name}_{count}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng((_SETS[name], count))
        boxes = np.zeros((count, _MOST_DICE, 4), np.float32)
        views = np.zeros((count, WINDOW, WINDOW, 3), np.uint8)
        for index in range(count):
            views[index], some = dice_scene(rng, others)
            boxes[index, : len(some)] = some
        half_written = path.with_suffix(".part.npz")
        np.savez(half_written, allow_pickle=False, view=views, boxes=boxes)
        half_written.rename(path)
    with np.load(path) as stored:
        return {key: stored[key] for key in stored.files}


def marks(boxes: NDArray[np.float32]) -> tuple[Tensor, Tensor, Tensor]:
    """Return how much every cell is a die's middle (n, cells, cells), the sides (n, 4, …) and where they count."""
    at = (np.arange(_CELLS) + 0.5) * STRIDE
    x, y = at[None, None, None, :], at[None, None, :, None]
    x0, y0, x1, y1 = (boxes[:, :, k, None, None] for k in range(4))
    off = ((x - (x0 + x1) / 2) ** 2 + (y - (y0 + y1) / 2) ** 2) / STRIDE**2
    off = np.where(x1 > x0, off, 1e6)
    nearest = off.argmin(axis=1, keepdims=True)
    heat = np.exp(-off.min(axis=1) / (2 * _SPREAD**2))
    heat[off.min(axis=1) <= 0.5] = 1.0  # the cells that touch the middle
    sides = [np.take_along_axis(side, nearest, axis=1)[:, 0] / DIE_PX for side in (x - x0, y - y0, x1 - x, y1 - y)]
    counts = torch.from_numpy(heat > _SIDES_COUNT).float()
    return torch.from_numpy(heat).float(), torch.from_numpy(np.stack(sides, axis=1)).float(), counts


def loss_of(answer: Tensor, boxes: NDArray[np.float32]) -> Tensor:
    """Return the loss: cells near a die's middle count little as errors, its own much; sides only near it."""
    heat, sides, counts = marks(boxes)
    p = torch.sigmoid(answer[:, 0]).clamp(1e-5, 1 - 1e-5)
    middle = (heat >= 1).float()
    hit = -middle * (1 - p) ** 2 * torch.log(p)
    miss = -(1 - middle) * (1 - heat) ** 4 * p**2 * torch.log(1 - p)
    off = functional.smooth_l1_loss(answer[:, 1:], sides, reduction="none", beta=0.1).sum(dim=1) * counts
    dice = middle.sum().clamp(min=1)
    return (hit.sum() + miss.sum()) / dice + off.sum() / counts.sum().clamp(min=1)


def train(places: Arrays, checkpoint: Path, *, epochs: int) -> Averaged:
    """Train the network, or go on from the checkpoint, and return its averaged weights."""
    torch.manual_seed(7)
    network = FinderNetwork()
    one_pass = partial(_pass, network=network, places=places, epochs=epochs)
    return trained_in_passes(network, checkpoint, passes=epochs, one_pass=one_pass)


def _pass(optimiser: Any, average: Averaged, epoch: int, *, network: Any, places: Arrays, epochs: int) -> float:
    network.train()
    losses = []
    order = np.random.default_rng(epoch).permutation(len(places["view"]))
    for start in range(0, len(order) - _BATCH + 1, _BATCH):
        share = (epoch + start / len(order)) / epochs
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * (0.5 + 0.5 * float(np.cos(np.pi * share))) + 1e-5
        some = order[start : start + _BATCH]
        views, boxes = _varied(places["view"][some], places["boxes"][some], mirror=epoch % 2 == 1)
        loss = loss_of(network(views), boxes)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), max_norm=5.0)
        optimiser.step()
        average.follow(network, epoch * len(order) // _BATCH + start // _BATCH)
        losses.append(float(loss.detach()))
        if len(losses) % 25 == 0:
            print(f"  {len(losses) * _BATCH} places, loss {np.mean(losses[-25:]):.3f}", flush=True)
    return float(np.mean(losses))


def _varied(
    views: NDArray[np.uint8], boxes: NDArray[np.float32], *, mirror: bool
) -> tuple[Tensor, NDArray[np.float32]]:
    """The views as the network gets them, a little brighter, darker or tinted, all mirrored or none."""
    seen = torch.from_numpy(views).permute(0, 3, 1, 2).float()
    seen = (seen * torch.exp(torch.randn(len(seen), 3, 1, 1) * 0.04 + torch.randn(len(seen), 1, 1, 1) * 0.1)).clamp(
        0, 255
    )
    if not mirror:
        return seen, boxes
    turned = boxes.copy()
    real = boxes[..., 2] > boxes[..., 0]
    turned[..., 0] = np.where(real, WINDOW - boxes[..., 2], 0)
    turned[..., 2] = np.where(real, WINDOW - boxes[..., 0], 0)
    return seen.flip(3), turned


def report(finder: DiceFinder, places: Arrays) -> str:
    """Return how many dice of drawn places are found, and how many findings are none."""
    right = false = dice = 0
    for view, boxes in zip(places["view"], places["boxes"], strict=True):
        real = boxes[boxes[:, 2] > boxes[:, 0]]
        found = finder.find(view, (0, 0, WINDOW, WINDOW), DIE_PX)
        hits = [box for box in real if any(_is_there(one.polygon_px, box) for one in found)]
        dice, right, false = dice + len(real), right + len(hits), false + max(0, len(found) - len(hits))
    return (
        f"of {dice} dice in {len(places['view'])} drawn places {100 * right / dice:.2f} % found, {false} found wrongly"
    )


def _is_there(polygon_px: NDArray[np.float64], box: NDArray[np.float32]) -> bool:
    """Whether a found box and a die's share more than half of what they cover together."""
    (x0, y0), (x1, y1) = polygon_px[0], polygon_px[2]
    wide = min(x1, box[2]) - max(x0, box[0])
    high = min(y1, box[3]) - max(y0, box[1])
    if wide <= 0 or high <= 0:
        return False
    both = wide * high
    return bool(both / ((x1 - x0) * (y1 - y0) + (box[2] - box[0]) * (box[3] - box[1]) - both) > 0.5)


def main() -> None:
    """Train the dice finder and write its weights."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "catwalk" / "dice")
    parser.add_argument("--places", type=int, default=12_000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--without-dice", type=Path, help="folder of photographs that show none, as examples of that")
    parser.add_argument("--weights", type=Path, default=Path(__file__).parents[1] / "weights" / "dice")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    files = sorted(options.without_dice.rglob("*.jpg")) if options.without_dice else []
    others = [np.asarray(cv2.imread(str(path)), dtype=np.uint8) for path in files]
    places = drawn(options.folder, name="train", count=options.places, others=others)
    average = train(places, options.folder / "dice_finder.ckpt", epochs=options.epochs)
    network = FinderNetwork()
    network.load_state_dict(average.state)
    network.eval()
    save_network(network, (torch.zeros(1, 3, WINDOW, WINDOW),), options.weights / "finder.xml")
    seal(options.weights)
    print(report(DiceFinder(options.weights), drawn(options.folder, name="test", count=600, others=[])))


if __name__ == "__main__":
    main()
