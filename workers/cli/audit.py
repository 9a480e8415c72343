"""``catwalk audit``: from table states to rounds and findings; no video, no models, no database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from audit.pipeline import AuditResult


@click.command()
@click.argument("states", type=click.Path(path_type=Path))
@click.option("--profile", required=True, type=click.Path(path_type=Path), help="The table profile (TOML).")
@click.option("--json", "out", type=click.Path(path_type=Path), help="Write rounds and findings here, not a table.")
def audit(states: Path, profile: Path, out: Path | None) -> None:
    """Reconstruct, settle and check the rounds of a file of table states.

    States that ``catwalk run`` or ``evaluate`` wrote are judged as there: as what was recognised in footage.
    """
    from workers.cli.places import check_target, written

    if out is not None:
        check_target(out)
    result = _audited(states, profile)
    if out is None:
        _print(result.to_json())
    else:
        written(out, json.dumps(result.to_json(), ensure_ascii=False, indent=1) + "\n")


def _audited(states: Path, profile: Path) -> AuditResult:
    import hashlib
    from dataclasses import replace
    from importlib.metadata import version

    from audit.paytables import PayTableError
    from audit.pipeline import audit_states
    from audit.readings import RECOGNISED
    from audit.states import were_recognised
    from audit.table import ProfileError, load_profile
    from workers.cli.places import RefusedError
    from workers.cli.seen import states_in, unknown_zones

    try:
        table = load_profile(profile)
    except ProfileError as error:
        raise RefusedError(str(error)) from None
    seen = states_in(states, table)
    for name in unknown_zones(seen, table):
        click.echo(f"{states}: expected zones of {table.table_id}, found {name!r:.60}, which is passed over", err=True)
    try:
        result = audit_states(seen, table, thresholds=RECOGNISED if were_recognised(seen) else None)
    except PayTableError as error:
        msg = f"{profile}: {error}"
        raise RefusedError(msg) from None
    digest = hashlib.sha256(table.text.encode()).hexdigest()
    versions = {"software": version("catwalk"), **result.versions, "profile": digest}
    return replace(result, source=str(states), versions=versions)


def _print(record: dict[str, Any]) -> None:
    from rich.console import Console

    from workers.cli.tables import print_audit

    print_audit(Console(), record)
