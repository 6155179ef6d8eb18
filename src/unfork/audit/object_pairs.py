"""The memory of a joined state beside that of one parent: what exists, how large it is, and each byte."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from unfork.audit.pairs import Finding, Mismatch, Pair
from unfork.execute.library_objects import extern_contents
from unfork.inputs.arguments import ARGUMENT
from unfork.logic.term import Term, Value
from unfork.state.lazy import LAZY
from unfork.state.memory import CONCRETE, FIRST_HEAP, SYMBOLIC, UNINITIALISED, MemoryObject
from unfork.state.state import State

WORD = 8
CONTENTS = "contents"
"""The kind of what files contain: what lies after its bytes is 0, and its size says nothing."""
UNWRITTEN = "uninit:"
"""Names of symbols that stand for bytes that nobody wrote begin so."""


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
        yield Mismatch("what was freed")


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
                yield Mismatch(f"byte {offset} of {name_of(number, item)}")


def _same(number: int, mine: MemoryObject, theirs: MemoryObject) -> Iterator[Finding]:
    name = name_of(number, theirs)
    if mine.kind != theirs.kind or mine.read_only != theirs.read_only:
        yield Mismatch(f"what {name} is")
        return
    if mine.limit >= 0 and (mine.limit != mine.size or mine.gone != 0):
        yield Mismatch(f"the limit of {name}")
    hints = mine.updates or ()
    if any(one is not other for one, other in zip_longest(hints, (theirs.updates or ())[: len(hints)])):
        yield Mismatch(f"the hints about {name}")
    yield Pair(f"the existence of {name}", mine.gone, theirs.gone, 1)
    gone = theirs.gone
    if theirs.kind != CONTENTS:
        yield Pair(f"the size of {name}", mine.size, theirs.size, 64, gone)
    count = len(theirs.data)
    if len(mine.data) < count:
        yield Mismatch(f"the size of {name}")
        return
    if mine.mask is None and theirs.mask is None and mine.data[:count] == theirs.data:
        pass
    else:
        yield from _bytes(name, mine, theirs, gone)
    if theirs.kind == CONTENTS:
        for offset, length in _pieces(mine, count, len(mine.data) - count):
            yield Pair(f"byte {offset} of {name}", mine.read(offset, length), 0, 8 * length, gone)


def _bytes(name: str, mine: MemoryObject, theirs: MemoryObject, gone: Value) -> Iterator[Finding]:
    """The bytes that both have; one that nobody wrote is any value, and stays that, unless a library defines it."""
    known = extern_contents(theirs.name) if theirs.kind == "global" else None
    for offset, length in _pieces(mine, 0, len(theirs.data)):
        what = f"byte {offset} of {name}"
        if mine.same_bytes(theirs, offset, length):
            continue
        mask = theirs.mask
        if mask is None or UNINITIALISED not in mask[offset : offset + length]:
            if mine.mask is not None and mine.mask[offset] == UNINITIALISED:
                yield Mismatch(what)
            else:
                yield Pair(what, mine.read(offset, length), theirs.read(offset, length), 8 * length, gone)
            continue
        for position in range(offset, offset + length):
            is_unwritten = mask[position] == UNINITIALISED
            if mine.mask is not None and mine.mask[position] == UNINITIALISED:
                if not is_unwritten or (mine.origins or {}).get(position) != (theirs.origins or {}).get(position):
                    yield Mismatch(f"byte {position} of {name}")
            elif not is_unwritten:
                yield Pair(f"byte {position} of {name}", mine.byte(position), theirs.byte(position), 8, gone)
            elif known is not None and position < len(known):
                yield Pair(f"byte {position} of {name}", mine.byte(position), known[position], 8, gone)
            elif theirs.kind != LAZY and not may_be_unwritten(mine.byte(position)):
                yield Mismatch(f"unwritten byte {position} of {name}")


def may_be_unwritten(value: Value) -> bool:
    """Whether a value depends on what nobody wrote."""
    return isinstance(value, Term) and any(symbol.name.startswith(UNWRITTEN) for symbol in value.symbols)


def _pieces(item: MemoryObject, offset: int, count: int) -> Iterator[tuple[int, int]]:
    """A range as runs (start, length) of bytes of one term, of one sort, and of a word at most."""
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
            while stop < end and stop - offset < WORD and (mask is None or mask[stop] == sort):
                stop += 1
        yield offset, stop - offset
        offset = stop
