"""The ace finder: what comes before it, whether it was looked into, and what it tells of the dealer's blackjack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from audit.cards import TEN_VALUED, is_natural
from audit.procedures.drafts import (
    BLACKJACK,
    TRILUX,
    Audited,
    AuditedTable,
    Case,
    Draft,
    Session,
    found,
    not_seen,
    too_late,
)
from audit.procedures.limits import limit
from audit.procedures.moments import exposed_before_the_hits, first_hit, settled, things
from audit.procedures.resting import unsure_cards
from audit.procedures.side import with_the_last_late
from audit.readings import UNKNOWN, Hand, Mass, hand_answers, mass_of, mass_where
from audit.reconstruction.changes import Change, first_of, is_watched
from audit.reconstruction.closing import in_finder, look_at_hole_card
from audit.reconstruction.places import DEALER, lies_there, turned_apart
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.timing import Span

_FINDER: Final = "ace_finder"
_PEEKED: Final = TEN_VALUED | {"A"}
_TWO: Final = 2
_HALF: Final = 0.5
_TURNED_DEG: Final = 10.0
_CAME_TWICE: Final = "what the dealer's hand did that came to the ace finder twice between two looks"
ACE: Final = frozenset("A")
UP_CARD_UNREAD: Final = ("dealer's card 1 not read",)


def up_card(case: Case, ranks: frozenset[str]) -> float:
    """Return the probability that the up card is one of some ranks."""
    up = case.seen.dealer[:1]
    return sum(p for code, p in up[0].chances.items() if code[0] in ranks) if up else 0.0


def ace_up(case: Case) -> float:
    """Return the probability that the dealer's up card is an ace."""
    return up_card(case, ACE)


def up_card_mass(case: Case, ranks: frozenset[str] = ACE) -> Mass:
    """Return how likely the up card is of some ranks, and how likely of others; the rest was not read."""
    return mass_where(case.seen.dealer[0].chances if case.seen.dealer else {}, lambda code: code[0] in ranks)


def peek(case: Case) -> Change | None:
    """Return the change that brought the dealer's cards into the ace finder, None if they were not seen there."""
    return look_at_hole_card(case.seen.piece, case.places, case.seen.hole_turned)


def side_bets_before_the_peek(case: Case) -> Iterator[Draft]:
    """Yield side wagers settled after the look into the ace finder: P310, P380."""
    for wager in case.seen.wagers if not case.seen.piece.missing else ():
        if wager.key.bet in TRILUX | {"blazing7"}:
            yield from too_late(
                case,
                settled(wager),
                peek(case),
                "P310",
                "P380",
                code="side-wager-after-peek",
                expected="side wagers settled before the ace finder is used",
                observed="settled afterwards",
                bet=wager.key,
                name=("side-wager-late", wager.key),
                follows=(("sensor", wager.key), *with_the_last_late(case, wager)),
            )


def insurance_before_the_peek(case: Case) -> Iterator[Draft]:
    """Yield insurance placed after the look into the ace finder, which comes after it is closed: P309, P307."""
    for wager in case.seen.wagers if not case.seen.piece.missing else ():
        if wager.key.bet == "insurance":
            yield from too_late(
                case,
                wager.placed,
                peek(case),
                "P309",
                "P307",
                code="insurance-after-peek",
                expected="the ace finder used after insurance is closed",
                observed="insurance placed after the look",
                bet=wager.key,
            )


def slid_into_the_finder(case: Case) -> Iterator[Draft]:
    """Yield cards slid into the ace finder the wrong way: a ten goes in upright, P308, an ace sideways, P309."""
    change = peek(case)
    if change is None:
        return
    cards = in_finder(case.seen.piece.states[change.state], case.places)
    ways = {case.places.sideways("dealer", card) for card in cards}
    for procedure, wrong, ranks, words in (
        ("P308", True, TEN_VALUED, ("upright into the ace finder with a ten up", "slid in sideways")),
        ("P309", False, ACE, ("sideways into the ace finder with an ace up", "slid in upright")),
    ):
        if ways == {wrong}:
            yield from found(
                case,
                procedure,
                code="peek-angle",
                mass=up_card_mass(case, ranks),
                span=change.span,
                expected=words[0],
                observed=words[1],
                capped=True,  # under the ace finder a card is seen in part
                unread=UP_CARD_UNREAD,
                follows=(("insurance-not-opened", case.seen.observed.start.first),),
                rests_on=unsure_cards(case.seen.dealer[:1]),
            )


def peeked(session: Session) -> Iterator[Draft]:
    """Yield rounds with a ten or an ace up and no look at the hole card: P308, P309.

    Judged only where no hand was at the ace finder for as long as a look takes; where no look was seen in any round, at
    most suspect, only by an up card that is likely one, and not in footage, which may not show them at all.
    """
    rounds, seen = _without_a_look(session), _looks_were_seen(session)
    for case, acted in rounds if seen or session.thresholds.hands_sure else ():
        ten, ace = up_card(case, TEN_VALUED), ace_up(case)
        twice = any(len(_at_the_finder(gap)) > 1 for gap in _gaps(case, acted))  # there, and back again
        if not seen and (twice or up_card(case, _PEEKED) <= _HALF):
            continue
        yield from found(
            case,
            "P308" if ten >= ace else "P309",
            code="no-peek",
            mass=UNKNOWN if twice else up_card_mass(case, _PEEKED),
            span=acted.span,
            expected="a look at the hole card with a ten or an ace up",
            observed="no card in the ace finder, and no hand there long enough",
            unread=[_CAME_TWICE] if twice else UP_CARD_UNREAD,
            capped=not seen,
            name=("no-peek", case.seen.observed.start.first),
            follows=(("hole-early",),),  # nothing is left to look for
            rests_on=unsure_cards(case.seen.dealer[:1]),
        )


def looks_seen(session: Session) -> Iterator[Draft]:
    """Yield, once, that footage of a table with an ace finder shows no look at a hole card: P308, P309."""
    if session.thresholds.hands_sure:
        return
    rounds = [case for case, _ in _without_a_look(session) if up_card(case, _PEEKED) >= session.thresholds.violation]
    if rounds and not _looks_were_seen(session):
        reason = f"a look into the ace finder in any of {len(rounds)} rounds with a ten or an ace up"
        span = rounds[0].seen.observed.start.hull(rounds[-1].seen.observed.end)
        yield from not_seen(session, "P308", "P309", reason=reason, span=span)


def _looks_were_seen(session: Session) -> bool:
    return any(peek(case) for case in session.cases if not case.seen.piece.missing)


def _without_a_look(session: Session) -> Iterator[tuple[Case, Change]]:
    """Yield rounds in which the dealer did not look at his hole card, with the change by which the play went on."""
    for case in session.cases if session.places.profile.zone(_FINDER) is not None else ():
        acted = first_of([first_hit(case), case.seen.hole_turned])
        looked = peek(case) is not None or case.seen.hole_exposed is not False  # what would he look for
        if not case.seen.piece.missing and not looked and acted is not None and not _may_have_looked(case, acted):
            yield case, acted


def _may_have_looked(case: Case, acted: Change) -> bool:
    """Whether the dealer's hand may have slid his cards into the finder and back between two looks at them.

    Only states with both in view are looks: in each the cards lie where they were dealt.
    """
    gaps, watched = _gaps(case, acted), is_watched(case.seen.piece.states)
    return not gaps or any(_is_long_enough(gap, watched=watched) or _out_of_sight(case, gap) for gap in gaps)


def _out_of_sight(case: Case, gap: Sequence[TableState]) -> bool:
    """Whether the dealer had his cards in his hand at the finder in some state between two looks at them."""
    return any(_in_his_hand(case, state) and _at_the_finder((gap[0], state)) for state in gap[1:-1])


def _in_his_hand(case: Case, state: TableState) -> bool:
    """Whether a clear state lists no card before the dealer nor in the ace finder, once both his were dealt."""
    zones = {_FINDER, *case.places.card_zones(DEALER)}
    lie = (not zones.isdisjoint(case.places.zones(item.xy_mm)) for item in things(state, *CARD_KINDS))
    return state.view == "ok" and not any(lie)


def _gaps(case: Case, acted: Change) -> list[Sequence[TableState]]:
    """Return the states from each look at the dealer's first two cards to the next; none where one was not seen."""
    states = case.seen.piece.states
    dealt = [card.appeared.state for card in case.seen.dealer[:_TWO] if card.appeared.state < acted.state]
    if len(dealt) < _TWO:
        return []
    hidden = frozenset({_FINDER, "dealer.cards"})
    clear = [n for n in range(max(dealt), acted.state) if states[n].view == "ok" and not hidden & states[n].covered]
    clear = [n for n in clear if not _in_his_hand(case, states[n])]
    looks = [max(dealt) - 1, max(dealt), *clear, acted.state]  # his second card may have been looked at as it came
    return [states[before : after + 1] for before, after in pairwise(looks)]


def _at_the_finder(gap: Sequence[TableState]) -> list[Span]:
    """Return when the dealer's hand was at the finder after the first of some states."""
    return [hand.span for state in gap[1:] for hand in state.hands if hand.side == "dealer" and _FINDER in hand.zones]


def _is_long_enough(states: Sequence[TableState], *, watched: bool) -> bool:
    """Whether a look fits between the first and the last of some states.

    A hand at the finder that did nothing else there may have looked however short it stayed. ``watched``: some state
    of the round tells of a hand; where none does, one may have been there all the time.
    """
    hands = watched or any(hand.side == "dealer" for state in states[1:] for hand in state.hands)
    at_it = _at_the_finder(states)
    if (at_it and _nothing_else(states[0], states[-1])) or any(map(_slides, states[1:])):
        return True
    least = limit("time", "peek_ms")
    there = max((span.last for span in at_it), default=0) - min((span.first for span in at_it), default=0)
    lost = any(state.view != "ok" for state in states)
    return states[-1].span.first - states[0].span.last >= least and (lost or not hands or there >= least)


def _slides(state: TableState) -> bool:
    """Whether a hand of the dealer's was at his cards and at the finder, nowhere else, and not in passing.

    In one entry, or at his cards, at the finder and at his cards again.
    """
    own = [hand for hand in state.hands if hand.side == "dealer"]
    both = [hand.span for hand in own if set(hand.zones) == {_FINDER, "dealer.cards"}]
    cards, finder = ([hand.span for hand in own if set(hand.zones) == {zone}] for zone in ("dealer.cards", _FINDER))
    elsewhere = any(not {_FINDER, "dealer.cards"}.issuperset(hand.zones) for hand in own)
    there = [one for one in finder if min(cards, default=one) < one < max(cards, default=one) and not elsewhere]
    return any(span.last - span.first >= limit("time", "slide_ms") for span in (*both, *there))


def _nothing_else(before: TableState, after: TableState) -> bool:
    """Whether everything that two states show lies in one as in the other."""
    return all(
        any(_as_it_lay(item, other) for other in there.objects)
        for here, there in ((before, after), (after, before))
        for item in here.objects
    )


def _as_it_lay(one: SeenObject, other: SeenObject) -> bool:
    return (
        one.kind == other.kind
        and lies_there(one, other)
        and turned_apart(one.angle_deg or 0.0, other.angle_deg or 0.0) <= _TURNED_DEG
    )


def _natural(hand: Hand) -> bool:
    return is_natural(card.value for card in hand if card is not None)


def dealer_blackjack(case: Case) -> Mass:
    """Return how sure it is that the dealer's first two cards are a blackjack."""
    exposed = exposed_before_the_hits(case)
    if exposed is not False:
        return Mass(broken=0.0, kept=1.0 if exposed else 0.0)
    return first_two_natural(case)


def first_two_natural(case: Case) -> Mass:
    """Return how sure it is that the dealer's first two cards make 21, whenever they were seen."""
    return mass_of(hand_answers(case.seen.dealer[:_TWO], _natural), bool)


CHECKS: Final = (
    Audited(check=side_bets_before_the_peek, games=BLACKJACK, ids=("P310", "P380")),
    Audited(check=insurance_before_the_peek, games=BLACKJACK, ids=("P309", "P307")),
    Audited(check=slid_into_the_finder, games=BLACKJACK, ids=("P308", "P309")),
)
TABLE_CHECKS: Final = (
    AuditedTable(check=peeked, games=BLACKJACK, ids=("P308", "P309"), in_round=True),
    AuditedTable(check=looks_seen, games=BLACKJACK, ids=("P308", "P309")),
)
