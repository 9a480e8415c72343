"""Trains the card networks, chooses how their answers are combined, and writes the weights: one command.

``python -m models.train.card_reader`` makes the crops that are missing, then trains, calibrates and exports. It may
be stopped at any moment and goes on from its checkpoints. With a GPU it takes more crops and repetitions by default.
With ``--further FOLDER`` the networks begin with the weights that lie there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import openvino as ov
import torch
from numpy.typing import NDArray

from audit.cards import RANKS, SUITS
from models.card_fusion import NONE, Fusion, fuse
from models.card_networks import MANIFEST
from models.card_views import CORNER_WH, REFINE_BOX, REFINE_WH, WHOLE_WH
from models.train.card_crops import IGNORED, NONE_RANK, SHARD, shard_folder, write_shards
from models.train.card_nets import READER_OUTPUTS, REFINE_OUTPUTS, CardNet, reader_loss, refine_loss
from models.train.decks import Split
from models.train.loop import Crops, Plan, Shard, train
from models.train.shipped import take_over
from models.trained import CARD_WEIGHTS

VIEWS: Final = {"whole": WHOLE_WH, "corner": CORNER_WH, "refine": REFINE_WH}
"""Width and height of what each network looks at."""
_LOSSES: Final = {"whole": reader_loss, "corner": reader_loss, "refine": refine_loss}
CALIBRATION_SHARDS: Final = (4, 8)
"""The first shard of the calibration decks with which readings are combined, and the one after the last."""
_MAY_BE_WRONG: Final = 0.005  # of crops that are far harder than settled cards at a table
_SHIFT: Final = 0.025
_RATE, _RATE_FURTHER = 2.5e-3, 1.5e-3
_EXAMPLES: Final = 128
_LARGE_PX, _SMALL_PX = 75.0, 52.0  # lengths of cards
_EASY_UNTIL: Final = 0.15  # of the training
_MIXED: Final = 0.35
_RIGHT_OF_INDEX: Final = (28, 40)  # px of the corner's view
_STEPS: Final = (0.5, 0.2, 0.08, 0.03)


def _for_whole(shard: Shard, progress: float) -> Crops:
    keep = _worth_reading(shard, progress)
    return {"picture": shard["whole"][keep], "rank": shard["rank"][keep, 0], "suit": shard["suit"][keep, 0]}


def _for_corner(shard: Shard, progress: float) -> Crops:
    """Return both ends, one after the other, with one in three of the many hidden ones.

    Beside some indices lies what is printed on another card: a reader that goes by the middle of a card takes the ace
    of spades, on which many decks print an ornament there, for another one.
    """
    corners = shard["corners"]
    pictures = _beside_another(corners.reshape(-1, *corners.shape[2:]), np.random.default_rng(int(progress * 1e6)))
    rank, suit = shard["rank"][:, 1:].ravel(), shard["suit"][:, 1:].ravel()
    hidden = (rank == NONE_RANK) & (np.arange(len(rank)) % 3 != 0)
    keep = (rank != IGNORED) & ~hidden & np.repeat(_worth_reading(shard, progress), 2)
    return {"picture": pictures[keep], "rank": rank[keep], "suit": suit[keep]}


def _beside_another(pictures: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """Return corners (n, h, w, 3), some of which are another one's from a little right of the index on."""
    mixed = pictures.copy()
    rows = np.flatnonzero(rng.random(len(pictures)) < _MIXED)
    others = rng.integers(0, len(pictures), len(rows))
    for row, other, first in zip(rows, others, rng.integers(*_RIGHT_OF_INDEX, len(rows)), strict=True):
        mixed[row, :, first:] = pictures[other, :, first:]
    return mixed


def _worth_reading(shard: Shard, progress: float) -> NDArray[np.bool_]:
    """Return which crops a reader learns from: at first large ones only, later few of those hardly readable."""
    long_px = np.asarray(shard["long_px"], np.float32)
    if progress < _EASY_UNTIL:
        return np.asarray(long_px >= _LARGE_PX, np.bool_)
    return np.asarray((long_px >= _SMALL_PX) | (np.arange(len(long_px)) % 5 == 0), np.bool_)


def _for_refine(shard: Shard, progress: float) -> Crops:
    """Return the views for the corner network, every fifth as if the detector took the card's width for its length."""
    pictures, target = np.array(shard["refine"], np.uint8), np.array(shard["target"], np.float32)
    sideways = np.array(shard["sideways"], np.int64)
    for row in range(int(progress * 1000) % 5, len(pictures), 5):
        pictures[row], target[row] = laid_across(pictures[row], target[row])
        sideways[row] = 1 - sideways[row]
    return {"picture": pictures, "target": target, "sideways": sideways, "face": np.array(shard["face"], np.int64)}


def laid_across(
    picture: NDArray[np.uint8], target: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return a view turned clockwise by a quarter, its box stretched to the upright one, and its corners (8,)."""
    left, top, right, bottom = REFINE_BOX
    wide, tall, middle_x, middle_y = right - left, bottom - top, (left + right) / 2, (top + bottom) / 2
    x, y = -wide / tall, tall / wide
    turn = np.array([[0, x, middle_x - x * middle_y], [y, 0, middle_y - y * middle_x]], np.float32)
    view = cv2.warpAffine(picture, turn, REFINE_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    corners = np.roll(target.reshape(4, 2), shift=1, axis=0) @ turn[:, :2].T + turn[:, 2]
    return np.asarray(view, np.uint8), np.asarray(corners.ravel(), np.float32)


PREPARE: Final = {"whole": _for_whole, "corner": _for_corner, "refine": _for_refine}
"""What each network learns from, of a shard."""


def train_network(name: str, *, samples: int, checkpoints: Path, further: Path | None = None) -> CardNet:
    """Return one of the networks, trained; ``further`` is a folder of weights to begin with."""
    shift, rate = 0.0 if name == "refine" else _SHIFT, _RATE if further is None else _RATE_FURTHER
    plan = Plan(name=name, shards=shard_folder("train"), samples=samples, shift=shift, learning_rate=rate)
    network = _new(name) if further is None else with_weights(name, further)
    checkpoint = checkpoints / f"{name}.pt"
    trained: CardNet = train(plan, network, _LOSSES[name], prepare=PREPARE[name], checkpoint=checkpoint)
    return trained


def _new(name: str) -> CardNet:
    return CardNet(VIEWS[name], REFINE_OUTPUTS if name == "refine" else READER_OUTPUTS)


def with_weights(name: str, folder: Path) -> CardNet:
    """Return a network with the weights of exported files; its statistics are those of the calibration crops."""
    network, crops = _new(name), load_shards("calibration", *CALIBRATION_SHARDS)
    pictures = np.array(PREPARE[name](crops, 1.0)["picture"][: 8 * _EXAMPLES], np.uint8)
    examples = [(torch.from_numpy(part),) for part in np.split(pictures, len(pictures) // _EXAMPLES)]
    take_over(network, folder / f"{name}.xml", examples, converted=partial(_converted, name=name))
    return network


def _converted(network: Any, name: str) -> Any:
    width, height = VIEWS[name]
    example = torch.zeros(2, height, width, 3, dtype=torch.uint8)
    shape = ov.PartialShape([-1, height, width, 3])
    return ov.convert_model(network, example_input=example, input=[(shape, ov.Type.u8)])


def export(network: Any, name: str, folder: Path, *, file: str | None = None) -> None:
    """Write a network, under its name or another, as OpenVINO files that take (n, h, w, 3) BGR pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    ov.save_model(_converted(network, name), str(folder / f"{file or name}.xml"), compress_to_fp16=True)


def load_shards(split: Split, first: int, last: int) -> Crops:
    """Return the shards of a split from the first up to the last, joined."""
    shards = []
    for number in range(first, last):
        with np.load(shard_folder(split) / f"{number:04d}.npz") as shard:
            shards.append({key: shard[key] for key in shard.files})
    return {key: np.concatenate([shard[key] for shard in shards]) for key in shards[0]}


def both_ways(network: Any, pictures: NDArray[np.generic]) -> NDArray[np.float32]:
    """Return the outputs (n, 2, k) for upright pictures and for the same turned by half."""
    turned = np.ascontiguousarray(pictures[:, ::-1, ::-1])
    return np.stack([_outputs(network, pictures), _outputs(network, turned)], axis=1)


def _outputs(network: Any, pictures: NDArray[np.generic]) -> NDArray[np.float32]:
    with torch.no_grad():
        parts = [
            network(torch.from_numpy(np.array(pictures[i : i + 256]))).numpy() for i in range(0, len(pictures), 256)
        ]
    return np.concatenate(parts)


def looks(whole: Any, corner: Any, crops: Crops) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what the two readers say of crops: whole (n, 2, 18) and both ends (n, 2, 18)."""
    ends = [_outputs(corner, crops["corners"][:, end]) for end in range(2)]
    return both_ways(whole, crops["whole"]), np.stack(ends, axis=1)


def truth(crops: Crops) -> NDArray[np.int64]:
    """Return the true column of ``fuse`` for each crop, ``IGNORED`` where it is undecided."""
    rank, suit = crops["rank"][:, 0].astype(np.int64), crops["suit"][:, 0].astype(np.int64)
    card = np.where(rank == NONE_RANK, NONE, rank * len(SUITS) + suit)
    return np.where(rank == IGNORED, IGNORED, card)


def fit_fusion(whole: NDArray[np.float32], ends: NDArray[np.float32], true: NDArray[np.int64]) -> Fusion:
    """Return the weights under which the true readings are likeliest, by trying one weight after the other."""
    best, least = Fusion(), _surprise(fuse(whole, ends, Fusion()), true)
    for step in _STEPS:
        improved = True
        while improved:
            improved = False
            for changed in _neighbours(best, step):
                surprise = _surprise(fuse(whole, ends, changed), true)
                if surprise < least - 1e-6:
                    best, least, improved = changed, surprise, True
    return best


def _neighbours(fusion: Fusion, step: float) -> Sequence[Fusion]:
    weights, changed = asdict(fusion), []
    for key, value in weights.items():
        for sign in (-1, 1):
            if key == "trust":
                moved = 1 - (1 - value) * float(np.exp(sign * step * 2))
            elif key == "none_bias":
                moved = value + sign * step * 4
            elif key == "echo":
                moved = min(max(value + sign * step, 0.0), 1.0)
            else:
                moved = value * float(np.exp(sign * step))
            if key != "trust" or 0 < moved < 1:
                changed.append(Fusion(**(weights | {key: moved})))
    return changed


def _surprise(probabilities: NDArray[np.float64], true: NDArray[np.int64]) -> float:
    return float(-np.log(probabilities[np.arange(len(true)), true] + 1e-7).mean())


def choose_threshold(probabilities: NDArray[np.float64], true: NDArray[np.int64]) -> float:
    """Return the least threshold, 0.8 or more, at which at most one crop in 200 is misread."""
    best, sure = probabilities[:, :NONE].argmax(axis=1), probabilities[:, :NONE].max(axis=1)
    for threshold in np.arange(0.8, 0.999, 0.005):
        if ((sure >= threshold) & (best != true)).mean() <= _MAY_BE_WRONG:
            return round(float(threshold), 3)
    return 0.995


def calibrate(networks: Mapping[str, Any]) -> dict[str, Any]:
    """Return fusion and threshold, chosen on the calibration decks."""
    crops = load_shards("calibration", *CALIBRATION_SHARDS)
    whole, ends = looks(networks["whole"], networks["corner"], crops)
    true = truth(crops)
    known = (true != IGNORED) & (np.asarray(crops["long_px"], np.float32) >= _SMALL_PX)
    whole, ends, true = whole[known], ends[known], true[known]
    fusion = fit_fusion(whole, ends, true)
    probabilities = fuse(whole, ends, fusion)
    print(f"calibration: {_surprise(probabilities, true):.4f} nats, {fusion}")
    return {"fusion": asdict(fusion), "threshold": choose_threshold(probabilities, true)}


def write_manifest(folder: Path, chosen: dict[str, Any]) -> None:
    """Write the hashes of the weights and how the readings are combined."""
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.[xb]*"))}
    text = json.dumps(chosen | {"ranks": RANKS, "suits": SUITS, "sha256": hashes}, indent=1)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Make crops, train, calibrate, export."""
    gpu = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=1000 if gpu else 150, help=f"of {SHARD} crops")
    parser.add_argument(
        "--samples", type=int, default=8_000_000 if gpu else 500_000, help="a network, with repetitions"
    )
    parser.add_argument("--networks", nargs="*", default=["refine", "whole", "corner"], choices=sorted(VIEWS))
    parser.add_argument("--weights", type=Path, default=CARD_WEIGHTS)
    parser.add_argument("--further", type=Path, help="a folder of weights to begin with")
    options = parser.parse_args()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    write_shards("calibration", seed=1, first=CALIBRATION_SHARDS[0], last=CALIBRATION_SHARDS[1])
    write_shards("train", seed=1, first=0, last=options.shards)
    checkpoints = shard_folder("train").parent / "checkpoints"
    networks = {}
    for name in options.networks:
        networks[name] = train_network(name, samples=options.samples, checkpoints=checkpoints, further=options.further)
        export(networks[name], name, options.weights)
    write_manifest(options.weights, calibrate(networks))


if __name__ == "__main__":
    main()
