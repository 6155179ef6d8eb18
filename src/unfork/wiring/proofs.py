"""What checks a run while it goes on: counts the paths of joined states, proves joins and covers again."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from unfork.contracts.observer import Observer
from unfork.inputs.testcase import Error
from unfork.later import Later
from unfork.logic.solver import Statistics
from unfork.options import Options
from unfork.report.coverage_measure import edge_name
from unfork.wiring.parts import Parts
from unfork.wiring.solving import chain, other_solver, solver

if TYPE_CHECKING:
    from unfork.audit import again, prove
    from unfork.audit import audit as audit_audit
    from unfork.audit.audit import Audit
    from unfork.audit.prove import AuditCounts
    from unfork.explore import shadows as explore_shadows
    from unfork.explore.shadows import PathCount, Shadows
else:
    prove = Later("unfork.audit.prove")
    audit_audit = Later("unfork.audit.audit")
    again = Later("unfork.audit.again")
    explore_shadows = Later("unfork.explore.shadows")


@dataclass(frozen=True, slots=True)
class Proofs:
    """The checks that the options ask for, with solvers of their own. None of them changes what a run does."""

    shadows: Shadows | None
    audit: Audit | None

    @property
    def observers(self) -> list[Observer]:
        """To be told of events, after all others."""
        return [observer for observer in (self.shadows, self.audit) if observer is not None]

    @property
    def audited(self) -> AuditCounts | None:
        """What the audit came to so far."""
        return None if self.audit is None else self.audit.counts

    def paths(self) -> PathCount | None:
        """The exact number of paths so far."""
        return None if self.shadows is None else self.shadows.count()

    def explore_again(self, parts: Parts, errors: Collection[Error], is_over: Callable[[], bool]) -> None:
        """Explore some of the pruned states after all. What they cover does not count for the run.

        ``errors`` are those that the run has found, to its end.
        """
        if self.audit is None:
            return
        coverage = parts.coverage
        before = bytes(coverage.covered)
        known = again.Found(errors, partial(edge_name, coverage), coverage.forget)
        samples, freeing = (self.audit.sample, self.audit.joined, self.audit.learnt), again.Freeing(parts.chain.assume)
        again.explore_again(samples, parts.machine, parts.bound, freeing, known, self.audit.counts, is_over)
        self.audit.count_explored()
        after = coverage.covered
        coverage.forget(tuple([i for i in range(len(after)) if after[i] and not any(before[i : i + 1])]))

    def forget(self) -> None:
        """Drop what is only kept to be faster."""
        if self.shadows is not None:
            self.shadows.forget()

    def close(self) -> None:
        """Nothing is checked any more."""
        for check in (self.shadows, self.audit):
            if check is not None:
                check.close()


UNCHECKED = Proofs(None, None)
"""Of a strategy that takes part in a race: these checks look at one exploration that is alone."""


def proofs(options: Options, deadline: float) -> Proofs:
    """The checks that --count-paths and --audit ask for."""
    return Proofs(_shadows(options, deadline), _audit(options, deadline))


def _shadows(options: Options, deadline: float) -> Shadows | None:
    """The counter of the paths of joined states, with a solver of its own, if --count-paths asks for it."""
    if not options.count_paths:
        return None
    asked = chain(options, solver(replace(options, dump_smt=None)), Statistics())
    asked.deadline = deadline
    return explore_shadows.Shadows(asked)


def _audit(options: Options, deadline: float) -> Audit | None:
    """The audit, if --audit asks for it: it proves joins and covers again with the solver that the run does not use."""
    if not options.audit:
        return None
    name, proving = other_solver(options)
    prover = prove.Prover(proving, options.solver_timeout, deadline)
    return audit_audit.Audit(prover, prove.AuditCounts(name), options.seed)
