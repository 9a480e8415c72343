"""Insurance and its line: the waves over it that open and close it (004:L798, L801), and cheques laid beside it.

Directions are not seen: the dealer's hand over the line before the first insurance opens it, the next one closes it.
Judged only at tables where some round shows his hand over the line, over nothing else and moving nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import BLACKJACK, Audited, AuditedTable, Case, Draft, Session, found
from audit.procedures.moments import first_hit, opening_cards, things
from audit.procedures.peek import UP_CARD_UNREAD, ace_up, peek, up_card_mass
from audit.procedures.resting import unsure_cards
from audit.reconstruction.amounts import best_amount, worth
from audit.reconstruction.changes import Change, first_of
from audit.reconstruction.observation import SeenWager
from audit.reconstruction.places import CARD_HEIGHT_MM, away_mm, lies_there
from audit.rounds import BetKey
from audit.states import CARD_KINDS, HandSeen, SeenObject, TableState
from audit.timing import Span

_COMMON: Final = "insurance"
_MOVED: Final = ("chips", *CARD_KINDS)
_CROSSED: Final = frozenset({"shoe", "rack", "dealer.cards"})
_RATHER: Final = 0.5
_OPENED_BY: Final = 2  # the dealer's second card


@dataclass(frozen=True, kw_only=True)
class _Offer:
    """One round's insurance: its wagers by time, and by which change the play went on.

    ``hands``: the dealer's over the line from his last card dealt to the first hit, away from the rack; ``waves``:
    those between two states between which nothing else was done.
    """

    case: Case
    wagers: tuple[SeenWager, ...]
    went_on: Change
    hands: tuple[HandSeen, ...]
    waves: tuple[HandSeen, ...]

    @property
    def first(self) -> Span:
        """When the first insurance was placed."""
        return self.wagers[0].placed.span


def _offers(session: Session) -> Iterator[_Offer]:
    """Yield rounds in which insurance was placed before the play went on, with the line in sight until then."""
    line = {zone.name for zone in session.places.profile.zones if zone.name.rpartition(".")[2] == "insurance"}
    for case in session.cases:
        wagers = [wager for wager in case.seen.wagers if wager.key.bet == "insurance"]
        wagers.sort(key=lambda wager: wager.placed.state)
        acted = first_of([first_hit(case), case.seen.hole_turned])
        went_on = first_of([peek(case), acted])
        dealt = [card.appeared.state for card in case.seen.dealer[:_OPENED_BY]]
        if case.seen.piece.missing or not wagers or acted is None or went_on is None or len(dealt) < _OPENED_BY:
            continue
        known = [one for one in dealt if one <= wagers[0].placed.state] or dealt[:1]  # a hole card may lie unseen
        states = case.seen.piece.states[max(known) : acted.state + 1]
        clear = all(state.view == "ok" and line.isdisjoint(state.covered) for state in states)
        hands = [hand for state in states for hand in state.hands if hand.side == "dealer" and "rack" not in hand.zones]
        if clear and wagers[0].placed.by_player and wagers[-1].placed.state < went_on.state:
            waves = tuple(hand for one, after in pairwise(states) for hand in _wave(one, after, line))
            over = tuple(hand for hand in hands if hand not in waves and not line.isdisjoint(hand.zones))
            yield _Offer(case=case, wagers=tuple(wagers), went_on=went_on, hands=over + waves, waves=waves)


def _wave(before: TableState, after: TableState, line: Set[str]) -> list[HandSeen]:
    """Return the dealer's hands over the line between two states, if nothing else was done there; else none.

    His other hand may rest on the shoe, and his arm comes across the rack and his own cards. On the lines of single
    seats a wave is over more than one of them.
    """
    own = [hand for hand in after.hands if hand.side == "dealer"]
    over = {zone for hand in own for zone in hand.zones} - _CROSSED
    idle = [len(things(state, kind)) for kind in _MOVED for state in (before, after)]
    along = over <= line and (_COMMON in over or len(over) > 1)
    return [hand for hand in own if not line.isdisjoint(hand.zones)] if along and idle[::2] == idle[1::2] else []


def waved(session: Session) -> Iterator[Draft]:
    """Yield insurance placed without a wave before it, P301; not closed with one, P306; looked past or bet after it."""
    offers = list(_offers(session))
    for one in offers if any(offer.waves for offer in offers) else ():
        opened = any(hand.span.first <= one.first.last for hand in one.hands)
        later = [hand for hand in one.hands if hand.span.last >= one.first.first]
        in_time = [hand for hand in later if hand.span.first <= one.went_on.span.last]
        if not opened:
            yield from _finding(one, one.first, "P301", "opened with a wave over the line", "no hand over the line")
        if not in_time:
            yield from _not_closed(one)
        elif opened:
            yield from _after_closing(one)


def _not_closed(one: _Offer) -> Iterator[Draft]:
    """Yield that the play went on before insurance was closed: P306; with the wave after the look: P309."""
    looked = peek(one.case)
    late = [hand for hand in one.waves if looked is not None and hand.span.first > looked.span.last]
    if late:
        words = ("closed before the look into the ace finder", "a wave over the line after the look")
        yield from _finding(one, one.went_on.span.hull(late[0].span), "P309", "P306", *words)
    else:
        words = ("closed with a wave over the line", "no hand over the line before the play went on")
        yield from _finding(one, one.went_on.span, "P306", *words)


def _after_closing(one: _Offer) -> Iterator[Draft]:
    """Yield insurance placed, or changed, after the dealer's hand had passed over the line again: P307.

    It passes twice once some was placed: to open it if that was not seen, and to close it.
    """
    closing = [hand for hand in one.waves if hand.span.first > one.first.last]
    if not closing:
        return
    acts = [(wager, wager.placed, "placed") for wager in one.wagers]
    acts += [(wager, move.change, "changed") for wager in one.wagers for move in wager.reconsidered]
    late = [act for act in acts if act[1].by_player and act[1].span.first > closing[0].span.last]
    for wager, change, act in sorted(late, key=lambda act: act[1].state)[:1]:
        words = (f"{act} before it was closed", f"{act} after the second wave over the line")
        yield from _finding(one, change.span, "P307", *words, wager=wager)


def _finding(one: _Offer, span: Span, *ids_and_words: str, wager: SeenWager | None = None) -> Iterator[Draft]:
    *ids, expected, observed = ids_and_words
    yield from found(
        one.case,
        *ids,
        code="insurance-wave",
        mass=up_card_mass(one.case),
        unread=UP_CARD_UNREAD,
        span=span,
        expected=f"insurance {expected}",
        observed=observed,
        bet=None if wager is None else wager.key,
        capped=True,  # which way a hand went is not seen
        name=("insurance-wave", ids[0], one.case.seen.observed.start.first),
        rests_on=unsure_cards(one.case.seen.dealer[:1]),
    )


def beside_the_line(case: Case) -> Iterator[Draft]:
    """Yield what may be insurance that a player laid beside his cards and off the line: P303 (004:L799).

    With an ace up, before the play went on, and no more than half his bet. He may have meant something else with it: at
    most suspect.
    """
    went_on = first_of([peek(case), first_hit(case), case.seen.hole_turned])
    if case.seen.piece.missing or went_on is None or ace_up(case) <= _RATHER:
        return
    opening = [card for seen in case.seen.seats.values() for card in opening_cards(case, seen)]
    dealt = max(card.appeared.state for card in (*case.seen.dealer[:_OPENED_BY], *opening))
    for place in range(dealt + 1, went_on.state):
        before, state, after = case.seen.piece.states[place - 1 : place + 2]
        for seat in case.seen.seats:
            new = [pile for pile in _loose(case, state, seat) if _is_new(pile, before) and not _is_new(pile, after)]
            if new and _brings(state, seat) and _is_half(case, seat, new[0]):
                yield from found(
                    case,
                    "P303",
                    code="insurance-place",
                    mass=up_card_mass(case),
                    span=state.span,
                    expected="insurance on the line",
                    observed="a player's cheques beside his cards, off the line",
                    seat=seat,
                    capped=True,
                    name=("insurance-beside", seat),
                )


def _loose(case: Case, state: TableState, seat: int) -> list[SeenObject]:
    """Return the piles on no spot that stand in a seat's place for cards, or within a card's length of it."""
    zone = case.places.profile.zone(f"seat{seat}.cards")
    piles = [pile for pile in things(state, "chips") if case.places.spot(pile.xy_mm) is None]
    return [pile for pile in piles if zone is not None and away_mm(zone.polygon_mm, pile.xy_mm) <= CARD_HEIGHT_MM]


def _is_new(pile: SeenObject, before: TableState) -> bool:
    return all(not lies_there(pile, other) for other in things(before, "chips"))


def _brings(state: TableState, seat: int) -> bool:
    own = {f"seat{seat}.cards", f"seat{seat}.insurance", _COMMON}
    hands = [hand for hand in state.hands if not own.isdisjoint(hand.zones)]
    return {(hand.side, hand.seat or seat) for hand in hands} == {("player", seat)}


def _is_half(case: Case, seat: int, pile: SeenObject) -> bool:
    main = case.seen.wager(BetKey(seat=seat, bet="main", hand=1))
    stake = None if main is None else best_amount(main.stake)
    laid = worth(pile.stack or (), case.chips)
    return stake is not None and laid is not None and 0 < 2 * laid <= stake


CHECKS: Final = (Audited(check=beside_the_line, games=BLACKJACK, ids=("P303",)),)
TABLE_CHECKS: Final = (AuditedTable(check=waved, games=BLACKJACK, ids=("P301", "P306", "P307", "P309"), in_round=True),)
