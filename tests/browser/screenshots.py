"""Pictures of every page for the documents, made from the demo's audit.

``python -m tests.browser.screenshots data/demo docs/screenshots`` after ``make demo SERVE=0``. Names, times and the
rota are made up; for the pit's pages the session is repeated over ten nights.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from shutil import which

from playwright.sync_api import Browser, Page, sync_playwright

from audit.store import users
from audit.store.database import open_store
from tests.browser.conftest import LONGEST_MS, SETTLED, served
from tests.browser.desk import READY, packer
from tests.browser.house import NOW, decide, furnish, repeat


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One picture: its name, who looks, at which address, and what is done first."""

    name: str
    user: str
    path: str
    act: Callable[[Page], None] = lambda _: None


def at_the_round(page: Page) -> None:
    page.wait_for_selector(READY)
    page.evaluate(SETTLED)
    page.wait_for_function("() => document.querySelectorAll('[data-drawn=yes]').length === 4")


def with_a_card(page: Page) -> None:
    at_the_round(page)
    for key in ("z", "x", "x"):
        page.keyboard.press(key)


def with_an_addition(page: Page) -> None:
    at_the_round(page)
    page.keyboard.press("a")
    page.get_by_label("Zone").select_option("seat2.cards")
    page.get_by_label("What lies there").fill("9c")


def with_the_editor(page: Page) -> None:
    page.wait_for_selector("[data-editor][data-ready=yes]")
    page.wait_for_timeout(1500)


def with_copies(page: Page) -> None:
    page.get_by_label("Disposition").fill(
        "Pit manager told at 04:20; to be taken up with the dealer at the end of the shift."
    )
    page.get_by_role("button", name="Open the report").click()
    page.wait_for_url("**/incidents/1")
    with page.expect_download():
        page.keyboard.press("d")
    page.reload()
    page.keyboard.press("e")
    page.wait_for_selector("[data-download]")


def with_the_check(page: Page) -> None:
    page.get_by_role("button", name="Check the chain").click()
    page.wait_for_load_state()


DESK = (
    Shot(name="sign-in", user="", path="/sign-in"),
    Shot(name="queue", user="sam", path="/"),
    Shot(name="round", user="sam", path="/findings/{best}", act=at_the_round),
    Shot(name="correction", user="sam", path="/findings/{best}", act=with_a_card),
    Shot(name="addition", user="sam", path="/rounds/2", act=with_an_addition),
)
DECIDED = (
    Shot(name="incident", user="sam", path="/findings/{best}/report", act=with_copies),
    Shot(name="incidents", user="sam", path="/incidents"),
    Shot(name="agreement", user="root", path="/agreement"),
)
PIT = (
    Shot(name="dealers", user="pat", path="/dealers"),
    Shot(name="dealer", user="pat", path="/dealers/1"),
    Shot(name="tables", user="pat", path="/tables"),
    Shot(name="table", user="pat", path="/tables/BJ-07"),
    Shot(name="shift", user="pat", path="/reports/shift?day=2026-11-19"),
    Shot(name="rota", user="pat", path="/rota?day=2026-11-19"),
    Shot(name="rota-entry", user="pat", path="/rota/entries/1"),
    Shot(name="footage", user="sam", path="/footage"),
    Shot(name="profiles", user="sam", path="/profiles"),
    Shot(name="profile", user="sam", path="/profiles/1", act=with_the_editor),
    Shot(name="health", user="sam", path="/health"),
    Shot(name="export", user="pat", path="/export"),
    Shot(name="log", user="ali", path="/log", act=with_the_check),
    Shot(name="users", user="root", path="/users"),
    Shot(name="settings", user="root", path="/settings"),
    Shot(name="account", user="pat", path="/account"),
    Shot(name="help", user="sam", path="/help"),
)


@contextmanager
def looking(browser: Browser, data: Path, shot: Shot, *, size: tuple[int, int], theme: str) -> Iterator[Page]:
    """Yield a page at which the picture's user is signed in."""
    with served(data, make_pack=packer(data)) as address:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, base_url=address)
        context.set_default_timeout(2 * LONGEST_MS)  # an evidence pack has its clip encoded
        page = context.new_page()
        page.add_init_script(f"localStorage.setItem('theme', '{theme}'); localStorage.setItem('tour', '-1')")
        if shot.user:
            db = open_store(data)
            known = users.user_named(db, shot.user)
            assert known is not None
            users.add_one_time_login(db, token=shot.name, user_id=known.id, expires=NOW + timedelta(days=3650))
            db.close()
            page.goto(f"/login/{shot.name}")
        yield page
        context.close()


def take(
    browser: Browser, data: Path, shots: tuple[Shot, ...], out: Path, *, size: tuple[int, int], theme: str
) -> None:
    """Take the pictures of one store."""
    db = open_store(data)
    best = db.execute("SELECT id FROM findings WHERE verdict = 'violation' ORDER BY rank DESC").fetchone()[0]
    db.close()
    for shot in shots:
        with looking(browser, data, shot, size=size, theme=theme) as page:
            page.goto(shot.path.format(best=best))
            shot.act(page)
            page.screenshot(path=out / f"{shot.name}.jpg", type="jpeg", quality=78)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("demo", type=Path, help="the data directory of the demo")
    parser.add_argument("out", type=Path, help="the folder for the pictures")
    parser.add_argument("--size", default="1600x900")
    parser.add_argument("--theme", default="dark", choices=["dark", "light"])
    parser.add_argument("--only", default="", help="only the picture of that name")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    width, height = (int(part) for part in asked.size.split("x"))
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        data = Path(scratch) / "house"
        furnish(asked.demo, data)
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for change, shots in ((None, DESK), (decide, DECIDED), (repeat, PIT)):
            if change is not None:
                change(data)
            wanted = tuple(shot for shot in shots if asked.only in ("", shot.name))
            take(browser, data, wanted, asked.out, size=(width, height), theme=asked.theme)
        browser.close()


if __name__ == "__main__":
    main()
