"""Cheques cut out in front of the rack: into how many, in which order, on which side, and put away in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Final

from audit.cheques import FULL_STACK, PUSHED_APART, UNITS, break_down, proof
from audit.money import Money
from audit.procedures.drafts import (
    ALL_GAMES,
    AuditedTable,
    Draft,
    Judged,
    Session,
    found,
)
from audit.procedures.limits import limit
from audit.procedures.moments import things
from audit.readings import CERTAIN, Mass
from audit.reconstruction.amounts import worth
from audit.reconstruction.evidence import cheques_of, may_be_same, stack_chances
from audit.reconstruction.places import JITTER_MM, PAYS_WITHIN_MM, distance
from audit.states import SeenObject, TableState
from audit.table import Point
from audit.timing import Span

SURE: Final = 0.99
_NEARLY_SURE: Final = 0.9
_HUE: Final = 0.97  # of a pile's colour: what is left are its heights
LIKELIEST: Final = 0.0
"""How surely a pile must have been read that only excuses."""
LINE_MM: Final = 20.0
"""What stands no farther apart than this is one row."""
_FIVE: Final = 5
_PROVED: Final = frozenset({"orange", "teal", "grey"})
_LOOKS: Final = 2
_STACKS: Final = 2
_PURPLE: Final = "purple"
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
        and all(distance(pile.xy_mm, one.xy_mm) > 2 * JITTER_MM for one in lay)
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
    return next(((colour, 1.0 if p >= _HUE else p) for colour, p in hues.items() if p >= _NEARLY_SURE), ("", 0.0))


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


def shows(session: Session) -> Iterator[Show]:
    """Yield every run of states in which cheques stand in front of the rack, all surely read."""
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


def is_bankroll(session: Session, show: Show) -> bool:
    """Return whether two full stacks or more stood whole, and all went back to the rack, while no cards lay out.

    So the bankroll is counted at a fill, a credit, the opening and the closing (004:L896, L905, L936, L957): one stack
    is cut down, the others stand beside it. What a player brought, or is sent, goes over the felt. Where they went is
    not known if that was hidden.
    """
    whole = max(
        sum(bool(colour_of(p, LIKELIEST)) and len(p.stack or ()) == FULL_STACK for p in piles) for piles in show.piles
    )
    if whole < _STACKS or any(map(are_cards_out, show.states)) or are_brought(show.states[0]):
        return False
    if any(things(state, "bill", "marker") for state in show.states):
        return False
    place = session.states.index(show.states[-1]) + 1
    after = session.states[place] if place < len(session.states) else None
    if after is None or is_front_hidden(after) or are_cards_out(after):
        return True
    own = [hand for hand in after.hands if hand.side == "dealer"]
    return bool(own) and all(FRONT.issuperset(hand.zones) for hand in own)


def cut_into_units(session: Session) -> Iterator[Draft]:
    """Yield cheques cut out in other heights than written: P108 by fives, P109 by fours; rows over twenty: P110."""
    counted = {id(state) for kind in COUNTED for state in states_with(session, kind)}
    for show in shows(session):
        if any(id(state) in counted for state in show.states) or _is_lost_money(session, show):
            continue
        if is_bankroll(session, show) or _is_laid_by_a_player(show) or _goes_to_a_bet(session, show):
            continue
        yield from _wronglyof_show(session, show)
        for colour in {colour_of(pile, _NEARLY_SURE) for piles in show.piles for pile in piles} & UNITS.keys():
            sure, longest = (max(_row(piles, colour, at) for piles in show.piles) for at in (SURE, _NEARLY_SURE))
            if longest > FULL_STACK:
                words = (f"at most {FULL_STACK} in a row", f"{longest} {colour} in a row")
                yield from of_show(session, show, "P110", *words, capped=sure <= FULL_STACK)


def _wronglyof_show(session: Session, show: Show) -> Iterator[Draft]:
    """Yield a colour that was never shown in its units, or proved; the same cheques may be stacked before they go.

    Of piles that were read less surely, what a pile of one cheque more or fewer would explain is suspected at most.
    """
    looked = {cheque for piles in show.piles for pile in piles for cheque in pile.stack or ()}
    for colour in sorted(looked & UNITS.keys()):
        sure, nearly = (_read_sides(show, colour, least) for least in (SURE, _NEARLY_SURE))
        chance = 1.0 if any(sure) else show.chance_of(colour)
        mass = Mass(broken=chance, kept=1.0 - chance)
        sides = sure if any(sure) else nearly
        for counts in filter(None, sides):
            total = max(map(sum, counts))
            whole = [heights for heights in counts if sum(heights) == total]
            shown = any(heights in _cuts_of(total, colour) for side in sides for heights in side)
            doubtful = not any(sure) and any(_may_be_a_cut(heights, colour) for side in sides for heights in side)
            doubtful |= len(whole) == 1 and _may_be_joined(whole[0], colour)
            if not shown and whole[-1] == counts[-1]:
                procedure, most = "P108" if UNITS[colour] == _FIVE else "P109", max(map(len, whole))
                cut = next(heights for heights in whole if len(heights) == most)
                words = (f"{total} {colour} cut {_dashed(_cuts_of(total, colour)[0])}", _dashed(cut))
                yield from of_show(session, show, procedure, *words, mass=mass, capped=doubtful)


def _cuts_of(total: int, colour: str) -> tuple[list[int], list[int]]:
    """The heights, highest first, in which so many cheques of a colour are cut, and in which they are proved."""
    wanted = sorted((n for row in break_down(total, colour) for n in row), reverse=True)
    return wanted, sorted([*wanted[:-1], *(proof(total, colour) or wanted[-1:])], reverse=True)


def _may_be_joined(heights: Sequence[int], colour: str) -> bool:
    """Whether piles are cut as is written if one of them is two that stand together: a single look may list them so."""
    cuts = _cuts_of(sum(heights), colour)
    parted = (
        [*heights[:place], part, height - part, *heights[place + 1 :]]
        for place, height in enumerate(heights)
        for part in range(1, height)
    )
    return any(sorted(cut, reverse=True) in cuts for cut in parted)


def _may_be_a_cut(heights: Sequence[int], colour: str) -> bool:
    """Whether piles are cut as is written if one of them has a cheque more or fewer than was read."""
    return any(cut in _cuts_of(sum(cut), colour) for cut in one_off(heights) if cut)


def one_off(heights: Sequence[int]) -> Iterator[list[int]]:
    """Yield the heights of piles, highest first, if one of them has a cheque more or fewer."""
    for place, height in enumerate(heights):
        for other in (height - 1, height + 1):
            yield sorted(filter(None, [*heights[:place], other, *heights[place + 1 :]]), reverse=True)


def _read_sides(show: Show, colour: str, least: float) -> list[list[list[int]]]:
    """The heights of a colour's piles, state by state, where all that may be of it are read so surely."""
    read = [side.surely_read(colour, least) for side in show.sides]
    return [[heights for heights in side.counts(colour, least) if heights] for side in read]


def _dashed(heights: Sequence[int]) -> str:
    return "-".join(map(str, heights))


def _is_lost_money(session: Session, show: Show) -> bool:
    """Whether the cheques are lost wagers, laid before the rack until the hand is over: they are proved to nobody.

    Where the view was lost just before, or begins with them, they may be.
    """
    place = session.states.index(show.states[0])
    if not place:
        return True
    before, after = session.states[place - 1], show.states[0]
    if before.view != "ok":
        return True
    bets = {zone.name for zone in session.places.profile.zones if zone.bet is not None}
    stood = {session.places.spot(item.xy_mm) for item in things(before, "chips")} - {None} | before.covered & bets
    stand = {session.places.spot(item.xy_mm) for item in things(after, "chips")} - {None}
    over = {zone for hand in after.hands if hand.side == "dealer" for zone in hand.zones}
    return bool((stood - stand) & over)


def _goes_to_a_bet(session: Session, show: Show) -> bool:
    """Whether a single pile rests before the rack on its way to a bet that it pays: nothing is cut out or proved."""
    after = session.states[session.states.index(show.states[-1]) + 1 :][:1]
    if not after or any(len(piles) != 1 for piles in show.piles):
        return False
    stood = things(show.states[-1], "chips")
    bets = {zone.name for zone in session.places.profile.zones if zone.bet is not None}
    came = [pile for pile in things(after[0], "chips") if not any(is_same(pile, one) for one in stood)]
    (pile,) = show.piles[-1]
    paying = [one for one in came if session.places.spot(one.xy_mm) in bets]
    if any(not _cheques(pile) - _cheques(one) for one in paying):
        return True
    carried = any(hand.side == "dealer" and bets & set(hand.zones) for hand in after[0].hands)
    return carried and are_cards_out(after[0])  # it may have been collected in the same gap


def _cheques(pile: SeenObject) -> Counter[str]:
    return cheques_of([stack_chances(pile)]) or Counter()


def _is_laid_by_a_player(show: Show) -> bool:
    """Whether the cheques lie as a player alone laid them there, to be changed: the dealer has cut nothing here yet."""
    first, *later = show.piles
    laid = {hand.side for hand in show.states[0].hands} == {"player"}
    return laid and all(len(piles) == len(first) and all(map(_lies_among(first), piles)) for piles in later)


def _lies_among(piles: Sequence[SeenObject]) -> Callable[[SeenObject], bool]:
    return lambda pile: any(
        distance(pile.xy_mm, one.xy_mm) <= 2 * JITTER_MM and may_be_same(stack_chances(pile), stack_chances(one))
        for one in piles
    )


def _row(piles: Sequence[SeenObject], colour: str, least: float) -> int:
    own = [pile for pile in piles if colour_of(pile, least) == colour]
    return max((sum(len(p.stack or ()) for p in own if abs(p.xy_mm[1] - q.xy_mm[1]) < LINE_MM) for q in own), default=0)


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
        name=("proving", procedure, show.span.first),
    )


def last_stack_proved(session: Session) -> Iterator[Draft]:
    """Yield orange or teal not proved 2-2-1, P111, or grey not proved 2-2, P112; a quick proof may not settle."""
    for show in shows(session):
        for colour in {colour_of(pile, _NEARLY_SURE) for piles in show.piles for pile in piles} & _PROVED:
            counts = show.counts(colour, _NEARLY_SURE)
            total = max(map(sum, counts))
            way = proof(total, colour)
            looks = len([heights for heights in counts if heights])
            if way is None or (looks < _LOOKS and not paid_from(session, show)):
                continue
            rest = [UNITS[colour]] * (total // UNITS[colour] - 1)
            if sorted([*rest, *way], reverse=True) not in counts:
                words = f"the last stack of {colour} proved {'-'.join(map(str, way))}"
                procedure = "P112" if colour == "grey" else "P111"
                yield from of_show(session, show, procedure, words, "not seen proved", capped=True)


def pushed_apart(session: Session) -> Iterator[Draft]:
    """Yield grey or teal cheques left touching after they were broken down: P113."""
    least = limit("felt", "chip_mm") + JITTER_MM / 2
    for show in shows(session):
        looks = [[(*hue_of(pile), pile.xy_mm[0]) for pile in piles] for piles in show.piles]
        colours = {colour for look in looks for colour, _, _ in look}
        for colour in colours & PUSHED_APART if not is_bankroll(session, show) else ():
            of_colour = [sorted((x, p) for hue, p, x in look if hue == colour) for look in looks]
            piles = next((some for some in reversed(of_colour) if len(some) > 1), [])
            gap, chance = min(((far - x, p * q) for (x, p), (far, q) in pairwise(piles)), default=(least, 0.0))
            if gap < least:
                words = (f"{colour} pushed slightly apart", f"{gap:.0f} mm apart")
                mass = Mass(broken=chance, kept=1.0 - chance)
                yield from of_show(session, show, "P113", *words, mass=mass)


def proved_and_unmixed(session: Session) -> Iterator[Draft]:
    """Yield payments proved in piles of two colours, P274, or with $500 cheques mixed with others, P272.

    Losing cheques lie mixed before the rack, and change that was proved apart is stacked to be sent out (004:L459).
    """
    for show in shows(session):
        mixed = [p for piles in show.piles for p in piles if p.stack and len(set(p.stack)) > 1 and not p.stacks]
        first = [p for p in show.piles[0] if p.stack and len(set(p.stack)) > 1]
        if mixed and first and show.piles[-1] and len(show.states) > 1 and paid_from(session, show):
            colours = " and ".join(dict.fromkeys(mixed[0].stack or ()))
            ids = ("P272", "P274") if _PURPLE in (mixed[0].stack or ()) else ("P274",)
            yield from of_show(
                session, show, ids[0], "colours separated before paying", f"{colours} in one pile", *ids[1:]
            )


def paid_from(session: Session, show: Show) -> bool:
    """Whether what was cut out before the rack was a payment: it went to a wager that stood through it."""
    place = session.states.index(show.states[-1])
    after = session.states[place + 1 : place + 2]
    stood = {session.places.spot(item.xy_mm) for item in things(show.states[-1], "chips")} - {None}
    over = {zone for state in after for hand in state.hands if hand.side == "dealer" for zone in hand.zones}
    return bool(stood & over)


def is_change(piles: Sequence[SeenObject]) -> bool:
    """Return whether cheques stand on both sides of the middle, as a player's at the left and change at the right."""
    return {pile.xy_mm[0] > 0 for pile in piles} == {True, False}


def are_brought(state: TableState) -> bool:
    """Return whether cheques came from a player: by his hand, or the dealer's that fetched them between rounds.

    What his hand was over before it came to the discard rack is where he picked up cards.
    """
    away = max((hand.span.first for hand in state.hands if "discard" in hand.zones), default=-1)
    later = [hand for hand in state.hands if hand.span.first > away]
    fetched = [hand for hand in later if any(zone.startswith("seat") for zone in hand.zones)]
    return any(hand.side == "player" for hand in state.hands) or (bool(fetched) and not are_cards_out(state))


def are_cards_out(state: TableState) -> bool:
    """Return whether a card lies on the table."""
    return any(item.kind in ("card", "card_back") for item in state.objects)


def total_worth(session: Session, piles: Sequence[SeenObject]) -> Money | None:
    """Return what piles are worth together, None where there are none or one was not read."""
    values = [worth(pile.stack, session.chips) if pile.stack else None for pile in piles]
    if not values or None in values:
        return None
    return sum((value for value in values if value is not None), Money(0))


def is_same(pile: SeenObject, other: SeenObject) -> bool:
    """Whether a pile stood there before as it stands now."""
    return distance(pile.xy_mm, other.xy_mm) <= 2 * JITTER_MM and may_be_same(stack_chances(pile), stack_chances(other))


TABLE_CHECKS: Final = (
    AuditedTable(check=cut_into_units, games=ALL_GAMES, ids=("P108", "P109", "P110"), in_round=True),
    AuditedTable(check=last_stack_proved, games=ALL_GAMES, ids=("P111", "P112"), in_round=True),
    AuditedTable(check=pushed_apart, games=ALL_GAMES, ids=("P113",), in_round=True),
    AuditedTable(check=proved_and_unmixed, games=ALL_GAMES, ids=("P272", "P274"), in_round=True),
)
