"""The pure audit as one function: table states in, rounds with their settlements and findings out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from audit.findings import Finding, Verdict
from audit.pace import pace_record
from audit.paytables import load_rules
from audit.procedures.crosswise import with_wagers_crosswise
from audit.procedures.drafts import Case, Draft, Name, Session, not_seen
from audit.procedures.mistaken_sides import as_far_as_sides_show, mistaken_sides
from audit.procedures.on_print import with_print
from audit.procedures.passing import passing_arms
from audit.procedures.phantoms import shows_unknown_things, with_doubt
from audit.procedures.registry import checks_of, procedures_of, table_checks_of
from audit.procedures.resting import one_question_each
from audit.procedures.told import as_told
from audit.procedures.troubled import with_troubles
from audit.procedures.unattended import as_far_as_hands_show, unattended
from audit.procedures.unclear import with_unclear_hands
from audit.procedures.ways import with_ways_told_once
from audit.readings import Thresholds
from audit.reconstruction import reconstruct
from audit.reconstruction.always_there import always_there, without
from audit.reconstruction.doubled import without_doubles
from audit.reconstruction.merged import with_touching_piles_apart
from audit.reconstruction.missed_cards import with_last_cards
from audit.reconstruction.offered import with_offered_stacks
from audit.reconstruction.parted import with_parts_together, with_whole_piles
from audit.reconstruction.places import Places
from audit.reconstruction.sides import with_sides_by_deeds
from audit.reconstruction.tangles import built_up_again, tangle
from audit.reconstruction.wrists import with_fingers
from audit.rounds import ObservedRound, RoundStatus
from audit.settlement import RuleSet, Settlement, settle
from audit.states import SeenObject, TableState, hands_in_their_gaps, is_known
from audit.table import TableProfile
from audit.timing import Span

_RANK: Final = {Verdict.VIOLATION: 0, Verdict.SUSPECT: 1, Verdict.UNDETERMINED: 2}
_ABOUT_MS: Final = 5_000


@dataclass(frozen=True, kw_only=True)
class AuditedRound:
    """One round, what its wagers were due, and what was found in it, in the order of time."""

    observed: ObservedRound
    settlement: Settlement
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class AuditResult:
    """Every round of a stretch of play; ``findings`` are those that belong to no round."""

    rounds: tuple[AuditedRound, ...]
    findings: tuple[Finding, ...] = ()
    profile: str = ""
    source: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    pace: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the audit in the shape of ``contracts/audit.md``."""
        from audit.reports import audit_record  # noqa: PLC0415 - reports describe results, and results print themselves

        return audit_record(self)


def audit_states(
    states: Iterable[TableState],
    profile: TableProfile,
    *,
    rules: RuleSet | None = None,
    thresholds: Thresholds | None = None,
) -> AuditResult:
    """Return the rounds that the states show, each settled and checked."""
    seen = _as_recognised(states, profile)
    rules = rules or load_rules(profile.game, profile.rules, profile.variant)
    session = _session(seen, profile, rules, thresholds)
    printed = always_there(seen, session.places) if len(session.cases) > 1 else []
    if printed:
        session = _session(without(seen, printed), profile, rules, thresholds)
    tangles = [tangle(case.seen, case.rules.game) or built_up_again(case.seen, case.previous) for case in session.cases]
    of_rounds, of_none = _drafts(session, tangles, printed)
    on_print = frozenset(str(session.places.spot(pile.xy_mm)).partition(".")[2] for pile in printed)
    rounds = tuple(
        AuditedRound(
            observed=(observed := _as_seen(case, reason)),
            settlement=settle(observed.round, session.rules),
            findings=tuple(in_order(list(one_question_each(list(with_print(drafts, on_print)))))),
        )
        for case, reason, drafts in zip(session.cases, tangles, of_rounds, strict=True)
    )
    return AuditResult(
        rounds=rounds,
        findings=tuple(in_order([told for one in of_none for told in with_troubles(_about(session, one), [one])])),
        profile=profile.table_id,
        versions={"rules": session.rules.sha256},
        pace=pace_record(session),
    )


def _as_recognised(states: Iterable[TableState], profile: TableProfile) -> tuple[TableState, ...]:
    """Return the states with what a look at one of them cannot tell: whose hands, and which cards and piles are one."""
    each = tuple(without_doubles(tuple(hands_in_their_gaps(states))))
    looks = tuple(with_last_cards(tuple(_as_they_are(each, profile)), profile))
    seen = tuple(with_touching_piles_apart(tuple(with_parts_together(looks, profile)), profile))
    places = Places(profile=profile)
    return tuple(with_offered_stacks(with_sides_by_deeds(with_fingers(seen, places), places), places))


def _drafts(
    session: Session, tangles: Sequence[str | None], printed: Sequence[SeenObject]
) -> tuple[list[list[Draft]], list[Draft]]:
    """Return what is found in each round, and what belongs to none.

    Args:
        session: the rounds.
        tangles: of each round why it cannot be one, None if it can; nothing but that is told of those.
        printed: piles that stand on the felt through every round.
    """
    of_rounds = [_round_drafts(case, reason) for case, reason in zip(session.cases, tangles, strict=True)]
    of_none = [draft for pile in printed for draft in _never_touched(session, pile)]
    for place, draft in _of_the_table(session):
        if place is None:
            of_none.append(draft)
        elif tangles[place] is None:
            case = session.cases[place]
            of_rounds[place] += with_troubles(case.seen.piece.states, with_unclear_hands(case, [draft]))
    missed, mistaken = unattended((case.seen for case in session.cases), session.states), mistaken_sides(session.states)
    of_rounds = [list(as_far_as_sides_show(as_far_as_hands_show(drafts, missed), mistaken)) for drafts in of_rounds]
    return with_ways_told_once(of_rounds), list(as_far_as_sides_show(as_far_as_hands_show(of_none, missed), mistaken))


def _of_the_table(session: Session) -> Iterator[tuple[int | None, Draft]]:
    """Yield what the checks of whole sessions find, each with the number of its round, None if it is of none."""
    for one in table_checks_of(session.places.profile.game):
        for draft in one.check(session):
            first = draft.finding.span.first
            yield session.round_during(Span(first, first)) if one.in_round else None, draft


def _never_touched(session: Session, pile: SeenObject) -> Iterator[Draft]:
    spot, span = session.places.spot(pile.xy_mm), session.states[0].span.hull(session.states[-1].span)
    reason = f"{spot}: what stands there through every round, untouched, is print or was left for good: no wager"
    yield from not_seen(session, "P420", reason=reason, span=span)


def _as_they_are(states: Iterable[TableState], profile: TableProfile) -> Iterator[TableState]:
    """Yield the states: parts of one pile are that pile, a thing of a kind that nobody knows covers its zones."""
    for state in states:
        unknown = [item for item in state.objects if not is_known(item)]
        zones = {zone.name for item in unknown for zone in profile.zones_at(item.xy_mm)}
        seen = with_whole_piles(state, profile)
        yield replace(seen, covered=state.covered | zones) if zones else seen


def _session(
    states: tuple[TableState, ...], profile: TableProfile, rules: RuleSet, thresholds: Thresholds | None
) -> Session:
    places, limits = Places(profile=profile), thresholds or Thresholds()
    seen = tuple(reconstruct(states, profile))
    passed = () if limits.hands_sure else passing_arms(states, places)
    cases = tuple(
        Case(
            seen=one,
            settlement=settle(one.observed.round, rules),
            rules=rules,
            places=places,
            thresholds=limits,
            following=following,
            previous=previous,
            passed=passed,
        )
        for previous, one, following in zip((None, *seen), seen, (*seen[1:], None), strict=False)
    )
    return Session(states=states, cases=cases, rules=rules, places=places, thresholds=limits, passed=passed)


def _round_drafts(case: Case, tangled: str | None) -> list[Draft]:
    """Return what the checks of a round found, with the gaps in it; of what cannot be one round only that it cannot."""
    if tangled is not None:
        return list(_gap(case, tangled))
    checks, strange = checks_of(case.rules.game), shows_unknown_things(case)
    drafts = [draft for one in checks for draft in with_doubt(case, one, one.told(case), strange=strange)]
    gaps = [draft for reason in case.seen.piece.missing for draft in _gap(case, reason)]
    judged = with_wagers_crosswise(case, with_unclear_hands(case, drafts))
    return list(with_troubles(case.seen.piece.states, judged)) + gaps


def _as_seen(case: Case, tangled: str | None) -> ObservedRound:
    """The round as it is told: partial if it cannot be one, void if it was stopped before anything was settled."""
    if tangled is None:
        observed = as_told(case)
        return replace(observed, status=RoundStatus.VOID) if case.seen.stopped else observed
    observed = case.seen.observed
    return replace(observed, status=RoundStatus.PARTIAL, missing=(*observed.missing, tangled))


def _about(session: Session, draft: Draft) -> list[TableState]:
    """The states that held shortly before, while and shortly after something happened."""
    first, last = draft.finding.span.first - _ABOUT_MS, draft.finding.span.last + _ABOUT_MS
    return [state for state in session.states if state.span.first <= last and state.span.last >= first]


def _gap(case: Case, reason: str) -> Iterator[Draft]:
    """Yield, once, that a part of the round was not seen, with the procedures that this blocks."""
    yield from not_seen(case, *procedures_of(case.rules.game), reason=reason, span=case.seen.observed.span)


def in_order(drafts: Sequence[Draft]) -> Iterator[Finding]:
    """Yield findings by time, each error once, with what it follows from."""
    kept = sorted(_once(drafts), key=lambda draft: (draft.finding.span, _RANK[draft.finding.verdict], str(draft.name)))
    places = {draft.name: place for place, draft in enumerate(kept)}
    for draft in kept:
        causes = [places[name] for name in draft.follows if name in places and places[name] != places[draft.name]]
        yield replace(draft.finding, because_of=causes[0] if causes else None)


def _once(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """Yield one draft for each name; an undetermined one gathers the procedures that it blocks.

    Where one thing is missing to a check and another one beside it to a second, both are told once, together.
    """
    named: dict[Name, Draft] = {}
    for draft in sorted(drafts, key=lambda one: -len(one.name) if _is_open(one) else 0):
        known = named.get(draft.name) or next((one for one in named.values() if _lacks_more(one, draft)), None)
        if known is None:
            named[draft.name] = draft
            continue
        procedures = tuple(dict.fromkeys((*known.finding.procedures, *draft.finding.procedures)))
        named[known.name] = replace(known, finding=replace(known.finding, procedures=procedures))
    yield from named.values()


def _is_open(draft: Draft) -> bool:
    return draft.finding.verdict is Verdict.UNDETERMINED


def _lacks_more(one: Draft, other: Draft) -> bool:
    """Whether one undetermined draft lacks all that another lacks, and more; the names say what."""
    return _is_open(one) and _is_open(other) and set(other.name) < set(one.name)
