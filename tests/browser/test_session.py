"""What happens at the desk when the session has ended meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit.store import ledger
from audit.store.database import open_store
from tests.browser.conftest import LOOSE_ENDS, opened, sign_in
from tests.browser.desk import READY
from tests.web.conftest import fill

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def page(browser: Browser, tmp_path: Path, clip: Path) -> Iterator[Page]:
    db = open_store(tmp_path)
    fill(db, clip)
    db.close()
    with opened(browser, tmp_path) as tab:
        sign_in(tab, "sam")
        yield tab


def test_a_note_outlives_a_session_that_has_ended(page: Page, tmp_path: Path) -> None:
    page.goto("/findings/1?verdict=violation")
    page.wait_for_selector(READY)
    other = page.context.new_page()
    other.goto("/help")
    other.get_by_role("button", name="Sign out").click()
    other.close()
    page.bring_to_front()  # keys wait for a page that is not in front
    page.keyboard.press("2")
    page.keyboard.press("m")
    page.keyboard.type("three green too many")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    problem = page.locator(".decide .problem")
    expect(problem).to_contain_text("You are signed out: nothing was stored.")
    expect(page.get_by_label("Note")).to_have_value("three green too many")
    expect(problem.get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/sign-in?*")
    page.get_by_label("Name").fill("sam")
    page.get_by_label("Password").fill("right sam")
    page.keyboard.press("Enter")
    page.wait_for_url("**/findings/1?verdict=violation")
    page.wait_for_selector(READY)
    expect(page.get_by_label("Note")).to_have_value("three green too many")
    page.keyboard.press("c")
    page.wait_for_url("**/?verdict=violation")
    row = ledger.decisions_of(open_store(tmp_path), 1)[0]
    assert (row.kind, row.reason, row.note) == ("confirm", "played as the rules allow", "three green too many")
