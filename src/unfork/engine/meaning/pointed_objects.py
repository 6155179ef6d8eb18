"""The targets of pointers: their contents, and which bytes are inside, apart, or of one object.

``doubt`` gives an unknown truth value where a condition holds: where the target of a pointer is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from unfork.engine.meaning import unbounded_integers
from unfork.engine.meaning.c_values import CValue, NoMeaning
from unfork.engine.meaning.pointers import offsets, strays, targets
from unfork.engine.state import unbounded
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.pointer_words import has_pieces
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import UNBOUNDED
from unfork.errors import Unsupported
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.expressions import LONG, UNSIGNED_LONG

Region: TypeAlias = tuple[Value, CValue, CValue]
"""A pointer, and the integers of bytes from there at which the region begins and ends."""
Doubt: TypeAlias = Callable[[Value], Value]


def contents(state: State, address: Value, size: int, unspecified: Callable[[int], Value]) -> Value:
    """The contents of a memory location; outside of all objects, an unknown value."""
    result: Value = unspecified(8 * size)
    for guard, number, offset_there in targets(address):
        item = state.memory.objects.get(number)
        if item is not None:
            there = build.both(guard, build.negate(item.gone))
            held = _held(state, number, item, offset_there, size, unspecified(8 * size))
            result = build.ite(there, held, result, 8 * size)
    return result


def _held(state: State, number: int, item: MemoryObject, offset: Value, size: int, otherwise: Value) -> Value:
    if item.kind == UNBOUNDED:
        try:
            return unbounded.read(state.proof.contents[number], offset, size)
        except Unsupported as problem:
            raise NoMeaning(problem.construct) from None
    result = otherwise
    for at in offsets(offset, len(item.data) - size):
        if not item.uninitialised_runs(at, size):
            if has_pieces(item, at, size):
                raise NoMeaning("a part of a pointer")
            inside = 1 if isinstance(item.size, int) else build.ule(at + size, item.size, 64)
            here = build.both(build.eq(offset, at, 64), inside)
            result = build.ite(here, item.read(at, size), result, 8 * size)
    return result


def is_inside(state: State, region: Region, doubt: Doubt, *, writes: bool) -> Value:
    """Whether bytes lie in a live object, or there are none."""
    address, begin, end = region
    inside: Value = unbounded_integers.compared("<=", end, begin)
    for guard, number, offset_there in targets(address):
        item = state.memory.objects.get(number)
        if item is None or (writes and item.read_only):
            continue
        start = unbounded_integers.number(CValue(offset_there, LONG))
        first, last = unbounded_integers.binary("+", start, begin), unbounded_integers.binary("+", start, end)
        room = unbounded_integers.number(CValue(item.size, UNSIGNED_LONG))
        fits = build.both(
            unbounded_integers.compared(">=", first, unbounded_integers.constant(0)),
            unbounded_integers.compared("<=", last, room),
        )
        inside = build.either(inside, build.conjunction([guard, build.negate(item.gone), fits]))
    return build.either(inside, doubt(strays(address)))


def is_variable(address: Value, state: State) -> Value:
    """Whether a pointer leads to a variable with static storage that may change."""
    items = [(guard, state.memory.objects.get(number)) for guard, number, _ in targets(address)]
    return build.disjunction(
        [guard for guard, item in items if item is not None and item.kind == "global" and not item.read_only]
    )


def are_separated(regions: Sequence[Region], doubt: Doubt) -> Value:
    """Whether no two regions have a byte in common."""
    conditions: list[Value] = []
    for number_here, (mine, begin, end) in enumerate(regions):
        for other, first, last in regions[:number_here]:
            unknown = build.either(strays(mine), strays(other))
            conditions.append(build.either(build.negate(unknown), doubt(unknown)))
            for both, offset_here, offset_there in _pairs(mine, other):
                here, there = (
                    unbounded_integers.number(CValue(offset_here, LONG)),
                    unbounded_integers.number(CValue(offset_there, LONG)),
                )
                a = unbounded_integers.binary("+", here, begin), unbounded_integers.binary("+", here, end)
                b = unbounded_integers.binary("+", there, first), unbounded_integers.binary("+", there, last)
                apart = [unbounded_integers.compared("<=", a[1], b[0]), unbounded_integers.compared("<=", b[1], a[0])]
                empty = [unbounded_integers.compared("<=", a[1], a[0]), unbounded_integers.compared("<=", b[1], b[0])]
                conditions.append(build.either(build.negate(both), build.disjunction([*apart, *empty])))
    return build.conjunction(conditions)


def _pairs(mine: Value, other: Value) -> list[tuple[Value, Value, Value]]:
    """The conditions under which pointers lead into one object, with the offsets there."""
    return [
        (build.both(guard, further), here, there)
        for guard, number, here in targets(mine)
        for further, twin, there in targets(other)
        if number == twin
    ]


def are_in_one(mine: Value, other: Value, doubt: Doubt) -> Value:
    """Whether pointers lead into one object; null pointers do."""
    unknown = build.either(strays(mine), strays(other))
    null = build.both(build.eq(mine, 0, 64), build.eq(other, 0, 64))
    known = build.disjunction([null, *[both for both, _, _ in _pairs(mine, other)]])
    return build.either(build.both(build.negate(unknown), known), doubt(unknown))


def offset(address: Value, unknown: Value) -> Value:
    """A pointer's offset in its object (64 bits); ``unknown`` where that is not known."""
    result = build.ite(build.eq(address, 0, 64), 0, unknown, 64)
    for guard, _, there in targets(address):
        result = build.ite(guard, there, result, 64)
    return result


def size(address: Value, state: State, unknown: Value) -> Value:
    """The size of a pointer's object (64 bits); ``unknown`` where there is none."""
    result = unknown
    for guard, number, _ in targets(address):
        item = state.memory.objects.get(number)
        if item is not None:
            result = build.ite(guard, item.size, result, 64)
    return result
