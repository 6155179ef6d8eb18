"""unfork replay: run tests again, on the engine or natively."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.cli.streams import say
from unfork.cli.words import names_of, value_of
from unfork.errors import InputError
from unfork.later import Later
from unfork.report.verdict import EXIT_SAFE, EXIT_UNSAFE

if TYPE_CHECKING:
    from unfork.api import replay
    from unfork.formats import ktest
    from unfork.inputs.testcase import TestCase
    from unfork.replay import account, binary
    from unfork.report import kept_run
else:
    replay = Later("unfork.api.replay")
    ktest = Later("unfork.formats.ktest")
    account = Later("unfork.replay.account")
    binary = Later("unfork.replay.binary")
    kept_run = Later("unfork.report.kept_run")

_REPLAY_USAGE = """\
usage: unfork replay RUN_DIR | TEST [--engine | --native [--program PROGRAM]]

  --engine
      run the tests on the engine: concrete, with every check (default)
  --native --program PROGRAM
      run the tests that need only arguments, standard input and files on PROGRAM, a native build
  --program FILE
      C or bitcode of the program, where a test does not lead to it

  TEST is a .json file of unfork, or a .ktest file of KLEE or unfork.
  --native
      build the program with a system compiler, its sanitizers where it has them, and run the tests; line and branch
      coverage with gcov where it is installed
  --unenclosed
      run native programs with all your rights, where the system grants no namespaces to enclose them in: what a test
      makes a program do is real
"""


def replay_command(words: Sequence[str]) -> int:
    """Run tests again. Returns the exit status."""
    if "--help" in words or "-h" in words:
        say(_REPLAY_USAGE)
        return EXIT_SAFE
    words, program = value_of("--program", list(words))
    native = "--native" in words
    names = names_of(words, ("--native", "--engine", "--unenclosed"), ("--program",))
    if len(names) != 1:
        raise InputError("replay takes one run directory or test; see unfork replay --help")
    if native and "--engine" in words:
        raise InputError("--engine and --native exclude each other")
    root, tests = _tests(Path(names[0]))
    data = kept_run.read_exploration(root).summary if (root / "summary.json").exists() else None
    session = replay.Session(
        root, data, binary.Enclosure.NONE if "--unenclosed" in words else binary.Enclosure.REQUIRED
    )
    loaded = [(path.name, _read_test(path)) for path in tests]
    if program is not None and native:
        report = session.binary(loaded, Path(program))
    else:
        given = None if program is None else (program,)
        report = session.native(loaded) if native else session.engine(loaded, given)
    say("\n".join(account.table(report)) + "\n")
    return EXIT_SAFE if report.agrees() else EXIT_UNSAFE


def _tests(place: Path) -> tuple[Path, list[Path]]:
    if place.is_dir():
        tests = sorted((place / "tests").glob("*.json"))
        if not (place / "tests").is_dir():
            raise InputError(f"{place} is no run directory")
        return place, tests
    if not place.exists():
        raise InputError(f"{place}: no such file or directory")
    return place.resolve().parent.parent, [place]


def _read_test(path: Path) -> TestCase:
    """A test by unfork or KLEE. Raises InputError."""
    if path.suffix != ".ktest":
        return kept_run.read_test(path)
    try:
        return ktest.from_ktest(path.read_bytes(), str(path))
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}") from None
