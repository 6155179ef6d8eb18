"""Every corpus program comes out as its header states, whatever the order of exploration and the passes.

Headers count the paths of plain exploration: where these are compared, nothing is merged.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import Expected, programs
from unfork.api import run as runs
from unfork.api.run import Result
from unfork.cli import parse
from unfork.options import Options
from unfork.program.module import Program
from unfork.wiring.compiling import compile_options

SEARCHERS = ("dfs", "bfs", "random-path", "random-state", "coverage", "bfs,random-path,dfs")
KEPT = 2
PLAIN = ("--merge", "none")
ALL = programs()
ORDERED = [program for program in ALL if program.verdict in ("safe", "unsafe") and program.forks]


built: dict[tuple[object, ...], Program] = {}
"""The programs that were compiled last, by all that this depends on."""


def parsed(program: Expected, out: Path, *options: str) -> Options:
    """The program's own options and ``options``."""
    words = [*program.options, *options, "--quiet", "--no-progress", "--out", str(out)]
    return parse([*words, "--", *program.args])[1]


def explore(program: Expected, out: Path, *options: str) -> Result:
    """One run of the program with its own options and ``options``; runs that differ in the search compile it once."""
    chosen = parsed(program, out, *options)
    texts = tuple([source.read_bytes() for source in program.sources])
    key = (program.sources, texts, chosen.libc, compile_options(chosen))
    if key in built and not chosen.calls:
        return runs.explore(program.sources, built[key], chosen, program.args)
    result = runs.run(program.sources, chosen, program.args)
    while len(built) >= KEPT:
        del built[next(iter(built))]
    built[key] = result.program
    return result


def errors_of(result: Result) -> set[tuple[str, str, int]]:
    """The reported errors as (kind, file name, line)."""
    return {(found.kind, Path(found.file or "").name, found.line or 0) for found in result.errors}


@pytest.mark.parametrize("program", ALL, ids=[program.name for program in ALL])
def test_expectation(program: Expected, tmp_path: Path) -> None:
    result = runs.run(program.sources, parsed(program, tmp_path / "run"), program.args)
    summary = result.summary
    assert errors_of(result) == program.errors, summary["given_up"]
    assert not result.alarms
    assert all(found.replayed for found in result.errors)
    assert result.verdict == program.verdict, summary["given_up"]
    assert result.exit_status == program.exit
    if program.reason == "unsupported":
        assert summary["unsupported"]
    elif program.reason:
        assert program.reason in {given["reason"] for given in summary["given_up"]}


@pytest.mark.parametrize("program", ORDERED, ids=[program.name for program in ORDERED])
def test_searchers_agree(program: Expected, tmp_path: Path) -> None:
    """Every order finds the same errors and the same number of paths, that of the header."""
    counts = set()
    for number, searcher in enumerate(SEARCHERS):
        result = explore(program, tmp_path / str(number), "--search", searcher, *PLAIN)
        assert errors_of(result) == program.errors, searcher
        counts.add(result.summary["paths"]["completed"])
    assert len(counts) == 1, counts
    assert program.paths in (None, *counts)


@pytest.mark.parametrize("program", ALL, ids=[program.name for program in ALL])
def test_passes_change_nothing(program: Expected, tmp_path: Path) -> None:
    """The compiler's own code fails and ends like the simplified code."""
    result = explore(program, tmp_path / "run", "--optimize", "0", *PLAIN)
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict
    if program.paths is not None:
        assert result.summary["paths"]["completed"] == program.paths
