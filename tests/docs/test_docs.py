"""What the documents tell people to do exists."""

import json
import re
import tomllib
from pathlib import Path

import click
import pytest

from workers.cli import COMMANDS, catwalk

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", _text(path))
    missing = [target for target in targets if "://" not in target and not (path.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_exist_with_their_options(path: Path) -> None:
    for line in re.findall(r"^(catwalk .*)$|`(catwalk [^`]*)`", _text(path), flags=re.MULTILINE):
        words = (line[0] or line[1]).split()
        if words[1].startswith("-"):
            continue
        assert words[1] in COMMANDS, f"{path.name}: {' '.join(words)}"
        known = {option for parameter in _command(words[1:]).params for option in parameter.opts}
        used = {word for word in words if word.startswith("--")}
        assert used <= known | {"--help"}, f"{path.name}: {' '.join(words)}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", _text(ROOT / "Makefile"), flags=re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", _text(path), flags=re.MULTILINE))
    assert named <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_modules_named_exist(path: Path) -> None:
    names = re.findall(r"`((?:audit|models|workers|web|tests|sample_footage)/[a-z_/.]+)`", _text(path))
    missing = [name for name in names if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()]
    assert missing == []


def test_every_package_has_its_reason() -> None:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[<>=]", line)[0] for line in needed}
    text = _text(ROOT / "docs/architecture.md")
    assert [name for name in sorted(names) if f"`{name}`" not in text] == []


def test_every_command_is_listed_in_the_help() -> None:
    assert set(catwalk.commands or COMMANDS) == set(COMMANDS)


def test_the_licence_is_what_the_package_says() -> None:
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in _text(ROOT / "LICENSE")
    assert tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]["license"] == "AGPL-3.0-or-later"


def test_the_demo_audits_every_sample_clip_with_the_profile_of_its_table() -> None:
    line = re.search(r"^DEMO := (.*)$", _text(ROOT / "Makefile"), flags=re.MULTILINE)
    assert line is not None
    clips = (ROOT / "sample_footage/clips").glob("*.mp4")
    tables = {clip.stem: json.loads(_text(clip.with_suffix(".truth.json")))["profile"] for clip in clips}
    assert dict(pair.split("=") for pair in line[1].split()) == tables


def _command(words: list[str]) -> object:
    context = click.Context(catwalk)
    command = catwalk.get_command(context, words[0])
    if isinstance(command, click.Group) and len(words) > 1 and words[1] in command.commands:
        return command.commands[words[1]]
    assert command is not None
    return command
