"""What is stowed is what it was before, and nobody sees what another one writes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unfork.engine.state.memory import FIRST_HEAP, UNINITIALISED, Memory, MemoryObject
from unfork.engine.state.stowed import Rows
from unfork.logic.terms.term_table import symbol

SIZE = 4_096
WRITES = st.lists(
    st.tuples(st.integers(0, SIZE - 8), st.sampled_from(("bytes", "term", "nothing")), st.integers(0, 255)),
    max_size=12,
)


def written(item: MemoryObject, offset: int, kind: str, value: int) -> None:
    if kind == "bytes":
        item.write(offset, 8, value * 0x01010101_01010101)
    elif kind == "term":
        item.write(offset, 8, symbol(f"s{value}", 64))
    else:
        item.make_uninitialised(offset, 8)


def contents(memory: Memory) -> list[object]:
    item = memory.objects[FIRST_HEAP]
    mask = item.mask or bytearray(SIZE)
    return [None if mask[i] == UNINITIALISED else item.byte(i) for i in range(SIZE)]


def memory_with(item: MemoryObject) -> Memory:
    memory = Memory()
    memory.add(FIRST_HEAP, item)
    return memory


def stow(memory: Memory, opened: list[MemoryObject]) -> None:
    for item in memory.objects.stow(Rows()):
        item.stow(opened)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), WRITES), max_size=8))
def test_pages_are_shared_until_they_are_written(turns: list[tuple[int, bool, list[tuple[int, str, int]]]]) -> None:
    """Paths fork, write and are stowed in any order; each reads what it would read if nothing were ever stowed."""
    first = memory_with(MemoryObject(bytearray(SIZE), SIZE, "heap", "malloc"))
    plain = memory_with(MemoryObject(bytearray(SIZE), SIZE, "heap", "malloc"))
    pairs, opened = [(first, plain)], list[MemoryObject]()
    for number, forks, writes in turns:
        memory, twin = pairs[number % len(pairs)]
        if forks:
            pairs.append((memory.fork(), twin.fork()))
        for offset, kind, value in writes:
            written(memory.writable(FIRST_HEAP), offset, kind, value)
            written(twin.writable(FIRST_HEAP), offset, kind, value)
        stow(memory, opened)
        if number == 3:
            for item in opened:
                item.stow(opened)
    for memory, twin in pairs:
        assert contents(memory) == contents(twin)


def test_a_write_in_one_state_is_not_seen_in_another() -> None:
    memory = memory_with(MemoryObject(bytearray(SIZE), SIZE, "heap", "malloc"))
    other = memory.fork()
    stow(memory, [])
    stow(other, [])
    other.writable(FIRST_HEAP).write(255, 2, 0xBEEF)  # across a border of pages
    stow(other, [])
    assert other.objects[FIRST_HEAP].read(255, 2) == 0xBEEF
    assert memory.objects[FIRST_HEAP].read(255, 2) == 0


@pytest.mark.parametrize("more", [1, 100, SIZE])
def test_an_object_that_grows_keeps_all_of_its_bytes(more: int) -> None:
    memory = memory_with(MemoryObject(bytearray(SIZE + 10), SIZE + 10, "heap", "malloc"))
    stow(memory, [])
    item = memory.writable(FIRST_HEAP)
    item.data += bytes([1]) * more
    stow(memory, [])
    item.stow([])
    assert item.is_stowed
    assert item.data == bytes(SIZE + 10) + bytes([1]) * more


def test_copies_share_the_pages_that_are_alike() -> None:
    memory = memory_with(MemoryObject(bytearray(range(256)) * 16, SIZE, "heap", "malloc"))
    other = memory.fork()
    stow(memory, [])
    other.writable(FIRST_HEAP).write(1_000, 1, 7)
    stow(other, [])
    mine, theirs = memory.objects[FIRST_HEAP].pages, other.objects[FIRST_HEAP].pages
    assert mine is not None and theirs is not None
    differing = [number for number, (a, b) in enumerate(zip(mine.data, theirs.data, strict=True)) if a is not b]
    assert differing == [1_000 // len(mine.data[0])]


@given(st.lists(st.lists(st.integers(0, 5), min_size=20, max_size=20), max_size=30))
def test_rows_come_back_as_they_were(rows: list[list[int]]) -> None:
    table = Rows()
    stowed = [table.of("kind", row) for row in rows]
    assert [row.restored() for row in stowed] == rows


@given(st.lists(st.dictionaries(st.integers(0, 40), st.integers(0, 3)), max_size=30))
def test_tables_keep_their_order(tables: list[dict[int, int]]) -> None:
    rows = Rows()
    assert [list(row.table().items()) for row in [rows.of_table(table) for table in tables]] == [
        list(table.items()) for table in tables
    ]


def test_rows_that_differ_in_little_share_the_rest() -> None:
    rows, values = Rows(), [object() for _ in range(100)]
    base = rows.of("kind", values)
    other = rows.of("kind", [*values[:50], object(), *values[51:]])
    assert other.base is base.base
    assert other.places == (50,)
    assert rows.of("kind", list(values)) is base
