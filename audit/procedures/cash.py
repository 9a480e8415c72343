"""Currency on the felt: how bills are laid out, what is given for them, and when they are gone.

A bill is an object of kind ``bill`` with ``amount`` (dollars as text) and ``side`` (``up`` or ``down``) if it was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, takewhile
from typing import Final

from audit.cheques import BILLS, bill_rows, buy_in
from audit.money import Money
from audit.polygons import crossed_at
from audit.procedures.before_rack import SURE, before_the_rack, hides_before_the_rack, sent_since
from audit.procedures.drafts import ALL_GAMES, Audited, AuditedTable, Case, Draft, Session, dollars, found
from audit.procedures.limits import limit
from audit.procedures.moments import opening, things, written_amount
from audit.readings import CERTAIN, Mass
from audit.reconstruction.amounts import Amounts, best_amount, total_amounts, worth
from audit.reconstruction.evidence import stack_chances
from audit.reconstruction.places import lies_there
from audit.states import SeenObject, TableState
from audit.table import Point
from audit.timing import Span

_ROW_MM: Final = 30.0
_UPRIGHT_DEG: Final = 30.0
_BELOW_MM: Final = 230.0
_LOOKS: Final = 3  # one of them may have missed a pile
_AWAY: Final = "away from the insurance line"


def amount_of(bill: SeenObject) -> int | None:
    """Return what a bill is worth, None if it was not read."""
    amount = written_amount(bill)
    return None if amount is None else int(amount)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A run of states in which bills lie on the felt; ``full`` is that with the most bills."""

    states: tuple[TableState, ...]

    @property
    def full(self) -> TableState:
        """The state with the most bills, the latest of such."""
        return max(reversed(self.states), key=lambda state: len(things(state, "bill")))

    @property
    def bills(self) -> tuple[SeenObject, ...]:
        """The bills of the fullest state."""
        return things(self.full, "bill")

    @property
    def total(self) -> Money:
        """What they are worth together, nothing if none was read."""
        return Money(sum(amount_of(bill) or 0 for bill in self.bills))

    @property
    def span(self) -> Span:
        """From the first of its states to the last."""
        return self.states[0].span.hull(self.states[-1].span)


def layouts(session: Session) -> Iterator[Layout]:
    """Yield every time that bills were laid out and read; folded ones that a player put down are not yet laid out."""
    return _runs(session, lambda bills: all(map(amount_of, bills)))


def _unread(session: Session) -> Iterator[Layout]:
    """Yield every time that bills were laid out of which none was read in any look."""
    for layout in _runs(session, bool):
        if not any(amount_of(bill) for state in layout.states for bill in things(state, "bill")):
            yield layout


def _runs(session: Session, are_seen: Callable[[Sequence[SeenObject]], bool]) -> Iterator[Layout]:
    """Yield the runs of states with such bills on the felt, but those in which only players' hands came."""
    run: list[TableState] = []
    for state, after in pairwise((*session.states, None, None)):
        laid = () if state is None else things(state, "bill")
        beside = any(session.places.spot(bill.xy_mm) is None for bill in laid)
        if state is not None and beside and are_seen(laid):
            run.append(state)
            continue
        if run and _missed(run[-1], state, after):
            continue
        if run and not _only_players_came(run):
            yield Layout(states=tuple(run))
        run = []


def _missed(before: TableState, state: TableState | None, after: TableState | None) -> bool:
    """Whether a look missed the bills that lie there before and after it: no dealer's hand took them up."""
    if state is None or after is None or things(state, "bill") or _is_handled(state):
        return False
    lay, lie = things(before, "bill"), things(after, "bill")
    return len(lay) == len(lie) and all(any(lies_there(bill, one) for one in lie) for bill in lay)


def _only_players_came(run: Sequence[TableState]) -> bool:
    """Whether players' hands came in a run of states, and none of the dealer's: the bills lie as they were put down."""
    return {hand.side for state in run for hand in state.hands} == {"player"}


def _is_handled(state: TableState) -> bool:
    """Whether the dealer's hand was over the table just before a state."""
    return any(hand.side == "dealer" for hand in state.hands)


def _told(
    session: Session,
    layout: Layout,
    procedure: str,
    expected: str,
    observed: str,
    *,
    mass: Mass = CERTAIN,
    capped: bool = False,
) -> Iterator[Draft]:
    yield from found(
        session,
        procedure,
        code="currency",
        mass=mass,
        span=layout.span,
        expected=expected,
        observed=observed,
        capped=capped,
        name=("currency", procedure, layout.span.first),
    )


def single_bill(session: Session) -> Iterator[Draft]:
    """Yield a single bill not laid upright, face up, left of the dealer, just below the insurance line: P165.

    Judged as it lies when cheques are first set out for it; where the view was lost before that, not for certain.
    """
    line = session.places.profile.zone("insurance")
    for layout in chain(layouts(session), _unread(session)):
        if len(layout.bills) != 1:
            continue
        given = [things(state, "bill") for state in layout.states if before_the_rack(session, state)]
        (bill,) = given[0] if given else layout.bills
        faces = {item.extra.get("side") for state in layout.states for item in things(state, "bill")}
        x, y = bill.xy_mm
        near = None if line is None else _near_edge(line.polygon_mm, x)
        problem = (
            "laid across"
            if bill.angle_deg is not None and abs(bill.angle_deg) > _UPRIGHT_DEG
            else "at the dealer's right"
            if x > 0
            else _AWAY
            if near is not None and not near - _BELOW_MM <= y <= near + limit("felt", "line_mm")
            else "seen face down only"
            if faces == {"down"}
            else ""
        )
        if problem:
            words = "a bill upright and face up, left of the dealer, just below the insurance line"
            perhaps_near = problem == _AWAY and near is not None and y < near  # "just below" is no distance
            perhaps_turned = not given and _ends_unseen(session, layout)
            capped = perhaps_near or perhaps_turned or not layout.total
            yield from _told(session, layout, "P165", words, problem, capped=capped)


def _ends_unseen(session: Session, layout: Layout) -> bool:
    """Whether the view was lost, or ended, while the bills still lay there."""
    place = session.place_of(layout.states[-1]) + 1
    return place >= len(session.states) or session.states[place].view != "ok"


def _near_edge(line: Sequence[Point], x: float) -> float:
    """Return where the dealer's edge of the insurance line, which may be an arc, lies at some place along the table."""
    return min(crossed_at(line, x), default=min(y for _, y in line))


def rows_of_bills(session: Session) -> Iterator[Draft]:
    """Yield bills in other rows than written, or the highest not at the left: P166; more than a lay-out holds: P167."""
    for layout in layouts(session):
        if any(hides_before_the_rack(session, state) for state in layout.states):
            continue  # some of the bills may be hidden
        if len(layout.bills) == 1:
            continue
        places: dict[int, list[Point]] = {}
        for bill in layout.bills:
            places.setdefault(amount_of(bill) or 0, []).append(bill.xy_mm)
        for amount in places.keys() & BILLS.keys():
            rows, along = (sorted(_rows([xy[axis] for xy in places[amount]])) for axis in (0, 1))
            wanted = sorted(bill_rows(len(places[amount]), amount))
            if wanted not in (rows, along):  # "vertical rows ... from left to right": they may run either way
                words = f"${amount} bills in rows of {' and '.join(map(str, wanted))}"
                yield from _told(session, layout, "P166", words, " and ".join(map(str, rows)))
            if len(places[amount]) * amount > BILLS[amount][1]:
                most = Money(BILLS[amount][1])
                observed = dollars(Money(len(places[amount]) * amount))
                yield from _told(
                    session, layout, "P167", f"at most {dollars(most)} in ${amount} bills at once", observed
                )
        means = [sum(x for x, _ in bills) / len(bills) for _, bills in sorted(places.items(), reverse=True)]
        if means != sorted(means):
            yield from _told(
                session, layout, "P166", "the highest bills at the left", "a lower bill left of a higher one"
            )


def _rows(places: Sequence[float]) -> list[int]:
    """Return how many bills lie at about the same place across the rows, row by row."""
    sizes: list[int] = []
    first = 0.0
    for place in sorted(places):
        if not sizes or place - first > _ROW_MM:
            sizes.append(0)
            first = place
        sizes[-1] += 1
    return sizes


def _set_out(session: Session, layout: Layout) -> Iterator[tuple[TableState, Sequence[SeenObject]]]:
    """Yield the looks at which cheques stood beside the bills, all read and in sight."""
    for state in layout.states:
        piles = before_the_rack(session, state)
        if piles and all(pile.stack for pile in piles) and not hides_before_the_rack(session, state):
            yield state, piles


def _given(session: Session, layout: Layout) -> tuple[str, ...] | None:
    """Return the cheques set out for the bills, None if none were seen beside them, not all of them, or not read.

    A pile is gone only when the dealer's hand has been there; a look without it may have missed it. Where more went
    out than any look shows beside the bills, that was given.
    """
    given: tuple[str, ...] | None = None
    most = 0
    for state, piles in _set_out(session, layout):
        if _is_handled(state) or len(piles) >= most:
            most, given = len(piles), tuple(colour for pile in piles for colour in pile.stack or ())
    sent = [one for state in layout.states for one in [_sent_out(session, layout, state)] if one]
    return next((one for one in sent if given and not Counter(given) - Counter(one)), given)


def _sent_out(session: Session, layout: Layout, state: TableState) -> tuple[str, ...]:
    """Return the cheques beyond the rack in a state that lay there in no look shortly before the bills came.

    Nothing if one of those piles was not surely read: it tells nothing against what was cut down beside the bills.
    """
    place = session.place_of(layout.states[0])
    lay = [pile for one in session.states[max(0, place - _LOOKS) : place] for pile in things(one, "chips")]
    sent = sent_since(session, layout.states[0], state)
    new = [pile for pile in sent if not any(lies_there(pile, one) for one in lay)]
    if any(max(stack_chances(pile).values(), default=0.0) < SURE for pile in new):
        return ()
    return tuple(colour for pile in new for colour in pile.stack or ())


def _mistaken(session: Session, layout: Layout, value: Money) -> Mass:
    """Return how likely cheques that were read as worth so much were of another value than the bills.

    Cut down they may have been read as worth the bills, and stacked again as worth less: the same cheques, most likely.
    """
    looks = list(_looks_at_the_cheques(session, layout))
    last = next((place for place in range(len(looks) - 1, -1, -1) if best_amount(looks[place]) == value), None)
    if last is None:
        return CERTAIN
    kept, broken = looks[last].get(layout.total, 0.0), sum(p for one, p in looks[last].items() if one != layout.total)
    before = [one for one in looks[:last] if best_amount(one) == layout.total]
    if not before:
        return Mass(broken=broken, kept=kept)
    kept *= before[-1][layout.total]
    broken = sum(p * before[-1].get(one, 0.0) for one, p in looks[last].items() if one != layout.total)
    rest = (1.0 - sum(before[-1].values())) * looks[last].get(value, 0.0)
    whole = kept + broken + rest
    return Mass(broken=(broken + rest) / whole, kept=kept / whole) if whole > 0 else CERTAIN


def _looks_at_the_cheques(session: Session, layout: Layout) -> Iterator[Amounts]:
    """Yield what the cheques before the rack may be worth, anew when the dealer's hand has been there."""
    amounts: Amounts = {}
    for state, piles in _set_out(session, layout):
        if amounts and _is_handled(state):
            yield amounts
        amounts = total_amounts(map(stack_chances, piles), session.chips)
    if amounts:
        yield amounts


def worth_the_bills(session: Session) -> Iterator[Draft]:
    """Yield cheques of another value than the bills, P170, or other colours than written: P177, P178, P179.

    Bills that were not read are taken to be worth what is set out for them.
    """
    for layout in chain(layouts(session), _unread(session)):
        given = _given(session, layout)
        value = None if given is None else worth(given, session.chips)
        if given is None or value is None:
            continue
        if layout.total and value != layout.total:
            words, mass = (f"cheques for {dollars(layout.total)}", dollars(value)), _mistaken(session, layout, value)
            yield from _told(session, layout, "P170", *words, mass=mass)
            continue
        minimum = session.places.profile.minimum
        written = buy_in(value, minimum)
        if written is not None and not written.allows(given):
            procedure = "P177" if minimum < 25 else "P178" if minimum < 100 else "P179"  # noqa: PLR2004 - the games
            colours = " and ".join(f"{given.count(colour)} {colour}" for colour in dict.fromkeys(given))
            yield from _told(session, layout, procedure, "the mix of colours for this game", colours, capped=True)


def order_of_change(session: Session) -> Iterator[Draft]:
    """Yield cheques that went out before bills and cheques had both been laid out: P176."""
    for layout in layouts(session):
        place = session.place_of(layout.states[0])
        before = session.states[max(0, place - 1) : place]
        earlier = [*before, *_while_not_laid_out(session, layout)]
        first = any(before_the_rack(session, state) for state in before) or _has_its_worth(session, layout, earlier)
        gone = not before_the_rack(session, layout.states[0])
        seen = not any(hides_before_the_rack(session, state) for state in (*earlier, *layout.states))
        if first and gone and seen and _given(session, layout) is None:
            yield from _told(
                session, layout, "P176", "cheques out after the bills were laid out", "cheques gone before"
            )


def _while_not_laid_out(session: Session, layout: Layout) -> list[TableState]:
    """Return the states before bills were laid out in which they lay where a player had put them."""
    earlier = session.states[: session.place_of(layout.states[0])]
    return list(takewhile(lambda state: things(state, "bill"), reversed(earlier)))


def _has_its_worth(session: Session, layout: Layout, states: Sequence[TableState]) -> bool:
    """Whether cheques for the bills stood before the rack in one of some states, and nothing else."""
    looks = ([pile.stack or () for pile in before_the_rack(session, state)] for state in states)
    return any(worth(tuple(chain(*piles)), session.chips) == layout.total for piles in looks if all(piles))


def currency_dropped(case: Case) -> Iterator[Draft]:
    """Yield bills still on the layout, on no betting spot, when the round's first card came: P174."""
    bills = [item for item in things(opening(case), "bill") if case.places.spot(item.xy_mm) is None]
    if bills and not case.seen.piece.begun_unseen:
        yield from found(
            case,
            "P174",
            code="currency-left",
            span=opening(case).span,
            expected="the currency dropped before play resumes",
            observed=f"{len(bills)} bills on the layout at the first card",
            name=("currency-left",),
        )


CHECKS: Final = (Audited(check=currency_dropped, games=ALL_GAMES, ids=("P174",)),)
TABLE_CHECKS: Final = (
    AuditedTable(check=single_bill, games=ALL_GAMES, ids=("P165",)),
    AuditedTable(check=rows_of_bills, games=ALL_GAMES, ids=("P166", "P167")),
    AuditedTable(check=worth_the_bills, games=ALL_GAMES, ids=("P170", "P177", "P178", "P179")),
    AuditedTable(check=order_of_change, games=ALL_GAMES, ids=("P176",)),
)
