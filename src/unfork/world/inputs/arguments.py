"""The arguments of main as objects, and its first states: one for each number of arguments.

Symbolic arguments have KLEE's names. The environment is what the command says, as in a native replay. An argument's
object is named after its word and its position within that word, so that states with different numbers of arguments
can be joined.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from unfork.engine.machine.machine import Machine
from unfork.engine.memory.library_objects import FIRST_LIBRARY_OBJECT
from unfork.engine.memory.loads import load_pointer, store_pointer
from unfork.engine.state.flat_layout import number_of, windows
from unfork.engine.state.inputs import InputObject
from unfork.engine.state.memory import FIRST_ARGUMENT, MemoryObject, address_of
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.numbers import spell
from unfork.engine.step.step import Step
from unfork.errors import InputError
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unknown
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import GlobalAddress
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import ArrayType, IntType, Type, pointer_type
from unfork.world.inputs.command import (
    CommandLine,
    EnvironmentVariable,
    SymbolicArgument,
    SymbolicArguments,
    SymbolicVariable,
    Word,
)
from unfork.world.kernel.world import GuestFile, World, install_world
from unfork.world.library.surroundings import TABLE, VARIABLES, StartVariable

MOST_ARGUMENTS = FIRST_LIBRARY_OBJECT - FIRST_ARGUMENT
ARGUMENT = "argument"
"""The kind of argv, envp and their strings. A path has as many of these as at its start."""
ENVIRONMENT = "environment"
"""The kind of inputs for environment variables."""
COUNT = "n_args"
"""The input that gives the number of arguments of a --sym-args."""


@dataclass(frozen=True, slots=True)
class _String:
    """The object of one argument: its number, and its bytes (with the terminator) or its input."""

    number: int
    text: bytes | InputObject


class NotThisCount(Exception):
    """The replayed test has another number of arguments."""


def program_name(files: Sequence[str]) -> str:
    """argv[0] of the program in ``files``."""
    return Path(files[0]).stem if files else "program"


def place_arguments(
    step: Step,
    program: bytes,
    words: Sequence[Word],
    counts: Sequence[int],
    environment: Sequence[EnvironmentVariable | SymbolicVariable] = (),
) -> tuple[int, int, int]:
    """Put arguments and ``environment`` in memory; returns (argc, argv, envp). ``program`` is argv[0].

    ``counts`` gives the number of arguments of each open word, in order; the path assumes them. Raises ValueError
    for too many arguments, NotThisCount if ``counts`` contradicts the inputs.
    """
    left = list(counts)
    is_narrow = step.state.memory.is_narrow
    strings: list[_String] = [_String(FIRST_ARGUMENT, program + b"\0")]
    number = FIRST_ARGUMENT + windows(len(program) + 1, is_narrow=is_narrow)
    symbolic = 0
    for word in words:
        match word:
            case str():
                text = word.encode("utf-8", "surrogateescape") + b"\0"
                strings.append(_String(number, text))
                number += windows(len(text), is_narrow=is_narrow)
                continue
            case SymbolicArgument(length):
                most = chosen = 1
            case SymbolicArguments(least, most, length):
                chosen = least if least == most else _choose_count(step, left.pop(0))
        room = windows(length + 1, is_narrow=is_narrow)
        for position in range(chosen):
            strings.append(_String(number + position * room, _argument(step, symbolic, length)))
            symbolic += 1
        number += most * room
    after = number + windows(8 * (1 + _most(words)) + 8, is_narrow=is_narrow)
    _check_room(after)
    argv = _argv(step.state, strings, number)
    return len(strings), argv, place_environment(step, environment, after)


def _check_room(end: int) -> None:
    if end >= FIRST_LIBRARY_OBJECT:
        raise ValueError(
            f"the program's arguments are too many or too long: they need {end - FIRST_ARGUMENT} "
            f"names of {MOST_ARGUMENTS}"
        )


def _most(words: Sequence[Word]) -> int:
    return sum(word.most if isinstance(word, SymbolicArguments) else 1 for word in words)


def _choose_count(step: Step, count: int) -> int:
    number = step.source.make(step.state, COUNT, IntType(32), 4, "argument")
    path = step.chain.assume(step.state.path, build.eq(number.leaves[0][0], count, 32))
    if isinstance(path, Unknown):
        raise AssertionError(f"a fresh symbol equals a number: {path.reason}")
    if not isinstance(path, PathCondition):
        raise NotThisCount
    step.state.path = path
    return count


def _argument(step: Step, number: int, length: int) -> InputObject:
    """``length`` symbolic bytes and room for the terminator, which KLEE's tests count as input."""
    kind = ArrayType(length + 1, IntType(8))
    return step.source.make(step.state, f"arg{number:02d}", kind, length + 1, "argument")


def _argv(state: State, strings: Sequence[_String], number: int) -> int:
    pointers = []
    for position, string in enumerate(strings):
        name, text = f"argv[{position}]", string.text
        if isinstance(text, bytes):
            pointers.append(_add_array(state, string.number, text, name, IntType(8)))
        else:
            pointers.append(_add_array(state, string.number, bytes(text.size), name, IntType(8)))
            state.memory.writable(string.number).write_values(0, [value for value, _ in text.leaves[:-1]])
    kind = pointer_type(is_narrow=state.memory.is_narrow)
    numbers = [number_of(pointer, state.memory) if state.memory.is_narrow else pointer for pointer in pointers]
    argv = b"".join([word.to_bytes(kind.size, "little") for word in (*numbers, 0)])
    return _add_array(state, number, argv, "argv", kind)


def place_environment(step: Step, environment: Sequence[EnvironmentVariable | SymbolicVariable], number: int) -> int:
    """Put the variables in memory as objects from ``number`` on; returns the address of their table.

    The table leaves out variables that are not set: those after them move up.
    """
    slots: list[Value] = [0] * (len(environment) + 1)
    counts: list[Value] = [1, *[0] * len(environment)]
    """counts[n]: whether exactly n of the variables so far are set."""
    variables: list[StartVariable] = []
    is_narrow = step.state.memory.is_narrow
    kind = pointer_type(is_narrow=is_narrow)
    for position, each in enumerate(environment):
        text, is_set = _variable_text(step, each)
        _check_room(number + windows(len(text), is_narrow=is_narrow))
        address = _add_array(step.state, number, bytes(len(text)), f"envp[{position}]", IntType(8))
        step.state.memory.writable(number).write_values(0, text)
        variables.append(StartVariable(each.name, number, is_set))
        number += windows(len(text), is_narrow=is_narrow)
        for slot in range(position, -1, -1):
            is_here = build.both(counts[slot], is_set)
            slots[slot] = build.ite(is_here, address, slots[slot], 64)
            counts[slot + 1] = build.either(is_here, build.both(counts[slot + 1], build.negate(is_set)))
        counts[0] = build.both(counts[0], build.negate(is_set))
    _check_room(number + windows(8 * len(slots), is_narrow=is_narrow))
    step.state.remembered[VARIABLES] = tuple(variables)
    step.state.remembered[TABLE] = number, tuple(slots)
    table = _add_array(step.state, number, bytes(kind.size * len(slots)), "envp", kind)
    for slot, value in enumerate(slots):
        written = spell(step, value) if step.state.memory.is_narrow else value
        step.state.memory.writable(number).write(kind.size * slot, kind.size, written)
    return table


def _variable_text(step: Step, given: EnvironmentVariable | SymbolicVariable) -> tuple[list[Value], Value]:
    """NAME=VALUE and the terminator as bytes, and whether the variable is set (1 bit)."""
    name = [*given.name.encode("utf-8", "surrogateescape"), ord("=")]
    if isinstance(given, EnvironmentVariable):
        return [*name, *given.value, 0], 1
    chosen = step.source.make(step.state, given.is_set, IntType(8), 1, ENVIRONMENT).leaves[0][0]
    path = step.chain.assume(step.state.path, build.ule(chosen, 1, 8))
    if not isinstance(path, PathCondition):
        raise InputError(f"the input {given.is_set} of the test is neither 0 nor 1")
    step.state.path = path
    kind = ArrayType(given.length + 1, IntType(8))
    value = step.source.make(step.state, given.text, kind, given.length + 1, ENVIRONMENT)
    return [*name, *[byte for byte, _ in value.leaves[:-1]], 0], build.ne(chosen, 0, 8)


def _add_array(state: State, number: int, data: bytes, name: str, element: Type) -> int:
    kind = ArrayType(len(data) // layout.size_of(element), element)
    state.memory.add(number, MemoryObject(bytearray(data), len(data), ARGUMENT, name, type=kind))
    return address_of(number)


MOST_PARAMETERS = 3


def world(command: CommandLine) -> World:
    """The program's surroundings at its start."""
    given = command.given if command.stdin is None else None
    stdin = GuestFile(b"stdin", len(given) if given is not None else command.stdin or 0, given)
    files = [
        GuestFile(name.encode("utf-8", "surrogateescape"), size, None)
        for name, size in command.symbolic_files().items()
    ]
    files += [GuestFile(name.encode("utf-8", "surrogateescape"), len(data), data) for name, data in command.seeds]
    of_input = command.input_size, command.has_input_file, command.has_input_stdin
    return World(None if given == b"" else stdin, tuple(files), command.symbolic_stdout, command.failures, *of_input)


def begin_program(machine: Machine, entry: str, command: CommandLine) -> list[State]:
    """The states that call ``entry`` with the words of ``command``.

    Raises InputError if the function cannot be called this way.
    """
    states = []
    for counts in product(*[range(group.least, group.most + 1) for group in command.groups()]):
        with contextlib.suppress(NotThisCount):
            states.append(machine.initial(entry, _arguments(machine, command, counts)))
    return states


def _arguments(
    machine: Machine, command: CommandLine, counts: Sequence[int]
) -> Callable[[Step, Function], list[RegisterValue]]:
    name = program_name(machine.program.sources).encode("utf-8", "surrogateescape")

    def values(step: Step, function: Function) -> list[RegisterValue]:
        count = len(function.type.parameters)
        is_read = _reads_start(machine.program) and function.name == "main"
        if count == 0 and not command.words and not command.environment and not is_read:
            install_world(step, world(command))
            return []
        if count > MOST_PARAMETERS:
            raise InputError("main takes at most three arguments: argc, argv, envp")
        try:
            placed = place_arguments(step, name, command.words, counts, command.environment)
        except ValueError as problem:
            raise InputError(str(problem)) from None
        install_world(step, world(command))  # after the arguments, so that inputs have KLEE's order
        argv, envp = placed[1:]
        _set_pointers(step, {_ENVIRONMENT: envp, **dict.fromkeys(_NAMES, load_pointer(step, argv))})
        return list(placed[:count])

    return values


def install(step: Step, command: CommandLine) -> None:
    """Make the world for a function other than main, which gets no program arguments."""
    if command.environment:
        try:
            envp = place_environment(step, command.environment, FIRST_ARGUMENT)
        except ValueError as problem:
            raise InputError(str(problem)) from None
        _set_pointers(step, {_ENVIRONMENT: envp})
    install_world(step, world(command))


_ENVIRONMENT = "__environ"
_NAMES = ("__progname", "__progname_full")


def _reads_start(program: Program) -> bool:
    return any(_variable(program, name) for name in (_ENVIRONMENT, *_NAMES))


def _set_pointers(step: Step, values: Mapping[str, Value]) -> None:
    for name, value in values.items():
        if _variable(step.program, name):
            store_pointer(step, step.statics.address(name), value)


def _variable(program: Program, name: str) -> bool:
    alias = program.aliases.get(name)
    where = alias.name if isinstance(alias, GlobalAddress) else name
    variable = program.globals.get(where)
    return variable is not None and variable.initializer is not None
