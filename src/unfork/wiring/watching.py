"""The observers of a run: they remember joins, count paths, and prove again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from unfork.audit.audit import Audit
from unfork.audit.counts import AuditCounts
from unfork.audit.prove import Prover
from unfork.explore.shadows import Shadows
from unfork.logic.solver import Solver, Statistics
from unfork.merge.lineage import Lineage
from unfork.options import Options
from unfork.report.traces import Traces
from unfork.wiring.solving import chain, other_solver, solver


def traces(options: Options, parents: Callable[[int], Sequence[int]], backend: Solver, deadline: float) -> Traces:
    """The record of joins. Its queries, which tell paths apart for tests, do not count as the exploration's."""
    asked = chain(options, backend, Statistics())
    asked.deadline = deadline
    return Traces(Lineage(parents), asked)


def shadows(options: Options, deadline: float) -> Shadows | None:
    """The counter of the paths of joined states, with a solver of its own, if --count-paths asks for it."""
    if not options.count_paths:
        return None
    asked = chain(options, solver(replace(options, dump_smt=None)), Statistics())
    asked.deadline = deadline
    return Shadows(asked)


def audit(options: Options, deadline: float) -> Audit | None:
    """The audit, if --audit asks for it: it proves joins and covers again with the solver that the run does not use."""
    if not options.audit:
        return None
    name, proving = other_solver(options)
    prover = Prover(proving, options.solver_timeout, deadline)
    return Audit(prover, AuditCounts(name), options.seed)
