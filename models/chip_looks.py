"""How like the known colours a chip looks, and how like two of them what is seen between two chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.chip_bands import DARK, Bands, row_means
from models.chip_decode import Answer, Floats
from models.chip_geometry import COLOURS, STEPS_PER_CHIP

KINDS: Final = len(COLOURS) + 1
"""The colours and "other", as in the columns of the networks' answers."""

_NEAR: Final = 0.2  # logarithms of colours so far apart are alike
_STRANGE: Final = 2e-4  # likeness of a spot that the colour has never shown
_STRANGER: Final = 1.0  # by so much a colour that the table has not shown yet is behind the likeliest,
_STRANGEST: Final = -8.0  # but never below this, which colours reach that the chip hardly is of: the median is -7.7
_NOT_IN_RACK: Final = 4.3
"""So much further behind is a colour that is not in the rack either: e^3 in all, as ``chip_palette`` counts both."""
_TRUST: Final = 2.0  # points of a band; they are not independent of each other, nor of what the network saw

_TINT: Final = 0.1  # rows of one colour differ by so much
_FAINT: Final = 4.0
_LIGHTNESS: Final = 0.35  # against the tint: chips are darker at the felt
_BLUR: Final = 0.1  # of a chip's height
_BLUR_PX: Final = 1.4
_LEAST_PX: Final = 0.5
_PASSES: Final = 2
_SHIFTS: Final = np.array([-0.5, -0.25, 0.0, 0.25, 0.5])  # of a line, in chips
_SHIFT_CHANCES: Final[Floats] = -((_SHIFTS / 0.25) ** 2) / 2
_NOTHING_ALIKE: Final = 8.0
_STRANGER_HERE: Final = 6.0  # what a colour that is not known is behind, as it is drawn just as it is seen
_ROW_TRUST: Final = 0.25  # rows are not independent of each other


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """How colours look: points (m, 3) of bands, and their weights (m, KINDS), which add up to 1 for a known colour.

    ``rack``: which colours (KINDS,) may be in the rack; all of them if it has shown few or none.
    """

    points: Bands
    weights: NDArray[np.float32]
    rack: NDArray[np.bool_]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which colours (KINDS,) were seen often enough."""
        return np.asarray(self.weights.any(axis=0))

    @property
    def means(self) -> Floats:
        """The mean colour (KINDS, 3) of each; nothing where it is not known."""
        seen = np.maximum(np.exp(self.points.astype(np.float64)) - DARK, 0.0)
        return np.asarray(self.weights.T.astype(np.float64) @ seen, dtype=np.float64)


def likeness(bands: Bands, looks: Looks) -> Floats:
    """Return how well bands go with the looks of each colour (n, KINDS), as log likelihoods up to a constant."""
    points, known = bands.reshape(-1, 3), looks.points
    apart = (points**2).sum(axis=1)[:, None] + (known**2).sum(axis=1) - 2 * points @ known.T
    alike = np.log(np.exp(apart / (-2 * _NEAR**2)) @ looks.weights + _STRANGE)
    told = _TRUST * alike.reshape(*bands.shape[:2], KINDS).mean(axis=1).astype(np.float64)
    told[:, ~looks.known] = -np.inf
    unknown = np.maximum(told.max(axis=1, keepdims=True) - _STRANGER, _STRANGEST) - _NOT_IN_RACK * ~looks.rack
    return np.asarray(np.where(np.isfinite(told), told, unknown), dtype=np.float64)


class Rows:
    """The mean colours of the rows of one strip (STRIP_ROWS, STRIP_COLUMNS, 3), held against those of whole stacks.

    Chips do not lie exactly one over the other, and pictures are blurred, their colours twice as much: every row shows
    two or three chips. So a stack is drawn as it would look, and each line between two chips may be a little off.
    A thin row of purple between red and black is no mixture of these; green between black and red is hardly green.

    Args:
        strip: a stack's side.
        looks: the colours as far as they are known.
        px_per_edge: how high a chip's edge is in the picture.
    """

    def __init__(self, strip: NDArray[np.uint8], looks: Looks, px_per_edge: float) -> None:
        self._looks = looks
        self._rows = row_means(strip)
        self._seen = _tints(self._rows)
        self._means = looks.means
        self._blur = STEPS_PER_CHIP * float(np.hypot(_BLUR, _BLUR_PX / max(px_per_edge, _LEAST_PX)))

    def fits(self, middles: NDArray[np.int64], answers: Sequence[Answer]) -> Floats:
        """Return how well stacks go with what is seen (n,), as log likelihoods up to a constant.

        Args:
            middles: steps (n,) of the chips' middles.
            answers: the chips' colours from 1, bottom to top; all of that number.
        """
        chips = np.array(answers) - 1
        known = self._looks.known[chips]
        first, last = max(int(middles[0]) - STEPS_PER_CHIP, 0), int(middles[-1])  # from the felt below
        seen = self._rows[np.clip(middles, 0, len(self._rows) - 1)]
        colours = np.where(known[..., None], self._means[chips], seen)
        felt = np.broadcast_to(self._rows[first], (len(chips), 1, 3))
        height = (middles[-1] - middles[0]) / (len(middles) - 1) if len(middles) > 1 else float(STEPS_PER_CHIP)
        lines = middles - height / 2
        fits = self._drawn(lines, height, np.concatenate([felt, colours], axis=1), np.arange(first, last + 1))
        strangers = [{int(colour) for colour in stack[~own]} for stack, own in zip(chips, known, strict=True)]
        missing = [sum(not self._looks.rack[colour] for colour in some) for some in strangers]
        return fits - _STRANGER_HERE * np.array([len(some) for some in strangers]) - _NOT_IN_RACK * np.array(missing)

    def _drawn(self, lines: Floats, height: float, colours: Floats, steps: NDArray[np.int64]) -> Floats:
        """How well stacks with lines (n,) between these colours (stacks, n + 1, 3) go with some rows."""
        seen, changes = self._seen[steps], np.diff(colours, axis=1)
        # above[line, shift, step]: how much of the row lies above the line
        above = _share_above(steps + 0.5 - (lines[:, None] + height * _SHIFTS)[..., None], self._blur)
        chosen = np.full((len(colours), len(lines)), len(_SHIFTS) // 2)
        drawn = colours[:, :1] + np.einsum("alc,ls->asc", changes, above[:, len(_SHIFTS) // 2])
        fits = self._alike(drawn, seen)
        for _ in range(_PASSES):
            for line in map(int, np.flatnonzero(changes.any(axis=(0, 2)))):
                now = above[line][chosen[:, line]]
                tried = drawn[:, None] + changes[:, line, None, None] * (above[line] - now[:, None])[..., None]
                scores = self._alike(tried, seen) + (_SHIFT_CHANCES + self._shifted(chosen, line)[:, None])
                best = scores.argmax(axis=1)
                chosen[:, line] = best
                drawn = tried[np.arange(len(colours)), best]
                fits = scores[np.arange(len(colours)), best]
        return fits

    @staticmethod
    def _shifted(chosen: NDArray[np.int64], line: int) -> Floats:
        """The log chances of the shifts of all other lines."""
        chances = _SHIFT_CHANCES[chosen]
        return np.asarray(chances.sum(axis=1) - chances[:, line])

    @staticmethod
    def _alike(drawn: Floats, seen: Floats) -> Floats:
        """How like what is seen (steps, 3) something drawn (…, steps, 3) is."""
        apart = ((_tints(np.maximum(drawn, 0.0)) - seen) ** 2).sum(axis=-1) / _TINT**2
        return np.asarray(-np.minimum(apart / 2, _NOTHING_ALIKE).sum(axis=-1) * _ROW_TRUST)


def _share_above(apart: Floats, blur: float) -> Floats:
    """The share of rows that lies above a line, by their distance to it, in a picture that is blurred by so much."""
    return np.asarray(1 / (1 + np.exp(-1.7 * apart / blur)))


def _tints(colours: Floats) -> Floats:
    """Colours (…, 3) as logarithms (…, 3): blue and red over green, and how light they are, which tells less."""
    logs = np.log(colours + _FAINT)
    lightness = _LIGHTNESS * logs.mean(axis=-1, keepdims=True)
    return np.asarray(np.concatenate([logs[..., [0, 2]] - logs[..., [1]], lightness], axis=-1), dtype=np.float64)
