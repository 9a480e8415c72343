"""From what was seen to the round's record, in its likeliest reading; the same for every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from audit.cards import DECK, Card
from audit.money import Money
from audit.reconstruction.amounts import best_amount, total_amounts
from audit.reconstruction.card_track import CardTrack
from audit.reconstruction.evidence import best
from audit.reconstruction.observation import Ending, MoneyMove, SeenCard, SeenWager
from audit.reconstruction.slices import Slice
from audit.rounds import Movement, ObservedRound, Round, RoundStatus, Wager
from audit.timing import Span

_READ_FROM: Final = 0.5


def best_card(card: SeenCard) -> Card | None:
    """Return the likeliest face, None if none is likelier than not."""
    code = best(card.chances)
    return DECK[code] if code is not None and card.chances[code] >= _READ_FROM else None


def bets_of(wagers: Sequence[SeenWager]) -> tuple[Wager, ...]:
    """Return the wagers of a round's record; tokes stand elsewhere. None is told of two amounts that may have stood."""
    bets = [wager for wager in wagers if wager.key.bet != "toke"]
    return tuple(Wager(key=w.key, amount=None if w.unseen_stake else best_amount(w.stake)) for w in bets)


def observed_round(
    round_: Round,
    piece: Slice,
    wagers: Sequence[SeenWager],
    tracks: Sequence[CardTrack],
    chips: Mapping[str, Money],
    *,
    late: Sequence[SeenWager] = (),
) -> ObservedRound:
    """Return the round with its times, and the money that moved, that of ``late`` side wagers, too.

    What is paid on money that was put late beside a main wager counts as paid on that.
    """
    moved = [*wagers, *(wager for wager in late if wager.key.bet != "main")]
    return ObservedRound(
        round=round_,
        start=min((track.appeared.seen for track in tracks), key=lambda span: span.last),
        end=_end(piece),
        status=RoundStatus.PARTIAL if piece.missing else RoundStatus.COMPLETE,
        missing=piece.missing,
        pays=tuple(_pays(moved, chips)),
        takes=tuple(_takes(moved, chips, piece)),
        tokes=tuple(Wager(key=w.key, amount=best_amount(w.stake)) for w in wagers if w.key.bet == "toke"),
    )


def _end(piece: Slice) -> Span:
    last = piece.states[piece.last].span
    after = next((s for s in piece.states[piece.last + 1 :] if s.view == "ok"), None)
    return Span(last.last, max(last.last, after.span.first)) if after is not None else Span(last.last, last.last)


def _pays(wagers: Sequence[SeenWager], chips: Mapping[str, Money]) -> Iterator[Movement]:
    for wager in wagers:
        for move in () if _only_lifted(wager, chips) else _laid_on_a_toke(wager) or wager.kept_pays:
            amount = best_amount(move.net(chips))
            if amount is None or amount != 0:
                yield Movement(key=wager.key, amount=amount, span=move.change.span)


def _takes(wagers: Sequence[SeenWager], chips: Mapping[str, Money], piece: Slice) -> Iterator[Movement]:
    """Yield what the house took: the wager, or what was left of it where it was changed after the first card.

    Of one that stands, what the dealer lifted off it in the round. A toke that was paid is his, with its payment.
    """
    for wager in wagers:
        if _laid_on_a_toke(wager):
            continue
        if wager.ending is Ending.TAKEN and wager.taken is not None:
            changed = wager.raised or wager.lowered
            taken = total_amounts(wager.taken.before, chips) if changed else wager.stake
            yield Movement(key=wager.key, amount=best_amount(taken), span=wager.taken.change.span)
        elif _only_lifted(wager, chips):
            for move in wager.kept_pays:
                amount = best_amount(move.net(chips))
                if amount and move.change.by_dealer and move.change.state <= piece.last:
                    yield Movement(key=wager.key, amount=-amount, span=move.change.span)


def _laid_on_a_toke(wager: SeenWager) -> tuple[MoneyMove, ...]:
    """Return what was paid on a toke, though both came down together then (004:L995); nothing of another wager."""
    return tuple(move for move in wager.pays if move.after) if wager.key.bet == "toke" else ()


def _only_lifted(wager: SeenWager, chips: Mapping[str, Money]) -> bool:
    """Whether all that was done to a wager made it less: that is no payment."""
    amounts = [best_amount(move.net(chips)) for move in wager.kept_pays]
    return bool(amounts) and all(amount is not None and amount < 0 for amount in amounts)
