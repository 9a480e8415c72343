"""What lies around a card and what a camera does to it, for synthetic pictures of one card and its surroundings."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Bgr = NDArray[np.uint8]
Floats = NDArray[np.float32]

_FELTS: Final = ((40, 95, 25), (60, 115, 35), (110, 60, 20), (140, 80, 30), (35, 25, 120), (60, 30, 70), (30, 30, 30))
_WORDS: Final = (
    "A",
    "K",
    "Q",
    "J",
    "10",
    "9",
    "8",
    "7",
    "PAYS 3 TO 2",
    "INSURANCE",
    "21",
    "BET",
    "TIE",
    "777",
    "DEALER",
)
_SKINS: Final = ((150, 180, 225), (110, 145, 200), (70, 100, 155), (40, 60, 100), (130, 160, 215))


def noise_field(rng: np.random.Generator, height: int, width: int, *, cell: float) -> Floats:
    """Return smooth noise of unit spread whose grains are about ``cell`` px wide."""
    small = rng.standard_normal((max(2, int(height / cell) + 2), max(2, int(width / cell) + 2)), dtype=np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def background(rng: np.random.Generator, height: int, width: int, scale: float) -> Bgr:
    """Return felt, wood, carpet or paper, sometimes printed; ``scale`` is px per mm."""
    if rng.random() < 0.6:
        base = np.array(_FELTS[rng.integers(len(_FELTS))], np.float32) * rng.uniform(0.5, 1.5)
    else:
        base = rng.uniform(10, 245, 3).astype(np.float32)
    rough = rng.choice([2.0, 6.0, 14.0, 35.0], p=[0.35, 0.35, 0.2, 0.1])
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = base
    grain = noise_field(rng, height, width, cell=rng.uniform(1, 5)) * rough
    blotches = noise_field(rng, height, width, cell=rng.uniform(20, 90)) * rng.uniform(0, 14)
    picture += (grain + blotches)[..., None] * rng.uniform(0.7, 1.1, 3).astype(np.float32)
    surface = np.clip(picture, 0, 255).astype(np.uint8)
    for _ in range(rng.integers(0, 4) if rng.random() < 0.5 else 0):
        _print_on(rng, surface, scale)
    return surface


def _print_on(rng: np.random.Generator, surface: Bgr, scale: float) -> None:
    """Print a word, a line or a ring on the surface."""
    height, width = surface.shape[:2]
    at = (int(rng.integers(width)), int(rng.integers(height)))
    colour = [(235, 235, 235), (60, 210, 240), (20, 20, 20), (40, 40, 220)][rng.integers(4)]
    thick = max(1, int(scale * rng.uniform(0.6, 3)))
    kind = rng.integers(4)
    if kind == 0:
        cv2.ellipse(
            surface, at, (int(scale * 40), int(scale * rng.uniform(20, 40))), 0, 0, 360, colour, thickness=thick
        )
    elif kind == 1:
        to = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.line(surface, at, to, colour, thickness=thick)
    else:
        word, font = _WORDS[rng.integers(len(_WORDS))], int(rng.integers(0, 8))
        cv2.putText(
            surface, word, at, font, scale * rng.uniform(0.3, 1.3), colour, thickness=thick, lineType=cv2.LINE_AA
        )


def hand_mask(
    rng: np.random.Generator, height: int, width: int, at: NDArray[np.float64], scale: float
) -> NDArray[np.uint8]:
    """Return the mask of fingers that reach ``at`` from some side, or of a sleeve's edge."""
    mask = np.zeros((height, width), np.uint8)
    direction = rng.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(direction), np.sin(direction)]), np.array([-np.sin(direction), np.cos(direction)])
    finger = scale * rng.uniform(14, 20)
    for place in range(rng.integers(1, 5)):
        tip = at + across * finger * 1.1 * place + along * rng.uniform(-0.5, 0.5) * finger
        root = tip - along * finger * 8 + across * rng.uniform(-1, 1) * finger
        cv2.line(mask, _pixel(tip), _pixel(root), 255, thickness=max(2, int(finger)), lineType=cv2.LINE_AA)
    palm = at - along * finger * 7 + across * finger * 1.5
    cv2.circle(mask, _pixel(palm), int(finger * 3.2), 255, thickness=-1, lineType=cv2.LINE_AA)
    return mask


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def paint_hand(rng: np.random.Generator, picture: Bgr, mask: NDArray[np.uint8]) -> None:
    """Paint skin (or cloth, or a black glove) with soft shading into the mask."""
    skin = np.array(_SKINS[rng.integers(len(_SKINS))] if rng.random() < 0.8 else rng.uniform(10, 240, 3), np.float32)
    size = max(3, int(mask.shape[0] * 0.06) | 1)
    shade = cv2.GaussianBlur(mask, ksize=(size, size), sigmaX=0).astype(np.float32)[..., None] / 255
    colour = skin * (0.45 + 0.55 * shade) + noise_field(rng, *mask.shape, cell=6)[..., None] * 5
    blend(picture, np.clip(colour, 0, 255), mask)


def paint_chip(
    rng: np.random.Generator, picture: Bgr, mask: NDArray[np.uint8], at: NDArray[np.float64], scale: float
) -> None:
    """Paint a chip, lying or as a low stack seen from a side, and add it to the mask of what covers the card."""
    radius, flat = scale * 19.5, rng.uniform(0.45, 1.0)
    colour = rng.uniform(0, 255, 3)
    spots = tuple(255 - colour) if rng.random() < 0.5 else (240, 240, 240)
    chip = np.zeros_like(mask)
    layers = int(rng.integers(1, 6))
    for layer in range(layers):
        centre = _pixel(at - np.array([0, layer * scale * 3.3 * (1.2 - flat)]))
        axes = (max(2, int(radius)), max(2, int(radius * flat)))
        cv2.ellipse(chip, centre, axes, 0, 0, 360, 255, thickness=-1)
        cv2.ellipse(
            picture, centre, axes, 0, 0, 360, tuple(colour * rng.uniform(0.6, 1)), thickness=-1, lineType=cv2.LINE_AA
        )
        for start in range(int(rng.integers(0, 30)), 360, 60):
            rim = (max(1, int(radius * 0.85)), max(1, int(radius * 0.85 * flat)))
            cv2.ellipse(picture, centre, rim, 0, start, start + 18, spots, thickness=max(1, int(radius * 0.2)))
    inner = (max(1, int(radius * 0.55)), max(1, int(radius * 0.55 * flat)))
    top = _pixel(at - np.array([0, (layers - 1) * scale * 3.3 * (1.2 - flat)]))
    cv2.ellipse(picture, top, inner, 0, 0, 360, spots, thickness=-1, lineType=cv2.LINE_AA)
    np.maximum(mask, chip, out=mask)


def blend(picture: Bgr, colour: NDArray[np.float32] | Bgr, mask: NDArray[np.uint8]) -> None:
    """Lay colour over the picture where the mask says, in place."""
    left, top, width, height = cv2.boundingRect(mask)
    part = np.s_[top : top + height, left : left + width]
    if not width * height:
        return
    alpha = cv2.merge([mask[part]] * 3)
    over = np.asarray(colour[part], np.uint8)
    seen = cv2.multiply(over, alpha, scale=1 / 255)
    picture[part] = cv2.add(cv2.multiply(picture[part], 255 - alpha, scale=1 / 255), seen)


def cast_shadow(rng: np.random.Generator, picture: Bgr, mask: NDArray[np.uint8], scale: float) -> None:
    """Darken the picture beside what is about to be laid on it, in place."""
    shift = np.array([[1, 0, rng.uniform(-4, 4) * scale], [0, 1, rng.uniform(-2, 5) * scale]], np.float32)
    moved = cv2.warpAffine(mask, shift, mask.shape[::-1])
    soft = cv2.GaussianBlur(moved, ksize=(0, 0), sigmaX=max(0.6, scale * rng.uniform(0.5, 4)))
    light = cv2.merge([255 - cv2.convertScaleAbs(soft, alpha=rng.uniform(0.1, 0.6))] * 3)
    picture[:] = cv2.multiply(picture, light, scale=1 / 255)


def wear(rng: np.random.Generator, face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the face of a used card: faded print, scratches, dirt, another white, weak or strong."""
    strength = rng.random() ** 2
    fade = rng.uniform(1 - 0.35 * strength, 1.0)
    tint = rng.uniform(1 - 0.12 * strength, 1.0, 3) if rng.random() < 0.5 else np.ones(3)
    tones = (255 - (255 - np.arange(256)[:, None]) * fade) * tint
    table = np.concatenate([tones, np.arange(256)[:, None]], axis=1).astype(np.uint8)[None]
    worn = np.asarray(cv2.LUT(face, table), np.uint8)
    if rng.random() < 0.25:
        height, width = face.shape[:2]
        specks = noise_field(rng, height, width, cell=rng.uniform(2, 8)) > 2.4 - strength
        worn[specks, :3] = 235 if rng.random() < 0.7 else 90
    return worn


def lookalike(rng: np.random.Generator, face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return what may pass for a card: blank paper, the face of a die, a printed note, a disc on paper."""
    height, width = face.shape[:2]
    picture = face.copy()
    picture[..., :3] = rng.integers(0, 256, 3) if rng.random() < 0.4 else rng.integers(190, 256)
    dark = picture[0, 0, :3].mean() < 110
    ink = rng.integers(0, 256, 3).tolist() if rng.random() < 0.3 else [240] * 3 if dark else [25] * 3
    kind = rng.integers(4)
    if kind == 0:
        return picture
    if kind == 1:
        _die_pips(rng, picture, (*ink, 255))
    elif kind == 2:
        for line in range(rng.integers(1, 9)):
            word, font = _WORDS[rng.integers(len(_WORDS))] * 2, int(rng.integers(0, 8))
            at = (int(rng.integers(0, width // 2)), int(height * (line + 1) / 9))
            cv2.putText(picture, word, at, font, height * rng.uniform(0.001, 0.004), (*ink, 255), lineType=cv2.LINE_AA)
    else:
        centre, radius = (width // 2, height // 2), int(width * rng.uniform(0.2, 0.5))
        cv2.circle(picture, centre, radius, (*ink, 255), thickness=int(rng.choice([-1, 3, 9])))
    return picture


def _die_pips(rng: np.random.Generator, picture: NDArray[np.uint8], ink: tuple[int, ...]) -> None:
    """Paint one to six round pips as on a die, filling the picture."""
    height, width = picture.shape[:2]
    grid = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}[int(rng.integers(1, 7))]
    size = rng.uniform(0.07, 0.13)
    spread, turned = rng.uniform(0.22, 0.32), rng.random() < 0.5
    for place in grid:
        row, column = divmod("abcdefghi".index(place), 3)
        row, column = (column, row) if turned else (row, column)
        centre = (int(width * (0.5 + spread * (column - 1))), int(height * (0.5 + spread * (row - 1))))
        cv2.ellipse(picture, centre, (int(width * size), int(height * size)), 0, 0, 360, ink, thickness=-1)


def photograph(rng: np.random.Generator, picture: Bgr) -> Bgr:
    """Return what a camera makes of the picture: light, glare, lens, motion, sensor, compression."""
    image = _light(rng, picture.astype(np.float32))
    if rng.random() < 0.35:
        image = _glare(rng, image)
    image = _lens(rng, np.clip(image, 0, 255))
    image += rng.standard_normal(image.shape, dtype=np.float32) * np.float32(rng.gamma(1.5, 2.2))
    return _compress(rng, np.clip(image, 0, 255).astype(np.uint8))


def _light(rng: np.random.Generator, image: Floats) -> Floats:
    height, width = image.shape[:2]
    gain = rng.uniform(0.55, 1.2) * (1 + np.clip(rng.normal(0, 0.07, 3), -0.22, 0.22).astype(np.float32))
    ramp_x, ramp_y = rng.normal(0, 0.15, 2)
    ramp = 1 + ramp_x * np.linspace(-1, 1, width)[None] + ramp_y * np.linspace(-1, 1, height)[:, None]
    image = np.asarray(image * ramp[..., None].astype(np.float32) * gain, np.float32)
    if rng.random() < 0.3:  # a shadow's edge across the card
        edge = noise_field(rng, height, width, cell=max(height, width) * rng.uniform(0.3, 0.9))
        image *= np.where(edge > rng.normal(0, 0.7), 1.0, rng.uniform(0.4, 0.95))[..., None].astype(np.float32)
    gamma = np.exp(rng.normal(0, 0.22))
    image = np.asarray(255 * np.clip(image / 255, 0, 1.3) ** np.float32(gamma), np.float32)
    return np.asarray(rng.uniform(0, 25) + image * rng.uniform(0.85, 1.1), np.float32)


def _glare(rng: np.random.Generator, image: Floats) -> Floats:
    height, width = image.shape[:2]
    spot = np.zeros((height, width), np.float32)
    centre = (int(rng.integers(width)), int(rng.integers(height)))
    axes = (max(2, int(width * rng.uniform(0.05, 0.3))), max(2, int(height * rng.uniform(0.03, 0.2))))
    cv2.ellipse(spot, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, thickness=-1)
    soft = cv2.GaussianBlur(spot, ksize=(0, 0), sigmaX=max(1.0, width * rng.uniform(0.02, 0.15)))
    return np.asarray(image + soft[..., None] * rng.uniform(30, 220), np.float32)


def _lens(rng: np.random.Generator, image: Floats) -> Floats:
    kind = rng.random()
    if kind < 0.75:
        image = cv2.GaussianBlur(image, ksize=(0, 0), sigmaX=float(rng.uniform(0.3, 1.3)))
    if rng.random() < 0.07:
        length = int(rng.integers(2, 5))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle, reach = rng.uniform(0, np.pi), length * rng.uniform(0.3, 1.0)
        tip = (round(float(length + reach * np.cos(angle))), round(float(length + reach * np.sin(angle))))
        cv2.line(kernel, (length, length), tip, 1.0, thickness=1, lineType=cv2.LINE_AA)
        image = cv2.filter2D(image, ddepth=-1, kernel=kernel / kernel.sum())
    if rng.random() < 0.15:  # sharpening, as webcams do
        image = np.clip(
            image + (image - cv2.GaussianBlur(image, ksize=(0, 0), sigmaX=1.2)) * rng.uniform(0.3, 1.3), 0, 255
        )
    if rng.random() < 0.2:  # footage that was made smaller, then larger again
        height, width = image.shape[:2]
        share = rng.uniform(0.5, 0.95)
        small = cv2.resize(
            image, (max(8, int(width * share)), max(8, int(height * share))), interpolation=cv2.INTER_AREA
        )
        image = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(image, np.float32)


def _compress(rng: np.random.Generator, image: Bgr) -> Bgr:
    if rng.random() < 0.3:  # video keeps colour at half resolution or less
        luma, *chroma = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb))
        chroma = [cv2.blur(plane, ksize=(3, 3)) for plane in chroma]
        image = np.asarray(cv2.cvtColor(cv2.merge([luma, *chroma]), cv2.COLOR_YCrCb2BGR), np.uint8)
    if rng.random() < 0.75:
        quality = int(rng.integers(18, 96))
        image = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR),
            np.uint8,
        )
    return image
