"""How a step on the path of known inputs, a seed, treats conditions."""

from __future__ import annotations

from unfork.engine.step.conduct import Conduct
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.seeded import SeededQuestions
from unfork.logic.solve.solver import Feasibility
from unfork.logic.terms.term import Value
from unfork.world.inputs.input_values import SeededInputs


class SeedConduct(Conduct):
    """As the seed decides; a fault beside its path is always of interest."""

    def __init__(self, questions: SeededQuestions, source: SeededInputs) -> None:
        super().__init__(questions, source)
        self._seeded = questions

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        return self._seeded.both(path, condition)
