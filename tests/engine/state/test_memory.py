from __future__ import annotations

import pickle
import random

import pytest

from unfork.engine.state.memory import FIRST_HEAP, UNINITIALISED, Memory, MemoryObject, address_of, object_of, offset_in
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol


def concrete(size: int, kind: str = "heap") -> MemoryObject:
    return MemoryObject(bytearray(size), size, kind, "object")


def unwritten(size: int) -> MemoryObject:
    return MemoryObject(bytearray(size), size, "heap", "object", mask=bytearray([UNINITIALISED]) * size)


@pytest.mark.parametrize("offset", [0, 1, 4095, -1, -4096, 2**38, -(2**38)])
def test_an_address_names_its_object_wherever_it_points(offset: int) -> None:
    address = address_of(77, offset)
    assert (object_of(address), offset_in(address)) == (77, offset)


def test_a_word_reads_back_as_it_was_written() -> None:
    item = concrete(16)
    item.write(3, 4, 0x11223344)
    assert item.read(3, 4) == 0x11223344
    assert item.read(3, 1) == 0x44
    assert item.mask is None


def test_a_term_reads_back_as_itself() -> None:
    item = concrete(16)
    x = symbol("x", 32)
    item.write(4, 4, x)
    assert item.read(4, 4) is x
    assert not item.is_concrete(0, 16)
    assert item.is_concrete(0, 4)


def test_mixed_bytes_are_put_together() -> None:
    item = concrete(8)
    x = symbol("x", 16)
    item.write(0, 8, 0x8877665544332211)
    item.write(2, 2, x)
    value = item.read(0, 8)
    assert isinstance(value, Term)
    assert evaluate(value, Model({x: 0xABCD})) == 0x88776655ABCD2211


def test_parts_of_a_term_read_as_one_piece() -> None:
    item = concrete(8)
    x = symbol("x", 64)
    item.write(0, 8, x)
    value = item.read(2, 4)
    assert isinstance(value, Term)
    assert value.op == "extract"
    assert evaluate(value, Model({x: 0x8877665544332211})) == 0x66554433


def test_overwriting_forgets_symbolic_bytes() -> None:
    item = concrete(8)
    item.write(0, 8, symbol("x", 64))
    item.write(2, 2, 0)
    assert item.symbolic is not None
    assert sorted(item.symbolic) == [0, 1, 4, 5, 6, 7]
    item.write(0, 8, 5)
    assert not item.symbolic
    assert item.mask is None, "a whole object of concrete bytes is on the fast path again"
    assert item.read(0, 8) == 5


def test_unwritten_bytes_are_found_and_fill_up() -> None:
    item = unwritten(10)
    assert item.uninitialised_runs(0, 10) == [(0, 10)]
    item.write(2, 4, 7)
    item.write(7, 1, symbol("x", 8))
    assert item.uninitialised_runs(0, 10) == [(0, 2), (6, 1), (8, 2)]
    assert item.uninitialised_runs(2, 4) == []
    item.write(0, 2, 0)
    item.write(6, 1, 0)
    item.write(7, 1, 0)
    item.write(8, 2, 0)
    assert item.mask is None


def test_a_fork_copies_only_what_is_written() -> None:
    memory = Memory()
    memory.add(5, concrete(8))
    memory.add(6, concrete(8))
    other = memory.fork()
    assert other.objects[5] is memory.objects[5]
    other.writable(5).write(0, 1, 9)
    assert memory.objects[5].read(0, 1) == 0
    assert other.objects[5].read(0, 1) == 9
    assert other.objects[6] is memory.objects[6]
    memory.writable(6).write(0, 1, 3)
    assert other.objects[6].read(0, 1) == 0


def test_a_second_write_after_a_fork_copies_no_more() -> None:
    memory = Memory()
    memory.add(5, concrete(8))
    memory.fork()
    first = memory.writable(5)
    assert memory.writable(5) is first


def test_freeing_on_one_side_leaves_the_other_alone() -> None:
    memory = Memory()
    memory.add(FIRST_HEAP, concrete(8))
    other = memory.fork()
    other.free(FIRST_HEAP)
    assert FIRST_HEAP in memory.objects
    assert FIRST_HEAP not in memory.freed
    assert other.freed[FIRST_HEAP].why == "freed"
    third = other.fork()
    third.add(FIRST_HEAP + 1, concrete(1))
    third.free(FIRST_HEAP + 1)
    assert FIRST_HEAP + 1 not in other.freed


def test_read_only_objects_have_no_owner() -> None:
    memory = Memory()
    item = MemoryObject(bytearray(b"abc"), 3, "global", "text", read_only=True)
    memory.add(2, item)
    assert item.owner is None


def test_copies_keep_terms_and_unwritten_bytes() -> None:
    source, target = unwritten(12), concrete(12)
    x = symbol("x", 32)
    source.write(0, 4, x)
    source.write(4, 2, 0x0102)
    target.copy_range(2, source, 0, 8)
    assert target.read(2, 4) is x
    assert target.read(6, 2) == 0x0102
    assert target.uninitialised_runs(0, 12) == [(8, 2)]


@pytest.mark.parametrize("offset", [1, 3])
def test_overlapping_copies_behave_as_memmove(offset: int) -> None:
    item = concrete(12)
    x = symbol("x", 32)
    item.write(0, 8, 0x8877665544332211)
    item.write(2, 4, x)
    expected = [item.byte(i) for i in range(8)]
    item.copy_range(offset, item, 0, 8)
    assert [item.byte(offset + i) for i in range(8)] == expected


def test_a_pickled_memory_is_the_same() -> None:
    memory = Memory()
    item = unwritten(8)
    item.write(0, 4, symbol("x", 32))
    memory.add(FIRST_HEAP, item)
    memory.add(3, MemoryObject(bytearray(b"abc"), 3, "global", "text", read_only=True))
    twin = pickle.loads(pickle.dumps(memory))
    assert twin.same(memory)
    assert twin.objects[FIRST_HEAP].owner is twin.token
    assert twin.objects[3].owner is None


def test_contents_are_compared_by_bytes_and_terms() -> None:
    left, right = concrete(8), concrete(8)
    assert left.is_same(right)
    left.write(0, 4, symbol("x", 32))
    assert not left.is_same(right)
    right.write(0, 4, symbol("x", 32))
    assert left.is_same(right)
    right.write(0, 4, symbol("y", 32))
    assert not left.is_same(right)
    assert not left.is_same(concrete(9))


def test_random_writes_agree_with_a_list_of_bytes() -> None:
    """Law: an object is a list of byte values, whatever widths it is written and read with."""
    generator = random.Random(11)
    model = Model({symbol(f"s{i}", 64): generator.getrandbits(64) for i in range(20)})
    item = concrete(64)
    expected = [0] * 64
    names = 0
    for _ in range(600):
        size = generator.choice([1, 2, 3, 4, 8])
        offset = generator.randrange(64 - size)
        value: Value
        if generator.random() < 0.4:
            term = symbol(f"s{names % 20}", 64)
            names += 1
            from_low = generator.randrange(9 - size)
            value = build.extract(term, 8 * from_low, 8 * size)
        else:
            value = generator.getrandbits(8 * size)
        item.write(offset, size, value)
        number = evaluate(value, model)
        expected[offset : offset + size] = number.to_bytes(size, "little")
        if generator.random() < 0.3:
            start, goal, count = generator.randrange(48), generator.randrange(48), generator.randrange(16)
            item.copy_range(goal, item, start, count)
            expected[goal : goal + count] = expected[start : start + count]
        width = generator.choice([1, 2, 4, 8])
        at = generator.randrange(64 - width)
        found = evaluate(item.read(at, width), model)
        assert found == int.from_bytes(bytes(expected[at : at + width]), "little")
