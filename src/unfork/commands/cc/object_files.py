"""Keeps bitcode in sections of ELF files, objects and shared libraries, and finds the files of a link without any."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator, Sequence

BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
OBJECT_SECTION = b".llvm.lto"
"""Where clang puts an object's bitcode, and lld looks for it."""
_OBJECT_FORM, _OBJECT_FLAGS = 0x6FFF4C0C, 0x80000000
"""SHT_LLVM_LTO; left out of the linker's output."""
LIBRARY_SECTION = b".unfork.bc"
"""Where a shared library carries the bitcode that it was linked from."""
NEEDS_SECTION = b".unfork.needs"
"""Where a shared library names those it was linked with, for programs that name it alone."""
_LIBRARY_FORM = 1
ARCHIVES = (b"!<arch>\n", b"!<thin>\n")
HEADER = 60
MEMBER = re.compile(r"(.*)\((.*)\)")


def put(path: str, bitcode: bytes, needs: Sequence[str]) -> None:
    """Add bitcode to a relocatable object or to a shared library that was just linked with the libraries ``needs``."""
    with open(path, "rb") as file:
        data = file.read()
    if kind(data) == SHARED:
        data = with_section(data, LIBRARY_SECTION, bitcode, _LIBRARY_FORM, 0)
        data = with_section(data, NEEDS_SECTION, os.fsencode("\n".join(needs)), _LIBRARY_FORM, 0)
    else:
        data = with_section(data, OBJECT_SECTION, bitcode, _OBJECT_FORM, _OBJECT_FLAGS)
    with open(path, "wb") as file:
        file.write(data)


def of_library(path: str) -> tuple[bytes, list[str]] | None:
    """The bitcode in a shared library and the libraries it needs; None if it has none, or is no shared library."""
    try:
        with open(path, "rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return None
            file.seek(0)
            data = file.read()
    except OSError:
        return None
    if kind(data) != SHARED or (bitcode := section(data, LIBRARY_SECTION)) is None:
        return None
    return bitcode, os.fsdecode(section(data, NEEDS_SECTION) or b"").splitlines()


def has_bitcode(data: bytes) -> bool:
    """Whether an object is bitcode or holds some."""
    if kind(data) != RELOCATABLE:
        return data.startswith(BITCODE)
    return section(data, OBJECT_SECTION) is not None


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
            if kind(data) == RELOCATABLE and not has_bitcode(data):
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
    offset = len(ARCHIVES[0])
    while offset + HEADER <= len(data):
        name = data[offset : offset + 16].rstrip()
        size = int(data[offset + 48 : offset + 58])
        offset += HEADER
        special = name in (b"/", b"//", b"/SYM64/")
        content = b"" if thin and not special else data[offset : offset + size]
        offset += len(content) + len(content) % 2
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


# --- sections of ELF files for x86-64

MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little endian."""
RELOCATABLE = 1
SHARED = 3
_TABLE_AT, _SIZE_AT, _COUNT_AT, _NAMES_AT = 40, 58, 60, 62
"""Offsets in the file header: of the section headers, their size, their count, and the index of the names."""
_HEADER = struct.Struct("<IIQQQQIIQQ")
_NO_BITS = 8
_MANY = 0xFF00
"""With this many sections or more, their count and the index of the names are in the first section's header."""


def kind(data: bytes) -> int:
    """RELOCATABLE, SHARED or another type; 0 if it is not ELF."""
    return data[16] if data.startswith(MAGIC) and len(data) > 64 else 0


def sections(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name, offset and size of each section."""
    headers = _headers(data)
    if not headers:
        return
    names = headers[_name_section(data)]
    for name, kind_, _, _, offset, size, *_ in headers:
        start = names[4] + name
        yield data[start : data.index(b"\0", start)], offset, 0 if kind_ == _NO_BITS else size


def section(data: bytes, name: bytes) -> bytes | None:
    """The content of the section of that name; None if there is none."""
    for section_name, offset, size in sections(data):
        if section_name == name:
            return data[offset : offset + size]
    return None


def with_section(data: bytes, name: bytes, content: bytes, form: int, flags: int) -> bytes:
    """The file with one more section, of type ``form``, after all others; it is not loaded."""
    headers = _headers(data)
    index = _name_section(data)
    old = headers[index]
    names = data[old[4] : old[4] + old[5]] + name + b"\0"
    result = bytearray(data)
    offset = _append(result, content)
    headers.append((old[5], form, flags, 0, offset, len(content), 0, 0, 1, 0))
    headers[index] = (*old[:4], _append(result, names), len(names), *old[6:])
    table = _append(result, b"".join(_HEADER.pack(*header) for header in headers))
    struct.pack_into("<Q", result, _TABLE_AT, table)
    struct.pack_into("<H", result, _COUNT_AT, len(headers))
    return bytes(result)


def _append(result: bytearray, content: bytes) -> int:
    result += bytes(-len(result) % 16)
    offset = len(result)
    result += content
    return offset


def _headers(data: bytes) -> list[tuple[int, ...]]:
    (table,) = struct.unpack_from("<Q", data, _TABLE_AT)
    size, count = struct.unpack_from("<HH", data, _SIZE_AT)
    if table == 0 or size != _HEADER.size:
        return []
    first = _HEADER.unpack_from(data, table)
    count = count or first[5]
    return [_HEADER.unpack_from(data, table + number * size) for number in range(count)]


def _name_section(data: bytes) -> int:
    (index,) = struct.unpack_from("<H", data, _NAMES_AT)
    if index < _MANY:
        return int(index)
    (table,) = struct.unpack_from("<Q", data, _TABLE_AT)
    return int(_HEADER.unpack_from(data, table)[6])
