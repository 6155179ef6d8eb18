"""The global variables that a program's functions may change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from unfork.errors import Unsupported
from unfork.program.llvm.ir import (
    Aggregate,
    Call,
    Compare,
    ConstantExpression,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Register,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.uses import derive, operands_of

_COPIES = ("llvm.memcpy.", "llvm.memmove.")
_SOURCE = 1
"""Index of the argument that is only read."""


@lru_cache(maxsize=4)
def written_variables(program: Program) -> frozenset[str]:
    """The variables that some function may write: it stores there, or passes the address on.

    All of them if a function cannot be read.
    """
    written = set(program.aliases)
    for target in program.aliases.values():
        written.update(_named(target))
    for name in program.globals:
        try:
            initializer = program.globals[name].initializer
        except Unsupported:
            continue
        if initializer is not None:
            written.update(_named(initializer))
    for name in program.defined:
        if name not in program.library:
            try:
                written.update(_passed_on(program.function(name)))
            except Unsupported:
                return frozenset(program.globals)
    return frozenset(written)


def _passed_on(function: Function) -> Iterator[str]:
    """The variables whose addresses are used other than for reading."""
    geps = [each for each in function.instructions() if isinstance(each, GetElementPointer)]
    owners = {each.result: frozenset(_named(each.base)) for each in geps if not isinstance(each.base, Register)}
    derive(owners, geps)
    for instruction in function.instructions():
        only_read = _only_read(instruction)
        for operand in operands_of(instruction):
            if operand is not only_read and not isinstance(instruction, Compare):
                yield from owners.get(operand.index, ()) if isinstance(operand, Register) else _named(operand)


def _only_read(instruction: Instruction) -> Operand | None:
    """The address that an instruction reads from, or from which it makes another address in the same variable."""
    match instruction:
        case Load(pointer=pointer):
            return pointer
        case GetElementPointer(base=base):
            return base
        case Call(callee=GlobalAddress(name=name), arguments=arguments) if name.startswith(_COPIES):
            return arguments[_SOURCE]
    return None


def _named(operand: Operand) -> Iterator[str]:
    """The variables whose addresses are in a constant."""
    waiting = [operand]
    while waiting:
        match waiting.pop():
            case GlobalAddress(name=name):
                yield name
            case ConstantExpression(instruction=instruction):
                waiting += operands_of(instruction)
            case Aggregate(elements=elements):
                waiting += elements
