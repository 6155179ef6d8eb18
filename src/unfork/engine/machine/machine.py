"""The machine: ``step(state, rest)`` runs a state to its next fork, its end, or the end of its quantum."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from time import monotonic

from unfork.engine.instructions.activations import finish, run_instruction, run_next
from unfork.engine.instructions.call_instructions import AssemblyMeaning, Callees, Modelled
from unfork.engine.instructions.repetition import CHECK, Repetition
from unfork.engine.machine.code import FunctionCode, Others
from unfork.engine.machine.hot_loops import WENT, Costs
from unfork.engine.machine.plain_code import PlainCode
from unfork.engine.machine.regions import LEFT
from unfork.engine.memory.visible_operations import Rest
from unfork.engine.protocols.outcome import Failed, Fault, Killed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS, INSTRUCTIONS, YieldPoints
from unfork.engine.state.names import Names
from unfork.engine.state.state import AGENDA, EXIT_HANDLERS, RegisterValue, State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import Conduct, InputSource
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import PathEnded, ProgramExit, Sightings, Split, Step, StepOptions
from unfork.errors import InputError, Unsupported
from unfork.logic.solve.solver import Statistics, TimedQuestions
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.demangle import readable
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import Position

QUANTUM = 200_000
"""A step yields at the first head of a loop or entry of a function after this many instructions, so that limits and
interrupts are checked: how much of the code is compiled by then makes no difference. Twice as many are too many
wherever it is, since a jump back by longjmp is no loop."""


LAST_HANDLERS = ("__stdio_exit",)
"""C library functions that run after the program's own exit handlers: they flush buffers."""


Arguments = Callable[[Step, Function], list[RegisterValue]]
"""Makes the arguments of the entry function on a fresh state."""


@dataclass(frozen=True, slots=True)
class SavedMachine:
    """Names of stack objects, the first look at an address, and the functions that ran."""

    names: Names
    first_look: str | None
    ran: tuple[str, ...]


class Machine:
    """The semantics of a program. ``step`` owns the state that it is given and may reuse it."""

    def __init__(
        self,
        program: Program,
        chain: TimedQuestions,
        source: InputSource,
        limits: StepOptions,
        library: Modelled,
        assembly: AssemblyMeaning,
        coverage: BranchCoverage,
        sightings: Sightings,
    ) -> None:
        self.program = program
        self.facts = FactsTable(keeps_variables=limits.keeps_variables)
        """What is known of the program's functions, for all parts of the run."""
        self.statics = Statics(program, lambda name: library.find(name) is not None)
        self.coverage = coverage
        self.sightings = sightings
        self._costs = Costs(is_on=limits.compiles_loops)
        self._repetition = Repetition(self.facts, sightings, looks_at_loops=CHECK in limits.checks)
        conduct = Conduct(chain, source)
        self._step = Step(self.facts, Names(), limits, self.statics, coverage, sightings, conduct)
        self._step.looks_back = self._repetition.call
        self._callees = Callees(self.statics, self.facts, library, assembly)
        self._codes: dict[Function, FunctionCode] = {}
        self._suspicious: dict[Function, FunctionCode] = {}
        """Code that watches for looks at addresses, for paths under suspicion (engine/instructions/repetition.py)."""
        self._threaded: dict[Function, FunctionCode] = {}
        """Code that rests before what other threads may notice, for paths with several."""

    def companion(self, chain: TimedQuestions, coverage: BranchCoverage) -> Machine:
        """Another machine for states of this one, with its own ``chain`` and ``coverage``.

        Both name objects from the same tables, so that neither gives out a name that the other has used.
        """
        twin = self.following(Conduct(chain, self._step.source), coverage)
        twin._step.looks_back = self._repetition.call
        return twin

    def following(self, conduct: Conduct, coverage: BranchCoverage) -> Machine:
        """A companion for paths that are known, which are not searched for what comes again."""
        twin = copy(self)
        twin.coverage = coverage
        twin._step = self._step.beside(conduct, coverage)
        twin._step.sightings = self.sightings
        twin._codes, twin._suspicious, twin._threaded = {}, {}, {}
        return twin

    def initial(self, entry: str, arguments: Arguments) -> State:
        """The state before the program's constructors and ``entry`` run.

        Raises InputError when the program does not define ``entry``.
        """
        if entry not in self.program.defined:
            raise InputError(f"the program defines no function {entry!r}; name one with --function")
        state = State.begin(self.statics.memory())
        step = self._step
        step.begin(state, None)
        given = tuple(arguments(step, self.program.function(entry)))
        state.remembered[AGENDA] = (*[(name, ()) for name in self.program.constructors], (entry, given))
        last = [name for name in LAST_HANDLERS if name in self.program.defined]
        last += reversed(self.program.destructors)
        state.remembered[EXIT_HANDLERS] = tuple([(name, None) for name in last])
        run_next(step)
        return state

    def saved(self) -> SavedMachine:
        """What the machine has handed out and seen, for ``restore``."""
        ran = tuple([function.name for function in self._codes])
        return SavedMachine(self._step.names, self.sightings.first, ran)

    def restore(self, saved: SavedMachine) -> None:
        """Begin where another run of the program was, whose states go on here; companions begin there too."""
        self._step.names.restore(saved.names)
        self.sightings.first = saved.first_look
        for name in saved.ran:
            self.code(self.program.function(name))

    def share_names(self, part: int, parts: int) -> None:
        """Name objects as one of several processes that go on from here (Names.share)."""
        self._step.names.share(part, parts)

    def notes(self) -> tuple[str, ...]:
        """Remarks on what cannot be done on this computer."""
        problem = self._costs.problem
        return (
            () if problem is None else (f"--jit auto: loops are not compiled, as LLVM cannot do that here ({problem})",)
        )

    def running(self) -> list[Function]:
        """The functions that have run so far."""
        return list(self._codes)

    def has_run(self, name: str) -> bool:
        """Whether the function of this name has run."""
        function = self.program.functions.get(name)
        return function is not None and function in self._codes

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """Run ``state`` to the next fork, end, quantum or yield point: the outcomes, in a deterministic order."""
        step = self._step
        outcomes: list[Outcome] = []
        step.outcomes = outcomes
        try:
            if yield_points is INSTRUCTIONS:
                step.begin(state, None)
                frame = state.frames[-1]
                semantics, position, _ = self._code_for(state, frame.function).block(frame.block)[frame.index]
                run_instruction(step, semantics, position)
            else:
                self._run(step, state, yield_points)
            outcomes.append(Running(step.state))
        except PathEnded:
            pass
        except Split as split:
            for part in split.states:
                _take_back(part, step)
                outcomes.append(Running(part))
        except Rest as rest:
            if rest.again:
                _take_back(step.state, step)
            outcomes.append(Running(step.state))
        except Unsupported as unsupported:
            outcomes.append(Killed(step.state, "unsupported", self._where(step, unsupported)))
        return outcomes

    def failed(self, state: State, kind: str, message: str, position: Position | None) -> Failed:
        """The failure of a state that no instruction causes."""
        self._step.begin(state, position)
        return Failed(state, Fault(kind, message, position, self._step.traces.of(state, position)))

    @staticmethod
    def _where(step: Step, unsupported: Unsupported) -> str:
        position = step.position
        return readable(unsupported.construct) + (f" at {position.file}:{position.line}" if position else "")

    @property
    def statistics(self) -> Statistics:
        """Counts of the queries that it asked."""
        return self._step.chain.statistics

    def step_of_instructions(self) -> Step:
        """The step that instructions run on. For callers that single-step."""
        return self._step

    def code(self, function: Function) -> FunctionCode:
        code = self._codes.get(function)
        if code is None:
            code = self._codes[function] = self._make_code(function, self.sightings)
        return code

    def _called(self, name: str) -> PlainCode | None:
        """The code of a function of the program that only computes a value; None for one that has a model."""
        target = self._callees.named(name)
        return self.code(target).plain if isinstance(target, Function) else None

    def _code_for(self, state: State, function: Function) -> FunctionCode:
        """The code of a function on a path, which may be suspected or have several threads."""
        has_threads = self._step.has_threads and self._step.are_several(state)
        if not (state.suspect or has_threads):
            return self._codes.get(function) or self.code(function)
        known = self._threaded if has_threads else self._suspicious
        code = known.get(function)
        if code is None:
            self.code(function)  # it has run
            sightings = self._repetition.suspicions if state.suspect else self.sightings
            code = known[function] = self._make_code(function, sightings, has_threads=has_threads)
        return code

    def _make_code(self, function: Function, sightings: Sightings, *, has_threads: bool = False) -> FunctionCode:
        return FunctionCode(
            self.facts[function],
            self.statics,
            self._callees,
            self.coverage,
            sightings,
            self._repetition,
            others=Others(self._called, self.has_run, self._costs, has_threads),
            scans_at_once=self._step.limits.scans_at_once
            and (self._step.limits.scans_own or function.name in self.program.library),
        )

    def _run(self, step: Step, state: State, yield_points: YieldPoints) -> None:
        """Alternate compiled regions with full semantics until something other than plain progress happens.

        With large terms a quantum takes long, so the deadline is checked in between.
        """
        step.begin(state, None)
        codes = self._codes
        rests, repetition = yield_points is not FORKS, self._repetition
        turns = repetition.looks_at_loops
        step.sightings = repetition.suspicions if state.suspect else self.sightings
        end, deadline = state.instructions + QUANTUM, step.chain.deadline
        while monotonic() < deadline:
            frame = state.frames[-1]
            if state.suspect or step.has_threads:
                code = self._code_for(state, frame.function)
            else:
                code = codes.get(frame.function) or self.code(frame.function)
            block, index = frame.block, frame.index
            if state.instructions >= end and (code.may_yield(block, index) or state.instructions >= end + QUANTUM):
                return
            if turns and not index and block in code.turns:
                repetition.iteration(step)
            stops = code.stops.get(yield_points) or code.stops_of(yield_points)
            region = stops.regions.get((block, index)) or code.region(block, index, stops)
            where = WENT
            try:
                if region is None:
                    self._one_by_one(step, state, code, (block, index), stops.points.inside)
                else:
                    registers = frame.registers
                    budget = 0 if stops.blocks else end - state.instructions
                    head = None if index else stops.hot.heads.get(block)
                    if head is None:
                        where = region.run(step, state, frame, registers, budget)
                    else:
                        where = head.run(region.run, step, frame, budget, end)
                    region.runs += 1
                    if where <= LEFT:
                        code.note_left(region, (block, index), stops)
                        point = block, index = region.exits[LEFT - where]
                        carrying = stops.carrying.get(point) or code.carrying(block, index, stops)
                        if carrying is None:
                            frame.block = block
                            where = WENT
                            self._one_by_one(step, state, code, (block, index), stops.points.inside)
                        else:
                            where = carrying.run(step, state, frame, registers, 0)
            except ProgramExit as program_exit:
                where = WENT
                finish(step, program_exit.status)
            if where >= 0:
                frame.block = where
                frame.index = 0
                if where in stops.points.blocks:
                    return
            elif step.outcomes or (rests and yield_points.is_at(step.state)):
                return

    def _one_by_one(
        self,
        step: Step,
        state: State,
        code: FunctionCode,
        point: tuple[int, int],
        inside: frozenset[tuple[int, int]],
    ) -> None:
        """Full semantics from ``point`` on: to the end of the block, where states rest, or compiled code goes on."""
        frame = state.frames[-1]
        block, index = point
        registers = frame.registers
        instructions = code.block(block)
        outcomes = step.outcomes
        while True:
            semantics, position, last = instructions[index]
            index += 1
            frame.index = index
            state.instructions += 1
            step.position = position
            step.known_inputs = state.inputs.count
            semantics(step, registers)
            if last or outcomes or (inside and (block, index) in inside):
                return


def _take_back(state: State, step: Step) -> None:
    """Let a state stand before the instruction that it has begun, which runs again."""
    state.frames[-1].index -= 1
    state.instructions -= 1
    state.retract_undefined_inputs(step.known_inputs)
