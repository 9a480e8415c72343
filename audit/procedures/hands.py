"""Hands over the felt: signals, hands on wagers and cards, and whose hand placed a wager."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import Final

from audit.cheques import minimum_wager
from audit.procedures.drafts import (
    ALL_GAMES,
    BACCARAT,
    BLACKJACK,
    STUD,
    Audited,
    AuditedTable,
    Case,
    Draft,
    Session,
    found,
)
from audit.procedures.limits import limit
from audit.procedures.moments import hits, may_signal, settlements, things
from audit.procedures.passing import doubt_about_arm
from audit.readings import CERTAIN, UNKNOWN, mass_where
from audit.reconstruction.changes import Change, last_of
from audit.reconstruction.observation import SeatSeen, SeenCard, SeenWager
from audit.reconstruction.places import STILL_MM, distance
from audit.reconstruction.slices import cards_in_play, is_spread
from audit.states import CARD_KINDS, HandSeen, TableState
from audit.table import Point
from audit.timing import Span

_SIGNAL_IDS: Final = {"draw_n_shoot_21": ("P015",), "dicey_21": ("P048",)}
_OPENING: Final = frozenset({"main", "base", "enter"})
_TWO: Final = 2
_AT_ONCE_MS: Final = 200


def cards_unasked(session: Session) -> Iterator[Draft]:
    """Yield cards without a hand signal: P194, P015, P048; judged only where some signal was seen at the table.

    A signal to stand shows as well as one to hit that the camera sees signals.
    """
    asked = [
        (case, seat, card, _signalled(case, seen, card))
        for case in session.cases
        if not case.seen.piece.missing
        for seat, seen in case.seen.seats.items()
        for card in _asked_for(case, seen)
    ]
    if not any(signalled for *_, signalled in asked) and not any(map(_some_signal, session.cases)):
        return
    for case, seat, card, signalled in asked:
        if not signalled and card.appeared.hands:
            yield from found(
                case,
                *_SIGNAL_IDS.get(case.rules.game, ("P194",)),
                code="no-signal",
                span=card.appeared.span,
                expected="a hand signal before every card",
                observed="no player's hand over the seat's cards or wagers since the card before",
                seat=seat,
                capped=True,  # a signal may be given beside the zones
                name=("no-signal", case.seen.observed.start.first, card.number),
                follows=_too_many_on_doubles(case, seat),
            )


def _too_many_on_doubles(case: Case, seat: int) -> tuple[tuple[object, ...], ...]:
    """Return the names of a second card on a seat's doubles: nobody asks for that."""
    doubles = (wager.key for wager in case.seen.wagers if wager.key.seat == seat and wager.key.bet == "double")
    return tuple(("double-cards", None, key) for key in doubles)


def _asked_for(case: Case, seen: SeatSeen) -> list[SeenCard]:
    """The cards that a player asked for: hits, but not the second card of a split hand, which may be split again."""
    unasked = [card for hand in seen.hands if len(seen.hands) > 1 for card in hand[:_TWO]]
    return [card for card in hits(case, seen) if card not in unasked]


def _some_signal(case: Case) -> bool:
    """Whether a player's hand was seen over his own cards while they were in play."""
    return any(
        hand.side == "player" and hand.seat == seat and f"seat{seat}.cards" in hand.zones
        for seat, seen in case.seen.seats.items()
        for state in case.seen.piece.states[max((card.appeared.state for card in seen.cards[:1]), default=0) + 1 :]
        if seen.cards
        for hand in state.hands
    )


def _signalled(case: Case, seen: SeatSeen, card: SeenCard) -> bool:
    """Whether a player may have signalled since the card before, or since this one may have come.

    His hand may be told over nothing: beside its zones, or by the wrist. One that had left when the dealer's came with
    the card before asked for that.
    """
    every = case.seen.piece.states
    before = last_of(other.appeared for other in seen.cards if other.number < card.number)
    earlier = 0 if before is None else before.state
    perhaps = next(n for n, state in enumerate(every) if state.span.last >= card.appeared.seen.first)
    states = every[min(perhaps, earlier) : card.appeared.state + 1]
    dealt = [] if before is None else [hand.span.first for hand in before.hands if hand.side == "dealer"]
    since = min(dealt, default=0) if perhaps >= earlier else 0
    return any(
        (may_signal(hand, seen.seat) or (hand.seat == seen.seat and not hand.zones))
        and since <= hand.span.last
        and hand.span.first <= card.appeared.span.last
        for state in states
        for hand in state.hands
    )


def touched_ids(case: Case) -> tuple[str, ...]:
    """Return the ids of a player's touching of cards: two decks have one of their own (004:L1065)."""
    return ("P390", "P217") if case.rules.game == "double_deck" else ("P217",)


def cards_touched(case: Case) -> Iterator[Draft]:
    """Yield cards that went, were turned or pushed with a player's hand alone over them: P217, P390.

    One that came meanwhile was dealt: what was seen of the player's hand was his signal. And so it was where the dealer
    took a wager of that seat before the next look, whose hand lifted the cards unseen. Cards that go once the dealer's
    hand is shown are picked up, by him as a rule: at most suspect.
    """
    ids = touched_ids(case)
    taken = {(w.key.seat, w.taken.change.state) for w in case.seen.wagers if w.taken and w.taken.change.by_dealer}
    for seat, seen in case.seen.seats.items() if not case.seen.piece.missing else ():
        for card in seen.cards:
            touched = next((c for c in (card.gone, card.turned) if c is not None and c.by_player), None)
            if touched is not None:
                yield from found(
                    case,
                    *ids,
                    code="card-touched",
                    mass=UNKNOWN if (seat, touched.state) in taken or _is_a_sweep(touched) else CERTAIN,
                    span=touched.span,
                    expected="cards touched by the dealer only",
                    observed="a card moved while only a player's hand was over it",
                    seat=seat,
                    unread=[f"seat {seat}: whose hand lifted the cards"],
                    capped=touched is card.gone and _is_over(case, touched),
                    name=("card-touched", seat, touched.state),
                )
        for span, pushed in _pushed(case, seat):
            yield from found(
                case,
                *ids,
                code="card-touched",
                span=span,
                expected="cards touched by the dealer only",
                observed=f"{pushed} lies elsewhere after only a player's hand was over it",
                seat=seat,
                capped=True,  # a hand that signals may brush a card
                name=("card-pushed", seat, pushed),
            )


def _is_over(case: Case, change: Change) -> bool:
    """Whether the dealer's hand was shown before something changed."""
    turned = case.seen.hole_turned
    return turned is not None and change.state > turned.state


def _is_a_sweep(change: Change) -> bool:
    """Whether one hand lay over the cards of several seats as some went: so the dealer picks them up."""
    return any(sum(zone.endswith(".cards") for zone in hand.zones) > 1 for hand in change.hands)


def _pushed(case: Case, seat: int) -> Iterator[tuple[Span, str]]:
    """Yield between which looks a read card of a seat came to lie elsewhere, its player's hand alone being there."""
    zone, told = f"seat{seat}.cards", set[str]()
    piece = case.seen.piece
    for before, after in pairwise(piece.states[piece.first : piece.last + 1]):
        over = {hand.side for hand in after.hands if zone in hand.zones}
        clear = before.view == after.view == "ok" and zone not in before.covered | after.covered
        if over != {"player"} or not clear:
            continue
        lay, lie = (_faces_at(case, state, zone) for state in (before, after))
        stayed = {one for one in lay.keys() & lie.keys() if _lies_alike(lay[one], lie[one])}
        for face in sorted(lay.keys() & lie.keys() - told - stayed):
            if len(lay[face]) == len(lie[face]) == 1 and _went(before, lay[face][0], after, lie[face][0], stayed):
                told.add(face)
                yield Span(before.span.last, after.span.last), face


def _lies_alike(before: Sequence[Point], after: Sequence[Point]) -> bool:
    """Whether a face lies in two looks once, and in one place."""
    return len(before) == len(after) == 1 and distance(before[0], after[0]) <= STILL_MM


def _went(before: TableState, old: Point, after: TableState, new: Point, stayed: Set[str]) -> bool:
    """Whether a card went from one place to another: none lay at the new one, and none, read or not, at the old.

    Beside those that stayed where they lay.
    """
    within = limit("felt", "pushed_mm")
    bare = ((before, new), (after, old))
    cards = [(item, place) for state, place in bare for item in things(state, *CARD_KINDS)]
    return all(distance(item.xy_mm, place) > within for item, place in cards if item.card not in stayed)


def _faces_at(case: Case, state: TableState, zone: str) -> dict[str, list[Point]]:
    """Where the cards of a zone lie, by their faces."""
    places: dict[str, list[Point]] = {}
    for item in things(state, "card"):
        if item.card is not None and zone in case.places.zones(item.xy_mm):
            places.setdefault(item.card, []).append(item.xy_mm)
    return places


def hand_on_the_bet_at_the_first_card(case: Case) -> Iterator[Draft]:
    """Yield a player's hand over his wager while the first card was dealt: P195.

    Undetermined where the arm may have been the dealer's, or none of the table's (``passing``).
    """
    first = case.seen.first_card
    watched = first.hands and not case.seen.piece.begun_unseen
    for state in case.seen.piece.states[: first.state + 1] if watched else ():
        for hand in state.hands:
            spots = [zone for zone in hand.zones if (known := case.places.profile.zone(zone)) and known.bet]
            stays = hand.span.first < first.span.first and first.span.last <= hand.span.last
            if hand.side == "player" and spots and stays:
                doubts = doubt_about_arm(case, hand, state.hands, spots)
                yield from found(
                    case,
                    "P195",
                    code="hand-on-bet",
                    mass=UNKNOWN if doubts else CERTAIN,
                    span=hand.span,
                    expected="hands away from the wagers when the first card is dealt",
                    observed=f"a hand over {spots[0]}",
                    seat=hand.seat,
                    unread=doubts,
                    name=("hand-on-bet", hand.seat, hand.span.first),
                )


def one_hand_at_a_time(case: Case) -> Iterator[Draft]:
    """Yield two wagers of different seats taken or paid at once with both hands: P261."""
    moves = [(wager, change) for wager in case.seen.wagers for change in settlements(wager)]
    for wager, change in moves:
        for other, same in moves:
            if wager.key.seat >= other.key.seat or change.state != same.state:
                continue
            pairs = ((a, b) for a in _dealers(change.hands, wager) for b in _dealers(same.hands, other) if a is not b)
            both = [(a, b) for a, b in pairs if _shared_ms(a.span, b.span) >= _AT_ONCE_MS]
            if both:
                yield from found(
                    case,
                    "P261",
                    code="both-hands",
                    span=both[0][0].span.hull(both[0][1].span),
                    expected="one hand taking or paying at a time",
                    observed=f"hands over the wagers of seats {wager.key.seat} and {other.key.seat} at once",
                    seat=other.key.seat,
                    name=("both-hands", change.state),
                )
                return


def _dealers(hands: tuple[HandSeen, ...], wager: SeenWager) -> list[HandSeen]:
    return [hand for hand in hands if hand.side == "dealer" and wager.spot in hand.zones]


def _shared_ms(one: Span, other: Span) -> int:
    return min(one.last, other.last) - max(one.first, other.first)


def hands_of_one_player(case: Case) -> Iterator[Draft]:
    """Yield one player's wagers on too many spaces, or too small for so many: P226, P394, P089.

    Who placed what stood there when the last round's cards were away is not known.
    """
    placed: dict[int, list[SeenWager]] = {}
    for wager in case.seen.wagers:
        arms = {hand.seat for hand in wager.placed.hands if hand.side == "player" and wager.placed.state > 0}
        if wager.key.bet in _OPENING and wager.key.hand in (None, 1) and len(arms) == 1 and None not in arms:
            placed.setdefault(min(seat for seat in arms if seat is not None), []).append(wager)
    for arm, wagers in placed.items():
        yield from _too_many(case, arm, wagers)
        yield from _too_small(case, arm, wagers)


_MANY: Final = {
    "blackjack": ("P226", "hands_of_a_player"),
    "double_deck": ("P394", "hands_of_a_player_double_deck"),
    "stud_21": ("P089", "hands_of_a_player_stud"),
}


def _too_many(case: Case, arm: int, wagers: list[SeenWager]) -> Iterator[Draft]:
    procedure, name = _MANY[case.rules.game]
    most = int(limit("wagers", name))
    if len(wagers) > most:
        yield from found(
            case,
            procedure,
            code="hands-of-one-player",
            span=wagers[-1].placed.span,
            expected=f"at most {most} hands of one player",
            observed=f"wagers on {len(wagers)} spaces by the arm of seat {arm}",
            seat=arm,
        )


def _too_small(case: Case, arm: int, wagers: list[SeenWager]) -> Iterator[Draft]:
    vip = case.rules.option("vip") is True
    least = minimum_wager(case.places.profile.minimum, len(wagers), vip=vip)
    if case.rules.game not in BLACKJACK or least is None or len(wagers) < _TWO:
        return
    for wager in wagers:
        if case.places.profile.minimum > max(wager.stake, default=least):
            continue  # below the table's own minimum: reported as that
        yield from found(
            case,
            "P226",
            code="minimum-for-hands",
            mass=mass_where(wager.stake, lambda amount: amount < least),
            span=wager.placed.span,
            expected=f"at least {least} on each of {len(wagers)} hands of one player",
            observed=f"placed by the arm of seat {arm}",
            bet=wager.key,
        )


def wagers_of_others(case: Case) -> Iterator[Draft]:
    """Yield a space on which two players' arms placed wagers: P093; on a Blazing 7's sensor: P404, P376."""
    arms: dict[int, set[int]] = {}
    for wager in sorted(case.seen.wagers, key=lambda one: one.key.bet == "blazing7"):
        own = {hand.seat for hand in wager.placed.hands if hand.side == "player" and hand.seat is not None}
        before = arms.setdefault(wager.key.seat, set())
        sensor = wager.key.bet == "blazing7"
        if before and own and not own & before and (sensor or case.rules.game in BACCARAT):
            yield from found(
                case,
                *(("P404", "P376") if sensor else ("P093",)),
                code="two-players-on-one-space",
                span=wager.placed.span,
                expected="wagers of one person on a space",
                observed=f"placed by the arms of seats {min(before)} and {min(own)}",
                bet=wager.key,
            )
        before |= own


def added_by_another(case: Case) -> Iterator[Draft]:
    """Yield cheques that another player's arm laid on a wager of Lucky Draw Baccarat before the cards: P093 (003:L23).

    At most suspect: a player may have them laid for him who cannot reach his space.
    """
    piece = case.seen.piece
    for wager in case.seen.wagers if not piece.begun_unseen else ():
        arms: set[int] = set()
        for before, state in pairwise(piece.states[: piece.first + 1]):
            over = [hand for hand in state.hands if wager.spot in hand.zones]
            own = {hand.seat for hand in over if hand.side == "player" and hand.seat is not None}
            if len(over) != 1 or not own or _on_spot(case, before, wager.spot) >= _on_spot(case, state, wager.spot):
                continue
            if arms and not own & arms:
                yield from found(
                    case,
                    "P093",
                    code="two-players-on-one-space",
                    span=state.span,
                    expected="wagers of one person on a space",
                    observed=f"placed by the arms of seats {min(arms)} and {min(own)}",
                    bet=wager.key,
                    capped=True,
                    name=("added-by-another", wager.key),
                )
            arms |= own


def _on_spot(case: Case, state: TableState, spot: str) -> int:
    """How many cheques stand on a spot, as each pile is likeliest."""
    piles = [item for item in things(state, "chips") if case.places.spot(item.xy_mm) == spot]
    return sum(len(pile.stack or ()) for pile in piles)


def seated_elsewhere(case: Case) -> Iterator[Draft]:
    """Yield a spot whose player sits at another one, which is empty: P219 (004:L642); at most suspect.

    Where an arm comes from is only taken for sure where hands are.
    """
    betting, turned = {wager.key.seat for wager in case.seen.wagers}, case.seen.hole_turned
    for wager in case.seen.wagers if case.thresholds.hands_sure else ():
        zones = (f"seat{wager.key.seat}.cards", wager.spot)
        arms = {
            hand.seat
            for state in case.seen.piece.states[: None if turned is None else turned.state]
            for hand in state.hands
            if hand.side == "player" and any(zone in zones for zone in hand.zones)
        }
        first = next(iter(arms)) if len(arms) == 1 else None
        if wager.key.bet == "main" and first not in (None, wager.key.seat) and first not in betting:
            yield from found(
                case,
                "P219",
                code="seated-elsewhere",
                span=wager.placed.span,
                expected="players in the seats of their spots",
                observed=f"every arm over seat {wager.key.seat}'s spot came from seat {first}, which has no wager",
                seat=wager.key.seat,
                name=("seated-elsewhere", wager.key.seat),
            )


def rack_on_a_dead_game(session: Session) -> Iterator[Draft]:
    """Yield a dealer's hand in the rack on a dead game, at most suspect: P162, P152, P190."""
    quiet: int | None = None
    told = False
    for state in session.states:
        player = any(hand.side == "player" for hand in state.hands)
        live = state.view != "ok" or player or _in_play(session, state)
        if live:
            quiet, told = None, False
            continue
        quiet = state.span.first if quiet is None else quiet
        dead = state.span.first - quiet >= limit(
            "time", "unattended_ms" if _laid_out(session, state) else "dead_game_ms"
        )
        racks = [hand for hand in state.hands if hand.side == "dealer" and "rack" in hand.zones]
        if dead and racks and not told:
            told = True
            yield from found(
                session,
                "P162",
                "P152",
                "P190",
                code="rack-on-dead-game",
                span=racks[0].span,
                expected="the rack not touched on a dead game without permission",
                observed=f"a hand over the rack, {(state.span.first - quiet) // 1000} s after the last of the game",
                capped=True,
                name=("rack-on-dead-game", racks[0].span.first),
            )


def _laid_out(session: Session, state: TableState) -> bool:
    """Whether the cards were spread after a game, so that it is dead; before one they are inspected."""
    return is_spread(state) and any(case.seen.observed.end.last <= state.span.first for case in session.cases)


def _in_play(session: Session, state: TableState) -> bool:
    chips = any(item.kind == "chips" and session.places.spot(item.xy_mm) for item in state.objects)
    return chips or bool(cards_in_play(state, session.places))


CHECKS: Final = (
    Audited(check=cards_touched, games=ALL_GAMES, ids=("P217", "P390")),
    Audited(check=hand_on_the_bet_at_the_first_card, games=ALL_GAMES, ids=("P195",)),
    Audited(check=one_hand_at_a_time, games=ALL_GAMES, ids=("P261",)),
    Audited(check=hands_of_one_player, games=BLACKJACK | STUD, ids=("P226", "P394", "P089")),
    Audited(check=seated_elsewhere, games=BLACKJACK, ids=("P219",)),
    Audited(check=wagers_of_others, games=BLACKJACK | BACCARAT, ids=("P093", "P376", "P404")),
    Audited(check=added_by_another, games=BACCARAT, ids=("P093",)),
)
TABLE_CHECKS: Final = (
    AuditedTable(
        check=cards_unasked,
        games=BLACKJACK | frozenset({"draw_n_shoot_21", "dicey_21"}),
        ids=("P015", "P048", "P194"),
        in_round=True,
    ),
    AuditedTable(check=rack_on_a_dead_game, games=ALL_GAMES, ids=("P152", "P162", "P190")),
)
