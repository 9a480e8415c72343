"""What a pair is: one error in words, a round with it, and the same round without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from audit.states import SeenObject
from tests.notation import Felt


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One way to break a procedure.

    ``verdict``: what an audit must say of ``wrong``. ``also``: other procedures that the same scene certainly breaks.
    """

    procedure: str
    error: str
    wrong: Callable[[], Felt]
    right: Callable[[], Felt]
    verdict: str = "violation"
    also: tuple[str, ...] = ()


def put(felt: Felt, name: str, kind: str, xy: tuple[float, float], **seen: object) -> Felt:
    """Lay any object on the felt; what the notation has no word for goes into ``extra``."""
    known = {key: value for key, value in seen.items() if key in SeenObject.__dataclass_fields__}
    extra = {key: value for key, value in seen.items() if key not in known}
    felt.things[name] = SeenObject(kind=kind, xy_mm=xy, extra=extra, **known)  # type: ignore[arg-type]
    return felt


def change(felt: Felt, name: str, **seen: object) -> Felt:
    """Something about an object changes."""
    felt.things[name] = replace(felt.things[name], **seen)  # type: ignore[arg-type]
    return felt
