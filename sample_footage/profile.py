"""The table profile of a sample table, written from its layout and its camera."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sample_footage.geometry import Camera, looking_at
from sample_footage.tables import table_of

SIZE: Final = (1920, 1080)
_VIEWS: Final = {
    # above and behind the players, looking at the dealer, 48 degrees above the horizontal
    "players": {"eye_mm": (0.0, 1698.0, 1635.0), "target_mm": (0.0, 226.0, 0.0), "focal_px": 3850.0},
    # the same, of a little more of the table: for tables with several spots a seat
    "wide": {"eye_mm": (0.0, 1698.0, 1635.0), "target_mm": (0.0, 226.0, 0.0), "focal_px": 3540.0},
    # from behind the dealer's left shoulder, looking at the players
    "shoulder": {"eye_mm": (-560.0, -1180.0, 1700.0), "target_mm": (6.0, 205.0, 0.0), "focal_px": 3560.0},
}
_DISTORTION: Final = (-0.06, 0.02, 0.0004, -0.0003, 0.0)


def table_camera(view: str, *, size: tuple[int, int] = SIZE) -> Camera:
    """Return the camera of that view, ``players``, ``wide`` or ``shoulder``."""
    place = _VIEWS[view]
    camera = looking_at(
        eye_mm=place["eye_mm"],  # type: ignore[arg-type]  # the table above holds both kinds
        target_mm=place["target_mm"],  # type: ignore[arg-type]
        focal_px=place["focal_px"],  # type: ignore[arg-type]
        size=SIZE,
        distortion=_DISTORTION,
    )
    return camera if size == SIZE else camera.scaled_to(size)


def profile_toml(table_id: str, camera: Camera) -> str:
    """Return the profile of a sample table seen by that camera, as TOML."""
    table = table_of(table_id)
    options = "\n".join(f"{key} = {_value(value)}" for key, value in table.variant.items())
    head = f"""\
[table]
id = "{table_id}"
game = "{table.game}"
rules = "{table.rules}"
minimum = "{table.minimum}"
maximum = "{table.maximum}"

[variant]
{options}

[camera]
image_size = [{camera.size[0]}, {camera.size[1]}]
matrix = {_rows(camera.matrix.tolist(), digits=4)}
distortion = {_numbers(camera.distortion.tolist(), digits=6)}
rotation = {_rows(camera.rotation.tolist(), digits=10)}
translation = {_numbers(camera.translation.tolist(), digits=5)}
"""
    parts = [
        f'\n[[zone]]\nname = "{name}"\npolygon_mm = {_rows([list(p) for p in polygon], digits=1)}\n'
        for name, polygon in table.polygons.items()
    ]
    marks = [
        f'\n[[mark]]\nname = "{name}"\nxy_mm = {_numbers(list(place), digits=1)}\n'
        for name, place in table.marks().items()
    ]
    return head + "".join([*parts, *marks])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _numbers(values: list[float], *, digits: int) -> str:
    return "[" + ", ".join(repr(round(float(v), digits) + 0.0) for v in values) + "]"


def _rows(rows: list[list[float]], *, digits: int) -> str:
    return "[" + ", ".join(_numbers(row, digits=digits) for row in rows) + "]"
