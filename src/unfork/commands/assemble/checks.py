"""Checks beside a run: a count of paths, and an audit of joins and covers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from unfork.commands.assemble import solving
from unfork.commands.assemble.choices import choose
from unfork.engine.explore.limits import Budget
from unfork.engine.explore.shadows import PathCount, Shadows
from unfork.engine.protocols.events import Observer
from unfork.options.options import Options
from unfork.reduce.audit import make_audit
from unfork.report.record.coverage_measure import edge_name

if TYPE_CHECKING:
    from unfork.commands.assemble.parts import ExplorationParts
    from unfork.reduce.audit.audit import Audit
    from unfork.reduce.audit.prove import AuditCounts
    from unfork.world.inputs.testcase import Error


@dataclass(frozen=True, slots=True)
class Checks:
    """Observers that check a run, with solvers of their own. They change nothing in it."""

    shadows: Shadows | None = None
    audit: Audit | None = None

    @property
    def observers(self) -> list[Observer]:
        """Get events after all others."""
        return [observer for observer in (self.shadows, self.audit) if observer is not None]

    @property
    def audited(self) -> AuditCounts | None:
        """The counts of the audit so far."""
        return None if self.audit is None else self.audit.counts

    def paths(self) -> PathCount | None:
        """The number of paths so far."""
        return None if self.shadows is None else self.shadows.count()

    def go_on(self) -> None:
        """An earlier process has explored a part, whose paths are not known here."""
        if self.shadows is not None:
            self.shadows.give_up()

    def explore_again(self, parts: ExplorationParts, errors: Collection[Error], is_over: Callable[[], bool]) -> None:
        """Explore some of the pruned states after all. What they cover does not count for the run.

        ``errors`` are those that the run has found, to its end.
        """
        if self.audit is not None:
            engine = parts.engine
            name_of = partial(edge_name, engine.coverage)
            make_audit.explore_pruned(
                self.audit, engine.machine, parts.bound, engine.chain.assume, engine.coverage, name_of, errors, is_over
            )

    def forget(self) -> None:
        """Free caches."""
        if self.shadows is not None:
            self.shadows.forget()

    def close(self) -> None:
        """Free the solvers."""
        for check in (self.shadows, self.audit):
            if check is not None:
                check.close()


UNCHECKED = Checks()
"""For each strategy of a race, and where several processes explore one strategy."""


def checks(options: Options, budget: Budget) -> Checks:
    """The checks of --path-sample, --count-paths and --audit."""
    return Checks(_shadows(options, budget), _audit(options, budget))


def _shadows(options: Options, budget: Budget) -> Shadows | None:
    """Counts the paths of joined states, with a solver of its own."""
    queries = choose(options).queries
    if not queries.path_sample:
        return None
    chain = solving.chain(options, solving.solver(replace(options, dump_smt=None)), budget)
    return Shadows(chain, queries.path_sample, Random(f"{queries.seed}/paths"))


def _audit(options: Options, budget: Budget) -> Audit | None:
    """Proves joins and covers again, with the solver that the run does not use (--audit)."""
    queries = choose(options).queries
    if not queries.audits:
        return None
    name, solver = solving.other_solver(options)
    return make_audit.make_audit(name, solver, queries.timeout, budget.deadline, queries.seed)
