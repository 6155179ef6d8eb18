"""unfork show --loops: which loops of a program are taken in one step, and why others are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unfork.commands.assemble.building import ONE_AT_A_TIME, build_program, given
from unfork.options.options import Options
from unfork.program.c.escape import escape_text
from unfork.program.facts.cfg import ControlFlow
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.nearest import end_position
from unfork.program.facts.summarisable_loops import OtherLoop, Purity, SummarisableLoop, summarisable_loops
from unfork.program.llvm.module import Function, Program
from unfork.world.kernel.known_functions import library


def loops(files: Sequence[str], options: Options) -> list[str]:
    """A line for each loop in C or bitcode ``files``, and the number of those that are taken in one step."""
    asked = given(files)
    try:
        with ONE_AT_A_TIME:
            return _lines(build_program(options, asked.paths, asked.names))
    finally:
        asked.close()


def own_loops(program: Program) -> Iterator[tuple[FunctionFacts, SummarisableLoop | OtherLoop]]:
    """The loops of the program's own functions."""
    known = library()

    def looked_up(name: str) -> tuple[Function, ControlFlow] | None:
        if name not in program.defined:
            return None
        function = program.function(name)
        return function, FunctionFacts(function).flow

    purity = Purity(looked_up, known.is_pure)
    for name in program.defined:
        if name in program.library:
            continue
        function = program.function(name)
        facts = FunctionFacts(function)
        for loop in summarisable_loops(function, facts.flow, facts.nest, purity.computes):
            yield facts, loop


def _lines(program: Program) -> list[str]:
    lines: list[tuple[str, int, str]] = []
    count = 0
    for facts, loop in own_loops(program):
        count += isinstance(loop, SummarisableLoop)
        position = end_position(facts.function, loop.head)
        where = "" if position is None else f"{position.file}:{position.line}: "
        what = f"turn by turn: {loop.reason}" if isinstance(loop, OtherLoop) else "in one step"
        line, file = (0, "") if position is None else (position.line, position.file)
        lines.append((file, line, f"{where}{facts.function.source_name}: {what}"))
    return [
        *[escape_text(text) for _, _, text in sorted(lines)],
        f"{count} of {len(lines)} loops are taken in one step",
    ]
