"""The '21' bet of Draw 'n Shoot 21 and Dicey 21: cards and two dice against a pay table (000 and 001, "21 Rules")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from audit.cards import Card
from audit.games.terms import Row, Settled, answer, hard_total, undecided
from audit.rounds import SeatPlay, Wager

Bets = Mapping[str, Sequence[Wager]]

CLASSES: Final = frozenset({"blackjack", "twenty_one", "eighteen_to_twenty", "seventeen", "below_seventeen", "over_21"})
CODES: Final = {
    "no-card": "a seat with a wager is dealt a card (000:L44, 001:L44)",
    "cards-without-wager": "only a seat with a wager is dealt cards (000:L43-44, 001:L43-44)",
    "side-bet-only-second-card": "a seat without an ante gets one card (000:L44, 001:L44)",
    "hit-on-hard-19": "a hand is hit only below a hard total of 19 (000:L47, 001:L47)",
    "raise-without-ante": "a raise stands beside an ante (000:L46, 001:L46)",
    "raise-size": "a raise is once or twice the ante (000:L27, L46; 001:L27, L46) [DNS-1]",
    "first-card-lateral": "the first card lies laterally if, and only if, the side bet is played (000:L44, 001:L44)",
    "dice-count": "the cup holds two dice (000:L19), three in Dicey 21 (001:L19)",
}

_TWENTY_ONE: Final = 21
_HITTING_ENDS: Final = 19


def final_score(cards: Sequence[Card], dice: int) -> int:
    """Return cards and dice; an ace counts 11 if the final score stays within 21 [DNS-3]."""
    score = hard_total(cards) + dice
    soft = score + 10
    return soft if soft <= _TWENTY_ONE and any(card.rank == "A" for card in cards) else score


def score_class(score: int, *, cards: int) -> str:
    """Return the row of the '21' pay table (000:L32, L69-73; 001:L32, L83-86)."""
    if score > _TWENTY_ONE:
        return "over_21"
    if score == _TWENTY_ONE:
        return "blackjack" if cards == 1 else "twenty_one"
    if score >= 18:  # noqa: PLR2004 - the pay table's row
        return "eighteen_to_twenty"
    return "seventeen" if score == 17 else "below_seventeen"  # noqa: PLR2004 - the pay table's row


def settle_score(wager: Wager, play: SeatPlay, dice: Sequence[int | None] | None, rows: Mapping[str, Row]) -> Settled:
    """Return what an ante or a raise is due; ``dice`` None: which dice count was not read."""
    cards = play.hands[0] if play.hands else ()
    if not cards:
        return undecided(wager, f"no card of seat {wager.key.seat} was seen")
    least = hard_total(cards) + sum([1 if die is None else die for die in dice or (None, None)])
    if least > _TWENTY_ONE:
        return answer(wager, rows["over_21"], f"{least}")
    known = [card for card in cards if card is not None]
    if len(known) < len(cards):
        return undecided(wager, f"a card of seat {wager.key.seat} was not read")
    if dice is None or None in dice or not dice:
        return undecided(wager, "which dice count was not read" if dice is None else "a die was not read")
    roll = sum([die for die in dice if die is not None])
    score = final_score(known, roll)
    return answer(wager, rows[score_class(score, cards=len(known))], f"{score} with the roll of {roll}")


def check_seat(play: SeatPlay, bets: Bets, *, side_bet: str) -> Iterator[str]:
    """Yield what is forbidden at one seat: hits, raises, and how the first card lies."""
    cards = play.hands[0] if play.hands else ()
    if not cards:
        yield "no-card"
    if not bets:
        yield "cards-without-wager"
    elif "ante" not in bets and len(cards) > 1:
        yield "side-bet-only-second-card"
    if any(hard_total(cards[:count]) >= _HITTING_ENDS for count in range(1, len(cards))):
        yield "hit-on-hard-19"
    if "raise" in bets:
        yield from _raise(bets)
    if play.first_card_lateral is not None and bets and play.first_card_lateral != (side_bet in bets):
        yield "first-card-lateral"


def _raise(bets: Bets) -> Iterator[str]:
    if "ante" not in bets:
        yield "raise-without-ante"
        return
    ante, raised = bets["ante"][0].amount, bets["raise"][0].amount
    if ante is not None and raised is not None and raised not in (ante, 2 * ante):
        yield "raise-size"
