"""The cache that scripts and the command line see."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.api import libc_progress


def test_the_folder_is_the_one_that_the_environment_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    assert libc_progress.where() == tmp_path / "cache"
    assert libc_progress.clear() == 0
    with libc_progress.silent_progress() as told:
        told(1, 2)
