"""The page of an incident report: what is printed, and what is not lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from audit.store import incidents
from audit.store.database import open_store
from tests.browser.conftest import LOOSE_ENDS, let_in, opened
from tests.web.conftest import AT, fill

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def page(browser: Browser, tmp_path: Path, clip: Path) -> Iterator[Page]:
    """The desk of sam, with a report on finding 1."""
    db = open_store(tmp_path)
    fill(db, clip)
    let_in(db)
    fields = {"error_type": "Pay amount", "disposition": "dealer told\nplayer kept the money"}
    incidents.open_incident(db, 1, fields=fields, user_id=1, at=AT)
    db.close()
    with opened(browser, tmp_path) as tab:
        tab.goto("/login/once")
        tab.goto("/incidents/1")
        yield tab


def test_no_figure_and_no_heading_of_the_printed_report_is_broken(page: Page) -> None:
    with page.context.expect_page() as printed:
        page.get_by_role("button", name="Print").click()
    paper = printed.value
    paper.set_viewport_size({"width": 680, "height": 900})  # an A4 page between its margins
    paper.wait_for_selector("table")
    broken = paper.evaluate(
        """() => [...document.querySelectorAll("th, td.num")].filter((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
        }).map((cell) => cell.textContent)"""
    )
    assert broken == []
    assert paper.evaluate("() => document.documentElement.scrollWidth") <= 680
    told = paper.locator("dt:text-is('Disposition') + dd")
    assert told.inner_text() == "dealer told\nplayer kept the money"


def test_leaving_a_report_that_is_not_saved_asks_first(page: Page) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    field = page.get_by_label("Disposition")
    sign = page.locator("[data-dirty]")
    expect(sign).to_be_hidden()
    field.fill("dealer coached")
    expect(sign).to_have_text("not saved yet")
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Dealers").click(no_wait_after=True)
    expect(field).to_have_value("dealer coached")
    assert asked == ["beforeunload"]
    page.get_by_role("button", name="Save a new version").click()
    expect(page.locator(".flash")).to_contain_text("Saved as a new version")
    expect(sign).to_be_hidden()
    page.get_by_role("link", name="Dealers").click()
    page.wait_for_url("**/dealers")
    assert asked == ["beforeunload"]


def test_making_a_copy_keeps_what_was_written_meanwhile(page: Page) -> None:
    field = page.get_by_label("Disposition")
    field.fill("dealer coached")
    with page.expect_download():
        page.get_by_role("button", name="PDF").click()
    expect(page.locator("[data-copy]")).to_have_count(1)
    expect(field).to_have_value("dealer coached")
