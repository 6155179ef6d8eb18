"""A subtree that may cover a branch edge anew is explored: coverage is that of plain exploration, in every order.

In each program a state that comes later takes edges that none took before, among noise that makes states alike.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.agreement import look, seen
from tests.support.corpus import Expected
from tests.support.power import some

HEAD = """
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"
static volatile int sink;
#define INPUTS unsigned char way, noise; unfork_symbolic(&way, 1, "way"); unfork_symbolic(&noise, 1, "noise")
#define NOISE if (noise & 1) sink = 1; if (noise & 2) sink = 2
"""
SIDE_OF_A_VALUE = """
int main(void) {
  INPUTS;
  int mode = 0;
  if (way > 10) mode = 1;
  NOISE;
  if (mode) sink = 3;
  return 0;
}
"""
"""The first state cannot take the side that the second takes, and what comes behind it is known."""
SIDE_OF_AN_INPUT = """
int main(void) {
  INPUTS;
  if (way > 10) sink = 4; else unfork_assume(noise < 128);
  NOISE;
  if (noise > 200) sink = 3;
  return 0;
}
"""
CALL_BEYOND_A_SIDE = """
static void deep(int level) { if (level > 2) sink = 4; if (level == 2) sink = 5; }
int main(void) {
  INPUTS;
  int mode = 0, level = 1;
  if (way & 1) mode = 1;
  if (way & 2) level = 2;
  if (way & 4) level += 2;
  NOISE;
  if (mode) deep(level);
  if (noise & 4) sink = 6;
  return 0;
}
"""
TURN_OF_A_LOOP = """
int main(void) {
  unsigned char way, noise[4];
  unfork_symbolic(&way, 1, "way");
  unfork_symbolic(noise, 4, "noise");
  int turns = 2;
  if (way == 9) turns = 4;
  for (int i = 0; i < turns; ++i) {
    if (noise[i] > 50) sink = 1;
    if (i == 3 && noise[i] == 7) sink = 2;
  }
  return 0;
}
"""
BEHIND_AN_ERROR = """
int main(void) {
  INPUTS;
  int cell = 0, *leads = 0;
  if (way < 10) leads = &cell;
  if (noise & 1) sink = 1;
  *leads = 5;
  if (noise & 2) sink = 2;
  return 0;
}
"""
CASES_AND_GOALS = """
static void one(void) { sink = 1; }
static void two(void) { if (sink) sink = 2; }
int main(void) {
  INPUTS;
  int mode = way & 3;
  void (*call)(void) = one;
  switch (mode) { case 0: sink = 3; break; case 1: mode = 7; break; case 2: call = two; break; default: mode = 9; }
  NOISE;
  switch (mode) { case 7: unfork_cover(1); break; case 9: unfork_cover(2); break; default: call(); }
  return 0;
}
"""
END_OF_A_RECURSION = """
static int down(const unsigned char *in, int depth, int flag) {
  if (depth == 0) { if (flag) sink = 1; return 0; }
  if (in[depth] > 99) return down(in, depth - 1, flag);
  return 1 + down(in, depth - 1, flag);
}
int main(void) {
  unsigned char in[4];
  unfork_symbolic(in, 4, "in");
  int flag = 0;
  if (in[0] == 8) flag = 1;
  if (down(in, 3, flag) == 2) sink = 9;
  return 0;
}
"""
WHAT_A_LIST_HOLDS = """
struct node { int value; struct node *next; };
int main(void) {
  INPUTS;
  struct node *list = 0;
  for (int i = 0; i < 3; ++i)
    if (way & 1 << i) { struct node *n = malloc(sizeof *n); n->value = i; n->next = list; list = n; }
  NOISE;
  for (struct node *n = list; n; n = n->next) {
    if (n->value == 2 && n->next) sink = 3;
    if (n->value == 1 && !n->next) sink = 4;
  }
  return 0;
}
"""
EXIT_HANDLER = """
static int status;
static void last(void) { if (status == 3) sink = 1; }
int main(void) {
  INPUTS;
  atexit(last);
  if (way == 4) status = 3;
  if (way == 5) status = 4;
  if (noise & 1) sink = 2;
  if (noise & 2) exit(1);
  assert(status != 4);
  return 0;
}
"""
PROGRAMS = {
    "side_of_a_value": SIDE_OF_A_VALUE,
    "side_of_an_input": SIDE_OF_AN_INPUT,
    "call_beyond_a_side": CALL_BEYOND_A_SIDE,
    "turn_of_a_loop": TURN_OF_A_LOOP,
    "behind_an_error": BEHIND_AN_ERROR,
    "cases_and_goals": CASES_AND_GOALS,
    "end_of_a_recursion": END_OF_A_RECURSION,
    "what_a_list_holds": WHAT_A_LIST_HOLDS,
    "exit_handler": EXIT_HANDLER,
}
MODES = [("none", "", "", search, "interpolate") for search in ("dfs", "bfs", "random-path", "coverage")]
JOINED = [
    ("dynamic", "summary", "qce", "coverage", "interpolate"),
    ("dynamic", "summary", "live", "bfs", "interpolate"),
    ("function", "ite", "always", "", "interpolate"),
]


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_edge_is_lost(name: str, tmp_path: Path) -> None:
    source = tmp_path / f"{name}.c"
    source.write_text(HEAD + PROGRAMS[name])
    program = Expected(source, "safe", "", frozenset(), None, (), (), (source,), "asan", (), (), 0)
    more = ("--libc", "none")
    first = look(program, None, ("none", "", "", "dfs", ""), more, tmp_path / "plain")
    plain = seen(first)
    for number, mode in enumerate([*some(MODES, name, 2), *some(JOINED, name)]):
        found = seen(look(program, first.program, mode, more, tmp_path / str(number)))
        assert found.edges == plain.edges, mode
        assert (found.errors, found.verdict) == (plain.errors, plain.verdict), mode
        assert found.hits or mode[0] != "none", mode
