"""Tests see what a user's shell gives, however the test run itself was started."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from tests.support.corpus import Expected
from tests.support.linker import Linker, started
from tests.support.power import IS_FULL, examples
from unfork import host
from unfork.program.llvm import compiler
from unfork.report.record import left_paths
from unfork.report.replay.second_opinion import NoCheck

# Nothing that a clock decides: neither examples, nor whether they took too long.
settings.register_profile(
    "repeatable",
    max_examples=examples(100, 3),
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")

OF_LINKING = Path(__file__).parent / "program" / "llvm"
YOUNG = 200_000
"""Objects that are made before Python looks for unreachable ones: runs leave few, and the session's are many."""

GROWN = 48 << 20
"""Bytes: with this much more memory, a session looks for what tests have left in circles."""

TO_THE_END = 50_000
"""Instructions that a path that stops early runs on for: most of those in tests have no end."""


class Unsynced(sqlite3.Connection):
    """A database that is not lost when a process ends, but when the machine does: no test waits for the disk."""

    def execute(self, statement: str, *parameters: object) -> sqlite3.Cursor:
        return super().execute(statement.replace("synchronous=NORMAL", "synchronous=OFF"), *parameters)


def pytest_configure(config: pytest.Config) -> None:
    """Whatever was put into the background ignores interrupts, and under nohup hang-ups, and would hand that down.

    So it would that no bytecode is kept: then every process that is started compiles all of unfork.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    sqlite3.connect = partial(sqlite3.connect, factory=Unsynced)
    if not IS_FULL:
        left_paths._ONE_TO_THE_END = TO_THE_END
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        started.append(Linker())


def pytest_unconfigure() -> None:
    """The process that links ends, too."""
    for linker in started:
        linker.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group tests by the corpus program that they run: tests/support/runs.py compiles it once."""
    items.sort(key=_program)


def _program(item: pytest.Item) -> tuple[bool, str]:
    """The corpus in the order of its programs, then all other tests."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return True, ""
    names = [value.name for value in item.callspec.params.values() if isinstance(value, Expected)]
    return not names, "".join(names)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays to the end: looking through it for garbage again and again takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)
    session.config.pluginmanager.register(Growth())


class Growth:
    """Frees memory between tests: to copy the page tables of a gigabyte takes longer than most tests."""

    def __init__(self) -> None:
        self._least = host.this().resident_bytes()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        result = yield
        if host.this().resident_bytes() > self._least + GROWN:
            gc.collect()
            self._least = host.this().resident_bytes()
        return result


@pytest.fixture(autouse=True)
def linked_elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Link programs in a small process (tests/support/linker.py), except in the tests of linking itself."""
    for linker in started if OF_LINKING not in request.path.parents else ():
        monkeypatch.setattr(compiler, "link_inputs", linker.linked)


@pytest.fixture(autouse=True)
def unchecked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors are not checked natively, which takes a compiler each time, but in tests that are marked native_check."""
    if request.node.get_closest_marker("native_check") is None:
        monkeypatch.setattr("unfork.commands.afterwards.native_check.check", lambda origin, deadline: NoCheck())


@pytest.fixture(autouse=True)
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run has one core, whatever the machine has, but in tests that ask for more: so it is the same everywhere."""
    monkeypatch.setattr("unfork.commands.run.cores.available", lambda: 1)


class OwnResults:
    """Keeps results of functions in a folder for one test: with another session's it would have nothing to do."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> bytes | None:
        file = self._folder / key
        return file.read_bytes() if file.exists() else None

    def put(self, key: str, data: bytes) -> None:
        self._folder.mkdir(exist_ok=True)
        (self._folder / key).write_bytes(data)


@pytest.fixture(autouse=True)
def own_results(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each test begins without kept results."""
    folder = tmp_path_factory.getbasetemp() / f"kept-{uuid4()}"
    monkeypatch.setattr("unfork.commands.projects.kept_results.compilation_cache", OwnResults(folder))
