"""The table seen straight from above at one pixel a millimetre, and what stands out from the bare felt.

Of a calibrated camera's picture the felt is known to be a plane; in this view cards and the feet of piles have their
true size wherever they lie. The bare felt is learnt: at first from what surrounds a place, later from the place itself
whenever it is seen empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.table import TableProfile
from models.backdrop import against, from_shade
from models.camera import Camera, Floats
from models.frames import Frame, Pixels
from models.motion import Mask
from models.sighting import Sighting

Reals = NDArray[np.float32]
MmBox = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the view from above, ends not included."""

ONE_OF: Final = 37
"""One of so many pixels of felt is enough to know its colour."""

_MARGIN_MM: Final = 190.0
_SURROUND_MM: Final = 320
_GRID_MM: Final = 8.0
_PRINT_MM: Final = 15  # printed lines and letters are thinner, cards and chips are not
_ODD_RIM_MM: Final = 11
_BARER: Final = 0.7  # of a place: what was learnt as its felt was something that lay there
_STILL_ODD: Final = 0.5
_LUMA: Final = 20.0
_COLOUR: Final = 9.0
_KNOWN_LUMA: Final = 9.0  # where the bare felt itself was seen
_KNOWN_COLOUR: Final = 4.5
_SHADE: Final = (0.5, 1.02)
_SHADE_COLOUR: Final = 6.0
_SHADE_EXACT: Final = 2.5
_IN_SHADOW: Final = 0.94
_ROUGH: Final = 4.0
_SPOT_EDGE: Final = 0.2
_SPOT_MM: Final = 7
_TEXTURED_MM: Final = 11
_STRAY_MM: Final = 5
_PAPER_BRIGHTER: Final = 60.0
_PRINT_ON_PAPER_MM: Final = 9
_PAPER_MM: Final = 25  # wider than the white of a cheque
_PAPER_RIM_MM: Final = 21
_CLOSED_REACH_MM: Final = 40  # beyond it nothing tells what lies between parts that stand out
_SIDES_REACH_MM: Final = 50  # ... whether something is the side of a pile
_ODD_REACH_MM: Final = 24  # ... whether a place looks odd
_PART_MM: Final = 5
_BETWEEN_MM: Final = 25  # of a pile only the top and some of the side may stand out
_SHARP: Final = 160.0
_SHARP_COLOUR: Final = 70.0  # colours are recorded at half the resolution
_KNOWN_SHARE: Final = 0.7
_PRINT_CONTRAST: Final = 7.0  # standard deviation of the brightness
_PRINT_COLOUR: Final = 6.0  # both colour differences together; a cheque of another colour makes more than twice that
_OF_PRINT: Final = 14.0
_OTHER_COLOUR: Final = 8.0  # both colour differences together, in the same light
_PRINT_STRAY_MM: Final = 3  # a shaken camera shows the print so far beside its place


class FeltView:
    """Maps between the camera's picture and the view from above.

    ``origin_mm`` is the felt point of the view's pixel (0, 0); x runs to the right, y downwards in the view.
    """

    def __init__(self, profile: TableProfile, camera: Camera) -> None:
        self.camera = camera
        corners = np.array([point for zone in profile.zones for point in zone.polygon_mm])
        low = np.floor(corners.min(axis=0) - _MARGIN_MM)
        high = np.ceil(corners.max(axis=0) + _MARGIN_MM)
        self.origin_mm = low
        self.shape = (int(high[1] - low[1]), int(high[0] - low[0]))
        self._map = self._picture_of_view()
        width, height = camera.size
        inside = (self._map >= 0).all(axis=2) & (self._map[..., 0] < width) & (self._map[..., 1] < height)
        self.inside: Mask = np.where(inside, np.uint8(255), np.uint8(0))
        self._bare = np.zeros((*self.shape, 3), dtype=np.float32)
        self._known = np.zeros(self.shape, dtype=np.bool_)
        self._surroundings: tuple[Reals, Reals] | None = None

    def _picture_of_view(self) -> Reals:
        """Where the camera sees each millimetre (h, w, 2); the lens bends little between the points of a grid."""
        rows, columns = (np.arange(0, side + _GRID_MM, _GRID_MM, dtype=np.float64) for side in self.shape)
        xs, ys = np.meshgrid(columns, rows)
        grid = self.camera.to_pixels(np.stack([xs.ravel(), ys.ravel()], axis=1) + self.origin_mm)
        sparse = grid.reshape(len(rows), len(columns), 2).astype(np.float32)
        xs, ys = np.meshgrid(np.arange(self.shape[1]) / _GRID_MM, np.arange(self.shape[0]) / _GRID_MM)
        at = (xs.astype(np.float32), ys.astype(np.float32))
        return np.asarray(cv2.remap(sparse, *at, interpolation=cv2.INTER_LINEAR), dtype=np.float32)

    def origin_of(self, box: MmBox) -> Floats:
        """Return the felt point (2,) of a box's first pixel."""
        return np.asarray(self.origin_mm + np.array(box[:2], dtype=np.float64), dtype=np.float64)

    def box_of(self, region_px: tuple[int, int, int, int]) -> MmBox:
        """Return the view's box around a box of the camera's picture."""
        x0, y0, x1, y1 = region_px
        rim = [(x, y) for x in np.linspace(x0, x1, 5) for y in (y0, y1)]
        rim += [(x, y) for y in np.linspace(y0, y1, 5) for x in (x0, x1)]
        felt = self.camera.to_felt(rim)
        felt = felt[np.isfinite(felt).all(axis=1)] - self.origin_mm
        if not len(felt):
            return (0, 0, 0, 0)
        (a, b), (c, d) = felt.min(axis=0), felt.max(axis=0)
        height, width = self.shape
        return (max(0, int(a)), max(0, int(b)), min(width, int(c) + 1), min(height, int(d) + 1))

    def holds(self, region_px: tuple[int, int, int, int]) -> bool:
        """Return whether anything of the view lies in a box of the camera's picture."""
        x0, y0, x1, y1 = self.box_of(region_px)
        return x0 < x1 and y0 < y1

    def seen(self, frame: Frame, box: MmBox) -> Reals:
        """Return brightness and the two colour differences (h, w, 3) of a box, as the frame shows it."""
        x0, y0, x1, y1 = box
        looks = _looks_at(frame, self._map[y0:y1, x0:x1])
        return np.asarray(cv2.blur(looks, ksize=(3, 3)), dtype=np.float32)

    def standing_out(self, seen: Reals, box: MmBox) -> Mask:
        """Return what of a box does not look like its bare felt, shadows excepted.

        Where the felt is not known yet, thin print is taken for felt.
        """
        x0, y0, x1, y1 = box
        known = self._known[y0:y1, x0:x1].astype(np.uint8) * 255
        bare = self._bare_in(seen, box)
        close = _differs(seen, bare, luma=_KNOWN_LUMA, colour=_KNOWN_COLOUR)
        wide = _differs(seen, bare, luma=_LUMA, colour=_COLOUR)
        mask = _without_shade(_chosen(known, close, wide), seen, bare)
        if known.any():
            mask |= cv2.bitwise_and(self._pile_sides(seen, bare, mask), known)
        thick = cv2.morphologyEx(mask, op=cv2.MORPH_OPEN, kernel=_disc(_PRINT_MM)) if not known.all() else mask
        fine = cv2.morphologyEx(mask, op=cv2.MORPH_OPEN, kernel=_disc(3))
        mask = _chosen(known, np.asarray(fine, dtype=np.uint8), np.asarray(thick, dtype=np.uint8))
        mask &= self.inside[y0:y1, x0:x1]
        return np.asarray(cv2.morphologyEx(mask, op=cv2.MORPH_CLOSE, kernel=_disc(3)), dtype=np.uint8)

    def differing(self, seen: Reals, box: MmBox) -> Mask:
        """Return what of a box differs from its bare felt, or from what surrounds it, however little."""
        bare = self._bare_in(seen, box)
        close = _differs(seen, bare, luma=_KNOWN_LUMA, colour=_KNOWN_COLOUR)
        return _without_shade(close, seen, bare, soft_too=False)

    def known_bare(self, box: MmBox) -> tuple[Reals, NDArray[np.bool_]]:
        """Return the bare felt of a box (h, w, 3) and where it is known (h, w)."""
        x0, y0, x1, y1 = box
        return self._bare[y0:y1, x0:x1], self._known[y0:y1, x0:x1]

    def _bare_in(self, seen: Reals, box: MmBox) -> Reals:
        """The bare felt of a box; where it is not known yet, what prevails around each point."""
        x0, y0, x1, y1 = box
        known, bare = self._known[y0:y1, x0:x1], self._bare[y0:y1, x0:x1].copy()
        if not known.all():
            cv2.copyTo(src=self._around(seen), mask=(~known).view(np.uint8), dst=bare)
        return bare

    def _around(self, seen: Reals) -> Reals:
        """What prevails around each point of a view; one look asks for it several times."""
        if self._surroundings is None or self._surroundings[0] is not seen:
            self._surroundings = (seen, _surroundings(seen))
        return self._surroundings[1]

    def unlike(self, frame: Frame, box_px: tuple[int, int, int, int]) -> tuple[Reals, Reals]:
        """Return how far each pixel (h, w) of a box of the picture is from its bare felt in any shade, and if known.

        The view from above is coarser than the picture: at the rims of print a pixel may look like either side. The
        second is 1 where the bare felt under the pixel is known.
        """
        x0, y0, x1, y1 = box_px
        xs, ys = np.meshgrid(np.arange(x0, x1), np.arange(y0, y1))
        where = np.stack([xs, ys], axis=2).astype(np.float32)
        seen = cv2.GaussianBlur(_looks_at(frame, where), ksize=(3, 3), sigmaX=0).astype(np.float32)
        at = self._felt_at(where)
        (x0, y0), (x1, y1) = at.reshape(-1, 2).min(axis=0), at.reshape(-1, 2).max(axis=0)
        x0, y0 = max(0, int(x0) - 2), max(0, int(y0) - 2)
        part = self._bare[y0 : max(y0, int(y1) + 3), x0 : max(x0, int(x1) + 3)]
        if not part.size:
            return np.full(seen.shape[:2], 0, np.float32), np.full(seen.shape[:2], 0, np.float32)
        sides = (part, cv2.dilate(part, _disc(3)), cv2.erode(part, _disc(3)))
        gaps = [from_shade(seen, _remapped(side, at - np.array([x0, y0], np.float32))) for side in sides]
        return np.asarray(np.minimum.reduce(gaps), dtype=np.float32), self._is_known(at).astype(np.float32)

    def codes(self, frame: Frame, where_px: Reals) -> NDArray[np.uint8]:
        """Return how points (h, w, 2) of the picture look compared with their bare felt, see ``backdrop.against``."""
        at = self._felt_at(where_px)
        return against(_looks_at(frame, where_px).astype(np.float32), _remapped(self._bare, at), self._is_known(at))

    def _felt_at(self, where_px: Reals) -> Reals:
        """Pixels of the view from above (h, w, 2) that lie under points of the picture."""
        felt = self.camera.to_felt(where_px.reshape(-1, 2).astype(np.float64)) - self.origin_mm
        felt[np.isnan(felt)] = -9.0
        return np.asarray(felt.reshape(where_px.shape), dtype=np.float32)

    def _is_known(self, at: Reals) -> NDArray[np.bool_]:
        """Where the bare felt is known, at pixels of the view from above."""
        known = self._known.view(np.uint8)
        sure = cv2.remap(known, at, None, interpolation=cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(sure > 0, dtype=np.bool_)

    def may_be_print(self, seen: Reals, box: MmBox, where: Mask) -> bool:
        """Whether what stands out at ``where`` may be the print of the felt there, moved or smeared.

        The felt is printed upon, and all in all has the colour that it has when it is bare.
        """
        x0, y0, x1, y1 = box
        known = (where > 0) & self._known[y0:y1, x0:x1]
        bare = self._bare[y0:y1, x0:x1][known]
        if not len(bare) or float(np.std(bare[:, 0])) < _PRINT_CONTRAST:
            return False
        gap = seen[known][:, 1:].mean(axis=0) - bare[:, 1:].mean(axis=0)
        return float(np.abs(gap).sum()) < _PRINT_COLOUR

    def printed(self, box: MmBox, where: Mask) -> float:
        """Return how much of ``where`` is print: known bare felt, and in no shade of the felt's own colour.

        The felt's own colour is what prevails in the box.
        """
        x0, y0, x1, y1 = box
        known, bare = self._known[y0:y1, x0:x1], self._bare[y0:y1, x0:x1]
        inside = (where > 0) & known
        if not inside.any():
            return 0.0
        own = np.median(bare[known][::ONE_OF], axis=0).astype(np.float32)
        print_ = from_shade(np.broadcast_to(own, bare[inside].shape), bare[inside]) > _OF_PRINT
        return float(print_.sum() / (where > 0).sum())

    def shows_print(self, seen: Reals, box: MmBox, where: Mask) -> float:
        """Return how well what is seen at ``where`` matches the known bare felt there, in any light: -1 to 1.

        Nothing lies where the print of the felt shows. 0 if too little of the felt is known there, or it is plain, or
        has another colour all in all: the white middle of a cheque looks much like a white letter.
        """
        x0, y0, x1, y1 = box
        inside = where > 0
        known = inside & self._known[y0:y1, x0:x1]
        if not inside.any() or known.sum() < _KNOWN_SHARE * inside.sum():
            return 0.0
        bare = self._bare[y0:y1, x0:x1, 0]
        coloured = _colour_apart(seen[known], self._bare[y0:y1, x0:x1][known])
        if float(np.std(bare[known])) < _PRINT_CONTRAST or coloured > _OTHER_COLOUR:
            return 0.0
        a, b, w, h = cv2.boundingRect(known.view(np.uint8))
        part = np.ascontiguousarray(bare[b : b + h, a : a + w])
        mask = known[b : b + h, a : a + w].astype(np.float32)
        room = cv2.copyMakeBorder(
            np.ascontiguousarray(seen[..., 0]), *(_PRINT_STRAY_MM,) * 4, borderType=cv2.BORDER_REPLICATE
        )
        around = room[b : b + h + 2 * _PRINT_STRAY_MM, a : a + w + 2 * _PRINT_STRAY_MM]
        match = cv2.matchTemplate(around, part, method=cv2.TM_CCOEFF_NORMED, mask=mask)
        return float(np.nan_to_num(match, nan=0.0, posinf=0.0, neginf=0.0).max())

    @staticmethod
    def edges(seen: Reals) -> Reals:
        """Return how sharply the brightness changes at each point of a view, 0 to 1."""
        return np.asarray(np.minimum(_slope(seen, 0) / _SHARP, 1.0), dtype=np.float32)

    @classmethod
    def rims(cls, seen: Reals) -> Reals:
        """Return how sharply brightness or colour changes: red cheques may be as bright as the felt beside them.

        Where the bare felt is not known that says less: the face of a pile's uppermost cheque alone looks like a pile.
        """
        colour = np.maximum(_slope(seen, 1), _slope(seen, 2))
        return np.asarray(np.maximum(cls.edges(seen), np.minimum(colour / _SHARP_COLOUR, 1.0)), dtype=np.float32)

    @classmethod
    def _pile_sides(cls, seen: Reals, bare: Reals, mask: Mask) -> Mask:
        """What belongs to piles by its edge spots though it has the felt's colour, between parts that stand out."""
        sides = np.zeros_like(mask)
        parts = np.asarray(cv2.morphologyEx(mask, op=cv2.MORPH_OPEN, kernel=_disc(_PART_MM)), dtype=np.uint8)
        x, y, w, h = _around_of(parts, _CLOSED_REACH_MM)
        if w:
            part = np.s_[y : y + h, x : x + w]
            closed = cv2.morphologyEx(parts[part], op=cv2.MORPH_CLOSE, kernel=_disc(_BETWEEN_MM))
            sides[part] = cls._textured(seen[part]) & closed
        x, y, w, h = _around_of(sides, _SIDES_REACH_MM)
        if not w:
            return sides
        part = np.s_[y : y + h, x : x + w]
        brighter = np.where(seen[part][..., 0] > bare[part][..., 0] + _PAPER_BRIGHTER, np.uint8(255), np.uint8(0))
        paper = cv2.morphologyEx(brighter, op=cv2.MORPH_CLOSE, kernel=_disc(_PRINT_ON_PAPER_MM))
        paper = cv2.morphologyEx(paper, op=cv2.MORPH_OPEN, kernel=_disc(_PAPER_MM))
        print_ = cv2.dilate(cls._textured(bare[part]), _disc(_STRAY_MM))
        sides[part] &= cv2.bitwise_not(cv2.dilate(paper, _disc(_PAPER_RIM_MM)) | print_)
        return sides

    @classmethod
    def _textured(cls, seen: Reals) -> Mask:
        """Where edges lie so close together as those of the spots of a pile's side."""
        sharp = np.where(cls.edges(seen) >= _SPOT_EDGE, np.uint8(255), np.uint8(0))
        close = cv2.morphologyEx(sharp, op=cv2.MORPH_CLOSE, kernel=_disc(_SPOT_MM))
        return np.asarray(cv2.morphologyEx(close, op=cv2.MORPH_OPEN, kernel=_disc(_TEXTURED_MM)), dtype=np.uint8)

    def learn_bare(self, seen: Reals, box: MmBox, where: Mask) -> None:
        """Take what the box shows at ``where`` for bare felt, but for the shadows that fall on it.

        Felt that was learnt under an arm would stand out once the light falls on it again.
        """
        x, y, w, h = cv2.boundingRect(where)
        if not w:
            return
        at = np.s_[box[1] + y : box[1] + y + h, box[0] + x : box[0] + x + w]
        now, before, known = seen[y : y + h, x : x + w], self._bare[at], self._known[at]
        inside = where[y : y + h, x : x + w] > 0
        darker = inside & known & ((now[..., 0] - 16) < _IN_SHADOW * (before[..., 0] - 16))
        inside[darker] = ~_is_shade(now[darker], before[darker], colour=_SHADE_COLOUR)
        cv2.copyTo(src=now, mask=inside.view(np.uint8), dst=before)
        known |= inside

    def forget(self, outlines_px: Sequence[Floats]) -> None:
        """Forget the felt within outlines (n, 2) in pixels of the picture."""
        for outline in outlines_px:
            felt = self.camera.to_felt(outline)
            whole = (0, 0, self.shape[1], self.shape[0])
            if np.isfinite(felt).all():
                self._known[self.polygon(felt, whole) > 0] = False

    def learn_unknown(self, seen: Reals, box: MmBox, where: Mask) -> Mask:
        """Learn what stands out at ``where`` if the felt there was never seen, or not seen bare; return what is left.

        What was never seen is taken for print. What was once taken for bare felt and looks less like felt than what is
        seen now was something that lay there at the time.
        """
        if not cv2.hasNonZero(where):
            return where
        x0, y0, x1, y1 = box
        known = self._known[y0:y1, x0:x1]
        doubtful = np.where(~known | self._is_barer(seen, box, where), np.uint8(255), np.uint8(0))
        self.learn_bare(seen, box, np.asarray(cv2.bitwise_and(where, doubtful), dtype=np.uint8))
        rest = cv2.bitwise_and(where, cv2.bitwise_not(doubtful))
        return np.asarray(cv2.morphologyEx(rest, op=cv2.MORPH_OPEN, kernel=_disc(9)), dtype=np.uint8)

    def is_bare_again(self, seen: Reals, box: MmBox, place: Mask, core: Mask) -> bool:
        """Return whether a place looks like felt now, and less so when it was taken for bare felt: told at its core.

        Nor does what is around the core look odd: the white inlay of a black cheque is no cream field laid bare.
        """
        x0, y0, x1, y1 = box
        barer = self._is_barer(seen, box, core) & self._known[y0:y1, x0:x1]
        if not core.any() or float(barer[core > 0].mean()) < _BARER:
            return False
        rim = (place > 0) & (core == 0)
        odd = _differs(seen, self._around(seen), luma=_LUMA, colour=_COLOUR) if rim.any() else core
        return not rim.any() or float((odd[rim] > 0).mean()) < _STILL_ODD

    def _is_barer(self, seen: Reals, box: MmBox, where: Mask) -> NDArray[np.bool_]:
        """Where something must have lain when the felt was learnt: it looked odd then, and does not now."""
        barer = np.zeros(where.shape, dtype=np.bool_)
        x, y, w, h = _around_of(where, _ODD_REACH_MM)
        if w:
            part, at = np.s_[y : y + h, x : x + w], np.s_[box[1] + y : box[1] + y + h, box[0] + x : box[0] + x + w]
            around = self._around(seen)[part]
            was_odd, is_odd = (self._odd(picture, around) for picture in (self._bare[at], seen[part]))
            barer[part] = (cv2.dilate(was_odd, _disc(_ODD_RIM_MM)) > 0) & (is_odd == 0)
        return barer

    @staticmethod
    def _odd(picture: Reals, around: Reals) -> Mask:
        """What of a view looks neither like the felt around it nor like thin print."""
        mask = _differs(picture, around, luma=_LUMA, colour=_COLOUR)
        return np.asarray(cv2.morphologyEx(mask, op=cv2.MORPH_OPEN, kernel=_disc(_PRINT_MM)), dtype=np.uint8)

    def polygon(self, points_mm: Floats, box: MmBox) -> Mask:
        """Return the mask of a felt polygon within a box."""
        x0, y0, x1, y1 = box
        mask: Mask = np.zeros((y1 - y0, x1 - x0), dtype=np.uint8)
        self.fill(mask, points_mm, box)
        return mask

    def fill(self, mask: Mask, points_mm: Floats, box: MmBox) -> None:
        """Add a felt polygon to the mask of a box."""
        points = np.round(np.asarray(points_mm) - self.origin_mm - box[:2]).astype(np.int32)
        cv2.fillPoly(mask, pts=[points], color=255)

    def hidden_by(self, things: Sequence[Sighting], box: MmBox) -> Mask:
        """Return the felt of a box that known objects hide."""
        return self.masked([one.polygon_px for one in things], box)

    def masked(self, outlines_px: Sequence[Floats], box: MmBox) -> Mask:
        """Return the mask of outlines (n, 2) in pixels of the picture within a box."""
        mask: Mask = np.zeros((box[3] - box[1], box[2] - box[0]), dtype=np.uint8)
        for outline in outlines_px:
            felt = self.camera.to_felt(outline)
            if len(felt) and np.isfinite(felt).all():
                self.fill(mask, felt, box)
        return mask

    def masked_mm(self, outlines_mm: Sequence[Sequence[tuple[float, float]]], box: MmBox) -> Mask:
        """Return the mask of outlines on the felt within a box."""
        mask: Mask = np.zeros((box[3] - box[1], box[2] - box[0]), dtype=np.uint8)
        for outline in outlines_mm:
            self.fill(mask, np.asarray(outline), box)
        return mask

    def to_mm(self, xy: tuple[float, float], box: MmBox) -> tuple[float, float]:
        """Return the felt point of a pixel of a box."""
        return (float(xy[0] + box[0] + self.origin_mm[0]), float(xy[1] + box[1] + self.origin_mm[1]))


def _looks_at(frame: Frame, where_px: Reals) -> Pixels:
    """Brightness and the two colour differences (h, w, 3) at points of the picture."""
    half = where_px * (frame.colours[0].shape[1] / frame.luma.shape[1])
    planes = [
        cv2.remap(plane, at, None, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for plane, at in zip((frame.luma, *frame.colours), (where_px, half, half), strict=True)
    ]
    return np.asarray(cv2.merge(planes), dtype=np.uint8)


def _remapped(view: Reals, at: Reals) -> Reals:
    """What a view from above shows at pixels (h, w, 2) of it."""
    seen = cv2.remap(view, at, None, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(seen, dtype=np.float32)


def _surroundings(seen: Reals) -> Reals:
    """The look that prevails around every point: felt, as long as most of what surrounds an object is felt."""
    size = 8
    high, wide = (max(1, round(side / size)) for side in seen.shape[:2])  # a part at the border may be a strip
    small = cv2.resize(seen, dsize=(wide, high), interpolation=cv2.INTER_AREA)
    width = min(_SURROUND_MM // size | 1, 41)
    planes = [cv2.medianBlur(np.ascontiguousarray(small[..., i]).astype(np.uint8), ksize=width) for i in range(3)]
    grown = cv2.resize(cv2.merge(planes), dsize=(seen.shape[1], seen.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(grown, dtype=np.float32)


def _slope(seen: Reals, plane: int) -> Reals:
    """How steeply a plane of a view changes at each point."""
    values = np.ascontiguousarray(seen[..., plane])
    across, down = (cv2.Sobel(values, ddepth=cv2.CV_32F, dx=d, dy=1 - d, ksize=3) for d in (1, 0))
    return np.asarray(cv2.magnitude(across, down), dtype=np.float32)


def _differs(seen: Reals, bare: Reals, *, luma: float, colour: float) -> Mask:
    like = cv2.inRange(cv2.absdiff(seen, bare), lowerb=(0.0, 0.0, 0.0), upperb=(luma, colour, colour))
    return np.asarray(cv2.bitwise_not(like), dtype=np.uint8)


def _chosen(where: Mask, there: Mask, elsewhere: Mask) -> Mask:
    """One mask at some places (255, others 0), another elsewhere."""
    chosen = cv2.bitwise_or(cv2.bitwise_and(there, where), cv2.bitwise_and(elsewhere, cv2.bitwise_not(where)))
    return np.asarray(chosen, dtype=np.uint8)


def _without_shade(mask: Mask, seen: Reals, bare: Reals, *, soft_too: bool = True) -> Mask:
    """What of a mask is no felt under less light; where little changes its colours may be somewhat off."""
    at = np.flatnonzero(mask > 0)
    now, felt = seen.reshape(-1, 3)[at], bare.reshape(-1, 3)[at]
    shade = _is_shade(now, felt, colour=_SHADE_EXACT)
    if soft_too:
        shade |= (_roughness(seen).ravel()[at] < _ROUGH) & _is_shade(now, felt, colour=_SHADE_COLOUR)
    mask.ravel()[at[shade]] = 0
    return mask


def _is_shade(seen: Reals, bare: Reals, *, colour: float) -> NDArray[np.bool_]:
    """Whether pixels (n, 3) look like their felt under less light: colours shrink as the brightness does."""
    share = (seen[:, 0] - 16) / np.maximum(bare[:, 0] - 16, 4)
    shade: NDArray[np.bool_] = (share > _SHADE[0]) & (share < _SHADE[1])
    for plane in (1, 2):
        shade &= np.abs(seen[:, plane] - (128 + (bare[:, plane] - 128) * share)) < colour
    return shade


def _around_of(mask: Mask, room: int) -> tuple[int, int, int, int]:
    """The box (x, y, width, height) of a mask with room around it; nothing of an empty one."""
    x, y, w, h = cv2.boundingRect(mask)
    left, top = max(0, x - room), max(0, y - room)
    right, bottom = min(mask.shape[1], x + w + room), min(mask.shape[0], y + h + room)
    return (left, top, right - left, bottom - top) if w else (0, 0, 0, 0)


def _colour_apart(seen: Reals, bare: Reals) -> float:
    """How far the colours of most of some pixels (n, 3) are from their bare felt's in as much light."""
    share = np.clip((seen[:, 0] - 16) / np.maximum(bare[:, 0] - 16, 4.0), 0.3, 1.7)
    expected = 128 + (bare[:, 1:] - 128) * share[:, None]
    return float(np.median(np.abs(seen[:, 1:] - expected).sum(axis=1)))


def _roughness(seen: Reals) -> Reals:
    """How much the brightness changes within a few millimetres: little in shadows, much at edges, spots and print."""
    luma = np.ascontiguousarray(seen[..., 0])
    return np.asarray(cv2.blur(cv2.absdiff(luma, cv2.blur(luma, ksize=(7, 7))), ksize=(7, 7)), dtype=np.float32)


def _disc(diameter: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, ksize=(diameter, diameter)), dtype=np.uint8)
