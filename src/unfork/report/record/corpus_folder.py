"""The folder of a fuzzer's corpus, and the one beside it for crashes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from unfork.engine.protocols.events import Event
from unfork.errors import InputError
from unfork.report.record.directory import RunDirectory, WriteFailed, write_failed
from unfork.report.record.kept_run import read_test
from unfork.report.record.recorder import Recorder
from unfork.world.inputs.fuzz_inputs import is_rejected, name_of
from unfork.world.inputs.testcase import Error, Exit, TestCase, fuzzer_input

CRASHES = "crashes"
"""Crashes are in the folder DIR-crashes: a fuzzer would stop at one in its corpus."""


class CorpusFolder:
    """Writes files by the names that libFuzzer would give them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._inputs = RunDirectory(root)
        self._crashes = RunDirectory(root.with_name(f"{root.name}-{CRASHES}"))

    def make(self) -> None:
        """Make the folder if it is missing. Raises WriteFailed."""
        _make(self.root)

    def check(self) -> None:
        """Make the folder before a run. Raises InputError if that fails."""
        try:
            self.make()
        except WriteFailed as failed:
            raise InputError(f"--corpus-out: {failed}") from None

    def files(self) -> Iterator[Path]:
        """The files of the corpus, in order of their names."""
        return (path for path in sorted(self.root.iterdir()) if path.is_file())

    def write(self, data: bytes) -> None:
        """Write an input. Raises WriteFailed."""
        self._inputs.write(name_of(data), data)

    def write_crash(self, data: bytes, text: str) -> Path:
        """Write an input that fails, and beside it how. Raises WriteFailed."""
        _make(self._crashes.root)
        name = f"crash-{name_of(data)}"
        self._crashes.write(name, data)
        self._crashes.write(f"{name}.txt", f"{text}\n".encode())
        return self._crashes.root / name


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_failed(folder, error) from None


def is_kept_out(test: TestCase, *, may_reject: bool) -> bool:
    """Whether a fuzz target, which ``may_reject`` says the program is, keeps the input out of the corpus."""
    return may_reject and isinstance(test.expect, Exit) and is_rejected(test.expect.status)


class GrowingCorpus:
    """Observes a run, and writes the inputs of its tests to a corpus as they are found."""

    def __init__(self, folder: CorpusFolder, root: Path, recorder: Recorder, *, may_reject: bool) -> None:
        """``root`` is the run directory of ``recorder``."""
        self._folder = folder
        self._root = root
        self._recorder = recorder
        self._may_reject = may_reject
        self._count = 0
        """The tests whose inputs are written."""
        self.written: set[str] = set()
        """The names of the files that were written."""

    def tell(self, event: Event) -> None:
        """Raises WriteFailed."""
        self.catch_up()

    @property
    def root(self) -> Path:
        """The folder of the corpus."""
        return self._folder.root

    def write(self, data: bytes) -> None:
        """Write an input. Raises WriteFailed."""
        self.written.add(name_of(data))
        self._folder.write(data)

    def write_crash(self, data: bytes, text: str) -> Path:
        """Write an input that fails, for which no test says so. Raises WriteFailed."""
        return self._folder.write_crash(data, text)

    def catch_up(self) -> None:
        """Write the inputs of tests that are new. Raises WriteFailed."""
        names = self._recorder.tests[self._count :]
        self._count += len(names)
        for name in names:
            test = read_test(self._root / name)
            data = fuzzer_input(test)
            if data is None or is_kept_out(test, may_reject=self._may_reject):
                continue
            if isinstance(test.expect, Error):
                self._folder.write_crash(data, test.expect.words())
            else:
                self.write(data)


class ArrivingFiles:
    """The files that come into folders while a run goes on, from this run or others."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(dict.fromkeys(folders))
        self._known: set[Path] = set()

    def skip(self) -> None:
        """Those that are there by now have been read."""
        self._known.update(self._paths())

    def read(self, most: int) -> Iterator[bytes]:
        """Those that came since the last call, of at most so many bytes."""
        for path in self._paths():
            if path in self._known:
                continue
            self._known.add(path)
            with contextlib.suppress(OSError):  # another program may have deleted it
                if path.is_file() and path.stat().st_size <= most:
                    yield path.read_bytes()

    def _paths(self) -> list[Path]:
        found: list[Path] = []
        for folder in self._folders:
            with contextlib.suppress(OSError):
                found += sorted(folder.iterdir())
        return found
