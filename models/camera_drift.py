"""Notices that somebody has pushed the camera, and shows the table as the camera saw it before.

A reference picture, the first of the footage, tells where the camera looked then. While the camera shakes nothing is
shown; once it moves slowly or rests, every picture is put back to where the profile's camera would see it. If its new
view cannot be found for long, the view is lost until it is.
"""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from audit.states import CAMERA_MOVED, SeenObject, TableState
from models.camera import Floats
from models.frames import Frame, Pixels, SmallPicture
from models.landmarks import Fit, Landmarks, scaled_warp

logger = logging.getLogger(__name__)

_SAME_PX: Final = 1.4  # at a width of 1920, as all: views that differ by less are the same
_LOOK_MS: Final = 5_000  # between two looks at a picture that gives no cause
_AGAIN_MS: Final = 240  # after a look that found nothing amiss
_RESTS_MS: Final = 600  # a camera that has not moved for so long has come to rest
_JUST_MS: Final = 250
_FOLLOW_PX: Final = 7.0  # between two looks: a camera that moves no faster is followed
_PATIENCE_MS: Final = 1_500  # unseen for longer is a view that is lost
_SEARCH_MS: Final = 320
_CELLS: Final = (8, 6)
_LEAST_CONTRAST: Final = 2.5  # of a cell in which there is something to see
_ALIKE: Final = 0.85  # correlation with the picture before
_RESTLESS_SHARE: Final = 0.6  # of the cells in which there is something to see; arms move in few
_SHAKING_SHARE: Final = 0.9

Reals = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class SteadyFrame(Frame):
    """A frame as the camera would have seen it where it was before; ``warp`` maps pixels there to pixels here."""

    warp: Floats = field(repr=False)

    @cached_property
    def luma(self) -> Pixels:
        """The brightness of the whole frame (h, w)."""
        return _put_back(super().luma, self.warp)

    @cached_property
    def colours(self) -> tuple[Pixels, Pixels]:
        """The blue and the red colour difference (h / 2, w / 2)."""
        blue, red = super().colours
        warp = scaled_warp(self.warp, blue.shape[1] / self.source.width)
        return _put_back(blue, warp), _put_back(red, warp)

    @cached_property
    def bgr(self) -> Pixels:
        """The whole frame (h, w, 3), blue first."""
        return _put_back(super().bgr, self.warp)

    @cached_property
    def small(self) -> SmallPicture:
        """The frame at 480 pixels in width."""
        planes = super().small
        warp = scaled_warp(self.warp, planes.luma.shape[1] / self.source.width)
        return SmallPicture(
            luma=_put_back(planes.luma, warp), blue=_put_back(planes.blue, warp), red=_put_back(planes.red, warp)
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Move:
    """From ``since_ms`` on the camera's view lies to the profile's as ``warp`` says, at most so many pixels off."""

    since_ms: int
    warp: Floats
    pixels: float


class CameraDrift:
    """Watches where the camera looks.

    Args:
        landmarks: What the picture that the profile holds for shows; None, or too little in it: nothing can be told,
            and every frame is passed on as it is.
        zones_px: Where the profile's camera sees the zones' outlines (n, 2).
        moved: From the profile's pixels to those of the landmarks' picture, if the profile no longer held then.
    """

    def __init__(
        self,
        landmarks: Landmarks | None,
        zones_px: Mapping[str, Floats] | None = None,
        *,
        moved: Floats | None = None,
    ) -> None:
        self._landmarks = landmarks if landmarks is not None and landmarks.can_tell else None
        self._zones_px = zones_px or {}
        self._beyond: frozenset[str] = frozenset()
        self._warp: Floats = np.eye(3)
        self._moves: list[Move] = []
        self._at_first: Floats = np.eye(3) if moved is None else moved
        if moved is not None and self._landmarks is not None:
            self._note(np.eye(3), 0)
        self._before: tuple[Reals, Reals] | None = None
        self._looked_ms = -_LOOK_MS
        self._restless_ms: int | None = None
        self._unseen_ms: int | None = None
        self._calm_ms = 0
        self._trial: tuple[int, Floats] | None = None
        self._searched_ms = -_SEARCH_MS
        self._told = False
        self.is_lost = False

    @property
    def moves(self) -> Sequence[Move]:
        """Every movement noticed and made up for, in time order."""
        return tuple(self._moves)

    def steady(self, frame: Frame) -> Frame | None:
        """Return the frame as the camera saw the table before it was pushed; None while the camera shakes.

        While the view is lost the frame is returned as it is.
        """
        if self._landmarks is None:
            return frame
        t_ms = int(frame.t_ms)
        moving = self._moving_share(frame.small.luma)
        if self._restless_ms is None and not self._is_due(t_ms, restless=moving >= _RESTLESS_SHARE):
            return self._shown(frame)
        self._looked_ms = t_ms
        fit = self._found(frame.luma, t_ms)
        self._told |= fit is not None
        if fit is None and self._restless_ms is None and moving < _SHAKING_SHARE:
            return self._shown(frame)  # something stands before the table: that is told by what it covers
        if fit is not None and self._is_near(fit.warp, self._warp, _SAME_PX):
            self._settle(fit)
            self._rest(t_ms)
            return self._shown(frame)
        if self._restless_ms is None:
            self._restless_ms = t_ms
        if fit is not None and self._is_followed(fit, t_ms):
            self._accept(fit, t_ms)
            return self._shown(frame)
        return self._unseen(frame, t_ms)

    @property
    def beyond(self) -> frozenset[str]:
        """The zones of which a part has left the picture."""
        return self._beyond

    def as_seen(self, state: TableState) -> TableState:
        """Return the state with the outlines of objects and zones where the camera saw them then.

        ``camera_moved_px`` says how far from the profile's view that was, at most.
        """
        index = bisect_right([move.since_ms for move in self._moves], int(state.span.first))
        if not index:
            return state
        move = self._moves[index - 1]
        warp = move.warp
        zones = {name: _moved_outline(outline, warp) for name, outline in self._zones_px.items()}
        objects = tuple(_moved_object(item, warp) for item in state.objects)
        told = {"zones_px": zones, CAMERA_MOVED: round(move.pixels, 1)}
        return replace(state, objects=objects, extra={**state.extra, **told})

    def _is_due(self, t_ms: int, *, restless: bool) -> bool:
        waited = t_ms - self._looked_ms
        return waited >= (_AGAIN_MS if restless or not self._told else _LOOK_MS)

    def _found(self, luma: Pixels, t_ms: int) -> Fit | None:
        assert self._landmarks is not None  # noqa: S101 - for the type checker
        for guess in [self._warp] if self._trial is None else [self._trial[1], self._warp]:
            fit = self._landmarks.found_in(luma, guess)
            if fit is not None:
                return fit
        if t_ms - self._searched_ms >= _SEARCH_MS:
            self._searched_ms = t_ms
            return self._landmarks.searched_in(luma)
        return None

    def _is_followed(self, fit: Fit, t_ms: int) -> bool:
        """Whether the view is near that of the look just before: the camera moves slowly, or no more."""
        before, self._trial = self._trial, (t_ms, fit.warp)
        return before is not None and t_ms - before[0] <= _JUST_MS and self._is_near(fit.warp, before[1], _FOLLOW_PX)

    def _accept(self, fit: Fit, t_ms: int) -> None:
        assert self._restless_ms is not None  # noqa: S101
        since = t_ms if self._unseen_ms is None else self._unseen_ms
        self._warp, self._calm_ms = fit.warp, t_ms
        self._unseen_ms, self.is_lost = None, False
        self._note(fit.warp, since)

    def _settle(self, fit: Fit) -> None:
        """While the camera comes to rest, take its view as it is now: the shaking dies away for some moments."""
        if self._restless_ms is not None and self._moves:
            since = self._moves.pop().since_ms
            self._warp = fit.warp
            self._note(fit.warp, since)

    def _rest(self, t_ms: int) -> None:
        """The view is where it was taken to be; after a while of that the camera is at rest."""
        self._unseen_ms, self.is_lost = None, False
        if self._restless_ms is not None and t_ms - self._calm_ms >= _RESTS_MS:
            logger.info(
                "found the camera's view %.1f px from the profile's", self._moves[-1].pixels if self._moves else 0
            )
            self._restless_ms, self._trial = None, None

    def _unseen(self, frame: Frame, t_ms: int) -> Frame | None:
        if self._unseen_ms is None:
            self._unseen_ms = t_ms
        self._calm_ms = t_ms
        self.is_lost = t_ms - self._unseen_ms > _PATIENCE_MS
        return frame if self.is_lost else None

    def _note(self, warp: Floats, since_ms: int) -> None:
        """Take down where the camera looks: from the landmarks' picture, and so from the profile's."""
        whole = warp @ self._at_first
        move = Move(since_ms=since_ms, warp=whole, pixels=self._apart(whole, np.eye(3)))
        self._moves.append(move)
        self._beyond = frozenset(name for name, outline in self._zones_px.items() if self._leaves(outline))

    def _leaves(self, outline_px: Floats) -> bool:
        """Whether a part of an outline that was in the picture is outside it now."""
        now = cv2.perspectiveTransform(outline_px.reshape(-1, 1, 2), self._moves[-1].warp)
        return bool(np.any(self._inside(outline_px) & ~self._inside(now)))

    def _inside(self, points_px: Floats) -> NDArray[np.bool_]:
        assert self._landmarks is not None  # noqa: S101
        points = points_px.reshape(-1, 2)
        inside: NDArray[np.bool_] = np.all((points >= 0) & (points <= np.array(self._landmarks.size)), axis=1)
        return inside

    def _shown(self, frame: Frame) -> Frame:
        if not self._moves:
            return frame
        warp = self._moves[-1].warp
        if isinstance(frame, SteadyFrame):  # the camera trembles, too
            return replace(frame, warp=frame.warp @ warp)
        return SteadyFrame(t_ms=frame.t_ms, source=frame.source, warp=warp)

    def _is_near(self, one: Floats, other: Floats, pixels: float) -> bool:
        """Whether two views put no point as many pixels apart, at a width of 1920."""
        assert self._landmarks is not None  # noqa: S101
        return self._apart(one, other) < pixels * self._landmarks.size[0] / 1920

    def _apart(self, one: Floats, other: Floats) -> float:
        """How far two views put the same point apart at most, in pixels."""
        assert self._landmarks is not None  # noqa: S101
        width, height = self._landmarks.size
        grid = np.array([(x * width, y * height) for x in (0.1, 0.5, 0.9) for y in (0.15, 0.5, 0.85)])[:, None]
        gaps = cv2.perspectiveTransform(grid, one) - cv2.perspectiveTransform(grid, other)
        return float(np.linalg.norm(gaps, axis=2).max())

    def _moving_share(self, luma: Pixels) -> float:
        """How much of what can be told apart moves at once: only a moving camera moves nearly all of it."""
        coarse = cv2.boxFilter(luma, ddepth=cv2.CV_32F, ksize=(9, 9))
        fine = np.asarray(cv2.subtract(luma, coarse, dtype=cv2.CV_32F), dtype=np.float32)
        energy = _cell_means(fine * fine)
        before, self._before = self._before, (fine, energy)
        if before is None:
            return 0.0
        energy_before, common = before[1], _cell_means(fine * before[0])
        alike = common / np.maximum(np.sqrt(energy * energy_before), 1e-3)
        telling = energy_before > _LEAST_CONTRAST**2
        return float(np.mean(alike[telling] < _ALIKE)) if telling.any() else 0.0


def _cell_means(plane: Reals) -> Reals:
    parts = cv2.resize(plane, dsize=(_CELLS[0] * 6, _CELLS[1] * 5), interpolation=cv2.INTER_AREA)  # quicker in two goes
    return np.asarray(cv2.resize(parts, dsize=_CELLS, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _put_back(plane: Pixels, warp: Floats) -> Pixels:
    """Return a picture seen through the moved camera as the unmoved one would have seen it."""
    size = (plane.shape[1], plane.shape[0])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    back = cv2.warpPerspective(plane, warp, dsize=size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(back, dtype=np.uint8)


def _moved_object(item: SeenObject, warp: Floats) -> SeenObject:
    outline = item.extra.get("polygon_px")
    if not outline:
        return item
    return replace(item, extra={**item.extra, "polygon_px": _moved_outline(outline, warp)})


def _moved_outline(outline_px: ArrayLike, warp: Floats) -> list[list[float]]:
    points = np.asarray(outline_px, dtype=np.float64).reshape(-1, 1, 2)
    moved: list[list[float]] = np.round(cv2.perspectiveTransform(points, warp)[:, 0], 1).tolist()
    return moved
