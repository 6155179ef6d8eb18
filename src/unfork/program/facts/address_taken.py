"""The functions of a program whose addresses are used other than to call them: calls through pointers lead there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from unfork.program.llvm.ir import Call, GlobalAddress
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.uses import operands_of


@lru_cache(maxsize=8)
def address_taken(program: Program) -> frozenset[str]:
    """The program's own functions that its data or its own functions have the address of."""
    own = program.own
    taken = set(program.mentioned(()))
    for name in own:
        taken.update(program.mentioned((name,)) - program.outlines.called(name) - {name})
        taken.update(taken_in(program.function(name)))
    return frozenset(taken.intersection(own))


def taken_in(function: Function) -> Iterator[str]:
    """The functions and variables whose addresses a function uses other than in a call or an access."""
    for instruction in function.instructions():
        for operand in operands_of(instruction)[isinstance(instruction, Call) :]:
            if isinstance(operand, GlobalAddress):
                yield operand.name
