"""Marks a source line: a call of the error function comes before its first instruction in each block."""

from __future__ import annotations

from dataclasses import replace

from unfork.program.llvm.ir import Call, GlobalAddress, Instruction
from unfork.program.llvm.module import Block, Program
from unfork.program.llvm.types import VOID, FunctionType

MARK = "reach_error"
"""The function that is called; what it reports is a ``reach-error``."""


def mark_line(program: Program, file: str, line: int) -> None:
    """Mark a line in the program's own functions. ``file`` is as positions name it."""
    for name in program.defined:
        if name in program.library:
            continue
        function = program.function(name)
        blocks = tuple([_marked(block, file, line) for block in function.blocks])
        if blocks != function.blocks:
            program.functions[name] = replace(function, blocks=blocks)


def _marked(block: Block, file: str, line: int) -> Block:
    at = next((index for index, each in enumerate(block.body) if _is_at(each, file, line)), None)
    if at is None:
        return block
    call = Call(-1, FunctionType(VOID, (), False), GlobalAddress(MARK), (), (), False, block.body[at].position)
    debug = tuple([replace(each, index=each.index + (each.index > at)) for each in block.debug])
    return replace(block, body=(*block.body[:at], call, *block.body[at:]), debug=debug)


def _is_at(instruction: Instruction, file: str, line: int) -> bool:
    position = instruction.position
    return position is not None and position.line == line and position.file == file
