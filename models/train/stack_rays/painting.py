"""Paints tables, a batch of them, with ``rays.c``."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from models.train.stack_rays.kernel import run
from models.train.stack_rays.tables import Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted:
    """Pictures as the light makes them, B, G, R in 0..255.

    ``seen`` and, without stacks, ``bare`` (n, rows, columns, 3); ``owners`` (n, rows, columns): 1 where the first stack
    shows, 2 where something hides it, else 0.
    """

    seen: Tensor
    bare: Tensor
    owners: Tensor


def paint(tables: Tables, edges: Tensor, faces: Tensor, grain: Tensor, *, finer: int) -> Painted:
    """Paint tables.

    Args:
        tables: what there is.
        edges: designs (d, EDGE_ROWS, 360), see ``models.train.stack_rays.designs``.
        faces: the same designs' faces (d, FACE_PX, FACE_PX).
        grain: what the felt adds (n, rows, columns).
        finer: so many rays a pixel each way.

    Raises:
        models.train.stack_rays.kernel.KernelError: if there is neither CuPy nor a C compiler for the device.
    """
    number, device, canvas = len(tables.scene), tables.scene.device, tables.canvas
    shape = (number, canvas.rows, canvas.columns)
    seen, bare = (torch.empty((*shape, 3), device=device) for _ in range(2))
    owners = torch.empty(shape, dtype=torch.uint8, device=device)
    given = [
        tables.scene.float(), tables.counts.int(), tables.places.float(), tables.turns.float(), tables.colours.int(),
        tables.designs.int(), tables.tints.float(), edges, faces, grain.float(), seen, bare, owners,
    ]  # fmt: skip
    run("paint", given, (*shape, finer), points=owners.numel())
    return Painted(seen=seen, bare=bare, owners=owners)
