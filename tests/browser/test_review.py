"""A reviewer at the desk: sign in, watch, decide by keyboard, find the decision again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit.store.database import open_store
from tests.browser.conftest import LOOSE_ENDS, SETTLED, let_in, opened
from tests.web.conftest import fill

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]

PIXELS = """() => {
  const video = document.querySelector("video");
  const canvas = document.createElement("canvas");
  canvas.width = 64; canvas.height = 36;
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0, 64, 36);
  return Array.from(context.getImageData(0, 0, 64, 36).data).join(",");
}"""
TIME = "() => document.querySelector('video').currentTime"


@pytest.fixture
def page(browser: Browser, tmp_path: Path, clip: Path) -> Iterator[Page]:
    db = open_store(tmp_path)
    fill(db, clip)
    let_in(db)
    db.close()
    with opened(browser, tmp_path) as tab:
        tab.goto("/login/once")
        yield tab


def open_first(page: Page) -> None:
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-desk][data-ready=yes]")
    page.evaluate(SETTLED)


def test_the_clip_plays_and_its_pixels_change(page: Page) -> None:
    open_first(page)
    began, first_pixels = page.evaluate(TIME), page.evaluate(PIXELS)
    page.keyboard.press("Space")
    page.wait_for_function(f"() => document.querySelector('video').currentTime > {began} + 0.4")
    assert page.evaluate(PIXELS) != first_pixels


def test_a_decision_by_key_survives_a_reload(page: Page) -> None:
    open_first(page)
    page.keyboard.press("m")
    page.keyboard.type("paid 100.00")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.wait_for_url("**/findings/2")
    page.goto("/findings/1")
    page.reload()
    expect(page.locator("[data-decision=confirm]")).to_contain_text("paid 100.00")


def test_boxes_are_those_of_the_frame_that_is_shown(page: Page) -> None:
    open_first(page)
    page.evaluate("() => { document.querySelector('video').currentTime = 1.5; }")
    expect(page.locator("svg.overlay polygon.o-card")).to_have_attribute(
        "points", "60.0,40.0 90.0,40.0 90.0,80.0 60.0,80.0"
    )
    page.evaluate("() => { document.querySelector('video').currentTime = 2.5; }")
    expect(page.locator("svg.overlay polygon.o-card")).to_have_attribute(
        "points", "160.0,40.0 190.0,40.0 190.0,80.0 160.0,80.0"
    )
    page.keyboard.press("o")
    expect(page.locator("svg.overlay polygon.o-card")).to_have_count(0)


def test_keys_step_frames_and_stay_inside_the_round(page: Page) -> None:
    open_first(page)
    at = page.evaluate(TIME)
    page.keyboard.press(".")
    page.wait_for_function(f"() => Math.abs(document.querySelector('video').currentTime - {at} - 0.04) < 0.002")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('video').currentTime === 0")
    page.keyboard.press(",")
    page.evaluate(SETTLED)
    assert page.evaluate(TIME) == 0
    page.keyboard.press("?")
    expect(page.locator("dialog#keys")).to_be_visible()


def test_nothing_is_loaded_from_elsewhere(page: Page) -> None:
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    open_first(page)
    assert seen
    assert all(address.startswith("http://127.0.0.1:") for address in seen)
