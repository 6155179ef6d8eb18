"""What instructions ask about a path, and what answers: a chain of solvers, or a path that is followed."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from unfork.logic.path import PathCondition
from unfork.logic.solver import Statistics, Unknown, Unsat
from unfork.logic.term import Value

Feasibility: TypeAlias = PathCondition | Unsat | Unknown


class PathQuestions(Protocol):
    """Answers about values on a path. Law: an answer but Unknown holds for all that the path stands for."""

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        """The path on which ``condition`` (1 bit) holds too."""

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        """The path with ``condition`` (1 bit), and with its negation; the path itself where the other side is Unsat."""

    def must(self, path: PathCondition, condition: Value) -> bool:
        """Whether ``condition`` (1 bit) is proved to hold on the whole path."""

    def evaluate(self, path: PathCondition, value: Value) -> int:
        """One feasible value."""

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        """Up to ``limit`` feasible values of ``value`` (``width`` bits), ascending, and whether these are all."""

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        """Unsigned bounds of ``value`` (``width`` bits) on the path: the tightest, unless the solver gives up."""


class TimedQuestions(PathQuestions, Protocol):
    """Answers that are counted, and that end at a moment."""

    @property
    def deadline(self) -> float:
        """When the run is over, on the clock of ``monotonic``."""

    @property
    def statistics(self) -> Statistics:
        """What was asked so far."""
