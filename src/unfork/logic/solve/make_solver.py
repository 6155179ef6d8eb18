"""Makes the solvers of an exploration: one for quick queries, two for hard ones, and those that are beside it."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from unfork.logic.solve.bitwuzla import SHARE, BitwuzlaSolver
from unfork.logic.solve.byte_domains import Domains
from unfork.logic.solve.model_search import Searched
from unfork.logic.solve.ranks import Ranked
from unfork.logic.solve.route import InTurns, Routed, SolverTurn, staggered
from unfork.logic.solve.solver import Effort, NoSolver, Solver
from unfork.logic.solve.solver_worker import WorkerSolver
from unfork.logic.solve.trial import Compile, Trial

WORKER_MEMORY = 2 << 30
"""Bytes that a solver process may use."""
_BITWUZLA, _Z3 = "unfork.logic.solve.bitwuzla:BitwuzlaSolver", "unfork.logic.solve.z3:Z3Solver"
_UNLIMITED = 0
_AS_THEY_ARE, _SIMPLIFIED = 0, 1
_Z3_STEPS = 2_000_000
_Z3_SHARE = 400_000
"""As much work as SHARE is. Of 25 queries of `seq` about long doubles that are answered, 24 take less."""
_CHEAP = 50
"""The share of work (as logic/solve/bitwuzla.py counts it) for a question whose answer may be missed."""


@dataclass(frozen=True, slots=True)
class SolverRequest:
    """The solver asked ``first``, by name. ``samples``: each query goes to one solver, for a small share of work."""

    first: str
    samples: bool

    @property
    def other(self) -> str:
        """The solver asked second, and only hard queries."""
        return "bitwuzla" if self.first == "z3" else "z3"


def make_solver(request: SolverRequest, compile: Compile, effort: Effort | None = None) -> Solver:
    """The first solver, and worker processes for hard queries: these go to the other one too, if the first is slow.

    Inputs of hard queries are tried if they are few, by what ``compile`` makes. Work is counted in ``effort``.
    """
    z3 = WorkerSolver(_Z3, (), WORKER_MEMORY, effort)
    bitwuzla = WorkerSolver(_BITWUZLA, (_UNLIMITED, _SIMPLIFIED), WORKER_MEMORY, effort)
    quick: Solver
    hard: Solver
    if request.samples:
        z3 = WorkerSolver(_Z3, (_Z3_SHARE,), WORKER_MEMORY, effort)
        quick, hard = BitwuzlaSolver(SHARE, _AS_THEY_ARE, effort), z3
        if request.first != "z3":
            hard = WorkerSolver(_BITWUZLA, (SHARE, _SIMPLIFIED), WORKER_MEMORY, effort)
    elif request.first == "z3":
        quick, hard = _load(_Z3, _Z3_STEPS, effort), staggered("z3", z3, "bitwuzla", bitwuzla)
    else:
        quick, hard = BitwuzlaSolver(SHARE, _AS_THEY_ARE, effort), staggered("bitwuzla", bitwuzla, "z3", z3)
    effort = Effort() if effort is None else effort
    trial = Trial(compile, effort)
    first = InTurns([SolverTurn("quick", quick), SolverTurn("trial", trial)])
    routed = Routed(first, Searched(hard, compile, effort), z3)
    return Domains(Ranked(routed), routed.is_hard, trial)


def make_audit_solver(name: str) -> Solver:
    """A solver of its own for an audit."""
    factory, arguments = (_BITWUZLA, (_UNLIMITED,)) if name == "bitwuzla" else (_Z3, ())
    quick = BitwuzlaSolver() if name == "bitwuzla" else _load(_Z3, _Z3_STEPS)
    other = WorkerSolver(factory, arguments, WORKER_MEMORY)
    return Routed(quick, other, other)


def make_cheap_solver(effort: Effort) -> Solver:
    """A solver for questions that are worth only a little work: Unknown where that is not enough."""
    never = NoSolver()
    return Routed(BitwuzlaSolver(_CHEAP, effort=effort), never, never)


def _load(factory: str, argument: int, effort: Effort | None = None) -> Solver:
    """A backend whose library is slow to import, imported only when it is asked for."""
    module, _, name = factory.partition(":")
    backend: Solver = getattr(importlib.import_module(module), name)(argument, effort=effort)
    return backend
