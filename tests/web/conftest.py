"""A data directory with one short recording, one audited round and two findings in it."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import av
import numpy as np
import pytest
from flask.testing import FlaskClient
from sqlite_utils import Database
from werkzeug.security import generate_password_hash

from audit.store import audits, footage, users
from audit.store.database import open_store
from audit.store.users import Role
from web import create_app

AT = datetime(2026, 3, 1, 4, 0, tzinfo=UTC)

PROFILE = """
[table]
id = "BJ-07"
game = "blackjack"
minimum = "10.00"
maximum = "2000.00"
[[zone]]
name = "seat1.main"
polygon_mm = [[-400, 400], [-300, 400], [-300, 500], [-400, 500]]
[[zone]]
name = "seat1.cards"
polygon_mm = [[-420, 180], [-280, 180], [-280, 380], [-420, 380]]
[[zone]]
name = "dealer.cards"
polygon_mm = [[-150, 40], [150, 40], [150, 170], [-150, 170]]
"""

BET = {"seat": 1, "hand": 1, "bet": "main"}

ROUND = {
    "start_ms": 1000,
    "end_ms": 3000,
    "status": "complete",
    "missing": [],
    "game": "blackjack",
    "variant": {"decks": 6},
    "table": {
        "dealer": ["9s", "8h"],
        "seats": {"1": {"initial": ["As", "Kd"], "hands": [{"cards": ["As", "Kd"]}]}},
    },
    "bets": [{**BET, "amount": "50.00"}],
    "settled": [
        {**BET, "outcome": "win", "odds": "3:2", "pay": "75.00", "why": "blackjack: 3 to 2", "source": "004:L686"}
    ],
    "pays": [{**BET, "amount": "100.00", "first_ms": 2000, "last_ms": 2200}],
    "takes": [],
    "findings": [
        {
            "procedures": ["P280"],
            "code": "pay-amount",
            "verdict": "violation",
            "probability": 0.998,
            **BET,
            "expected": "3 to 2 on 50.00: 75.00",
            "observed": "100.00 in green",
            "amount": "25.00",
            "first_ms": 2000,
            "last_ms": 2200,
            "citation": "Blackjack manual, Blackjack Payouts 2 (004:L686)",
            "because_of": None,
        },
        {
            "procedures": ["P254"],
            "code": "dealer-hit",
            "verdict": "suspect",
            "probability": 0.61,
            "seat": None,
            "hand": None,
            "bet": None,
            "expected": "stands on 17",
            "observed": "third card <script>",
            "amount": None,
            "first_ms": 1500,
            "last_ms": 1600,
            "citation": "Blackjack manual (004:L719)",
            "because_of": None,
        },
    ],
}


def state(first: int, last: int, x: float) -> str:
    card = {
        "kind": "card",
        "xy_mm": [-350.0, 280.0],
        "angle_deg": 2.0,
        "card": "As",
        "polygon_px": [[x, 40], [x + 30, 40], [x + 30, 80], [x, 80]],
    }
    return json.dumps({"t_ms": [first, last], "objects": [card], "covered": [], "hands": [], "view": "ok"})


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds in which a bright bar wanders, so that every frame differs."""
    path = tmp_path_factory.mktemp("clip") / "table 7.mp4"
    with av.open(str(path), mode="w", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for i in range(100):
            picture = np.full((180, 320, 3), 40, dtype=np.uint8)
            picture[:, 2 * i : 2 * i + 40] = (0, 120 + i, 255 - i)
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


@pytest.fixture
def data_dir(tmp_path: Path, clip: Path) -> Path:
    db = open_store(tmp_path)
    fill(db, clip)
    db.close()
    return tmp_path


@pytest.fixture
def db(data_dir: Path) -> Database:
    """The store of the pages."""
    return open_store(data_dir)


@pytest.fixture
def db_with_kim(db: Database) -> Database:
    """The store of the pages, with kim as a second reviewer."""
    secret = generate_password_hash("right kim", method="pbkdf2:sha256:1")
    users.add_user(db, name="kim", role=Role.SURVEILLANCE, at=AT, password_hash=secret)
    return db


def add_round(db: Database, path: str, *, sha256: str) -> None:
    """Store a recording of BJ-07 with its states and its one round."""
    sha = hashlib.sha256(PROFILE.encode()).hexdigest()
    profile = footage.store_profile(db, name="BJ-07", game="blackjack", toml=PROFILE, sha256=sha, at=AT)
    recording = footage.register_footage(
        db, sha256=sha256, path=path, size_bytes=1, at=AT, duration_ms=4000, width=320, height=180, codec="h264"
    )
    pins = footage.Pins(software="0.1.0", weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=recording, profile_id=profile, pins=pins, segments=[(0, 4000)], at=AT)
    segment = footage.segments_of(db, run)[0]
    footage.finish_segment(
        db, segment.id, states=[(1000, 1900, state(1000, 1900, 60)), (2000, 2900, state(2000, 2900, 160))], at=AT
    )
    audits.store_audit(db, run, rounds=[ROUND], findings=[], at=AT)


def fill(db: Database, clip: Path) -> None:
    add_round(db, str(clip), sha256="f" * 64)
    for name, role in (
        ("sam", Role.SURVEILLANCE),
        ("pat", Role.PIT_MANAGER),
        ("ali", Role.AUDITOR),
        ("root", Role.ADMINISTRATOR),
    ):
        users.add_user(
            db,
            name=name,
            role=role,
            at=AT,
            password_hash=generate_password_hash("right " + name, method="pbkdf2:sha256:1"),
        )


@pytest.fixture
def client(data_dir: Path) -> FlaskClient:
    return create_app(data_dir, clock=lambda: AT).test_client()


def sign_in(client: FlaskClient, name: str) -> None:
    client.get("/sign-in")
    with client.session_transaction() as session:
        token = session["csrf"]
    answer = client.post("/sign-in", data={"csrf": token, "name": name, "password": f"right {name}"})
    assert answer.status_code == 302


def post(client: FlaskClient, path: str, **fields: str):
    with client.session_transaction() as session:
        session.setdefault("csrf", "token")
        token = session["csrf"]
    return client.post(path, data={"csrf": token, **fields})
