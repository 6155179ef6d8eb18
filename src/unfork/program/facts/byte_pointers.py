"""The parameters of a program that its code takes for bytes: a number beside a ``void *`` may count them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from unfork.program.facts.pointer_places import shown_pointers
from unfork.program.llvm.module import Program


@lru_cache(maxsize=4)
def byte_parameters(program: Program) -> Mapping[str, frozenset[int]]:
    """By function, the positions of the parameters that lead to bytes, and to no struct, pointer or array."""
    found = {
        name: frozenset(place for place in shown.bytes - shown.records if isinstance(place, int))
        for name, shown in shown_pointers(program).items()
    }
    return {name: places for name, places in found.items() if places}
