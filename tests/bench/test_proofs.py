"""The obligations of bench/proofs.py: integers decide those that are not about bits, and asking in turn decides all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.proofs import Obligation, in_turn, obligations
from tests.support.power import every
from unfork.logic.integers.integer_solver import IntegerSolver
from unfork.logic.solve.route import BITS, InTurns
from unfork.logic.solve.solver import Answer, Sat, Unknown, Unsat
from unfork.logic.terms.evaluate import evaluate

STEPS = 2_000_000
OBLIGATIONS = obligations()
BIT_TRICKS = ("lowest_bit", "population")
TRICKY_MODELS = (*BIT_TRICKS, "masked_index, false")
"""Of these, integers say nothing, or by luck what is right."""


def check_answer(obligation: Obligation, answer: Answer) -> None:
    assert isinstance(answer, Unsat if obligation.holds else Sat)
    if isinstance(answer, Sat):
        assert all(evaluate(constraint, answer.model) for constraint in obligation.query)


@pytest.mark.parametrize("obligation", every([*OBLIGATIONS], 3), ids=lambda obligation: obligation.name)
def test_integers_decide_what_is_not_about_bits(obligation: Obligation) -> None:
    answer = IntegerSolver(STEPS).check(obligation.query)
    if not (isinstance(answer, Unknown) and obligation.name.startswith(TRICKY_MODELS)):
        check_answer(obligation, answer)


@pytest.fixture(scope="module")
def proving() -> Iterator[InTurns]:
    solver = in_turn()
    yield solver
    solver.close()


@pytest.mark.parametrize("obligation", every([*OBLIGATIONS], 3), ids=lambda obligation: obligation.name)
def test_in_turn_all_are_decided(proving: InTurns, obligation: Obligation) -> None:
    check_answer(obligation, proving.check(obligation.query, 60.0))
    if obligation.name.startswith(BIT_TRICKS):
        assert proving.decided_by == BITS
