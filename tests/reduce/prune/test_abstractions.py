"""Abstractions beyond those of Anand06: doubly linked lists, trees, arrays that are variables, predicates on numbers.

Each program ends under its abstraction, and not without: with a bound on its depth, more states are stored the deeper.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.corpus import Expected, read
from tests.support.runs import errors_of, explore
from unfork.errors import InputError

PROGRAMS = [read(path) for path in sorted((Path(__file__).parent / "abstractions").glob("*.c"))]
COVERING = ("--prune", "subsume", "--merge", "none", "--libc", "none")
"""What the header says comes behind, so that it is the last word."""


@pytest.mark.parametrize("search", ["dfs", "bfs"])
@pytest.mark.parametrize("program", PROGRAMS, ids=[one.path.stem for one in PROGRAMS])
def test_it_ends_as_the_header_says(program: Expected, search: str, tmp_path: Path) -> None:
    result = explore(program, tmp_path / "run", *COVERING, "--search", search, "--max-time", "60")
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict, result.summary["given_up"]
    assert result.summary["stopped_by"] is None
    assert result.summary["prunes"]["under"] == result.summary["prunes"]["hits"] > 0


@pytest.mark.parametrize("name", ["deque_fixed", "tree_fixed", "window_fixed"])
def test_without_the_abstraction_it_does_not_end(name: str, tmp_path: Path) -> None:
    (program,) = [one for one in PROGRAMS if one.path.stem == name]
    stored = []
    for depth in ("8", "12"):
        more = (*COVERING, "--abstract", "none", "--max-depth", depth, "--search", "bfs")
        bare = [word for word in program.options if not word.startswith(("--predicate", "used"))]
        result = explore(with_options(program, bare), tmp_path / depth, *more)
        stored.append(result.summary["prunes"]["stored"])
    assert stored[1] > stored[0]


def with_options(program: Expected, options: list[str]) -> Expected:
    return replace(program, options=tuple(options))


def test_what_predicates_do_not_say_of_numbers_is_lost(tmp_path: Path) -> None:
    """Without the predicate the third turn is covered by the second."""
    (program,) = [one for one in PROGRAMS if one.path.stem == "counter_bug"]
    result = explore(with_options(program, ["--abstract", "list"]), tmp_path / "run", *COVERING)
    assert not result.errors
    assert result.verdict == "bounded"


@pytest.mark.parametrize("name", ["deque_bug", "tree_bug", "tree_fixed", "counter_bug", "window_fixed"])
def test_covers_are_proved_again_as_they_were_abstracted(name: str, tmp_path: Path) -> None:
    (program,) = [one for one in PROGRAMS if one.path.stem == name]
    audit = explore(program, tmp_path / "run", *COVERING, "--audit").summary["audit"]
    assert (audit["failed"], audit["unknown"]) == (0, 0)
    assert audit["pruned"] > 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--abstract", "graph"), "'graph' is none of"),
        (("--abstract", "list:2"), "'list:2' is none of"),
        (("--abstract", "tree:0"), "the depth is a number from 1 on"),
        (("--abstract", "list", "--predicate", "missing > 0"), "no variable of the program is called 'missing'"),
        (("--abstract", "list", "--predicate", "n >"), "--predicate"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    (program,) = [one for one in PROGRAMS if one.path.stem == "counter_bug"]
    with pytest.raises(InputError, match=reason):
        explore(with_options(program, []), tmp_path / "run", *COVERING, *words)
