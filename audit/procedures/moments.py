"""The moments of a round that procedures compare: settlements, hits, decisions, and what lay on the felt when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from audit.money import Money, parse_money
from audit.procedures.drafts import DICE, Case
from audit.procedures.limits import limit
from audit.reconstruction.changes import Change, first_of, is_unattended, last_of
from audit.reconstruction.evidence import stack_chances
from audit.reconstruction.observation import SeatSeen, SeenCard, SeenWager, both_shown
from audit.reconstruction.places import STILL_MM, distance
from audit.settlement import Outcome
from audit.states import HandSeen, SeenObject, TableState
from audit.timing import Span

_AMOUNTS: Final = ("amount", "value", "denomination")
_FIRST_CARDS: Final = 1
_NEARLY_SURE: Final = 0.9
_READ: Final = 0.5
_STANDS_OUT: Final = 0.5  # how sure it is that an object exists (``confidence``)
_INITIAL: Final = 2


def settlements(wager: SeenWager) -> Iterator[Change]:
    """Yield every payment and the take of a wager."""
    yield from (move.change for move in wager.pays)
    if wager.taken is not None:
        yield wager.taken.change


def hand_is_away(case: Case, wager: SeenWager, change: Change) -> bool:
    """Return whether the dealer had lifted all cards of a wager's seat before a change."""
    seat = case.seen.seats.get(wager.key.seat)
    gone = [card.gone for card in seat.cards] if seat is not None else []
    return bool(gone) and all(one is not None and one.by_dealer and one.state < change.state for one in gone)


def settled(wager: SeenWager) -> Change | None:
    """Return the first change by which a wager was settled, None if it was neither paid nor taken."""
    return first_of(settlements(wager))


def face_seen(card: SeenCard) -> Change | None:
    """Return the change from which on a face was certainly shown: it was read."""
    return None if card.face_shown is None or card.read is None else last_of([card.face_shown, card.read])


def opening_cards(case: Case, seen: SeatSeen) -> tuple[SeenCard, ...]:
    """Return the cards of a seat that come before its player's first decision."""
    return seen.initial[: _FIRST_CARDS if case.rules.game in DICE else _INITIAL]


def hits(case: Case, seen: SeatSeen) -> list[SeenCard]:
    """Return the cards of a seat that came after its first ones."""
    opening = opening_cards(case, seen)
    return [card for card in seen.cards if card not in opening]


def first_hit(case: Case) -> Change | None:
    """Return when the first card after the deal came, None without one."""
    return first_of(card.appeared for seen in case.seen.seats.values() for card in hits(case, seen))


def last_decision(case: Case) -> Change | None:
    """Return the last card of a player, or his last raise while raises were still taken.

    A card may be another seat's that was laid there as it was picked up, if it was not read: that decides nothing.
    """
    cards = [card.appeared for seen in case.seen.seats.values() for card in seen.cards if not _may_be_moved(case, card)]
    raises = [wager.placed for wager in case.seen.wagers if wager.key.bet in ("raise", "draw")]
    turned = case.seen.hole_turned
    in_time = [one for one in raises if turned is None or not one.span.certainly_after(turned.span)]
    return last_of([*cards, *in_time])


def _may_be_moved(case: Case, card: SeenCard) -> bool:
    """Whether an unread card may be one of another seat that went as it came."""
    others = (one for seen in case.seen.seats.values() for one in seen.cards if one.owner != card.owner)
    return not card.chances and any(
        one.gone is not None and one.gone.state == card.appeared.state and one.gone.by_dealer for one in others
    )


def decided_at_once(case: Case, error: Span) -> tuple[str, ...]:
    """Return P289 where play certainly went on after an error faster than a supervisor can be called."""
    changes = [card.appeared for seen in case.seen.seats.values() for card in seen.cards]
    changes += [card.appeared for card in case.seen.dealer]
    changes += [change for wager in case.seen.wagers for change in settlements(wager)]
    later = [change.span.last for change in changes if change.hands and change.span.certainly_after(error)]
    at_once = bool(later) and not case.seen.piece.missing and min(later) - error.first < limit("time", "call_ms")
    return ("P289",) if at_once else ()


def may_be_undone(case: Case, change: Change, *zones: str) -> bool:
    """Whether the dealer may have changed something in some zones before another change and undone it after.

    Only in the gap since the last clear look at the zones: his hand was there before the change ended, and after it
    began; or the view was lost. Where hands are not watched, what they did there is not known, and not asked for.
    """
    states, places = case.seen.piece.states, frozenset(zones)
    looks = (n for n in range(change.state - 1, -1, -1) if states[n].view == "ok" and not places & states[n].covered)
    gap = states[next(looks, -1) + 1 : change.state + 1]
    hands = [hand for state in gap for hand in state.hands if hand.side == "dealer" and places.intersection(hand.zones)]
    before = any(hand.span.first <= change.span.last for hand in hands)
    after = any(hand.span.last >= change.span.first for hand in hands)
    return (before and after) or any(state.view != "ok" for state in gap)


def opening(case: Case) -> TableState:
    """Return the state that first shows a card of the round."""
    return case.seen.piece.states[case.seen.piece.first]


def playing(case: Case) -> tuple[TableState, ...]:
    """Return the states from the round's first card to its last."""
    return case.seen.piece.states[case.seen.piece.first : case.seen.piece.last + 1]


def things(state: TableState, *kinds: str) -> tuple[SeenObject, ...]:
    """Return the objects of some kinds that a state lists."""
    return tuple(item for item in state.objects if item.kind in kinds)


def of_a_hand(cases: Iterable[Case], state: TableState, card: SeenObject) -> bool:
    """Return whether a card is one of a seat's: a long hand beside the shoe reaches into the shoe's zone."""
    return any(
        one.appeared.span.first <= state.span.last
        and (one.gone is None or state.span.first <= one.gone.span.last)
        and min(distance(one.xy_mm, card.xy_mm), distance(one.came_xy_mm, card.xy_mm)) <= STILL_MM
        for case in cases
        for seat in case.seen.seats.values()
        for one in seat.cards
    )


def dealer_shown(case: Case) -> Change | None:
    """Return the change from which on both of the dealer's first cards lay face up, None if they did not."""
    return both_shown(case.seen.dealer)


def exposed_before_the_hits(case: Case) -> bool | None:
    """Whether the hole card was exposed instead of the up card, so that no blackjack of the dealer counts (004:L778).

    None if it may have been: both cards were shown, nobody saw in which order they had come, and players drew after.
    """
    shown, hit = dealer_shown(case), first_hit(case)
    if case.seen.hole_exposed is None and (shown is None or hit is None or hit.state < shown.state):
        return False
    return case.seen.hole_exposed


def written_amount(item: SeenObject) -> Money | None:
    """Return the dollars that a bill or a paper says (``amount``, ``value``, ``denomination``), None if not read."""
    said = next((item.extra[key] for key in _AMOUNTS if key in item.extra), None)
    text = str(said) if isinstance(said, int) else said
    try:
        return parse_money(text) if isinstance(text, str) else None
    except ValueError:
        return None


def stood_throughout(case: Case, spot: str) -> bool:
    """Return whether every clear look at a spot after the round showed cheques there, and no hand came over it."""
    after = case.seen.piece.states[case.seen.piece.last + 1 :]
    if any(state.view != "ok" or any(spot in hand.zones for hand in state.hands) for state in after):
        return False
    clear = [state for state in after if state.view == "ok" and spot not in state.covered]
    return all(shows_cheques(case, state, spot) for state in clear)


def shows_cheques(case: Case, state: TableState, spot: str) -> bool:
    """Return whether a state shows cheques on a spot."""
    return any(case.places.spot(pile.xy_mm) == spot for pile in things(state, "chips"))


def colours_of(piles: Iterable[SeenObject]) -> list[str | None]:
    """Return the cheques of piles as they are likeliest, in order of their colours; None for a pile not read."""
    return sorted((colour for pile in piles for colour in pile.stack or (None,)), key=str)


def words_of(cards: Iterable[SeenCard]) -> str:
    """Return the likeliest faces of cards, ``??`` for one not read."""
    return " ".join(card.likeliest or "??" for card in cards)


def by_either_side(case: Case, wager: SeenWager, change: Change) -> bool:
    """Whether money that came to a wager, as it seems from a player's hand, may be the house's payment.

    An arm that passes before the camera hides the dealer's and looks like a player's (``Thresholds.hands_sure``); what
    is paid at once comes before the reveal.
    """
    if case.thresholds.hands_sure:
        return False
    turned = case.seen.decided(wager.key.bet)
    outcomes = {one.outcome for one in case.settlement.settled if one.key.seat == wager.key.seat}
    return Outcome.WIN in outcomes or (turned is not None and change.state >= turned.state)


def surely_a_card(case: Case, card: SeenCard) -> bool:
    """Whether a card that was seen was one: its face was read, or what was seen is taken as it is told.

    What may be any of several faces may be none: two cards that overlapped had a third one's outline, an ace of clubs
    with 0.38 or of spades with 0.32.
    """
    return case.thresholds.unread_sure or max(card.chances.values(), default=0.0) >= _READ


def signals(case: Case, state: TableState) -> list[Span]:
    """Return when players' hands were over their cards since the state before: where they signal what they want."""
    own = {f"seat{seat}.cards" for seat in case.seen.seats}
    return [hand.span for hand in state.hands if hand.side == "player" and not own.isdisjoint(hand.zones)]


def may_signal(hand: HandSeen, seat: int) -> bool:
    """Return whether a hand was a player's over a seat's cards or wagers: it may ask for a card there, or decline one.

    A hand over the insurance alone laid that: the dealer has looked at his hole card since (004:L801, L807).
    """
    own = (zone for zone in hand.zones if zone.startswith(f"seat{seat}.") and not zone.endswith(".insurance"))
    return hand.side == "player" and any(own)


def surely_dealt(case: Case, card: SeenCard) -> bool:
    """Whether a card surely was one, and a hand brought it where hands are seen: else it may have lain there before."""
    return surely_a_card(case, card) and not is_unattended(card.appeared, case.seen.piece.states)


def surely_lies_so(case: Case, card: SeenCard) -> bool:
    """Whether a card lies the way round that is told: its face was read nearly surely, or all is taken as it is told.

    Two cards that came at once, side by side upon a third, had the outlines of two that lie across: a ten of clubs with
    0.61 and a three of diamonds with 0.77.
    """
    return case.thresholds.unread_sure or max(card.chances.values(), default=0.0) >= _NEARLY_SURE


def surely_a_wager(case: Case, wager: SeenWager) -> bool:
    """Whether the cheques of a wager were some: one of its piles was read, or what was seen is taken as it is told."""
    return case.thresholds.unread_sure or any(sum(pile.values()) >= _READ for pile in wager.piles)


def surely_placed(case: Case, wager: SeenWager) -> bool:
    """Whether a wager was read and a player's hand was seen where it was placed, or what was seen is taken as told.

    Footage: a pile that nobody laid down may be none, or a payment that its player leaves there and does not bet.
    """
    sure = case.thresholds
    return surely_a_wager(case, wager) and (sure.hands_sure or "player" in wager.placed.sides)


def surely_a_pile(case: Case, item: SeenObject) -> bool:
    """Whether a pile that was seen was one: it was read and stood out, or what was seen is taken as it is told."""
    faint = item.confidence is not None and item.confidence < _STANDS_OUT
    return case.thresholds.unread_sure or (not faint and sum(stack_chances(item).values()) >= _READ)
