"""Choices among many values: an ite tree seen as guarded leaves, a table read at a symbolic index."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.bits import extract
from unfork.logic.boolean import both, either, negate
from unfork.logic.choice import ite, plain
from unfork.logic.sums import add
from unfork.logic.term import Term, Value

# choices() gives up beyond so many paths through a tree.
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


def lookup(index: Value, index_width: int, table: Sequence[Value], width: int) -> Value:
    """The entry of the table at the index, which is assumed to be below its length: a balanced tree on its bits."""
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
        if len(entries) & 1:  # the entry beyond the last is never asked for
            halved.append(entries[-1])
        entries = halved
    return entries[0]
