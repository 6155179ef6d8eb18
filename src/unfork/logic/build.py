"""The only constructors of terms: every operation folds, simplifies and normalises what it can."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.bits import (
    and_,
    concat,
    concat_bytes,
    extract,
    not_,
    or_,
    sext,
    trunc,
    xor,
    zext,
)
from unfork.logic.boolean import both, conjunction, disjunction, either, negate
from unfork.logic.choice import ALTERNATIVES, ite, plain
from unfork.logic.comparisons import eq, ne, sge, sgt, sle, slt, uge, ugt, ule, ult
from unfork.logic.division import sdiv, srem, udiv, urem
from unfork.logic.float_terms import fp_compare, fp_convert, fp_from_int, fp_op, fp_to_int
from unfork.logic.sums import add, ashr, constant_offset, lshr, mul, neg, shl, sub
from unfork.logic.term import Term, Value

__all__ = [
    "add",
    "and_",
    "ashr",
    "both",
    "choices",
    "concat",
    "concat_bytes",
    "conjunction",
    "constant_offset",
    "disjunction",
    "either",
    "eq",
    "extract",
    "fp_compare",
    "fp_convert",
    "fp_from_int",
    "fp_op",
    "fp_to_int",
    "ite",
    "lookup",
    "lshr",
    "mul",
    "ne",
    "neg",
    "negate",
    "not_",
    "or_",
    "sdiv",
    "sext",
    "sge",
    "sgt",
    "shl",
    "sle",
    "slt",
    "srem",
    "sub",
    "trunc",
    "udiv",
    "uge",
    "ugt",
    "ule",
    "ult",
    "urem",
    "xor",
    "zext",
]


def choices(term: Term) -> list[tuple[Value, Value]] | None:
    """A tree of ite as guarded values whose guards are disjoint and exhaustive; None for another term, or too many."""
    if term.op != "ite":
        return None
    found: list[tuple[Value, Value]] = []
    stack: list[tuple[Value, Term]] = [(1, term)]
    while stack:
        guard, current = stack.pop()
        if current.op != "ite":
            found.append((guard, plain(current)))
            if len(found) > ALTERNATIVES:
                return None
            continue
        condition, then, other = current.args
        stack.append((both(guard, negate(condition)), other))
        stack.append((both(guard, condition), then))
    return [(guard, value) for guard, value in found if guard != 0]


def lookup(index: Term, index_width: int, table: Sequence[Value], width: int) -> Value:
    """``table[index]`` as a balanced tree on the bits of the index, which is less than len(table)."""
    level = list(table)
    bit = 0
    while len(level) > 1:
        chooser = extract(index, bit, 1)
        if len(level) % 2:
            level.append(level[-1])
        level = [ite(chooser, level[i + 1], level[i], width) for i in range(0, len(level), 2)]
        bit += 1
    return level[0]
