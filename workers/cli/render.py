"""``catwalk render``: sample footage from a session's script, with the truth beside it."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sample_footage.script import SessionScript


def _size(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    """Return (width, height) of a 16:9 picture."""
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", value)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not match or width * 9 != height * 16 or width % 32:
        msg = f"expected a 16:9 size such as 1920x1080 or 960x540, found {value!r}"
        raise click.BadParameter(msg, ctx=ctx, param=param)
    return width, height


def _frames(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Return (first frame, frame before which to stop)."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,7}):(\d{1,7})", value)
    if not match or int(match[1]) >= int(match[2]):
        msg = f"expected frame numbers such as 0:250, found {value!r}"
        raise click.BadParameter(msg, ctx=ctx, param=param)
    return int(match[1]), int(match[2])


@click.command()
@click.argument("session", required=False, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write to.")
@click.option("--seed", type=int, help="Seed of all small accidents, instead of the session's.")
@click.option("--size", callback=_size, metavar="WxH", default="1920x1080", show_default=True, help="Picture size.")
@click.option(
    "--frames", callback=_frames, metavar="A:B", help="Only these frames; the truth stays that of the whole session."
)
@click.option("--random", "random_rounds", type=click.IntRange(1, 2000), help="Invent that many legal rounds.")
@click.option("--game", default="blackjack", show_default=True, help="What the invented rounds are of.")
@click.option("--errors", type=click.FloatRange(0, 1), default=0.0, help="Part of the invented rounds with an error.")
@click.option("--no-video", is_flag=True, help="Write truth, states and profile only.")
def render(
    session: Path | None,
    out: Path,
    seed: int | None,
    size: tuple[int, int],
    frames: tuple[int, int] | None,
    random_rounds: int | None,
    game: str,
    errors: float,
    no_video: bool,
) -> None:
    """Render SESSION (a TOML script) to a clip with its truth, table states and profile beside it.

    With --random no SESSION is read: one is invented, written to the folder, and rendered.
    A clip that is already whole is not rendered again, and the truth of no other session is laid beside it.
    """
    from sample_footage.render import papers_of, prepare
    from sample_footage.stacks import ScriptError
    from workers.cli.places import folder_made, written

    try:
        script = _script(session, random_rounds=random_rounds, game=game, errors=errors, seed=seed)
        if seed is not None:
            script = dataclasses.replace(script, seed=seed)
        rendering = prepare(script, size=size, frames=frames)
    except ScriptError as error:
        raise click.UsageError(str(error)) from None
    papers = papers_of(rendering)
    clip = folder_made(out) / f"{rendering.name}.mp4"
    if clip.exists():
        _refuse_anothers_clip(clip, out / rendering.truth_name, papers[rendering.truth_name])
    table = f"{rendering.session.table}.toml"
    _refuse_anothers_profile(out / table, papers[table])
    if session is None:
        papers[f"{rendering.name}.toml"] = script.text
    for name, text in papers.items():
        written(out / name, text)
    if no_video or clip.exists():
        click.echo(f"wrote the truth of {rendering.name} to {out}" + ("" if no_video else f"; {clip} is there already"))
        return
    _render_clip(rendering, out)
    click.echo(f"wrote {clip}")


def _refuse_anothers_clip(clip: Path, truth: Path, text: str) -> None:
    """Refuse to lay a truth beside a clip that shows something else.

    Raises:
        RefusedError: if the truth that is there is not the same.
    """
    from workers.cli.places import RefusedError

    known = truth.read_text(encoding="utf-8", errors="replace") if truth.is_file() else None
    if known != text:
        found = "none beside it" if known is None else "another session's, seed's or size's"
        msg = f"{clip}: expected a clip of the same truth, found {found}: remove the clip, or write to another folder"
        raise RefusedError(msg)


def _refuse_anothers_profile(profile: Path, text: str) -> None:
    """Refuse to write over the profile of a table's other session, whose camera stands elsewhere.

    Raises:
        RefusedError: if the profile that is there is not the same.
    """
    from workers.cli.places import RefusedError

    if profile.is_file() and profile.read_text(encoding="utf-8", errors="replace") != text:
        msg = f"{profile}: expected this session's profile, found another one: move it, or write to another folder"
        raise RefusedError(msg)


def _render_clip(rendering: object, out: Path) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from sample_footage.render import Rendering, write_clip

    if not isinstance(rendering, Rendering):  # narrows the type; the import above is late on purpose
        msg = f"expected a Rendering, found {type(rendering).__name__}"
        raise TypeError(msg)
    columns = (TextColumn("rendering {task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        task = progress.add_task(rendering.name, total=len(rendering.times))
        write_clip(rendering, out, on_frame=lambda: progress.advance(task))


def _script(
    session: Path | None, *, random_rounds: int | None, game: str, errors: float, seed: int | None
) -> SessionScript:
    """Return the session that was named, or an invented one.

    Raises:
        ScriptError: if it cannot be used.
    """
    from sample_footage.invent import INVENTED, invented_session
    from sample_footage.script import load_session, parse_session

    if (session is None) == (random_rounds is None):
        msg = "expected either SESSION or --random, found " + ("neither" if session is None else "both")
        raise click.UsageError(msg)
    if game not in INVENTED:
        msg = f"--game: expected one of {', '.join(INVENTED)}, found {game!r:.40}"
        raise click.UsageError(msg)
    if session is not None:
        return load_session(session)
    return parse_session(invented_session(rounds=random_rounds or 1, seed=seed or 0, errors=errors, game=game))
