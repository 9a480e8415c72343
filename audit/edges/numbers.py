"""Roots of exact numbers, to more places than anything prints."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Final

_PLACES: Final = 10**30


def square_root(number: Fraction) -> Fraction:
    """Return the square root, cut to thirty places."""
    return Fraction(isqrt(number.numerator * _PLACES**2 // number.denominator), _PLACES)
