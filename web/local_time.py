"""Moments as the pages write them: by the clock of the property, whose time zone the settings name."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from flask import g

from audit.store.settings import house
from web.database import get_db

_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00")
_SECOND: Final = "%Y-%m-%d %H:%M:%S"
_MINUTE: Final = "%Y-%m-%d %H:%M"


def property_zone() -> ZoneInfo:
    """Return the property's time zone, asked for once a request."""
    if "zone" not in g:
        g.zone = house(get_db()).tz
    zone: ZoneInfo = g.zone
    return zone


def zone_name() -> str:
    """Return what the property's time zone is called."""
    return property_zone().key


def local(stored: str | None) -> str:
    """Return a stored moment by the property's clock, to the second; empty if there is none."""
    return _written(stored, _SECOND)


def local_minute(stored: str | None) -> str:
    """Return a stored moment by the property's clock, to the minute; empty if there is none."""
    return _written(stored, _MINUTE)


def zoned(stored: str | None) -> str:
    """Return a stored moment by the property's clock, to the second and with the zone's short name."""
    return _written(stored, f"{_SECOND} %Z")


def zoned_minute(stored: str | None) -> str:
    """Return a stored moment by the property's clock, to the minute and with the zone's short name."""
    return _written(stored, f"{_MINUTE} %Z")


def with_local_times(sentence: str) -> str:
    """Return a sentence with every stored moment in it by the property's clock, to the minute."""
    return _STAMP.sub(lambda found: local_minute(found[0]), sentence)


def _written(stored: str | None, how: str) -> str:
    return datetime.fromisoformat(stored).astimezone(property_zone()).strftime(how) if stored else ""


FILTERS: Final = {"local": local, "local_minute": local_minute, "zoned": zoned, "zoned_minute": zoned_minute}
"""The names by which templates call them."""
