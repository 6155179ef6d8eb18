"""An edge is covered if a path of the program takes it, whoever took it first, and has one test."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from unfork.commands.run.run import Result, run
from unfork.options.options import Options

FIRST_FORK = """
#include "unfork.h"
int main(void) {
  unsigned char x, y;
  int seen = 0;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  if (x > 5) seen = 1;
  if (y OPERATOR 5) unfork_assume(0);
  return seen;
}
"""
LATER_FORK = """
#include "unfork.h"
int main(void) {
  unsigned char x, y;
  int seen = 0;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  if (x > 5) seen = 1;
  if (y > 5) seen += 2;
  unfork_assume((seen & 1) OPERATOR 0);
  return seen;
}
"""
"""Here those that fail, and those that do not, take the edges of y on their own."""
NEVER = """
#include "unfork.h"
int main(void) {
  unsigned char x, y;
  int turns = 0;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  while (turns < 30 && turns != x) turns++;
  if (turns < 30) {
    if (y > 5) turns = 0;
    unfork_assume(0);
  }
  return 0;
}
"""
GOOD_ONES_ARE_COVERED = """
#include "unfork.h"
static volatile int sink;
static unsigned char in(void) { unsigned char x; unfork_symbolic(&x, 1, "x"); return x; }
int main(void) {
  int is_good = 0;
  for (int i = 0; i < 2; i++)
    if (in() != 3) is_good = 1;
  for (int i = 0; i < 3; i++) sink = i;
  unfork_assume(is_good);
  return 0;
}
"""
"""Of four paths one fails; what one good path shows must do for the others, which are not explored."""
Y_OF_LATER_FORK, Y_OF_NEVER = 9, 10
"""The lines that branch on y."""


def _run(text: str, operator: str, folder: Path, search: str, prune: str, tests: str) -> Result:
    source = folder / "program.c"
    source.write_text(text)
    options = Options(
        merge="none",
        search=(search,),
        prune=prune,
        tests=tests,
        define=(f"OPERATOR={operator}",),
        libc="none",
        quiet=True,
        out=str(folder / "run"),
    )
    return run([source], options)


def _covered(result: Result) -> dict[int, list[int]]:
    """By line, which of its branch edges are covered."""
    found: dict[int, list[int]] = {}
    database = sqlite3.connect(result.directory / "run.db")
    for line, is_covered in database.execute("SELECT line, covered FROM coverage ORDER BY line, block, successor"):
        found.setdefault(line, []).append(is_covered)
    database.close()
    return found


@pytest.mark.parametrize("tests", ["coverage", "errors"])
@pytest.mark.parametrize("search", ["dfs", "bfs"])
@pytest.mark.parametrize("operator", [">", "<="])
@pytest.mark.parametrize("program", [FIRST_FORK, LATER_FORK], ids=["first-fork", "later-fork"])
def test_what_fails_an_assumption_takes_no_edge_from_others(
    program: str, operator: str, search: str, tests: str, tmp_path: Path
) -> None:
    """Three of the four edges are on paths that end; who took them first may be on none."""
    result = _run(program, operator, tmp_path, search, "none", tests)
    assert result.summary["paths"]["silent"] == 2
    assert result.summary["coverage"]["branches"] == {"covered": 3, "total": 4}
    said = [one for path in result.tests for one in json.loads(path.read_text())["branches"]]
    assert len(said) == len(set(said)) == (3 if tests == "coverage" else 0)


@pytest.mark.parametrize("prune", ["interpolate", "subsume"])
@pytest.mark.parametrize("search", ["dfs", "bfs"])
@pytest.mark.parametrize("operator", [">", "<="])
def test_pruning_takes_no_edge_from_others(operator: str, search: str, prune: str, tmp_path: Path) -> None:
    """A state that is covered counts, so that it may add an edge of a path that would fail; it takes none away."""
    covered = _covered(_run(LATER_FORK, operator, tmp_path, search, prune, "coverage"))
    assert covered[Y_OF_LATER_FORK] == [1, 1]
    assert sum(covered[Y_OF_LATER_FORK - 1]) >= 1


@pytest.mark.parametrize("prune", ["none", "interpolate", "subsume"])
@pytest.mark.parametrize("search", ["dfs", "bfs"])
def test_one_path_shows_the_edges_of_those_that_it_covers(search: str, prune: str, tmp_path: Path) -> None:
    """Whoever took them before and fails."""
    result = _run(GOOD_ONES_ARE_COVERED, "", tmp_path, search, prune, "coverage")
    assert result.summary["coverage"]["branches"] == {"covered": 6, "total": 6}


@pytest.mark.parametrize("search", ["dfs", "bfs", "coverage"])
def test_what_only_fails_assumptions_is_never_covered(search: str, tmp_path: Path) -> None:
    """However many paths take the edges: none of them is one of the program."""
    result = _run(NEVER, "", tmp_path, search, "none", "coverage")
    assert result.summary["paths"]["silent"] > 30
    assert _covered(result)[Y_OF_NEVER] == [0, 0]
