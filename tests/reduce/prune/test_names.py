"""Blocks match under other names until the program looks at addresses; joins and covers work together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS as CORPUS
from tests.support.corpus import read
from tests.support.power import paired
from tests.support.runs import errors_of, explore
from unfork.commands.run.run import Result, run
from unfork.options.options import Options

PROGRAMS = Path(__file__).parent / "programs"
MOVING = """
#include <stdint.h>
#include <stdlib.h>
#include "unfork.h"
static int hash(int *p) { return (int)(((uintptr_t)p >> 40) % 3); }
int main(void) {
  int *p = malloc(4), seen = 0;
  *p = 0;
  EARLY
  for (int i = 0; i < 4; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x & 1) {
      int *q = malloc(4);
      *q = *p;
      free(p);
      p = q;
    }
  }
  LATE
  unfork_check(seen < 3);
  return *p;
}
"""


def moved(tmp_path: Path, early: str, late: str, search: str = "dfs") -> Result:
    source = tmp_path / "moving.c"
    source.write_text(MOVING)
    define = (f"EARLY={early}", f"LATE={late}")
    covering = Options(prune="subsume", search=(search,), libc="none", quiet=True, define=define)
    return run([source], replace(covering, out=str(tmp_path / "run")))


def test_blocks_match_under_other_names(tmp_path: Path) -> None:
    result = moved(tmp_path, "", "")
    assert result.summary["paths"]["completed"] == 1
    assert result.verdict == "safe"


def test_names_count_once_addresses_are_looked_at(tmp_path: Path) -> None:
    result = moved(tmp_path, "seen = hash(p);", "")
    assert result.summary["paths"]["completed"] == 5  # as many as there are names at the end
    assert result.summary["prunes"]["refused"]["different names"] > 0
    assert result.verdict == "safe"


def test_who_looks_too_late_is_told(tmp_path: Path) -> None:
    result = moved(
        tmp_path, "", "seen = hash(p);", "bfs"
    )  # depth first, the first path looks before others are covered
    assert result.summary["prunes"]["under"] > 0
    assert result.verdict == "bounded"


@pytest.mark.parametrize(
    ("name", "merge"),
    paired(["toggle_bug", "queue_bug", "freed_bug", "blocks_come_and_go_bug"], ["dynamic", "static"]),
)
def test_joined_states_are_covered_too(name: str, merge: str, tmp_path: Path) -> None:
    program = read(PROGRAMS / f"{name}.c")
    result = explore(program, tmp_path / "run", "--prune", "subsume", "--merge", merge, "--libc", "none")
    assert errors_of(result) == program.errors
    assert not result.alarms
    assert result.summary["merges"]["done"] + result.summary["prunes"]["hits"] > 0
    assert result.summary["prunes"]["checks"] > 0


def test_terms_in_what_the_library_remembers_are_not_unfolded(tmp_path: Path) -> None:
    """A term of shared parts has exponentially many as a tree."""
    result = explore(read(CORPUS / "sym_env" / "copy_fixed.c"), tmp_path / "run", "--strategy", "match")
    assert result.verdict == "safe"
