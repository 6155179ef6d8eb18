"""The callbacks that a program's users may pass: the types of pointers to functions in its interfaces and structs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unfork.program.c.callbacks import PREFIX, is_stream, stands_for
from unfork.program.facts.stream_pointers import StreamPointers, stream_pointers
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType, Routine
from unfork.program.llvm.module import Program


def callbacks_of(program: Program) -> list[str]:
    """The functions that stand for users' callbacks (program/c/callbacks.py), by name."""
    types, names = program.c_types, dict[str, None]()
    for kind in _taken(program):
        if isinstance(kind, Pointer) and isinstance(types.target(kind), Routine):
            name = types.callback(kind)  # of equal types, one may point to something const
            if name is not None:
                names[name] = None
    return sorted(names)


def stand_ins(program: Program) -> list[str]:
    """What stands for undefined functions in a program that is linked with it."""
    return [name for name in program.defined if name.startswith(PREFIX) and stands_for(name)]


def takes_stream(program: Program, function: str) -> bool:
    """Whether a function takes a ``FILE *``, a pointer that leads to one, or one that the program casts to it."""
    streams = stream_pointers(program)
    return function in streams.parameters or _lead_to_stream(_taken(program, function), streams)


def takes_streams(program: Program) -> bool:
    """Whether one of the project's functions does."""
    streams = stream_pointers(program)
    return bool(streams.parameters) or _lead_to_stream(_taken(program), streams)


def _lead_to_stream(kinds: Iterable[CType], streams: StreamPointers) -> bool:
    records = {member.record for member in streams.members}
    return any(is_stream(kind.name, kind.size) or kind in records for kind in kinds)


def _taken(program: Program, *functions: str) -> Iterator[CType]:
    """The types to which the parameters of functions lead; of all functions of the project, if none is named."""
    types, seen = program.c_types, set[CType]()
    waiting = [*_interfaces(program, functions or program.defined)]
    while waiting:
        kind = waiting.pop()
        is_callback = isinstance(kind, Pointer) and isinstance(types.target(kind), Routine)
        if kind in seen and not is_callback:
            continue
        yield kind
        seen.add(kind)
        match kind:
            case Pointer() if not is_callback:
                waiting.append(types.target(kind))
            case Array(element=element):
                waiting.append(element)
            case RecordType():
                waiting += [field.type for field in types.fields(kind)]


def _interfaces(program: Program, functions: Iterable[str]) -> Iterator[CType]:
    for name in functions:
        is_ours = name in program.library or name.startswith(PREFIX)
        prototype = None if is_ours else program.c_types.prototype(name)
        if prototype is not None:
            yield from (parameter.type for parameter in prototype.parameters)
