"""``catwalk audit``: from table states to rounds and findings; no video, no models, no database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from audit.pipeline import AuditResult


class BadInputError(click.ClickException):
    """A file that cannot be used; one sentence, exit status 2."""

    exit_code = 2


@click.command()
@click.argument("states", type=click.Path(path_type=Path))
@click.option("--profile", required=True, type=click.Path(path_type=Path), help="The table profile (TOML).")
@click.option("--json", "out", type=click.Path(path_type=Path), help="Write rounds and findings here, not a table.")
def audit(states: Path, profile: Path, out: Path | None) -> None:
    """Reconstruct, settle and check the rounds of a file of table states.

    States that ``catwalk run`` or ``evaluate`` wrote are judged as there: as what was recognised in footage.
    """
    result = _audited(states, profile)
    if out is None:
        _print(result.to_json())
    else:
        text = json.dumps(result.to_json(), ensure_ascii=False, indent=1)
        try:
            out.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            msg = f"{out}: expected a file that can be written, found {error.strerror}"
            raise BadInputError(msg) from None


def _audited(states: Path, profile: Path) -> AuditResult:
    import hashlib
    from dataclasses import replace
    from importlib.metadata import version

    from audit.paytables import PayTableError
    from audit.pipeline import audit_states
    from audit.readings import RECOGNISED
    from audit.states import StatesError, read_states, were_recognised
    from audit.table import ProfileError, load_profile

    try:
        table = load_profile(profile)
        with states.open(encoding="utf-8") as lines:
            seen = tuple(read_states(lines, seats=table.seats))
        result = audit_states(seen, table, thresholds=RECOGNISED if were_recognised(seen) else None)
    except OSError as error:
        msg = f"{states}: expected a readable file of table states, found {error.strerror}"
        raise BadInputError(msg) from None
    except UnicodeDecodeError:
        msg = f"{states}: expected table states as JSON lines in UTF-8, found other bytes"
        raise BadInputError(msg) from None
    except StatesError as error:
        msg = f"{states}: {error}"
        raise BadInputError(msg) from None
    except (ProfileError, PayTableError) as error:
        raise BadInputError(str(error)) from None
    digest = hashlib.sha256(table.text.encode()).hexdigest()
    versions = {"software": version("catwalk"), **result.versions, "profile": digest}
    return replace(result, source=str(states), versions=versions)


def _print(record: dict[str, Any]) -> None:
    from rich.console import Console

    from workers.cli.tables import print_audit

    print_audit(Console(), record)
