"""Checks preconditions: with them no known path fails, and an input that satisfies them comes through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfork.commands.scan.case_questions import CaseQuestions, SolverGaveUp
from unfork.commands.scan.judgement import Demand, NotNull, NotNullUnless, NumbersAllow
from unfork.commands.scan.siblings import path_at
from unfork.engine.state.state import State
from unfork.logic.solve.path import PathCondition


class DemandCheck:
    """Checks demands on callers. ``came_through`` gives paths that ended without a fault."""

    def __init__(self, ask: CaseQuestions, came_through: Callable[[], Sequence[State]]) -> None:
        self.ask = ask
        self._came_through = came_through

    def weakest(self, demands: Sequence[Demand], failing: Sequence[State]) -> list[Demand]:
        """The demands without those that rule out no further failing path; empty if they are no precondition.

        They are none if a path fails that satisfies them, or if none comes through that does, or if the solver does
        not know.
        """
        try:
            if not self._rule_out(demands, failing):
                return []
            needed = list(demands)
            for each in demands:
                fewer = [other for other in needed if other is not each]
                if fewer and self._rule_out(fewer, failing):
                    needed = fewer
            return needed if any(self._allow(needed, state) for state in self._came_through()) else []
        except SolverGaveUp:
            return []

    def _rule_out(self, demands: Sequence[Demand], failing: Sequence[State]) -> bool:
        """Whether no failing path satisfies the demands."""
        return not any(self._allow(demands, state) for state in failing)

    def _allow(self, demands: Sequence[Demand], state: State) -> bool:
        path: PathCondition | None = state.path
        for each in demands:
            match each:
                case NotNull(pointer):
                    path = None if _is_null(state, pointer) else path
                case NotNullUnless(pointer, condition) if _is_null(state, pointer):
                    path = self.ask.under(path, condition)
                case NumbersAllow(condition):
                    path = self.ask.under(path, condition)
        return path is not None


def _is_null(state: State, pointer: str) -> bool:
    """Whether an input pointer is null on a path, by its C expression."""
    lazy = state.lazy
    return any(each.name == pointer and each.value == 0 for each in lazy.arguments) or any(
        address == 0 and path_at(lazy, (number, offset)) == pointer
        for (number, offset), address in lazy.pointers.items()
    )
