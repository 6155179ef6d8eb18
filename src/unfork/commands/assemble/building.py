"""The input of a command (files, arguments), and the program that is built from it."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unfork.commands.assemble import outputs, starting
from unfork.commands.assemble.choices import choose
from unfork.errors import CompileError, InputError, NotNarrow
from unfork.options.options import Options
from unfork.program.c.suffixes import CPP_SUFFIXES
from unfork.program.llvm import compiler
from unfork.program.llvm.demangle import MANGLED, function_name, without_arguments
from unfork.program.llvm.module import FUZZ_TARGET, Program
from unfork.report.record import progress as report_progress
from unfork.world.inputs import object_drivers

if TYPE_CHECKING:
    from unfork.world.libc.build_store import Progress, Report

STDIN = "-"
COPY = "stdin.c"
"""C from standard input, by this name in reports and in the run directory."""

ONE_AT_A_TIME = threading.RLock()
"""Held by the thread that runs the engine: all threads share the table of terms, and only one may fill it.

The time limits of a thread that waits start when it gets the lock.
"""

_ALL_TYPES = "-fno-eliminate-unused-debug-types"
"""Keeps debug info of unused types: a parameter's subclasses may be among them."""


FileName = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class ProgramFiles:
    """The files at ``paths``, by their ``names`` in reports; ``folder`` holds the copy of standard input, if any."""

    names: tuple[str, ...]
    paths: tuple[Path, ...]
    folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def cpp_paths(self) -> list[Path]:
        """The files in C++."""
        return [path for path in self.paths if path.suffix in CPP_SUFFIXES]

    def copy(self) -> bytes | None:
        """The copy of standard input; None if it was not read."""
        return None if self.folder is None else Path(self.folder.name, COPY).read_bytes()

    def close(self) -> None:
        """Remove the copy."""
        if self.folder is not None:
            self.folder.cleanup()


def given(files: FileName | Iterable[FileName]) -> ProgramFiles:
    """The files of a run. Raises TypeError for a value that names none, InputError for an unusable standard input or no
    file at all.
    """
    several: Any = [files] if isinstance(files, str | os.PathLike) else files
    if isinstance(several, bytes) or not isinstance(several, Iterable):
        raise TypeError(f"files: must be a str, a path or several of these, not {type(files).__name__}")
    names = []
    for file in several:
        name = os.fspath(file) if isinstance(file, str | os.PathLike) else None
        if not isinstance(name, str):
            raise TypeError(f"files: must be a str or a path, not {type(file).__name__} {file!r}")
        names.append(name)
    if not names:
        raise InputError("no input file")
    if STDIN not in names:
        return ProgramFiles(tuple(names), tuple([Path(name) for name in names]))
    if names.count(STDIN) > 1:
        raise InputError("- (standard input) is there once")
    folder = tempfile.TemporaryDirectory(prefix="unfork-stdin-")
    copy = Path(folder.name, COPY)
    # The line marker names the copy in messages and in debug information, from which reports are made.
    copy.write_bytes(f'#line 1 "{COPY}"\n'.encode() + _read_stdin())
    paths = tuple([copy if name == STDIN else Path(name) for name in names])
    return ProgramFiles(tuple([COPY if name == STDIN else name for name in names]), paths, folder)


def words(arguments: Iterable[str]) -> tuple[str, ...]:
    """The arguments of the program. Raises TypeError unless they are a list of str."""
    if isinstance(arguments, str | bytes) or not isinstance(arguments, Iterable):
        raise TypeError(f"arguments: must be a list of str, not {type(arguments).__name__} {arguments!r}")
    several: tuple[Any, ...] = tuple(arguments)
    for word in several:
        if not isinstance(word, str):
            raise TypeError(f"arguments: must be a list of str, not of {type(word).__name__}")
    return several


def _read_stdin() -> bytes:
    if sys.stdin is None:
        raise InputError("- (standard input) is closed")
    text = sys.stdin.buffer.read()
    if not text.strip():
        raise InputError("- (standard input) is empty")
    return text


def build_program(
    options: Options, paths: Sequence[Path], sources: Sequence[Path | str], flags: Sequence[str] = (), **changes: Any
) -> Program:
    """The program in ``paths`` (C or bitcode), which reports call ``sources``. Raises InputError.

    ``flags`` are for the compiler; ``changes`` replace fields of its options (program/llvm/compiler.py).
    """
    libraries = starting.libraries(options, progress_of(options))
    compiled = starting.compile_options(options)
    compiled = replace(compiled, flags=(*compiled.flags, *flags), **changes)
    program = compiler.build(list(paths), compiled, [Path(name) for name in sources], libraries)
    if program.is_narrow:
        _check_narrow(program, compiled)
    return program


def _check_narrow(program: Program, compiled: compiler.CompileOptions) -> None:
    """Raises NotNarrow for what is not supported where pointers have 32 bits."""
    if compiled.contracts:
        what = "contracts"
    elif any(name.startswith(MANGLED) for name in program.defined):
        what = "C++"
    elif FUZZ_TARGET in program.defined:
        what = "fuzz targets"
    else:
        return
    raise NotNarrow(f"{program.sources[0] if program.sources else 'the program'}: {what} need pointers of 64 bits")


def build_for_run(options: Options, asked: ProgramFiles) -> Program:
    """The program of a run, with the function that makes the calls of --calls.

    Raises InputError and OutOfTime.
    """
    start = choose(options).start

    def build(*more: Path) -> Program:
        flags = () if asked.folder is None else ("-iquote", ".")
        if start.function != "main" and not start.calls and asked.cpp_paths:
            flags = (*flags, _ALL_TYPES)
        return build_program(options, [*asked.paths, *more], asked.names, flags)

    return outputs.with_calls(options, build(), build)


def with_objects(options: Options, asked: ProgramFiles, program: Program) -> tuple[Options, Program]:
    """The program with a function that makes objects of C++ for --function, and options that start in it.

    Both stay as they are where no object is needed, or none can be made.
    """
    start = choose(options).start
    is_heap_asked_for = start.opens_globals or start.requires is not None
    if start.calls or start.function == "main" or not asked.cpp_paths or is_heap_asked_for:
        return options, program
    function = start.function
    position = program.function(function).position if function in program.defined else None
    names = dict(zip(asked.names, asked.paths, strict=True))
    path = names.get("" if position is None else position.file, asked.cpp_paths[0])
    driver = object_drivers.driver(program, function, path.resolve(), outputs.most_elements(options))
    if driver.text:
        text = f'\n#line 1 "{object_drivers.FILE}"\n{driver.text}'
        try:
            changed = build_program(options, asked.paths, asked.names, after=((path, text),))
        except CompileError as problem:
            said = next((line for line in str(problem).splitlines() if "error: " in line), "error: it fails")
            driver = object_drivers.DriverText(reason=f"the compiler rejects how: {said.partition('error: ')[2]}")
        else:
            changed.driver = driver.whole
            return replace(options, function=object_drivers.entry(function)), changed
    if driver.reason and function not in program.defined:
        raise InputError(f"--function {function}: its objects cannot be made by constructors: {driver.reason}")
    if driver.reason:
        reason = f"objects are made member by member, not by constructors: {driver.reason}"
        program.notes = (*program.notes, f"--function {function}: {reason}")
    return options, program


def function_named(program: Program, name: str) -> str:
    """The function that ``name`` means, which may be the last part of a C++ name; ``name`` itself if there is none.

    Raises InputError if there are several.
    """
    if name in program.defined or name in program.c_types.classes.methods:
        return name
    own = [each for each in program.defined if each.startswith(MANGLED) and each not in program.library]
    # methods that the program declares and does not call
    own += [each for each in program.c_types.classes.called(name.rpartition("::")[2]) if each not in own]
    qualified = {each: function_name(each, each) for each in own}
    meant = [each for each, whole in qualified.items() if f"::{whole}".endswith(f"::{name}")]
    if not meant and "<" not in name:
        meant = [each for each, whole in qualified.items() if f"::{without_arguments(whole)}".endswith(f"::{name}")]
    if len(meant) > 1:
        several = ", ".join(f"{qualified[each]} ({each})" for each in meant)
        raise InputError(f"--function {name} may be {several}: name one of them as it stands in parentheses")
    return meant[0] if meant else name


def shown_progress(name: str) -> AbstractContextManager[Report]:
    """A progress bar on a terminal, a line elsewhere."""
    return report_progress.building(f"building {name} (once)")


@contextlib.contextmanager
def silent_progress(name: str) -> Iterator[Report]:
    """No display."""
    yield lambda done, total: None


def progress_of(options: Options) -> Progress:
    """How the progress of what is built once is shown."""
    return silent_progress if options.quiet else shown_progress
