"""The arguments of main: argc, argv and envp as objects of the modelled program, with symbolic ones named as KLEE does.

The environment is empty, as in a native replay. What an argument's object is called depends on its word and its place
among those that the word stands for, not on how many others there are: so states with different numbers of arguments
can be joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unfork.execute.library_objects import FIRST_LIBRARY_OBJECT
from unfork.execute.step import Step
from unfork.inputs.command import SymbolicArgument, SymbolicArguments, Word
from unfork.llvm import layout
from unfork.llvm.types import ArrayType, IntType, PointerType, Type
from unfork.logic import build
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unknown
from unfork.state.flat_layout import windows
from unfork.state.inputs import Input
from unfork.state.memory import FIRST_ARGUMENT, MemoryObject, address_of
from unfork.state.state import State

MOST_ARGUMENTS = FIRST_LIBRARY_OBJECT - FIRST_ARGUMENT
ARGUMENT = "argument"
"""The kind of argv, envp and their strings, of which a path has as many as it was started with."""
COUNT = "n_args"
"""The name of the input that says how many arguments a --sym-args stands for."""


@dataclass(frozen=True, slots=True)
class _String:
    """The object of one argument: its number, and its bytes with the terminator or the input that they are."""

    number: int
    text: bytes | Input


class NotThisCount(Exception):
    """The test that is replayed has another number of arguments."""


def program_name(files: Sequence[str]) -> str:
    """argv[0] of the program that ``files`` make up."""
    return Path(files[0]).stem if files else "program"


def place_arguments(step: Step, program: bytes, words: Sequence[Word], counts: Sequence[int]) -> tuple[int, int, int]:
    """Put the arguments in memory; (argc, argv, envp) for main. ``program`` is the program's name, argv[0].

    ``counts`` gives, in order, how many arguments each word stands for that leaves it open; the path assumes them.
    Raises ValueError for too many arguments, NotThisCount where ``counts`` contradicts the inputs.
    """
    left = list(counts)
    strings: list[_String] = [_String(FIRST_ARGUMENT, program + b"\0")]
    number = FIRST_ARGUMENT + windows(len(program) + 1)
    symbolic = 0
    for word in words:
        match word:
            case str():
                text = word.encode("utf-8", "surrogateescape") + b"\0"
                strings.append(_String(number, text))
                number += windows(len(text))
                continue
            case SymbolicArgument(length):
                most = chosen = 1
            case SymbolicArguments(least, most, length):
                chosen = least if least == most else _chosen(step, left.pop(0))
        room = windows(length + 1)
        for position in range(chosen):
            strings.append(_String(number + position * room, _argument(step, symbolic, length)))
            symbolic += 1
        number += most * room
    tables = number, number + windows(8 * (1 + _most(words)) + 8)
    if tables[1] >= FIRST_LIBRARY_OBJECT:
        raise ValueError(
            f"the program's arguments are too many or too long: they need {tables[1] - FIRST_ARGUMENT} "
            f"names of {MOST_ARGUMENTS}"
        )
    return len(strings), *_tables(step.state, strings, tables)


def _most(words: Sequence[Word]) -> int:
    """How many arguments ``words`` stand for at most."""
    return sum(word.most if isinstance(word, SymbolicArguments) else 1 for word in words)


def _chosen(step: Step, count: int) -> int:
    """Make the input that says how many arguments there are, and assume that it is ``count``."""
    number = step.source.make(step.state, COUNT, IntType(32), 4, "argument")
    path = step.chain.assume(step.state.path, build.eq(number.leaves[0][0], count, 32))
    if isinstance(path, Unknown):
        raise AssertionError(f"a fresh symbol equals a number: {path.reason}")
    if not isinstance(path, PathCondition):
        raise NotThisCount
    step.state.path = path
    return count


def _argument(step: Step, number: int, length: int) -> Input:
    """``length`` symbolic bytes and room for the terminator, which is part of the input as in KLEE's tests."""
    kind = ArrayType(length + 1, IntType(8))
    return step.source.make(step.state, f"arg{number:02d}", kind, length + 1, "argument")


def _tables(state: State, strings: Sequence[_String], numbers: tuple[int, int]) -> tuple[int, int]:
    """argv with its strings, and an empty envp, under two ``numbers``."""
    pointers = []
    for position, string in enumerate(strings):
        name, text = f"argv[{position}]", string.text
        if isinstance(text, bytes):
            pointers.append(_place(state, string.number, text, name, IntType(8)))
        else:
            pointers.append(_place(state, string.number, bytes(text.size), name, IntType(8)))
            state.memory.writable(string.number).write_values(0, [value for value, _ in text.leaves[:-1]])
    argv = b"".join([pointer.to_bytes(8, "little") for pointer in pointers]) + bytes(8)
    return _place(state, numbers[0], argv, "argv", PointerType()), _place(
        state, numbers[1], bytes(8), "envp", PointerType()
    )


def _place(state: State, number: int, data: bytes, name: str, element: Type) -> int:
    """The address of a new object that is an array of ``element``."""
    kind = ArrayType(len(data) // layout.size_of(element), element)
    state.memory.add(number, MemoryObject(bytearray(data), len(data), ARGUMENT, name, type=kind))
    return address_of(number)
