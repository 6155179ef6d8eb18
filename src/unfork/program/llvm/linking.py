"""Makes one module of several files: checks, links, adds libraries, prints, and caches the result.

LLVM runs in a process of its own: broken bitcode may crash it, --max-time can end it, and its memory is freed with
it.
"""

from __future__ import annotations

import functools
import os
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from unfork.errors import InputError
from unfork.program.llvm import apart, binding, compilation_cache, wrappers

LONGEST_SECONDS = 1200
"""Seconds for reading, linking and printing."""
SMALLEST_KEPT = 1 << 20
"""Bytes of text: linking a smaller module again is as fast as the cache."""
_PACKAGE = Path(__file__).parents[2]


class Lacking(Exception):
    """Libraries that must be built first, by ``names``."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(*names)
        self.names = tuple(names)


class Libraries(Protocol):
    """Completes programs. The result may depend on the class, the module and this package alone."""

    def complete(self, module: binding.Module) -> frozenset[str]:
        """Link what ``module`` needs, and return the names of the added functions. Raises Lacking."""

    def build(self, names: Sequence[str]) -> None:
        """Build missing libraries, once for all programs. Raises InputError."""


class NoLibraries:
    """Programs stay as they are."""

    def complete(self, module: binding.Module) -> frozenset[str]:
        return frozenset()

    def build(self, names: Sequence[str]) -> None: ...


NO_LIBRARIES = NoLibraries()


@dataclass(frozen=True, slots=True)
class LinkInput:
    """The bitcode or LLVM text of one file. ``is_ours``: unfork's compiler has just written it."""

    path: Path
    data: bytes
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Linked:
    """A module's text, its bitcode, and the assumptions about the files, one line each.

    ``waited`` are the seconds for building libraries first.
    """

    text: str
    bitcode: bytes
    assumed: tuple[str, ...]
    waited: float = 0.0


def link_inputs(inputs: Sequence[LinkInput], libraries: Libraries, seconds: float, optimize: int) -> Linked:
    """The module made of ``inputs``; with ``optimize`` 1, wrappers of C++ libraries are inlined in each.

    Builds missing libraries first, which does not count against ``seconds``. Raises InputError for an unreadable
    file, and apart.TooLong.
    """
    name = _key(inputs, libraries, optimize)
    entry = compilation_cache.get(name)
    parts = None if entry is None else _unpack(entry)
    waited = 0.0
    while parts is None:
        began = time.monotonic()
        parts = _parts(inputs, libraries, seconds, optimize, name)
        if len(parts) == 1:  # the names of missing libraries
            until = time.monotonic()
            libraries.build(parts[0].decode().split("\n"))
            waited += time.monotonic() - until
            seconds -= until - began
            parts = None
    text, bitcode, assumed = parts
    said = zip(inputs, assumed.decode().split("\n"), strict=True)
    notes = tuple([f"{file.path}: {words}" for file, words in said if words])
    return Linked(text.decode(), bitcode or inputs[0].data, notes, waited)


def _parts(inputs: Sequence[LinkInput], libraries: Libraries, seconds: float, optimize: int, name: str) -> apart.Parts:
    """The result of linking in a process of its own, cached under ``name``; a single part has the names of missing
    libraries.
    """

    def work() -> apart.Parts:
        try:
            return _link(inputs, libraries, optimize)
        except Lacking as lacking:
            return ("\n".join(lacking.names).encode(),)

    keeper = apart.Keeper(
        is_worth_it=lambda fresh: len(fresh) > 1 and len(fresh[0]) >= SMALLEST_KEPT,
        keep=lambda fresh: _cache(name, fresh),
    )
    names = ", ".join(str(file.path) for file in inputs)
    try:
        return apart.run(work, keeper, min(seconds, LONGEST_SECONDS))
    except apart.Crashed:
        raise InputError(f"{names}: LLVM cannot read this file (it is broken)") from None
    except apart.TooLong:
        if seconds <= LONGEST_SECONDS:
            raise
        raise InputError(f"{names}: LLVM does not finish reading this file") from None


def _link(inputs: Sequence[LinkInput], libraries: Libraries, optimize: int) -> apart.Parts:
    """The text, the bitcode unless it is that of the only input, and the assumptions: a line for each input."""
    assumed: list[str] = []
    with apart.silently():
        modules = [
            binding.parse(file.data) if file.is_ours else binding.parse_file(file.path, file.data) for file in inputs
        ]
        for file, module in zip(inputs, modules, strict=True):
            assumed.append(binding.take_for_ours(file.path, module))
            if not file.is_ours and (len(inputs) > 1 or not binding.is_verified_when_read(file.data)):
                binding.verify(file.path, module)
    has_wrappers = [optimize > 0 and wrappers.are_called(file.data) for file in inputs]
    modules = [wrappers.inlined(module) if has else module for module, has in zip(modules, has_wrappers, strict=True)]
    whole = modules[0]
    for file, module in zip(inputs[1:], modules[1:], strict=True):
        binding.link(whole, module, file.path)
    added = libraries.complete(whole)
    if added:
        binding.record_library(whole, added)
    text = str(whole)
    if len(inputs) == 1 and not binding.was_verified_when_read(text):
        binding.verify(inputs[0].path, whole)
    is_as_it_was = len(inputs) == 1 and not added and not has_wrappers[0] and inputs[0].data.startswith(binding.BITCODE)
    return text.encode(), b"" if is_as_it_was else whole.as_bitcode(), "\n".join(assumed).encode()


def _key(inputs: Sequence[LinkInput], libraries: Libraries, optimize: int) -> str:
    """The cache key of everything that the text depends on: inputs, this package, the library's sources, and LLVM."""
    parts: list[bytes | str] = [binding.version(), type(libraries).__qualname__, str(optimize), *versions()]
    for file in inputs:
        parts += [str(file.is_ours), file.path.suffix, file.data]
    return compilation_cache.key("module", *parts)


@functools.cache
def versions() -> tuple[str, ...]:
    """The size and time of each file of this package at its first use, which identify this copy of it."""
    stamps = []
    for folder, folders, files in os.walk(_PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            about = os.stat(os.path.join(folder, name))
            stamps.append(f"{folder}/{name} {about.st_size} {about.st_mtime_ns}")
    return tuple(stamps)


def _cache(name: str, parts: apart.Parts) -> None:
    compilation_cache.put(name, _pack(parts))


def _pack(parts: apart.Parts) -> bytes:
    text, *others = parts
    return b"".join(len(part).to_bytes(8, "little") + part for part in (*others, zlib.compress(text, 1)))


def _unpack(data: bytes) -> apart.Parts | None:
    parts: list[memoryview] = []
    rest = memoryview(data)
    while rest:
        size = int.from_bytes(rest[:8], "little")
        parts.append(rest[8 : 8 + size])
        rest = rest[8 + size :]
    try:
        *others, text = parts
        return zlib.decompress(text), *[bytes(part) for part in others]
    except (ValueError, zlib.error):
        return None
