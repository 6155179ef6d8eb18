"""Pruners that are wrong on purpose are caught: by their claims, and by states that are explored after all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from unfork.commands.run import run as runs
from unfork.engine.state.memory import Memory
from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol
from unfork.options.options import Options
from unfork.reduce.audit.again import LEAST, SHARE, Loss, Sample
from unfork.reduce.audit.claim import AuditObligation, equal

PROGRAM = """
#include "unfork.h"
static volatile int seen;
int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  int steps = 0;
  while (x > 1 && steps < 30) { x /= 2; steps++; }
  unfork_check(steps != LIMIT);
  if (steps > 9) seen = 1;
  return steps;
}
"""

FLAGS = """
#include "unfork.h"
int main(void) {
  unsigned char x, y, z;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  unfork_symbolic(&z, 1, "z");
  unsigned count = x > 100 ? 7 : x, flag = 0;
  for (int i = 0; i < 3; i++) {
    if (y & (1 << i)) flag = 1;
    if (z & (1 << i)) flag = 1;
  }
  unfork_check(count + flag <= 101);
  return 0;
}
"""


class Cover:
    """A reason that claims what ``conclusion`` says of every input above 3."""

    def __init__(self, conclusion: int) -> None:
        self._conclusion = conclusion

    def __str__(self) -> str:
        return "for the test"

    def obligations(self) -> Iterator[AuditObligation]:
        x = symbol("x", 32)
        above = build.ult(3, x, 32)
        assert isinstance(above, Term)
        yield AuditObligation("the input", (above,), build.ult(self._conclusion, x, 32))
        yield AuditObligation("the input itself", (above,), equal(x, x, 32))


class Pruner:
    """Covers every state with some forks behind it, for one reason."""

    def __init__(self, cover: object) -> None:
        self._cover = cover

    def cover(self, state: State) -> object | None:
        return self._cover if state.depth >= 3 else None

    def learn(self, node: int) -> None:
        return None


def pruned(tmp_path: Path, patch: pytest.MonkeyPatch, cover: object, limit: int) -> runs.Result:
    """A run that prunes so."""
    patch.setattr("unfork.reduce.prune.pruned.NoPruning", lambda: Pruner(cover))
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    define = (f"LIMIT={limit}",)
    out = str(tmp_path / "run")
    return runs.run([source], Options(audit=True, search=("dfs",), libc="none", quiet=True, define=define, out=out))


def test_an_error_that_pruning_hides_fails_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = pruned(tmp_path, monkeypatch, Cover(2), 10)
    audit = result.summary["audit"]
    assert audit["pruned"] == audit["explored_again"] == result.summary["paths"]["pruned"] == 2
    assert audit["failed"] == 1
    (failure,) = audit["failures"]
    assert failure["what"].startswith("assert at ")
    assert failure["what"].endswith("program.c:9, which nothing else finds")
    assert (result.verdict, result.exit_status, result.errors) == ("unknown", 3, ())
    assert "audit: " in (result.directory / "warnings.txt").read_text()


def test_what_is_explored_again_covers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = pruned(tmp_path, monkeypatch, Cover(2), 100)
    audit = result.summary["audit"]
    assert (audit["explored_again"], audit["failed"]) == (2, 0)
    assert audit["proved"] > 0
    covered = result.summary["coverage"]["branches"]
    assert covered["covered"] < covered["total"]
    assert result.verdict == "safe"


def test_claims_are_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = pruned(tmp_path, monkeypatch, Cover(7), 100)
    audit = result.summary["audit"]
    assert [one["what"] for one in audit["failures"]] == ["the input"] * 2
    assert result.verdict == "unknown"


def test_a_reason_that_claims_nothing_is_not_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audit = pruned(tmp_path, monkeypatch, "no claim", 100).summary["audit"]
    assert (audit["unknown"], audit["failed"]) == (2, 0)


@pytest.mark.parametrize("prune", ["subsume", "interpolate"])
def test_covers_of_the_pruners_are_proved(prune: str, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(FLAGS)
    out = str(tmp_path / "run")
    options = Options(audit=True, merge="none", prune=prune, search=("bfs",), libc="none", quiet=True, out=out)
    result = runs.run([source], options)
    audit = result.summary["audit"]
    assert result.verdict == "safe"
    assert audit["pruned"] > 0
    assert (audit["failed"], audit["unknown"]) == (0, 0)
    assert audit["proved"] > audit["explored_again"] >= min(audit["pruned"], LEAST)


@pytest.mark.parametrize("offered", [0, 1, LEAST, LEAST * SHARE, LEAST * SHARE + 1, 5 * LEAST * SHARE + 7])
def test_enough_states_are_kept(offered: int) -> None:
    sample = Sample()
    for _ in range(offered):
        sample.offer(State.begin(Memory()), Loss.EDGES)
    assert len(sample.kept) >= min(offered, LEAST)
    assert len(sample.kept) * SHARE >= offered
    assert len(sample.kept) <= max(LEAST, offered // SHARE + 1)
