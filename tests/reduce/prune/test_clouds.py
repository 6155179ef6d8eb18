"""Untouched input covers what lazy initialisation can build, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.commands.run.run import Result

NODE = """
#include <stdlib.h>
#include "unfork.h"
struct node { int elem; struct node *next; };
"""
FIND = """
struct node *f(struct node *l, int v) {
  struct node *n = l;
  while (n != 0) {
    if (n->elem > v) return n;
    n = n->next;
  }
  return 0;
}
"""
APPEND = """
/* The walk ends at a node of the program's own, which no untouched pointer of the input leads to. */
static struct node *last;
int f(struct node *l) {
  last = malloc(sizeof *last);
  last->elem = 1000;
  last->next = 0;
  struct node *n = l, *turn = last;
  int seen = 0;
  while (n != 0) {
    if (n == last) { seen = 1; break; }
    if (n->elem == 5) n->next = last;
    n = n->next;
  }
  unfork_check(!seen);
  return 0;
}
"""
FLAGS = """
/* A boolean of the input is 0 or 1; another number in its place is not covered by an untouched one. */
struct item { _Bool flag; struct item *next; };
int f(struct item *l) {
  int turns = 0;
  while (l != 0) {
    unfork_check(*(unsigned char *)&l->flag < 2);
    if (turns == 1 && l->next) *(unsigned char *)&l->next->flag = 7;
    turns = turns < 2 ? turns + 1 : 2;
    l = l->next;
  }
  return 0;
}
"""


def covering(tmp_path: Path, text: str, **options: object) -> Result:
    chosen = {"function": "f", "prune": "subsume", "libc": "none", "max_time": 60.0, **options}
    return explore(written(NODE + text, tmp_path), tmp_path / "run", **chosen)


@pytest.mark.parametrize("search", ["dfs", "bfs"])
def test_find_ends(search: str, tmp_path: Path) -> None:
    """Figure 1 of Anand06: lists of any length, cyclic ones too. The head is not live, so no abstraction is needed."""
    result = covering(tmp_path, FIND, search=(search,))
    assert result.verdict == "safe"
    assert result.summary["prunes"]["hits"] >= 1
    assert result.summary["coverage"]["branches"] == {"covered": 4, "total": 4}


def test_without_covers_find_does_not_end(tmp_path: Path) -> None:
    result = covering(tmp_path, FIND, prune="none", max_instructions=2000)
    assert result.summary["stopped_by"] == "max-instructions"
    assert result.verdict == "unknown"


def test_what_the_program_allocated_is_not_in_a_cloud(tmp_path: Path) -> None:
    result = covering(tmp_path, APPEND, max_objects=3)
    assert [(found.kind, found.line) for found in result.errors] == [("assert", 19)]


def test_a_number_that_no_input_has_is_not_in_a_cloud(tmp_path: Path) -> None:
    result = covering(tmp_path, FLAGS, max_objects=3)
    assert [(found.kind, found.line) for found in result.errors] == [("assert", 11)]
    assert result.summary["prunes"]["refused"]["untouched input"] > 0
