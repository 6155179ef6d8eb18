"""The contract of solvers: the question, and the three possible answers; and what instructions ask about a path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import Protocol, TypeAlias

from unfork.logic.solve.path import PathCondition
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term, Value


@dataclass(frozen=True, slots=True)
class Sat:
    """The constraints hold under ``model``, which has a value for every symbol that they mention."""

    model: Model


@dataclass(frozen=True, slots=True)
class Unsat:
    """The constraints contradict each other."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A limit was hit, or the solver cannot do it. Never to be read as Unsat."""

    reason: str


Answer: TypeAlias = Sat | Unsat | Unknown

FOREVER = inf
NO_LIMIT = 0
"""As much work per check as it takes."""


class Solver(Protocol):
    """Decides conjunctions of conditions (terms of 1 bit).

    Law: Sat comes with a model under which logic/terms/evaluate.py finds every constraint true; Unsat only if there is
    no such model; Unknown says nothing. Asking changes no later verdict, but may change which model a later Sat
    carries: the same questions in the same order get the same models.
    """

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """Whether all of ``constraints`` can hold at once, within ``timeout`` seconds.

        Constraints come in the order in which a path met them: solvers keep what they learnt of a common prefix.
        """

    def forget(self) -> None:
        """Drop whatever is only kept to be faster."""

    def close(self) -> None:
        """Let go of processes and files. Nothing is asked afterwards."""


@dataclass(slots=True)
class Statistics:
    """What deciding feasibility cost, as in the solver block of summary.json."""

    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    answered_without: int = 0
    sampled: int = 0
    """Branches on which a path went on with a model's values, since the query was given up."""
    seconds: float = 0.0

    def as_dict(self) -> dict[str, int | float]:
        """The block of summary.json."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


@dataclass(slots=True)
class Effort:
    """Counts the ``ticks`` of solvers: of search, as Bitwuzla counts, not by the clock. Several may share one."""

    ticks: int = 0
    pause: Callable[[], None] = lambda: None
    """Called after each query, and so in the middle of steps: whoever works for a quota may have done enough."""


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


class NoSolver:
    """Decides nothing: for a replay, which has no symbols, and where a query is not worth more work."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        return Unknown("a replay asks no solver")

    def forget(self) -> None:
        return None

    def close(self) -> None:
        return None
