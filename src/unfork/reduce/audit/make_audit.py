"""Makes the audit of --audit, and lets it explore again some of the states that were pruned."""

from __future__ import annotations

from collections.abc import Callable, Collection

from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.stopper import Bound
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.solver import Solver
from unfork.reduce.audit.again import Assume, Freeing, RunFindings, explore_again
from unfork.reduce.audit.audit import Audit
from unfork.reduce.audit.prove import AuditCounts, Prover
from unfork.world.inputs.testcase import Error


def make_audit(name: str, solver: Solver, timeout: float, deadline: float, seed: int) -> Audit:
    """An audit by the ``solver`` of that ``name``, which has ``timeout`` seconds for a query.

    It starts no query after ``deadline`` (``time.monotonic``).
    """
    return Audit(Prover(solver, timeout, deadline), AuditCounts(name), seed)


def explore_pruned(
    audit: Audit,
    machine: Machine,
    bound: Bound,
    assume: Assume,
    coverage: BranchCoverage,
    name_of: Callable[[int], str],
    errors: Collection[Error],
    is_over: Callable[[], bool],
) -> None:
    """Explore the states that the audit has kept. What they cover does not count for the run.

    ``assume`` is the chain's. ``errors`` are those that the run has found, to its end; ``name_of`` names a branch edge.
    """
    before = bytes(coverage.covered)
    known = RunFindings(errors, name_of, coverage.forget)
    samples = audit.sample, audit.joined, audit.learnt
    explore_again(samples, machine, bound, Freeing(assume), known, audit.counts, is_over)
    audit.count_explored()
    after = coverage.covered
    coverage.forget(tuple([i for i in range(len(after)) if after[i] and not any(before[i : i + 1])]))
