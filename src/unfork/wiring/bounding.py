"""The limits of a run, and the bounds on its paths."""

from __future__ import annotations

from unfork.contracts.stepper import Stepper
from unfork.contracts.stopper import Bound
from unfork.explore.limits import Bounds, DepthBound, NoBound
from unfork.explore.unwind import Unwinding
from unfork.facts.function_facts import FactsTable
from unfork.llvm.module import Program
from unfork.options import Options


def bounds(options: Options) -> Bounds:
    """The limits that stop a run."""
    return Bounds(
        options.max_memory,
        options.max_instructions,
        options.max_forks,
        options.max_tests,
        options.max_errors,
    )


def unwinding(options: Options, stepper: Stepper, program: Program, facts: FactsTable) -> tuple[Stepper, Bound]:
    """The stepper, and the bound on paths, with --unwind where it is given."""
    bound: Bound = NoBound() if options.max_depth is None else DepthBound(options.max_depth)
    if options.unwind is None:
        return stepper, bound
    counted = Unwinding(stepper, program.library, facts, bound, options.unwind)
    return counted, counted
