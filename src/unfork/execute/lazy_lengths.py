"""How long lazily made arrays are: as an access needs, until the program states it; strings end at a NUL."""

from __future__ import annotations

from dataclasses import replace

from unfork.execute.lazy_objects import most_elements
from unfork.execute.step import Step
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.lazy import LAZY, UNTOUCHED, LazyObject
from unfork.state.memory import UNINITIALISED, MemoryObject


def reach(step: Step, number: int, offset: Value, size: Value, elsewhere: Value) -> MemoryObject:
    """The object, so long that ``size`` bytes at ``offset`` (64 bits) lie in it, where its length is still open.

    Where ``elsewhere`` (1 bit) holds, no access happens. One that leaves a stated length is the caller's to judge.
    """
    heap, memory = step.state.lazy, step.state.memory
    array = heap.find(number)
    item = memory.objects[number]
    if array is None or array.is_stated:
        return item
    if array.cells is None:
        step.unsupported(f"an access to what {array.path} points to, of type {array.type.name}")
    if heap.is_frozen and isinstance(array.length, int):
        step.halt(UNTOUCHED, 0)
    if array.cells.has_flexible_end:
        step.unsupported(f"an access past the end of {array.path}, a struct with a flexible array member")
    step.require(
        build.either(elsewhere, build.sle(0, offset, 64)), "out-of-bounds", f"an access in front of '{array.path}'"
    )
    array = _measured(step, array)
    item = memory.objects[number]
    room = len(item.data)
    end = build.add(offset, size, 64)
    inside = build.both(build.ule(offset, room, 64), build.ule(end, room, 64))
    message = f"an access to {array.path} beyond the capacity of {room} bytes; see --max-size"
    if array.is_text:
        step.state.lazy = step.state.lazy.assuming(f"{array.path} is a string, whose object ends with its first NUL")
        inside = build.both(inside, build.ult(end, room, 64))
        step.limit(build.either(elsewhere, inside), "capacity", message)
        return item
    step.limit(build.either(elsewhere, inside), "capacity", message)
    step.state.lazy = step.state.lazy.assuming(
        f"{array.path} has as many elements as are accessed (its length is not stated: unfork_length({array.path}))"
    )
    step.assume(build.either(elsewhere, build.ule(end, item.size, 64)))
    return memory.objects[number]


def _measured(step: Step, array: LazyObject) -> LazyObject:
    """The object with a symbolic number of elements; elements that were accessed are there."""
    if not isinstance(array.length, int):
        return array
    assert array.cells is not None
    stride = array.cells.size
    most = most_elements(step.limits, array)
    name = f"strlen({array.path})" if array.is_text else f"unfork_length({array.path})"
    count = step.fresh(name, 64, LAZY)
    length = build.add(count, 1, 64) if array.is_text else count
    step.assume(build.ult(count, most, 64) if array.is_text else build.ule(count, most, 64))
    if not array.is_text and _is_touched(step, array):
        step.assume(build.ule(array.length, count, 64))
    changed = replace(array, length=length)
    step.state.lazy = step.state.lazy.with_changed(changed)
    item = step.state.memory.writable(array.number)
    more = most * stride - len(item.data)
    mask = bytearray(len(item.data)) if item.mask is None else item.mask
    item.mask = mask + bytearray((UNINITIALISED,)) * more
    item.data += bytes(more)
    item.size, item.limit = build.mul(length, stride, 64), -1
    return changed


def _is_touched(step: Step, array: LazyObject) -> bool:
    """Whether the program has accessed the object, so that its first element is there."""
    item = step.state.memory.objects[array.number]
    return item.mask is None or item.mask.count(UNINITIALISED) < len(item.data)


def stated_length(step: Step, number: int) -> Value | None:
    """How many elements a lazily made object has, which from now on bounds its accesses; None for another object."""
    array = step.state.lazy.find(number)
    if array is None:
        return None
    if array.is_stated:
        return array.length
    if array.cells is None:
        step.unsupported(f"unfork_length of {array.path}, which points to {array.type.name}")
    item = step.state.memory.objects.get(number)
    if item is None:
        step.unsupported(f"unfork_length of {array.path}, which was freed")
    if array.is_text and not isinstance(array.length, int):
        step.unsupported(f"unfork_length of {array.path}, which was read as a string before")
    array = _measured(step, replace(array, is_text=False))
    changed = replace(array, is_stated=True)
    step.state.lazy = step.state.lazy.with_changed(changed)
    most = len(step.state.memory.objects[number].data)
    step.give_up_part("capacity", f"{array.path} longer than {most} bytes; see --max-size")
    return changed.length
