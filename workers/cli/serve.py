"""``catwalk serve``: the review pages on this machine."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from sqlite_utils import Database

HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8470
FIRST_REVIEWER: Final = "reviewer"
_LOGIN_FOR: Final = timedelta(hours=12)


@click.command()
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="0: any free.")
@click.option("--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Requests at a time.")
def serve(data: Path | None, port: int, threads: int) -> None:
    """Serve the review pages on 127.0.0.1 and print the address with a login that works once."""
    from waitress.server import create_server

    from audit.store.database import StoreError, open_store
    from web import create_app
    from workers.settings import read_settings

    data_dir = read_settings(data_dir=data).data_dir
    try:
        db = open_store(data_dir)
        server = create_server(create_app(data_dir), host=HOST, port=port, threads=threads)
    except (StoreError, OSError) as error:
        click.echo(f"{HOST}:{port}: expected a free port and a data directory, found {error}", err=True)
        raise SystemExit(2) from None
    address = f"http://{HOST}:{server.effective_port}"
    token = one_time_token(db, now=datetime.now(UTC))
    db.close()
    click.echo(f"Catwalk is at {address}")
    click.echo(f"Sign in once, within 12 hours, with {address}/login/{token}")
    click.echo("Ctrl+C stops it.")
    try:
        server.run()
    except KeyboardInterrupt:
        server.close()


def one_time_token(db: Database, *, now: datetime) -> str:
    """Store and return a new login token for the first reviewer, who is added if the store has none."""
    from audit.store import users

    known = users.user_named(db, FIRST_REVIEWER)
    user_id = known.id if known else users.add_user(db, name=FIRST_REVIEWER, role=users.Role.SURVEILLANCE, at=now)
    token = secrets.token_urlsafe(24)
    users.add_one_time_login(db, token=token, user_id=user_id, expires=now + _LOGIN_FOR)
    return token
