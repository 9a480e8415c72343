"""Pictures that processes draw and that stay on the device, where networks learn from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

Looks = dict[str, Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How many looks a machine takes: at a step, in its memory, only to measure, and before the first step."""

    batch: int
    capacity: int
    held: int
    first: int


class Pool:
    """Looks on a device; once it is full, a new one takes the place of the oldest.

    The first ``held`` stay, and only measure.
    """

    def __init__(self, capacity: int, *, held: int, device: str, names: Sequence[str]) -> None:
        self.capacity, self.held, self.device = capacity, held, device
        self._names = tuple(names)
        self.count = 0
        """How many looks it has been given."""
        self._looks: Looks = {}

    def add(self, pack: Mapping[str, NDArray[Any]]) -> None:
        """Take up a pack: arrays (n, …) of these names, others are left out."""
        size = len(pack[self._names[0]])
        where = self._places(torch.arange(self.count, self.count + size, device=self.device))
        for name in self._names:
            value = torch.from_numpy(pack[name]).to(self.device)
            if name not in self._looks:
                shape = (self.capacity, *value.shape[1:])
                self._looks[name] = torch.empty(shape, dtype=value.dtype, device=self.device)
            self._looks[name][where] = value
        self.count += size

    def chosen(self, size: int) -> Looks:
        """Return looks to learn from: half of them of the newest quarter, half of all."""
        there = min(self.count, self.capacity) - self.held
        newest = torch.randint(1, max(1, there // 4) + 1, (size // 2,), device=self.device)
        any_ones = torch.randint(1, there + 1, (size - size // 2,), device=self.device)
        return self._at(self._places(self.count - torch.cat([newest, any_ones])))

    def held_out(self, size: int) -> Iterator[Looks]:
        """Yield the looks that only measure, ``size`` at a time."""
        for places in torch.arange(self.held, device=self.device).split(size):
            yield self._at(places)

    def _places(self, numbers: Tensor) -> Tensor:
        """Where the looks of these numbers, in the order in which they came, are kept."""
        return torch.where(
            numbers < self.capacity, numbers, self.held + (numbers - self.held) % (self.capacity - self.held)
        )

    def _at(self, places: Tensor) -> Looks:
        return {name: value[places] for name, value in self._looks.items()}
