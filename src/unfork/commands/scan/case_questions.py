"""Questions to the solver about the path of a finding."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unknown
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value


class SolverGaveUp(Exception):
    """The solver does not know an answer."""


class CaseQuestions:
    """Asks ``chain`` which conditions can hold together. Raises SolverGaveUp if it does not know."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    def under(self, path: PathCondition | None, condition: Value) -> PathCondition | None:
        """The path with a condition; None if that cannot hold there."""
        longer = None if path is None else self._chain.assume(path, condition)
        if isinstance(longer, Unknown):
            raise SolverGaveUp
        return longer if isinstance(longer, PathCondition) else None

    def if_known(self, path: PathCondition, condition: Value) -> PathCondition | None:
        """The path with a condition; None also if the solver does not know whether there is one."""
        longer = self._chain.assume(path, condition)
        return longer if isinstance(longer, PathCondition) else None

    def where(self, conditions: Iterable[Value]) -> PathCondition | None:
        """A path with all conditions; None if they cannot hold together."""
        path: PathCondition | None = PathCondition.EMPTY
        for condition in conditions:
            path = self.under(path, condition)
        return path

    def implies(self, path: PathCondition, condition: Term) -> bool:
        """Whether a condition is proved on a path; False if the solver does not know."""
        return self._chain.must(path, condition)

    def known(self, path: PathCondition, conditions: Iterable[Term]) -> list[Term]:
        """The conditions, or their negations, that are proved on a path."""
        both = [known for each in conditions for known in (each, build.negate(each))]
        return [known for known in both if isinstance(known, Term) and self.implies(path, known)]
