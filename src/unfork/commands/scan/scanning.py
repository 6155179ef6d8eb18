"""Options of scans, and the judge of a function that they choose."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from unfork.commands.assemble import machines, solving
from unfork.commands.assemble.machines import Engine, MachineSetup
from unfork.commands.assemble.solving import Backend
from unfork.commands.assemble.starting import has_libc, start
from unfork.commands.scan.certainty import Judge
from unfork.commands.scan.siblings import SiblingFamily
from unfork.commands.scan.whole_program import ProgramJudge
from unfork.engine.explore.limits import Budget
from unfork.options.options import Options
from unfork.program.facts.environment_variables import looked_up_variables
from unfork.program.facts.opened_files import (
    functions_that_open_files,
    functions_that_read_descriptors,
    reads_blocks,
)
from unfork.program.facts.passed_callbacks import takes_stream
from unfork.program.llvm.module import Program
from unfork.world.inputs.command import CommandLine

CHECKS = ("memory", "div", "shift", "unreachable", "leak", "uninitialised", "bounds")
"""What a scan looks for by default."""
MEMORY = 800
"""Megabytes of each process by default: a function of a library needs less, and several are explored at once."""
_CHECKED_ON_REQUEST = frozenset(("overflow", "nontermination", "hardening"))
"""Kinds of errors that have a check of their own name, which is off by default."""
ARGUMENTS, STDIN, FILES = ((0, 2, 8),), 16, (1, 8)
"""The default input of ``main``: symbolic arguments, standard input, files (see Options)."""
OPENED = (("A", 16), ("B", 0))
"""The files for a function that opens one by its name, with their bytes: a short one, which soon ends, and an empty
one.
"""
READ_IN_BLOCKS = (*OPENED, ("C", 1024))
"""Where code reads blocks of bytes, also one with room for the headers of formats. Texts would only be longer."""
VARIABLE = 300
"""Bytes of a variable of the environment: more than code has room for that thinks of names, or of paths."""
_PATIENCE = 0.03
"""The share of a function's time that judging one path may take."""


def preset(options: Options) -> Options:
    """The options of a scan: defaults of its own."""
    if not options.is_given("max_memory"):
        options = replace(options, max_memory=MEMORY)
    return options if options.is_given("check") else replace(options, check=CHECKS, given=options.given | {"check"})


def not_looking_for(options: Options, kind: str) -> Options:
    """The options without the check for a kind of error."""
    return replace(options, check=tuple([each for each in options.check if each != kind]))


def most_memory(options: Options) -> float:
    """The bytes at which the process of a function is ended: twice its limit, which it keeps between instructions."""
    return math.inf if options.max_memory is None else 2e6 * options.max_memory


def looking_for(options: Options, kinds: Iterable[str]) -> Options:
    """The options with the checks that find some kinds of errors."""
    more = tuple([kind for kind in sorted(kinds) if kind in _CHECKED_ON_REQUEST and kind not in options.check])
    return replace(options, check=(*options.check, *more), given=options.given | {"check"})


def lets_calls_fail(options: Options) -> bool:
    """Whether the user wants calls of the system to fail in the whole scan."""
    return options.fail > 0


def of_main(options: Options, program: Program) -> Options:
    """The options of a run of the whole program: by default all that its user provides is symbolic."""
    if not options.sym_arg and not options.is_given("sym_args"):
        options = replace(options, sym_args=ARGUMENTS)
    if has_libc(options) and not options.is_given("sym_stdin"):
        options = replace(options, sym_stdin=STDIN)
    if has_libc(options) and not options.is_given("sym_files"):
        options = replace(options, sym_files=FILES)
    return _with_environment(options, program, "main")


def with_world(options: Options, program: Program, name: str) -> Options:
    """The options for a function: standard input, which stands for a caller's ``FILE *`` or open file, holds anything,
    and so do files that the function opens, and variables of the environment that it looks up.
    """
    if not has_libc(options):
        return options
    reads = takes_stream(program, name) or name in functions_that_read_descriptors(program)
    if not options.is_given("sym_stdin") and reads:
        options = replace(options, sym_stdin=STDIN)
    if not options.is_given("sym_files") and name in functions_that_open_files(program):
        options = replace(options, sym_file=READ_IN_BLOCKS if reads_blocks(program) else OPENED)
    return _with_environment(options, program, name)


def _with_environment(options: Options, program: Program, name: str) -> Options:
    """The options for a function that looks up variables of the environment, which hold anything."""
    if not has_libc(options) or options.is_given("sym_env"):
        return options
    variables = looked_up_variables(program).get(name, ())
    return replace(options, sym_env=tuple([(each, VARIABLE) for each in variables]))


def with_flags(options: Options, flags: Sequence[str]) -> Options:
    """The options for a file with further ``flags``, and a limit of time."""
    cflags = shlex.join((*shlex.split(options.cflags), *flags))
    return replace(options, cflags=cflags, given=options.given | {"max_time"})


def seconds(options: Options) -> float:
    """The processor seconds that a function may use."""
    assert options.max_time is not None
    return options.max_time


def moved(options: Options, move: Callable[[str], str], flag: str) -> Options:
    """The options with another ``flag``, and with moved paths."""
    cflags = shlex.join((*shlex.split(move(options.cflags)), flag))
    return replace(options, cflags=cflags, include=tuple(map(move, options.include)))


def judge(
    options: Options, program: Program, command: CommandLine, explored: Engine, budget: Budget, seconds: float
) -> Judge | ProgramJudge:
    """The judge of a function with this many processor seconds in all, which ``explored`` has run. ``main`` is judged
    as a program.
    """
    if options.entry == "main":
        return ProgramJudge()
    engine, family = siblings(options, program, command, explored, budget, seconds)
    return Judge(family, engine.chain, engine.machine, options.function)


def siblings(
    options: Options, program: Program, command: CommandLine, explored: Engine, budget: Budget, seconds: float
) -> tuple[Engine, SiblingFamily]:
    """What runs the paths of a function again, with those that decide alike. It takes loops turn by turn."""
    turning = replace(options, loops="run", lengths="measured")
    backend = Backend(explored.chain.solver, explored.effort)
    engine = machines.engine(turning, program, backend, budget, MachineSetup(watches=True))
    chain = solving.chain(turning, backend.solver, budget)
    begin = start(turning)
    family = SiblingFamily(engine.machine, engine.chain, lambda machine: begin(machine, command), _PATIENCE * seconds)
    return replace(engine, chain=chain), family
