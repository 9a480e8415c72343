"""What a reviewer does at the desk, for the tests that do it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect
from sqlite_utils import Database

from audit.store import audits, footage
from audit.store.database import open_store
from tests.web.conftest import AT, ROUND
from workers.evidence import make_pack

READY: Final = "[data-desk][data-ready=yes]"


def more_findings(db: Database, number: int) -> None:
    """Store another audit of the same recording, of as many rounds with two findings each."""
    pins = footage.Pins(software="0.2.0", weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=1, profile_id=1, pins=pins, segments=[(0, 4000)], at=AT)
    audits.store_audit(db, run, rounds=[ROUND] * number, findings=[], at=AT)


def press_and_wait(page: Page, key: str) -> float:
    """Press a key that leads to another finding and return the seconds until that page can be worked with."""
    before = page.url
    began = time.perf_counter()
    page.keyboard.press(key)
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(READY)
    return time.perf_counter() - began


def choose(page: Page, card: str) -> None:
    """Go through the objects by key until the card is chosen."""
    what = page.locator("[data-what]")
    for _ in range(40):
        page.keyboard.press("x")
        if card in what.inner_text():
            break
    expect(what).to_have_text(f"card {card}")


def packer(data_dir: Path) -> Callable[[int], None]:
    """Return what makes an evidence pack as the pages have it made."""

    def make(copy_id: int) -> None:
        store = open_store(data_dir)
        make_pack(store, copy_id, data_dir=data_dir, now=AT)
        store.close()

    return make
