"""Computes expressions of debug information from registers that still have their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from unfork.engine.state.memory import SLOT_BITS, Memory, offset_in
from unfork.program.llvm.debug_expression import BINARY, StackComputation
from unfork.program.llvm.ir import Operand

_ALL = 64
_MASK = (1 << _ALL) - 1


class StackWord(NamedTuple):
    """An entry of DWARF's stack; the lowest ``bits`` of its value are certain."""

    value: int
    bits: int


class _Lost(Exception):
    """The value cannot be computed."""


def computed(
    expression: StackComputation, known: Callable[[Operand], StackWord | None], memory: Memory, bits: int
) -> int | None:
    """The lowest ``bits`` of an expression's value; None if they are not certain.

    ``known`` gives the value of an operand, and its width.
    """
    operands = [known(operand) for operand in expression.operands]
    takes = any(name == "LLVM_arg" for name, _ in expression.steps)
    stack: list[StackWord] = []
    try:
        if not takes:
            stack.append(_certain(operands[0]))
        for name, arguments in expression.steps:
            if name == "LLVM_arg":
                stack.append(_certain(operands[int(arguments[0])]))
            elif name in BINARY:
                right, left = stack.pop(), stack.pop()
                stack.append(_binary(name, left, right))
            else:
                _unary(name, arguments, stack, memory)
        word = stack.pop()
    except (_Lost, IndexError, ValueError):
        return None
    return word.value & ((1 << bits) - 1) if bits <= word.bits else None


def _certain(word: StackWord | None) -> StackWord:
    if word is None:
        raise _Lost
    return StackWord(word.value & _MASK, min(word.bits, _ALL))


def _unary(name: str, arguments: tuple[str, ...], stack: list[StackWord], memory: Memory) -> None:
    match name:
        case "constu" | "consts":
            stack.append(StackWord(int(arguments[0]) & _MASK, _ALL))
            return
        case "LLVM_convert":
            stack.append(_converted(stack.pop(), int(arguments[0]), is_signed="_signed" in arguments[1]))
            return
    value, bits = stack.pop()
    match name:
        case "plus_uconst":
            stack.append(StackWord((value + int(arguments[0])) & _MASK, bits))
        case "not":
            stack.append(StackWord(~value & _MASK, bits))
        case "neg":
            stack.append(StackWord(-value & _MASK, bits))
        case "deref" if bits == _ALL:
            stack.append(_word_at(value, memory))
        case _:
            raise _Lost


def _binary(name: str, left: StackWord, right: StackWord) -> StackWord:
    """For operations whose lowest bits depend on these alone: certain as far as both operands are."""
    a, b = left.value, right.value
    bits = min(left.bits, right.bits)
    simple = {"plus": a + b, "minus": a - b, "mul": a * b, "and": a & b, "or": a | b, "xor": a ^ b}.get(name)
    if simple is not None:
        return StackWord(simple & _MASK, bits)
    if name == "shl" and right.bits == _ALL and b < _ALL:
        return StackWord(a << b & _MASK, left.bits)
    if bits < _ALL:
        raise _Lost
    signed, divisor = _signed(a), _signed(b)
    match name:
        case "shr" if b < _ALL:
            return StackWord(a >> b, _ALL)
        case "shra" if b < _ALL:
            return StackWord(signed >> b & _MASK, _ALL)
        case "div" if divisor:
            magnitude = abs(signed) // abs(divisor)
            return StackWord((magnitude if (signed < 0) == (divisor < 0) else -magnitude) & _MASK, _ALL)
    raise _Lost  # some readers of DWARF take a remainder as signed, others as unsigned


def _signed(value: int) -> int:
    return value - (1 << _ALL) if value >> (_ALL - 1) else value


def _converted(word: StackWord, width: int, *, is_signed: bool) -> StackWord:
    """The word as a number of another width."""
    if width > _ALL:
        raise _Lost
    value = word.value & ((1 << min(width, word.bits)) - 1)
    if is_signed and width > word.bits and value >> (word.bits - 1):
        value |= (1 << width) - (1 << word.bits)
    return StackWord(value, width)


def _word_at(address: int, memory: Memory) -> StackWord:
    """The 8 bytes at an address."""
    item, offset = memory.objects.get(address >> SLOT_BITS), offset_in(address)
    if item is None or not 0 <= offset <= item.limit - 8 or not item.is_concrete(offset, 8):
        raise _Lost
    return StackWord(int.from_bytes(item.data[offset : offset + 8], "little"), _ALL)
