"""The protocols of solvers: the question, its three answers, and what instructions ask about a path."""

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
    """A limit was hit, or the solver cannot do it. Never read it as Unsat."""

    reason: str


Answer: TypeAlias = Sat | Unsat | Unknown

FOREVER = inf
NO_LIMIT = 0
"""No limit of work per check."""


class Solver(Protocol):
    """Decides conjunctions of conditions (terms of 1 bit).

    Law: Sat comes with a model under which logic/terms/evaluate.py finds every constraint true; Unsat only if there
    is no such model; Unknown says nothing. A query changes no later verdict, but may change the model of a later
    Sat: the same queries in the same order get the same models.
    """

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """Whether all of ``constraints`` can hold together, within ``timeout`` seconds.

        Constraints come in the order of the path: solvers keep what they learnt of a common prefix.
        """

    def forget(self) -> None:
        """Drop all caches."""

    def close(self) -> None:
        """Release processes and files. No query follows."""


@dataclass(slots=True)
class Statistics:
    """What deciding feasibility cost, as in the solver block of summary.json."""

    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    answered_without: int = 0
    sampled: int = 0
    """Branches on which a path went on with a model's values, because the solver gave up."""
    seconds: float = 0.0

    def as_dict(self) -> dict[str, int | float]:
        """The block of summary.json."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


@dataclass(slots=True)
class Effort:
    """Counts the ``ticks`` of solvers: steps of search as Bitwuzla counts them, not seconds. Several solvers may
    share one.
    """

    ticks: int = 0
    ranges: int = 0
    """Children that decision diagrams of joins were given."""
    pause: Callable[[], None] = lambda: None
    """Called after each query, also within steps: a worker with a quota may have done enough."""


Feasibility: TypeAlias = PathCondition | Unsat | Unknown


class PathQuestions(Protocol):
    """Answers questions about values on a path. Law: an answer other than Unknown holds for everything the path
    stands for.
    """

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
    """Answers that are counted, up to a deadline."""

    @property
    def deadline(self) -> float:
        """Time (``monotonic``) at which the run ends."""

    @property
    def statistics(self) -> Statistics:
        """What the queries so far cost."""


class NoSolver:
    """Decides nothing: for a replay, which has no symbols, and where a query is not worth more work."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        return Unknown("a replay asks no solver")

    def forget(self) -> None:
        return None

    def close(self) -> None:
        return None
