"""Draw the deck and the plain table's print: ``python -m sample_footage.art.draw``.

It needs rsvg-convert, Pillow and Debian's decks.

Rendering needs none of these: it reads the sheets written here.
"""

from __future__ import annotations

import gzip
import math
import subprocess
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sample_footage.layout import ARC_CENTRE_Y, BET_RADIUS, INSURANCE_RADII, SEAT_DEG, at_seat

HERE: Final = Path(__file__).parent
DECK_SVG: Final = Path("/usr/share/carddecks/svg-standard/standard.svgz")
SERIF: Final = "/usr/share/fonts/truetype/dejavu/DejaVuSerifCondensed-Bold.ttf"
PRINT_ORIGIN_MM: Final = (-700.0, -330.0)
PRINT_SIZE_MM: Final = (1400.0, 960.0)
PRINT_PX_PER_MM: Final = 2.0

Mask = NDArray[np.uint8]


def draw_deck() -> None:
    """Rasterise the deck: four rows (spades, hearts, clubs, diamonds) of A K Q J T 9 ... 2, 210 x 285 pixels each."""
    svg = HERE / "deck.svg"
    svg.write_bytes(gzip.decompress(DECK_SVG.read_bytes()))
    subprocess.run(["rsvg-convert", "-z", "3", str(svg), "-o", str(HERE / "sheet.png")], check=True)  # noqa: S603, S607 - a developer's tool, fixed arguments
    sheet = np.asarray(Image.open(HERE / "sheet.png").convert("RGBA"))[..., [2, 1, 0, 3]]
    faces = np.full((4 * 285, 13 * 210, 3), 255, np.uint8)
    for row in range(4):
        for column in range(13):
            cell = sheet[row * 288 + 2 : row * 288 + 287, column * 216 + 2 : column * 216 + 212]
            alpha = cell[..., 3:4].astype(np.float32) / 255
            face = cell[..., :3] * alpha + 255 * (1 - alpha)
            face[_outline_of_card()] = 255
            faces[row * 285 : row * 285 + 285, column * 210 : column * 210 + 210] = face
    Image.fromarray(faces[..., ::-1]).quantize(64, dither=Image.Dither.NONE).save(HERE / "deck.png", optimize=True)
    svg.unlink()
    (HERE / "sheet.png").unlink()


def _outline_of_card() -> NDArray[np.bool_]:
    """The black line around each face and what lies outside it, which a printed card has not."""
    inner = np.zeros((285, 210), np.uint8)
    cv2.rectangle(img=inner, pt1=(4, 14), pt2=(205, 270), color=1, thickness=-1)
    cv2.rectangle(img=inner, pt1=(14, 4), pt2=(195, 280), color=1, thickness=-1)
    for centre in ((14, 14), (195, 14), (14, 270), (195, 270)):
        cv2.circle(img=inner, center=centre, radius=10, color=1, thickness=-1)
    outside: NDArray[np.bool_] = inner == 0
    return outside


def draw_print() -> None:
    """Draw the felt's print as coverage: red channel = white ink, green channel = gold ink.

    The sheet is seen from the players' side: its x runs to the dealer's LEFT, its y towards the players.
    """
    white, gold = blank(), blank()
    for radius in INSURANCE_RADII:
        arc(white, radius=radius, half_deg=31.0, width_mm=2.2)
    arc_text(white, "INSURANCE  PAYS  2  TO  1", radius=sum(INSURANCE_RADII) / 2 + 6, height_mm=17, at_deg=0)
    for side in (-22.0, 22.0):
        arc_text(white, "INSURANCE", radius=sum(INSURANCE_RADII) / 2 + 6, height_mm=17, at_deg=side)
    arc_text(gold, "BLACKJACK PAYS 3 TO 2", radius=664, height_mm=40, at_deg=0)
    arc_text(white, "Dealer must draw to 16, and stand on all 17s", radius=698, height_mm=17, at_deg=0)
    for seat in SEAT_DEG:
        _bet_spot(white, gold, seat)
    sheet = np.stack([white, gold, np.zeros_like(white)], axis=2)
    Image.fromarray(sheet).quantize(32, dither=Image.Dither.NONE).save(HERE / "print.png", optimize=True)


def blank() -> Mask:
    """Return a sheet without ink."""
    width, height = (round(size * PRINT_PX_PER_MM) for size in PRINT_SIZE_MM)
    return np.zeros((height, width), np.uint8)


def px(x: float, y: float) -> tuple[int, int]:
    """Return the sheet pixel, in sixteenths, of a felt point."""
    across = (-x - PRINT_ORIGIN_MM[0]) * PRINT_PX_PER_MM
    down = (y - PRINT_ORIGIN_MM[1]) * PRINT_PX_PER_MM
    return round(across * 16), round(down * 16)


def arc(mask: Mask, *, radius: float, half_deg: float, width_mm: float) -> None:
    """Draw a part of a circle around the arc's centre."""
    angles = np.radians(np.linspace(-half_deg, half_deg, 200))
    points = [px(radius * math.sin(a), ARC_CENTRE_Y + radius * math.cos(a)) for a in angles]
    line(mask, points, closed=False, width_mm=width_mm)


def line(mask: Mask, points: list[tuple[int, int]], *, closed: bool, width_mm: float) -> None:
    """Draw a line through sheet pixels, in sixteenths."""
    cv2.polylines(
        img=mask,
        pts=[np.array(points, np.int32)],
        isClosed=closed,
        color=255,
        thickness=max(1, round(width_mm * PRINT_PX_PER_MM)),
        lineType=cv2.LINE_AA,
        shift=4,
    )


def _bet_spot(white: Mask, gold: Mask, seat: int) -> None:
    turns = np.linspace(0, 2 * math.pi, 96, endpoint=False)
    middle = at_seat(seat, u=0, radius=BET_RADIUS)
    for mask, radius, width in ((white, 46.0, 3.0), (gold, 40.5, 1.5)):
        ring = [px(middle.x + radius * math.cos(t), middle.y + radius * math.sin(t)) for t in turns]
        line(mask, ring, closed=True, width_mm=width)
    arc_text(gold, str(seat), radius=BET_RADIUS + 74, height_mm=22, at_deg=-SEAT_DEG[seat])


def arc_text(mask: Mask, text: str, *, radius: float, height_mm: float, at_deg: float) -> None:
    """Bend a line of text onto the arc; ``radius`` is that of its foot, ``at_deg`` to the right in the sheet."""
    font = ImageFont.truetype(SERIF, 120)
    strip = Image.new("L", (round(font.getlength(text)) + 40, 170), 0)
    ImageDraw.Draw(strip).text((20, 10), text, fill=255, font=font)
    pixels = np.asarray(strip)
    mm = height_mm / 120
    foot = 10 + font.getmetrics()[0]
    rows, columns = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]].astype(np.float32)
    x = columns / PRINT_PX_PER_MM + PRINT_ORIGIN_MM[0]
    y = rows / PRINT_PX_PER_MM + PRINT_ORIGIN_MM[1] - ARC_CENTRE_Y
    along = (np.arctan2(x, y) - math.radians(at_deg)) * radius / mm + pixels.shape[1] / 2
    down = foot + (np.hypot(x, y) - radius) / mm
    bent = cv2.remap(
        src=cv2.GaussianBlur(src=pixels, ksize=(0, 0), sigmaX=0.35 / mm / PRINT_PX_PER_MM),
        map1=along.astype(np.float32),
        map2=down.astype(np.float32),
        interpolation=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=0,
    )
    np.maximum(mask, bent, out=mask)


if __name__ == "__main__":
    draw_deck()
    draw_print()
