"""Soundness bugs, seeded on purpose in each part of covering: each loses an error that plain exploration finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.corpus import Expected, read
from tests.support.runs import errors_of, explore
from unfork.logic.solve.path import PathCondition
from unfork.reduce.prune import implication, roots, subsume
from unfork.reduce.prune.contract import ContainmentProof, Pair
from unfork.reduce.prune.implication import Implication
from unfork.reduce.prune.matching import Matching

PROGRAMS = Path(__file__).parent / "programs"


def program(name: str) -> Expected:
    return read(PROGRAMS / f"{name}.c")


def finds_all(name: str, out: Path) -> bool:
    """Whether all errors of a program are found under covers, in either of two orders."""
    found = [
        errors_of(
            explore(
                program(name),
                out / search,
                "--prune",
                "subsume",
                "--libc",
                "none",
                "--merge",
                "none",
                "--search",
                search,
                "--max-instructions",
                "20000",
            )
        )
        for search in ("dfs", "bfs")
    ]
    return all(one == program(name).errors for one in found)


def path_conditions_ignored(patch: pytest.MonkeyPatch) -> None:
    """What the covering path assumes of its values is not asked for."""
    patch.setattr(implication, "_about", lambda path, pairs: [])


def values_ignored(patch: pytest.MonkeyPatch) -> None:
    """Values that are not concrete match any."""

    def prove(self: Implication, path: PathCondition, other: PathCondition, pairs: list[Pair]) -> ContainmentProof:
        return ContainmentProof((), ())

    patch.setattr(Implication, "prove", prove)


def contents_ignored(patch: pytest.MonkeyPatch) -> None:
    """Objects of one size match, whatever they hold."""
    patch.setattr(Matching, "contents", lambda self, item, its, numbers: None)
    patch.setattr(subsume, "outline", lambda state, registers: ((), ()))


def registers_ignored(patch: pytest.MonkeyPatch) -> None:
    """What is in registers does not count."""
    patch.setattr(roots, "match_register", lambda *rest: None)
    patch.setattr(subsume, "key_of", lambda *rest: ())


def ends_of_strings_ignored(patch: pytest.MonkeyPatch) -> None:
    """Where strings of the input may end is not compared."""
    patch.setattr(Matching, "_ends", lambda *rest: None)


SEEDED: list[tuple[Callable[[pytest.MonkeyPatch], None], str]] = [
    (path_conditions_ignored, "ranges_bug"),
    (values_ignored, "ranges_bug"),
    (contents_ignored, "globals_bug"),
    (registers_ignored, "toggle_bug"),
    (ends_of_strings_ignored, "text_end_overwritten_bug"),
]


@pytest.mark.parametrize("name", sorted({name for _, name in SEEDED}))
def test_without_a_bug_all_errors_are_found(name: str, tmp_path: Path) -> None:
    assert finds_all(name, tmp_path)


@pytest.mark.parametrize(("seed", "name"), SEEDED, ids=[seed.__name__ for seed, _ in SEEDED])
def test_a_seeded_bug_is_caught(
    seed: Callable[[pytest.MonkeyPatch], None], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(monkeypatch)
    assert not finds_all(name, tmp_path)
