"""Trains the networks for chips from a pool of looks that processes draw meanwhile; made for a GPU.

``OMP_NUM_THREADS=1 python -m models.train.chip_pool_training --further --minutes 9 --makers 8 --photographs FOLDER
--out OUT``: the network for sides begins as it is shipped (``--further``) or knows nothing (``--fresh``); that for
uppermost faces knows nothing, and learns from labelled photographs (as ``models.train.chip_photographs`` has them)
among the looks. OUT gets all files of the chip reader, the calibration as it is shipped. Interrupted, the same command
goes on with the minutes that are left, and with new looks. With ``--fold`` 0 or 1 half of the photographs are kept out,
so that they can measure. ``models.train.chip_reader`` trains the same networks from shards, on a processor.
"""

from __future__ import annotations

import argparse
import copy
import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor

from models.train.chip_export import export
from models.train.chip_losses import stack_loss, uppermost
from models.train.chip_pool import NAMES, makers, sides
from models.train.chip_reader import Training
from models.train.chip_shards import Arrays
from models.train.chip_tops import faces_loss, photographed
from models.train.chip_variety import varied_sides, varied_tops
from models.train.loop import device, half_precision, warm_then_falling
from models.train.pool import Looks, Pool, Scale
from models.trained import CHIP_WEIGHTS

Faces = tuple[Tensor, Tensor]
"""Photographed top views (n, TOP_PX, TOP_PX, 3) of 8 bits, and the numbers (n,) of their colours."""

_RATE_FURTHER: Final = 1.2e-3
_RATE_FRESH: Final = 2.5e-3
_LAST_RATE: Final = 5e-6
_WARM_STEPS: Final = 300
_KEPT: Final = 0.999  # of the running mean of weights
_EXAMPLES: Final = 6  # batches from which normalisations of shipped weights learn what they get
_EXAMPLE: Final = 64
_FACES_EVERY: Final = 2  # steps of the network for sides
_PHOTOGRAPHED: Final = 4  # one photographed view comes with so many looks
_LOOKS_AT_PHOTOGRAPHS: Final = 16
_SAVE_S: Final = 45.0
_PARTS: Final = ("stack", "top")


_GPU: Final = Scale(batch=1024, capacity=400_000, held=4000, first=8000)
_CPU: Final = Scale(batch=64, capacity=20_000, held=200, first=600)


def fill(pool: Pool, made: Callable[[], list[Arrays]], first: int) -> None:
    """Wait until the pool has so many looks; ``made`` returns the packs made since it was last called."""
    while pool.count < first:
        for pack in made():
            pool.add(pack)
        time.sleep(0.1)


def begun(pool: Pool, folder: Path, *, further: bool) -> dict[str, Training]:
    """Return the two networks in training: as the folder's checkpoints have them, or at their beginning."""
    parts = {part: Training.fresh(part, pool.device, rate=_RATE_FRESH) for part in _PARTS}
    if further:
        looks = [pool.chosen(_EXAMPLE) for _ in range(_EXAMPLES)]
        examples = [(sides(some).float().cpu(), some["facts"].float().cpu()) for some in looks]
        parts["stack"] = Training.further("stack", CHIP_WEIGHTS, examples, pool.device, rate=_RATE_FURTHER)
    for part, training in parts.items():
        training.average.keep = _KEPT
        if (checkpoint := _checkpoint(folder, part)).exists():
            training.load(checkpoint, pool.device)
    return parts


def train(
    pool: Pool,
    made: Callable[[], list[Arrays]],
    parts: dict[str, Training],
    faces: Faces | None,
    *,
    folder: Path,
    seconds: float,
    batch: int,
) -> None:
    """Learn until so many seconds are spent, those before an interruption included; save and report meanwhile."""
    stack, top = parts["stack"], parts["top"]
    last = saved = time.perf_counter()
    while stack.seconds < seconds:
        for pack in made():
            pool.add(pack)
        share, looks = stack.seconds / seconds, pool.chosen(batch)
        stack.network.train()
        stack.learn(_sides_loss(stack, looks, varied_sides(sides(looks)))[0], _rate(stack, share))
        if stack.step % _FACES_EVERY == 0:
            top.network.train()
            top.learn(faces_loss(top.network, _faces(looks, faces)), _rate(top, share))
        now = time.perf_counter()
        stack.seconds, last = stack.seconds + now - last, now
        if now - saved > _SAVE_S or stack.seconds >= seconds:
            saved = now
            _save(parts, folder)
            print(json.dumps(_report(pool, parts, batch)), flush=True)


def _rate(training: Training, share: float) -> float:
    return warm_then_falling(training.rate, step=training.step, share=share, warm_steps=_WARM_STEPS, last=_LAST_RATE)


def _sides_loss(training: Training, looks: Looks, seen: Tensor) -> tuple[Tensor, dict[str, float]]:
    with half_precision(seen.device.type):
        evidence = training.network(seen, looks["facts"].float())
    return stack_loss(evidence.float(), looks)


def _faces(looks: Looks, faces: Faces | None) -> dict[str, Tensor]:
    """A batch for the network for faces: the looks' top views, then photographed ones."""
    tops, colours = looks["top"], uppermost(looks["labels"])
    if faces is not None:
        some = torch.randint(0, len(faces[0]), (len(tops) // _PHOTOGRAPHED,), device=tops.device)
        tops, colours = torch.cat([tops, faces[0][some]]), torch.cat([colours, faces[1][some]])
    return {"top": varied_tops(tops.permute(0, 3, 1, 2)), "colour": colours, "flatness": looks["flatness"]}


def _report(pool: Pool, parts: dict[str, Training], batch: int) -> dict[str, float]:
    """What was spent, and the loss of the averaged weights on looks that only measure."""
    stack = parts["stack"]
    told: dict[str, float] = {"minutes": stack.seconds / 60, "looks": pool.count, "steps": stack.step}
    return {name: round(value, 3) for name, value in (told | _held_out(pool, parts, batch)).items()}


@torch.no_grad()  # type: ignore[untyped-decorator]
def _held_out(pool: Pool, parts: dict[str, Training], batch: int) -> dict[str, float]:
    resting = {part: _resting(training) for part, training in parts.items()}
    losses: dict[str, list[float]] = {"place": [], "colour": [], "face": []}
    for looks in pool.held_out(batch):
        seen = sides(looks).float().contiguous(memory_format=torch.channels_last)
        said = _sides_loss(resting["stack"], looks, seen)[1]
        tops = {"top": looks["top"].permute(0, 3, 1, 2).float(), "colour": uppermost(looks["labels"])}
        face = faces_loss(resting["top"].network, tops | {"flatness": looks["flatness"]})
        for name, value in (said | {"face": float(face)}).items():
            losses[name].append(value)
    return {name: float(np.mean(values)) for name, values in losses.items()}


def _resting(training: Training) -> Training:
    """The network with its averaged weights, as it would be used."""
    network = copy.deepcopy(training.network)
    network.load_state_dict(training.average.state)
    return Training(part=training.part, network=network.eval(), average=training.average, optimiser=None)


def _checkpoint(folder: Path, part: str) -> Path:
    return folder / f"{part}.ckpt"


def _save(parts: dict[str, Training], folder: Path) -> None:
    for part, training in parts.items():
        training.save(_checkpoint(folder, part))


def _steps_before(folder: Path) -> int:
    """How far an interrupted run had come: its looks do not come again."""
    checkpoint = _checkpoint(folder, "stack")
    return int(torch.load(checkpoint, weights_only=True, map_location="cpu")["step"]) if checkpoint.exists() else 0


def ship(parts: dict[str, Training], folder: Path) -> None:
    """Write all files of the chip reader: the averaged weights, and the calibration as it is shipped."""
    shutil.copy(CHIP_WEIGHTS / "calibration.json", folder)
    export({part: training.average.state for part, training in parts.items()}, folder)


def _photographed(folder: Path, fold: int | None, where: str) -> Faces:
    views, colours = photographed(folder, fold, times=_LOOKS_AT_PHOTOGRAPHS)
    return torch.from_numpy(views).to(where), torch.from_numpy(colours).to(where)


def _refused(options: argparse.Namespace) -> str | None:
    """Say what is wrong with the options, if anything."""
    if options.minutes <= 0 or options.makers < 1:
        return f"expected minutes above 0 and a maker or more, found {options.minutes:g} and {options.makers}"
    if options.photographs and not (options.photographs / "boxes.csv").is_file():
        return f"{options.photographs}: expected labelled photographs with boxes.csv, found none"
    if options.fold is not None and not options.photographs:
        return "expected --photographs beside --fold, found none"
    if options.out.resolve() == CHIP_WEIGHTS.resolve():
        return f"{options.out}: expected another folder than that of the shipped weights, with which it begins"
    return None


def main() -> None:
    """Draw, train, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beginning = parser.add_mutually_exclusive_group(required=True)
    beginning.add_argument("--further", action="store_true", help="begin with the network for sides as shipped")
    beginning.add_argument("--fresh", action="store_true", help="begin with one that knows nothing")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--makers", type=int, default=8, help="processes that draw looks")
    parser.add_argument("--photographs", type=Path, help="folder of labelled photographs")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="keep this half of the photographs out")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints and all files of the reader")
    options = parser.parse_args()
    if wrong := _refused(options):
        parser.error(wrong)
    cv2.setNumThreads(1)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    where: str = device().type
    scale = _GPU if where == "cuda" else _CPU
    options.out.mkdir(parents=True, exist_ok=True)
    faces = _photographed(options.photographs, options.fold, where) if options.photographs else None
    pool = Pool(scale.capacity, held=scale.held, device=where, names=NAMES)
    with makers(options.makers, seed=(777, _steps_before(options.out))) as made:
        fill(pool, made, scale.first)
        parts = begun(pool, options.out, further=options.further)
        train(pool, made, parts, faces, folder=options.out, seconds=options.minutes * 60, batch=scale.batch)
    ship(parts, options.out)


if __name__ == "__main__":
    main()
