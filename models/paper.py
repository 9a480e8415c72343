"""The paper of cards: what of a view is as white as it, in the light of the table.

Under warm or cool lamps paper has their colour. What it is like is learnt from cards that were read.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from models.felt_view import Reals
from models.motion import Mask

Tint = tuple[float, float]

NEUTRAL: Final[Tint] = (0.0, 0.0)

_WHITE: Final = 0.62  # of the brightest
_COLOUR: Final = 12.0  # that far from the tint
_BRIGHTEST: Final = 99.5  # percentile
_LIGHTEST: Final = 0.8  # of a card's brightest: its paper
_LEAST_PAPER: Final = 0.5  # of a face; courts have 0.57 and more


def paper_of(seen: Reals, tint: Tint = NEUTRAL) -> Mask:
    """Return what of a view is as white as a card's paper.

    Args:
        seen: the view from above (h, w, 3): brightness and two differences of colour around 128.
        tint: what the light makes of white, as ``tint_of`` gives it.
    """
    brightest = np.percentile(seen[..., 0], _BRIGHTEST) if seen.size else 255.0
    bright = seen[..., 0] > _WHITE * brightest
    light = seen[bright]
    white = light[:, 1:] - 128 - light[:, :1] * np.asarray(tint, seen.dtype)
    paper: Mask = np.zeros(seen.shape[:2], dtype=np.uint8)
    paper[bright] = np.uint8(255) * ((np.abs(white[:, 0]) < _COLOUR) & (np.abs(white[:, 1]) < _COLOUR))
    return paper


def tint_of(seen: Reals, inside: Mask) -> Tint | None:
    """Return both differences of colour of a face's paper for each level of its brightness.

    Args:
        seen: the view, as for ``paper_of``.
        inside: what shows of the card; of a face most is paper. None if most of it is dark.
    """
    card = seen[inside > 0]
    if not len(card):
        return None
    lit = card[card[:, 0] > _LIGHTEST * np.percentile(card[:, 0], _BRIGHTEST)]
    if len(lit) < _LEAST_PAPER * len(card):
        return None
    blue, red = np.median((lit[:, 1:] - 128) / lit[:, :1], axis=0)
    return float(blue), float(red)
