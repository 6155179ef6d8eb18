"""The cvc5 solver, on bit-vectors and on integers: an optional extra. A fresh solver per query."""

from __future__ import annotations

from collections.abc import Sequence

import cvc5
from cvc5 import Kind

from unfork.logic.dialect import Assignment
from unfork.logic.effort import Effort
from unfork.logic.encode import Encoder
from unfork.logic.evaluate import Model
from unfork.logic.integers import decided
from unfork.logic.solver import FOREVER, NO_LIMIT, Answer, Sat, Unknown, Unsat
from unfork.logic.term import Term

_VECTORS = (
    "not",
    "neg",
    "and",
    "or",
    "xor",
    "add",
    "udiv",
    "urem",
    "sdiv",
    "srem",
    "shl",
    "lshr",
    "ashr",
    "ult",
    "slt",
)
_KINDS: dict[str, Kind] = {
    **{op: getattr(Kind, op.upper()) for op in ("not", "and", "or", "xor", "ite")},
    "=>": Kind.IMPLIES,
    "=": Kind.EQUAL,
    "<=": Kind.LEQ,
    "+": Kind.ADD,
    "*": Kind.MULT,
    **{"bv" + op: getattr(Kind, "BITVECTOR_" + op.upper()) for op in _VECTORS},
    "bvmul": Kind.BITVECTOR_MULT,
    **{op: getattr(Kind, "BITVECTOR_" + op.upper()) for op in ("concat", "extract", "zero_extend", "sign_extend")},
}
_SIMPLEST = ("true", "false")
_EXPRESSIONS = 100_000
_RESOURCES_PER_TICK = 100
"""cvc5's count while Bitwuzla ticks once, roughly."""


class _RefusedOperator(Exception):
    """An operator that is not asked of cvc5 here: those of floats."""


class _Expressions:
    """cvc5's way to write expressions."""

    def __init__(self) -> None:
        self.manager = cvc5.TermManager()
        self._variables: dict[tuple[str, int], cvc5.Term] = {}

    def apply(self, operator: str, args: Sequence[cvc5.Term], indices: Sequence[int] = ()) -> cvc5.Term:
        """An operator of SMT-LIB by its name there."""
        if operator in _SIMPLEST:
            return self.manager.mkBoolean(operator == "true")
        kind = _KINDS.get(operator)
        if kind is None:
            raise _RefusedOperator(operator)
        return self.manager.mkTerm(self.manager.mkOp(kind, *indices) if indices else kind, *args)

    def bits(self, value: int, width: int) -> cvc5.Term:
        """A bit-vector constant."""
        return self.manager.mkBitVector(width, str(value), 10)

    def variable(self, name: str, width: int) -> cvc5.Term:
        """The variable of a symbol."""
        variable = self._variables.get((name, width))
        if variable is None:
            variable = self._variables[name, width] = self.fresh(width)
        return variable

    def fresh(self, width: int) -> cvc5.Term:
        """A variable that nothing else mentions."""
        return self.manager.mkConst(self.manager.mkBitVectorSort(width))


def _solver(manager: cvc5.TermManager, logic: str) -> cvc5.Solver:
    solver = cvc5.Solver(manager)
    solver.setOption("produce-models", "true")
    solver.setLogic(logic)
    return solver


def _decided(
    solver: cvc5.Solver, conditions: Sequence[cvc5.Term], timeout: float, steps: int, effort: Effort
) -> bool | Unknown:
    """Whether the conditions hold together."""
    if steps != NO_LIMIT:
        solver.setOption("rlimit-per", str(steps))
    if timeout < 1e6:
        solver.setOption("tlimit-per", str(max(1, int(timeout * 1000))))
    try:
        for condition in conditions:
            solver.assertFormula(condition)
        result = solver.checkSat()
    except RuntimeError as error:
        return Unknown(f"cvc5: {error}")
    counts = solver.getStatistics().get(True, True)
    effort.ticks += int(counts["resource::resourceUnitsUsed"]["value"]) // _RESOURCES_PER_TICK
    if result.isUnknown():
        return Unknown(f"cvc5: {result.getUnknownExplanation().name.lower()}")
    return bool(result.isSat())


class CvcSolver:
    """Bit-vectors in cvc5, in this process. ``steps`` and ``timeout`` are as for Z3Solver. No floats."""

    def __init__(self, steps: int = NO_LIMIT, effort: Effort | None = None) -> None:
        self._steps = steps
        self.effort = Effort() if effort is None else effort
        self.forget()

    def forget(self) -> None:
        """Drop all expressions."""
        self._expressions = _Expressions()
        self._encoder: Encoder[cvc5.Term] = Encoder(self._expressions)

    def close(self) -> None:
        """Nothing to let go of."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """Whether the constraints can hold at once; Unknown where that takes too much work."""
        if len(self._encoder) > _EXPRESSIONS:
            self.forget()
        encoder = self._encoder
        try:
            nodes = [encoder.condition(constraint) for constraint in constraints]
        except _RefusedOperator as error:
            return Unknown(f"cvc5 is not asked about {error}")
        solver = _solver(self._expressions.manager, "QF_BV")
        result = _decided(solver, nodes, timeout, self._steps, self.effort)
        if not isinstance(result, bool):
            return result
        if not result:
            return Unsat()
        symbols: frozenset[Term] = frozenset().union(*[constraint.symbols for constraint in constraints])
        return Sat(Model({s: int(solver.getValue(encoder.vector(s)).getBitVectorValue(10)) for s in symbols}))


class CvcIntegers:
    """Integers and truth values in the language of cvc5, and the solver that decides them."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._expressions = _Expressions()
        self._manager = self._expressions.manager
        self._unknowns: dict[int, cvc5.Term] = {}
        self._truths: dict[int, cvc5.Term] = {}

    def apply(self, operator: str, args: Sequence[cvc5.Term]) -> cvc5.Term:
        """An operator of SMT-LIB by its name there."""
        return self._expressions.apply(operator, args)

    def integer(self, value: int) -> cvc5.Term:
        """A constant."""
        return self._manager.mkInteger(str(value))

    def unknown(self, number: int) -> cvc5.Term:
        """The integer variable of this number."""
        return self._unknowns.setdefault(number, self._manager.mkConst(self._manager.getIntegerSort(), f"i{number}"))

    def truth(self, number: int) -> cvc5.Term:
        """The boolean variable of this number."""
        return self._truths.setdefault(number, self._manager.mkConst(self._manager.getBooleanSort(), f"b{number}"))

    def decide(self, conditions: Sequence[cvc5.Term], timeout: float, steps: int) -> Assignment | Unsat | Unknown:
        """Whether all of the conditions can hold at once."""
        solver = _solver(self._manager, "QF_NIA")
        result = _decided(solver, conditions, timeout, steps, self._effort)
        if not isinstance(result, bool):
            return result
        if not result:
            return Unsat()
        return Assignment(
            {number: int(solver.getValue(node).toPythonObj()) for number, node in self._unknowns.items()},
            {number: bool(solver.getValue(node).toPythonObj()) for number, node in self._truths.items()},
        )


class CvcIntegerSolver:
    """Terms as integers (logic/integers.py) in cvc5, in this process. ``steps`` and ``timeout`` are as for Z3Solver."""

    def __init__(self, steps: int = NO_LIMIT, effort: Effort | None = None) -> None:
        self._steps = steps
        self.effort = Effort() if effort is None else effort

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """Whether the constraints can hold at once."""
        return decided(CvcIntegers(self.effort), constraints, timeout, self._steps)

    def forget(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing to let go of."""
