"""Members that lead to tables of functions: constant variables of a struct type, as classes are written in C.

A member counts if the program's own functions store nothing there but addresses of such variables, null, and what is
already in such a member. An address may come through parameters to which all calls of the program pass one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from typing import TypeAlias

from unfork.errors import Unsupported
from unfork.program.facts.address_taken import address_taken
from unfork.program.facts.cfg import closure
from unfork.program.facts.passed_callbacks import sources_of
from unfork.program.facts.struct_members import StructMember, member_of
from unfork.program.llvm.c_types import Pointer, RecordType, Routine
from unfork.program.llvm.ir import (
    Bits,
    Call,
    GetElementPointer,
    GlobalAddress,
    Load,
    Operand,
    Phi,
    Register,
    Select,
    Store,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import PointerType

_Place: TypeAlias = StructMember | tuple[str, int]
"""A member, or a parameter of a function by its number."""


@lru_cache(maxsize=4)
def held_tables(program: Program) -> Mapping[StructMember, frozenset[str]]:
    """The variables to which members lead, by their names in the linked program."""
    tables, onwards, others = defaultdict[_Place, set[str]](set), defaultdict[_Place, set[_Place]](set), set[_Place]()
    taken, passed, own = address_taken(program), set[tuple[str, int]](), frozenset(program.own)
    for name in program.own:
        try:
            function = program.function(name)
        except Unsupported:
            return {}
        for goal, source in _moves(program, own, function):
            if not isinstance(goal, StructMember):
                passed.add(goal)
            if isinstance(source, str):
                tables[goal].add(source)
            elif source is None:
                others.add(goal)
            else:
                onwards[source].add(goal)
    parameters = (place for place in onwards if not isinstance(place, StructMember))
    others |= {place for place in parameters if place not in passed or place[0] in taken}
    unknown = closure(others, lambda place: onwards.get(place, ()))
    found = defaultdict[StructMember, set[str]](set)
    for place, names in tables.items():
        for goal in closure({place}, lambda each: onwards.get(each, ())):
            if isinstance(goal, StructMember) and goal not in unknown:
                found[goal] |= names
    return {member: frozenset(names) for member, names in found.items()}


def _moves(program: Program, own: Set[str], function: Function) -> Iterator[tuple[_Place, _Place | str | None]]:
    """Where the function puts a pointer, with the table or the place that it is from; None for any other source. It may
    pass one to a function in ``own``.
    """
    made = {each.result: each for each in function.instructions() if each.result >= 0}
    choices = {at: each for at, each in made.items() if isinstance(each, Phi | Select)}
    members = {
        at: member
        for at, each in made.items()
        if isinstance(each, GetElementPointer) and (member := member_of(program.c_types, each)) is not None
    }

    def source_of(operand: Operand) -> _Place | str | None:
        match operand:
            case GlobalAddress(name=name) if _is_table(program, name):
                return name
            case Register(index=index) if index < len(function.type.parameters):
                return function.name, index
            case Register(index=index) if isinstance(load := made.get(index), Load):
                return members.get(load.pointer.index) if isinstance(load.pointer, Register) else None
        return None

    for each in function.instructions():
        goals: list[tuple[_Place, Operand]] = []
        match each:
            case Store(type=PointerType(), pointer=Register(index=index), value=value) if index in members:
                goals.append((members[index], value))
            case Call(callee=GlobalAddress(name=name), arguments=arguments) if name in own:
                goals += [((name, at), operand) for at, operand in enumerate(arguments)]
        for goal, operand in goals:
            yield from (
                (goal, source_of(source))
                for source in sources_of(operand, choices)
                if not (isinstance(source, Bits) and source.value == 0)
            )


def _is_table(program: Program, name: str) -> bool:
    """Whether a variable is constant, and a struct with functions."""
    if name not in program.globals:
        return False
    try:
        declared = program.globals[name]
    except Unsupported:
        return False
    variable = program.c_types.variable(declared.reference) if declared.reference else None
    if variable is None or not declared.constant or not isinstance(variable.type, RecordType):
        return False
    kinds = (field.type for field in program.c_types.fields(variable.type))
    return any(isinstance(each, Pointer) and isinstance(program.c_types.target(each), Routine) for each in kinds)
