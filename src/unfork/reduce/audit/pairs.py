"""Compares a joined state's contents and facts with a parent's, value by value: the matter of its obligations.

How facts meet is declared once, for joins too; the demands of the declarations are written here a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from unfork.engine.memory.library_objects import extern_contents
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import CONCRETE, FIRST_HEAP, SYMBOLIC, UNINITIALISED, MemoryObject
from unfork.engine.state.merge_rules import (
    WORD,
    ByNamePart,
    ComputedPart,
    CountPart,
    EachPart,
    EitherPart,
    FirstNamePart,
    MergeRule,
    NumberPart,
    PaddedPart,
    RecordPart,
    RowPart,
    WordPart,
    cases_of,
    parts_of,
)
from unfork.engine.state.remembered import Remembered
from unfork.engine.state.state import EitherOutput, Frame, Output, RegisterValue, State
from unfork.logic.terms.term import Term, Value
from unfork.reduce.audit.claim import all_of, either, negation
from unfork.world.inputs.arguments import ARGUMENT


@dataclass(frozen=True, slots=True)
class Pair:
    """A value of the joined state and its required equal, in ``width`` bits, except where ``unless`` (1 bit) holds."""

    what: str
    mine: Value
    theirs: Value
    width: int
    unless: Value = 0


@dataclass(frozen=True, slots=True)
class PairMismatch:
    """Two things that no input makes equal."""

    what: str


@dataclass(frozen=True, slots=True)
class Impossible:
    """A condition (1 bit) of the joined state that must not hold on the parent."""

    what: str
    condition: Value


Finding = Pair | PairMismatch | Impossible


def stacks(joined: State, parent: State) -> Iterator[Finding]:
    """Frames and live registers, without those that the join dropped as dead."""
    if len(joined.frames) != len(parent.frames):
        yield PairMismatch("the number of frames")
        return
    for mine, theirs in zip(joined.frames, parent.frames, strict=True):
        if mine is theirs:
            continue
        name = theirs.function.name
        if mine.function is not theirs.function:
            yield PairMismatch(f"the place in {name}")
            return
        yield from _places(mine, theirs)
        yield from registers(f"a variadic argument of {name}", mine.variadic, theirs.variadic)
        if not set(theirs.locals) <= set(mine.locals):
            yield PairMismatch(f"the locals of {name}")
        kept = (mine.ended or {}).keys() | joined.memory.objects.keys()
        if not (theirs.ended or {}).keys() <= kept:
            yield PairMismatch(f"the locals of {name} whose scope was left")
        if theirs.activation and mine.activation != theirs.activation:
            yield PairMismatch(f"the activation of {name}")
        if mine.ordinal < theirs.ordinal or mine.stack_bytes < theirs.stack_bytes:
            yield PairMismatch(f"the counts of {name}")
        yield from _counts(f"the counts of {name}", mine.repetitions, theirs.repetitions)
        yield from _counts(f"the counts of {name}", mine.calls, theirs.calls)


def _places(mine: Frame, theirs: Frame) -> Iterator[Finding]:
    """The points at which a frame waits: under the parent's conditions, with its registers."""
    name, before, after = theirs.function.name, theirs.waits_at(), mine.waits_at()
    for point, (condition, _) in before.items():
        if point not in after:
            yield Impossible(f"the place in {name}", condition)
    for point, (guard, values) in after.items():
        if point not in before:
            yield Pair(f"the place in {name}", guard, 0, 1)
            continue
        condition, known = before[point]
        yield Pair(f"the place in {name}", guard, condition, 1)
        for number, (value, other) in enumerate(zip(values, known, strict=True)):
            if value is not None and other is not None:
                for finding in registers(f"register {number} of {name}", value, other):
                    yield replace(finding, unless=negation(condition)) if isinstance(finding, Pair) else finding


def registers(what: str, mine: RegisterValue, theirs: RegisterValue) -> Iterator[Finding]:
    """A register, part by part."""
    if mine is theirs:
        return
    if isinstance(mine, tuple) and isinstance(theirs, tuple) and len(mine) == len(theirs):
        for part, before in zip(mine, theirs, strict=True):
            yield from registers(what, part, before)
    elif isinstance(mine, int | Term) and isinstance(theirs, int | Term):
        yield Pair(what, mine, theirs, width_of(mine, theirs))
    elif mine != theirs:
        yield PairMismatch(what)


def width_of(mine: Value, theirs: Value) -> int:
    """The bits in which two values are compared; for two plain numbers, those of an address."""
    return mine.width if isinstance(mine, Term) else theirs.width if isinstance(theirs, Term) else WORD


def _counts(what: str, mine: dict[Any, int] | None, theirs: dict[Any, int] | None) -> Iterator[Finding]:
    """Names used by a side stay used."""
    if mine is not theirs and any(count > (mine or {}).get(key, 0) for key, count in (theirs or {}).items()):
        yield PairMismatch(what)


def bookkeeping(joined: State, parent: State) -> Iterator[Finding]:
    """The parts of a state besides stack, memory, inputs, output, path and facts."""
    if joined.heap_count < parent.heap_count:
        yield PairMismatch("the number of allocations")
    yield from _counts("the names of inputs", joined.input_counts, parent.input_counts)
    if not joined.lazy.agrees(parent.lazy) or not parent.lazy.assumptions <= joined.lazy.assumptions:
        yield PairMismatch("the heap of the input")
    if parent.over and not joined.over:
        yield PairMismatch("the note that it stands for too much")


def output(joined: Output, parent: Output, guard: Value, *, is_first: bool) -> Iterator[Finding]:
    """The output, piece by piece."""
    while isinstance(joined, EitherOutput) and joined is not parent and joined.guard is guard:
        joined = joined.first if is_first else joined.second
    while joined is not parent:
        if not isinstance(joined, tuple) or not isinstance(parent, tuple) or joined[1:] != parent[1:]:
            yield PairMismatch("the output")
            return
        joined, parent = joined[0], parent[0]


def facts(joined: Remembered, parent: Remembered) -> Iterator[Finding]:
    """Every fact that either path has set."""
    for fact in joined.either(parent):
        what = f"the {fact.name} {fact.member}".rstrip()
        mine, theirs = joined[fact], parent[fact]
        match fact.merge_rule:
            case CountPart() if isinstance(mine, int) and isinstance(theirs, int):
                if mine < theirs:
                    yield PairMismatch(what)
            case FirstNamePart():
                if theirs is not None and mine is not theirs:
                    yield PairMismatch(what)
            case merge_rule:
                yield from _part(what, merge_rule, mine, theirs)


def _part(what: str, merge_rule: MergeRule, mine: object, theirs: object) -> Iterator[Finding]:
    if mine is theirs:
        return
    match merge_rule:
        case NumberPart(width) if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            yield Pair(what, mine, theirs, width)
        case WordPart() if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            yield Pair(what, mine, theirs, WORD)
        case ByNamePart() if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            yield Pair(what, mine, theirs, width_of(mine, theirs))
        case ComputedPart():
            yield from registers(what, mine, theirs)
        case EachPart(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
            yield from _row(what, [part] * len(theirs), mine, theirs)
        case PaddedPart(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
            for my_part, its_part in zip_longest(mine, theirs):
                yield from _part(what, part, my_part, its_part)
        case EitherPart(part):
            yield from _either(what, part, mine, theirs)
        case ByNamePart() if isinstance(mine, tuple) and isinstance(theirs, tuple):
            yield from _row(what, [merge_rule] * len(theirs), mine, theirs)
        case RowPart(parts) if isinstance(mine, tuple) and isinstance(theirs, tuple):
            yield from _row(what, parts, mine, theirs)
        case RecordPart() if theirs is not None and type(mine) is type(theirs):
            for name, part in parts_of(theirs):
                yield from _part(f"{name} of {what}", part, getattr(mine, name), getattr(theirs, name))
        case _:
            if mine != theirs:
                yield PairMismatch(what)


def _either(what: str, part: MergeRule, mine: object, theirs: object) -> Iterator[Finding]:
    """Every alternative on the parent's path is one on the joined path, which has no others there."""
    for condition, own in cases_of(theirs):
        alike: Value = 0
        for chosen, joined in cases_of(mine):
            findings = list(_part(what, part, joined, own))
            if any(isinstance(finding, PairMismatch) for finding in findings):
                yield Impossible(f"another part of {what}", all_of((condition, chosen)))
                continue
            alike = either(alike, chosen)
            elsewhere = negation(all_of((condition, chosen)))
            yield from [replace(finding, unless=elsewhere) for finding in findings if isinstance(finding, Pair)]
        yield Pair(f"which part there is of {what}", alike, 1, 1, negation(condition))


def _row(what: str, parts: Sequence[MergeRule], mine: Sequence[object], theirs: Sequence[object]) -> Iterator[Finding]:
    if not len(parts) == len(mine) == len(theirs):
        yield PairMismatch(what)
        return
    for part, my_part, its_part in zip(parts, mine, theirs, strict=True):
        yield from _part(what, part, my_part, its_part)


WORD_BYTES = 8
CONTENTS = "contents"
"""The kind of file contents: beyond their bytes is 0, and their size means nothing."""
UNWRITTEN = "uninit:"
"""Prefix of symbols of unwritten bytes."""


def objects(joined: State, parent: State) -> Iterator[Finding]:
    """Every object of either state."""
    mine, theirs = joined.memory.objects, parent.memory.objects
    for number in mine:
        item, before = mine[number], theirs.get(number)
        if item is before:
            continue
        if before is None:
            yield from _made_by_the_other(number, item)
        else:
            yield from _same(number, item, before)
    for number in theirs:
        if number not in mine:
            yield Pair(f"the existence of {name_of(number, theirs[number])}", 1, theirs[number].gone, 1)
    if not parent.memory.freed.keys() <= joined.memory.freed.keys():
        yield PairMismatch("what was freed")


def name_of(number: int, item: MemoryObject) -> str:
    """An object for a reader."""
    return f"{item.kind} object {item.name!r} ({number})"


def _made_by_the_other(number: int, item: MemoryObject) -> Iterator[Finding]:
    """An object that this parent does not have."""
    if number >= FIRST_HEAP or item.kind == ARGUMENT:
        yield Pair(f"the existence of {name_of(number, item)}", item.gone, 1, 1)
    elif not item.read_only:  # the library makes it on first use, all zeros
        for offset, count in _pieces(item, 0, len(item.data)):
            if item.is_concrete(offset, count) or item.mask is None or item.mask[offset] == SYMBOLIC:
                yield Pair(f"byte {offset} of {name_of(number, item)}", item.read(offset, count), 0, 8 * count)
            else:
                yield PairMismatch(f"byte {offset} of {name_of(number, item)}")


def _same(number: int, mine: MemoryObject, theirs: MemoryObject) -> Iterator[Finding]:
    name = name_of(number, theirs)
    if mine.kind != theirs.kind or mine.read_only != theirs.read_only:
        yield PairMismatch(f"what {name} is")
        return
    if mine.limit >= 0 and (mine.limit != mine.size or mine.gone != 0):
        yield PairMismatch(f"the limit of {name}")
    hints = mine.updates or ()
    if any(one is not other for one, other in zip_longest(hints, (theirs.updates or ())[: len(hints)])):
        yield PairMismatch(f"the hints about {name}")
    yield Pair(f"the existence of {name}", mine.gone, theirs.gone, 1)
    gone = theirs.gone
    if theirs.kind != CONTENTS:
        yield Pair(f"the size of {name}", mine.size, theirs.size, 64, gone)
    count = len(theirs.data)
    if len(mine.data) < count:
        yield PairMismatch(f"the size of {name}")
        return
    if mine.mask is None and theirs.mask is None and mine.data[:count] == theirs.data:
        pass
    else:
        yield from _bytes(name, mine, theirs, gone)
    if theirs.kind == CONTENTS:
        for offset, length in _pieces(mine, count, len(mine.data) - count):
            yield Pair(f"byte {offset} of {name}", mine.read(offset, length), 0, 8 * length, gone)


def _bytes(name: str, mine: MemoryObject, theirs: MemoryObject, gone: Value) -> Iterator[Finding]:
    """The bytes that both have; an unwritten one keeps any value, unless a library defines it."""
    known = extern_contents(theirs.name) if theirs.kind == "global" else None
    for offset, length in _pieces(mine, 0, len(theirs.data)):
        what = f"byte {offset} of {name}"
        if mine.same_bytes(theirs, offset, length):
            continue
        mask = theirs.mask
        if mask is None or UNINITIALISED not in mask[offset : offset + length]:
            if mine.mask is not None and mine.mask[offset] == UNINITIALISED:
                yield PairMismatch(what)
            else:
                yield Pair(what, mine.read(offset, length), theirs.read(offset, length), 8 * length, gone)
            continue
        for position in range(offset, offset + length):
            is_unwritten = mask[position] == UNINITIALISED
            if mine.mask is not None and mine.mask[position] == UNINITIALISED:
                if not is_unwritten or mine.origin(position) != theirs.origin(position):
                    yield PairMismatch(f"byte {position} of {name}")
            elif not is_unwritten:
                yield Pair(f"byte {position} of {name}", mine.byte(position), theirs.byte(position), 8, gone)
            elif known is not None and position < len(known):
                yield Pair(f"byte {position} of {name}", mine.byte(position), known[position], 8, gone)
            elif theirs.kind != LAZY and not may_be_unwritten(mine.byte(position)):
                yield PairMismatch(f"unwritten byte {position} of {name}")


def may_be_unwritten(value: Value) -> bool:
    """Whether a value depends on unwritten bytes."""
    return isinstance(value, Term) and any(symbol.name.startswith(UNWRITTEN) for symbol in value.symbols)


def _pieces(item: MemoryObject, offset: int, count: int) -> Iterator[tuple[int, int]]:
    """A range as runs (start, length) of bytes of one term, of one sort, of at most a word."""
    end = offset + count
    while offset < end:
        stop = offset + 1
        mask = item.mask
        sort = CONCRETE if mask is None else mask[offset]
        if sort == SYMBOLIC:
            assert item.symbolic is not None
            term, index = item.symbolic[offset]
            while stop < end and item.symbolic.get(stop) == (term, index + stop - offset):
                stop += 1
        else:
            while stop < end and stop - offset < WORD_BYTES and (mask is None or mask[stop] == sort):
                stop += 1
        yield offset, stop - offset
        offset = stop
