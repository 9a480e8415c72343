"""Double Deck Blackjack (004, "Double Deck Blackjack Procedures"): blackjack but for two decks and one split."""

from __future__ import annotations

from typing import Final

from audit.games import blackjack, blackjack_play, trilux
from audit.games.terms import Game, RuleSet, Settlement
from audit.rounds import Round

MOST_HANDS: Final = 2
"""A player may split once, whatever the pair (004:L1068)."""


def settle(round_: Round, rules: RuleSet) -> Settlement:
    """Return what every wager of a double-deck round is due, and what 004 forbids in it."""
    return blackjack.settle_round(round_, rules, most_hands=MOST_HANDS)


GAME: Final = Game(
    name="double_deck",
    title="Double Deck Blackjack",
    classes={
        "main": blackjack.HAND_CLASSES,
        "split": blackjack.HAND_CLASSES,
        "double": blackjack.HAND_CLASSES,
        "insurance": blackjack.INSURANCE_CLASSES,
        "trilux": trilux.BONUS_CLASSES,
    },
    options=frozenset({"decks"}),
    facts=frozenset({"bj_revealed_late", "hole_card_exposed"}),
    seats=7,
    settle=settle,
    codes=blackjack_play.CODES,
)
