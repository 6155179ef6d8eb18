"""The semantics of a run, and the machines beside it: for replays, and for the predicate of --requires."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from unfork.contracts.stepper import Stepper
from unfork.errors import InputError
from unfork.execute.coverage import BranchCoverage
from unfork.execute.follow import Guided
from unfork.execute.handlers import Handler
from unfork.execute.input_source import InputSource
from unfork.execute.machine import Machine
from unfork.execute.repetition import CHECK
from unfork.execute.sightings import Sightings
from unfork.execute.step import INDETERMINATE, UNINITIALISED
from unfork.inputs.source import SymbolicInputs
from unfork.later import Later
from unfork.library.assembly import Assembly
from unfork.library.catalogue import C_LIBRARY, TOOLS, Library, Restricted
from unfork.library.model import Model
from unfork.llvm.module import Program
from unfork.logic.chain import Chain
from unfork.logic.questions import TimedQuestions
from unfork.logic.solver import FOREVER, Solver
from unfork.options import Options, abstractions
from unfork.replay.engine import EngineReplayer, NoSolver, TestSource
from unfork.replay.observers import Surroundings
from unfork.state.state import State
from unfork.wiring.outputs import has_heap
from unfork.wiring.starting import start

if TYPE_CHECKING:
    from unfork.environment import kernel
    from unfork.inputs import precondition
    from unfork.replay import concolic as replay_concolic
    from unfork.replay.concolic import Concolic
else:
    kernel = Later("unfork.environment.kernel")
    replay_concolic = Later("unfork.replay.concolic")
    precondition = Later("unfork.inputs.precondition")

NO_MODELS: Mapping[str, Model] = MappingProxyType({})
STACK_SIZE = 8 << 20
"""Bytes of C stack, as most systems give."""


@dataclass(frozen=True, slots=True)
class MachineLimits:
    """The choices that instruction semantics look at."""

    max_size: int
    max_objects: int | None
    orders_cells: bool
    stack_size: int
    checks: frozenset[str]
    abort_is_error: bool
    scans_at_once: bool
    prints_at_once: bool
    is_ilp32: bool
    volatile_is_any: bool = False


def machine_limits(options: Options, program: Program) -> MachineLimits:
    """``abort`` "auto" makes abort() a bug but in programs written for verifiers."""
    names = (*program.declarations, *program.defined)
    verifiers = any(name.startswith("__VERIFIER_") or name == "reach_error" for name in names)
    is_error = options.abort == "error" or (options.abort == "auto" and not verifiers)
    orders = "array" in abstractions(options)
    return MachineLimits(
        max_size=options.max_size,
        max_objects=options.max_objects,
        orders_cells=orders,
        stack_size=STACK_SIZE,
        checks=frozenset(options.check),
        abort_is_error=is_error,
        scans_at_once=_scans_at_once(options),
        prints_at_once=options.prune != "interpolate",  # interpolants know no choice of lengths
        is_ilp32=options.data_model == "ILP32",
    )


def _scans_at_once(options: Options) -> bool:
    """Whether loops that scan are taken in one step: nobody asks for their single turns, or the paths through them."""
    asks_for_turns = options.unwind is not None or CHECK in options.check or options.prune == "interpolate"
    asks_for_paths = options.tests == "paths" or options.count_paths
    return options.loops != "run" and not asks_for_turns and not asks_for_paths


def library(more: Mapping[str, Model] = NO_MODELS) -> Library:
    """The functions that have a model, system calls and ``more`` among them."""
    return Library((*C_LIBRARY, *TOOLS, kernel.MODELS, more))


def _seeking_faults(options: Options) -> Options:
    """The options of who follows one path: what depends on unwritten bytes matters to it only where that is a fault."""
    if INDETERMINATE not in options.check:
        return options
    return replace(options, check=tuple([each for each in options.check if each not in (UNINITIALISED, INDETERMINATE)]))


def _watches(options: Options) -> bool:
    """Whether it matters that the program looks at addresses."""
    return options.prune == "subsume" or CHECK in options.check


def _templates() -> Mapping[str, Handler]:
    return kernel.TEMPLATES


def machine(
    options: Options,
    program: Program,
    chain: TimedQuestions,
    source: InputSource,
    coverage: BranchCoverage,
    more: Mapping[str, Model] = NO_MODELS,
    templates: Callable[[], Mapping[str, Handler]] = _templates,
) -> Machine:
    """The semantics of ``program``, which may call the functions of ``more``, too."""
    limits, sightings = machine_limits(options, program), Sightings(watches=_watches(options))
    return Machine(program, chain, source, limits, library(more), Assembly(templates()), coverage, sightings)


def proving_machine(
    options: Options, program: Program, chain: TimedQuestions, source: InputSource, coverage: BranchCoverage
) -> Machine:
    """The semantics of a program in a proof: what is volatile, anybody may write."""
    limits, sightings = (
        replace(machine_limits(options, program), volatile_is_any=True),
        Sightings(watches=_watches(options)),
    )
    return Machine(program, chain, source, limits, library(), Assembly(kernel.TEMPLATES), coverage, sightings)


def required(options: Options, stepper: Stepper, program: Program, chain: Chain) -> Stepper:
    """The stepper; with --requires it follows only the paths that the predicate accepts."""
    if options.requires is None:
        return stepper
    if not has_heap(options, program):
        raise InputError("--requires needs a --function with arguments")
    precondition.check_predicate(program, options.requires, options.function)
    known = Restricted(library(), frozenset(["unfork_length"]))
    limits, assembly = machine_limits(options, program), Assembly(kernel.TEMPLATES)
    unwatched = Sightings(watches=False)
    probe = Machine(program, chain, SymbolicInputs(), limits, known, assembly, BranchCoverage(), unwatched)
    return precondition.Required(stepper, probe, options.requires, chain)


def _alone(source: InputSource) -> InputSource:
    return source


def replayer(
    options: Options,
    program: Program,
    coverage: BranchCoverage,
    is_cut: Callable[[State], bool],
    backend: Solver,
    deadline: float = FOREVER,
    around: Callable[[InputSource], InputSource] = _alone,
    more: Mapping[str, Model] = NO_MODELS,
) -> EngineReplayer:
    """Replay on the engine: a machine of its own, which covers into ``coverage`` and stops at ``deadline``.

    The solver is asked what depends on unwritten bytes, where that is looked for, and nothing else. ``around`` puts
    another source of inputs around that of the test; the program may call the functions of ``more``, too.
    """
    options = _seeking_faults(options)
    notices = UNINITIALISED in options.check
    source = TestSource(SymbolicInputs() if notices else None)
    asked = Chain(backend, options.solver_timeout) if notices else Chain(NoSolver())
    asked.deadline = deadline
    surroundings = Surroundings()
    models = {**surroundings.models, **more}
    replaying = machine(options, program, asked, around(source), coverage, models, lambda: surroundings.templates)
    return EngineReplayer(replaying, source, surroundings, start(options), is_cut)


def concolic(options: Options, program: Program) -> tuple[Machine, Concolic]:
    """A machine that runs tests with symbolic inputs, and what guides it. It takes loops turn by turn."""
    guide = replay_concolic.Concolic()
    turning = replace(_seeking_faults(options), loops="run")
    return machine(turning, program, Guided(guide), guide, BranchCoverage()), guide
