"""A joined state owns the objects that differ on its two sides: it writes them without a copy, and they are stowed."""

from __future__ import annotations

from tests.reduce.merge.small_states import X, ite_join, less, state_of
from unfork.engine.state.memory import FIRST_HEAP, MemoryObject
from unfork.engine.state.state import State
from unfork.engine.state.stowed import PagedObject
from unfork.logic.terms import build

SIZE = 4_096
CONDITION = less(X, 3)


def joined() -> State:
    """The join of two states with a large block, of which one byte differs."""
    sides = []
    for condition, byte in ((CONDITION, 1), (build.negate(CONDITION), 2)):
        state = state_of([0, 0, 0], [condition])
        state.memory.add(FIRST_HEAP, MemoryObject(bytearray(SIZE), SIZE, "heap", "malloc"))
        state.memory.writable(FIRST_HEAP).write(100, 1, byte)
        sides.append(state)
    union = ite_join().join(*sides)
    assert isinstance(union, State)
    return union


def test_it_writes_them_without_a_copy() -> None:
    state = joined()
    item = state.memory.objects[FIRST_HEAP]
    assert state.memory.writable(FIRST_HEAP) is item
    other = state.fork()
    assert other.memory.writable(FIRST_HEAP) is not item
    assert state.memory.writable(FIRST_HEAP) is not item


def test_they_are_stowed() -> None:
    opened: list[PagedObject] = []
    item = joined().memory.objects[FIRST_HEAP]
    before = item.read(100, 1)
    item.stow(opened)
    assert item.is_stowed
    assert item.read(100, 1) is before
    assert opened == [item]
