"""A program as data that another machine can read it from; functions are read there when they are needed, as here."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

from unfork.llvm.module import Program, Reading
from unfork.llvm.reader import read_again


@dataclass(frozen=True, slots=True)
class Parcel:
    """A program's bitcode, and what it was read from, its text apart; ``bitcode`` and ``text`` are compressed."""

    bitcode: bytes
    text: bytes
    reading: Reading


def packed(program: Program) -> Parcel:
    """The program as data. Raises ValueError for one that was not read."""
    reading = program.reading
    if reading is None:
        raise ValueError(f"{program!r} was not read")
    text = zlib.compress(reading.text.encode())
    return Parcel(zlib.compress(program.bitcode), text, replace(reading, text=""))


def unpacked(parcel: Parcel) -> Program:
    """The same program, read again."""
    text = zlib.decompress(parcel.text).decode()
    return read_again(replace(parcel.reading, text=text), zlib.decompress(parcel.bitcode))
