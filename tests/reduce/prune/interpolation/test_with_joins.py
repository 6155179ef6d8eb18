"""Interpolation beside merging: with every exact join, under every schedule, it loses nothing; others are refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bench.agreement import seen
from tests.support.power import IS_FULL, paired
from unfork.cli import main, parse
from unfork.commands.run import run as runs
from unfork.options.options import EXACT_JOINS, JOINS, Options

MARKED = """
#include <assert.h>
#include "unfork.h"
static int total;
static int rounded(unsigned char x) {
  if (x > 100)
    return 2;
  return 1;
}
int main(void) {
  unsigned char in[6];
  unfork_symbolic(in, sizeof in, "in");
  int last = 0, kept[4] = {1, 2, 3, 4};
  unfork_merge_begin();
  if (in[0] & 1)
    total = 3;
  unfork_merge_end();
  int step = rounded(in[1]);
  /*@ merge_proc HOW; @*/
  {
    if (in[2] == 7)
      total += step;
  }
  for (int i = 3; i < 6; ++i)
    if (in[i] > 9)
      last = i;
  assert(total != 5 || in[2] != 7);
  assert(kept[last & 3] + total != 6);
  return 0;
}
"""
SCHEDULES = ("static", "all", "function", "marked", "dynamic")
SIMILARITIES = ("qce", "live", "always")


def test_every_exact_join_composes_under_every_schedule(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(MARKED.replace("HOW", "ite"))

    def chosen(name: str, *words: str) -> Options:
        return parse([*words, "--libc", "none", "--search", "dfs", "--quiet", "--out", str(tmp_path / name)])[1]

    first = runs.run([source], chosen("plain", "--merge", "none"))
    plain = seen(first)
    assert len(plain.errors) == 2
    both: set[str] = set()
    ways = [*product(EXACT_JOINS, SIMILARITIES[1:2]), *product(("summary",), ("qce", "always"))]
    for merge, (join, similar) in paired(SCHEDULES, ways):
        words = ("--prune", "interpolate", "--audit", "--merge", merge, "--join", join, "--similar", similar)
        found = seen(runs.explore([source], first.program, chosen(f"{merge}-{join}-{similar}", *words)))
        assert (found.errors, found.alarms, found.verdict) == (plain.errors, plain.alarms, plain.verdict), words
        assert found.edges == plain.edges, words
        assert found.audit[1:] == (0, 0), words
        assert found.joins > 0, words
        if found.hits:
            both.add(merge)
    assert both >= {"static", "all", "dynamic", *(["marked"] if IS_FULL else [])}
    assert set(JOINS) - set(EXACT_JOINS) == {"havoc", "abstract:inferred"}


INEXACT = ("havoc", "abstract:sign", "abstract:interval,parity", "abstract:total:boolean", "abstract:conjunctive")


@pytest.mark.parametrize("join", INEXACT)
@pytest.mark.parametrize("merge", [*SCHEDULES, None])
def test_joins_that_forget_are_refused(
    join: str, merge: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(MARKED.replace("HOW", "ite"))
    words = ["--prune", "interpolate", "--join", join, *(["--merge", merge] if merge else [])]
    assert main(["run", "p.c", *words]) == 2
    said = capsys.readouterr()
    assert said.err == f"unfork: --prune: interpolate needs joins that are exact: --join {join} forgets values\n"
    assert not said.out
    assert not list(tmp_path.glob("unfork-*"))


@pytest.mark.parametrize("how", ["havoc", "sign", "abstract:interval"])
def test_annotations_that_forget_are_refused(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless nothing is joined."""
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(MARKED.replace("HOW", how))
    words = ["run", "p.c", "--prune", "interpolate", "--libc", "none", "--quiet"]
    assert main([*words, "--merge", "dynamic"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"unfork: p.c:19: merge_proc {how} forgets values: --prune interpolate needs exact joins"
    assert main([*words, "--merge", "none"]) == 1
