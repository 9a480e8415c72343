"""Measurements of the budgets, all on this machine in one run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import cv2

from audit.records import settle_record
from audit.store import audits, users
from audit.store.database import open_store
from audit.store.filling import fill
from audit.table import load_profile
from models.detection import Detector
from models.frames import frames, probe
from workers import batch, jobs
from workers.pins import sha256_of
from workers.settings import Settings
from workers.what_if import Question, resettle

_YOLO_WIDTH: Final = 640
_YOLO_FRAMES: Final = 60
_OK: Final = 200
ROUNDS: Final = Path(__file__).with_name("bench_rounds.jsonl")
"""One legal round of each game, and two of blackjack, as ``contracts/settlement.md`` writes them."""
_PIT: Final = ("/dealers", "/dealers?order=rate", "/dealers/7", "/tables", "/tables/BJ-03", "/reports/shift", "/rota")
_CATWALK: Final = (sys.executable, "-m", "workers.cli")


@dataclass(frozen=True, kw_only=True)
class Footage:
    """How long decoding, a network on every frame and the whole audit of one file took, in seconds."""

    length_s: float
    decode_s: float
    yolo_s: float
    audit_s: float
    worker_mb: float
    rounds: int


def measure_footage(path: Path, profile: Path, *, scratch: Path, cores: int) -> Footage:
    """Decode a file, run the detector on a sample of its frames, and audit it through worker processes."""
    decode_s = _seconds(lambda: _exhaust(frames(path, threads=cores)))
    yolo_s = _yolo_frame_s(path, cores=cores) * probe(path).frame_count
    audit_s, worker_mb, rounds = _audit(path, profile, Settings(data_dir=scratch), cores=cores)
    return Footage(
        length_s=probe(path).readable_ms / 1000,
        decode_s=decode_s,
        yolo_s=decode_s + yolo_s,
        audit_s=audit_s,
        worker_mb=worker_mb,
        rounds=rounds,
    )


def measure_settle(*, rounds: int, scratch: Path) -> float:
    """Return the seconds that ``catwalk settle`` takes for so many rounds, its start included."""
    lines = ROUNDS.read_text(encoding="utf-8").splitlines()
    path = scratch / "rounds.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for i in range(rounds):
            out.write(lines[i % len(lines)] + "\n")
    command = [*_CATWALK, "settle", "--json-lines", str(path)]
    return _seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))  # noqa: S603 - our own command


def measure_pages(*, scratch: Path) -> tuple[float, float]:
    """Return the seconds until the pages answer, and the megabytes that their process takes then."""
    start = time.perf_counter()
    command = [*_CATWALK, "serve", "--port", "0", "--data", str(scratch)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own command
        try:
            line = server.stdout.readline() if server.stdout else ""
            if not line.startswith("Catwalk is at"):
                msg = f"expected the pages to start, found {line!r}"
                raise RuntimeError(msg)
            return time.perf_counter() - start, _memory_mb(server.pid, "VmRSS")
        finally:
            server.terminate()


def measure_store(*, rounds: int, findings: int, rules: str, scratch: Path, cores: int) -> tuple[float, float]:
    """Return the 95th percentile of the pages' milliseconds, and the seconds of resettling, with so much stored."""
    db = open_store(scratch)
    fill(db, records=stored_rounds(), rounds=rounds, findings=findings, at=datetime.now(UTC))
    db.close()
    question = Question(data_dir=scratch, game="blackjack", rules=rules, since=None)
    resettle_s = _seconds(lambda: _exhaust(resettle(question, processes=cores)))
    return _pages_ms(scratch), resettle_s


def _pages_ms(data_dir: Path) -> float:
    from web import create_app  # noqa: PLC0415 - only this measurement needs the pages

    db = open_store(data_dir)
    now = datetime.now(UTC)
    user_id = users.add_user(db, name="bench", role=users.Role.SURVEILLANCE, at=now)
    users.add_one_time_login(db, token="bench", user_id=user_id, expires=now + timedelta(hours=1))  # noqa: S106 - once, here
    rounds = [row[0] for row in db.execute("SELECT DISTINCT round_id FROM findings ORDER BY rank LIMIT 50")]
    db.close()
    client = create_app(data_dir).test_client()
    client.get("/login/bench")
    lists = 5 * ["/", "/?verdict=suspect", "/?from=5000", *_PIT]
    addresses = [*lists, *(f"/rounds/{number}" for number in rounds)]
    times = []
    for address in addresses:
        start = time.perf_counter()
        status = client.get(address).status_code
        times.append(time.perf_counter() - start)
        if status != _OK:
            msg = f"{address}: expected a page, found status {status}"
            raise RuntimeError(msg)
    return quantiles(times, n=20)[-1] * 1000


def _yolo_frame_s(path: Path, *, cores: int) -> float:
    """Return the mean seconds of one pass of the detector over a whole frame, 640 pixels wide, and no more."""
    detector = Detector(threads=cores)
    spent, count = 0.0, 0
    for frame in islice(frames(path, threads=cores), _YOLO_FRAMES + 1):
        height = round(frame.bgr.shape[0] * _YOLO_WIDTH / frame.bgr.shape[1])
        start = time.perf_counter()
        detector.once(cv2.resize(frame.bgr, dsize=(_YOLO_WIDTH, height), interpolation=cv2.INTER_AREA))
        if count:  # the first loads the network
            spent += time.perf_counter() - start
        count += 1
    return spent / max(1, count - 1)


def stored_rounds() -> list[dict[str, Any]]:
    """Return the blackjack rounds as a store holds them, with every winner paid and every loser taken."""
    records = (json.loads(line) for line in ROUNDS.read_text(encoding="utf-8").splitlines())
    return [_stored_round(record) for record in records if record["game"] == "blackjack"]


def _stored_round(record: dict[str, Any]) -> dict[str, Any]:
    settled = settle_record(record)["settled"]
    when = {"first_ms": 20_000, "last_ms": 20_400}
    pays = [_moved(one, one["pay"]) | when for one in settled if one["outcome"] == "win"]
    stakes = zip(record["bets"], settled, strict=True)
    takes = [_moved(bet, bet["amount"]) | when for bet, one in stakes if one["outcome"] == "lose"]
    seen = {"start_ms": 0, "end_ms": 25_000, "status": "complete", "missing": [], "tokes": []}
    return {**seen, **record, "settled": settled, "violations": [], "pays": pays, "takes": takes}


def _moved(bet: Mapping[str, Any], amount: str) -> dict[str, Any]:
    return {"seat": bet["seat"], "hand": bet["hand"], "bet": bet["bet"], "amount": amount}


def _audit(path: Path, profile: Path, settings: Settings, *, cores: int) -> tuple[float, float, int]:
    """Audit a file in a new data directory; return the seconds, the largest worker's megabytes, and the rounds."""

    def now() -> datetime:
        return datetime.now(UTC)

    largest = 0.0

    def look(_: batch.Progress) -> None:
        nonlocal largest
        largest = max([largest, *(_memory_mb(pid, "VmHWM") for pid in _children())])

    start = time.perf_counter()
    db = open_store(settings.data_dir)
    profile_id = jobs.store_profile(db, load_profile(profile), sha256=sha256_of(profile), now=now())
    intake = batch.take_in(db, [path], profile_id=profile_id, clock=now)
    run_id = intake.pieces[0].run_id
    batch.work_off(db, settings, [run_id], crew_size=cores, threads=1, clock=now, tell=look)
    rounds = len(audits.audit_record(db, run_id)["rounds"])
    db.close()
    return time.perf_counter() - start, largest, rounds


def _children() -> list[int]:
    """Return the processes that this one started and that run now."""
    listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return [int(pid) for pid in listed.read_text(encoding="ascii").split()] if listed.exists() else []


def _memory_mb(pid: int, key: str) -> float:
    """Return one figure of the kernel's about a process, 0 if there is none."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    found = next((line for line in text.splitlines() if line.startswith(f"{key}:")), None)
    return int(found.split()[1]) / 1024 if found else 0.0


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _exhaust(items: Iterable[object]) -> None:
    for _ in items:
        pass
