"""Which loops of a program are taken in one step, and why others are not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unfork.api.given import given
from unfork.api.libc_progress import silent_progress
from unfork.api.one_at_a_time import ONE_AT_A_TIME
from unfork.inputs.escape import shown
from unfork.options import Options
from unfork.program import clang
from unfork.program.cfg import ControlFlow
from unfork.program.function_facts import FunctionFacts
from unfork.program.module import Function, Program
from unfork.program.nearest import position_at
from unfork.program.scan_loops import OtherLoop, Purity, ScanLoop, scan_loops
from unfork.program.types import Position
from unfork.wiring import compiling
from unfork.wiring.machines import library


def loops(files: Sequence[str], options: Options) -> list[str]:
    """The loops of the functions in C or bitcode ``files``, a line each, and how many are taken in one step."""
    asked = given(files)
    try:
        with ONE_AT_A_TIME:
            compiled = compiling.compile_options(options)
            libraries = compiling.libraries(options, silent_progress)
            program = clang.build([*asked.paths], compiled, [Path(name) for name in asked.names], libraries)
            return listed(program)
    finally:
        asked.close()


def listed(program: Program) -> list[str]:
    """The loops of the program's own functions in words."""
    known = library()
    lines: list[tuple[str, int, str]] = []
    count = 0

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
        for loop in scan_loops(function, facts.flow, facts.nest, purity.computes):
            count += isinstance(loop, ScanLoop)
            position = _position(function, loop)
            where = "" if position is None else f"{position.file}:{position.line}: "
            what = f"turn by turn: {loop.reason}" if isinstance(loop, OtherLoop) else "in one step"
            line = 0 if position is None else position.line
            lines.append(("" if position is None else position.file, line, f"{where}{function.source_name}: {what}"))
    return [*[shown(text) for _, _, text in sorted(lines)], f"{count} of {len(lines)} loops are taken in one step"]


def _position(function: Function, loop: ScanLoop | OtherLoop) -> Position | None:
    """Where the loop's head ends."""
    return position_at(function, loop.head, len(function.blocks[loop.head].body) - 1)
