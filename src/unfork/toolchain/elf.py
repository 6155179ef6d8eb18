"""Sections of an ELF file for x86-64: their names, their contents, and one more at the end."""

from __future__ import annotations

import struct
from collections.abc import Iterator

MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little endian."""
RELOCATABLE = 1
SHARED = 3
_PLACE_AT, _SIZE_AT, _COUNT_AT, _NAMES_AT = 40, 58, 60, 62
"""Offsets in the file header of where the section headers are, their size and count, and which has the names."""
_HEADER = struct.Struct("<IIQQQQIIQQ")
_NO_BITS = 8
_MANY = 0xFF00
"""With this many sections or more, their count and the index of the names stand in the first section's header."""


def kind(data: bytes) -> int:
    """RELOCATABLE, SHARED or another type; 0 for what is not ELF."""
    return data[16] if data.startswith(MAGIC) and len(data) > 64 else 0


def sections(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name, place and size of each section."""
    headers = _headers(data)
    if not headers:
        return
    names = headers[_name_section(data)]
    for name, kind_, _, _, place, size, *_ in headers:
        start = names[4] + name
        yield data[start : data.index(b"\0", start)], place, 0 if kind_ == _NO_BITS else size


def section(data: bytes, name: bytes) -> bytes | None:
    """What the section of that name holds; None if there is none."""
    for section_name, place, size in sections(data):
        if section_name == name:
            return data[place : place + size]
    return None


def with_section(data: bytes, name: bytes, content: bytes, form: int, flags: int) -> bytes:
    """The file with one more section, of type ``form``, after all others; it is not loaded."""
    headers = _headers(data)
    index = _name_section(data)
    old = headers[index]
    names = data[old[4] : old[4] + old[5]] + name + b"\0"
    result = bytearray(data)
    place = _append(result, content)
    headers.append((old[5], form, flags, 0, place, len(content), 0, 0, 1, 0))
    headers[index] = (*old[:4], _append(result, names), len(names), *old[6:])
    table = _append(result, b"".join(_HEADER.pack(*header) for header in headers))
    struct.pack_into("<Q", result, _PLACE_AT, table)
    struct.pack_into("<H", result, _COUNT_AT, len(headers))
    return bytes(result)


def _append(result: bytearray, content: bytes) -> int:
    result += bytes(-len(result) % 16)
    place = len(result)
    result += content
    return place


def _headers(data: bytes) -> list[tuple[int, ...]]:
    (table,) = struct.unpack_from("<Q", data, _PLACE_AT)
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
    (table,) = struct.unpack_from("<Q", data, _PLACE_AT)
    return int(_HEADER.unpack_from(data, table)[6])
