"""Players' hands where none may be: in the rack, and beyond the insurance line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import ALL_GAMES, AuditedTable, Draft, Session, found
from audit.procedures.moments import things
from audit.procedures.passing import doubt_about_arm
from audit.procedures.shuffle import breaks, cards_to_cut
from audit.readings import CERTAIN, UNKNOWN, Mass
from audit.states import HandSeen, TableState
from audit.timing import Span

_RACK: Final = frozenset({"rack"})
_WHERE_CUT: Final = frozenset({"dealer.cards", "dealer.card1", "dealer.card2"})
_BEYOND: Final = _WHERE_CUT | {"shoe", "dice", "ace_finder"}
_HARDLY: Final = Mass(broken=0.1, kept=0.9)
"""How surely a hand that did what the dealer does was a player's all the same."""
_PERHAPS_CUT: Final = "whether the shuffled cards lay there to be cut"
_SIGNAL_MS: Final = 1_300
_PAUSE_MS: Final = 600  # a hand that is back so soon had not left


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reach:
    """A player's hand over zones where none may be; ``excused``: it may only seem to reach so far.

    ``doubts``: why it is not known whether a player's hand was there, if it is not. ``his``: by what it did it is the
    dealer's.
    """

    seat: int | None
    span: Span
    zones: frozenset[str]
    excused: bool
    doubts: tuple[str, ...]
    his: bool = False


def hands_in_the_rack(session: Session) -> Iterator[Draft]:
    """Yield players' hands in the rack, which are beyond the insurance line: P202, P203."""
    reaches = [reach for state in session.states for reach in _reaches(session, state, _RACK)]
    yield from _reached(session, reaches, ("P202", "P203"), "nobody else's hand in the rack")


def hands_beyond_the_line(session: Session) -> Iterator[Draft]:
    """Yield players' hands beyond the insurance line: P203; of one that bets insurance, only what is not his reach.

    A hand that came to the rack on its way is told once (P202). The player who cuts the shuffled cards has to reach
    for them (004:L171).
    """
    stretches = [stretch.states for stretch in breaks(session)]
    firsts = {id(states[0]) for states in stretches if not things(states[0], "card")}
    begun = {id(states[0]) for states in stretches if _may_be_cut(session, states[0])}
    begun |= {id(state) for state in _between_rounds(session) if _may_be_cut(session, state)}
    between = [*(one for states in stretches for one in states[1:])]
    between += [state for state in session.states if things(state, "cut_card")]
    cutting = {id(state) for state in between if _may_be_cut(session, state)}
    states = [state for state in session.states if state.view == "ok"]
    reaches: list[_Reach] = []
    for before, state in pairwise([*states[:1], *states]):
        cut = _was_cut(before, state)
        insuring = {hand.seat for hand in state.hands if hand.side == "player" and (cut or _on_the_line(hand))}
        unlisted = cut and not any(cards_to_cut(session, one) for one in (before, state))
        known = unlisted or _insured(session, before) != _insured(session, state)
        taken_out = id(state) in firsts or _may_be_cut(session, state)
        emptied = taken_out and _came_after_the_discards(state)
        to_cut = emptied or cut or id(state) in cutting or id(before) in cutting | begun
        zones = _BEYOND - _WHERE_CUT if to_cut else _BEYOND
        zones -= _where_the_cut_card_lies(session, state) | _where_it_was_fetched(session, before, state)
        unseen = _where_cards_may_lie_to_be_cut(session, before, state)
        came = _reaches(session, state, zones, insuring, unseen)
        reaches += [reach for reach in came if not (known and reach.excused)]
    racks = [reach for state in states for reach in _reaches(session, state, _RACK)]
    own = [reach for reach in reaches if not any(_is_one_act(reach, rack) for rack in racks)]
    yield from _reached(session, own, ("P203",), "players' hands never beyond the insurance line")


def _between_rounds(session: Session) -> Iterator[TableState]:
    """Yield the states in which no round was on: a shuffle shows by them where the discard rack is never seen."""
    return (state for state in session.states if session.round_during(state.span) is None)


def _may_be_cut(session: Session, state: TableState) -> bool:
    """Whether a state shows the shuffled cards as they lie to be cut, and no card in play."""
    return bool(cards_to_cut(session, state)) and not things(state, "card")


def _where_cards_may_lie_to_be_cut(session: Session, before: TableState, after: TableState) -> frozenset[str]:
    """Return the zones hidden all the while between two rounds at which the dealer had worked when a player came."""
    if session.round_during(Span.of(before.span.first, after.span.last)) is not None:
        return frozenset()
    players = [hand.span.first for hand in after.hands if hand.side == "player"]
    worked = [hand for hand in after.hands if hand.side == "dealer" and hand.span.last < min(players, default=0)]
    return before.covered & after.covered & frozenset().union(*(hand.zones for hand in worked))


def _was_cut(before: TableState, after: TableState) -> bool:
    """Whether the cut card came while no card lay in play: the player who put it there reached for the cards."""
    came = things(after, "cut_card") and not things(before, "cut_card")
    return bool(came) and not any(things(state, "card") for state in (before, after))


def _came_after_the_discards(state: TableState) -> bool:
    """Whether every player's hand came only when the dealer's had been at the discard rack, to take the cards out."""
    out = [hand.span.last for hand in state.hands if hand.side == "dealer" and "discard" in hand.zones]
    players = [hand.span.first for hand in state.hands if hand.side == "player"]
    return bool(out) and bool(players) and min(out) < min(players)


def _where_the_cut_card_lies(session: Session, state: TableState) -> frozenset[str]:
    """Return the zones that hold the cut card while no cards lie in play: the player who cuts puts it there."""
    if things(state, "card"):
        return frozenset()
    return frozenset().union(*(session.places.zones(card.xy_mm) for card in things(state, "cut_card")))


def _where_it_was_fetched(session: Session, before: TableState, after: TableState) -> frozenset[str]:
    """Return the zones from which the cut card went that a player is given, as one that comes out in the deal is."""
    there, left = (
        [session.places.zones(card.xy_mm) for card in things(state, "cut_card")] for state in (before, after)
    )
    return frozenset().union(*there) - frozenset().union(*left) if left else frozenset()


def _is_one_act(reach: _Reach, other: _Reach) -> bool:
    return reach.seat == other.seat and reach.span.overlaps(other.span)


def _on_the_line(hand: HandSeen) -> bool:
    return any(zone == "insurance" or zone.endswith(".insurance") for zone in hand.zones)


def _insured(session: Session, state: TableState) -> int:
    """Return how many piles stand on the insurance line."""
    spots = (session.places.spot(pile.xy_mm) or "" for pile in things(state, "chips"))
    return sum(spot.endswith("insurance") for spot in spots)


def _reaches(
    session: Session,
    state: TableState,
    zones: frozenset[str],
    insuring: Set[int | None] = frozenset(),
    unseen: Set[str] = frozenset(),
) -> Iterator[_Reach]:
    """Yield players' hands over some zones; a hand on the insurance line hides more than it is over.

    One that is told of no seat may be the dealer's, on its way.
    """
    for hand in state.hands:
        over = zones.intersection(hand.zones)
        if hand.taken_for is not None and "rack" in over:
            yield _Reach(seat=hand.taken_for or None, span=hand.span, zones=over, excused=True, doubts=(), his=True)
        if hand.side == "player" and over:
            doubts = doubt_about_arm(session, hand, state.hands, over)
            doubts += (_PERHAPS_CUT,) if over & unseen else ()
            excused = hand.seat in insuring or hand.seat is None or _signals(hand, over)
            yield _Reach(seat=hand.seat, span=hand.span, zones=over, excused=excused, doubts=doubts)


def _signals(hand: HandSeen, over: frozenset[str]) -> bool:
    """Whether a hand was over its own place for a moment, to signal or to bet, and seems to reach one zone farther."""
    own = set(hand.zones) - over
    moment = hand.span.last - hand.span.first <= _SIGNAL_MS
    return moment and len(over) == 1 and bool(own) and all(zone.startswith(f"seat{hand.seat}.") for zone in own)


def _reached(
    session: Session, reaches: Iterable[_Reach], procedures: tuple[str, ...], expected: str
) -> Iterator[Draft]:
    """Yield one finding for each time that a player reached where he may not, however many states and zones it took.

    Where arms may have passed before the camera, one that was there with the dealer's may have been his alone, and
    while such arms were about another may be one of them.
    """
    for reach in _passages(reaches):
        yield from found(
            session,
            *procedures,
            code="player-hand",
            mass=_HARDLY if reach.his else UNKNOWN if reach.doubts else CERTAIN,
            span=reach.span,
            expected=expected,
            observed=f"a player's hand over {', '.join(sorted(reach.zones))}"
            + (", which did there what the dealer does" if reach.his else ""),
            seat=reach.seat,
            capped=reach.excused,
            unread=reach.doubts,
            name=("player-hand", procedures[0], reach.seat, reach.span.first),
        )


def _passages(reaches: Iterable[_Reach]) -> Iterator[_Reach]:
    """Join what one hand was over without a pause."""
    last: dict[int | None, _Reach] = {}
    for reach in sorted(reaches, key=lambda one: one.span):
        before = last.pop(reach.seat, None)
        if before is not None and reach.span.first - before.span.last > _PAUSE_MS:
            yield before
            before = None
        last[reach.seat] = reach if before is None else _joined(before, reach)
    yield from last.values()


def _joined(one: _Reach, other: _Reach) -> _Reach:
    return _Reach(
        seat=one.seat,
        span=one.span.hull(other.span),
        zones=one.zones | other.zones,
        excused=one.excused and other.excused,
        his=one.his and other.his,
        doubts=one.doubts and other.doubts,
    )


TABLE_CHECKS: Final = (
    AuditedTable(check=hands_in_the_rack, games=ALL_GAMES, ids=("P202", "P203")),
    AuditedTable(check=hands_beyond_the_line, games=ALL_GAMES, ids=("P203",), in_round=True),
)
