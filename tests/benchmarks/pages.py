"""How long the pages take with a full store: the 95th percentile of server time for each kind of request.

``python -m tests.benchmarks.pages`` fills a store in a temporary folder (a minute or two) and asks every kind of page a
hundred times; with ``--data FOLDER`` the filled store is kept and used again. The exit status is 1 if a kind of
request is over the budget. Both times are printed: the clock on the wall, and the processor time, which is what counts
on a machine that does other work meanwhile.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from flask.testing import FlaskClient
from sqlite_utils import Database

from audit.store import users
from audit.store.database import open_store
from audit.store.filling import fill
from web import create_app
from workers.bench import stored_rounds

BUDGET_MS: Final = 50.0
KINDS: Final = 40
TABLES: Final = 20
DEALERS: Final = 60
COMMON: Final = ("red", "seat 3", "manual", "violation", "12.50 in green", "bj 07")
RARE: Final = ("insurance", "insurance red", "code 7 seat 2 bj 03", "super3", "insu", "nothing has these words")


@dataclass(frozen=True, kw_only=True)
class Times:
    """The times of one kind of request, in milliseconds."""

    wall: list[float]
    processor: list[float]

    def line(self, name: str) -> str:
        """The figures in one line."""
        figures = (median(self.wall), p95(self.wall), median(self.processor), p95(self.processor), max(self.processor))
        return f"{name:<28}" + "".join(f"{figure:9.1f}" for figure in figures)


def p95(values: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(values, n=20)[-1]


def kinds(db: Database, chance: random.Random) -> dict[str, Callable[[], str]]:
    """Every kind of request, as a function that makes up the next address."""
    rounds = int(db.execute("SELECT max(id) FROM rounds").fetchone()[0])
    findings = int(db.execute("SELECT max(id) FROM findings").fetchone()[0])
    pick, number = chance.choice, chance.randint
    days = [f"{datetime.now(UTC) - timedelta(days=n):%Y-%m-%d}" for n in range(1, 15)]
    filters = [
        lambda: f"verdict={pick(('violation', 'suspect', 'undetermined'))}",
        lambda: f"code=code-{number(0, KINDS - 1)}",
        lambda: f"table={table()}",
        lambda: f"dealer={number(1, DEALERS)}",
        lambda: f"least={number(1, 500)}&side={pick(('over', 'short'))}",
        lambda: f"since={pick(days)}T20:00",
        lambda: f"state=any&table={table()}&verdict=suspect",
    ]

    def table() -> str:
        return f"BJ-{number(0, TABLES - 1):02}"

    return {
        "queue": lambda: "/",
        "queue, filtered": lambda: f"/?{pick(filters)()}",
        "queue, further pages": lambda: f"/?page={number(2, 20)}",
        "search, common words": lambda: f"/?q={pick(COMMON)}",
        "search, rare words": lambda: f"/?q={pick(RARE)}",
        "search and filter": lambda: f"/?q={pick(COMMON + RARE)}&{pick(filters)()}",
        "finding": lambda: f"/findings/{number(1, findings)}",
        "round": lambda: f"/rounds/{number(1, rounds)}",
        "dealers": lambda: f"/dealers?order={pick(('name', 'rate', 'over'))}",
        "dealers, all time": lambda: "/dealers?days=all",
        "dealer": lambda: f"/dealers/{number(1, DEALERS)}",
        "dealer, all time": lambda: f"/dealers/{number(1, DEALERS)}?days=all",
        "tables": lambda: "/tables",
        "tables, all time": lambda: "/tables?days=all",
        "table": lambda: f"/tables/{table()}",
        "table, all time": lambda: f"/tables/{table()}?days=all",
        "shift report": lambda: f"/reports/shift?day={pick(days)}",
        "rota": lambda: f"/rota?day={pick(days)}",
        "health": lambda: "/health",
        "incidents, agreement": lambda: pick(("/incidents", "/agreement")),
        "footage, profiles": lambda: pick(("/footage", "/profiles")),
        "news for the queue": lambda: f"/queue/news.json?after={findings}",
        "API: findings": lambda: f"/api/findings?{pick(filters)()}",
        "API: search": lambda: f"/api/findings?q={pick(COMMON + RARE)}",
        "API: finding, round": lambda: f"/api/{pick(('findings', 'rounds'))}/{number(1, findings)}",
        "API: dealers": lambda: pick(("/api/dealers", f"/api/dealers/{number(1, DEALERS)}/kinds")),
        "API: tables": lambda: pick(("/api/tables", f"/api/tables/{table()}/places")),
        "API: shift": lambda: f"/api/shift?day={pick(days)}",
    }


def measure(client: FlaskClient, next_address: Callable[[], str], *, times: int) -> Times:
    """Ask so many times, after three that are not counted."""
    wall, processor = [], []
    for i in range(times + 3):
        address = next_address()
        began, worked = time.perf_counter(), time.process_time()
        status = client.get(address).status_code
        spent = ((time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000)
        if status != 200:
            sys.exit(f"{address}: expected a page, found status {status}")
        if i >= 3:
            wall.append(spent[0])
            processor.append(spent[1])
    return Times(wall=wall, processor=processor)


def filled(data: Path, *, rounds: int) -> Database:
    """Open the store, filled if it is new."""
    db = open_store(data)
    if not db.execute("SELECT 1 FROM rounds LIMIT 1").fetchone():
        print(f"filling {data} with {rounds:,} rounds and {rounds // 10:,} findings", file=sys.stderr)
        fill(db, records=stored_rounds(), rounds=rounds, findings=rounds // 10, at=datetime.now(UTC))
    return db


def signed_in(db: Database, data: Path) -> FlaskClient:
    """A client of a reviewer."""
    now, token = datetime.now(UTC), f"bench {datetime.now(UTC)}"
    user = users.user_named(db, "bench")
    user_id = user.id if user else users.add_user(db, name="bench", role=users.Role.SURVEILLANCE, at=now)
    users.add_one_time_login(db, token=token, user_id=user_id, expires=now + timedelta(hours=1))
    client = create_app(data).test_client()
    client.get(f"/login/{token}")
    client.get("/")
    gc.freeze()  # as catwalk serve does
    return client


def measured(data: Path, *, rounds: int, times: int, only: str) -> Iterator[tuple[str, Times]]:
    """Yield the times of every kind of request whose name holds ``only``."""
    db = filled(data, rounds=rounds)
    client = signed_in(db, data)
    for name, next_address in kinds(db, random.Random(7)).items():  # noqa: S311 - where to look, nothing secret
        if only in name:
            yield name, measure(client, next_address, times=times)
    db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="keep the filled store here and use it again")
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--only", default="", help="only requests whose name holds this")
    parser.add_argument("--json", type=Path, help="write the figures here")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found = {}
        print(f"{'':<28}{'wall':>9}{'95 %':>9}{'cpu':>9}{'95 %':>9}{'most':>9}   ms")
        for name, times in measured(
            asked.data or Path(scratch), rounds=asked.rounds, times=asked.times, only=asked.only
        ):
            print(times.line(name), flush=True)
            found[name] = {"wall_p95_ms": round(p95(times.wall), 1), "cpu_p95_ms": round(p95(times.processor), 1)}
    if asked.json is not None:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    sys.exit(any(one["cpu_p95_ms"] >= BUDGET_MS for one in found.values()))


if __name__ == "__main__":
    main()
