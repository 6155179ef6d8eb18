"""The global variables that a program's functions may change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from unfork.errors import Unsupported
from unfork.program.facts.cfg import closure
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
from unfork.program.llvm.types import PointerType
from unfork.program.llvm.uses import derive, operands_of

COPIES = ("llvm.memcpy.", "llvm.memmove.")
"""What the names of intrinsics begin with that copy memory."""
_SOURCE = 1
"""Index of the argument that is only read."""
_COMPARING = frozenset(
    ("strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "memcmp", "strspn", "strcspn")
)
"""Functions of the C library that only read, and return no address."""

_Place: TypeAlias = str | tuple[str, int]
"""What may be written: a variable, or what a parameter of a function leads to."""


@lru_cache(maxsize=4)
def written_variables(program: Program) -> frozenset[str]:
    """The variables that some function may write: it stores there, or passes the address on to what may.

    All of them if a function cannot be read.
    """
    written: set[_Place] = set(program.aliases)
    for target in program.aliases.values():
        written.update(named_in(target))
    for name in program.globals:
        try:
            initializer = program.globals[name].initializer
        except Unsupported:
            continue
        if initializer is not None:
            written.update(named_in(initializer))
    read = {name: program.function(name) for name in program.own}
    given: dict[_Place, set[_Place]] = defaultdict(set)
    for function in read.values():
        try:
            for place, to in _passed_on(function, read):
                if to is None:
                    written.add(place)
                else:
                    given[to].add(place)
        except Unsupported:
            return frozenset(program.globals)
    return frozenset(place for place in closure(written, lambda place: given.get(place, ())) if isinstance(place, str))


def _passed_on(function: Function, read: Mapping[str, Function]) -> Iterator[tuple[_Place, _Place | None]]:
    """The places whose addresses are used other than for reading, with the parameter that gets each, if that is all."""
    geps = [each for each in function.instructions() if isinstance(each, GetElementPointer)]
    owners: dict[int, frozenset[_Place]] = {
        index: frozenset(((function.name, index),))
        for index, kind in enumerate(function.type.parameters)
        if isinstance(kind, PointerType) and function.parameter_byval[index] is None
    }
    owners |= {each.result: frozenset(named_in(each.base)) for each in geps if not isinstance(each.base, Register)}
    derive(owners, geps)
    for instruction in function.instructions():
        only_read = _only_read(instruction)
        for at, operand in enumerate(operands_of(instruction)):
            if any(operand is each for each in only_read) or isinstance(instruction, Compare):
                continue
            to = _parameter(instruction, at, read)
            owned = owners.get(operand.index, ()) if isinstance(operand, Register) else named_in(operand)
            yield from ((place, to) for place in owned)


def _parameter(instruction: Instruction, at: int, read: Mapping[str, Function]) -> tuple[str, int] | None:
    """The parameter that gets operand ``at`` of an instruction; None if it is used otherwise, or by unread code."""
    match instruction:
        case Call(callee=GlobalAddress(name=name), byval=byval) if at and name in read:
            index = at - 1
            if index < len(read[name].type.parameters) and byval[index] is None:
                return name, index
    return None


def _only_read(instruction: Instruction) -> Sequence[Operand]:
    """The addresses that an instruction reads from, or from which it makes another address in the same variable."""
    match instruction:
        case Load(pointer=pointer):
            return (pointer,)
        case GetElementPointer(base=base):
            return (base,)
        case Call(callee=GlobalAddress(name=name), arguments=arguments) if name.startswith(COPIES):
            return (arguments[_SOURCE],)
        case Call(callee=GlobalAddress(name=name), arguments=arguments) if name in _COMPARING:
            return arguments
    return ()


def named_in(operand: Operand) -> Iterator[str]:
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
