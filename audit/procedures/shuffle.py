"""Between two shoes: what may lie and move during a shuffle, the burn card, and cards shown in the shoe."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import Final

from audit.polygons import crossed_at
from audit.procedures.before_rack import before_the_rack, hides_before_the_rack
from audit.procedures.drafts import BLACKJACK, STUD, AuditedTable, Case, Draft, Session, found
from audit.procedures.limits import limit
from audit.procedures.moments import of_a_hand, things
from audit.procedures.shoe import cards_in_a_deck, discards_mm, shoes, shuffles
from audit.readings import CERTAIN, UNKNOWN
from audit.reconstruction.clearing import lies_as
from audit.reconstruction.evidence import Stack, best, stack_chances
from audit.reconstruction.places import distance
from audit.reconstruction.slices import is_spread
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import Point, Zone
from audit.timing import Span

_SHOE: Final = frozenset({"shoe", "discard"})
_NO_CARDS: Final = frozenset({"rack", "shoe"})  # a hand over them hides none of a round's
_MOUTH_MM: Final = 40.0
_A_DECK: Final = 1.1  # as high as a camera may tell it
_LOADED: Final = 2  # looks at least: the cards out of the rack, in the shoe, and the next round's first one
_OFFERED_MM: Final = 120.0  # so near to the cards lies the cut card that is offered with them


@dataclass(frozen=True, kw_only=True)
class Break:
    """The states from a shuffle's beginning to the next round's first card, both included.

    ``visits``: hands of the dealer over the discard rack since it was last seen full; those that emptied it are one.
    ``watched``: the view was not lost since then.
    """

    states: tuple[TableState, ...]
    visits: int
    watched: bool

    @property
    def seen(self) -> bool:
        """Whether it was seen: nothing lost, some states between the ends, and hands of the dealer before the deal."""
        hands = any(hand.side == "dealer" for state in self.states[1:-1] for hand in state.hands)
        return len(self.states) > 2 and hands and self.watched  # noqa: PLR2004

    @property
    def span(self) -> Span:
        """From the first of its states to the last."""
        return self.states[0].span.hull(self.states[-1].span)


def breaks(session: Session) -> Iterator[Break]:
    """Yield what was seen between each shuffle and the next round."""
    for shoe in shoes(session):
        if shoe.shuffled is not None and shoe.cases:
            case = shoe.cases[0]
            until = case.seen.piece.states[case.seen.piece.first].span.first
            full = max(
                (i for i in range(shoe.shuffled) if discards_mm(session.states[i]) is not None), default=shoe.shuffled
            )
            since = tuple(s for s in session.states[full + 1 :] if s.span.first <= until)
            states = tuple(s for s in session.states[shoe.shuffled :] if s.span.first <= until)
            yield Break(states=states, visits=_visits(since), watched=all(state.view == "ok" for state in since))


def _visits(since: Sequence[TableState]) -> int:
    """How often the dealer's hand was over the discard rack since it was full; all that emptied it count as one.

    What the first look after that shows empty was not filled again by then, as shuffling takes more than one look.
    """
    counts = [sum(hand.side == "dealer" and "discard" in hand.zones for hand in state.hands) for state in since]
    emptied = len(since) > _LOADED and since[0].view == "ok" and "discard" not in since[0].covered
    return min(1, counts[0]) + sum(counts[1:]) if emptied else sum(counts)


def burned(session: Session) -> Iterator[Draft]:
    """Yield a shoe without its burn card, with two, or with one shown or burnt unseen: P146, P148, P398, P064."""
    for one in breaks(session):
        yield from burnt_in(session, one)


def burnt_in(session: Session, one: Break) -> Iterator[Draft]:
    """Yield what was wrong with the burn card after one shuffle.

    Where the view was lost meanwhile, what came out of the shoe upon a bare table since then speaks for itself.
    """
    if not one.watched:
        yield from _burnt_since(session, one)
    elif one.seen and "discard" not in one.states[-1].covered:
        shown = _in_zone(session, one.states[1:], "discard")
        last = _in_zone(session, one.states[-1:], "discard")
        brought = _brought_to_the_rack(session, one)
        burnt = max(len(last), len(brought), _from_the_shoe(session, one))
        if burnt > 1:
            yield from _burn(session, one, "P146", "one card burnt", f"{burnt} cards burnt")
        elif not (shown or last or one.visits > 1 or discards_mm(one.states[-1]) is not None):
            words = ("a card burnt after the shuffle", "no hand came to the discard rack before the first card")
            yield from _burn(session, one, "P064" if session.rules.game in STUD else "P146", *words)
        else:
            yield from _burn_shown(session, one, [*shown, *brought])


def _burnt_since(session: Session, one: Break) -> Iterator[Draft]:
    lost = [place for place, state in enumerate(one.states) if state.view != "ok"]
    since = one.states[lost[-1] + 1 :] if lost else ()
    if since and not any(things(since[0], *CARD_KINDS)) and since[0].covered <= _NO_CARDS:
        rest = replace(one, states=since)
        yield from _burn_shown(session, rest, _brought_to_the_rack(session, rest))


def _brought_to_the_rack(session: Session, one: Break) -> list[SeenObject]:
    """Return each card that lay alone on the felt and went to the rack by the dealer's hand, once that was empty.

    What lay there as his hand came to the shoe may be the stack that went into it; the card came out of the shoe then.
    """
    brought: list[SeenObject] = []
    for before, after in pairwise(one.states):
        single, still = _loose(session, before), _loose(session, after)
        own = [hand for hand in after.hands if hand.side == "dealer"]
        to_rack = [hand.span.first for hand in own if "discard" in hand.zones]
        to_shoe = [hand.span.first for hand in own if "shoe" in hand.zones and hand.span.first > before.span.last]
        by_hand = bool(to_rack) and min(to_shoe, default=math.inf) > max(to_rack)  # else it rests there, or came back
        there = (
            "discard" in after.covered or discards_mm(after) is not None or bool(_in_zone(session, [after], "discard"))
        )
        if len(single) == 1 and not still and by_hand and there:
            brought += single
    return brought


def _loose(session: Session, state: TableState) -> list[SeenObject]:
    """Return the cards of a state that lie on the felt, neither at the shoe nor in the discard rack."""
    cards = things(state, *CARD_KINDS)
    return [it for it in cards if not _SHOE & session.places.zones(it.xy_mm) and not _is_at_the_shoe(session, it)]


def _from_the_shoe(session: Session, one: Break) -> int:
    """How often the dealer's hand went from the shoe to the discard rack, and a card lay there afterwards.

    A card that a dealer tucked under the shoe as he was relieved comes from there, too (004:L873-882).
    """
    count = 0
    for before, state in pairwise(one.states):
        if _tucked(session, before) and not _tucked(session, state):
            continue
        drawn = [hand.span.first for hand in state.hands if hand.side == "dealer" and "shoe" in hand.zones]
        laid = [hand.span.last for hand in state.hands if hand.side == "dealer" and "discard" in hand.zones]
        there = bool(_in_zone(session, [state], "discard")) or discards_mm(state) is not None
        count += bool(drawn and laid and there and min(drawn) < max(laid))
    return count


def _tucked(session: Session, state: TableState) -> bool:
    return any(_is_at_the_shoe(session, item) for item in things(state, "card_back"))


def _is_at_the_shoe(session: Session, item: SeenObject) -> bool:
    """Whether a card lies in the shoe or beside it."""
    around = [(x, y) for x in (-_MOUTH_MM, 0.0, _MOUTH_MM) for y in (-_MOUTH_MM, 0.0, _MOUTH_MM)]
    return any("shoe" in session.places.zones((item.xy_mm[0] + x, item.xy_mm[1] + y)) for x, y in around)


def _burn_shown(session: Session, one: Break, shown: Sequence[SeenObject]) -> Iterator[Draft]:
    faces = [item for item in shown if item.kind == "card"]
    if session.rules.game in STUD:
        if shown and not faces:
            yield from _burn(session, one, "P064", "the first card shown and removed", "removed face down")
    elif faces:
        procedure = "P398" if session.rules.game == "double_deck" else "P148"
        yield from _burn(session, one, procedure, "the burn card face down", f"{faces[0].card or 'a face'} shown")


def _burn(session: Session, one: Break, procedure: str, expected: str, observed: str) -> Iterator[Draft]:
    yield from found(
        session,
        procedure,
        code="burn-card",
        span=one.span,
        expected=expected,
        observed=observed,
        name=("burn-card", one.span.first),
        follows=(("cards-left", one.span.first),),
    )


def _in_zone(session: Session, states: Sequence[TableState], zone: str) -> list[SeenObject]:
    return [item for state in states for item in things(state, *CARD_KINDS) if zone in session.places.zones(item.xy_mm)]


def faces_in_the_shoe(session: Session) -> Iterator[Draft]:
    """Yield a face seen in the shoe: while it is loaded P144, in play P292.

    Beside its mouth, while the pack lies on the felt to be loaded, at most suspect.
    """
    loading = [one.span for one in breaks(session)]
    told = False
    for state in session.states:
        shown = [item for item in _in_zone(session, [state], "shoe") if item.kind == "card"]
        faces = [item for item in shown if not of_a_hand(session.cases, state, item)]
        filled = any(span.first <= state.span.first < span.last for span in loading)
        beside = not faces and filled
        faces = faces or (_at_its_mouth(session, state) if filled else [])
        if faces and not told:
            yield from found(
                session,
                "P144" if filled else "P292",
                code="face-in-shoe",
                span=state.span,
                expected="no face to be seen in the shoe",
                observed=f"{faces[0].card or 'a card'} face up" + (" beside it" if beside else ""),
                capped=beside,
                name=("face-in-shoe", state.span.first),
            )
        told = bool(faces)


def _at_its_mouth(session: Session, state: TableState) -> list[SeenObject]:
    """Return the faces that lie beside the shoe while the pack lies on the felt, to be put into it."""
    faces = things(state, "card") if cards_to_cut(session, state) else ()
    return [item for item in faces if _is_at_the_shoe(session, item)]


def all_cards_in_the_rack(session: Session) -> Iterator[Draft]:
    """Yield a shuffle begun while cards of a round still lay on the layout: P126; P295 where the round went on.

    Cards that come after it are those that the shoe lacked to complete the round (004:L783).
    """
    for place in shuffles(session):
        state = session.states[place]
        full = max((i for i in range(place) if discards_mm(session.states[i]) is not None), default=place)
        if any(between.view != "ok" for between in session.states[full:place]):
            continue
        left = _left_lying(session, state, session.states[max(full, place - 1)])
        within = [
            case
            for case in session.cases
            if case.seen.observed.start.last
            <= state.span.first
            <= case.seen.piece.states[case.seen.piece.last].span.first
        ]
        if left and within:
            lacked = any(_goes_on_after(case, state) for case in within)
            yield from found(
                session,
                "P295" if lacked else "P126",
                code="cards-lacking" if lacked else "cards-left",
                span=state.span,
                expected="enough cards to complete the round"
                if lacked
                else "all cards in the discard rack before the shuffle",
                observed=f"{len(left)} cards on the layout",
                name=("cards-left", state.span.first),
            )


def _left_lying(session: Session, state: TableState, before: TableState) -> list[SeenObject]:
    """Return the cards of seats, and the dealer's faces, in a state; none if none lay there in the one before it.

    They came after the shuffle then, which was over before a look showed it.
    """
    there = [
        item for item in things(state, *CARD_KINDS) if any(lies_as(item, one) for one in things(before, *CARD_KINDS))
    ]
    owners = {id(item): session.places.owner(item.xy_mm) or "" for item in there}
    left = [item for item in there if owners[id(item)].startswith("seat")]
    return left + [item for item in there if item.kind == "card" and owners[id(item)] == "dealer"]


def _goes_on_after(case: Case, state: TableState) -> bool:
    """Whether a player or the dealer got a card from the dealer after a state of the round.

    Backs that come to the dealer from elsewhere than the shoe are the cards that he shuffles.
    """
    cards = [*case.seen.dealer, *(card for seen in case.seen.seats.values() for card in seen.cards)]
    dealt = [card for card in cards if card.shown or any("shoe" in hand.zones for hand in card.appeared.hands)]
    return any(card.appeared.by_dealer and card.appeared.span.certainly_after(state.span) for card in dealt)


def nothing_else_during_the_shuffle(session: Session) -> Iterator[Draft]:
    """Yield money that the dealer moved at a seat while cards lay on the felt to be shuffled: P128."""
    for one in breaks(session):
        for before, after in pairwise(one.states[:-1]):
            if not cards_to_cut(session, before) or not cards_to_cut(session, after):
                continue
            if _cut_out(session, before, after):
                yield from _amid(session, one, before, after, "cheques brought before the rack")
            for seat in session.places.profile.seats:
                if _money_at(session, before, seat) != _money_at(session, after, seat) and _only_dealer(after, seat):
                    yield from _amid(session, one, before, after, f"cheques moved at seat {seat}", seat=seat)


def _amid(
    session: Session, one: Break, before: TableState, after: TableState, observed: str, *, seat: int | None = None
) -> Iterator[Draft]:
    yield from found(
        session,
        "P128",
        code="money-in-shuffle",
        span=Span.of(before.span.last, max(before.span.last, after.span.first)),
        expected="nothing else done until the shuffle is finished",
        observed=observed,
        seat=seat,
        capped=seat is None and not session.thresholds.unread_sure,
        name=("money-in-shuffle", one.span.first, seat),
    )


def _cut_out(session: Session, before: TableState, after: TableState) -> bool:
    """Whether the dealer brought cheques before the rack between two states that show all that lies there."""
    hidden = any(hides_before_the_rack(session, state) for state in (before, after))
    hands = any(hand.side == "dealer" and "rack" in hand.zones for hand in after.hands)
    return hands and not hidden and len(before_the_rack(session, after)) > len(before_the_rack(session, before))


def cards_to_cut(session: Session, state: TableState) -> bool:
    """Return whether cards lie on the felt to be shuffled or cut."""
    loose = [item for item in things(state, "card_back") if not {"shoe", "discard"} & session.places.zones(item.xy_mm)]
    return bool(loose) and state.view == "ok"


def _money_at(session: Session, state: TableState, seat: int) -> frozenset[tuple[str, str]]:
    """Return what stands on a seat's spots; a covered spot is left out."""
    piles: set[tuple[str, str]] = set()
    for item in things(state, "chips"):
        spot = session.places.spot(item.xy_mm)
        if spot and spot.startswith(f"seat{seat}.") and spot not in state.covered:
            likeliest: Stack = best(stack_chances(item)) or ()
            piles.add((spot, " ".join(likeliest)))
    return frozenset(piles)


def _only_dealer(state: TableState, seat: int) -> bool:
    sides = {hand.side for hand in state.hands if any(zone.startswith(f"seat{seat}.") for zone in hand.zones)}
    hidden = any(zone.startswith(f"seat{seat}.") for zone in state.covered)
    return sides == {"dealer"} and not hidden


def behind_the_line(session: Session) -> Iterator[Draft]:
    """Yield cards to be shuffled or cut that lie past the insurance line: P130, P137. What is washed is no stack."""
    if not _lines(session):
        return
    for one in breaks(session):
        told: set[str] = set()
        cut = False
        for state in one.states[:-1]:
            if is_spread(state):
                continue
            past = [mm for item in things(state, "card_back") if (mm := past_the_line(session, item.xy_mm)) > 0]
            cut = cut or bool(_beside_the_cut_card(state, "card_back"))
            procedure = "P137" if cut else "P130"
            if past and procedure not in told:
                told.add(procedure)
                yield from found(
                    session,
                    procedure,
                    code="past-the-line",
                    span=state.span,
                    expected="the cards behind the insurance line",
                    observed=f"{past[0]:.0f} mm past it",
                    name=("past-the-line", procedure, one.span.first),
                    follows=(("past-the-line", "P130", one.span.first),) if procedure == "P137" else (),
                )


def offered_face_up(session: Session) -> Iterator[Draft]:
    """Yield cards offered for the cut that show a face, the cut card beside them: P137.

    One card alone that lies there looks the same: at most suspect.
    """
    for one in breaks(session):
        shown = [state for state in one.states[:-1] if len(things(state, *CARD_KINDS)) == 1]
        faces = [state for state in shown if _beside_the_cut_card(state, "card")]
        if faces:
            yield from found(
                session,
                "P137",
                code="offered-face-up",
                span=faces[0].span,
                expected="the cards offered for the cut with their backs to the player",
                observed="a face up beside the cut card",
                capped=True,
                name=("offered-face-up", one.span.first),
            )


def _beside_the_cut_card(state: TableState, kind: str) -> list[SeenObject]:
    """Return the cards that lie so near to the cut card as they do when they are offered with it."""
    cut = things(state, "cut_card")
    return [item for item in things(state, kind) if any(distance(item.xy_mm, one.xy_mm) < _OFFERED_MM for one in cut)]


def _lines(session: Session) -> list[Zone]:
    """The insurance line in one piece, or seat by seat."""
    return [zone for zone in session.places.profile.zones if zone.name.split(".")[-1] == "insurance"]


def past_the_line(session: Session, at: Point) -> float:
    """How many mm a point lies past the piece of the insurance line that is nearest to it along the table.

    Less than nothing where it does not, or where the table has no such line. The line may be an arc: it counts where it
    is drawn.
    """
    if not _lines(session):
        return -1.0
    middles = [(fmean(x for x, _ in line.polygon_mm), line) for line in _lines(session)]
    _, line = min(middles, key=lambda one: abs(one[0] - at[0]))
    far = max(crossed_at(line.polygon_mm, at[0]), default=max(y for _, y in line.polygon_mm))
    return at[1] - far - limit("felt", "line_mm")


def cards_complete(session: Session) -> Iterator[Draft]:
    """Yield clearly more cards in the rack than the shoe holds, or fewer once the shoe was emptied: P418, P127.

    Nobody counts cards by the height of their pile: at most a suspicion. Where cards are missing, the rest may stand
    elsewhere, unless the rack was seen after the dealer had slugged the shoe's cards into it (004:L150), no hand came
    to it from the shoe any more, and less than a deck is missing: whole decks are rather elsewhere than lost.
    """
    deck = cards_in_a_deck(session)
    whole = session.rules.decks * deck
    slack = max(limit("discards", "slack_cards"), whole * limit("discards", "slack_share"))
    for place in shuffles(session):
        heights = [discards_mm(state) for state in session.states[:place] if state.view == "ok"]
        known = [height for height in heights if height is not None][-2:]
        if not known:
            continue
        count = known[-1] / limit("discards", "card_mm")
        slugged = whole - count < _A_DECK * deck and _slugged(session, place)
        emptied = len(known) > 1 and known[-1] - known[0] > deck * limit("discards", "card_mm")
        short = (emptied or slugged) and count < whole - slack
        if count > whole + slack or short:
            yield from found(
                session,
                "P418",
                "P127",
                code="card-count",
                span=session.states[place].span,
                expected=f"{whole} cards in the rack before the shuffle",
                observed=f"about {count:.0f}",
                mass=UNKNOWN if short and not slugged else CERTAIN,
                capped=True,
                unread=["whether all cards of the shoe stand in the rack"],
                name=("card-count", session.states[place].span.first),
            )


def _slugged(session: Session, place: int) -> bool:
    """Whether the rack was seen at rest after the dealer's hand had gone from the shoe to it.

    Only where every state since the last card on the felt is clear, and no hand came from the shoe any more.
    """
    lain = (i for i in range(place) if things(session.states[i], *CARD_KINDS))
    since = session.states[max(lain, default=place) + 1 : place + 1]
    if any(state.view != "ok" or state.covered & _SHOE for state in since):
        return False
    slugs = [i for i, state in enumerate(since) if _is_slug(state)]
    at_rest = bool(slugs) and slugs[-1] + 1 < len(since) - 1
    return at_rest and not any("shoe" in hand.zones for state in since[slugs[-1] + 1 :] for hand in state.hands)


def _is_slug(state: TableState) -> bool:
    """Whether the dealer's hand was at the shoe and then at the discard rack, in one entry or in two."""
    own = [hand for hand in state.hands if hand.side == "dealer"]
    came = [hand.span.first for hand in own if "shoe" in hand.zones]
    return any("discard" in hand.zones and min(came, default=math.inf) <= hand.span.last for hand in own)


CHECKS: Final = (
    AuditedTable(check=burned, games=BLACKJACK | STUD, ids=("P146", "P148", "P398", "P064")),
    AuditedTable(check=faces_in_the_shoe, games=BLACKJACK, ids=("P144", "P292")),
    AuditedTable(check=all_cards_in_the_rack, games=BLACKJACK, ids=("P126", "P295")),
    AuditedTable(check=nothing_else_during_the_shuffle, games=BLACKJACK, ids=("P128",)),
    AuditedTable(check=behind_the_line, games=BLACKJACK, ids=("P130", "P137")),
    AuditedTable(check=offered_face_up, games=BLACKJACK, ids=("P137",)),
    AuditedTable(check=cards_complete, games=BLACKJACK | STUD, ids=("P418", "P127")),
)
