"""What the settlement of a round's other wagers says of a die, or a dealer's card, that was not read with certainty.

A die decides every wager of a table, a dealer's card most. Where all others were settled as one reading demands and
another reading would make errors of them all, the first is far likelier: a dealer errs seldom (``Thresholds.breach``),
hardly ever five times at once. A wager never speaks for itself, and where readings are taken as they are nothing does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from audit.procedures.drafts import Case
from audit.readings import Mass
from audit.reconstruction.observation import SeenWager

_SURE: Final = 0.99
_LEAST: Final = 0.005
_OTHERS: Final = 2
"""One wager alone may have been settled wrongly."""

Judge = Callable[[Case, SeenWager], Mass]


def corroborated(case: Case, wager: SeenWager, judge: Judge) -> Case:
    """Return the case with unsure dice and dealer's cards weighed by what became of the wagers of other bets.

    Args:
        case: a round.
        wager: the wager to be judged, which is left out.
        judge: what says how likely a wager was settled wrongly.
    """
    others = [one for one in case.seen.wagers if one.key != wager.key and (one.pays or one.taken)]
    if case.thresholds.as_they_are or len(others) < _OTHERS:
        return case
    for place, die in enumerate(case.seen.dice):
        if _is_unsure(die.chances):
            ways = {face: _with_die(case, place, {face: 1.0}) for face in die.chances}
            case = _with_die(case, place, _weighed(die.chances, ways, others, judge))
    for place, card in enumerate(case.seen.dealer):
        if _is_unsure(card.chances):
            ways = {face: _with_card(case, place, {face: 1.0}) for face in card.chances}
            case = _with_card(case, place, _weighed(card.chances, ways, others, judge))
    return case


def _is_unsure(chances: Mapping[str, float]) -> bool:
    return len(chances) > 1 and max(chances.values()) < _SURE


def _weighed(
    chances: Mapping[str, float], ways: Mapping[str, Case], others: list[SeenWager], judge: Judge
) -> dict[str, float]:
    """The chances of faces, weighed by how the other wagers were settled if it was that face; together as before."""
    weights = {}
    for face, p in chances.items():
        weight = p
        for other in others if p >= _LEAST else ():
            weight *= judge(ways[face], other).likelihood(ways[face].thresholds.breach)
        weights[face] = weight
    share = sum(chances.values()) / max(sum(weights.values()), 1e-12)
    return {face: weight * share for face, weight in weights.items()}


def _with_die(case: Case, place: int, chances: Mapping[str, float]) -> Case:
    dice = list(case.seen.dice)
    dice[place] = replace(dice[place], chances=chances)
    return replace(case, seen=replace(case.seen, dice=tuple(dice)))


def _with_card(case: Case, place: int, chances: Mapping[str, float]) -> Case:
    dealer = list(case.seen.dealer)
    dealer[place] = replace(dealer[place], chances=chances)
    return replace(case, seen=replace(case.seen, dealer=tuple(dealer)))
