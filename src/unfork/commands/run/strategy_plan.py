"""What a process needs to know to explore one strategy of a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from unfork import host
from unfork.commands.assemble import solving
from unfork.commands.assemble.checks import UNCHECKED, Checks
from unfork.commands.run.explorer import Explorer
from unfork.engine.explore.limits import Budget
from unfork.options.options import Options
from unfork.program.llvm.module import Program


@dataclass(frozen=True, slots=True)
class StrategyPlan:
    """A strategy of a run: its options, the number of processes that help its first one, and the budget of each."""

    name: str
    helpers: int
    files: tuple[str, ...]
    options: Options
    arguments: tuple[str, ...]
    budget: Budget

    @contextmanager
    def explorer(self, program: Program, budget: Budget, checks: Checks = UNCHECKED) -> Iterator[Explorer]:
        backend = solving.backend(self.options)
        try:
            yield Explorer(self.files, self.options, self.arguments, program, backend, checks, budget)
        finally:
            backend.solver.close()

    def apart(self, program: Program) -> AbstractContextManager[Explorer]:
        """The same for a process of its own, in which --max-memory counts from what is there already."""
        return self.explorer(program, self.budget.beside(host.this().resident_bytes()))
