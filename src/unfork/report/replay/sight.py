"""Which native runs must show a fault, judged by its kind and its place in a concrete run.

Compilers drop a read if nothing depends on its value, even without optimisation: gcc folds `2 | (a[i] != 6)` as a
condition, `a[i] && 0` and `a[i] - a[i]`, and reads nothing. A list of such cases would copy the compiler. Instead,
the program runs on from the read with several made-up values. If two of them lead to different stores, arguments or
ends, no compiler can drop the read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Fault, Halted, Outcome, Running
from unfork.engine.protocols.stepper import INSTRUCTIONS
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.state.state import Frame, State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.follow import follow, without_unmodelled
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Solver
from unfork.program.llvm.ir import (
    AtomicUpdate,
    Bits,
    Call,
    Compare,
    CompareExchange,
    GlobalAddress,
    Instruction,
    Load,
    Register,
    Store,
    Switch,
)
from unfork.program.llvm.layout import bits_of
from unfork.program.llvm.module import LIBRARY_FOLDER, Function, Program
from unfork.program.llvm.types import FloatType, IntType, PointerType, Position
from unfork.program.llvm.uses import operands_of, registers_read
from unfork.world.inputs.testcase import NativeVisibility

_BY_CALL = frozenset(["assert", "reach-error", "abort", "user", "contract"])
"""Kinds that a call reports; it also ends the program."""
_OF_BLOCKS = frozenset(["double-free", "invalid-free"])
_PASSED = frozenset(["argument", "variadic arguments"])
_FENCE = 8
"""Bytes on either side of an object that every sanitizer guards; another object may follow."""
LONGEST = 500
"""Instructions that the program runs on for each value."""
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
"""Types of made-up values."""


def sight(state: State, fault: Fault, program: Program, consequences: Consequences) -> NativeVisibility:
    """Which native runs must show ``fault``, found by a replay in ``state``.

    None must show a fault in the C library, since natively it is another one. None must show kinds that sanitizers
    do not check or compilers move elsewhere: leaks, overflows, shifts, wrong calls, stack overflow.
    """
    if not state.frames or state.frames[-1].function.name in program.library:
        return NativeVisibility.NONE
    frame = state.frames[-1]
    instruction = frame.function.blocks[frame.block].body[frame.index - 1]
    if fault.kind in _BY_CALL:
        return NativeVisibility.NONE if _is_defined(instruction, program) else NativeVisibility.ANY
    if fault.kind == "div-by-zero" or (fault.kind in _OF_BLOCKS and isinstance(instruction, Call)):
        return NativeVisibility.SANITIZED
    if not isinstance(instruction, Load | Store) or not _is_fenced(state, frame, instruction, fault):
        return NativeVisibility.NONE
    stays = isinstance(instruction, Store) or instruction.volatile or consequences.has(state, instruction)
    return NativeVisibility.SANITIZED if stays else NativeVisibility.NONE


def _is_defined(instruction: Instruction, program: Program) -> bool:
    """Whether a call is to the program's own function, which runs natively: a quiet ``reach_error``, say."""
    return (
        isinstance(instruction, Call)
        and isinstance(instruction.callee, GlobalAddress)
        and instruction.callee.name in program.defined
        and instruction.callee.name not in program.library
    )


def _is_fenced(state: State, frame: Frame, access: Load | Store, fault: Fault) -> bool:
    """Whether every sanitizer reports an access."""
    if fault.kind in ("null-dereference", "read-only"):
        return True
    pointer = frame.registers[access.pointer.index] if isinstance(access.pointer, Register) else None
    if not isinstance(pointer, int):
        return False
    number = object_of(pointer)
    if fault.kind == "use-after-free":
        released = state.memory.freed.get(number)
        return released is not None and released.kind == "heap" and _is_own(released.site)
    item = state.memory.objects.get(number)
    if fault.kind != "out-of-bounds" or item is None or item.limit < 0 or not _is_own(item.site):
        return False
    if item.read_only or item.name in _PASSED:
        return False  # no guards: strings are adjacent, and so are parts of a frame other than variables
    offset = offset_in(pointer)
    if item.limit <= offset < item.limit + _FENCE:
        return item.kind in ("heap", "stack", "global")
    return -_FENCE <= offset < 0 and item.kind in ("heap", "stack")


def _is_own(site: Position | None) -> bool:
    """Whether the program's own source made an object; another C library may make others."""
    return site is None or LIBRARY_FOLDER not in site.file


class Consequences:
    """Runs programs on from failing reads, on a companion of ``machine``, whose own coverage stays as it is."""

    def __init__(self, machine: Machine, solver: Solver) -> None:
        self._machine = machine.companion(Chain(solver), BranchCoverage())

    def has(self, state: State, load: Load) -> bool:
        """Whether different values of ``load``, where ``state`` has failed, change what the program does.

        It tries some values only; False means that these made no difference.
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
        """The program's writes and calls after ``load`` yields ``value``, and its end."""
        state = failed.fork()
        state.pending = ()  # these edges are numbered by the failed state's coverage; here numbers differ
        reads = _Reads(_address(state, load), value)
        reads.go_on(state, load)
        end, here = state.instructions + LONGEST, ("", (0, 0))
        for outcome in follow(self._machine, state, INSTRUCTIONS, reads.given):
            match outcome:
                case Running(state) if state.instructions < end:
                    frame = state.frames[-1]
                    instruction = frame.function.blocks[frame.block].body[frame.index]
                    here = frame.function.name, (frame.block, frame.index)
                    if _has_effect(state, instruction, len(failed.frames)):
                        yield *here, tuple([frame.registers[i] for i in registers_read(instruction)])
                case Halted(end=ending, status=status):
                    yield *here, (ending, status)
                case Failed(fault=fault):
                    yield *here, fault.kind
                case _:
                    return


class _Reads:
    """The values of failing reads: ``value`` at ``address``; elsewhere a number computed from both."""

    def __init__(self, address: int | None, value: int) -> None:
        self._address = address
        self._value = value

    def given(self, outcomes: list[Outcome]) -> list[Outcome]:
        """The outcomes; a failing read of a known address yields a value instead."""
        outcomes = without_unmodelled(outcomes)
        match outcomes:
            case [Failed(state)] if state.frames:
                frame = state.frames[-1]
                load = frame.function.blocks[frame.block].body[frame.index - 1]
                if isinstance(load, Load) and isinstance(load.type, Scalar) and _address(state, load) is not None:
                    self.go_on(state, load)
                    return [Running(state)]
        return outcomes

    def go_on(self, state: State, load: Load) -> None:
        assert isinstance(load.type, Scalar)
        address, value = _address(state, load), self._value
        if address is not None and address != self._address:
            value = _tame((value + address) * _SPREAD >> _INT, load.type)
        state.frames[-1].registers[load.result] = value & (1 << bits_of(load.type)) - 1


def _address(state: State, access: Access) -> int | None:
    pointer = state.frames[-1].registers[access.pointer.index] if isinstance(access.pointer, Register) else None
    return pointer if isinstance(pointer, int) else None


def _values(function: Function, load: Load, type: Scalar) -> list[int]:
    """Values likely to make a difference: small ones, large ones, and those that the program compares."""
    large = (1 << bits_of(type) - 1, _SPREAD, _SPREAD >> 1, _SPREAD >> 3)
    compared = [each + more for each in _compared_constants(function, load)[:CONSTANTS] for more in (0, 1)]
    return list(dict.fromkeys(_tame(each, type) for each in (*range(SMALL), -1, *large, *compared)))


def _compared_constants(function: Function, load: Load) -> list[int]:
    """The constants that the function compares with values computed from a read."""
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
    """A value of the type, small enough that sums and products of ints do not overflow.

    Compilers may assume no overflow, and thus that x * x is not negative.
    """
    width = bits_of(type)
    if isinstance(type, IntType) and width >= _INT and value != -1:
        value &= (1 << width // 2 - 1) - 1
    return value & (1 << width) - 1


def _has_effect(state: State, instruction: Instruction, depth: int) -> bool:
    """Whether the next instruction has an effect, so that no compiler may drop it.

    Compilers may drop a call of a pure function with an unused result, and with it all changes to its own locals.
    ``depth`` is the number of frames at the read.
    """
    if isinstance(instruction, Call):
        return instruction.result < 0 and len(state.frames) <= depth
    if not isinstance(instruction, Store | AtomicUpdate | CompareExchange):
        return False
    pointer = _address(state, instruction)
    return pointer is None or all(object_of(pointer) not in frame.locals for frame in state.frames[depth:])
