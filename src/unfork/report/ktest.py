"""The .ktest file of KLEE, version 3: a big-endian binary list of arguments and named objects."""

from __future__ import annotations

import struct

from unfork.inputs.command import klee_words
from unfork.inputs.testcase import TestCase

_MAGIC = b"KTEST"
_VERSION = 3


def to_ktest(test: TestCase) -> bytes:
    """The bytes of the file. Uninitialised bytes are no objects to KLEE and are left out."""
    program = test.program[0] if test.program else "program"
    arguments = [program, *klee_words(test.command)]
    objects = [(one.name, one.data) for one in test.inputs if one.kind != "uninit"]
    out = [_MAGIC, struct.pack(">I", _VERSION), struct.pack(">I", len(arguments))]
    out += [_sized(argument.encode("utf-8", "surrogateescape")) for argument in arguments]
    out += [struct.pack(">II", 0, 0), struct.pack(">I", len(objects))]
    for name, data in objects:
        out += [_sized(name.encode("utf-8", "surrogateescape")), _sized(data)]
    return b"".join(out)


def _sized(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data
