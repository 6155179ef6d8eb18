"""C++ exceptions: reads the landing pads of active functions, and moves control to one.

C++ code of our own (world/libc/cpp/unwind.cpp) searches, and asks libc++abi which handler takes a type. It replaces
libunwind, in the two phases of the Itanium C++ ABI, "Exception Handling".
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from unfork.engine.instructions.activations import enter, go_to_caller, may_throw_to_caller, settle_call, unwind
from unfork.engine.memory import visible_operations
from unfork.engine.memory.loads import store
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import Frame, RegisterValue
from unfork.engine.step.handlers import Arguments
from unfork.engine.step.operands import reader
from unfork.engine.step.step import Step
from unfork.program.llvm.ir import Aggregate, Bits, Call, GlobalAddress, Invoked, LandingPad, Operand
from unfork.program.llvm.module import Block
from unfork.program.llvm.types import POINTER, ArrayType

WORD = (1 << 32) - 1
ANY = 1
"""The selector of clauses that take any type."""
END, CLEANUP, FILTER, PASSES, TERMINATES = 0, -1, -2, -3, -4
"""The codes of ``clause``; selectors of catch clauses are positive. No more clauses, without or with cleanup; a filter
begins; a type that it allows; any exception ends the program.
"""
TERMINATE = "__clang_call_terminate"
"""The function called by the landing pad around a noexcept function."""
RESUMES = "_Unwind_Resume"
CALLER = 1 << 32
"""The depth of the caller of a function that runs alone, if it may catch exceptions."""
NOT_LINKED = "exceptions without a C++ library (--libc none)"


def landing(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """The depth, from 1, of the topmost activation less than ``below`` deep that waits in an invoke; 0 if none.

    CALLER comes last, if the caller may catch exceptions.
    """
    frames = step.state.frames
    below = _number(step, arguments[0])
    for depth in range(min(below - 1, len(frames) - 1), 0, -1):
        if frames[depth - 1].elsewhere:
            settle_call(step, depth - 1)
            frames = step.state.frames
        if _pad_of(frames[depth - 1]) is not None:
            return depth
    return CALLER if may_throw_to_caller(step) else 0


def clause(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """A clause, by number, of the landing pad of an activation: its selector, or a code.

    Writes the type's description, null for any type, to the last argument.
    """
    depth, number, target = _number(step, arguments[0]), _number(step, arguments[1]), arguments[2]
    if depth == CALLER:
        return ANY
    pad = _pad_of(step.state.frames[depth - 1])
    assert pad is not None
    clauses = [each for operand in pad.instruction.clauses for each in _flat(step, operand)]
    if number == len(clauses):
        return (CLEANUP if pad.instruction.is_cleanup else END) & WORD
    code, kind = clauses[number]
    if code == 1 and _terminates(pad):
        return TERMINATES & WORD
    if kind is not None:
        store(step, target, step.statics.constant(kind), 8)
    return code & WORD


def land(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """Leave all activations above a depth, and go on at its landing pad with an exception and a selector."""
    depth, exception, selector = _number(step, arguments[0]), *arguments[1:]
    if depth == CALLER:
        go_to_caller(step, exception)
        return None
    if step.has_threads:
        for lower, upper in pairwise(step.state.frames[depth - 1 :]):
            if visible_operations.crosses(step.program, lower.function, upper.function):
                visible_operations.leave_section(step)
    unwind(step.state, depth)
    frame = step.state.frames[-1]
    pad = _pad_of(frame)
    assert pad is not None
    block = pad.block
    operands = [
        (phi.result, operand) for phi in block.phis for operand, source in phi.incoming if source == frame.block
    ]
    values = [(result, reader(operand, step.statics)(step, frame.registers)) for result, operand in operands]
    for result, value in values:
        frame.registers[result] = value
    frame.registers[pad.instruction.result] = (exception, selector)
    frame.block, frame.index = block.index, pad.at + 1
    return None


def resume(step: Step, value: RegisterValue) -> None:
    """Pass the exception in a landing pad's value on to the callers."""
    if RESUMES not in step.program.defined:
        step.unsupported(NOT_LINKED)
    enter(step, step.program.function(RESUMES), [value[0]], ())


def selector_of(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.eh.typeid.for: the selector of a type."""
    return _selector(arguments[0])


def _number(step: Step, value: RegisterValue) -> int:
    """A depth or a clause's number, which our own code computes from nothing symbolic."""
    return step.concretize(value, 64, 1, "where an exception goes")


def _selector(kind: RegisterValue) -> int:
    """A positive number for a type, from the address of its description: 1 for null, any type."""
    return ANY + object_of(kind)


def _terminates(pad: _Pad) -> bool:
    calls = (each for each in pad.block.body if isinstance(each, Call))
    return any(isinstance(each.callee, GlobalAddress) and each.callee.name == TERMINATE for each in calls)


def _flat(step: Step, operand: Operand) -> list[tuple[int, Operand | None]]:
    """The pieces of a clause: (selector or code, type)."""
    if not isinstance(operand.type, ArrayType):
        return [(_selector(step.statics.constant(operand)), operand)]
    nulls = (Bits(0, POINTER),) * operand.type.count
    kinds = operand.elements if isinstance(operand, Aggregate) else nulls
    return [(FILTER, None), *[(PASSES, kind) for kind in kinds]]


class _Pad(NamedTuple):
    block: Block
    at: int
    instruction: LandingPad


def _pad_of(frame: Frame) -> _Pad | None:
    blocks = frame.function.blocks
    body = blocks[frame.block].body
    end = body[-1]
    if frame.index != len(body) - 1 or not isinstance(end, Invoked):
        return None
    block = blocks[end.landing]
    at, pad = next((i, each) for i, each in enumerate(block.body) if isinstance(each, LandingPad))
    return _Pad(block, at, pad)
