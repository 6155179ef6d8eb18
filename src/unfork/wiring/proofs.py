"""What checks a run while it goes on: counts the paths of joined states, proves joins and covers again."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial

from unfork.audit.again import Found, Freeing, explore_again
from unfork.audit.audit import Audit
from unfork.audit.prove import AuditCounts, Prover
from unfork.contracts.events import Observer
from unfork.explore.limits import Budget
from unfork.explore.shadows import PathCount, Shadows
from unfork.inputs.testcase import Error
from unfork.options import Options
from unfork.report.coverage_measure import edge_name
from unfork.wiring.parts import Parts
from unfork.wiring.solving import chain, other_solver, solver


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
        coverage = parts.engine.coverage
        before = bytes(coverage.covered)
        known = Found(errors, partial(edge_name, coverage), coverage.forget)
        samples, freeing = (
            (self.audit.sample, self.audit.joined, self.audit.learnt),
            Freeing(parts.engine.chain.assume),
        )
        explore_again(samples, parts.engine.machine, parts.bound, freeing, known, self.audit.counts, is_over)
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


def proofs(options: Options, budget: Budget) -> Proofs:
    """The checks that --count-paths and --audit ask for."""
    return Proofs(_shadows(options, budget), _audit(options, budget))


def _shadows(options: Options, budget: Budget) -> Shadows | None:
    """The counter of the paths of joined states, with a solver of its own, if --count-paths asks for it."""
    if not options.count_paths:
        return None
    return Shadows(chain(options, solver(replace(options, dump_smt=None)), budget))


def _audit(options: Options, budget: Budget) -> Audit | None:
    """The audit, if --audit asks for it: it proves joins and covers again with the solver that the run does not use."""
    if not options.audit:
        return None
    name, proving = other_solver(options)
    prover = Prover(proving, options.solver_timeout, budget.deadline)
    return Audit(prover, AuditCounts(name), options.seed)
