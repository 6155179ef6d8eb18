"""Compiles a library into one bitcode file per source, with an index: musl, and libc++ with libc++abi."""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from collections.abc import Callable, Sequence
from concurrent import futures
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from unfork import host
from unfork.errors import InputError
from unfork.program.llvm import binding
from unfork.program.llvm.compiler import compiler_home
from unfork.program.llvm.module import LIBRARY_FOLDER
from unfork.program.llvm.subprocesses import Finished, run
from unfork.world.libc.build_store import Report

SEEN_AS = LIBRARY_FOLDER.rstrip("/")
"""The folder that debug information names in place of a library's own."""
INDEX, MEMBERS = "index.json", "members.bin"
CHANGED = "changed"


_NAME = r'([-\w.$]+|"[^"]*")'
_FUNCTION = re.compile(rf"^(define|declare) ([^@\n]*)@{_NAME}\(", re.M)
_VARIABLE = re.compile(rf"^@{_NAME} = (.*?)\b(?:global|constant|alias|ifunc)\b", re.M)
_LOCAL = frozenset(("internal", "private"))
_OPTIONAL = frozenset(("weak", "weak_odr", "linkonce", "linkonce_odr", "common"))


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols that a module defines for others, and those that it needs. A weak reference is no need."""

    strong: frozenset[str]
    weak: frozenset[str]
    needed: frozenset[str]


def symbols_of(text: str) -> Symbols:
    """The symbols of a module's text."""
    strong: set[str] = set()
    weak: set[str] = set()
    needed: set[str] = set()

    def add(name: str, words: Sequence[str], *, declared: bool) -> None:
        """Record a symbol from the ``words`` of its line; skips local names and weak references."""
        name = name.strip('"')
        if name.startswith("llvm.") or not _LOCAL.isdisjoint(words) or "extern_weak" in words:
            return
        kind = needed if declared else weak if not _OPTIONAL.isdisjoint(words) else strong
        kind.add(name)

    for header in _FUNCTION.finditer(text):
        add(header[3], header[2].split(), declared=header[1] == "declare")
    for header in _VARIABLE.finditer(text):
        words = header[2].split()
        add(header[1], words, declared="external" in words)
    return Symbols(frozenset(strong), frozenset(weak), frozenset(needed))


@dataclass(frozen=True, slots=True)
class LibrarySource:
    """One C file of the library; ``name`` is that of its member."""

    name: str
    path: Path
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to build a library: ``name`` in words, its ``sources``, and how to compile each.

    ``key``: the cache key, from everything that the result depends on; ``command``: the compiler's command line, for
    the folder where ``prepare`` puts edited sources.
    """

    name: str
    key: Callable[[], str]
    sources: Callable[[], list[LibrarySource]]
    command: Callable[[Path], list[str]]
    prepare: Callable[[LibrarySource, Path], Path]


def zig_version() -> str:
    """The version of the compiler and of the libraries' sources."""
    try:
        return metadata.version("ziglang")
    except metadata.PackageNotFoundError:
        about = (compiler_home() / "zig").stat()
        return f"{about.st_size} {about.st_mtime_ns}"


def build(recipe: Recipe, folder: Path, report: Report) -> None:
    """Compile everything into ``folder``: one file with all members, and its index.

    Compiled files stay there until all are done, so that a new build can continue an interrupted one. Raises
    InputError if a file does not compile, OSError if the folder cannot be written.
    """
    todo = recipe.sources()
    (folder / CHANGED).mkdir(exist_ok=True)
    command = recipe.command(folder)

    def compile_file(number: int) -> Finished:
        source, output = todo[number], folder / f"{number}.bc"
        if output.exists():
            return Finished(0, b"", b"")
        part = folder / f"{number}-{os.getpid()}.part"
        done = run([*command, *source.flags, "-o", str(part), str(recipe.prepare(source, folder))])
        if not done.status and part.exists():
            part.rename(output)
        return done

    pool = futures.ThreadPoolExecutor(max_workers=len(host.this().cores()))
    before = sum((folder / f"{number}.json").exists() for number in range(len(todo)))
    try:
        for number, done in enumerate(pool.map(compile_file, range(len(todo)))):
            report(max(number, before), len(todo))
            if done.status or not (folder / f"{number}.bc").exists():
                raise _failure(recipe, todo[number], done, folder)
            _describe(folder, number)
    finally:
        pool.shutdown(cancel_futures=True)
    _join(recipe, folder, [source.name for source in todo])
    report(len(todo), len(todo))


def _describe(folder: Path, number: int) -> None:
    note = folder / f"{number}.json"
    if note.exists():
        return
    data = (folder / f"{number}.bc").read_bytes()
    symbols = symbols_of(str(binding.parse(data)))
    kinds = {"strong": symbols.strong, "weak": symbols.weak, "needed": symbols.needed}
    words = {"size": len(data), "check": zlib.crc32(data), **{kind: sorted(names) for kind, names in kinds.items()}}
    part = folder / f"{number}-{os.getpid()}.part"
    part.write_text(json.dumps(words, separators=(",", ":")))
    part.rename(note)


def _join(recipe: Recipe, folder: Path, names: Sequence[str]) -> None:
    index = []
    with open(folder / MEMBERS, "wb") as members:
        for number, name in enumerate(names):
            words, data = (folder / f"{number}.json").read_text(), (folder / f"{number}.bc").read_bytes()
            described = json.loads(words) if words else None
            if described is None or (len(data), zlib.crc32(data)) != (described["size"], described["check"]):
                raise InputError(
                    f"what was built of {recipe.name} in {folder} is damaged, and was removed: begin again"
                )
            index.append({"name": name, "start": members.tell(), **described})
            members.write(data)
    (folder / INDEX).write_text(json.dumps(index, separators=(",", ":")))
    shutil.rmtree(folder / CHANGED)
    for pattern in ("*.bc", "[0-9]*.json", "*.part"):
        for left in folder.glob(pattern):
            left.unlink()


def _failure(recipe: Recipe, source: LibrarySource, done: Finished, folder: Path) -> Exception:
    """The error for a file that does not compile. If the compiler could not write, the disk is probably full."""
    printed = " ".join(done.complaint.split())[:300]
    if "No space left" in printed or (done.status < 0 and not printed):
        return OSError(28, "No space left on device", str(folder))
    return InputError(f"{recipe.name} does not compile ({source.name}): {printed or f'status {done.status}'}")
