"""Rounds and findings in the shape of ``contracts/audit.md``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from audit.findings import Finding
from audit.money import ZERO, Money, format_money
from audit.records import key_record, round_record, settlement_record
from audit.rounds import BetKey, Movement, Wager

if TYPE_CHECKING:
    from audit.pipeline import AuditedRound, AuditResult


def audit_record(result: AuditResult) -> dict[str, Any]:
    """Return a whole audit as plain data for JSON."""
    return {
        "source": result.source,
        "profile": result.profile,
        "versions": dict(result.versions),
        "rounds": [audited_round_record(one) for one in result.rounds],
        "findings": [finding_record(one) for one in result.findings],
        "pace": dict(result.pace),
    }


def audited_round_record(one: AuditedRound) -> dict[str, Any]:
    """Return one round: its input record for settling, what is due, what moved, and what was found."""
    observed = one.observed
    return {
        "start_ms": observed.start.first,
        "end_ms": observed.end.last,
        "status": observed.status.value,
        "missing": list(observed.missing),
        **round_record(observed.round),
        **settlement_record(one.settlement),
        "pays": _movements(observed.pays),
        "takes": _movements(observed.takes),
        "tokes": [_wager(toke) for toke in observed.tokes],
        "findings": [finding_record(finding) for finding in one.findings],
    }


def finding_record(finding: Finding) -> dict[str, Any]:
    """Return one finding."""
    bet = finding.bet
    return {
        "procedures": list(finding.procedures),
        "code": finding.code,
        "verdict": finding.verdict.value,
        "probability": finding.probability,
        "seat": finding.seat if bet is None else bet.seat,
        "hand": None if bet is None else bet.hand,
        "bet": None if bet is None else bet.bet,
        "number": None if bet is None else bet.number,
        "expected": finding.expected,
        "observed": finding.observed,
        "amount": _money(finding.amount),
        "first_ms": finding.span.first,
        "last_ms": finding.span.last,
        "citation": finding.citation,
        "because_of": finding.because_of,
    }


def _movements(movements: Iterable[Movement]) -> list[dict[str, Any]]:
    """Return one record a wager, however many piles its cheques were moved in; one not read leaves the sum unread."""
    moved: dict[BetKey, list[Movement]] = {}
    for one in sorted(movements, key=lambda one: one.span):
        moved.setdefault(one.key, []).append(one)
    return [
        {
            **key_record(key),
            "amount": _money(_sum(one.amount for one in parts)),
            "first_ms": parts[0].span.first,
            "last_ms": max(one.span.last for one in parts),
        }
        for key, parts in moved.items()
    ]


def _sum(amounts: Iterable[Money | None]) -> Money | None:
    total = ZERO
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total


def _wager(wager: Wager) -> dict[str, Any]:
    return {**key_record(wager.key), "amount": _money(wager.amount)}


def _money(amount: Money | None) -> str | None:
    return None if amount is None else format_money(amount)
