"""A player's cheques and their change before the rack: his left, the change right, of one value (004:L520)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from audit.money import Money
from audit.procedures.before_rack import (
    LINE_MM,
    Show,
    are_brought,
    are_cards_out,
    misplaced,
    of_show,
    sent_since,
    shows,
    total_worth,
)
from audit.procedures.drafts import ALL_GAMES, AuditedTable, Draft, Session, dollars
from audit.procedures.moments import colours_of, things
from audit.readings import Mass, mass_where
from audit.reconstruction.amounts import combined, total_amounts
from audit.reconstruction.evidence import stack_chances
from audit.reconstruction.places import lies_there
from audit.states import SeenObject
from audit.table import Point

_HIGHEST_NEAR: Final = ("the highest cheques nearest the rack", "a lower one nearer")


def cheque_change(session: Session) -> Iterator[Draft]:
    """Yield change of another value than the player's cheques: left his, right the change, P180; P168 its order."""
    for show in shows(session):
        if any(things(state, "bill") for state in show.states):
            yield from _bought(session, show)
            continue
        piles = show.change
        left = total_worth(session, [pile for pile in piles if pile.xy_mm[0] < 0])
        right = [pile for pile in piles if pile.xy_mm[0] > 0]
        change = total_worth(session, right)
        known = are_brought(show.states[0]) or _are_fetched(session, show, left)
        brought = known or _is_exchange(session, show, right)
        if left and change and brought and left != change:
            words = (f"change for {dollars(left)}", dollars(change))
            unsure = not known and not session.thresholds.hands_sure  # bills are not seen there
            sides = product(_as_many(show, left=True), [*_as_many(show, left=False), *_sent(session, show)])
            mass = min((_unequal(session, theirs, ours) for theirs, ours in sides), key=lambda one: one.broken)
            yield from of_show(session, show, "P180", *words, mass=mass, amount=change - left, capped=unsure)
        if left and change and brought and all(pile.xy_mm[0] > 0 for pile in show.piles[0]):
            words = ("the player's cheques left above the rack, the change right", "the player's cheques right")
            yield from of_show(session, show, "P180", *words)
        if left and change and brought:
            words = ("the highest cheques of the change nearest the rack", "a lower one nearer")
            yield from of_show(session, show, "P168", *words, mass=misplaced(session, right, _is_farther_off))
        elif not are_cards_out(show.states[0]) and _sent(session, show):  # for bills that nobody saw, perhaps
            mass = misplaced(session, max(show.piles, key=len), _is_farther_off)
            yield from of_show(session, show, "P168", *_HIGHEST_NEAR, mass=mass, capped=True)


def _bought(session: Session, show: Show) -> Iterator[Draft]:
    """Yield cheques set out for bills at the dealer's left, or with a lower one nearer the rack: P168."""
    piles = max(show.piles, key=len)
    lay = [bill.xy_mm[0] for state in show.states for bill in things(state, "bill")]
    if max(pile.xy_mm[0] for pile in piles) < 0 and max(lay) < 0:
        yield from of_show(session, show, "P168", "cheques set out at the dealer's right", "set out at his left")
    else:
        yield from of_show(session, show, "P168", *_HIGHEST_NEAR, mass=misplaced(session, piles, _is_farther_off))


def _are_fetched(session: Session, show: Show, amount: Money | None) -> bool:
    """Whether cheques of the same worth stood before a player just before they were set out: on no spot, or as no bet.

    Nobody is insured while no cards are out.
    """
    place = session.place_of(show.states[0])
    if not place or amount is None or are_cards_out(show.states[0]):
        return False
    before, after = session.states[place - 1], show.states[0]
    went = [
        pile
        for pile in things(before, "chips")
        if str(session.places.spot(pile.xy_mm) or "insurance").endswith("insurance")
        and "rack" not in session.places.zones(pile.xy_mm)
        and all(not lies_there(pile, one) for one in things(after, "chips"))
    ]
    return before.view == "ok" and total_worth(session, went) == amount


def _is_exchange(session: Session, show: Show, change: Sequence[SeenObject]) -> bool:
    """Whether cheques were laid out at the left first, then others at the right, and just these went to a player.

    So those at the left were his, whoever was seen to bring them. Nothing is said where something else was paid for.
    """
    place = session.place_of(show.states[-1])
    begun = session.states[max(0, session.place_of(show.states[0]) - 1)]
    paid_for = any(things(state, "bill", "coupon", "marker") for state in (begun, *show.states))
    at_left = all(pile.xy_mm[0] < 0 for pile in show.piles[0])
    if paid_for or not at_left or are_cards_out(show.states[0]):
        return False
    after = (*show.states[1:], *session.states[place + 1 : place + 2])
    sent = [piles for state in after if (piles := sent_since(session, show.states[0], state))]
    return bool(sent) and all(colours_of(piles) == colours_of(change) for piles in sent)


def _as_many(show: Show, *, left: bool) -> list[list[SeenObject]]:
    """Return the piles at one side of every look that shows as many there as the one that shows both sides.

    That one may have missed a pile, or more change came as the player's cheques went.
    """
    piles = [[pile for pile in look if (pile.xy_mm[0] < 0) is left] for look in (show.change, *show.piles)]
    return [some for some in piles if len(some) >= len(piles[0])]


def _sent(session: Session, show: Show) -> list[list[SeenObject]]:
    """Return the cheques that went out in the look after a show, none if none did: they are the change once more."""
    place = session.place_of(show.states[-1]) + 1
    return [
        piles for state in session.states[place : place + 1] if (piles := sent_since(session, show.states[0], state))
    ]


def _unequal(session: Session, theirs: Sequence[SeenObject], change: Sequence[SeenObject]) -> Mass:
    """Return how likely a player's cheques and their change differ in worth, over all readings."""
    left, right = (total_amounts(map(stack_chances, some), session.chips) for some in (theirs, change))
    return mass_where(combined(left, right, sign=-1), lambda difference: difference != 0)


def _is_farther_off(far: Point, near: Point) -> bool:
    """Whether a pile stands farther from the rack than another of the same column."""
    return far[1] > near[1] + LINE_MM and abs(far[0] - near[0]) < 2 * LINE_MM


TABLE_CHECKS: Final = (AuditedTable(check=cheque_change, games=ALL_GAMES, ids=("P168", "P180"), in_round=True),)
