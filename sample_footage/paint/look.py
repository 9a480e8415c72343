"""How a sample table looks: felt, ink, card backs, chips, sleeves and the camera's view; one set per session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from sample_footage.stacks import ScriptError

Bgr = tuple[float, float, float]


class LookError(ScriptError):
    """A look that the session asks for and that there is none of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Colours (BGR, 0 to 255) and designs of one table."""

    view: str = "players"
    felt: Bgr = (62.0, 86.0, 30.0)
    ink: Bgr = (196.0, 208.0, 206.0)
    gold: Bgr = (72.0, 172.0, 214.0)
    red: Bgr = (40.0, 40.0, 196.0)
    back: Bgr = (44.0, 36.0, 158.0)
    rail: Bgr = (30.0, 38.0, 52.0)
    spots: int = 6
    spot_share: float = 0.42
    lamp_mm: tuple[float, float] = (90.0, 150.0)
    sleeves: dict[str, Bgr] = field(
        default_factory=lambda: {
            "dealer": (232.0, 230.0, 226.0),
            "player1": (120.0, 74.0, 46.0),
            "player2": (52.0, 50.0, 122.0),
            "player3": (66.0, 66.0, 62.0),
        }
    )
    skins: dict[str, Bgr] = field(
        default_factory=lambda: {
            "dealer": (128.0, 158.0, 206.0),
            "player1": (84.0, 112.0, 162.0),
            "player2": (142.0, 174.0, 222.0),
            "player3": (52.0, 74.0, 116.0),
        }
    )


_FELTS: Final[dict[str, Bgr]] = {"green": (62.0, 86.0, 30.0), "blue": (112.0, 70.0, 22.0), "red": (36.0, 28.0, 112.0)}
_BACKS: Final[dict[str, Bgr]] = {"red": (44.0, 36.0, 158.0), "blue": (140.0, 72.0, 34.0), "black": (48.0, 44.0, 40.0)}
_VIEWS: Final = {"players": "players", "wide": "wide", "shoulder": "shoulder"}
_CHIPS: Final = {"six": (6, 0.42), "four": (4, 0.5), "eight": (8, 0.38)}


def look_of(options: dict[str, Any]) -> Look:
    """Return the look that a session's ``[look]`` section asks for: felt, back, chips, view.

    Raises:
        LookError: for an option or a choice that there is none of.
    """
    unknown = set(options) - {"felt", "back", "chips", "view"}
    if unknown:
        msg = f"look: expected felt, back, chips or view, found {sorted(unknown)[0]!r}"
        raise LookError(msg)
    spots, share = _choice(_CHIPS, options, "chips", "six")
    return Look(
        view=_choice(_VIEWS, options, "view", "players"),
        felt=_choice(_FELTS, options, "felt", "green"),
        back=_choice(_BACKS, options, "back", "red"),
        spots=spots,
        spot_share=share,
    )


def _choice(choices: dict[str, Any], options: dict[str, Any], key: str, usual: str) -> Any:
    wanted = options.get(key, usual)
    if wanted not in choices:
        msg = f"look.{key}: expected one of {', '.join(choices)}, found {wanted!r:.40}"
        raise LookError(msg)
    return choices[wanted]
