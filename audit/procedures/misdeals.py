"""Misdeals: hands left short, cards drawn or moved in error, cards found where none may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.procedures.drafts import ALL_GAMES, BLACKJACK, DICE, Audited, Case, Draft, found, too_late
from audit.procedures.finality import doubt_about_hand
from audit.procedures.moments import decided_at_once, first_hit, playing, surely_dealt, things
from audit.procedures.spaces import SPACES
from audit.readings import UNKNOWN, Mass
from audit.reconstruction.changes import Change, first_of, last_of, of_one_visit
from audit.reconstruction.observation import SeenCard
from audit.reconstruction.places import STILL_MM, distance
from audit.states import CARD_KINDS
from audit.table import Point

_LIKELY: Final = 0.9
_LOOKS: Final = 2
_SPACE_MM: Final = 250.0  # a betting spot's distance from the cards below it


def short_hands(case: Case) -> Iterator[Draft]:
    """Yield one-card hands when play goes on: completed late, P297, or never, P244; the dealer's, P298."""
    hit = first_hit(case)
    went_on = first_of([hit, case.seen.hole_turned])
    if went_on is None or case.seen.piece.missing:
        return
    for seat, seen in case.seen.seats.items():
        second = seen.cards[1] if len(seen.cards) > 1 else None
        if second is not None and hit is not None and seen.cards[0].appeared.span.certainly_after(hit.span):
            continue  # a player without cards: P296
        if second is not None:
            yield from too_late(
                case,
                second.appeared,
                hit,
                "P297",
                "P244",
                code="second-card-late",
                expected="the second card before any player draws",
                observed="after a hit",
                seat=seat,
            )
        elif doubt_about_hand(case, seat, 1) is None:
            yield from found(
                case,
                "P244",
                code="one-card-hand",
                span=went_on.span,
                expected="two cards to every hand before play goes on",
                observed="play went on with a one-card hand",
                seat=seat,
            )
    completed = _completed(case)
    if completed is not None:
        yield from too_late(
            case,
            completed,
            hit,
            "P298",
            code="dealer-short",
            expected="the dealer's hand completed before any player draws",
            observed="his second card after a hit",
            name=("dealer-short",),
        )


def _completed(case: Case) -> Change | None:
    """Return by which change the dealer had both his cards, as far as his hand was seen to bring them."""
    turned = case.seen.hole_turned
    came = [card.appeared for card in case.seen.dealer[:2] if card.appeared.by_dealer]
    return last_of(change for change in came if turned is None or change.state < turned.state)


def backed_up(case: Case) -> Iterator[Draft]:
    """Yield a card that went from one hand to another: P245."""
    cards = [card for seen in case.seen.seats.values() for card in seen.cards]
    for gone in (*cards, *case.seen.moved):
        for came in cards:
            same = gone.owner != came.owner and _same_card(gone, came) and not _drawn(case, gone, came)
            same = same and not of_one_visit(gone.appeared, came.appeared)  # else it was on its way
            if same and not case.seen.piece.missing:
                drawn = _may_come_from_the_shoe(case, gone, came)
                unseen = drawn and not _alone_and_straight(cards, gone, came)
                alike = _chance(gone, came)
                yield from found(
                    case,
                    "P245",
                    code="card-moved",
                    mass=UNKNOWN if unseen else Mass(broken=alike, kept=1.0 - alike),
                    span=came.appeared.span,
                    expected="no card backed up to another hand",
                    observed=f"{came.likeliest} moved from {gone.owner} to {came.owner}",
                    seat=int(came.owner.removeprefix("seat")),
                    capped=drawn,
                    unread=[f"whether the {came.likeliest} of {came.owner} is the one that {gone.owner} had"],
                    name=("card-moved", came.number),
                )


def _same_card(gone: SeenCard, came: SeenCard) -> bool:
    face = gone.likeliest
    if gone.gone is None or face is None or face != came.likeliest or gone.gone.state != came.appeared.state:
        return False
    return _chance(gone, came) >= _LIKELY and "dealer" in came.appeared.sides


def _chance(gone: SeenCard, came: SeenCard) -> float:
    """How likely both cards have the face that is the likeliest of the one that went."""
    face = gone.likeliest
    return 0.0 if face is None else gone.chances[face] * came.chances.get(face, 0.0)


def _drawn(case: Case, gone: SeenCard, came: SeenCard) -> bool:
    """Whether the dealer's hand was at the shoe between the one card's going and the other's coming."""
    took = [hand.span.first for hand in (() if gone.gone is None else gone.gone.hands) if hand.side == "dealer"]
    gave = [hand.span.first for hand in came.appeared.hands if hand.side == "dealer"]
    if not took or not gave:
        return False
    hands = case.seen.piece.states[came.appeared.state].hands
    return any(
        hand.side == "dealer" and "shoe" in hand.zones and min(took) < hand.span.first <= max(gave) for hand in hands
    )


def _alone_and_straight(cards: Sequence[SeenCard], gone: SeenCard, came: SeenCard) -> bool:
    """Whether a card left its hand alone, and the dealer's hand came there no later than to where the like one came."""
    taken = [hand.span for hand in (() if gone.gone is None else gone.gone.hands) if hand.side == "dealer"]
    given = [hand.span for hand in came.appeared.hands if hand.side == "dealer"]
    stay = [card for card in cards if card.owner == gone.owner and card is not gone and _outlasts(card, came)]
    return bool(stay and taken and given) and min(taken).first <= min(given).first


def _outlasts(card: SeenCard, came: SeenCard) -> bool:
    return card.gone is None or card.gone.state > came.appeared.state


def _may_come_from_the_shoe(case: Case, gone: SeenCard, came: SeenCard) -> bool:
    """Whether the dealer drew from the shoe in the gap in which one card went and a like one came: it may be another.

    A table with no place for the shoe does not show it.
    """
    if gone.gone is None or case.places.profile.zone("shoe") is None:
        return True
    gap = gone.gone.seen.hull(came.appeared.seen)
    states = case.seen.piece.states[: came.appeared.state + 1]
    hands = [hand for state in states for hand in state.hands if hand.span.overlaps(gap)]
    return any(hand.side == "dealer" and "shoe" in hand.zones for hand in hands)


def surplus_cards(case: Case) -> Iterator[Draft]:
    """Yield a card exposed outside every hand, at most suspect: P293, at the dice games P016, P049; P289 uncalled.

    Where cheques lie beside it, in no seat's place, it may be a hand of a space too many: P003, P040, P220.
    """
    for x, y in case.seen.stray_cards[:1]:
        there = [
            state.span
            for state in playing(case)
            if any(distance(card.xy_mm, (x, y)) <= STILL_MM for card in things(state, *CARD_KINDS))
        ]
        ids = ("P293", "P184", *decided_at_once(case, there[0]))
        yield from found(
            case,
            *(ids if case.rules.game in BLACKJACK else (case.dice_id("P016", "P049"),)),
            *((SPACES[case.rules.game],) if _is_bet_on(case, (x, y)) else ()),
            code="stray-card",
            span=case.seen.observed.span,
            expected="no card outside the hands",
            observed=f"a card at {x:.0f}, {y:.0f} mm",
            capped=True,
            name=("stray-card",),
        )


def _is_bet_on(case: Case, card: Point) -> bool:
    """Whether cheques lay beside a card that lay outside every seat's place, in none themselves, as it came."""
    return any(
        not case.places.zones(pile.xy_mm) and distance(pile.xy_mm, card) <= _SPACE_MM and pile.xy_mm[1] > card[1]
        for state in playing(case)
        if any(distance(item.xy_mm, card) <= STILL_MM for item in things(state, *CARD_KINDS))
        for pile in things(state, "chips")
    )


def swept_up(case: Case) -> Iterator[Draft]:
    """Yield a card drawn to a hand and taken to the discards while the hand stayed in play: P293, P289 uncalled.

    At most suspect: what the dealer does with it may have been decided by a supervisor. Of a split, a hand may have
    broken on a card that nobody saw.
    """
    for seat, seen in case.seen.seats.items():
        for card in seen.cards if not (seen.splits or seen.unclear or len(seen.hands) > 1) else ():
            others = [one for one in seen.cards if one is not card]
            if card in seen.initial or card.gone is None or not _is_swept(case, card, others):
                continue
            yield from found(
                case,
                *("P293", *decided_at_once(case, card.gone.span)),
                code="card-swept-up",
                span=card.appeared.span.hull(card.gone.span),
                expected="no card drawn in error",
                observed=f"{card.likeliest or 'a card'} drawn to seat {seat}, then taken to the discards",
                seat=seat,
                capped=True,
                name=("card-swept-up", card.number),
            )


def _is_swept(case: Case, card: SeenCard, others: Sequence[SeenCard]) -> bool:
    """Whether the dealer carried a card to the discards, and every other card of the hand lay on for some looks."""
    if card.gone is None or case.seen.piece.missing or not surely_dealt(case, card):
        return False
    carried = any(
        hand.side == "dealer" and "discard" in hand.zones and f"{card.owner}.cards" in hand.zones
        for hand in card.gone.hands
    )
    last = min((one.gone.state for one in others if one.gone is not None), default=len(case.seen.piece.states))
    return carried and bool(others) and last - card.gone.state >= _LOOKS


CHECKS: Final = (
    Audited(check=short_hands, games=BLACKJACK, ids=("P244", "P297", "P298"), of_cards=True),
    Audited(check=backed_up, games=ALL_GAMES, ids=("P245",), of_cards=True),
    Audited(check=swept_up, games=BLACKJACK, ids=("P289", "P293"), of_cards=True),
    Audited(
        check=surplus_cards,
        games=BLACKJACK | DICE,
        ids=("P003", "P016", "P040", "P049", "P184", "P220", "P289", "P293"),
        of_cards=True,
    ),
)
