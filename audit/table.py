"""Table profiles: one table and one camera set-up, as its TOML file gives it.

Felt coordinates are millimetres: origin at the middle of the front edge of the chip rack, x to the dealer's right,
y from the rack towards the players, z up. Seats are numbered from the dealer's left.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from audit.money import Money, format_money, parse_money
from audit.polygons import crossing, without_small_loops
from audit.rounds import VariantValue
from audit.text_files import what_was_found

Point = tuple[float, float]

GAMES: Final = ("blackjack", "double_deck", "draw_n_shoot_21", "dicey_21", "stud_21", "lucky_draw_baccarat")

CHIP_VALUES: Final[dict[str, Money]] = {
    # 004:L97-101
    "blue": parse_money("0.25"),
    "white": parse_money("1.00"),
    "pink": parse_money("2.50"),
    "red": parse_money("5.00"),
    "green": parse_money("25.00"),
    "black": parse_money("100.00"),
    "purple": parse_money("500.00"),
    "orange": parse_money("1000.00"),
    "grey": parse_money("5000.00"),
    "teal": parse_money("20000.00"),
}

_BETS: Final = (
    *("main", "trilux", "super3", "blazing7", "insurance", "toke", "ante", "raise", "craps"),
    *("chuck1", "chuck2", "chuck3", "chuck4", "chuck5", "chuck6"),
    *("base", "match1", "match2", "mirror", "enter", "draw", "block_bonus"),
)
_SEAT_ZONE: Final = re.compile(rf"seat([1-9])\.(cards|{'|'.join(_BETS)})")
_KNOWN: Final[dict[str, tuple[str, ...]]] = {
    # section -> its keys; those of [chips] and [variant] are checked where they are read
    "table": ("id", "game", "rules", "minimum", "maximum"),
    "camera": ("image_size", "matrix", "distortion", "rotation", "translation", "points_mm", "points_px"),
    "chips": (),
    "variant": (),
    "zone": ("name", "polygon_mm"),
    "mark": ("name", "xy_mm"),
}
_NEAR: Final = 0.75
"""From this likeness on (difflib's ratio) an unknown name is a known one, mistyped."""
_TABLE_ZONES: Final = frozenset(
    ["dealer.cards", "dealer.card1", "dealer.card2", "rack", "shoe", "discard", "dice", "ace_finder", "insurance"]
)


class ProfileError(ValueError):
    """A table profile that cannot be used; the message names file, field, expected and found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A named polygon on the felt, in millimetres."""

    name: str
    polygon_mm: tuple[Point, ...]

    @property
    def seat(self) -> int | None:
        """The seat this zone belongs to, None for the dealer's and the table's zones."""
        match = _SEAT_ZONE.fullmatch(self.name)
        return int(match[1]) if match else None

    @property
    def bet(self) -> str | None:
        """The kind of bet that stands here (``main``, ``chuck4``, ...), None for a zone of cards or of the table."""
        match = _SEAT_ZONE.fullmatch(self.name)
        return match[2] if match and match[2] != "cards" else None

    @property
    def centre_mm(self) -> Point:
        """Mean of the corners."""
        n = len(self.polygon_mm)
        return (sum(p[0] for p in self.polygon_mm) / n, sum(p[1] for p in self.polygon_mm) / n)

    def holds(self, point: Point) -> bool:
        """Return whether the point lies inside (even-odd rule)."""
        x, y = point
        inside = False
        corners = self.polygon_mm
        for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
            if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
                inside = not inside
        return inside


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSpec:
    """The ``[camera]`` section: either the full model or point pairs; ``models.camera`` makes a camera of it."""

    image_size: tuple[int, int]
    matrix: tuple[tuple[float, ...], ...] | None = None
    distortion: tuple[float, ...] | None = None
    rotation: tuple[tuple[float, ...], ...] | None = None
    translation: tuple[float, ...] | None = None
    points_mm: tuple[tuple[float, ...], ...] = ()
    points_px: tuple[Point, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TableProfile:
    """One table and one camera set-up. ``sha256`` of the file pins it to a run.

    ``marks`` are the middles of rings and boxes printed on the felt, by name: by them a camera is set up.
    """

    table_id: str
    game: str
    minimum: Money
    maximum: Money
    zones: tuple[Zone, ...]
    rules: str | None = None
    chips: Mapping[str, Money] = field(default_factory=lambda: dict(CHIP_VALUES))
    camera: CameraSpec | None = None
    variant: Mapping[str, VariantValue] = field(default_factory=dict)
    marks: Mapping[str, Point] = field(default_factory=dict)
    text: str = ""

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """The order of the cheques' colours by what they are worth: below 0 in play, from 0 on above the maximum."""
        worth = sorted(set(self.chips.values()))
        in_play = sum(value <= self.maximum for value in worth)
        return {colour: worth.index(value) - in_play for colour, value in self.chips.items()}

    def zone(self, name: str) -> Zone | None:
        """Return the zone of that name, None if the profile has none."""
        return next((zone for zone in self.zones if zone.name == name), None)

    def zones_at(self, point: Point) -> tuple[Zone, ...]:
        """Return every zone that holds the point, in the order of the profile."""
        return tuple(zone for zone in self.zones if zone.holds(point))

    @property
    def seats(self) -> tuple[int, ...]:
        """Seats that have a zone, ascending."""
        return tuple(sorted({zone.seat for zone in self.zones if zone.seat is not None}))

    def places_of_bets_mm(self, seat: int) -> tuple[Point, ...]:
        """Centres of the zones in which the seat's wagers stand; the insurance line, beyond its cards, is none."""
        own = (zone for zone in self.zones if zone.seat == seat and zone.bet not in (None, "insurance"))
        return tuple(zone.centre_mm for zone in own)

    def seat_axis_deg(self, seat: int) -> float:
        """Direction from the seat's cards to its bets, degrees counter-clockwise from +y, in (-180, 180].

        0 if the seat lacks either zone.
        """
        cards, bets = self.zone(f"seat{seat}.cards"), self.places_of_bets_mm(seat)
        if cards is None or not bets:
            return 0.0
        x = sum(p[0] for p in bets) / len(bets) - cards.centre_mm[0]
        y = sum(p[1] for p in bets) / len(bets) - cards.centre_mm[1]
        return math.degrees(math.atan2(-x, y))


def load_profile(path: Path) -> TableProfile:
    """Return the profile in the file.

    Raises:
        ProfileError: if the file cannot be read, breaks the format, or has a name in it that is nearly a known one.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: expected a readable TOML file, found {what_was_found(error)}"
        raise ProfileError(msg) from None
    try:
        _refuse_mistyped(_toml(text))
        return parse_profile(text)
    except ValueError as error:
        msg = f"{path}: {error}"
        raise ProfileError(msg) from None


def parse_profile(text: str) -> TableProfile:
    """Return the profile written in TOML; one that was stored is read again whatever else is in it.

    Raises:
        ValueError: naming the field, what was expected and what was found.
    """
    record = _toml(text)
    table = _section(record, "table")
    profile = TableProfile(
        table_id=_required_text(table, "id", "table"),
        game=_one_of(_required_text(table, "game", "table"), GAMES, "table.game"),
        rules=None if "rules" not in table else _required_text(table, "rules", "table"),
        minimum=_money(table, "minimum", "table"),
        maximum=_money(table, "maximum", "table"),
        chips=_chips(record.get("chips", {})),
        camera=None if "camera" not in record else _camera(_section(record, "camera")),
        zones=_zones(record.get("zone", [])),
        variant=_section(record, "variant") if "variant" in record else {},
        marks=_marks(record.get("mark", [])),
        text=text,
    )
    if not 0 < profile.minimum <= profile.maximum:
        msg = (
            f"table.minimum: expected above 0 and at most table.maximum ({format_money(profile.maximum)}),"
            f" found {format_money(profile.minimum)}"
        )
        raise ValueError(msg)
    return profile


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        msg = f"expected TOML, found {error}"
        raise ValueError(msg) from None


def not_used(profile: TableProfile) -> tuple[str, ...]:
    """Return the sections and keys of a profile's text of which nothing is made, as they come, each once."""
    strange = _strangers(_toml(profile.text))
    return tuple(dict.fromkeys(f"[{section}]" if key is None else f"{section}.{key}" for section, key, _ in strange))


def _strangers(record: Mapping[str, Any]) -> Iterator[tuple[str, str | None, Mapping[str, Any]]]:
    """Yield each section that is not known (with None), each key of a known one that is not, and what stands there."""
    for section, value in record.items():
        if section not in _KNOWN:
            yield section, None, record
            continue
        for item in value if isinstance(value, list) else [value]:
            if _KNOWN[section] and isinstance(item, dict):
                yield from ((section, key, item) for key in item if key not in _KNOWN[section])


def _refuse_mistyped(record: Mapping[str, Any]) -> None:
    """Refuse what is nearly a known name that is not there: it was meant, and would be passed over.

    Raises:
        ValueError: naming both.
    """
    for section, key, beside in _strangers(record):
        found, known = (section, tuple(_KNOWN)) if key is None else (key, _KNOWN[section])
        near = get_close_matches(found, [name for name in known if name not in beside], n=1, cutoff=_NEAR)
        if near and key is None:
            msg = f"[{found}]: expected [{near[0]}], found [{found}]"
            raise ValueError(msg)
        if near:
            msg = f"{section}.{found}: expected {near[0]}, found {found!r:.40}"
            raise ValueError(msg)


def _section(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = record.get(name)
    if not isinstance(value, dict):
        msg = f"[{name}]: expected a section, found {'none' if value is None else repr(value)[:40]}"
        raise ValueError(msg)
    return value


def _required_text(section: Mapping[str, Any], key: str, where: str) -> str:
    value = section.get(key)
    if not isinstance(value, str) or not value:
        msg = f"{where}.{key}: expected text, found {value!r:.40}"
        raise ValueError(msg)
    return value


def _one_of(value: str, allowed: tuple[str, ...], where: str) -> str:
    if value not in allowed:
        msg = f"{where}: expected one of {', '.join(allowed)}, found {value!r:.40}"
        raise ValueError(msg)
    return value


def _money(section: Mapping[str, Any], key: str, where: str) -> Money:
    try:
        return parse_money(section.get(key))
    except (ValueError, TypeError) as error:
        msg = f"{where}.{key}: {error}"
        raise ValueError(msg) from None


def _chips(section: object) -> dict[str, Money]:
    if not isinstance(section, dict):
        msg = f"[chips]: expected colour = value, found {section!r:.40}"
        raise ValueError(msg)
    for colour in section:
        _one_of(colour, tuple(CHIP_VALUES), "chips")
    return CHIP_VALUES | {colour: _money(section, colour, "chips") for colour in section}


def _zones(items: object) -> tuple[Zone, ...]:
    if not isinstance(items, list) or not items:
        msg = "[[zone]]: expected at least one zone, found none"
        raise ValueError(msg)
    zones = tuple(_zone(item, f"zone[{i}]") for i, item in enumerate(items))
    names = [zone.name for zone in zones]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        msg = f"zone: expected each name once, found {', '.join(twice)} more than once"
        raise ValueError(msg)
    return zones


def _zone(item: Any, where: str) -> Zone:
    name = _required_text(item, "name", where) if isinstance(item, dict) else ""
    if not _SEAT_ZONE.fullmatch(name) and name not in _TABLE_ZONES:
        msg = f"{where}.name: expected a name such as seat3.main, seat3.cards, dealer.cards or rack, found {name!r:.40}"
        raise ValueError(msg)
    polygon = _points(item.get("polygon_mm"), f"{where}.polygon_mm ({name})", width=2)
    if len(polygon) < 3:  # noqa: PLR2004 - a polygon
        msg = f"{where}.polygon_mm ({name}): expected at least three points, found {len(polygon)}"
        raise ValueError(msg)
    corners = without_small_loops([(p[0], p[1]) for p in polygon])
    if crossing(corners) is not None:
        msg = f"{where}.polygon_mm ({name}): expected a polygon that does not cross itself, found one that does"
        raise ValueError(msg)
    return Zone(name=name, polygon_mm=tuple(corners))


def _marks(items: object) -> dict[str, Point]:
    marks: dict[str, Point] = {}
    for i, item in enumerate(items if isinstance(items, list) else [items]):
        name = _required_text(item, "name", f"mark[{i}]") if isinstance(item, dict) else None
        if name is None or name in marks:
            msg = f"[[mark]]: expected marks with a name each, found {item!r:.60}"
            raise ValueError(msg)
        ((x, y),) = _points([item.get("xy_mm")], f"mark[{i}].xy_mm ({name})", width=2)
        marks[name] = (x, y)
    return marks


def _points(value: object, where: str, *, width: int | None) -> tuple[tuple[float, ...], ...]:
    rows = value if isinstance(value, list) else None
    for row in rows or ():
        fits = isinstance(row, list) and (width is None or len(row) == width) and all(map(_is_number, row))
        rows = rows if fits else None
    if rows is None:
        msg = f"{where}: expected a list of points, found {value!r:.60}"
        raise ValueError(msg)
    return tuple(tuple(float(x) for x in row) for row in rows)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _camera(section: Mapping[str, Any]) -> CameraSpec:
    size = section.get("image_size")
    if not isinstance(size, list) or len(size) != 2 or not all(isinstance(n, int) and n > 0 for n in size):  # noqa: PLR2004
        msg = f"camera.image_size: expected [width, height] in pixels, found {size!r:.40}"
        raise ValueError(msg)
    if "matrix" in section:
        return _full_camera(section, (size[0], size[1]))
    points_mm = _points(section.get("points_mm"), "camera.points_mm", width=None)
    points_px = _points(section.get("points_px"), "camera.points_px", width=2)
    if len(points_mm) != len(points_px) or len(points_mm) < 4:  # noqa: PLR2004 - a plane's homography
        msg = (
            "camera.points_mm: expected at least four points and as many in points_px,"
            f" found {len(points_mm)} and {len(points_px)}"
        )
        raise ValueError(msg)
    return CameraSpec(
        image_size=(size[0], size[1]), points_mm=points_mm, points_px=tuple((p[0], p[1]) for p in points_px)
    )


def _full_camera(section: Mapping[str, Any], size: tuple[int, int]) -> CameraSpec:
    def rows(key: str) -> tuple[tuple[float, ...], ...]:
        matrix = _points(section.get(key), f"camera.{key}", width=3)
        if len(matrix) != 3:  # noqa: PLR2004 - 3 x 3
            msg = f"camera.{key}: expected three rows of three numbers, found {len(matrix)} rows"
            raise ValueError(msg)
        return matrix

    def row(key: str, lengths: tuple[int, ...]) -> tuple[float, ...]:
        value = section.get(key, [0.0] * 5 if key == "distortion" else None)
        if not isinstance(value, list) or len(value) not in lengths or not all(map(_is_number, value)):
            msg = f"camera.{key}: expected {' or '.join(map(str, lengths))} numbers, found {value!r:.60}"
            raise ValueError(msg)
        return tuple(float(x) for x in value)

    return CameraSpec(
        image_size=size,
        matrix=rows("matrix"),
        rotation=rows("rotation"),
        translation=row("translation", (3,)),
        distortion=row("distortion", (4, 5, 8)),
    )
