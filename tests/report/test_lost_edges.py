"""An edge counts as covered if one path of the program takes it, whoever took it first, and has one test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unfork.api.run import run
from unfork.options import Options

PROGRAM = """
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


@pytest.mark.parametrize("tests", ["coverage", "errors"])
@pytest.mark.parametrize("search", ["dfs", "bfs"])
@pytest.mark.parametrize("operator", [">", "<="])
def test_what_fails_an_assumption_takes_no_edge_from_others(
    operator: str, search: str, tests: str, tmp_path: Path
) -> None:
    """Three of the four edges are on paths that end; who took them first may be on none."""
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    define = (f"OPERATOR={operator}",)
    result = run(
        [source],
        Options(
            merge="none",
            search=(search,),
            tests=tests,
            define=define,
            libc="none",
            quiet=True,
            out=str(tmp_path / "run"),
        ),
    )
    assert result.summary["paths"]["silent"] == 2
    assert result.summary["coverage"]["branches"] == {"covered": 3, "total": 4}
    said = [one for path in result.tests for one in json.loads(path.read_text())["branches"]]
    assert len(said) == len(set(said)) == (3 if tests == "coverage" else 0)
