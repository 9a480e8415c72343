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


def test_the_queue_is_entered_again_at_the_row_it_was_left_at(page: Page) -> None:
    for _ in range(20):
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    page.keyboard.press("q")
    page.wait_for_selector(".queue")
    expect(row(page, 20)).to_have_attribute("aria-selected", "true")
    expect(row(page, 20)).to_be_in_viewport()


def test_the_queue_is_entered_again_on_its_second_page(page: Page) -> None:
    page.get_by_role("link", name="next page").click()
    page.wait_for_url("**from=50**")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    page.keyboard.press("q")
    page.wait_for_url("**from=50**")
    expect(row(page, 1)).to_have_attribute("aria-selected", "true")


def test_after_a_decision_the_queue_stands_at_the_finding_that_came_next(page: Page) -> None:
    for _ in range(3):
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    before = page.url
    page.keyboard.press("c")
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(READY)
    number = page.locator("[data-desk]").get_attribute("data-finding")
    page.keyboard.press("q")
    page.wait_for_selector(".queue")
    expect(page.locator(f"[data-finding='{number}']")).to_have_attribute("aria-selected", "true")


def test_what_was_claimed_stays_chosen_and_is_released_again(page: Page) -> None:
    page.keyboard.press("j")
    for key in ("x", "j", "x", "c"):
        page.keyboard.press(key)
    expect(page.locator(".flash")).to_contain_text("Claimed 2 of 2 findings")
    expect(page.locator(".picked [data-picked]")).to_have_text("2")
    page.keyboard.press("r")
    expect(page.locator(".flash")).to_contain_text("Released 2 findings")


def test_cancelling_a_dismissal_leaves_nothing_chosen(page: Page) -> None:
    page.keyboard.press("d")
    expect(page.locator("#dismiss")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".picked [data-picked]")).to_have_text("0")


def test_the_head_of_the_table_stays_in_sight(page: Page) -> None:
    page.keyboard.press("End")
    expect(row(page, 49)).to_be_in_viewport()
    expect(page.get_by_role("columnheader", name="What")).to_be_in_viewport()
