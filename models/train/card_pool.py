"""Looks at cards that stay on a device, where the readers learn from them: drawn by processes, or made on the device.

Those that are made on the device are without end; each is learnt from about twice before a new one takes its place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from models.train.card_bank import Bank
from models.train.card_canvas import canvases
from models.train.card_cuts import Looks, looks
from models.train.card_makers import Made
from models.train.card_patches import Patches
from models.train.loop import vary

_SHIFT: Final = 0.02
_MIXED: Final = 0.25  # of the corners have another corner's right part beside their index
_RIGHT_OF_INDEX: Final = (28, 40)  # px of the corner's view


class Ring:
    """Looks on a device; once it is full, a new one takes the place of the oldest."""

    def __init__(self, capacity: int, *, device: str) -> None:
        self.capacity, self.device, self.count = capacity, device, 0
        self._looks: Looks = {}

    def add(self, some: Mapping[str, Any]) -> None:
        """Take up looks, tensors or arrays."""
        size = len(some["rank"])
        where = torch.arange(self.count, self.count + size, device=self.device) % self.capacity
        for name, rows in some.items():
            value = torch.as_tensor(rows).to(self.device)
            if name not in self._looks:
                shape = (self.capacity, *value.shape[1:])
                self._looks[name] = torch.empty(shape, dtype=value.dtype, device=self.device)
            self._looks[name][where] = value
        self.count += size

    @property
    def there(self) -> int:
        """How many looks it holds."""
        return min(self.count, self.capacity)

    def chosen(self, size: int) -> Looks:
        """Return so many of the looks, drawn by lot."""
        return self.at(torch.randint(0, self.there, (size,), device=self.device))

    def at(self, places: Tensor) -> Looks:
        """Return the looks at places."""
        return {name: value[places] for name, value in self._looks.items()}


class Sources:
    """Where looks come from: decks on the device, photographed cards, scenes that processes draw; and what measures."""

    def __init__(
        self, *, bank: Bank, photographs: Patches | None, drawn: int, rendered: int, held: int, photographed: float
    ) -> None:
        self.bank, self.photographs, self._photographed = bank, photographs, photographed
        self.drawn, self.rendered = Ring(drawn, device=bank.device), Ring(rendered, device=bank.device)
        self.held = Ring(held, device=bank.device)

    def take(self, things: Iterable[Made]) -> None:
        """Take up what makers have made; only so many of those that measure as there is room for."""
        for kind, thing in things:
            if kind == "deck":
                self.bank.add(thing)
            elif kind == "scenes":
                self.drawn.add(_numbers(thing))
            elif self.held.count < self.held.capacity:
                room = self.held.capacity - self.held.count
                self.held.add({name: value[:room] for name, value in _numbers(thing).items()})

    def render(self, size: int, chance: Random) -> None:
        """Make so many looks on the device, of decks or of photographed cards."""
        if self.photographs is not None and chance.random() < self._photographed:
            canvas = self.photographs.canvases(size, chance)
        else:
            canvas = canvases(self.bank, size, chance)
        self.rendered.add(looks(canvas))

    def batch(self, size: int, drawn_share: float) -> Looks:
        """Return looks to learn from; pictures are numbers with a fraction."""
        drawn = self.drawn.chosen(round(size * drawn_share)) if self.drawn.there else self.rendered.chosen(0)
        rendered = self.rendered.chosen(size - len(drawn["rank"]))
        whole = torch.cat([_varied(drawn["whole"]), rendered["whole"].float()])
        ends = [torch.cat([_varied(drawn["corners"][:, end]), rendered["corners"][:, end].float()]) for end in range(2)]
        told = {name: torch.cat([drawn[name], rendered[name]]) for name in ("rank", "suit", "long_px")}
        return told | {"whole": whole, "corners": beside_another(torch.cat(ends))}


def _numbers(thing: Mapping[str, Any]) -> dict[str, Any]:
    kinds: dict[str, Any] = {"rank": np.int64, "suit": np.int64, "long_px": np.float32}
    return {name: np.asarray(value, kinds.get(name, np.uint8)) for name, value in thing.items()}


def _varied(pictures: Tensor) -> Tensor:
    if not len(pictures):
        return pictures.float()
    seen: Tensor = vary(pictures, shift=_SHIFT)
    return seen


def beside_another(corners: Tensor) -> Tensor:
    """Return corners (n, h, w, 3), some of which are another one's from a little right of the index on."""
    many, wide = len(corners), corners.shape[2]
    others = corners[torch.randperm(many, device=corners.device)]
    first = torch.randint(*_RIGHT_OF_INDEX, (many, 1, 1, 1), device=corners.device)
    first = torch.where(torch.rand(many, 1, 1, 1, device=corners.device) < _MIXED, first, wide)
    columns = torch.arange(wide, device=corners.device).view(1, 1, wide, 1)
    return torch.where(columns >= first, others, corners)


def fill(
    sources: Sources, made: Callable[[], list[Made]], *, chunk: int, chance: Random, patience_s: float = 60.0
) -> None:
    """Wait until there is what to measure with, for so long at most, and make the first looks meanwhile.

    After that there need only be some: a maker may have failed.
    """
    began = time.perf_counter()
    while sources.rendered.there < 4 * chunk or not _enough(sources, time.perf_counter() - began > patience_s):
        sources.take(made())
        if sources.rendered.there < sources.rendered.capacity:
            sources.render(chunk, chance)


def _enough(sources: Sources, impatient: bool) -> bool:  # noqa: FBT001
    there = sources.held.there
    return there > 0 if impatient else there == sources.held.capacity
