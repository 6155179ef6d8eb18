"""The heap of a test beside those that lazy initialisation makes: which of them is it, and what its pointers say."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.inputs.heap_data import Address, FunctionAddress, Heap, Reference
from unfork.llvm.c_types import Pointer, Record
from unfork.logic import build
from unfork.logic.term import Term, Value, symbol
from unfork.state.lazy import LazyHeap
from unfork.state.memory import object_of, offset_in

_POINTER_BITS = 64
Key = tuple[str, int | None]
"""A pointer: the C expression of its object with its offset there in bytes, or the name of an argument."""
Target = tuple[str, int] | str | None
"""Where a pointer leads: the C expression of an object and bytes into it, the name of a function, or null."""


class GivenShape:
    """Where the pointers of a test's heap lead."""

    def __init__(self, heap: Heap) -> None:
        self._names = [heap_object.name for heap_object in heap.objects]
        self._pointers: dict[Key, tuple[str, Target]] = {
            (each.name, None): (each.name, self._target(each.target)) for each in heap.arguments if each.is_pointer
        }
        """With the C expression of each."""
        for heap_object in heap.objects:
            for cell in heap_object.cells:
                if cell.is_pointer:
                    self._pointers[heap_object.name, cell.offset] = cell.path, self._target(cell.target)

    def agrees(self, lazy: LazyHeap) -> bool:
        """Whether all pointers that a path has looked at lead where the test has them lead."""
        return all(key in self._pointers and self._pointers[key][1] == target for key, target in _seen(lazy))

    def conditions(self, lazy: LazyHeap) -> Iterator[Term]:
        """What the pointers that a path has looked at must be; ``lazy`` agrees."""
        for key, target in _seen(lazy):
            if isinstance(condition := _condition(self._pointers[key][0], target), Term):
                yield condition

    def _target(self, target: Reference) -> Target:
        match target:
            case Address(index, offset):
                return self._names[index], offset
            case FunctionAddress(name):
                return name
            case _:
                return None


def _seen(lazy: LazyHeap) -> Iterator[tuple[Key, Target]]:
    for argument in lazy.arguments:
        if isinstance(argument.type, Pointer | Record) and isinstance(argument.value, int):
            yield (argument.name, None), _target_in(lazy, argument.value)
    for (number, offset), address in lazy.pointers.items():
        item = lazy.find(number)
        if item is not None:
            yield (item.path, offset), _target_in(lazy, address)


def _target_in(lazy: LazyHeap, address: int) -> Target:
    if address == 0:
        return None
    if address in lazy.functions:
        return lazy.functions[address]
    item = lazy.find(object_of(address))
    return None if item is None else (item.path, offset_in(address))


def _condition(path: str, target: Target) -> Value:
    """The pointer ``path`` is null, leads to an object of its own, or is equal to the one that first led there."""
    pointer = symbol(path, _POINTER_BITS)
    match target:
        case None:
            return build.eq(pointer, 0, _POINTER_BITS)
        case str(name):
            return build.eq(pointer, symbol(name, _POINTER_BITS), _POINTER_BITS)
        case (name, 0) if name == path:
            return build.ne(pointer, 0, _POINTER_BITS)
        case (name, offset):
            return build.eq(pointer, build.add(symbol(name, _POINTER_BITS), offset, _POINTER_BITS), _POINTER_BITS)
