"""Every choice that options name finds the class that it stands for, and the run says what it says without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import errors_of, explore, written
from unfork.options.options import ABSTRACTIONS, DOMAINS, EXACT_JOINS, LATTICES, SEARCHERS

PROGRAM = """
#include <unfork.h>
int main(void) {
  unsigned char x, y;
  int sum = 0;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  if (x > 9) sum += 1;
  if (y > 9) sum += 2;
  unfork_check(sum != 3);
  return sum;
}
"""
PREDICATE = "v >= 0"
CHOICES = [
    *[("--search", name) for name in (*SEARCHERS, "target:program.c:10", "dfs,coverage")],
    *[("--merge", schedule) for schedule in ("none", "static", "dynamic", "all", "function", "marked")],
    *[("--join", join, "--similar", "always") for join in EXACT_JOINS],
    *[("--similar", similarity) for similarity in ("qce", "live", "always")],
    *[("--prune", pruner, "--search", "dfs") for pruner in ("none", "subsume", "interpolate")],
    *[("--prune", "subsume", "--abstract", shape, "--merge", "none") for shape in ABSTRACTIONS],
    *[("--solver", solver, "--audit") for solver in ("bitwuzla", "z3")],
]
FORGETTING = ("havoc", *[f"abstract:{name}" for name in DOMAINS + LATTICES])


@pytest.mark.parametrize("words", CHOICES, ids=" ".join)
def test_the_error_is_found(words: tuple[str, ...], tmp_path: Path) -> None:
    result = explore(written(PROGRAM, tmp_path), tmp_path / "run", "--libc", "none", *words)
    assert errors_of(result) == {("assert", "program.c", 10)}
    assert result.verdict == "unsafe"


@pytest.mark.parametrize("join", FORGETTING)
def test_what_forgets_proves_nothing_that_is_wrong(join: str, tmp_path: Path) -> None:
    words = ["--join", join, "--similar", "always", "--merge", "static"]
    words += ["--predicate", PREDICATE] if join.partition(":")[2] in LATTICES else []
    result = explore(written(PROGRAM, tmp_path), tmp_path / "run", "--libc", "none", *words)
    assert errors_of(result) <= {("assert", "program.c", 10)}
    assert result.verdict in ("unsafe", "unknown")
