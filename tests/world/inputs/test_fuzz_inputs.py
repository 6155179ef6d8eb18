"""A fuzzer's input as a file and on standard input, in tests and in files of tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unfork.report.formats.ktest import from_ktest, to_ktest
from unfork.world.inputs import fuzz_inputs
from unfork.world.inputs.command import PLAIN, CommandLine
from unfork.world.inputs.file_of_test import from_json, to_json
from unfork.world.inputs.fuzz_inputs import InputChannel, with_input

FILE = replace(PLAIN, words=("-x", "input"), has_input_file=True)
STANDARD = replace(PLAIN, has_input_stdin=True)


@pytest.mark.parametrize(("command", "stdin", "files"), [(FILE, b"", (("input", b"abc"),)), (STANDARD, b"abc", ())])
def test_an_input_of_any_size_goes_through_files(
    command: CommandLine, stdin: bytes, files: tuple[tuple[str, bytes], ...]
) -> None:
    test = fuzz_inputs.test_of(InputChannel.FILE, ("a.c",), command, b"abc")
    assert (test.stdin, test.files) == (stdin, files)
    assert from_json(to_json(test), "a test") == test
    assert test.command.is_concrete()
    longer = with_input(test, b"longer")
    assert (longer.stdin or dict(longer.files)["input"]) == b"longer"


def test_klee_knows_the_size_of_standard_input() -> None:
    test = from_ktest(to_ktest(fuzz_inputs.test_of(InputChannel.FILE, ("a.c",), STANDARD, b"abc")), "a.ktest")
    assert (test.stdin, test.command.stdin) == (b"abc", 3)
