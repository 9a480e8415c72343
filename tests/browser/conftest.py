"""Debian's chromium, driven by Playwright, against the pages served by waitress.

Each module has a chromium of its own. Nothing waits for a fixed time: what is waited for is seen to have happened, and
the limits are so long that a machine busy with other work keeps them.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from sqlite_utils import Database
from waitress.server import create_server

from audit.store import users
from audit.store.database import open_store
from tests.web.conftest import fill
from tests.web.sample_desk import fill_sample
from web import create_app

LONGEST_MS: Final = 60_000
SETTLED: Final = """async () => {
  const video = document.querySelector("video");
  const frame = () => new Promise(requestAnimationFrame);
  while (video.seeking || video.readyState < 2) await frame();
  for (let i = 0; i < 3; i += 1) await frame();
}"""
"""Waits until the player shows the frame that was sought, and what belongs to it has been drawn."""
LOOSE_ENDS: Final = (
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # the browser drops video connections half read
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
)
expect.set_options(timeout=LONGEST_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium")
    if program is None:
        reason = "expected Debian's chromium for the browser tests, found none: apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",  # containers have little of it, or none
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
    ]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def db(tmp_path: Path, clip: Path) -> Database:
    """Two findings of the hand-written round, and one of a misread card in the sample clip."""
    store = open_store(tmp_path)
    fill(store, clip)
    fill_sample(store)
    let_in(store)
    return store


@contextmanager
def served(data_dir: Path, *, make_pack: Callable[[int], None] | None = None) -> Iterator[str]:
    """Serve the pages over the data directory and yield their address."""
    app = create_app(data_dir, make_pack=make_pack)
    server = create_server(app, host="127.0.0.1", port=0, threads=4, asyncore_use_poll=True)
    closing = threading.Event()

    def run() -> None:
        try:
            server.run()
        except OSError:  # its socket is closed while it waits
            if not closing.is_set():
                raise

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        closing.set()
        server.task_dispatcher.shutdown()
        server.close()
        thread.join(timeout=5)


@contextmanager
def opened(
    browser: Browser,
    data_dir: Path,
    *,
    make_pack: Callable[[int], None] | None = None,
    allowed: tuple[str, ...] = (),
    bypass_csp: bool = False,
) -> Iterator[Page]:
    """Yield a page of its own; scripts that break, and requests that fail unless allowed, fail the test."""
    faults: list[str] = []
    with served(data_dir, make_pack=make_pack) as address:
        size = {"width": 1600, "height": 900}
        context = browser.new_context(viewport=size, base_url=address, bypass_csp=bypass_csp)
        context.set_default_timeout(LONGEST_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        yield page
        context.close()
    assert [fault for fault in faults if not any(one in fault for one in allowed)] == []


def sign_in(page: Page, name: str) -> None:
    """Sign in by name and password, as a person does."""
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(f"right {name}")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "/sign-in" not in address)


def let_in(db: Database, name: str = "sam") -> None:
    """Let a user in once by ``/login/once``."""
    user = users.user_named(db, name)
    assert user is not None
    users.add_one_time_login(db, token="once", user_id=user.id, expires=datetime.now(tz=UTC) + timedelta(minutes=5))
