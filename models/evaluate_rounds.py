"""How many rounds come out entirely right, and which planted errors are found, against a truth written beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Final

Record = Mapping[str, Any]
_UNDETERMINED: Final = "undetermined"


@dataclass(slots=True, kw_only=True)
class RoundScore:
    """Counts over all rounds, and a sentence for each that is not entirely right.

    ``planted``, ``found``, ``suspected`` and ``false`` count errors by kind (procedure and code), ``reasons`` what was
    undetermined by what was not seen.
    """

    counts: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    suspected: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: RoundScore) -> None:
        """Count what another score counted, too."""
        for name in ("counts", "planted", "found", "suspected", "false", "reasons"):
            getattr(self, name).update(getattr(other, name))
        self.remarks.extend(other.remarks)

    def kinds_record(self) -> dict[str, dict[str, int]]:
        """Return for each planted kind how many were planted, found as violation, as suspect, and missed."""
        return {
            kind: {
                "planted": count,
                "violation": self.found[kind],
                "suspect": self.suspected[kind],
                "missed": count - self.found[kind] - self.suspected[kind],
            }
            for kind, count in sorted(self.planted.items())
        }

    def as_record(self) -> dict[str, Any]:
        """Return the counts, and false findings and false violations per 1,000 rounds."""
        names: tuple[str, ...] = (
            "rounds",
            "rounds entirely right",
            "rounds missed",
            "rounds invented",
            "wagers",
            "wagers right",
        )
        names += (
            "pays",
            "pays right",
            "takes",
            "takes right",
            "planted",
            "found",
            "found as suspect",
            "false findings",
            "false violations",
        )
        counts = {name: self.counts[name] for name in (*names, "undetermined")}
        rates = {
            f"{name} per 1,000 rounds": round(1000 * self.counts[name] / max(1, self.counts["rounds"]), 1)
            for name in ("false findings", "false violations")
        }
        return {**counts, **rates}


def score_rounds(audit: Record, truth: Record) -> RoundScore:
    """Compare an audit as ``contracts/audit.md`` writes it with the truth's rounds and findings."""
    score = RoundScore()
    rounds, expected = list(audit["rounds"]), list(truth["rounds"])
    pairs = _paired(rounds, expected)
    score.counts["rounds"] = len(expected)
    score.counts["rounds invented"] = len(rounds) - sum(i is not None for i in pairs)
    for number, (wanted, index) in enumerate(zip(expected, pairs, strict=True)):
        found = None if index is None else rounds[index]
        _score_round(score, number, wanted, found, _hidden(truth, wanted))
        planted = [one for one in truth.get("findings", []) if one.get("round") == number]
        _score_findings(score, number, planted, [] if found is None else list(found["findings"]))
    loose = [one for index, one in enumerate(rounds) if index not in pairs]
    for one in [*(finding for extra in loose for finding in extra["findings"]), *audit.get("findings", [])]:
        _count_unplanned(score, "outside every round", one)
    return score


def _paired(rounds: Sequence[Record], expected: Sequence[Record]) -> list[int | None]:
    """For each true round the index of the audited one that shares most time with it."""
    free = set(range(len(rounds)))
    pairs: list[int | None] = []
    for wanted in expected:
        shares = {i: _shared_ms(rounds[i], wanted) for i in free}
        best = max(shares, key=lambda i: shares[i], default=None)
        if best is None or shares[best] <= 0:
            pairs.append(None)
            continue
        free.discard(best)
        pairs.append(best)
    return pairs


def _shared_ms(one: Record, other: Record) -> int:
    return int(min(one["end_ms"], other["end_ms"]) - max(one["start_ms"], other["start_ms"]))


def _hidden(truth: Record, wanted: Record) -> frozenset[str]:
    """The faces that lay on the table in a round, and never up at a settled moment: nobody can read them."""
    faces: dict[bool, set[str]] = {True: set(), False: set()}
    for moment in truth.get("moments", []):
        if moment["t_ms"][0] <= wanted["end_ms"] and moment["t_ms"][1] >= wanted["start_ms"]:
            for item in moment["objects"]:
                if "card" in item:
                    faces[item["kind"] == "card"].add(item["card"])
    return frozenset(faces[False] - faces[True])


def _score_round(score: RoundScore, number: int, wanted: Record, found: Record | None, hidden: frozenset[str]) -> None:
    if found is None:
        score.counts["rounds missed"] += 1
        score.remarks.append(f"round {number + 1}: not reconstructed")
    parts = {"wagers": ("bets", "tokes"), "pays": ("pays",), "takes": ("takes",)}  # a truth may list tokes as bets
    wrong: list[str] = []
    for name, keys in parts.items():
        true, seen = (_amounts([bet for key in keys for bet in one.get(key) or ()]) for one in (wanted, found or {}))
        score.counts[name] += len(true)
        score.counts[f"{name} right"] += sum(seen.get(bet) == amount for bet, amount in true.items())
        if true != seen:
            wrong.append(f"{name}: expected {_written(true)}, found {_written(seen)}")
    if found is None:
        return
    for name, true, seen in _hands(wanted["table"], found["table"]):
        if not _is_as_shown(true, seen, hidden):
            wrong.append(f"{name}: expected {true}, found {seen}")
    score.counts["rounds entirely right"] += not wrong
    score.remarks.extend(f"round {number + 1}: {text}" for text in wrong)


def _amounts(bets: Sequence[Record]) -> dict[tuple[Any, ...], Fraction | None]:
    """Amounts by what names a bet, a toke alone needing no name; an unread one makes the sum unread."""
    amounts: dict[tuple[Any, ...], Fraction | None] = {}
    for bet in bets:
        key = (bet["seat"], bet.get("bet", "toke"), bet.get("hand") or 1, bet.get("number") or 0)
        before = amounts.get(key, Fraction(0))
        amount = bet["amount"]
        amounts[key] = None if amount is None or before is None else before + Fraction(amount)
    return amounts


def _written(amounts: Mapping[tuple[Any, ...], Fraction | None]) -> str:
    parts = [
        f"seat {seat} {bet} {hand} {'?' if amount is None else float(amount):.5}"
        for (seat, bet, hand, _), amount in sorted(amounts.items())
    ]
    return ", ".join(parts) or "none"


def _hands(wanted: Record, found: Record) -> list[tuple[str, Any, Any]]:
    """What lies where, as the truth has it and as it was found: common cards and dice, then each seat's hands."""
    shared = [name for name in wanted if name != "seats"]
    hands = [(name, _unordered(name, wanted[name]), _unordered(name, found.get(name) or [])) for name in shared]
    seats = sorted({*wanted["seats"], *found.get("seats", {})})
    for seat in seats:
        true, seen = (_cards_of(table.get("seats", {}).get(seat, {})) for table in (wanted, found))
        hands.append((f"seat {seat}", true, seen))
    return hands


def _is_as_shown(true: Any, seen: Any, hidden: frozenset[str]) -> bool:
    """Whether cards or dice are as they were; a card that was never shown may be unread, or left out at the end."""
    if isinstance(true, list) and isinstance(seen, list):
        pairs = zip_longest(true, seen)
        return all(_is_as_shown(one, other, hidden) for one, other in pairs)
    return bool(true == seen) or (seen is None and isinstance(true, str) and true in hidden)


def _unordered(name: str, things: Any) -> list[Any]:
    """Cards in their order, or that of their names; dice, which have none, in one of their own."""
    if isinstance(things, Mapping):
        return [things.get(place) for place in ("down", "up", "third")]
    return sorted(things, key=repr) if name == "dice" else list(things)


def _cards_of(seat: Record) -> list[list[Any]]:
    """The hands of a seat; games without splits write the cards alone."""
    return [list(hand["cards"]) for hand in seat["hands"]] if "hands" in seat else [list(seat.get("cards", []))]


def _score_findings(score: RoundScore, number: int, planted: Sequence[Record], found: Sequence[Record]) -> None:
    matched: set[int] = set()
    for error in planted:
        score.counts["planted"] += 1
        score.planted[_kind(error)] += 1
        indices = [i for i, one in enumerate(found) if i not in matched and _is_of(one, error)]
        best = min(indices, key=lambda i: found[i]["verdict"] != "violation", default=None)
        if best is None:
            score.remarks.append(f"round {number + 1}: planted {error['code']} ({_words(error)}) not found")
            continue
        matched.add(best)
        certain = found[best]["verdict"] == "violation"
        score.counts["found" if certain else "found as suspect"] += 1
        (score.found if certain else score.suspected)[_kind(error)] += 1
    for index, one in enumerate(found):
        follows = one.get("because_of") in matched
        if index not in matched and not follows:
            _count_unplanned(score, f"round {number + 1}", one)


def _words(error: Record) -> str:
    """What is expected, where the truth says it; else the procedures that are broken."""
    return str(error.get("expected", ", ".join(error["procedures"])))


def _count_unplanned(score: RoundScore, where: str, finding: Record) -> None:
    if finding["verdict"] == _UNDETERMINED:
        score.counts["undetermined"] += 1
        score.reasons[str(finding["observed"])] += 1
        score.remarks.append(f"{where}: undetermined: {finding['observed']}")
        return
    score.counts["false findings"] += 1
    score.counts["false violations"] += finding["verdict"] == "violation"
    score.false[f"{finding['verdict']} {_kind(finding)}"] += 1
    score.remarks.append(f"{where}: {finding['verdict']} not planted: {finding['expected']} / {finding['observed']}")


def _kind(finding: Record) -> str:
    """What sort of error a finding is: the procedure that it is named by, and its code."""
    return " ".join([*finding["procedures"][:1], finding["code"]])


def _is_of(finding: Record, error: Record) -> bool:
    """Whether a finding is about a planted error: same procedure or code, seat and money."""
    if finding["verdict"] == _UNDETERMINED:
        return False
    same_kind = bool(set(finding["procedures"]) & set(error["procedures"])) or finding["code"] == error["code"]
    same_place = error.get("seat") is None or finding.get("seat") == error["seat"]
    amounts = (finding.get("amount"), error.get("amount"))
    same_money = None in amounts or Fraction(str(amounts[0])) == Fraction(str(amounts[1]))
    return same_kind and same_place and same_money
