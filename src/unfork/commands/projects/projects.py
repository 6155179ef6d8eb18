"""The linked programs of a project. Files that do not compile are left out; files that do not link stand alone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from unfork.commands.assemble.building import build_program
from unfork.commands.assemble.starting import has_libc
from unfork.commands.projects import stand_ins
from unfork.commands.projects.entries import Entries, include_folders
from unfork.commands.projects.project import BuildSource, LinkGroup
from unfork.errors import CompileError, OutOfTime, UnforkError
from unfork.options.options import Options
from unfork.program.c.callbacks import FILE, TEXT_OF_STREAMS, text_of_callbacks
from unfork.program.c.suffixes import IR_SUFFIXES
from unfork.program.facts.passed_callbacks import callbacks_of, takes_streams
from unfork.program.llvm import compilation_cache
from unfork.program.llvm.module import Program

Built = TypeVar("Built")


def build(options: Options, sources: Sequence[BuildSource], **changes: Any) -> Program:
    """The program that ``sources`` link to. Raises UnforkError."""
    paths = [source.path for source in sources]
    more = tuple([(source.path, source.flags) for source in sources if source.flags])
    return build_program(options, paths, [source.name or str(source.path) for source in sources], more=more, **changes)


def build_with_callbacks(options: Options, sources: Sequence[BuildSource], **changes: Any) -> Program:
    """The program, linked with what stands for its users' callbacks and streams, and for functions that nobody here
    defines. Raises UnforkError.

    What it needs is known once it is built; usually that is what these files needed before.
    """
    if any(source.path.suffix in IR_SUFFIXES for source in sources):
        return build(options, sources, **changes)
    hint = compilation_cache.key("callbacks", *[str(source.path.resolve()) for source in sources])
    guess = (compilation_cache.get(hint) or b"").decode()
    program: Program | None = None
    if guess:
        try:
            program = _build_with_text(options, sources, guess, changes)
        except OutOfTime:
            raise
        except UnforkError:  # of the files, or because they need something else now
            program = None
    if program is None:
        guess, program = "", build(options, sources, **changes)
    text = _text(options, sources, program)
    if text == guess:
        return program
    compilation_cache.put(hint, text.encode())
    return _build_with_text(options, sources, text, changes) if text else build(options, sources, **changes)


def _text(options: Options, sources: Sequence[BuildSource], program: Program) -> str:
    """C for what stands for the users of a program."""

    def build_with(more: stand_ins.After) -> Program:
        return build(options, sources, after=more)

    entries = Entries(sources, include_folders(options))
    text = text_of_callbacks([*callbacks_of(program), *stand_ins.made(program, sources, build_with, entries)])
    if has_libc(options) and takes_streams(program):
        text += TEXT_OF_STREAMS
    return text


def _build_with_text(
    options: Options, sources: Sequence[BuildSource], text: str, changes: Mapping[str, Any]
) -> Program:
    with tempfile.TemporaryDirectory(prefix="unfork-callbacks-") as folder:
        file = Path(folder).resolve() / FILE
        file.parent.mkdir(parents=True)
        file.write_text(text)
        return build(options, [*sources, BuildSource(file)], **changes)


def programs(
    build: Callable[[Sequence[BuildSource]], Built], link_groups: Sequence[LinkGroup], left_out: list[str]
) -> Iterator[tuple[Built, LinkGroup]]:
    """The result of ``build`` for each group. Files that it refuses are left out, and ``left_out`` gets the reason.

    If it refuses only their combination, each file is a group of its own. Raises OutOfTime.
    """
    for group in link_groups:
        sources = group.sources
        try:
            yield build(sources), group
            continue
        except OutOfTime:
            raise
        except UnforkError as problem:
            if len(sources) == 1:
                _note(problem, left_out)
                continue
            sources = tuple([each for each in sources if _fits(build, each, left_out)])
        if group.scanned and not group.scanned.intersection(each.path for each in sources):
            continue  # where none is scanned itself, their headers are
        try:
            yield build(sources), group
        except UnforkError:
            for source in sources:
                if not group.scanned or source.path in group.scanned:
                    yield build((source,)), LinkGroup((source,), group.scanned & {source.path})


def _fits(build: Callable[[Sequence[BuildSource]], Any], source: BuildSource, left_out: list[str]) -> bool:
    """Whether a file can be built; if not, ``left_out`` says why."""
    try:
        build((source,))
        return True
    except UnforkError as problem:
        _note(problem, left_out)
        return False


def _note(problem: UnforkError, left_out: list[str]) -> None:
    line = next((line for line in str(problem).splitlines() if "error" in line), str(problem).partition("\n")[0])
    if isinstance(problem, CompileError) and problem.advice:
        line = f"{line} ({'; '.join(problem.advice)})"
    if line not in left_out:
        left_out.append(line)
