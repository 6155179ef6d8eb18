"""Whether anything depends on what a failing read would yield: if nothing does, compilers may leave the read out.

They do so even without optimisation: gcc folds `2 | (a[i] != 6)` as a condition, `a[i] && 0` and `a[i] - a[i]`, and
reads nothing. Listing what they fold would copy the compiler. So the program is run on from the read with several
made-up values: where two of them make it store, pass or come to something else, no compiler can do without the read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from unfork.contracts.outcome import Failed, Halted, Outcome
from unfork.errors import Unsupported
from unfork.execute.activations import finish
from unfork.execute.coverage import BranchCoverage
from unfork.execute.machine import Machine
from unfork.execute.step import PathEnded, ProgramExit, Split, Step
from unfork.logic.chain import Chain
from unfork.logic.solver import Solver
from unfork.program.ir import (
    AtomicUpdate,
    Bits,
    Call,
    Compare,
    CompareExchange,
    Instruction,
    Load,
    Register,
    Store,
    Switch,
)
from unfork.program.layout import bits_of
from unfork.program.module import Function
from unfork.program.types import FloatType, IntType, PointerType
from unfork.program.uses import operands_of, registers_read
from unfork.state.memory import object_of
from unfork.state.state import State

LONGEST = 500
"""Instructions that the program is run on for each value."""
SMALL = 10
"""Numbers below this are tried,"""
CONSTANTS = 16
"""and so many of those that the function compares them with."""
_INT = 32
"""Bits of an int: numbers that are shorter do not overflow."""
_SPREAD = 0x9E3779B97F4A7C15
"""Makes what is read at one address differ from what is read at another."""

Access = Load | Store | AtomicUpdate | CompareExchange
Scalar = IntType | FloatType | PointerType
"""Types of what a value can be made up for."""


class Consequences:
    """Runs programs on from reads that fail, beside ``machine``, whose coverage stays as it is."""

    def __init__(self, machine: Machine, solver: Solver) -> None:
        self._machine = machine.companion(Chain(solver), BranchCoverage())

    def has(self, state: State, load: Load) -> bool:
        """Whether the program goes on differently with different values of ``load``, at which ``state`` has failed.

        Also false where none of the values that are tried makes a difference.
        """
        if not isinstance(load.type, Scalar):
            return False
        values = _values(state.frames[-1].function, load, load.type)
        first = list(self._effects(state, load, values[0]))
        return any(
            effect != other
            for value in values[1:]
            for effect, other in zip(first, self._effects(state, load, value), strict=False)
        )

    def _effects(self, failed: State, load: Load, value: int) -> Iterator[Hashable]:
        """What the program does to memory and to other functions after ``load`` has yielded ``value``, and its end."""
        state = failed.fork()
        state.pending = ()  # edges of the failed state's coverage, which have other numbers here
        step, outcomes = self._machine.step_of_instructions(), list[Outcome]()
        step.outcomes = outcomes
        step.begin(state, None)
        reads = _Reads(_address(state, load), value)
        reads.go_on(state, load)
        end = state.instructions + LONGEST
        while state.instructions < end:
            frame = state.frames[-1]
            function, place = frame.function, (frame.block, frame.index)
            instruction = function.blocks[frame.block].body[frame.index]
            if _has_effect(state, instruction, len(failed.frames)):
                yield function.name, place, tuple([frame.registers[i] for i in registers_read(instruction)])
            try:
                self._run(step, state)
            except PathEnded:
                if isinstance(instruction, Load) and reads.can_yield(state, instruction, outcomes):
                    reads.go_on(state, instruction)
                    outcomes.clear()
                    continue
                yield function.name, place, *map(_ending, outcomes)
                return
            except (Split, Unsupported):
                return

    def _run(self, step: Step, state: State) -> None:
        frame = state.frames[-1]
        semantics, position, _ = self._machine.code(frame.function).block(frame.block)[frame.index]
        frame.index += 1
        state.instructions += 1
        step.position = position
        step.known_inputs = len(state.inputs)
        try:
            semantics(step, frame.registers)
        except ProgramExit as program_exit:
            finish(step, program_exit.status)


class _Reads:
    """What reads yield that fail: ``value`` at ``address``, and at each other address what goes with these two."""

    def __init__(self, address: int | None, value: int) -> None:
        self._address = address
        self._value = value

    def can_yield(self, state: State, load: Load, outcomes: list[Outcome]) -> bool:
        """Whether a read failed that may yield any value instead."""
        failed = len(outcomes) == 1 and isinstance(outcomes[0], Failed) and outcomes[0].state is state
        return failed and isinstance(load.type, Scalar) and _address(state, load) is not None

    def go_on(self, state: State, load: Load) -> None:
        """After ``load``, as if it had read something."""
        assert isinstance(load.type, Scalar)
        address, value = _address(state, load), self._value
        if address is not None and address != self._address:
            value = _tame((value + address) * _SPREAD >> _INT, load.type)
        state.frames[-1].registers[load.result] = value & (1 << bits_of(load.type)) - 1


def _address(state: State, access: Access) -> int | None:
    pointer = state.frames[-1].registers[access.pointer.index] if isinstance(access.pointer, Register) else None
    return pointer if isinstance(pointer, int) else None


def _values(function: Function, load: Load, type: Scalar) -> list[int]:
    """Values that are likely to make a difference: small and large numbers, and those that it is compared with."""
    large = (1 << bits_of(type) - 1, _SPREAD, _SPREAD >> 1, _SPREAD >> 3)
    compared = [each + more for each in _compared(function, load)[:CONSTANTS] for more in (0, 1)]
    return list(dict.fromkeys(_tame(each, type) for each in (*range(SMALL), -1, *large, *compared)))


def _compared(function: Function, load: Load) -> list[int]:
    """The constants with which the function compares what it computes from a read."""
    reached, size = {load.result}, 0
    constants: dict[int, None] = {}
    while size < len(reached):
        size = len(reached)
        for block in function.blocks:
            for instruction in (*block.phis, *block.body):
                if reached.isdisjoint(registers_read(instruction)):
                    continue
                reached.add(instruction.result)
                if isinstance(instruction, Compare):
                    constants.update((each.value, None) for each in operands_of(instruction) if isinstance(each, Bits))
                elif isinstance(instruction, Switch):
                    constants.update((value, None) for value, _ in instruction.cases)
    return list(constants)


def _tame(value: int, type: Scalar) -> int:
    """A value of a type that resembles ``value``; so small that sums and products of ints are what they should be.

    Compilers may take it that nothing overflows, and that x * x is not negative.
    """
    width = bits_of(type)
    if isinstance(type, IntType) and width >= _INT and value != -1:
        value &= (1 << width // 2 - 1) - 1
    return value & (1 << width) - 1


def _has_effect(state: State, instruction: Instruction, depth: int) -> bool:
    """Whether no compiler may drop what ``state`` runs next, and with it what that reads.

    A call may be dropped for whose result nobody asks, where the function is known to be pure; so may all that it does
    to its own locals. ``depth``: how many frames there were at the read.
    """
    if isinstance(instruction, Call):
        return instruction.result < 0 and len(state.frames) <= depth
    if not isinstance(instruction, Store | AtomicUpdate | CompareExchange):
        return False
    pointer = _address(state, instruction)
    return pointer is None or all(object_of(pointer) not in frame.locals for frame in state.frames[depth:])


def _ending(outcome: Outcome) -> Hashable:
    match outcome:
        case Halted(end=end, status=status):
            return end, status
        case Failed(fault=fault):
            return fault.kind
    return None
