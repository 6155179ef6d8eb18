"""What was learnt never hides an error: programs that look alike where they differ, under every order and merge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import Expected, read
from tests.prune.test_programs import edges
from tests.test_corpus import errors_of, explore

PROGRAMS = [read(path) for path in sorted((Path(__file__).parent / "programs").glob("*.c"))]
UNLIKE = ("freed_bug", "kept_bug")
"""No two states are alike there."""
MODES = (
    ("--merge", "none", "--search", "dfs"),
    ("--merge", "none", "--search", "bfs"),
    ("--merge", "none", "--search", "random-path"),
    ("--merge", "static", "--similar", "always"),
    ("--merge", "dynamic", "--similar", "always"),
    ("--merge", "all", "--similar", "always", "--join", "ite"),
    ("--merge", "function"),
)


@pytest.mark.parametrize("program", PROGRAMS, ids=[one.path.stem for one in PROGRAMS])
def test_errors_are_found(program: Expected, tmp_path: Path) -> None:
    plain = explore(program, tmp_path / "plain", "--libc", "none", "--merge", "none")
    assert errors_of(plain) == program.errors
    hits = 0
    for number, mode in enumerate(MODES):
        if program.native == "none" and "none" not in mode:
            continue  # where blocks are is another matter in joined states
        found = explore(program, tmp_path / str(number), "--libc", "none", "--prune", "interpolate", "--audit", *mode)
        assert errors_of(found) == program.errors, mode
        assert not found.alarms
        assert found.verdict == program.verdict
        assert edges(found) >= edges(plain), mode
        hits += found.summary["prunes"]["hits"]
    assert (hits > 0) == (program.path.stem not in UNLIKE)
