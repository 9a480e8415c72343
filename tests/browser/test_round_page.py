"""How the round page lies on the screen, and what keys and pointer do to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlite_utils import Database

from tests.browser.conftest import LOOSE_ENDS, SETTLED, opened
from tests.browser.desk import READY, choose, press_and_wait

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def page(browser: Browser, tmp_path: Path, db: Database) -> Iterator[Page]:
    with opened(browser, tmp_path, allowed=("422",)) as tab:
        tab.goto("/login/once")
        yield tab


def at_the_round(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_selector(READY)
    page.evaluate(SETTLED)


def box(place: Locator) -> dict[str, float]:
    found = place.bounding_box()
    assert found is not None
    return dict(found)


def test_the_ways_on_are_in_sight_at_once(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    at_the_round(page, "/findings/1")
    for way in ("[data-queue]", "[data-next]", "[data-report]"):
        assert box(page.locator(way))["y"] < 200, way


def test_what_was_said_moves_nothing(page: Page) -> None:
    at_the_round(page, "/findings/1")
    before = box(page.locator(".stage"))["y"]
    press_and_wait(page, "c")
    expect(page.locator(".flash")).to_contain_text("Confirmed: Pay amount")
    assert box(page.locator(".stage"))["y"] == before


def chosen_jack(page: Page) -> None:
    """Choose the misread jack of the sample's second round, with zones drawn."""
    at_the_round(page, "/rounds/3?at=28800")
    page.keyboard.press("z")
    choose(page, "2♣")


TIME = "() => document.querySelector('video').currentTime"


def test_a_mistyped_correction_is_told_beside_the_field_and_nothing_moves(page: Page) -> None:
    chosen_jack(page)
    at = page.evaluate(TIME)
    page.keyboard.press("w")
    page.keyboard.type("zz")
    page.keyboard.press("Enter")
    problem = page.locator("[data-correct] .problem")
    expect(problem).to_contain_text("Nothing was corrected: a card is a rank")
    field = page.locator("[data-correct] [name=reading]")
    expect(field).to_have_value("zz")
    expect(field).to_be_focused()
    expect(page.locator("[data-what]")).to_have_text("card 2♣")
    expect(page.locator("[data-show=zones]")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(TIME) == at
    page.keyboard.type("z")
    expect(problem).to_have_count(0)


def test_a_good_correction_keeps_the_frame_the_choice_and_what_is_drawn(page: Page) -> None:
    chosen_jack(page)
    page.keyboard.press(".")
    page.evaluate(SETTLED)
    at = page.evaluate(TIME)
    page.keyboard.press("w")
    page.keyboard.type("Jc")
    page.keyboard.press("Enter")
    expect(page.locator("[data-correction]")).to_be_visible()
    page.wait_for_selector(READY)
    page.evaluate(SETTLED)
    assert page.evaluate(TIME) == pytest.approx(at, abs=0.001)
    expect(page.locator("[data-what]")).to_have_text("card J♣")
    expect(page.locator("[data-show=zones]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("svg.overlay .o-zone, svg.overlay .o-covered").first).to_be_attached()


def test_a_mistyped_addition_is_told_beside_its_field(page: Page) -> None:
    at_the_round(page, "/rounds/3?at=28800")
    page.keyboard.press("a")
    page.get_by_label("What lies there").fill("zz")
    page.keyboard.press("Enter")
    expect(page.locator("[data-add] .problem")).to_contain_text("Nothing was added: expected")
    expect(page.get_by_label("What lies there")).to_have_value("zz")


def test_at_1024_pixels_finding_and_decision_are_in_sight_with_the_clip(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    at_the_round(page, "/findings/1")
    controls, finding, confirm = (
        box(page.locator(name)) for name in (".controls", ".finding", "[data-decide=confirm]")
    )
    assert controls["y"] + controls["height"] <= finding["y"] < 640
    assert confirm["y"] + confirm["height"] <= 768
    assert box(page.locator(".stage"))["height"] <= 768 / 2
    assert box(page.locator(".stills"))["y"] > confirm["y"]


def test_the_zone_of_the_finding_is_outlined_in_picture_and_plan(page: Page) -> None:
    at_the_round(page, "/findings/3")
    expect(page.locator("svg.overlay polygon.o-here")).to_have_count(1)
    expect(page.locator("svg.overlay .o-here-name")).to_have_text("2 · main")
    expect(page.locator("svg.plan polygon.here")).to_have_count(1)
    page.keyboard.press("o")
    expect(page.locator("svg.overlay polygon.o-here")).to_have_count(1)


def test_zones_have_short_names_and_seats_their_numbers(page: Page) -> None:
    at_the_round(page, "/rounds/3")
    page.keyboard.press("z")
    names = page.locator("svg.overlay .o-zone-name")
    expect(names.first).to_be_attached()
    assert {"1", "2", "3", "M", "D"} <= set(names.all_text_contents())
    short = page.evaluate(
        """async () => {
            const module = performance.getEntriesByType("resource").find((one) => one.name.includes("/felt.js")).name;
            const { zoneLabels } = await import(module);
            const names = ["base", "match1", "match2", "mirror", "cards"].map((bet) => `seat2.${bet}`);
            const zones = [...names, "dealer.card1", "ace_finder"].map((name) => ({ name }));
            return [...zoneLabels(zones).values()];
        }"""
    )
    assert short == ["B", "Ma1", "Ma2", "Mi", "2", "D1", "ace finder"]


def colour(place: Locator, name: str = "color") -> str:
    return str(place.evaluate(f"(node) => getComputedStyle(node).{name}"))


def test_a_colour_means_one_thing(page: Page) -> None:
    at_the_round(page, "/findings/1")
    assert colour(page.locator(".finding .amount")) == colour(page.locator(".finding h1"))
    marks = {
        kind: colour(page.locator(f".legend .k-{kind}"), "backgroundColor")
        for kind in ("card", "wager", "pay", "take", "finding")
    }
    assert len(set(marks.values())) == 5
    assert colour(page.locator(".track .m-finding").first, "backgroundColor") == marks["finding"]
    page.goto("/?state=any")
    assert colour(page.locator("td.num.over").first) == colour(page.locator(".queue td.what").first)


def width(page: Page, name: str) -> float:
    return box(page.locator(name))["width"]


def test_the_clip_is_enlarged_by_keys_and_wheel_and_dragged(page: Page) -> None:
    at_the_round(page, "/findings/3")
    whole = width(page, ".stage video")
    page.keyboard.press("+")
    assert width(page, ".stage video") == pytest.approx(1.25 * whole, rel=0.01)
    page.keyboard.press("-")
    assert width(page, ".stage video") == pytest.approx(whole, rel=0.01)
    stage = box(page.locator(".stage"))
    page.mouse.move(stage["x"] + 300, stage["y"] + 200)
    for _ in range(9):
        page.mouse.wheel(0, -100)
    page.wait_for_function("() => document.querySelector('.stage').style.getPropertyValue('--zoom') === '4'")
    before = box(page.locator(".stage video"))["x"]
    page.mouse.down()
    page.mouse.move(stage["x"] + 200, stage["y"] + 200)
    page.mouse.up()
    assert box(page.locator(".stage video"))["x"] == pytest.approx(before - 100, abs=1)
    expect(page.locator("svg.overlay polygon.chosen")).to_have_count(0)
    page.keyboard.press("0")
    assert width(page, ".stage video") == pytest.approx(whole, rel=0.01)


def test_a_click_on_an_enlarged_pile_chooses_it(page: Page) -> None:
    at_the_round(page, "/findings/3")
    for _ in range(3):
        page.keyboard.press("+")
    page.locator("svg.overlay polygon.o-chips").nth(1).click()
    expect(page.locator("[data-what]")).to_contain_text("chips")


def test_a_still_opens_at_its_full_size_and_is_enlarged(page: Page) -> None:
    at_the_round(page, "/findings/3")
    page.wait_for_function("() => document.querySelectorAll('[data-drawn=yes]').length === 4")
    page.locator("[data-still]").nth(1).focus()
    page.keyboard.press("+")
    picture = page.locator("#frame canvas")
    expect(picture).to_be_visible()
    assert picture.evaluate("(canvas) => canvas.width") == 1920
    before = width(page, "#frame canvas")
    page.keyboard.press("+")
    assert width(page, "#frame canvas") == pytest.approx(1.25 * before, rel=0.01)
    page.keyboard.press("Escape")
    expect(picture).to_be_hidden()


def test_after_a_click_on_a_control_space_plays_the_clip(page: Page) -> None:
    at_the_round(page, "/findings/3")
    zones = page.locator("[data-show=zones]")
    zones.click()
    page.keyboard.press("Space")
    page.wait_for_function("() => !document.querySelector('video').paused")
    expect(zones).to_have_attribute("aria-pressed", "true")


def test_player_stills_and_finding_go_by_one_clock(page: Page, db: Database) -> None:
    db.execute("UPDATE footage SET recorded_at = '2026-03-01T04:00:00.000+00:00'")
    at_the_round(page, "/findings/3")
    when = page.locator(".finding dd.num").inner_text().split(" to ")[0]
    expect(page.locator("[data-still] .num").nth(1)).to_have_text(when)
    page.keyboard.press("i")
    page.evaluate(SETTLED)
    clock = page.locator(".clock").inner_text()
    assert clock[:5] == when[:5]
    assert "04:00:" in clock
    assert "UTC" in clock
