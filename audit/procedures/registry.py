"""Every check, and the ids of the procedures that each one audits: adding a procedure is one function and one line."""

from __future__ import annotations

from typing import Final

from audit.procedures.dealer import drew_on_17, stood_on_16
from audit.procedures.drafts import Check
from audit.procedures.payouts import payouts

_BLACKJACK: Final = frozenset({"blackjack", "double_deck"})

CHECKS: Final[tuple[tuple[Check, frozenset[str], tuple[str, ...]], ...]] = (
    # check, the games it is for, the procedures it audits
    (payouts, _BLACKJACK, ("P247", "P280", "P281", "P282", "P305", "P312", "P313", "P385", "P401", "P409")),
    (drew_on_17, _BLACKJACK, ("P254", "P294")),
    (stood_on_16, _BLACKJACK, ("P255",)),
)


def checks_of(game: str) -> tuple[Check, ...]:
    """Return the checks for a game's rounds."""
    return tuple(check for check, games, _ in CHECKS if game in games)


def audited() -> frozenset[str]:
    """Return the ids of all procedures that some check audits."""
    return frozenset(procedure for _, _, procedures in CHECKS for procedure in procedures)
