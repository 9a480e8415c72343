"""An error that was not reported, said by keyboard on the page of its round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlite_utils import Database

from audit.store import review
from audit.store.database import open_store
from tests.browser.conftest import LOOSE_ENDS, SETTLED, let_in, opened
from tests.browser.desk import READY
from tests.web.conftest import fill

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def db(tmp_path: Path, clip: Path) -> Database:
    store = open_store(tmp_path)
    fill(store, clip)
    let_in(store)
    return store


@pytest.fixture
def page(browser: Browser, tmp_path: Path, db: Database) -> Iterator[Page]:
    with opened(browser, tmp_path, allowed=("422",)) as tab:
        tab.goto("/login/once")
        tab.goto("/rounds/1")
        tab.wait_for_selector(READY)
        tab.evaluate(SETTLED)
        yield tab


def test_an_error_is_said_by_key_at_the_moment_that_the_player_shows(page: Page, db: Database) -> None:
    page.keyboard.press("ArrowRight")
    page.evaluate(SETTLED)
    page.keyboard.press("s")
    procedure = page.get_by_label("Procedure, by its number or words of its title")
    expect(procedure).to_be_focused()
    shown = page.locator(".clock").inner_text().split()[0]
    expect(page.get_by_label("From", exact=True)).to_have_value(re.compile(rf"^{re.escape(shown[:-2])}"))
    expect(page.locator("datalist#procedures option")).to_have_count(420)
    procedure.fill("P280")
    page.get_by_label("What was seen").fill("paid two to one")
    page.get_by_label("Due, if money").fill("75")
    page.get_by_label("Paid").fill("100")
    page.keyboard.press("Enter")
    page.wait_for_url("**/findings/3*")
    page.wait_for_selector(READY)
    expect(page.get_by_role("heading", name="Seen by a person")).to_be_visible()
    assert review.finding(db, 3).added_name is not None
    page.keyboard.press("u")
    expect(page.get_by_text("has taken this finding back")).to_be_visible()
    assert review.finding(db, 3).current == 0


def test_what_is_refused_is_said_beside_the_form_and_nothing_written_is_lost(page: Page, db: Database) -> None:
    page.keyboard.press("s")
    page.get_by_label("Procedure, by its number or words of its title").fill("no such thing")
    page.get_by_label("What was seen").fill("kept")
    page.get_by_role("button", name="Add the finding").click()
    expect(page.locator("[data-seen] .problem")).to_contain_text("expected a procedure of the list")
    expect(page.get_by_label("What was seen")).to_have_value("kept")
    assert review.last_finding_id(db) == 2
