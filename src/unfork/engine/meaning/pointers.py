"""The targets of pointers of any form: objects, and offsets in them."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.state import unbounded
from unfork.engine.state.memory import SLOT_BITS, object_of, offset_in
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

MASK_64 = (1 << 64) - 1
MOST_CELLS = 4096
"""Cells of an ordinary object that an element at a symbolic offset may be."""


def targets(address: Value) -> Iterator[tuple[Value, int, Value]]:
    """The objects that a pointer's form names, each with its condition and the offset (64 bits)."""
    for guard, base, rest in _alternatives(address):
        if base >> SLOT_BITS:
            yield guard, object_of(base), build.add(rest, offset_in(base) & MASK_64, 64)


def strays(address: Value) -> Value:
    """The condition (1 bit) under which a pointer's form names no target."""
    alternatives = _alternatives(address)
    return build.disjunction([guard for guard, base, rest in alternatives if not base >> SLOT_BITS and rest != 0])


def leads_nowhere(address: Value) -> bool:
    """Whether a pointer may be null, or lead to an object that its form does not name."""
    return any(not base >> SLOT_BITS for _, base, _ in _alternatives(address))


def _alternatives(address: Value) -> Iterator[tuple[Value, int, Value]]:
    """The alternatives of a pointer: condition, constant part, and the rest, which add up to it."""
    alternatives: list[tuple[Value, Value]] | None = None
    if isinstance(address, Term):
        alternatives = build.choices(address)
    for guard, value in alternatives or [(1, address)]:
        yield (guard, *build.parted(value))


def offsets(offset: Value, last: int) -> Iterator[int]:
    """The offsets from 0 to ``last`` that a value may have."""
    if isinstance(offset, int):
        if 0 <= offset <= last:
            yield offset
        return
    total = unbounded.linear(offset)
    step = 1
    while step < 1 << 32 and all(factor % (2 * step) == 0 for factor in total.factors.values()):
        step *= 2
    first = total.constant % step
    if (last - first) // step >= MOST_CELLS:
        raise NoMeaning(f"an element of an array of more than {MOST_CELLS} cells")
    yield from range(first, last + 1, step)
