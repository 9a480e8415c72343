"""How much may be wagered: posted, printed and side limits (004:L863, L1051)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Final

from audit.cheques import greatest_toke
from audit.money import Money, format_money
from audit.procedures.drafts import (
    ALL_GAMES,
    BLACKJACK,
    Audited,
    Case,
    Draft,
    change_unseen,
    dollars,
    found,
    spot_words,
)
from audit.procedures.dues import due_readings, settled_as
from audit.procedures.limits import limit
from audit.procedures.resting import unsure_money
from audit.readings import Mass, in_all, mass_where
from audit.reconstruction.amounts import best_amount, total_amounts
from audit.reconstruction.observation import Ending, SeenWager
from audit.settlement import Outcome

FIRST_WAGERS: Final = frozenset({"main", "ante", "base", "enter"})
"""The bets that a round begins with."""
_LIMITED: Final = frozenset(
    {"main", "ante", "base", "enter", "craps", "chuck", "match1", "match2", "mirror", "block_bonus"}
)
_SIDE_LIMITS: Final = {"trilux": "P386", "super3": "P386", "blazing7": "P403"}
_OF_TWO_DECKS: Final = {"P316": ("P392",), "P386": ("P401",)}
"""Limits that the double-deck manual states for itself, and names first."""
_WITH_TOKE: Final = frozenset({"trilux", "super3"})
_LIMIT_IDS: Final = {
    # game -> the procedures of the posted minimum and maximum
    "draw_n_shoot_21": ("P005", "P005"),
    "dicey_21": ("P043", "P043"),
    "stud_21": ("P067", "P067"),
}
_TWO: Final = 2


def limits(case: Case) -> Iterator[Draft]:
    """Yield wagers outside the posted or printed limits: P224, P225, P399, P386, P389, P403, P316; P005..."""
    profile = case.places.profile
    for wager in case.seen.wagers if not case.seen.piece.begun_unseen else ():
        bet = wager.key.bet
        if bet in _LIMITED:
            low, high = _LIMIT_IDS.get(profile.game, ("P224", "P225"))
            yield from _at_least(case, wager, low, profile.minimum)
            yield from _at_most(case, wager, high, profile.maximum)
        if bet == "double":
            yield from _at_least(case, wager, "P316", profile.minimum)
        own = case.rules.limit_of(bet)
        if own is not None and bet in _SIDE_LIMITS:
            if own.minimum is not None:
                yield from _at_least(case, wager, _SIDE_LIMITS[bet], own.minimum)
            if own.maximum is not None and bet in _WITH_TOKE and len(wager.piles) == _TWO:
                yield from _with_a_toke(case, wager, own.maximum)
            elif own.maximum is not None:
                yield from _at_most(case, wager, _SIDE_LIMITS[bet], own.maximum)


def _at_least(case: Case, wager: SeenWager, procedure: str, least: Money) -> Iterator[Draft]:
    """Yield a wager below a minimum; at blackjack a first one, found only when cards are out, may be played (004:L863).

    Accepted again in the round after, it is a violation. Of side wagers less may be posted: they are suspected.
    """
    mass = in_all(mass_where(stake, lambda amount: amount < least) for stake in wager.stakes)
    before = None if case.previous is None else case.previous.wager(wager.key)
    seen_before = None if before is None else best_amount(before.stake)
    once = procedure == "P224" and case.rules.game in BLACKJACK and (seen_before is None or seen_before >= least)
    yield from _limit(
        case,
        wager,
        (procedure,),
        mass,
        code="under-minimum",
        expected=f"at least {format_money(least)}",
        capped=once or wager.key.bet in _LIMITED - FIRST_WAGERS,
    )


def _at_most(case: Case, wager: SeenWager, procedure: str, most: Money) -> Iterator[Draft]:
    """Yield a wager above the posted maximum; above that of the double-deck game, P399, names it first."""
    of_game = Money(int(limit("wagers", "double_deck_maximum")))
    own = case.rules.game == "double_deck" and wager.key.bet == "main" and most >= of_game
    bound, likeliest = of_game if own else most, best_amount(wager.stake)
    posted = () if own and likeliest is not None and likeliest <= most else (procedure,)
    if likeliest is not None and likeliest > bound and _to_the_limit(case, wager, likeliest, bound):
        return
    yield from _limit(
        case,
        wager,
        (*(("P399",) if own else ()), *posted),
        in_all(mass_where(stake, lambda amount: amount > bound) for stake in wager.stakes),
        code="over-game-maximum" if own else "over-maximum",
        expected=f"at most {format_money(bound)}",
        amount=_over_the_limit(case, wager, bound),
    )


def _to_the_limit(case: Case, wager: SeenWager, stake: Money, bound: Money) -> bool:
    """Whether a wager was paid or taken to the limit, and not as it stood: that was announced, and heard (004:L865)."""
    return settled_as(case, wager, bound) and not settled_as(case, wager, stake)


def _over_the_limit(case: Case, wager: SeenWager, bound: Money) -> Money | None:
    """What a player got or lost by the part of a wager above the limit; None where no money hangs on it."""
    due, stake = due_readings(case, wager).best, best_amount(wager.stake)
    if due is None or stake is None:
        return None
    if due.outcome is Outcome.LOSE and wager.ending is Ending.TAKEN:
        return bound - stake
    owed, limited = due.pay(stake), due.pay(bound)
    paid = due.outcome is Outcome.WIN and bool(wager.pays)
    more = owed - limited if paid and owed is not None and limited is not None else None
    return more or None  # a fixed payment is the same whatever was wagered (004:L1126)


def _with_a_toke(case: Case, wager: SeenWager, most: Money) -> Iterator[Draft]:
    """Yield two piles on a side wager's spot that are too much even if one is the dealer's bet (004:L1051): P389."""
    broken = kept = 0.0
    one, other = (total_amounts((pile,), case.chips) for pile in wager.piles)
    for (stake, p), (toke, q) in product(one.items(), other.items()):
        fits = any(own <= most and with_it <= greatest_toke(most, own) for own, with_it in permutations((stake, toke)))
        broken += 0.0 if fits else p * q
        kept += p * q if fits else 0.0
    yield from _limit(
        case,
        wager,
        ("P389", "P386"),
        Mass(broken=broken, kept=kept),
        code="over-maximum",
        expected=f"at most {format_money(most)}, and beside that a tenth of it for the dealer",
    )


def _limit(
    case: Case,
    wager: SeenWager,
    procedures: tuple[str, ...],
    mass: Mass,
    *,
    code: str,
    expected: str,
    amount: Money | None = None,
    capped: bool = False,
) -> Iterator[Draft]:
    yield from found(
        case,
        *(_OF_TWO_DECKS.get(procedures[0], ()) if case.rules.game == "double_deck" else ()),
        *procedures,
        *(("P231",) if {"P224", "P225"}.intersection(procedures) else ()),
        code=code,
        mass=mass,
        span=wager.placed.span,
        expected=expected,
        observed=f"{dollars(best_amount(wager.stake))} wagered",
        bet=wager.key,
        amount=amount,
        capped=capped,
        unread=wager_unread(wager),
        rests_on=unsure_money(wager),
    )


def wager_unread(wager: SeenWager) -> list[str]:
    """Return that a wager was not read, or which of two amounts it was."""
    return [change_unseen(wager)] if wager.unseen_stake else [f"{spot_words(wager)}: wager not read"]


CHECKS: Final = (
    Audited(
        check=limits,
        games=ALL_GAMES,
        ids=("P005", "P043", "P067", "P224", "P225", "P231", "P316", "P386", "P389", "P392", "P399", "P401", "P403"),
    ),
)
