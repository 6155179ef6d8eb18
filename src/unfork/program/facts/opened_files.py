"""Which functions of a program open files by name, or read what a number names, and how files are read."""

from __future__ import annotations

from functools import lru_cache

from unfork.program.facts.cfg import closure
from unfork.program.llvm.module import Program

_OPENING = frozenset(("fopen", "fopen64", "freopen", "freopen64", "open", "open64", "openat", "openat64"))
_BY_NUMBER = frozenset(("read", "pread", "pread64", "readv"))
_READING = frozenset(("fread", "fread_unlocked", "read", "pread", "pread64", "readv", "mmap", "mmap64"))
"""The functions that read a block of bytes, whatever they are; others read characters or lines."""


@lru_cache(maxsize=4)
def functions_that_open_files(program: Program) -> frozenset[str]:
    """The names of the program's own functions that open a file by its name, or call one that does."""
    return _leading_to(program, _OPENING)


@lru_cache(maxsize=4)
def functions_that_read_descriptors(program: Program) -> frozenset[str]:
    """The names of the program's own functions that read a file by its number, or call one that does."""
    return _leading_to(program, _BY_NUMBER)


def _leading_to(program: Program, called: frozenset[str]) -> frozenset[str]:
    own = frozenset(program.own)
    calling = {name for name in own if not called.isdisjoint(program.outlines.called(name))}
    return frozenset(closure(calling, lambda name: own.intersection(program.callers(name))))


@lru_cache(maxsize=4)
def reads_blocks(program: Program) -> bool:
    """Whether the program's own code reads blocks of bytes."""
    return any(not _READING.isdisjoint(program.outlines.called(name)) for name in program.own)
