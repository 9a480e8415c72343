"""No serious fault by axe-core's rules (WCAG 2.2 A and AA) on any page, dark and light."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from audit.store import incidents, ledger, second_reviews, users
from audit.store.database import open_store
from audit.store.second_reviews import Shares
from tests.browser.conftest import LOOSE_ENDS, opened, sign_in
from tests.browser.pit import prepare
from tests.web.conftest import AT

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PAGES = {
    "sam": (
        "/",
        "/findings/1",
        "/findings/1/report",
        "/rounds/1",
        "/dealers",
        "/dealers/1",
        "/tables",
        "/tables/BJ-07",
        "/reports/shift",
        "/rota",
        "/footage",
        "/profiles",
        "/profiles/2",
        "/health",
        "/export",
        "/help",
        "/account",
        "/incidents",
        "/incidents/1",
        "/second/findings/1",
        "/agreement",
    ),
    "pat": ("/rota?day=2026-02-28", "/rota/entries/1"),
    "ali": ("/log",),
    "root": ("/users", "/settings", "/footage"),
}


def report_and_draw(data_dir: Path) -> None:
    """Have a report written about finding 1, and the finding drawn for a second review by sam."""
    db = open_store(data_dir)
    first = users.add_user(db, name="kim", role=users.Role.SURVEILLANCE, at=AT)
    second_reviews.set_shares(db, Shares(flagged=1.0, unflagged=1.0), user_id=first, actor="kim", at=AT)
    ledger.decide(db, 1, user_id=first, kind=ledger.Decision.CONFIRM, note="", at=AT)
    incidents.open_incident(db, 1, fields={"error_type": "Pay amount"}, user_id=first, at=AT)
    db.close()


def faults(page: Page) -> list[str]:
    """What axe calls serious or critical, with where."""
    found = page.evaluate(
        "async (rules) => (await axe.run(document, { runOnly: rules })).violations"
        ".filter((one) => one.impact === 'serious' || one.impact === 'critical')"
        ".flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target} ${node.failureSummary}`))",
        RULES,
    )
    return [str(one) for one in found]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("name", sorted(PAGES))
def test_no_page_has_a_serious_fault(browser: Browser, tmp_path: Path, clip: Path, name: str, theme: str) -> None:
    prepare(tmp_path, clip)
    report_and_draw(tmp_path)
    with opened(browser, tmp_path) as page:
        page.add_init_script(f"localStorage.setItem('theme', '{theme}')")
        page.goto("/sign-in")
        page.evaluate(AXE)
        found = {"/sign-in": faults(page)}
        sign_in(page, name)
        for path in PAGES[name]:
            answer = page.goto(path)
            assert answer is not None
            assert answer.ok, path
            assert page.evaluate("document.documentElement.dataset.theme") == theme
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            page.evaluate(AXE)
            found[path] = faults(page)
        assert {path: some for path, some in found.items() if some} == {}
