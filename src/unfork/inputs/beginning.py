"""The first states of a program that begins in its entry function: one for each possible number of arguments."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from itertools import product

from unfork.environment.world import GuestFile, World, place
from unfork.errors import InputError
from unfork.execute.machine import Machine
from unfork.execute.step import Step
from unfork.inputs.arguments import NotThisCount, place_arguments, program_name
from unfork.inputs.command import Command
from unfork.llvm.ir import GlobalAddress
from unfork.llvm.module import Function, Program
from unfork.state.memory import SLOT_BITS
from unfork.state.state import RegisterValue, State

MOST_PARAMETERS = 3
"""argc, argv, envp."""


def world(command: Command) -> World:
    """What exists when the program starts."""
    given = command.given if command.stdin is None else None
    stdin = GuestFile(b"stdin", len(given) if given is not None else command.stdin or 0, given)
    files = [GuestFile(name.encode(), command.files[1], None) for name in command.file_names()]
    files += [GuestFile(name.encode("utf-8", "surrogateescape"), len(data), data) for name, data in command.seeds]
    return World(stdin, tuple(files), command.symbolic_stdout, command.failures)


def begun(machine: Machine, entry: str, command: Command) -> list[State]:
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
            place(step, world(command))
            return []
        if count > MOST_PARAMETERS:
            raise InputError("main takes at most three arguments: argc, argv, envp")
        try:
            placed = place_arguments(step, name, command.words, counts)
        except ValueError as problem:
            raise InputError(str(problem)) from None
        place(step, world(command))  # after the arguments, so that inputs have KLEE's order
        _tell(step, *placed[1:])
        return list(placed[:count])

    return values


_ENVIRONMENT = "__environ"
_NAMES = ("__progname", "__progname_full")


def _reads_start(program: Program) -> bool:
    """Whether a C library that is part of ``program`` has such variables."""
    return any(_variable(program, name) for name in (_ENVIRONMENT, *_NAMES))


def _tell(step: Step, argv: int, envp: int) -> None:
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
