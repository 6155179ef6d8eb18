"""Verification stops at the first error (--max-errors 1), testing goes on: in both, interpolation hides none."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.agreement import look
from tests.reduce.prune.interpolation.test_nothing_is_lost import PROGRAMS
from tests.support.corpus import Expected
from tests.support.runs import edges_of, errors_of, explore
from unfork.cli import main
from unfork.commands.run.run import Result, run
from unfork.options.options import Options

SEVERAL = [one for one in PROGRAMS if len(one.errors) > 1]
MODES = (
    ("none", "", "", "dfs", "interpolate"),
    ("none", "", "", "bfs", "interpolate"),
    ("none", "", "", "random-path", "interpolate"),
    ("dynamic", "summary", "always", "dfs", "interpolate"),
    ("static", "summary", "always", "", "interpolate"),
)
LATE = ("second_return_bug", "counter_bug", "other_side_bug")
"""Depth first, states are covered there before the error is found."""
FIXED = """
#include <assert.h>
#include "unfork.h"
int main(void) {
  unsigned char way, noise[6];
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(noise, sizeof noise, "noise");
  int limit = 9, seen = 0;
  if (way == 7)
    limit = LIMIT;
  for (int i = 0; i < 6; ++i)
    if (noise[i] > 9)
      seen = i;
  assert(seen < limit);
  return 0;
}
"""


@pytest.mark.parametrize("program", SEVERAL, ids=[one.path.stem for one in SEVERAL])
def test_the_first_of_several_is_enough(program: Expected, tmp_path: Path) -> None:
    built = None
    for number, mode in enumerate(MODES):
        result = look(program, built, mode, ("--libc", "none", "--max-errors", "1"), tmp_path / str(number))
        built = result.program
        assert errors_of(result)
        assert errors_of(result) <= program.errors
        assert all(one.replayed for one in result.errors)
        assert not result.alarms
        assert (result.verdict, result.exit_status) == ("unsafe", 1)
        assert (result.summary["stopped_by"] == "max-errors") or errors_of(result) == program.errors


@pytest.mark.parametrize("name", LATE)
def test_states_were_covered_before(name: str, tmp_path: Path) -> None:
    (program,) = [one for one in PROGRAMS if one.path.stem == name]
    words = ("--libc", "none", "--prune", "interpolate", "--max-errors", "1", "--merge", "none", "--search", "dfs")
    result = explore(program, tmp_path / "run", *words)
    assert errors_of(result) == program.errors
    assert result.summary["prunes"]["hits"] > 0
    assert result.exit_status == 1
    (found,) = result.errors
    assert main(["replay", str(result.directory / found.test)]) == 0


def looked(out: Path, limit: int, **more: object) -> Result:
    source = out.with_suffix(".c")
    source.write_text(FIXED)
    chosen = {"merge": "none", "search": ("dfs",), "libc": "none", "quiet": True, **more}
    return run([source], Options(out=str(out), prune="interpolate", define=(f"LIMIT={limit}",), **chosen))  # type: ignore[arg-type]


def test_a_bound_on_errors_changes_nothing_where_there_are_none(tmp_path: Path) -> None:
    """Nor does it where a path that was explored before failed nowhere, and an error comes late."""
    free = looked(tmp_path / "free", 6)
    bounded = looked(tmp_path / "bounded", 6, max_errors=1)
    assert (free.verdict, bounded.verdict, bounded.exit_status) == ("safe", "safe", 0)
    assert bounded.summary["prunes"]["hits"] == free.summary["prunes"]["hits"] > 6
    assert edges_of(bounded) == edges_of(free)
    late = looked(tmp_path / "late", 5, max_errors=1)
    assert (late.verdict, late.exit_status, late.summary["stopped_by"]) == ("unsafe", 1, "max-errors")
