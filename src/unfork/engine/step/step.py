"""The effects of one instruction: what its semantics may request (faults, forks, inputs)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from unfork.engine.protocols.fault import Aspect, Cause, SpecialFault, words_of
from unfork.engine.protocols.outcome import Failed, Fault, Halted, Killed, Outcome
from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.names import Names
from unfork.engine.state.state import CONVERTED, UNSET_REGISTERS, OutputPrefix, State, Written
from unfork.engine.state.threads import THREADS, are_several
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import Conduct
from unfork.engine.step.stack_trace import StackTraces, site_of
from unfork.engine.step.statics import Statics
from unfork.engine.step.variable_texts import VariableTexts
from unfork.errors import Unsupported
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Feasibility, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.demangle import readable
from unfork.program.llvm.types import Position


class Sightings:
    """The first observation of an address as a number, if any. ``watches``: whether to record one.

    ``but_in``: observations by code in this folder do not count.
    """

    __slots__ = ("but_in", "first", "watches")

    def __init__(self, *, watches: bool) -> None:
        self.watches = watches
        self.first: str | None = None
        self.but_in: str | None = None

    def saw(self, look: str, position: Position | None) -> None:
        """The program observes an address at a position, as ``look`` describes."""
        is_apart = position is not None and self.but_in is not None and position.file.startswith(self.but_in)
        if self.first is None and not is_apart:
            self.first = look if position is None else f"{look} at {position.file}:{position.line}"


UNINITIALISED = "uninitialised"
"""A check, and the kind of its faults."""
INDETERMINATE = "indeterminate"
"""A check under which these are no faults: paths go on, and the run is no proof."""
EXIT_STATUS = "the exit status"
WRITTEN = "what is written"


@dataclass(frozen=True, slots=True)
class StepOptions:
    """The user's choices for instruction semantics."""

    max_size: int
    """Capacity in bytes of objects with symbolic size."""
    max_objects: int | None
    """How many objects a path may make lazily."""
    pairs_sizes: bool
    """Whether numbers beside pointers give the number of elements there."""
    callbacks: frozenset[str]
    """The program's functions that pointers of the input may lead to."""
    may_throw: bool
    """Whether an exception may leave the function under test."""
    orders_cells: bool
    """Whether paths know the order of the cells of input arrays."""
    stack_size: int
    """Bytes of C stack before a call is a stack overflow."""
    checks: frozenset[str]
    """Names given to --check."""
    abort_is_error: bool
    """Whether abort() is a bug."""
    scans_at_once: bool
    """Whether scanning loops run in one step."""
    turns_at_once: int
    """The most iterations of one that are taken in one step."""
    scans_own: bool
    """Whether loops of the program do so too, not only those of the C library."""
    compiles_loops: bool
    """Whether long loops on known values become machine code."""
    prints_at_once: bool
    """Whether a symbolic number is printed on one path, of whatever length."""
    measures_texts: bool
    """Whether strlen of an input text is one value, in place of a path for each length."""
    max_threads: int
    """How many threads a program may make."""
    keeps_variables: bool
    """Whether registers with a variable of debug information keep its value until the variable changes."""
    volatile_is_any: bool
    """Whether each read of a volatile object gives any value, as others may have written it."""


class PathEnded(Exception):
    """This step's state ends; its outcomes, if any, are already listed."""


class ProgramExit(Exception):
    """The program called exit with ``status`` (32 bits)."""

    def __init__(self, status: Value) -> None:
        super().__init__()
        self.status = status


class Split(Exception):
    """The state splits in ``states``, each of which runs the same instruction again."""

    def __init__(self, states: list[State]) -> None:
        super().__init__()
        self.states = states


class Step:
    """One instruction in execution on ``state``, which it changes in place.

    Law: semantics that may split (``split``, ``decide``, ``concretize``) do so before they change anything but the
    path condition, because every part runs the instruction again from its start.
    """

    def __init__(
        self,
        facts: FactsTable,
        names: Names,
        limits: StepOptions,
        statics: Statics,
        coverage: BranchCoverage,
        sightings: Sightings,
        conduct: Conduct,
    ) -> None:
        self.program = statics.program
        self.facts = facts
        self.conduct = conduct
        self.statics = statics
        self.coverage = coverage
        self.chain = conduct.questions
        self.names = names
        self.source = conduct.source
        self.sightings = sightings
        self.limits = limits
        self.state: State
        self.outcomes: list[Outcome] = []
        self.position: Position | None = None
        self.variables = VariableTexts(facts, statics.constant)
        self.traces = StackTraces(self.variables)
        self.reads_pointer = False
        """Whether the loaded value is a pointer, which decides the cell of a union."""
        self.moving: dict[tuple[int, str], Any] = {}
        """Bytes of addresses in registers, until a store or a comparison takes them (engine/memory/piece_looks.py)."""
        self.layout_looks: dict[str, Position | None] = {}
        """The functions of the program whose results depend on where objects lie, and the first place in each."""
        self.beyond_null = set[Term]()
        """Addresses that are a null pointer plus a number, which no access may use (C11 6.5.6p8)."""
        self.spelled = 0
        """How many pointers in memory became numbers because a part of them was accessed (engine/memory/pieces.py)."""
        self.looks_back: Callable[[Step], None] = _nothing
        """Called after the entry of a function deep in the stack."""
        self.has_threads = statics.makes_threads
        self.known_inputs = 0
        """The inputs of the state before the instruction."""

    def beside(self, conduct: Conduct, coverage: BranchCoverage) -> Step:
        """A step of the same program with another conduct and coverage."""
        twin = Step(self.facts, self.names, self.limits, self.statics, coverage, self.sightings, conduct)
        twin.layout_looks, twin.beyond_null = self.layout_looks, self.beyond_null
        return twin

    def begin(self, state: State, position: Position | None) -> None:
        """Turn to the next instruction of ``state``, at ``position``."""
        self.state = state
        self.position = position
        self.coverage.turn_to(state)

    @staticmethod
    def are_several(state: State) -> bool:
        """Whether a path has, or had, more than one thread."""
        return are_several(state.remembered[THREADS])

    def site(self) -> Position | None:
        """The position of this instruction; outside of the program's own code, that of the call that led there."""
        return site_of(self.state, self.position)

    # --- faults ---

    def require(self, condition: Value, kind: str, cause: Cause) -> None:
        """Go on where ``condition`` (1 bit) holds; the other side, if feasible, is a fault (a fault is a fork).

        An unknown on the fault side ends that side only. Raises PathEnded if no good side is left.
        """
        if condition == 1:
            return
        if condition == 0:
            self.fail(kind, cause)
        if UNINITIALISED in self.limits.checks:  # otherwise no sentence is needed here
            self.use(condition, f"whether there is an error ({words_of(cause)})")
        good, bad = self.conduct.check(self.state.path, condition, kind)
        self._part_with(bad, good, kind, cause, cause)

    def fail(self, kind: str, cause: Cause) -> NoReturn:
        """A certain fault: the path ends here."""
        self.outcomes.append(Failed(self.state, self._fault(self.state, kind, cause)))
        raise PathEnded

    def assume(self, condition: Value) -> None:
        """Go on only where ``condition`` (1 bit) holds; the rest ends silently."""
        if condition == 1:
            return
        self.use(condition, "an assumption")
        good = self.conduct.assumption(self.state.path, condition)
        if isinstance(good, Unsat):
            self.halt("silent", 0)
        self._continue_under(good)

    def limit(self, condition: Value, reason: str, detail: str) -> None:
        """Go on where ``condition`` holds; the rest is given up as Killed(reason), which the verdict shows."""
        if condition == 1:
            return
        self.use(condition, f"a limit ({detail})")
        good, bad = self.conduct.limit(self.state.path, condition)
        if not isinstance(bad, Unsat):
            side = self._side(bad if isinstance(bad, PathCondition) else self.state.path, good)
            self.outcomes.append(Killed(side, reason, detail))
        self._continue_under(good)

    def give_up_part(self, reason: str, detail: str) -> None:
        """Go on with a path that leaves out part of what could happen here; that part ends as Killed."""
        self.outcomes.append(Killed(self.state.fork(), reason, detail))

    def halt(self, end: str, status: Value) -> NoReturn:
        """The program ends here with ``status``, which counts as used."""
        self.use(status, EXIT_STATUS)
        self.stop(end, status)

    def stop(self, end: str, status: Value) -> NoReturn:
        """The program ends here. ``status`` does not count as used: it was before, or a function ran alone."""
        self.outcomes.append(Halted(self.state, end, status))
        raise PathEnded

    def exit(self, status: Value) -> NoReturn:
        """The program calls exit(): its exit handlers still run."""
        self.use(status, EXIT_STATUS)
        raise ProgramExit(status)

    def unsupported(self, construct: str) -> NoReturn:
        """The program needs ``construct``, which unfork does not support: the path ends loudly."""
        raise Unsupported(construct)

    # --- uses of values ---

    def use(self, value: Value, description: str) -> None:
        """The program uses ``value``: under --check uninitialised, dependence on unwritten bytes is a fault here.
        With indeterminate it is none: the path goes on with any value, and effects of the value are given up.

        Deciding, assuming, requiring, concretizing or ending on a value uses it. Raises PathEnded if no good side is
        left.
        """
        if not isinstance(value, Term) or UNINITIALISED not in self.limits.checks:
            return
        good, bad = self.conduct.written(self.state, value)
        if isinstance(bad, Unsat):
            return
        unset = unwritten_symbols(value, self.state.inputs)
        is_converted = all(each.name.startswith(CONVERTED) for each in unset)
        origin = "a floating-point number that its integer type cannot hold" if is_converted else "uninitialised bytes"
        message = f"{description} depends on {origin}"
        if INDETERMINATE in self.limits.checks:
            site = self.site()
            self.give_up_part(INDETERMINATE, message if site is None else f"{message} at {site.file}:{site.line}")
        else:
            is_register = all(each.name.startswith(UNSET_REGISTERS) for each in unset)
            cause = SpecialFault(Aspect.REGISTER, message) if is_register else message
            self._part_with(bad, good, UNINITIALISED, cause, description)

    # --- forks ---

    def decide(self, condition: Value) -> bool:
        """``condition`` as a fact of this path; the state splits where both values are feasible."""
        if not isinstance(condition, Term):
            return condition != 0
        self.use(condition, "a decision")
        yes, no = self.chain.branch(self.state.path, condition)
        if isinstance(yes, PathCondition) and isinstance(no, PathCondition):
            self._split_under([yes, no])
        for side, other in ((yes, no), (no, yes)):
            if isinstance(side, Unknown) and isinstance(other, PathCondition):
                self.outcomes.append(Killed(self.state.fork(), "solver-unknown", side.reason))
        self._continue_under(no if isinstance(no, PathCondition) else yes)
        return isinstance(yes, PathCondition)

    def split(self, conditions: Sequence[Value]) -> NoReturn:
        """Split the state on ``conditions`` (1 bit each, disjoint, covering the path); every part retries."""
        paths: list[PathCondition] = []
        for condition in conditions:
            self.use(condition, "a decision")
            path = self.conduct.part(self.state.path, condition)
            if isinstance(path, PathCondition):
                paths.append(path)
            elif isinstance(path, Unknown):
                self.outcomes.append(Killed(self.state.fork(), "solver-unknown", path.reason))
        self._split_under(paths)

    def part(self, changes: Sequence[Callable[[State], None]]) -> None:
        """Split the state into one part per change, which is applied; all retry. A single part goes on."""
        states = self.parts(len(changes))
        for state, change in zip(states, changes, strict=True):
            change(state)
        if len(states) > 1:
            raise Split(states)

    def parts(self, count: int) -> list[State]:
        """The state and ``count - 1`` copies of it; with any copies it has forked."""
        state = self.state
        if count > 1:
            state.depth += 1
            state.forks += 1
        return [state, *[state.fork() for _ in range(count - 1)]]

    def choose(self, do: Callable[[Step], None]) -> None:
        """Run code that may split the state or add to its path condition."""
        do(self)

    def concretize(self, value: Value, width: int, limit: int, description: str) -> int:
        """``value`` (``width`` bits) as an int; splits over its feasible values.

        More than ``limit`` of them is a capacity: the rest of the values end as Killed.
        """
        if not isinstance(value, Term):
            return value
        self.use(value, description)
        values, complete = self.chain.values(self.state.path, value, width, limit)
        conditions = [build.eq(value, number, width) for number in values]
        if not complete:
            self.limit(build.disjunction(conditions), "capacity", f"{description}: more than {limit} values")
        if len(values) == 1:
            self._continue_under(self.chain.assume(self.state.path, conditions[0]))
            return values[0]
        if not values:
            self.outcomes.append(Killed(self.state, "solver-unknown", description))
            raise PathEnded
        self.split(conditions)

    def pick(self, value: Value) -> int:
        """One possible value; the path keeps all of them."""
        self.use(value, "a value that is asked for")
        return self.conduct.pick(self.state.path, value)

    # --- inputs and output ---

    def fresh(self, name: str, width: int, kind: str) -> Value:
        """A fresh value of ``width`` bits: a new input of this path."""
        return self.conduct.fresh(self.state, name, width, kind)

    def output(self, descriptor: int, data: Sequence[Value] | OutputPrefix | None) -> None:
        """The program prints ``data``: bytes, values of 8 bits, or None, unknown text; never on the host."""
        known: Written
        if isinstance(data, OutputPrefix):
            self.use(data.length, WRITTEN)
            for position, byte in enumerate(data.values):
                self.use(build.ite(build.ult(position, data.length, 64), byte, 0, 8), WRITTEN)
            known = data
        elif data is None or isinstance(data, bytes):
            known = data
        else:
            for byte in data:
                self.use(byte, WRITTEN)
            known = tuple(data)
        if isinstance(known, tuple) and not any(isinstance(byte, Term) for byte in known):
            known = bytes(known)  # type: ignore[arg-type]  # every one is an int
        self.state.output = (self.state.output, descriptor, known)

    # --- inside ---

    def _part_with(self, bad: Feasibility, good: Feasibility, kind: str, cause: Cause, question: Cause) -> None:
        """Go on under ``good``; ``bad`` is a fault, or is given up where the solver does not know ``question``."""
        if isinstance(bad, PathCondition):
            side = self._side(bad, good)
            self.outcomes.append(Failed(side, self._fault(side, kind, cause)))
        elif isinstance(bad, Unknown):
            side = self._side(self.state.path, good)
            self.outcomes.append(Killed(side, "solver-unknown", f"{kind}: {words_of(question)}: {bad.reason}"))
        self._continue_under(good)

    def _side(self, path: PathCondition, good: Feasibility) -> State:
        """The state of a fault's side: a fork, or the state itself if no good side needs it."""
        side = self.state if isinstance(good, Unsat) else self.state.fork()
        side.path = path
        return side

    def _fault(self, state: State, kind: str, cause: Cause) -> Fault:
        return Fault(kind, readable(words_of(cause)), self.position, self.traces.of(state, self.position), cause)

    def _continue_under(self, path: Feasibility) -> None:
        if isinstance(path, PathCondition):
            self.state.path = path
            return
        if isinstance(path, Unknown):
            self.outcomes.append(Killed(self.state, "solver-unknown", path.reason))
        raise PathEnded

    def _split_under(self, paths: list[PathCondition]) -> NoReturn:
        if not paths:
            raise PathEnded
        states = self.parts(len(paths))
        for state, path in zip(states, paths, strict=True):
            state.path = path
        raise Split(states)


def _nothing(step: Step) -> None:
    return None
