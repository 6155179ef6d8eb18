"""Which pointers a function compares: with null before or after the access that fails, or with other pointers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from unfork.commands.scan.siblings import RestPlace
from unfork.engine.protocols.outcome import Failed
from unfork.program.c.syntax import text_of
from unfork.program.facts.cfg import closure
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.ir import Bits, Call, Compare, GetElementPointer, Load, Operand, Register, Store
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import PointerType, Position

_TEST_OF_NULL = re.compile(
    r"!\s*\w+\s*[)&|?]|[!=]=\s*(?:NULL|nullptr|0)\b|\b(?:NULL|nullptr|0)\s*[!=]=|\b(?:if|while)\s*\(\s*\w+\s*[)&|]"
)


def is_tested_later(failed: Failed, facts: FactsTable) -> bool:
    """Whether the same function compares the pointer with null after the access that failed through it."""
    if not failed.state.frames or failed.fault.kind != "null-dereference":
        return False
    frame = failed.state.frames[-1]
    blocks = frame.function.blocks
    made = {each.result: each for block in blocks for each in block.body if isinstance(each, GetElementPointer)}
    access = blocks[frame.block].body[frame.index - 1]
    root = access.pointer if isinstance(access, Load | Store) else None
    while isinstance(root, Register) and root.index in made:
        root = made[root.index].base
    if not isinstance(root, Register):
        return False
    successors = facts[frame.function].flow.successors
    behind = closure(successors[frame.block], successors.__getitem__)
    rest = [*blocks[frame.block].body[frame.index :], *(each for block in behind for each in blocks[block].body)]
    tests = [
        each for each in rest if isinstance(each, Compare) and {each.left, each.right} == {root, Bits(0, each.type)}
    ]
    return any(_is_written(each.position) for each in tests)


def _is_written(position: Position | None) -> bool:
    """Whether the source itself compares a pointer with null at this position. A macro may compare to be safe."""
    if position is None:
        return False
    try:
        lines = text_of(Path(position.file)).split("\n")
    except OSError:
        return False
    return 0 < position.line <= len(lines) and _TEST_OF_NULL.search(lines[position.line - 1]) is not None


def compares_pointers(places: Iterable[RestPlace]) -> bool:
    """Whether a function on the way compares two pointers: one may mark the end of the other's object."""
    return any(
        isinstance(each, Compare)
        and isinstance(each.type, PointerType)
        and Bits(0, each.type) not in (each.left, each.right)
        for function in dict.fromkeys(place.function for place in places)
        for each in function.instructions()
    )


def is_tested_before(failed: Failed, places: Iterable[RestPlace]) -> bool:
    """Whether the path compares a pointer to a function with null before it calls it."""
    frame = failed.state.frames[-1]
    function = frame.function
    call = function.blocks[frame.block].body[frame.index - 1]
    if not isinstance(call, Call):
        return False
    called = _way_to(function, call.callee)
    blocks = {place.block for place in places if place.function is function and place.depth == len(failed.state.frames)}
    return any(
        _is_written(each.position) and called in (_way_to(function, each.left), _way_to(function, each.right))
        for block in blocks
        for each in function.blocks[block].body
        if isinstance(each, Compare) and Bits(0, each.type) in (each.left, each.right)
    )


def _way_to(function: Function, operand: Operand) -> tuple[Any, ...]:
    """The loads and offsets by which a function computes a value. Equal C expressions give equal results."""
    made = {each.result: each for each in function.instructions() if isinstance(each, Load | GetElementPointer)}
    steps: list[Any] = []
    while isinstance(operand, Register) and operand.index in made:
        match made[operand.index]:
            case Load(pointer=pointer):
                operand = pointer
                steps.append("load")
            case GetElementPointer(base=base, offset=offset, terms=terms):
                operand = base
                steps.append((offset, terms))
    return operand, *steps
