"""Runs with joins that forget: never a wrong safe, never an error that does not replay, no test that is not true."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reduce.merge.test_merging import CHOSEN
from tests.support.corpus import PROGRAMS, read
from tests.support.power import some
from tests.support.runs import errors_of, explore, written
from unfork.commands.afterwards.replay import Session
from unfork.commands.run.run import Result
from unfork.report.record.kept_run import read_test

HOW = ("abstract:sign", "abstract:interval", "abstract:parity,boolean", "havoc")

DIST = """
int dist(int x, int y) {
  HERE
  if (y < x) {
    int tmp = x;
    x = y;
    y = tmp;
  }
  return y - x;
}
int main(void) {
  int x, y;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  unfork_assume(BOTH);
  unfork_check(dist(x, y) >= 0);
  return 0;
}
"""


def dist(annotation: str | None = None) -> str:
    """Scheurer16's program of two branches; an annotation marks the only place to join."""
    if annotation is None:
        return DIST.replace("  HERE\n", "").replace("BOTH", "x > 0 && y > 0")
    return DIST.replace("HERE", f"/*@ {annotation} @*/").replace("BOTH", "(x > 0) & (y > 0)")


def check(result: Result) -> None:
    """Every test ends as it says, and the edges that count as covered are those that tests cover."""
    assert all(found.replayed for found in result.errors)
    named = [(path.name, read_test(path)) for path in result.tests]
    report = Session(result.directory, result.summary).engine(named)
    assert all(row.expected is None or row.expected == row.ended for row in report.rows)


@pytest.mark.parametrize("name", some(CHOSEN, "never wrong", count=3))
def test_abstract_joins_are_never_wrong(name: str, tmp_path: Path) -> None:
    program = read(PROGRAMS / f"{name}.c")
    for number, how in enumerate(HOW):
        for merge in ("static", "dynamic"):
            mode = ("--merge", merge, "--join", how, "--similar", "always", "--max-time", "300")
            result = explore(program, tmp_path / f"{number}{merge}", *mode)
            assert errors_of(result) <= program.errors, how
            assert result.verdict in (program.verdict, "unknown"), how
            if program.errors:
                assert result.verdict != "safe", how
            check(result)


def ran(tmp_path: Path, source: str, **choices: object) -> Result:
    plain = {"merge": "static", "similar": "always", "libc": "none"}
    file = written('#include "unfork.h"\n' + source, tmp_path, "p.c")
    out = choices.pop("out", tmp_path / "run")
    return explore(file, Path(str(out)), **{**plain, **choices})


SIGNED = """
int main(void) {
  int x, y;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 5)
    y = 1;
  else
    y = 3;
  unfork_check(y > 0);
  if (y == 2)
    return 5;
  return 0;
}
"""


def test_a_domain_proves_what_havoc_does_not(tmp_path: Path) -> None:
    assert ran(tmp_path, SIGNED, join="abstract:sign", out=str(tmp_path / "sign")).verdict == "safe"
    result = ran(tmp_path, SIGNED, join="havoc", out=str(tmp_path / "havoc"))
    assert result.verdict == "unknown"
    assert [found.line for found in result.alarms] == [10]
    assert not result.errors


def test_what_no_replay_covers_is_not_covered(tmp_path: Path) -> None:
    """The abstract state goes on to y == 2, where no run of the program comes."""
    result = ran(tmp_path, SIGNED, join="abstract:interval")
    assert result.verdict == "safe"
    assert result.summary["coverage"]["branches"] == {"covered": 3, "total": 4}
    check(result)
    assert not any("exit 5" in str(read_test(path).expect) for path in result.tests)
    plain = ran(tmp_path, SIGNED, merge="none", out=str(tmp_path / "plain"))
    assert plain.summary["coverage"]["branches"] == result.summary["coverage"]["branches"]


@pytest.mark.parametrize("tests", ["coverage", "paths", "errors"])
def test_tests_of_states_that_stand_for_too_much_are_true(tests: str, tmp_path: Path) -> None:
    check(ran(tmp_path, SIGNED, join="havoc", tests=tests))


def test_an_input_may_be_called_as_what_was_forgotten(tmp_path: Path) -> None:
    """What is known of one says nothing of the other."""
    source = """
    int main(void) {
      int x, y, z;
      unfork_symbolic(&x, sizeof x, "x");
      if (x > 5)
        y = 3;
      else
        y = 1;
      unfork_symbolic(&z, sizeof z, "forgotten#NUMBER");
      if (z == 100)
        if (y == 3)
          return 1 / (z - 100);
      return 0;
    }
    """
    for number in range(1, 4):
        out = str(tmp_path / str(number))
        result = ran(tmp_path, source.replace("NUMBER", str(number)), join="havoc", merge="all", out=out)
        assert result.summary["merges"]["done"]
        assert result.verdict in ("unsafe", "unknown")
