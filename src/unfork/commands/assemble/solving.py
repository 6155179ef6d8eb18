"""The solvers that the options name, and the chain that puts an exploration's queries to one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unfork.commands.assemble.choices import choose
from unfork.engine.explore.limits import Budget
from unfork.errors import InputError
from unfork.logic.integers.make_proof_solver import make_proof_solver
from unfork.logic.solve.audited import Prover
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.make_solver import make_audit_solver, make_solver
from unfork.logic.solve.sampling import Sampling
from unfork.logic.solve.smtlib import DumpingSolver
from unfork.logic.solve.solver import Effort, Solver, Statistics
from unfork.logic.solve.trial import no_machine_code
from unfork.options.options import Options
from unfork.program.llvm.binding import MachineCode, NoMachineCode, machine_code


@dataclass(frozen=True, slots=True)
class Backend:
    """Answers the queries of an exploration, and counts what that costs."""

    solver: Solver
    effort: Effort


def backend(options: Options) -> Backend:
    """The solvers of one exploration."""
    effort = Effort()
    return Backend(solver(options, effort), effort)


def solver(options: Options, effort: Effort | None = None) -> Solver:
    """The solvers that the options name; with --dump-smt their queries are written to files. Raises InputError."""
    choices = choose(options)
    compile = _machine_code if choices.makes_machine_code else no_machine_code
    made = make_solver(choices.queries.solvers, compile, effort)
    if options.dump_smt is None:
        return made
    folder = Path(options.dump_smt)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--dump-smt {folder}: {error.strerror}") from None
    return DumpingSolver(made, folder)


def _machine_code(text: str, name: str) -> MachineCode | None:
    """Machine code of a function; None on a machine that runs none."""
    try:
        return machine_code(text, name)
    except NoMachineCode:
        return None


def proof_solver(options: Options, effort: Effort) -> Prover:
    """Decides the queries of proofs; --audit decides them again."""
    queries = choose(options).queries
    return make_proof_solver(solver(options, effort), queries.solvers.other, effort, audits=queries.audits)


def other_solver(options: Options) -> tuple[str, Solver]:
    """The solver of an audit with its name: the one that the exploration asks second."""
    name = choose(options).queries.solvers.other
    return name, make_audit_solver(name)


def chain(
    options: Options,
    backend: Solver,
    budget: Budget,
    asked: Callable[[float], None] = lambda seconds: None,
    effort: Effort | None = None,
) -> Chain:
    """Answers feasibility by ``backend``, which counts its work in ``effort``.

    No query may take longer than the whole run; ``asked`` is told the seconds that each took.
    """
    queries = choose(options).queries
    kind = Sampling if queries.solvers.samples else Chain
    timeout = min(queries.timeout, budget.seconds)
    return kind(backend, timeout, Statistics(), budget.deadline, asked, effort)
