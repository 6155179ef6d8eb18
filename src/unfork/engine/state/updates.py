"""Reading through earlier writes at symbolic offsets: a chain of comparisons in place of a choice among all cells.

After ``a[i] = v`` every cell c of ``a`` is ``ite(i = c, v, old)``. Reading ``a[j]`` as a choice among these is exact
but large; ``ite(j = i, v, old a[j])`` is the same value. An object keeps its last writes of this kind, with the
cells before and after. They are hints: a read checks them against the current cells, so that they need no upkeep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.engine.state.memory import MemoryObject
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

KEPT = 32
"""Writes that an object remembers."""
EXCEPTIONS = 4
"""Per remembered write, cells that may have been overwritten since."""
FEWEST_CELLS = 4


@dataclass(frozen=True, slots=True)
class OffsetRange:
    """The offsets first, first + stride, ... (``count`` of them) that a symbolic offset can have.

    ``index`` (``width`` bits) selects one; a single cell has width 0.
    """

    first: int
    stride: int
    count: int
    index: Value
    width: int

    def is_cell(self, position: int) -> Value:
        """Whether the offset is that of cell ``position``: 1 bit."""
        return build.eq(self.index, position, self.width) if self.width else 1


@dataclass(frozen=True, slots=True)
class Update:
    """One write of ``value`` (``size`` bytes) under ``guard``, which made ``new`` of the cells' contents ``old``."""

    cells: OffsetRange
    size: int
    guard: Value
    value: Value
    old: tuple[Value, ...]
    new: tuple[Value, ...]


def remember(item: MemoryObject, update: Update) -> None:
    """Add a write to an object's hints."""
    earlier: tuple[Update, ...] = item.updates or ()
    item.updates = (*earlier[1 - KEPT :], update)


def read_cells(
    item: MemoryObject, cells: OffsetRange, size: int, table: list[Value], fewest: int = FEWEST_CELLS
) -> Value:
    """The contents of the cell that ``cells`` selects; ``table`` has the contents of each.

    Reads through earlier writes among ``fewest`` cells or more.
    """
    layers: list[tuple[Value, Value]] = []
    if item.updates and cells.count >= fewest:
        table = _peel(item.updates, cells, size, table, layers)
    if isinstance(cells.index, Term):
        result = build.lookup(cells.index, cells.width, table, 8 * size)
    else:
        result = table[cells.index]
    for condition, value in reversed(layers):
        result = build.ite(condition, value, result, 8 * size)
    return result


def _peel(
    updates: Sequence[Update], cells: OffsetRange, size: int, table: list[Value], layers: list[tuple[Value, Value]]
) -> list[Value]:
    """Undo the latest writes one by one; the contribution of each goes to ``layers``, newest first."""
    for update in reversed(updates):
        distance, rest = divmod(update.cells.first - cells.first, cells.stride)
        if update.size != size or update.cells.stride != cells.stride or rest:
            break
        start, end = max(0, distance), min(cells.count, distance + update.cells.count)
        if start >= end:
            continue
        new = update.new[start - distance : end - distance]
        differing = [
            i
            for i, (now, then) in enumerate(zip(table[start:end], new, strict=True), start)
            if now is not then and not (isinstance(now, int) and isinstance(then, int) and now == then)
        ]
        if len(differing) > EXCEPTIONS:
            break
        layers.extend((cells.is_cell(i), table[i]) for i in differing)
        layers.append((build.both(update.guard, _same_cell(cells, update.cells, distance)), update.value))
        table = [*table[:start], *update.old[start - distance : end - distance], *table[end:]]
    return table


def _same_cell(reading: OffsetRange, writing: OffsetRange, distance: int) -> Value:
    """Whether two offsets select the same cell, where the first of ``writing`` is number ``distance`` of
    ``reading``.
    """
    width = max(reading.width, writing.width) + (distance != 0)
    left = build.zext(reading.index, reading.width, width) if reading.width else reading.index
    right = build.zext(writing.index, writing.width, width) if writing.width else writing.index
    if distance > 0:
        right = build.add(right, distance, width)
    elif distance < 0:
        left = build.add(left, -distance, width)
    return build.eq(left, right, width) if width else 1
