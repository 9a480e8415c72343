"""A small painted table for tests of what happens in time, and a fake of the detector that looks at its pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import av
import cv2
import numpy as np

from audit.states import StackCandidate
from audit.table import TableProfile, parse_profile
from audit.timing import Millis
from models.camera import Camera, camera_of
from models.frames import Frame
from models.proposals import Proposal
from models.rack_view import RackColours
from models.sighting import Box, Sighting, card_corners_mm, fit_card

SIZE = (960, 540)
FELT = (70, 110, 40)
SKIN = (120, 160, 215)
FACES = {"Ah": (60, 60, 230), "Ks": (60, 60, 60), "7d": (40, 160, 240), "9c": (200, 90, 60)}
CHIPS = {"red": (40, 40, 200), "green": (60, 200, 80)}

PROFILE = """
[table]
id = "TOY"
game = "blackjack"
minimum = "10.00"
maximum = "500.00"
[camera]
image_size = [960, 540]
matrix = [[900.0, 0.0, 480.0], [0.0, 900.0, 270.0], [0.0, 0.0, 1.0]]
rotation = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]
translation = [0.0, -250.0, 900.0]
[[zone]]
name = "dealer.cards"
polygon_mm = [[-150, 40], [150, 40], [150, 150], [-150, 150]]
[[zone]]
name = "seat1.cards"
polygon_mm = [[-350, 170], [-100, 170], [-100, 330], [-350, 330]]
[[zone]]
name = "seat1.main"
polygon_mm = [[-350, 340], [-100, 340], [-100, 450], [-350, 450]]
[[zone]]
name = "seat2.cards"
polygon_mm = [[100, 170], [350, 170], [350, 330], [100, 330]]
[[zone]]
name = "seat2.main"
polygon_mm = [[100, 340], [350, 340], [350, 450], [100, 450]]
[[zone]]
name = "rack"
polygon_mm = [[-150, -40], [150, -40], [150, 0], [-150, 0]]
"""


def profile() -> TableProfile:
    return parse_profile(PROFILE)


@dataclass(frozen=True, kw_only=True)
class Thing:
    """A card (``face``; None shows its back) or a pile (``chips`` colour) at a place from one time to another.

    Or anything else, of a size in mm (``wide``, ``high``) and a colour.
    """

    x: float
    y: float
    angle: float = 0.0
    face: str | None = None
    chips: str | None = None
    wide: float = 0.0
    high: float = 0.0
    bgr: tuple[int, int, int] = (18, 16, 20)
    start_ms: int = 0
    end_ms: int = 10**9


@dataclass(frozen=True, kw_only=True)
class Reach:
    """An arm that comes from a root outside the picture to a target and goes back; rests there in between."""

    root: tuple[float, float]
    target: tuple[float, float]
    start_ms: int
    end_ms: int
    way_ms: int = 400

    def tip(self, t_ms: int) -> tuple[float, float] | None:
        if not self.start_ms <= t_ms <= self.end_ms:
            return None
        share = min(1.0, (t_ms - self.start_ms) / self.way_ms, (self.end_ms - t_ms) / self.way_ms)
        (x0, y0), (x1, y1) = self.root, self.target
        return (x0 + share * (x1 - x0), y0 + share * (y1 - y0))


@dataclass(frozen=True, kw_only=True)
class Toy:
    things: tuple[Thing, ...] = ()
    arms: tuple[Reach, ...] = ()
    length_ms: int = 4000
    begin_ms: int = 0
    darken: Callable[[int], float] = lambda t_ms: 1.0

    def frames(self, *, step_ms: int = 40) -> Iterator[Frame]:
        camera = camera_of(profile())
        noise = np.random.default_rng(7)
        for t_ms in range(self.begin_ms, self.length_ms, step_ms):
            picture = self.paint(camera, t_ms).astype(np.float32) * self.darken(t_ms)
            picture += noise.normal(scale=2.5, size=picture.shape[:2])[..., None]
            bgr = np.clip(picture, 0, 255).astype(np.uint8)
            source = av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format="yuv420p")
            yield Frame(t_ms=Millis(t_ms), source=source)

    def paint(self, camera: Camera, t_ms: int) -> np.ndarray:
        picture = np.full((SIZE[1], SIZE[0], 3), FELT, dtype=np.uint8)
        for thing in self.things:
            if thing.start_ms <= t_ms < thing.end_ms:
                _paint(picture, camera, thing)
        for arm in self.arms:
            tip = arm.tip(t_ms)
            if tip is not None:
                ends = np.round(camera.to_pixels([arm.root, tip])).astype(int)
                cv2.line(picture, tuple(ends[0]), tuple(ends[1]), SKIN, 60)
                cv2.circle(picture, tuple(ends[1]), 42, SKIN, -1)
        return picture


def _paint(picture: np.ndarray, camera: Camera, thing: Thing) -> None:
    if thing.chips is not None:
        (x, y), radius = camera.to_pixels([(thing.x, thing.y)])[0], 19.5 * camera.px_per_mm((thing.x, thing.y))
        cv2.circle(picture, (round(x), round(y)), round(radius), CHIPS[thing.chips], -1, cv2.LINE_AA)
        return
    if thing.wide > 0:
        half = np.array([thing.wide / 2, thing.high / 2])
        sides = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + (thing.x, thing.y)
        cv2.fillPoly(picture, [np.round(camera.to_pixels(sides)).astype(np.int32)], thing.bgr, cv2.LINE_AA)
        return
    corners = np.round(camera.to_pixels(card_corners_mm((thing.x, thing.y), thing.angle))).astype(np.int32)
    cv2.fillPoly(picture, [corners], (240, 240, 240), cv2.LINE_AA)
    centre = corners.mean(axis=0)
    inner = np.round(centre + (corners - centre) * 0.5).astype(np.int32)
    cv2.fillPoly(picture, [inner], FACES[thing.face] if thing.face else (150, 60, 120), cv2.LINE_AA)


class PixelEyes:
    """Finds white-edged quads, coloured discs and skin in the toy's pixels; counts how often it was asked."""

    def __init__(self) -> None:
        self.camera = camera_of(profile())
        self.asked: list[tuple[Box, ...] | None] = []

    def look(
        self,
        frame_bgr: np.ndarray,
        regions: Sequence[Box] | None = None,
        wanted: Callable[[Sighting], bool] | None = None,
    ) -> list[Sighting]:
        self.asked.append(None if regions is None else tuple(regions))
        boxes = regions or [(0, 0, SIZE[0], SIZE[1])]
        return [sighting for box in boxes for sighting in self._in(frame_bgr, box)]

    def read(self, frame_bgr: np.ndarray, proposals: Sequence[Proposal], *known: object) -> list[Sighting]:
        self.asked.append(())
        answers = []
        for one in proposals:
            x, y = np.round(one.polygon_px.mean(axis=0)).astype(int)
            colour = cv2.blur(frame_bgr[y - 4 : y + 5, x - 4 : x + 5], (5, 5))[4, 4].astype(int)
            seen = self._pile(one.polygon_px, colour) if one.kind == "chips" else self._card(one.polygon_px, colour)
            answers.append(replace(seen, xy_mm=one.xy_mm, confidence=one.confidence))
        return answers

    def rack(self, frame_bgr: np.ndarray, polygon_mm: Sequence[tuple[float, float]]) -> RackColours:
        return RackColours()

    def _in(self, frame: np.ndarray, box: Box) -> Iterator[Sighting]:
        x0, y0, x1, y1 = box
        crop = cv2.blur(frame[y0:y1, x0:x1], (3, 3)).astype(int)
        felt = np.abs(crop - FELT).max(axis=2) < 40
        skin = np.abs(crop - SKIN).max(axis=2) < 45
        for contour in _contours(skin):
            if cv2.contourArea(contour) > 1500:
                yield Sighting(kind="hand", polygon_px=_quad(contour, box), confidence=0.9)
        for contour in _contours(~felt & ~skin):
            quad, area = _quad(contour, box), cv2.contourArea(contour)
            colour = crop[tuple(np.round(quad.mean(axis=0) - (x0, y0)).astype(int)[::-1])]
            fit = fit_card(self.camera, quad)
            if 1000 < area < 1700 and min(np.abs(colour - chip).max() for chip in CHIPS.values()) < 40:
                yield self._pile(quad, colour)
            elif area > 3500 and fit is not None:
                yield self._card(quad, colour)

    def _pile(self, quad: np.ndarray, colour: np.ndarray) -> Sighting:
        name = min(CHIPS, key=lambda one: np.abs(colour - CHIPS[one]).sum())
        x, y = self.camera.to_felt([quad.mean(axis=0)])[0]
        stacks = (StackCandidate(stack=(name,), p=0.97),)
        return Sighting(kind="chips", polygon_px=quad, confidence=0.9, xy_mm=(x, y), stacks=stacks)

    def _card(self, quad: np.ndarray, colour: np.ndarray) -> Sighting:
        fit = fit_card(self.camera, quad)
        assert fit is not None
        face = next((one for one in FACES if np.abs(colour - FACES[one]).max() < 45), None)
        faces = {} if face is None else {face: 0.98}
        kind = "card_back" if face is None else "card"
        return Sighting(
            kind=kind, polygon_px=quad, confidence=0.9, xy_mm=fit.xy_mm, angle_deg=fit.angle_deg, faces=faces, face=face
        )


def _contours(mask: np.ndarray) -> Sequence[np.ndarray]:
    found, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return found


def _quad(contour: np.ndarray, box: Box) -> np.ndarray:
    return cv2.boxPoints(cv2.minAreaRect(contour)).astype(np.float64) + box[:2]
