"""What tables have in common: a felt often of a cheque's colour, few colours in play, small wagers, printed places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from models.backdrop import against
from models.cheque_size import CHIP_DIAMETER_MM
from models.chip_geometry import COLOURS, FootCamera
from models.train.chip_styles import colour_bgr

_FELTS: Final = {"green": 0.45, "blue": 0.18, "red": 0.15, "black": 0.06, "purple": 0.06, "teal": 0.05, "grey": 0.05}
_INKS: Final = ((230, 230, 230), (60, 200, 230), (20, 20, 20), (40, 200, 240), (200, 230, 200))
_LIKE_FELT: Final = 0.7  # of the tables have cheques of about the felt's colour
_ONE_COLOUR: Final = 0.45
_UNSORTED: Final = 0.15  # of the mixed ones lie in any order
_LONE_FOOT: Final = 0.3  # of the mixed ones are cheques of one colour upon one of another
_DARK: Final = "black"
_DARK_FOOT: Final = 0.22  # of the mixed ones have the colour that looks like its own shadow at the foot
_BLUR_MM: Final = 3.0
_KNOWN: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipTable:
    """A felt and the colours in play, by falling value as they lie in a wager from the bottom."""

    felt: str
    colours: tuple[str, ...]

    @classmethod
    def random(cls, rng: np.random.Generator) -> ChipTable:
        """Return a table of the trade."""
        felt = str(rng.choice(list(_FELTS), p=list(_FELTS.values())))
        some = {str(name) for name in rng.choice(COLOURS, int(rng.integers(3, 6)), replace=False)}
        some |= {"red", "green", "black"} if rng.random() < 0.6 else set()
        some |= {felt} if rng.random() < _LIKE_FELT else set()
        return cls(felt=felt, colours=tuple(sorted(some, key=COLOURS.index, reverse=True)))

    def wager(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Return the colours of a wager or payment, bottom to top."""
        count = int(rng.integers(1, 6)) if rng.random() < 0.62 else int(rng.integers(1, 21))
        first = self.felt if self.felt in self.colours and rng.random() < 0.4 else str(rng.choice(self.colours))
        if rng.random() < _ONE_COLOUR:
            return (first,) * count
        few = [first, *(str(name) for name in rng.choice(self.colours, int(rng.integers(1, 3))))]
        if count > 1 and rng.random() < _LONE_FOOT:
            foot, *upon = sorted((first, str(rng.choice(self.colours))), key=self.colours.index)
            return (foot, *(upon * (count - 1)))
        if _DARK in self.colours and rng.random() < _DARK_FOOT:
            few = [_DARK, *(name for name in few if self.colours.index(name) > self.colours.index(_DARK))]
        rest = (str(name) for name in rng.choice(few, count - 1))
        if rng.random() < _UNSORTED:
            return (few[0], *rest)
        return tuple(sorted((few[0], *rest), key=self.colours.index))

    def felt_picture(self, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return a bare felt (rows, columns, 3)."""
        base = colour_bgr(self.felt, rng) * rng.uniform(0.6, 1.3) + rng.uniform(-8, 8, 3)
        grain = rng.normal(0, rng.uniform(1, 7), (size[0] // 2 + 1, size[1] // 2 + 1)).astype(np.float32)
        grain = cv2.resize(grain, dsize=(size[1], size[0]), interpolation=cv2.INTER_LINEAR)
        return np.asarray((base[None, None] + grain[..., None]).clip(0, 255).astype(np.uint8))


def print_places(felt: NDArray[np.uint8], camera: FootCamera, rng: np.random.Generator) -> None:
    """Print the places of wagers: rings or boxes around the foot, and sometimes a word inside."""
    ink = [float(v) for v in _INKS[int(rng.integers(len(_INKS)))]]
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    reach = CHIP_DIAMETER_MM * rng.uniform(0.5, 1.6)
    points = np.stack([np.cos(around), np.sin(around)], axis=1) * reach
    if rng.random() < 0.3:
        points = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * reach * rng.uniform(0.7, 1.2, 2)
    points = points + rng.normal(0, CHIP_DIAMETER_MM * 0.3, 2)
    seen = camera.to_pixels(np.column_stack([points, np.zeros(len(points))]))
    thick = max(1, round(rng.uniform(1.0, 4.0) * camera.px_per_mm))
    outline = [np.round(seen).astype(np.int32)]
    cv2.polylines(felt, pts=outline, isClosed=True, color=ink, thickness=thick, lineType=cv2.LINE_AA)
    if rng.random() < 0.4:
        scale = camera.px_per_mm * rng.uniform(0.25, 0.6)
        at = (seen.mean(axis=0) + rng.uniform(-25, 5, 2) * camera.px_per_mm).astype(int)
        word = str(rng.choice(["ANTE", "21", "BET", "$", "PLAY", "5"]))
        cv2.putText(felt, word, org=at.tolist(), fontFace=cv2.FONT_HERSHEY_DUPLEX, fontScale=scale, color=ink)


class Eye(Protocol):
    """What the backdrop asks of a camera."""

    @property
    def sine(self) -> float:
        """Of the elevation."""

    @property
    def px_per_mm(self) -> float:
        """Scale at the foot, across the view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBackdrop:
    """The bare felt of a drawn picture, as a run has learnt it: a little off, blurred, and not known everywhere."""

    seen: NDArray[np.float32]
    bare: NDArray[np.float32]
    known: NDArray[np.uint8]
    off_px: NDArray[np.float64]

    @classmethod
    def learnt(
        cls, frame_bgr: NDArray[np.uint8], bare_bgr: NDArray[np.uint8], camera: Eye, rng: np.random.Generator
    ) -> DrawnBackdrop | None:
        """Return what is known of the felt behind a picture, or None."""
        if rng.random() > _KNOWN:
            return None
        side = _BLUR_MM * camera.px_per_mm
        bare = cv2.blur(_as_video(bare_bgr), ksize=(max(1, round(side)), max(1, round(side * camera.sine))))
        bare[..., 0] = 16 + (bare[..., 0] - 16) * float(np.exp(rng.normal(0, 0.02)))
        known = np.full(bare.shape[:2], 255, np.uint8)
        if rng.random() < 0.25:
            at = [int(v) for v in rng.uniform(0, bare.shape[1::-1])]
            cv2.circle(known, at, int(rng.uniform(10, 45) * camera.px_per_mm), 0, thickness=-1)
        off = rng.normal(0, 0.4, 2)
        return cls(seen=_as_video(frame_bgr), bare=np.asarray(bare, dtype=np.float32), known=known, off_px=off)

    def __call__(self, where_px: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return codes (h, w, 3) for points of the picture (h, w, 2)."""
        moved = (where_px + self.off_px).astype(np.float32)
        seen, bare = (_at(*pair) for pair in ((self.seen, where_px), (self.bare, moved)))
        return against(seen, bare, _at(self.known, moved) > 127)


def _at(picture: NDArray[Any], where_px: NDArray[np.float32]) -> NDArray[Any]:
    return np.asarray(
        cv2.remap(picture, where_px, None, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def _as_video(picture_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Brightness and the two colour differences (h, w, 3) in video's range."""
    luma, red, blue = cv2.split(cv2.cvtColor(picture_bgr, code=cv2.COLOR_BGR2YCrCb).astype(np.float32))
    parts: Sequence[Any] = (16 + luma * (219 / 255), 128 + (blue - 128) * (224 / 255), 128 + (red - 128) * (224 / 255))
    return np.asarray(np.stack(parts, axis=2), dtype=np.float32)


def lay_card(frame_bgr: NDArray[np.uint8], camera: FootCamera, rng: np.random.Generator) -> None:
    """Lay a card, of which little matters but that it is no felt, beside the foot."""
    turn, away = rng.uniform(0, 2 * np.pi, 2)
    half = np.array([[-31.5, -44.0], [31.5, -44.0], [31.5, 44.0], [-31.5, 44.0]])
    cos, sin = np.cos(turn), np.sin(turn)
    at = np.array([np.cos(away), np.sin(away)]) * rng.uniform(50, 80)
    points = half @ np.array([[cos, sin], [-sin, cos]]) + at
    seen = camera.to_pixels(np.column_stack([points, np.zeros(4)]))
    paper = [float(v) for v in rng.uniform(205, 250) + rng.uniform(-8, 8, 3)]
    cv2.fillPoly(frame_bgr, pts=[np.round(seen).astype(np.int32)], color=paper, lineType=cv2.LINE_AA)
