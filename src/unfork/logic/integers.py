"""A solver that reads bit-vectors as mathematical integers: for proofs about indices, sums and divisibility."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from unfork.logic.affine import Knowledge, Range
from unfork.logic.dialect import Assignment, IntegerDialect, Node
from unfork.logic.effort import Effort
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.integer_encode import IntegerEncoder, Untranslatable
from unfork.logic.integer_use import unsigned_symbols
from unfork.logic.solver import FOREVER, NO_LIMIT, Answer, Sat, Unknown, Unsat
from unfork.logic.term import Term
from unfork.logic.z3 import Z3Integers

_ROUNDS = 3
"""How often a query is read at most to learn ranges from it, before it is written."""


class Integers(IntegerDialect[Node], Protocol[Node]):
    """A solver of conditions on integers."""

    def decide(self, conditions: Sequence[Node], timeout: float) -> Assignment | Unsat | Unknown:
        """Whether all of the conditions can hold at once."""


class _Nothing:
    """A dialect that writes nothing: for reading a query."""

    def apply(self, operator: str, args: Sequence[None]) -> None:
        """No expression."""

    def integer(self, value: int) -> None:
        """No expression."""

    def unknown(self, number: int) -> None:
        """No expression."""

    def truth(self, number: int) -> None:
        """No expression."""


class IntegerSolver:
    """Integers in Z3, in this process. ``steps`` and ``timeout`` are as for Z3Solver.

    Unsat is exact. A model is checked against the constraints before it is handed out. Unknown at once for what takes
    bit tricks or floats.
    """

    def __init__(self, steps: int = NO_LIMIT, effort: Effort | None = None) -> None:
        self._steps = steps
        self.effort = Effort() if effort is None else effort

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """Whether the constraints can hold at once."""
        return decided(Z3Integers(self._steps, self.effort), constraints, timeout)

    def forget(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing to let go of."""


def decided(solver: Integers[Node], constraints: Sequence[Term], timeout: float) -> Answer:
    """The answer of a new solver of integers."""
    unsigned = unsigned_symbols(constraints)
    try:
        knowledge = _learnt(constraints, unsigned)
        encoder = IntegerEncoder(solver, knowledge, unsigned)
        conditions = [encoder.condition(constraint).node for constraint in constraints]
    except Untranslatable as error:
        return Unknown(f"integers do not say {error}")
    answer = solver.decide([*conditions, *encoder.arithmetic.assertions()], timeout)
    if not isinstance(answer, Assignment):
        return answer
    model = _model(encoder, answer, constraints)
    if all(evaluate(constraint, model) for constraint in constraints):
        return Sat(model)
    return Unknown("the integers found are no model")


def _learnt(constraints: Sequence[Term], unsigned: frozenset[Term]) -> Knowledge:
    """What the constraints say of sums, read until they say nothing new."""
    knowledge = Knowledge()
    for _ in range(_ROUNDS):
        before = knowledge.news
        encoder = IntegerEncoder(_Nothing(), knowledge, unsigned)
        for constraint in constraints:
            for sum in encoder.condition(constraint).holds:
                low = knowledge.values(sum).low
                if low <= 0:
                    knowledge.learn(sum, Range(low, 0))
        if knowledge.news == before:
            break
    return knowledge


def _model(encoder: IntegerEncoder[Node], found: Assignment, constraints: Sequence[Term]) -> Model:
    """The values of all symbols that the constraints mention."""
    values: dict[Term, int] = {}
    for symbol in frozenset().union(*[constraint.symbols for constraint in constraints]):
        if symbol.width == 1:
            values[symbol] = int(found.truths.get(encoder.truths.get(symbol, -1), False))
        else:
            values[symbol] = found.integers.get(encoder.integers.get(symbol, -1), 0) & (1 << symbol.width) - 1
    return Model(values)
