"""What every check works with, and how it says what it found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from audit.findings import Finding, Verdict
from audit.money import Money, format_money
from audit.procedures.catalogue import catalogue
from audit.procedures.order import Inversion
from audit.readings import CERTAIN, UNKNOWN, Mass, Thresholds
from audit.reconstruction.changes import Change
from audit.reconstruction.observation import Observation, SeenWager
from audit.reconstruction.places import Places
from audit.rounds import BetKey
from audit.settlement import RuleSet, Settlement
from audit.states import TableState
from audit.timing import Span

Name = tuple[object, ...]
DICEY: Final = "dicey_21"


@dataclass(frozen=True, kw_only=True)
class _AtTable:
    """What is judged at one table: under which rules, and when arms passed before the camera (``passed``)."""

    rules: RuleSet
    places: Places
    thresholds: Thresholds = field(default_factory=Thresholds)
    passed: tuple[Span, ...] = ()

    @property
    def chips(self) -> Mapping[str, Money]:
        """What each colour is worth at this table."""
        return self.places.profile.chips

    def dice_id(self, shoot: str, dicey: str) -> str:
        """Return the procedure's id at Draw 'n Shoot 21 or at Dicey 21."""
        return dicey if self.rules.game == DICEY else shoot


@dataclass(frozen=True, kw_only=True)
class Case(_AtTable):
    """One round to be judged: what was seen of it, and the rounds before and after it.

    ``remembered``: what was worked out of this case's wagers, by the wager's ``id``, so that it need not be again.
    """

    seen: Observation
    settlement: Settlement
    following: Observation | None = None
    previous: Observation | None = None
    remembered: dict[int, tuple[SeenWager, Any]] = field(default_factory=dict, init=False, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Session(_AtTable):
    """Everything that was seen at one table: all states, and the rounds among them as cases.

    ``remembered``: what was worked out of all states once, by its name, so that it need not be again.
    """

    states: tuple[TableState, ...]
    cases: tuple[Case, ...]
    remembered: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def place_of(self, state: TableState) -> int:
        """Return the place of one of the states among them."""
        return self._places[id(state)]

    def round_during(self, span: Span) -> int | None:
        """Return the place of the first round that was on in some moment of a span, None between rounds."""
        place = bisect_left(self._ends, span.first)
        begun = place < len(self.cases) and self.cases[place].seen.observed.span.first <= span.last
        return place if begun else None

    @cached_property
    def _ends(self) -> list[int]:
        return [case.seen.observed.span.last for case in self.cases]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {id(state): place for place, state in enumerate(self.states)}


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A finding before findings are put in order. ``name`` is what it is about; ``follows``: names of its causes.

    ``rests_on``: the names of the cards and piles whose reading is not sure (``resting``).
    """

    finding: Finding
    name: Name
    follows: tuple[Name, ...] = ()
    rests_on: frozenset[Name] = frozenset()


Check = Callable[[Case], Iterable[Draft]]
TableCheck = Callable[[Session], Iterable[Draft]]
Judged = Case | Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """One check of a round: the games it is for, and the procedures it audits.

    ``of_cards``: it judges by which cards came, when and where, so that a thing taken for a card misleads it.
    ``local``: nothing before or after the time of which it tells takes that back; it holds where that was in view,
    though the view was lost at another time of the round.
    """

    check: Check
    games: frozenset[str]
    ids: tuple[str, ...]
    of_cards: bool = False
    local: bool = False

    def told(self, case: Case) -> Iterator[Draft]:
        """Yield what the check finds in a round; where the view was lost in it, of what lies in view if it may."""
        piece = case.seen.piece
        if not self.local or not piece.missing or piece.begun_unseen:
            yield from self.check(case)
            return
        lost = [state.span for state in piece.states[piece.first :] if state.view != "ok"]
        in_view = replace(case, seen=replace(case.seen, piece=replace(piece, missing=())))
        for draft in self.check(in_view):
            if not any(span.overlaps(draft.finding.span) for span in lost):
                yield draft


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedTable:
    """One check of everything seen at a table.

    ``in_round``: what it finds while a round is on belongs to that round; else it belongs to no round.
    """

    check: TableCheck
    games: frozenset[str]
    ids: tuple[str, ...]
    in_round: bool = False


BLACKJACK: Final = frozenset({"blackjack", "double_deck"})
DICE: Final = frozenset({"draw_n_shoot_21", DICEY})
STUD: Final = frozenset({"stud_21"})
TRILUX: Final = frozenset({"trilux", "super3"})
BACCARAT: Final = frozenset({"lucky_draw_baccarat"})
_BY_HANDS: Final = "B"
OTHERS_PASSED: Final = "whether the arm was over the table: arms passed before the camera"
ALL_GAMES: Final = BLACKJACK | DICE | STUD | BACCARAT


def found(
    case: Judged,
    *procedures: str,
    code: str,
    mass: Mass = CERTAIN,
    span: Span,
    expected: str,
    observed: str,
    seat: int | None = None,
    bet: BetKey | None = None,
    amount: Money | None = None,
    capped: bool = False,
    name: Name | None = None,
    follows: tuple[Name, ...] = (),
    citation: str | None = None,
    unread: Iterable[str] = (),
    rests_on: Iterable[Name] = (),
) -> Iterator[Draft]:
    """Yield the finding that the probabilities make of an act, if any.

    ``capped``: the act may be excused, or its origin was not seen; a finding is at most suspect then. ``unread`` names
    what an undetermined finding lacks. What hands alone say is undetermined while an arm passed before the camera.
    """
    records = catalogue()
    mass = mass.weighed(case.thresholds.breach)
    record = records[procedures[0]]
    by_hands = record.kind.startswith(_BY_HANDS) and not case.thresholds.hands_sure
    verdict = mass.verdict(case.thresholds, capped=capped or record.excusable or by_hands)
    if verdict is None:
        return
    lacking = tuple(unread)
    if by_hands and verdict is Verdict.SUSPECT and any(span.overlaps(one) for one in case.passed):
        mass, verdict, lacking = UNKNOWN, Verdict.UNDETERMINED, (OTHERS_PASSED,)
    open_ = verdict is Verdict.UNDETERMINED
    finding = Finding(
        procedures=procedures,
        code="not-seen" if open_ else code,
        verdict=verdict,
        probability=round(mass.broken, 4),
        expected=expected,
        observed=", ".join(lacking) if open_ and lacking else observed,
        span=span,
        citation=citation or records[procedures[0]].citation,
        seat=seat if bet is None else bet.seat,
        bet=bet,
        amount=None if open_ else amount,
    )
    about = ("not-seen", *(lacking or (observed,))) if open_ else (name or (code, seat, bet))
    yield Draft(finding=finding, name=about, follows=follows, rests_on=frozenset(rests_on))


def not_seen(case: Judged, *procedures: str, reason: str, span: Span, seat: int | None = None) -> Iterator[Draft]:
    """Yield that something needed was not seen."""
    yield from found(
        case,
        *procedures,
        code="not-seen",
        mass=Mass(broken=0.0, kept=0.0),
        span=span,
        expected="what decides it in view",
        observed=reason,
        seat=seat,
        unread=(reason,),
    )


def first_inversion(
    case: Judged,
    pairs: Sequence[Inversion],
    procedure: str,
    code: str,
    expected: str,
    *more: str,
    of: tuple[object, ...] = (),
    follows: tuple[Name, ...] = (),
    mass: Mass = CERTAIN,
) -> Iterator[Draft]:
    """Yield the first certain inversion; or, once, that an order could not be told. ``of``: whose order it is.

    ``mass``: how surely that order was due.
    """
    if not pairs:
        return
    worst = pairs[0]
    if worst.certain:
        yield from found(
            case,
            procedure,
            *more,
            code=code,
            mass=mass,
            span=worst.early.span.hull(worst.late.span),
            expected=expected,
            observed=f"{worst.early.words} before {worst.late.words}",
            seat=worst.early.seat,
            name=(code, *of),
            follows=follows,
        )
    else:
        reason = f"which came first: {worst.late.words} or {worst.early.words}"
        yield from not_seen(case, procedure, *more, reason=reason, span=worst.early.span.hull(worst.late.span))


def dollars(amount: Money | None) -> str:
    """Return the amount as it is written in findings."""
    return "an amount not read" if amount is None else format_money(amount)


def spot_words(wager: SeenWager) -> str:
    """Return where a wager stands, in words."""
    key = wager.key
    hand = "" if key.hand is None else f" hand {key.hand}"
    return f"seat {key.seat}{hand} {key.bet}"


def change_unseen(wager: SeenWager) -> str:
    """Return that nobody saw when a wager changed, in words."""
    return f"seat {wager.key.seat} {wager.key.bet}: whether it changed after the first card"


def too_late(
    case: Case,
    change: Change | None,
    limit: Change | None,
    *procedures: str,
    code: str,
    expected: str,
    observed: str,
    seat: int | None = None,
    bet: BetKey | None = None,
    amount: Money | None = None,
    name: Name | None = None,
    follows: tuple[Name, ...] = (),
    capped: bool = False,
) -> Iterator[Draft]:
    """Yield that something certainly happened only after what it had to come before."""
    if change is not None and limit is not None and change.span.certainly_after(limit.span):
        yield from found(
            case,
            *procedures,
            code=code,
            span=limit.span.hull(change.span),
            expected=expected,
            observed=observed,
            seat=seat,
            bet=bet,
            amount=amount,
            name=name,
            follows=follows,
            capped=capped or not (change.hands and limit.hands),
        )
