"""Where the pointers lead that a loop modifies: places in one object, at equal distances."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from unfork.invariants.cells import Cell, NotAbstract
from unfork.invariants.modified_set import COUNT_BITS, Stride
from unfork.logic import build
from unfork.logic.term import Value
from unfork.meaning.places import leads_nowhere, places
from unfork.state.state import State
from unfork.state.unbounded import linear


def stride(cell: Cell, known: Stride | None, states: Sequence[State]) -> Stride:
    """The least that takes in where a cell points in all states. Raises NotAbstract if there are several objects."""
    if cell.width != COUNT_BITS:
        raise NotAbstract("it changes a pointer together with what is beside it")
    for state in states:
        if cell.is_unwritten(state):
            continue
        address = cell.read(state)
        if leads_nowhere(address):
            raise NotAbstract("it changes a pointer that leads to no known object")
        for _, number, offset in places(address):
            if known is None:
                known = Stride(number, offset, 0)
            if number != known.number:
                raise NotAbstract("it changes a pointer from one object to another")
            known = Stride(number, known.first, _divisor(known.step, build.sub(offset, known.first, COUNT_BITS)))
    if known is None:
        raise NotAbstract("it changes a pointer that has no value")
    return known


def _divisor(step: int, distance: Value) -> int:
    """The largest number that divides a step and a distance, whatever the values are that are added up to it."""
    if isinstance(distance, int):
        return gcd(step, min(distance, (1 << COUNT_BITS) - distance))
    total = linear(distance)
    return gcd(step, total.constant, *total.factors.values())
