"""Evidence of several looks at one object, joined without counting the same noise twice.

Frames of one camera are not independent: the same blur or glare misleads all of them. So the looks' log-probabilities
are averaged, never summed: three equal looks are as sure as one of them, and a look that disagrees costs certainty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from audit.states import StackCandidate

READ: Final = 0.90
"""From this probability on the best candidate is given as read; below it is unread."""

_FLOOR: Final = 1e-4  # no single look rules anything out
_KEPT: Final = 5e-4
T = TypeVar("T")


def fused_faces(looks: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the joined probabilities of faces, the likeliest first; what is missing to 1 is none of them."""
    return _fused([dict(look) for look in looks])


def fused_stacks(looks: Sequence[Sequence[StackCandidate]]) -> tuple[StackCandidate, ...]:
    """Return the joined readings of a pile, the likeliest first."""
    joined = _fused([_as_mapping(look) for look in looks])
    return tuple(StackCandidate(stack=stack, p=p) for stack, p in joined.items())


def best(chances: Mapping[T, float], *, least: float = READ) -> T | None:
    """Return the likeliest, None if it is below ``least``."""
    if not chances:
        return None
    top = max(chances, key=lambda key: chances[key])
    return top if chances[top] >= least else None


def _as_mapping(look: Iterable[StackCandidate]) -> dict[tuple[str, ...], float]:
    chances: dict[tuple[str, ...], float] = {}
    for one in look:
        chances[one.stack] = chances.get(one.stack, 0.0) + one.p
    return chances


def _fused(looks: Sequence[Mapping[T, float]]) -> dict[T, float]:
    if not looks:
        return {}
    keys = dict.fromkeys(key for look in looks for key in look)
    rests = [max(0.0, 1.0 - sum(look.values())) for look in looks]
    weights = {key: _mean_log([look.get(key, 0.0) for look in looks]) for key in keys}
    rest = _mean_log(rests)
    total = rest + sum(weights.values())
    joined = {key: weight / total for key, weight in weights.items() if weight / total >= _KEPT}
    return dict(sorted(joined.items(), key=lambda item: -item[1]))


def _mean_log(chances: Sequence[float]) -> float:
    return math.exp(sum(math.log(max(chance, _FLOOR)) for chance in chances) / len(chances))
