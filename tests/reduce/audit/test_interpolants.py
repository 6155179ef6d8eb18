"""Interpolants that are wrong on purpose are caught although every state that they cover is harmless."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reduce.prune.interpolation import test_seeded_bugs as seeded
from unfork.commands.run.run import Result, run
from unfork.options.options import Options
from unfork.reduce.audit import again

PROGRAM = """
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"
static volatile int sink;
struct pair { int first, second; };
int main(void) {
  unsigned char way, noise, size;
  unfork_symbolic(&way, 1, "way");
  unfork_symbolic(&noise, 1, "noise");
  unfork_symbolic(&size, 1, "size");
  int limit = 9, table[4] = {1, 2, 3, 4}, *cells = table;
  struct pair *pair = malloc(sizeof *pair);
  pair->first = 7;
  if (way > 100) limit = 10;
  if (noise & 1) sink = 1; else sink = 2;
  if (noise & 2) sink = 3;
  assert((size & 7) < limit);
  assert(table[size & 3] < 5);
  if (size & 8) assert(cells[0] == 1);
  else assert(pair->first == 7);
  return 100 / limit > 50;
}
"""
MISTAKES = (
    seeded.forget_what_must_stay_false,
    seeded.forget_ends,
    seeded.forget_disjunctions,
    seeded.forget_registers,
    seeded.forget_memory,
    seeded.forget_which_cell,
    seeded.take_checks_for_granted,
)


def audited(tmp_path: Path, **more: object) -> Result:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    chosen = {"merge": "none", "search": ("dfs",), "prune": "interpolate", "libc": "none", "quiet": True, **more}
    return run([source], Options(audit=True, out=str(tmp_path / "run"), **chosen))  # type: ignore[arg-type]


@pytest.mark.parametrize("libc", ["none", "musl"])
def test_what_is_right_is_proved(libc: str, tmp_path: Path) -> None:
    result = audited(tmp_path, libc=libc)
    audit = result.summary["audit"]
    assert result.verdict == "safe"
    assert (audit["failed"], audit["unknown"]) == (0, 0)
    assert audit["freest"] > 0


@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.__name__ for one in MISTAKES])
def test_a_wrong_interpolant_fails(mistake: seeded.Mistake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake(monkeypatch)
    result = audited(tmp_path)
    audit = result.summary["audit"]
    assert audit["failed"] > 0
    assert all("of what was learnt at node" in one["what"] for one in audit["failures"])
    assert (result.verdict, result.errors) == ("unknown", ())


def test_what_takes_too_long_is_not_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "STEPS_OF_FREEST", 0)
    audit = audited(tmp_path).summary["audit"]
    assert audit["unknown"] == audit["freest"] > 0
