"""What a scan takes from a solver that gives up: nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.scan.functions import found_in
from unfork.execute.machine import Machine
from unfork.logic.chain import Chain
from unfork.logic.solver import FOREVER, Answer, Solver, Unknown
from unfork.logic.term import Term
from unfork.scan.certainty import Judge
from unfork.scan.siblings import Family
from unfork.wiring import scanning

PRODUCT = """
int at(unsigned kind, unsigned other) {
  static const int table[4] = {1, 2, 3, 4};
  return kind * other == 77 ? table[kind] : 0;
}
"""


class GivesUp:
    """A solver that does not know the answer to one question. Mutable: it counts."""

    def __init__(self, solver: Solver, position: int) -> None:
        self._solver = solver
        self._left = position

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        self._left -= 1
        return self._solver.check(constraints, timeout) if self._left else Unknown("no")

    def forget(self) -> None:
        self._solver.forget()

    def close(self) -> None:
        self._solver.close()


def test_what_the_solver_does_not_know_makes_nothing_certain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reasons = set[str]()
    for position in range(1, 9):

        def judge(family: Family, chain: Chain, machine: Machine, function: str, position: int = position) -> Judge:
            return Judge(family, Chain(GivesUp(chain.solver, position)), machine, function)

        monkeypatch.setattr(scanning, "Judge", judge)
        [found] = found_in(PRODUCT, "at", tmp_path / str(position))
        reasons.add(found.reason)
    assert reasons == {
        "it needs a value of kind that the code never tested",
        "the solver gave up on what numbers it needs",
    }
