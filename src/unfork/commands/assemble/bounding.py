"""The limits of a run, the bounds on its paths, and which inputs are followed."""

from __future__ import annotations

import math

from unfork.commands.assemble import machines
from unfork.commands.assemble.machines import Engine, MachineSetup
from unfork.commands.assemble.outputs import has_heap
from unfork.engine.explore import unwind
from unfork.engine.explore.limits import Budget, DepthBound, NoBound, Work
from unfork.engine.explore.schedules import Schedules
from unfork.engine.machine.machine import Machine
from unfork.engine.memory.visible_operations import DEADLOCK
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.protocols.stopper import Bound
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.world.inputs import precondition
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.library.catalogue import Restricted


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
    manner = MachineSetup(Restricted(machines.library(), frozenset(["unfork_length"])), watches=False)
    probe = machines.machine(options, program, chain, SymbolicInputs(), BranchCoverage(), manner)
    return precondition.Required(stepper, probe, options.requires, chain)
