"""Trains the two card readers, larger ones, from looks made on the device and drawn by processes; made for a GPU.

``OMP_NUM_THREADS=1 python -m models.train.card_pool_training --decks FILE --held FILE --fonts FOLDER --photographs FILE
--minutes 9 --makers 12 --out OUT``: FILEs are those of ``models.train.deck_packs`` and ``models.train.card_patches``.
OUT gets the averaged weights of both readers (``whole.pt``, ``corner.pt``) and ``log.jsonl``; with them
``models.train.card_pool_export`` goes on. Interrupted, the same command goes on from ``--state`` with the minutes that
are left, and with new looks.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import Tensor

from models.card_fusion import Fusion, fuse
from models.card_views import CORNER_WH, WHOLE_WH
from models.train.card_bank import Bank, faces_of
from models.train.card_crops import IGNORED
from models.train.card_makers import Made, makers
from models.train.card_makers import Sources as Files
from models.train.card_nets import ReaderNet, weighted_reader_loss
from models.train.card_patches import Patches
from models.train.card_patches import unpack as unpack_patches
from models.train.card_pool import Sources, fill
from models.train.chip_network import Averaged
from models.train.deck_packs import unpack
from models.train.loop import device, half_precision, warm_then_falling

READERS: Final = {"whole": WHOLE_WH, "corner": CORNER_WH}
_RATE: Final = 3e-3
_LAST_RATE: Final = 2e-6
_WARM_STEPS: Final = 400
_KEPT: Final = 0.9975  # of the running mean of weights
_AVERAGED_EVERY: Final = 4  # steps
_DECAY: Final = 0.02
_DRAWN_SHARE: Final = 0.3  # of a batch
_PHOTOGRAPHED: Final = 0.09  # of what is made on the device
_EASY_UNTIL: Final = 0.06  # of the time
_SMALL_PX, _MIDDLE_PX, _SHARP_PX = 36.0, 50.0, 70.0
_SAVE_S: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much a machine takes: looks at a step, made at once, kept of either kind, only to measure; and decks."""

    batch: int
    chunk: int
    rendered: int
    drawn: int
    held: int
    decks: int


_GPU: Final = Scale(batch=1280, chunk=640, rendered=60_000, drawn=150_000, held=2000, decks=600)
_CPU: Final = Scale(batch=48, chunk=24, rendered=600, drawn=3000, held=100, decks=40)


@dataclass(slots=True)
class Readers:
    """Both readers in training."""

    networks: dict[str, Any]
    averages: dict[str, Averaged]
    optimiser: Any
    step: int = 0
    seconds: float = 0.0
    log: list[dict[str, float]] = field(default_factory=list)

    @classmethod
    def fresh(cls, where: str) -> Readers:
        """Return readers that know nothing."""
        networks = {
            name: ReaderNet(size).to(where, memory_format=torch.channels_last) for name, size in READERS.items()
        }
        averages = {name: Averaged(network, _KEPT) for name, network in networks.items()}
        weights = [weight for network in networks.values() for weight in network.parameters()]
        optimiser = torch.optim.AdamW(weights, lr=_RATE, weight_decay=_DECAY)
        return cls(networks=networks, averages=averages, optimiser=optimiser)

    def learn(self, batch: dict[str, Tensor], share: float) -> None:
        """Take one step, so much of the time being over."""
        losses = []
        for name, network in self.networks.items():
            network.train()
            with half_precision(batch["rank"].device.type):
                output = network(batch["whole" if name == "whole" else "corners"])
            losses.append(_loss(name, output.float(), batch, share))
        self.optimiser.zero_grad(set_to_none=True)
        torch.stack(losses).sum().backward()
        for network in self.networks.values():
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        for group in self.optimiser.param_groups:
            group["lr"] = _rate(self.step, share)
        self.optimiser.step()
        if self.step % _AVERAGED_EVERY == 0:
            for name, network in self.networks.items():
                self.averages[name].follow(network, self.step // _AVERAGED_EVERY)
        self.step += 1

    def resting(self, name: str) -> Any:
        """Return a reader with its averaged weights, as it would be used."""
        network = ReaderNet(READERS[name]).to(self.networks[name].pooled.weight.device)
        network.load_state_dict(self.averages[name].state)
        return network.eval()

    def save(self, out: Path, state: Path) -> None:
        """Write the averaged weights, and what is needed to go on."""
        for name, average in self.averages.items():
            _write({key: value.cpu() for key, value in average.state.items()}, out / f"{name}.pt")
            parts = {"network": self.networks[name].state_dict(), "average": average.state}
            _write(parts, state / f"{name}.ckpt")
        told = {"optimiser": self.optimiser.state_dict(), "step": self.step, "seconds": self.seconds}
        _write(told, state / "progress.ckpt")

    def load(self, out: Path, state: Path, where: str) -> None:
        """Go on from what ``save`` wrote, if it did."""
        if not (state / "progress.ckpt").exists():
            return
        for name, network in self.networks.items():
            parts = torch.load(state / f"{name}.ckpt", map_location=where, weights_only=True)
            network.load_state_dict(parts["network"])
            self.averages[name].state = parts["average"]
        told = torch.load(state / "progress.ckpt", map_location=where, weights_only=True)
        self.optimiser.load_state_dict(told["optimiser"])
        self.step, self.seconds = told["step"], told["seconds"]
        if (log := out / "log.jsonl").exists():
            self.log = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def _write(parts: dict[str, Any], path: Path) -> None:
    part = path.with_suffix(".part")
    torch.save(parts, part)
    part.replace(path)


def _rate(step: int, share: float) -> float:
    return warm_then_falling(_RATE, step=step, share=share, warm_steps=_WARM_STEPS, last=_LAST_RATE)


def _loss(name: str, output: Tensor, batch: dict[str, Tensor], share: float) -> Tensor:
    long_px = batch["long_px"]
    weight = torch.where(long_px < _SMALL_PX, 0.3, torch.where(long_px < _MIDDLE_PX, 0.7, 1.0))
    if share < _EASY_UNTIL:
        weight = weight * (long_px >= _SHARP_PX - 10)
    suit_weight = weight * torch.where(long_px >= _SHARP_PX, 1.6, 1.0)
    columns = slice(0, 1) if name == "whole" else slice(1, 3)
    rank, suit = (batch[key][:, columns].T.reshape(-1) for key in ("rank", "suit"))
    ends = len(rank) // len(weight)
    return weighted_reader_loss(
        output, rank, suit, weight=weight.repeat(ends), suit_weight=suit_weight.repeat(ends), hidden=1 / (2 * ends - 1)
    )


def train(
    readers: Readers,
    sources: Sources,
    made: Callable[[], list[Made]],
    *,
    out: Path,
    state: Path,
    seconds: float,
    scale: Scale,
) -> None:
    """Learn until so many seconds are spent, those before an interruption included; save and report meanwhile."""
    chance = Random(readers.step)
    last = saved = time.perf_counter()
    while readers.seconds < seconds:
        sources.take(made())
        sources.render(scale.chunk, chance)
        readers.learn(sources.batch(scale.batch, _DRAWN_SHARE), readers.seconds / seconds)
        if readers.step % 8 == 0 and sources.bank.device != "cpu":
            torch.cuda.synchronize()
        now = time.perf_counter()
        readers.seconds, last = readers.seconds + now - last, now
        if now - saved > _SAVE_S or readers.seconds >= seconds:
            saved = now
            readers.save(out, state)
            readers.log.append(report(readers, sources))
            print(json.dumps(readers.log[-1]), flush=True)
            (out / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in readers.log), encoding="utf-8")


@torch.no_grad()  # type: ignore[untyped-decorator]
def report(readers: Readers, sources: Sources) -> dict[str, float]:
    """Return what was spent, and how the averaged weights read the decks that only measure."""
    told: dict[str, float] = {"minutes": readers.seconds / 60, "steps": readers.step, "decks": sources.bank.count}
    told |= {"rendered": sources.rendered.count, "drawn": sources.drawn.count}
    held = sources.held.at(torch.arange(sources.held.there, device=sources.held.device))
    whole, corner = readers.resting("whole"), readers.resting("corner")
    ways = [_said(whole, pictures) for pictures in (held["whole"], held["whole"].flip(1, 2))]
    ends = [_said(corner, held["corners"][:, end]) for end in range(2)]
    told |= _shares(ways[0], held, "whole", 0) | _shares(ends[0], held, "corner", 1)
    fused = fuse(np.stack(ways, axis=1), np.stack(ends, axis=1), Fusion(whole=0.7, index=0.7, trust=0.8))
    rank, suit = (held[key][:, 0].cpu().numpy() for key in ("rank", "suit"))
    sharp = (held["long_px"].cpu().numpy() >= _SHARP_PX) & (suit != IGNORED)
    right = fused[:, :-1].argmax(axis=1) == rank * 4 + suit
    told |= {"read_sharp": float(right[sharp].mean()), "read": float(right[suit != IGNORED].mean())}
    return {name: round(value, 4) for name, value in told.items()}


def _said(network: Any, pictures: Tensor) -> Any:
    return torch.cat([network(part) for part in pictures.split(512)]).float().cpu().numpy()


def _shares(said: Any, held: dict[str, Tensor], name: str, column: int) -> dict[str, float]:
    """Loss, and which shares of ranks and suits of sharp cards are right."""
    rank, suit = (held[key][:, column].cpu() for key in ("rank", "suit"))
    long_px = held["long_px"].cpu()
    one = torch.ones(len(rank))
    loss = weighted_reader_loss(torch.from_numpy(said), rank, suit, weight=one, suit_weight=one, hidden=1.0)
    sharp = (long_px >= _SHARP_PX) & (suit != IGNORED)
    right_rank = torch.from_numpy(said[:, :14].argmax(axis=1)) == rank
    right_suit = torch.from_numpy(said[:, 14:].argmax(axis=1)) == suit
    shares = {"rank": right_rank[sharp].float().mean(), "suit": right_suit[sharp].float().mean()}
    return {f"{name}_loss": float(loss)} | {f"{name}_{key}": float(value) for key, value in shares.items()}


def _sources(options: argparse.Namespace, scale: Scale, where: str) -> Sources:
    decks = unpack(options.decks)
    bank = Bank(len(decks) + scale.decks, kept=len(decks), device=where)
    for deck in decks:
        bank.add(faces_of(deck))
    photographs = Patches(unpack_patches(options.photographs), device=where) if options.photographs else None
    return Sources(
        bank=bank,
        photographs=photographs,
        drawn=scale.drawn,
        rendered=scale.rendered,
        held=scale.held,
        photographed=_PHOTOGRAPHED,
    )


def _refused(options: argparse.Namespace) -> str | None:
    """Say what is wrong with the options, if anything."""
    if options.minutes <= 0 or options.makers < 1:
        return f"expected minutes above 0 and a maker or more, found {options.minutes:g} and {options.makers}"
    if options.chunk is not None and options.chunk < 1:
        return f"expected a look or more at once, found {options.chunk}"
    for path in (options.decks, options.held, options.photographs):
        if path is not None and not path.is_file():
            return f"{path}: expected a packed file, found none"
    return None


def main() -> None:
    """Draw, train, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decks", type=Path, required=True, help="packed decks to learn from")
    parser.add_argument("--held", type=Path, required=True, help="packed decks that only measure")
    parser.add_argument("--fonts", type=Path, help="folder of fonts for decks without end")
    parser.add_argument("--photographs", type=Path, help="packed photographed cards")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--makers", type=int, default=8, help="processes that draw")
    parser.add_argument("--chunk", type=int, help="looks made at once on the device, fewer where its memory is short")
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights and the log")
    parser.add_argument("--state", type=Path, help="folder for what is needed to go on; OUT by default")
    options = parser.parse_args()
    if wrong := _refused(options):
        parser.error(wrong)
    cv2.setNumThreads(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    where: str = device().type
    scale, state = _GPU if where == "cuda" else _CPU, options.state or options.out
    scale = scale if options.chunk is None else replace(scale, chunk=options.chunk)
    for folder in (options.out, state):
        folder.mkdir(parents=True, exist_ok=True)
    files = Files(train=options.decks, held=options.held, fonts=options.fonts)
    readers = Readers.fresh(where)
    readers.load(options.out, state, where)
    torch.manual_seed(778 + readers.step)
    with makers(options.makers, files, seed=(778, readers.step), held=scale.held) as drawn:
        sources = _sources(options, scale, where)
        fill(sources, drawn, chunk=scale.chunk, chance=Random(readers.step + 1))
        train(readers, sources, drawn, out=options.out, state=state, seconds=options.minutes * 60, scale=scale)


if __name__ == "__main__":
    main()
