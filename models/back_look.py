"""What the backs of a table's cards look like, learnt from those that lie uncovered.

Of a back that peeks out from under another card hardly more than its border shows, which is as white as a face's paper,
and no index tells that it is no face. What is printed beside the border has the colour of the other backs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from models.felt_view import Reals
from models.motion import Mask
from models.proposals import Proposal
from models.sighting import Sighting, covered_share

_INK_MM2: Final = 40
_RIM_MM: Final = 5  # of a card, blurred with what lies beside it
_WHOLE_MM2: Final = 2500
_REMEMBERED: Final = 12
_ALIKE: Final = 12.0  # in colour; red and black pips differ from a blue back by 30 and more
_LIGHTER: Final = 45.0
_MOST_PAPER: Final = 0.72  # of a strip of a back; where no court shows, more of a face is paper
_MORE_BORDER: Final = 0.08  # than of a whole back
_READ: Final = 0.5
_UNDER: Final = 0.4


def ink_of(seen: Reals, inside: Mask, paper: Mask) -> tuple[float, float, float] | None:
    """Return brightness and colour of what is printed on a card; None if hardly anything is.

    Args:
        seen: the view from above (h, w, 3), a millimetre a pixel.
        inside: what shows of the card.
        paper: what is as white as paper.
    """
    inner = cv2.erode(inside, np.ones((_RIM_MM, _RIM_MM), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    printed = (inner > 0) & (paper == 0)
    if int(printed.sum()) < _INK_MM2:
        return None
    light, blue, red = np.median(seen[printed], axis=0)
    return float(light), float(blue), float(red)


class BackLook:
    """Remembers the colours of backs at one table, the latest of them."""

    def __init__(self) -> None:
        self._inks: list[tuple[float, float, float]] = []
        self._papers: list[float] = []

    def told(
        self, proposals: Sequence[Proposal], answers: Sequence[Sighting], dealers: Sequence[Sighting] = ()
    ) -> list[Sighting]:
        """Return what proposals are, a strip that was not read and looks like a back as a back; learns from them.

        ``dealers``: the cards before the dealer. What lies under one that is read there is his hole card.
        """
        for one, answer in zip(proposals, answers, strict=True):
            if answer.kind == "card_back" and one.ink is not None and one.seen_mm2 >= _WHOLE_MM2:
                self._inks = [*self._inks, one.ink][-_REMEMBERED:]
                self._papers = [*self._papers, one.paper][-_REMEMBERED:]
        return [
            replace(answer, kind="card_back", faces={}, face=None)
            if _is_unread_strip(one, answer) and (self._is_back(one) or any(_lies_under(one, card) for card in dealers))
            else answer
            for one, answer in zip(proposals, answers, strict=True)
        ]

    def _is_back(self, one: Proposal) -> bool:
        if one.ink is None or not self._inks:
            return False
        if one.paper > max(_MOST_PAPER, float(np.median(self._papers)) + _MORE_BORDER):
            return False
        light, *colour = np.abs(np.median(self._inks, axis=0) - one.ink)
        return bool(max(colour) <= _ALIKE and light <= _LIGHTER)


def _is_unread_strip(one: Proposal, answer: Sighting) -> bool:
    unread = answer.kind == "card" and max(answer.faces.values(), default=0.0) < _READ
    return unread and one.seen_mm2 < _WHOLE_MM2


def _lies_under(one: Proposal, card: Sighting) -> bool:
    is_read = max(card.faces.values(), default=0.0) >= _READ
    return is_read and covered_share(one.polygon_px, card.polygon_px) > _UNDER
