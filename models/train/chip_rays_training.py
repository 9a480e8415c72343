"""Trains the network for chips' sides with looks that the device draws itself, none of them twice; made for a GPU.

``python -m models.train.chip_rays_training --further --minutes 9 --makers 8 --out OUT``: the network begins with the
weights that are shipped, with the averaged ones of an earlier training (``--start-from FILE``: ``stack.pt`` or a
checkpoint) or, with ``--fresh``, knows nothing. Processes draw wagers and designs at the beginning, the device all the
rest (``models.train.stack_rays``). OUT gets a checkpoint, and ``stack.pt``. Interrupted, the same command goes on with
the minutes that are left. The same with ``--export`` writes to OUT what the chip reader loads, beside its other files
as shipped: the network that was learnt or, with ``--start-from`` and ``--way``, one a part of the way to it
(``--further`` leaves where it began in OUT's ``start.pt``).

A processor learns something in an hour or two with ``--batch 64 --takes 4 --rate 1e-4 --still``.
"""

from __future__ import annotations

import argparse
import copy
import json
import multiprocessing
import shutil
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from models.train.chip_losses import stack_loss
from models.train.chip_pool import sides
from models.train.chip_reader import Training
from models.train.chip_styles import FAMILIES, HELD_OUT_FAMILIES
from models.train.chip_variety import varied_sides
from models.train.loop import device, half_precision, warm_then_falling
from models.train.shipped import between
from models.train.stack_rays.designs import Numbers, designs
from models.train.stack_rays.looks import Looks
from models.train.stack_rays.wagers import Wagers, wagers
from models.trained import CHIP_WEIGHTS

_RATE: Final = 1.5e-3
_LAST_RATE: Final = 3e-6
_WARM_STEPS: Final = 200
_KEPT: Final = 0.998
_SAVE_S: Final = 45.0
_DRAWN_AT_ONCE: Final = 2048
_PARTS: Final = 16  # in which designs and wagers are drawn
_HELD_SEED: Final = 90_001
_EXAMPLES: Final = 6  # batches from which normalisations of shipped weights learn what they get
_EXAMPLE: Final = 64


def drawn_anew(number: int, makers: int, seed: int) -> tuple[Wagers, Numbers, Numbers]:
    """Return five wagers for each of so many designs, and the designs, drawn by so many processes."""
    part = -(-number // _PARTS)
    with multiprocessing.get_context("spawn").Pool(makers) as pool:
        tables = pool.starmap(wagers, [(seed * 1000 + k, 5 * part) for k in range(_PARTS)])
        styles = pool.starmap(_designs, [(seed * 1000 + k, part) for k in range(_PARTS)])
    felts, colours, counts = (
        np.concatenate([getattr(one, name) for one in tables]) for name in ("felts", "colours", "counts")
    )
    edges, faces = (np.concatenate(some) for some in zip(*styles, strict=True))
    return Wagers(felts, colours, counts), edges, faces


def _designs(seed: int, number: int) -> tuple[Numbers, Numbers]:
    return designs(seed, number, families=FAMILIES)


def held_out(number: int, where: str) -> dict[str, Tensor]:
    """Return looks that only measure, at chips of families of edge spots that nothing learns from."""
    made = designs(_HELD_SEED, 200, families=HELD_OUT_FAMILIES, free=0.0)
    source = Looks(wagers(_HELD_SEED, 2000), *made, device=where, seed=_HELD_SEED)
    return next(source.batches(number, at_once=min(number, 256)))


def begun(options: argparse.Namespace, source: Looks, where: str) -> Training:
    """Return the network in training: as OUT's checkpoint has it, or at its beginning."""
    rate = options.rate
    training = Training.fresh("stack", where, rate=rate)
    if options.further:
        some = [next(source.batches(_EXAMPLE, at_once=_EXAMPLE)) for _ in range(_EXAMPLES)]
        examples = [(sides(looks).float().cpu(), looks["facts"].float().cpu()) for looks in some]
        training = Training.further("stack", CHIP_WEIGHTS, examples, where, rate=rate)
    if options.start_from:
        training.network.load_state_dict(_stored(options.start_from, where))
        training.average.state = {key: value.clone() for key, value in training.network.state_dict().items()}
    training.average.keep = _KEPT
    if (checkpoint := options.out / "stack.ckpt").exists():
        training.load(checkpoint, where)
    elif options.further:
        options.out.mkdir(parents=True, exist_ok=True)
        torch.save(training.network.state_dict(), options.out / "start.pt")
    return training


def _steps_before(folder: Path) -> int:
    """How far an interrupted run had come: its looks do not come again."""
    checkpoint = folder / "stack.ckpt"
    return int(torch.load(checkpoint, weights_only=True, map_location="cpu")["step"]) if checkpoint.exists() else 0


def train(training: Training, source: Looks, held: dict[str, Tensor], *, options: argparse.Namespace) -> None:
    """Learn until the minutes are spent, those before an interruption included; save and report meanwhile."""
    last = saved = time.perf_counter()
    seconds, losses = options.minutes * 60, torch.zeros(3, device=held["labels"].device)
    for looks in source.batches(options.batch, at_once=min(2 * options.batch, _DRAWN_AT_ONCE)):
        share = training.seconds / seconds
        if share >= 1:
            break
        _learning(training.network, still=options.still)
        for _ in range(options.passes):
            loss, said = _loss(training.network, looks, varied_sides(sides(looks)))
            training.learn(loss, _rate(training, share))
            losses += torch.tensor([said["place"], said["colour"], 1.0], device=losses.device)
        now = time.perf_counter()
        training.seconds, last = training.seconds + now - last, now
        if now - saved > _SAVE_S or training.seconds >= seconds:
            saved = now
            _save(training, options.out)
            print(json.dumps(_report(training, losses.tolist(), held)), flush=True)
            losses.zero_()


def _learning(network: Any, *, still: bool) -> None:
    network.train()
    for part in network.modules():
        if still and isinstance(part, nn.modules.batchnorm._BatchNorm):  # noqa: SLF001 - no public name for all kinds
            part.eval()


def _loss(network: Any, looks: dict[str, Tensor], seen: Tensor) -> tuple[Tensor, dict[str, float]]:
    with half_precision(seen.device.type):
        evidence = network(seen, looks["facts"].float())
    return stack_loss(evidence.float(), looks)


def _rate(training: Training, share: float) -> float:
    return warm_then_falling(training.rate, step=training.step, share=share, warm_steps=_WARM_STEPS, last=_LAST_RATE)


def _report(training: Training, losses: list[float], held: dict[str, Tensor]) -> dict[str, float]:
    """What was spent, the mean losses since the last report (place, colour; number of steps), and those held out."""
    place, colour, steps = losses
    told = {"minutes": training.seconds / 60, "steps": training.step, "place": place / steps, "colour": colour / steps}
    return {name: round(value, 3) for name, value in (told | _measured(training, held)).items()}


@torch.no_grad()  # type: ignore[untyped-decorator]
def _measured(training: Training, held: dict[str, Tensor]) -> dict[str, float]:
    """The losses of the averaged weights on looks that only measure."""
    network = copy.deepcopy(training.network)
    network.load_state_dict(training.average.state)
    network.eval()
    losses: dict[str, list[float]] = {"held place": [], "held colour": []}
    for numbers in torch.arange(len(held["labels"]), device=held["labels"].device).split(256):
        looks = {name: value[numbers] for name, value in held.items()}
        said = _loss(network, looks, sides(looks).float().contiguous(memory_format=torch.channels_last))[1]
        for name, value in said.items():
            losses[f"held {name}"].append(value)
    return {name: float(np.mean(values)) for name, values in losses.items()}


def _save(training: Training, folder: Path) -> None:
    training.save(folder / "stack.ckpt")
    torch.save(training.average.state, folder / "stack.part")
    (folder / "stack.part").rename(folder / "stack.pt")


def _stored(file: Path, where: str) -> dict[str, Tensor]:
    """Averaged weights, as they are or in a checkpoint."""
    state: dict[str, Any] = torch.load(file, map_location=where, weights_only=True)
    average: dict[str, Tensor] = state.get("average", state)
    return average


def ship(folder: Path, start_from: Path | None, way: float) -> None:
    """Write all files of the chip reader to a folder: a part of the way to its ``stack.pt``, the rest as shipped."""
    from models.train.chip_export import export  # noqa: PLC0415 - not needed where it is trained

    for name in ("calibration.json", "top.xml", "top.bin"):
        shutil.copy(CHIP_WEIGHTS / name, folder)
    learnt = _stored(folder / "stack.pt", "cpu")
    if start_from is not None and way < 1:
        begun = Training.fresh("stack", "cpu").network
        begun.load_state_dict(_stored(start_from, "cpu"))
        learnt = between(begun.state_dict(), learnt, way)
    export({"stack": learnt}, folder)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--further", action="store_true", help="begin with the network as shipped")
    what.add_argument("--start-from", type=Path, help="averaged weights of an earlier training")
    what.add_argument("--fresh", action="store_true", help="begin with a network that knows nothing")
    parser.add_argument("--export", action="store_true", help="write what the chip reader loads, and end")
    parser.add_argument("--way", type=float, default=1.0, help="how far to go from the beginning (0 to 1)")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--makers", type=int, default=8, help="processes that draw wagers and designs")
    parser.add_argument("--designs", type=int, default=20_000)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--passes", type=int, default=1, help="how often a batch is learnt from, each time varied anew")
    parser.add_argument("--takes", type=int, default=1, help="pictures of what is painted once")
    parser.add_argument("--rate", type=float, default=_RATE, help="how fast it learns at most")
    parser.add_argument("--still", action="store_true", help="leave normalisations as they are, for small batches")
    parser.add_argument("--held", type=int, default=2000, help="looks that only measure")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other looks")
    parser.add_argument("--out", type=Path, required=True, help="folder for the checkpoint and stack.pt")
    options = parser.parse_args()
    if options.minutes <= 0 or min(_counts(options)) < 1:
        parser.error(
            "expected minutes above 0; makers, designs, looks of a batch, passes, takes and looks held out from 1 on"
        )
    return options


def _counts(options: argparse.Namespace) -> tuple[int, ...]:
    return options.makers, options.designs, options.batch, options.passes, options.takes, options.held


def main() -> None:
    """Draw, train; or export."""
    options = _options()
    if options.export:
        ship(options.out, options.start_from, options.way)
        return
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    where: str = device().type
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    seed = options.seed + _steps_before(options.out)
    made = drawn_anew(options.designs, options.makers, seed)
    source = Looks(*made, device=where, seed=seed, takes=options.takes)
    training = begun(options, source, where)
    held = held_out(options.held, where)
    print(json.dumps({"prepared s": round(time.perf_counter() - began, 1), "designs": len(made[1])}), flush=True)
    train(training, source, held, options=options)


if __name__ == "__main__":
    main()
