"""Who watches a run: what remembers joins, counts paths, proves again."""

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
    """What remembers joins. Telling paths apart for tests counts as no query of the exploration."""
    asked = chain(options, backend, Statistics())
    asked.deadline = deadline
    return Traces(Lineage(parents), asked)


def shadows(options: Options, deadline: float) -> Shadows | None:
    """What counts the paths of joined states, if --count-paths asks for it: with a solver of its own."""
    if not options.count_paths:
        return None
    asked = chain(options, solver(replace(options, dump_smt=None)), Statistics())
    asked.deadline = deadline
    return Shadows(asked)


def audit(options: Options, deadline: float) -> Audit | None:
    """What proves the run's joins and covers again, with the solver that the run does not use, if --audit wants it."""
    if not options.audit:
        return None
    name, proving = other_solver(options)
    prover = Prover(proving, options.solver_timeout, deadline)
    return Audit(prover, AuditCounts(name), options.seed)
