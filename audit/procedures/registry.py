"""Every check, and the ids of the procedures that each one audits: one function and one line in its module."""

from __future__ import annotations

from itertools import chain
from typing import Final

from audit.procedures import (
    bankroll,
    card_games,
    cash,
    cheque_change,
    closing,
    covering,
    cup,
    cut_card,
    deal,
    dealer,
    dealer_zones,
    dice_games,
    dirty_money,
    drawing,
    empty_boxes,
    even_money,
    follow_up,
    hands,
    insurance,
    insurance_line,
    irregular,
    lifted,
    machine,
    misdeals,
    naturals,
    pats,
    paying,
    payouts,
    peek,
    play,
    positions,
    proving,
    rack,
    ratios,
    reaching,
    rebuilding,
    rows,
    sending,
    shoe,
    shuffle,
    side,
    side_order,
    spaces,
    spread,
    tokes,
    turns,
    wager_limits,
    wagers,
)
from audit.procedures.catalogue import catalogue
from audit.procedures.drafts import Audited, AuditedTable

_DOCUMENTS: Final = {
    # whose procedures hold at a table, by the letters of the catalogue
    "blackjack": {"ALL", "BJ", "TRI", "BLZ"},
    "double_deck": {"ALL", "BJ", "TRI", "DD"},
    "draw_n_shoot_21": {"ALL", "DNS"},
    "dicey_21": {"ALL", "DIC"},
    "stud_21": {"ALL", "STU"},
    "lucky_draw_baccarat": {"ALL", "LDB"},
}
CHECKS: Final[tuple[Audited, ...]] = tuple(
    chain(
        payouts.CHECKS,
        wagers.CHECKS,
        wager_limits.CHECKS,
        ratios.CHECKS,
        side.CHECKS,
        deal.CHECKS,
        empty_boxes.CHECKS,
        play.CHECKS,
        turns.CHECKS,
        drawing.CHECKS,
        closing.CHECKS,
        dealer.CHECKS,
        dice_games.CHECKS,
        card_games.CHECKS,
        dealer_zones.CHECKS,
        cup.CHECKS,
        covering.CHECKS,
        spaces.CHECKS,
        hands.CHECKS,
        lifted.CHECKS,
        tokes.CHECKS,
        paying.CHECKS,
        peek.CHECKS,
        insurance.CHECKS,
        naturals.CHECKS,
        insurance_line.CHECKS,
        even_money.CHECKS,
        misdeals.CHECKS,
        positions.CHECKS,
        dirty_money.CHECKS,
        cash.CHECKS,
        rack.CHECKS,
        follow_up.CHECKS,
        side_order.CHECKS,
    )
)
"""What is checked in every round."""

TABLE_CHECKS: Final[tuple[AuditedTable, ...]] = tuple(
    chain(
        shoe.CHECKS,
        cut_card.CHECKS,
        shuffle.CHECKS,
        spread.CHECKS,
        machine.TABLE_CHECKS,
        hands.TABLE_CHECKS,
        reaching.TABLE_CHECKS,
        peek.TABLE_CHECKS,
        insurance.TABLE_CHECKS,
        insurance_line.TABLE_CHECKS,
        paying.TABLE_CHECKS,
        pats.TABLE_CHECKS,
        proving.TABLE_CHECKS,
        rows.TABLE_CHECKS,
        sending.TABLE_CHECKS,
        cheque_change.TABLE_CHECKS,
        cash.TABLE_CHECKS,
        rack.TABLE_CHECKS,
        bankroll.TABLE_CHECKS,
        irregular.TABLE_CHECKS,
        rebuilding.TABLE_CHECKS,
        follow_up.TABLE_CHECKS,
    )
)
"""What is checked over everything seen at a table."""


REPORTED: Final = ("P115", "P163", "P196", "P200", "P210", "P248", "P249", "P250")
"""What is measured and reported, not judged: ``audit.pace``."""

FOLLOWS: Final = ("P211", "P387")
"""What needs no check of its own: changes after the first card are found at every seat, first and third base too; no
rule for several hands is applied to side wagers."""


def checks_of(game: str) -> tuple[Audited, ...]:
    """Return the checks for a game's rounds."""
    return tuple(one for one in CHECKS if game in one.games)


def table_checks_of(game: str) -> tuple[AuditedTable, ...]:
    """Return the checks over everything seen at a game's table."""
    return tuple(one for one in TABLE_CHECKS if game in one.games)


def procedures_of(game: str) -> tuple[str, ...]:
    """Return the ids of the procedures that are audited in a game's rounds, by number."""
    own = _DOCUMENTS[game]
    ids = {number for one in checks_of(game) for number in one.ids}
    return tuple(sorted(number for number in ids if own.intersection(catalogue()[number].game.split("/"))))


def procedures_at(game: str) -> tuple[str, ...]:
    """Return the ids of the procedures that hold at a table of the game, in the order of the catalogue."""
    documents = _DOCUMENTS.get(game, set())
    return tuple(one.id for one in catalogue().values() if documents & set(one.game.split("/")))


def audited() -> frozenset[str]:
    """Return the ids of all procedures that some check audits."""
    judged = (*(one.ids for one in CHECKS), *(one.ids for one in TABLE_CHECKS))
    return frozenset(chain(REPORTED, FOLLOWS, *judged))
