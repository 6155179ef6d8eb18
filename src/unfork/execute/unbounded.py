"""Reading and writing objects of any length: cell by cell, as a choice among the changes made to them."""

from __future__ import annotations

from dataclasses import replace

from unfork.errors import Unsupported
from unfork.execute.step import Step
from unfork.logic import build, concrete
from unfork.logic.linear import Linear
from unfork.logic.term import Term, Value
from unfork.state.unbounded import Contents, Either, Forgotten, Unknown, Written, Zeroed, stride_of

_COUNT = 1 << 64


def read(contents: Contents, offset: Value, size: int) -> Value:
    """The ``size`` bytes at ``offset`` (64 bits). Raises Unsupported for a part of a cell."""
    field = field_of(offset, size, stride_of(contents))
    known: dict[Contents, Value] = {}
    waiting = [contents]
    while waiting:
        place = waiting[-1]
        if place in known:
            waiting.pop()
            continue
        match place:
            case Unknown():
                known[place] = place.cell(offset, size)
            case Zeroed():
                known[place] = 0
            case Written():
                same = build.both(place.guard, _is_same(place, offset, size, field))
                if same == 1:
                    known[place] = place.value
                elif place.below in known:
                    known[place] = build.ite(same, place.value, known[place.below], 8 * size)
                else:
                    waiting.append(place.below)
            case Forgotten():
                inside = build.both(build.sle(place.low, offset, 64), build.slt(offset, place.high, 64))
                if inside == 1:
                    known[place] = place.now.cell(offset, size)
                elif place.below in known:
                    now: Value = 0 if inside == 0 else place.now.cell(offset, size)
                    known[place] = build.ite(inside, now, known[place.below], 8 * size)
                else:
                    waiting.append(place.below)
            case Either():
                missing = [side for side in (place.first, place.second) if side not in known]
                if missing:
                    waiting += missing
                else:
                    known[place] = build.ite(place.guard, known[place.first], known[place.second], 8 * size)
    return known[contents]


def _is_same(written: Written, offset: Value, size: int, field: int) -> Value:
    """Whether a write was to the cell at ``offset``, which begins at ``field`` of its element: 1 bit."""
    stride = stride_of(written)
    other = field_of(written.offset, written.size, stride)
    if other == field and written.size == size:
        return build.eq(written.offset, offset, 64)
    if other < field + size and field < other + written.size:
        raise Unsupported("an access to a part of what was written as a whole, in an object of any length")
    return 0


def field_of(offset: Value, size: int, stride: int) -> int:
    """Where in its element an access begins. Raises Unsupported where that is not known, or it goes beyond."""
    if isinstance(offset, int):
        field = _signed(offset) % stride
    else:
        total = linear(offset)
        if any(factor % stride for factor in total.factors.values()):
            raise Unsupported("an access that may begin anywhere in an element of an object of any length")
        field = total.constant % stride
    if field + size > stride:
        raise Unsupported("an access to parts of several elements of an object of any length")
    return field


def linear(offset: Term) -> Linear:
    """An offset (64 bits) as a sum, whose numbers are read as signed ones."""
    total = Linear()
    total.read_through(offset, 1)
    total.constant = _signed(total.constant)
    total.factors = {addend: _signed(factor) for addend, factor in total.factors.items() if factor % _COUNT}
    return total


def _signed(number: int) -> int:
    return concrete.signed(number % _COUNT, 64)


def write(step: Step, number: int, offset: Value, size: int, value: Value, guard: Value) -> None:
    """Write to an object of any length."""
    proof = step.state.proof
    below = proof.contents[number]
    field_of(offset, size, stride_of(below))
    contents = Written(below, offset, size, value, guard)
    step.state.proof = replace(proof, contents={**proof.contents, number: contents})
