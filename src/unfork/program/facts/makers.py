"""The structs that a program makes itself, each with a function that does: it returns one, or its name says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from unfork.program.llvm.c_types import CType, Pointer, RecordType
from unfork.program.llvm.module import Program

_WORD = re.compile(r"[A-Z]?[a-z]+")
SETTING_UP = frozenset(("init", "initialise", "create", "new", "alloc", "open", "reset", "setup", "make"))
"""Words in the names of functions that set their first argument up."""


def words_of(name: str) -> list[str]:
    """The words in a function's name, in small letters."""
    return [word.lower() for word in _WORD.findall(name)]


@lru_cache(maxsize=8)
def makers(program: Program) -> Mapping[RecordType, str]:
    """For each struct that the program makes, a function that does, by its name in the source."""
    found: dict[RecordType, str] = {}
    for name in program.defined:
        prototype = None if name in program.library else program.c_types.prototype(name)
        if prototype is None:
            continue
        kinds = [prototype.result]
        if not SETTING_UP.isdisjoint(words_of(prototype.name)):
            kinds += [parameter.type for parameter in prototype.parameters[:1]]
        for kind in kinds:
            record = _record_behind(program, kind)
            if record is not None:
                found.setdefault(record, prototype.name)
    return found


def _record_behind(program: Program, kind: CType) -> RecordType | None:
    target = program.c_types.target(kind) if isinstance(kind, Pointer) else None
    return target if isinstance(target, RecordType) else None
