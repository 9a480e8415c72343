"""Draw 'n Shoot 21, Dicey 21, 21 Stud and Lucky Draw Baccarat: one hand a seat, dice or a dealer's hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from audit.reconstruction.burnt import burnt_by_mistake
from audit.reconstruction.card_track import CardTrack
from audit.reconstruction.cards import NOT_AT_ONCE, track_cards
from audit.reconstruction.changes import Change
from audit.reconstruction.dice import dice_seen
from audit.reconstruction.elements import Element
from audit.reconstruction.hands import handled, is_moved, seats_seen, seen_card
from audit.reconstruction.money import Ledger
from audit.reconstruction.observation import (
    BY_BOTH_CARDS,
    BY_OWN_CARDS,
    BY_UP_CARD,
    Observation,
    SeatSeen,
    SeenCard,
    SeenWager,
    all_dealt,
    both_shown,
    up_card_shown,
)
from audit.reconstruction.piles import track_piles
from audit.reconstruction.places import DEALER, Places
from audit.reconstruction.records import best_card, bets_of, observed_round
from audit.reconstruction.slices import Slice
from audit.reconstruction.strays import strays
from audit.reconstruction.together import share_payments, together
from audit.reconstruction.wagers import Namer
from audit.rounds import BetKey, Round, SeatPlay

_DECIDED_ON: Final = {"raise": 1, "draw": 2}
"""On how many cards a player decides to add to his bet; the next card ends that."""
_LATER: Final = frozenset(_DECIDED_ON)
_OPENING: Final = frozenset({"ante", "base", "enter"})
_DICE_GAMES: Final = frozenset({"draw_n_shoot_21", "dicey_21"})
_TWO: Final = 2


def observe(piece: Slice, places: Places) -> Observation | None:
    """Return what the states of one round of these games showed, None where no card was dealt after all."""
    game = places.profile.game
    tracks = track_cards(piece, places)
    if not tracks:
        return None
    dealer = _stud_dealer(tracks, places) if game == "stud_21" else _baccarat_dealer(tracks, places)
    dealt = _dealt(tracks, places)
    dice, reveal = dice_seen(piece, after=dealt) if game in _DICE_GAMES else ((), None)
    shown = None if reveal is None else reveal.state
    settling = reveal if game in _DICE_GAMES else dealer[0].face_shown if dealer else None
    settled_from = None if settling is None else settling.state
    hands = handled(seats_seen(tracks, piece, places, may_split=False, laid_until=shown), settled_from)
    seats = hands.seats
    ledger = Ledger(
        piece=piece,
        places=places,
        chips=places.profile.chips,
        settling=settled_from,
        later=_later(dealer, seats),
    )
    elements = _kept(ledger.follow(track_piles(piece, places)), seats, settling)
    burnt = burnt_by_mistake(dealer, elements) if game == "lucky_draw_baccarat" else ()
    dealer = tuple(card for card in dealer if card not in burnt)
    namer = Namer(piece=piece, places=places, chips=places.profile.chips)
    _close_raises(elements, seats, settling)
    share_payments(elements, places.profile.chips)
    named = together(_named(namer, elements, seats))
    seated = tuple(wager for wager in named if wager.key.seat in seats)
    round_ = Round(
        game=game,
        variant=dict(places.profile.variant),
        dealer=tuple(best_card(card) for card in dealer),
        seats={seat: _play(seen, lateral=game in _DICE_GAMES) for seat, seen in seats.items()},
        dice=tuple(die.as_die() for die in dice),
        wagers=bets_of(seated),
    )
    late = tuple(_late(namer, elements, seats))
    return Observation(
        observed=observed_round(round_, piece, seated, tracks, places.profile.chips, late=late),
        piece=piece,
        stray_cards=strays(tracks, piece, places),
        first_card=min((track.appeared for track in tracks), key=lambda change: change.state),
        seats=seats,
        dealer=dealer,
        burnt=burnt,
        dice=dice,
        moved=hands.moved,
        laid_together=hands.together,
        wagers=seated,
        hole_turned=settling,
        without_cards=tuple(wager for wager in named if wager.key.seat not in seats),
        late=late,
    )


def _dealt(tracks: Sequence[CardTrack], places: Places) -> int:
    """Return the state that shows the last card dealt; one laid from one seat to another is dealt no more."""
    cards = [seen_card(track, places) for track in tracks]
    new = [card for card in cards if not any(is_moved(other, card) for other in cards)]
    return max(card.appeared.state for card in new or cards)


def _later(dealer: Sequence[SeenCard], seats: Mapping[int, SeatSeen]) -> dict[str, int]:
    """From which state on the bets are settled that do not wait for the card that settles the others."""
    shown = {
        BY_BOTH_CARDS: both_shown(dealer),
        BY_UP_CARD: up_card_shown(dealer),
        BY_OWN_CARDS: all_dealt([dealer, *(seat.cards for seat in seats.values())]),
    }
    return {bet: change.state for bets, change in shown.items() if change is not None for bet in bets}


def _play(seen: SeatSeen, *, lateral: bool) -> SeatPlay:
    cards = tuple(best_card(card) for card in seen.cards)
    return SeatPlay(hands=(cards,), first_card_lateral=seen.cards[0].sideways if lateral and seen.cards else None)


def _stud_dealer(tracks: Sequence[CardTrack], places: Places) -> tuple[SeenCard, ...]:
    """Return dealer card #1 and #2 by their zones; where the profile has none, in the order dealt."""
    own = [track for track in tracks if track.owner == DEALER]

    def zone(track: CardTrack) -> int:
        names = places.zones(track.looks[0][1].xy_mm)
        return 1 if "dealer.card1" in names else 2 if "dealer.card2" in names else 3

    return tuple(seen_card(track, places) for track in sorted(own, key=lambda t: (zone(t), t.number)))


def _baccarat_dealer(tracks: Sequence[CardTrack], places: Places) -> tuple[SeenCard, ...]:
    """Return the dealer's face-down card, his face-up card, and his third card (003, para 7)."""
    own = [track for track in tracks if track.owner == DEALER]
    down = [track for track in own if track.looks[0][1].kind == "card_back"]
    first = down[:1] or own[_is_second(own, tracks) :][:1]
    rest = [track for track in own if track not in first]
    rest.sort(key=lambda track: (track.looks[0][0], places.along(DEALER, track.last.xy_mm)[0]))
    return tuple(seen_card(track, places) for track in [*first, *rest])


def _is_second(own: Sequence[CardTrack], tracks: Sequence[CardTrack]) -> bool:
    """Whether the first card that was seen of the dealer's came after every player's second, so that one was missed.

    His next one would come at once; it shows as soon as it is turned.
    """
    if len(own) < _TWO or own[1].looks[0][0] - own[0].looks[0][0] < NOT_AT_ONCE:
        return False
    seats: dict[str, list[int]] = {}
    for track in tracks:
        if track.owner != DEALER:
            seats.setdefault(track.owner, []).append(track.looks[0][0])
    came = [sorted(states)[1:2] for states in seats.values()]
    return bool(came) and all(second and second[0] < own[0].looks[0][0] for second in came)


def _close_raises(elements: Sequence[Element], seats: Mapping[int, SeatSeen], settling: Change | None) -> None:
    """Raises and draw bets may be changed until the player's next card, or until the table is settled."""
    for key, own in _by_key(elements):
        if key.bet in _LATER and key.seat in seats:
            ends = [settling, _drawn(seats[key.seat], key.bet)]
            closing = min((end for end in ends if end is not None), key=lambda end: end.state, default=None)
            if closing is not None:
                for element in own:
                    element.decided_by(closing, may_shrink=True)


def _kept(elements: Sequence[Element], seats: Mapping[int, SeatSeen], settling: Change | None) -> list[Element]:
    """Leave out raises and Draw bets that a player took back before his card, or before the table was settled.

    He changed his mind before anything was decided by it; 003 forbids no more than a card without the bet (L66).
    """
    kept = list(elements)
    for key, own in _by_key(elements):
        if key.bet in _LATER and key.seat in seats:
            ends = [end for end in (settling, _drawn(seats[key.seat], key.bet)) if end is not None]
            for element in own:
                back = [move.change.span for move in element.lowered if not move.after]
                if any(not any(span.certainly_after(end.span) for end in ends) for span in back):
                    kept.remove(element)
    return kept


def _drawn(seen: SeatSeen, bet: str) -> Change | None:
    """The card before which a raise or a draw bet must stand, None if the player got none."""
    cards = seen.cards[_DECIDED_ON[bet] :]
    return cards[0].appeared if cards else None


def _in_time(own: Sequence[Element], key: BetKey, seats: Mapping[int, SeatSeen]) -> list[Element]:
    """The piles that make a raise or draw bet: those that came before the card, or all if none did."""
    drawn = _drawn(seats[key.seat], key.bet) if key.seat in seats else None
    early = [one for one in own if drawn is None or not one.placed.span.certainly_after(drawn.span)]
    return early or list(own)


def _named(namer: Namer, elements: Sequence[Element], seats: Mapping[int, SeatSeen]) -> Iterator[SeenWager]:
    for key, own in _by_key(elements):
        chosen = _in_time(own, key, seats) if key.bet in _LATER else [element for element in own if element.stake]
        tokes = namer.tokes(key.seat, chosen) if key.bet in _OPENING else []
        chosen = [element for element in chosen if element not in tokes]
        if chosen:
            yield namer.wager(key, chosen)
        if tokes:
            yield namer.wager(BetKey(seat=key.seat, bet="toke"), tokes)


def _late(namer: Namer, elements: Sequence[Element], seats: Mapping[int, SeatSeen]) -> Iterator[SeenWager]:
    """Yield what was put on an opening spot after the first card, and to a raise or draw bet after its card."""
    for key, own in _by_key(elements):
        in_time = _in_time(own, key, seats) if key.bet in _LATER else [element for element in own if element.stake]
        late = [element for element in own if element not in in_time]
        if late and key.bet != "toke":
            yield namer.wager(key, late)


def _by_key(elements: Sequence[Element]) -> Iterator[tuple[BetKey, list[Element]]]:
    groups: dict[str, list[Element]] = {}
    for element in elements:
        groups.setdefault(element.spot, []).append(element)
    for spot, own in sorted(groups.items(), key=lambda pair: _order(pair[0])):
        yield bet_key(spot), own


def _order(spot: str) -> tuple[int, int, str]:
    key = bet_key(spot)
    return (key.seat, _BETS.index(key.bet) if key.bet in _BETS else len(_BETS), spot)


_BETS: Final = ("ante", "base", "enter", "raise", "draw", "craps", "chuck", "match1", "match2", "mirror", "block_bonus")


def bet_key(spot: str) -> BetKey:
    """Return what names the wager on a spot: ``seat2.chuck4`` is the bet ``chuck`` with number 4."""
    seat, _, bet = spot.partition(".")
    number = int(bet[-1]) if bet.startswith("chuck") else None
    return BetKey(seat=int(seat.removeprefix("seat") or 0), bet="chuck" if number is not None else bet, number=number)
