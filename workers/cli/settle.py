"""``catwalk settle``: settle rounds written as JSON, one a line."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator, Mapping
from typing import BinaryIO

import click

from audit.paytables import PayTableError, load_rules_file, rules_path
from audit.records import RecordError, parse_line, record_id, settle_record


@click.command()
@click.argument("file", type=click.File("rb"), default="-", metavar="[FILE]")
@click.option("--json-lines", "source", type=click.File("rb"), metavar="FILE", help="Rounds, one a line; - is stdin.")
@click.option("--rules", metavar="RULES", help="The name of a rule set or a .toml file, for the rounds of its game.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a round and of an answer.")
def settle(file: BinaryIO, source: BinaryIO | None, rules: str | None, schema: bool) -> None:
    """Settle rounds of FILE (standard input): one JSON round a line in, one answer a line out, in the same order.

    A line that is no legal record gets an answer with "error"; the others are still answered, and the exit status is 1.
    """
    if schema:
        from audit.record_schema import schemas

        click.echo(json.dumps(schemas(), indent=2))
        return
    rules_names = _rules_names(rules)
    gc.disable()  # a line leaves no cycles behind, and looking for them takes a sixth of the time
    failed = False
    write = sys.stdout.write
    encode = json.JSONEncoder(ensure_ascii=True, separators=(", ", ": "), check_circular=False).encode
    for number, line in _lines(source or file):
        answer = answer_line(line, number, rules_names)
        failed = failed or "error" in answer
        write(encode(answer) + "\n")
    sys.stdout.flush()
    sys.exit(1 if failed else 0)


def _rules_names(rules: str | None) -> dict[str, str]:
    """Return the rule set to use for its game."""
    if rules is None:
        return {}
    try:
        return {load_rules_file(rules_path(rules)).game: rules}
    except PayTableError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def answer_line(line: bytes, number: int, rules_names: Mapping[str, str] | None = None) -> dict[str, object]:
    """Return the answer to one line; ``error`` names the field, what was expected and what was found."""
    record: object = None
    try:
        record = parse_line(line)
        answer = settle_record(record, rules_names)
    except (RecordError, RecursionError) as error:
        reason = str(error) if isinstance(error, RecordError) else "line: expected a record, found one nested too deep"
        return {"id": record_id(record), "line": number, "error": reason}
    return {"id": record_id(record), **answer}


def _lines(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers; empty lines at the end are no records, and a byte order mark is no text."""
    blank: list[int] = []
    for number, raw in enumerate(source, start=1):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if not line.strip():
            blank.append(number)
            continue
        yield from [(skipped, b"") for skipped in blank]
        blank.clear()
        yield number, line
