"""What code does with the pointers that functions are passed: takes them for bytes or structs, or tests them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from unfork.program.facts.pointer_places import Place, ShownPointers, shown_pointers
from unfork.program.llvm.module import Program
from unfork.program.llvm.types import PointerType


@lru_cache(maxsize=4)
def byte_parameters(program: Program) -> Mapping[str, frozenset[int]]:
    """By function, the positions of the parameters that lead to bytes, and to no struct, pointer or array: a number
    beside a ``void *`` may count them.
    """
    shown = shown_pointers(program)
    return {name: positions for name, each in shown.items() if (positions := _positions(each.bytes - each.records))}


@lru_cache(maxsize=4)
def handle_parameters(program: Program) -> Mapping[str, frozenset[int]]:
    """By function, the positions of the parameters that code takes for structs, and never for bytes: a ``char *`` there
    hides what it leads to, as a ``void *`` does.
    """
    shown = shown_pointers(program)
    return {name: places for name, each in shown.items() if (places := _positions(each.records - each.characters))}


@lru_cache(maxsize=4)
def untested_parameters(program: Program) -> Mapping[str, frozenset[int]]:
    """By function, the positions of the pointers that code only accesses: whether one is null decides nothing but a
    fault.
    """
    shown = shown_pointers(program)
    return {name: positions for name, each in shown.items() if (positions := _untested(program, name, each))}


def _untested(program: Program, name: str, shown: ShownPointers) -> frozenset[int]:
    kinds = program.function(name).type.parameters
    pointers = frozenset(at for at, kind in enumerate(kinds) if isinstance(kind, PointerType))
    return pointers - _positions(shown.tested)


def _positions(places: Iterable[Place]) -> frozenset[int]:
    return frozenset(place for place in places if isinstance(place, int))
