"""Stacks of cheques as scripts write them: ``2 green 3 red``, bottom to top."""

from __future__ import annotations

import re
from typing import Final

from audit.money import ZERO, Money
from audit.table import CHIP_VALUES

Stack = tuple[str, ...]
_COUNT: Final = re.compile(r"(\d{1,2}) ([a-z]+)")


class ScriptError(ValueError):
    """A session that cannot be rendered; the message names the round, what was expected and what was found."""


def parse_stack(text: str, where: str = "stack") -> Stack:
    """Return the colours, bottom to top, of a stack written ``2 green 3 red``.

    Raises:
        ScriptError: if it is written otherwise, or names a colour that no chip has.
    """
    found = _COUNT.findall(text)
    if not found or " ".join(f"{n} {colour}" for n, colour in found) != text.strip():
        msg = f"{where}: expected counts and colours such as '2 green 3 red', found {text!r:.40}"
        raise ScriptError(msg)
    unknown = [colour for _, colour in found if colour not in CHIP_VALUES]
    if unknown:
        msg = f"{where}: expected colours out of {', '.join(CHIP_VALUES)}, found {unknown[0]!r}"
        raise ScriptError(msg)
    return tuple(colour for n, colour in found for _ in range(int(n)))


def write_stack(stack: Stack) -> str:
    """Return the stack as :func:`parse_stack` reads it."""
    parts: list[tuple[int, str]] = []
    for colour in stack:
        if parts and parts[-1][1] == colour:
            parts[-1] = (parts[-1][0] + 1, colour)
        else:
            parts.append((1, colour))
    return " ".join(f"{n} {colour}" for n, colour in parts)


def value_of(stack: Stack) -> Money:
    """Return what the chips are worth."""
    return sum((CHIP_VALUES[colour] for colour in stack), ZERO)
