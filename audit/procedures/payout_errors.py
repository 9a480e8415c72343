"""How a wrong settlement of a wager is told: what was due, what was seen, and by how much the player is better off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit.money import ZERO, Money, format_money
from audit.procedures.drafts import dollars
from audit.procedures.dues import Due, DueReadings
from audit.reconstruction.amounts import best_amount, in_colours
from audit.reconstruction.observation import Ending, SeenWager
from audit.settlement import Outcome

Reading = tuple[Due | None, Money | None, Money | None]
"""What was due, what was wagered and what was paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """One error: its code, what was expected, what was seen, and what the player received less what was due."""

    code: str
    expected: str
    words: str
    amount: Money | None


def error_of_any(readings: Sequence[Reading], wager: SeenWager) -> Error | None:
    """Return the error as it is told where any of some readings may be the right one: all ways, and no sum then."""
    told = [(due, stake, paid) for due, stake, paid in readings if due is not None]
    told = [one for one in told if one[1] is not None] or told  # of a wager that was read it is told what it may be
    errors = [error for one in told if (error := _error_of_either(one[0], wager, *one[1:])) is not None]
    if not errors or len({(error.expected, error.words) for error in errors}) == 1:
        return errors[0] if errors else None
    ways = " or ".join(dict.fromkeys(error.expected for error in errors))
    return replace(errors[0], expected=ways, words=in_any_reading([error.words for error in errors]), amount=None)


def in_any_reading(words: Sequence[str]) -> str:
    """Return what was seen in any of some readings; the colours that go with it are those of one of them."""
    some = list(dict.fromkeys(words))
    if len(some) == 1:
        return some[0]
    told = [one.partition(" in ")[0] + " paid" if " in " in one else one for one in some]
    if all(one.endswith(" paid") for one in told):
        return " or ".join(dict.fromkeys(one.removesuffix(" paid") for one in told)) + " paid"
    return " or ".join(told)


def whatever(wager: SeenWager, dues: DueReadings, stake: Money | None, paid: Money | None) -> Error:
    """Return an act that is wrong whatever the unread cards are."""
    errors = [_error(due, wager, stake, paid) for allowed in dues.sets for due in allowed]
    ways = sorted({error.expected for error in errors if error is not None}, key=lambda words: (len(words), words))
    words = f"{dollars(stake)} taken" if wager.ending is Ending.TAKEN else _paid_words(wager, paid)
    return Error(code="pay-amount", expected=" or ".join(ways) or "what the rules give", words=words, amount=None)


def _error_of_either(due: Due, wager: SeenWager, stake: Money | None, paid: Money | None) -> Error | None:
    """Return the error as it is told where a wager may have been of two amounts: whatever it was, and no sum then."""
    stakes = (best_amount(one) for one in wager.stakes) if wager.unseen_stake else (stake,)
    errors = [error for one in stakes if (error := _error(due, wager, one, paid)) is not None]
    if len(errors) == 1 or len(set(errors)) < len(errors):
        return errors[0]
    ways = " or ".join(error.expected for error in errors)
    return replace(errors[0], expected=ways, amount=None) if errors else None


def _error(due: Due, wager: SeenWager, stake: Money | None, paid: Money | None) -> Error | None:
    """Return the error in its likeliest reading: what it is, and what the player received less what was due."""
    match due.outcome:
        case Outcome.WIN:
            return _of_win(due, wager, stake, paid)
        case Outcome.PUSH:
            return _of_push(due, wager, stake, paid)
        case Outcome.LOSE:
            return _of_loss(due, wager, stake, paid)
        case None:
            return None


def _of_win(due: Due, wager: SeenWager, stake: Money | None, paid: Money | None) -> Error:
    owed = None if stake is None else due.pay(stake)
    odds = "the printed amount" if due.odds is None else due.odds.in_words
    expected = f"{odds} on {dollars(stake)}" + ("" if owed is None else f": {dollars(owed)}")
    if wager.ending is Ending.TAKEN:
        lost = None if owed is None or stake is None else (paid or ZERO) - owed - stake
        return Error(code="winner-taken", expected=expected, words=f"{dollars(stake)} taken", amount=lost)
    difference = None if owed is None or paid is None else paid - owed
    if not wager.pays:
        words = "nothing paid" + _collected_words(wager)
        return Error(code="winner-unpaid", expected=expected, words=words, amount=difference)
    return Error(code="pay-amount", expected=expected, words=_paid_words(wager, paid), amount=difference)


def _of_push(due: Due, wager: SeenWager, stake: Money | None, paid: Money | None) -> Error:
    expected = f"push: {dollars(stake)} left and nothing paid"
    del due
    if wager.ending is Ending.TAKEN:
        lost = None if stake is None else (paid or ZERO) - stake
        return Error(code="push-taken", expected=expected, words=f"{dollars(stake)} taken", amount=lost)
    return Error(code="push-paid", expected=expected, words=_paid_words(wager, paid), amount=paid)


def _of_loss(due: Due, wager: SeenWager, stake: Money | None, paid: Money | None) -> Error:
    del due
    expected = f"lost: {dollars(stake)} taken"
    if wager.pays and paid != 0 and not wager.is_paid_afar:
        gone = wager.in_rack or wager.ending is Ending.TAKEN
        kept = None if stake is None or paid is None else paid + (ZERO if gone else stake)
        return Error(code="loser-paid", expected=expected, words=_paid_words(wager, paid), amount=kept)
    words = f"{dollars(stake)} not taken" + _collected_words(wager)
    return Error(code="loser-left", expected=expected, words=words, amount=stake)


def _collected_words(wager: SeenWager) -> str:
    if wager.collected is None:
        return ""
    return ", handed back to the player" if wager.collected.by_dealer else ", collected by the player"


def _paid_words(wager: SeenWager, paid: Money | None) -> str:
    colours = in_colours(pile for move in wager.pays for pile in move.after)
    if paid is not None and paid < 0:
        return f"{dollars(-paid)} removed"
    amount = "nothing paid" if paid is None and not wager.pays else f"{dollars(paid)} paid"
    return f"{format_money(paid)} in {colours}" if paid and colours else amount
