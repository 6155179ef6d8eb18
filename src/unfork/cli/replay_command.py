"""unfork replay: run tests again, on the engine or natively."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from unfork.cli.streams import say
from unfork.cli.words import UnforkCommand
from unfork.commands.afterwards import replay
from unfork.commands.scan import tested_programs
from unfork.errors import InputError
from unfork.report.formats import ktest
from unfork.report.record import kept_run
from unfork.report.record.verdict import EXIT_SAFE, EXIT_UNSAFE
from unfork.report.replay import account, binary

if TYPE_CHECKING:
    from unfork.world.inputs.testcase import TestCase

_HELP = """Run tests again, and say what they cover.

TEST is a .json file of unfork, or a .ktest file of KLEE or unfork. With --native --program PROGRAM, the tests that
need only arguments, standard input and files run on PROGRAM, a native build."""
_NATIVE = """Build the program with a system compiler, its sanitizers where it has them, and run the tests; line and
branch coverage with gcov where it is installed."""
_UNENCLOSED = """Run native programs with all your rights, where the system grants no namespaces to enclose them in:
what a test makes a program do is real."""


@click.command("replay", cls=UnforkCommand, help=_HELP)
@click.argument("path", metavar="RUN_DIR|TEST", type=click.Path(path_type=Path))
@click.option("--engine", is_flag=True, help="Run the tests on the engine: concrete, with every check (default).")
@click.option("--native", is_flag=True, help=_NATIVE)
@click.option("--program", metavar="FILE", help="C or bitcode of the program, where a test does not lead to it.")
@click.option("--unenclosed", is_flag=True, help=_UNENCLOSED)
def replay_command(path: Path, engine: bool, native: bool, program: str | None, unenclosed: bool) -> int:
    """Run tests again. Returns the exit status."""
    if native and engine:
        raise InputError("--engine and --native exclude each other")
    root, tests = _tests(path)
    loaded = [(path.name, _read_test(path)) for path in tests]
    session = _session(root, loaded, binary.Enclosure.NONE if unenclosed else binary.Enclosure.REQUIRED)
    if program is not None and native:
        report = session.binary(loaded, Path(program))
    else:
        given = None if program is None else (program,)
        report = session.native(loaded) if native else session.engine(loaded, given)
    say("\n".join(account.table(report)) + "\n")
    return EXIT_SAFE if report.agrees() else EXIT_UNSAFE


def _session(root: Path, tests: replay.Named, enclosure: binary.Enclosure) -> replay.Session:
    """What replays tests of a run, of a function's scan, or of no run."""
    if (root / "summary.json").exists():
        return replay.Session(root, kept_run.read_exploration(root).summary, enclosure)
    scanned = tested_programs.of_scan(root, tests[0][1]) if tests else None
    if scanned is None:
        return replay.Session(root, None, enclosure)
    data, build = scanned
    return replay.Session(root, data, enclosure, build)


def _tests(path: Path) -> tuple[Path, list[Path]]:
    if path.is_dir():
        tests = sorted((path / "tests").glob("*.json"))
        if not (path / "tests").is_dir():
            raise InputError(f"{path} is no run directory")
        return path, tests
    if not path.exists():
        raise InputError(f"{path}: no such file or directory")
    return path.resolve().parent.parent, [path]


def _read_test(path: Path) -> TestCase:
    """A test by unfork or KLEE. Raises InputError."""
    if path.suffix != ".ktest":
        return kept_run.read_test(path)
    try:
        return ktest.from_ktest(path.read_bytes(), str(path))
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}") from None
