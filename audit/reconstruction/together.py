"""Wagers that go together: a double, split, raise or draw bet and the bet that it is put beside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from audit.reconstruction.observation import SeenWager
from audit.reconstruction.priors import with_its_bet

_OPENING: Final = {"double": "main", "split": "main", "raise": "ante", "draw": "enter"}


def together(wagers: Iterable[SeenWager]) -> list[SeenWager]:
    """Return wagers, in order, each read in the light of its seat's bet and that in the light of the others."""
    found = list(wagers)
    for number, other in enumerate(found):
        opening = _OPENING.get(other.key.bet)
        place = next(
            (n for n, one in enumerate(found) if (one.key.seat, one.key.bet) == (other.key.seat, opening)), None
        )
        if place is not None:
            bet, beside = with_its_bet(found[place].stake, other.stake)
            found[place], found[number] = replace(found[place], stake=bet), replace(other, stake=beside)
    return found
