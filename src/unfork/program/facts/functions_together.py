"""The functions that a project offers its users side by side: in variables of a struct type, and by functions that fill
such a struct.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from unfork.errors import Unsupported
from unfork.program.facts.struct_members import member_of
from unfork.program.llvm import layout
from unfork.program.llvm.c_types import Array, RecordType
from unfork.program.llvm.ir import GetElementPointer, GlobalAddress, Operand, Register, Store
from unfork.program.llvm.module import Function, Program

_Offer: TypeAlias = tuple[RecordType, Mapping[int, str]]


@lru_cache(maxsize=4)
def functions_together(program: Program) -> Mapping[RecordType, Sequence[Mapping[int, str]]]:
    """By struct, the functions in each one that a variable has at first, or that a function fills, by offset in bytes;
    without static variables and functions.
    """
    found: dict[RecordType, list[Mapping[int, str]]] = defaultdict(list)
    for kind, functions in (*_held(program), *_filled(program)):
        found[kind].append(functions)
    return found


def _held(program: Program) -> Iterator[_Offer]:
    """What variables have at first."""
    for name in program.globals:
        if name in program.aliases:
            continue
        try:
            held = program.globals[name]
        except Unsupported:
            continue  # reported when the program accesses it
        variable = program.c_types.variable(held.reference) if held.reference else None
        if held.initializer is None or variable is None or variable.is_static:
            continue
        kind = variable.type.element if isinstance(variable.type, Array) else variable.type
        leaves = layout.leaves_of(held.initializer)
        named = {at: each.name for at, each in leaves if isinstance(each, GlobalAddress)}
        functions = {at: each for at, each in named.items() if each in program.functions}
        if isinstance(kind, RecordType) and functions:
            for start in range(0, variable.type.size, kind.size):
                inside = range(start, start + kind.size)
                yield kind, {at - start: functions[at] for at in inside if at in functions}


def _filled(program: Program) -> Iterator[_Offer]:
    """What functions fill."""
    for name in program.own:
        try:
            function = program.function(name)
        except Unsupported:
            continue
        if not function.is_static:
            yield from _filled_by(program, function)


def _filled_by(program: Program, function: Function) -> Iterator[_Offer]:
    made = {each.result: each for each in function.instructions() if each.result >= 0}
    kinds: dict[Operand, RecordType] = {}
    stored: dict[Operand, dict[int, str]] = defaultdict(dict)
    for each in function.instructions():
        match each:
            case Store(value=GlobalAddress(name=name), pointer=Register() as pointer) if name in program.functions:
                address = made.get(pointer.index)
                member = member_of(program.c_types, address)
                if isinstance(address, GetElementPointer) and member is not None:
                    kinds[address.base] = member.record
                    stored[address.base][member.offset] = name
                else:
                    stored[pointer][0] = name
    yield from ((kind, stored[base]) for base, kind in kinds.items())
