"""The pages' connections to the store do not outlive the application."""

from __future__ import annotations

import gc
from pathlib import Path

from tests.web.conftest import sign_in
from web import create_app

OPEN_FILES = Path("/proc/self/fd")


def test_an_application_that_is_gone_leaves_no_file_open(data_dir: Path) -> None:
    for _ in range(3):
        sign_in(create_app(data_dir).test_client(), "sam")
    gc.collect()
    assert [path for path in open_paths() if path.startswith(str(data_dir))] == []


def open_paths() -> list[str]:
    paths = []
    for entry in OPEN_FILES.iterdir():
        try:
            paths.append(str(entry.readlink()))
        except OSError:  # closed since
            continue
    return paths
