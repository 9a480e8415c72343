"""Looks at stacks of chips that processes draw for a pool (``models.train.pool``) on the device.

``strip`` (n, STRIP_ROWS, STRIP_COLUMNS, 3), ``codes`` (…, 2) and ``top`` (n, TOP_PX, TOP_PX, 3) of 8 bits, the rest as
``models.train.chip_shards.as_arrays`` has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from typing import Final

import numpy as np
import torch
from torch import Tensor

from models.cheque_size import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.chip_geometry import ROWS_PER_CHIP, STRIP_COLUMNS, STRIP_REACH, STRIP_ROWS
from models.train.chip_crops import cast_crops, crops
from models.train.chip_shards import Arrays, as_arrays
from models.train.chip_styles import FAMILIES
from models.train.makers import Makers
from models.train.pool import Looks

PACK: Final = 200
NAMES: Final = ("strip", "codes", "facts", "top", "labels", "lines", "flatness", "calibrated")
_DRAWN: Final = 5  # one pack in so many is drawn, the others are met by rays
_BESIDE: Final = 128  # the grey of what a strip does not reach


def packs(seed: tuple[int, ...], *, size: int = PACK) -> Iterator[Arrays]:
    """Yield packs of looks without end, one in five drawn, the others met by rays; other ones for every seed."""
    for turn in count(seed[-1]):
        rng = np.random.default_rng((*seed, turn))
        maker = cast_crops if turn % _DRAWN else crops
        made = as_arrays(list(islice(maker(rng, families=FAMILIES), size)))
        yield made | {"codes": made["codes"][..., :2]}


def makers(number: int, *, seed: tuple[int, ...]) -> Makers[Arrays]:
    """Return so many processes that draw packs of looks."""
    return Makers([partial(packs, (*seed, maker)) for maker in range(number)], what="looks")


def sides(looks: Looks) -> Tensor:
    """Return near and far sides (n, 10, STRIP_ROWS, STRIP_COLUMNS) of 8 bits, as ``models.train.chip_crops.sides``."""
    near = torch.cat([looks["strip"], looks["codes"]], dim=3)
    rows = torch.arange(STRIP_ROWS, device=near.device)[None, :, None] + _shifts(looks["flatness"])[:, None]
    lower = rows.clamp(max=STRIP_ROWS - 1)[..., None].expand_as(near)
    far = near.gather(1, lower).masked_fill((rows >= STRIP_ROWS)[..., None], _BESIDE)
    return torch.cat([near, far], dim=3).permute(0, 3, 1, 2)


def _shifts(flatness: Tensor) -> Tensor:
    """How many rows (n, STRIP_COLUMNS) the far rim is above the near one."""
    sine = flatness.clamp(0.1, 0.98)
    tangents = sine / (1 - sine**2).sqrt()
    columns = torch.arange(STRIP_COLUMNS, device=flatness.device, dtype=torch.float64)
    across = ((columns + 0.5) / STRIP_COLUMNS * 2 - 1) * STRIP_REACH
    depth = 2 * CHIP_RADIUS_MM * (1 - across**2).clamp(0, 1).sqrt()
    return (depth * tangents[:, None].double() / CHIP_HEIGHT_MM * ROWS_PER_CHIP).round().long()
