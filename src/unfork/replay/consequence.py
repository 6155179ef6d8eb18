"""Whether anything depends on the value of a failing read. If nothing does, compilers may leave the read out.

They do so even without optimisation: gcc folds `2 | (a[i] != 6)` as a condition, `a[i] && 0` and `a[i] - a[i]`, and
reads nothing. A list of such cases would be a copy of the compiler. Instead, the program runs on from the read with
several made-up values. If two of them make it store, pass or end in something different, no compiler can drop the read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from unfork.contracts.outcome import Failed, Halted, Outcome
from unfork.errors import Unsupported
from unfork.execute.activations import run_instruction
from unfork.execute.coverage import BranchCoverage
from unfork.execute.machine import Machine
from unfork.execute.step import PathEnded, Split
from unfork.llvm.ir import (
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
from unfork.llvm.layout import bits_of
from unfork.llvm.module import Function
from unfork.llvm.types import FloatType, IntType, PointerType
from unfork.llvm.uses import operands_of, registers_read
from unfork.logic.chain import Chain
from unfork.logic.solver import Solver
from unfork.state.memory import object_of
from unfork.state.state import State

LONGEST = 500
"""How many instructions the program runs on for each value."""
SMALL = 10
"""Numbers below this are tried,"""
CONSTANTS = 16
"""and this many of the constants that the function compares the value with."""
_INT = 32
"""Bits of an int; shorter numbers do not overflow."""
_SPREAD = 0x9E3779B97F4A7C15
"""Makes the values at different addresses differ."""

Access = Load | Store | AtomicUpdate | CompareExchange
Scalar = IntType | FloatType | PointerType
"""Types that a value can be made up for."""


class Consequences:
    """Runs programs on from failing reads, on a companion of ``machine``, so that its coverage stays as it is."""

    def __init__(self, machine: Machine, solver: Solver) -> None:
        self._machine = machine.companion(Chain(solver), BranchCoverage())

    def has(self, state: State, load: Load) -> bool:
        """Whether different values of ``load``, where ``state`` has failed, make the program go on differently.

        Only some values are tried; False also means that none of these made a difference.
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
        """What the program does to memory and passes to functions after ``load`` yields ``value``, and how it ends."""
        state = failed.fork()
        state.pending = ()  # these are edges in the failed state's coverage; here they have other numbers
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
                semantics, position, _ = self._machine.code(function).block(frame.block)[frame.index]
                run_instruction(step, semantics, position)
            except PathEnded:
                if isinstance(instruction, Load) and reads.can_yield(state, instruction, outcomes):
                    reads.go_on(state, instruction)
                    outcomes.clear()
                    continue
                yield function.name, place, *map(_ending, outcomes)
                return
            except (Split, Unsupported):
                return


class _Reads:
    """The values of failing reads: ``value`` at ``address``, and elsewhere a number computed from both."""

    def __init__(self, address: int | None, value: int) -> None:
        self._address = address
        self._value = value

    def can_yield(self, state: State, load: Load, outcomes: list[Outcome]) -> bool:
        """Whether ``load`` has just failed in ``state`` and can be given any value instead."""
        failed = len(outcomes) == 1 and isinstance(outcomes[0], Failed) and outcomes[0].state is state
        return failed and isinstance(load.type, Scalar) and _address(state, load) is not None

    def go_on(self, state: State, load: Load) -> None:
        """Go on after ``load`` as if it had read something."""
        assert isinstance(load.type, Scalar)
        address, value = _address(state, load), self._value
        if address is not None and address != self._address:
            value = _tame((value + address) * _SPREAD >> _INT, load.type)
        state.frames[-1].registers[load.result] = value & (1 << bits_of(load.type)) - 1


def _address(state: State, access: Access) -> int | None:
    pointer = state.frames[-1].registers[access.pointer.index] if isinstance(access.pointer, Register) else None
    return pointer if isinstance(pointer, int) else None


def _values(function: Function, load: Load, type: Scalar) -> list[int]:
    """Values that are likely to make a difference: small and large ones, and those that the program compares."""
    large = (1 << bits_of(type) - 1, _SPREAD, _SPREAD >> 1, _SPREAD >> 3)
    compared = [each + more for each in _compared(function, load)[:CONSTANTS] for more in (0, 1)]
    return list(dict.fromkeys(_tame(each, type) for each in (*range(SMALL), -1, *large, *compared)))


def _compared(function: Function, load: Load) -> list[int]:
    """The constants that the function compares with what it computes from a read."""
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
    """A value of the type, made from ``value``, but so small that sums and products of ints do not overflow.

    Compilers may assume that nothing overflows, and thus that x * x is not negative.
    """
    width = bits_of(type)
    if isinstance(type, IntType) and width >= _INT and value != -1:
        value &= (1 << width // 2 - 1) - 1
    return value & (1 << width) - 1


def _has_effect(state: State, instruction: Instruction, depth: int) -> bool:
    """Whether ``instruction``, which ``state`` runs next, has an effect, so that no compiler may drop it.

    A call whose result is not used may be dropped if the function is pure, and with it all that the function does to
    its own locals. ``depth`` is the number of frames at the read.
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
