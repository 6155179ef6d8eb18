"""Which functions of a program open files by name, or read what a number names, and how files are read."""

from __future__ import annotations

from functools import lru_cache

from unfork.program.facts.library_calls import calling, leading_to
from unfork.program.llvm.module import Program

_OPENING = frozenset(("fopen", "fopen64", "freopen", "freopen64", "open", "open64", "openat", "openat64"))
_BY_NUMBER = frozenset(("read", "pread", "pread64", "readv"))
_READING = frozenset(("fread", "fread_unlocked", "read", "pread", "pread64", "readv", "mmap", "mmap64"))
"""The functions that read a block of bytes, whatever they are; others read characters or lines."""


@lru_cache(maxsize=4)
def functions_that_open_files(program: Program) -> frozenset[str]:
    """The names of the program's own functions that open a file by its name, or call one that does."""
    return leading_to(program, calling(program, _OPENING))


@lru_cache(maxsize=4)
def functions_that_read_descriptors(program: Program) -> frozenset[str]:
    """The names of the program's own functions that read a file by its number, or call one that does."""
    return leading_to(program, calling(program, _BY_NUMBER))


@lru_cache(maxsize=4)
def reads_blocks(program: Program) -> bool:
    """Whether the program's own code reads blocks of bytes."""
    return bool(calling(program, _READING))
