"""Bitwise operations on integers, with masks that are constant or all ones or none: by quotients and choices."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.affine import Range
from unfork.logic.dialect import Node
from unfork.logic.integer_form import Arithmetic, Truth, Whole, number
from unfork.logic.term import Term

_RUNS = 2
"""Runs of ones in a mask; more are bit tricks."""


def masked(arithmetic: Arithmetic[Node], op: str, whole: Whole, mask: int, width: int) -> Whole | None:
    """``and``, ``or`` or ``xor`` with a constant, by what the constant selects; None for bit tricks."""
    inverse = mask ^ (1 << width) - 1
    is_inverted = len(runs(inverse)) < len(runs(mask))
    chosen = inverse if is_inverted else mask
    if len(runs(chosen)) > _RUNS:
        return None
    selected = number(0)
    for first, last in runs(chosen):
        selected = selected.plus(_low_bits(arithmetic, whole, last, width))
        selected = selected.plus(_low_bits(arithmetic, whole, first, width), -1)
    if not chosen >> width - 1:
        selected = Whole(selected.sum, selected.bounds.meet(Range(0, chosen)))
    if is_inverted:
        selected = whole.plus(selected, -1)
    match op:
        case "and":
            return selected
        case "or":
            return whole.plus(selected, -1).shifted(mask)
    return whole.plus(selected, -2).shifted(mask)


def selected(arithmetic: Arithmetic[Node], term: Term, whole: Whole, condition: Truth[Node]) -> Whole:
    """``term``, a bitwise operation on an integer, with all ones where the condition holds, else with zeros."""
    match term.op:
        case "and":
            a, b = whole, number(0)
        case "or":
            a, b = number(-1), whole
        case _:
            a, b = whole.times(-1).shifted(-1), whole
    hull = Range(min(a.bounds.low, b.bounds.low), max(a.bounds.high, b.bounds.high))
    node = arithmetic.chosen(condition, arithmetic.node(a.sum), arithmetic.node(b.sum))
    return arithmetic.defined(("selected", term, whole.sum), hull, node)


def bounded(arithmetic: Arithmetic[Node], op: str, result: Whole, operands: Sequence[Whole | None]) -> None:
    """Learn what operands say of the result of a bitwise operation; their unsigned values are known, or None."""
    above = operands[:1] if op == "lshr" else operands if op == "and" else ()
    for operand in above:
        if operand is not None:
            arithmetic.learn_at_most(result.sum.minus(operand.sum))
    if op == "or":
        for operand in operands:
            if operand is not None:
                arithmetic.learn_at_most(operand.sum.minus(result.sum))
    first, second = operands
    if op in ("or", "xor") and first is not None and second is not None:
        arithmetic.learn_at_most(result.sum.minus(first.sum).minus(second.sum))


def runs(mask: int) -> list[tuple[int, int]]:
    """The runs of ones in a mask, as pairs (first bit, bit after the last)."""
    found = []
    bit = 0
    while mask >> bit:
        bit += ((mask >> bit) & -(mask >> bit)).bit_length() - 1
        ones = mask >> bit
        length = ((ones + 1) & ~ones).bit_length() - 1
        found.append((bit, bit + length))
        bit += length
    return found


def _low_bits(arithmetic: Arithmetic[Node], whole: Whole, bits: int, width: int) -> Whole:
    """The lowest bits: the integer itself, where that is all of them and what is above does not matter."""
    if bits == width:
        return whole
    if bits == 0:
        return number(0)
    rest = whole.sum.plus(arithmetic.floor(whole, 1 << bits).sum, -(1 << bits))
    return Whole(rest, arithmetic.whole(rest).bounds.meet(Range(0, (1 << bits) - 1)))
