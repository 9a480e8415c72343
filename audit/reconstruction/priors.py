"""What the game's own rules say of a pile before it is looked at: they sharpen candidates, never overrule a reading.

A wager is stacked with its smallest cheques on top (004:L684), and a cheque worth more than the table's maximum is
not in play; what is put on a pile leaves its foot as it was; a double, split, raise or draw bet mostly equals the
bet it goes with. Among candidate readings those that break this are far less likely; where there is only one
candidate, or all break it, nothing changes. What no candidate covers stays uncovered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final

from audit.reconstruction.amounts import Amounts
from audit.reconstruction.evidence import Stack, best
from audit.states import SeenObject, StackCandidate
from audit.table import TableProfile

_OUT_OF_PLAY: Final = 0.01
_OUT_OF_ORDER: Final = 0.05
_EXCHANGED: Final = 0.05
"""What lay under a pile that grew was seldom exchanged."""
_FOOT_UNSEEN: Final = 0.015
"""So often a reader sees what was put upon a pile, and not the foot, as where that has the felt's colour."""
_LIKELY: Final = 0.05
_PERHAPS: Final = 0.02
_UNEQUAL: Final = 0.3
"""A double may be smaller than its bet, a raise wrong; as far as that is open equal ones are three times as likely."""


def sharpened(item: SeenObject, profile: TableProfile) -> SeenObject:
    """Return the pile with its candidates weighed by how such a pile is made."""
    return _weighed(item, lambda stack: _weight(stack, profile))


def piled_upon(item: SeenObject, below: Mapping[Stack, float], profile: TableProfile) -> SeenObject:
    """Return a pile that was sharpened, in the light of what stood there before: it is that still, or its foot is.

    The order of its cheques then counts only in what was put on: payments are put on wagers, too.
    """
    foot, top = best(below), best({one.stack: one.p for one in item.stacks})
    if foot is None or top is None or not (len(top) > len(foot) or may_hide_its_foot(item, foot)):
        return item
    item = _with_its_foot(item, foot, profile)

    def weight(stack: Stack) -> float:
        feet = ((foot, p) for foot, p in below.items() if stack[: len(foot)] == foot)
        kept = sum(p * _weight(stack[len(foot) :], profile) for foot, p in feet)
        return kept / _weight(stack, profile) + _EXCHANGED

    return _weighed(item, weight)


def may_hide_its_foot(item: SeenObject, foot: Stack | None) -> bool:
    """Return whether a pile shows none of what stood there before, and may stand upon it: that is dark, perhaps."""
    top = best({one.stack: one.p for one in item.stacks})
    if foot is None or top is None or set(foot) & set(top):
        return False
    return any(one.stack[: len(foot)] == foot and one.p >= _PERHAPS for one in item.stacks)


def _with_its_foot(item: SeenObject, foot: Stack, profile: TableProfile) -> SeenObject:
    """The sharpened pile with candidates that lack the cheques which stood there before, upon them too."""
    known = {one.stack for one in item.stacks}
    lacking = [one for one in item.stacks if Counter(foot) - Counter(one.stack) and one.p >= _LIKELY]
    whole = [
        StackCandidate(stack=stack, p=_FOOT_UNSEEN * one.p * _weight(stack, profile) / _weight(one.stack, profile))
        for one in lacking
        if (stack := (*foot, *one.stack)) not in known
    ]
    return replace(item, stacks=(*item.stacks, *whole)) if whole else item


def with_its_bet(bet: Amounts, other: Amounts) -> tuple[Amounts, Amounts]:
    """Return a bet and the one that goes with it, each in the light of the other: they mostly are equal."""
    total = sum(bet.values()) * sum(other.values())
    joint = {(a, b): p * q * (1.0 if a == b else _UNEQUAL) for a, p in bet.items() for b, q in other.items()}
    scale = total / sum(joint.values()) if total > 0 else 0.0
    if not scale or len(joint) == 1:
        return bet, other
    share = (scale / sum(other.values()), scale / sum(bet.values()))
    return (
        {a: share[0] * sum(p for (one, _), p in joint.items() if one == a) for a in bet},
        {b: share[1] * sum(p for (_, one), p in joint.items() if one == b) for b in other},
    )


def _weighed(item: SeenObject, weight: Callable[[Stack], float]) -> SeenObject:
    """The pile with its candidates weighed; what no candidate covers stays uncovered."""
    if len(item.stacks) <= 1:
        return item
    weights = [one.p * weight(one.stack) for one in item.stacks]
    covered, total = sum(one.p for one in item.stacks), sum(weights)
    if total <= 0:
        return item
    stacks = tuple(
        StackCandidate(stack=one.stack, p=weight / total * covered)
        for one, weight in zip(item.stacks, weights, strict=True)
    )
    return replace(item, stacks=stacks, stack=max(stacks, key=lambda one: one.p).stack)


def _weight(stack: Stack, profile: TableProfile) -> float:
    ranks = [profile.ranks[colour] for colour in stack if colour in profile.ranks]
    weight = _OUT_OF_PLAY if max(ranks, default=-1) >= 0 else 1.0
    return weight * _OUT_OF_ORDER if any(upper > lower for lower, upper in pairwise(ranks)) else weight
