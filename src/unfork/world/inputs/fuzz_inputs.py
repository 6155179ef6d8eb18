"""A fuzzer's input and tests: files of a corpus become tests, and tests become files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from unfork.program.llvm.module import Program
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.testcase import TestCase, TestInput, of_inputs
from unfork.world.library.fuzz_input import DATA, SIZE

_REJECTED = 255
"""The exit status of a fuzz target that returns -1: the input is not for the corpus."""


class InputChannel(Enum):
    """How a program gets a fuzzer's input. The values are the kinds of the inputs."""

    MEMORY = "symbolic"
    """A fuzz target's block, or AFL++'s macros."""
    FILE = "file"
    """The file that @@ names, or standard input."""


def takes_in_memory(program: Program) -> bool:
    """Whether the program asks for a fuzzer's input itself."""
    return "unfork_input" in program.declarations


def channel_of(program: Program, command: CommandLine) -> InputChannel | None:
    """How the program gets a fuzzer's input; None if it gets none."""
    if command.has_input_file or command.has_input_stdin:
        return InputChannel.FILE
    return InputChannel.MEMORY if takes_in_memory(program) else None


def test_of(channel: InputChannel, sources: Sequence[str], command: CommandLine, data: bytes) -> TestCase:
    """The test that gives the program this input. It has no expected end."""
    command = replace(command, input_size=max(command.input_size, len(data)))
    inputs = (
        TestInput(SIZE, channel.value, None, len(data).to_bytes(8, "little")),
        TestInput(DATA, channel.value, None, data),
    )
    return of_inputs(tuple(sources), inputs, None, (), command, None)


def with_input(test: TestCase, data: bytes) -> TestCase:
    """The test with another fuzzer's input, and with no expected end."""
    size = len(data).to_bytes(8, "little")
    given = {SIZE: size, DATA: data}
    inputs = tuple([replace(each, data=given.get(each.name, each.data)) for each in test.inputs])
    command = replace(test.command, input_size=max(test.command.input_size, len(data)))
    changed = of_inputs(test.program, inputs, None, (), command, None)
    return replace(changed, schedule=test.schedule)


def name_of(data: bytes) -> str:
    """The name that libFuzzer gives to a file with these contents."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def is_rejected(status: int | None) -> bool:
    """Whether a fuzz target that ends with this exit status keeps its input out of the corpus."""
    return status == _REJECTED
