"""The sources of a project, each with the flags of its build, and which of them are linked together."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from unfork.commands.projects.header_folders import HEADERS, header_flags
from unfork.errors import InputError
from unfork.program.c.suffixes import COMPILED, CPP_SUFFIXES, EXPANDED, FOLDERS, IR_SUFFIXES
from unfork.program.c.syntax import Layout, name_of, syntax_of
from unfork.program.llvm.cpp_types import CppTypes
from unfork.program.llvm.module import Function, Program
from unfork.report.record.directory import is_written_by_run
from unfork.report.record.text import plural

COMMANDS = "compile_commands.json"
_WITH_VALUE = ("-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
_ALONE = ("-std=", "-f", "-W", "-m", "-pthread", "-ansi")
_LEFT_OUT = ("-fsanitize", "-flto", "-fprofile", "-Werror", "-march", "-mtune", "-MD", "-MMD", "-fplugin")
"""Flags that change no meaning, or that the bundled clang does not have."""
_MAIN = re.compile(r"\bmain\s*\(")
_MAIN_OF_CPP = re.compile(r"^(?:int|auto)\s+main\s*\(", re.M)
_DELETING = "D0Ev"
"""The end of names of destructors that also free the object."""


@dataclass(frozen=True, slots=True)
class BuildSource:
    """A file and the flags of its build."""

    path: Path
    flags: tuple[str, ...] = ()
    name: str = ""
    """Its name in reports, if that is not its path."""


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """Files that are linked together. This group scans the functions of ``scanned``."""

    sources: tuple[BuildSource, ...]
    scanned: frozenset[Path]


def sources_of(
    paths: Sequence[str], command: str, suffixes: frozenset[str] = COMPILED
) -> tuple[list[BuildSource], list[str]]:
    """The sources in ``paths`` (files, folders, or a compile_commands.json), and a line for each kind of file left out:
    C++ without its ``suffixes``, and missing files. Raises InputError, naming the ``command``, if there are none.
    """
    found: dict[Path, BuildSource] = {}
    foreign: list[Path] = []
    missing: list[Path] = []
    for name in paths:
        try:
            for source in _sources_in(Path(name), missing):
                if source.path.suffix in suffixes | IR_SUFFIXES:
                    found.setdefault(source.path, source)
                else:
                    foreign.append(source.path)
        except InputError as problem:
            raise InputError(f"{command}: {problem}") from None
    left_out = [f"{_and_others(files)}: {why}" for files, why in ((foreign, "C++"), (missing, "not there")) if files]
    if not found:
        kind = "C or C++" if suffixes >= CPP_SUFFIXES else "C"
        raise InputError("; ".join((f"{command}: no {kind} file in {' '.join(paths)}", *left_out)))
    return list(found.values()), left_out


def _and_others(files: Sequence[Path]) -> str:
    return f"{files[0]} and {plural(len(files) - 1, 'other')}" if len(files) > 1 else str(files[0])


def _sources_in(path: Path, missing: list[Path]) -> Iterator[BuildSource]:
    if path.name == COMMANDS and path.is_file():
        yield from _of_commands(path, missing)
    elif path.is_dir():
        commands = path / COMMANDS
        if commands.is_file():
            yield from _of_commands(commands, missing)
            return
        yield from _of_folder(path)
    elif path.suffix in COMPILED | IR_SUFFIXES:
        yield BuildSource(path)
    else:
        what = "no such file" if not path.exists() else "is no C or C++ file, bitcode, folder or compile_commands.json"
        raise InputError(f"{path}: {what}")


def _of_folder(path: Path) -> Iterator[BuildSource]:
    """The files of a folder that nothing says how to compile."""
    sources: list[Path] = []
    headers: list[Path] = []
    for folder, names, files in os.walk(path):
        if is_written_by_run(names, files):
            names.clear()  # its tests are C, too
            continue
        names[:] = sorted(name for name in names if not name.startswith("."))
        for file in sorted(files):
            suffix = Path(file).suffix
            if suffix in COMPILED - EXPANDED:
                sources.append(Path(folder, file))
            elif suffix in HEADERS:
                headers.append(Path(folder, file))
    flags = header_flags(sources, headers)
    yield from (BuildSource(source, flags) for source in sources)


def _of_commands(file: Path, missing: list[Path]) -> Iterator[BuildSource]:
    """The files of a compilation database. Raises InputError if it is unreadable, or of another folder."""
    try:
        rows: Any = json.loads(file.read_text("utf-8"))
        entries = [
            (Path(row["directory"]), row["file"], row.get("arguments") or shlex.split(row["command"])) for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise InputError(f"{file}: is no compilation database ({problem})") from None
    is_here = False
    for folder, name, words in entries:
        path = folder / name
        if path.suffix in COMPILED and path.is_file():
            is_here = True
            yield BuildSource(_shown(path), tuple(_flags(words, folder)))
        elif path.suffix in COMPILED:
            missing.append(path)
    if not is_here and missing:
        raise InputError(f"{file}: {missing[0]} is not there: is it of another folder?")


def _shown(path: Path) -> Path:
    resolved, here = path.resolve(), Path.cwd()
    return resolved.relative_to(here) if resolved.is_relative_to(here) else resolved


def _flags(words: Sequence[str], folder: Path) -> Iterator[str]:
    """The flags that change what the text means; folders as absolute paths."""
    rest = iter(words[1:])
    for word in rest:
        flag = next((each for each in _WITH_VALUE if word.startswith(each)), None)
        if flag is not None:
            value = word[len(flag) :] or next(rest, "")
            yield from (flag, str(folder / value) if flag in FOLDERS else value)
        elif word.startswith(_ALONE) and not word.startswith(_LEFT_OUT):
            yield word


def groups(sources: Iterable[BuildSource]) -> list[LinkGroup]:
    """The link groups: all files without a main, and each file with a main together with these."""
    plain: list[BuildSource] = []
    mains: list[BuildSource] = []
    for source in sources:
        (mains if has_main(source.path) else plain).append(source)
    found = [LinkGroup(tuple(plain), frozenset(each.path for each in plain))] if plain else []
    return found + [LinkGroup((each, *plain), frozenset((each.path,))) for each in mains]


def has_main(path: Path) -> bool:
    """Whether a source defines ``main``."""
    if path.suffix not in COMPILED:
        return False
    try:
        text = path.read_text("latin-1")
    except OSError:
        return False
    if not _MAIN.search(text):
        return False
    if path.suffix in CPP_SUFFIXES:  # the grammar is that of C
        return _MAIN_OF_CPP.search(Layout(text).code) is not None
    syntax = syntax_of(text)
    names = [name_of(node.child_by_field_name("declarator")) for node in syntax.functions]
    return any(name is not None and syntax.text(name) == "main" for name in names)


def functions_of(program: Program, group: LinkGroup, patterns: Sequence[str]) -> list[str]:
    """The functions of the group's scanned files whose names match one of ``patterns``, callees first.

    Headers that the files include are scanned with them: some libraries are all header. Of a constructor's or
    destructor's variants, one is scanned.
    """
    scanned = {path.resolve() for path in group.scanned}
    is_bitcode = any(path.suffix in IR_SUFFIXES for path in group.scanned)
    chosen: dict[tuple[str, str], str] = {}
    for name in sorted(program.defined, key=lambda name: name.endswith(_DELETING)):
        written = CppTypes(program.c_types).written(name)
        if name in program.library or written is None:
            continue
        function = program.function(name)
        if function.position is None or not any(fnmatch(function.source_name, each) for each in patterns):
            continue
        file = function.position.file
        if is_bitcode or is_of_header(function) or Path(file).resolve() in scanned:
            chosen.setdefault((file, written), name)
    return _bottom_up(program, [name for name in program.defined if name in chosen.values()])


def is_of_header(function: Function) -> bool:
    """Whether a function is written in a header."""
    return function.position is not None and Path(function.position.file).suffix not in COMPILED


def _bottom_up(program: Program, names: Sequence[str]) -> list[str]:
    """The functions, callees before callers except in recursion."""
    known = set(names)
    callees: dict[str, list[str]] = {name: [] for name in names}
    for name in names:
        for caller in program.callers(name):
            if caller in known:
                callees[caller].append(name)
    ordered: dict[str, None] = {}
    for name in names:
        waiting, open_ = [(name, iter(callees[name]))], {name}
        while waiting:
            current, rest = waiting[-1]
            callee = next((each for each in rest if each not in ordered and each not in open_), None)
            if callee is None:
                ordered[current] = None
                waiting.pop()
            else:
                open_.add(callee)
                waiting.append((callee, iter(callees[callee])))
    return list(ordered)
