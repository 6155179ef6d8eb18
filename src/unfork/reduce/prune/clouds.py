"""Untouched parts of input heaps (the clouds of Anand06) cover only what lazy initialisation could build there.

An unread number may have any value. An unread pointer may be null, lead to a matched object of its type, or to
unmatched objects: input objects of the right type that hold only numbers and such pointers. It never leads to what
the program allocated, nor to variables.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from unfork.engine.state.flat_layout import as_read
from unfork.engine.state.lazy import LAZY, LazyObject
from unfork.engine.state.memory import UNINITIALISED, MemoryObject, object_of, offset_in
from unfork.engine.state.state import State
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Pointer, Routine, Scalar, TypeCell
from unfork.reduce.prune.contract import Differ

CLOUD = "untouched input"
BOOLEAN = "boolean"


def same_kind(one: LazyObject, other: LazyObject) -> bool:
    """Whether two input objects have the same future: type, and the open parts of their length."""
    facts = [
        (each.type, each.given, each.is_stated, each.is_text, isinstance(each.length, int)) for each in (one, other)
    ]
    return facts[0] == facts[1]


def is_untouched(item: MemoryObject, start: int, end: int) -> bool:
    """Whether nothing in the range was read or written."""
    return item.mask is not None and item.mask.count(UNINITIALISED, start, end) == end - start


def may_be_initial(cell: TypeCell, value: Value) -> bool:
    """Whether a number of the cell's type may have this initial value."""
    if not isinstance(cell.type, Scalar):
        return False
    return cell.type.encoding != BOOLEAN or (value.high if isinstance(value, Term) else value) <= 1


class Clouds:
    """The covered state's values where the covering one has untouched pointers; checked after all matching."""

    def __init__(self, state: State, types: CTypes) -> None:
        self._state = state
        self._types = types
        self._pointers: list[tuple[Value, Pointer]] = []
        self.is_open = False
        """Whether the covered state has an untouched pointer of its own: it may lead to any object of the heap."""

    def add(self, value: Value, kind: Pointer) -> None:
        """The covering state has an untouched pointer where the covered one has ``value``."""
        self._pointers.append((self._as_pointer(value), kind))

    def _as_pointer(self, word: Value) -> Value:
        """The pointer that a word of memory holds; a term, which is no target, stays."""
        return as_read(word, self._state.memory) if isinstance(word, int) else word

    def finish(self, matched: Container[int]) -> int:
        """Check everything; the number of objects in clouds. Raises Differ."""
        met: set[int] = set()
        waiting: list[LazyObject] = []
        while True:
            if self._pointers:
                value, kind = self._pointers.pop()
                found = self._target(value, kind, matched)
                if found is not None and found.number not in met:
                    met.add(found.number)
                    waiting.append(found)
            elif waiting:
                self._look_inside(waiting.pop())
            else:
                known = self._state.lazy.all if self.is_open else ()
                waiting = [
                    lazy_object
                    for lazy_object in known
                    if lazy_object.number not in matched and lazy_object.number not in met
                ]
                met.update(lazy_object.number for lazy_object in waiting)
                if not waiting:
                    return len(met)

    def _target(self, value: Value, kind: Pointer, matched: Container[int]) -> LazyObject | None:
        """The target of a pointer in a cloud, if it belongs to the cloud."""
        if not isinstance(value, int):
            raise Differ(CLOUD)
        whole = self._types.target(kind)
        if value == 0:
            return None
        one = self._state.lazy.find(object_of(value))
        if one is None or isinstance(whole, Routine) or one.number not in self._state.memory.objects:
            raise Differ(CLOUD)
        if one.number in matched:
            parts: Iterable[tuple[int, object]] = () if one.cells is None else one.cells.parts
            if (offset_in(value), whole) in parts or (one.cells is None and one.type == whole and not offset_in(value)):
                return None
            raise Differ(CLOUD)
        if offset_in(value) or one.type != whole or one.is_stated or one.is_text:
            raise Differ(CLOUD)
        return one

    def _look_inside(self, lazy_object: LazyObject) -> None:
        """Check the contents of an object in a cloud: numbers, and pointers under the same condition."""
        item = self._state.memory.objects.get(lazy_object.number)
        if item is None or item.kind != LAZY or item.gone != 0 or lazy_object.is_stated or lazy_object.is_text:
            raise Differ(CLOUD)
        if lazy_object.cells is None:
            self.is_open = True  # it may turn out to hold pointers
            return
        for index, cell in lazy_object.cells.within(0, len(item.data)) if item.data else ():
            start = index * lazy_object.cells.size + cell.offset
            end = start + cell.size
            if is_untouched(item, start, end):
                self.is_open |= not isinstance(cell.type, Scalar)
            elif item.uninitialised_runs(start, cell.size):
                raise Differ(CLOUD)
            elif isinstance(cell.type, Pointer):
                self.add(item.read(start, cell.size), cell.type)
            elif not may_be_initial(cell, item.read(start, cell.size)):
                raise Differ(CLOUD)
