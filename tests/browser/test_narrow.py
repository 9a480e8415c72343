"""Narrow screens, and wide ones enlarged to twice the size: nothing leaves the screen, the pages fold into a menu."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LOOSE_ENDS, opened, sign_in
from tests.browser.pit import prepare

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]

PAGES = ("/", "/dealers", "/tables", "/tables/BJ-07", "/reports/shift", "/rota", "/footage", "/profiles", "/agreement")


@pytest.fixture
def page(browser: Browser, tmp_path: Path, clip: Path) -> Iterator[Page]:
    prepare(tmp_path, clip)
    with opened(browser, tmp_path) as one:
        yield one


@pytest.mark.parametrize("width", [1024, 720, 400])
def test_no_page_is_wider_than_the_screen(page: Page, width: int) -> None:
    sign_in(page, "sam")
    page.set_viewport_size({"width": width, "height": 700})
    wide = {}
    for path in PAGES:
        page.goto(path)
        wide[path] = page.evaluate("document.documentElement.scrollWidth")
    assert {path: found for path, found in wide.items() if found > width} == {}


def test_a_tables_name_is_not_broken(page: Page) -> None:
    sign_in(page, "sam")
    page.set_viewport_size({"width": 720, "height": 450})
    page.goto("/tables")
    link = page.get_by_role("link", name="BJ-07")
    assert link.evaluate("one => one.getClientRects().length") == 1


def test_the_pages_fold_into_a_menu_that_keys_open_and_close(page: Page) -> None:
    sign_in(page, "sam")
    page.set_viewport_size({"width": 720, "height": 450})
    menu = page.get_by_role("button", name="Menu")
    tables = page.get_by_role("navigation").get_by_role("link", name="Tables")
    expect(tables).to_be_hidden()
    before = page.get_by_role("main").bounding_box()
    menu.press("Enter")
    expect(tables).to_be_visible()
    assert page.get_by_role("main").bounding_box() == before
    page.keyboard.press("Escape")
    expect(tables).to_be_hidden()
    expect(menu).to_be_focused()
    page.set_viewport_size({"width": 1024, "height": 700})
    expect(tables).to_be_visible()
    expect(menu).to_be_hidden()
