"""Variables that still are what they were when the program began, though another function of the project sets them.

Most variables of a function that runs alone are a part of its input (world/inputs/lazy_globals.py). Those that are
static in other files, or very large, begin with their initial values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from itertools import pairwise
from typing import NamedTuple

from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import Frame, RegisterValue
from unfork.logic.terms.term import Term
from unfork.program.facts.cfg import closure
from unfork.program.facts.written import named_in
from unfork.program.llvm.ir import (
    Binary,
    Call,
    Cast,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Select,
    Store,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.thread_locals import ADDRESS
from unfork.program.llvm.types import Type
from unfork.program.llvm.uses import operands_of

_DIVISIONS = frozenset(("sdiv", "srem", "udiv", "urem"))


class _Read(NamedTuple):
    """A value of a type, read from a variable."""

    name: str
    type: Type


def unset_variable(program: Program, failed: Failed, passed: Set[Function]) -> str | None:
    """The variable in which a null pointer, or a divisor of 0, lies on which a path through the functions ``passed``
    failed, if none of these sets it, and another one of the project's does. None if there is no such.
    """
    for operand in _used(failed.state.frames[-1]):
        read = _read(program, failed, operand)
        if read is not None and not any(_sets(each, read) for each in passed):
            others = (program.function(each) for each in program.own if read.name in program.mentioned([each]))
            if any(_sets(each, read) for each in others):
                return read.name
    return None


def _used(frame: Frame) -> Iterator[Operand]:
    """What may be null, or 0, in the instruction that failed."""
    match _running(frame):
        case Load(pointer=pointer) | Store(pointer=pointer):
            yield pointer
        case Call(arguments=arguments):
            yield from arguments
        case Binary(op=op, right=right) if op in _DIVISIONS:
            yield right


def _read(program: Program, failed: Failed, operand: Operand) -> _Read | None:
    """From where the innermost function has a value that is 0, or the address of a member behind a null pointer."""
    for frame, caller in pairwise([*reversed(failed.state.frames), None]):
        assert frame is not None
        made = {each.result: each for each in frame.function.instructions()}
        while isinstance(operand, Register) and operand.index in made:
            source = made[operand.index]
            if (inner := _base(source)) is not None:
                operand = inner
                continue
            if not isinstance(source, Load) or not _may_be_zero(frame.registers[operand.index]):
                return None
            name = _variable_at(program, failed, frame, made, source.pointer)
            return None if name is None else _Read(name, source.type)
        call = None if caller is None else _running(caller)
        if not isinstance(operand, Register) or not isinstance(call, Call) or operand.index >= len(call.arguments):
            return None
        operand = call.arguments[operand.index]
    return None


def _may_be_zero(value: RegisterValue) -> bool:
    return value == 0 or isinstance(value, Term)


def _variable_at(
    program: Program, failed: Failed, frame: Frame, made: Mapping[int, Instruction], pointer: Operand
) -> str | None:
    """The variable into which a pointer leads, if it is no part of the input. ``made``: the results in the frame."""
    while isinstance(pointer, Register) and (inner := _base(made.get(pointer.index))) is not None:
        pointer = inner
    names = [*named_in(pointer)]
    address = frame.registers[pointer.index] if isinstance(pointer, Register) else None
    item = failed.state.memory.objects.get(object_of(address)) if isinstance(address, int) else None
    if item is not None and item.kind != LAZY:
        names.append(item.name)
    inputs = {each.variable.symbol for each in failed.state.lazy.objects if each.variable is not None}
    return next((each for each in names if each in program.globals and each not in inputs), None)


def _base(place: Instruction | None) -> Operand | None:
    """From what an instruction makes an address in the same variable; None for another instruction."""
    match place:
        case GetElementPointer(base=base) | Cast(value=base):
            return base
        case Call(callee=GlobalAddress(name=name), arguments=(base,)) if name.startswith(ADDRESS):
            return base
    return None


def _sets(function: Function, read: _Read) -> bool:
    """Whether a function writes a value of the type to the variable, or into it."""
    onwards, first = defaultdict[int, set[int]](set), set[int]()
    for each in function.instructions():
        for operand in operands_of(each) if isinstance(each, Phi | Select) or _base(each) is not None else ():
            if isinstance(operand, Register):
                onwards[operand.index].add(each.result)
            elif read.name in named_in(operand):
                first.add(each.result)
    within = closure(first, lambda register: onwards.get(register, ()))
    stores = (each for each in function.instructions() if isinstance(each, Store) and each.type == read.type)
    goals = [each.pointer for each in stores]
    return any(each.index in within if isinstance(each, Register) else read.name in named_in(each) for each in goals)


def _running(frame: Frame) -> Instruction:
    return frame.function.blocks[frame.block].body[max(frame.index - 1, 0)]
