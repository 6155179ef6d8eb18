"""Where paths multiply and nothing depends on which was taken, what is explored grows with the program alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.generated_programs import generate
from tests.support.power import LONG, some
from tests.support.runs import edges_of
from unfork.commands.run.run import Result, run
from unfork.options.options import Options
from unfork.reduce.prune.interpolation import payoff, table
from unfork.reduce.prune.interpolation.learn import COSTLY, IDLE
from unfork.reduce.prune.interpolation.payoff import Purse

BENCH = Path(__file__).parents[4] / "bench" / "programs"
EXAMPLES = Path(__file__).parents[4] / "examples"
QUIET = {"libc": "none", "merge": "none", "quiet": True, "no_progress": True, "search": ("dfs",)}


def diamonds(out: Path, count: int, other: int) -> Result:
    chosen = Options(out=str(out), prune="interpolate", define=(f"MAX={count}", f"OTHER={other}"), **QUIET)
    return run([EXAMPLES / "malloc_diamond.c"], chosen)


@pytest.mark.parametrize("other", [1, 2])
def test_diamonds_are_linear(other: int, tmp_path: Path) -> None:
    """2^40 paths, of which one is run, and a state per diamond is covered; what is asked does not grow."""
    for count in (10, 40):
        result = diamonds(tmp_path / str(count), count, other)
        assert result.verdict == "safe"
        assert result.summary["paths"]["completed"] == 1
        assert result.summary["paths"]["pruned"] == count
        assert result.summary["states"]["created"] <= 2 * count + 1
        prunes = result.summary["prunes"]
        assert prunes["size"] < 10 * prunes["stored"]


def test_a_failing_diamond_fails(tmp_path: Path) -> None:
    result = diamonds(tmp_path / "run", 12, 0)
    assert [one.kind for one in result.errors] == ["assert"]


def steps(out: Path, count: int) -> Result:
    return run(
        [BENCH / "state_chart.c"], Options(out=str(out), prune="interpolate", define=(f"STEPS={count}",), **QUIET)
    )


def test_interpolants_of_a_state_chart_stay_small(tmp_path: Path) -> None:
    """Each step asks for what all later ones do; said once, that is a dozen conditions."""
    result = steps(tmp_path / "run", 5)
    prunes = result.summary["prunes"]
    assert result.verdict == "safe"
    assert prunes["hits"] > 50
    assert prunes["size"] < 15 * prunes["stored"]


@LONG
def test_places_behind_narrow_paths_are_learnt_whole(tmp_path: Path) -> None:
    """A matcher: 1,878 paths, each of which knows much of the pattern; what is learnt does not depend on that.

    Nor does it depend on which branches got a number before a side of them was looked at: if sides that take settled
    edges were refused because these are new to who looks, there would be 397 states.
    """
    chosen = Options(out=str(tmp_path / "run"), prune="interpolate", define=("SIZE=6",), **QUIET)
    result = run([EXAMPLES / "regexp_safe.c"], chosen)
    prunes = result.summary["prunes"]
    assert result.verdict == "safe"
    assert len(edges_of(result)) == 28
    assert prunes["widened"] > 20
    assert result.summary["states"]["created"] < 250


def test_places_where_nothing_is_covered_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit costs covers, not errors, and the summary says how often it ended a search."""
    free = steps(tmp_path / "free", 3)
    monkeypatch.setattr(table, "FAILED", 2)
    monkeypatch.setattr(table, "FAILED_PER_HIT", 1)
    limited = steps(tmp_path / "limited", 3)
    assert IDLE not in free.summary["prunes"]["refused"]
    assert limited.summary["prunes"]["refused"][IDLE] > 0
    assert limited.summary["prunes"]["checks"] < free.summary["prunes"]["checks"]
    assert limited.verdict == free.verdict == "safe"
    assert edges_of(limited) == edges_of(free)


@pytest.mark.parametrize("seed", some(range(6), "random programs"))
def test_random_programs_agree(seed: int, tmp_path: Path) -> None:
    program = generate(seed, f"p{seed}")
    file = tmp_path / "p.c"
    file.write_text(program.text)
    plain = run([file], Options(out=str(tmp_path / "plain"), **QUIET))
    pruned = run([file], Options(out=str(tmp_path / "pruned"), prune="interpolate", **QUIET))
    assert pruned.verdict == plain.verdict
    assert {(one.kind, one.line) for one in pruned.errors} == {(one.kind, one.line) for one in plain.errors}
    assert edges_of(pruned) >= edges_of(plain)


UNWRITTEN = """
#include <stdio.h>
#include <string.h>
#include "unfork.h"
struct pair { char a; int b; };
int main(void) {
  unsigned char in[8];
  char part[9];
  int total = 0;
  unfork_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 8; i++) {
    struct pair own, copy;
    own.a = 1, own.b = 0;
    if (in[i] & 1) own.a = 2;
    memcpy(&copy, &own, sizeof own);
    part[i] = own.a;
    if (memcmp(&own, &copy, sizeof own) || part[i + 1] == 7) total = 1;
  }
  unfork_check(total < 2);
  return 0;
}
"""


def test_unwritten_bytes_may_be_anything(tmp_path: Path) -> None:
    """Padding is copied and compared, and what is not written yet decides: of either half of the states one is run."""
    source = tmp_path / "program.c"
    source.write_text(UNWRITTEN)
    result = run([source], Options(out=str(tmp_path / "run"), prune="interpolate", **QUIET))
    assert result.verdict == "safe"
    assert result.summary["prunes"]["unlearnt"] == {}
    assert result.summary["states"]["created"] < 60


PRINTED = """
#include <stdio.h>
#include "unfork.h"
int main(void) {
  unsigned char in[4];
  int total = 0;
  unfork_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 4; i++) {
    if (in[i] & 1) printf("odd %d\\n", i), total++;
    else puts("even");
  }
  unfork_check(total < 5);
  return 0;
}
"""


def test_what_is_printed_stops_no_learning(tmp_path: Path) -> None:
    """The C library's printf enters scopes of locals again and again."""
    source = tmp_path / "program.c"
    source.write_text(PRINTED)
    result = run([source], Options(out=str(tmp_path / "run"), prune="interpolate", **{**QUIET, "libc": "musl"}))
    assert result.verdict == "safe"
    assert result.summary["prunes"]["unlearnt"] == {}
    assert result.summary["paths"]["completed"] <= 8  # of 16


def test_learning_that_saves_nothing_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may cost a share of the run and no more; what is found is the same."""
    free = steps(tmp_path / "free", 4)
    monkeypatch.setattr(payoff, "FIRST", 0)
    monkeypatch.setattr(Purse, "saved", property(lambda self: 0, lambda self, value: None))
    limited = steps(tmp_path / "limited", 4)
    assert COSTLY not in free.summary["prunes"]["unlearnt"]
    assert limited.summary["prunes"]["unlearnt"][COSTLY] > 0
    assert limited.summary["prunes"]["stored"] < free.summary["prunes"]["stored"]
    assert limited.verdict == free.verdict == "safe"
    assert edges_of(limited) == edges_of(free)
