"""What stands for the functions that a project calls and nobody here defines: its users do, or another library.

The compiler says their types where their declarations are, in the files that call them (program/llvm/stubs.py).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from unfork.commands.projects.entries import Entries
from unfork.commands.projects.project import BuildSource
from unfork.engine.instructions.call_instructions import LONGJMP, SETJMP
from unfork.errors import OutOfTime, UnforkError
from unfork.program.c.callbacks import makes_blocks, name_of_stand_in, returns_nothing, stands_for
from unfork.program.c.suffixes import C_SUFFIXES
from unfork.program.facts.passed_callbacks import stand_ins
from unfork.program.llvm.c_types import Pointer
from unfork.program.llvm.module import Program
from unfork.program.llvm.stubs import constants
from unfork.world.kernel.known_functions import library

After = tuple[tuple[Path, str], ...]
"""Texts that are appended to files."""
_JUMPS = SETJMP | LONGJMP
_OURS = ("llvm.", "unfork", "klee_", "__")
_ENDING = re.compile(r"abort|bail|crash|croak|(?<![a-z])die|error|exit|fail|fatal|oops|panic|quit|throw", re.I)
"""Names of functions that may not return, if they give nothing: a fault behind such a call may be a stand-in's."""


def _undefined(program: Program) -> dict[str, list[str]]:
    """The functions that the project calls and nobody defines or models, with the files of C that call them."""
    models, found = library(), defaultdict[str, list[str]](list)
    missing = {stands_for(name) for name in stand_ins(program)}
    for name in program.declarations:
        is_there = name in program.weak or name in program.aliases or name in _JUMPS or name.startswith(_OURS)
        if not is_there and models.find(name) is None:
            missing.add(name)
    for caller in program.own:
        called = missing & program.outlines.called(caller)
        position = program.function(caller).position if called else None
        if position is not None and Path(position.file).suffix in C_SUFFIXES:
            for name in sorted(called):
                found[name].append(position.file)
    return found


def made(
    program: Program, sources: Sequence[BuildSource], build: Callable[[After], Program], entries: Entries
) -> list[str]:
    """The names of what stands for the undefined functions of a program, of those whose types callbacks may have and
    that are not named as if they ended the program.

    ``build`` builds it once more, with texts appended to files.
    """
    missing = _undefined(program)
    files = {str(each.path): each.path for each in sources}
    asked: dict[Path, list[str]] = defaultdict(list)
    for name, callers in missing.items():
        if (path := next((files[each] for each in callers if each in files), None)) is not None:
            asked[path].append(name)
    if not asked:
        return []
    try:
        typed = build(tuple([(path, constants(names, at)) for at, (path, names) in enumerate(asked.items())]))
    except OutOfTime:
        raise
    except UnforkError:  # a file that ends in the middle of a condition, say
        return []
    found: list[str] = []
    for name, callback in _callbacks(typed):
        is_of_users = entries.is_in_header(name)
        may_end = returns_nothing(callback) and _ENDING.search(name) is not None
        if not may_end and (is_of_users or not makes_blocks(callback)):
            found.append(name_of_stand_in(callback, name, is_of_users=is_of_users))
    return found


def _callbacks(program: Program) -> Iterator[tuple[str, str]]:
    """The undefined functions with the callbacks of the same types."""
    for name, said in program.prototypes.items():
        variable = program.c_types.variable(said[0].reference)
        kind = None if variable is None else variable.type
        callback = program.c_types.callback(kind, has_context=False) if isinstance(kind, Pointer) else None
        if callback is not None:
            yield name, callback
