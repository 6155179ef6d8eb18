"""The law of the layout of 32 bits: around an object, numbers and pointers are one to one."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from unfork.engine.state import narrow_layout
from unfork.engine.state.flat_layout import address_at, number_of
from unfork.engine.state.memory import FIRST_STACK, Memory, MemoryObject, address_of, object_of
from unfork.engine.state.names import Names, heap_name

SIZES = st.lists(st.integers(0, 5000), min_size=1, max_size=6)


def memory_of(sizes: list[int], freed: int) -> tuple[Memory, list[int]]:
    """A memory with a block, and a local, of each size; the blocks before ``freed`` are freed."""
    memory, names, used, numbers = Memory(is_narrow=True), Names(is_narrow=True), 0, []
    for position, size in enumerate(sizes):
        number, used = heap_name(used, size, is_narrow=True)
        memory.add(number, MemoryObject(bytearray(size), size, "heap", "block"))
        local = names.plain_local(1, "f", position, 0, size, 16)
        memory.add(local, MemoryObject(bytearray(size), size, "stack", "local"))
        numbers += [number, local]
        if position < freed:
            memory.free(number)
    return memory, numbers


@given(SIZES, st.integers(0, 6), st.data())
def test_a_pointer_near_an_object_comes_back(sizes: list[int], freed: int, data: st.DataObject) -> None:
    memory, numbers = memory_of(sizes, freed)
    which = data.draw(st.integers(0, len(numbers) - 1))
    size = sizes[which // 2]
    pointer = address_of(numbers[which], data.draw(st.integers(-narrow_layout.FRONT, size + narrow_layout.FRONT - 1)))
    number = number_of(pointer, memory)
    assert 0 <= number < 1 << 32
    assert address_at(number, memory) == pointer


@given(SIZES)
def test_objects_lie_apart(sizes: list[int]) -> None:
    memory, numbers = memory_of(sizes, 0)
    starts = {name: narrow_layout.start_of(name) for name in numbers}
    lie = sorted((start, start + len(memory.objects[name].data)) for name, start in starts.items())
    assert all(end + 2 * narrow_layout.FRONT <= start for (_, end), (start, _) in pairwise(lie))
    assert all(start % 16 == 0 for start, _ in lie)


@given(st.integers(0, (1 << 32) - 1))
def test_a_number_of_no_object_comes_back(number: int) -> None:
    memory = Memory(is_narrow=True)
    pointer = address_at(number, memory)
    assert number_of(pointer, memory) == number
    assert object_of(pointer) not in memory.objects
    assert narrow_layout.name_at(number) is None or object_of(pointer) == narrow_layout.name_at(number)


def test_null_and_errors_stay_what_they_are() -> None:
    memory = Memory(is_narrow=True)
    assert [address_at(number, memory) for number in (0, 1, (1 << 32) - 1)] == [0, 1, (1 << 64) - 1]
    assert narrow_layout.start_of(FIRST_STACK) == 1 << 31
