"""Blackjack rounds, shoe and double deck: what is particular about reconstructing them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from audit.cards import is_natural
from audit.games.terms import best_total
from audit.money import Money
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.burnt import burnt_by_mistake
from audit.reconstruction.cards import track_cards
from audit.reconstruction.changes import Change, is_watched
from audit.reconstruction.closing import open_wagers
from audit.reconstruction.doubts import NO_DOUBLE
from audit.reconstruction.elements import Element
from audit.reconstruction.hands import dealer_seen, handled, hole_card_exposed, seats_seen
from audit.reconstruction.money import Ledger
from audit.reconstruction.observation import Ending, Observation, SeatSeen, SeenCard, SeenWager, all_dealt
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.piles import track_piles
from audit.reconstruction.places import PAYS_WITHIN_MM, Places
from audit.reconstruction.records import best_card, bets_of, observed_round
from audit.reconstruction.slices import Slice
from audit.reconstruction.strays import strays
from audit.reconstruction.together import together
from audit.reconstruction.wagers import Namer, is_doubled, shared_pays
from audit.rounds import BetKey, Round, SeatPlay, VariantValue
from audit.table import Point

_TWO: Final = 2
_BY_THE_DEAL: Final = ("trilux", "super3", "blazing7")
_MOST: Final = 21
_MIXED: Final = "it was dealt and split between two states, and which of its piles are the bet could not be told"


def observe(piece: Slice, places: Places) -> Observation | None:
    """Return what the states of one blackjack round showed, None where no card was dealt after all."""
    tracks = track_cards(piece, places)
    if not tracks:
        return None
    hands = handled(seats_seen(tracks, piece, places))
    seats = hands.seats
    drawn, surplus = _without_surplus(dealer_seen(tracks, places), places)
    dealer = drawn
    exposed = hole_card_exposed(tracks)
    turned = _played(seats, dealer) if exposed else dealer[1].face_shown if len(dealer) > 1 else None
    closed = _played(seats, dealer) if _drew_after(seats, turned) else turned
    money = _money(
        piece,
        places,
        seats,
        closed,
        decided=_naturals(seats, drawn),
        lost=_lost(seats, drawn),
        dealt=_all_dealt(seats, drawn, piece),
    )
    elements = open_wagers(money, piece, places, seats, closed)
    seats = {seat: _with_told_wagers(seat, seen, elements, piece) for seat, seen in seats.items()}
    burnt = burnt_by_mistake(drawn, elements)
    dealer = tuple(card for card in drawn if card not in burnt)
    namer = Namer(piece=piece, places=places, chips=places.profile.chips)
    named = list(_named(namer, elements, seats))
    seated = tuple(wager for wager in named if wager.key.seat in seats)
    first = min((track.appeared for track in tracks), key=lambda change: change.state)
    round_ = Round(
        game=places.profile.game,
        variant=_exposed(places) if exposed else _variant(places, seats, dealer, turned),
        dealer=tuple(best_card(card) for card in dealer),
        seats={
            seat: _play(seen, seated, dealer, places.profile.chips, coupon=_has_coupon(piece, places, seat))
            for seat, seen in seats.items()
        },
        wagers=bets_of(seated),
    )
    late = tuple(_late(namer, elements, seats))
    return Observation(
        observed=observed_round(round_, piece, seated, tracks, places.profile.chips, late=late),
        piece=piece,
        stray_cards=(*strays(tracks, piece, places), *surplus),
        first_card=first,
        seats=seats,
        dealer=dealer,
        burnt=burnt,
        moved=hands.moved,
        wagers=seated,
        hole_turned=turned,
        hole_exposed=exposed,
        without_cards=tuple(wager for wager in named if wager.key.seat not in seats),
        late=late,
    )


def _with_told_wagers(seat: int, seen: SeatSeen, elements: Sequence[Element], piece: Slice) -> SeatSeen:
    """Return a seat, unclear if the round's first look shows a split and not as many piles as it has wagers.

    Which of them were the bet, and which are the split's, is not known then.
    """
    there = [one for one in elements if one.spot == f"seat{seat}.main" and one.placed.state <= piece.first]
    wanted = len(seen.hands) + sum(is_doubled(hand) for hand in seen.hands)
    unseen = bool(seen.splits) and seen.splits[0].state == piece.first
    return replace(seen, unclear=seen.unclear or _MIXED) if unseen and len(there) != wanted else seen


def _without_surplus(dealer: Sequence[SeenCard], places: Places) -> tuple[tuple[SeenCard, ...], tuple[Point, ...]]:
    """Return the dealer's cards, and where one lay at the ace finder that came while his hole card lay face down.

    Drawn too early, and laid where none of his is laid, it is none of his hand (004:L781). What lies there once his
    hand was cleared is none of it either: cards may be made ready for the shuffle while another hand still lies.
    """
    cleared = [card.gone.state for card in dealer[:_TWO] if card.gone is not None and card.gone.by_dealer]
    if len(cleared) == _TWO:
        dealer = [card for card in dealer if card.appeared.state <= max(cleared)]
    shown = dealer[1].face_shown if len(dealer) > 1 else None
    surplus = [
        card
        for card in dealer[_TWO:]
        if shown is not None and card.appeared.state < shown.state and places.zones(card.xy_mm) == {"ace_finder"}
    ]
    return tuple(card for card in dealer if card not in surplus), tuple(card.xy_mm for card in surplus)


def _played(seats: Mapping[int, SeatSeen], dealer: Sequence[SeenCard]) -> Change | None:
    """Return when the players had their last cards, which no turning of a hole card shows where it was exposed."""
    shown = [card.face_shown for card in dealer[:_TWO] if card.face_shown is not None]
    cards = [card.appeared for seen in seats.values() for card in seen.cards]
    return max([*shown, *cards], key=lambda change: change.state) if len(shown) == _TWO else None


def _drew_after(seats: Mapping[int, SeatSeen], turned: Change | None) -> bool:
    """Whether players drew cards after the hole card was turned too early: until then they double and split, too."""
    cards = [card.appeared for seen in seats.values() for card in seen.cards]
    return turned is not None and any(change.span.certainly_after(turned.span) for change in cards)


def _all_dealt(seats: Mapping[int, SeatSeen], dealer: Sequence[SeenCard], piece: Slice) -> int:
    """Return the state that first shows everybody's first two cards, or the last one where some were not seen."""
    change = all_dealt([dealer, *(seen.initial for seen in seats.values())])
    return piece.last if change is None else change.state


def _exposed(places: Places) -> dict[str, VariantValue]:
    return dict(places.profile.variant) | {"hole_card_exposed": True}


def _variant(
    places: Places, seats: Mapping[int, SeatSeen], dealer: Sequence[SeenCard], turned: Change | None
) -> dict[str, VariantValue]:
    """Return the table's variant; a dealer's blackjack found after players drew is one revealed late (004:L779)."""
    variant: dict[str, VariantValue] = dict(places.profile.variant)
    natural = is_natural(card.value for card in map(best_card, dealer[:_TWO]) if card is not None)
    drawn = [card.appeared for seen in seats.values() for card in seen.drawn]
    late = turned is not None and any(turned.seen.certainly_after(change.seen) for change in drawn)
    return variant | {"bj_revealed_late": True} if natural and late else variant


def _naturals(seats: Mapping[int, SeatSeen], dealer: Sequence[SeenCard]) -> dict[str, int]:
    """Return the main spots of seats with a blackjack, with the state that shows it and the dealer's two cards.

    It is paid in the sequence of the hands, before the hole card is turned (004:L585).
    """
    decided = {}
    for seat, seen in seats.items():
        natural = is_natural(card.value for card in map(best_card, seen.initial) if card is not None)
        if len(dealer) >= _TWO and len(seen.hands) == 1 and len(seen.hands[0]) == _TWO and natural:
            decided[f"seat{seat}.main"] = max(card.appeared.state for card in (*seen.initial, *dealer[:_TWO]))
    return decided


def _lost(seats: Mapping[int, SeatSeen], dealer: Sequence[SeenCard]) -> dict[str, tuple[bool, ...]]:
    """Return for main spots whether their hands lost, as likeliest read, from left to right; twice for a doubled one.

    A double stands to the right of its bet (004:L816), the wagers of a split in the order of their hands (004:L822).
    """
    dealers = best_total(map(best_card, dealer))
    return {
        f"seat{seat}.main": tuple(
            _loses(hand, dealers) for hand in seen.hands for _ in range(_TWO if is_doubled(hand) else 1)
        )
        for seat, seen in seats.items()
    }


def _loses(hand: Sequence[SeenCard], dealers: int | None) -> bool:
    total = best_total(map(best_card, hand))
    if total is None:
        return False
    return total > _MOST or (dealers is not None and total < dealers <= _MOST)


def _money(
    piece: Slice,
    places: Places,
    seats: Mapping[int, SeatSeen],
    turned: Change | None,
    *,
    decided: Mapping[str, int],
    lost: Mapping[str, Sequence[bool]],
    dealt: int,
) -> list[Element]:
    """Follow the money; where a split or a double lacks its wager, a pile laid beside the bet early was that wager.

    ``decided``: spots whose wagers are settled before the hole card is turned; ``lost``: which of their hands lost;
    ``dealt``: the state that shows everybody's first two cards, from which side wagers are settled. Where no hand is
    ever seen, what comes to one then is taken for its payment.
    """
    settling = None if turned is None else turned.state
    piles = track_piles(piece, places, settling=settling)
    chips = places.profile.chips
    at_once = dict.fromkeys(_BY_THE_DEAL, dealt)
    books = partial(
        Ledger,
        piece=piece,
        places=places,
        chips=chips,
        settling=settling,
        sooner=decided,
        lost=lost,
        later={} if is_watched(piece.states) else at_once,
        dealt=at_once,
    )
    elements = books().follow(piles)
    known: frozenset[int] = frozenset()
    for seat, seen in seats.items():
        own = [element for element in elements if element.spot == f"seat{seat}.main"]
        known |= _laid_early(piles, elements, own, seen, settling)
    if not known:
        return elements
    return books(wagers=known).follow(piles)


def _laid_early(
    piles: Sequence[PileTrack],
    elements: Sequence[Element],
    own: Sequence[Element],
    seen: SeatSeen,
    settling: int | None,
) -> frozenset[int]:
    """Return the numbers of piles that were the wagers of a seat's splits and doubles; those beside it become its own.

    ``own``: the elements of the seat's bet spot.
    """
    wanted = len(seen.hands) + sum(is_doubled(hand) for hand in seen.hands)
    lacking = wanted - sum(not element.stake for element in own) - any(element.stake for element in own)
    if lacking <= 0:
        return frozenset()
    paid = sorted((pile for element in own for pile in element.payments), key=lambda pile: pile.appeared.state)
    early = [pile for pile in paid if settling is None or pile.appeared.state < settling]
    beside = _put_beside(piles, elements, own, settling)
    early += _left_over(piles, own, settling)
    for pile in beside[:lacking]:
        pile.spot = own[0].spot
    return frozenset(pile.number for pile in [*beside, *early][:lacking])


def _left_over(piles: Sequence[PileTrack], own: Sequence[Element], settling: int | None) -> list[PileTrack]:
    """Return the piles that came to a seat's bets before the hole card was shown, too far from each to pay it."""
    told = {one.number for e in own for one in (e.track, e.original, *e.parts, *e.payments)}
    return [
        pile
        for pile in piles
        if own
        and pile.spot == own[0].spot
        and pile.number not in told
        and (settling is None or pile.appeared.state < settling)
    ]


def _put_beside(
    piles: Sequence[PileTrack], elements: Sequence[Element], own: Sequence[Element], settling: int | None
) -> list[PileTrack]:
    """Return the piles that came next to a seat's bet before the hole card was shown, not from the dealer, in no zone.

    A double stands to the right of its bet, the wager of a split beside it; the zone need not reach so far
    (004:L816, L822).
    """

    def nearest(pile: PileTrack) -> Element | None:
        state = pile.appeared.state
        standing = [element for element in elements if element.track.stands_in(state)]
        chosen = min(standing, key=lambda element: element.apart(pile, state), default=None)
        return chosen if chosen is not None and chosen.apart(pile, state) <= PAYS_WITHIN_MM else None

    return [
        pile
        for pile in piles
        if pile.spot is None
        and not pile.appeared.by_dealer
        and (settling is None or pile.appeared.state < settling)
        and any(nearest(pile) is element for element in own)
    ]


def _named(namer: Namer, elements: Sequence[Element], seats: Mapping[int, SeatSeen]) -> Iterator[SeenWager]:
    """Yield every wager, seat by seat: main with splits and doubles first."""
    for seat, bet, own in _by_spot(namer.places, elements):
        if bet == "main":
            wagers = together(namer.on_main(seat, own, seats.get(seat)))
            yield from _with_unseen_doubles(_with_shared_pays(wagers, namer), seats.get(seat))
        elif bet == "insurance":
            yield namer.wager(BetKey(seat=seat, bet=bet), own)
        elif any(element.stake for element in own):
            yield namer.wager(BetKey(seat=seat, bet=bet), [element for element in own if element.stake])


def _late(namer: Namer, elements: Sequence[Element], seats: Mapping[int, SeatSeen]) -> Iterator[SeenWager]:
    """Yield what was put down after the first card and is neither double, split nor insurance."""
    for seat, bet, own in _by_spot(namer.places, elements):
        if bet == "main":
            yield from namer.late_on_main(seat, own, seats.get(seat))
        elif bet != "insurance" and any(not element.stake for element in own):
            yield namer.wager(BetKey(seat=seat, bet=bet), [element for element in own if not element.stake])


def _by_spot(places: Places, elements: Sequence[Element]) -> Iterator[tuple[int, str, list[Element]]]:
    groups: dict[tuple[int, int, str], list[Element]] = {}
    for element in elements:
        seat, bet = _seat_and_bet(places, element)
        groups.setdefault((seat, _ORDER.index(bet) if bet in _ORDER else len(_ORDER), bet), []).append(element)
    for seat, _, bet in sorted(groups):
        yield seat, bet, groups[seat, _, bet]


_ORDER: Final = ("main", "insurance", "trilux", "super3", "blazing7", "toke")


def _seat_and_bet(places: Places, element: Element) -> tuple[int, str]:
    name, _, bet = element.spot.partition(".")
    if bet:
        return int(name.removeprefix("seat")), bet
    return _insured_seat(places, element), "insurance"


def _insured_seat(places: Places, element: Element) -> int:
    """On one insurance line for all seats a stack belongs to the seat whose axis is nearest to its left."""
    x, y = element.track.xy_mm
    offsets = {}
    for seat in places.profile.seats:
        zone = places.profile.zone(f"seat{seat}.cards")
        if zone is not None:
            cx, cy = zone.centre_mm
            turn = math.radians(places.axis_deg(f"seat{seat}"))
            offsets[seat] = x - (cx - math.tan(turn) * (y - cy))
    left = {seat: offset for seat, offset in offsets.items() if offset >= 0}
    chosen = left or {seat: -offset for seat, offset in offsets.items()}
    return min(chosen, key=lambda seat: chosen[seat])


def _with_shared_pays(wagers: list[SeenWager], namer: Namer) -> Iterator[SeenWager]:
    doubles = {wager.key.hand: wager for wager in wagers if wager.key.bet == "double"}
    for wager in wagers:
        double = doubles.get(wager.key.hand)
        if wager.key.bet == "double" or double is None:
            if wager.key.bet != "double":
                yield wager
            continue
        yield from shared_pays(wager, double, namer.chips)


def _with_unseen_doubles(wagers: Iterable[SeenWager], seen: SeatSeen | None) -> list[SeenWager]:
    """Where a hand has a double's card and no double was seen, what was paid beside its bet may be the double's."""
    named = list(wagers)
    seen_for = {wager.key.hand for wager in named if wager.key.bet == "double"}
    hands = () if seen is None else seen.hands
    lacking = {number for number, hand in enumerate(hands, start=1) if is_doubled(hand)} - seen_for
    return [
        replace(wager, why_unknown=wager.why_unknown or NO_DOUBLE) if wager.key.hand in lacking else wager
        for wager in named
    ]


def _play(
    seen: SeatSeen,
    wagers: Sequence[SeenWager],
    dealer: Sequence[SeenCard],
    chips: Mapping[str, Money],
    *,
    coupon: bool,
) -> SeatPlay:
    return SeatPlay(
        initial=tuple(best_card(card) for card in seen.initial),
        hands=tuple(tuple(best_card(card) for card in hand) for hand in seen.hands),
        even_money=_even_money(seen, wagers, dealer, chips),
        free_bet_coupon=coupon,
    )


def _has_coupon(piece: Slice, places: Places, seat: int) -> bool:
    """Whether a free bet coupon lay on the seat's wager when the first card came (004:L691)."""
    spot = f"seat{seat}.main"
    return any(item.kind == "coupon" and places.spot(item.xy_mm) == spot for item in piece.states[piece.first].objects)


def was_insured(seat: int, wagers: Iterable[SeenWager]) -> bool:
    """Return whether a seat had insurance that was paid or taken."""
    insured = (one for one in wagers if one.key.seat == seat and one.key.bet == "insurance")
    return any(one.pays or one.ending is Ending.TAKEN for one in insured)


def _even_money(
    seen: SeatSeen, wagers: Sequence[SeenWager], dealer: Sequence[SeenCard], chips: Mapping[str, Money]
) -> bool:
    """Whether a blackjack was paid evenly at once, before the dealer looked at his hole card (004:L800).

    All the piles that were laid count: a bet of several colours is paid pile by pile (004:L740-742); and what parts of
    the bet took off it as it was broken down. What was put upon one of them later is more than was offered. Who insured
    his blackjack, and whose insurance was settled, took no even money: it is both at once [BJ-12].
    """
    up = best_card(dealer[0]) if dealer else None
    main = next((w for w in wagers if w.key == BetKey(seat=seen.seat, bet="main", hand=1)), None)
    faces = [card for card in map(best_card, seen.cards) if card is not None]
    natural = len(seen.cards) == _TWO and is_natural(card.value for card in faces)
    if up is None or up.rank != "A" or main is None or not main.pays or not natural or was_insured(seen.seat, wagers):
        return False
    paid = [(move, best_amount(move.net(chips))) for move in main.pays]
    laid = [amount for move, amount in paid if move is main.pays[0] or not move.before or (amount or 0) < 0]
    return None not in laid and sum(filter(None, laid), Money(0)) == best_amount(main.stake)
