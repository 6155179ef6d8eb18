"""The arguments of main, as objects of the modelled program, and its first states: one for each number of arguments.

Symbolic arguments are named as KLEE names them.

The environment is empty, as in a native replay. What an argument's object is called depends on its word and its
position among those that the word stands for, not on how many others there are: so states with different numbers of
arguments can be joined.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from unfork.environment.world import GuestFile, World, install_world
from unfork.errors import InputError
from unfork.execute.library_objects import FIRST_LIBRARY_OBJECT
from unfork.execute.machine import Machine
from unfork.execute.step import Step
from unfork.inputs.command import Command, SymbolicArgument, SymbolicArguments, Word
from unfork.llvm import layout
from unfork.llvm.ir import GlobalAddress
from unfork.llvm.module import Function, Program
from unfork.llvm.types import ArrayType, IntType, PointerType, Type
from unfork.logic import build
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unknown
from unfork.state.flat_layout import windows
from unfork.state.inputs import Input
from unfork.state.memory import FIRST_ARGUMENT, SLOT_BITS, MemoryObject, address_of
from unfork.state.state import RegisterValue, State

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
                chosen = least if least == most else _choose_count(step, left.pop(0))
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


def _choose_count(step: Step, count: int) -> int:
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
            pointers.append(_add_array(state, string.number, text, name, IntType(8)))
        else:
            pointers.append(_add_array(state, string.number, bytes(text.size), name, IntType(8)))
            state.memory.writable(string.number).write_values(0, [value for value, _ in text.leaves[:-1]])
    argv = b"".join([pointer.to_bytes(8, "little") for pointer in pointers]) + bytes(8)
    return _add_array(state, numbers[0], argv, "argv", PointerType()), _add_array(
        state, numbers[1], bytes(8), "envp", PointerType()
    )


def _add_array(state: State, number: int, data: bytes, name: str, element: Type) -> int:
    """The address of a new object that is an array of ``element``."""
    kind = ArrayType(len(data) // layout.size_of(element), element)
    state.memory.add(number, MemoryObject(bytearray(data), len(data), ARGUMENT, name, type=kind))
    return address_of(number)


MOST_PARAMETERS = 3
"""argc, argv, envp."""


def world(command: Command) -> World:
    """What exists when the program starts."""
    given = command.given if command.stdin is None else None
    stdin = GuestFile(b"stdin", len(given) if given is not None else command.stdin or 0, given)
    files = [GuestFile(name.encode(), command.files[1], None) for name in command.file_names()]
    files += [GuestFile(name.encode("utf-8", "surrogateescape"), len(data), data) for name, data in command.seeds]
    return World(stdin, tuple(files), command.symbolic_stdout, command.failures)


def begin_program(machine: Machine, entry: str, command: Command) -> list[State]:
    """The states in which ``entry`` is called with the words of ``command``.

    Raises InputError for a function that cannot be called this way.
    """
    states = []
    for counts in product(*[range(group.least, group.most + 1) for group in command.groups()]):
        with contextlib.suppress(NotThisCount):
            states.append(machine.initial(entry, _arguments(machine, command, counts)))
    return states


def _arguments(
    machine: Machine, command: Command, counts: Sequence[int]
) -> Callable[[Step, Function], list[RegisterValue]]:
    """A function that makes the entry's arguments; ``counts`` says how many each group of words stands for."""
    name = program_name(machine.program.sources).encode("utf-8", "surrogateescape")

    def values(step: Step, function: Function) -> list[RegisterValue]:
        count = len(function.type.parameters)
        is_read = _reads_start(machine.program) and function.name == "main"
        if count == 0 and not command.words and not is_read:
            install_world(step, world(command))
            return []
        if count > MOST_PARAMETERS:
            raise InputError("main takes at most three arguments: argc, argv, envp")
        try:
            placed = place_arguments(step, name, command.words, counts)
        except ValueError as problem:
            raise InputError(str(problem)) from None
        install_world(step, world(command))  # after the arguments, so that inputs have KLEE's order
        _point_library_at(step, *placed[1:])
        return list(placed[:count])

    return values


_ENVIRONMENT = "__environ"
_NAMES = ("__progname", "__progname_full")


def _reads_start(program: Program) -> bool:
    """Whether a C library that is part of ``program`` has such variables."""
    return any(_variable(program, name) for name in (_ENVIRONMENT, *_NAMES))


def _point_library_at(step: Step, argv: int, envp: int) -> None:
    """Point the library's variables at the environment and at the program's name, which has no folder."""
    memory = step.state.memory
    first = memory.objects[argv >> SLOT_BITS].data[:8]
    values = {_ENVIRONMENT: envp, **dict.fromkeys(_NAMES, int.from_bytes(first, "little"))}
    for name, value in values.items():
        if _variable(step.program, name):
            memory.writable(step.statics.address(name) >> SLOT_BITS).write(0, 8, value)


def _variable(program: Program, name: str) -> bool:
    """Whether the program defines the variable, under this name or as an alias."""
    alias = program.aliases.get(name)
    where = alias.name if isinstance(alias, GlobalAddress) else name
    variable = program.globals.get(where)
    return variable is not None and variable.initializer is not None
