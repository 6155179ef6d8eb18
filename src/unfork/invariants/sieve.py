"""What is proved on several paths at once: models refute most candidates, and what the solver finds refutes more."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unsat
from unfork.logic.term import Term, Value


class Sieve:
    """Asks about conditions on ``paths``, of each of which some ``models`` are known."""

    def __init__(self, chain: Chain, paths: Sequence[PathCondition], models: Sequence[list[Model]]) -> None:
        self._chain = chain
        self._paths = paths
        self.models = models

    def survives(self, conditions: Sequence[Value]) -> bool:
        """Whether no known model of a path refutes its condition."""
        return all(
            evaluate(condition, model)
            for condition, models in zip(conditions, self.models, strict=True)
            for model in models
        )

    def proved(self, conditions: Sequence[Value]) -> bool:
        """Whether each path proves its condition."""
        return all(self.proves(side, condition) for side, condition in enumerate(conditions))

    def proves(self, side: int, condition: Value) -> bool:
        """Whether one of the paths proves a condition."""
        return self.refuted(side, condition) is True

    def refuted(self, side: int, condition: Value) -> Model | bool:
        """A model of a path that breaks a condition, which may refute others too; if none, whether it is proved."""
        if not isinstance(condition, Term):
            return self.models[side][0] if condition == 0 else True
        answer = self._chain.assume(self._paths[side], build.negate(condition))
        if isinstance(answer, PathCondition):
            model = answer.model()
            self.models[side].append(model)
            return model
        return isinstance(answer, Unsat)
