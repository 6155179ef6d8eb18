"""Decides obligations with one solver, many at a time, without feasibility's caches and shortcuts; counts results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic
from typing import Any

from unfork.logic.solve.solver import FOREVER, Sat, Solver, Unsat
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.types import Position
from unfork.reduce.audit.claim import AuditObligation, all_of, negation

_LEAST_PATIENCE = 0.1


class ObligationOutcome(Enum):
    """The result of an obligation."""

    PROVED = "proved"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Prover:
    """Proves obligations with ``solver``, for at most ``timeout`` seconds per question.

    Law: PROVED only if the solver finds no counterexample; FAILED only with one that logic/terms/evaluate.py
    confirms.
    """

    def __init__(self, solver: Solver, timeout: float, deadline: float = FOREVER) -> None:
        self._solver = solver
        self._timeout = timeout
        self._deadline = deadline
        self.queries = 0

    def close(self) -> None:
        """Release the solver's processes."""
        self._solver.close()

    def prove(self, obligations: Sequence[AuditObligation]) -> list[ObligationOutcome]:
        """The result of each obligation."""
        groups: dict[tuple[Term, ...], list[int]] = {}
        for number, obligation in enumerate(obligations):
            groups.setdefault(obligation.hypotheses, []).append(number)
        endings = [ObligationOutcome.UNKNOWN] * len(obligations)
        for hypotheses, numbers in groups.items():
            decided = self._together(hypotheses, [obligations[number].conclusion for number in numbers])
            for number, ending in zip(numbers, decided, strict=True):
                endings[number] = ending
        return endings

    def _together(self, hypotheses: Sequence[Term], conclusions: Sequence[Value]) -> list[ObligationOutcome]:
        """All conclusions in one question; those that a counterexample refutes are removed, and the rest asked
        again.
        """
        endings = [
            ObligationOutcome.FAILED if conclusion == 0 else ObligationOutcome.PROVED for conclusion in conclusions
        ]  # the hypotheses have a model
        open_ones = [i for i, conclusion in enumerate(conclusions) if isinstance(conclusion, Term)]
        while open_ones:
            answer = self._counterexample(hypotheses, all_of([conclusions[i] for i in open_ones]))
            if answer is ObligationOutcome.PROVED:
                break
            refuted = (
                [i for i in open_ones if not evaluate(conclusions[i], answer)] if isinstance(answer, Model) else []
            )
            for i in refuted:
                endings[i] = ObligationOutcome.FAILED
            if not refuted:
                for i in open_ones:
                    endings[i] = (
                        self._alone(hypotheses, conclusions[i]) if len(open_ones) > 1 else ObligationOutcome.UNKNOWN
                    )
                break
            open_ones = [i for i in open_ones if endings[i] is ObligationOutcome.PROVED]
        return endings

    def _alone(self, hypotheses: Sequence[Term], conclusion: Value) -> ObligationOutcome:
        answer = self._counterexample(hypotheses, conclusion)
        if isinstance(answer, Model):
            return ObligationOutcome.UNKNOWN if evaluate(conclusion, answer) else ObligationOutcome.FAILED
        return answer

    def _counterexample(self, hypotheses: Sequence[Term], conclusion: Value) -> Model | ObligationOutcome:
        """Values that satisfy the hypotheses and not the conclusion; PROVED if there are none, or UNKNOWN."""
        against = negation(conclusion)
        assert isinstance(against, Term)
        question = _about(hypotheses, against)
        patience = self._timeout
        if self._deadline != FOREVER:
            patience = min(patience, self._deadline - monotonic())
            if patience < _LEAST_PATIENCE:
                return ObligationOutcome.UNKNOWN
        self.queries += 1
        answer = self._solver.check(question, patience)
        if isinstance(answer, Unsat):
            return ObligationOutcome.PROVED
        if isinstance(answer, Sat):
            model = Model(answer.model.values)
            if all(evaluate(condition, model) for condition in question):
                return model
        return ObligationOutcome.UNKNOWN


def _about(hypotheses: Sequence[Term], condition: Term) -> list[Term]:
    """The condition with the hypotheses connected to it by symbols.

    The others have a model of their own, so they exclude no counterexample.
    """
    wanted = condition.symbols
    rest = list(hypotheses)
    chosen: set[Term] = set()
    while True:
        more = [hypothesis for hypothesis in rest if not wanted.isdisjoint(hypothesis.symbols)]
        if not more:
            break
        chosen.update(more)
        rest = [hypothesis for hypothesis in rest if hypothesis not in chosen]
        wanted = wanted.union(*[hypothesis.symbols for hypothesis in more])
    return [*[hypothesis for hypothesis in hypotheses if hypothesis in chosen], condition]


SHOWN = 20
"""Failures to list; the rest are counted."""


@dataclass(frozen=True, slots=True)
class FailedObligation:
    """A value for which an obligation fails, and the place of the join or of the unexplored state."""

    what: str
    position: Position | None

    def as_dict(self) -> dict[str, Any]:
        position = self.position
        return {
            "file": position.file if position is not None else None,
            "line": position.line if position is not None else None,
            "function": position.function if position is not None else None,
            "what": self.what,
        }


@dataclass(slots=True)
class AuditCounts:
    """``solver`` proved; ``left_out`` obligations were not drawn."""

    solver: str
    joins: int = 0
    pruned: int = 0
    explored_again: int = 0
    """Pruned states explored again."""
    joined_again: int = 0
    """States explored again, each alone, that had been joined."""
    freest: int = 0
    """Interpolants tried on the freest states that meet them."""
    proved: int = 0
    failed: int = 0
    unknown: int = 0
    left_out: int = 0
    queries: int = 0
    failures: list[FailedObligation] = field(default_factory=list)

    def count(self, ending: ObligationOutcome) -> None:
        """Count an obligation."""
        match ending:
            case ObligationOutcome.PROVED:
                self.proved += 1
            case ObligationOutcome.FAILED:
                self.failed += 1
            case ObligationOutcome.UNKNOWN:
                self.unknown += 1

    def fail(self, what: str, position: Position | None) -> None:
        """Record a failure."""
        if len(self.failures) < SHOWN:
            self.failures.append(FailedObligation(what, position))

    def as_dict(self) -> dict[str, Any]:
        return {
            "solver": self.solver,
            "joins": self.joins,
            "pruned": self.pruned,
            "explored_again": self.explored_again,
            "joined_again": self.joined_again,
            "freest": self.freest,
            "proved": self.proved,
            "failed": self.failed,
            "unknown": self.unknown,
            "left_out": self.left_out,
            "queries": self.queries,
            "failures": [failure.as_dict() for failure in self.failures],
        }
