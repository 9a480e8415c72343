"""Every check, and the ids of the procedures that each one audits: adding a procedure is one function and one line."""

from __future__ import annotations

from typing import Final

from audit.procedures import card_games, closing, deal, dealer, dice_games, payouts, play, ratios, side, wagers
from audit.procedures.catalogue import catalogue
from audit.procedures.drafts import Check

_BLACKJACK: Final = frozenset({"blackjack", "double_deck"})
_DICE: Final = frozenset({"draw_n_shoot_21", "dicey_21"})
_STUD: Final = frozenset({"stud_21"})
_BACCARAT: Final = frozenset({"lucky_draw_baccarat"})
_ALL: Final = _BLACKJACK | _DICE | _STUD | _BACCARAT

_DOCUMENTS: Final = {
    # whose procedures hold at a table, by the letters of the catalogue
    "blackjack": {"ALL", "BJ", "TRI", "BLZ"},
    "double_deck": {"ALL", "BJ", "TRI", "DD"},
    "draw_n_shoot_21": {"ALL", "DNS"},
    "dicey_21": {"ALL", "DIC"},
    "stud_21": {"ALL", "STU"},
    "lucky_draw_baccarat": {"ALL", "LDB"},
}
_PAYOUTS: Final = (
    *("P025", "P026", "P027", "P030", "P031", "P032", "P033", "P034", "P035", "P054", "P055", "P056", "P057"),
    *("P073", "P074", "P077", "P080", "P081", "P082", "P083", "P084", "P097", "P098", "P104", "P105"),
    *("P247", "P280", "P281", "P282", "P305", "P312", "P313", "P379", "P385", "P401", "P409"),
)

CHECKS: Final[tuple[tuple[Check, frozenset[str], tuple[str, ...]], ...]] = (
    # check, the games it is for, the procedures it audits
    (payouts.payouts, _ALL, _PAYOUTS),
    (wagers.late_wagers, _ALL, ("P043", "P068", "P205", "P206", "P207", "P208", "P221", "P223", "P378")),
    (wagers.limits, _ALL, ("P005", "P043", "P067", "P224", "P225", "P316", "P386", "P403")),
    (wagers.stacked_smallest_on_top, _BLACKJACK, ("P222",)),
    (ratios.derived_wagers, _ALL, ("P012", "P047", "P099", "P304", "P315", "P322", "P392")),
    (ratios.side_wagers_need_a_main, _ALL, ("P006", "P044", "P066", "P092", "P377", "P403")),
    (ratios.insurance_needs_an_ace, _BLACKJACK, ("P302",)),
    (side.sensor_clear_at_the_first_card, _BLACKJACK, ("P407",)),
    (side.lost_insurance_collected_at_once, _BLACKJACK, ("P313",)),
    (side.insurance_closed, _BLACKJACK, ("P307",)),
    (side.trilux_settled_first, _BLACKJACK, ("P299", "P380")),
    (side.trilux_in_order, _BLACKJACK, ("P381",)),
    (deal.dealt_in_order, _BLACKJACK | _DICE | _BACCARAT, ("P007", "P045", "P094", "P233")),
    (deal.wager_without_cards, _ALL, ("P007", "P045", "P065", "P069", "P092", "P094", "P233", "P296")),
    (deal.dealer_first_card_face_down, _BLACKJACK, ("P234", "P236")),
    (deal.second_card_placed, _BLACKJACK, ("P184", "P185", "P235")),
    (deal.played_in_order, _BLACKJACK | _DICE, ("P014", "P047", "P241", "P326")),
    (deal.hole_turned_early, _BLACKJACK, ("P252",)),
    (play.hit_on_21, _BLACKJACK, ("P246", "P327")),
    (play.doubles, _BLACKJACK, ("P315", "P317", "P318", "P319", "P320")),
    (play.splits, _BLACKJACK, ("P321", "P323", "P327", "P330", "P393")),
    (closing.taken_and_paid_in_order, _BLACKJACK | _DICE | _STUD, ("P028", "P052", "P078", "P259", "P260")),
    (closing.picked_up_in_order, _BLACKJACK, ("P284", "P286")),
    (closing.money_before_cards, _ALL, ("P029", "P079", "P192", "P287", "P419")),
    (dealer.drew_on_17, _BLACKJACK, ("P254", "P294")),
    (dealer.stood_on_16, _BLACKJACK, ("P255",)),
    (dice_games.first_card_laid, _DICE, ("P008", "P009", "P045")),
    (dice_games.side_bet_only_gets_one_card, _DICE, ("P010", "P046")),
    (dice_games.raised_in_time, _DICE, ("P004", "P011", "P047")),
    (dice_games.hit_on_hard_19, _DICE, ("P017", "P049")),
    (dice_games.dice_untouched, _DICE, ("P022", "P023", "P041")),
    (dice_games.chuck_numbers, frozenset({"dicey_21"}), ("P042",)),
    (dice_games.losing_craps_swept_first, frozenset({"draw_n_shoot_21"}), ("P025",)),
    (dice_games.losers_before_winners, frozenset({"dicey_21"}), ("P053",)),
    (card_games.no_pip_tens, _STUD, ("P060",)),
    (card_games.cards_dealt, _STUD | _BACCARAT, ("P069", "P071", "P094", "P100")),
    (card_games.stud_dealer_cards, _STUD, ("P070", "P075")),
    (card_games.stud_settled_in_time, _STUD, ("P072", "P076", "P079")),
    (card_games.baccarat_dealer_cards, _BACCARAT, ("P095", "P101")),
    (card_games.baccarat_dealer_draws, _BACCARAT, ("P102", "P103")),
    (card_games.baccarat_draws, _BACCARAT, ("P096", "P099")),
)

OF_THE_SHOE: Final = ("P001", "P039", "P060", "P091", "P204", "P391", "P416")
"""Audited over rounds, by ``shoe``."""


def checks_of(game: str) -> tuple[Check, ...]:
    """Return the checks for a game's rounds."""
    return tuple(check for check, games, _ in CHECKS if game in games)


def procedures_of(game: str) -> tuple[str, ...]:
    """Return the ids of the procedures that are audited in a game's rounds, by number."""
    own = _DOCUMENTS[game]
    ids = {number for _, games, numbers in CHECKS if game in games for number in numbers}
    return tuple(sorted(number for number in ids if own.intersection(catalogue()[number].game.split("/"))))


def audited() -> frozenset[str]:
    """Return the ids of all procedures that some check audits."""
    return frozenset(procedure for _, _, procedures in CHECKS for procedure in procedures) | frozenset(OF_THE_SHOE)
