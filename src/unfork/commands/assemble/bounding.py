"""The limits of a run, and which of its inputs and schedules are followed."""

from __future__ import annotations

import math

from unfork.commands.assemble import machines
from unfork.commands.assemble.choices import RunChoices, choose
from unfork.commands.assemble.machines import Engine, MachineSetup
from unfork.commands.assemble.outputs import has_heap
from unfork.engine.explore.limits import Budget, Work
from unfork.engine.explore.make_bounds import make_schedules
from unfork.engine.machine.machine import Machine
from unfork.engine.memory.visible_operations import DEADLOCK
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.world.inputs import precondition
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.kernel.known_functions import library
from unfork.world.library.catalogue import Restricted

_MEGABYTE = 1 << 20


def budget(options: Options, began: float) -> Budget:
    """What a run may use that ``began`` then (``time.monotonic``)."""
    work = Work(
        instructions=_limit(options.max_instructions),
        forks=_limit(options.max_forks),
        tests=_limit(choose(options).tests.most),
        errors=_limit(options.max_errors),
    )
    return Budget(began, _limit(options.max_time), _limit(options.max_memory) * _MEGABYTE, work)


def _limit(number: float | None) -> float:
    return math.inf if number is None else number


def scheduling(choices: RunChoices, machine: Machine, stepper: Stepper) -> Stepper:
    """Forks over which thread goes on, if the program makes threads."""
    if not machine.statics.makes_threads:
        return stepper
    return make_schedules(choices.bounds, machine.failed, stepper, finds_deadlocks=DEADLOCK in choices.checks)


def requiring(options: Options, choices: RunChoices, engine: Engine, stepper: Stepper) -> Stepper:
    """Follows only inputs that the predicate of --requires allows.

    Raises InputError for a predicate that does not fit the function.
    """
    predicate = choices.start.requires
    if predicate is None:
        return stepper
    program, chain = engine.machine.program, engine.chain
    if not has_heap(options, program):
        raise InputError("--requires needs a --function with arguments")
    precondition.check_predicate(program, predicate, choices.start.function)
    setup = MachineSetup(Restricted(library(), frozenset(["unfork_length"])), watches=False)
    probe = machines.machine(options, program, chain, SymbolicInputs(), BranchCoverage(), setup)
    return precondition.Required(stepper, probe, predicate, chain)
