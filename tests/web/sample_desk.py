"""A store with the sample clip's true states, of which one card was misread, audited by the real audit."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from audit.pipeline import audit_states
from audit.projection import to_pixels
from audit.states import parse_state
from audit.store import audits, footage
from audit.table import TableProfile, load_profile
from tests.web.conftest import AT

SAMPLE = Path(__file__).parents[2] / "sample_footage"
CLIP = SAMPLE / "clips" / "blackjack.mp4"
JACK_MS = (26_521, 46_000)
"""Seat 2's first card of the second round, the jack of clubs, is read as the two of clubs: 11 instead of 19."""


def outline(profile: TableProfile, item: dict[str, Any]) -> list[list[float]]:
    """The four corners in the picture of a card, or of a square around a pile."""
    width, height = (63.0, 88.0) if item["kind"].startswith("card") else (39.0, 39.0)
    turn = math.radians(item.get("angle_deg", 0.0))
    corners = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    x, y = item["xy_mm"]
    felt = [
        (x + a * math.cos(turn) - b * math.sin(turn), y + a * math.sin(turn) + b * math.cos(turn)) for a, b in corners
    ]
    assert profile.camera is not None
    return [[round(u, 1), round(v, 1)] for u, v in to_pixels(profile.camera, felt) or ()]


def lines(profile: TableProfile, *, until_ms: int, unseen: bool) -> Iterator[str]:
    """The states up to a moment, with outlines, and with the jack misread or, ``unseen``, not listed at all."""
    for line in (SAMPLE / "clips" / "blackjack.states.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["t_ms"][0] > until_ms:
            return
        misread = [item for item in record["objects"] if item.get("card") == "Jc" and is_jacks_time(record)]
        if unseen:
            record["objects"] = [item for item in record["objects"] if item not in misread]
        for item in record["objects"]:
            if item["kind"] in ("card", "card_back", "chips"):
                item["polygon_px"] = outline(profile, item)
            if item in misread:
                item |= {"card": "2c", "candidates": {"2c": 0.995, "Jc": 0.004}}
        yield json.dumps(record)


def is_jacks_time(record: dict[str, Any]) -> bool:
    return JACK_MS[0] <= int(record["t_ms"][0]) <= JACK_MS[1]


def fill_sample(db: Database, *, until_ms: int = 48_000, unseen: bool = False, sha256: str = "5" * 64) -> int:
    """Store and audit the first rounds; returns the number of the second round."""
    profile = load_profile(SAMPLE / "profiles" / "BJ-07.toml")
    sha = hashlib.sha256(profile.text.encode()).hexdigest()
    profile_id = footage.store_profile(db, name="BJ-07", game="blackjack", toml=profile.text, sha256=sha, at=AT)
    size = {"duration_ms": 244_720, "width": 1920, "height": 1080, "codec": "h264"}
    footage_id = footage.register_footage(db, sha256=sha256, path=str(CLIP), size_bytes=1, at=AT, **size)
    pins = footage.Pins(software="0.1.0", weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=footage_id, profile_id=profile_id, pins=pins, segments=[(0, 48_000)], at=AT)
    seen = list(lines(profile, until_ms=until_ms, unseen=unseen))
    spans = [json.loads(line)["t_ms"] for line in seen]
    rows = [(first, last, line) for (first, last), line in zip(spans, seen, strict=True)]
    footage.finish_segment(db, footage.segments_of(db, run)[0].id, states=rows, at=AT)
    record = audit_states([parse_state(line) for line in seen], profile).to_json()
    audits.store_audit(db, run, rounds=record["rounds"], findings=record["findings"], at=AT)
    return int(db.execute("SELECT id FROM rounds WHERE run_id = ? AND ordinal = 1", [run]).fetchone()[0])


def jack_of(db: Database, round_id: int) -> dict[str, Any]:
    """Where and when the misread card first lies, as the correction form sends it."""
    run = db.execute("SELECT run_id FROM rounds WHERE id = ?", [round_id]).fetchone()[0]
    for line in footage.states_of(db, run):
        record = json.loads(line)
        for item in record["objects"]:
            if item.get("card") == "2c" and record["t_ms"][0] >= JACK_MS[0]:
                x, y = item["xy_mm"]
                return {"at_ms": str(record["t_ms"][0]), "kind": "card", "x_mm": str(x), "y_mm": str(y)}
    pytest.fail("the misread card is not in the states")
