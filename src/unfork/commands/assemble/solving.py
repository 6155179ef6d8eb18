"""The solvers that the options name."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unfork.commands.assemble.choices import choose
from unfork.engine.explore.limits import Budget
from unfork.errors import InputError
from unfork.logic.solve.audited import Audited, Prover
from unfork.logic.solve.bitwuzla import SHARE, BitwuzlaSolver
from unfork.logic.solve.byte_domains import Domains
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.ranks import Ranked
from unfork.logic.solve.route import BITS, INTEGERS, MOMENT, InTurns, Routed, proving, staggered
from unfork.logic.solve.sampling import Sampling
from unfork.logic.solve.smtlib import DumpingSolver
from unfork.logic.solve.solver import Effort, Solver, Statistics
from unfork.logic.solve.solver_worker import WorkerSolver
from unfork.options.options import Options
from unfork.report.replay.engine import NoSolver

_WORKER_MEMORY = 2 << 30
"""Bytes that a solver process may use."""
_BITWUZLA, _Z3 = "unfork.logic.solve.bitwuzla:BitwuzlaSolver", "unfork.logic.solve.z3:Z3Solver"
_INTEGERS = "unfork.logic.integers.integer_solver:IntegerSolver"
_UNLIMITED = 0
_AS_THEY_ARE, _SIMPLIFIED = 0, 1
_Z3_STEPS = 2_000_000
_Z3_SHARE = 400_000
"""As much work as SHARE is. Of 25 queries of `seq` about long doubles that are answered, 24 take less."""
_CHEAP = 50
"""The share of work (as logic/solve/bitwuzla.py counts it) for a question whose answer may be missed."""


@dataclass(frozen=True, slots=True)
class Backend:
    """What answers the queries of an exploration, and the count of what that costs."""

    solver: Solver
    effort: Effort


def backend(options: Options) -> Backend:
    """The solvers that the options name."""
    effort = Effort()
    return Backend(solver(options, effort), effort)


def solver(options: Options, effort: Effort | None = None) -> Solver:
    """The backend with its worker processes, and the writer of queries in front if asked for.

    The solver that the options name is asked first; hard queries that it does not answer soon go to the other one too.
    With --hard sample, each query goes to one solver, for ``SHARE``. All of them count in ``effort``.
    """
    queries = choose(options).queries
    z3 = WorkerSolver(_Z3, (), _WORKER_MEMORY, effort)
    bitwuzla = WorkerSolver(_BITWUZLA, (_UNLIMITED, _SIMPLIFIED), _WORKER_MEMORY, effort)
    quick: Solver
    hard: Solver
    if queries.samples:
        z3 = WorkerSolver(_Z3, (_Z3_SHARE,), _WORKER_MEMORY, effort)
        quick, hard = BitwuzlaSolver(SHARE, _AS_THEY_ARE, effort), z3
        if queries.solver != "z3":
            hard = WorkerSolver(_BITWUZLA, (SHARE, _SIMPLIFIED), _WORKER_MEMORY, effort)
    elif queries.solver == "z3":
        quick, hard = _load(_Z3, _Z3_STEPS, effort), staggered("z3", z3, "bitwuzla", bitwuzla)
    else:
        quick, hard = BitwuzlaSolver(SHARE, _AS_THEY_ARE, effort), staggered("bitwuzla", bitwuzla, "z3", z3)
    routed = Routed(quick, hard, z3)
    backend: Solver = Domains(Ranked(routed), routed.is_hard)
    if options.dump_smt is None:
        return backend
    folder = Path(options.dump_smt)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--dump-smt {folder}: {error.strerror}") from None
    return DumpingSolver(backend, folder)


def proof_solver(options: Options, effort: Effort) -> Prover:
    """What decides the queries of proofs, in turns; the last is what else would. --audit asks again."""
    in_turns = _proof_solver(options, effort)
    if not choose(options).queries.audits:
        return in_turns
    # As integers it was Z3 that decided.
    return Audited(in_turns, {BITS: other_solver(options)[1], INTEGERS: _audit_solver("bitwuzla")})


def _proof_solver(options: Options, effort: Effort) -> InTurns:
    never = NoSolver()
    moment = Routed(BitwuzlaSolver(MOMENT, effort=effort), never, never)
    integers = WorkerSolver(_INTEGERS, (), _WORKER_MEMORY, effort)
    return proving(moment, integers, solver(options, effort))


def other_solver(options: Options) -> tuple[str, Solver]:
    """The solver of an audit with its name: the one that the exploration asks second, and only hard queries."""
    name = "bitwuzla" if choose(options).queries.solver == "z3" else "z3"
    return name, _audit_solver(name)


def _audit_solver(name: str) -> Solver:
    factory, arguments = (_BITWUZLA, (_UNLIMITED,)) if name == "bitwuzla" else (_Z3, ())
    quick = BitwuzlaSolver() if name == "bitwuzla" else _load(_Z3, _Z3_STEPS)
    other = WorkerSolver(factory, arguments, _WORKER_MEMORY)
    return Routed(quick, other, other)


def cheap_solver(effort: Effort) -> Solver:
    """A solver for questions that are worth only a little time: Unknown where that is not enough."""
    never = NoSolver()
    return Routed(BitwuzlaSolver(_CHEAP, effort=effort), never, never)


def _load(factory: str, argument: int, effort: Effort | None = None) -> Solver:
    """A backend whose library is slow to import, imported only when it is asked for."""
    module, _, name = factory.partition(":")
    backend: Solver = getattr(importlib.import_module(module), name)(argument, effort=effort)
    return backend


def chain(
    options: Options,
    backend: Solver,
    budget: Budget,
    asked: Callable[[float], None] = lambda seconds: None,
    effort: Effort | None = None,
) -> Chain:
    """What answers feasibility. No query may take longer than the whole run; ``asked`` is told how long each took.

    ``effort`` is where ``backend`` counts its work.
    """
    queries = choose(options).queries
    kind = Sampling if queries.samples else Chain
    timeout = min(queries.timeout, budget.seconds)
    return kind(backend, timeout, Statistics(), budget.deadline, asked, effort)
