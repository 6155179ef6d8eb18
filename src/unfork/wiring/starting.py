"""What the program is started with, and its first states."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from itertools import product

from unfork.environment.world import GuestFile, World, place
from unfork.errors import InputError
from unfork.execute.machine import Machine
from unfork.execute.step import Step
from unfork.inputs import lazy_globals, startup
from unfork.inputs.alone import first_states
from unfork.inputs.arguments import NotThisCount, place_arguments, program_name
from unfork.inputs.command import (
    Command,
    SymbolicArgument,
    SymbolicArguments,
    Word,
    check,
    check_names,
    has_world,
    read,
    seed_files,
)
from unfork.options import DESCRIPTIONS, Options, flags_of
from unfork.program.module import Function
from unfork.state.state import RegisterValue, State
from unfork.wiring.outputs import has_heap


def command(options: Options, arguments: Sequence[str]) -> Command:
    """What the program is started with: symbolic arguments of options, then ``arguments``, KLEE's words among them.

    Raises InputError for what makes no sense.
    """
    words: list[Word] = [
        *[SymbolicArgument(*one) for one in options.sym_arg],
        *[SymbolicArguments(*one) for one in options.sym_args],
    ]
    made = Command(
        tuple(words),
        options.sym_stdin,
        files=options.sym_files or (0, 0),
        symbolic_stdout=options.sym_stdout,
        failures=options.fail,
    )
    for name in ("sym_args", "sym_arg", "sym_stdin", "sym_files", "fail"):
        if options.is_given(name):
            check(made, flags_of(name, DESCRIPTIONS[name])[0])
    made = read(arguments, seed_files(options.file, made))
    check_names(made)
    if options.libc == "none" and has_world(made):
        raise InputError(
            "--libc none: its functions know no files; --sym-stdin, --sym-files, --file, --fail need a libc"
        )
    return made


def world(command: Command) -> World:
    """What exists when the program starts."""
    given = command.given if command.stdin is None else None
    stdin = GuestFile(b"stdin", len(given) if given is not None else command.stdin or 0, given)
    files = [GuestFile(name.encode(), command.files[1], None) for name in command.file_names()]
    files += [GuestFile(name.encode("utf-8", "surrogateescape"), len(data), data) for name, data in command.seeds]
    return World(stdin, tuple(files), command.symbolic_stdout, command.failures)


def start(options: Options) -> Callable[[Machine, Command], list[State]]:
    """Makes the first states of a machine: one for each number of arguments that a command leaves open."""

    def begin(made: Machine, command: Command) -> list[State]:
        entry = options.entry if command.heap is None else command.heap.function
        if command.words and entry != "main":
            raise InputError(f"--function {entry}: program arguments are for main, not for the function {entry}")
        if command.heap is not None or has_heap(options, made.program):
            if {"ktest", "xml"}.intersection(options.formats):
                raise InputError(f"--formats: ktest and xml cannot hold the heap that {entry} is given; c can")
            variables = lazy_globals.symbolic if options.globals == "symbolic" else lazy_globals.initial
            return first_states(made, entry, command.heap, lambda step: place(step, world(command)), variables)
        name = program_name(made.program.sources).encode("utf-8", "surrogateescape")

        def arguments(counts: Sequence[int]) -> Callable[[Step, Function], list[RegisterValue]]:
            def values(step: Step, function: Function) -> list[RegisterValue]:
                count = len(function.type.parameters)
                is_read = startup.is_read(made.program) and function.name == "main"
                if count == 0 and not command.words and not is_read:
                    place(step, world(command))
                    return []
                if count > 3:
                    raise InputError("main takes at most three arguments: argc, argv, envp")
                try:
                    placed = place_arguments(step, name, command.words, counts)
                except ValueError as problem:
                    raise InputError(str(problem)) from None
                place(step, world(command))  # after the arguments, so that inputs have KLEE's order
                startup.tell(step, *placed[1:])
                return list(placed[:count])

            return values

        states = []
        for counts in product(*[range(group.least, group.most + 1) for group in command.groups()]):
            with contextlib.suppress(NotThisCount):
                states.append(made.initial(options.entry, arguments(counts)))
        return states

    return begin
