"""21 Stud and Lucky Draw Baccarat: how many cards are dealt, how the dealer plays, what is settled before what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from audit.procedures.drafts import BACCARAT, STUD, Audited, Case, Draft, found, too_late
from audit.procedures.finality import doubt_about_dealer, doubt_about_hand, shown_in
from audit.procedures.moments import face_seen, settled, surely_a_card, surely_a_wager
from audit.procedures.resting import unsure_cards
from audit.readings import CERTAIN, UNKNOWN, Hand, hand_answers, mass_of, mass_where, unread
from audit.reconstruction.changes import Change, first_of
from audit.reconstruction.observation import SeatSeen, SeenCard, SeenWager
from audit.timing import Span

_TWO: Final = 2
_THREE: Final = 3
_MOST: Final = {"stud_21": (2, "P071"), "lucky_draw_baccarat": (3, "P100")}
_STANDS: Final = 5
_EARLY_IDS: Final = {"match1": ("P076", "P077"), "match2": ("P078", "P080"), "base": ("P078",)}
"""What names a bet of 21 Stud that is settled before the card that decides it is shown."""
_SHOWN_EARLY: Final = (("dealer-card-up", 1), ("dealer-card-up", 2), ("card-2-first",))
"""Errors with the dealer's cards of 21 Stud of which a bet settled out of time is a consequence."""
_FIRST_UP: Final = ("dealer-cards-lie",)
"""The same at Lucky Draw Baccarat: the card that is to be turned last lies face up at once."""


def no_pip_tens(case: Case) -> Iterator[Draft]:
    """Yield pip tens in a Spanish shoe: P060."""
    if case.rules.option("spanish") is not True:
        return
    for card in (*case.seen.dealer, *(card for seen in case.seen.seats.values() for card in seen.cards)):
        yield from found(
            case,
            "P060",
            code="pip-ten",
            mass=mass_where(card.chances, lambda code: code[0] == "T"),
            unread=[f"{card.owner} card {card.number} not read"],
            span=card.appeared.span,
            expected="no pip ten in a Spanish shoe",
            observed=f"{card.likeliest}",
            name=("pip-ten", card.number),
        )


def cards_dealt(case: Case) -> Iterator[Draft]:
    """Yield seats with more cards than the game gives, or fewer than two: P071, P100, P069, P094."""
    most, procedure = _MOST[case.rules.game]
    if case.seen.piece.missing:
        return
    for seat, seen in case.seen.seats.items():
        if len(seen.cards) > most:
            yield from found(
                case,
                procedure,
                code="too-many-cards",
                span=seen.cards[most].appeared.span,
                expected=f"at most {most} cards",
                observed=f"{len(seen.cards)} cards",
                seat=seat,
                name=("too-many-cards", seat),
                capped=sum(surely_a_card(case, card) for card in seen.cards) <= most,
            )
        if len(seen.cards) < _TWO:
            yield from _one_card(case, seat, seen)
        if not all(card.face_up for card in seen.cards[:_TWO]):
            yield from found(
                case,
                "P069" if case.rules.game == "stud_21" else "P094",
                code="player-card-down",
                span=seen.cards[0].appeared.span,
                expected="the player's cards face up",
                observed="face down",
                seat=seat,
                capped=not all(surely_a_card(case, card) for card in seen.cards[:_TWO]),
            )


def _one_card(case: Case, seat: int, seen: SeatSeen) -> Iterator[Draft]:
    """Yield a seat with one card in a look at it after the dealer's card was turned: P069, P094."""
    turned = case.seen.hole_turned
    if turned is None or not shown_in(case, seen.cards, turned.state, f"seat{seat}"):
        return
    yield from found(
        case,
        "P069" if case.rules.game == "stud_21" else "P094",
        code="too-few-cards",
        mass=CERTAIN if case.thresholds.unread_sure else UNKNOWN,
        span=seen.cards[0].appeared.span,
        expected="two cards to each player",
        observed="one card",
        seat=seat,
        capped=True,  # another may lie wholly under it
        unread=(f"whether seat {seat} had a second card",),
    )


def stud_settled_in_time(case: Case) -> Iterator[Draft]:
    """Yield bets settled before their card was shown or after the next: P072, P076-P080; Base before Match 2: P079."""
    if case.seen.piece.missing or len(case.seen.dealer) != _TWO:
        return
    one, two = (card.face_shown for card in case.seen.dealer)
    read = [face_seen(card) for card in case.seen.dealer]  # a back that was not known as one has been an unread face
    limits = {"mirror": (read[0], "P072", "dealer card #1 was"), "match1": (read[1], "P076", "dealer card #2 was")}
    yield from _settled_early(case, {"match1": one, "match2": two, "base": two})
    for wager in case.seen.wagers:
        change = settled(wager)
        if wager.key.bet in limits and change is not None:
            shown, procedure, words = limits[wager.key.bet]
            yield from _too_late(case, wager, change, shown, procedure=procedure, after=f"{words} turned")
        if wager.key.bet == "match2" and change is not None:
            base = next((w for w in case.seen.wagers if w.key.seat == wager.key.seat and w.key.bet == "base"), None)
            early = None if base is None else settled(base)
            yield from _too_late(case, wager, change, early, procedure="P079", after="Base was settled")


def _settled_early(case: Case, cards: Mapping[str, Change | None]) -> Iterator[Draft]:
    """Yield bets taken to the rack or paid before the card was turned that they are settled by."""
    for wager in case.seen.wagers:
        if wager.key.bet in cards:
            yield from too_late(
                case,
                cards[wager.key.bet],
                first_of(_surely_settled(case, wager)),
                *_EARLY_IDS[wager.key.bet],
                code="settled-early",
                expected=f"settled after dealer card #{1 if wager.key.bet == 'match1' else 2} was turned",
                observed="settled before",
                bet=wager.key,
                name=("settled-early", wager.key),
                follows=_SHOWN_EARLY,
            )


def _surely_settled(case: Case, wager: SeenWager) -> Iterator[Change]:
    """Yield when cheques certainly came to a wager from the house, or went with its hand into the rack."""
    for move in wager.pays:
        if mass_where(move.net(case.chips), lambda amount: amount > 0).broken >= case.thresholds.violation:
            yield move.change
    if wager.taken is not None and any("rack" in hand.zones for hand in wager.taken.change.hands):
        yield wager.taken.change


def _too_late(
    case: Case, wager: SeenWager, change: Change, limit: Change | None, *, procedure: str, after: str
) -> Iterator[Draft]:
    yield from too_late(
        case,
        change,
        limit,
        procedure,
        code="settled-late",
        expected=f"settled before {after}",
        observed="settled afterwards",
        bet=wager.key,
        name=("settled-late", wager.key),
        follows=(*_SHOWN_EARLY, _FIRST_UP),
    )


def baccarat_dealer_cards(case: Case) -> Iterator[Draft]:
    """Yield that the dealer's cards did not lie first down, second up: P095; or turned too early: P101."""
    dealer = case.seen.dealer
    if case.seen.piece.missing or len(dealer) < _TWO:
        return
    swapped = _dealt_up_first(dealer[0], dealer[1])
    first_up = dealer[0].face_up and (case.thresholds.unread_sure or _read_as_it_came(dealer[0]))
    apart = dealer[1].appeared.seen.certainly_after(dealer[0].appeared.seen)
    if not dealer[1].face_up or swapped or (first_up and apart):
        yield from found(
            case,
            "P095",
            code="dealer-cards-lie",
            span=dealer[0].appeared.span.hull(dealer[1].appeared.span),
            expected="the dealer's first card face down, the second face up",
            observed="both face down" if not (first_up or swapped) else "the first face up",
            name=_FIRST_UP,
        )
    elif first_up:  # as it was dealt, or turned since
        both = case.seen.piece.states[max(card.appeared.state for card in dealer[:_TWO])]
        yield from _turned_early(case, both.span, "P101", "P095")
    turned = dealer[0].turned
    yield from _turned_early(case, None if turned is None else turned.span, "P101")


def _turned_early(case: Case, turned: Span | None, *procedures: str) -> Iterator[Draft]:
    """Yield that the dealer's card lay open since a time after which a player still decided."""
    later = [card.appeared for seen in case.seen.seats.values() for card in seen.cards[_TWO:]]
    later += [wager.placed for wager in case.seen.wagers if wager.key.bet == "draw"]
    if turned is not None and any(change.span.certainly_after(turned) for change in later):
        yield from found(
            case,
            *procedures,
            code="turned-early",
            span=turned,
            expected="the dealer's card turned after all players have decided",
            observed="a decision came afterwards",
        )


def _read_as_it_came(card: SeenCard) -> bool:
    """Whether a card that came face up was read in the first look at it: what was never read may be a back."""
    return card.read is not None and card.read.state == card.appeared.state


def _dealt_up_first(down: SeenCard, up: SeenCard) -> bool:
    """Whether the card that lies face up was certainly dealt before the one that lies face down."""
    seen = up.face_up and not down.face_up and bool(up.appeared.hands and down.appeared.hands)
    return seen and up.appeared.seen.certainly_before(down.appeared.seen)


def baccarat_dealer_draws(case: Case) -> Iterator[Draft]:
    """Yield that the dealer stood on 0 to 4, or drew on 5 to 9 or twice: P102, P103; a card drawn and burnt, too."""
    dealer = (*case.seen.dealer, *case.seen.burnt)
    if case.seen.piece.begun_unseen or len(dealer) < _TWO:
        return
    mass = mass_of(hand_answers(dealer[:_TWO], _score), lambda score: score < _STANDS)
    lacking = unread((f"dealer's card {i}", card) for i, card in enumerate(dealer, start=1))
    if len(dealer) == _TWO and doubt_about_dealer(case) is None:
        yield from found(
            case,
            "P102",
            code="dealer-stood",
            mass=mass,
            span=dealer[0].appeared.span,
            expected="the dealer draws on 0 to 4",
            observed="no card drawn",
            name=("dealer-stood",),
            unread=lacking,
            rests_on=unsure_cards(dealer),
        )
    if len(dealer) > _TWO:
        drew = mass_of(hand_answers(dealer[:_TWO], _score), lambda score: score >= _STANDS)
        yield from found(
            case,
            "P103",
            code="dealer-drew",
            mass=drew,
            span=dealer[2].appeared.span,
            expected="the dealer stands on 5 to 9",
            observed=f"drew {dealer[2].likeliest or 'a card not read'}",
            name=("dealer-drew",),
            unread=lacking,
            rests_on=unsure_cards(dealer),
        )
    if len(dealer) > _THREE:
        yield from found(
            case,
            "P103",
            code="dealer-drew-twice",
            span=dealer[3].appeared.span,
            expected="at most one extra card",
            observed=f"{len(dealer) - _TWO} extra cards",
            capped=sum(surely_a_card(case, card) for card in dealer) <= _THREE,
        )


def _score(hand: Hand) -> int:
    return sum(card.value for card in hand if card is not None) % 10


def baccarat_draws(case: Case) -> Iterator[Draft]:
    """Yield third cards without a Draw bet before them, Draw bets without a card, open Block bets: P099, P100, P096."""
    if case.seen.piece.missing:
        return
    draws = {wager.key.seat: wager for wager in case.seen.wagers if wager.key.bet == "draw"}
    for seat, seen in case.seen.seats.items():
        third = seen.cards[_TWO] if len(seen.cards) > _TWO else None
        if third is not None and _drawn_without_bet(case, seat, third, draws.get(seat)):
            yield from found(
                case,
                "P099",
                code="card-without-draw",
                mass=UNKNOWN if _may_be_in_order(case, seat, third, draws.get(seat)) else CERTAIN,
                span=third.appeared.span,
                expected="the Draw bet before the third card",
                observed="a third card without it",
                seat=seat,
                unread=[f"seat {seat} draw: whether it was laid and settled before a look showed the third card"],
            )
        if third is None and seat in draws:
            yield from _no_card_drawn(case, draws[seat])
    decisions = [wager.placed for wager in draws.values()]
    decisions += [card.appeared for seen in case.seen.seats.values() for card in seen.cards[_TWO:]]
    first = first_of([*decisions, case.seen.hole_turned])  # where nobody draws all have decided when that is turned
    for wager in case.seen.wagers:
        change = settled(wager)
        if wager.key.bet == "block_bonus" and change is not None:
            yield from _too_late(case, wager, change, first, procedure="P096", after="the first draw decision")


def _no_card_drawn(case: Case, draw: SeenWager) -> Iterator[Draft]:
    """Yield a Draw bet that got no card, although the dealer's card was turned: P099, P100."""
    turned = case.seen.hole_turned
    if turned is None or doubt_about_hand(case, draw.key.seat, 1) is not None:
        return
    yield from too_late(
        case,
        turned,
        draw.placed,
        "P099",
        "P100",
        code="draw-without-card",
        expected="one further card for a Draw bet",
        observed="no third card",
        bet=draw.key,
        capped=not surely_a_wager(case, draw),
        name=("draw-without-card", draw.key),
    )


def _drawn_without_bet(case: Case, seat: int, third: SeenCard, draw: SeenWager | None) -> bool:
    """Whether a third card came before the Draw bet, or without one: its place was seen before it is settled."""
    if draw is not None:
        return draw.placed.span.certainly_after(third.appeared.span)
    came, turned = third.appeared.state, case.seen.hole_turned
    until = case.seen.piece.last + 1 if turned is None else max(turned.state, came + 1)
    states = case.seen.piece.states[came:until]
    return any(state.view == "ok" and f"seat{seat}.draw" not in state.covered for state in states)


def _may_be_in_order(case: Case, seat: int, third: SeenCard, draw: SeenWager | None) -> bool:
    """Whether the look that shows a third card leaves open when it came, or a Draw bet came and went before that look.

    A player lays his bet, and somebody takes it up again; or no hand from the shoe was seen to bring the card.
    """
    if draw is not None:
        from_shoe = any("shoe" in one.zones for one in third.appeared.hands)
        return draw.placed.state == third.appeared.state and not from_shoe
    hands = case.seen.piece.states[third.appeared.state].hands
    sides = [hand.side for hand in hands if f"seat{seat}.draw" in hand.zones]
    return "player" in sides and len(sides) > 1


CHECKS: Final = (
    Audited(check=no_pip_tens, games=STUD, ids=("P060",), of_cards=True),
    Audited(check=cards_dealt, games=STUD | BACCARAT, ids=("P069", "P071", "P094", "P100"), of_cards=True),
    Audited(
        check=stud_settled_in_time,
        games=STUD,
        ids=("P072", "P076", "P077", "P078", "P079", "P080"),
        of_cards=True,
        local=True,
    ),
    Audited(check=baccarat_dealer_cards, games=BACCARAT, ids=("P095", "P101"), of_cards=True, local=True),
    Audited(check=baccarat_dealer_draws, games=BACCARAT, ids=("P102", "P103"), of_cards=True),
    Audited(check=baccarat_draws, games=BACCARAT, ids=("P096", "P099", "P100"), of_cards=True),
)
