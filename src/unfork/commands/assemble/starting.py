"""How a run starts: the compiler's options, the library, the command line, the first states."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from unfork.commands.assemble.bounding import budget
from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.outputs import has_heap
from unfork.engine.machine.machine import Machine
from unfork.engine.state.state import State
from unfork.errors import InputError
from unfork.options.options import Options, flag_of
from unfork.program.llvm.compiler import CompileOptions
from unfork.program.llvm.demangle import readable
from unfork.program.llvm.linking import NO_LIBRARIES, Libraries
from unfork.world.inputs import lazy_globals
from unfork.world.inputs.arguments import begin_program, install
from unfork.world.inputs.command import (
    LARGEST_FILE,
    CommandLine,
    SymbolicArgument,
    SymbolicArguments,
    SymbolicVariable,
    Word,
    check,
    check_names,
    has_world,
    read,
    seed_files,
    variable,
    with_files,
    with_variables,
)
from unfork.world.inputs.under_constrained import first_states
from unfork.world.kernel.known_functions import library
from unfork.world.libc.build_store import Progress
from unfork.world.libc.libc import Libc
from unfork.world.library import locks, thread_models
from unfork.world.library.catalogue import LEFT_TO_LIBC
from unfork.world.library.fuzz_input import INPUT_SIZE


def compile_options(options: Options) -> CompileOptions:
    """The compiler's options. Raises InputError for --cflags with open quotes."""
    choices = choose(options)
    compilation = choices.compilation
    try:
        words = (*[f"-std={name}" for name in options.std], *shlex.split(compilation.cflags))
    except ValueError as problem:
        raise InputError(f"--cflags: {problem}") from None
    return CompileOptions(
        options.cc,
        words,
        compilation.include,
        compilation.define,
        choices.checks,
        compilation.optimize,
        budget(options, 0.0).seconds,
        compilation.is_ilp32,
    )


def has_libc(options: Options) -> bool:
    """Whether the program is completed with a C library."""
    return choose(options).compilation.has_libc


def libraries(options: Options, progress: Progress) -> Libraries:
    """The C library, for the functions that the engine does not model better itself."""
    if not has_libc(options):
        return NO_LIBRARIES
    modelled = library()
    of_threads = locks.MODELS.keys() | thread_models.MODELS.keys()
    return Libc(lambda name: modelled.find(name) is not None and name not in LEFT_TO_LIBC, of_threads, progress)


def command(options: Options, arguments: Sequence[str]) -> CommandLine:
    """The command line of the program: symbolic arguments of options, then ``arguments``, with KLEE's words in them.

    Raises InputError for values that make no sense.
    """
    words: list[Word] = [
        *[SymbolicArgument(*word) for word in options.sym_arg],
        *[SymbolicArguments(*group) for group in options.sym_args],
    ]
    given = CommandLine(
        tuple(words),
        options.sym_stdin,
        files=options.sym_files or (0, 0),
        symbolic_stdout=options.sym_stdout,
        failures=options.fail,
        input_size=input_size(options, INPUT_SIZE),
        has_input_stdin=options.input_stdin,
    )
    for name in ("sym_args", "sym_arg", "sym_stdin", "sym_files", "fail"):
        if options.is_given(name):
            check(given, flag_of(name))
    given = with_variables(given, map(variable, options.env))
    given = with_variables(given, [SymbolicVariable(*each) for each in options.sym_env])
    given = with_files(given, options.sym_file)
    given = read(arguments, seed_files(options.file, given))
    check_names(given)
    if given.has_input_stdin and (given.has_input_file or given.stdin is not None):
        raise InputError("--input-stdin: another option, or @@, says what the input is")
    if choose(options).compilation.is_freestanding and has_world(given):
        raise InputError(
            "--libc none: its functions know no files and no environment; --sym-stdin, --sym-files, --sym-file, "
            "--file, --env, --sym-env and --fail need a libc"
        )
    return given


def input_size(options: Options, otherwise: int) -> int:
    """The most bytes of a fuzzer's input; ``otherwise`` if no option says so. Raises InputError."""
    if options.input_size is None:
        return otherwise
    if options.input_size > LARGEST_FILE:
        raise InputError(f"--input-size: an input has at most {LARGEST_FILE} bytes, not {options.input_size}")
    return options.input_size


def start(options: Options) -> Callable[[Machine, CommandLine], list[State]]:
    """Makes the first states of a machine."""

    choices = choose(options)

    def begin(machine: Machine, command: CommandLine) -> list[State]:
        entry = choices.start.entry if command.heap is None else command.heap.function
        if command.words and entry != "main":
            raise InputError(f"--function {entry}: program arguments are for main, not for the function {entry}")
        if command.heap is None and not has_heap(options, machine.program):
            return begin_program(machine, entry, command)
        if {"ktest", "xml"}.intersection(choices.tests.formats):
            raise InputError(f"--formats: ktest and xml cannot hold the heap that {readable(entry)} is given; c can")
        variables = lazy_globals.CHOICES[choices.start.globals]
        return first_states(machine, entry, command.heap, lambda step: install(step, command), variables)

    return begin
