"""Programs of runs that are over, and of tasks: built as options say, without a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from unfork.api.libc_progress import shown_progress
from unfork.llvm import compiler
from unfork.llvm.module import Program
from unfork.options import Options
from unfork.wiring import compiling


def built(
    options: Options, paths: Sequence[Path], sources: Sequence[Path | str], instead: str | None = None
) -> Program:
    """The program in ``paths``, which are C or bitcode, and whose files are called ``sources``. Raises InputError.

    The compiler gets ``instead`` (latin-1), where that is given, in place of the text of C files.
    """
    libraries = compiling.libraries(options, shown_progress)
    compiled = replace(compiling.compile_options(options), instead=instead)
    return compiler.build(list(paths), compiled, [Path(name) for name in sources], libraries)
