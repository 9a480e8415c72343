"""The committed sample session, from its true states: every planted error, no other, and every round as scripted."""

from __future__ import annotations

import json
from typing import Any

from audit.pipeline import audit_states
from audit.states import read_states
from tests.notation import ROOT, sample_profile

CLIPS = ROOT / "sample_footage" / "clips"


def truth() -> dict[str, Any]:
    return json.loads((CLIPS / "blackjack.truth.json").read_text(encoding="utf-8"))


def audited() -> dict[str, Any]:
    with (CLIPS / "blackjack.states.jsonl").open(encoding="utf-8") as lines:
        return audit_states(read_states(lines), sample_profile(finder=True)).to_json()


def money(moved: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    return sorted((one["seat"], one.get("hand"), one["bet"], one["amount"]) for one in moved)


def test_every_planted_error_is_found_and_nothing_else() -> None:
    planted = [(one["round"], one["procedures"][0], one.get("seat"), one["amount"]) for one in truth()["findings"]]
    findings = [
        (index, one["procedures"][0], one["seat"], one["amount"])
        for index, round_ in enumerate(audited()["rounds"])
        for one in round_["findings"]
        if one["verdict"] != "undetermined"
    ]
    assert findings == planted


def test_every_round_is_reconstructed_as_scripted() -> None:
    for scripted, seen in zip(truth()["rounds"], audited()["rounds"], strict=True):
        assert seen["table"] == scripted["table"], scripted["title"]
        assert seen["status"] == scripted["status"]
        for kind in ("bets", "pays", "takes"):
            assert money(seen[kind]) == money(scripted[kind]), (scripted["title"], kind)
