"""Keeps bitcode in objects of machine code and in shared libraries, and finds the files of a link that have none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from unfork.toolchain import elf

BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
OBJECT_SECTION = b".llvm.lto"
"""Where clang puts an object's bitcode, and lld looks for it."""
_OBJECT_FORM, _OBJECT_FLAGS = 0x6FFF4C0C, 0x80000000
"""SHT_LLVM_LTO; left out of the linker's output."""
LIBRARY_SECTION = b".unfork.bc"
"""Where a shared library keeps the bitcode it was linked from, so that it goes where the library goes."""
NEEDS_SECTION = b".unfork.needs"
"""Where a shared library names those it was linked with, so that a program that names it alone finds them."""
_LIBRARY_FORM = 1
ARCHIVES = (b"!<arch>\n", b"!<thin>\n")
HEADER = 60
MEMBER = re.compile(r"(.*)\((.*)\)")


def put(path: str, bitcode: bytes, needs: Sequence[str]) -> None:
    """Add bitcode to a relocatable object or to a shared library that was just linked with the libraries ``needs``."""
    with open(path, "rb") as file:
        data = file.read()
    if elf.kind(data) == elf.SHARED:
        data = elf.with_section(data, LIBRARY_SECTION, bitcode, _LIBRARY_FORM, 0)
        data = elf.with_section(data, NEEDS_SECTION, os.fsencode("\n".join(needs)), _LIBRARY_FORM, 0)
    else:
        data = elf.with_section(data, OBJECT_SECTION, bitcode, _OBJECT_FORM, _OBJECT_FLAGS)
    with open(path, "wb") as file:
        file.write(data)


def of_library(path: str) -> tuple[bytes, list[str]] | None:
    """The bitcode in a shared library and the libraries it needs; None if it has none, or is no shared library."""
    try:
        with open(path, "rb") as file:
            if file.read(len(elf.MAGIC)) != elf.MAGIC:
                return None
            file.seek(0)
            data = file.read()
    except OSError:
        return None
    if elf.kind(data) != elf.SHARED or (bitcode := elf.section(data, LIBRARY_SECTION)) is None:
        return None
    return bitcode, os.fsdecode(elf.section(data, NEEDS_SECTION) or b"").splitlines()


def has_bitcode(data: bytes) -> bool:
    """Whether an object is bitcode or holds some."""
    if elf.kind(data) != elf.RELOCATABLE:
        return data.startswith(BITCODE)
    return elf.section(data, OBJECT_SECTION) is not None


def without_bitcode(trace: Sequence[str], ours: tuple[str, ...]) -> list[str]:
    """The files in lld's trace that are machine code alone, except for those in the folders ``ours``."""
    result: list[str] = []
    archives: dict[str, dict[str, list[bytes]]] = {}
    for line in dict.fromkeys(trace):
        match = MEMBER.fullmatch(line)
        if line.startswith(ours):
            continue
        if os.path.isfile(line):
            with open(line, "rb") as file:
                data = file.read()
            if elf.kind(data) == elf.RELOCATABLE and not has_bitcode(data):
                result.append(line)
        elif match and os.path.isfile(match[1]):
            path, name = match.groups()
            if path not in archives:
                archives[path] = {}
                for member, data in members(path):
                    archives[path].setdefault(member, []).append(data)
            # Of several members with one name, the trace does not say which was taken.
            if not all(has_bitcode(data) for data in archives[path].get(name, [])):
                result.append(line)
    return result


def members(path: str) -> Iterator[tuple[str, bytes]]:
    """Names and contents of an archive's members in GNU's format, which LLVM writes; a thin one holds names alone."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(ARCHIVES):
        return
    thin = data.startswith(ARCHIVES[1])
    names = b""
    place = len(ARCHIVES[0])
    while place + HEADER <= len(data):
        name = data[place : place + 16].rstrip()
        size = int(data[place + 48 : place + 58])
        place += HEADER
        special = name in (b"/", b"//", b"/SYM64/")
        content = b"" if thin and not special else data[place : place + size]
        place += len(content) + len(content) % 2
        if name == b"//":
            names = content
        if special:
            continue
        if name.startswith(b"/"):
            start = int(name[1:])
            name = names[start : names.index(b"\n", start)]
        text = name.rstrip(b"/").decode("utf-8", "surrogateescape")
        if thin:
            with open(os.path.join(os.path.dirname(path), text), "rb") as file:
                content = file.read()
        yield text, content
