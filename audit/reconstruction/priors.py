"""What the game's own rules say of a pile before it is looked at: they sharpen candidates, never overrule a reading.

A wager is stacked with its smallest cheques on top (004:L684), and a cheque worth more than the table's maximum is
not in play. Among candidate readings those that break this are far less likely; where there is only one candidate,
or all break it, nothing changes. What no candidate covers stays uncovered.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from audit.reconstruction.evidence import Stack
from audit.states import SeenObject, StackCandidate
from audit.table import TableProfile

_OUT_OF_PLAY: Final = 0.01
_OUT_OF_ORDER: Final = 0.05


def sharpened(item: SeenObject, profile: TableProfile) -> SeenObject:
    """Return the pile with its candidates weighed by how such a pile is made."""
    if len(item.stacks) <= 1:
        return item
    weights = [one.p * _weight(one.stack, profile) for one in item.stacks]
    covered, total = sum(one.p for one in item.stacks), sum(weights)
    if total <= 0:
        return item
    stacks = tuple(
        StackCandidate(stack=one.stack, p=weight / total * covered)
        for one, weight in zip(item.stacks, weights, strict=True)
    )
    return replace(item, stacks=stacks, stack=max(stacks, key=lambda one: one.p).stack)


def _weight(stack: Stack, profile: TableProfile) -> float:
    values = [profile.chips[colour] for colour in stack if colour in profile.chips]
    weight = 1.0
    if any(value > profile.maximum for value in values):
        weight *= _OUT_OF_PLAY
    if any(upper > lower for lower, upper in pairwise(values)):
        weight *= _OUT_OF_ORDER
    return weight
