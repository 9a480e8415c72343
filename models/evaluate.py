"""How well footage is recognised, stage by stage, against a truth written beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import TableProfile

SAME_PLACE_MM: Final = 16.0
_SLACK_MS: Final = 2_500  # changes are seen some moments apart
_LIES_MM: Final = 9.0
_STAGES: Final = {"card": "cards", "card_back": "card backs", "chips": "chip stacks", "die": "dice"}
_UNSEEN: Final = frozenset({"rack", "shoe", "discard"})


@dataclass(slots=True)
class Lying:
    """One card, pile or die while it lies unchanged in the truth, and the states in which it can be seen there.

    ``gone_ms``: when the truth first tells something else of its place; None if it never does.
    """

    thing: SeenObject
    states: list[TableState] = field(default_factory=list)
    gone_ms: int | None = None

    @property
    def first_ms(self) -> int:
        """Since when it lies there."""
        return self.states[0].span.first

    @property
    def is_brief(self) -> bool:
        """Whether it lies for so short a time that nothing need be told of it."""
        return self.gone_ms is not None and self.gone_ms - self.first_ms < _SLACK_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One object that was not read right, for whoever wants to look at it."""

    kind: str
    verdict: str
    t_ms: int
    xy_mm: tuple[float, float]
    expected: str
    found: str


@dataclass(slots=True, kw_only=True)
class StageScore:
    """Counts of one kind of object: right, wrong, unread (seen but not read), missed, and false (there is none)."""

    counts: Counter[str] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, other: StageScore) -> None:
        """Count what another score counted, too."""
        self.counts.update(other.counts)
        self.mistakes.extend(other.mistakes)

    def as_record(self) -> dict[str, int]:
        """Return the counts by verdict, all verdicts named."""
        return {name: self.counts[name] for name in ("right", "wrong", "unread", "missed", "false")}


def score_states(
    found: Sequence[TableState], truth: Sequence[TableState], profile: TableProfile
) -> dict[str, StageScore]:
    """Return the scores of cards, card backs, chip piles and dice.

    An object counts once for all the time it lies unchanged. It is wrong if any state reads it wrongly, else right if
    a state reads it, else unread if it is at least seen. What was told of its place before it lay there may be told
    for 2.5 s more; where nothing else is told until it has gone, it is missed.
    """
    scores = {name: StageScore() for name in _STAGES.values()}
    for lying in lyings(truth, profile):
        verdict, mistake = _judged(lying, found)
        score = scores[_STAGES[lying.thing.kind]]
        score.counts[verdict] += 1
        if mistake is not None:
            score.mistakes.append(mistake)
    for thing, state in false_objects(found, truth, profile):
        score = scores[_STAGES[thing.kind]]
        score.counts["false"] += 1
        score.mistakes.append(_mistake("false", state, None, thing))
    return scores


def lyings(truth: Iterable[TableState], profile: TableProfile) -> list[Lying]:
    """Return every card, pile and die of the truth once for each time it lies unchanged, where the audit looks."""
    done: list[Lying] = []
    open_now: list[Lying] = []
    for state in truth:
        things = [thing for thing in state.objects if thing.kind in _STAGES and _is_watched(thing, profile)]
        still: list[Lying] = []
        for thing in things:
            before = next((one for one in open_now if _is_unchanged(one.thing, thing)), None)
            lying = before or Lying(thing=thing)
            lying.states.append(state)
            still.append(lying)
        hidden = [one for one in open_now if one not in still and _zones(one.thing, profile) & state.covered]
        gone = [one for one in open_now if one not in still and one not in hidden]
        for one in gone:
            one.gone_ms = state.span.first
        done.extend(gone)
        open_now = still + hidden
    return done + open_now


def false_objects(
    found: Iterable[TableState], truth: Sequence[TableState], profile: TableProfile
) -> list[tuple[SeenObject, TableState]]:
    """Return what was reported at places where nothing of its kind lies at any time near then, each place once.

    What the truth told last may lie there until it tells something else.
    """
    reported: list[tuple[SeenObject, TableState]] = []
    for state in found:
        near = [true for true in truth if _overlap(true, state) > -_SLACK_MS]
        near += [true for true in truth if true.span.first <= state.span.first][-1:]
        things = [thing for true in near for thing in true.objects]
        for thing in state.objects:
            if thing.kind not in _STAGES or not _is_watched(thing, profile) or not near:
                continue
            known = any(_near(thing, other) and _group(thing) == _group(other) for other in things)
            twice = any(_near(thing, other) and thing.kind == other.kind for other, _ in reported)
            if not known and not twice:
                reported.append((thing, state))
    return reported


def _judged(lying: Lying, found: Sequence[TableState]) -> tuple[str, Mistake | None]:
    wrong: tuple[TableState, SeenObject] | None = None
    verdicts: Counter[str] = Counter()
    for state in _telling(lying, [one for one in found if one.view == "ok"]):
        seen = _nearest(lying.thing, state)
        verdict = _verdict(lying.thing, seen)
        verdicts[verdict] += 1
        if verdict == "wrong" and seen is not None and wrong is None:
            wrong = (state, seen)
    if wrong is not None:
        return "wrong", _mistake("wrong", wrong[0], lying.thing, wrong[1])
    for verdict in ("right", "unread"):
        if verdicts[verdict]:
            first = lying.states[0]
            return verdict, None if verdict == "right" else _mistake(verdict, first, lying.thing, None)
    return "missed", _mistake("missed", lying.states[0], lying.thing, None)


def _telling(lying: Lying, found: Sequence[TableState]) -> list[TableState]:
    """The states that tell of a thing while it lies.

    Those that share a moment with the truth of it, without those that soon after it came still tell what was told
    before; else the first that begins before the truth tells something else; else, of what lay for so long that it
    should have been told, what was told before and not taken back.
    """
    ended, last = lying.gone_ms, _last_before(lying, found)
    before = _nearest(lying.thing, last)
    shared = [state for state in found if any(_overlap(true, state) >= 0 for true in lying.states)]
    begun = [one for one in found if lying.first_ms <= one.span.first and (ended is None or one.span.first < ended)]
    for states in (shared, begun[:1]):
        news = [state for state in states if not _is_old(lying, before, state)]
        if news:
            return news
    return [] if lying.is_brief or last is None else [last]


def _is_old(lying: Lying, before: SeenObject | None, state: TableState) -> bool:
    """Whether a state soon after a thing came tells, of its place, only what was told there before."""
    seen = _nearest(lying.thing, state)
    as_before = seen is not None and before is not None and _content(seen) == _content(before)
    is_soon = state.span.last - lying.first_ms < _SLACK_MS
    return as_before and is_soon and _verdict(lying.thing, seen) == "wrong"


def _last_before(lying: Lying, found: Sequence[TableState]) -> TableState | None:
    return next((state for state in reversed(found) if state.span.first < lying.first_ms), None)


def _verdict(thing: SeenObject, seen: SeenObject | None) -> str:
    if seen is None:
        return "missed"
    if thing.kind == "card_back" or seen.kind == "card_back":
        if thing.kind == seen.kind:
            return "right"
        return "unread" if thing.kind == "card" or seen.card is None else "wrong"
    expected, found = _content(thing), _content(seen)
    return "unread" if found is None else "right" if found == expected else "wrong"


def _content(thing: SeenObject) -> object:
    """What a card, a die or a pile shows; None if unread."""
    if thing.kind == "card":
        return thing.card
    return thing.value if thing.kind == "die" else thing.stack


def _nearest(thing: SeenObject, state: TableState | None) -> SeenObject | None:
    near = [
        other for other in (state.objects if state else ()) if _group(other) == _group(thing) and _near(thing, other)
    ]
    return min(near, key=lambda other: _apart(thing, other), default=None)


def _is_unchanged(one: SeenObject, other: SeenObject) -> bool:
    same = one.kind == other.kind and (one.card, one.stack, one.value) == (other.card, other.stack, other.value)
    return same and _apart(one, other) <= _LIES_MM


def _is_watched(thing: SeenObject, profile: TableProfile) -> bool:
    return not _zones(thing, profile) & _UNSEEN


def _zones(thing: SeenObject, profile: TableProfile) -> frozenset[str]:
    return frozenset(zone.name for zone in profile.zones_at(thing.xy_mm))


def _group(thing: SeenObject) -> str:
    return "card" if thing.kind in CARD_KINDS else thing.kind


def _near(one: SeenObject, other: SeenObject) -> bool:
    return _apart(one, other) <= SAME_PLACE_MM


def _apart(one: SeenObject, other: SeenObject) -> float:
    dx, dy = one.xy_mm[0] - other.xy_mm[0], one.xy_mm[1] - other.xy_mm[1]
    return float((dx * dx + dy * dy) ** 0.5)


def _overlap(one: TableState, other: TableState) -> int:
    """Milliseconds that two states share; negative: how far they are apart."""
    return min(one.span.last, other.span.last) - max(one.span.first, other.span.first)


def _mistake(verdict: str, state: TableState, thing: SeenObject | None, seen: SeenObject | None) -> Mistake:
    there = thing or seen
    assert there is not None  # noqa: S101 - one of the two is given
    return Mistake(
        kind=there.kind,
        verdict=verdict,
        t_ms=state.span.first,
        xy_mm=there.xy_mm,
        expected=_reading(thing),
        found=_reading(seen),
    )


def _reading(thing: SeenObject | None) -> str:
    if thing is None:
        return "nothing"
    if thing.kind == "chips":
        return "unread chips" if thing.stack is None else " ".join(thing.stack)
    if thing.kind == "die":
        return "unread die" if thing.value is None else f"die {thing.value}"
    return thing.card or thing.kind
