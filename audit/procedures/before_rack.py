"""What stands before the rack: cheques on their way to a player, the piles of each look, and where they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from audit.cheques import FULL_STACK
from audit.money import ZERO, Money
from audit.procedures.drafts import (
    Draft,
    Judged,
    Session,
    found,
)
from audit.procedures.limits import limit
from audit.procedures.moments import things
from audit.readings import CERTAIN, Mass
from audit.reconstruction.amounts import worth
from audit.reconstruction.evidence import may_be_same, stack_chances
from audit.reconstruction.places import PAYS_WITHIN_MM, distance, lies_there
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import Point
from audit.timing import Span

SURE: Final = 0.99
NEARLY_SURE: Final = 0.9
_HUE: Final = 0.97  # of a pile's colour: what is left are its heights
LIKELIEST: Final = 0.0
"""How surely a pile must have been read that only excuses."""
LINE_MM: Final = 20.0
"""What stands no farther apart than this is one row."""
_STACKS: Final = 2
_SENT_WITHIN: Final = 3  # states after them in which change for them would be given
_SHOWS: Final = "shows"
_COUNTED: Final = "counted"
FRONT: Final = frozenset({"rack", "ace_finder", "dealer.cards", "dealer.card1", "dealer.card2", "dice"})
"""Zones in front of the rack."""
COUNTED: Final = ("carrier", "float_cover")
"""What lies on the table while the bankroll is counted: full stacks stand whole beside the one that is cut down."""


def before_the_rack(case: Judged, state: TableState) -> list[SeenObject]:
    """Return the piles that stand on the felt in front of the rack, on no spot, with the rows that begin there."""
    rack = case.places.profile.zone("rack")
    if rack is None or state.view != "ok":
        return []
    xs, front = [x for x, _ in rack.polygon_mm], max(y for _, y in rack.polygon_mm)
    wagers = [item.xy_mm for item in things(state, "chips") if case.places.spot(item.xy_mm) is not None]
    band = [
        item
        for item in things(state, "chips")
        if case.places.spot(item.xy_mm) is None
        and "rack" not in case.places.zones(item.xy_mm)
        and front < item.xy_mm[1] <= front + limit("felt", "before_rack_mm")
        and all(distance(item.xy_mm, wager) > PAYS_WITHIN_MM for wager in wagers)  # else it is a payment
    ]
    beside = limit("felt", "beside_rack_mm")
    found = [item for item in band if min(xs) - beside <= item.xy_mm[0] <= max(xs) + beside]
    while more := [item for item in band if item not in found and any(_is_beside(item, one) for one in found)]:
        found += more
    return found


def sent_since(case: Judged, before: TableState, state: TableState) -> list[SeenObject]:
    """Return the piles that lie beyond the rack in a state, on no spot, where none lay in an earlier one."""
    lay, standing = things(before, "chips"), before_the_rack(case, state)
    return [
        pile
        for pile in things(state, "chips")
        if case.places.spot(pile.xy_mm) is None
        and "rack" not in case.places.zones(pile.xy_mm)
        and pile not in standing
        and all(not lies_there(pile, one) for one in lay)
    ]


def _is_beside(pile: SeenObject, other: SeenObject) -> bool:
    return distance(pile.xy_mm, other.xy_mm) <= limit("felt", "row_mm")


def hides_before_the_rack(case: Judged, state: TableState) -> bool:
    """Return whether something may stand in front of the rack that was out of sight: a zone there was covered."""
    rack = case.places.profile.zone("rack")
    if rack is None:
        return False
    front = max(y for _, y in rack.polygon_mm)
    reach = front + limit("felt", "before_rack_mm")
    hidden = [[y for _, y in zone.polygon_mm] for zone in case.places.profile.zones if zone.name in state.covered]
    return any(min(ys) <= reach and max(ys) > front for ys in hidden)


def is_front_hidden(state: TableState) -> bool:
    """Return whether cheques in front of the rack may have been out of sight."""
    return state.view != "ok" or not state.covered.isdisjoint(FRONT)


@dataclass(frozen=True, kw_only=True)
class Show:
    """A run of states in which cheques stand in front of the rack, with the piles of each."""

    states: tuple[TableState, ...]
    piles: tuple[tuple[SeenObject, ...], ...]

    @property
    def span(self) -> Span:
        """From the first of its states to the last."""
        return self.states[0].span.hull(self.states[-1].span)

    @property
    def colours(self) -> list[str]:
        """The colours of piles of one colour."""
        return sorted({one for piles in self.piles for pile in piles if (one := colour_of(pile))})

    @property
    def change(self) -> tuple[SeenObject, ...]:
        """The piles of the last state that shows a player's cheques and their change; none without one."""
        return next((piles for piles in reversed(self.piles) if is_change(piles)), ())

    @property
    def sides(self) -> list[Show]:
        """The cheques left of the middle and those right of it, if there was a change: a player's and the dealer's."""
        if not self.change:
            return [self]
        lefts = (
            tuple(tuple(p for p in piles if (p.xy_mm[0] < 0) is left) for piles in self.piles) for left in (True, False)
        )
        return [replace(self, piles=piles) for piles in lefts]

    def surely_read(self, colour: str, least: float = SURE) -> Show:
        """The show without the states in which some pile may be of a colour and is not surely read."""
        piles = tuple(piles for piles in self.piles if not any(_is_in_doubt(pile, colour, least) for pile in piles))
        return replace(self, piles=piles)

    def counts(self, colour: str, least: float = SURE) -> list[list[int]]:
        """Return, state by state, the heights of a colour's piles, highest first."""
        return [
            sorted((len(pile.stack or ()) for pile in piles if colour_of(pile, least) == colour), reverse=True)
            for piles in self.piles
        ]

    def chance_of(self, colour: str) -> float:
        """Return how likely all piles of a colour are what they are read as, in the state that tells it best."""
        of_colour = (
            [stack_chances(pile) for pile in piles if set(pile.stack or ()) == {colour}] for piles in self.piles
        )
        return max((prod(max(chances.values()) for chances in some) for some in of_colour if some), default=0.0)


def colour_of(pile: SeenObject, least: float = SURE) -> str:
    """Return the one colour of a pile that is surely read, else nothing."""
    colours = set(pile.stack or ())
    sure = not pile.stacks or max(one.p for one in pile.stacks) >= least
    return colours.pop() if len(colours) == 1 and sure else ""


def hue_of(pile: SeenObject) -> tuple[str, float]:
    """Return the one colour of a pile that is nearly surely read, whatever its height, and how likely it is."""
    hues = dict.fromkeys((stack[0] for stack in stack_chances(pile) if len(set(stack)) == 1), 0.0)
    for stack, p in stack_chances(pile).items():
        if len(set(stack)) == 1:
            hues[stack[0]] += p
    return next(((colour, 1.0 if p >= _HUE else p) for colour, p in hues.items() if p >= NEARLY_SURE), ("", 0.0))


def misplaced(session: Session, piles: Sequence[SeenObject], wrong: Callable[[Point, Point], bool]) -> Mass:
    """Return how surely a pile of higher cheques stands wrongly (its place first) to one of lower ones."""
    known = [
        (pile.xy_mm, value, p) for pile in piles for hue, p in [hue_of(pile)] if (value := worth((hue,), session.chips))
    ]
    chances = [p * q for far, high, p in known for near, low, q in known if high > low and wrong(far, near)]
    broken = max(chances, default=0.0)
    return Mass(broken=broken, kept=1.0 - broken)


def _is_in_doubt(pile: SeenObject, colour: str, least: float) -> bool:
    """Whether a pile is not surely read, and may be of that colour."""
    chances = stack_chances(pile)
    sure = bool(chances) and max(chances.values()) >= least
    return not sure and (not chances or any(colour in stack for stack in chances))


def shows(session: Session) -> tuple[Show, ...]:
    """Return every run of states in which cheques stand in front of the rack, all in sight."""
    if _SHOWS not in session.remembered:
        session.remembered[_SHOWS] = tuple(_shows(session))
    known: tuple[Show, ...] = session.remembered[_SHOWS]
    return known


def _shows(session: Session) -> Iterator[Show]:
    run: list[tuple[TableState, tuple[SeenObject, ...]]] = []
    for state in session.states:
        if state.view == "ok" and not state.covered.isdisjoint(FRONT):
            continue  # some of them may be hidden
        piles = tuple(before_the_rack(session, state))
        if piles:
            run.append((state, piles))
        elif run:
            yield Show(states=tuple(s for s, _ in run), piles=tuple(p for _, p in run))
            run = []
    if run:
        yield Show(states=tuple(s for s, _ in run), piles=tuple(p for _, p in run))


def states_with(session: Session, kind: str) -> Iterator[TableState]:
    """Yield the states in which a thing of some kind lies on the table, or may still lie where it is hidden."""
    places: list[Point] = []
    for state in session.states:
        listed = [item.xy_mm for item in things(state, kind)]
        places = listed + [point for point in places if session.places.hidden(state, point) and point not in listed]
        if places:
            yield state


def is_counted(session: Session, show: Show) -> bool:
    """Return whether the carrier or the float cover lies there with the cheques: the bankroll is counted."""
    if _COUNTED not in session.remembered:
        session.remembered[_COUNTED] = {id(state) for kind in COUNTED for state in states_with(session, kind)}
    return any(id(state) in session.remembered[_COUNTED] for state in show.states)


def is_bankroll(session: Session, show: Show) -> bool:
    """Return whether two full stacks or more stood whole, and all went back to the rack, while no cards lay out.

    So the bankroll is counted at a fill, a credit, the opening and the closing (004:L896, L905, L936, L957): one stack
    is cut down, the others stand beside it. What a player brought, or is sent, goes over the felt. Where they went is
    not known if that was hidden.
    """
    whole = max(
        sum(bool(colour_of(p, LIKELIEST)) and len(p.stack or ()) == FULL_STACK for p in piles) for piles in show.piles
    )
    if whole < _STACKS or any(_are_cards_in_play(session, state) for state in show.states):
        return False
    if are_brought(show.states[0]) and not _stayed_the_houses(session, show):
        return False
    if any(things(state, "bill", "marker") for state in show.states):
        return False
    place = session.place_of(show.states[-1]) + 1
    after = session.states[place] if place < len(session.states) else None
    if after is None or is_front_hidden(after) or _are_cards_in_play(session, after):
        return True
    own = [hand for hand in after.hands if hand.side == "dealer"]
    return bool(own) and all(FRONT.issuperset(hand.zones) for hand in own)


def _stayed_the_houses(session: Session, show: Show) -> bool:
    """Return whether neither as much went from the players as came before the rack, nor as much came to them after.

    A player's hand in the same gap then brought something else. Not known where other piles were not read.
    """
    first, last = session.place_of(show.states[0]), session.place_of(show.states[-1])
    shown = total_worth(session, show.piles[0])
    elsewhere = [_worth_elsewhere(session, one) for one in session.states[max(0, first - 1) : last + 1 + _SENT_WITHIN]]
    if first == 0 or shown is None or len({unread for _, unread in elsewhere}) > 1:
        return False
    before, here, *later = [worth for worth, _ in elsewhere]
    return max(before, *later, here) - here < shown / 2


def _worth_elsewhere(session: Session, state: TableState) -> tuple[Money, int]:
    """Return what the cheques on the felt but those before the rack are worth, and how many piles are not read."""
    front = before_the_rack(session, state)
    values = [
        worth(pile.stack, session.chips) if pile.stack else None for pile in things(state, "chips") if pile not in front
    ]
    return sum((value for value in values if value is not None), ZERO), values.count(None)


def of_show(
    session: Session,
    show: Show,
    procedure: str,
    expected: str,
    observed: str,
    *more: str,
    mass: Mass = CERTAIN,
    amount: Money | None = None,
    capped: bool = False,
    seat: int | None = None,
) -> Iterator[Draft]:
    """Yield what was found of cheques before the rack."""
    yield from found(
        session,
        procedure,
        *more,
        code="proving",
        mass=mass,
        span=show.span,
        expected=expected,
        observed=observed,
        amount=amount,
        capped=capped,
        seat=seat,
        name=("proving", procedure, show.span.first, expected),
    )


def paid_from(session: Session, show: Show) -> bool:
    """Whether what was cut out before the rack was a payment: it went to a wager that stood through it."""
    place = session.place_of(show.states[-1])
    after = session.states[place + 1 : place + 2]
    stood = {session.places.spot(item.xy_mm) for item in things(show.states[-1], "chips")} - {None}
    over = {zone for state in after for hand in state.hands if hand.side == "dealer" for zone in hand.zones}
    return bool(stood & over)


def is_change(piles: Sequence[SeenObject]) -> bool:
    """Return whether cheques stand on both sides of the middle, as a player's at the left and change at the right."""
    return {pile.xy_mm[0] > 0 for pile in piles} == {True, False}


def are_brought(state: TableState) -> bool:
    """Return whether cheques came from a player: by his hand, or the dealer's that fetched them between rounds.

    What his hand was over before it came to the discard rack is where he picked up cards. A player's hand over cards
    alone signals.
    """
    away = max((hand.span.first for hand in state.hands if "discard" in hand.zones), default=-1)
    later = [hand for hand in state.hands if hand.span.first > away]
    fetched = [hand for hand in later if any(zone.startswith("seat") for zone in hand.zones)]
    players = [hand for hand in state.hands if hand.side == "player"]
    signalled = all(hand.zones and all(zone.endswith(".cards") for zone in hand.zones) for hand in players)
    return (bool(players) and not signalled) or (bool(fetched) and not are_cards_out(state))


def are_cards_out(state: TableState) -> bool:
    """Return whether a card lies on the table."""
    return any(item.kind in CARD_KINDS for item in state.objects)


def _are_cards_in_play(session: Session, state: TableState) -> bool:
    """Whether a card lies on the table and not in the discard rack or the shoe, as one that was burnt does."""
    cards = (item for item in state.objects if item.kind in CARD_KINDS)
    return any(session.places.zones(item.xy_mm).isdisjoint({"discard", "shoe"}) for item in cards)


def total_worth(session: Session, piles: Sequence[SeenObject]) -> Money | None:
    """Return what piles are worth together, None where there are none or one was not read."""
    values = [worth(pile.stack, session.chips) if pile.stack else None for pile in piles]
    if not values or None in values:
        return None
    return sum((value for value in values if value is not None), Money(0))


def is_same(pile: SeenObject, other: SeenObject) -> bool:
    """Whether a pile stood there before as it stands now."""
    return lies_there(pile, other) and may_be_same(stack_chances(pile), stack_chances(other))
