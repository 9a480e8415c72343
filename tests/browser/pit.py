"""A data directory for the pit's browser tests: the sample's profile, a dealer, an administrator's house."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from audit.store import footage
from audit.store.database import open_store
from tests.browser.conftest import served
from tests.web.conftest import AT, fill
from tests.web.pit import put_on_duty

SAMPLE = Path(__file__).parents[2] / "sample_footage" / "profiles" / "BJ-07.toml"


def prepare(data_dir: Path, clip: Path) -> None:
    """Store one audited recording, a dealer on duty, and the sample's profile as the latest version."""
    db = open_store(data_dir)
    fill(db, clip)
    text = SAMPLE.read_text()
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    footage.store_profile(db, name="BJ-07", game="blackjack", toml=text, sha256=sha256, at=AT)
    db.close()
    put_on_duty(data_dir)


def sign_in(page: Page, name: str) -> None:
    """Sign in by name and password, as a person does."""
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(f"right {name}")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "/sign-in" not in address)


@contextmanager
def opened(browser: Browser, data_dir: Path, *, allowed: tuple[str, ...] = ()) -> Iterator[Page]:
    """Yield a page of its own; scripts that break, and requests that fail unless allowed, fail the test."""
    faults: list[str] = []
    with served(data_dir) as address:
        context = browser.new_context(viewport={"width": 1600, "height": 1000}, base_url=address)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        yield page
        context.close()
    assert [fault for fault in faults if not any(one in fault for one in allowed)] == []
