"""95 % intervals for counts and shares, in plain Python.

Counts per exposure: the exact Poisson interval (Garwood 1936). Shares: Wilson's score interval (1927). Products and
quotients of independent estimates: the interval recovered from each one's own limits on the logarithmic scale
(MOVER, Zou and Donner 2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

TAIL: Final = 0.025
Z_95: Final = 1.959963984540054
_STEPS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with the limits of its 95 % interval; ``high`` may be infinite."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """Return the estimate of a fixed multiple."""
        return Estimate(value=self.value * factor, low=self.low * factor, high=self.high * factor)

    def overlaps(self, other: Estimate) -> bool:
        """Return whether the two intervals share a value."""
        return self.low <= other.high and other.low <= self.high


@lru_cache(maxsize=4096)
def poisson(count: int) -> Estimate:
    """Return the expected count behind an observed one: the exact 95 % interval."""
    low = 0.0 if count <= 0 else _gamma_quantile(count, TAIL)
    return Estimate(value=count, low=low, high=_gamma_quantile(count + 1, 1 - TAIL))


def wilson(part: float, whole: float) -> Estimate | None:
    """Return the share behind ``part`` of ``whole``; None if there was nothing to count."""
    if whole <= 0:
        return None
    share, z2 = part / whole, Z_95 * Z_95
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    reach = Z_95 / (1 + z2 / whole) * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole * whole))
    low = 0.0 if part <= 0 else max(0.0, middle - reach)
    high = 1.0 if part >= whole else min(1.0, middle + reach)
    return Estimate(value=share, low=low, high=high)


def product(factors: Sequence[Estimate], *, divided_by: Sequence[Estimate] = ()) -> Estimate:
    """Return the estimate of the product of independent estimates, divided by others.

    Where one of the values is zero no logarithm exists; the limits are then those of all limits together, which is
    wider than needed and never too narrow.
    """
    parts = [*factors, *(_inverse(one) for one in divided_by)]
    value = math.prod(one.value for one in parts)
    if not all(0 < one.value < math.inf for one in parts):
        return Estimate(value=value, low=math.prod(p.low for p in parts), high=math.prod(p.high for p in parts))
    below = math.sqrt(sum(_log_ratio(one.value, one.low) ** 2 for one in parts))
    above = math.sqrt(sum(_log_ratio(one.high, one.value) ** 2 for one in parts))
    high = math.inf if math.isinf(above) else value * math.exp(above)
    return Estimate(value=value, low=value * math.exp(-below), high=high)


def rate_ratio(count: int, exposure: float, other_count: int, other_exposure: float) -> Estimate | None:
    """Return how many times as often something happened as elsewhere; None where that cannot be said.

    Given both counts together, the first is binomial, so that a share's interval becomes that of the ratio.
    """
    share = wilson(count, count + other_count)
    if share is None or exposure <= 0 or other_exposure <= 0:
        return None
    scale = other_exposure / exposure

    def ratio(part: float) -> float:
        return math.inf if part >= 1 else scale * part / (1 - part)

    return Estimate(value=ratio(share.value), low=ratio(share.low), high=ratio(share.high))


def _inverse(one: Estimate) -> Estimate:
    def over(value: float) -> float:
        return math.inf if value == 0 else 1 / value

    return Estimate(value=over(one.value), low=over(one.high), high=over(one.low))


def _log_ratio(more: float, less: float) -> float:
    return math.inf if less <= 0 or math.isinf(more) else math.log(more / less)


def _gamma_quantile(shape: float, probability: float) -> float:
    """Return where the gamma distribution of that shape reaches the probability (a tail of 2.5 %).

    Newton's method from the approximation of Wilson and Hilferty, which is within a few per cent.
    """
    z = Z_95 if probability > 0.5 else -Z_95  # noqa: PLR2004 - the middle
    cube = 1 - 1 / (9 * shape) + z / (3 * math.sqrt(shape))
    x = shape * max(cube, 0.02) ** 3
    for _ in range(_STEPS):
        density = math.exp((shape - 1) * math.log(x) - x - math.lgamma(shape))
        step = (1 - _gamma_upper(shape, x) - probability) / density
        x = max(x - step, x / 2)
        if abs(step) < 1e-13 * x:
            break
    return x


def _gamma_upper(shape: float, x: float) -> float:
    """Return the regularised upper incomplete gamma function Q(shape, x): by its series below the mean, else Lentz."""
    if x <= 0:
        return 1.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while abs(term) > abs(total) * 1e-16:
            step += 1
            term *= x / step
            total += term
        return 1 - front * total
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    fraction = d
    for i in range(1, 10_000):
        a = -i * (i - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:  # noqa: PLR2004 - the precision of a float
            break
    return front * fraction
