"""The shoe from shuffle to shuffle: where it was shuffled, which cards came from it, and what must not come twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Final

from audit.cards import DECK
from audit.procedures.drafts import ALL_GAMES, AuditedTable, Case, Draft, Session, found, not_seen
from audit.procedures.limits import limit
from audit.procedures.moments import things
from audit.readings import Mass
from audit.reconstruction.observation import SeenCard
from audit.states import TableState

_PIP_TENS: Final = 4
_READ_FROM: Final = 0.5
_SHUFFLE_MM: Final = 10.0
_DECK_PROCEDURES: Final = {
    "blackjack": ("P416", "P204"),
    "double_deck": ("P391", "P416"),
    "draw_n_shoot_21": ("P001", "P416"),
    "dicey_21": ("P039", "P416"),
    "stud_21": ("P060", "P416"),
    "lucky_draw_baccarat": ("P091", "P416"),
}


@dataclass(frozen=True, kw_only=True)
class Shoe:
    """The rounds dealt between two shuffles.

    ``shuffled``: the place of the state that first shows the discards gone or fallen, None for the shoe that was in
    play when the view began, whose depth is unknown.
    """

    shuffled: int | None
    cases: tuple[Case, ...]

    @property
    def cards(self) -> tuple[SeenCard, ...]:
        """Every card seen dealt, in order; not those that lay there when the view of a round began."""
        return tuple(card for case in self.cases for card in cards_of(case) if _dealt_in_view(case, card))


def _dealt_in_view(case: Case, card: SeenCard) -> bool:
    return not (case.seen.piece.begun_unseen and card.appeared.state <= case.seen.piece.first)


def cards_of(case: Case) -> list[SeenCard]:
    """Return every card of a round in the order of appearance."""
    own = [*case.seen.dealer, *case.seen.burnt, *(card for seat in case.seen.seats.values() for card in seat.cards)]
    return sorted(own, key=lambda card: card.number)


def discards_mm(state: TableState) -> float | None:
    """Return the height of the discarded cards, None where none are listed."""
    return max((item.height_mm or 0.0 for item in things(state, "discards")), default=None)


def shuffles(session: Session) -> Iterator[int]:
    """Yield the places of the states that first show the discards gone, or fallen by more than 10 mm, to stay so."""
    looks = [
        (place, discards_mm(state))
        for place, state in enumerate(session.states)
        if state.view == "ok" and "discard" not in state.covered
    ]
    height: float | None = None
    for (place, now), (_, after) in zip_longest(looks, looks[1:], fillvalue=(0, None)):
        if height is not None and _fell(height, now) and _fell(height, after):
            yield place
            height = now
        elif height is None or now is not None:
            height = now if height is None or not _fell(height, now) else height


def _fell(height: float, now: float | None) -> bool:
    return now is None or now < height - _SHUFFLE_MM


def shoes(session: Session) -> Iterator[Shoe]:
    """Yield every shoe with its rounds: a round is of the shoe shuffled last before its first card."""
    starts: list[int | None] = [None, *shuffles(session)]
    times = [-1 if place is None else session.states[place].span.first for place in starts]
    for number, start in enumerate(starts):
        until = times[number + 1] if number + 1 < len(starts) else float("inf")
        own = [case for case in session.cases if times[number] <= case.seen.first_card.seen.last < until]
        yield Shoe(shuffled=start, cases=tuple(own))


def cards_in_a_deck(session: Session) -> int:
    """Return how many cards a deck of this table's shoe has: a Spanish one lacks its four pip tens (002)."""
    return len(DECK) - _PIP_TENS if session.rules.option("spanish") is True else len(DECK)


def extra_copies(session: Session) -> Iterator[Draft]:
    """Yield cards that came more often between two shuffles than there are decks: P416 and each game's own."""
    decks = session.rules.decks
    whole = decks * cards_in_a_deck(session)
    for shoe in shoes(session):
        copies: dict[str, list[SeenCard]] = {}
        for card in shoe.cards:
            if card.likeliest is not None and card.chances[card.likeliest] >= _READ_FROM:
                copies.setdefault(card.likeliest, []).append(card)
        surplus = [code for code, cards in copies.items() if decks and len(cards) > decks]
        many = len(surplus) > limit("shoe", "extra_faces") and 2 * len(shoe.cards) > whole
        if many or (surplus and len(shoe.cards) > whole):
            yield from _unseen_shuffle(session, shoe, len(surplus))
            continue
        for code in surplus:
            lost, bare = _lost_long(session, copies[code]), _bare_long(session, copies[code])
            if lost is None and bare is None:
                yield from _surplus(session, code, copies[code])
                continue
            when = "no card lay on the table" if lost is None else "the view was lost"
            reason = f"whether it was shuffled while {when} for {(lost or bare or 0) / 1000:.0f} s"
            span = copies[code][0].appeared.span.hull(copies[code][-1].appeared.span)
            yield from not_seen(session, *_DECK_PROCEDURES[session.rules.game], reason=reason, span=span)
            break


def _lost_long(session: Session, cards: list[SeenCard]) -> int | None:
    """For how long the view was lost at once between cards, if long enough for a shuffle; None if not."""
    first, last = cards[0].appeared.seen.first, cards[-1].appeared.seen.last
    lost = [
        state.span.last - state.span.first
        for state in session.states
        if state.view != "ok" and first <= state.span.first and state.span.last <= last
    ]
    longest = max(lost, default=0)
    return longest if longest >= limit("shoe", "unseen_shuffle_ms") else None


def _bare_long(session: Session, cards: list[SeenCard]) -> int | None:
    """For how long no card lay on the table between cards, if long enough to change the decks; None if not.

    Only where the discards are never listed, whose going would tell of a shuffle (contracts/states.md).
    """
    if any(discards_mm(state) is not None for state in session.states):
        return None
    first, last = cards[0].appeared.seen.first, cards[-1].appeared.seen.last
    shown = [state.span for state in session.states if things(state, "card") and first <= state.span.last <= last]
    longest = max((after.first - before.last for before, after in pairwise(shown)), default=0)
    return longest if longest >= limit("shoe", "unlisted_shuffle_ms") else None


def _unseen_shuffle(session: Session, shoe: Shoe, surplus: int) -> Iterator[Draft]:
    """Yield that the cards were shuffled unseen: so many cannot have come out of one shoe."""
    span = shoe.cards[0].appeared.span.hull(shoe.cards[-1].appeared.span)
    reason = f"when it was shuffled: {len(shoe.cards)} cards, {surplus} of them too often, without a shuffle seen"
    yield from not_seen(session, *_DECK_PROCEDURES[session.rules.game], reason=reason, span=span)


def _surplus(session: Session, code: str, cards: list[SeenCard]) -> Iterator[Draft]:
    decks = session.rules.decks
    chance = 1.0
    for p in sorted((card.chances[code] for card in cards), reverse=True)[: decks + 1]:
        chance *= p
    first, *more = _DECK_PROCEDURES[session.rules.game]
    yield from found(
        session,
        first,
        *more,
        code="extra-card",
        mass=Mass(broken=chance, kept=1.0 - chance),
        span=cards[decks].appeared.span,
        expected=f"at most {decks} of a card between two shuffles, as many as there are decks",
        observed=f"{DECK[code]} seen {decks + 1} times",
        name=("extra-card", code, cards[decks].appeared.span.first),
    )


CHECKS: Final = (
    AuditedTable(check=extra_copies, games=ALL_GAMES, ids=("P001", "P039", "P060", "P091", "P204", "P391", "P416")),
)
