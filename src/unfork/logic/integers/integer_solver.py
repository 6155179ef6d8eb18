"""A solver that reads bit-vectors as mathematical integers: for proofs about indices, sums and divisibility."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Protocol, TypeAlias

from unfork.logic.integers.affine import Knowledge
from unfork.logic.integers.integer_encode import IntegerEncoder
from unfork.logic.integers.integer_form import IntegerDialect, Node, Truth
from unfork.logic.solve.solver import FOREVER, NO_LIMIT, Answer, Effort, Sat, Unknown, Unsat
from unfork.logic.solve.z3 import IntegerValues, Z3Integers
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, postorder

_SIGNED = frozenset(("slt", "sdiv", "srem", "ashr"))
_UNSIGNED = frozenset(("ult", "udiv", "urem", "lshr"))
_THROUGH = frozenset(("add", "neg", "not", "mul", "and", "or", "xor", "ite"))
_MOST = 1 << 20


def unsigned_symbols(constraints: Sequence[Term]) -> frozenset[Term]:
    """The symbols that are read as unsigned more often than as signed, directly or through sums."""
    terms = postorder(constraints)
    votes: dict[Term, int] = dict.fromkeys(terms, 0)
    """For each term, the users of its signed value minus those of its unsigned one."""
    for term in reversed(terms):
        op, args = term.op, term.args
        if op in _SIGNED or op == "sext":
            vote = 1
        elif op in _UNSIGNED or op == "zext":
            vote = -1
        elif op == "extract":
            vote = 1 if term.width == 1 and term.offset == args[0].width - 1 else votes[term]
        elif op == "concat":
            votes[args[1]] -= 1
            args, vote = args[:1], votes[term]
        elif op in _THROUGH:
            vote = votes[term]
        else:
            continue
        for a in args:
            if a.width > 1:
                votes[a] = max(-_MOST, min(_MOST, votes[a] + vote))
    return frozenset(term for term in terms if term.op == "symbol" and votes[term] < 0)


_ROUNDS = 3
"""How often a query is read to learn ranges, before it is written."""
_PIVOTS = 16
"""Equations with products to decide by cases."""
_CASES = 300
_FIRST, _BETWEEN, _LAST = 500_000, 50_000, 2_000_000
"""Steps, as Z3 counts them (2,000,000 are about a second): before it goes by cases, for a case, and for the last."""

Outcome: TypeAlias = IntegerValues | Unsat | Unknown


class Integers(IntegerDialect[Node], Protocol[Node]):
    """A solver of conditions on integers."""

    def decide(self, conditions: Sequence[Node], timeout: float, steps: int) -> Outcome:
        """Whether all of the conditions can hold together."""


class _Nothing:
    """A dialect that writes nothing: for reading a query."""

    def apply(self, operator: str, args: Sequence[None]) -> None: ...

    def integer(self, value: int) -> None: ...

    def unknown(self, number: int) -> None: ...

    def truth(self, number: int) -> None: ...


class IntegerSolver:
    """Integers in Z3, in this process. ``steps`` and ``timeout`` are as for Z3Solver.

    Unsat is exact. A model is checked against the constraints before it is returned: where bitwise operations or
    floats decide whether there is one, the answer is Unknown.
    """

    def __init__(self, steps: int = NO_LIMIT, effort: Effort | None = None) -> None:
        self._steps = steps
        self.effort = Effort() if effort is None else effort

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        return decide_terms(Z3Integers(self.effort), constraints, timeout, self._steps)

    def forget(self) -> None: ...

    def close(self) -> None: ...


def decide_terms(solver: Integers[Node], constraints: Sequence[Term], timeout: float, steps: int) -> Answer:
    """The answer of a new integer solver, with at most ``steps`` per check (NO_LIMIT: any number)."""
    unsigned = unsigned_symbols(constraints)
    knowledge = _learn_ranges(constraints, unsigned)
    encoder = IntegerEncoder(solver, knowledge, unsigned)
    conditions = [encoder.condition(constraint).node for constraint in constraints]
    nodes = [*conditions, *encoder.arithmetic.assertions()]
    answer = _decide_by_cases(solver, nodes, list(encoder.pivots.values()), timeout, steps)
    if not isinstance(answer, IntegerValues):
        return answer
    model = _model(encoder, answer, constraints)
    if all(evaluate(constraint, model) for constraint in constraints):
        return Sat(model)
    opaque = f", which take {', '.join(encoder.opaque)} for unknowns" if encoder.opaque else ""
    return Unknown(f"no model of the integers{opaque}")


def _decide_by_cases(
    solver: Integers[Node], nodes: Sequence[Node], pivots: Sequence[Truth[Node]], timeout: float, steps: int
) -> Outcome:
    """The answer, if necessary by cases: one equation with products after the other holds or fails."""
    if not pivots:
        return solver.decide(nodes, timeout, steps)
    end = monotonic() + timeout
    sides = [(pivot.node, solver.apply("not", [pivot.node])) for pivot in pivots[:_PIVOTS]]
    cases: list[tuple[Node, ...]] = [()]
    for _ in range(_CASES):
        case = cases.pop()
        limit = _FIRST if not case else _BETWEEN if len(case) < len(sides) else _LAST
        outcome = solver.decide([*nodes, *case], max(0.0, end - monotonic()), _within(steps, limit))
        if isinstance(outcome, IntegerValues):
            return outcome
        if isinstance(outcome, Unknown):
            if len(case) == len(sides):
                break
            cases += [(*case, side) for side in reversed(sides[len(case)])]
        if not cases:
            return Unsat()
    return solver.decide(nodes, max(0.0, end - monotonic()), steps)


def _within(steps: int, limit: int) -> int:
    return limit if steps == NO_LIMIT else min(steps, limit)


def _learn_ranges(constraints: Sequence[Term], unsigned: frozenset[Term]) -> Knowledge:
    """What the constraints say of sums, read until they say nothing new. Disjunctions say nothing."""
    knowledge = Knowledge()
    plain = [constraint for constraint in constraints if not _is_disjunction(constraint)]
    for _ in range(_ROUNDS):
        before = knowledge.news
        encoder = IntegerEncoder(_Nothing(), knowledge, unsigned)
        for constraint in plain:
            for sum in encoder.condition(constraint).holds:
                encoder.arithmetic.learn_at_most(sum)
        if knowledge.news == before:
            break
    return knowledge


def _is_disjunction(condition: Term) -> bool:
    """Whether it is the negation of a conjunction, the form of disjunctions."""
    return condition.op == "not" and condition.args[0].op == "and"


def _model(encoder: IntegerEncoder[Node], assignment: IntegerValues, constraints: Sequence[Term]) -> Model:
    """The values of all symbols that the constraints mention."""
    values: dict[Term, int] = {}
    for symbol in frozenset().union(*[constraint.symbols for constraint in constraints]):
        if symbol.width == 1:
            values[symbol] = int(assignment.truths.get(encoder.truths.get(symbol, -1), False))
        else:
            values[symbol] = assignment.integers.get(encoder.integers.get(symbol, -1), 0) & (1 << symbol.width) - 1
    return Model(values)
