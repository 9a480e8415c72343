"""The order in which side wagers are settled: losers and winners, seats, progressives, and jackpots at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.money import Money
from audit.procedures.drafts import BLACKJACK, TRILUX, Audited, Case, Draft, first_inversion, found, too_late
from audit.procedures.dues import due_readings
from audit.procedures.limits import limit
from audit.procedures.moments import settled
from audit.procedures.order import Act, inversions
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.changes import Change
from audit.reconstruction.observation import SeenWager
from audit.settlement import Outcome

_SIDE_ORDER: Final = "losing side wagers taken before winners are paid, or seat by seat from the right"
_JACKPOTS: Final = frozenset({"same_colour", "same_suit"})
"""The rows of the Blazing 7's pay table that pay a share of the meter (004:L1130-1131)."""


def trilux_in_order(case: Case) -> Iterator[Draft]:
    """Yield Trilux wagers settled neither losers first nor seat by seat from the right: P381.

    The turn of one that was taken though it won, or paid though it lost, is not known: that of the losers or winners.
    """
    if case.seen.piece.missing:
        return
    acts: dict[bool, list[Act]] = {True: [], False: []}
    for wager in case.seen.wagers:
        change = settled(wager)
        paid = bool(wager.pays)
        if wager.key.bet in TRILUX and change is not None and _may_be_due(case, wager, paid=paid):
            words = f"seat {wager.key.seat} {wager.key.bet} {'paid' if paid else 'taken'}"
            acts[paid].append(Act(rank=-wager.key.seat, change=change, words=words, seat=wager.key.seat))
    for some in acts.values():
        pairs = [pair for pair in inversions(some) if pair.certain]
        yield from first_inversion(case, pairs, "P381", "side-order", "side wagers settled from right to left")


def _may_be_due(case: Case, wager: SeenWager, *, paid: bool) -> bool:
    """Whether a wager was due to be paid, or not to be, as far as that is known."""
    due = due_readings(case, wager).best
    return due is None or (due.outcome is Outcome.WIN) is paid


def losers_before_winners(case: Case) -> Iterator[Draft]:
    """Yield a Trilux winner paid before a loser farther right was taken: P382. Either order of TRI-3 is accepted.

    At one seat the loser goes first, too ("all losing wagers then ... all winners", 004:L1043): at most suspect there,
    as nothing is written of a seat by itself.
    """
    for winner, loser, taken in _paid_and_taken(case):
        own = loser.key.seat == winner.key.seat
        if loser.key.seat > winner.key.seat or (own and _lost(case, loser)):
            yield from too_late(
                case,
                taken,
                winner.pays[0].change,
                "P382",
                code="side-winner-first",
                expected=_SIDE_ORDER,
                observed=f"seat {winner.key.seat} {winner.key.bet} paid first",
                bet=loser.key,
                capped=own,
                follows=(("payout", winner.key), ("payout", loser.key)),
            )


def _lost(case: Case, wager: SeenWager) -> bool:
    due = due_readings(case, wager).best
    return due is not None and due.outcome is Outcome.LOSE


def _paid_and_taken(case: Case) -> Iterator[tuple[SeenWager, SeenWager, Change]]:
    """Yield every Trilux wager that was paid with every one that was taken, and when it was."""
    side = [w for w in case.seen.wagers if w.key.bet in TRILUX] if not case.seen.piece.missing else []
    for winner in side:
        for loser in side:
            if winner.pays and not loser.pays and loser.taken is not None:
                yield winner, loser, loser.taken.change


def neither_sweep_nor_pass(case: Case) -> Iterator[Draft]:
    """Yield a Trilux winner paid between two losers farther left, so neither of the orders of TRI-3: P382, P381."""
    for winner, early, taken in _paid_and_taken(case):
        late = [
            (change, loser)
            for other, loser, change in _paid_and_taken(case)
            if other is winner and loser.key.seat < winner.key.seat and change.hands
        ]
        paid = winner.pays[0].change
        after = [(change, loser) for change, loser in late if change.span.certainly_after(paid.span)]
        if early.key.seat < winner.key.seat and taken.span.certainly_before(paid.span) and after and taken.hands:
            change, loser = after[0]
            yield from found(
                case,
                "P382",
                "P381",
                code="side-order-mixed",
                span=taken.span.hull(change.span),
                expected=_SIDE_ORDER,
                observed=f"seat {early.key.seat} taken, seat {winner.key.seat} paid, seat {loser.key.seat} taken",
                bet=loser.key,
                capped=not paid.hands,
                name=("side-order-mixed",),
                follows=(("side-order",), *(("payout", one.key) for one in (winner, early, loser))),
            )
            return


def progressive_first(case: Case) -> Iterator[Draft]:
    """Yield a Blazing 7's paid after its hand's Trilux bets, P384, or after the next hand's side bets, P410."""
    side = [w for w in case.seen.wagers if w.key.bet in TRILUX] if not case.seen.piece.missing else []
    for wager in case.seen.wagers:
        if wager.key.bet != "blazing7" or not wager.pays or is_jackpot(case, wager):
            continue
        for other in side:
            if other.key.seat <= wager.key.seat:
                yield from too_late(
                    case,
                    wager.pays[0].change,
                    settled(other),
                    *(("P384", "P410") if other.key.seat == wager.key.seat else ("P410",)),
                    code="progressive-late",
                    expected="progressive wagers paid before a hand's other side bets, and before the next hand",
                    observed=f"paid after seat {other.key.seat}'s {other.key.bet}",
                    bet=wager.key,
                    name=("progressive-late", wager.key),
                )


def progressives_not_all_first(case: Case) -> Iterator[Draft]:
    """Yield a Blazing 7's paid while a hand farther right, paid its own, still had side bets to settle: P410."""
    side = [w for w in case.seen.wagers if w.key.bet in TRILUX] if not case.seen.piece.missing else []
    paid = {w.key.seat: w for w in case.seen.wagers if w.key.bet == "blazing7" and w.pays and not is_jackpot(case, w)}
    for other in side:
        for seat, wager in paid.items():
            if other.key.seat in paid and seat < other.key.seat:
                yield from too_late(
                    case,
                    settled(other),
                    wager.pays[0].change,
                    "P410",
                    code="progressives-first",
                    expected="a hand's other side bets settled before the next hand's progressive is paid",
                    observed=f"seat {other.key.seat}'s {other.key.bet} settled after seat {seat}'s progressive",
                    bet=wager.key,
                    name=("progressives-first",),
                )


def is_jackpot(case: Case, wager: SeenWager) -> bool:
    """Whether a Blazing 7's was paid more than any other pays, or its cards make a jackpot, whatever the meter said."""
    paid = [best_amount(move.net(case.chips)) for move in wager.pays]
    due = due_readings(case, wager).best
    large = sum((amount for amount in paid if amount is not None), Money(0)) >= limit("wagers", "jackpot_from")
    return large or (due is not None and due.row in _JACKPOTS)


def jackpot_after_the_round(case: Case) -> Iterator[Draft]:
    """Yield a jackpot paid before the dealer's hand was played, so before the round was over (004:L1113-1118): P412."""
    for wager in case.seen.wagers:
        if wager.key.bet == "blazing7" and wager.pays and is_jackpot(case, wager):
            yield from too_late(
                case,
                case.seen.hole_turned,
                wager.pays[0].change,
                "P412",
                code="jackpot-early",
                expected="a jackpot paid after the round",
                observed="paid before the dealer's hand was played",
                bet=wager.key,
            )


CHECKS: Final = (
    Audited(check=trilux_in_order, games=BLACKJACK, ids=("P381",)),
    Audited(check=losers_before_winners, games=BLACKJACK, ids=("P382",)),
    Audited(check=neither_sweep_nor_pass, games=BLACKJACK, ids=("P381", "P382")),
    Audited(check=progressive_first, games=BLACKJACK, ids=("P384", "P410")),
    Audited(check=progressives_not_all_first, games=BLACKJACK, ids=("P410",)),
    Audited(check=jackpot_after_the_round, games=BLACKJACK, ids=("P412",)),
)
