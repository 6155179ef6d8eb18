"""The machine that runs a program, and the engine of an exploration around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from unfork.commands.assemble import solving
from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.solving import Backend
from unfork.engine.explore.limits import Budget
from unfork.engine.instructions.call_instructions import Modelled
from unfork.engine.instructions.repetition import CHECK as NONTERMINATION
from unfork.engine.machine.machine import Machine
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import InputSource
from unfork.engine.step.handlers import Handler
from unfork.engine.step.step import Sightings, StepOptions
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Effort, TimedQuestions
from unfork.options.options import Options
from unfork.program.facts.address_taken import address_taken
from unfork.program.llvm.module import Program
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.kernel import kernel
from unfork.world.kernel.known_functions import library
from unfork.world.kernel.processor import ProcessorAssembly

STACK_SIZE = 8 << 20
"""Bytes of C stack, as on most systems."""


def machine_limits(options: Options, program: Program, manner: MachineSetup) -> StepOptions:
    """What the machine is told. With --abort auto, abort() is a bug except in programs written for verifiers."""
    choices = choose(options)
    names = (*program.declarations, *program.defined)
    verifiers = any(name.startswith(("__VERIFIER_", "__CPROVER_")) or name == "reach_error" for name in names)
    is_error = options.abort == "error" or (options.abort == "auto" and not verifiers)
    return StepOptions(
        max_size=choices.inputs.max_size,
        max_objects=choices.inputs.max_objects,
        pairs_sizes=options.sizes == "pair",
        callbacks=_callbacks(options, program),
        may_throw=choices.inputs.throws_to_caller and choices.start.entry != "main",
        orders_cells="array" in choices.prune.abstractions,
        stack_size=STACK_SIZE,
        checks=choices.checks,
        abort_is_error=is_error,
        scans_at_once=choices.loops.scans_at_once,
        turns_at_once=choices.loops.turns,
        compiles_loops=choices.makes_machine_code,
        prints_at_once=not choices.prune.interpolates,  # interpolants know no choice of lengths
        scans_own=manner.scans_own,
        measures_texts=options.lengths == "measured",
        max_threads=options.max_threads,
        volatile_is_any=manner.volatile_is_any,
        keeps_variables=manner.keeps_variables,
    )


def _callbacks(options: Options, program: Program) -> frozenset[str]:
    own = frozenset(program.own)
    return own if options.callbacks == "all" else own & address_taken(program)


@dataclass(frozen=True, slots=True)
class MachineSetup:
    """What a machine is for, beyond the options: the functions and assembly templates that it knows, and the rest.

    ``scans_own``: it may take loops of the program in one step. ``watches``: it notes that the program looks at
    addresses; None: as the options need it. ``volatile_is_any``: reading a volatile object gives any value.
    ``keeps_variables``: variables keep their values after the program has read them for the last time.
    """

    known: Modelled = field(default_factory=library)
    templates: Mapping[str, Handler] = field(default_factory=lambda: kernel.TEMPLATES)
    scans_own: bool = True
    watches: bool | None = None
    volatile_is_any: bool = False
    keeps_variables: bool = False


@dataclass(frozen=True, slots=True)
class Engine:
    """A machine with its chain of solvers, its source of inputs, the coverage, and the work of solvers."""

    machine: Machine
    chain: Chain
    source: SymbolicInputs
    coverage: BranchCoverage
    effort: Effort


def engine(
    options: Options,
    program: Program,
    backend: Backend,
    budget: Budget,
    manner: MachineSetup,
    asked: Callable[[float], None] = lambda seconds: None,
) -> Engine:
    """An engine whose parts are all new. ``asked`` is called after each query with the seconds that it took."""
    chain = solving.chain(options, backend.solver, budget, asked, backend.effort)
    source, coverage = SymbolicInputs(), BranchCoverage()
    return Engine(machine(options, program, chain, source, coverage, manner), chain, source, coverage, backend.effort)


def machine(
    options: Options,
    program: Program,
    chain: TimedQuestions,
    source: InputSource,
    coverage: BranchCoverage,
    manner: MachineSetup,
) -> Machine:
    """The machine that runs ``program``."""
    limits = machine_limits(options, program, manner)
    choices = choose(options)
    looks_at_addresses = choices.prune.matches or NONTERMINATION in choices.checks
    watches = looks_at_addresses if manner.watches is None else manner.watches
    sightings, assembly = Sightings(watches=watches), ProcessorAssembly(manner.templates)
    return Machine(program, chain, source, limits, manner.known, assembly, coverage, sightings)
