"""The camera of a new table's profile: four points of the layout, to be dragged onto what they mark."""

from __future__ import annotations

from typing import Any, Final

from audit.projection import to_pixels
from audit.table import ProfileError, parse_profile

_WAYS: Final = ((-1, 1), (1, 1), (1, -1), (-1, -1))


def points_of(toml: str) -> dict[str, Any] | None:
    """Return a camera given by the outermost corners of the zones, where the profile's own camera sees them.

    None if the profile cannot be read, or its camera is given by points already or sees no four corners.
    """
    try:
        profile = parse_profile(toml)
    except ProfileError:
        return None
    if profile.camera is None or profile.camera.matrix is None:
        return None
    corners = [corner for zone in profile.zones for corner in zone.polygon_mm]
    outermost = {max(corners, key=lambda at, way=way: way[0] * at[0] + way[1] * at[1]) for way in _WAYS}  # type: ignore[misc]  # bound at once
    seen = to_pixels(profile.camera, outermost)
    if seen is None or len(seen) < len(_WAYS):
        return None
    return {
        "image_size": list(profile.camera.image_size),
        "points_mm": [list(at) for at in outermost],
        "points_px": [[round(u, 1), round(v, 1)] for u, v in seen],
    }
