"""Runs of programs as tests make them: options as a user types them, and one compilation for all runs of a program."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.support.corpus import Expected
from unfork.cli import parse
from unfork.commands.assemble.starting import compile_options, libraries
from unfork.commands.run import run as runs
from unfork.commands.run.run import Result
from unfork.options.options import Options
from unfork.program.c.suffixes import CPP_SUFFIXES
from unfork.program.llvm import compiler
from unfork.program.llvm.module import Program
from unfork.program.llvm.reader import read_again

KEPT = 4
"""Programs that stay compiled. Tests of one program of the corpus come one after another (tests/conftest.py)."""

kept: dict[tuple[object, ...], dict[int, Program]] = {}
"""The programs that were compiled last, by all that the compiler sees, and by the passes with which they are read."""


def options_of(out: Path, *words: str, **choices: object) -> Options:
    """The options that a user types as ``words``, and ``choices`` by the names of their fields; nothing is printed."""
    options = _parsed((*words, "--quiet", "--no-progress", "--out", "OUT"))
    given = options.given | ({"merge"} & choices.keys())  # which a default value is one way to choose
    return replace(options, out=str(out), given=given, **choices)  # type: ignore[arg-type]  # by name


@cache
def _parsed(words: tuple[str, ...]) -> Options:
    """What a user types comes to the same each time."""
    return parse(words)[1]


def explore(program: Expected | Path | Sequence[Path], out: Path, *words: str, **choices: object) -> Result:
    """One run into ``out``. A program of the corpus has its own options and arguments, which come first.

    Runs that differ in nothing that the compiler sees share the compiled program.
    """
    sources, arguments = ([program] if isinstance(program, Path) else program), ()
    if isinstance(program, Expected):
        sources, arguments, words = program.sources, program.args, (*program.options, *words)
    options = options_of(out, *words, **choices)
    compiled = None if options.calls else kept_program(sources, options)
    if compiled is not None:
        return runs.explore(sources, compiled, options, arguments)
    result = runs.run(sources, options, arguments)
    if not options.calls:
        keep(sources, options, result.program)
    return result


def build(sources: Sequence[Path], options: Options) -> Program:
    """The program as a run would have it."""
    program = kept_program(sources, options)
    if program is None:
        program = compiler.build(sources, compile_options(options), (), libraries(options, lambda *_: None))
        keep(sources, options, program)
    return program


def kept_program(sources: Sequence[Path], options: Options) -> Program | None:
    """The program if it is still compiled; it is read again if it was read with other passes."""
    by_passes = kept.get(_key(sources, options), {})
    if by_passes and options.optimize not in by_passes:
        other = next(iter(by_passes.values()))
        assert other.reading is not None
        again = read_again(replace(other.reading, optimize=options.optimize), other.bitcode)
        by_passes[options.optimize] = replace(again, warnings=other.warnings, notes=other.notes)
    return by_passes.get(options.optimize)


def keep(sources: Sequence[Path], options: Options, program: Program) -> None:
    """Keep a program that was just compiled."""
    while len(kept) >= KEPT:
        del kept[next(iter(kept))]
    kept[_key(sources, options)] = {options.optimize: program}


def _key(sources: Sequence[Path], options: Options) -> tuple[object, ...]:
    texts = [source.read_bytes() for source in sources]
    given = compile_options(options)
    has_wrappers = any(source.suffix in CPP_SUFFIXES for source in sources)  # which are inlined before it is read
    return *sources, *texts, options.libc, given if has_wrappers else replace(given, optimize=0)


def written(text: str, folder: Path, name: str = "program.c") -> Path:
    """The file ``name`` in ``folder``, with ``text`` in it."""
    source = folder / name
    source.write_text(text)
    return source


def errors_of(result: Result) -> set[tuple[str, str, int]]:
    """The reported errors as (kind, file name, line)."""
    return {(error.kind, Path(error.file or "").name, error.line or 0) for error in result.errors}


def edges_of(result: Result) -> set[tuple[object, ...]]:
    """The covered branch edges as (function, block, successor)."""
    with sqlite3.connect(result.directory / "run.db") as database:
        return set(database.execute("SELECT function, block, successor FROM coverage WHERE covered = 1"))


def comes_out_as_stated(program: Expected, out: Path) -> None:
    """Run a program of the corpus and compare what comes out with its header."""
    result = explore(program, out)
    summary = result.summary
    assert errors_of(result) == program.errors, summary["given_up"]
    assert not result.alarms
    assert all(error.replayed for error in result.errors)
    assert result.verdict == program.verdict, summary["given_up"]
    assert result.exit_status == program.exit
    assert program.assumed in (None, tuple(summary["assumptions"]))
    if program.reason == "unsupported":
        assert summary["unsupported"]
    elif program.reason:
        assert program.reason in {given["reason"] for given in summary["given_up"]}
