"""One module of several files: checked, linked, completed by libraries and printed, once, and kept in the cache.

LLVM does that in a process of its own: broken bitcode may crash it, --max-time can end it, and its memory goes with it.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from unfork.errors import InputError
from unfork.program import apart, cache, llvm

LONGEST_SECONDS = 1200
"""For reading, linking and printing, libraries that have to be built first included."""
SMALLEST_KEPT = 1 << 20
"""Bytes of text. What is smaller is made again as quickly as it is found."""
_PACKAGE = Path(__file__).parent.parent


class Libraries(Protocol):
    """What programs are completed with. What is linked depends on the class, the module and the package alone."""

    def complete(self, module: llvm.Module) -> frozenset[str]:
        """Link into ``module`` what it needs; the names of the functions that this added."""


class NoLibraries:
    """Programs stay as they are."""

    def complete(self, module: llvm.Module) -> frozenset[str]:
        return frozenset()


NO_LIBRARIES = NoLibraries()


@dataclass(frozen=True, slots=True)
class Input:
    """The bitcode or LLVM text of one file. ``is_ours``: our compiler has just written it."""

    path: Path
    data: bytes
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Linked:
    """A module's text, its bitcode, and what had to be assumed of the files, a line each."""

    text: str
    bitcode: bytes
    assumed: tuple[str, ...]


def linked(inputs: Sequence[Input], libraries: Libraries, seconds: float) -> Linked:
    """The module that ``inputs`` make up. Raises InputError for what cannot be read, and apart.TooLong."""
    name = _key(inputs, libraries)
    found = cache.get(name)
    parts = None if found is None else _unpacked(found)
    if parts is None:

        def work() -> apart.Parts:
            return _linked(inputs, libraries)

        def keep(made: apart.Parts) -> None:
            if len(made[0]) >= SMALLEST_KEPT:
                cache.put(name, _packed(made))

        try:
            parts = apart.run(work, keep, min(seconds, LONGEST_SECONDS))
        except apart.Crashed:
            names = ", ".join(str(one.path) for one in inputs)
            raise InputError(f"{names}: LLVM cannot read this file (it is broken)") from None
        except apart.TooLong:
            if seconds <= LONGEST_SECONDS:
                raise
            names = ", ".join(str(one.path) for one in inputs)
            raise InputError(f"{names}: LLVM does not finish reading this file") from None
    text, bitcode, assumed = parts
    said = zip(inputs, assumed.decode().split("\n"), strict=True)
    return Linked(
        text.decode(), bitcode or inputs[0].data, tuple([f"{one.path}: {words}" for one, words in said if words])
    )


def _linked(inputs: Sequence[Input], libraries: Libraries) -> apart.Parts:
    """The text, the bitcode if it is not that of the only input, and what was assumed: a line for each input."""
    assumed: list[str] = []
    with apart.silently():
        modules = [llvm.parse(one.data) if one.is_ours else llvm.parse_file(one.path, one.data) for one in inputs]
        for one, module in zip(inputs, modules, strict=True):
            assumed.append(llvm.take_for_ours(one.path, module))
            if not one.is_ours and (len(inputs) > 1 or not llvm.is_verified_when_read(one.data)):
                llvm.verify(one.path, module)
    whole = modules[0]
    for one, module in zip(inputs[1:], modules[1:], strict=True):
        llvm.link(whole, module, one.path)
    added = libraries.complete(whole)
    if added:
        llvm.record_library(whole, added)
    text = str(whole)
    if len(inputs) == 1 and not llvm.was_verified_when_read(text):
        llvm.verify(inputs[0].path, whole)
    is_as_it_was = len(inputs) == 1 and not added and inputs[0].data.startswith(llvm.BITCODE)
    return text.encode(), b"" if is_as_it_was else whole.as_bitcode(), "\n".join(assumed).encode()


def _key(inputs: Sequence[Input], libraries: Libraries) -> str:
    """Of all that the text depends on: the inputs, this package, the library's sources, and LLVM."""
    parts: list[bytes | str] = [llvm.version(), type(libraries).__qualname__, *versions()]
    for one in inputs:
        parts += [str(one.is_ours), one.path.suffix, one.data]
    return cache.key("module", *parts)


def versions() -> list[str]:
    """What tells this copy of the package from another, and this compiler from another."""
    found = []
    for folder, folders, files in os.walk(_PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            about = os.stat(os.path.join(folder, name))
            found.append(f"{folder}/{name} {about.st_size} {about.st_mtime_ns}")
    return found


def _packed(parts: apart.Parts) -> bytes:
    text, *others = parts
    return b"".join(len(part).to_bytes(8, "little") + part for part in (*others, zlib.compress(text, 1)))


def _unpacked(data: bytes) -> apart.Parts | None:
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
