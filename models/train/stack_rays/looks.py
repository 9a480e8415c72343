"""Looks at stacks without end, as ``models.train.chip_pool`` has them, drawn where they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from models.cheque_size import CHIP_HEIGHT_MM
from models.train.stack_rays.cut import (
    boxes,
    codes,
    either,
    facts,
    guessed,
    misjudged,
    outlines,
    place_stacks,
    rims,
    sampled,
    side_places,
    strips,
)
from models.train.stack_rays.designs import Numbers
from models.train.stack_rays.painting import Painted, paint
from models.train.stack_rays.tables import LARGE, SMALL, Canvas, Lot, Tables, random_tables
from models.train.stack_rays.taken import taken
from models.train.stack_rays.wagers import Wagers

_LEAST_VISIBLE: Final = 0.3
_CALIBRATED: Final = 0.9
_LARGE: Final = 0.35  # of the pictures


class Looks:
    """A source of looks.

    Args:
        wagers: the tables to choose from.
        edges: designs of chips (d, EDGE_ROWS, 360).
        faces: their faces (d, FACE_PX, FACE_PX).
        device: where looks are drawn and stay.
        seed: the only source of chance.
        takes: so many pictures of what is painted once, each with its own box; a processor paints slowly.
    """

    def __init__(
        self, wagers: Wagers, edges: Numbers, faces: Numbers, *, device: str, seed: int, takes: int = 1
    ) -> None:
        self._takes = takes
        self._felts, self._colours, self._counts = (
            torch.from_numpy(one).to(device) for one in (wagers.felts, wagers.colours, wagers.counts)
        )
        self._edges, self._faces = torch.from_numpy(edges).to(device), torch.from_numpy(faces).to(device)
        self._generator = torch.Generator(device).manual_seed(seed)

    def drawn(self, number: int, canvas: Canvas) -> dict[str, Tensor]:
        """Draw so many pictures and return the looks at stacks that show enough, somewhat fewer."""
        lot = Lot(number, self._generator)
        chosen = lot.one_of(len(self._felts))
        wagers = (self._felts[chosen], self._colours[chosen], self._counts[chosen])
        tables = random_tables(lot, canvas, wagers, len(self._edges))
        painted = paint(tables, self._edges, self._faces, _grain(lot, canvas), finer=2 if canvas is LARGE else 3)
        mine, hidden = ((painted.owners == kind).sum(dim=(1, 2)) for kind in (1, 2))
        good = (mine > _LEAST_VISIBLE * (mine + hidden)) | (tables.counts[:, 0] == 0)
        looks = [_looked_at(tables, painted, lot) for _ in range(self._takes)]
        return {name: torch.cat([one[name][good] for one in looks]) for name in looks[0]}

    def batches(self, size: int, *, at_once: int) -> Iterator[dict[str, Tensor]]:
        """Yield batches of so many looks without end, about ``at_once`` pictures drawn at a time, of both sizes."""
        rest: dict[str, Tensor] = {}
        large = max(1, round(_LARGE * at_once))
        while True:
            while not rest or len(rest["labels"]) < size:
                parts = [self.drawn(large, LARGE), self.drawn(max(1, at_once - large), SMALL)]
                parts = [rest, *parts] if rest else parts
                rest = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
                order = torch.randperm(len(rest["labels"]), generator=self._generator, device=self._generator.device)
                rest = {name: value[order] for name, value in rest.items()}
            yield {name: value[:size] for name, value in rest.items()}
            rest = {name: value[size:] for name, value in rest.items()}


def _looked_at(tables: Tables, painted: Painted, lot: Lot) -> dict[str, Tensor]:
    """A picture of what is painted, and what the reader sees of the first stack in a box."""
    seen, bare = taken(painted.seen, painted.bare, lot)
    edge_px = (tables.camera.px_per_mm * tables.camera.cosine).double() * CHIP_HEIGHT_MM
    box = boxes(outlines(tables), tables.camera, edge_px, lot)
    calibrated = lot.happens(_CALIBRATED)
    camera = misjudged(tables.camera, lot)
    flatness = tables.camera.sine.double() * torch.exp(lot.normal(0.05)) + lot.normal(0.02)
    guess, guess_place = guessed(box, flatness)
    place = either(calibrated, place_stacks(box, camera), guess_place)
    camera = either(calibrated, camera, guess)
    where = side_places(camera, place)
    side = sampled(seen, where)
    told = codes(side, bare, tables, where=where, calibrated=calibrated, lot=lot)
    counts = tables.counts[:, :1]
    numbers = torch.arange(tables.colours.shape[2], device=counts.device)[None]
    return {
        "strip": strips(side),
        "codes": told[..., :2],
        "facts": facts(place, told, calibrated),
        "labels": torch.where(numbers < counts, tables.colours[:, 0] + 1, 0),
        "lines": rims(tables, camera, place).float(),
        "flatness": tables.camera.sine.float(),
        "calibrated": calibrated,
    }


def _grain(lot: Lot, canvas: Canvas) -> Tensor:
    """What the felts add to every pixel (n, rows, columns)."""
    coarse = lot.normal(1.0, 1, canvas.rows // 2, canvas.columns // 2) * lot.uniform(1, 7)[:, None, None, None]
    return functional.interpolate(coarse, scale_factor=2.0, mode="bilinear", align_corners=False)[:, 0]
