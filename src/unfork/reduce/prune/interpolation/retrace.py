"""Runs a finished path again on the general state of its beginning, and records its decisions and its end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import INSTRUCTIONS
from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.state import Frame, State
from unfork.engine.step.branch_coverage import Onlooker
from unfork.engine.step.follow import every_outcome, follow
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term
from unfork.program.llvm.ir import Cast, Compare, ConditionalBranch, Instruction, Load, Register, Switch
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import IntType, PointerType
from unfork.reduce.prune.interpolation.general import CannotGeneralise, General
from unfork.reduce.prune.interpolation.oracle import GeneralConduct, Oracle, PathDecision
from unfork.reduce.prune.interpolation.sources import is_number_of_object
from unfork.reduce.prune.interpolation.table import NumberSource, number_at

LONGEST = 200_000
"""Instructions of the longest stretch to learn from."""
NEAR_BY = 2_000
"""Instructions up to the next yield point, on an untaken path."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A path from a general state, with ``general.state`` at its end. ``uses_addresses``: pointers became numbers."""

    general: General
    choices: list[PathDecision]
    uses_addresses: bool


@dataclass(frozen=True, slots=True)
class RetraceGoal:
    """The end of a path: ``model`` has values that lead there. ``finish`` is how the path ended, if it did."""

    state: State
    model: Model
    finish: Halted | Failed | None

    @property
    def instructions(self) -> int:
        """The instructions of the path."""
        return self.state.instructions


@dataclass(frozen=True, slots=True)
class _Instruction:
    """``loaded`` is the register into which it loads a number as wide as addresses, or -1."""

    leaves_loop: bool
    is_numeric: bool
    loaded: int

    def makes_number(self, frame: Frame) -> bool:
        """Whether running it in ``frame`` made a number of an address."""
        if self.is_numeric or self.loaded < 0:
            return self.is_numeric
        value = frame.registers[self.loaded]
        return isinstance(value, int | Term) and is_number_of_object(value)


_NONE = _Instruction(leaves_loop=False, is_numeric=False, loaded=-1)


@dataclass(slots=True)
class _Party:
    """Paths (numbers of goals) that have gone the same way so far, and their state."""

    general: General
    choices: list[PathDecision]
    uses_addresses: bool
    members: list[int]


class Retracer:
    """Follows paths on a machine of its own."""

    def __init__(
        self,
        machine: Machine,
        coverage: Onlooker,
        live: LiveRegisters,
        rests: Callable[[State], bool],
    ) -> None:
        oracle = self.oracle = Oracle()
        self.coverage = coverage
        limits, source = machine.step_of_instructions().limits, machine.step_of_instructions().source
        self._machine = machine.following(GeneralConduct(oracle, source, limits.checks), coverage)
        self.step = self._machine.step_of_instructions()
        self._live = live
        self._rests = rests
        self._blocks: dict[tuple[Function, int], list[_Instruction]] = {}
        self._work = 0

    def work(self) -> int:
        """Instructions run and symbols made since the last call."""
        work, self._work = self._work, 0
        return work

    def traces(self, start: State, goals: Sequence[RetraceGoal]) -> list[Trace]:
        """The paths from ``start`` to the ``goals``; common parts run once.

        Raises CannotGeneralise for operations that interpolants do not describe.
        """
        if any(goal.instructions - start.instructions > LONGEST for goal in goals):
            raise CannotGeneralise("a long stretch")
        general = self._beginning(start)
        traces: dict[int, Trace] = {}
        pending = [_Party(general, [], general.has_numbers, [*range(len(goals))])]
        models = [Model(dict(goal.model.values)) for goal in goals]
        while pending:
            party = pending.pop()
            self.oracle.go_on(party.general, party.choices, models[party.members[0]])
            self._follow(party, goals, models, pending)
            first = party.members[0]
            traces[first] = Trace(party.general, self.oracle.choices, party.uses_addresses)
            astray = party.members[1:]
            pending += [_Party(self._beginning(start), [], general.has_numbers, [member]) for member in astray]
        return [traces[i] for i in range(len(goals))]

    def _follow(
        self, party: _Party, goals: Sequence[RetraceGoal], models: Sequence[Model], pending: list[_Party]
    ) -> None:
        """Run to the goal of the party's first member; others leave it where they branch off."""
        goal = goals[party.members[0]]
        for outcome in self._instructions(party):
            state = outcome.state
            match outcome:
                case Running() if state.instructions < goal.instructions:
                    if len(party.members) > 1:
                        self._part(party, models, pending)
                    continue
                case Running() if goal.finish is not None:
                    raise CannotGeneralise("a path that does not end")
                case Running() if not _same_point(state, goal.state):
                    raise CannotGeneralise("a path that was lost")
                case Halted() | Failed():
                    if state.instructions != goal.instructions or _ending(outcome) != _ending(goal.finish):
                        raise CannotGeneralise("a path that ends in another way")
                    if isinstance(outcome, Halted) and outcome.end == "silent":
                        state.pending = ()  # it is not a path of the program, and covers nothing
                case Killed(reason=reason):
                    raise CannotGeneralise(reason)
            return
        raise CannotGeneralise("a path that ends early")

    def _instructions(self, party: _Party) -> Iterator[Outcome]:
        """The party's outcomes, instruction by instruction; records whether one made a number of an address."""
        state = party.general.state
        frame, ran, spelled = state.frames[-1], _NONE, self.step.spelled
        for outcome in follow(self._machine, state, INSTRUCTIONS, every_outcome):
            if isinstance(outcome, Running):
                party.uses_addresses |= ran.makes_number(frame) or self.step.spelled != spelled
            yield outcome
            if isinstance(outcome, Running):
                self._work += 1
                frame, spelled = state.frames[-1], self.step.spelled
                ran = self._describe(frame)
                self.oracle.counts_turns = ran.leaves_loop

    def _part(self, party: _Party, models: Sequence[Model], pending: list[_Party]) -> None:
        """Before a branch, the members that go other ways go on by themselves."""
        frame = party.general.state.frames[-1]
        block = frame.function.blocks[frame.block].body
        if frame.index != len(block) - 1:
            return
        branch = block[-1]
        match branch:
            case ConditionalBranch(condition=operand) | Switch(value=operand):
                value = frame.registers[operand.index] if isinstance(operand, Register) else None
            case _:
                return
        if not isinstance(value, Term):
            return
        ways: dict[int, list[int]] = {}
        for member in party.members:
            ways.setdefault(self.oracle.worth_in(value, models[member]), []).append(member)
        mine, *others = ways.values()
        choices, addresses = self.oracle.choices, party.uses_addresses
        pending += [_Party(party.general.twin(), [*choices], addresses, members) for members in others]
        party.members = mine

    def other(self, start: State, model: Model, script: Sequence[int]) -> Trace | None:
        """The path with the decisions of ``script``, the last of which no path took, up to its next rest.

        None if it does not come to rest, or does what no path did: it fails, ends, or takes an edge for the first
        time.
        """
        party = _Party(self._beginning(start), [], False, [])
        general, oracle = party.general, self.oracle
        party.uses_addresses = general.has_numbers
        oracle.follow(general, model, script)
        end = general.state.instructions + NEAR_BY
        try:
            for outcome in self._instructions(party):
                state = outcome.state
                if not isinstance(outcome, Running) or not self.are_covered(state.pending):
                    break
                if len(oracle.choices) >= len(script) and state.frames and self._rests(state):
                    return Trace(general, oracle.choices, party.uses_addresses)
                if state.instructions >= end:
                    break
        except CannotGeneralise:
            pass
        return None

    def number(self, source: NumberSource) -> int | None:
        """The source's value at the end of the last path."""
        value = self.oracle.general.value(source)
        return number_at(source, self.oracle.worth(value) if isinstance(value, Term) else value)

    def still_open(self, edges: Iterable[int]) -> frozenset[int]:
        """The ``edges`` that no path of the run has settled."""
        self.coverage.renew()
        return frozenset([edge for edge in edges if not self.coverage.settled[edge]])

    def are_covered(self, edges: Iterable[int]) -> bool:
        """Whether the run has settled all of them."""
        return not self.still_open(edges)

    def _beginning(self, start: State) -> General:
        general = General(start, self._live)
        self._work += len(general.sources)
        return general

    def _describe(self, frame: Frame) -> _Instruction:
        """The next instruction of a frame."""
        key = frame.function, frame.block
        block = self._blocks.get(key)
        if block is None:
            body = frame.function.blocks[frame.block].body
            leaves = frame.block in self._machine.facts[frame.function].flow.loop_ends
            block = self._blocks[key] = [
                _Instruction(
                    leaves and instruction is body[-1],
                    _is_numeric(instruction),
                    instruction.result if isinstance(instruction, Load) and instruction.type == IntType(64) else -1,
                )
                for instruction in body
            ]
        return block[frame.index]


def _is_numeric(instruction: Instruction) -> bool:
    """Whether it makes a number of an address, or orders addresses."""
    if isinstance(instruction, Compare):
        return instruction.predicate not in ("eq", "ne") and isinstance(instruction.type, PointerType)
    return isinstance(instruction, Cast) and instruction.op == "ptrtoint"


def _ending(outcome: Outcome | None) -> Hashable:
    """The part of an ending that two paths must share."""
    match outcome:
        case Halted(end=end):
            return end
        case Failed(fault=fault):
            return fault.kind, fault.position
    return None


def _same_point(state: State, end: State) -> bool:
    return len(state.frames) == len(end.frames) and all(
        frame.function is other.function and frame.block == other.block and frame.index == other.index
        for frame, other in zip(state.frames, end.frames, strict=True)
    )
