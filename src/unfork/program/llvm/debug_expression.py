"""Reads the place of a variable, or of a part of it: in a register, in memory, or computed from both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unfork.program.llvm.ir import Operand, Undefined

ARGUMENTS = {"constu": 1, "consts": 1, "plus_uconst": 1, "LLVM_arg": 1, "LLVM_convert": 2}
"""Arguments of each operation; other supported ones have none."""
BINARY = frozenset(("plus", "minus", "mul", "and", "or", "xor", "shl", "shr", "shra", "div", "mod"))
PLAIN = frozenset((*BINARY, *ARGUMENTS, "not", "neg", "deref"))

Step = tuple[str, tuple[str, ...]]
"""An operation of DWARF's stack machine, without DW_OP_, and its arguments."""


@dataclass(frozen=True, slots=True)
class StackComputation:
    """The result of ``steps`` on a stack that starts with the first of ``operands``, unless they push operands
    themselves.
    """

    operands: tuple[Operand, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """The place of a variable: its value, or its address where ``indirect``. Without an operand, it is nowhere.

    ``part``: the first bit and the number of bits, if this is not the whole variable.
    """

    operand: Operand | StackComputation | None
    indirect: bool
    part: tuple[int, int] | None


def place(operands: Sequence[Operand], words: Sequence[str], *, is_address: bool) -> VariablePlace:
    """The place that a DIExpression gives, over the operands of its record.

    ``is_address``: the record has the variable's address, and not its value.
    """
    steps: list[Step] = list(_steps(words))
    part = None
    if steps and steps[-1][0] == "LLVM_fragment":
        start, size = steps.pop()[1]
        part = int(start), int(size)
    is_value = bool(steps) and steps[-1][0] == "stack_value"
    if is_value:
        steps.pop()
    if len(operands) == 1 and steps[:1] == [("LLVM_arg", ("0",))]:
        del steps[0]
    is_lost = is_address and is_value
    if not is_address and not is_value and steps:
        is_address, is_lost = True, steps.pop()[0] != "deref"
    if is_lost or not operands or any(isinstance(each, Undefined) for each in operands):
        return VariablePlace(None, is_address, part)
    if not steps:
        return VariablePlace(operands[0] if len(operands) == 1 else None, is_address, part)
    is_known = all(name in PLAIN for name, _ in steps)
    return VariablePlace(StackComputation(tuple(operands), tuple(steps)) if is_known else None, is_address, part)


def _steps(words: Sequence[str]) -> Iterator[Step]:
    """The operations, each of which begins with its name."""
    at = 0
    while at < len(words):
        end = at + 1
        while end < len(words) and not words[end].startswith("DW_OP_"):
            end += 1
        name = words[at].removeprefix("DW_OP_")
        if name.startswith("lit"):
            yield "constu", (name.removeprefix("lit"),)
        elif name != "LLVM_tag_offset":
            yield name, tuple(words[at + 1 : end])
        at = end
