"""A round of which no picture can be shown: the page says why, and draws the readings all the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit.store.database import open_store
from tests.browser.conftest import LOOSE_ENDS, let_in, opened
from tests.browser.desk import READY
from tests.web.conftest import fill

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A store whose recording lies at ``night.mp4``, where there is nothing yet."""
    db = open_store(tmp_path)
    fill(db, tmp_path / "night.mp4")
    let_in(db)
    db.close()
    with opened(browser, tmp_path, allowed=("404",)) as tab:
        tab.goto("/login/once")
        yield tab


def test_a_recording_that_is_gone_is_named_and_its_readings_are_drawn(page: Page, tmp_path: Path) -> None:
    page.goto("/findings/1")
    page.wait_for_selector(READY)
    notice = page.locator("[data-lost]")
    expect(notice).to_contain_text("The recording night.mp4 is not where it was (404).")
    expect(notice).to_contain_text(str(tmp_path / "night.mp4"))
    expect(notice).to_contain_text("f" * 64)
    card = page.locator("svg.overlay polygon.o-card")
    expect(card).to_have_attribute("points", "60.0,40.0 90.0,40.0 90.0,80.0 60.0,80.0")
    page.keyboard.press("i")
    page.keyboard.press("ArrowRight")
    expect(card).to_have_attribute("points", "160.0,40.0 190.0,40.0 190.0,80.0 160.0,80.0")
    expect(page.locator(".clock")).not_to_be_empty()
    expect(page.locator("[data-act=toggle]")).to_be_disabled()


def test_a_format_that_the_browser_does_not_know_is_told_apart(page: Page, tmp_path: Path) -> None:
    (tmp_path / "night.mp4").write_bytes(b"no video at all" * 100)
    page.goto("/findings/1")
    page.wait_for_selector(READY)
    expect(page.locator("[data-novideo]")).to_be_visible()
    expect(page.locator("[data-lost]")).to_be_hidden()
    expect(page.locator("svg.overlay polygon.o-card")).to_have_count(1)


def test_the_next_finding_of_a_recording_that_is_gone_says_so_too(page: Page) -> None:
    page.goto("/findings/1")
    page.wait_for_selector(READY)
    expect(page.locator("[data-lost]")).to_be_visible()
    page.keyboard.press("c")
    page.wait_for_url("**/findings/2")
    page.wait_for_selector(READY)
    expect(page.locator("[data-lost]")).to_be_visible()
