"""Programs of runs that are over, and of tasks: built as options say, without a word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unfork.api.libc_progress import silent_progress
from unfork.options import Options
from unfork.program import clang
from unfork.program.module import Program
from unfork.wiring import compiling


def built(options: Options, paths: Sequence[Path], sources: Sequence[Path | str]) -> Program:
    """The program in ``paths``, which are C or bitcode, and whose files are called ``sources``. Raises InputError."""
    libraries = compiling.libraries(options, silent_progress)
    return clang.build(list(paths), compiling.compile_options(options), [Path(name) for name in sources], libraries)
