"""Reads rank and suit of cards in a picture, with calibrated probabilities and "unreadable" as an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.card_fusion import CODES, NONE, Floats, Fusion, fuse, index_shares
from models.card_networks import Network, read_manifest
from models.card_views import CORNER_WH, WHOLE_WH, Bgr, Points, corner_view, turned, whole_view
from models.trained import CARD_WEIGHTS

_WORTH_NAMING: Final = 1e-4  # a probability
_NARROWEST: Final = 0.58  # short edge to long edge of a card seen from as low as tables are filmed
_CERTAIN: Final = 0.999
_MOVE: Final = 0.0125  # of the card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReading:
    """What a card place shows.

    ``candidates`` are calibrated probabilities of cards such as ``Td``, the likeliest first, without the hopeless ones;
    with ``none_probability`` (no card, a back, too covered or too blurred to read) they sum to at most 1. ``card`` is
    the likeliest card if it is sure enough to be said, else None.
    """

    card: str | None
    none_probability: float
    candidates: Mapping[str, float] = field(default_factory=dict)


class CardReader:
    """Two networks: one looks at the whole card, one at the printed index of either end."""

    def __init__(self, *, folder: Path = CARD_WEIGHTS) -> None:
        manifest = read_manifest(folder)
        self._whole, self._corner = Network("whole", folder=folder), Network("corner", folder=folder)
        self._fusion, self._threshold = Fusion(**manifest["fusion"]), float(manifest["threshold"])

    def read(self, frame_bgr: Bgr, quads_px: NDArray[np.floating]) -> list[CardReading]:
        """Return the reading of each card of which the exact corners (n, 4, 2) are known.

        A quad's first edge is a short edge of the card; which of the two does not matter. ``models.card_corners`` gives
        such quads; with corners that are off by more than a thirtieth of the card's height most cards stay unread. What
        is not certain at the first look is looked at again with the quad moved a little, and if it looks as wide as
        long, as a card from low above does, also the other way round.
        """
        quads = np.asarray(quads_px, np.float64).reshape(-1, 4, 2)
        probabilities = self.probabilities(frame_bgr, quads)
        for place in np.flatnonzero(probabilities.max(axis=1) < _CERTAIN):
            probabilities[place] = self._look_again(frame_bgr, quads[place], probabilities[place])
        return [self._reading(row) for row in probabilities]

    def _look_again(self, frame_bgr: Bgr, quad: Points, first: Floats) -> Floats:
        """Return the probabilities (53,) that several looks at one card agree on."""
        if _may_lie_across(quad):
            across = np.roll(quad, shift=1, axis=0)
            other = self.probabilities(frame_bgr, across[None])[0]
            if other[:NONE].max() > first[:NONE].max():
                quad, first = across, other
        looks = np.concatenate([first[None], self.probabilities(frame_bgr, _moved(quad))])
        agreed = np.exp(np.log(looks + 1e-6).mean(axis=0))
        return np.asarray(agreed / agreed.sum(), np.float64)

    def probabilities(self, frame_bgr: Bgr, quads_px: NDArray[np.floating]) -> Floats:
        """Return probabilities (n, 53): the cards in the order of ``models.card_fusion.CODES``, then none."""
        quads = [np.asarray(quad, np.float64) for quad in quads_px]
        ways = [way for quad in quads for way in (quad, turned(quad))]
        whole = self._whole(_stack([whole_view(frame_bgr, way) for way in ways], WHOLE_WH))
        ends = self._corner(_stack([corner_view(frame_bgr, way) for way in ways], CORNER_WH))
        shape = (len(quads), 2, -1) if quads else (0, 2, whole.shape[1])
        return fuse(whole.reshape(shape), ends.reshape(shape), self._fusion)

    def index_chances(self, frame_bgr: Bgr, quads_px: NDArray[np.floating]) -> Floats:
        """Return how likely the index in each quad's first corner alone makes each card (n, 52, as ``CODES``)."""
        views = [corner_view(frame_bgr, np.asarray(quad, np.float64)) for quad in quads_px]
        return index_shares(self._corner(_stack(views, CORNER_WH)), self._fusion)

    def _reading(self, row: Floats) -> CardReading:
        order = np.argsort(-row[:NONE])
        candidates = {CODES[i]: round(float(row[i]), 5) for i in order if row[i] >= _WORTH_NAMING}
        sure = row[order[0]] >= self._threshold
        return CardReading(
            card=CODES[order[0]] if sure else None, none_probability=float(row[NONE]), candidates=candidates
        )


def _may_lie_across(quad: Points) -> bool:
    """Return whether a quad is near enough to a square that its short edge may be the card's long one."""
    edges = np.linalg.norm(quad - np.roll(quad, shift=-1, axis=0), axis=1)
    shape = (edges[0] + edges[2]) / (edges[1] + edges[3] + 1e-9)
    return bool(_NARROWEST < shape < 1 / _NARROWEST)


def _moved(quad: Points) -> Points:
    """Return a quad a little larger, smaller, and moved to either side along its diagonal: (4, 4, 2)."""
    middle, along = quad.mean(axis=0), (quad[2] - quad[0]) * _MOVE
    return np.stack(
        [
            middle + (quad - middle) * (1 + 2 * _MOVE),
            middle + (quad - middle) * (1 - 2 * _MOVE),
            quad + along,
            quad - along,
        ]
    )


def _stack(views: list[Bgr], size_wh: tuple[int, int]) -> Bgr:
    return np.array(views, np.uint8).reshape(-1, size_wh[1], size_wh[0], 3)
