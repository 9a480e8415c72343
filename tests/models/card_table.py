"""Pictures of cards on felt, composed from the sample footage's deck (art that the readers are not trained with)."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

_SHEET = Path(__file__).parents[2] / "sample_footage" / "art" / "deck.png"
_ROWS, _COLUMNS = "shcd", "AKQJT98765432"


def face(card: str) -> np.ndarray:
    """Return a face of the deck, (285, 210, 3) BGR."""
    sheet = cv2.imread(str(_SHEET))
    row, column = _ROWS.index(card[1]), _COLUMNS.index(card[0])
    return sheet[row * 285 : row * 285 + 285, column * 210 : column * 210 + 210]


def felt(height: int = 400, width: int = 600) -> np.ndarray:
    """Return empty green felt."""
    noise = np.random.default_rng(3).normal(0, 4, (height, width, 1))
    return np.clip(np.array([40.0, 100.0, 30.0]) + noise, 0, 255).astype(np.uint8)


def lay(picture: np.ndarray, card: str, quad_px: np.ndarray) -> None:
    """Lay a card on the picture, its top-left, top-right, bottom-right and bottom-left corner at the given points."""
    art = cv2.resize(face(card), (105, 142), interpolation=cv2.INTER_AREA)
    source = np.array([[0, 0], [105, 0], [105, 142], [0, 142]], np.float32)
    warp = cv2.getPerspectiveTransform(source, quad_px.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    laid = cv2.warpPerspective(art, warp, size)
    mask = cv2.warpPerspective(np.full(art.shape[:2], 255, np.uint8), warp, size) > 127
    picture[mask] = laid[mask]


def quad(x: float, y: float, angle_deg: float, *, long_px: float = 120.0, squash: float = 0.8) -> np.ndarray:
    """Return where a card's corners come to lie: its middle, its turn, its length, how much the view flattens it."""
    half = np.array([63.0, 88.0]) / 88.0 * long_px / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    turn = np.radians(angle_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return corners @ rotation.T * np.array([1.0, squash]) + np.array([x, y])
