"""How a payout stands before the rack: in a row along it, the highest cheques toward its middle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.procedures.before_rack import (
    LINE_MM,
    Show,
    is_bankroll,
    is_counted,
    misplaced,
    of_show,
    paid_from,
    shows,
)
from audit.procedures.drafts import ALL_GAMES, AuditedTable, Draft, Session
from audit.states import SeenObject
from audit.table import Point

_COLUMN: Final = 2  # piles


def highest_to_the_middle(session: Session) -> Iterator[Draft]:
    """Yield rows before the rack with a higher colour farther from its middle than a lower one: P276, P106.

    The stacks of a bankroll that is counted stand as they do in the rack (004:L896, L936, L957).
    """
    for show in shows(session):
        if _is_counted(session, show):
            continue
        fullest = max(reversed(show.piles), key=len)
        mass = misplaced(session, fullest, _is_farther_out)
        words = ("the highest cheques nearest the middle", "a lower colour nearer")
        yield from of_show(session, show, "P276", *words, "P106", mass=mass)


def _is_farther_out(far: Point, near: Point) -> bool:
    """Whether a pile stands farther from the rack's middle than another of the same row and side."""
    outward = far[0] * near[0] > 0 and abs(far[0]) > abs(near[0]) + LINE_MM
    return outward and abs(far[1] - near[1]) < LINE_MM


def along_the_rack(session: Session) -> Iterator[Draft]:
    """Yield a payout broken down away from the dealer instead of along the rack: P276 (004:L757). At most suspect.

    What a player brought, and the change for it, is set out away from him (004:L456).
    """
    for show in shows(session):
        column = next((piles for piles in show.piles if _is_column(piles)), ())
        if column and paid_from(session, show) and not _is_counted(session, show):
            words = ("a payout broken down along the rack", f"{len(column)} piles in a line away from the dealer")
            yield from of_show(session, show, "P276", *words, capped=True)


def _is_column(piles: Sequence[SeenObject]) -> bool:
    """Whether all piles stand behind one another, seen from the rack."""
    xs, ys = [pile.xy_mm[0] for pile in piles], [pile.xy_mm[1] for pile in piles]
    return len(piles) >= _COLUMN and max(xs) - min(xs) < LINE_MM < max(ys) - min(ys)


def _is_counted(session: Session, show: Show) -> bool:
    return is_bankroll(session, show) or is_counted(session, show)


TABLE_CHECKS: Final = (
    AuditedTable(check=highest_to_the_middle, games=ALL_GAMES, ids=("P106", "P276"), in_round=True),
    AuditedTable(check=along_the_rack, games=ALL_GAMES, ids=("P276",), in_round=True),
)
