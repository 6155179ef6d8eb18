"""Addresses as numbers: there and back is the same, objects lie apart, and small ones near each other."""

from __future__ import annotations

import pytest

from unfork.engine.state.flat_layout import (
    END,
    GRAIN,
    IMAGE,
    LOWEST_ADDRESS,
    ROOM,
    address_at,
    aligned,
    number_in,
    number_of,
    object_named,
    start_of,
    windows,
)
from unfork.engine.state.memory import (
    END_OF_NAMES,
    FIRST_HEAP,
    FIRST_LAZY,
    FIRST_STACK,
    FIRST_STATIC,
    Memory,
    MemoryObject,
    address_of,
)
from unfork.engine.state.names import heap_name

FIRSTS = (FIRST_STATIC, FIRST_HEAP, FIRST_HEAP + 5, FIRST_LAZY, FIRST_STACK, END_OF_NAMES - 1)
SIZES = (0, 1, 8, ROOM, ROOM + 1, 5 * GRAIN, 100_000)


def holding(name: int, size: int) -> Memory:
    memory = Memory()
    memory.add(name, MemoryObject(bytearray(size), size, "heap", "malloc"))
    return memory


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [one for one in FIRSTS if one + 10 < END_OF_NAMES])
def test_there_and_back_is_the_same(name: int, size: int) -> None:
    memory = holding(name, size)
    for offset in {-1, 0, 1, size // 2, max(size - 1, 0), size, size + 1}:
        pointer = address_of(name, offset)
        number = number_of(pointer, memory)
        assert IMAGE <= number < END <= LOWEST_ADDRESS
        assert address_at(number, memory) == pointer
        assert object_named(pointer) == name and number_in(pointer, memory) == number
        assert number & (GRAIN - 1) == pointer & (GRAIN - 1)


@pytest.mark.parametrize("size", SIZES)
def test_blocks_lie_apart(size: int) -> None:
    first, used = heap_name(3, size)
    second, _ = heap_name(used, 1)
    assert start_of(second) > start_of(first) + size
    assert second - first == windows(size)


def test_a_freed_block_is_still_named() -> None:
    memory = holding(FIRST_HEAP, 5 * GRAIN)
    memory.free(FIRST_HEAP)
    pointer = address_of(FIRST_HEAP, 4 * GRAIN)
    assert address_at(number_of(pointer, memory), memory) == pointer


def test_what_is_no_address_stays() -> None:
    memory = Memory()
    masks = 1 << 60 | 1 << 39, 1 << 47 | 1 << 39
    for word in (0, 1, 4096, IMAGE - 1, END, (1 << 64) - 1, 0x3FF8_0000_0000_0000, *masks):
        assert address_at(word, memory) == number_in(word, memory) == word
        assert number_of(word, memory) == word or number_of(word, memory) < END


def test_variables_lie_near_each_other_and_are_aligned() -> None:
    assert start_of(FIRST_HEAP // 2) - start_of(FIRST_STATIC) < 1 << 31
    for alignment in (1, 16, GRAIN, 1 << 20):
        name = aligned(FIRST_STATIC + 3, alignment)
        assert start_of(name) % alignment == 0 and address_of(name) % alignment == 0
