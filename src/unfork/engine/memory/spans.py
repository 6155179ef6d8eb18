"""Scans by library functions: the first element that ends one, as a choice of constants.

The results are built from the last element backwards; a scan that begins at a choice of offsets picks among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unfork.engine.memory.piece_looks import note_read
from unfork.engine.memory.pieces import spell_out
from unfork.engine.memory.ranges import readable
from unfork.engine.memory.resolve import described
from unfork.engine.memory.uninitialised import initialise
from unfork.engine.protocols.fault import AccessFault, Reach
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import MemoryObject, address_of, object_of
from unfork.engine.step.step import UNINITIALISED, Step
from unfork.logic.solve.route import is_dear
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

MOST_ELEMENTS = 256
"""The most elements of a scan; a longer one forks on each element."""
MOST_CHOICES = 4096
"""The most nested choices that the beginning of a scan may be."""
FEW_SYMBOLS = 4
"""The path is asked about an element if what it knows has at most this many symbols."""
BITS_OF_BYTE = 8


@dataclass(frozen=True, slots=True)
class ScanStep:
    """An element of a scan: whether the scan ends there, and whether that is the wanted end (1 bit each)."""

    ends: Value
    is_wanted: Value


@dataclass(frozen=True, slots=True)
class ConstantChoice:
    """The constants that a value may be; ``pick`` chooses among values of some width that belong to them, in order."""

    constants: Sequence[int]
    pick: Callable[[Sequence[Value], int], Value]


Look = Callable[[Value], ScanStep]


@dataclass(frozen=True, slots=True)
class Span:
    """The extent of a scan: ``length`` elements (64 bits) to ``end``; ``is_found``: the end is the wanted one."""

    length: Value
    end: Value
    is_found: Value


@dataclass(frozen=True, slots=True)
class _Rest:
    """The result of a scan from an element on; ``offset`` is its end."""

    offset: Value
    is_found: Value
    leaves: Value
    """Whether the scan leaves the object."""


def constants_of(value: Value, width: int) -> ConstantChoice | None:
    """The constants that a value may be; None if it is no constant or choice of constants."""
    if isinstance(value, int):
        return ConstantChoice((value,), lambda values, bits: values[0])
    base, tree = build.constant_offset(value)
    leaves = build.leaves(tree, MOST_CHOICES)
    if leaves is None:
        return None
    number = {leaf: i for i, leaf in enumerate(leaves)}
    constants = [leaf + base & (1 << width) - 1 for leaf in leaves]
    return ConstantChoice(constants, lambda values, bits: build.spread(lambda leaf: values[number[leaf]], tree, bits))


def decide_cheaply(step: Step, condition: Value) -> Value:
    """A condition (1 bit), as a constant if the path decides it cheaply."""
    if not isinstance(condition, Term):
        return condition
    known = step.state.path.touched(condition.symbols)
    if not known or sum(len(part.symbols) for part in known) > FEW_SYMBOLS:
        return condition
    symbols = condition.symbols.union(*[part.symbols for part in known])
    is_byte = sum(symbol.width for symbol in symbols) <= BITS_OF_BYTE
    if not is_byte and is_dear([condition, *[constraint for part in known for constraint in part.constraints]]):
        return condition
    yes, no = step.chain.branch(step.state.path, condition)
    if isinstance(no, Unsat):
        return 1
    return 0 if isinstance(yes, Unsat) else condition


def scan(step: Step, pointer: Value, look: Look, most: int | None) -> Span | None:
    """Scan at most ``most`` elements from ``pointer``; None if it must be done element by element.

    Leaving the object is a fault.
    """
    if not step.limits.scans_at_once or most == 0 or UNINITIALISED in step.limits.checks:
        return None
    number, offset = _begin_of(step, pointer)
    item = step.state.memory.objects[number]
    if item.kind == LAZY or item.limit < 0:
        return None
    begin = constants_of(offset, 64)
    if begin is None or (most is not None and len(begin.constants) > 1):
        return None
    rests = _rests(step, number, sorted(begin.constants), look, most)
    if rests is None:
        return None
    result = _pick(begin, rests)
    if result.leaves != 0:
        step.require(build.negate(result.leaves), "out-of-bounds", beyond(step.state.memory.objects[number]))
    end = build.add(result.offset, address_of(number), 64)
    return Span(build.distance(end, pointer, 64), end, result.is_found)


def _begin_of(step: Step, pointer: Value) -> tuple[int, Value]:
    """The object and the offset where a scan begins. Splits over bases, unless they are addresses in one object."""
    begin = constants_of(pointer, 64) if isinstance(pointer, Term) else None
    if begin is not None:
        number = object_of(min(begin.constants))
        if number == object_of(max(begin.constants)) and number in step.state.memory.objects:
            step.use(pointer, "an address")
            return number, build.sub(pointer, address_of(number), 64)
    location = readable(step, pointer, 1)
    assert location is not None
    return location.number, location.offset


def _rests(step: Step, number: int, starts: list[int], look: Look, most: int | None) -> dict[int, _Rest] | None:
    """The results from each of the offsets; None if there are too many elements."""
    limit = step.state.memory.objects[number].limit
    rests: dict[int, _Rest] = {}
    for start in starts:
        if start >= limit:
            rests[start] = _Rest(start, 0, 1)
            continue
        elements: list[tuple[int, ScanStep]] = []
        offset = start
        while offset not in rests and offset < limit and (most is None or offset - start < most):
            if len(elements) + len(rests) >= MOST_ELEMENTS:
                return None
            initialise(step, number, offset, 1)
            sight = look(spell_out(step, number, offset, 1).byte(offset))
            elements.append((offset, ScanStep(decide_cheaply(step, sight.ends), sight.is_wanted)))
            if elements[-1][1].ends == 1:
                break
            offset += 1
        rest = rests.get(offset) or _Rest(offset, 0, int(offset >= limit and (most is None or offset - start < most)))
        for offset, sight in reversed(elements):
            rest = rests[offset] = _Rest(
                build.ite(sight.ends, offset, rest.offset, 64),
                build.ite(sight.ends, sight.is_wanted, rest.is_found, 1),
                build.both(build.negate(sight.ends), rest.leaves),
            )
        note_read(step, number, start, max(1, len(elements)))
    return rests


def _pick(begin: ConstantChoice, rests: dict[int, _Rest]) -> _Rest:
    of_starts = [rests[start] for start in begin.constants]
    return _Rest(
        begin.pick([rest.offset for rest in of_starts], 64),
        begin.pick([rest.is_found for rest in of_starts], 1),
        begin.pick([rest.leaves for rest in of_starts], 1),
    )


def beyond(item: MemoryObject) -> AccessFault:
    """The fault of a text without an end."""
    return AccessFault("read", 1, Reach.END, described(item))
