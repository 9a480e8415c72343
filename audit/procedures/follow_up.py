"""What a round leaves for the next one, cheques nobody knows, and things on the felt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.procedures.before_rack import before_the_rack
from audit.procedures.closing import cards_and_the_next
from audit.procedures.drafts import (
    ALL_GAMES,
    BLACKJACK,
    STUD,
    TRILUX,
    Audited,
    AuditedTable,
    Case,
    Draft,
    Session,
    found,
    too_late,
)
from audit.procedures.dues import due_readings
from audit.procedures.limits import limit
from audit.procedures.moments import opening, playing, settled, shows_cheques, stood_throughout, things
from audit.readings import CERTAIN, UNKNOWN, Mass, mass_of, mass_where
from audit.reconstruction.changes import Change, first_of, last_of
from audit.reconstruction.evidence import stack_chances
from audit.reconstruction.observation import Ending, SeenWager
from audit.reconstruction.places import away_mm
from audit.reconstruction.tangles import built_up_again
from audit.settlement import Outcome
from audit.states import FOREIGN_KINDS, SeenObject, TableState, is_known


def all_settled_before_the_next(case: Case) -> Iterator[Draft]:
    """Yield a losing wager that still stood when the next round's first card came: P420."""
    following = case.following
    for wager in case.seen.wagers if following is not None and not case.seen.piece.missing else ():
        stays = wager.ending is Ending.STANDS and wager.collected is None and not wager.in_rack
        if following is None or not stays or wager.key.bet == "toke" or following.wager(wager.key) is None:
            continue
        if not stood_throughout(case, wager.spot):
            continue
        dues = due_readings(case, wager)
        lost = Mass(broken=0.0, kept=0.0) if dues.doubt else mass_of(dues.sets, lambda due: due.outcome is Outcome.LOSE)
        if lost.broken >= case.thresholds.suspect:
            yield from found(
                case,
                "P420",
                code="round-begun-open",
                mass=lost,
                span=following.observed.start,
                expected="every bet settled before the next round",
                observed="a lost wager still standing at the next first card",
                bet=wager.key,
                follows=(("payout", wager.key),),
            )


def cards_away_before_the_next(case: Case) -> Iterator[Draft]:
    """Yield cards that still lay there when the next round was dealt: P420; not if its first card was not seen.

    Cards of a round that is laid out again from the discards are no next round's.
    """
    after = case.following
    none = after is not None and (after.piece.begun_unseen or built_up_again(after, case.seen) is not None)
    for card in () if none else case.seen.piece.left_over[:1]:
        owner = case.places.owner(card.xy_mm) or ""
        seat = owner.removeprefix("seat")
        yield from found(
            case,
            "P420",
            code="round-begun-open",
            span=case.seen.observed.end,
            expected="every card away before the next round",
            observed=f"{card.card or 'a card'} of the round before still there at the next first card",
            seat=int(seat) if seat.isdigit() else None,
            name=("cards-left-over",),
        )


def side_payout_handed_over(case: Case) -> Iterator[Draft]:
    """Yield a paid Trilux wager still up, payment or bet, when the round was settled or the next began: P383."""
    yield from _side_payout_stays(case)
    for wager in case.seen.wagers if case.following is not None else ():
        if wager.key.bet in TRILUX and wager.pays and wager.ending is Ending.STANDS and wager.collected is None:
            stays = stood_throughout(case, wager.spot)
            if case.following is None or case.following.wager(wager.key) is None or not stays:
                continue
            yield from found(
                case,
                "P383",
                code="side-payout-left",
                span=case.following.observed.start,
                expected="the payment stacked with the bet and handed to the player",
                observed="still standing at the next first card",
                bet=wager.key,
                follows=(("payout", wager.key),),
            )


def _side_payout_stays(case: Case) -> Iterator[Draft]:
    turned = case.seen.hole_turned
    for wager in case.seen.wagers if not case.seen.piece.missing else ():
        if turned is None:
            return
        paid = wager.key.bet in TRILUX and wager.kept_pays and wager.kept_pays[-1].change.state < turned.state
        stays = wager.ending is Ending.STANDS and (
            wager.collected is None or wager.collected.span.certainly_after(turned.span)
        )
        if paid and stays and shows_cheques(case, case.seen.piece.states[turned.state], wager.spot):
            yield from found(
                case,
                "P383",
                code="side-payout-left",
                span=wager.kept_pays[-1].change.span.hull(turned.span),
                expected="the payment stacked with the bet and handed to the player",
                observed="still standing when the dealer turned his hole card",
                bet=wager.key,
                follows=(("payout", wager.key),),
            )


def cards_after_the_base(case: Case) -> Iterator[Draft]:
    """Yield 21 Stud cards left for a later sweep, P085, and the dealer's lifted before the last of all else, P086."""
    if case.seen.piece.missing:
        return
    bases = {w.key.seat: settled(w) or _gone_after_the_dealer(w) for w in case.seen.wagers if w.key.bet == "base"}
    for seat, gone, following in cards_and_the_next(case, bases):
        yield from too_late(
            case,
            gone,
            following,
            "P085",
            code="cards-left",
            expected="a player's cards away right after his Base bet",
            observed="still there when the next Base bet was settled",
            seat=seat,
            follows=(("settling-order",),),
        )
    players = [card.gone for seen in case.seen.seats.values() for card in seen.cards]
    yield from too_late(
        case,
        last_of([*bases.values(), *players]),
        first_of(card.gone for card in case.seen.dealer),
        "P086",
        code="dealer-cards-first",
        expected="the dealer's cards away after the last Base bet and the players' cards",
        observed="lifted before",
        name=("dealer-cards-first",),
    )


def _gone_after_the_dealer(wager: SeenWager) -> Change | None:
    """Return when a wager went under the hands of both sides: he settled it, one way or the other."""
    change = wager.collected
    return change if change is not None and change.sides >= {"dealer", "player"} else None


def foreign_cheques(case: Case) -> Iterator[Draft]:
    """Yield wagers with a cheque that this table does not know: P114."""
    for wager in (*case.seen.wagers, *case.seen.without_cards):
        for pile in wager.piles:
            strange = sorted({colour for stack in pile for colour in stack} - set(case.chips))
            if strange:
                yield from found(
                    case,
                    "P114",
                    code="foreign-cheque",
                    mass=mass_where(pile, lambda stack: not set(stack) <= set(case.chips)),
                    span=wager.placed.span,
                    expected="cheques of the house's colours",
                    observed=f"{strange[0]} in play",
                    bet=wager.key,
                )


def things_on_the_table(session: Session) -> Iterator[Draft]:
    """Yield foreign things on the layout, P356 and P361, and cheques or things beside the discard rack, P201.

    Of a kind that nobody knows it is not told whether the thing belongs there.
    """
    surest: dict[tuple[tuple[str, ...], str], tuple[Mass, TableState, SeenObject]] = {}
    for state, item, ids in _out_of_place(session):
        mass = _sureness(item)
        before = surest.get((ids, item.kind))
        if before is None or mass.broken > before[0].broken:
            surest[ids, item.kind] = mass, state, item
    for (ids, kind), (mass, state, item) in surest.items():
        yield from found(
            session,
            *ids,
            code="thing-on-table",
            mass=mass,
            span=state.span,
            expected=f"nothing {'beside the discard rack' if 'P201' in ids else 'on the layout but the game'}",
            observed=f"{kind.replace('_', ' ')} at {item.xy_mm[0]:.0f}, {item.xy_mm[1]:.0f} mm",
            unread=[f"what a {kind.replace('_', ' ')} is"],
            name=("thing-on-table", ids[0], kind),
        )


def _out_of_place(session: Session) -> Iterator[tuple[TableState, SeenObject, tuple[str, ...]]]:
    """Yield what lies on the layout and is foreign there, or beside the discard rack, with the procedures it breaks."""
    zone = session.places.profile.zone("discard")
    dealt = {id(opening(case)) for case in session.cases if not case.seen.piece.begun_unseen}
    for state in session.states:
        row = before_the_rack(session, state) if id(state) in dealt else []
        row = row if len(row) > 1 else []  # what is set out before the rack lies there for its own reasons
        for item in state.objects:
            strange = item.kind in FOREIGN_KINDS or not is_known(item)
            free = item.kind == "chips" and not session.places.zones(item.xy_mm) and id(state) in dealt
            free = free and item not in row
            beside = zone is not None and (strange or free) and away_mm(zone.polygon_mm, item.xy_mm) <= _beside()
            ids = (("P201",) if beside else ()) + (("P356", "P361") if strange else ())
            if ids:
                yield state, item, ids


def _sureness(item: SeenObject) -> Mass:
    """How surely something is what it looks like: fingers that rest beside the rack have been a pink cheque."""
    if item.kind != "chips":
        return CERTAIN if is_known(item) else UNKNOWN
    read = sum(stack_chances(item).values())
    return Mass(broken=read, kept=1.0 - read)


def _beside() -> float:
    return limit("felt", "beside_discard_mm")


def currency_in_play(case: Case) -> Iterator[Draft]:
    """Yield bills on a betting spot when the first card is dealt, or while the round is played: P183."""
    for state in playing(case):
        spots = [spot for bill in things(state, "bill") if (spot := case.places.spot(bill.xy_mm))]
        if spots:
            yield from found(
                case,
                "P183",
                code="currency-in-play",
                span=state.span,
                expected="no currency in play",
                observed=f"a bill on {spots[0]}",
                seat=int(spots[0].removeprefix("seat").partition(".")[0]) if spots[0].startswith("seat") else None,
                name=("currency-in-play", spots[0]),
            )
            return


CHECKS: Final = (
    Audited(check=all_settled_before_the_next, games=ALL_GAMES, ids=("P420",)),
    Audited(check=cards_away_before_the_next, games=ALL_GAMES, ids=("P420",), of_cards=True),
    Audited(check=side_payout_handed_over, games=BLACKJACK, ids=("P383",)),
    Audited(check=cards_after_the_base, games=STUD, ids=("P085", "P086"), of_cards=True),
    Audited(check=foreign_cheques, games=ALL_GAMES, ids=("P114",)),
    Audited(check=currency_in_play, games=ALL_GAMES, ids=("P183",)),
)
TABLE_CHECKS: Final = (AuditedTable(check=things_on_the_table, games=ALL_GAMES, ids=("P201", "P356", "P361")),)
