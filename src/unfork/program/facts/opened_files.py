"""The functions of a program that open files by name, or call one that does."""

from __future__ import annotations

from functools import lru_cache

from unfork.program.facts.cfg import closure
from unfork.program.llvm.module import Program

_OPENING = frozenset(("fopen", "fopen64", "freopen", "freopen64", "open", "open64", "openat", "openat64"))


@lru_cache(maxsize=4)
def functions_that_open_files(program: Program) -> frozenset[str]:
    """The names of the program's own functions that do."""
    own = frozenset(program.own)
    opening = {name for name in own if not _OPENING.isdisjoint(program.outlines.called(name))}
    return frozenset(closure(opening, lambda name: own.intersection(program.callers(name))))
