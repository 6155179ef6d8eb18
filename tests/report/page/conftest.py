"""Runs that several tests of the page look at, each explored once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.page.chromium import MISSING, Browser, program
from tests.report.page.pages import EXAMPLES, written
from tests.support.runs import explore


@pytest.fixture(scope="session")
def regexp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run directory of a program with two errors, explored on plain paths; with its page."""
    words = ("-D", "SIZE=5", "--strategy", "plain", "--cores", "1", "--native-check", "never")
    return _explored("regexp", tmp_path_factory, *words)


@pytest.fixture(scope="session")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run directory of a program whose states are joined; with its page."""
    return _explored("regexp", tmp_path_factory, "-D", "SIZE=3", "--strategy", "join", "--native-check", "never")


@pytest.fixture(scope="session")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run directory of a program whose states are covered by interpolants; with its page."""
    return _explored("regexp_safe", tmp_path_factory, "-D", "SIZE=3", "--strategy", "learn", "--cores", "1")


def _explored(example: str, folders: pytest.TempPathFactory, *words: str) -> Path:
    root = folders.mktemp("page") / "run"
    explore(EXAMPLES / f"{example}.c", root, *words)
    written(root)
    return root


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser for all tests that want one."""
    if program() is None:
        pytest.skip(MISSING)
    with Browser() as started:
        yield started
