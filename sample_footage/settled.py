"""The settled table states of a session, as they were acted: the truth for recognition, and a test for the audit.

Written from the tracks alone; nothing here looks at pixels or asks the audit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from audit.states import HandSeen, SeenObject, TableState
from audit.timing import Span
from sample_footage.choreography import Performance
from sample_footage.coverage import Coverage, outline_mm
from sample_footage.geometry import Camera, Floats
from sample_footage.layout import CARD_THICK, CHIP_R, DIE_MM, DISCARD, DISH_R, folded
from sample_footage.tracks import FRAME_MS, Arm, Thing

_LEAST_FRAMES: Final = 6
_LEAST_IF_SHORT: Final = 3
_HIDDEN: Final = 0.5
ArmsOver = dict[int, dict[str, frozenset[str]]]
"""For each frame's time, the zones under each arm that is not at home."""
DISCARD_XY: Final = ((DISCARD[0] + DISCARD[2]) / 2, (DISCARD[1] + DISCARD[3]) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One stretch of frames in which nothing on the table moves and the same zones are covered."""

    first_ms: int
    last_ms: int
    things: tuple[Thing, ...]
    covered: frozenset[str]
    discards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A moment and its state, with the things behind the state's objects (None for the discards)."""

    moment: Moment
    state: TableState
    things: tuple[Thing | None, ...]


def settled(performance: Performance, camera: Camera) -> list[Settled]:
    """Return every settled moment of the session in order."""
    coverage = Coverage.of(camera, performance.table.polygons)
    over = {t_ms: _arms_over(performance, coverage, t_ms) for t_ms in frame_times(performance)}
    visits = _visits(performance, over)
    found: list[Settled] = []
    since = -1
    for moment in _moments(performance, over):
        spines = _spines(performance, coverage, moment.first_ms)
        listed = [thing for thing in moment.things if thing.kind != "lid"]
        seen = [thing for thing in listed if not _is_hidden(thing, moment.first_ms, coverage, spines)]
        objects = [_object(thing, moment, since_ms=since) for thing in seen]
        behind: list[Thing | None] = [*seen]
        if moment.discards:
            objects.append(_discards(moment.discards))
            behind.append(None)
        state = TableState(
            span=Span.of(moment.first_ms, moment.last_ms),
            objects=tuple(objects),
            covered=moment.covered,
            hands=tuple(_since(visits, since, moment.last_ms)),
        )
        found.append(Settled(moment=moment, state=state, things=tuple(behind)))
        since = moment.last_ms
    return found


def frame_times(performance: Performance) -> range:
    """Return the media times of all frames."""
    return range(0, performance.end_ms, FRAME_MS)


def _arms_over(performance: Performance, coverage: Coverage, t_ms: int) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for arm in performance.stage.arms.values():
        spine = coverage.spine(arm, t_ms)
        if spine is not None:
            found[arm.key] = coverage.zones_under(spine)
    return found


def _moments(performance: Performance, over: ArmsOver) -> Iterator[Moment]:
    """Yield, for every stretch in which the same things rest, its runs of equal coverage that last long enough."""
    for times in _stretches(performance):
        runs = _equal_runs([(t_ms, frozenset[str]().union(*over[t_ms].values())) for t_ms in times])
        long = [run for run in runs if len(run[0]) >= _LEAST_FRAMES]
        if not long:
            best = min(runs, key=lambda run: (len(run[1]), -len(run[0])))
            long = [best] if len(best[0]) >= _LEAST_IF_SHORT else []
        for run, covered in long:
            yield Moment(
                first_ms=run[0],
                last_ms=run[-1],
                things=_resting(performance, run[0]),
                covered=covered,
                discards=[count for since, count in performance.stage.discards if since <= run[0]][-1],
            )


def _resting(performance: Performance, t_ms: int) -> tuple[Thing, ...]:
    """The things that lie still; what a hand carries is on no place yet."""
    there = (thing for thing in performance.stage.things if thing.exists_at(t_ms))
    return tuple(thing for thing in there if not thing.pose_at(t_ms).moving)


def _stretches(performance: Performance) -> Iterator[list[int]]:
    key: tuple[str, ...] | None = None
    times: list[int] = []
    for t_ms in frame_times(performance):
        resting = _resting(performance, t_ms)
        now = tuple(f"{thing.key}:{sum(leg.end_ms <= t_ms for leg in thing.legs)}" for thing in resting)
        if now != key and times:
            yield times
            times = []
        key = now
        times.append(t_ms)
    yield times


def _equal_runs(frames: list[tuple[int, frozenset[str]]]) -> list[tuple[list[int], frozenset[str]]]:
    return [
        ([t for t, _ in group], covered) for covered, group in itertools.groupby(frames, key=lambda frame: frame[1])
    ]


def _spines(performance: Performance, coverage: Coverage, t_ms: int) -> list[Floats]:
    found = [coverage.spine(arm, t_ms) for arm in performance.stage.arms.values()]
    return [spine for spine in found if spine is not None]


def _is_hidden(thing: Thing, t_ms: int, coverage: Coverage, spines: list[Floats]) -> bool:
    radius = _RADII.get(thing.kind, CHIP_R)
    outline = outline_mm(thing.pose_at(t_ms).place, is_card=thing.is_flat, radius=radius)
    return any(coverage.hides(spine, outline) > _HIDDEN for spine in spines)


_RADII: Final = {"die": DIE_MM / 2, "dish": DISH_R}


def _object(thing: Thing, moment: Moment, *, since_ms: int) -> SeenObject:
    pose = thing.pose_at(moment.first_ms)
    xy = (pose.place.x, pose.place.y)
    if thing.kind == "chips":
        return SeenObject(kind="chips", xy_mm=xy, stack=thing.stack)
    if thing.die is not None:
        return SeenObject(kind="die", xy_mm=xy, value=thing.die[0], colour=thing.die[1])
    if thing.kind == "dish":
        shakes = sum(times for end, times in thing.shaken if since_ms < end <= moment.first_ms)
        return SeenObject(kind="dice_cup", xy_mm=xy, lid=lid_of(moment, thing), shakes=shakes)
    angle = folded(pose.place.angle)
    if thing.kind == "cut_card":
        return SeenObject(kind="cut_card", xy_mm=xy, angle_deg=angle)
    if pose.face_up:
        return SeenObject(kind="card", xy_mm=xy, angle_deg=angle, card=thing.card)
    return SeenObject(kind="card_back", xy_mm=xy, angle_deg=angle)


def lid_of(moment: Moment, dish: Thing) -> str:
    """Return ``on`` if the lid stands on the dish, else ``off``."""
    place = dish.pose_at(moment.first_ms).place
    lids = [thing.pose_at(moment.first_ms).place for thing in moment.things if thing.kind == "lid"]
    return "on" if any(abs(lid.x - place.x) + abs(lid.y - place.y) < 2.0 for lid in lids) else "off"


def _discards(count: int) -> SeenObject:
    return SeenObject(kind="discards", xy_mm=DISCARD_XY, height_mm=round(count * CARD_THICK, 1))


def _visits(performance: Performance, over: ArmsOver) -> list[HandSeen]:
    """Return every stretch in which an arm was over a zone, in the order of their beginning."""
    found: list[HandSeen] = []
    for arm in performance.stage.arms.values():
        open_since: dict[str, int] = {}
        for t_ms, arms in [*over.items(), (performance.end_ms, {})]:
            now = arms.get(arm.key, frozenset())
            left = [name for name in open_since if name not in now]
            found.extend(_visit(arm, name, open_since.pop(name), t_ms - FRAME_MS) for name in left)
            for name in now:
                open_since.setdefault(name, t_ms)
    return sorted(found, key=lambda visit: (visit.span.first, visit.zones))


def _visit(arm: Arm, zone: str, first_ms: int, last_ms: int) -> HandSeen:
    side = "dealer" if arm.seat is None else "player"
    return HandSeen(side=side, zones=(zone,), span=Span.of(first_ms, max(first_ms, last_ms)), seat=arm.seat)


def _since(visits: list[HandSeen], since_ms: int, until_ms: int) -> Iterator[HandSeen]:
    for visit in visits:
        first, last = max(visit.span.first, since_ms + 1), min(visit.span.last, until_ms)
        if first <= last:
            yield HandSeen(side=visit.side, zones=visit.zones, span=Span.of(first, last), seat=visit.seat)
