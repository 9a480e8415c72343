"""Watches the covered dice cup: where it stands, and how often it is shaken while the dealer carries it.

Where the cup stands at rest its picture is learnt; that picture is followed from frame to frame until dice are seen.
What swings to and fro is counted. If the cup was lost from sight nothing is told of its shakes. No game has one die
alone: what looks like one in their place, without a face or with one pip, is the knob of the cover. One that still
lies there beside the dice of a throw is print.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from audit.states import SeenObject, TableState
from audit.table import TableProfile
from models.camera import Camera, Floats
from models.frames import Frame, Pixels
from models.tracking import Known
from models.zones import within

_NEAR_MM: Final = 60.0  # around the middle of the dice's place: there the covered cup stands
_HIGH_MM: Final = 100.0  # a cup, so that it is seen which way is up
_SEEN_UP_PX: Final = 1e-6  # straight from above no way is
_ASIDE_MM: Final = 20.0  # of the middle a knob may be
_WIDTH_PX: Final = 24  # of the part that is followed, in the picture in which it is followed
_PART: Final = np.array([[0.25, 0.32], [0.75, 0.82]])
"""What of the cup's box is followed, in shares of it: its top may be in a hand, beside it there is felt and print."""
_LEAST_PX: Final = 8
_OF_KNOB: Final = 2.5  # of its size, so that some of the cover is followed with it
_ALONG: Final = 0.8  # cosine
_READ: Final = 0.9  # a die of which a face was read is one
_GLINT: Final = "1"
_FAINT: Final = 0.65  # 580 dice in footage had 0.75 and more, print and knobs 0.54 and 0.58
_PLAIN: Final = 1.0  # levels of brightness: what varies less looks like anything
_REACH: Final = 1.0  # how far, in its width, it may be from one frame to the next
_ALIKE: Final = 0.55
_SURELY: Final = 0.75
_MOSTLY: Final = 0.72  # of a cup in a hand that shakes it 0.78, of arms that passed over one 0.65 and 0.68
_SAME_MM: Final = 30.0
_GAP_MS: Final = 260
_LOST_MS: Final = 1_000
_OPENED_MS: Final = 1_500  # in which a cup that stood is opened; out of sight for longer, it may have been shaken
_LIES_MM: Final = 2.0
_TOGETHER: Final = 2  # no game has fewer dice
_DISH_MM: Final = 75.0  # across
_PRINT_MM: Final = 6.0  # how far print that looks like a die seems to wander
_SWING_MM: Final = 9.0
_REST_MM: Final = 4.0
_LIFTED_MM: Final = 25.0  # cups in a hand that shakes them go 60 and more, those over which arms passed up to 15
_REST_MS: Final = 300
_LEARN_MS: Final = 2_000
_COARSE_MS: Final = 150  # from one picture to the next: swings that are seen so seldom are not counted
_MISSED: Final = 1  # pictures of a cup that moves: where more are missing it may have swung to and fro unseen
_FOLDED: Final = 1_000  # looks, of a minute and more
_ENOUGH: Final = 3  # as often as every document asks for: more of them change nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The cup in one frame: where it is, in millimetres from where it was learnt."""

    t_ms: int
    at_mm: Floats
    alike: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Template:
    """A part of the standing cup, ``scale`` times as large as in the frame, and where it was."""

    picture: Pixels
    scale: float
    corner_px: Floats
    px_per_mm: float
    xy_mm: tuple[float, float]
    learnt_ms: int


class CupWatch:
    """Follows the dice cup of a table that has a place for dice."""

    def __init__(self, profile: TableProfile, camera: Camera) -> None:
        self._zone = profile.zone("dice")
        self._camera = camera
        self._template: _Template | None = None
        self._corner_px: Floats | None = None
        self._seen: list[_Seen] = []
        self._told_ms: int | None = None
        self._carried: list[int | None] = []
        self._lay: list[tuple[float, float]] = []
        self._unread: tuple[SeenObject, ...] = ()
        self._print_mm: tuple[tuple[float, float], ...] = ()

    def see(self, frame: Frame, known: Iterable[Known]) -> None:
        """Watch one frame; ``known`` is what lies on the table."""
        if self._zone is None:
            return
        clear = [one for one in known if one.touched_ms is None and one.kind in ("dice_cup", "die")]
        dice = [
            one for one in clear if one.kind == "die" and not self._is_print(one.xy_mm, read=_is_read(one.now.faces))
        ]
        if len(dice) > 1 and all(_is_faint(one.now.confidence, read=_is_read(one.now.faces)) for one in dice):
            dice = [one for one in dice if self._is_over_the_middle(one.now.polygon_px)][:1] or dice
        knob = dice[0] if len(dice) == 1 and self._is_knob(dice[0].xy_mm, dice[0].now.faces) else None
        if dice and knob is None:
            return
        cup = next((one for one in clear if one.kind == "dice_cup" and self._stands(one.xy_mm)), None)
        if cup is not None:
            self._learn(frame, cup.now.polygon_px, cup.xy_mm)
        elif knob is not None and self._is_over_the_middle(knob.now.polygon_px):
            self._learn(frame, _around(knob.now.polygon_px), knob.xy_mm)
        if self._template is not None:
            self._follow(frame, self._template)

    def forget(self) -> None:
        """Give up what is being followed: the view is lost."""
        self._template = self._corner_px = None

    def told(self, states: Iterable[TableState]) -> Iterator[TableState]:
        """Yield the states with what is known of the cup; its cover, when it lies beside, is no cup."""
        for state in states:
            yield state if self._zone is None else replace(state, objects=self._with_cup(state))

    def foreseen(self, states: Iterable[TableState]) -> Iterator[TableState]:
        """Yield what ``told`` would, of states that are not final yet: nothing is taken for told."""
        other = copy(self)
        other._carried = list(self._carried)  # noqa: SLF001 - of the same class
        return other.told(states)

    def _middle_mm(self) -> tuple[float, float]:
        assert self._zone is not None  # noqa: S101 - for the type checker
        return self._zone.centre_mm

    def _stands(self, xy_mm: tuple[float, float]) -> bool:
        x, y = self._middle_mm()
        return float(np.hypot(xy_mm[0] - x, xy_mm[1] - y)) <= _NEAR_MM

    def _is_over_the_middle(self, outline_px: Floats) -> bool:
        """Whether the camera sees something above the middle of the dice's place, as the knob of the cup there."""
        foot, above = self._camera.to_pixels([(*self._middle_mm(), height) for height in (0.0, _HIGH_MM)])
        up, way = above - foot, outline_px.mean(axis=0) - foot
        aside = abs(float(up[0] * way[1] - up[1] * way[0])) / max(float(np.linalg.norm(up)), _SEEN_UP_PX)
        return aside <= _ASIDE_MM * self._camera.px_per_mm(np.asarray(self._middle_mm()))

    def _is_knob(self, xy_mm: tuple[float, float], faces: Mapping[str, float]) -> bool:
        """Whether what looks like a die is the knob of the cover: no face of it is read, or one pip, as lamps glint."""
        likeliest = max(faces, key=lambda face: faces[face], default=_GLINT)
        return self._stands(xy_mm) and (likeliest == _GLINT or faces[likeliest] < _READ)

    def _learn(self, frame: Frame, outline_px: Floats, xy_mm: tuple[float, float]) -> None:
        t_ms = int(frame.t_ms)
        if self._template is not None and t_ms - self._template.learnt_ms < _LEARN_MS:
            return
        box = np.array([outline_px.min(axis=0), outline_px.max(axis=0)])
        low, high = box[0] + _PART * (box[1] - box[0])
        scale = min(1.0, _WIDTH_PX / max(float(high[0] - low[0]), 1.0))
        picture = _part(frame.luma, low, high, scale)
        if min(picture.shape) >= _LEAST_PX and float(picture.std()) > _PLAIN:
            px_per_mm = self._camera.px_per_mm(np.asarray(xy_mm))
            self._template = _Template(
                picture=picture, scale=scale, corner_px=low, px_per_mm=px_per_mm, xy_mm=xy_mm, learnt_ms=t_ms
            )

    def _follow(self, frame: Frame, template: _Template) -> None:
        t_ms = int(frame.t_ms)
        if self._corner_px is None or (self._seen and t_ms - self._seen[-1].t_ms > _LOST_MS):
            self._corner_px = template.corner_px
        found = _best_match(frame.luma, template, self._corner_px)
        away_mm = float(np.linalg.norm(found[0] - template.corner_px)) / template.px_per_mm
        if found[1] < _SURELY or away_mm > _SAME_MM:  # it may have drifted to something else, and the cup be at home
            at_home = _best_match(frame.luma, template, template.corner_px)
            found = at_home if at_home[1] >= max(_SURELY, found[1]) else found
        corner, alike = found
        if alike >= _ALIKE:
            self._corner_px = corner
            moved = (corner - template.corner_px) / template.px_per_mm
            self._seen.append(_Seen(t_ms=t_ms, at_mm=moved, alike=alike))
            self._fold_rest()

    def _fold_rest(self) -> None:
        """Let go of the looks at a cup that has stood for minutes without a state: nobody has shaken it until then."""
        if len(self._seen) < 2 * _FOLDED or self._told_ms is None:
            return
        old = self._seen[:_FOLDED]
        times = [self._told_ms, *(one.t_ms for one in old)]
        rested = all(float(np.linalg.norm(one.at_mm - old[0].at_mm)) <= _REST_MM for one in old)
        if rested and all(later - earlier <= _GAP_MS for earlier, later in pairwise(times)):
            self._told_ms, self._seen = old[-1].t_ms, self._seen[_FOLDED:]

    def _with_cup(self, state: TableState) -> tuple[SeenObject, ...]:
        others = self._without_apart([one for one in state.objects if one.kind != "dice_cup"])
        others = self._without_print(others)
        lone = [one for one in others if one.kind == "die"]
        cups = [one for one in state.objects if one.kind == "dice_cup" and self._stands(one.xy_mm)]
        is_die = any(_lie_alike([one.xy_mm], [place]) for one in lone for place in self._lay)
        faint = all(_is_faint(one.confidence, read=one.value is not None) for one in lone)
        if faint and len(lone) > 1 and not self._lay:
            others = tuple(one for one in others if one.kind != "die")
            cups = cups or [SeenObject(kind="dice_cup", xy_mm=self._middle_mm())]
        plain = len(lone) == 1 and lone[0].value in (None, int(_GLINT)) and not is_die
        if plain and self._is_knob(lone[0].xy_mm, lone[0].candidates):
            others = tuple(one for one in others if one is not lone[0])
            cups = cups or [SeenObject(kind="dice_cup", xy_mm=self._middle_mm())]
        dice = [one.xy_mm for one in others if one.kind == "die"]
        found = self._found(state)
        count = self._shakes_until(state, opened=bool(dice))
        if not (dice or cups or found):
            self._carried.append(count)
            return others
        count = self._with_carried(count)
        lay, self._lay = self._lay, dice
        if dice and _lie_alike(dice, lay):
            count = None if count is None else 0
        if dice:
            x, y = np.mean(dice, axis=0)
            dish = SeenObject(kind="dice_cup", xy_mm=(round(float(x), 1), round(float(y), 1)), lid="off", shakes=count)
            return (*others, dish)
        return (*others, *(replace(one, lid="on", shakes=count) for one in cups[:1] or found))

    def _without_apart(self, things: Sequence[SeenObject]) -> tuple[SeenObject, ...]:
        """Leave out what looks like a die beside the place of those that lie together there: the cover's knob."""
        assert self._zone is not None  # noqa: S101 - for the type checker
        place = [self._zone.polygon_mm]
        dish = [one.xy_mm for one in things if one.kind == "die" and within(one.xy_mm, place)]
        if len(dish) < _TOGETHER:
            return tuple(things)
        return tuple(
            one
            for one in things
            if one.kind != "die"
            or within(one.xy_mm, place)
            or any(np.hypot(one.xy_mm[0] - x, one.xy_mm[1] - y) <= _DISH_MM for x, y in dish)
        )

    def _without_print(self, things: Sequence[SeenObject]) -> tuple[SeenObject, ...]:
        """Leave out print that looks like a die without a face: it lies beside those of a throw as it did before it."""
        dice = [one for one in things if one.kind == "die"]
        unread = tuple(one for one in dice if one.value is None)
        if len(dice) - len(unread) >= _TOGETHER:
            print_mm = (one.xy_mm for one in unread if any(_is_same(one, other) for other in self._unread))
            self._print_mm += tuple(place for place in print_mm if not self._is_print(place, read=False))
            self._unread = ()
        elif dice:
            self._unread = unread if len(unread) == len(dice) else ()
        return tuple(
            one for one in things if one.kind != "die" or not self._is_print(one.xy_mm, read=one.value is not None)
        )

    def _is_print(self, xy_mm: tuple[float, float], *, read: bool) -> bool:
        return not read and any(_are_near(xy_mm, place) for place in self._print_mm)

    def _with_carried(self, count: int | None) -> int | None:
        """Add the shakes before states in which no cup stood; if those are not known, some may be missing."""
        before, self._carried = self._carried, []
        known = [shakes for shakes in (*before, count) if shakes is not None]
        whole = len(known) == len(before) + 1
        return sum(known) if whole or (before and sum(known) >= _ENOUGH) else None

    def _found(self, state: TableState) -> list[SeenObject]:
        """The cup where it was learnt, if it was found there again while a state held."""
        here = [one for one in self._seen if state.span.first <= one.t_ms <= state.span.last]
        if self._template is None or not here:
            return []
        stood = [one.alike >= _SURELY and float(np.linalg.norm(one.at_mm)) <= _SAME_MM for one in here]
        return [SeenObject(kind="dice_cup", xy_mm=self._template.xy_mm)] if all(stood) else []

    def _shakes_until(self, state: TableState, *, opened: bool) -> int | None:
        """How often the cup was shaken since the state before; None if it was out of sight, or seen too seldom.

        While it is carried nothing may change on the felt, so that the state before lasts all the while.
        """
        since, until = self._told_ms, int(state.span.first)
        self._told_ms = until
        if since is None:
            return None
        seen = [one for one in self._seen if since - _GAP_MS < one.t_ms <= until]
        self._seen = [one for one in self._seen if one.t_ms > self._told_ms - _GAP_MS]
        way = _until_put_down(seen) if opened else seen
        times = [since, *(one.t_ms for one in way), *([] if opened else [until])]
        never_sure = all(one.alike < _SURELY for one in seen)
        if not way or never_sure or any(later - earlier > _GAP_MS for earlier, later in pairwise(times)):
            return None
        whole = cycles([one.at_mm for one in seen])
        count = max(
            cycles([one.at_mm for one in way]), whole - (len(way) < len(seen))
        )  # the cover's own way may be one
        if count < _ENOUGH and (_pace_ms(seen) > _COARSE_MS or _was_lost_moving(seen)):
            return None
        if (count or opened) and _drifted(way):
            return None
        if count == _ENOUGH - 1 and _may_be_one_more([one.at_mm for one in way]):
            return None
        later = [way[-1].t_ms, *(one.t_ms for one in seen[len(way) :] if one.alike >= _MOSTLY)]
        lost = opened and any(after - before > _OPENED_MS for before, after in pairwise([*later, until]))
        return None if lost and count < _ENOUGH else count


def _around(knob_px: Floats) -> Floats:
    """Return the box (4, 2) of what is followed of a cup of which the knob alone is known."""
    middle = knob_px.mean(axis=0)
    return np.asarray(middle + (knob_px - middle) * _OF_KNOB, dtype=np.float64)


def _best_match(luma: Pixels, template: _Template, corner_px: Floats) -> tuple[Floats, float]:
    """Return where, near a corner, the picture is most like a template, and how much (0 where it does not fit)."""
    size = np.array(template.picture.shape[::-1]) / template.scale
    low = np.maximum(np.floor(corner_px - _REACH * size[0]), 0.0)
    around = _part(luma, low, corner_px + size + _REACH * size[0], template.scale)
    if any(a < b for a, b in zip(around.shape, template.picture.shape, strict=True)):
        return corner_px, 0.0
    alike = cv2.matchTemplate(around, template.picture, method=cv2.TM_CCOEFF_NORMED)
    _, best, _, place = cv2.minMaxLoc(alike)
    return low + np.array(place) / template.scale, float(best)


def _is_read(faces: Mapping[str, float]) -> bool:
    return max(faces.values(), default=0.0) >= _READ


def _is_faint(confidence: float | None, *, read: bool) -> bool:
    """Return whether what looks like a die is hardly one: no face is read, and it is less like one than any die is."""
    return not read and confidence is not None and confidence < _FAINT


def _is_same(one: SeenObject, other: SeenObject) -> bool:
    """Return whether a thing lies where it lay, and was there all the while."""
    return one.since_ms == other.since_ms and _are_near(one.xy_mm, other.xy_mm)


def _are_near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return float(np.hypot(one[0] - other[0], one[1] - other[1])) <= _PRINT_MM


def _lie_alike(dice: Sequence[tuple[float, float]], before: Sequence[tuple[float, float]]) -> bool:
    """Return whether dice lie where they lay before: nobody has shaken them."""
    return len(dice) == len(before) and all(
        any(float(np.hypot(x - u, y - v)) <= _LIES_MM for u, v in before) for x, y in dice
    )


def _part(luma: Pixels, low: Floats, high: Floats, scale: float) -> Pixels:
    """Return a rectangle of the picture, ``scale`` times as large."""
    (x0, y0), (x1, y1) = (np.clip(np.round(edge), 0, luma.shape[::-1]).astype(int) for edge in (low, high))
    part = luma[y0:y1, x0:x1]
    size = (max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
    if not part.size:
        return np.zeros((1, 1), dtype=np.uint8)
    return np.asarray(cv2.resize(part, dsize=size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _until_put_down(seen: Sequence[_Seen]) -> Sequence[_Seen]:
    """What was seen until the cup last rested before it moved again, all if it never did: what moved is its cover."""
    cut, first = len(seen), 0
    for index in range(1, len(seen)):
        if float(np.linalg.norm(seen[index].at_mm - seen[first].at_mm)) > _REST_MM:
            if seen[index - 1].t_ms - seen[first].t_ms >= _REST_MS:
                cut = first + 1
            first = index
    return seen[:cut]


def _drifted(seen: Sequence[_Seen]) -> bool:
    """Whether an arm that passed over the cup may have been taken for it.

    What moved was mostly little like the cup, or nothing of it went as far as a cup that is lifted.
    """
    ways = [float(np.linalg.norm(one.at_mm)) for one in seen]
    moved = [one.alike for one, way in zip(seen, ways, strict=True) if way > _REST_MM]
    return bool(moved) and (float(np.median(moved)) < _MOSTLY or max(ways) < _LIFTED_MM)


def _pace_ms(seen: Sequence[_Seen]) -> float:
    """How long it mostly was from one picture of the cup to the next."""
    return float(np.median(np.diff([one.t_ms for one in seen]))) if len(seen) > 1 else 0.0


def _was_lost_moving(seen: Sequence[_Seen]) -> bool:
    """Whether the cup was lost from sight while it moved, so often that it may have swung to and fro."""
    pace = max(_pace_ms(seen), 1.0)
    moving = [(one, other) for one, other in pairwise(seen) if float(np.linalg.norm(one.at_mm)) > _REST_MM]
    return sum(round((other.t_ms - one.t_ms) / pace) - 1 for one, other in moving) > _MISSED


def cycles(places_mm: Sequence[Floats]) -> int:
    """Return how many full cycles a path (points of 2) makes to and fro, in the direction in which it makes most."""
    return _most_turns(places_mm)[0] // 2


def _most_turns(places_mm: Sequence[Floats]) -> tuple[int, Floats]:
    """How often a path turns in the direction (2,) in which it turns most, of several where it is longest."""
    ways = [np.array([np.cos(angle), np.sin(angle)]) for angle in np.linspace(0, np.pi, 8, endpoint=False)]
    if len(places_mm) < 3:  # noqa: PLR2004 - there, back and there again
        return 0, ways[0]
    path = np.array(places_mm)
    return max(((_turns(path @ way), way) for way in ways), key=lambda one: (one[0], float(np.ptp(path @ one[1]))))


def _may_be_one_more(places_mm: Sequence[Floats]) -> bool:
    """Whether a cup that is shaken in the direction in which it was lifted may have been shaken once more than counted.

    The first swing may have begun with the lifting, and the last have ended with the putting down.
    """
    turns, way = _most_turns(places_mm)
    lifted = np.mean(places_mm, axis=0)
    return turns % 2 == 1 and abs(float(lifted @ way)) >= _ALONG * float(np.linalg.norm(lifted))


def _turns(along: Floats) -> int:
    """How often a value turns after having gone at least a swing's way."""
    turns, way = 0, 0
    low = high = float(along[0])
    for value in map(float, along):
        low, high = min(low, value), max(high, value)
        if way >= 0 and high - value >= _SWING_MM:
            turns, way, low = turns + way, -1, value
        elif way <= 0 and value - low >= _SWING_MM:
            turns, way, high = turns - way, 1, value
    return turns
