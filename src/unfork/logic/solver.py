"""The contract of solvers: the question, and the three possible answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import Protocol, TypeAlias

from unfork.logic.evaluate import Model
from unfork.logic.term import Term


@dataclass(frozen=True, slots=True)
class Sat:
    """The constraints hold under ``model``, which has a value for every symbol that they mention."""

    model: Model


@dataclass(frozen=True, slots=True)
class Unsat:
    """The constraints contradict each other, and those in ``core`` alone do too (None: no core is known)."""

    core: frozenset[Term] | None = None


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

    Law: Sat comes with a model under which logic/evaluate.py finds every constraint true; Unsat only if there is no
    such model; Unknown says nothing. Asking changes no later verdict, but may change which model a later Sat carries:
    the same questions in the same order get the same models.
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
    seconds: float = 0.0

    def as_dict(self) -> dict[str, int | float]:
        """The block of summary.json."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


@dataclass(slots=True)
class Effort:
    """Counts the ``ticks`` of solvers: of search, as Bitwuzla counts, not by the clock. Several may share one."""

    ticks: int = 0
