"""A run directory says of each covered state who covers it, under which names, and what it had to meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.cli import main
from unfork.commands.run.run import Result, run
from unfork.options.options import Options

PROGRAM = """
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"
int main(void) {
  char more, way;
  unfork_symbolic(&more, sizeof more, "more");
  unfork_symbolic(&way, sizeof way, "way");
  int count = 1;
  int *block;
  if (more) {
    char *extra = malloc(8);
    extra[0] = more;
    free(extra);
    block = malloc(sizeof *block);
  } else {
    block = malloc(sizeof *block);
  }
  *block = 3;
  for (int i = 0; i < 3; ++i)
    if (way & 1 << i)
      count = 2;
  assert(*block + count < 6);
  free(block);
  return 0;
}
"""


def result(tmp_path: Path, prune: str) -> Result:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    chosen = Options(
        merge="none", search=("dfs",), prune=prune, libc="none", quiet=True, no_progress=True, out=str(tmp_path / "run")
    )
    return run([source], chosen)


@pytest.mark.parametrize("prune", ["interpolate", "subsume"])
def test_who_covers_whom_is_shown(prune: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(tmp_path, prune)
    covered = found.summary["paths"]["pruned"]
    assert covered > 0
    root = str(found.directory)
    assert main(["show", root]) == 0
    text = capsys.readouterr().out
    line = next(line for line in text.splitlines() if line.startswith("pruning: "))
    assert line.startswith(f"pruning: {covered} of ")
    assert "states that cover most others:" in text
    main(["show", root, "--dot", str(tmp_path / "graph.dot")])
    drawn = (tmp_path / "graph.dot").read_text()
    dashed = [line.split() for line in drawn.splitlines() if "dashed" in line]
    assert len(dashed) == covered
    for one, _, other, *_ in dashed:
        main(["show", root, one[1:]])
        told = capsys.readouterr().out
        assert f"ended: covered at {tmp_path / 'program.c'}:" in told
        assert f"  covered by state {other[1:]}" in told
        assert ("what was learnt there asks for" in told) == (prune == "interpolate")
        main(["show", root, other[1:]])
        assert f": {one[1:]}\n" in capsys.readouterr().out.replace(", ", ": ")


def test_conditions_and_names_are_those_of_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(tmp_path, "interpolate")
    main(["show", str(found.directory), "--dot", str(tmp_path / "graph.dot")])
    drawn = (tmp_path / "graph.dot").read_text()
    told = []
    for line in drawn.splitlines():
        if "dashed" in line:
            main(["show", str(found.directory), line.split()[0][1:]])
            told.append(capsys.readouterr().out)
    assert any("malloc" in one and "main:count" in one for one in told)
    assert any("with objects " in one for one in told)
    assert "main:count" in drawn


def test_a_directory_without_a_graph_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(tmp_path), "--dot", str(tmp_path / "graph.dot")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "graph.dot").exists()
