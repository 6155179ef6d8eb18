"""The callbacks that a program's users may pass: the types of pointers to functions in its interfaces and structs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from unfork.program.c.callbacks import PREFIX, is_stream, stands_for
from unfork.program.facts.cfg import closure
from unfork.program.facts.stream_pointers import StreamPointers, stream_pointers
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType, Routine
from unfork.program.llvm.ir import Call, GlobalAddress, Operand, Phi, Register, Select
from unfork.program.llvm.module import Function, Program

PassedTo = tuple[str, str]
"""A function and one of its parameters, by their names."""


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


@lru_cache(maxsize=4)
def passed_functions(program: Program) -> Mapping[PassedTo, frozenset[str]]:
    """The functions that the project itself passes, by the parameters that get them: its calls name them, or pass on a
    parameter that gets them.
    """
    names = {name: each for name in program.own if (each := _parameters(program, name))}
    passed, onwards = defaultdict[PassedTo, set[str]](set), defaultdict[PassedTo, set[PassedTo]](set)
    for caller in program.own:
        own = names.get(caller, [])
        for place, source in _passed(program.function(caller), names):
            match source:
                case GlobalAddress(name=name) if name in program.defined:
                    passed[place].add(name)
                case Register(index=index) if index < len(own):
                    onwards[caller, own[index]].add(place)
    found = defaultdict[PassedTo, set[str]](set)
    for first, functions in passed.items():
        for goal in closure({first}, lambda at: onwards.get(at, ())):
            found[goal] |= functions
    return {place: frozenset(functions) for place, functions in found.items()}


def _passed(caller: Function, names: Mapping[str, Sequence[str]]) -> Iterator[tuple[PassedTo, Operand]]:
    """What a function passes to others by name, whose parameters have ``names``."""
    made = {each.result: each for each in caller.instructions() if isinstance(each, Phi | Select)}
    for call in caller.instructions():
        if isinstance(call, Call) and isinstance(call.callee, GlobalAddress):
            name = call.callee.name
            for parameter, operand in zip(names.get(name, ()), call.arguments, strict=False):
                yield from (((name, parameter), source) for source in sources_of(operand, made))


def _parameters(program: Program, name: str) -> list[str]:
    """The names of a function's parameters; none where some are not passed one by one."""
    prototype = program.c_types.prototype(name)
    if prototype is None or len(prototype.parameters) != len(program.function(name).type.parameters):
        return []
    return [each.name for each in prototype.parameters]


def sources_of(operand: Operand, made: Mapping[int, Phi | Select]) -> Iterator[Operand]:
    """The values among which choices decide to get an operand."""
    waiting, seen = [operand], set[Operand]()
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        match made.get(each.index) if isinstance(each, Register) else None:
            case Phi(incoming=incoming):
                waiting += [value for value, _ in incoming]
            case Select(then=then, otherwise=otherwise):
                waiting += [then, otherwise]
            case _:
                yield each


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
