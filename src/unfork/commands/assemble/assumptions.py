"""What an exploration assumes, in words: about addresses, and about arguments and environment that nothing gives."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.parts import ExplorationParts
from unfork.engine.step.branch_coverage import Edge
from unfork.engine.step.step import INDETERMINATE
from unfork.options.options import Options
from unfork.program.facts.address_uses import assumed_layout
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.uses import registers_read
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.doubts import doubts, reached_blocks, reached_names

_TABLES = frozenset(("environ", "__environ", "_environ"))
ARGUMENTS = "the program is started without arguments; --sym-args 0 2 8"


def assumed(options: Options, parts: ExplorationParts) -> tuple[str, ...]:
    """What an exploration has assumed so far."""
    machine, covered = parts.engine.machine, parts.engine.coverage.covered_edges()
    program, running = machine.program, list(machine.running())
    choices = choose(options)
    words = (*parts.assumptions.words(), *_of_start(program, choices.start.entry, parts.command, running, covered))
    words = (*words, *assumed_layout(running, program, machine.layout_looks()))
    if INDETERMINATE not in choices.checks:
        return words
    return (*words, *doubts(program, reached_names(program, running, covered)))


def _of_start(
    program: Program, entry: str, command: CommandLine, running: Iterable[Function], covered: Collection[Edge]
) -> Iterator[str]:
    """Arguments and environment that are missing, if code that may have run, by the ``covered`` edges, reads them."""
    read = _parameters_read(program, covered) if entry == "main" else frozenset[int]()
    if read & {0, 1} and not command.words:
        yield ARGUMENTS
    has_tables = not _TABLES.isdisjoint(program.globals.keys() | program.aliases.keys())
    if 2 in read or (has_tables and _TABLES & reached_names(program, running, covered)):
        names = ", ".join(each.name for each in command.environment)
        yield f"the environment {f'holds nothing but {names}' if names else 'is empty'}; --sym-env NAME LEN"


def _parameters_read(program: Program, covered: Collection[Edge]) -> frozenset[int]:
    """The parameters of main, by number, that are read by code that may have run."""
    if "main" not in program.defined or "main" in program.library:
        return frozenset()
    main = program.function("main")
    blocks = [main.blocks[index] for index in reached_blocks(main, covered)]
    read = {number for block in blocks for each in (*block.phis, *block.body) for number in registers_read(each)}
    return frozenset(read & set(range(len(main.type.parameters))))
