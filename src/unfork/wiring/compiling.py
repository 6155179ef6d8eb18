"""What programs are made of: how C is compiled, and which C library completes it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from unfork.clang.suffixes import IR_SUFFIXES
from unfork.environment.libc import Libc, Progress
from unfork.errors import InputError
from unfork.library.catalogue import LEFT_TO_LIBC
from unfork.llvm.compiler import CompileOptions
from unfork.llvm.linking import NO_LIBRARIES, Libraries
from unfork.options import Options
from unfork.wiring.bounding import budget
from unfork.wiring.machines import library


def compile_options(options: Options) -> CompileOptions:
    """How C becomes IR. Raises InputError for --cflags that are no words."""
    try:
        words = tuple(shlex.split(options.cflags))
    except ValueError as problem:
        raise InputError(f"--cflags: {problem}") from None
    return CompileOptions(
        options.cc,
        words,
        options.include,
        options.define,
        frozenset(options.check),
        options.optimize,
        budget(options, 0.0).seconds,
        options.data_model == "ILP32",
    )


def check_sources(options: Options, files: Iterable[str]) -> None:
    """Raises InputError for files that cannot be what --data-model says."""
    if options.data_model == "ILP32" and any(file.endswith(tuple(IR_SUFFIXES)) for file in files):
        raise InputError("--data-model ILP32 is for C; bitcode has its own")


def has_libc(options: Options) -> bool:
    """Whether the program is completed with a C library."""
    return options.libc != "none" and options.data_model != "ILP32"


def libraries(options: Options, progress: Progress) -> Libraries:
    """What programs are completed with: a C library, for all that the engine does not model better itself."""
    if not has_libc(options):
        return NO_LIBRARIES
    modelled = library()
    return Libc(lambda name: modelled.find(name) is not None and name not in LEFT_TO_LIBC, progress)
