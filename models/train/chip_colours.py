"""Fit the small network that tells chips' colours, on the middles of the chips that the shape network found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.chip_decode import places, stack_chances
from models.train.chip_network import EvidenceNetwork, layers


def fit_colours(network: EvidenceNetwork, shards: Iterable[dict[str, Any]], *, steps: int = 2500) -> float:
    """Replace the network's colour part by one fitted to all chips of the shards; return its last loss."""
    found = [_chips(network, one) for one in shards]
    values, truth = (torch.cat([part[k] for part in found]) for k in (0, 1))
    torch.manual_seed(3)
    colour = layers(values, 192, 96, network.colour[-1].out_features)
    optimiser = torch.optim.AdamW(colour.parameters(), lr=4e-3, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=steps)
    loss = torch.zeros(())
    for _ in range(steps):
        some = torch.randint(len(values), (1024,))
        loss = functional.cross_entropy(colour(values[some]), truth[some])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    network.colour = colour
    return float(loss.detach())


def _chips(network: EvidenceNetwork, crops: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """Measurements and classes of the chips, each stack's chips where the true number stands best."""
    with torch.no_grad():
        shape = network.shape(torch.from_numpy(crops["shape"])).numpy().astype(np.float64)
    values, classes = [], []
    for index, row in enumerate(crops["labels"]):
        count = int((row > 0).sum())
        if not count:
            continue
        chances = stack_chances(shape[index], calibrated=bool(crops["calibrated"][index]))[..., count]
        pitch, foot = np.unravel_index(int(chances.argmax()), chances.shape)
        values.append(crops["colour"][index][places().middles[pitch, foot, :count]])
        classes.append(row[:count] - 1)
    return torch.from_numpy(np.concatenate(values)), torch.from_numpy(np.concatenate(classes))
