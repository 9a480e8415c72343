"""A night by keyboard: clear findings, correct a reading, undo, report, search; and what one sees meanwhile."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlite_utils import Database

from audit.store import ledger, review
from audit.store.log_reading import check_chain
from tests.browser.conftest import LOOSE_ENDS, SETTLED, opened
from tests.browser.desk import READY, choose, more_findings, packer, press_and_wait
from tests.web.sample_desk import fill_sample
from workers.evidence import check_pack

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]


@pytest.fixture
def page(browser: Browser, tmp_path: Path, db: Database) -> Iterator[Page]:
    with opened(browser, tmp_path, make_pack=packer(tmp_path)) as tab:
        tab.goto("/login/once")
        yield tab


def test_twenty_findings_are_cleared_by_keyboard_alone(page: Page, db: Database) -> None:
    more_findings(db, 12)
    page.reload()
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    began = time.perf_counter()
    page.reload()
    page.wait_for_selector(READY)
    loading = time.perf_counter() - began
    seconds = [press_and_wait(page, "cdte"[i % 4]) for i in range(20)]
    assert db.execute("SELECT count(*), count(DISTINCT finding_id) FROM decisions").fetchone() == (20, 20)
    assert review.unreviewed_count(db) == 25 - 20
    assert check_chain(db).broken is None
    assert median(seconds) < max(1.0, loading), "a second, or on a busy machine no more than loading a page takes"


def test_a_reason_and_a_note_are_given_by_key(page: Page, db: Database) -> None:
    page.goto("/findings/1")
    page.wait_for_selector(READY)
    page.keyboard.press("2")
    page.keyboard.press("m")
    page.keyboard.type("colour change seen")
    page.keyboard.press("Escape")
    press_and_wait(page, "d")
    row = ledger.decisions_of(db, 1)[0]
    assert (row.kind, row.reason, row.note) == ("dismiss", "played as the rules allow", "colour change seen")


def test_undo_leads_back_to_the_finding_and_hides_nothing(page: Page, db: Database) -> None:
    page.goto("/findings/1")
    page.wait_for_selector(READY)
    press_and_wait(page, "c")
    page.keyboard.press("u")
    page.wait_for_url("**/findings/1")
    page.wait_for_selector(READY)
    expect(page.locator("[data-decision]")).to_have_count(2)
    assert [one.kind for one in ledger.decisions_of(db, 1)] == ["confirm", "undo"]


def test_a_misread_card_is_corrected_by_key_and_the_round_changes(page: Page, db: Database) -> None:
    finding = review.findings_of_round(db, 3)[0]
    assert finding.code == "loser-paid"
    page.goto(f"/findings/{finding.id}")
    page.wait_for_selector(READY)
    page.evaluate(SETTLED)
    seat = page.locator(".seat", has_text="Seat 2")
    expect(seat).to_contain_text("2♣")
    choose(page, "2♣")
    expect(page.locator("[data-others]")).to_contain_text("0.995")
    page.keyboard.press("w")
    page.keyboard.type("Jc")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/findings/{finding.id}?at=*")
    page.wait_for_selector(READY)
    expect(page.locator("h1 s")).to_have_text("Loser paid")
    expect(page.locator("[data-decide]")).to_have_count(0)
    expect(page.locator(".flash")).to_contain_text("2c is Jc. No longer stands: Loser paid")
    expect(page.locator(".seat", has_text="Seat 2")).to_contain_text("J♣")
    expect(page.locator(".seat", has_text="Seat 2")).to_contain_text("19")
    expect(page.locator("[data-correction]")).to_contain_text("first 2c")
    page.locator("[data-correction] button").click()
    expect(page.locator(".seat", has_text="Seat 2")).to_contain_text("2♣")
    expect(page.locator("h1")).to_have_text("Loser paid")
    expect(page.locator("[data-decide=confirm]")).to_be_visible()
    assert review.findings_of_round(db, 3)[0].id == finding.id


UNSEEN = {"at_ms": 28_800, "place_mm": (38.9, 302.6)}
"""Where and when the jack of the sample's second round lies, which recognition is made not to have seen."""


def test_a_card_that_was_not_seen_is_added_by_key_and_the_round_changes(page: Page, db: Database) -> None:
    round_id = fill_sample(db, unseen=True, sha256="6" * 64)
    assert "one-card-hand" in {one.code for one in review.findings_of_round(db, round_id)}
    page.goto(f"/rounds/{round_id}?at={UNSEEN['at_ms']}")
    page.wait_for_selector(READY)
    page.evaluate(SETTLED)
    page.keyboard.press("a")
    zone = page.get_by_label("Zone")
    expect(zone).to_be_focused()
    zone.select_option("seat2.cards")
    page.keyboard.press("Tab")
    aim = page.locator("[data-aim]")
    expect(aim).to_be_focused()
    for key in ["ArrowLeft"] * 4 + ["ArrowDown"] * 3:
        page.keyboard.press(key)
    expect(aim).to_have_text("seat2.cards · 40, 305 mm")
    expect(page.locator("svg.overlay polygon.aim")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.type("Jc")
    page.keyboard.press("Enter")
    expect(page.locator(".flash")).to_contain_text("Jc was added. No longer stands: ")
    expect(page.locator(".seat", has_text="Seat 2")).to_contain_text("19")
    expect(page.locator("[data-correction]")).to_contain_text("first nothing")


def test_a_click_in_the_picture_says_where_on_the_felt_it_lies(page: Page, db: Database) -> None:
    page.goto(f"/rounds/3?at={UNSEEN['at_ms']}")
    page.wait_for_selector(READY)
    page.keyboard.press("a")
    expect(page.locator("svg.overlay polygon.aim")).to_have_count(1)
    x, y = page.evaluate(  # where the camera of the sample's profile sees that place
        """() => {
          const at = new DOMPoint(890.3, 642.0).matrixTransform(document.querySelector("svg.overlay").getScreenCTM());
          return [at.x, at.y];
        }"""
    )
    page.mouse.click(x, y)
    x, y = (float(page.locator(f"[data-add] [name={name}]").input_value()) for name in ("x_mm", "y_mm"))
    assert (x, y) == pytest.approx(UNSEEN["place_mm"], abs=2)


def test_what_is_not_there_is_taken_away_by_key(page: Page, db: Database) -> None:
    page.goto("/rounds/3?at=28800")
    page.wait_for_selector(READY)
    page.evaluate(SETTLED)
    choose(page, "2♣")
    page.keyboard.press("Delete")
    expect(page.locator(".flash")).to_contain_text("2c is not there")
    expect(page.locator("[data-correction]")).to_contain_text("first 2c")
    expect(page.locator(".seat", has_text="Seat 2")).not_to_contain_text("2♣")


def test_a_click_on_the_picture_chooses_what_lies_there(page: Page) -> None:
    page.goto("/findings/3")
    page.wait_for_selector(READY)
    page.wait_for_function("() => document.querySelectorAll('svg.overlay polygon.o-chips').length > 1")
    pile = page.locator("svg.overlay polygon.o-chips").first
    pile.click()
    expect(page.locator("svg.overlay polygon.chosen")).to_have_count(1)
    expect(page.locator("[data-what]")).to_contain_text("chips")


def test_the_plan_counts_what_lies_there_at_the_moment(page: Page) -> None:
    page.goto("/rounds/2?at=4200")  # three wagers stand; seat 1 has a king, seat 2 a six
    page.wait_for_selector(READY)
    counts = page.locator("svg.plan text.count")
    expect(counts).to_have_count(5)
    assert sorted(text for text in counts.all_text_contents() if "$" not in text) == ["10", "6"]


def test_the_plan_says_of_the_dice_cup_what_was_seen_of_it(page: Page) -> None:
    page.goto("/rounds/2")
    page.wait_for_selector(READY)
    said = page.evaluate(
        """async () => {
            const module = performance.getEntriesByType("resource").find((one) => one.name.includes("/felt.js")).name;
            const { cupWords } = await import(module);
            return [{ lid: "off", shakes: 3 }, { lid: "on", shakes: 0 }, { lid: "on", shakes: null }, {}].map(cupWords);
        }"""
    )
    assert said == ["open, shaken 3×", "covered", "covered", ""]


def test_zones_are_drawn_and_marks_seek(page: Page) -> None:
    page.goto("/findings/3")
    page.wait_for_selector(READY)
    page.keyboard.press("z")
    expect(page.locator("svg.overlay polygon.o-zone, svg.overlay polygon.o-covered")).to_have_count(11)
    for kind in ("card", "wager", "pay", "take", "finding"):
        assert page.locator(f".track .m-{kind}").count() > 0, kind
    mark = page.locator(".track .m-card").first
    mark.dispatch_event("click")
    page.evaluate(SETTLED)
    at_ms = 1000 * page.evaluate("() => document.querySelector('video').currentTime")
    assert 26_000 < at_ms < 30_000


def test_stills_show_the_moments_that_prove_it(page: Page) -> None:
    page.goto("/findings/3")
    page.wait_for_selector(READY)
    page.wait_for_function("() => document.querySelectorAll('[data-drawn=yes]').length === 4")
    colours = page.evaluate(
        "() => [...document.querySelectorAll('[data-still] canvas')].map((c) =>"
        " new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size)"
    )
    assert min(colours) > 50


def test_a_report_is_written_and_leaves_as_pdf_and_as_a_pack_that_verifies(page: Page, tmp_path: Path) -> None:
    page.goto("/findings/1")
    page.wait_for_selector(READY)
    page.keyboard.press("f")
    page.wait_for_url("**/findings/1/report")
    page.fill("[name=dealer]", "Łucja Nowak")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    page.wait_for_url("**/incidents/1")
    with page.expect_download() as pdf:
        page.keyboard.press("d")
    assert Path(pdf.value.path()).read_bytes().startswith(b"%PDF-")
    page.reload()
    page.keyboard.press("e")
    page.wait_for_selector("[data-download]")
    with page.expect_download() as pack:
        page.locator("[data-download]").click()
    saved = tmp_path / "pack.zip"
    pack.value.save_as(saved)
    files, number = check_pack(saved)
    assert number.endswith("-00001")
    assert files == len(zipfile.ZipFile(saved).namelist()) - 1
    assert page.locator("[data-copy]").count() == 2


def test_the_queue_is_searched_chosen_from_and_dismissed_by_key(page: Page, db: Database) -> None:
    page.keyboard.press("/")
    page.keyboard.type("third ca")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=third+ca**")
    expect(page.locator(".queue tbody tr")).to_have_count(1)
    page.keyboard.press("x")
    expect(page.locator(".picked [data-picked]")).to_have_text("1")
    page.keyboard.press("d")
    expect(page.locator("#dismiss select")).to_be_focused()
    page.keyboard.type("reading")
    page.keyboard.press("Tab")
    page.keyboard.type("glare")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".flash")).to_contain_text("Dismissed 1 findings: reading wrong")
    assert [one.note for one in ledger.decisions_of(db, 2)] == ["glare"]


def test_new_findings_are_announced_without_moving_what_is_read(page: Page, db: Database) -> None:
    table = page.locator(".queue tbody")
    before = table.bounding_box()
    more_findings(db, 3)
    expect(page.locator("[data-fresh]")).to_have_text("show 6 new")
    expect(page.locator("[data-count=unreviewed]")).to_have_text("7")
    assert table.bounding_box() == before
    page.keyboard.press("g")
    expect(page.locator(".queue tbody tr")).to_have_count(7)


def test_the_speed_goes_from_a_tenth_to_sixteen_and_backwards(page: Page) -> None:
    page.goto("/findings/3")
    page.wait_for_selector(READY)
    rate = "() => document.querySelector('video').playbackRate"
    for _ in range(8):
        page.keyboard.press("[")
    assert page.evaluate(rate) == 0.1
    for _ in range(8):
        page.keyboard.press("]")
    assert page.evaluate(rate) == 16
    page.keyboard.press("i")
    page.evaluate(SETTLED)
    at = page.evaluate("() => document.querySelector('video').currentTime")
    page.keyboard.press("j")
    page.wait_for_function(f"() => document.querySelector('video').currentTime < {at} - 0.3")
    page.keyboard.press("k")
