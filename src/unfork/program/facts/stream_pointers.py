"""The ``void *`` of a program that its code takes for a ``FILE *``: a context that a callback of its own casts back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from unfork.program.facts.pointer_places import shown_pointers
from unfork.program.facts.struct_members import StructMember
from unfork.program.llvm.module import Program


@dataclass(frozen=True, slots=True)
class StreamPointers:
    """The parameters, by function and position, and the members of structs, by their places."""

    parameters: Mapping[str, frozenset[int]]
    members: frozenset[StructMember]


@lru_cache(maxsize=4)
def stream_pointers(program: Program) -> StreamPointers:
    """What the program's own code passes to functions of the C library that take a stream."""
    shown = shown_pointers(program)
    parameters = {
        name: frozenset(place for place in each.streams if isinstance(place, int)) for name, each in shown.items()
    }
    members = {place for each in shown.values() for place in each.streams if isinstance(place, StructMember)}
    return StreamPointers({name: places for name, places in parameters.items() if places}, frozenset(members))
