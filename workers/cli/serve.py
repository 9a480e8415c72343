"""``catwalk serve``: the review pages on this machine."""

from __future__ import annotations

import gc
import secrets
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from sqlite_utils import Database

HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8470
ROLES: Final = ("surveillance", "pit_manager", "auditor", "administrator")
_FIRST_NAMES: Final = dict(zip(ROLES, ("reviewer", "pit manager", "auditor", "administrator"), strict=True))
_LOGIN_FOR: Final = timedelta(hours=12)


@click.command()
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="0: any free.")
@click.option("--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Requests at a time.")
@click.option("--role", type=click.Choice(ROLES), default=ROLES[0], show_default=True, help="Whom the login is for.")
@click.option(
    "--workers",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="For audits asked for in the pages; 0: none.",
)
def serve(data: Path | None, port: int, threads: int, role: str, workers: int) -> None:
    """Serve the review pages on 127.0.0.1 and print the address with a login that works once."""
    from waitress.server import create_server

    from web import create_app
    from workers.attendant import Attendant
    from workers.cli.places import RefusedError, opened
    from workers.settings import read_settings

    data_dir = read_settings(data_dir=data).data_dir
    with opened(data_dir) as db:
        app = create_app(data_dir, make_pack=partial(start_pack, data_dir))
        try:
            # poll: select() fails where more than 1,024 files are open
            server = create_server(app, host=HOST, port=port, threads=threads, asyncore_use_poll=True)
        except OSError as error:
            msg = f"{HOST}:{port}: expected a free port, found {error}"
            raise RefusedError(msg) from None
        gc.freeze()  # what was imported stays: without it a full collection holds up a request for some 40 ms
        address = f"http://{HOST}:{server.effective_port}"
        token = one_time_token(db, now=datetime.now(UTC), role=role)
    click.echo(f"Catwalk is at {address}")
    click.echo(f"Sign in once, within 12 hours, with {address}/login/{token}")
    click.echo("Ctrl+C stops it.")
    attendant = Attendant(data_dir, workers=workers) if workers else None
    if attendant is not None:
        attendant.start()
    try:
        server.run()
    except KeyboardInterrupt:
        server.close()
    finally:
        if attendant is not None:
            attendant.stop()


def start_pack(data_dir: Path, copy_id: int) -> None:
    """Have an evidence pack made by a process of its own, so that the pages load no video."""
    command = [sys.executable, "-m", "workers.cli", "pack", str(copy_id), "--data", str(data_dir)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command, with numbers
    threading.Thread(target=process.wait, daemon=True).start()


def one_time_token(db: Database, *, now: datetime, role: str = ROLES[0]) -> str:
    """Store and return a new login token for the role's first user, who is added if the store has none."""
    from audit.store import users

    wanted = users.Role(role)
    known = users.first_of_role(db, wanted)
    user_id = known.id if known else users.add_user(db, name=_FIRST_NAMES[role], role=wanted, at=now)
    token = secrets.token_urlsafe(24)
    users.add_one_time_login(db, token=token, user_id=user_id, expires=now + _LOGIN_FOR)
    return token
