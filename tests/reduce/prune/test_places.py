"""Where states are looked at: before turns of loops, at calls that may recur, and behind marks, each id apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.commands.run.run import Result

FORKS = """
#include "unfork.h"
static int fork_once(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  if (x > 100)
    return 1;
  return 0;
}
"""
MUTUAL = """
static int odd(int depth);
static int even(int depth) { return depth == 0 ? 0 : (fork_once(), odd(depth - 1)); }
static int odd(int depth) { return depth == 0 ? 1 : (fork_once(), even(depth - 1)); }
int main(void) { return even(6); }
"""
LOOP = """
int main(void) {
  for (int i = 0; i < 6; i++)
    fork_once();
  return 0;
}
"""
MARKS = """
int main(void) {
  for (int i = 0; i < 6; i++) {
    int side = fork_once();
    unfork_subsume(ID);
  }
  return 0;
}
"""
HEAD_IS_LIVE = """
struct node { int elem; struct node *next; };
struct node *f(struct node *l, int v) {
  struct node *n = l;
  while (n != 0) {
    if (n->elem > v) return n;
    n = n->next;
  }
  return l;
}
"""


def covering(tmp_path: Path, text: str, **options: object) -> Result:
    chosen = {"prune": "subsume", "merge": "none", "libc": "none", "max_time": 60.0, **options}
    return explore(written(FORKS + text, tmp_path), tmp_path / "run", **chosen)


@pytest.mark.parametrize("text", [MUTUAL, LOOP, MARKS.replace("ID", "1")], ids=["mutual", "loop", "mark"])
def test_two_sides_that_are_alike_go_on_as_one(text: str, tmp_path: Path) -> None:
    """Six forks in a row: one path is left of 64, since at each place the second side is covered by the first."""
    result = covering(tmp_path, text)
    assert result.verdict == "safe"
    assert result.summary["paths"]["completed"] <= 2
    assert result.summary["prunes"]["hits"] >= 5


@pytest.mark.parametrize(("name", "hits"), [("1", 1), ("side", 0)])
def test_marks_with_different_ids_are_different_places(name: str, hits: int, tmp_path: Path) -> None:
    """Two sides come by one mark and then differ in nothing but its id."""
    result = covering(tmp_path, MARKS.replace("ID", name).replace("i < 6", "i < 1"))
    assert result.summary["prunes"]["hits"] == hits
    assert result.summary["paths"]["completed"] == 2 - hits


@pytest.mark.parametrize("search", ["dfs", "bfs"])
def test_find_with_a_live_head_ends_under_the_abstraction(search: str, tmp_path: Path) -> None:
    """Figure 2 of Anand06: what lies between the head and n is folded, so that s8 covers s12."""
    result = covering(tmp_path, HEAD_IS_LIVE, function="f", abstract="list", search=(search,))
    assert result.verdict == "bounded"
    assert result.summary["coverage"]["branches"] == {"covered": 4, "total": 4}
    assert result.summary["prunes"]["under"] > 0


def test_find_with_a_live_head_does_not_end_without(tmp_path: Path) -> None:
    result = covering(tmp_path, HEAD_IS_LIVE, function="f", search=("bfs",), max_instructions=1000)
    assert result.summary["stopped_by"] == "max-instructions"
