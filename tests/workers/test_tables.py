"""An audit as tables on the terminal."""

from io import StringIO
from typing import Any

from rich.console import Console

from audit.states import TableState
from audit.timing import Span
from tests.store.conftest import finding, round_
from workers.cli.tables import print_audit, print_sums, view_notes


def _printed(record: dict[str, Any]) -> str:
    out = StringIO()
    print_audit(Console(file=out, width=120), record)
    return out.getvalue()


def _row(text: str, start: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.startswith("│")]
    row = next(line for line in lines if [cell.strip() for cell in line.split("│")][1] == start)
    return [cell.strip() for cell in row.split("│")[1:-1]]


def test_a_finding_is_one_row_with_its_round_time_and_money() -> None:
    text = _printed({"rounds": [round_(), round_(finding())], "findings": []})
    assert "2 rounds, 1 violation, 0 suspect, 0 undetermined" in text
    findings = text[text.index("Findings") :]
    assert _row(findings, "2") == [
        "2", "0:40.1", "violation", "seat 3 main", "3 to 2 on 25.00: 37.50", "12.50", "P280",
    ]  # fmt: skip
    assert "50.00 in red" in findings


def test_a_suspect_shows_its_probability() -> None:
    text = _printed({"rounds": [round_(finding(verdict="suspect", probability=0.42))], "findings": []})
    assert "42%" in text


def test_what_was_not_read_is_a_question_mark() -> None:
    unread = round_(
        table={"dealer": ["Kd", None], "seats": {"3": {"initial": [None, "Kh"], "hands": [{"cards": [None, "Kh"]}]}}},
        bets=[{"seat": 3, "hand": 1, "bet": "main", "amount": None}],
    )
    text = _printed({"rounds": [unread], "findings": []})
    assert _row(text, "1")[4:7] == ["Kd ?", "3: ? Kh", "seat 3 main ?"]


def test_dice_and_named_cards_are_shown() -> None:
    dice = {"dice": [{"v": 4, "c": "white"}, {"v": None, "c": None}], "seats": {"1": {"cards": ["9d"]}}}
    baccarat = {"dealer": {"down": "Qh", "up": None}, "seats": {}}
    text = _printed({"rounds": [round_(table=dice), round_(table=baccarat)], "findings": []})
    assert _row(text, "1")[4:6] == ["4 ?", "1: 9d"]
    assert _row(text, "2")[4] == "Qh ?"


def test_findings_of_no_round_are_listed_and_nothing_is_an_empty_table() -> None:
    assert "0:40.1" in _printed({"rounds": [], "findings": [finding()]})
    assert "Findings" not in _printed({"rounds": [], "findings": []})


def test_several_audits_are_summed_up_in_a_line_each_and_one_for_all() -> None:
    out = StringIO()
    one = {"profile": "BJ-07", "rounds": [round_(), round_(finding())], "findings": []}
    other = {"profile": "STU-11", "rounds": [round_(finding(verdict="suspect", probability=0.42))], "findings": []}
    print_sums(Console(file=out, width=120), [("night.mp4", one), ("day.mp4", other)])
    text = out.getvalue()
    assert _row(text, "night.mp4") == ["night.mp4", "BJ-07", "2", "1", "0", "0"]
    assert _row(text, "day.mp4") == ["day.mp4", "STU-11", "1", "0", "1", "0"]
    assert _row(text, "together") == ["together", "", "3", "1", "1", "0"]


def test_a_lost_view_and_a_pushed_camera_are_told_once_each() -> None:
    def state(first: int, last: int, moved_px: float | None = None, reason: str | None = None) -> TableState:
        extra = {} if moved_px is None else {"camera_moved_px": moved_px}
        return TableState(span=Span.of(first, last), view="lost" if reason else "ok", reason=reason, extra=extra)

    seen = [
        state(0, 4_000),
        state(44_200, 50_000, 50.8),
        state(50_000, 60_000, 51.2),
        state(60_000, 65_500, None, "dark"),
    ]
    assert list(view_notes(seen)) == [
        "from 0:44.2 on the camera looks 51 px beside its profile's view: made up for",
        "view lost from 1:00.0 to 1:05.5: dark",
    ]
    assert list(view_notes(seen[:1])) == []
