"""Every check, and the ids of the procedures that each one audits: adding a procedure is one function and one line."""

from __future__ import annotations

from typing import Final

from audit.procedures.closing import money_before_cards, picked_up_in_order, taken_and_paid_in_order
from audit.procedures.deal import (
    dealer_first_card_face_down,
    dealt_in_order,
    hole_turned_early,
    played_in_order,
    second_card_placed,
    wager_without_cards,
)
from audit.procedures.dealer import drew_on_17, stood_on_16
from audit.procedures.drafts import Check
from audit.procedures.payouts import payouts
from audit.procedures.play import doubles, hit_on_21, splits
from audit.procedures.side import (
    insurance_closed,
    lost_insurance_collected_at_once,
    sensor_clear_at_the_first_card,
    trilux_in_order,
    trilux_settled_first,
)
from audit.procedures.wagers import (
    derived_wagers,
    insurance_needs_an_ace,
    late_wagers,
    limits,
    side_wagers_need_a_main,
    stacked_smallest_on_top,
)

_BLACKJACK: Final = frozenset({"blackjack", "double_deck"})

CHECKS: Final[tuple[tuple[Check, frozenset[str], tuple[str, ...]], ...]] = (
    # check, the games it is for, the procedures it audits
    (payouts, _BLACKJACK, ("P247", "P280", "P281", "P282", "P305", "P312", "P313", "P385", "P409")),
    (late_wagers, _BLACKJACK, ("P205", "P206", "P207", "P208", "P221", "P223", "P378")),
    (limits, _BLACKJACK, ("P224", "P225", "P316", "P386", "P403")),
    (stacked_smallest_on_top, _BLACKJACK, ("P222",)),
    (derived_wagers, _BLACKJACK, ("P304", "P315", "P322")),
    (side_wagers_need_a_main, _BLACKJACK, ("P377", "P403")),
    (insurance_needs_an_ace, _BLACKJACK, ("P302",)),
    (dealt_in_order, _BLACKJACK, ("P233",)),
    (wager_without_cards, _BLACKJACK, ("P233", "P296")),
    (dealer_first_card_face_down, _BLACKJACK, ("P234", "P236")),
    (second_card_placed, _BLACKJACK, ("P184", "P185", "P235")),
    (played_in_order, _BLACKJACK, ("P241", "P326")),
    (hole_turned_early, _BLACKJACK, ("P252",)),
    (hit_on_21, _BLACKJACK, ("P246", "P327")),
    (doubles, _BLACKJACK, ("P315", "P317", "P318", "P319", "P320")),
    (splits, _BLACKJACK, ("P321", "P323", "P327", "P330", "P393")),
    (taken_and_paid_in_order, _BLACKJACK, ("P259", "P260")),
    (picked_up_in_order, _BLACKJACK, ("P284", "P286")),
    (money_before_cards, _BLACKJACK, ("P192", "P287", "P419")),
    (sensor_clear_at_the_first_card, _BLACKJACK, ("P407",)),
    (lost_insurance_collected_at_once, _BLACKJACK, ("P313",)),
    (insurance_closed, _BLACKJACK, ("P307",)),
    (trilux_settled_first, _BLACKJACK, ("P299", "P380")),
    (trilux_in_order, _BLACKJACK, ("P381",)),
    (drew_on_17, _BLACKJACK, ("P254", "P294")),
    (stood_on_16, _BLACKJACK, ("P255",)),
)


def checks_of(game: str) -> tuple[Check, ...]:
    """Return the checks for a game's rounds."""
    return tuple(check for check, games, _ in CHECKS if game in games)


def audited() -> frozenset[str]:
    """Return the ids of all procedures that some check audits."""
    return frozenset(procedure for _, _, procedures in CHECKS for procedure in procedures)
