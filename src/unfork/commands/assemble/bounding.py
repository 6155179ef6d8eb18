"""The limits of a run, the bounds on its paths, which inputs are followed, and what checks the run."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from unfork.commands.assemble import machines, solving
from unfork.commands.assemble.machines import Engine, Manner
from unfork.commands.assemble.outputs import has_heap
from unfork.engine.explore import unwind
from unfork.engine.explore.limits import Budget, DepthBound, NoBound, Work
from unfork.engine.explore.schedules import Schedules
from unfork.engine.explore.shadows import PathCount, Shadows
from unfork.engine.machine.machine import Machine
from unfork.engine.memory.threads import DEADLOCK
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.protocols.stopper import Bound
from unfork.engine.step.coverage import BranchCoverage
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.reduce.audit import again, prove
from unfork.reduce.audit import audit as audits
from unfork.report.record.coverage_measure import edge_name
from unfork.world.inputs import precondition
from unfork.world.inputs.source import SymbolicInputs
from unfork.world.library.catalogue import Restricted

if TYPE_CHECKING:
    from unfork.commands.assemble.parts import Parts
    from unfork.reduce.audit.audit import Audit
    from unfork.reduce.audit.prove import AuditCounts
    from unfork.world.inputs.testcase import Error


@dataclass(frozen=True, slots=True)
class Checks:
    """What checks a run while it goes on, with solvers of its own. None of it changes what a run does."""

    shadows: Shadows | None = None
    audit: Audit | None = None

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
        known = again.Found(errors, partial(edge_name, coverage), coverage.forget)
        samples = self.audit.sample, self.audit.joined, self.audit.learnt
        freeing = again.Freeing(parts.engine.chain.assume)
        again.explore_again(samples, parts.engine.machine, parts.bound, freeing, known, self.audit.counts, is_over)
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


UNCHECKED = Checks()
"""Neither --count-paths nor --audit is given, or the run is part of a race."""


def checks(options: Options, budget: Budget) -> Checks:
    """The checks that --count-paths and --audit ask for."""
    return Checks(_shadows(options, budget), _audit(options, budget))


def _shadows(options: Options, budget: Budget) -> Shadows | None:
    """The counter of the paths of joined states, with a solver of its own, if --count-paths asks for it."""
    if not options.count_paths:
        return None
    return Shadows(solving.chain(options, solving.solver(replace(options, dump_smt=None)), budget))


def _audit(options: Options, budget: Budget) -> Audit | None:
    """The audit, if --audit asks for it: it proves joins and covers again with the solver that the run does not use."""
    if not options.audit:
        return None
    name, proving = solving.other_solver(options)
    prover = prove.Prover(proving, options.solver_timeout, budget.deadline)
    return audits.Audit(prover, prove.AuditCounts(name), options.seed)


def budget(options: Options, began: float) -> Budget:
    """What a run that ``began`` then may use."""

    def limit(number: float | None) -> float:
        return math.inf if number is None else number

    work = Work(*map(limit, (options.max_instructions, options.max_forks, options.max_tests, options.max_errors)))
    return Budget(began, limit(options.max_time), limit(options.max_memory) * (1 << 20), work)


def bounded_stepper(options: Options, stepper: Stepper, engine: Engine) -> tuple[Stepper, Bound]:
    """The stepper, and the bound on paths: with --requires only those that the predicate accepts, with --unwind some
    turns of loops.
    """
    stepper = _scheduling(options, _requiring(options, stepper, engine), engine.machine)
    bound: Bound = NoBound() if options.max_depth is None else DepthBound(options.max_depth)
    if options.unwind is None:
        return stepper, bound
    machine = engine.machine
    counted = unwind.Unwinding(stepper, machine.program.library, machine.facts, bound, options.unwind)
    return counted, counted


def _scheduling(options: Options, stepper: Stepper, machine: Machine) -> Stepper:
    """The stepper that chooses which thread goes on, of a program that makes threads."""
    if not machine.statics.makes_threads:
        return stepper
    return Schedules(stepper, machine.failed, options.context_bound, finds_deadlocks=DEADLOCK in options.check)


def _requiring(options: Options, stepper: Stepper, engine: Engine) -> Stepper:
    if options.requires is None:
        return stepper
    program, chain = engine.machine.program, engine.chain
    if not has_heap(options, program):
        raise InputError("--requires needs a --function with arguments")
    precondition.check_predicate(program, options.requires, options.function)
    manner = Manner(Restricted(machines.library(), frozenset(["unfork_length"])), watches=False)
    probe = machines.machine(options, program, chain, SymbolicInputs(), BranchCoverage(), manner)
    return precondition.Required(stepper, probe, options.requires, chain)
