"""An audit as tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from audit.states import TableState

_WIDE: Final = 132
_SAME_VIEW_PX: Final = 5.0
_STYLES: Final = {"violation": "bold red", "suspect": "yellow", "undetermined": "dim"}


def wide_console() -> Console:
    """Return a console for standard output, wide enough for the tables where the output is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=_WIDE)


def print_audit(console: Console, record: Mapping[str, Any]) -> None:
    """Print the rounds and findings of an audit in the shape of ``contracts/audit.md``."""
    rounds = record["rounds"]
    console.print(_rounds_table(rounds))
    listed = list(_findings(record))
    if listed:
        console.print(_findings_table(listed))
    counts = _verdicts(record)
    console.print(
        f"{_many(len(rounds), 'round')}, {_many(counts['violation'], 'violation')},"
        f" {counts['suspect']} suspect, {counts['undetermined']} undetermined"
    )


def view_notes(states: Iterable[TableState]) -> Iterator[str]:
    """Yield a sentence for each time the view was lost, and for each time the camera was found to have moved."""
    moved_px = 0.0
    for state in states:
        first, last = clock_time(int(state.span.first)), clock_time(int(state.span.last))
        now_px = state.extra.get("camera_moved_px", moved_px)
        if state.view == "lost":
            yield f"view lost from {first} to {last}: {state.reason}"
        elif isinstance(now_px, int | float) and abs(now_px - moved_px) > _SAME_VIEW_PX:
            moved_px = now_px
            yield f"from {first} on the camera looks {now_px:.0f} px beside its profile's view: made up for"


def round_lines(rounds: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each round, and one for each of its findings."""
    for one in rounds:
        span = f"{clock_time(one['start_ms'])} to {clock_time(one['end_ms'])}"
        yield f"round {span}, {one['status']}: {_many(len(one['findings']), 'finding') if one['findings'] else 'clean'}"
        for finding in one["findings"]:
            said = [finding["verdict"], _where(finding), f"{finding['expected']}; {finding['observed']}"]
            yield "  " + ", ".join(filter(None, [*said, finding["amount"], " ".join(finding["procedures"])]))


def print_sums(console: Console, records: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Print one line for each audit, by the name of its file, and one for all together."""
    table = Table(title="All files", title_justify="left", show_footer=True)
    sums = [(len(record["rounds"]), *_verdicts(record).values()) for _, record in records]
    together = [str(sum(column)) for column in zip(*sums, strict=True)]
    table.add_column("file", footer="together")
    table.add_column("table")
    for heading, total in zip(("rounds", *_STYLES), together, strict=True):
        table.add_column(heading, footer=total, justify="right")
    for (name, record), counts in zip(records, sums, strict=True):
        table.add_row(printable(name), printable(str(record["profile"])), *map(str, counts))
    console.print()
    console.print(table)


def print_scores(console: Console, scores: Mapping[str, Mapping[str, Any]]) -> None:
    """Print one line for each evaluated file, from the record of its scores."""
    table = Table(title="Each file", title_justify="left", box=SIMPLE, padding=(0, 1, 0, 0))
    table.caption = "cards, stacks, dice: right of all, wrong; planted: violations + suspects of all"
    table.add_column("file")
    for heading in ("cards", "stacks", "dice", "wagers", "pays", "rounds", "planted", "false", "undetermined"):
        table.add_column(heading, justify="right")
    for name, record in scores.items():
        ends, stages = record["end_to_end"], record["stages"]
        false = ends["false violations"]
        table.add_row(
            printable(name),
            *(_right_and_wrong(stages[stage]) for stage in ("cards", "chip stacks", "dice")),
            *(f"{ends[f'{kind} right']} of {ends[kind]}" for kind in ("wagers", "pays")),
            f"{ends['rounds entirely right']} of {ends['rounds']}",
            f"{ends['found']} + {ends['found as suspect']} of {ends['planted']}",
            f"{false} + {ends['false findings'] - false}",
            str(ends["undetermined"]),
        )
    console.print(table)


def _right_and_wrong(counts: Mapping[str, int]) -> str:
    there = sum(counts[verdict] for verdict in ("right", "wrong", "unread", "missed"))
    return f"{counts['right']} of {there}, {counts['wrong']}" if there else ""


def printable(text: str) -> str:
    """Return the text without anything that steers a terminal, ready for rich markup."""
    return escape(harmless(text))


def harmless(text: str) -> str:
    """Return the text without anything that steers a terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def clock_time(t_ms: int) -> str:
    """Return a media time as minutes, seconds and tenths."""
    tenths = t_ms // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def _rounds_table(rounds: Iterable[Mapping[str, Any]]) -> Table:
    table = Table(title="Rounds", title_justify="left")
    for heading in ("#", "from", "to", "status", "dealer", "seats", "wagers", "paid", "taken", "findings"):
        table.add_column(heading, justify="right" if heading in ("#", "from", "to", "findings") else "left")
    for number, one in enumerate(rounds, start=1):
        cells = [
            str(number),
            clock_time(one["start_ms"]),
            clock_time(one["end_ms"]),
            one["status"],
            _cards(one["table"].get("dealer") or one["table"].get("dice") or []),
            "\n".join(_seats(one["table"].get("seats", {}))),
            *("\n".join(_money(one[key])) for key in ("bets", "pays", "takes")),
            str(len(one["findings"]) or ""),
        ]
        table.add_row(*map(printable_lines, cells))
    return table


def printable_lines(text: str) -> str:
    """Return ``printable`` text that keeps its line ends."""
    return "\n".join(map(printable, text.split("\n")))


def _findings_table(listed: Iterable[tuple[str, Mapping[str, Any]]]) -> Table:
    table = Table(title="Findings", title_justify="left")
    for heading in ("round", "at", "verdict", "where", "expected, observed", "amount", "rule"):
        table.add_column(heading, justify="right" if heading in ("round", "at", "amount") else "left")
    for number, one in listed:
        cells = [
            number,
            clock_time(one["first_ms"]),
            _verdict(one),
            _where(one),
            f"{one['expected']}\n{one['observed']}",
            one["amount"] or "",
            " ".join(one["procedures"]),
        ]
        table.add_row(*map(printable_lines, cells), style=_STYLES[one["verdict"]])
    return table


def _verdict(finding: Mapping[str, Any]) -> str:
    """Return the verdict, for a suspect with its probability."""
    suspect = finding["verdict"] == "suspect"
    return f"suspect\n{finding['probability']:.0%}" if suspect else str(finding["verdict"])


def _findings(record: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, round_ in enumerate(record["rounds"], start=1):
        for one in round_["findings"]:
            yield str(number), one
    for one in record["findings"]:
        yield "", one


def _verdicts(record: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of findings by verdict, all verdicts named."""
    listed = [one["verdict"] for _, one in _findings(record)]
    return {verdict: listed.count(verdict) for verdict in _STYLES}


def _cards(cards: Any) -> str:
    listed = cards.values() if isinstance(cards, dict) else cards
    return " ".join("?" if card is None else _card(card) for card in listed)


def _card(card: Any) -> str:
    return str(card.get("v") or "?") if isinstance(card, dict) else str(card)


def _seats(seats: Mapping[str, Any]) -> Iterator[str]:
    for seat, play in sorted(seats.items()):
        hands = [hand["cards"] for hand in play["hands"]] if "hands" in play else [play.get("cards", [])]
        yield f"{seat}: " + " / ".join(_cards(hand) for hand in hands)


def _money(moved: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in moved:
        yield f"{_where(one)} {one['amount'] or '?'}"


def _where(one: Mapping[str, Any]) -> str:
    seat = "" if one.get("seat") is None else f"seat {one['seat']}"
    hand = f"/{one['hand']}" if (one.get("hand") or 1) > 1 else ""
    return f"{seat}{hand} {one.get('bet') or ''}{one.get('number') or ''}".strip()


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
