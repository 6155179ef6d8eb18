"""Makes the solver of proofs, which reads bit-vectors as integers too."""

from __future__ import annotations

from unfork.logic.solve.audited import Audited, Prover
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.make_solver import WORKER_MEMORY, make_audit_solver
from unfork.logic.solve.route import BITS, INTEGERS, MOMENT, Routed, proving
from unfork.logic.solve.solver import Effort, NoSolver, Solver
from unfork.logic.solve.solver_worker import WorkerSolver

_INTEGERS = "unfork.logic.integers.integer_solver:IntegerSolver"


def make_proof_solver(last: Solver, other: str, effort: Effort, *, audits: bool) -> Prover:
    """Decides the queries of proofs: several solvers in turns, and ``last`` the one of an exploration.

    ``audits``: the ``other`` solver, by its name, decides each answer again.
    """
    never = NoSolver()
    moment = Routed(BitwuzlaSolver(MOMENT, effort=effort), never, never)
    integers = WorkerSolver(_INTEGERS, (), WORKER_MEMORY, effort)
    in_turns = proving(moment, integers, last)
    if not audits:
        return in_turns
    # Integers are decided by Z3.
    return Audited(in_turns, {BITS: make_audit_solver(other), INTEGERS: make_audit_solver("bitwuzla")})
