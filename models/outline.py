"""What a pile's outline says of the stack that it may be.

Where the bare felt is known, the part of a pile that differs from felt and shadow is measured well. Chips at the foot
that have the felt's colour, or are as dark as their own shadow, hide from it: it says only what lies upon them.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

_USUAL: Final = 0.7
_USUAL_BRIGHT: Final = 0.9  # of piles of the felt's colour the spots show down to the foot: 23 of 24 on drawn footage
_FAR: Final = 0.02  # that the outline is wrong: of the piles of the sample clips it was for one in eighty
_SHADOW: Final = 0.2
_SHOWN: Final = {False: (0.8, 0.2, 0.1, 0.04, 0.01), True: (0.87, 0.1, 0.03, 0.02, 0.01)}
"""How often an outline, on bare felt or upon print, shows all cheques of a pile, or of several the uppermost alone,
whose sides hardly differ from the felt, all but one, still fewer, or one too many. Of 1,680 looks at piles of eight
sources some 330 outlines were too low, 10 too high; upon print 30 of 217."""
_ANYTHING: Final = 0.004
_DARK: Final = "black"
_HUES: Final = (
    (345, 375, "red"),
    (15, 45, "orange"),
    (75, 170, "green"),
    (160, 198, "teal"),
    (190, 252, "blue"),
    (245, 312, "purple"),
    (308, 350, "pink"),
)
_PALE: Final = 0.18
_BLACK_BELOW, _WHITE_ABOVE = 0.3, 0.8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outline:
    """How likely each number of chips is that shows above the felt, and the colours that may not show at its foot.

    ``on_print``: under the foot the felt is printed upon, so that every colour would show.
    """

    heights: Mapping[int, float]
    faint: frozenset[str]
    on_print: bool = False

    def chance(self, stack: Sequence[str]) -> float:
        """Return how likely this outline is for a stack, colours bottom to top.

        Upon a faint foot mostly the rest alone shows; of a stack that is faint all over mostly all does.
        """
        foot = sum(1 for _ in takewhile(self.faint.__contains__, stack))
        numbers = range(max(1, len(stack) - foot), len(stack) + 1)
        shown = [max(self.heights.get(number, 0.0), _FAR) for number in numbers]
        if len(shown) == 1:
            return shown[0]
        usually = _USUAL
        if foot == len(stack):
            shown.reverse()
            usually = _USUAL if _DARK in stack else _USUAL_BRIGHT
        usual, *others = shown
        return usually * usual + (1 - usually) * sum(others) / len(others)

    def number_chance(self, number: int) -> float:
        """Return how likely this outline is for so many chips: it shows them all, or fewer, hardly ever one more."""
        whole, uppermost, all_but_one, fewer, too_many = _SHOWN[self.on_print]
        chance = whole * self.heights.get(number, 0.0) + too_many * self.heights.get(number + 1, 0.0)
        for shown, p in self.heights.items():
            if shown < number:
                chance += p * (uppermost if shown == 1 else all_but_one if shown == number - 1 else fewer)
        return max(chance, _ANYTHING)

    def lacking(self, left_out: Sequence[float]) -> Outline:
        """Return the outline as it is to be read if it leaves out 0, 1, 2, ... chips with these probabilities."""
        heights: dict[int, float] = {}
        for number, p in self.heights.items():
            for more, share in enumerate(left_out):
                heights[number + more] = heights.get(number + more, 0.0) + p * share
        return replace(self, heights=heights)

    def shadowed(self) -> Outline:
        """Return the outline as it is to be read if it may have taken the shadow at the foot for one chip more.

        The same shadow misleads who counts the edges; of footage of two renderers never seen before, the outline named
        one chip too many in an eighth of the piles.
        """
        numbers = {*self.heights, *(number - 1 for number in self.heights)}
        mixed = {
            number: (1 - _SHADOW) * self.heights.get(number, 0.0) + _SHADOW * self.heights.get(number + 1, 0.0)
            for number in numbers
            if number > 0
        }
        return replace(self, heights=mixed)

    def like(self, stack: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the stacks that look hardly different: with a chip more or less of a faint colour at the foot."""
        if stack[0] not in self.faint:
            return ()
        more, fewer = (stack[0], *stack), tuple(stack[1:])
        return (more, fewer) if fewer[:1] == (stack[0],) else (more,)


def faint_colours(felt: NDArray[Any]) -> frozenset[str]:
    """Return the chips' colours that hardly show on a felt: its own, and black in the shadow of a pile.

    Args:
        felt: brightness and the two colour differences (n, 3) of bare felt, as video stores them.
    """
    luma, blue, red = np.median(felt, axis=0)
    full = [(luma - 16) * 255 / 219, (red - 128) * 255 / 224 + 128, (blue - 128) * 255 / 224 + 128]
    pixel = np.array(full).clip(0, 255).astype(np.uint8).reshape(1, 1, 3)
    b, g, r = (float(v) / 255 for v in cv2.cvtColor(pixel, code=cv2.COLOR_YCrCb2BGR)[0, 0])
    hue, saturation, value = colorsys.rgb_to_hsv(r, g, b)
    if saturation < _PALE:
        return frozenset({_DARK, "white" if value > _WHITE_ABOVE else _DARK if value < _BLACK_BELOW else "grey"})
    around = (hue * 360, hue * 360 + 360)
    return frozenset({_DARK, *(name for low, high, name in _HUES if any(low <= at <= high for at in around))})
