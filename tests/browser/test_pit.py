"""Each role at its desk: signing in, a rota imported, a profile edited, a file uploaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit.store import footage, library
from audit.store.database import open_store
from audit.table import parse_profile
from tests.browser.conftest import LOOSE_ENDS, opened, sign_in
from tests.browser.pit import prepare
from tests.web.conftest import AT

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def page(browser: Browser, tmp_path: Path, clip: Path) -> Iterator[Page]:
    prepare(tmp_path, clip)
    with opened(browser, tmp_path, allowed=("400 (BAD REQUEST)", "403 (FORBIDDEN)")) as one:
        yield one


@pytest.mark.parametrize(
    ("name", "heading", "links", "not_for"),
    [
        ("sam", None, {"Queue", "Dealers", "Tables", "Shift", "Footage", "Profiles"}, "/users"),
        ("pat", "Dealers", {"Dealers", "Rota", "Shift"}, "/log"),
        ("ali", "Log", {"Log", "Help"}, "/dealers"),
        ("root", "Users and roles", {"Users", "Settings", "Log", "Footage"}, "/footage/1/video"),
    ],
)
def test_each_role_signs_in_to_its_own_desk(
    page: Page, name: str, heading: str | None, links: set[str], not_for: str
) -> None:
    sign_in(page, name)
    if heading is not None:
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    named = set(page.get_by_role("navigation").get_by_role("link").all_inner_texts())
    assert links <= named
    page.goto(not_for)
    expect(page.get_by_role("heading", name="Not for your role")).to_be_visible()


def test_a_pit_manager_imports_a_rota_and_corrects_its_bad_line(page: Page) -> None:
    sign_in(page, "pat")
    page.goto("/rota?day=2026-02-28")
    lines = "dealer,table,from,to\nBo Lind,BJ-07,2026-02-28 21:00,2026-02-28 22:00\nBo Lind,BJ-07,22:00,23:00\n"
    chooser = page.get_by_label("CSV file")
    chooser.set_input_files({"name": "rota.csv", "mimeType": "text/csv", "buffer": lines.encode()})
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("line 3, from: expected a date and time")).to_be_visible()
    rest = page.get_by_label("or its lines")
    expect(rest).to_have_value("dealer,table,from,to\nBo Lind,BJ-07,22:00,23:00")
    rest.fill("dealer,table,from,to\nBo Lind,BJ-07,2026-02-28 22:00,2026-02-28 23:00")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Rota: 1 stored.")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Bo Lind"))).to_have_count(2)


def test_a_time_that_is_none_is_refused_at_its_field(page: Page) -> None:
    sign_in(page, "pat")
    page.goto("/rota?day=2026-02-28")
    page.get_by_label("Dealer", exact=True).fill("Bo Lind")
    page.get_by_label("Table", exact=True).fill("BJ-07")
    begins, ends = (page.locator(f"[name={name}]") for name in ("from", "to"))
    expect(begins).to_have_value("2026-02-28 ")
    begins.press("End")
    page.keyboard.type("21:00")
    ends.press("End")
    page.keyboard.type("ten")
    page.get_by_role("button", name="Store").click()
    assert ends.evaluate("one => one.validity.patternMismatch")
    ends.fill("2026-02-28 22:00")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_text("Stored: Bo Lind at BJ-07.")).to_be_visible()


def test_a_dealers_figures_open_from_the_list(page: Page) -> None:
    sign_in(page, "pat")
    page.get_by_role("link", name="Ana Ruiz").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana Ruiz")
    expect(page.get_by_role("row", name=re.compile("Pay amount"))).to_contain_text("25.00")


def test_a_zone_is_dragged_moved_by_key_undone_and_saved_as_a_new_version(page: Page, tmp_path: Path) -> None:
    sign_in(page, "sam")
    page.goto("/profiles/2")
    page.wait_for_selector("[data-editor][data-ready=yes]")
    corner = page.get_by_role("button", name=re.compile("corner 1 of seat1.cards"))
    box = corner.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y - 12, steps=4)
    page.mouse.up()
    corner.focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.get_by_role("button", name="Save a new version").click()
    page.wait_for_url("**/profiles/3")
    expect(page.get_by_text("Stored as a new version of BJ-07")).to_be_visible()
    db = open_store(tmp_path)
    before, after = (parse_profile(footage.profile(db, number).toml).zones[0].polygon_mm for number in (2, 3))
    db.close()
    assert after[1:] == before[1:]
    moved = (after[0][0] - before[0][0], after[0][1] - before[0][1])
    assert 15 < moved[0] < 40  # 30 px to the left on the screen is to the dealer's right
    assert -22 < moved[1] < 8  # up by the mouse is towards the dealer, down by the key 10 mm back


def test_what_is_not_saved_in_the_editor_is_said_and_asked_about(page: Page) -> None:
    sign_in(page, "sam")
    page.goto("/profiles/2")
    page.wait_for_selector("[data-editor][data-ready=yes]")
    sign, corner = page.locator("[data-dirty]"), page.get_by_role("button", name=re.compile("corner 1 of seat1.cards"))
    expect(sign).to_be_hidden()
    corner.focus()
    page.keyboard.press("ArrowLeft")
    expect(sign).to_have_text("not saved yet")
    page.on("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:
        page.get_by_role("link", name="Dealers").click(no_wait_after=True)
    assert asked.value.type == "beforeunload"
    corner.focus()
    page.keyboard.press("u")
    expect(sign).to_be_hidden()
    page.get_by_role("link", name="Dealers").click()
    page.wait_for_url("**/dealers")


def test_a_crossed_zone_is_refused_in_the_editor(page: Page, tmp_path: Path) -> None:
    sign_in(page, "sam")
    page.goto("/profiles/2")
    page.wait_for_selector("[data-editor][data-ready=yes]")
    page.get_by_label("Table", exact=True).fill("")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("table.id: expected text, found None")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Undo")).click()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("The check finds nothing wrong.")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("seat1.main"))).to_be_visible()


def test_the_editor_offers_the_rules_of_the_chosen_game(page: Page) -> None:
    sign_in(page, "sam")
    page.goto("/profiles/2")
    page.wait_for_selector("[data-editor][data-ready=yes]")
    rules = page.get_by_role("combobox", name=re.compile("^Rules"))
    expect(rules).to_have_value("shoe-six-deck")
    expect(rules.get_by_role("option")).to_have_text(
        ["the game's own (shoe-six-deck)", "shoe-six-deck", "shoe-eight-deck"]
    )
    page.locator("[data-field='table.game']").select_option("stud_21")
    expect(rules.locator("option:checked")).to_have_text("shoe-six-deck: not of this game")
    rules.select_option("stud-21-spanish")
    page.get_by_role("button", name=re.compile("^Undo")).click()
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(rules).to_have_value("shoe-six-deck")


def test_a_recordings_long_name_stays_within_its_panel(page: Page, tmp_path: Path, clip: Path) -> None:
    long = tmp_path / f"{'a2c524bf8224-BJ-07_camera_north_' * 5}.mp4"
    long.write_bytes(clip.read_bytes())
    db = open_store(tmp_path)
    footage.register_footage(db, sha256="8" * 64, path=str(long), size_bytes=1, at=AT, duration_ms=4000)
    db.close()
    sign_in(page, "sam")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/profiles/2")
    page.wait_for_selector("[data-editor][data-ready=yes]")
    inner = page.get_by_role("combobox", name=re.compile("^Recording")).bounding_box()
    panel = page.get_by_role("region", name="The frame").bounding_box()
    assert inner is not None
    assert panel is not None
    assert inner["x"] + inner["width"] <= panel["x"] + panel["width"]


def test_the_wrong_line_of_a_text_is_marked(page: Page) -> None:
    sign_in(page, "sam")
    page.goto("/profiles/2")
    page.get_by_text("This version as text").click()
    text = page.get_by_label("The profile as TOML")
    text.fill("[table]\nid = = 7\n" + "# more\n" * 60)
    page.get_by_role("button", name="Save this text as a new version").click()
    expect(page.get_by_role("alert").filter(has_text="line 2: id = = 7")).to_be_visible()
    expect(text).to_be_focused()
    assert text.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)") == "id = = 7"


def test_the_felt_is_rectified_from_the_frame(page: Page) -> None:
    sign_in(page, "sam")
    page.goto("/profiles/2")
    page.wait_for_selector("[data-editor][data-ready=yes]")
    seen = """() => {
      const canvas = document.querySelector('[data-felt]');
      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      const colours = new Set();
      for (let i = 0; i < pixels.length; i += 4000) colours.add(`${pixels[i] >> 5},${pixels[i + 1] >> 5}`);
      return colours.size;
    }"""
    page.wait_for_function(f"() => ({seen})() > 3")


def test_a_recording_is_uploaded_in_the_page(page: Page, tmp_path: Path, clip: Path) -> None:
    sign_in(page, "root")
    page.goto("/footage")
    copy = tmp_path / "BJ-07_20260301_220000.mp4"
    copy.write_bytes(clip.read_bytes() + b"\0" * 9_000_000)
    page.get_by_label("Recordings").set_input_files(copy)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("BJ-07_20260301_220000.mp4")).to_be_visible()
    page.wait_for_selector("text=being checked")
    expect(page.get_by_text("from the file's name, not stored yet")).to_be_visible()
    db = open_store(tmp_path)
    (row,) = [one for one in library.library(db) if one.size_bytes > 9_000_000]
    db.close()
    assert Path(row.path).read_bytes() == copy.read_bytes()


def test_a_picture_is_refused_as_footage_in_one_sentence(page: Page) -> None:
    sign_in(page, "root")
    page.goto("/footage")
    bad = {"name": "night.mp4", "mimeType": "video/mp4", "buffer": b"\x89PNG\r\n\x1a\n and more"}
    page.get_by_label("Recordings").set_input_files(bad)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("night.mp4: expected a recorded video, found a PNG picture")).to_be_visible()


def test_of_several_uploads_the_stored_ones_are_shown_though_another_failed(page: Page, tmp_path: Path) -> None:
    sign_in(page, "root")
    page.goto("/footage")
    expect(page.get_by_text("1 recording ·")).to_be_visible()
    good = {"name": "good.mp4", "mimeType": "video/mp4", "buffer": b"\x00\x00\x00\x18ftypisom" + b"\0" * 400}
    bad = {"name": "bad.mp4", "mimeType": "video/mp4", "buffer": b"\x89PNG\r\n\x1a\n and more"}
    page.get_by_label("Recordings").set_input_files([bad, good])
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("region", name="The library")).to_contain_text("good.mp4")
    expect(page.get_by_text("2 recordings ·")).to_be_visible()
    expect(page.get_by_text("bad.mp4: expected a recorded video, found a PNG picture")).to_be_visible()


def test_heading_library_and_folders_follow_the_work_together(page: Page, tmp_path: Path) -> None:
    sign_in(page, "root")
    page.goto("/footage")
    page.get_by_label("Folder on the server").fill(str(tmp_path))
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_text("waiting for a worker")).to_be_visible()
    page.get_by_label("Folder on the server").focus()
    db = open_store(tmp_path)
    footage.register_footage(db, sha256="7" * 64, path="/n/found.mp4", size_bytes=1, at=AT, duration_ms=9000)
    library.folder_looked_into(db, 1, at=datetime.now(tz=UTC), error=None)
    db.close()
    expect(page.get_by_role("region", name="The library")).to_contain_text("found.mp4")
    expect(page.get_by_text("2 recordings ·")).to_be_visible()
    expect(page.get_by_text("waiting for a worker")).to_have_count(0)


def test_the_tour_of_the_demo_goes_on_from_page_to_page_and_ends_for_good(page: Page, tmp_path: Path) -> None:
    db = open_store(tmp_path)
    db.execute("UPDATE footage SET path = '/x/sample_footage/clips/blackjack.mp4'")
    db.close()
    sign_in(page, "pat")
    tour = page.get_by_role("complementary", name="Tour of the demo")
    expect(tour).to_contain_text("1 of 4")
    tour.get_by_role("button", name="Next").click()
    tour.get_by_role("link", name="Show me").click()
    page.wait_for_url("**/rota")
    expect(tour).to_contain_text("2 of 4")
    tour.get_by_role("button", name="End the tour").click()
    expect(tour).to_be_hidden()
    page.goto("/dealers")
    expect(tour).to_be_hidden()
    page.goto("/help")
    page.get_by_role("button", name="Take the tour again").click()
    expect(tour).to_contain_text("1 of 4")
