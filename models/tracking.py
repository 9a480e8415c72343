"""What is known to lie on the table: objects at their places, kept by place and not by a tracker's number.

An object stays known while something covers it. It is gone only when its place was seen uncovered without it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.states import CARD_KINDS, SeenObject
from models.camera import Floats
from models.frames import Pixels
from models.fusion import READ, best, fused_faces, fused_stacks
from models.miscounts import with_a_miscount_of_all_looks
from models.motion import Mask
from models.sighting import Box, Sighting, angle_gap, luma_crop

READ_CARD: Final = 0.9
SAME_CARD_MM: Final = 9.0
SAME_CARD_DEG: Final = 10.0
SAME_PILE_MM: Final = 16.0
_TWICE_MM: Final = 18.0  # second cards are laid 60 apart and more
_APART_MM: Final = 32.0  # centres of two piles side by side are 39 apart
_MOST_SIGHTINGS: Final = 6
_TOUCHED: Final = 3  # small pixels
_AGAIN_MS: Final = 200
_RIM_SHARE: Final = 0.25
_GROWS: Final = 1.25
_STILL_THERE: Final = 0.4  # of its pixels covered: the rest shows that it has not gone
_PATCH_LEVELS: Final = 20
_PATCH_SHARE: Final = 0.015
_EDGE_PX: Final = 7
_STAYED_SHARE: Final = 0.8  # the corners of a pile's box are felt, where a payment may stand now
_CORNER_SHARE: Final = 0.97  # of a corner's pixels look as before
_CORNER_OF_SIDE: Final = 0.2  # radius of a corner, in the shorter side of the card
_CORNER_CONTRAST: Final = 12.0
_DARKER: Final = 40  # levels, than the paper: an index or pip
_MARK_PX: Final = 8
_MARK_SHARE: Final = 0.9
_COVERED_MM: Final = 15.0
_COVERED_UNREAD_MM: Final = 26.0  # what is left of a card beside another is easily taken for a card of its own
_UPON_MM: Final = 8.0
_COVERED_DEG: Final = 12.0
_LAID_DEG: Final = 25.0
_LAID_MS: Final = 1500  # a card that was seen while it was laid down lies still after that
_VERSIONS: Final = itertools.count(1)
_CONTRADICTED: Final = 0.6  # a face so likely now, and another so likely before, is another card
_SOME_FACE: Final = 0.1


@dataclass(slots=True, eq=False)
class Known:
    """One object at its place, with the sightings it rests on and how its place looks in brightness.

    ``touched_ms``: since when something has been over it without its place having been checked again. ``clean_ms``:
    when enough of it was last seen to tell that it had not gone. ``read_better``: it was read when less was before it.
    ``since_ms``: from when on it has been seen as it is. ``beside``: so many of its pixels differed at its rim when it
    was looked at: what lies there unexplained is not over it.
    """

    sightings: list[Sighting]
    mask: Mask
    box: Box
    patch: Pixels
    inside: Mask
    touched_ms: int | None = None
    clean_ms: int = 0
    read_better: bool = False
    since_ms: int | None = None
    version: int = 1
    beside: int = 0
    _again_ms: int = 0
    _small: tuple[Mask, tuple[slice, slice], Mask, int] | None = None
    _sure: tuple[int, bool] | None = None
    _written: tuple[int, SeenObject] | None = None

    @property
    def kind(self) -> str:
        """The kind most sightings say."""
        kinds = [sighting.kind for sighting in self.sightings]
        return max(kinds, key=kinds.count)

    @property
    def area(self) -> int:
        """How many small pixels it has."""
        return self._within()[2]

    def under(self, mask: Mask) -> int:
        """Return how many of its small pixels a mask holds."""
        box, part, _ = self._within()
        return cv2.countNonZero(cv2.bitwise_and(part, mask[box]))

    def checked(self, active: Mask) -> None:
        """Take in that its place has been looked at while the mask marks what differs."""
        self.touched_ms = None
        over = self.under(active)
        self.beside = over if over <= _RIM_SHARE * self.area else 0

    def _within(self) -> tuple[tuple[slice, slice], Mask, int]:
        """The box of the small picture in which it lies, its mask there and how many pixels that has, 1 at least."""
        if self._small is None or self._small[0] is not self.mask:
            x, y, w, h = cv2.boundingRect(self.mask)
            box = np.s_[y : y + max(h, 1), x : x + max(w, 1)]
            self._small = (self.mask, box, self.mask[box].copy(), max(1, cv2.countNonZero(self.mask)))
        return self._small[1:]

    @property
    def now(self) -> Sighting:
        """The latest sighting."""
        return self.sightings[-1]

    @property
    def xy_mm(self) -> tuple[float, float]:
        """Mean place of the sightings."""
        places = [sighting.xy_mm for sighting in self.sightings if sighting.xy_mm is not None]
        return (sum(p[0] for p in places) / len(places), sum(p[1] for p in places) / len(places))

    def is_sure(self) -> bool:
        """Whether further looks would hardly tell more."""
        if self._sure is None or self._sure[0] != self.version:
            self._sure = (self.version, self._tells_enough())
        return self._sure[1]

    def _tells_enough(self) -> bool:
        if self.kind == "card":
            return best(fused_faces([s.faces for s in self.sightings]), least=0.99) is not None
        if self.kind == "chips":
            stacks = fused_stacks([s.stacks for s in self.sightings])
            return bool(stacks) and stacks[0].p >= READ
        return True

    def is_unread_card(self) -> bool:
        """Whether it is a card of which no face was seen so far."""
        return self.kind in CARD_KINDS and all(sum(look.faces.values()) < _SOME_FACE for look in self.sightings)

    def may_tell_more(self, t_ms: int) -> bool:
        """Whether another look may tell what is not sure yet; if so, it is taken for looked at now.

        Each comes twice as long after the one before as that did: what video shows at first is coarse where the bit
        rate is low, and looks a moment apart have the same faults.
        """
        if self.read_better or self.is_sure() or t_ms < self._again_ms:
            return False
        self._again_ms = t_ms + _AGAIN_MS * 2 ** (len(self.sightings) - 1)
        return True

    def written(self) -> SeenObject:
        """Return it as the contract writes it."""
        if self._written is None or self._written[0] != self.version:
            self._written = (self.version, seen_object(self))
        return self._written[1]

    def looks_the_same(self, luma: Pixels) -> bool:
        """Return whether the place looks as remembered, apart from the light."""
        inside = self.inside > 0
        same = self._same(luma)
        return same is not None and float((inside & ~same).sum()) < _PATCH_SHARE * float(inside.sum())

    def unmoved_part_px(self, luma: Pixels, others: Iterable[Known] = ()) -> list[Floats]:
        """Return outlines (n, 2) of what of a card looks as remembered; empty if no corner of it does.

        A card of which a corner has stayed where it was has not moved, whatever lies upon the rest of it. Where
        ``others`` lie upon it, or lay there as long, what is seen may be theirs; where it was laid upon others, what is
        dark in the corner tells whether it still lies there, as paper looks like paper. A card that lies face down may
        have been slid under another.
        """
        same = self._same(luma) if self.kind in CARD_KINDS else None
        if same is None:
            return []
        theirs, beneath = np.zeros(same.shape, dtype=np.uint8), np.zeros(same.shape, dtype=np.uint8)
        for other in others:
            under = self.kind == "card" and self._came_after(other)
            points = np.round(other.now.polygon_px - self.box[:2]).astype(np.int32)
            layer = beneath if under else theirs
            cv2.fillPoly(layer, pts=[points], color=255)
            cv2.polylines(layer, pts=[points], isClosed=True, color=255, thickness=5)
        same &= theirs == 0
        corners = [self._corner(point) for point in self.now.polygon_px]
        if not any(self._stayed(corner, same, beneath) for corner in corners):
            return []
        part = np.where(same & (self.inside > 0), np.uint8(255), np.uint8(0))
        part = cv2.morphologyEx(part, op=cv2.MORPH_OPEN, kernel=np.ones((5, 5), np.uint8))
        contours, _ = cv2.findContours(part, mode=cv2.RETR_EXTERNAL, method=cv2.CHAIN_APPROX_SIMPLE)
        return [contour.reshape(-1, 2) + np.array(self.box[:2], dtype=np.float64) for contour in contours]

    def _came_after(self, other: Known) -> bool:
        """Whether this was seen to come when the other lay there already."""
        return self.since_ms is not None and (other.since_ms is None or other.since_ms < self.since_ms)

    def _stayed(self, corner: NDArray[np.bool_], same: NDArray[np.bool_], beneath: Mask) -> bool:
        """Whether the pixels of a corner show that the card lies where it lay."""
        if not corner.any() or float(same[corner].mean()) < _CORNER_SHARE:
            return False
        if not beneath[corner].any():
            return True
        paper = float(np.median(self.patch[self.inside > 0]))
        dark = corner & (self.patch < paper - _DARKER)
        return int(dark.sum()) >= _MARK_PX and float(same[dark].mean()) >= _MARK_SHARE

    def stayed_inside(self, luma: Pixels) -> bool:
        """Return whether most of what is inside its outline looks as remembered, whatever is around it."""
        same = self._same(luma)
        if same is None:
            return False
        own = np.zeros(same.shape, dtype=np.uint8)
        cv2.fillPoly(own, pts=[np.round(self.now.polygon_px - self.box[:2]).astype(np.int32)], color=1)
        inside = cv2.erode(own, kernel=np.ones((_EDGE_PX, _EDGE_PX), np.uint8)) > 0
        return bool(inside.any()) and float(same[inside].mean()) >= _STAYED_SHARE

    def _same(self, luma: Pixels) -> NDArray[np.bool_] | None:
        """Which pixels of the box look as remembered, apart from the light; None if the box has another size."""
        now = luma_crop(luma, self.box)
        if now.shape != self.patch.shape:
            return None
        before, after = (cv2.blur(picture, ksize=(3, 3)).astype(np.float32) for picture in (self.patch, now))
        inside = self.inside > 0
        gain = float(np.clip(np.median(after[inside] / np.maximum(before[inside], 8)), 0.7, 1.3))
        same: NDArray[np.bool_] = np.abs(after - before * gain) <= _PATCH_LEVELS
        return same

    def _corner(self, point_px: Floats) -> NDArray[np.bool_]:
        """The pixels around a corner of the object, if they tell where it is; else none."""
        x, y = point_px - self.box[:2]
        rows, columns = np.ogrid[: self.patch.shape[0], : self.patch.shape[1]]
        side = np.linalg.norm(self.now.polygon_px - np.roll(self.now.polygon_px, 1, axis=0), axis=1).min()
        near: NDArray[np.bool_] = np.hypot(columns - x, rows - y) <= _CORNER_OF_SIDE * side
        near &= self.inside > 0
        return near if near.any() and float(self.patch[near].std()) >= _CORNER_CONTRAST else near & False

    def seen_again(self, sighting: Sighting) -> None:
        """Add a sighting of the same object."""
        self.sightings.append(sighting)
        del self.sightings[:-_MOST_SIGHTINGS]
        self.version = next(_VERSIONS)


@dataclass(slots=True, eq=False)
class Places:
    """All known objects."""

    known: list[Known] = field(default_factory=list)
    _version: tuple[int, int, tuple[tuple[int, int], ...]] | None = None
    _written: tuple[SeenObject, ...] = ()

    def add(self, known: Known, t_ms: int) -> None:
        """Add an object that is seen from now on, in place of a card that was the same, hardly read."""
        known.clean_ms = known.since_ms = t_ms
        self.known[:] = [*(one for one in self.known if not is_seen_twice(one, known.now, t_ms)), known]

    def covering(self, shape: tuple[int, int], kind: str | None = None) -> Mask:
        """Return the places of all objects, or of those of a kind, in a picture of this size."""
        whole: Mask = np.zeros(shape, dtype=np.uint8)
        for known in self.known:
            if kind is None or known.kind == kind:
                whole |= known.mask
        return whole

    def touching(self, mask: Mask, *, least: int = 3) -> list[Known]:
        """Return the objects of which the mask holds some pixels."""
        return [known for known in self.known if known.under(mask) >= least]

    def touched(self) -> list[Known]:
        """Return the objects over which something was, and that were not looked at since."""
        return [known for known in self.known if known.touched_ms is not None]

    def touch(self, active: Mask, t_ms: int) -> None:
        """Note which objects something is over now."""
        for known in self.known:
            over = known.under(active)
            unsure = known.touched_ms is not None and not over  # what rests upon it is no longer told from the table
            if over < _STILL_THERE * known.area and not unsure:
                known.clean_ms = t_ms
            known.beside = min(known.beside, over)
            if over - _GROWS * known.beside >= _TOUCHED and known.touched_ms is None:
                known.touched_ms = t_ms

    def objects(self, t_ms: int) -> tuple[SeenObject, ...]:
        """Return what lies on the table as the contract writes it, from the rack outward and left to right.

        An object of which a good part is covered now says since when, as ``hidden_ms``: the timeline decides whether it
        is told.
        """
        hidden = {number: known.clean_ms for number, known in enumerate(self.known) if known.clean_ms < t_ms}
        version = (len(self.known), sum(known.version for known in self.known), tuple(hidden.items()))
        if version != self._version:
            seen = [_perhaps_hidden(known.written(), hidden.get(number)) for number, known in enumerate(self.known)]
            self._written = tuple(sorted(seen, key=lambda item: (item.kind, round(item.xy_mm[1]), item.xy_mm[0])))
            self._version = version
        return self._written


def _perhaps_hidden(item: SeenObject, hidden_ms: int | None) -> SeenObject:
    return item if hidden_ms is None else replace(item, extra={**item.extra, "hidden_ms": hidden_ms})


def remember(sightings: Iterable[Sighting], mask: Mask, luma: Pixels) -> Known:
    """Return a newly known object; ``mask`` is its small mask, ``luma`` the frame's brightness at full size."""
    known = Known(
        version=next(_VERSIONS),
        sightings=list(sightings)[-_MOST_SIGHTINGS:],
        mask=mask,
        box=(0, 0, 0, 0),
        patch=np.empty((0, 0), dtype=np.uint8),
        inside=mask,
    )
    look_anew(known, luma)
    return known


def look_anew(known: Known, luma: Pixels) -> None:
    """Remember how the object's place looks now, with a rim of the felt around it."""
    polygon = known.now.polygon_px
    (x0, y0), (x1, y1) = np.floor(polygon.min(axis=0)).astype(int) - 5, np.ceil(polygon.max(axis=0)).astype(int) + 6
    height, width = luma.shape
    known.box = (max(int(x0), 0), max(int(y0), 0), min(int(x1), width), min(int(y1), height))
    known.patch = luma_crop(luma, known.box)
    known.inside = np.zeros(known.patch.shape, dtype=np.uint8)
    if known.patch.size:
        points = np.round(polygon - known.box[:2]).astype(np.int32)
        cv2.fillPoly(known.inside, pts=[points], color=255)
        cv2.polylines(known.inside, pts=[points], isClosed=True, color=255, thickness=7)
    known.touched_ms = None


def is_same_place(one: Sighting, other: Sighting) -> bool:
    """Return whether two sightings can be of one object that has not moved."""
    if one.xy_mm is None or other.xy_mm is None or _group(one.kind) != _group(other.kind):
        return False
    apart = float(np.hypot(one.xy_mm[0] - other.xy_mm[0], one.xy_mm[1] - other.xy_mm[1]))
    if one.kind in CARD_KINDS:
        turned = angle_gap(one.angle_deg or 0.0, other.angle_deg or 0.0)
        return apart <= SAME_CARD_MM and turned <= SAME_CARD_DEG
    return apart <= SAME_PILE_MM


def stands_in(one: Sighting, other: Sighting) -> bool:
    """Return whether two sightings can only be of one thing: piles in one another, or a card seen twice.

    A card that lies so nearly upon another would hide the other's face, or of a back show a strip of its own. (Of a
    picture that had not settled at a low bit rate a dealer's second card, face down, was seen as two, 16 mm apart, and
    one of which a strip showed as two, turned by 13 degrees.)
    """
    if _group(one.kind) != _group(other.kind) or one.xy_mm is None or other.xy_mm is None:
        return False
    apart = float(np.hypot(one.xy_mm[0] - other.xy_mm[0], one.xy_mm[1] - other.xy_mm[1]))
    turned = angle_gap(one.angle_deg or 0.0, other.angle_deg or 0.0)
    alike = turned <= SAME_CARD_DEG
    if one.kind == other.kind == "card_back":
        return apart < (_TWICE_MM if alike else _UPON_MM) and turned <= _LAID_DEG
    if one.kind == "card":
        face = _best_face(one)
        return face is not None and face == _best_face(other) and alike and apart < _TWICE_MM
    return one.kind == "chips" and apart < _APART_MM


def is_same_content(known: Known, sighting: Sighting) -> bool:
    """Return whether a sighting at the same place can be of the very same object."""
    if known.kind != sighting.kind:
        return False
    if known.kind == "card":
        before, now = _face_of(known), _best_face(sighting)
        if before is None and now is not None:  # looks that saw no face at all tell nothing of one that shows now
            return not known.is_unread_card()
        return before is None or now is None or before == now
    if known.kind == "chips":
        before_stacks, now_stacks = fused_stacks([s.stacks for s in known.sightings]), sighting.stacks
        return bool(before_stacks) and bool(now_stacks) and before_stacks[0].stack == now_stacks[0].stack
    if known.kind == "die":
        value, value_now = best(fused_faces([s.faces for s in known.sightings])), best(sighting.faces)
        return value is None or value_now is None or value == value_now
    return True


def came_before(before: Sequence[tuple[Known, int | None]], known: Sequence[Known]) -> int:
    """Return when the latest of what has gone, or is another thing now, had come: it cannot have gone before that.

    Args:
        before: objects of a place, and since when they were seen as they were.
        known: what is known to lie on the table now.
    """
    lost = (since for one, since in before if since is not None and (one not in known or one.since_ms != since))
    return max(lost, default=0)


def is_of_covered(known: Known, sighting: Sighting) -> bool:
    """Return whether a sighting is what still shows of a card that lies there, partly covered, and nothing new.

    It lies nearly where the card does and has no other face; a card that is laid upon another shows its own.
    """
    if known.kind != sighting.kind:
        return False
    before, now = _face_of(known), _best_face(sighting)
    if now is None:
        return _is_nearly_there(known, sighting, within_mm=_COVERED_UNREAD_MM)
    return before == now and _is_nearly_there(known, sighting, within_mm=_COVERED_MM)


def replaces_unread(known: Known, sighting: Sighting) -> bool:
    """Return whether a sighting reads a card nearly where an unread one was thought to lie: there was one card."""
    if known.kind != "card" or _face_of(known) is not None or _best_face(sighting) is None:
        return False
    return _is_nearly_there(known, sighting, within_mm=_COVERED_MM)


def is_seen_twice(known: Known, sighting: Sighting, t_ms: int) -> bool:
    """Return whether a card that is read now was hardly read before, nearly there: lying upon each other, one hides it.

    The camera was pushed in between, and most likely it was that very face; or nothing was read of it, a moment ago,
    while it was laid down.
    """
    face = _best_face(sighting)
    if (
        known.kind != "card"
        or face is None
        or not _is_nearly_there(known, sighting, within_mm=_TWICE_MM, deg=_LAID_DEG)
    ):
        return False
    if known.is_unread_card():
        return known.since_ms is not None and t_ms - known.since_ms <= _LAID_MS
    before = fused_faces([look.faces for look in known.sightings])
    turned = angle_gap(known.now.angle_deg or 0.0, sighting.angle_deg or 0.0)
    return turned <= _COVERED_DEG and before.get(face, 0.0) >= max([_SOME_FACE, *before.values()])


def _face_of(known: Known) -> str | None:
    return best(fused_faces([s.faces for s in known.sightings]), least=_CONTRADICTED)


def _is_nearly_there(known: Known, sighting: Sighting, *, within_mm: float, deg: float = _COVERED_DEG) -> bool:
    """Whether a card is seen so near to a known one, and so little turned, that both can be one card."""
    if known.kind not in CARD_KINDS or sighting.kind not in CARD_KINDS or known.xy_mm is None or sighting.xy_mm is None:
        return False
    apart = float(np.hypot(known.xy_mm[0] - sighting.xy_mm[0], known.xy_mm[1] - sighting.xy_mm[1]))
    turned = angle_gap(known.now.angle_deg or 0.0, sighting.angle_deg or 0.0)
    return apart <= within_mm and turned <= deg


def seen_object(known: Known) -> SeenObject:
    """Return the object as the contract writes it."""
    kind, now = known.kind, known.now
    outline = [[round(float(x), 1), round(float(y), 1)] for x, y in now.polygon_px]
    common: dict[str, Any] = {
        "kind": kind,
        "xy_mm": known.xy_mm,
        "confidence": round(min(1.0, max(s.confidence for s in known.sightings)), 4),
        "since_ms": known.since_ms,
        "extra": {"polygon_px": outline},
    }
    if kind in CARD_KINDS:
        common["angle_deg"] = now.angle_deg
    if kind == "card":
        faces = fused_faces([s.faces for s in known.sightings if s.kind == kind])
        return SeenObject(**common, card=best(faces, least=READ_CARD), candidates=faces)
    if kind == "chips":
        stacks = with_a_miscount_of_all_looks(fused_stacks([s.stacks for s in known.sightings if s.kind == kind]))
        read = stacks[0].stack if stacks and stacks[0].p >= READ else None
        return SeenObject(**common, stack=read, stacks=stacks)
    if kind == "die":
        values = fused_faces([s.faces for s in known.sightings if s.kind == kind])
        face = best(values)
        return SeenObject(**common, value=None if face is None else int(face), colour=now.colour, candidates=values)
    return SeenObject(**common)


def _best_face(sighting: Sighting) -> str | None:
    return best(sighting.faces, least=_CONTRADICTED)


def _group(kind: str) -> str:
    return "card" if kind in CARD_KINDS else kind
