"""C files as tests: which functions are tests, with which options each runs, and the text about one that fails."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from unfork.cli import main
from unfork.cli.words import parse
from unfork.commands.run.run import Result
from unfork.commands.run.run import run as explore
from unfork.errors import CompileError, InputError
from unfork.options.kinds import refuse
from unfork.options.options import flag_of
from unfork.program.c.declarations import definitions
from unfork.program.c.escape import escape_text
from unfork.program.c.suffixes import CPP_SUFFIXES
from unfork.program.c.syntax import syntax_of
from unfork.report.record.kept_run import SCAN, read_run
from unfork.report.record.scans import scan_lines
from unfork.report.record.show import show
from unfork.report.record.text import final_lines
from unfork.report.record.verdict import EXIT_INTERRUPTED, EXIT_SAFE

_HEADER = re.compile(r"\A(?:\s|/\*.*?\*/|//[^\n]*)*", re.S)
_WORDS = re.compile(r"^[\s/*]*unfork:[ \t]+(?!ignore\b)(.*?)[ \t]*(?:\*/.*)?$", re.M)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_OF_FRAMEWORK = re.compile(
    r"""^[ \t]*(?:(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\s*\(\s*(?P<suite>\w+)\s*,\s*(?P<test>\w+)\s*\)"""
    r"""|(?:TEST_CASE|SCENARIO)\s*\(\s*(?P<name>"(?:[^"\\\n]|\\.)*"))""",
    re.M,
)
_OURS = ("function", "calls", "out", "json", "quiet", "no_progress")
"""Options that a header cannot give: the plug-in sets them, or they would make every function the same test."""

_LEFT, _GIVEN = "the heap then, from a call of:", "the heap that it is given:"
"""The lines before two heaps: the one that a function has left, and the one that it began with."""


@dataclass(frozen=True, slots=True)
class TestEntry:
    """A function to explore, and the line of its name; or the arguments with which a main runs one test."""

    name: str
    line: int
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tests:
    """The tests of a file, and the words after ``unfork:`` in its first comments."""

    entries: tuple[TestEntry, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a command line, and the folder in which its relative names of sources and headers begin."""

    words: tuple[str, ...]
    folder: Path


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """The result of a test; ``complaint`` is None if it passes."""

    verdict: str
    directory: Path
    complaint: str | None


def read(path: Path) -> Tests:
    """The tests of a file: those of a framework, or its functions ``test_*`` that are not static, or its main.

    Raises InputError for words that cannot be split.
    """
    text = path.read_text("utf-8", "replace")
    header = _HEADER.match(text)
    try:
        words = shlex.split(" ".join(_WORDS.findall(header[0]))) if header is not None else []
    except ValueError as problem:
        raise InputError(f"{path}: the words after 'unfork:': {problem}") from None
    if path.suffix in CPP_SUFFIXES and (of_framework := _of_frameworks(text)):
        return Tests(of_framework, tuple(words))
    defined = _functions(text)
    tests = [entry for entry in defined if entry.name.startswith("test_")]
    return Tests(tuple(tests or [entry for entry in defined if entry.name == "main"]), tuple(words))


def _of_frameworks(text: str) -> tuple[TestEntry, ...]:
    """The tests of GoogleTest, with all their parameters and types, and of Catch2."""
    text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    entries = []
    for found in _OF_FRAMEWORK.finditer(text):
        line = text.count("\n", 0, found.end()) + 1
        if found["name"] is None:
            name = f"{found['suite']}.{found['test']}"
            patterns = (
                name,
                f"{found['suite']}/*.{found['test']}",
                f"*/{name}/*",
                f"*/{found['suite']}/*.{found['test']}",
            )
            entries.append(TestEntry(name, line, (f"--gtest_filter={':'.join(patterns)}",)))
        else:
            # quotes and backslashes are escaped there as they are here
            entries.append(TestEntry(found["name"][1:-1], line, (found["name"].replace(",", "\\,"),)))
    return tuple(entries)


def _functions(text: str) -> list[TestEntry]:
    """The functions that a text defines and other files could call, by its syntax."""
    syntax = syntax_of(text)
    return [
        TestEntry(each.function.name, text.count("\n", 0, each.function.offset) + 1)
        for each in definitions(syntax, ())
        if "static" not in [syntax.text(word) for word in each.node.children]
    ]


def run(path: Path, entry: TestEntry, given: tuple[Words, Words], out: Path, accepted: frozenset[str]) -> TestOutcome:
    """Explore one test with the words for all tests and those of its file (``given``), and write the run to ``out``."""
    try:
        result = _explore(path, entry, given, out)
    except CompileError as problem:
        return TestOutcome("", out, "\n".join(escape_text(line) for line in str(problem).expandtabs().splitlines()))
    except InputError as problem:
        return TestOutcome("", out, f"unfork: {escape_text(str(problem))}")
    if result.exit_status == EXIT_INTERRUPTED:
        raise KeyboardInterrupt
    return TestOutcome(result.verdict, out, None if result.verdict in accepted else _complaint(result, accepted))


def scan(path: Path, given: Words, out: Path) -> TestOutcome:
    """Scan a file and write the scan to ``out``. Names in ``given`` begin in their folder."""
    name = os.path.relpath(path, given.folder)
    complaints = io.StringIO()
    with contextlib.chdir(given.folder), contextlib.redirect_stderr(complaints):
        status = main(["scan", *given.words, name, "--out", str(out), "--quiet", "--no-progress"])
    if status == EXIT_INTERRUPTED:
        raise KeyboardInterrupt
    if not (out / SCAN).is_file():
        return TestOutcome("", out, complaints.getvalue())
    data = read_run(out).summary
    lines = [*complaints.getvalue().splitlines(), *scan_lines(data, str(out))]
    lines.append(f"more: unfork report {shlex.quote(str(out))}")
    return TestOutcome(data["verdict"], out, None if status == EXIT_SAFE else "\n".join(lines))


def _explore(path: Path, entry: TestEntry, given: tuple[Words, Words], out: Path) -> Result:
    common, own = given
    before, first, _ = parse(common.words)
    files, options, arguments = parse([*common.words, *own.words])
    for name in _OURS:
        if name in options.given:
            raise refuse(flag_of(name), "not in C tests, which have their own")
    include = _paths(options.include, len(first.include), given)
    sources = [str(path), *_paths(tuple(files), len(before), given)]
    return explore(
        sources,
        replace(
            options,
            function="main" if entry.arguments else entry.name,
            include=include,
            out=str(out),
            quiet=True,
            no_progress=True,
        ),
        [*arguments, *entry.arguments],
    )


def _paths(names: tuple[str, ...], count: int, given: tuple[Words, Words]) -> tuple[str, ...]:
    """The names as paths: the first ``count`` begin in the folder of the words for all tests."""
    common, own = given
    return tuple(str((common if at < count else own).folder / name) for at, name in enumerate(names))


def _complaint(result: Result, accepted: frozenset[str]) -> str:
    """The errors as in errors/*.txt, with the inputs; without errors, the verdict."""
    lines: list[str] = []
    for error in result.errors:
        lines += [*_without_repetition(show(result.directory, f"errors/{Path(error.test).stem}")), ""]
    if not lines:
        lines = [f"{result.verdict}, which is none of {', '.join(sorted(accepted))}"]
        lines += [*final_lines(result.summary, str(result.directory)), ""]
    directory = shlex.quote(str(result.directory))
    return "\n".join([*lines, f"more: unfork show {directory}"])


def _without_repetition(lines: list[str]) -> list[str]:
    """The lines about an error, with the heap only once if its function has left it unchanged."""
    if _LEFT not in lines or _GIVEN not in lines:
        return lines
    left, given = lines.index(_LEFT), lines.index(_GIVEN)
    heap = lines[given + 1 :]
    return lines[: given - 1] if lines[left + 1 : left + 1 + len(heap)] == heap else lines
