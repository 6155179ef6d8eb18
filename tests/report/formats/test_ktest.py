"""KLEE's test files: its names, its order, and what comes back from them."""

from __future__ import annotations

import struct

import pytest

from unfork.errors import InputError
from unfork.report.formats.ktest import from_ktest, to_ktest
from unfork.world.inputs.command import PLAIN, CommandLine, SymbolicArgument, SymbolicArguments
from unfork.world.inputs.testcase import TestCase, TestInput, of_inputs

COMMAND = CommandLine(
    ("-n", SymbolicArguments(0, 2, 2), SymbolicArgument(1), SymbolicArguments(0, 1, 1)), 3, files=(2, 2)
)
INPUTS = (
    TestInput("n_args", "argument", None, b"\1\0\0\0"),
    TestInput("arg00", "argument", None, b"ab\0"),
    TestInput("arg01", "argument", None, b"c\0"),
    TestInput("n_args#2", "argument", None, b"\0\0\0\0"),
    TestInput("A-data", "file", None, b"12"),
    TestInput("B-data", "file", None, b"\xff\0"),
    TestInput("stdin", "file", None, b"in\n"),
    TestInput("x", "symbolic", None, b"\1"),
    TestInput("x#2", "symbolic", None, b"\2"),
)
TEST = of_inputs(("prog.bc",), INPUTS, None, (), COMMAND, None)


def record(*pieces: bytes | int) -> bytes:
    """Numbers, and pieces with their sizes."""
    out = b""
    for piece in pieces:
        out += struct.pack(">I", piece) if isinstance(piece, int) else struct.pack(">I", len(piece)) + piece
    return out


def test_the_objects_are_those_of_klees_run_time() -> None:
    data = to_ktest(TEST)
    words = b"prog.bc -n --sym-args 0 2 2 --sym-arg 1 --sym-args 0 1 1 --sym-files 2 2 --sym-stdin 3".split()
    head = b"KTEST" + record(3, len(words), *words, 0, 0)
    assert data.startswith(head)
    names = []
    sizes = []
    rest = data[len(head) + 4 :]
    while rest:
        (length,) = struct.unpack_from(">I", rest)
        names.append(rest[4 : 4 + length].decode())
        (size,) = struct.unpack_from(">I", rest, 4 + length)
        sizes.append(size)
        rest = rest[8 + length + size :]
    files = ["A-data", "A-data-stat", "B-data", "B-data-stat", "stdin", "stdin-stat"]
    assert names == ["n_args", "arg00", "arg01", "n_args", *files, "model_version", "x", "x"]
    assert sizes == [4, 3, 2, 4, 2, 144, 2, 144, 3, 144, 4, 1, 1]


def test_a_test_comes_back() -> None:
    again = from_ktest(to_ktest(TEST), "t.ktest")
    assert again == TEST
    assert again.args == ("-n", "ab", "c")
    assert again.files == (("A", b"12"), ("B", b"\xff\0"))


def test_names_may_be_spelt_as_since_klee_3() -> None:
    data = to_ktest(TEST)
    for name in ("A-data", "A-data-stat", "B-data", "B-data-stat", "stdin-stat"):
        data = data.replace(record(name.encode()), record(name.replace("-", "_").encode()))
    assert b"-data" not in data
    assert b"-stat" not in data
    assert from_ktest(data, "t.ktest") == TEST


def test_a_file_of_klee_without_its_run_time() -> None:
    data = b"KTEST" + record(3, 2, b"a.bc", b"-x", 0, 0, 2, b"v", b"\1\2", b"v", b"\3")
    found = from_ktest(data, "t.ktest")
    assert found.program == ("a.bc",)
    assert found.args == ("-x",)
    assert [(one.name, one.data) for one in found.inputs] == [("v", b"\1\2"), ("v#2", b"\3")]


def test_what_is_concrete_makes_no_objects() -> None:
    assert to_ktest(TestCase(("a",), (), None, command=PLAIN)) == b"KTEST" + record(3, 1, b"a", 0, 0, 0)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "does not begin with KTEST"),
        (b"KTEST", "is not a .ktest file"),
        (b"KTEST" + record(4), "version 4"),
        (b"KTEST" + record(3, 1) + b"\0\0\0\xffabc", "cut off"),
        (b"KTEST" + record(3, 0, 0, 0, 0), "does not name its program"),
        (b"KTEST" + record(3, 3, b"a", b"--sym-arg", b"x", 0, 0, 0), "'x' is not a number"),
        (b"KTEST" + record(3, 3, b"a", b"--sym-arg", b"1", 0, 0, 0), "do not fit"),
        (b"KTEST" + record(3, 3, b"a", b"--sym-arg", b"1", 0, 0, 1, b"arg00", b"abc"), "do not fit"),
        (b"KTEST" + record(3, 3, b"a", b"--sym-stdin", b"1", 0, 0, 0), "do not fit"),
        (b"KTEST" + record(3, 5, b"a", b"--sym-args", b"0", b"1", b"1", 0, 0, 1, b"n_args", b"\7\0\0\0"), "do not fit"),
        (b"KTEST" + record(3, 3, b"a", b"--max-fail", b"1", 0, 0, 0), "cannot be replayed"),
    ],
)
def test_what_is_no_test(data: bytes, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        from_ktest(data, "t.ktest")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
