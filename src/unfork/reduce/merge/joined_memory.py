"""The memory of two states as one: objects join by name, piece by piece; some exist on one side only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

from unfork.engine.memory.library_objects import ERRNO, FIRST_LIBRARY_OBJECT
from unfork.engine.memory.uninitialised import initialise
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import BEFORE_NAME, CONCRETE, FIRST_HEAP, SYMBOLIC, UNINITIALISED, Memory, MemoryObject
from unfork.engine.state.state import State
from unfork.engine.step.conduct import InputSource, fresh_input
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout, types
from unfork.program.llvm.types import ArrayType, StructType, Type, VectorType
from unfork.reduce.merge.differing_bytes import differing
from unfork.reduce.merge.value_choice import Unjoinable, ValueChoice
from unfork.world.inputs.arguments import ARGUMENT


class JoinSide:
    """A state as a join reads it. ``state`` is a fork of the given one once something had to be named."""

    def __init__(self, state: State, source: InputSource) -> None:
        self.state = state
        self._source = source
        self._is_fork = False

    @property
    def memory(self) -> Memory:
        return self.state.memory

    def written(self, number: int, offset: int, count: int) -> MemoryObject:
        """An object with a range as a read would make it: unwritten bytes become fresh, latent inputs."""
        if not self._is_fork:
            self.state = self.state.fork()
            self._is_fork = True
        known = len(self.state.inputs)
        item = initialise(self, number, offset, count)
        self.state.inputs = self.state.inputs.latent_after(known)
        return item

    def choose(self, do: Callable[[Step], None]) -> None:
        """Not called: a join splits no state."""
        raise Unjoinable("untouched parts of the input heap")

    def fresh(self, name: str, width: int, kind: str) -> Value:
        """A fresh value: a new input of this side."""
        return fresh_input(self._source, self.state, name, width, kind)


VARIADIC = "variadic arguments"
CONTENTS = "contents"
"""The kind of the contents of files; beyond their bytes is 0."""
MOST_UNWRITTEN = 4096
"""Bytes of one object that one side has written and the other has not; more are not named."""

Item = TypeVar("Item")
Sites = tuple[tuple[Value, str, types.Position | None], ...]


def joined_memory(choice: ValueChoice, left: JoinSide, right: JoinSide) -> Memory:
    """The joined memory of two that pass ``check_objects``.

    Unwritten bytes that the other side has written become inputs of their side. The joined memory owns the objects that
    differ on the two sides: it may write and stow them.
    """
    mine, theirs = left.memory.objects, right.memory.objects
    assert mine.beginnings is theirs.beginnings
    freed, other = left.memory.freed, right.memory.freed
    memory = Memory(
        {}, mine.beginnings, freed if freed is other else {**other, **freed}, is_narrow=left.memory.is_narrow
    )
    touched = dict.fromkeys((*mine.held, *[number for number in theirs.held if number in mine]))
    for number in touched:  # untouched globals are the same
        item = mine[number]
        twin = theirs.get(number)
        if twin is item:
            memory.objects[number] = item
        elif twin is None:
            _one_sided(memory, choice, number, (item, None))
        else:
            joined = _joined_object(choice, number, left, right)
            if joined.gone != 1:  # each side may lack it where the other does not count
                memory.add(number, joined)
    for number, item in theirs.held.items():
        if number not in mine:
            _one_sided(memory, choice, number, (None, item))
    return memory


def check_objects(a: Memory, b: Memory) -> None:
    """Raise Unjoinable if one side lacks an object, and no condition can express that."""
    for ours, others in ((a.objects, b.objects), (b.objects, a.objects)):
        for number, item in ours.held.items():
            if number not in others:
                _check_one_sided(number, item)


def _check_one_sided(number: int, item: MemoryObject) -> None:
    """Raise Unjoinable for an object of one side, if no condition can express its absence."""
    if number < FIRST_HEAP:
        if not item.read_only and item.kind != ARGUMENT and number != FIRST_LIBRARY_OBJECT + ERRNO:
            raise Unjoinable("library objects")
    elif item.name == VARIADIC and item.kind == "stack":
        raise Unjoinable("variadic arguments")


def _one_sided(
    memory: Memory,
    choice: ValueChoice,
    number: int,
    sides: tuple[MemoryObject | None, MemoryObject | None],
) -> None:
    """An object of one side: it stays, and is gone where the joined state stands for the other side."""
    item = sides[0] or sides[1]
    assert item is not None
    if number < FIRST_HEAP and item.kind != ARGUMENT:  # made by the library on first use, alike on each path
        if item.read_only:
            memory.objects[number] = item
            return
        twin = item.copy(None)
        zero = MemoryObject(bytearray(len(item.data)), item.size, item.kind, item.name)
        a, b = sides[0] or zero, sides[1] or zero
        _join_bytes(choice, twin, a, b, differing(a, b, len(item.data)))
        memory.add(number, twin)
        return
    absent = build.negate(choice.first) if sides[1] is None else choice.first
    gone = build.either(item.gone, absent)
    if gone != 1:
        twin = item.copy(None)
        twin.vanish(gone)
        memory.add(number, twin)


def _joined_object(choice: ValueChoice, number: int, left: JoinSide, right: JoinSide) -> MemoryObject:
    """The object that both sides have under one name."""
    a, b = left.memory.objects[number], right.memory.objects[number]
    if a.kind != b.kind or a.read_only != b.read_only:
        raise Unjoinable("different objects")
    if a.kind == CONTENTS and len(a.data) != len(b.data):
        a, b = _as_long(a, b), _as_long(b, a)
    if a.is_parted != b.is_parted:
        raise Unjoinable("elements of the input heap")
    if a.kind == LAZY and len(a.data) != len(b.data):
        raise Unjoinable("untouched parts of the input heap")
    common = min(len(a.data), len(b.data))
    runs = differing(a, b, common)
    if runs:
        a, b = _written(left, number, a, runs), _written(right, number, b, runs)
    joined = (a if len(a.data) >= len(b.data) else b).copy(None)
    _join_bytes(choice, joined, a, b, runs)
    if not (a.size is b.size or (isinstance(a.size, int) and a.size == b.size)):
        joined.size = choice.exact(a.size, b.size, 64)
    joined.vanish(a.gone if a.gone is b.gone else choice.exact(a.gone, b.gone, 1))
    joined.name, joined.site = a.name, a.site
    joined.sites = _joined_sites(choice, a, b)
    joined.type = a.type if a.type == b.type else None
    joined.label = a.label or b.label
    joined.updates = _common(a.updates, b.updates)
    joined.has_names = a.has_names or b.has_names
    joined.pieces = tuple(dict.fromkeys(a.pieces + b.pieces))
    return joined


def _as_long(item: MemoryObject, other: MemoryObject) -> MemoryObject:
    """The contents of a file with as much room as the other side's."""
    missing = bytes(max(0, len(other.data) - len(item.data)))
    twin = item.copy(None)
    twin.data += missing
    if twin.mask is not None:
        twin.mask += missing
    twin.size = len(twin.data)
    return twin


def _written(side: JoinSide, number: int, item: MemoryObject, runs: list[tuple[int, int]]) -> MemoryObject:
    """The side's object without unwritten bytes in the runs."""
    if item.mask is None:
        return item
    unwritten = sum(item.mask.count(UNINITIALISED, start, end) for start, end in runs)
    if unwritten > MOST_UNWRITTEN:
        raise Unjoinable("unwritten memory")
    if unwritten:
        for start, end in runs:
            item = side.written(number, start, end - start)
    return item


def _join_bytes(
    choice: ValueChoice, joined: MemoryObject, a: MemoryObject, b: MemoryObject, runs: list[tuple[int, int]]
) -> None:
    if runs:
        for start, end in pieces(a, b, runs, min(len(a.data), len(b.data))):
            count = end - start
            joined.write(start, count, choice.value(a.read(start, count), b.read(start, count), 8 * count))


def _joined_sites(choice: ValueChoice, a: MemoryObject, b: MemoryObject) -> Sites:
    """Where else than at ``a.site`` the object may have been made."""
    if (a.name, a.site, a.sites) == (b.name, b.site, b.sites):
        return a.sites
    second = build.negate(choice.first)
    sites = [(build.both(choice.first, guard), name, site) for guard, name, site in a.sites]
    plain: Value = second
    for guard, name, site in b.sites:
        sites.append((build.both(second, guard), name, site))
        plain = build.both(plain, build.negate(guard))
    sites.append((plain, b.name, b.site))
    return tuple([entry for entry in sites if entry[0] != 0 and entry[1:] != (a.name, a.site)])


def _common(a: tuple[Item, ...] | None, b: tuple[Item, ...] | None) -> tuple[Item, ...] | None:
    """The common beginning: hints of one side alone would not fit the other's writes."""
    if a is b or a is None or b is None:
        return a if a is b else None
    count = 0
    for item, other in zip(a, b, strict=False):
        if item is not other:
            break
        count += 1
    return a[:count] or None


WORD = 8
"""Bytes of a concrete piece of unknown type."""


def pieces(a: MemoryObject, b: MemoryObject, runs: list[tuple[int, int]], count: int) -> Iterator[tuple[int, int]]:
    """The differing runs as pieces (start, end), each within one value on either side; every byte is initialised.

    A word that holds a pointer on one side is one piece: a pointer is not a choice of bytes
    (engine/memory/pieces.py).
    """
    done = 0
    for start, end in runs:
        position = max(start, done)
        while position < end:
            first, last = cell(a, position)
            other_first, other_last = cell(b, position)
            word = position & -WORD
            if done <= word <= count - WORD and (holds_pointer(a, word) or holds_pointer(b, word)):
                first, last = word, word + WORD
            else:
                first, last = max(first, other_first, done), min(last, other_last, count)
            yield first, last
            position = done = last


def holds_pointer(item: MemoryObject, word: int) -> bool:
    """Whether the word at an offset may be a pointer: all of its bytes, or one term."""
    if not item.has_names:
        return False
    mask = item.mask
    if mask is None or mask.count(CONCRETE, word, word + WORD) == WORD:
        return item.data[word + WORD // 2] == BEFORE_NAME
    return mask.count(SYMBOLIC, word, word + WORD) == WORD and cell(item, word) == (word, word + WORD)


def cell(item: MemoryObject, position: int) -> tuple[int, int]:
    """The bytes (start, end) around ``position`` that belong to one value: a term, or a concrete word."""
    mask = item.mask
    if mask is None or mask[position] != SYMBOLIC:
        start, end = _word(item, position)
        if mask is not None:
            start = max([start, *[i + 1 for i in range(start, position) if mask[i] != CONCRETE]])
            end = min([end, *[i for i in range(position + 1, end) if mask[i] != CONCRETE]])
        return start, end
    assert item.symbolic is not None
    term, index = item.symbolic[position]
    get = item.symbolic.get
    start = position
    while index and get(start - 1) == (term, index - 1):
        start, index = start - 1, index - 1
    end = position + 1
    index = item.symbolic[position][1] + 1
    while get(end) == (term, index):
        end, index = end + 1, index + 1
    return start, end


def _word(item: MemoryObject, position: int) -> tuple[int, int]:
    size = len(item.data)
    if item.type is not None:
        whole = layout.size_of(item.type)
        if whole:
            base = position - position % whole
            scalar = scalar_at(item.type, position - base)
            if scalar is not None and base + scalar[1] <= size:
                return base + scalar[0], base + scalar[1]
    start = position & -WORD
    return start, min(start + WORD, size)


@cache
def scalar_at(kind: Type, offset: int) -> tuple[int, int] | None:
    """The bytes (start, end) of the scalar of a type at ``offset``; None in padding."""
    start = 0
    while True:
        match kind:
            case ArrayType(element=element) | VectorType(element=element):
                stride = layout.size_of(element)
                if stride == 0:
                    return None
                start += (offset - start) // stride * stride
                kind = element
            case StructType(elements=elements):
                before = [i for i in range(len(elements)) if layout.offset_of(kind, i) <= offset - start]
                index = before[-1] if before else None
                if index is None:
                    return None
                begin = layout.offset_of(kind, index)
                kind = elements[index]
                start += begin
                if offset - start >= layout.size_of(kind):
                    return None
            case _:
                size = layout.store_size(kind)
                return (start, start + size) if size > 0 and offset - start < size else None
