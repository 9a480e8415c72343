"""Media time and spans of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

Millis = NewType("Millis", int)
"""Media time in milliseconds from the container's timestamps."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Two media times between which something was, or something happened; both ends included."""

    first: Millis
    last: Millis

    def __post_init__(self) -> None:
        if self.last < self.first:
            msg = f"a span ends no earlier than it begins, got {self.first} to {self.last}"
            raise ValueError(msg)

    @classmethod
    def of(cls, first: int, last: int | None = None) -> Span:
        """Return the span from ``first`` to ``last``, a single moment if ``last`` is left out."""
        return cls(Millis(first), Millis(first if last is None else last))

    def certainly_before(self, other: Span) -> bool:
        """Return whether all of this lies before all of the other."""
        return self.last < other.first

    def certainly_after(self, other: Span) -> bool:
        """Return whether all of this lies after all of the other."""
        return other.certainly_before(self)

    def overlaps(self, other: Span) -> bool:
        """Return whether the two share a moment, so that their order is unknown."""
        return self.first <= other.last and other.first <= self.last

    def hull(self, other: Span) -> Span:
        """Return the shortest span that holds both."""
        return Span(min(self.first, other.first), max(self.last, other.last))


def before(one: Span, other: Span) -> bool | None:
    """Return whether ``one`` happened before ``other``; None if the spans overlap."""
    if one.certainly_before(other):
        return True
    return False if one.certainly_after(other) else None
