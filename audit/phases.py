"""The phases of a round, and in which of them each kind of finding lies."""

from __future__ import annotations

from typing import Final

PHASES: Final = (
    "before the deal",
    "deal",
    "players' play",
    "dealer's hand",
    "settling",
    "clearing",
    "shuffle and shoe",
    "other",
)
"""In the order in which a round runs; ``other`` is what has no place in it."""

_KINDS: Final = {
    "before the deal": (
        "capped cards-before-money craps-swept-late late-wager over-maximum seat-skipped side-wager-alone"
        " side-wager-late stack-order under-minimum chuck-numbers raise-time second-card-without-ante"
        " past-the-line too-many-spaces"
        " currency currency-left currency-in-play dirty-money foreign-cheque hands-of-one-player minimum-for-hands"
        " over-game-maximum progressive-late proving round-begun-open thing-on-table two-players-on-one-space"
        " bets-in-a-fill cover-not-shown exchanged marker-amount not-proved pinched seated-elsewhere toke-bet"
        " wrong-fill"
    ),
    "deal": (
        "card-2-first card-to-empty-box dealer-card-up dealer-cards-lie first-card-lateral hole-early"
        " player-card-down up-card-early card-covered dice-colours dice-count die-turned sensor-not-cleared"
        " cup-early cup-open cup-opened cup-shakes thrown-again die-gone die-moved"
        " card-moved dealer-cards-first dealer-row dealer-short dealer-skipped one-card-hand second-card-late"
        " first-card-down hole-exposed stray-card zigzag"
        " card-on-bet card-swept-up deal-order dealer-card-place round-stopped too-few-cards"
    ),
    "players' play": (
        "card-without-draw double-cards double-late double-not-allowed double-on-top double-upright hit-on-21"
        " hit-on-hard-19 insurance-late insurance-late-taken insurance-without-ace pip-ten split-ace-upright"
        " split-hand-short split-unequal split-without-wager too-many-cards too-many-hands"
        " hit-laid"
        " both-hands card-touched double-left hand-on-bet insurance-after-peek insurance-not-opened insurance-place"
        " no-peek no-signal peek-angle player-hand side-wager-after-peek split-ten-ace split-wager-left"
        " aces-split-again card-in-anticipation double-over-wager draw-differs draw-without-card even-money"
        " hit-face-down hit-order insurance-over-half insurance-wave raise-size raise-without-ante"
        " side-wager-after-insurance split-order split-wager-differs"
    ),
    "dealer's hand": "blackjack-missed dealer-drew dealer-drew-twice dealer-stood turned-early",
    "settling": (
        "loser-left loser-paid pay-amount push-paid push-taken settled-late winner-first winner-taken winner-unpaid"
        " covered-early settled-before-reveal"
        " jackpot-early pay-manner side-payout-left side-winner-first toke-cheques toke-first toke-left-up toke-moved"
        " toke-settled toke-size blackjack-order settled-early"
        " craps-late insurance-order no-pat progressives-first settling-order side-order side-order-mixed"
    ),
    "clearing": (
        "discard-face-up cards-left dealer-cards-away discards-top rack-on-dead-game rack-tube tube-mixed"
        " cards-before-bets cards-lacking cards-together pick-up-order rebuilt-order"
    ),
    "shuffle and shoe": (
        "burn-card card-count cut-by-another cut-by-dealer cut-card-given cut-depth dead-game-spread extra-card"
        " face-in-shoe inspection money-in-shuffle offered-face-up round-after-cut-card shuffled-by-hand"
    ),
}
_PHASE_OF: Final = {code: phase for phase, codes in _KINDS.items() for code in codes.split()}


def phase_of(code: str) -> str:
    """Return the phase of a kind of finding; ``other`` for a kind that this list does not know."""
    return _PHASE_OF.get(code, "other")
