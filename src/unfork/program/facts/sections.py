"""Functions of libraries that other threads see as one event, in programs that make threads."""

from __future__ import annotations

import re
from functools import cache

from unfork.program.llvm.demangle import MANGLED
from unfork.program.llvm.module import Program

OPEN_FUNCTIONS = frozenset(
    ["pthread_once", "call_once", "__cxa_end_catch", "__cxa_decrement_exception_refcount"],
)
"""Functions of libraries, by C name, that call the program, and are not sections."""
STREAMS = re.compile("basic_[io]+stream|streambuf|locale|ios_base|num_[pg]et|__put_character_sequence|__pad_and_output")
"""Parts of the names of C++ library functions that print, read or format: these are one event, as printf is."""
WAITING = frozenset(
    (
        *("pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_cond_wait", "pthread_cond_timedwait"),
        *("pthread_join", "pthread_create", "pthread_once"),
    )
)
"""Functions that the C++ library calls to wait, or to start a thread."""


@cache
def is_section(program: Program, name: str) -> bool:
    """Whether a library's function is one event with all it does: those of the C library are, with few exceptions;
    those of the C++ library unless they may wait, are atomic themselves, or call the program.
    """
    if name not in program.library or name in OPEN_FUNCTIONS:
        return False
    if not name.startswith(MANGLED) or STREAMS.search(name):
        return True
    found, waiting = {name}, [name]
    while waiting:
        each = waiting.pop()
        called = program.outlines.called(each)
        if not called.isdisjoint(WAITING):
            return False
        if each in program.of_headers and ("" in called or program.outlines.is_atomic(each)):
            return False
        for other in called & program.outlines.names - found:
            if other not in program.library:
                return False
            if other.startswith(MANGLED) and not STREAMS.search(other):
                found.add(other)
                waiting.append(other)
    return True
