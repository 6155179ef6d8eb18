"""Where a pointer of the input may lead: null, a known object or a new one, and how large that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.engine.state.lazy import LAZY, LazyHeap, LazyObject, made_for
from unfork.engine.state.memory import MOST_LAZY, Memory, MemoryObject, address_of, object_of
from unfork.engine.state.narrow_layout import LARGEST_LAZY
from unfork.engine.state.state import State
from unfork.engine.step.step import Step, StepOptions
from unfork.errors import Unsupported
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.callbacks import STREAMS, is_stream
from unfork.program.llvm.c_types import CType, Pointer, RecordType, Routine

BOUND = "bound"
"""The reason for giving up a path beyond a limit of the user's."""
Target = int | LazyObject
"""An address, or an object to make."""


def targets(step: Step, kind: Pointer, path: str, *, is_of_stream: bool = False) -> list[Target]:
    """The targets of an input pointer: null, parts of its type in known objects, or a new object.

    ``is_of_stream``: the program takes it for a ``FILE *``, if it leads to nothing that C says.
    """
    heap, types = step.state.lazy, step.program.c_types
    whole = types.target(kind)
    choices: list[Target] = [0]
    if isinstance(whole, Routine):
        names = [*functions_of(step, whole), *functions_of_caller(step, kind)]
        step.state.lazy = heap.with_functions({step.statics.address(name): name for name in names})
        return [*choices, *[step.statics.address(name) for name in names]]
    cells = types.cells(whole)
    is_of_stream = is_stream(whole.name, whole.size) or (is_of_stream and cells is None)
    streams = _streams(step, path) if is_of_stream else []
    if streams:
        return [*choices, *streams]
    if cells is None:
        elements = heap.element_numbers
        known = [item for item in heap.objects if (item.given or item.type) == whole and item.number not in elements]
        choices.extend(address_of(item.number) for item in known)
    else:
        choices.extend(parts(heap, whole))
    limit = step.limits.max_objects
    if limit is not None and len(heap.objects) - len(heap.element_numbers) >= limit:
        step.give_up_part(BOUND, "max-objects")
    elif not has_room(heap):
        most = MOST_LAZY // heap.spacing
        step.give_up_part("capacity", f"more than {most} lazily initialised objects on one path")
    else:
        choices.append(made_for(heap.next_number(), path, whole, cells))
    return choices


def own_targets(found: Sequence[Target]) -> list[Target]:
    """Null, and a new object if there is room for one."""
    return [each for each in found if each == 0 or isinstance(each, LazyObject)]


def has_room(heap: LazyHeap) -> bool:
    """Whether there is a number for one more object."""
    return len(heap.objects) < MOST_LAZY // heap.spacing


def _streams(step: Step, path: str) -> list[int]:
    """The addresses of the standard streams to which no pointer of the input leads yet; none without both.

    Several, since each is only for reading or only for writing.
    """
    heap = step.state.lazy
    if not all(map(step.statics.has, STREAMS.values())):
        return []
    taken = {*heap.pointers.values(), *(each.value for each in heap.arguments)}
    known = {step.statics.address(symbol): name for name, symbol in STREAMS.items()}
    free = {address: name for address, name in known.items() if address not in taken}
    if free:
        said = f"{path} is null, or {' or '.join(free.values())}"
        step.state.lazy = heap.with_functions(free).assuming(said)
    return [*reversed(free)]


def parts(heap: LazyHeap, kind: CType) -> list[int]:
    """The addresses of type ``kind`` in known objects and variables: whole objects, and parts. An array counts by its
    first element. Bytes that an argument counts are apart, and nobody else knows where a struct by value is.
    """
    apart = {
        object_of(each.value)
        for each in heap.arguments
        if isinstance(each.value, int) and (each.room is not None or isinstance(each.type, RecordType))
    }
    elements = heap.element_numbers | apart
    return [
        address_of(heap_object.number, offset)
        for heap_object in heap.all
        if heap_object.cells is not None and heap_object.number not in elements
        for offset, part in heap_object.cells.parts
        if part == kind
    ]


def functions_of(step: Step, kind: Routine) -> list[str]:
    """The program's own functions of a type."""
    program, known = step.program, step.limits.callbacks
    return [name for name in program.defined if name in known and program.c_types.routine(name) == kind]


def functions_of_caller(step: Step, pointer: Pointer) -> list[str]:
    """What stands for a function of the caller's to which a pointer leads, if anything does."""
    callback = step.program.c_types.callback(pointer)
    return [callback] if callback in step.program.defined else []


def address_of_target(state: State, target: Target, limits: StepOptions) -> int:
    """The address of a target. A new object is made, untouched."""
    if isinstance(target, int):
        return target
    size, capacity = layout_of(limits, target)
    check_room(state, target.path, capacity)
    state.lazy = state.lazy.with_object(target)
    add_untouched(state.memory, target, size, capacity)
    return address_of(target.number)


def check_room(state: State, path: str, size: int) -> None:
    """Raises Unsupported for an object of so many bytes that the numbers of pointers have no room for it."""
    if state.memory.is_narrow and size > LARGEST_LAZY:
        raise Unsupported(f"{size} bytes at {path} in the input, where pointers have 32 bits")


def sized(step: Step, target: LazyObject, counts: Sequence[tuple[str, Value, int]]) -> tuple[LazyObject, Value]:
    """The object with as many elements as the largest of ``counts``, and when it fits (1 bit).

    Each count has its C expression and its bytes. Negative ones never fit.
    """
    first, *others = [build.zext(count, 8 * size, 64) for _, count, size in counts]
    length = first
    for other in others:
        length = build.ite(build.ult(length, other, 64), other, length, 64)
    names = " or ".join(name for name, _, _ in counts)
    step.state.lazy = step.state.lazy.assuming(f"{target.path} has as many elements as {names} says")
    fits = build.ule(length, most_elements(step.limits, target), 64)
    return replace(target, length=length, is_stated=True, is_text=False), fits


def add_untouched(memory: Memory, heap_object: LazyObject, size: Value, capacity: int) -> None:
    """Add an untouched object of ``size`` bytes to memory, with room for ``capacity``."""
    memory.add(heap_object.number, MemoryObject.unwritten(capacity, size, LAZY, heap_object.path))


def layout_of(limits: StepOptions, heap_object: LazyObject) -> tuple[Value, int]:
    """The size in bytes of an object as it was made, and its capacity."""
    if heap_object.cells is None:
        return 0, 0
    size, room = size_of(heap_object), room_of(limits, heap_object)
    return size, size if isinstance(size, int) else room


def size_of(heap_object: LazyObject) -> Value:
    """The size in bytes of an object with cells (64 bits)."""
    assert heap_object.cells is not None
    return build.add(heap_object.cells.base, build.mul(heap_object.length, heap_object.cells.stride, 64), 64)


def room_of(limits: StepOptions, heap_object: LazyObject) -> int:
    """The most bytes of an object of unknown length."""
    assert heap_object.cells is not None
    return heap_object.cells.base + most_elements(limits, heap_object) * heap_object.cells.stride


def most_elements(limits: StepOptions, heap_object: LazyObject) -> int:
    """The most elements of an object of unknown length."""
    assert heap_object.cells is not None
    return max((limits.max_size - heap_object.cells.base) // heap_object.cells.stride, 1)
