"""21 Stud: how the dealer's two cards are dealt, where they lie, and that no third one comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.procedures.drafts import STUD, Audited, Case, Draft, found
from audit.procedures.moments import face_seen, playing, surely_a_card, things
from audit.reconstruction.changes import Change, last_of
from audit.reconstruction.observation import SeenCard
from audit.reconstruction.places import DEALER, JITTER_MM, distance, lies_there
from audit.states import CARD_KINDS
from audit.table import Point
from audit.timing import Span

_TWO: Final = 2
_ZONES: Final = ("dealer.card1", "dealer.card2")


def dealt_face_down(case: Case) -> Iterator[Draft]:
    """Yield dealer cards shown during the deal, and card #2 shown before card #1: P070, P075."""
    if case.seen.piece.missing or len(case.seen.dealer) != _TWO:
        return
    for number, card in enumerate(case.seen.dealer, start=1):
        shown = face_seen(card)
        if shown is not None and any(change.seen.certainly_after(shown.seen) for change in _dealt_beside(case, card)):
            yield from _shown_early(case, "P070", number=number, card=card)
    one, two = (card.face_shown for card in case.seen.dealer)
    if one is None or two is None or not two.span.certainly_before(one.span):
        return
    if _came_face_up(case, case.seen.dealer[1]):
        yield from _shown_early(case, "P070", "P075", number=_TWO, card=case.seen.dealer[1])
    else:
        yield from found(
            case,
            "P075",
            code="card-2-first",
            span=two.span.hull(one.span),
            expected="dealer card #1 turned first",
            observed="card #2 turned first",
            name=("card-2-first",),
        )


def _shown_early(case: Case, *procedures: str, number: int, card: SeenCard) -> Iterator[Draft]:
    yield from found(
        case,
        *procedures,
        code="dealer-card-up",
        span=card.appeared.span,
        expected="the dealer's cards dealt face down, and turned when all are dealt",
        observed=f"card #{number} face up during the deal",
        name=("dealer-card-up", number),
    )


def _dealt_beside(case: Case, card: SeenCard) -> list[Change]:
    """Return when the rest of the deal came: the second card of each player, and the dealer's other one."""
    players = [seen.initial[-1].appeared for seen in case.seen.seats.values() if seen.initial]
    return players + [other.appeared for other in case.seen.dealer if other is not card]


def _came_face_up(case: Case, card: SeenCard) -> bool:
    """Whether a card showed its face as soon as it lay there, in the first look after one without it."""
    before = case.seen.piece.states[card.appeared.state - 1].span.last
    at_once = card.read is not None and card.read.state == card.appeared.state
    return card.face_up and at_once and before < card.appeared.seen.first


def each_in_its_zone(case: Case) -> Iterator[Draft]:
    """Yield both of the dealer's cards in one zone, or one outside both: P070."""
    known = all(case.places.profile.zone(name) for name in _ZONES)
    if case.seen.piece.missing or not known or len(case.seen.dealer) > _TWO:
        return
    there = [_zones_of(case, card) for card in case.seen.dealer]
    came = [_zones_near(case, card.came_xy_mm) for card in case.seen.dealer]
    if len(came) == _TWO and came[0] == came[1] and len(came[0]) == 1:
        observed = f"both in the zone of card #{_ZONES.index(min(came[0])) + 1}"
        put_right = there[0] != there[1]
        yield from _misplaced(case, last_of(card.appeared for card in case.seen.dealer), observed, capped=put_right)
    for card, zones in zip(case.seen.dealer, there, strict=True):
        if not zones:
            yield from _misplaced(case, card.appeared, _outside(card.xy_mm))
    if len(case.seen.dealer) < _TWO:
        yield from _stray(case)


def _misplaced(case: Case, when: Change | Span | None, observed: str, *, capped: bool = False) -> Iterator[Draft]:
    if when is not None:
        yield from found(
            case,
            "P070",
            code="dealer-card-place",
            span=when.span if isinstance(when, Change) else when,
            expected="one of the dealer's cards in each of his two zones",
            observed=observed,
            capped=capped,
            name=("dealer-card-place",),
        )


def _outside(point: Point) -> str:
    return f"a card outside both at {point[0]:.0f}, {point[1]:.0f} mm"


def _zones_of(case: Case, card: SeenCard) -> frozenset[str]:
    """Return the dealer's zones in which a card may have lain, as it came or later."""
    return _zones_near(case, card.came_xy_mm) | _zones_near(case, card.xy_mm)


def _zones_near(case: Case, point: Point) -> frozenset[str]:
    """Return the dealer's zones that a card at a point may lie in: its place may jitter."""
    off = (-JITTER_MM, 0.0, JITTER_MM)
    near = [(point[0] + dx, point[1] + dy) for dx in off for dy in off]
    return frozenset(name for one in near for name in case.places.zones(one)).intersection(_ZONES)


def _stray(case: Case) -> Iterator[Draft]:
    """Yield a card that lay nearest to the dealer's zones, outside both, in a look at them after the deal."""
    dealt = last_of(seen.initial[-1].appeared for seen in case.seen.seats.values() if seen.initial)
    for stray in case.seen.stray_cards if dealt is not None else ():
        for state in playing(case):
            seen = any(distance(one.xy_mm, stray) <= JITTER_MM for one in things(state, *CARD_KINDS))
            clear = state.covered.isdisjoint(_ZONES) and dealt is not None and state.span.first > dealt.span.last
            if seen and clear and _is_his(case, stray):
                yield from _misplaced(case, state.span, _outside(stray))
                return


def _is_his(case: Case, point: Point) -> bool:
    """Whether the dealer's zones are the nearest of those for cards, by their centres, and the point is in neither."""
    zones = [zone for zone in case.places.profile.zones if zone.name in _ZONES or zone.name.endswith(".cards")]
    nearest = min(zones, key=lambda zone: distance(zone.centre_mm, point))
    return nearest.name in _ZONES and not _zones_near(case, point)


def no_third_card(case: Case) -> Iterator[Draft]:
    """Yield a third card of the dealer's that lay beside his two: P071."""
    cards = sorted(case.seen.dealer, key=lambda card: card.number)
    if not case.seen.piece.missing and len(cards) > _TWO and _at_once(case, cards):
        yield from found(
            case,
            "P071",
            code="too-many-cards",
            span=cards[_TWO].appeared.span,
            expected="at most 2 cards",
            observed=f"{len(cards)} cards of the dealer's",
            name=("too-many-cards", DEALER),
            capped=sum(surely_a_card(case, card) for card in cards) <= _TWO,
        )


def _at_once(case: Case, cards: Sequence[SeenCard]) -> bool:
    """Whether one state shows more than two of the cards, each in its own place."""
    for state in playing(case):
        items = things(state, *CARD_KINDS)
        near = ((card, item) for card in cards for item in items if lies_there(card, item))
        of_card = {id(item): card.number for card, item in near}
        if len(set(of_card.values())) > _TWO:
            return True
    return False


CHECKS: Final = (
    Audited(check=dealt_face_down, games=STUD, ids=("P070", "P075"), of_cards=True, local=True),
    Audited(check=each_in_its_zone, games=STUD, ids=("P070",), of_cards=True),
    Audited(check=no_third_card, games=STUD, ids=("P071",), of_cards=True),
)
