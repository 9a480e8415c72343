"""Moving through the queue by key: which row is meant, and that it is found again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlite_utils import Database

from audit.store.database import open_store
from tests.browser.conftest import LOOSE_ENDS, let_in, opened
from tests.browser.desk import READY, more_findings
from tests.web.conftest import fill

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def db(tmp_path: Path, clip: Path) -> Database:
    """Sixty findings: more than one page of them, and more than fit on the screen."""
    store = open_store(tmp_path)
    fill(store, clip)
    more_findings(store, 30)
    let_in(store)
    return store


@pytest.fixture
def page(browser: Browser, tmp_path: Path, db: Database) -> Iterator[Page]:
    with opened(browser, tmp_path) as tab:
        tab.goto("/login/once")
        yield tab


def row(page: Page, index: int) -> Locator:
    return page.locator(".queue tbody tr").nth(index)


def test_a_key_acts_on_the_row_that_is_focused(page: Page) -> None:
    row(page, 4).get_by_role("link").focus()
    expect(row(page, 4)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("x")
    expect(row(page, 4).get_by_role("checkbox")).to_be_checked()
    expect(page.locator(".picked [data-picked]")).to_have_text("1")


def test_moving_by_key_takes_the_focus_along(page: Page) -> None:
    for key in ("j", "ArrowDown", "j", "k"):
        page.keyboard.press(key)
    expect(row(page, 2)).to_have_attribute("aria-selected", "true")
    expect(row(page, 2).get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
