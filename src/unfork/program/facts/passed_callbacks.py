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
        if kind in seen:
            continue
        seen.add(kind)
        match kind:
            case Pointer():
                target = types.target(kind)
                name = types.callback(kind) if isinstance(target, Routine) else None
                if name is not None:
                    names[name] = None
                if not isinstance(target, Routine):
                    waiting.append(target)
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
