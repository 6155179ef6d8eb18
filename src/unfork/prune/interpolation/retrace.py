"""Runs a finished path again on the general state of its beginning, and notes its choices and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from unfork.contracts.outcome import Failed, Halted, Outcome
from unfork.errors import Unsupported
from unfork.execute.activations import run_instruction
from unfork.execute.coverage import Onlooker
from unfork.execute.machine import Machine
from unfork.execute.operands import Semantics
from unfork.execute.step import PathEnded, Split, Step
from unfork.llvm.ir import Cast, Compare, ConditionalBranch, Instruction, Load, Register, Switch
from unfork.llvm.module import Function
from unfork.llvm.types import IntType, PointerType, Position
from unfork.logic.evaluate import Model
from unfork.logic.term import Term
from unfork.prune.interpolation.general import CannotGeneralise, General
from unfork.prune.interpolation.oracle import Choice, FollowedPath, Following, Oracle
from unfork.prune.interpolation.sources import is_number_of_object
from unfork.prune.interpolation.table import Place, number_at
from unfork.state.live_registers import LiveRegisters
from unfork.state.state import State

LONGEST = 200_000
"""Instructions of a stretch; a longer one is not learnt from."""
NEAR_BY = 2_000
"""Instructions up to the next place of rest, on a path that nobody took."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A path from a general state: ``general.state`` is at its end now. ``uses_addresses``: pointers became numbers."""

    general: General
    choices: list[Choice]
    uses_addresses: bool


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a path came to: ``model`` has values that lead there. ``finish`` is how the path ended, if it did."""

    state: State
    model: Model
    finish: Halted | Failed | None

    @property
    def instructions(self) -> int:
        """How many the path ran."""
        return self.state.instructions


@dataclass(frozen=True, slots=True)
class _Instruction:
    """``loaded`` is the register into which it loads a number as wide as addresses, or -1."""

    semantics: Semantics
    position: Position | None
    leaves_loop: bool
    is_numeric: bool
    loaded: int


@dataclass(slots=True)
class _Party:
    """Paths (numbers of goals) that have gone the same way so far, and where they are."""

    general: General
    choices: list[Choice]
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
        self.oracle = Oracle()
        self.coverage = coverage
        self._machine = machine
        plain = machine.step_of_instructions()
        self.step = Step(
            machine.facts,
            FollowedPath(self.oracle),
            plain.names,
            plain.limits,
            plain.statics,
            plain.coverage,
            plain.sightings,
            Following(self.oracle, plain.source, plain.limits.checks),
        )
        self._live = live
        self._rests = rests
        self._blocks: dict[tuple[Function, int], list[_Instruction]] = {}
        self._work = 0

    def work(self) -> int:
        """How many instructions were run, and symbols made, since this was last asked."""
        work, self._work = self._work, 0
        return work

    def traces(self, start: State, goals: Sequence[Goal]) -> list[Trace]:
        """The paths from ``start`` to the ``goals``; what they have in common is run once.

        Raises CannotGeneralise where a path does things that interpolants do not describe.
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

    def _follow(self, party: _Party, goals: Sequence[Goal], models: Sequence[Model], pending: list[_Party]) -> None:
        """Run to the goal of the first member of the party; others leave it where they branch off."""
        step, general, goal = self.step, party.general, goals[party.members[0]]
        step.outcomes = []
        step.begin(general.state, None)
        try:
            end, state = goal.instructions, general.state
            while state.instructions < end:
                if len(party.members) > 1:
                    self._part(party, models, pending)
                party.uses_addresses |= self._instruction(step)
                if step.outcomes:
                    raise CannotGeneralise("a path that ends early")
        except PathEnded:
            if state.instructions != end or [_ending(outcome) for outcome in step.outcomes] != [_ending(goal.finish)]:
                raise CannotGeneralise("a path that ends in another way") from None
            if isinstance(goal.finish, Halted) and goal.finish.end == "silent":
                general.state.pending = ()  # it is no path of the program, and covers nothing
            return
        except (Split, Unsupported) as problem:
            raise CannotGeneralise(f"{type(problem).__name__.lower()}") from None
        if goal.finish is not None:
            raise CannotGeneralise("a path that does not end")
        if not _same_place(step.state, goal.state):
            raise CannotGeneralise("a path that was lost")

    def _part(self, party: _Party, models: Sequence[Model], pending: list[_Party]) -> None:
        """Before a branch, those of the party that go other ways go on by themselves."""
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
        """The path that makes the choices of ``script``, the last of which no path made, up to where it rests next.

        None if it does not come to rest, or does what no path did: it fails, ends, or takes an edge for the first time.
        """
        general = self._beginning(start)
        self.oracle.follow(general, model, script)
        step, state = self.step, general.state
        step.outcomes = []
        uses_addresses = general.has_numbers
        step.begin(state, None)
        end = state.instructions + NEAR_BY
        try:
            while state.instructions < end:
                uses_addresses |= self._instruction(step)
                if step.outcomes or step.state is not state:
                    return None
                if state.pending:
                    return None
                if len(self.oracle.choices) >= len(script) and state.frames and self._rests(state):
                    return Trace(general, self.oracle.choices, uses_addresses)
        except (PathEnded, Split, Unsupported, CannotGeneralise):
            pass
        return None

    def number(self, place: Place) -> int | None:
        """What the state at the end of the last path has at a place, on that path."""
        value = self.oracle.general.value(place)
        return number_at(place, self.oracle.worth(value) if isinstance(value, Term) else value)

    def still_open(self, edges: Iterable[int]) -> frozenset[int]:
        """Those of ``edges`` that no path of the run has settled."""
        self.coverage.renew()
        return frozenset([edge for edge in edges if not self.coverage.settled[edge]])

    def are_covered(self, edges: Iterable[int]) -> bool:
        """Whether the run has settled all of them."""
        return not self.still_open(edges)

    def _beginning(self, start: State) -> General:
        general = General(start, self._live)
        self._work += len(general.sources)
        return general

    def _instruction(self, step: Step) -> bool:
        """Run one; whether it makes a number of an address."""
        self._work += 1
        frame = step.state.frames[-1]
        key = frame.function, frame.block
        steps = self._blocks.get(key)
        if steps is None:
            steps = self._blocks[key] = self._steps(frame.function, frame.block)
        instruction = steps[frame.index]
        self.oracle.counts_turns = instruction.leaves_loop
        run_instruction(step, instruction.semantics, instruction.position)
        if instruction.is_numeric:
            return True
        if instruction.loaded < 0:
            return False
        value = frame.registers[instruction.loaded]
        return isinstance(value, int | Term) and is_number_of_object(value)

    def _steps(self, function: Function, block: int) -> list[_Instruction]:
        """The instructions of a block."""
        code = self._machine.code(function)
        leaves = block in code.flow.loop_ends
        instructions, body = code.block(block), function.blocks[block].body
        return [
            _Instruction(
                semantics,
                position,
                leaves and index == len(body) - 1,
                _is_numeric(instruction),
                instruction.result if isinstance(instruction, Load) and instruction.type == IntType(64) else -1,
            )
            for index, ((semantics, position, _), instruction) in enumerate(zip(instructions, body, strict=True))
        ]


def _is_numeric(instruction: Instruction) -> bool:
    """Whether it makes a number of an address, or orders addresses."""
    if isinstance(instruction, Compare):
        return instruction.predicate not in ("eq", "ne") and isinstance(instruction.type, PointerType)
    return isinstance(instruction, Cast) and instruction.op == "ptrtoint"


def _ending(outcome: Outcome | None) -> Hashable:
    """What must be the same of the ends of two paths."""
    match outcome:
        case Halted(end=end):
            return end
        case Failed(fault=fault):
            return fault.kind, fault.position
    return None


def _same_place(state: State, end: State) -> bool:
    return len(state.frames) == len(end.frames) and all(
        frame.function is other.function and frame.block == other.block and frame.index == other.index
        for frame, other in zip(state.frames, end.frames, strict=True)
    )
