"""Cheques that the dealer hands to a player: off their spot, and seen before him in the same moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, product
from typing import Final

from audit.money import Money
from audit.reconstruction.amounts import best_amount, pile_amounts
from audit.reconstruction.changes import Change, change_between, hand_spans
from audit.reconstruction.elements import Element
from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.observation import MoneyMove
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import SAME_PLACE_MM, Places, distance
from audit.states import HandSeen, TableState

IN_RACK: Final = ".blazing7"
HANDED_OVER: Final = (".trilux", ".super3", IN_RACK)
"""Bets of which the dealer hands over what he paid: Trilux stacked up with the bet (004:L1044), a Blazing 7's alone."""
_SIDE: Final = (*HANDED_OVER, ".block_bonus", ".mirror", ".match1", ".match2", ".craps", ".chuck")
"""Bets that are settled before the hand is over: what stood there with its payment may have been sent on."""
_RACK: Final = frozenset({"rack"})
_STACKED_UP: Final = (".trilux", ".super3")
_MOST: Final = 6  # wagers of one seat
_FETCHED_MS: Final = 3000
_LIKELY: Final = 0.1
_WAYS: Final = 64  # of reading a few piles
_A_LITTLE_MS: Final = 4_000
_MANY: Final = 6  # cheques
_BEFORE_HIM_MM: Final = 350.0
"""How far from his wager a player's own cheques lie at most, over the width of his place."""


def handed_back(
    element: Element, change: Change, tracks: Sequence[PileTrack], others: Sequence[Element], places: Places
) -> bool:
    """Return whether the dealer only moved a wager, with what was paid on it, out of its spot to before its player.

    The very cheques that he lifted stand there when they are gone here, in no zone and farther from him than before;
    what he takes goes to the rack, or before it to be proved, and what pays another wager (``others``: all of them) is
    no part of it. Wagers of the seat may have been moved together. The player has got what stood there, due or not.
    """
    if not change.by_dealer:
        return False
    # what is followed out of the zones already is no part of what else was lifted
    pushed = [pile for one in (element, *others) for pile in one.payments]
    came = [one for one in came_before_him(element, change, tracks, places) if one not in pushed]
    if not came:
        return False
    seat = element.spot.partition(".")[0]
    along = [one for one in others if one is not element and one.spot.startswith(f"{seat}.")]
    along = [one for one in along if one.track in _lifted(one, change.state)][:_MOST]
    return _holds_more(came, element) or any(
        _may_hold(came, [pile for one in (element, *some) for pile in _lifted(one, change.state)])
        for number in range(len(along) + 1)
        for some in combinations(along, number)
    )


def _holds_more(came: Iterable[PileTrack], element: Element) -> bool:
    """Whether one of some piles holds all cheques of a wager as it was put, and others that were paid on it."""
    put = best(element.track.versions()[0].stacks)
    stacks = [stack for one in came if (stack := best(one.versions()[0].stacks)) is not None]
    if put is None or not element.pays:
        return False
    return any(len(stack) > len(put) and not Counter(put) - Counter(stack) for stack in stacks)


def came_before_him(element: Element, change: Change, tracks: Sequence[PileTrack], places: Places) -> list[PileTrack]:
    """Return the piles outside every zone, before a wager's player, that came as the wager changed."""
    came = (one for one in tracks if one.spot is None and _in_one_gap(one, change))
    return [one for one in came if _is_before_him(one, element, places)]


def came_a_little_later(
    element: Element, states: Sequence[TableState], tracks: Sequence[PileTrack], places: Places
) -> bool:
    """Return whether more cheques than an unpaid side wager had stood before its player soon after it was lifted.

    No player's hand had come there: they are the wager and its payment, missed by the looks between, or another's.
    """
    own, gone = best(element.track.versions()[-1].stacks), element.track.gone
    if element.pays or own is None or gone is None or not gone.by_dealer or not element.spot.endswith(_STACKED_UP):
        return False
    came = {one: best(one.versions()[0].stacks) for one in tracks if one.spot is None}
    later = {
        one: stack
        for one, stack in came.items()
        if one.appeared.state > gone.state and one.appeared.seen.last - gone.seen.last <= _A_LITTLE_MS
    }
    seat = element.spot.partition(".")[0]
    return any(
        stack is not None
        and len(stack) > len(own)
        and not Counter(own) - Counter(stack)
        and _is_before_him(one, element, places)
        and not _player_came(states[gone.state : one.appeared.state + 1], seat)
        for one, stack in later.items()
    )


def _player_came(states: Sequence[TableState], seat: str) -> bool:
    zones = (zone for state in states for hand in state.hands if hand.side == "player" for zone in hand.zones)
    return any(zone.startswith(f"{seat}.") for zone in zones)


def sent_as_one(track: PileTrack, tracks: Sequence[PileTrack], elements: Sequence[Element]) -> bool:
    """Return whether a pile in no zone is a paid wager with its payment, put together and sent on: it pays nothing.

    The wager's own spot may still have been covered when the pile stood before the player already.
    """
    if track.spot is not None or not track.appeared.by_dealer:
        return False
    came = [one for one in tracks if one.spot is None and one.appeared.state == track.appeared.state]
    return any(
        element.track.gone is not None
        and _in_one_gap(track, element.track.gone)
        and any(_may_hold(some, piles) for some in ([track], came) for piles in _with_its_payments(element))
        for element in elements
    )


def paid_and_sent(
    element: Element,
    change: Change,
    came: Sequence[PileTrack],
    others: Sequence[Element],
    states: Sequence[TableState],
) -> MoneyMove | None:
    """Return the payment of a wager that one gap paid, stacked up and sent on (004:L1044); None if none did.

    Its cheques stand in a pile that ``came`` before its player with others upon them; what is taken does not. Those may
    be of another wager of his that went with it (``others``: all of them); a payment of Trilux or Super 3 is always
    sent so, and if both went it is of that to which the dealer's hand came from the rack and again.
    """
    wager = [element.track, *(one for one in element.parts if one is not element.track)]
    wager = [one for one in wager if one.goes_at(change.state)]
    own = _cheques(one.versions()[-1].stacks for one in wager)
    seat = element.spot.partition(".")[0]
    along = [one for one in others if one is not element and one.spot.startswith(f"{seat}.")]
    rivals = [one for one in along if _lifted(one, change.state)]
    alone = not rivals or (
        element.spot.endswith(_STACKED_UP) and not any(one.spot.endswith(_STACKED_UP) for one in rivals)
    )
    alone = alone or (element.spot.endswith(_STACKED_UP) and came_back(element, change, states))
    if element.pays or own is None or not alone or not change.by_dealer:
        return None
    read = [(one, best(one.versions()[0].stacks)) for one in came]
    whole = [one for one, stack in read if stack and len(stack) > len(own) and not Counter(own) - Counter(stack)]
    if len(whole) != 1:
        return None
    before = tuple(one.versions()[-1].stacks for one in wager)
    return MoneyMove(before=before, after=(whole[0].versions()[0].stacks,), change=change)


def _with_its_payments(element: Element) -> Iterator[list[PileTrack]]:
    """Yield a wager's pile that was lifted with every choice of the payments that went with it, all of them first."""
    gone = element.track.gone
    paid = [
        one for one in element.payments if gone is not None and one.gone is not None and one.gone.state == gone.state
    ]
    for number in range(len(paid), 0, -1):
        for some in combinations(paid[:_MOST], number):
            yield [element.track, *some]


def _in_one_gap(track: PileTrack, change: Change) -> bool:
    """Whether a pile came as something went: at the same look, or at one before, while that was still covered."""
    came = track.appeared
    return came.state == change.state or (came.state < change.state and came.seen.overlaps(change.seen))


def _lifted(element: Element, state: int) -> list[PileTrack]:
    """Return the piles of a wager and of its payment that were lifted at a state."""
    return [one for one in (element.track, *element.payments) if one.goes_at(state)]


def perhaps_handed_over(element: Element, change: Change, states: Sequence[TableState]) -> bool:
    """Return whether a paid side wager went with all of its payment before the dealer's hand came to the rack.

    He hands the whole over (004:L1044) and cuts the next payment, or he took it back. Of a hand that rested at the rack
    before the other one came for the wager nobody knows whether more came to it.
    """
    whole = all(pile.goes_at(change.state) for pile in element.payments)
    if not element.pays or not whole or not element.spot.endswith(_SIDE) or not change.by_dealer:
        return False
    there = [hand.span for hand in change.hands if hand.side == "dealer"]
    came, left = min(span.first for span in there), max(span.last for span in there)
    at_rack = [hand.span.first for hand in hands_at_rack(change, states)]
    return bool(at_rack) and (min(at_rack) > left or max(at_rack) < came)


def stacked_up(element: Element) -> bool:
    """Return whether a paid Trilux or Super 3 stands in one pile with its payment: so the dealer hands it over."""
    put, stands = (best(stacks) for stacks in (element.stacks, element.track.versions()[-1].stacks))
    more = put is not None and stands is not None and len(stands) > len(put)
    return bool(element.pays) and element.spot.endswith(_STACKED_UP) and more


def pushed_over(element: Element, change: Change, states: Sequence[TableState], others: Sequence[Element]) -> bool:
    """Return whether the dealer put a paid wager and its payment together for the player, who then fetched both.

    They went in the same moment, the dealer's hand did not come to the rack meanwhile, and the player's hand was next
    though nothing else stands on the spot (``others``: all wagers).
    """
    if any(one.spot == element.spot and one.track.stands_in(change.state) for one in others):
        return False
    whole = all(pile.goes_at(change.state) for pile in element.payments)
    if not (element.pays and whole and change.by_dealer):
        return False
    if _came_before_the_rack(element, change, states):
        return True
    return bool(element.payments) and not hands_at_rack(change, states) and fetched(element, change, states)


def sent_with_its_payment(
    element: Element, change: Change, tracks: Sequence[PileTrack], states: Sequence[TableState]
) -> bool:
    """Whether the dealer lifted a paid wager and handed it over.

    His hand did not come to the rack, over which his other one may rest: or it is seen where he sent it, or a player's
    hand came there next. Where the player's hand came in the same moment, both hold; of a wager in the rack he may have
    got more meanwhile.
    """
    if not element.pays or not element.spot.endswith(HANDED_OVER) or "dealer" not in change.sides:
        return False
    players, dealers = hand_spans(change)
    if players and (element.in_rack or max(span.last for span in players) <= max(span.last for span in dealers)):
        return False
    gap = (state for state in states if state.span.last >= change.seen.first)
    hands = (hand for state in gap for hand in state.hands if hand.span.overlaps(change.seen))
    at_rack = any(hand.side == "dealer" and "rack" in hand.zones for hand in hands)
    came_next = min(span.first for span in players) >= max(span.last for span in dealers) if players else False
    sent = sent_on(element, change, tracks)
    return not at_rack or sent or came_next or (change.by_dealer and fetched(element, change, states))


def may_be_put_back(taken: Change, state: int, states: Sequence[TableState]) -> bool:
    """Whether cheques may be a wager that went before: not if it went with a hand at the rack, and no hand is there."""
    went, comes = ("dealer" in change_between(states, one - 1, one, _RACK).sides for one in (taken.state, state))
    return comes or not went


def sent_unseen(element: Element, change: Change, states: Sequence[TableState]) -> bool:
    """Return whether a wager may have been paid and sent on, and fetched by its player, all between two looks."""
    fetched_next = _came_before_the_rack(element, change, states)
    return not element.pays and came_back(element, change, states) and fetched_next


def came_back(element: Element, change: Change, states: Sequence[TableState]) -> bool:
    """Return whether the dealer's hand came to a wager from the rack, and then to it alone again, as to push it on."""
    brought = [hand.span.last for hand in hands_at_rack(change, states) if element.spot in hand.zones]
    again = [hand.span.first for hand in change.hands if set(hand.zones) == {element.spot}]
    return change.by_dealer and bool(brought) and bool(again) and max(again) > max(brought)


def hands_at_rack(change: Change, states: Sequence[TableState]) -> list[HandSeen]:
    """Return the dealer's hands over the rack between the two looks of a change, in whatever entry they are listed."""
    hands = (hand for state in states for hand in state.hands if hand.span.overlaps(change.seen))
    return [hand for hand in hands if hand.side == "dealer" and "rack" in hand.zones]


def fetched(element: Element, change: Change, states: Sequence[TableState]) -> bool:
    """Return whether a player's hand was the next over a spot that the dealer had left, and soon."""
    if _came_before_the_rack(element, change, states):
        return True
    after = (hand for state in states[change.state :] for hand in state.hands)
    there = (hand for hand in after if element.spot in hand.zones and hand.span.first > change.seen.last)
    first = min(there, key=lambda hand: hand.span.first, default=None)
    return first is not None and first.side == "player" and first.span.first - change.seen.last <= _FETCHED_MS


def _came_before_the_rack(element: Element, change: Change, states: Sequence[TableState]) -> bool:
    """Whether the player's hand came when the dealer's had left his wager, before that came to the rack if it did.

    Or while he still pushed it on; it stayed longer.
    """
    there = sorted((hand for hand in change.hands if hand.side == "dealer"), key=lambda hand: hand.span.last)
    if not there or "rack" in there[-1].zones:
        return False
    left = there[-1].span.last
    at_rack = [hand.span.first for hand in hands_at_rack(change, states) if hand.span.first > left]
    seat = element.spot.partition(".")[0]
    hands = [hand for state in states for hand in state.hands if hand.span.overlaps(change.seen)]
    his = [hand for hand in hands if hand.side == "player" and f"seat{hand.seat}" == seat]
    after = [hand for hand in his if hand.span.first > there[-1].span.first and hand.span.last > left]
    return any(all(hand.span.last < came for came in at_rack) for hand in after)


def _is_before_him(track: PileTrack, element: Element, places: Places) -> bool:
    owner, stands = element.spot.partition(".")[0], track.looks[0][1].xy_mm
    stood = min(element.track.xy_mm, element.original.xy_mm, key=lambda place: distance(place, stands))
    farther = places.along(owner, stands)[1] - places.along(owner, stood)[1]
    seats = [zone for zone in places.profile.zones if zone.name.startswith("seat") and zone.name.endswith(".cards")]
    nearest = min(seats, key=lambda zone: distance(zone.centre_mm, stands), default=None)
    own = nearest is not None and nearest.name.startswith(f"{owner}.")
    return own and farther >= SAME_PLACE_MM and distance(stands, stood) <= _BEFORE_HIM_MM


def _may_hold(came: Sequence[PileTrack], lifted: Sequence[PileTrack]) -> bool:
    """Whether piles that came hold the very cheques of those that were lifted, in one of their likelier readings.

    Of many one may have been miscounted.
    """
    wanted = _cheques(one.versions()[-1].stacks for one in lifted)
    if wanted is None or len(came) > _MOST:
        return False
    ways = [[stack for stack, p in one.versions()[0].stacks.items() if p >= _LIKELY] for one in came]
    return any(_as_many(Counter(wanted), Counter(chain.from_iterable(some))) for some in islice(product(*ways), _WAYS))


def _as_many(these: Counter[str], those: Counter[str]) -> bool:
    off = (these - those).total() + (those - these).total()
    return off == 0 or (off == 1 and set(these) == set(those) and min(these.total(), those.total()) >= _MANY)


def _cheques(piles: Iterable[Mapping[Stack, float]]) -> list[str] | None:
    """Return the cheques of some piles in any order, None if one was not read."""
    stacks = [best(chances) for chances in piles]
    return None if None in stacks else sorted(chain.from_iterable(stack for stack in stacks if stack is not None))


def is_pushed_on(old: PileTrack, new: PileTrack, *, within_mm: float) -> bool:
    """Return whether a pile that came is likeliest another one, which stands no more: the same cheques, in no zone."""
    before, after = best(old.versions()[-1].stacks), best(new.versions()[0].stacks)
    near = distance(old.xy_mm, new.xy_mm) <= within_mm
    return new.spot is None and near and before is not None and before == after


def sent_on(element: Element, change: Change, tracks: Sequence[PileTrack]) -> bool:
    """Return whether the cheques of a wager and its payment came to stand in no zone when they were lifted."""
    piles = [
        element.track,
        *(one for one in element.payments if one.gone is None or one.gone.state >= change.state),
    ]
    stacks = [best(one.versions()[-1].stacks) for one in piles]
    whole = sorted(colour for stack in stacks for colour in stack or ())
    came = (best(one.versions()[0].stacks) for one in tracks if one.spot is None and one.appeared.state == change.state)
    return None not in stacks and any(stack is not None and sorted(stack) == whole for stack in came)


def collected_first(element: Element, change: Change) -> bool:
    """Return whether a player took his paid wager before the dealer's hand came for the cards.

    A wager that is paid is not taken, and what the dealer would have added after it was gone, the state would show.
    """
    players, dealers = hand_spans(change)
    paid = bool(element.pays) and bool(players) and bool(dealers)
    return paid and max(span.last for span in players) < min(span.first for span in dealers)


def converted(element: Element, change: Change, chips: Mapping[str, Money]) -> PileTrack | None:
    """Return the pile that was set beside a wager for both it and its payment, before it was lifted; else None."""
    paid = element.payments
    if len(paid) != 1 or len(element.pays) != 1 or not paid[0].stands_in(change.state):
        return None
    own, both = (best_amount(pile_amounts(one.versions()[-1].stacks, chips)) for one in (element.track, paid[0]))
    return paid[0] if own is not None and both is not None and both > own else None
