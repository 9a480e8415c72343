"""What the backs of a table's cards look like, learnt from those that lie uncovered.

Of a back that peeks out from under another card hardly more than its border shows, which is as white as a face's paper,
and no index tells that it is no face. What is printed beside the border has the colour of the other backs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from models.felt_view import Reals
from models.motion import Mask
from models.paper import NEUTRAL, Tint, paper_of
from models.proposals import Proposal
from models.rivals import one_beneath_each
from models.sighting import Sighting, covered_share

_INK_MM2: Final = 40
_RIM_MM: Final = 5  # of a card, blurred with what lies beside it
_HALF_MM2: Final = 2500
_WHOLE_MM2: Final = 4600  # of 5544
_FACE_PAPER: Final = 0.5  # of courts 0.57 and more was paper, of a back with a white border 0.32
_NO_FACE: Final = 0.1
_SURELY_A_CARD: Final = 0.65
_REMEMBERED: Final = 12
_ALIKE: Final = 12.0  # in colour; red and black pips differ from a blue back by 30 and more
_LIGHTER: Final = 45.0
_MOST_PAPER: Final = 0.72  # of a strip of a back; where no court shows, more of a face is paper
_MORE_BORDER: Final = 0.08  # than of a whole back
_READ: Final = 0.5
_NEARLY_READ: Final = 0.9  # red lozenges were a queen of diamonds, with 0.84
_SURELY_READ: Final = 0.95
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
    """Tells backs from faces that could not be read; remembers what backs look like at one table, the latest of them.

    Before the dealer cards lie face down as often as not; once backs were seen, those there must look like them, too: a
    court whose place was misjudged was one, and lay there beside itself. Elsewhere a back must always look like those
    before the dealer: a face of a deck that the reader does not know is no card that was dealt face down.
    """

    def __init__(self) -> None:
        self._inks: list[tuple[float, float, float]] = []
        self._papers: list[float] = []
        self._tints: list[Tint] = []
        self._knows_dealers = False

    def paper(self, seen: Reals) -> Mask:
        """Return what of a view (h, w, 3) is as white as the paper of the cards that were read."""
        blue, red = np.median(self._tints or [NEUTRAL], axis=0)
        return paper_of(seen, (float(blue), float(red)))

    def told(
        self,
        proposals: Sequence[Proposal],
        answers: Sequence[Sighting],
        lying: Sequence[Sighting] = (),
        is_dealers: Callable[[Sighting], bool] = lambda _: False,
    ) -> list[Sighting]:
        """Return what proposals are, cards that were not read and must be backs as such; learns from them.

        Args:
            proposals: what may lie there.
            answers: what the readers say that it is, in order.
            lying: what is known to lie there besides.
            is_dealers: whether a card lies before the dealer.
        """
        told = [
            _turned_down(answer) if is_dealers(answer) and self._is_turned_down(one, answer) else answer
            for one, answer in zip(proposals, answers, strict=True)
        ]
        self._learn(proposals, told, is_dealers)
        upper = [one for one in (*lying, *told) if is_dealers(one) and max(one.faces.values(), default=0.0) >= _READ]
        turned = [
            _turned_down(answer) if _is_unread(answer) and self._is_back(one, upper, answer) else answer
            for one, answer in zip(proposals, told, strict=True)
        ]
        return one_beneath_each(turned, upper)

    def _is_turned_down(self, one: Proposal, answer: Sighting) -> bool:
        """Whether a card before the dealer, of which no face is sure, lies face down, alike the table's other backs."""
        read = _NEARLY_READ if one.seen_mm2 >= _WHOLE_MM2 else _READ
        return _shows_no_face(one, answer, read=read) and (not self._knows_dealers or self._is_like_backs(one))

    def _learn(
        self, proposals: Sequence[Proposal], answers: Sequence[Sighting], is_dealers: Callable[[Sighting], bool]
    ) -> None:
        """Remember what backs look like; once the dealer's are known, only his: a printed pay table is like none."""
        for one, answer in zip(proposals, answers, strict=True):
            surely = one.confidence >= _SURELY_A_CARD and one.seen_mm2 >= _HALF_MM2
            if answer.kind == "card_back" and one.ink is not None and surely:
                self._remember(one, one.ink, dealers=is_dealers(answer))
            if one.tint is not None and max(answer.faces.values(), default=0.0) >= _SURELY_READ:
                self._tints = [*self._tints, one.tint][-_REMEMBERED:]

    def _remember(self, one: Proposal, ink: tuple[float, float, float], *, dealers: bool) -> None:
        if dealers and not self._knows_dealers:
            self._inks, self._papers, self._knows_dealers = [], [], True
        if dealers or not self._knows_dealers:
            self._inks = [*self._inks, ink][-_REMEMBERED:]
            self._papers = [*self._papers, one.paper][-_REMEMBERED:]

    def _is_back(self, one: Proposal, upper: Sequence[Sighting], answer: Sighting) -> bool:
        if one.seen_mm2 >= _HALF_MM2:
            return _shows_no_face(one, answer) and self._is_like_backs(one)
        return self._is_like_backs(one) or any(covered_share(one.polygon_px, u.polygon_px) > _UNDER for u in upper)

    def _is_like_backs(self, one: Proposal) -> bool:
        if one.ink is None or not self._inks:
            return False
        if one.paper > max(_MOST_PAPER, float(np.median(self._papers)) + _MORE_BORDER):
            return False
        light, *colour = np.abs(np.median(self._inks, axis=0) - one.ink)
        return bool(max(colour) <= _ALIKE and light <= _LIGHTER)


def _turned_down(card: Sighting) -> Sighting:
    return replace(card, kind="card_back", faces={}, face=None)


def _is_unread(answer: Sighting) -> bool:
    return answer.kind == "card" and max(answer.faces.values(), default=0.0) < _READ


def _shows_no_face(one: Proposal, answer: Sighting, *, read: float = _READ) -> bool:
    """Whether a card would have been read if it lay face up: little of it is paper, or all of it is seen.

    ``read``: how likely the likeliest face of what is printed over is, if it is one.
    """
    printed_over = 0 < one.paper < _FACE_PAPER and max(answer.faces.values(), default=0.0) < read
    whole = one.seen_mm2 >= _WHOLE_MM2 and sum(answer.faces.values()) < _NO_FACE
    return answer.kind == "card" and (printed_over or whole)
