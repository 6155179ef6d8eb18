"""The only constructors of symbolic values: each folds constants, simplifies and gives the normal form.

All take and give Values; ``width`` is the width of the operands in bits. Law: under every model, the value of the
result is what concrete.py (fp.py for floats) gives for the values of the operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from unfork.logic.terms.bits import and_, concat, concat_bytes, extract, not_, or_, sext, trunc, xor, zext
from unfork.logic.terms.boolean import both, conjunction, conjuncts, disjunction, either, interval, negate
from unfork.logic.terms.choice import ite, leaves, plain, spread
from unfork.logic.terms.comparisons import member, sge, sgt, sle, slt, uge, ugt, ule, ult
from unfork.logic.terms.division import sdiv, srem, udiv, urem
from unfork.logic.terms.equality import eq, ne
from unfork.logic.terms.float_terms import fp_compare, fp_convert, fp_from_int, fp_is_nan, fp_op, fp_to_int
from unfork.logic.terms.sums import add, ashr, constant_offset, distance, lshr, mul, neg, parted, shl, sub
from unfork.logic.terms.term import Term, Value

_BINARY: dict[str, Callable[[Value, Value, int], Value]] = {
    "and": and_,
    "or": or_,
    "xor": xor,
    "add": add,
    "mul": mul,
    "udiv": udiv,
    "urem": urem,
    "sdiv": sdiv,
    "srem": srem,
    "shl": shl,
    "lshr": lshr,
    "ashr": ashr,
    "eq": eq,
    "ult": ult,
    "slt": slt,
}


def rebuild(term: Term, args: Sequence[Value]) -> Value:
    """The operator of ``term`` on other operands of the same widths."""
    op = term.op
    binary = _BINARY.get(op)
    if binary is not None:
        return binary(args[0], args[1], term.args[0].width)
    match op:
        case "ite":
            return ite(args[0], args[1], args[2], term.width)
        case "not":
            return not_(args[0], term.width) if term.width > 1 else negate(args[0])
        case "neg":
            return neg(args[0], term.width)
        case "concat":
            return concat(args[0], args[1], term.args[0].width, term.args[1].width)
        case "extract":
            return extract(args[0], term.offset, term.width)
        case "zext":
            return zext(args[0], term.args[0].width, term.width)
        case "sext":
            return sext(args[0], term.args[0].width, term.width)
    return _rebuild_float(term, args)


def _rebuild_float(term: Term, args: Sequence[Value]) -> Value:
    op = term.op.removeprefix("fp.")
    parameter = term.parameter
    if isinstance(parameter, tuple):
        return fp_convert(args[0], parameter[0], parameter[1])
    fmt = str(parameter)
    match op:
        case "eq" | "lt" | "le":
            return fp_compare("o" + op, fmt, args[0], args[1])
        case "isnan":
            return fp_is_nan(args[0], fmt)
        case "from_signed" | "from_unsigned":
            return fp_from_int(args[0], term.args[0].width, op.removeprefix("from_"), fmt)
        case "to_signed" | "to_unsigned":
            return fp_to_int(args[0], fmt, term.width, op.removeprefix("to_"))
    return fp_op(op, fmt, *args)


Part = TypeVar("Part")
# choices() gives up when a tree has more paths.
_PATHS = 256


def choices(value: Term) -> list[tuple[Value, Value]] | None:
    """An ite tree, or one plus a constant or term, as (guard, leaf) pairs with distinct leaves; None for other terms.

    The guards exclude each other and one of them holds.
    """
    rest: list[Term] = []
    tree = value
    while tree.op == "add" and len(rest) < 3:
        first, second = tree.args
        if second.op == "ite":
            first, second = second, first
        rest.append(second)
        tree = first
    if tree.op != "ite":
        return None
    guards: dict[Term, Value] = {}
    paths = 0
    stack: list[tuple[Term, Value]] = [(tree, 1)]
    while stack:
        term, guard = stack.pop()
        if type(guard) is int and not guard:
            continue
        if term.op == "ite":
            condition, a, b = term.args
            stack.append((b, both(guard, negate(condition))))
            stack.append((a, both(guard, condition)))
            continue
        paths += 1
        if paths > _PATHS:
            return None
        guards[term] = either(guards.get(term, 0), guard)
    result: list[tuple[Value, Value]] = []
    for leaf, guard in guards.items():
        total = plain(leaf)
        for addend in rest:
            total = add(total, plain(addend), value.width)
        result.append((guard, total))
    return result


def balanced(parts: Sequence[Part], joined: Callable[[Part, Part], Part]) -> Part:
    """What neighbours come to that are joined by pairs, until there is one: a chain would have all behind each part."""
    waiting = list(parts)
    while len(waiting) > 1:
        pairs = [joined(left, right) for left, right in zip(waiting[::2], waiting[1::2], strict=False)]
        waiting = [*pairs, *waiting[len(waiting) & ~1 :]]
    return waiting[0]


def lookup(index: Value, index_width: int, table: Sequence[Value], width: int) -> Value:
    """The entry of the table at ``index``, which must be below its length: a balanced tree over its bits."""
    if type(index) is int:
        return table[index]
    assert type(index) is Term
    entries: list[Value] = list(table)
    for bit in range(index_width):
        if len(entries) == 1:
            break
        condition = extract(index, bit, 1)
        pairs = len(entries) // 2
        halved = [ite(condition, entries[2 * i + 1], entries[2 * i], width) for i in range(pairs)]
        if len(entries) & 1:  # no index reaches the entry beyond the last
            halved.append(entries[-1])
        entries = halved
    return entries[0]
