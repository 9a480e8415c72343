"""Insurance: opened before anything else, placed on the right, settled in turn (004:L798-L806)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from audit.procedures.drafts import (
    BLACKJACK,
    Audited,
    AuditedTable,
    Case,
    Draft,
    Session,
    first_inversion,
    found,
)
from audit.procedures.limits import limit
from audit.procedures.moments import first_hit, may_be_undone, settled, things
from audit.procedures.order import Act, inversions
from audit.procedures.peek import UP_CARD_UNREAD, dealer_blackjack, peek, up_card_mass
from audit.procedures.resting import unsure_cards
from audit.procedures.side import with_the_last_late
from audit.readings import UNKNOWN
from audit.reconstruction.changes import Change
from audit.reconstruction.observation import SeenWager
from audit.reconstruction.places import DEALER, STILL_MM
from audit.states import TableState

_TWO: Final = 2
_HALF: Final = 0.5


def insurance_opened(session: Session) -> Iterator[Draft]:
    """Yield insurance placed while the dealer's ace lay upright: P300.

    Not known where it may have been turned, and turned back, in the gap in which the insurance came. In recognised
    footage a suspicion where it was turned in no round.
    """
    rounds = [(case, wager) for case in session.cases for wager in case.seen.wagers if wager.key.bet == "insurance"]
    turned = {id(case): _turned_by(case, wager) for case, wager in rounds}
    for case, wager in rounds:
        if turned[id(case)] or case.seen.piece.missing:
            continue
        unseen = may_be_undone(case, wager.placed, *case.places.card_zones(DEALER))
        yield from found(
            case,
            "P300",
            code="insurance-not-opened",
            mass=UNKNOWN if unseen else up_card_mass(case),
            span=wager.placed.span,
            expected="the ace and the hole card turned sideways to open insurance",
            observed="insurance placed while they lay upright",
            unread=["whether the ace was turned sideways and back between two looks"] if unseen else UP_CARD_UNREAD,
            capped=not case.thresholds.hands_sure and not any(turned.values()),
            name=("insurance-not-opened", case.seen.observed.start.first),
        )


def insurance_offered(session: Session) -> Iterator[Draft]:
    """Yield a look into the ace finder at an ace that lay upright until then, so that insurance was not opened: P300.

    At most suspect, and not where it was out of sight, just before, for as long as an offer takes. In recognised
    footage only where an ace was turned in some other round.
    """
    usual = session.thresholds.hands_sure or any(_opened(case) is not None for case in session.cases)
    for case in session.cases if usual else ():
        looked = peek(case)
        insured = any(wager.key.bet == "insurance" for wager in case.seen.wagers)
        if looked is None or insured or case.seen.piece.missing or not _is_upright_until(case, looked):
            continue
        yield from found(
            case,
            "P300",
            code="insurance-not-opened",
            mass=up_card_mass(case),
            span=looked.span,
            expected="the ace and the hole card turned sideways to open insurance",
            observed="the ace upright until it came to the ace finder",
            capped=True,
            unread=UP_CARD_UNREAD,
            name=("insurance-not-opened", case.seen.observed.start.first),
            rests_on=unsure_cards(case.seen.dealer[:1]),
        )


def _is_upright_until(case: Case, looked: Change) -> bool:
    """Whether the dealer's cards lay upright in every look from his second card on, the last one just before."""
    dealt = max((card.appeared.state for card in case.seen.dealer[:_TWO]), default=0)
    states = [state for state in case.seen.piece.states[dealt : looked.state] if state.view == "ok"]
    own = [[one for one in things(state, "card") if case.places.owner(one.xy_mm) == DEALER] for state in states]
    if not states or not own[-1] or "dealer.cards" in states[-1].covered:
        return False
    soon = case.seen.piece.states[looked.state].span.first - states[-1].span.last < limit("time", "insurance_ms")
    return soon and all(case.places.sideways(DEALER, card) is False for cards in own for card in cards)


def _turned_by(case: Case, wager: SeenWager) -> bool:
    """Whether a card of the dealer lay sideways, or was not seen, in some state up to that of the insurance."""
    states = case.seen.piece.states[case.seen.piece.first : wager.placed.state + 1]
    if not states or "dealer.cards" in states[-1].covered:
        return True
    cards = [item for state in states for item in things(state, "card") if case.places.owner(item.xy_mm) == "dealer"]
    return any(case.places.sideways("dealer", card) is not False for card in cards)


def _opened(case: Case) -> TableState | None:
    """Return the first state that shows the dealer's ace turned sideways, which opens insurance; None without one."""
    first = case.seen.piece.first
    if case.seen.piece.missing or len(case.seen.dealer) < _TWO:
        return None
    dealt = case.seen.dealer[1].appeared.state
    for state in case.seen.piece.states[max(first, dealt) : case.seen.piece.last + 1]:
        cards = [item for item in things(state, "card") if case.places.owner(item.xy_mm) == "dealer"]
        if cards and all(case.places.sideways("dealer", card) is True for card in cards):
            return state
    return None


def side_bets_before_insurance(case: Case) -> Iterator[Draft]:
    """Yield side wagers settled after insurance was opened: P299."""
    opened = _opened(case)
    for wager in case.seen.wagers if opened is not None else ():
        change = settled(wager)
        late = opened is not None and change is not None and change.span.certainly_after(opened.span)
        if late and change is not None and wager.key.bet in ("trilux", "super3"):
            yield from found(
                case,
                "P299",
                code="side-wager-after-insurance",
                mass=up_card_mass(case),
                unread=UP_CARD_UNREAD,
                span=change.span,
                expected="side wagers settled before insurance is opened",
                observed="settled afterwards",
                bet=wager.key,
                name=("side-wager-late", wager.key),
                follows=with_the_last_late(case, wager),
            )


def insurance_before_hits(case: Case) -> Iterator[Draft]:
    """Yield a player's draw against an ace before insurance was opened: P237."""
    opened, hit = _opened(case), first_hit(case)
    if opened is not None and hit is not None and hit.span.certainly_before(opened.span):
        yield from found(
            case,
            "P237",
            code="insurance-late",
            mass=up_card_mass(case),
            unread=UP_CARD_UNREAD,
            span=hit.span.hull(opened.span),
            expected="insurance before anything else with an ace up",
            observed="a player drew a card first",
            name=("insurance-late",),
            follows=tuple(("insurance-placed-late", w.key) for w in case.seen.wagers if w.key.bet == "insurance"),
            rests_on=unsure_cards(case.seen.dealer[:1]),
        )


def insurance_on_the_right(case: Case) -> Iterator[Draft]:
    """Yield insurance that stands to the dealer's left of the hand, or before no hand: P303; each seat has a line."""
    for wager in case.seen.without_cards if not case.seen.piece.missing else ():
        hidden = f"seat{wager.key.seat}.cards" in case.seen.piece.states[wager.placed.state].covered
        if wager.key.bet == "insurance" and not hidden:
            where = f"before seat {wager.key.seat}, which has no hand"
            yield from _misplaced(case, wager, where, capped=not wager.placed.by_player)
    for wager in case.seen.wagers:
        own = case.places.profile.zone(f"seat{wager.key.seat}.insurance")
        place = case.places.profile.zone(f"seat{wager.key.seat}.cards")
        main = case.places.profile.zone(f"seat{wager.key.seat}.main")
        if wager.key.bet == "insurance" and own is None:
            yield from _left_of_every_hand(case, wager)
        if wager.key.bet != "insurance" or own is None or place is None or main is None:
            continue
        middle, bet = place.centre_mm, main.centre_mm
        turn = math.atan2(middle[0] - bet[0], bet[1] - middle[1])
        left = (middle[0] - wager.xy_mm[0]) * math.cos(turn) + (middle[1] - wager.xy_mm[1]) * math.sin(turn)
        if left > STILL_MM:
            yield from _misplaced(case, wager, f"{left:.0f} mm to its left")


def _left_of_every_hand(case: Case, wager: SeenWager) -> Iterator[Draft]:
    """Yield insurance on one line for all seats that stands to the left of the cards of the leftmost hand: P303."""
    owner, seat = f"seat{wager.key.seat}", case.seen.seats.get(wager.key.seat)
    zone = case.places.profile.zone(f"{owner}.cards")
    if seat is None or zone is None or case.seen.piece.missing:
        return
    hand = [case.places.along(owner, point)[0] for point in (zone.centre_mm, *(card.xy_mm for card in seat.cards))]
    left = min(hand) - case.places.along(owner, wager.xy_mm)[0]
    if left > STILL_MM:
        yield from _misplaced(case, wager, f"{left:.0f} mm to the left of the leftmost hand")


def _misplaced(case: Case, wager: SeenWager, observed: str, *, capped: bool = False) -> Iterator[Draft]:
    yield from found(
        case,
        "P303",
        code="insurance-place",
        span=wager.placed.span,
        expected="insurance to the dealer's right of the hand",
        observed=observed,
        bet=wager.key,
        capped=capped,
    )


def insurance_settled_in_turn(case: Case) -> Iterator[Draft]:
    """Yield insurance paid out of turn: with losers taken, in one pass from third base to first, P312."""
    turned = case.seen.hole_turned
    blackjack = dealer_blackjack(case)
    if turned is None or case.seen.piece.missing or blackjack.broken < _HALF:
        return
    acts = []
    insured = False
    for wager in case.seen.wagers:
        change = settled(wager)
        if wager.key.bet in ("main", "insurance") and change is not None and change.state > turned.state:
            insured = insured or wager.key.bet == "insurance"
            words = f"seat {wager.key.seat} {wager.key.bet}"
            acts.append(Act(rank=-wager.key.seat, change=change, words=words, seat=wager.key.seat))
    pairs = [pair for pair in inversions(acts) if pair.certain and "insurance" in pair.early.words + pair.late.words]
    if insured:
        expected = "losers taken and insurance paid in one pass from the right"
        yield from first_inversion(case, pairs, "P312", "insurance-order", expected, mass=blackjack)


CHECKS: Final = (
    Audited(check=side_bets_before_insurance, games=BLACKJACK, ids=("P299",)),
    Audited(check=insurance_before_hits, games=BLACKJACK, ids=("P237",), of_cards=True),
    Audited(check=insurance_on_the_right, games=BLACKJACK, ids=("P303",)),
    Audited(check=insurance_settled_in_turn, games=BLACKJACK, ids=("P312",)),
)
TABLE_CHECKS: Final = (
    AuditedTable(check=insurance_opened, games=BLACKJACK, ids=("P300",), in_round=True),
    AuditedTable(check=insurance_offered, games=BLACKJACK, ids=("P300",), in_round=True),
)
