"""Arms over the table: from whose side each comes, and over which zones it is when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from audit.states import HandSeen
from audit.timing import Span
from models.camera import Floats
from models.motion import Blob, Mask, Watcher, blobs, grown
from models.zones import ZoneMap

_BORDER: Final = 2  # small pixels
_GAP_MS: Final = 260  # an arm that is back over a zone so soon had not left it
_ROOT_POINTS: Final = 40
_DECIDED: Final = 24  # votes
_LONG_SEEN: Final = 72
_LEAST_RUN: Final = 3
_LEFT_HANDS: Final = 3.0  # hands: so large is what an arm may have left at the border
_LEFT_MS: Final = 3_000
_UNCOVERED_MS: Final = 400  # so long nothing moves where an arm took away what lay at the border
_OPENED_MS: Final = 700
_OPENED: Final = 0.4  # of a cup, whose rim stays as it was
_RIM: Final = 3  # small pixels around a thing are its shadow
_TIP_MS: Final = 640  # so long a hand that reaches the far border is at work there
_MET_MS: Final = 150  # arms that look like one for no longer than this have met, each where it was
_REACH: Final = 0.15  # of the picture's height a hand goes from picture to picture
_SLID: Final = 0.03  # of the picture's height an arm's root slides along the border from picture to picture


_SideKey = tuple[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Root:
    """A stretch of the picture's border that an arm touches: small pixels (n, 2), and the side that is nearest."""

    side: _SideKey
    points: Floats


@dataclass(slots=True, eq=False)
class Arm:
    """One arm while it is seen: its pixels now, votes for its side, and the open interval over each zone.

    While arms of several sides look like one, each side's intervals are told: whose hand it was is not known then.
    ``roots``: where it touched the border last, of its own side where those of several sides did. ``was``: its pixels
    in the picture before. ``tip_ms``: since when its hand touches the border on another side, before all if another
    arm came from there. ``met_ms``: since when arms of several sides look like one.
    """

    mask: Mask
    seen_ms: int
    roots: list[Root] = field(default_factory=list)
    votes: Counter[_SideKey] = field(default_factory=Counter)
    over: dict[tuple[str, _SideKey | None], list[int]] = field(default_factory=dict)
    was: Mask | None = None
    tip_ms: float | None = None
    met_ms: int | None = None

    @property
    def is_decided(self) -> bool:
        """Whether so many frames speak for one side that more would change nothing."""
        top = self.votes.most_common(1)
        return bool(top) and top[0][1] >= _DECIDED and top[0][1] >= 0.8 * self.votes.total()

    @property
    def side(self) -> _SideKey:
        """The side most frames speak for."""
        return self.votes.most_common(1)[0][0]


_Tip = tuple[Arm, Mask, float | None]
"""An arm, its pixels in the picture before, and since when its hand touches the border on another side."""


class HandWatch:
    """Follows arms from picture to picture and tells the intervals in which one was over a zone.

    An arm is a part of the picture that differs from the table and moves, and that reaches the border or is as large
    as a hand; it stays an arm while it rests, as long as it reaches the border. What rests there and is hardly larger
    than a hand is what an arm set down, or uncovered, at the border; so is what rests where known things lay and has
    hardly anything beyond them, however large. ``mask``: all pixels of arms now.
    """

    def __init__(self, zones: ZoneMap) -> None:
        self._zones = zones
        self._arms: list[Arm] = []
        self._done: list[HandSeen] = []
        self.mask: Mask = np.zeros(zones.shape, dtype=np.uint8)
        self._border = _border(*zones.shape)
        self._from_border = zones.distances(self._border / zones.scale)
        self._hand_px = zones.hand_px

    def see(self, watcher: Watcher, things: Callable[[tuple[int, int]], Mask], cups: Mask | None = None) -> None:
        """Take in the watcher's present masks; ``things`` gives where all that lay there is, for a size.

        ``cups``: where cups of dice stand.
        """
        cups = np.zeros(self._zones.shape, dtype=np.uint8) if cups is None else cups
        found = [blob for blob in blobs(grown(_alive(watcher), 1), least=12) if self._is_arm(blob, watcher, things)]
        kept: list[Arm] = []
        before, tips = self._sides_over(watcher.t_ms), [(arm, arm.mask, arm.tip_ms) for arm in self._arms]
        for blob in found:
            mask = self._without_opened(blob.on(self._zones.shape), watcher, cups)
            roots = self._roots_of(mask) if _at_border(blob, self._zones.shape) else []
            arm = self._continued(mask, kept, watcher.t_ms, roots, tips)
            kept.append(arm)
            roots = self._without_tip(arm, roots)
            sides = self._sides_of(arm, mask, roots)
            several = len({name for name, _ in sides}) > 1
            if not arm.is_decided and not (several and arm.votes):
                for side in sides:
                    arm.votes[side] += 3 if roots else 1
            arm.roots = [root for root in roots if root.side == arm.side or self._has_slid(arm, root)] or arm.roots
            arm.met_ms = None if not several else watcher.t_ms if arm.met_ms is None else arm.met_ms
            self._follow(arm, list(sides) if several else [None], watcher.t_ms, before)
        for arm in self._arms:
            if arm not in kept:
                self._finish(arm, arm.over)
        self._arms = kept
        self.mask = np.zeros(self._zones.shape, dtype=np.uint8)
        for arm in kept:
            self.mask |= arm.mask

    def take(self, until_ms: int) -> tuple[HandSeen, ...]:
        """Return the intervals since the last call, open ones cut at ``until_ms``; those go on afterwards."""
        done, self._done = self._done, []
        for arm in self._arms:
            for place, (first, last) in arm.over.items():
                if first <= min(last, until_ms):
                    done.append(_seen(arm, place, first, min(last, until_ms)))
                    arm.over[place] = [min(last, until_ms) + 1, last]
        return tuple(sorted(_merged(done), key=lambda hand: (hand.span.first, hand.span.last, hand.zones)))

    def forget(self) -> None:
        """Drop all arms and intervals: the view was lost."""
        self._arms.clear()
        self.mask = np.zeros(self._zones.shape, dtype=np.uint8)
        self._done.clear()

    def _is_arm(self, blob: Blob, watcher: Watcher, things: Callable[[tuple[int, int]], Mask]) -> bool:
        if watcher.only_ticks(blob):
            return False
        x0, y0, x1, y1 = blob.box
        moving = cv2.countNonZero(cv2.bitwise_and(watcher.moving[y0:y1, x0:x1], blob.mask))
        was_arm = any(cv2.hasNonZero(cv2.bitwise_and(arm.mask[y0:y1, x0:x1], blob.mask)) for arm in self._arms)
        if _at_border(blob, self._zones.shape) and blob.area >= self._hand_px / 3:
            if blob.area < _LEFT_HANDS * self._hand_px and watcher.rests(blob, for_ms=_LEFT_MS):
                return False
            if was_arm and watcher.rests(blob, for_ms=_UNCOVERED_MS) and self._is_uncovered(blob, things):
                return False
            return was_arm or moving >= 0.02 * blob.area
        if watcher.has_jumped and not was_arm:
            return False  # a pile that went while no picture was taken seems to move, too
        return blob.area >= self._hand_px and moving >= (0.05 if was_arm else 0.25) * blob.area

    def _is_uncovered(self, blob: Blob, things: Callable[[tuple[int, int]], Mask]) -> bool:
        """Whether hardly anything of a part of the picture is beyond the things that lay there: they have gone."""
        x0, y0, x1, y1 = blob.box
        lay = grown(np.ascontiguousarray(things(self._zones.shape)[y0:y1, x0:x1]), _RIM)
        return cv2.countNonZero(cv2.bitwise_and(blob.mask, cv2.bitwise_not(lay))) < self._hand_px

    def _without_opened(self, mask: Mask, watcher: Watcher, cups: Mask) -> Mask:
        """An arm's pixels without a cup at its end of which the middle looks otherwise for long: the lid was taken off.

        The lid lay beside its cup, under the dealer's hand: the open cup was a part of his arm for nine seconds.
        """
        for cup in blobs(cups, least=round(self._hand_px)):
            x0, y0, x1, y1 = cup.box
            there = cv2.bitwise_and(mask[y0:y1, x0:x1], cup.mask)
            changed = Blob(box=cup.box, mask=there, area=cv2.countNonZero(there))
            if changed.area >= _OPENED * cup.area and watcher.rests(changed, for_ms=_OPENED_MS):
                beside = cv2.bitwise_not(grown(cup.on(self._zones.shape), _RIM))
                left = np.asarray(cv2.bitwise_and(mask, beside), dtype=np.uint8)
                mask = left if len(list(blobs(left, least=round(self._hand_px / 3)))) == 1 else mask
        return mask

    def _roots_of(self, mask: Mask) -> list[Root]:
        """One for each stretch of border the mask touches."""
        runs = _border_runs(mask)
        sides = [self._zones.nearest(self._from_border[run]) for run in runs]
        points = [self._border[run] for run in runs]
        return [Root(side=(side.name, side.seat), points=some) for side, some in zip(sides, points, strict=True)]

    def _sides_of(self, arm: Arm, mask: Mask, roots: Sequence[Root]) -> list[_SideKey]:
        """The side of each stretch of border, an arm's own where it slid along; the nearest side if it touches none."""
        if not roots:
            side = self._zones.side_of(self._pixels(mask))
            return [(side.name, side.seat)]
        return list(dict.fromkeys(arm.side if self._has_slid(arm, root) else root.side for root in roots))

    def _has_slid(self, arm: Arm, root: Root) -> bool:
        """Whether an arm whose side is known comes from there: it touched the border there a moment ago."""
        near = _SLID * self._zones.shape[0]
        return arm.is_decided and any(_gap(root.points, old.points) <= near for old in arm.roots)

    def _pixels(self, mask: Mask) -> Floats:
        rows, columns = np.nonzero(mask)
        step = max(1, len(rows) // _ROOT_POINTS)
        return np.column_stack([columns[::step], rows[::step]]).astype(np.float64) / self._zones.scale

    def _continued(self, mask: Mask, taken: list[Arm], t_ms: int, roots: Sequence[Root], tips: Sequence[_Tip]) -> Arm:
        """Return the arm that this mask continues, or a new one: an arm seen to come from elsewhere is another.

        So is what is left of arms of several sides that looked like one, where it comes from another side than most.
        """
        best, shared = None, 0
        for arm in self._arms:
            common = cv2.countNonZero(cv2.bitwise_and(arm.mask, mask))
            own = any(root.side[0] == arm.side[0] or self._has_slid(arm, root) for root in roots)
            other = bool(roots) and not own and (arm.is_decided or arm.votes.total() >= _LONG_SEEN)
            if common > shared and arm not in taken and not other:
                best, shared = arm, common
        arm = best or self._new_arm(mask, t_ms, roots, tips)
        arm.was, arm.mask, arm.seen_ms = None if best is None else best.mask, mask, t_ms
        return arm

    def _new_arm(self, mask: Mask, t_ms: int, roots: Sequence[Root], tips: Sequence[_Tip]) -> Arm:
        """An arm that came into sight; a hand that touches no border where one was is that arm's still.

        So is one at the border that its arm has just reached (``tips``: since when, before this picture). A dealer's
        cuff had the felt's colour in one picture: his hand was told as the player's whose wager he paid, or pushed on.
        """
        near = [tip for tip in tips if not roots or (tip[2] is not None and t_ms - tip[2] <= _TIP_MS)]
        shared = [cv2.countNonZero(cv2.bitwise_and(last, mask)) for _, last, _ in near]
        parent, _, tip_ms = near[int(np.argmax(shared))] if near else (None, mask, None)
        if parent is None or 2 * max(shared) < cv2.countNonZero(mask):
            return Arm(mask=mask, seen_ms=t_ms)
        return Arm(mask=mask, seen_ms=t_ms, votes=Counter(parent.votes), tip_ms=tip_ms if roots else None)

    def _without_tip(self, arm: Arm, roots: list[Root]) -> list[Root]:
        """Leave out where the hand of an arm has reached the border opposite to where it comes from, a moment ago.

        A dealer's fingers touched the upper border over a seat's wagers, and a player's hand was told there, too.
        """
        own = [root for root in roots if arm.votes and root.side[0] == arm.side[0]]
        if not own or len(own) == len(roots):
            arm.tip_ms = None if own or not roots else arm.tip_ms
            return roots
        if arm.tip_ms is None:
            reached = all(self._is_reached(arm, root) for root in roots if root not in own)
            arm.tip_ms = arm.seen_ms if reached else -np.inf
        return own if arm.seen_ms - arm.tip_ms <= _TIP_MS else roots

    def _is_reached(self, arm: Arm, root: Root) -> bool:
        """Whether an arm was near a stretch of the border in the picture before, and no other arm was there."""
        reach = round(_REACH * self._zones.shape[0])
        x, y = np.round(root.points.mean(axis=0)).astype(int).tolist()
        near = np.s_[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
        others = [other.mask for other in self._arms if other is not arm]
        return arm.was is not None and bool(arm.was[near].any()) and not any(other[near].any() for other in others)

    def _sides_over(self, t_ms: int) -> dict[str, set[_SideKey]]:
        """Whose hands were over each zone a moment ago."""
        over: dict[str, set[_SideKey]] = {}
        for arm in self._arms:
            for (zone, side), span in arm.over.items():
                if t_ms - span[1] <= _GAP_MS:
                    over.setdefault(zone, set()).add(side or arm.side)
        return over

    def _follow(
        self, arm: Arm, sides: Sequence[_SideKey | None], t_ms: int, before: Mapping[str, Set[_SideKey]]
    ) -> None:
        """Note over which zones an arm is; where arms of several sides have just met, each is where it was before.

        The dealer's arm that paid a wager met a player's at rest in one picture: the wager was said to be changed.
        """
        have_met = arm.met_ms is not None and t_ms - arm.met_ms < _MET_MS
        now: set[tuple[str, _SideKey | None]] = set()
        for zone in self._zones.under_hand(arm.mask):
            own = [side for side in sides if side in before.get(zone, ())] if have_met else []
            now |= {(zone, side) for side in own or sides}
        for place in now:
            arm.over.setdefault(place, [t_ms, t_ms])[1] = t_ms
        left = {place: span for place, span in arm.over.items() if place not in now and t_ms - span[1] > _GAP_MS}
        self._finish(arm, left)
        for place in left:
            del arm.over[place]

    def _finish(self, arm: Arm, over: dict[tuple[str, _SideKey | None], list[int]]) -> None:
        self._done.extend(_seen(arm, place, first, last) for place, (first, last) in over.items() if first <= last)


def _alive(watcher: Watcher) -> Mask:
    """Pixels of what is above the table: changed and known before, or moving; also before what ticks."""
    known = cv2.bitwise_and(watcher.other, watcher.known)
    return np.asarray(cv2.bitwise_or(known, watcher.restless), dtype=np.uint8)


def _at_border(blob: Blob, shape: tuple[int, int]) -> bool:
    x0, y0, x1, y1 = blob.box
    return x0 < _BORDER or y0 < _BORDER or x1 > shape[1] - _BORDER or y1 > shape[0] - _BORDER


def _gap(one: Floats, other: Floats) -> float:
    return float(np.hypot(*(one[:, None] - other[None]).T).min())


def _border_runs(mask: Mask) -> list[slice]:
    """The stretches of the picture's border, see ``_border``, that a mask touches; not every pixel of long ones."""
    upper, right = mask[:_BORDER].max(axis=0), mask[:, -_BORDER:].max(axis=1)
    lower, left = mask[-_BORDER:].max(axis=0), mask[:, :_BORDER].max(axis=1)
    touched = np.concatenate([[0], upper, right, lower[::-1], left[::-1], [0]]) > 0
    edges = np.flatnonzero(touched[1:] != touched[:-1])
    runs = [(start, end) for start, end in edges.reshape(-1, 2).tolist() if end - start >= _LEAST_RUN]
    return [slice(start, end, max(1, (end - start) // _ROOT_POINTS)) for start, end in runs]


def _border(height: int, width: int) -> Floats:
    """The pixels (n, 2) along a picture's border, from its upper left corner clockwise; corners come twice."""
    across, down = np.arange(width), np.arange(height)
    sides = [
        (across, np.zeros(width)),
        (np.full(height, width - 1), down),
        (across[::-1], np.full(width, height - 1)),
        (np.zeros(height), down[::-1]),
    ]
    return np.concatenate([np.stack(side, axis=1) for side in sides]).astype(np.float64)


def _seen(arm: Arm, place: tuple[str, _SideKey | None], first: int, last: int) -> HandSeen:
    zone, told = place
    side, seat = told or arm.side
    return HandSeen(side=side, seat=seat, zones=(zone,), span=Span.of(first, last))


def _merged(hands: list[HandSeen]) -> list[HandSeen]:
    """Join intervals of one side over one zone that meet or nearly meet."""
    joined: list[HandSeen] = []
    for hand in sorted(hands, key=lambda h: (h.side, h.seat or 0, h.zones, h.span.first)):
        last = joined[-1] if joined else None
        same = last is not None and (last.side, last.seat, last.zones) == (hand.side, hand.seat, hand.zones)
        if last is not None and same and hand.span.first - last.span.last <= _GAP_MS:
            joined[-1] = HandSeen(side=last.side, seat=last.seat, zones=last.zones, span=last.span.hull(hand.span))
        else:
            joined.append(hand)
    return joined
