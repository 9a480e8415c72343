"""The cut card: how deep it lay, what follows its coming out, and who cuts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import ALL_GAMES, BLACKJACK, STUD, AuditedTable, Case, Draft, Session, found, not_seen
from audit.procedures.limits import bounds, limit
from audit.procedures.moments import playing, things
from audit.procedures.shoe import Shoe, cards_in_a_deck, discards_mm, shoes
from audit.readings import Mass
from audit.reconstruction.clearing import lies_as
from audit.reconstruction.places import distance
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import Point
from audit.timing import Span

_DEPTH_IDS: Final = {
    "draw_n_shoot_21": ("P002",),
    "dicey_21": ("P039",),
    "stud_21": ("P063",),
    "blackjack": ("P142", "P143"),
    "double_deck": ("P397",),
}
_AFTER_IDS: Final = {"stud_21": ("P087", "P417"), "blackjack": ("P121", "P417"), "double_deck": ("P121", "P417")}
_RATHER: Final = 0.5
_OFFERING_MS: Final = 60_000
_CLEARLY_NEARER_MM: Final = 80.0
_OFFERED_MM: Final = 150.0  # so far from the cards lies the cut card that is offered with them
_LOOKS: Final = 2
_BURNT_MM: Final = 1.0  # three cards: no more are burnt
_SOME_ROUNDS_MM: Final = 5.0  # of discards, sixteen cards: more than are ever burnt


@dataclass(frozen=True, kw_only=True)
class CutOut:
    """The cut card came out in a round: the state that first shows it, and where it lay."""

    shoe: Shoe
    case: Case
    state: TableState
    card: SeenObject


def cut_out(session: Session) -> Iterator[CutOut]:
    """Yield, for every shoe, where its cut card came out; in what begins unseen it may as well be a shuffle's."""
    for shoe in shoes(session):
        for case in shoe.cases:
            before = _loose(case, case.seen.piece.states[max(0, case.seen.piece.first - 1)])
            first = next((state for state in playing(case) if _loose(case, state)), None)
            if before and (case is not shoe.cases[0] or _is_well_on(case)):
                first = _drawn_before_the_first_card(case)
            elif before:
                first = None
            if first is not None and not _cuts_them(first) and not case.seen.piece.begun_unseen:
                yield CutOut(shoe=shoe, case=case, state=first, card=_loose(case, first)[0])
                break


def _cuts_them(state: TableState) -> bool:
    """Whether only players' hands were there when the cut card came: one of them cuts the shuffled cards."""
    return bool(state.hands) and all(hand.side == "player" for hand in state.hands)


def _drawn_before_the_first_card(case: Case) -> TableState | None:
    """Return the state that first shows the cut card that lies there when a round begins.

    It was the next card of the shoe when the round was to be dealt. None if it may have lain there before, or if the
    cards may have been shuffled meanwhile.
    """
    states = case.seen.piece.states[: case.seen.piece.first]
    if any(state.view != "ok" or "discard" in state.covered for state in states):
        return None
    came = [after for before, after in pairwise(states) if _loose(case, after) and not _loose(case, before)]
    return came[0] if len(came) == 1 else None


def _is_well_on(case: Case) -> bool:
    """Whether more than burnt cards lay in the discards when a round began: the shoe's cards were not just shuffled."""
    heights = [discards_mm(state) for state in case.seen.piece.states[: case.seen.piece.first]]
    known = [height for height in heights if height is not None]
    return bool(known) and min(known) >= _SOME_ROUNDS_MM


def _loose(case: Case, state: TableState) -> list[SeenObject]:
    away = {"shoe", "discard", "rack"}
    return [card for card in things(state, "cut_card") if case.places.zones(card.xy_mm).isdisjoint(away)]


def cut_depth(session: Session) -> Iterator[Draft]:
    """Yield a cut card that came out clearly too early or too late: P002, P039, P063, P142, P143, P397."""
    game = session.rules.game
    deck = cards_in_a_deck(session)
    for cut in cut_out(session) if game in _DEPTH_IDS else ():
        rounds = [case for case in cut.shoe.cases if case.seen.observed.start.first <= cut.state.span.first]
        fresh = cut.shoe.shuffled is not None
        if not fresh and not _began_with_an_empty_rack(session, cut):
            yield from _depth_by_the_discards(session, cut)
            continue
        if any(case.seen.piece.missing for case in rounds):
            reason = "a round of the shoe was not wholly seen, so its cards were not counted"
            yield from not_seen(session, *_DEPTH_IDS[game], reason=reason, span=cut.state.span)
            continue
        dealt = sum(card.appeared.seen.first < cut.state.span.first for card in cut.shoe.cards)
        key = "dealt" if bounds("cut_card", game, "dealt") else "behind"
        count = dealt if key == "dealt" else session.rules.decks * deck - dealt
        yield from _depth(session, cut, key, count, capped=not fresh)


def _began_with_an_empty_rack(session: Session, cut: CutOut) -> bool:
    """Whether nothing but a burnt card lay in the discard rack at the first card in view, and later discards did.

    So the shoe had just been shuffled, if its discards were not elsewhere.
    """
    first = cut.shoe.cases[0].seen.first_card.seen.first
    looks = [s for s in session.states if s.view == "ok" and "discard" not in s.covered and s.span <= cut.state.span]
    before = [state for state in looks if state.span.last <= first]
    lay = [(discards_mm(state) or 0.0) for state in before[-_LOOKS:]]
    filled = any(discards_mm(state) is not None for state in looks[len(before) :])
    return len(lay) == _LOOKS and max(lay) <= _BURNT_MM and filled


def _depth_by_the_discards(session: Session, cut: CutOut) -> Iterator[Draft]:
    """Yield a cut card of a shoe that was in play when the view began, as far as the discards tell of it."""
    behind = _behind_by_the_discards(session, cut)
    if behind is not None and not _may_be_right(session, behind):
        yield from _depth(session, cut, "behind", round(behind), by_height=True)
    else:
        reason = "the shoe was already in play when the view began, so its depth is not known"
        yield from not_seen(session, *_DEPTH_IDS[session.rules.game], reason=reason, span=cut.state.span)


def _behind_by_the_discards(session: Session, cut: CutOut) -> float | None:
    """Return how many cards were left in the shoe by the height of the discards; None where that was not seen."""
    heights = [discards_mm(state) for state in session.states if state.view == "ok" and state.span <= cut.state.span]
    known = [height for height in heights if height is not None]
    if not known or "discard" in cut.state.covered:
        return None
    whole = session.rules.decks * cards_in_a_deck(session)
    return whole - known[-1] / limit("discards", "card_mm") - len(things(cut.state, *CARD_KINDS))


def _may_be_right(session: Session, behind: float) -> bool:
    """Whether as many cards as must be may have been behind the cut card, as well as the height of a pile tells it.

    That too many were is not told: discards may have been elsewhere before the view began.
    """
    least, _ = bounds("cut_card", session.rules.game, "behind") or (-math.inf, math.inf)
    dealt = session.rules.decks * cards_in_a_deck(session) - behind
    slack = max(limit("discards", "slack_cards"), dealt * limit("discards", "slack_share"))
    return behind >= least - slack


def _depth(
    session: Session, cut: CutOut, key: str, count: int, *, by_height: bool = False, capped: bool = False
) -> Iterator[Draft]:
    game, slack = session.rules.game, limit("cut_card", "slack")
    least, most = bounds("cut_card", game, key) or (0.0, 0.0)
    words = "cards dealt before it" if key == "dealt" else "cards behind it"
    if not least - slack <= count <= most + slack:
        yield from found(
            session,
            *_DEPTH_IDS[game],
            code="cut-depth",
            span=cut.state.span,
            expected=f"the cut card with {least:.0f} to {most:.0f} {words}",
            observed=f"{count} {words}" if not by_height else f"about {count} {words}, by the height of the discards",
            capped=by_height or capped,
            name=("cut-depth", cut.state.span.first),
        )


def round_after_the_cut_card(session: Session) -> Iterator[Draft]:
    """Yield a round that began, without a shuffle, after the cut card had come out: P417, P121, P087."""
    ids = _AFTER_IDS.get(session.rules.game, ("P417",))
    racked = [state.span.first for state in session.states if discards_mm(state) is not None]
    for cut in cut_out(session):
        place = cut.shoe.cases.index(cut.case)
        if place + 1 >= len(cut.shoe.cases):
            continue
        following = cut.shoe.cases[place + 1]
        span = following.seen.observed.start
        seen_before = bool(racked) and racked[0] <= span.last  # what lay in the rack tells a shuffle by what is gone
        if not seen_before or _shuffle_unseen(session, cut.case, span):
            reason = "whether the cards were shuffled after the cut card came out"
            yield from not_seen(session, *ids, reason=reason, span=span)
            continue
        yield from found(
            session,
            *ids,
            code="round-after-cut-card",
            span=span,
            expected=f"a shuffle after the round in which the cut card came out at {cut.state.span.first} ms",
            observed="another round from the same shoe",
            name=("round-after-cut-card", span.first),
        )


def _shuffle_unseen(session: Session, before: Case, following: Span) -> bool:
    """Whether the cards may have been shuffled between two rounds: the view was lost, or the discards were hidden."""
    begun, over = before.seen.observed.start.first, before.seen.piece.states[before.seen.piece.last].span.last
    since = [state for state in session.states if begun < state.span.first and state.span.last < following.last]
    lost = any(state.view != "ok" for state in since)
    between = [state for state in since if over < state.span.first]
    return lost or (bool(between) and all("discard" in state.covered for state in between))


@dataclass(frozen=True, kw_only=True)
class _Cut:
    """The cut card went into the cards between two shoes: who was there, and who had a hand over the table since."""

    span: Span
    seats: frozenset[int | None]
    asked: frozenset[int | None]


def _cuts(session: Session, since: int, until: int) -> Iterator[_Cut]:
    """Yield the moment at which the cut card, shown beside the cards, went into them.

    The one that came out in the round before lies where it lay until the shuffle: it is only put away.
    """
    case = session.cases[0]
    window = [state for state in session.states if since <= state.span.first < until]
    out = _loose(case, window[0]) if window else []
    asked: set[int | None] = set()
    for before, after in pairwise(window):
        asked |= {hand.seat for hand in after.hands if hand.side == "player"}
        dealer = any(hand.side == "dealer" for state in window for hand in state.hands)
        shown = [card for card in _loose(case, before) if not any(lies_as(card, one) for one in out)]
        shown = [card for card in shown if _lies_by_cards(before, card)]
        if dealer and shown and not _loose(case, after) and after.view == "ok":
            by = frozenset(hand.seat for hand in after.hands if hand.side == "player")
            yield _Cut(span=Span.of(before.span.last, after.span.first), seats=by, asked=frozenset(asked))
            return


def _lies_by_cards(state: TableState, cut: SeenObject) -> bool:
    """Whether the shuffled cards lie beside the cut card; else it was put away, and who cut is not seen."""
    return any(distance(card.xy_mm, cut.xy_mm) <= _OFFERED_MM for card in things(state, *CARD_KINDS))


def cut_by_a_player(session: Session) -> Iterator[Draft]:
    """Yield a cut by the dealer, or by another player than the one who got the cut card: P062, P139, P138."""
    out = list(cut_out(session))
    for before, after in pairwise(list(shoes(session))):
        if after.shuffled is None or not after.cases:
            continue
        until = after.cases[0].seen.observed.start.last
        for cut in _cuts(session, session.states[after.shuffled].span.first, until):
            yield from _by_the_dealer(session, cut)
            yield from _by_another(
                session, cut, next((one for one in out if one.shoe.shuffled == before.shuffled), None)
            )


def _by_the_dealer(session: Session, cut: _Cut) -> Iterator[Draft]:
    if cut.asked:
        return
    yield from found(
        session,
        "P062" if session.rules.game in STUD else "P139",
        code="cut-by-dealer",
        span=cut.span,
        expected="the cut card put in by a player, or by the dealer with approval after all were asked",
        observed="no player's hand over the table while the cards were cut",
        capped=True,  # all may have refused, and a hand beside every zone may have been missed
        name=("cut-by-dealer", cut.span.first),
    )


def _by_another(session: Session, cut: _Cut, out: CutOut | None) -> Iterator[Draft]:
    seats = {seat for seat in cut.seats or cut.asked if seat is not None}
    if out is None or not seats or session.rules.game not in BLACKJACK:
        return
    owner = out.case.places.owner(out.card.xy_mm)
    owners = _dealt_around(out) if owner is None else {owner}
    if not owners:
        return  # laid aside at once: on whom it came out is not told by where it lies
    due = {int(one.removeprefix("seat")) if one.startswith("seat") else min(out.case.seen.seats) for one in owners}
    if due.isdisjoint(cut.asked) and not _was_offered_before(session, cut):
        yield from found(
            session,
            "P138",
            code="cut-by-another",
            mass=Mass(broken=_RATHER, kept=1.0 - _RATHER),
            span=cut.span,
            expected=f"the cut offered first to seat {' or '.join(map(str, sorted(due)))}",
            observed=f"cut by seat {min(seats)}",
            seat=min(seats),
            capped=True,  # he may have refused in words
            name=("cut-by-another", cut.span.first),
        )


def _was_offered_before(session: Session, cut: _Cut) -> bool:
    """Whether the stack was laid before somebody else before it was cut: who was to cut first had refused."""
    looks = (state for state in session.states if 0 <= cut.span.first - state.span.first <= _OFFERING_MS)
    stacks = [backs[0] for state in looks if len(backs := things(state, "card_back")) == 1]
    zones = [(one, session.places.zones(one.xy_mm)) for one in stacks]
    laid = [one for one, there in zones if there and not any(zone.startswith("dealer.") for zone in there)]
    return any(distance(one.xy_mm, laid[-1].xy_mm) > _CLEARLY_NEARER_MM for one in laid[:-1])


def _dealt_around(out: CutOut) -> set[str]:
    """Return whose cards came just before and just after a cut card that had a look of its own: it came out on either.

    Nobody's where a hand went from the shoe to a place for cards before that look: it may have come after that card.
    """
    dealt_too = (set(hand.zones) for hand in out.state.hands if "shoe" in hand.zones)
    if any(zone.endswith(".cards") for zones in dealt_too for zone in zones):
        return set()
    seen, place = out.case.seen, out.case.seen.piece.states.index(out.state)
    dealt = [(f"seat{seat}", card.appeared.state) for seat, one in seen.seats.items() for card in one.cards]
    dealt += [("dealer", card.appeared.state) for card in seen.dealer]
    earlier, later = [one for one in dealt if one[1] < place], [one for one in dealt if one[1] > place]
    if len(earlier) + len(later) < len(dealt) or not later:
        return set()
    last, soon = max((state for _, state in earlier), default=None), min(state for _, state in later)
    return {owner for owner, state in dealt if state in (last, soon)}


def cut_card_given_on(session: Session) -> Iterator[Draft]:
    """Yield a cut card that went to the wrong player: P088 the dealer's, which is the rightmost one's, P087 a player's.

    A player to whom it is dealt keeps it (002:L36).
    """
    for cut in cut_out(session):
        owner, last = cut.case.places.owner(cut.card.xy_mm), f"seat{max(cut.case.seen.seats)}"
        if owner is None:
            continue
        due = last if owner == "dealer" else owner
        for state in playing(cut.case):
            owners = {_holder(cut.case, card.xy_mm) for card in _loose(cut.case, state) if _was_given(cut, card)}
            wrong = {one for one in owners if one and one not in ("dealer", due)}
            if wrong and state.span.first > cut.state.span.first:
                whose = (
                    "the dealer's cut card to the rightmost player," if owner == "dealer" else "the cut card left to"
                )
                yield from found(
                    session,
                    "P088" if owner == "dealer" else "P087",
                    code="cut-card-given",
                    span=state.span,
                    expected=f"{whose} {_seat_words(due)}",
                    observed=f"given to {_seat_words(min(wrong))}",
                    name=("cut-card-given", cut.state.span.first),
                )
                break


def _was_given(cut: CutOut, card: SeenObject) -> bool:
    """Whether the cut card lies farther from where it came out than a hand shifts it."""
    return distance(cut.card.xy_mm, card.xy_mm) > _CLEARLY_NEARER_MM


def _seat_words(owner: str) -> str:
    return owner.replace("seat", "seat ")


def _holder(case: Case, point: Point) -> str | None:
    """Return on whose cards a point lies, on which seat's wagers, or before which player beyond them.

    A player lays the cut card before himself.
    """
    spot = case.places.spot(point)
    of_seat = spot.partition(".")[0] if spot is not None and spot.startswith("seat") else None
    return case.places.owner(point) or of_seat or _before_whom(case, point)


def _before_whom(case: Case, point: Point) -> str | None:
    """Return the seat beyond whose cards a point outside every zone lies, None between two of them or on this side."""
    centres = {
        zone.name.removesuffix(".cards"): zone.centre_mm
        for zone in case.places.profile.zones
        if zone.name.startswith("seat") and zone.name.endswith(".cards")
    }
    by_distance = sorted((distance(centre, point), seat) for seat, centre in centres.items())
    if case.places.zones(point) or not by_distance:
        return None
    near, seat = by_distance[0]
    between = len(by_distance) > 1 and by_distance[1][0] - near < _CLEARLY_NEARER_MM
    beyond = case.places.along(seat, point)[1] > case.places.along(seat, centres[seat])[1]
    return seat if beyond and not between else None


CHECKS: Final = (
    AuditedTable(
        check=cut_depth,
        games=ALL_GAMES,
        ids=("P002", "P039", "P063", "P142", "P143", "P397"),
    ),
    AuditedTable(check=round_after_the_cut_card, games=ALL_GAMES, ids=("P417", "P121", "P087")),
    AuditedTable(check=cut_by_a_player, games=BLACKJACK | STUD, ids=("P062", "P138", "P139")),
    AuditedTable(check=cut_card_given_on, games=STUD, ids=("P087", "P088"), in_round=True),
)
