"""Even money: a player's blackjack against an ace, paid 1 to 1 at once or 3 to 2 after the look (004:L800, L585)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.cards import is_natural
from audit.money import Money
from audit.procedures.drafts import BLACKJACK, Audited, Case, Draft, dollars, too_late
from audit.procedures.dues import done
from audit.procedures.moments import first_hit
from audit.procedures.peek import peek
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.blackjack import was_insured
from audit.reconstruction.changes import first_of
from audit.reconstruction.observation import SeenWager
from audit.reconstruction.records import best_card
from audit.rounds import BetKey


def even_money_at_once(case: Case) -> Iterator[Draft]:
    """Yield a blackjack against an ace paid evenly after the look, or more before it: P305."""
    looked = peek(case)
    closed = first_of([looked, first_hit(case), case.seen.hole_turned])
    for wager, paid, stake in _paid_blackjacks(case):
        first = wager.pays[0].change
        yield from too_late(
            case,
            *((first, closed) if paid == stake else (looked, first)),
            "P305",
            code="even-money",
            expected="even money paid 1 to 1 before the dealer looks at his hole card",
            observed=f"{dollars(paid)} paid {'after' if paid == stake else 'before'} the look",
            bet=wager.key,
            amount=None if paid == stake else paid - stake,
            follows=(("payout", wager.key),),
        )


def _paid_blackjacks(case: Case) -> Iterator[tuple[SeenWager, Money, Money]]:
    """Yield every blackjack that was paid evenly or more against an ace, with what was paid and its stake.

    Not one whose insurance was settled: it is paid by the odds, and told as that.
    """
    up = best_card(case.seen.dealer[0]) if case.seen.dealer else None
    if up is None or up.rank != "A" or case.seen.piece.missing:
        return
    for seat, play in case.seen.observed.round.seats.items():
        if was_insured(seat, case.seen.wagers):
            continue
        wager = case.seen.wager(BetKey(seat=seat, bet="main", hand=1))
        natural = is_natural(0 if card is None else card.value for card in play.hands[0])
        if wager is None or not wager.pays or not natural or len(play.hands) > 1 or play.free_bet_coupon:
            continue
        paid, stake = best_amount(done(case, wager).paid), best_amount(wager.stake)
        if paid is not None and stake is not None and paid >= stake:
            yield wager, paid, stake


CHECKS: Final = (Audited(check=even_money_at_once, games=BLACKJACK, ids=("P305",)),)
