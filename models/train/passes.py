"""Training of a small network in passes over its pictures, which goes on after an interruption."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from models.train.chip_network import Averaged


def trained_in_passes(
    network: Any, checkpoint: Path, *, passes: int, one_pass: Callable[[Any, Averaged, int], float]
) -> Averaged:
    """Train a network, or go on from the checkpoint, and return its averaged weights.

    Args:
        network: The network, not trained yet.
        checkpoint: Where the state is kept after every pass.
        passes: How many passes over the pictures.
        one_pass: Gets the optimiser, the averaged weights and the pass's number; makes the pass, returns its mean loss.
    """
    optimiser, average = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.02), Averaged(network)
    first = 0
    if checkpoint.exists():
        parts = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(parts["network"])
        optimiser.load_state_dict(parts["optimiser"])
        average.state, first = parts["average"], parts["epoch"]
    for number in range(first, passes):
        loss = one_pass(optimiser, average, number)
        parts = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "average": average.state}
        torch.save(parts | {"epoch": number + 1}, checkpoint)
        print(f"pass {number + 1} of {passes}: loss {loss:.3f}", flush=True)
    return average
