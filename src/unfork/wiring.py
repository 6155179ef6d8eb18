"""The only place where a name in Options meets the class that it stands for."""

from __future__ import annotations

import contextlib
import math
import random
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from unfork.audit.audit import Audit
from unfork.audit.counts import AuditCounts
from unfork.audit.prove import Prover
from unfork.environment.kernel import MODELS, TEMPLATES
from unfork.environment.libc import Libc, Progress, obtain
from unfork.environment.world import GuestFile, World, place
from unfork.errors import InputError
from unfork.execute.assembly import Assembly
from unfork.execute.coverage import BranchCoverage
from unfork.execute.library import C_LIBRARY, LEFT_TO_LIBC, TOOLS, Library, Restricted
from unfork.execute.machine import Machine
from unfork.execute.repetition import CHECK
from unfork.execute.sightings import Sightings
from unfork.execute.step import UNINITIALISED, InputSource, Step
from unfork.explore.distance import Distances, blocks_of_line, edges_leading_to
from unfork.explore.fast_forward import FastForward
from unfork.explore.goal import Reached
from unfork.explore.guided import NearUncovered, Towards
from unfork.explore.limits import Bounds, DepthBound, NoBound
from unfork.explore.loop import Follow, Joiner, NoJoining
from unfork.explore.marked import MarkedOrder, Turns
from unfork.explore.pruning import Pruned, interpolating, subsuming, unpruned
from unfork.explore.resting import Resting
from unfork.explore.schedule import Meetings, MergeCounts
from unfork.explore.search import BreadthFirst, DepthFirst, Frontier, Order, RandomPath, RandomState
from unfork.explore.shadows import Shadows
from unfork.explore.side_by_side import SideBySide, SidesApart, Work
from unfork.explore.static_order import StaticOrder
from unfork.explore.tally import Stepper, Tally
from unfork.explore.unwind import Unwinding
from unfork.inputs import lazy_globals, startup
from unfork.inputs.alone import first_states
from unfork.inputs.arguments import NotThisCount, place_arguments, program_name
from unfork.inputs.command import (
    Command,
    SymbolicArgument,
    SymbolicArguments,
    Word,
    check,
    check_names,
    has_world,
    read,
    seed_files,
)
from unfork.inputs.precondition import Required, check_predicate
from unfork.inputs.source import SymbolicInputs
from unfork.joins import compared, experience_of, joins, similarity
from unfork.logic.chain import Chain
from unfork.logic.solver import FOREVER, Solver, Statistics
from unfork.merge.lineage import Lineage
from unfork.merge.marks import JoinAtMarks, PaysAtMarks, UnaskedAtMarks
from unfork.options import DESCRIPTIONS, Options, abstractions, flags_of
from unfork.outputs import has_heap
from unfork.program.clang import CompileOptions
from unfork.program.linking import NO_LIBRARIES, Libraries
from unfork.program.marks import closing_marks
from unfork.program.meeting import after_branches, at_marks, at_returns, everywhere, with_marks
from unfork.program.module import Function, Program
from unfork.prune.interpolation.strengthen import Sources
from unfork.prune.places import covering_places, marks_of
from unfork.prune.subsume import Demands
from unfork.replay.engine import EngineReplayer, NoSolver, TestSource
from unfork.report.traces import Traces
from unfork.solving import between, chain, cheap_solver, other_solver, solver
from unfork.state.state import RegisterValue, State

STACK_SIZE = 8 << 20
"""Bytes of C stack, as most systems give."""
_PLACES = {
    "dynamic": everywhere,
    "static": after_branches,
    "all": everywhere,
    "marked": at_marks,
    "function": at_returns,
}
"""Where each schedule lets states rest and meet."""
_QUERY, _ATTEMPT = 500, 1_000
"""As many instructions take about as long as a query, as an attempt to join."""
_COVERING_SECONDS = 2.0
"""The longest query about a cover."""


@dataclass(frozen=True, slots=True)
class MachineLimits:
    """The choices that instruction semantics look at."""

    max_size: int
    max_objects: int | None
    orders_cells: bool
    stack_size: int
    checks: frozenset[str]
    abort_is_error: bool


def compile_options(options: Options) -> CompileOptions:
    """How C becomes IR. Raises InputError for --cflags that are no words."""
    try:
        words = tuple(shlex.split(options.cflags))
    except ValueError as problem:
        raise InputError(f"--cflags: {problem}") from None
    seconds = math.inf if options.max_time is None else options.max_time
    return CompileOptions(
        options.cc, words, options.include, options.define, frozenset(options.check), options.optimize, seconds
    )


def libraries(options: Options, progress: Progress) -> Libraries:
    """What programs are completed with: a C library, for all that the engine does not model better itself."""
    if options.libc == "none":
        return NO_LIBRARIES
    modelled = library()
    return Libc(lambda name: modelled.find(name) is not None and name not in LEFT_TO_LIBC, progress)


def make_ready(options: Options, progress: Progress) -> None:
    """Build the C library before time is measured, if it is not there: a limit must not end that again and again."""
    if options.libc != "none":
        with contextlib.suppress(InputError):  # said when, and if, the program needs it
            obtain(progress)


def machine_limits(options: Options, program: Program) -> MachineLimits:
    """``abort`` "auto" makes abort() a bug but in programs written for verifiers."""
    names = (*program.declarations, *program.defined)
    verifiers = any(name.startswith("__VERIFIER_") or name == "reach_error" for name in names)
    is_error = options.abort == "error" or (options.abort == "auto" and not verifiers)
    orders = "array" in abstractions(options)
    return MachineLimits(options.max_size, options.max_objects, orders, STACK_SIZE, frozenset(options.check), is_error)


def library() -> Library:
    """The functions that have a model, system calls among them."""
    return Library((*C_LIBRARY, *TOOLS, MODELS))


def _watches(options: Options) -> bool:
    """Whether it matters that the program looks at addresses."""
    return options.prune == "subsume" or CHECK in options.check


def machine(options: Options, program: Program, chain: Chain, source: InputSource, coverage: BranchCoverage) -> Machine:
    """The semantics of ``program``."""
    limits, sightings = machine_limits(options, program), Sightings(watches=_watches(options))
    return Machine(program, chain, source, limits, library(), Assembly(TEMPLATES), coverage, sightings)


def symbolic_inputs() -> InputSource:
    """Inputs of an exploration."""
    return SymbolicInputs()


def command(options: Options, arguments: Sequence[str]) -> Command:
    """What the program is started with: symbolic arguments of options, then ``arguments``, KLEE's words among them.

    Raises InputError for what makes no sense.
    """
    words: list[Word] = [
        *[SymbolicArgument(*one) for one in options.sym_arg],
        *[SymbolicArguments(*one) for one in options.sym_args],
    ]
    made = Command(
        tuple(words),
        options.sym_stdin,
        files=options.sym_files or (0, 0),
        symbolic_stdout=options.sym_stdout,
        failures=options.fail,
    )
    for name in ("sym_args", "sym_arg", "sym_stdin", "sym_files", "fail"):
        if options.is_given(name):
            check(made, flags_of(name, DESCRIPTIONS[name])[0])
    made = read(arguments, seed_files(options.file, made))
    check_names(made)
    if options.libc == "none" and has_world(made):
        raise InputError(
            "--libc none: its functions know no files; --sym-stdin, --sym-files, --file, --fail need a libc"
        )
    return made


def world(command: Command) -> World:
    """What exists when the program starts."""
    given = command.given if command.stdin is None else None
    stdin = GuestFile(b"stdin", len(given) if given is not None else command.stdin or 0, given)
    files = [GuestFile(name.encode(), command.files[1], None) for name in command.file_names()]
    files += [GuestFile(name.encode("utf-8", "surrogateescape"), len(data), data) for name, data in command.seeds]
    return World(stdin, tuple(files), command.symbolic_stdout, command.failures)


def start(options: Options) -> Callable[[Machine, Command], list[State]]:
    """Makes the first states of a machine: one for each number of arguments that a command leaves open."""

    def begin(made: Machine, command: Command) -> list[State]:
        entry = options.entry if command.heap is None else command.heap.function
        if command.words and entry != "main":
            raise InputError(f"--function {entry}: program arguments are for main, not for the function {entry}")
        if command.heap is not None or has_heap(options, made.program):
            if {"ktest", "xml"}.intersection(options.formats):
                raise InputError(f"--formats: ktest and xml cannot hold the heap that {entry} is given; c can")
            variables = lazy_globals.symbolic if options.globals == "symbolic" else lazy_globals.initial
            return first_states(made, entry, command.heap, lambda step: place(step, world(command)), variables)
        name = program_name(made.program.sources).encode("utf-8", "surrogateescape")

        def arguments(counts: Sequence[int]) -> Callable[[Step, Function], list[RegisterValue]]:
            def values(step: Step, function: Function) -> list[RegisterValue]:
                count = len(function.type.parameters)
                is_read = startup.is_read(made.program) and function.name == "main"
                if count == 0 and not command.words and not is_read:
                    place(step, world(command))
                    return []
                if count > 3:
                    raise InputError("main takes at most three arguments: argc, argv, envp")
                try:
                    placed = place_arguments(step, name, command.words, counts)
                except ValueError as problem:
                    raise InputError(str(problem)) from None
                place(step, world(command))  # after the arguments, so that inputs have KLEE's order
                startup.tell(step, *placed[1:])
                return list(placed[:count])

            return values

        states = []
        for counts in product(*[range(group.least, group.most + 1) for group in command.groups()]):
            with contextlib.suppress(NotThisCount):
                states.append(made.initial(options.entry, arguments(counts)))
        return states

    return begin


@dataclass(frozen=True, slots=True)
class Scheduled:
    """In which order states come, and which of them are joined. ``stepper`` rests them where that needs it."""

    stepper: Stepper
    frontier: Frontier
    joiner: Joiner
    counts: MergeCounts


def scheduled(
    options: Options, made: Machine, chain: Chain, source: InputSource, coverage: BranchCoverage, tally: Tally
) -> Scheduled:
    """The searchers that --search names, taking turns, under the schedule that --merge names."""
    orders = _orders(options, made, coverage)
    chance = random.Random(f"{options.seed}/drop")
    counts = MergeCounts()
    if options.merge == "none":
        return Scheduled(made, Frontier(orders, chance), NoJoining(), counts)
    made.places = with_marks(_PLACES[options.merge])
    plain, marked = joins(options, made, source, chain)
    alike, experience = similarity(options, made), experience_of(options, chain)
    closes = closing_marks(made.program)
    made.heeds_marks = bool(closes)
    if not options.is_given("similar"):  # the program has said where joins pay
        marked = dict.fromkeys(closes, plain) | marked
    if marked:
        plain, alike = JoinAtMarks(marked, plain), UnaskedAtMarks(marked, alike)
        experience = PaysAtMarks(marked, experience)
    meetings = Meetings(plain, alike, made.places, counts, experience)
    schedule: FastForward | MarkedOrder | StaticOrder
    if options.merge == "marked":
        order = MarkedOrder(meetings, Turns(orders))
        return Scheduled(made, Frontier([order], chance), order, counts)
    if options.merge == "dynamic":
        covers = options.search == ("coverage",)
        progress = (lambda: coverage.covered.count(1)) if covers else None
        schedule = FastForward(meetings, orders, options.delta, progress)
        if closes:
            schedule = MarkedOrder(Meetings(plain, alike, at_marks, counts, experience), schedule)
    else:
        schedule = StaticOrder(meetings)
    waiting = Frontier([schedule], chance)
    resting = Resting(made, waiting, experience)
    if not _is_tried(options):
        return Scheduled(resting, waiting, schedule, counts)
    seconds = math.inf if options.max_time is None else options.max_time
    work = partial(_work, tally, chain.statistics, counts)
    both = SideBySide(waiting, schedule, _orders(options, made, coverage), chance, work, seconds)
    return Scheduled(SidesApart(resting, made, both, chain.asked), both, both, counts)


def _is_tried(options: Options) -> bool:
    """Whether merging is to show that it pays: if nobody asked for it, nor for what counts its paths."""
    asked = options.is_given("merge") or options.is_given("similar") or options.is_given("join")
    return not (asked or options.prune != "none" or options.count_paths or options.audit)


def _work(tally: Tally, statistics: Statistics, counts: MergeCounts) -> Work:
    """What a run has cost so far, whatever the clock says."""
    cost = tally.instructions + _QUERY * statistics.queries + _ATTEMPT * counts.attempts
    return Work(cost, counts.attempts)


def required(options: Options, stepper: Stepper, program: Program, chain: Chain) -> Stepper:
    """The stepper, which follows only what the predicate of --requires accepts, if there is one."""
    if options.requires is None:
        return stepper
    if not has_heap(options, program):
        raise InputError("--requires needs a --function with arguments")
    check_predicate(program, options.requires, options.function)
    known = Restricted(library(), frozenset(["unfork_length"]))
    limits, assembly = machine_limits(options, program), Assembly(TEMPLATES)
    unwatched = Sightings(watches=False)
    probe = Machine(program, chain, symbolic_inputs(), limits, known, assembly, BranchCoverage(), unwatched)
    return Required(stepper, probe, options.requires, chain)


def pruned(options: Options, made: Machine, schedule: Scheduled, backend: Solver, deadline: float) -> Pruned:
    """The pruner that --prune names. None of its queries counts as one of the exploration."""
    if options.prune == "none":
        return unpruned(schedule.stepper)
    asked = Chain(backend, min(options.solver_timeout, _COVERING_SECONDS), Statistics())
    asked.deadline = deadline
    meeting = None if options.merge == "none" else schedule.frontier
    checks = frozenset(options.check)
    if options.prune == "interpolate":
        joins, cheap = meeting is not None, cheap_solver()
        return interpolating(made, schedule.frontier, asked, _sources(options), cheap, joins=joins)
    demands = Demands(
        options.max_depth is not None,
        options.max_objects is not None,
        UNINITIALISED in checks,
        options.requires is not None,
    )
    places = marks_of(options.entry) if options.calls else covering_places(made.program)
    return subsuming(made, places, meeting, asked, checks, demands, compared(options, made))


def _sources(options: Options) -> Sources:
    """What interpolants are made of."""
    chosen = options.interpolants
    return Sources("cores" in chosen, "slacken" in chosen, "wp" in chosen, between(options))


def _orders(options: Options, made: Machine, coverage: BranchCoverage) -> list[Order]:
    orders: list[Order] = []
    program = made.program
    for number, name in enumerate(options.search):
        chance = random.Random(f"{options.seed}/{number}/{name}")
        match name.partition(":")[0]:
            case "dfs":
                orders.append(DepthFirst())
            case "bfs":
                orders.append(BreadthFirst())
            case "random-state":
                orders.append(RandomState(chance))
            case "random-path":
                orders.append(RandomPath(chance))
            case "coverage":
                distances = Distances(program, options.entry, made.has_run)
                orders += [NearUncovered(distances, coverage, chance), RandomPath(chance)]
            case _:
                orders.append(_towards(name, options.entry, program, coverage))
    return orders


def _towards(name: str, entry: str, program: Program, coverage: BranchCoverage) -> Order:
    file, _, line = name.partition(":")[2].rpartition(":")
    functions = [program.function(one) for one in program.defined if one not in program.library]
    places = blocks_of_line(functions, file, int(line))
    if not places:
        raise InputError(f"--search {name}: no code at that line")
    distances = Distances(program, entry)
    distances.want(places)
    return Towards(distances, Reached(coverage, edges_leading_to(functions, places)))


def traces(options: Options, parents: Callable[[int], Sequence[int]], backend: Solver, deadline: float) -> Traces:
    """What remembers joins. Telling paths apart for tests counts as no query of the exploration."""
    asked = chain(options, backend, Statistics())
    asked.deadline = deadline
    return Traces(Lineage(parents), asked)


def shadows(options: Options, deadline: float) -> Shadows | None:
    """What counts the paths of joined states, if --count-paths asks for it: with a solver of its own."""
    if not options.count_paths:
        return None
    asked = chain(options, solver(replace(options, dump_smt=None)), Statistics())
    asked.deadline = deadline
    return Shadows(asked)


def bounds(options: Options) -> Bounds:
    """The limits that stop a run."""
    return Bounds(
        options.max_memory,
        options.max_instructions,
        options.max_forks,
        options.max_tests,
        options.max_errors,
    )


def audit(options: Options, deadline: float) -> Audit | None:
    """What proves the run's joins and covers again, with the solver that the run does not use, if --audit wants it."""
    if not options.audit:
        return None
    name, proving = other_solver(options)
    prover = Prover(proving, options.solver_timeout, deadline)
    return Audit(prover, AuditCounts(name), options.seed)


def follow(options: Options) -> Follow:
    """The bound on paths."""
    return NoBound() if options.max_depth is None else DepthBound(options.max_depth)


def unwinding(options: Options, stepper: Stepper, made: Machine) -> tuple[Stepper, Follow]:
    """The stepper, and the bound on paths, with --unwind where it is given."""
    if options.unwind is None:
        return stepper, follow(options)
    counted = Unwinding(stepper, made, follow(options), options.unwind)
    return counted, counted


def replayer(
    options: Options,
    program: Program,
    coverage: BranchCoverage,
    is_cut: Callable[[State], bool],
    backend: Solver,
    deadline: float = FOREVER,
) -> EngineReplayer:
    """Replay on the engine: a machine of its own, which covers into ``coverage`` and stops at ``deadline``.

    The solver is asked what depends on unwritten bytes, where that is looked for, and nothing else.
    """
    notices = UNINITIALISED in options.check
    source = TestSource(SymbolicInputs() if notices else None)
    asked = Chain(backend, options.solver_timeout) if notices else Chain(NoSolver())
    asked.deadline = deadline
    made = machine(options, program, asked, source, coverage)
    return EngineReplayer(made, source, start(options), is_cut)
