"""What moves and what has changed, on small pictures: the cheap watch that decides where to look closely.

All masks are uint8 (h, w) of 0 and 255 at the small pictures' size; all times are media milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.frames import SmallPicture

Mask = NDArray[np.uint8]
Times = NDArray[np.float64]

MOTION_LUMA: Final = 6  # levels between two frames, after averaging 4 x 4 pixels and 3 x 3 of those
CHANGE_LUMA: Final = 10
CHANGE_COLOUR: Final = 5
RECENT_MS: Final = 170  # a pixel that moved this short ago still counts as moving
STILL_MS: Final = 240  # stillness after which a changed place is worth a look
_LYING_MS: Final = 1_200
_JUMP_MS: Final = 220  # pictures were lost if the one before is so old
_SHADE: Final = (0.45, 1.0)  # a shadow leaves this share of the light
_PASSING_MS: Final = 10_000  # what goes sooner after the first look may have been an arm at rest
_BLACK: Final = 16.0
_CLIPPED: Final = 40  # levels that a camera cuts off in light a fifth brighter
_NEVER: Final = -1e9
_MOST_LABELS: Final = 60_000  # of 16 bits
_KERNEL: Final = np.ones((3, 3), dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """A connected part of a mask: its label's pixels within its box (x0, y0, x1, y1), ends not included."""

    box: tuple[int, int, int, int]
    mask: Mask
    area: int

    def on(self, shape: tuple[int, int]) -> Mask:
        """Return the blob on an empty mask of the whole picture's size."""
        whole: Mask = np.zeros(shape, dtype=np.uint8)
        x0, y0, x1, y1 = self.box
        whole[y0:y1, x0:x1] = self.mask
        return whole


def blobs(mask: Mask, *, least: int) -> Iterator[Blob]:
    """Yield the 8-connected parts of at least ``least`` pixels."""
    left, top, wide, high = cv2.boundingRect(mask)
    if not wide:
        return
    part = mask[top : top + high, left : left + wide]
    fewer = part.size <= 4 * _MOST_LABELS  # parts that do not touch are at most one in four pixels
    kind = cv2.CV_16U if fewer else cv2.CV_32S
    count, labels, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=8, ltype=kind)
    for label in map(int, np.flatnonzero(stats[1:count, cv2.CC_STAT_AREA] >= least) + 1):
        x, y, w, h, area = (int(n) for n in stats[label])
        alone = np.uint8(255) * (labels[y : y + h, x : x + w] == label)
        yield Blob(box=(left + x, top + y, left + x + w, top + y + h), mask=alone, area=area)


def grown(mask: Mask, pixels: int) -> Mask:
    """Return the mask grown by that many pixels in every direction."""
    if pixels <= 0:
        return mask
    wide: Mask = np.asarray(cv2.dilate(mask, _KERNEL, iterations=pixels), dtype=np.uint8)
    return wide


class Watcher:
    """Compares each small picture with the one before it and with what the table is known to look like.

    ``known`` marks pixels whose look is accounted for; ``changed`` those that look otherwise now (shadows excepted) or
    were never accounted for; ``moving`` those that moved within the last moments; ``active`` either of the two. Pixels
    that tick (``ignore``) are none of these; ``restless`` are those that moved lately and ``other`` those that look
    otherwise, these included.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.shape = shape
        self.known: Mask = np.zeros(shape, dtype=np.uint8)
        self.changed: Mask = np.full(shape, 255, dtype=np.uint8)
        self.moving: Mask = np.zeros(shape, dtype=np.uint8)
        self.active: Mask = np.full(shape, 255, dtype=np.uint8)
        self.restless: Mask = np.zeros(shape, dtype=np.uint8)
        self.other: Mask = np.full(shape, 255, dtype=np.uint8)
        self.last_motion: Times = np.full(shape, _NEVER, dtype=np.float64)
        self.clean_until: Times = np.full(shape, _NEVER, dtype=np.float64)
        self.t_ms = -1
        self._jumped_ms = _NEVER
        self._now: SmallPicture | None = None
        self._before: SmallPicture | None = None
        self._clear: Mask = np.zeros(shape, dtype=np.uint8)
        self._heeded: Mask | None = None
        self._reference: SmallPicture | None = None

    def see(self, t_ms: int, small: SmallPicture) -> None:
        """Take in the next picture."""
        smooth = replace(small, luma=np.asarray(cv2.blur(small.luma, ksize=(3, 3)), dtype=np.uint8))
        if self._before is None:
            motion: Mask = np.full(self.shape, 255, dtype=np.uint8)
        else:
            motion = np.asarray(cv2.compare(_apart(smooth, self._before), MOTION_LUMA, cv2.CMP_GT), dtype=np.uint8)
        now = np.full(self.shape, t_ms, dtype=np.float64)
        cv2.copyTo(src=now, mask=motion, dst=self.last_motion)
        if self._before is not None and t_ms - self.t_ms > _JUMP_MS:
            self._jumped_ms = t_ms
        self.restless = np.asarray(cv2.compare(self.last_motion, float(t_ms - RECENT_MS), cv2.CMP_GE), dtype=np.uint8)
        self.moving = self._heeding(self.restless)
        self._before, self._now, self.t_ms = smooth, small, t_ms
        self.other = self._changed(small)
        self.changed = self._heeding(self.other)
        self.active = np.asarray(cv2.bitwise_or(self.changed, self.moving), dtype=np.uint8)
        cv2.copyTo(src=now, mask=cv2.bitwise_not(self.active), dst=self.clean_until)

    @property
    def has_jumped(self) -> bool:
        """Whether pictures were lost a moment ago, so that what seems to move may have moved before."""
        return self.t_ms - self._jumped_ms < RECENT_MS

    def account(self, mask: Mask) -> None:
        """Take the present look of these pixels for the known one."""
        if self._now is None:
            return
        if self._reference is None:
            luma, blue, red, glare = (plane.copy() for plane in self._planes(self._now))
            self._reference = SmallPicture(luma=luma, blue=blue, red=red, glare=glare)
        x, y, w, h = cv2.boundingRect(mask)
        if not w:
            return
        part = np.s_[y : y + h, x : x + w]
        inside = mask[part] > 0
        for plane, now in zip(self._planes(self._reference), self._planes(self._now), strict=True):
            np.copyto(plane[part], now[part], where=inside)
        np.copyto(self.known[part], 255, where=inside)
        np.copyto(self.changed[part], 0, where=inside)
        self.active[part] = cv2.bitwise_or(self.changed[part], self.moving[part])
        np.copyto(self.clean_until[part], self.t_ms, where=self.active[part] == 0)

    def soon_left(self, since_ms: int) -> Mask:
        """Return where the look known since then soon went, and what is seen now has lasted longer.

        What was first seen there was an arm at rest, and what is seen now is the table.
        """
        lasted, now = self.clean_until - since_ms, self.t_ms - self.clean_until
        passed = (lasted < _PASSING_MS) & (now > np.maximum(lasted, _PASSING_MS / 2)) & (self.changed > 0)
        return np.where(passed & (self.known > 0), np.uint8(255), np.uint8(0))

    def recoloured(self, mask: Mask) -> float:
        """Return of how much of a mask, 0 to 1, the colour differs from the known one; a shadow's does not."""
        x, y, w, h = cv2.boundingRect(mask)
        if self._reference is None or self._now is None or not w:
            return 0.0
        part = np.s_[y : y + h, x : x + w]
        differs = cv2.compare(_colour_gap(self._now, self._reference, part), CHANGE_COLOUR, cv2.CMP_GT)
        return share_of(mask[part], np.asarray(cv2.bitwise_and(differs, self.changed[part]), dtype=np.uint8))

    def ignore(self, ticking: Mask | None) -> None:
        """Heed no motion and no change of these pixels from now on, but those of all others; None: heed all."""
        self._heeded = None if ticking is None else np.asarray(cv2.bitwise_not(ticking), dtype=np.uint8)

    def only_ticks(self, blob: Blob) -> bool:
        """Whether a part of the picture is mostly what is ignored."""
        if self._heeded is None:
            return False
        x0, y0, x1, y1 = blob.box
        heeded = cv2.countNonZero(cv2.bitwise_and(self._heeded[y0:y1, x0:x1], blob.mask))
        return 2 * heeded < blob.area

    def forget(self) -> None:
        """Take nothing for known any more: the view was lost or cut."""
        self.known[:] = 0
        self.changed[:] = 255
        self.active[:] = 255
        self.clean_until[:] = _NEVER

    def follow_light(self) -> None:
        """Let the known look follow slow changes of the light where nothing is going on."""
        if self._reference is None or self._now is None:
            return
        quiet = cv2.bitwise_not(self.active)
        luma, blue, red, glare = self._planes(self._reference)
        *now, glares = self._planes(self._now)
        told = (quiet > 0) & (glares == 0)
        better = told & (glare > 0)
        for plane, newer in zip((luma, blue, red), now, strict=True):
            np.copyto(plane, newer, where=better)
            cv2.copyTo(src=cv2.addWeighted(plane, 0.75, newer, 0.25, 0), mask=np.uint8(255) * told, dst=plane)
        glare[better] = 0

    def still(self, for_ms: float) -> Mask:
        """Return the pixels that have not moved for that long."""
        return np.asarray(cv2.compare(self.last_motion, float(self.t_ms - for_ms), cv2.CMP_LT), dtype=np.uint8)

    def lying(self, arms: Mask) -> Mask:
        """Return the pixels that have not moved for long, but for those of resting arms."""
        return np.asarray(cv2.bitwise_and(self.still(_LYING_MS), cv2.bitwise_not(grown(arms, 3))), dtype=np.uint8)

    def rests(self, blob: Blob, *, for_ms: float) -> bool:
        """Whether a part of the picture has not moved for that long, but for a pixel in a hundred."""
        x0, y0, x1, y1 = blob.box
        moved = (self.last_motion[y0:y1, x0:x1] > self.t_ms - for_ms) & (blob.mask > 0)
        return int(moved.sum()) <= 0.01 * blob.area

    def _planes(self, picture: SmallPicture) -> tuple[Mask, Mask, Mask, Mask]:
        return picture.luma, picture.blue, picture.red, self._clear if picture.glare is None else picture.glare

    def _changed(self, small: SmallPicture) -> Mask:
        if self._reference is None:
            return np.full(self.shape, 255, dtype=np.uint8)
        reference = self._reference
        luma = _apart(small, reference)
        colour = _colour_gap(small, reference, np.s_[:, :])
        differs = cv2.bitwise_or(
            cv2.compare(luma, CHANGE_LUMA, cv2.CMP_GT), cv2.compare(colour, CHANGE_COLOUR, cv2.CMP_GT)
        )
        alike = _may_be_alike(small, reference)
        differs = differs if alike is None else np.where(alike, np.uint8(0), differs)
        if cv2.countNonZero(differs):
            differs = cv2.bitwise_and(differs, cv2.bitwise_not(_shaded(small, reference, differs)))
            differs = cv2.morphologyEx(differs, op=cv2.MORPH_OPEN, kernel=_KERNEL[:2, :2])
        return np.asarray(cv2.bitwise_or(differs, cv2.bitwise_not(self.known)), dtype=np.uint8)

    def _heeding(self, mask: Mask) -> Mask:
        """Return a mask without what is ignored."""
        return mask if self._heeded is None else np.asarray(cv2.bitwise_and(mask, self._heeded), dtype=np.uint8)


def _apart(one: SmallPicture, other: SmallPicture) -> Mask:
    """Return by how many levels the brightness of two pictures differs for certain."""
    gap = cv2.absdiff(one.luma, other.luma)
    doubt = max(one.doubt, other.doubt)
    if doubt:
        gap = cv2.subtract(gap, cv2.addWeighted(cv2.max(one.luma, other.luma), doubt, gap, 0, -doubt * _BLACK))
    alike = _may_be_alike(one, other)
    return np.asarray(gap if alike is None else np.where(alike, np.uint8(0), gap), dtype=np.uint8)


def _may_be_alike(one: SmallPicture, other: SmallPicture) -> NDArray[np.bool_] | None:
    """Return where two pictures may be equally bright, since the camera could not show how bright one is; or None."""
    alike = None
    for seen, held in ((one, other), (other, one)):
        if seen.glare is not None and seen.glare.any():
            may_be = (seen.glare > 0) & (held.luma >= seen.luma) & (held.luma - seen.luma <= _CLIPPED)
            alike = may_be if alike is None else alike | may_be
    return alike


def _colour_gap(one: SmallPicture, other: SmallPicture, part: tuple[slice, slice]) -> Mask:
    """Return by how many levels two pictures differ in colour at most, in a part of them."""
    blue, red = cv2.absdiff(one.blue[part], other.blue[part]), cv2.absdiff(one.red[part], other.red[part])
    return np.asarray(cv2.max(blue, red), dtype=np.uint8)


def _shaded(small: SmallPicture, reference: SmallPicture, where: Mask) -> Mask:
    """Return the pixels of ``where`` that look like the known surface under less light: colours keep their ratio."""
    at = np.flatnonzero(where > 0)
    before = reference.luma.ravel()[at].astype(np.float32) - 16
    share = (small.luma.ravel()[at].astype(np.float32) - 16) / np.maximum(before, 4)
    fits = (share > _SHADE[0]) & (share <= _SHADE[1])
    at, share = at[fits], share[fits]
    for plane, known in ((small.blue, reference.blue), (small.red, reference.red)):
        expected = 128 + (known.ravel()[at].astype(np.float32) - 128) * share
        fits = np.abs(plane.ravel()[at].astype(np.float32) - expected) <= CHANGE_COLOUR - 1
        at, share = at[fits], share[fits]
    shaded: Mask = np.zeros(where.shape, dtype=np.uint8)
    shaded.ravel()[at] = 255
    # A shadow is soft and wide: specks of it inside an object are chance, and shading that ends sharply is an edge.
    return np.asarray(cv2.morphologyEx(shaded, op=cv2.MORPH_OPEN, kernel=_KERNEL), dtype=np.uint8)


def share_of(mask: Mask, other: Mask) -> float:
    """Return how much of a mask another one covers, 0 to 1."""
    return cv2.countNonZero(cv2.bitwise_and(mask, other)) / max(1, cv2.countNonZero(mask))
