"""Programs as options say they are built: of runs, of runs that are over, of proofs and of tasks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unfork.api.given import Given
from unfork.environment import libc
from unfork.errors import OutOfTime
from unfork.llvm import compiler
from unfork.llvm.module import Program
from unfork.options import Options
from unfork.report import progress as report_progress
from unfork.wiring import compiling, outputs

if TYPE_CHECKING:
    from unfork.environment.musl_build import Told


def built(
    options: Options, paths: Sequence[Path], sources: Sequence[Path | str], flags: Sequence[str] = (), **changes: Any
) -> Program:
    """The program in ``paths``, which are C or bitcode, and whose files are called ``sources``. Raises InputError.

    ``flags`` are for the compiler, and ``changes`` others of what it is told (llvm/compiler.py).
    """
    libraries = compiling.libraries(options, silent_progress if options.quiet else shown_progress)
    compiled = compiling.compile_options(options)
    compiled = replace(compiled, flags=(*compiled.flags, *flags), **changes)
    return compiler.build(list(paths), compiled, [Path(name) for name in sources], libraries)


def built_to_run(options: Options, asked: Given) -> Program:
    """The program of a run, with the function that makes the calls of --calls. Raises InputError and OutOfTime."""
    compiling.check_sources(options, asked.names)

    def build(*more: Path) -> Program:
        quoted = () if asked.folder is None else ("-iquote", ".")
        return built(options, [*asked.paths, *more], asked.names, quoted)

    try:
        return outputs.with_calls(options, build(), build)
    except OutOfTime as problem:
        raise OutOfTime(f"{problem}{_what_is_left(compiling.has_libc(options))}") from None


def shown_progress() -> AbstractContextManager[Told]:
    """A progress bar on the terminal, or a line elsewhere."""
    return report_progress.building("building the C library (once, about half a minute)")


@contextlib.contextmanager
def silent_progress() -> Iterator[Told]:
    """No display."""
    yield lambda done, total: None


def _what_is_left(has_libc: bool) -> str:
    """What to add where a limit has ended the loading of a program, which is completed with a C library or not."""
    if not has_libc or libc.is_built():
        return ""
    return "; the C library is not built yet, and the next run goes on with that"
