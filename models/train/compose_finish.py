"""What lamps, lenses, sensors and codecs do to a composed picture."""

from __future__ import annotations

import math

import cv2
import numpy as np

from models.train.compose_canvas import Image, Points
from models.train.compose_surface import noise_patch


def _light(rng: np.random.Generator, image: Points) -> Points:
    """Uneven lamps, glare and cast shadows."""
    size = image.shape[0]
    field = 1 + cv2.resize(
        rng.normal(0, rng.uniform(0.02, 0.16), (3, 3)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )
    image = image * field[..., None]
    if rng.random() < 0.22:
        spot = np.zeros((size // 4, size // 4), np.float32)
        centre = tuple(int(v) for v in rng.uniform(0, size // 4, 2))
        axes = tuple(int(v) for v in rng.uniform(4, size // 9, 2))
        cv2.ellipse(spot, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        width = int(rng.uniform(3, 14)) * 2 + 1
        spot = cv2.resize(cv2.blur(spot, (width, width)), (size, size))
        image = image + spot[..., None] * rng.uniform(30, 190)
    if rng.random() < 0.15:
        mask = np.ones((size, size), np.float32)
        cv2.fillPoly(
            mask, [rng.uniform(-size * 0.3, size * 1.3, (4, 2)).astype(np.int32)], float(rng.uniform(0.35, 0.8))
        )
        width = int(rng.uniform(1, 20)) * 2 + 1
        image = image * cv2.blur(mask, (width, width))[..., None]
    return image


def _tone(rng: np.random.Generator, image: Points) -> Points:
    """White balance, exposure, contrast and saturation."""
    image = image * rng.normal(1.0, 0.07, 3).astype(np.float32) * np.float32(math.exp(rng.normal(0, 0.2)))
    grey = image.mean(axis=2, keepdims=True)
    image = grey + (image - grey) * np.float32(rng.uniform(0.35, 1.35) if rng.random() < 0.9 else rng.uniform(0, 0.3))
    image = np.clip(image, 0, 255)
    return np.asarray(
        255 * (image / 255) ** np.float32(math.exp(rng.normal(0, 0.18))) + np.float32(rng.uniform(0, 14)), np.float32
    )


def _blur(rng: np.random.Generator, image: Points) -> Points:
    if rng.random() < 0.45:
        image = cv2.GaussianBlur(image, (0, 0), sigmaX=float(rng.uniform(0.3, 1.3)))
    if rng.random() < 0.1:
        length = int(rng.uniform(3, 9))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), float(rng.uniform(0, 180)), 1)
        image = cv2.filter2D(image, -1, cv2.warpAffine(kernel, turn, (length, length)))
    if rng.random() < 0.15:
        size = image.shape[0]
        small = int(size * rng.uniform(0.45, 0.9))
        image = cv2.resize(cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA), (size, size))
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(image, (0, 0), sigmaX=1.2)
        image = image + (image - soft) * np.float32(rng.uniform(0.3, 1.2))
    return np.asarray(image, np.float32)


def finish(rng: np.random.Generator, image_bgr: Image, size: int) -> Image:
    """Return the picture (size, size, 3) as a camera and its codec would deliver it."""
    ways = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_AREA)
    image = cv2.resize(image_bgr, (size, size), interpolation=ways[rng.integers(3)]).astype(np.float32)
    image = _tone(rng, _light(rng, image))
    image = _blur(rng, image)
    grain = rng.choice([0.0, 1.0, 2.5, 6.0])
    if grain:
        noise = (
            np.dstack([noise_patch(rng, 0, size) for _ in range(3)])
            if rng.random() < 0.5
            else noise_patch(rng, 0, size)[..., None]
        )
        image = image + noise * np.float32(rng.uniform(0.5, 1.3) * grain)
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def encode(rng: np.random.Generator, image_bgr: Image) -> bytes:
    """Return the picture as JPEG of a random quality, so that learning sees blocks and ringing."""
    quality = int(rng.choice([30, 45, 60, 75, 85, 92, 95]))
    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])
