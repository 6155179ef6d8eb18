"""Runs a native program on tests, each in a fresh directory with its arguments, standard input and files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path

from unfork import host
from unfork.errors import InputError
from unfork.program.llvm import subprocesses
from unfork.report.replay import jail
from unfork.report.replay.account import NativeEnding
from unfork.world.inputs.testcase import TestCase

TIME_LIMIT = 10.0
"""Seconds for each test."""
_PIPE = "-"
_LAST = 1 << 16
"""The bytes that are kept of what a program writes that may run for hours."""
_WITH_LEAKS = ("LSAN_OPTIONS=detect_leaks=1",)
"""For tests that expect a leak; other tests may leave blocks behind."""
_JAIL = Path(__file__).parent / "jail.py"


def room_for_variables(test: TestCase) -> list[bytes]:
    """Words that reserve room in the environment's table for a program that sets it by itself."""
    return [b"UNFORK_%d=" % number for number in range(len(test.variables()))]


class Enclosure(Enum):
    """How native programs run; a test makes them act for real. The values are modes of report/replay/jail.py."""

    REQUIRED = "jail"
    """They can write only to their folder, and signal no other process."""
    NONE = "open"
    """They have all of the user's rights; only at the user's request."""


class NativeBinary:
    """``program``, ready to run on tests. Its copy in ``folder`` may write to ``folder``.

    ``name`` is its argv[0]. Its environment is ``environment`` and the test's ``variables``. Raises InputError if an
    enclosure is required and the system grants none.
    """

    def __init__(
        self,
        program: Path,
        name: str,
        folder: Path,
        environment: Mapping[str, str],
        enclosure: Enclosure,
        variables: Callable[[TestCase], Sequence[bytes]] = TestCase.variables,
    ) -> None:
        self._folder = folder.resolve()
        self._program = self._folder / "program"
        if program.resolve() != self._program:
            shutil.copy(program, self._program)
        self._name = name
        self._environment = dict(environment)
        self._variables = variables
        self._enclosure = enclosure
        self._starter = host.this().starter(self._program)
        """The words of an emulator, for a program of another processor."""
        self._given().write_bytes(b"")
        if enclosure is Enclosure.NONE:
            return
        true = shutil.which("true")
        self._world().mkdir(exist_ok=True)
        if true is None or self._start(Path(true), [], self._world(), _PIPE).status == jail.NO_JAIL:
            raise InputError(
                "native replay: programs cannot be enclosed here (no namespaces are granted), and what tests make them"
                " do is real, rm -rf say; --unenclosed runs them all the same"
            )

    def run(self, test: TestCase, seconds: float = TIME_LIMIT) -> NativeEnding | None:
        """The end of the program on a test; None if it takes longer than ``seconds``."""
        world = self.lay(test)
        printed = self._folder / "stdout"
        printed.write_bytes(b"")
        where = str(printed) if test.command.symbolic_stdout else _PIPE
        more = [*(_WITH_LEAKS if test.expects_leak() else ()), *map(os.fsdecode, self._variables(test))]
        try:
            program, arguments = self._program, [self._name, *test.args]
            if self._starter:
                arguments = [*self._starter, self._name, str(program), *test.args]
                program = Path(self._starter[0])
            done = self._start(program, arguments, world, where, seconds, more)
        except subprocesses.TooSlow:
            return None
        complaint = done.errors.decode("utf-8", "replace")
        return NativeEnding(done.status, complaint, done.output if where == _PIPE else printed.read_bytes())

    def lay(self, test: TestCase) -> Path:
        """Put the test's files and standard input where the program finds them; the folder of the files."""
        world = self._world()
        if world.exists():
            _make_writable(world)
            shutil.rmtree(world)
        world.mkdir()
        seeds = {name for name, _ in test.command.seeds}
        for name, data in test.files:
            path = world / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o444 if name in seeds else 0o644)
        self._given().write_bytes(test.stdin)
        return world

    @property
    def program(self) -> Path:
        """The copy that runs."""
        return self._program

    def start(
        self, words: Sequence[str], seconds: float, is_over: Callable[[], bool], settings: Sequence[str] = ()
    ) -> subprocesses.Finished | None:
        """Run the program ``words[0]``, which is in the same folder, as this one runs, with more words in its
        environment; it is given nothing, and only the end of what it writes is kept.

        None if it takes longer than ``seconds``, or is ended because ``is_over`` says so. Several may run at once.
        """

        def look() -> None:
            if is_over():
                raise subprocesses.TooSlow

        world = self._world()
        world.mkdir(exist_ok=True)
        try:
            return self._start(Path(words[0]), [self._name, *words[1:]], world, _PIPE, seconds, settings, look, _LAST)
        except subprocesses.TooSlow:
            return None

    def _given(self) -> Path:
        return self._folder / "stdin"

    def _world(self) -> Path:
        return self._folder / "world"

    def _start(
        self,
        program: Path,
        arguments: list[str],
        where: Path,
        printed: str,
        seconds: float = TIME_LIMIT,
        more: Sequence[str] = (),
        meanwhile: Callable[[], None] | None = None,
        most: int | None = None,
    ) -> subprocesses.Finished:
        settings = [*(f"{name}={value}" for name, value in self._environment.items()), *more]
        words = [sys.executable, "-I", "-S", "-X", "utf8", str(_JAIL), self._enclosure.value, str(self._folder)]
        words += [
            str(self._given()),
            printed,
            str(program),
            str(len(settings)),
            *settings,
            *(arguments or [program.name]),
        ]
        encoded = [word.encode("utf-8", "surrogateescape") for word in words]
        return subprocesses.run(encoded, folder=where, seconds=seconds, meanwhile=meanwhile, most=most)


def _make_writable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
