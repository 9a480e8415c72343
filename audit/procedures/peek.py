"""Insurance and the ace finder: opened, closed and looked into in the order written."""

from __future__ import annotations

import math
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
    first_inversion,
    found,
    not_seen,
    too_late,
)
from audit.procedures.limits import limit
from audit.procedures.moments import exposed_before_the_hits, first_hit, may_be_undone, settled, things
from audit.procedures.order import Act, inversions
from audit.procedures.resting import unsure_cards
from audit.procedures.side import with_the_last_late
from audit.readings import UNKNOWN, Hand, Mass, hand_answers, mass_of, mass_where
from audit.reconstruction.changes import Change, first_of
from audit.reconstruction.closing import in_finder, look_at_hole_card
from audit.reconstruction.observation import SeenWager
from audit.reconstruction.places import DEALER, STILL_MM, lies_there, turned_apart
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
        looked = peek(case) is not None or case.seen.hole_exposed is True
        if not case.seen.piece.missing and not looked and acted is not None and not _may_have_looked(case, acted):
            yield case, acted


def _may_have_looked(case: Case, acted: Change) -> bool:
    """Whether the dealer's hand may have slid his cards into the finder and back between two looks at them.

    Only states with both in view are looks: in each the cards lie where they were dealt.
    """
    gaps = _gaps(case, acted)
    return not gaps or any(_is_long_enough(gap) or _out_of_sight(case, gap) for gap in gaps)


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


def _is_long_enough(states: Sequence[TableState]) -> bool:
    """Whether a look fits between the first and the last of some states.

    A hand at the finder that did nothing else there may have looked however short it stayed.
    """
    hands = any(hand.side == "dealer" for state in states[1:] for hand in state.hands)
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
        if wager.key.bet == "insurance":
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
    Audited(check=side_bets_before_the_peek, games=BLACKJACK, ids=("P310", "P380")),
    Audited(check=insurance_before_the_peek, games=BLACKJACK, ids=("P309", "P307")),
    Audited(check=slid_into_the_finder, games=BLACKJACK, ids=("P308", "P309")),
    Audited(check=side_bets_before_insurance, games=BLACKJACK, ids=("P299",)),
    Audited(check=insurance_before_hits, games=BLACKJACK, ids=("P237",), of_cards=True),
    Audited(check=insurance_on_the_right, games=BLACKJACK, ids=("P303",)),
    Audited(check=insurance_settled_in_turn, games=BLACKJACK, ids=("P312",)),
)
TABLE_CHECKS: Final = (
    AuditedTable(check=peeked, games=BLACKJACK, ids=("P308", "P309"), in_round=True),
    AuditedTable(check=looks_seen, games=BLACKJACK, ids=("P308", "P309")),
    AuditedTable(check=insurance_opened, games=BLACKJACK, ids=("P300",), in_round=True),
    AuditedTable(check=insurance_offered, games=BLACKJACK, ids=("P300",), in_round=True),
)
