"""Piles of which hardly more than the middle of the top stands out: their chips have the felt's colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from models.camera import Camera
from models.cheque_size import CHIP_HEIGHT_MM
from models.felt_shapes import Shape
from models.felt_view import FeltView, MmBox
from models.motion import Mask, blobs
from models.pile_edges import along_sight
from models.view_parts import is_disc
from models.zones import within

_INLAY_MM2: Final = 280  # of a chip of the felt's colour hardly more than its middle may stand out
_INLAY_MM: Final = (16, 48)
_INLAY_CHIPS: Final = 2


def little_piles(
    rest: Mask,
    box: MmBox,
    camera: Camera,
    felt: FeltView,
    *,
    spots: Sequence[Sequence[tuple[float, float]]],
    first: bool,
) -> list[Shape]:
    """Return piles for what stands out and is no other thing.

    At the first look print stands out, too: on betting spots only, and a disc is more likely an inlay there. Later
    the bare felt is known, and it may be the inlay of a taller pile.

    Args:
        rest: what stands out and is not explained, one pixel a millimetre.
        box: where ``rest`` is on the felt.
        camera: the table's camera.
        felt: its felt.
        spots: outlines (mm) of the betting spots.
        first: whether this is the first look at the table.
    """
    found = []
    for blob in blobs(rest, least=_INLAY_MM2):
        x0, y0, x1, y1 = blob.box
        if _INLAY_MM[0] <= min(x1 - x0, y1 - y0) and max(x1 - x0, y1 - y0) <= _INLAY_MM[1]:
            seen = np.array([*felt.to_mm(((x0 + x1) / 2, (y0 + y1) / 2), box), 0.0])
            x, y, _ = along_sight(camera, seen, _INLAY_CHIPS * CHIP_HEIGHT_MM)
            xy_mm = (float(x), float(y))
            if not first or within(xy_mm, spots):
                found.append(Shape(kind="chips", xy_mm=xy_mm, chips=_INLAY_CHIPS, inlay=first and is_disc(blob)))
    return found
