"""The ``catwalk`` command. Each subcommand is one module, loaded only when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Final

import click

COMMANDS: Final[dict[str, str]] = {
    # command -> module:attribute
    "audit": "workers.cli.audit:audit",
    "bench": "workers.cli.bench:bench",
    "degrade": "workers.cli.degrade:degrade",
    "edge": "workers.cli.edge:edge",
    "evaluate": "workers.cli.evaluate:evaluate",
    "follow": "workers.cli.follow:follow",
    "profile": "workers.cli.profile:profile",
    "export-labels": "workers.cli.export_labels:export_labels",
    "pack": "workers.cli.pack:pack",
    "stills": "workers.cli.stills:stills",
    "procedures": "workers.cli.procedures:procedures",
    "read": "workers.cli.read:read",
    "render": "workers.cli.render:render",
    "resettle": "workers.cli.resettle:resettle",
    "rules": "workers.cli.rules:rules",
    "run": "workers.cli.run:run",
    "serve": "workers.cli.serve:serve",
    "settle": "workers.cli.settle:settle",
    "verify": "workers.cli.verify:verify",
    "tend": "workers.cli.tend:tend",
    "worker": "workers.cli.worker:worker",
}


class LazyGroup(click.Group):
    """A group that imports a subcommand's module when it is called, so that start-up stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, whether loaded or not."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, loading its module."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=LazyGroup)
@click.version_option(package_name="catwalk")
def catwalk() -> None:
    """Audit casino table games from table-camera video."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    catwalk(args=arguments, prog_name="catwalk")
