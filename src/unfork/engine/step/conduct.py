"""How a step treats conditions and values, and the source of values that no instruction computes."""

from __future__ import annotations

from typing import Protocol

from unfork.engine.state.inputs import InputObject, unwritten_symbols
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.state import State
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Feasibility, TimedQuestions, Unsat
from unfork.logic.solve.value_dependence import dependence, difference
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.types import IntType, Type

NOWHERE = Unsat()
"""No path."""


class InputSource(Protocol):
    """The source of input values: fresh symbols when exploring, a test's bytes when replaying."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> InputObject:
        """A new input of ``size`` bytes, uniquely named on the path and recorded in ``state.inputs`` (except for
        inputs that a replayed test lacks).

        ``element`` shapes the leaves (an int array becomes one symbol per int); None means by size.
        """


def fresh_input(source: InputSource, state: State, name: str, width: int, kind: str) -> Value:
    """A fresh value of ``width`` bits: a new input of ``state``."""
    record = source.make(state, name, IntType(width), (width + 7) // 8, kind)
    value, size = record.leaves[0]
    for leaf, leaf_size in record.leaves[1:]:
        value = build.concat(leaf, value, 8 * leaf_size, 8 * size)
        size += leaf_size
    return build.extract(value, 0, width) if width != 8 * size else value


class Conduct:
    """Default: every feasible side happens. Replay and loop summaries override parts of this.

    ``questions`` are answered for the instructions; ``source`` gives them new inputs.
    """

    def __init__(self, questions: TimedQuestions, source: InputSource) -> None:
        self.questions = questions
        self.source = source

    def assumption(self, path: PathCondition, condition: Value) -> Feasibility:
        """The path on which the program's assumption holds; otherwise the path ends silently."""
        return self.questions.assume(path, condition)

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        """The path with ``condition``, and the one without, which has a fault of this ``kind``."""
        return self.questions.branch(path, condition)

    def limit(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        """The path within a limit of the engine, and the one beyond, which is given up."""
        return self.questions.branch(path, condition)

    def written(self, state: State, value: Term) -> tuple[Feasibility, Feasibility]:
        """The path on which ``value`` does not depend on unwritten bytes, and the one on which it does.

        It depends on them if two choices of them, all else being equal, give different values.
        """
        path = state.path
        unwritten = unwritten_symbols(value, state.inputs)
        if not unwritten:
            return path, NOWHERE
        depends = dependence(value, unwritten)
        known = path.touched(unwritten)
        others = [unwritten_symbols(each, state.inputs) for part in known for each in part.constraints]
        differs = difference(value, unwritten.union(*others), known)
        bad = self.questions.assume(path, build.both(depends, differs))
        if isinstance(bad, Unsat):
            return path, bad
        return self.questions.assume(path, build.negate(depends)), bad

    def part(self, path: PathCondition, condition: Value) -> Feasibility:
        """The path of one part of a state that splits; each part runs the instruction again."""
        return self.questions.assume(path, condition)

    def chosen(self, condition: Term) -> None:
        """Hear the condition by which an expression of the source chooses one of two values, without a split."""

    def located(self, state: State, offset: Value, size: Value, item: MemoryObject) -> Value:
        """The offset (64 bits) for an access of ``state`` to ``size`` bytes of ``item``.

        A conduct that separates all cells returns an int.
        """
        return offset

    def pick(self, path: PathCondition, value: Value) -> int:
        """One possible value; the path keeps all of them."""
        return self.questions.evaluate(path, value)

    def spelled(self, number: Term) -> Value:
        """The number of 32 bits from which a pointer is read."""
        return number

    def is_symbolic(self, value: Value) -> bool:
        """The answer when the program asks whether ``value`` depends on inputs."""
        return isinstance(value, Term)

    def fresh(self, state: State, name: str, width: int, kind: str) -> Value:
        """A fresh value of ``width`` bits."""
        return fresh_input(self.source, state, name, width, kind)
