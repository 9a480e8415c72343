"""Piles and nothing else: a performance that shows how well stacks are read in another renderer's light, and how soon.

Sets of wagers with payments beside some of them stand on a table for a moment each, brought and taken by nobody, with
the bare felt between them. Two pictures a set are traced.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from sample_footage.choreography import Performance
from sample_footage.layout import Place
from sample_footage.stacks import Stack
from sample_footage.stage import Stage

_BARE_MS: Final = 1600
_SHOWN_MS: Final = 1400
_BETWEEN_MS: Final = 800
_EMPTY: Final = 0.35
_PAID: Final = 0.35
_APART_MM: Final = 40.5
_HIGHEST: Final = 14
_COLOURS: Final = {"purple": 8, "black": 20, "green": 32, "red": 40}
"""By falling value: how often out of a hundred."""
_AS_WRITTEN: Final = 0.85


def piles_only(performance: Performance, *, sets: int, seed: int) -> Performance:
    """Return sets of piles on the betting spots of a session's table, one after the other."""
    chance, stage = random.Random(seed), Stage(seed=seed)
    zones = performance.table.polygons
    spots = [zones[name] for name in zones if name.startswith("seat") and not name.endswith(("cards", "insurance"))]
    middles = [(sum(x for x, _ in spot) / len(spot), sum(y for _, y in spot) / len(spot)) for spot in spots]
    now = _BARE_MS
    for _ in range(sets):
        for x, y in _places(middles, chance):
            stage.add_pile(_stack(chance), Place(x, y, 0.0), at=now).gone_ms = now + _SHOWN_MS
        now += _SHOWN_MS + _BETWEEN_MS
    return replace(performance, stage=stage, rounds=(), end_ms=now)


def _places(spots: list[tuple[float, float]], chance: random.Random) -> list[tuple[float, float]]:
    """Where piles stand: near the middles of most spots, and beside some of those; none touches another."""
    found: list[tuple[float, float]] = []
    for x, y in spots:
        if chance.random() < _EMPTY:
            continue
        wager = (x + chance.gauss(0, 5), y + chance.gauss(0, 5))
        beside = (wager[0] + chance.uniform(-55, 55), wager[1] + chance.uniform(-55, 55))
        for place in (wager, beside) if chance.random() < _PAID else (wager,):
            if all((place[0] - a) ** 2 + (place[1] - b) ** 2 > _APART_MM**2 for a, b in found):
                found.append(place)
    return found


def _stack(chance: random.Random) -> Stack:
    """One to fourteen cheques of one to three colours, mostly the highest at the bottom, mostly few."""
    number = 1
    while number < _HIGHEST and chance.random() < 0.75:
        number += 1
    kinds = chance.choices(list(_COLOURS), weights=list(_COLOURS.values()), k=chance.choice((1, 1, 1, 2, 2, 3)))
    colours = [chance.choice(kinds) for _ in range(number)]
    return tuple(sorted(colours, key=list(_COLOURS).index) if chance.random() < _AS_WRITTEN else colours)
