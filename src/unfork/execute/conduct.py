"""What a step may do with a value or a condition: explore all that there is, or keep to the path that it follows."""

from __future__ import annotations

from typing import Protocol

from unfork.execute.input_source import InputSource, fresh_input
from unfork.logic import build
from unfork.logic.path import PathCondition
from unfork.logic.solver import Feasibility, PathQuestions, Unsat
from unfork.logic.term import Term, Value
from unfork.logic.value_dependence import dependence, difference
from unfork.state.inputs import unwritten_symbols
from unfork.state.memory import MemoryObject
from unfork.state.state import State

_NOWHERE = Unsat(frozenset())


class Conduct(Protocol):
    """Where exploring differs from following a path that is known."""

    @property
    def source(self) -> InputSource:
        """Where new inputs come from."""

    def assumption(self, path: PathCondition, condition: Value) -> Feasibility:
        """The path on which the program's assumption holds; where it does not, the path ends silently."""

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        """The path with ``condition``, and the one without, on which there is a fault of this ``kind``."""

    def written(self, state: State, value: Term) -> tuple[Feasibility, Feasibility]:
        """The path on which ``value`` does not depend on unwritten bytes, and the one on which it does."""

    def part(self, path: PathCondition, condition: Value) -> Feasibility:
        """The path of one part of a state that splits; each part runs the instruction again."""

    def located(self, offset: Value, size: Value, item: MemoryObject) -> Value:
        """The offset (64 bits) that an access to ``size`` bytes of ``item`` is to use.

        A conduct that tells all cells apart returns an int.
        """

    def pick(self, path: PathCondition, value: Value) -> int:
        """One value that ``value`` may have; the path keeps all of them."""

    def is_symbolic(self, value: Value) -> bool:
        """The answer when the program asks whether ``value`` depends on inputs."""

    def fresh(self, state: State, name: str, width: int, kind: str) -> Value:
        """A fresh value of ``width`` bits."""


class Exploring:
    """All that is feasible happens."""

    def __init__(self, questions: PathQuestions, source: InputSource) -> None:
        self._questions = questions
        self.source = source

    def assumption(self, path: PathCondition, condition: Value) -> Feasibility:
        return self._questions.assume(path, condition)

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        """A fault is a fork."""
        return self._questions.branch(path, condition)

    def written(self, state: State, value: Term) -> tuple[Feasibility, Feasibility]:
        """``value`` depends on unwritten bytes if two choices of them, all else being equal, make it differ."""
        path = state.path
        unwritten = unwritten_symbols(value, state.inputs)
        if not unwritten:
            return path, _NOWHERE
        depends = dependence(value, unwritten)
        known = path.touched(unwritten)
        others = [unwritten_symbols(each, state.inputs) for part in known for each in part.constraints]
        differs = difference(value, unwritten.union(*others), known)
        bad = self._questions.assume(path, build.both(depends, differs))
        if isinstance(bad, Unsat):
            return path, bad
        return self._questions.assume(path, build.negate(depends)), bad

    def part(self, path: PathCondition, condition: Value) -> Feasibility:
        return self._questions.assume(path, condition)

    def located(self, offset: Value, size: Value, item: MemoryObject) -> Value:
        return offset

    def pick(self, path: PathCondition, value: Value) -> int:
        """The one in the path's model."""
        return self._questions.evaluate(path, value)

    def is_symbolic(self, value: Value) -> bool:
        return isinstance(value, Term)

    def fresh(self, state: State, name: str, width: int, kind: str) -> Value:
        return fresh_input(self.source, state, name, width, kind)
