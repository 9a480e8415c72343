"""Debian's chromium, driven by Playwright, against the pages served by waitress."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from waitress.server import create_server

from web import create_app


@pytest.fixture(scope="session")
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
