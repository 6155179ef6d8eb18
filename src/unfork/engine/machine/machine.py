"""The machine: ``step(state, yield_points)`` runs a state to its next fork, end, yield point, or the end of its
quantum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, replace

from unfork.engine.instructions.activations import finish, run_instruction, run_next
from unfork.engine.instructions.call_instructions import AssemblyMeaning, Callees, Modelled
from unfork.engine.instructions.repetition import CHECK, Repetition
from unfork.engine.machine.code import FunctionCode, OtherFunctions, Quantum
from unfork.engine.machine.hot_loops import Costs
from unfork.engine.machine.plain_code import PlainCode
from unfork.engine.memory.visible_operations import ThreadYield
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
from unfork.program.facts.address_uses import LayoutLook
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.demangle import readable
from unfork.program.llvm.module import FUZZ_TARGET, Function, Program
from unfork.program.llvm.types import Position

QUANTUM = 200_000
"""A step yields at the next loop head or function entry after this many instructions, wherever code is compiled. After
twice as many it yields anywhere, since a longjmp backwards is no loop. Limits and interrupts are checked then.
"""


LAST_HANDLERS = ("__stdio_exit",)
"""C library functions that run after the program's own exit handlers, to flush buffers."""


Arguments = Callable[[Step, Function], list[RegisterValue]]
"""Makes the entry function's arguments on a fresh state."""


@dataclass(frozen=True, slots=True)
class SavedMachine:
    """The names given to objects, the first look at an address, and the functions that ran."""

    names: Names
    first_look: str | None
    ran: tuple[str, ...]
    looks: tuple[LayoutLook, ...] = ()


class Machine:
    """The semantics of a program. ``step`` owns the state that it gets and may reuse it."""

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
        self.library = library
        self.facts = FactsTable(keeps_variables=limits.keeps_variables)
        self.statics = Statics(program, lambda name: library.find(name) is not None)
        self.coverage = coverage
        self.sightings = sightings
        self._costs = Costs(is_on=limits.compiles_loops)
        self._repetition = Repetition(self.facts, sightings, looks_at_loops=CHECK in limits.checks)
        conduct = Conduct(chain, source)
        names = Names(is_narrow=program.is_narrow)
        self._step = Step(self.facts, names, limits, self.statics, coverage, sightings, conduct)
        self._step.looks_back = self._repetition.call
        self._callees = Callees(self.statics, self.facts, library, assembly)
        self._codes: dict[Function, FunctionCode] = {}
        self._suspicious: dict[Function, FunctionCode] = {}
        """Code that notices looks at addresses, for suspected paths (engine/instructions/repetition.py)."""
        self._threaded: dict[Function, FunctionCode] = {}
        """Code that yields before operations that other threads may notice, for paths with several threads."""

    def companion(self, chain: TimedQuestions, coverage: BranchCoverage) -> Machine:
        """Another machine for this one's states, with its own ``chain`` and ``coverage``.

        Both take names of objects from the same tables, so that no name is given twice.
        """
        twin = self.following(Conduct(chain, self._step.source), coverage)
        twin._step.looks_back = self._repetition.call
        return twin

    def following(self, conduct: Conduct, coverage: BranchCoverage) -> Machine:
        """A companion that follows known paths, in which it looks for no repetition."""
        twin = copy(self)
        twin.coverage = coverage
        twin._step = self._step.beside(conduct, coverage)
        twin._step.sightings = self.sightings
        twin._codes, twin._suspicious, twin._threaded = {}, {}, {}
        return twin

    def following_turn_by_turn(self, conduct: Conduct, coverage: BranchCoverage) -> Machine:
        """The same for paths on which every condition is decided: it takes no loop and no scan at once."""
        twin = self.following(conduct, coverage)
        twin._step.limits = replace(twin._step.limits, scans_at_once=False)
        return twin

    def initial(self, entry: str, arguments: Arguments) -> State:
        """The state before the program's constructors and ``entry`` run.

        Raises InputError when the program does not define ``entry``.
        """
        if entry not in self.program.defined:
            raise InputError(f"the program defines {_lacking(self.program, entry)}; name one with --function")
        state = State.begin(self.statics.memory())
        step = self._step
        step.begin(state, None)
        values = tuple(arguments(step, self.program.function(entry)))
        state.remembered[AGENDA] = (*[(name, ()) for name in self.program.constructors], (entry, values))
        last = [name for name in LAST_HANDLERS if name in self.program.defined]
        last += reversed(self.program.destructors)
        state.remembered[EXIT_HANDLERS] = tuple([(name, None) for name in last])
        run_next(step)
        return state

    def saved(self) -> SavedMachine:
        """The names given and functions run so far, for ``restore``."""
        ran = tuple([function.name for function in self._codes])
        return SavedMachine(self._step.names, self.sightings.first, ran, self.layout_looks())

    def restore(self, saved: SavedMachine) -> None:
        """Continue another run of the program, whose states this machine gets. Companions continue it too."""
        self._step.names.restore(saved.names)
        self.sightings.first = saved.first_look
        self.hear_layout_looks(saved.looks)
        for name in saved.ran:
            self.code(self.program.function(name))

    def share_names(self, part: int, parts: int) -> None:
        """Give names as one of several processes that continue from here (Names.share)."""
        self._step.names.share(part, parts)

    def notes(self) -> tuple[str, ...]:
        """Remarks on what this computer cannot do."""
        problem = self._costs.problem
        return (
            () if problem is None else (f"--jit auto: loops are not compiled, as LLVM cannot do that here ({problem})",)
        )

    def running(self) -> list[Function]:
        return list(self._codes)

    def layout_looks(self) -> tuple[LayoutLook, ...]:
        """The functions whose results depended on where objects lie, and the first place in each."""
        return tuple(self._step.layout_looks.items())

    def hear_layout_looks(self, looks: Iterable[LayoutLook]) -> None:
        """Take over those of another run of the program."""
        for name, position in looks:
            self._step.layout_looks.setdefault(name, position)

    def has_run(self, name: str) -> bool:
        function = self.program.functions.get(name)
        return function is not None and function in self._codes

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """Run ``state`` to the next fork, end, quantum or yield point. Yields the outcomes in a deterministic order."""
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
        except ThreadYield as thread_yield:
            if thread_yield.again:
                _take_back(step.state, step)
            outcomes.append(Running(step.state))
        except Unsupported as unsupported:
            outcomes.append(Killed(step.state, "unsupported", self._where(step, unsupported)))
        return outcomes

    def failed(self, state: State, kind: str, message: str, position: Position | None) -> Failed:
        """A failure that no instruction causes."""
        self._step.begin(state, position)
        return Failed(state, Fault(kind, message, position, self._step.traces.of(state, position)))

    @staticmethod
    def _where(step: Step, unsupported: Unsupported) -> str:
        position = step.position
        return readable(unsupported.construct) + (f" at {position.file}:{position.line}" if position else "")

    @property
    def statistics(self) -> Statistics:
        return self._step.chain.statistics

    def step_of_instructions(self) -> Step:
        """The step that instructions run on, for callers that run them singly."""
        return self._step

    def code(self, function: Function) -> FunctionCode:
        code = self._codes.get(function)
        if code is None:
            code = self._codes[function] = self._make_code(function, self.sightings)
        return code

    def _plain_code(self, name: str) -> PlainCode | None:
        """The code of a program function that only computes a value; None for a modelled one."""
        target = self._callees.named(name)
        return self.code(target).plain if isinstance(target, Function) else None

    def _code_for(self, state: State, function: Function) -> FunctionCode:
        step = self._step
        if state.suspect or (step.has_threads and step.are_several(state)):
            return self._watched_code(state, function)
        return self._codes.get(function) or self.code(function)

    def _watched_code(self, state: State, function: Function) -> FunctionCode:
        """The code of a function for a path that is suspected or has several threads."""
        has_threads = self._step.has_threads and self._step.are_several(state)
        codes = self._threaded if has_threads else self._suspicious
        code = codes.get(function)
        if code is None:
            self.code(function)  # the function has run
            sightings = self._repetition.suspicions if state.suspect else self.sightings
            code = codes[function] = self._make_code(function, sightings, has_threads=has_threads)
        return code

    def _make_code(self, function: Function, sightings: Sightings, *, has_threads: bool = False) -> FunctionCode:
        return FunctionCode(
            self.facts[function],
            self.statics,
            self._callees,
            self.coverage,
            sightings,
            self._repetition,
            others=OtherFunctions(self._plain_code, self.has_run, self._costs, has_threads),
            scans_at_once=self._step.limits.scans_at_once
            and (self._step.limits.scans_own or function.name in self.program.library),
        )

    def _run(self, step: Step, state: State, yield_points: YieldPoints) -> None:
        """Run to the next outcome, to a yield point, or to the end of the quantum.

        The code of the top frame's function runs until the path may be elsewhere: in another frame, say.
        """
        step.begin(state, None)
        step.sightings = self._repetition.suspicions if state.suspect else self.sightings
        quantum = Quantum(state.instructions + QUANTUM, state.instructions + 2 * QUANTUM)
        codes = self._codes
        while True:
            frame = state.frames[-1]
            if state.suspect or step.has_threads:
                code = self._code_for(state, frame.function)
            else:
                code = codes.get(frame.function) or self.code(frame.function)
            stops = code.stops.get(yield_points) or code.stops_of(yield_points)
            try:
                if code.run(step, state, frame, stops, quantum):
                    return
            except ProgramExit as program_exit:
                finish(step, program_exit.status)
            if step.outcomes or (yield_points is not FORKS and yield_points.is_at(step.state)):
                return


def _lacking(program: Program, entry: str) -> str:
    """What the program lacks to start in ``entry``; instead of main, a fuzz target would do."""
    if entry != "main":
        return f"no function {entry!r}"
    mangled = next((name for name in program.defined if name.startswith(f"_Z{len(FUZZ_TARGET)}{FUZZ_TARGET}")), None)
    hint = "" if mangled is None else f' (declare it extern "C", not {mangled})'
    return f"neither 'main' nor {FUZZ_TARGET!r}{hint}"


def _take_back(state: State, step: Step) -> None:
    """Undo the instruction that the state has begun and will run again."""
    state.frames[-1].index -= 1
    state.instructions -= 1
    state.retract_undefined_inputs(step.known_inputs)
