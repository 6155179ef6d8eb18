"""The callbacks that a program's users may pass: the types of pointers to functions in its interfaces and structs."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType, Routine
from unfork.program.llvm.module import Program


def callbacks_of(program: Program) -> list[str]:
    """The functions that stand for users' callbacks (program/c/callbacks.py), by name."""
    types, seen, names = program.c_types, set[CType](), dict[str, None]()
    waiting = [*_interfaces(program)]
    while waiting:
        kind = waiting.pop()
        target = types.target(kind) if isinstance(kind, Pointer) else None
        if isinstance(kind, Pointer) and isinstance(target, Routine):
            name = types.callback(kind)  # of equal types, one may point to something const
            if name is not None:
                names[name] = None
            continue
        if kind in seen:
            continue
        seen.add(kind)
        match kind:
            case Pointer():
                waiting.append(types.target(kind))
            case Array(element=element):
                waiting.append(element)
            case RecordType():
                waiting += [field.type for field in types.fields(kind)]
    return sorted(names)


def _interfaces(program: Program) -> Iterator[CType]:
    for name in program.defined:
        prototype = None if name in program.library else program.c_types.prototype(name)
        if prototype is not None:
            yield from (parameter.type for parameter in prototype.parameters)
