"""A whole shift in a real browser: each role at its desk, one after the other, over the same house."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlite_utils import Database

from audit.store import dealers, footage, ledger, review
from audit.store.database import open_store
from audit.store.log_reading import check_chain
from tests.browser.conftest import LOOSE_ENDS, SETTLED, opened, sign_in
from tests.browser.desk import READY, choose, more_findings, packer, press_and_wait
from tests.browser.pit import prepare
from tests.web.sample_desk import fill_sample
from workers.evidence import check_pack

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]

ROTA = "dealer,table,from,to\nBo Lind,BJ-07,2026-02-28 21:00,2026-02-28 22:00\n"


def test_a_whole_shift(browser: Browser, tmp_path: Path, clip: Path) -> None:
    prepare(tmp_path, clip)
    db = open_store(tmp_path)
    more_findings(db, 12)
    corrected = fill_sample(db)
    with opened(browser, tmp_path, make_pack=packer(tmp_path), allowed=("403 (FORBIDDEN)",)) as page:
        enter(page, "sam", home="/", not_for="/users")
        clear_twenty_by_keyboard(page, db)
        take_the_last_one_back(page, db)
        correct_a_card(page, db, corrected)
        report_it(page, tmp_path / "pack.zip")
        edit_a_profile(page, db)
        leave(page)
        enter(page, "pat", home="/dealers", not_for="/users")
        import_a_rota(page, db)
        leave(page)
        enter(page, "ali", home="/log", not_for="/dealers")
        read_the_log(page, db)
        leave(page)
        enter(page, "root", home="/users", not_for="/footage/1/video")
        expect(page.get_by_role("row", name=re.compile("sam"))).to_be_visible()
    db.close()


def enter(page: Page, name: str, *, home: str, not_for: str) -> None:
    """Sign in, find oneself at one's own desk, and be kept out of another's."""
    sign_in(page, name)
    page.wait_for_url(f"**{home}")
    page.goto(not_for)
    expect(page.get_by_role("heading", name="Not for your role")).to_be_visible()
    page.goto(home)


def leave(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")


def clear_twenty_by_keyboard(page: Page, db: Database) -> None:
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    for i in range(20):
        press_and_wait(page, "cdte"[i % 4])
    assert db.execute("SELECT count(*), count(DISTINCT finding_id) FROM decisions").fetchone() == (20, 20)
    kinds = db.execute("SELECT kind, count(*) FROM decisions GROUP BY kind ORDER BY kind").fetchall()
    assert kinds == [("cannot_tell", 5), ("confirm", 5), ("dismiss", 5), ("escalate", 5)]


def take_the_last_one_back(page: Page, db: Database) -> None:
    last = db.execute("SELECT finding_id FROM decisions ORDER BY id DESC LIMIT 1").fetchone()[0]
    page.keyboard.press("u")
    page.wait_for_url(f"**/findings/{last}")
    page.wait_for_selector(READY)
    expect(page.locator("[data-decision]")).to_have_count(2)
    assert [one.kind for one in ledger.decisions_of(db, last)] == ["escalate", "undo"]


def correct_a_card(page: Page, db: Database, round_id: int) -> None:
    (finding,) = review.findings_of_round(db, round_id)
    page.goto(f"/findings/{finding.id}")
    page.wait_for_selector(READY)
    page.evaluate(SETTLED)
    seat = page.locator(".seat", has_text="Seat 2")
    expect(seat).to_contain_text("2♣")
    choose(page, "2♣")
    page.keyboard.press("w")
    page.keyboard.type("Jc")
    page.keyboard.press("Enter")
    expect(page.locator(".flash")).to_contain_text("2c is Jc. No longer stands: Loser paid")
    expect(seat).to_contain_text("J♣")
    expect(seat).to_contain_text("19")
    assert review.findings_of_round(db, round_id) == ()


def report_it(page: Page, pack_file: Path) -> None:
    page.goto("/findings/1")
    page.wait_for_selector(READY)
    page.keyboard.press("f")
    page.wait_for_url("**/findings/1/report")
    page.keyboard.press("s")
    page.wait_for_url("**/incidents/1")
    with page.expect_download() as pdf:
        page.keyboard.press("d")
    assert Path(pdf.value.path()).read_bytes().startswith(b"%PDF-")
    page.reload()
    page.keyboard.press("e")
    with page.expect_download() as pack:
        page.locator("[data-download]").click()
    pack.value.save_as(pack_file)
    assert check_pack(pack_file)[1].endswith("-00001")


def edit_a_profile(page: Page, db: Database) -> None:
    before = footage.profile(db, 2)
    page.goto("/profiles/2")
    page.wait_for_selector("[data-editor][data-ready=yes]")
    page.get_by_role("button", name=re.compile("corner 1 of seat1.cards")).focus()
    page.keyboard.press("Shift+ArrowDown")
    page.get_by_role("button", name="Save a new version").click()
    expect(page.get_by_text("Stored as a new version of BJ-07")).to_be_visible()
    number = int(page.url.rpartition("/")[2])
    assert number > before.id
    assert footage.profile(db, number).toml != before.toml
    assert footage.profile(db, 2) == before


def import_a_rota(page: Page, db: Database) -> None:
    page.goto("/rota?day=2026-02-28")
    page.get_by_label("CSV file").set_input_files({"name": "rota.csv", "mimeType": "text/csv", "buffer": ROTA.encode()})
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Rota: 1 stored.")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Bo Lind"))).to_have_count(1)
    assert {one.name for one in dealers.all_dealers(db)} == {"Ana Ruiz", "Bo Lind"}


def read_the_log(page: Page, db: Database) -> None:
    expect(page.get_by_role("cell", name="correction", exact=True)).to_have_count(1)
    expect(page.get_by_role("cell", name="decision", exact=True)).to_have_count(21)
    page.get_by_role("button", name="Check the chain").click()
    expect(page.get_by_text(re.compile(r"All \d+ entries fit the chain"))).to_be_visible()
    assert check_chain(db).broken is None
