"""The limits of a run, the bounds on its paths, and which inputs are followed."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

from unfork.contracts.events import Observer
from unfork.contracts.stepper import Stepper
from unfork.contracts.stopper import Bound
from unfork.errors import InputError
from unfork.execute.coverage import BranchCoverage
from unfork.explore import unwind
from unfork.explore.limits import Budget, DepthBound, NoBound, Work
from unfork.inputs import precondition
from unfork.inputs.source import SymbolicInputs
from unfork.library.catalogue import Restricted
from unfork.options import Options
from unfork.wiring import machines, proofs
from unfork.wiring.machines import Engine, Manner
from unfork.wiring.outputs import has_heap

if TYPE_CHECKING:
    from unfork.inputs.testcase import Error
    from unfork.wiring.parts import Parts
    from unfork.wiring.proofs import Proofs


class Unchecked:
    """Nothing checks a run: neither --count-paths nor --audit is given, or it is part of a race."""

    observers: Sequence[Observer] = ()
    audited: None = None

    def paths(self) -> None:
        return None

    def explore_again(self, parts: Parts, errors: Collection[Error], is_over: Callable[[], bool]) -> None:
        return None

    def forget(self) -> None:
        return None

    def close(self) -> None:
        return None


UNCHECKED = Unchecked()
Checks: TypeAlias = "Proofs | Unchecked"


def checks(options: Options, budget: Budget) -> Checks:
    """What checks a run while it goes on, as --count-paths and --audit ask for."""
    return proofs.proofs(options, budget) if options.count_paths or options.audit else UNCHECKED


def budget(options: Options, began: float) -> Budget:
    """What a run that ``began`` then may use."""

    def limit(number: float | None) -> float:
        return math.inf if number is None else number

    work = Work(*map(limit, (options.max_instructions, options.max_forks, options.max_tests, options.max_errors)))
    return Budget(began, limit(options.max_time), limit(options.max_memory) * (1 << 20), work)


def followed(options: Options, stepper: Stepper, engine: Engine) -> tuple[Stepper, Bound]:
    """The stepper, and the bound on paths: with --requires only those that the predicate accepts, with --unwind some
    turns of loops.
    """
    stepper = _required(options, stepper, engine)
    bound: Bound = NoBound() if options.max_depth is None else DepthBound(options.max_depth)
    if options.unwind is None:
        return stepper, bound
    machine = engine.machine
    counted = unwind.Unwinding(stepper, machine.program.library, machine.facts, bound, options.unwind)
    return counted, counted


def _required(options: Options, stepper: Stepper, engine: Engine) -> Stepper:
    if options.requires is None:
        return stepper
    program, chain = engine.machine.program, engine.chain
    if not has_heap(options, program):
        raise InputError("--requires needs a --function with arguments")
    precondition.check_predicate(program, options.requires, options.function)
    manner = Manner(Restricted(machines.library(), frozenset(["unfork_length"])), watches=False)
    probe = machines.machine(options, program, chain, SymbolicInputs(), BranchCoverage(), manner)
    return precondition.Required(stepper, probe, options.requires, chain)
