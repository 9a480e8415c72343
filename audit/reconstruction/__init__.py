"""From settled table states to rounds: a pure fold over time.

The stream is cut into rounds (``slices``), cards and piles are followed through each (``cards``, ``piles``), and a game
module says what they make: hands, wagers, pays and takes (``blackjack``, ``one_hand``). A new game is one such module.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from audit.reconstruction.observation import Observation
from audit.reconstruction.places import Places
from audit.reconstruction.slices import Slice, slices
from audit.states import TableState
from audit.table import TableProfile

__all__ = ["Observation", "reconstruct"]

_GAMES: Final = {
    "blackjack": "audit.reconstruction.blackjack",
    "double_deck": "audit.reconstruction.blackjack",
    "draw_n_shoot_21": "audit.reconstruction.one_hand",
    "dicey_21": "audit.reconstruction.one_hand",
    "stud_21": "audit.reconstruction.one_hand",
    "lucky_draw_baccarat": "audit.reconstruction.one_hand",
}


def reconstruct(states: Iterable[TableState], profile: TableProfile) -> Iterator[Observation]:
    """Yield the rounds that the states show, in order, each as soon as the next one begins."""
    places = Places(profile=profile)
    observe: Callable[[Slice, Places], Observation | None] = importlib.import_module(_GAMES[profile.game]).observe
    for piece in slices(states, places):
        seen = observe(piece, places)
        if seen is not None and (seen.seats or piece.missing):  # a stack of cards at the dealer's place is no round
            yield seen
