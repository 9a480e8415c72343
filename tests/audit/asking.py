"""Asking an audit what it found, in one line."""

from __future__ import annotations

from collections.abc import Iterable

from audit.findings import Finding
from audit.pipeline import AuditedRound, AuditResult, audit_states
from audit.states import TableState
from tests.notation import Felt, sample_profile


def audited(table: Felt | Iterable[TableState]) -> AuditResult:
    """The audit of everything that happened at the sample table."""
    if isinstance(table, Felt):
        return audit_states(table.states, table.profile)
    return audit_states(table, sample_profile())


def only_round(table: Felt | Iterable[TableState]) -> AuditedRound:
    """The one round that was played."""
    (one,) = audited(table).rounds
    return one


def found(table: Felt | Iterable[TableState]) -> list[tuple[str, str, str | None]]:
    """Verdict, first procedure and amount of everything found."""
    result = audited(table)
    findings = [finding for one in result.rounds for finding in one.findings] + list(result.findings)
    return [(one.verdict.value, one.procedures[0], _amount(one)) for one in findings]


def accused(table: Felt | Iterable[TableState]) -> list[tuple[str, str, str | None]]:
    """What was found as violation or suspect."""
    return [one for one in found(table) if one[0] != "undetermined"]


def _amount(finding: Finding) -> str | None:
    return None if finding.amount is None else f"{float(finding.amount):.2f}"
