"""Cards of a photograph found by their printed indices: a rank with its suit under it, on light paper.

A detector looks for whole cards; of a card that others cover but for a corner it often makes one with its neighbour, or
nothing. Its index is still there to be seen: two marks of ink near each other (how red they are says little: thin red
lines lose their colour in small pictures). Every such pair is looked at both
ways round as if it were an index, and where one is read, the card around it is outlined and read like any other.
"""

from __future__ import annotations

from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from models.card_corners import CardCorners
from models.card_reader import CardReading
from models.card_views import INDEX_AT, Points, turned
from models.frames import Pixels
from models.sighting import Sighting

_SURROUNDINGS: Final = (25, 41, 65)  # px across which a mark is told from its paper
_INK: Final = 0.72  # of the paper's brightness, at most
_PAPER: Final = 90  # of 255, at least
_PAPER_SHARE: Final = 0.5  # of the brightest tenth of a picture
_SMALLEST_PX, _LEAST_PX2 = 4, 25
_LARGEST: Final = 1.2  # of the surroundings
_NEAREST, _FURTHEST = 0.7, 1.9  # from rank to suit, in heights of a mark
_LIKE: Final = 2.6  # a rank may be so much higher than its suit, and the other way round
_WIDTH, _OTHER_WIDTHS = 6.6, (5.2, 8.2)  # of a card, in distances from rank to suit
_MAY_BE: Final = 0.1  # of 98 indices in photographs none said less at the middle width
_TWICE_PX: Final = 4.0
_ASPECT: Final = 88 / 63
_AN_INDEX: Final = 0.5  # how sure an index must be that the card around it is looked at
_SAME_INDEX: Final = 0.6  # of the distance from rank to suit
_IN_PLACE: Final = 0.15  # of the card, between its outline's index and the one that was found
_AT_ONCE: Final = 512


class Readers(Protocol):
    """What reads an index alone, and a card whose corners are known."""

    def index_chances(self, frame_bgr: Pixels, quads_px: Points) -> NDArray[np.float64]: ...  # noqa: D102
    def read(self, frame_bgr: Pixels, quads_px: Points) -> list[CardReading]: ...  # noqa: D102


class Refiner(Protocol):
    """What moves rough corners onto the true ones."""

    def refine(self, frame_bgr: Pixels, quads_px: Points) -> list[CardCorners]: ...  # noqa: D102


def cards_by_index(picture_bgr: Pixels, cards: Readers, corners: Refiner) -> list[Sighting]:
    """Return the cards that are read around an index seen in a picture, each index once, that index's end first.

    Args:
        picture_bgr: a photograph in which indices are some 15 to 80 px high.
        cards: what reads indices and cards.
        corners: what moves rough corners onto the true ones.
    """
    rough, found = _read_indices(picture_bgr, cards)
    if not len(rough):
        return []
    outlines = corners.refine(picture_bgr, rough)
    readings = cards.read(picture_bgr, np.array([outline.quad_px for outline in outlines]))
    return [
        Sighting(
            kind="card",
            polygon_px=_from_its_end(outline.quad_px, place),
            confidence=outline.face_probability,
            faces=dict(reading.candidates),
            face=reading.card,
        )
        for outline, reading, place in zip(outlines, readings, found, strict=True)
        if reading.card is not None and _index_misfit(outline.quad_px, place) <= _IN_PLACE
    ]


def index_pairs(picture_bgr: Pixels) -> Points:
    """Return where a rank and its suit may be printed (n, 2, 2) px: first the one that is upright over the other."""
    pairs = np.concatenate([_pairs(picture_bgr, across) for across in _SURROUNDINGS])
    _, first = np.unique(np.round(pairs.reshape(-1, 4) / _TWICE_PX), axis=0, return_index=True)
    return np.asarray(pairs[np.sort(first)], np.float64)


def around_an_index(pairs_px: Points, width: float) -> Points:
    """Return the cards (n, 4, 2) of which these ranks and suits (n, 2, 2) are an index, so many distances wide."""
    down = pairs_px[:, 1] - pairs_px[:, 0]
    across = np.stack([down[:, 1], -down[:, 0]], axis=1)
    wide, high = across * width, down * width * _ASPECT
    corner = pairs_px.mean(axis=1) - INDEX_AT[0] * wide - INDEX_AT[1] * high
    return np.stack([corner, corner + wide, corner + wide + high, corner + high], axis=1)


def _read_indices(picture: Pixels, cards: Readers) -> tuple[Points, Points]:
    """The cards (n, 4, 2) around the indices that are read, and these indices' middles (n, 2); each index once."""
    quads, pairs, sure = _likely_indices(picture, cards)
    middles, apart = pairs.mean(axis=1), np.linalg.norm(pairs[:, 1] - pairs[:, 0], axis=1)
    kept: list[int] = []
    for one in np.argsort(-sure):
        if sure[one] < _AN_INDEX:
            break
        if all(np.linalg.norm(middles[one] - middles[other]) > _SAME_INDEX * apart[one] for other in kept):
            kept.append(int(one))
    return quads[kept], middles[kept]


def _likely_indices(picture: Pixels, cards: Readers) -> tuple[Points, Points, NDArray[np.float64]]:
    """Cards (n, 4, 2) around pairs of marks (n, 2, 2) that may be an index, as wide as suits best; how sure that is."""
    pairs = index_pairs(picture)
    quads = around_an_index(pairs, _WIDTH)
    sure = _index_chances(picture, quads, cards)
    likely = sure >= _MAY_BE
    pairs, quads, sure = pairs[likely], quads[likely], sure[likely]
    for width in _OTHER_WIDTHS:
        others = around_an_index(pairs, width)
        chances = _index_chances(picture, others, cards)
        better = chances > sure
        quads[better], sure[better] = others[better], chances[better]
    return quads, pairs, sure


def _index_chances(picture: Pixels, quads: Points, cards: Readers) -> NDArray[np.float64]:
    """How likely the likeliest card is of each rough quad's upper left index (n)."""
    parts = [quads[start : start + _AT_ONCE] for start in range(0, len(quads), _AT_ONCE)]
    return np.concatenate([np.empty(0), *(cards.index_chances(picture, part).max(axis=1) for part in parts)])


def _pairs(picture: Pixels, across: int) -> Points:
    """Pairs of marks (n, 2, 2) that may be a rank and its suit, told from the paper that far around them."""
    middles, heights = _marks(picture, across)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    height = (heights[:, None] + heights[None]) / 2
    like = np.maximum(heights[:, None], heights[None]) < _LIKE * np.minimum(heights[:, None], heights[None])
    upper, lower = np.nonzero((apart > _NEAREST * height) & (apart < _FURTHEST * height) & like)
    return np.stack([middles[upper], middles[lower]], axis=1).reshape(-1, 2, 2)


def _marks(picture: Pixels, across: int) -> tuple[Points, NDArray[np.float64]]:
    """The middles (n, 2) px of small marks of ink on paper, and their longer sides."""
    green = cv2.GaussianBlur(picture[:, :, 1], (0, 0), 1.0)  # red ink is as dark in it as black
    bright = cv2.boxFilter(green, -1, (5, 5))
    paper = cv2.dilate(bright, np.ones((across, across), np.uint8))
    least = max(_PAPER, _PAPER_SHARE * float(np.percentile(bright, 90)))
    ink = ((green < _INK * paper) & (paper > least)).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(ink, connectivity=4)
    sizes = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    small = (sizes.max(axis=1) <= _LARGEST * across) & (sizes.min(axis=1) >= _SMALLEST_PX)
    small &= stats[:, cv2.CC_STAT_AREA] >= _LEAST_PX2
    small[0] = False
    return middles[small], sizes[small].max(axis=1).astype(np.float64)


def _index_misfit(quad: Points, index: Points) -> float:
    """How far an index is from where a card has it, at the nearer end, in shares of the card."""
    return min(_off(end, index) for end in (quad, turned(quad)))


def _from_its_end(quad: Points, index: Points) -> Points:
    """The card held so that an index is the one at its upper left."""
    return min((quad, turned(quad)), key=lambda end: _off(end, index))


def _off(quad: Points, index: Points) -> float:
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_card = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), unit).astype(np.float64)
    place = cv2.perspectiveTransform(np.asarray(index, np.float64)[None, None], to_card)[0, 0]
    return float(np.abs(place - np.array(INDEX_AT)).sum())
