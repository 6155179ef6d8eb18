"""--unwind bounds the turns of each loop, each time that the loop is entered, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.commands.run.run import Result

COUNTED = """
#include "unfork.h"
int main(void) {
  unsigned char n;
  unfork_symbolic(&n, 1, "n");
  unfork_assume(n <= 10);
  int i = 0;
  while (i < n) i++;
  unfork_check(i != 5);
  return 0;
}
"""
NESTED = """
#include "unfork.h"
static int three(void) {
  int count = 0;
  for (int i = 0; i < 3; i++) count++;
  return count;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += three() + three();
  unfork_check(sum == 54);
  return 0;
}
"""
ENDLESS = '#include "unfork.h"\nint main(void) { for (;;) unfork_subsume(1); }\n'
MODES = [("--merge", "none"), (), ("--prune", "subsume"), ("--prune", "interpolate", "--search", "dfs")]


def unwound(text: str, folder: Path, *options: str) -> Result:
    return explore(written(text, folder), folder / "-".join(("run", *options)), "--libc", "none", *options)


@pytest.mark.parametrize("mode", MODES, ids=" ".join)
def test_what_lies_behind_the_bound_is_not_explored(mode: tuple[str, ...], tmp_path: Path) -> None:
    result = unwound(COUNTED, tmp_path, "--unwind", "4", *mode)
    assert (result.verdict, result.summary["bounds_hit"]) == ("bounded", ["unwind"])
    if mode == MODES[0]:
        assert result.summary["paths"]["completed"] == 5


@pytest.mark.parametrize("mode", MODES, ids=" ".join)
def test_what_lies_within_the_bound_is(mode: tuple[str, ...], tmp_path: Path) -> None:
    result = unwound(COUNTED, tmp_path, "--unwind", "5", *mode)
    assert [error.kind for error in result.errors] == ["assert"]


def test_turns_are_counted_from_each_entry_of_a_loop(tmp_path: Path) -> None:
    assert unwound(NESTED, tmp_path, "--unwind", "3").verdict == "safe"
    assert unwound(NESTED, tmp_path, "--unwind", "2").verdict == "bounded"


@pytest.mark.parametrize("mode", MODES[:2], ids=" ".join)
def test_a_loop_that_never_ends_is_cut(mode: tuple[str, ...], tmp_path: Path) -> None:
    assert unwound(ENDLESS, tmp_path, "--unwind", "20", *mode).summary["bounds_hit"] == ["unwind"]
