"""Lets pytest run C functions as tests: explores each function ``test_*`` of a file ``test_*.c`` for all arguments.

Files that ``unfork_scan`` names are scanned, one test a file.

No module of the engine is named here: pytest looks at all names of a plug-in's module, which would load one of
``later.py`` at once.
"""

from __future__ import annotations

import importlib
import re
import shutil
import tempfile
from collections.abc import Iterable
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from unfork.errors import InputError

_DEFAULTS = {
    "unfork_files": ["test_*.c"],
    "unfork_options": ["--max-time", "60s"],
    "unfork_accept": ["safe", "bounded"],
    "unfork_scan": [],
    "unfork_scan_options": ["--per-function", "10", "--max-time", "60s"],
}
_MEANINGS = {
    "unfork_files": "names of C files to collect (default: test_*.c); empty: none",
    "unfork_options": "options of unfork run for every C test (default: --max-time 60s)",
    "unfork_accept": "verdicts with which a C test passes (default: safe bounded)",
    "unfork_scan": "names of C files in which nothing must be certainly wrong (default: none)",
    "unfork_scan_options": "options of unfork scan for each of them (default: --per-function 10 --max-time 60s)",
}
_LONGEST_NAME = 100


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings of ini files."""
    for name, default in _DEFAULTS.items():
        parser.addini(name, _MEANINGS[name], type="args", default=default)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a C file that has the name of a test, or that is to be scanned."""
    if any(_is_named(file_path, parent, sort) for sort in ("unfork_files", "unfork_scan")):
        collected: pytest.Collector = CFile.from_parent(parent, path=file_path)
        return collected
    return None


def _is_named(path: Path, node: pytest.Collector, sort: str) -> bool:
    return any(fnmatch(path.name, pattern) for pattern in node.config.getini(sort))


class CFile(pytest.File):
    """A file of C tests, or one to scan."""

    def collect(self) -> Iterable[pytest.Item]:
        if _is_named(self.path, self, "unfork_scan"):
            yield CScan.from_parent(self, name="scan")
        if not _is_named(self.path, self, "unfork_files"):
            return
        try:
            tests = importlib.import_module("unfork.plugins.c_tests").read(self.path)
        except InputError as problem:
            raise self.CollectError(f"unfork: {problem}") from None
        for entry in tests.entries:
            yield CTest.from_parent(self, name=entry.name, entry=entry, header=tests.words)


class CItem(pytest.Item):
    """A test that unfork runs, in a directory of its own."""

    line = 1

    def explore(self, tests: Any, directory: Path) -> Any:
        """The outcome; ``tests`` is the module c_tests."""
        raise NotImplementedError

    def runtest(self) -> None:
        ended = self.explore(importlib.import_module("unfork.plugins.c_tests"), self._directory())
        self.user_properties += [("unfork_verdict", ended.verdict), ("unfork_run", str(ended.directory))]
        if ended.complaint is not None:
            raise CTestFailed(ended.complaint)

    def _directory(self) -> Path:
        """The directory of the run: in pytest's cache if it keeps one, in place of the last run of this test."""
        name = re.sub(r"[^\w.-]+", "-", self.nodeid)
        if len(name) > _LONGEST_NAME:
            name = f"{name[-_LONGEST_NAME:]}-{sha256(self.nodeid.encode()).hexdigest()[:8]}"
        cache = getattr(self.config, "cache", None)  # None with -p no:cacheprovider
        root: Path = Path(tempfile.mkdtemp(prefix="unfork-")) if cache is None else cache.mkdir("unfork")
        shutil.rmtree(root / name, ignore_errors=True)
        return root / name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message alone, without the engine's traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, CTestFailed) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, self.name


class CTest(CItem):
    """A C function, or a program: it passes if no input makes it fail."""

    def __init__(self, *, entry: Any, header: tuple[str, ...], **keywords: Any) -> None:
        super().__init__(**keywords)
        self.entry = entry
        self.header = header
        self.line = entry.line

    def explore(self, tests: Any, directory: Path) -> Any:
        common = tests.Words(tuple(self.config.getini("unfork_options")), self.config.rootpath)
        own = tests.Words(self.header, self.path.parent)
        return tests.run(
            self.path, self.entry, (common, own), directory, frozenset(self.config.getini("unfork_accept"))
        )


class CScan(CItem):
    """The functions of a file: it passes if they have no certain faults beyond the baseline."""

    def explore(self, tests: Any, directory: Path) -> Any:
        words = tests.Words(tuple(self.config.getini("unfork_scan_options")), self.config.rootpath)
        return tests.scan(self.path, words, directory)


class CTestFailed(Exception):
    """A C test that does not pass; the message is for its reader."""
