"""The cells in which two states at the head of a loop may differ: registers, and pieces of memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unfork.engine.state.flat_layout import leads_to_object, may_be_pointer
from unfork.engine.state.inputs import is_unwritten
from unfork.engine.state.memory import UNINITIALISED, Memory, MemoryObject
from unfork.engine.state.pointer_words import words_in
from unfork.engine.state.state import State
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.types import FloatType, IntType, PointerType, pointer_type

MOST_BYTES = 4096
"""If more bytes of memory change, they are not looked at one by one."""
CHUNK = 256
"""Bytes to compare at a time."""


class NotAbstract(Exception):
    """A loop cannot be taken for any number of iterations. ``for_good``: not from a later iteration on, either."""

    def __init__(self, reason: str, *, for_good: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class RegisterCell:
    """A register that the loop's head sets in each iteration."""

    register: int
    width: int
    is_pointer: bool

    def read(self, state: State) -> Value:
        value: Value = state.frames[-1].registers[self.register]
        return value

    def write(self, state: State, value: Value) -> None:
        state.frames[-1].registers[self.register] = value

    def is_unwritten(self, state: State) -> bool:
        """Whether it holds nothing because it is dead; an unwritten register holds a symbol."""
        return state.frames[-1].registers[self.register] is None

    def may_be_unwritten(self, state: State) -> bool:
        """Whether it holds nothing, or depends on unwritten bytes."""
        return self.is_unwritten(state) or is_unwritten(self.read(state))

    def is_unwritten_around(self, state: State) -> bool:
        """Never: nothing surrounds it."""
        return False


@dataclass(frozen=True, slots=True)
class MemoryCell:
    """A piece of memory: ``size`` bytes of an object from ``offset`` on."""

    number: int
    offset: int
    size: int
    is_pointer: bool

    @property
    def width(self) -> int:
        """In bits."""
        return 8 * self.size

    @property
    def end(self) -> int:
        """Where the next piece begins."""
        return self.offset + self.size

    def read(self, state: State) -> Value:
        return state.memory.objects[self.number].read(self.offset, self.size)

    def write(self, state: State, value: Value) -> None:
        state.memory.writable(self.number).write(self.offset, self.size, value)

    def is_unwritten(self, state: State) -> bool:
        """Whether it has an unwritten byte, or its object is gone."""
        item = state.memory.objects.get(self.number)
        return item is None or bool(item.uninitialised_runs(self.offset, self.size))

    def is_unwritten_around(self, state: State) -> bool:
        """Whether its object has an unwritten byte."""
        item = state.memory.objects[self.number]
        return bool(item.uninitialised_runs(0, len(item.data)))

    def may_be_unwritten(self, state: State) -> bool:
        """Whether a byte is unwritten, or depends on unwritten bytes."""
        symbolic = state.memory.objects[self.number].symbolic or {}
        terms = {symbolic[at][0] for at in range(self.offset, self.end) if at in symbolic}
        return self.is_unwritten(state) or any(map(is_unwritten, terms))


Cell = RegisterCell | MemoryCell


def changed_cells(number: int, before: MemoryObject, after: MemoryObject, memory: Memory) -> Iterator[MemoryCell]:
    """The differing pieces of an object of a memory. A local that is a number or a pointer is one piece."""
    if isinstance(before.type, IntType | FloatType | PointerType) and before.kind == "stack":
        if not before.same_bytes(after, 0, len(before.data)):
            yield MemoryCell(number, 0, len(before.data), isinstance(before.type, PointerType))
        return
    done = -1
    for offset in changed_offsets(before, after):
        if offset >= done:
            cell = _cell_at(number, offset, before, after, memory)
            done = cell.end
            yield cell


def changed_offsets(before: MemoryObject, after: MemoryObject) -> list[int]:
    """The offsets of the differing bytes."""
    offsets = []
    for start in range(0, len(before.data), CHUNK):
        count = min(CHUNK, len(before.data) - start)
        if not before.same_bytes(after, start, count):
            offsets += [at for at in range(start, start + count) if not before.same_bytes(after, at, 1)]
            if len(offsets) > MOST_BYTES:
                raise NotAbstract(f"more than {MOST_BYTES} bytes of memory change")
    return offsets


def _cell_at(number: int, offset: int, before: MemoryObject, after: MemoryObject, memory: Memory) -> MemoryCell:
    """The piece with a differing byte: a pointer, the bytes of one written term, or the byte itself."""
    size = pointer_type(is_narrow=memory.is_narrow).size
    word = offset - offset % size
    if any(_is_pointer(item, word, size, memory) for item in (before, after)):
        return MemoryCell(number, word, size, True)
    entry = (after.symbolic or {}).get(offset)
    if entry is not None:
        term, at = entry
        start, size = offset - at, term.width // 8
        whole = [(after.symbolic or {}).get(start + i) for i in range(size)]
        if all(byte is not None and byte[0] is term and byte[1] == i for i, byte in enumerate(whole)):
            return MemoryCell(number, start, size, False)
    return MemoryCell(number, offset, 1, False)


def _is_pointer(item: MemoryObject, word: int, size: int, memory: Memory) -> bool:
    if word + size > len(item.data) or UNINITIALISED in (item.mask or b"")[word : word + size]:
        return False
    value = item.read(word, size)
    if memory.is_narrow:
        return any(leads_to_object(number, memory) for number in words_in(value))
    return (isinstance(value, Term) or value != 0) and may_be_pointer(value)
