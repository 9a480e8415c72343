"""One calibrated reading from several looks at a card: the whole of it, and the index at either end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS, SUITS

CODES: Final = tuple(r + s for r in RANKS for s in SUITS)
NONE: Final = len(CODES)  # the column after the cards: no readable card
_RANKS: Final = len(RANKS)
_FLOOR: Final = 1e-6

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """How looks are weighed, chosen on decks that were not trained with.

    ``whole`` and ``index`` sharpen (above 1) or flatten a network's answers; ``trust`` is how far one index alone may
    speak for a card; ``none_bias`` and ``none_index`` make up the belief that there is no readable card. ``echo`` is
    how much two indices that are both seen say the same thing twice: they are printed from one drawing, and a queen
    whose Q has the loop of a 9 has it at both ends.
    """

    whole: float = 1.0
    index: float = 1.0
    trust: float = 0.98
    none_bias: float = 0.0
    none_index: float = 0.5
    echo: float = 1.0


def fuse(whole: NDArray[np.floating], ends: NDArray[np.floating], fusion: Fusion) -> Floats:
    """Return probabilities (n, 53) of the cards in the order of ``CODES`` and of no readable card.

    Args:
        whole: (n, 2, 18) outputs for the whole card, either way up: 13 ranks, none, 4 suits.
        ends: (n, 2, 18) outputs for the index at either end.
        fusion: The weights.
    """
    ranks, suits = _log_shares(whole, fusion.whole)
    rank, suit = ranks.mean(axis=1), suits.mean(axis=1)
    score = rank[:, :_RANKS, None] + suit[:, None, :]
    none = rank[:, _RANKS] + fusion.none_bias
    end_ranks, end_suits = _log_shares(ends, fusion.index)
    hidden = np.exp(end_ranks[:, :, _RANKS])
    card = np.exp(end_ranks[:, :, :_RANKS, None] + end_suits[:, :, None, :])
    silent = hidden + (1 - hidden) * (1 - fusion.trust)
    told = np.log(silent[..., None, None] + fusion.trust * NONE * card + _FLOOR).sum(axis=1)
    both = (1 - hidden).min(axis=1)
    score = score + told * (1 - fusion.echo * both / 2)[:, None, None]
    none = none + fusion.none_index * np.log(hidden + 1e-3).sum(axis=1)
    return _shares(np.concatenate([score.reshape(len(score), NONE), none[:, None]], axis=1))


def index_shares(ends: NDArray[np.floating], fusion: Fusion) -> Floats:
    """Return probabilities (n, 52) of the cards by one index alone; what is missing from 1 is that there is none.

    Args:
        ends: (n, 18) outputs for one index: 13 ranks, none, 4 suits.
        fusion: The weights.
    """
    ranks, suits = _log_shares(ends, fusion.index)
    return np.asarray(np.exp(ranks[:, :_RANKS, None] + suits[:, None, :]).reshape(len(ends), NONE), np.float64)


def _log_shares(outputs: NDArray[np.floating], sharpness: float) -> tuple[Floats, Floats]:
    """Return log probabilities of ranks (with none) and of suits."""
    sharp = np.asarray(outputs, np.float64) * sharpness
    return np.log(_shares(sharp[..., : _RANKS + 1]) + _FLOOR), np.log(_shares(sharp[..., _RANKS + 1 :]) + _FLOOR)


def _shares(scores: Floats) -> Floats:
    """Return the softmax along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float64)
