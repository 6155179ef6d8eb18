"""Soundness bugs, seeded on purpose in joins: each is caught by --audit alone, in runs of C programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.reduce.merge import test_seeded_bugs as seeded
from tests.reduce.merge.small_states import summary_join
from unfork.commands.run.run import Result, run
from unfork.engine.state.state import State
from unfork.logic.solve.solver import FOREVER
from unfork.logic.solve.z3 import Z3Solver
from unfork.options.options import Options
from unfork.reduce.audit.audited_join import JoinClaim
from unfork.reduce.audit.prove import ObligationOutcome, Prover
from unfork.reduce.merge import states

PROGRAM = """
#include <stdlib.h>
#include "unfork.h"
static int total, table[4];
static int digits(unsigned n) { int d = 1; while (n > 9) { n /= 10; d++; } return d; }
int main(void) {
  unsigned char x, y, z;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  char *block = 0;
  int level = 3;
  if (x < 5) {
    block = malloc(2);
    if (!block) return 0;
    block[0] = 7;
    block[1] = (char)y;
    level = 1;
    if (y > 100) total = 9;
  } else {
    unfork_symbolic(&z, sizeof z, "z");
    table[2] = 5;
    total = z;
  }
  total += digits(y);
  unfork_check(total >= 1 && level != 2);
  if (block) total += block[0];
  free(block);
  return total + table[2] + level;
}
"""


def audited(tmp_path: Path, **more: object) -> Result:
    """The program, joined wherever two states wait, and audited."""
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    chosen = {"merge": "dynamic", "similar": "always", **more}
    return run([source], Options(audit=True, libc="none", quiet=True, out=str(tmp_path / "run"), **chosen))  # type: ignore[arg-type]


def inputs_of_both_sides(patch: pytest.MonkeyPatch) -> None:
    """Inputs of one side are asked for on both."""
    patch.setattr(states, "_under", lambda one, side, shared: one)


def path_of_the_first_side(patch: pytest.MonkeyPatch) -> None:
    """The second side is forgotten: every value is still as it was."""
    patch.setattr(states, "joined_path", lambda a, rest, conditions, origin: a)


OVERLAPPING = [seeded.guard_per_variable, seeded.first_conjunct_as_guard]
"""Bugs that need states whose paths overlap, which forks do not make: for these, small states."""
SEEDED: list[Callable[[pytest.MonkeyPatch], None]] = [
    *[one for one in seeded.SEEDED if one not in OVERLAPPING],
    inputs_of_both_sides,
    path_of_the_first_side,
]


def endings_of_pairs() -> Counter[ObligationOutcome]:
    """What becomes of the obligations of joins of small states that between them need every part of a join."""
    found: Counter[ObligationOutcome] = Counter()
    prover = Prover(Z3Solver(), FOREVER)
    for a, b in seeded.pairs():
        made = summary_join().join(a, b)
        assert isinstance(made, State)
        found.update(prover.prove(list(JoinClaim((a, b), made).obligations())))
    return found


@pytest.mark.parametrize("join", ["summary", "ite", "abstract:interval", "havoc"])
@pytest.mark.parametrize("solver", ["bitwuzla", "z3"])
def test_joins_are_proved_by_the_other_solver(join: str, solver: str, tmp_path: Path) -> None:
    result = audited(tmp_path, join=join, solver=solver)
    audit = result.summary["audit"]
    assert audit["solver"] == {"bitwuzla": "z3", "z3": "bitwuzla"}[solver]
    assert audit["joins"] == result.summary["merges"]["done"] > 3
    assert audit["proved"] > 20
    assert (audit["failed"], audit["unknown"], audit["left_out"], audit["failures"]) == (0, 0, 0, [])


@pytest.mark.parametrize("seed", SEEDED, ids=[seed.__name__ for seed in SEEDED])
def test_a_seeded_bug_fails_the_audit(
    seed: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(monkeypatch)
    result = audited(tmp_path)
    audit = result.summary["audit"]
    assert audit["failed"] > 0
    assert result.verdict != "safe"
    assert result.exit_status in (1, 3)


def test_joins_of_small_states_are_proved() -> None:
    endings = endings_of_pairs()
    assert endings.keys() == {ObligationOutcome.PROVED}
    assert endings[ObligationOutcome.PROVED] > 20


@pytest.mark.parametrize("seed", seeded.SEEDED, ids=[seed.__name__ for seed in seeded.SEEDED])
def test_a_seeded_bug_fails_on_small_states(
    seed: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(monkeypatch)
    assert endings_of_pairs()[ObligationOutcome.FAILED] > 0
