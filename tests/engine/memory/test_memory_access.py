from __future__ import annotations

from typing import Any

import pytest

from unfork.engine.memory.loads import load, store
from unfork.engine.memory.ranges import copy
from unfork.engine.state.flat_layout import number_of
from unfork.engine.state.memory import address_of
from unfork.engine.step.numbers import move_pointer
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.types import ArrayType, IntType

WORDS = ArrayType(8, IntType(32))
X = symbol("x", 64)
Y = symbol("y", 64)
C = symbol("c", 1)
TABLE = b"".join([(i * i + 7).to_bytes(4, "little") for i in range(8)])


def test_a_load_gives_what_was_stored(bench: Any) -> None:
    place = bench.place(8)
    bench.one(lambda step: store(step, place, 0x01020304, 4))
    assert bench.one(lambda step: load(step, place + 1, 2)) == 0x0203


def test_null_is_its_own_fault(bench: Any) -> None:
    assert bench.explore(lambda step: load(step, 8, 4)) == []
    assert bench.kinds == ["null-dereference"]


def test_behind_the_end_and_before_the_start(bench: Any) -> None:
    place = bench.place(8, data=b"")
    for address in (place + 5, place + 8, place - 1):
        bench.explore(lambda step, address=address: load(step, address, 4))
    assert bench.kinds == ["out-of-bounds"] * 3
    assert "offset 5 of" in bench.faults[0].message
    assert "offset -1 of" in bench.faults[2].message


def test_the_end_of_an_object_is_no_other_object(bench: Any) -> None:
    first = bench.place(8, data=b"")
    bench.place(8, data=b"")
    bench.explore(lambda step: load(step, first + 16, 1))
    assert bench.kinds == ["out-of-bounds"]


def test_stores_to_constants_are_faults(bench: Any) -> None:
    place = bench.text("abc")
    bench.explore(lambda step: store(step, place, 0, 1))
    assert bench.kinds == ["read-only"]


def test_freed_blocks_and_dead_locals_are_used_after_free(bench: Any) -> None:
    block = bench.result("malloc", 8)
    bench.result("free", block)
    bench.explore(lambda step: load(step, block + 4, 4))
    local = bench.place(4, kind="stack")
    bench.state.memory.objects.drop(local >> 40)
    bench.explore(lambda step: store(step, local, 1, 4))
    assert bench.kinds == ["use-after-free", "use-after-free"]
    assert "out of scope" in bench.faults[1].message


def test_unwritten_bytes_are_fresh_once(bench: Any) -> None:
    place = bench.place(8)
    first = bench.one(lambda step: load(step, place, 4))
    assert isinstance(first, Term)
    assert bench.one(lambda step: load(step, place, 4)) is first
    assert [(one.kind, one.size) for one in bench.state.inputs] == [("uninit", 4)]
    assert next(iter(bench.state.inputs)).name.startswith("uninit:")


def test_copies_of_an_unwritten_byte_agree(bench: Any) -> None:
    source, target = bench.place(8), bench.place(8)
    bench.one(lambda step: copy(step, target, source, 8))
    assert not bench.state.inputs
    a = bench.one(lambda step: load(step, target + 2, 1))
    b = bench.one(lambda step: load(step, source + 2, 1))
    assert isinstance(a, Term)
    assert a is b
    assert len(bench.state.inputs) == 1


# --- symbolic offsets ---


def test_a_read_at_a_symbolic_index_is_exact(bench: Any) -> None:
    place = bench.place(32, data=TABLE, type=WORDS)
    pointer = build.add(place, build.mul(X, 4, 64), 64)
    value = bench.one(lambda step: load(step, pointer, 4))
    assert bench.kinds == ["out-of-bounds"]
    for i in range(8):
        assert evaluate(value, Model({X: i})) == i * i + 7


def test_a_read_at_a_byte_offset_may_straddle_words(bench: Any) -> None:
    place = bench.place(32, data=bytes(range(32)))
    value = bench.one(lambda step: load(step, build.add(place, X, 64), 4))
    for i in range(29):
        assert evaluate(value, Model({X: i})) == int.from_bytes(bytes(range(i, i + 4)), "little")


def test_an_index_known_to_be_small_has_no_fault(bench: Any) -> None:
    place = bench.place(32, data=TABLE, type=WORDS)
    bench.assume(build.ult(X, 3, 64))
    pointer = build.add(place + 4, build.shl(X, 2, 64), 64)
    value = bench.one(lambda step: load(step, pointer, 4))
    assert bench.outcomes == []
    assert [evaluate(value, Model({X: i})) for i in range(3)] == [8, 11, 16]


def test_a_write_at_a_symbolic_index_is_exact(bench: Any) -> None:
    place = bench.place(32, data=TABLE, type=WORDS)
    bench.assume(build.ult(X, 8, 64))
    pointer = build.add(place, build.shl(X, 2, 64), 64)
    bench.one(lambda step: store(step, pointer, 99, 4))
    for i in range(8):
        for k in range(8):
            value = bench.one(lambda step, k=k: load(step, place + 4 * k, 4))
            assert evaluate(value, Model({X: i})) == (99 if i == k else k * k + 7)


def test_a_write_at_an_odd_offset_is_exact(bench: Any) -> None:
    place = bench.place(12, data=bytes(range(12)))
    bench.assume(build.ule(X, 8, 64))
    bench.one(lambda step: store(step, build.add(place, X, 64), 0xA3A2A1A0, 4))
    for i in range(9):
        expected = bytearray(range(12))
        expected[i : i + 4] = b"\xa0\xa1\xa2\xa3"
        value = bench.one(lambda step: load(step, place, 8))
        assert evaluate(value, Model({X: i})) == int.from_bytes(expected[:8], "little")


def test_a_range_too_wide_for_one_choice_is_split(bench: Any) -> None:
    place = bench.place(10_000, data=bytes(10_000))
    bench.assume(build.ult(X, 10_000, 64))
    found = bench.explore(lambda step: load(step, build.add(place, X, 64), 1))
    assert len(found) == 3
    assert bench.outcomes == []


def test_a_symbolic_object_is_read_at_a_symbolic_index(bench: Any) -> None:
    place = bench.place(8, data=b"")
    symbols = bench.write_symbols(place, "s", 8)
    bench.assume(build.ult(X, 8, 64))
    value = bench.one(lambda step: load(step, build.add(place, X, 64), 1))
    model = {one: 10 + i for i, one in enumerate(symbols)}
    assert [evaluate(value, Model({**model, X: i})) for i in range(8)] == list(range(10, 18))


# --- pointers to several objects ---


def test_a_choice_of_objects_is_read_without_forking(bench: Any) -> None:
    a, b = bench.place(4, data=b"\x01"), bench.place(4, data=b"\x02")
    value = bench.one(lambda step: load(step, build.ite(C, a, b, 64), 4))
    assert bench.outcomes == []
    assert [evaluate(value, Model({C: c})) for c in (0, 1)] == [2, 1]


def test_a_choice_of_objects_is_written_without_forking(bench: Any) -> None:
    a, b = bench.place(4, data=b"\x01"), bench.place(4, data=b"\x02")
    bench.one(lambda step: store(step, build.ite(C, a, b, 64), 9, 4))
    left, right = bench.one(lambda step: (load(step, a, 4), load(step, b, 4)))
    assert [(evaluate(left, Model({C: c})), evaluate(right, Model({C: c}))) for c in (0, 1)] == [(1, 9), (9, 2)]


def test_a_choice_with_an_index_is_exact(bench: Any) -> None:
    a, b = bench.place(8, data=bytes(range(8))), bench.place(8, data=bytes(range(100, 108)))
    bench.assume(build.ult(X, 8, 64))
    pointer = build.add(build.ite(C, a, b, 64), X, 64)
    value = bench.one(lambda step: load(step, pointer, 1))
    assert bench.outcomes == []
    assert evaluate(value, Model({C: 1, X: 3})) == 3
    assert evaluate(value, Model({C: 0, X: 5})) == 105


def test_null_among_the_choices_is_a_fault_under_its_guard(bench: Any) -> None:
    a = bench.place(4, data=b"\x05")
    value = bench.one(lambda step: load(step, build.ite(C, a, 0, 64), 4))
    assert bench.kinds == ["null-dereference"]
    assert evaluate(value, Model({C: 1})) == 5
    assert bench.chain.must(bench.state.path, C)


def test_the_shorter_of_two_objects_faults_under_its_guard(bench: Any) -> None:
    a, b = bench.place(4, data=b""), bench.place(8, data=b"")
    bench.explore(lambda step: load(step, build.ite(C, a + 4, b + 4, 64), 4))
    assert bench.kinds == ["out-of-bounds"]
    assert bench.chain.must(bench.state.path, build.not_(C, 1))


def test_a_wild_pointer_forks_over_objects_and_faults(bench: Any) -> None:
    a, b = bench.place(4, data=b"\x01"), bench.place(4, data=b"\x02")
    found = bench.explore(lambda step: load(step, X, 4))
    assert set(bench.kinds) == {"null-dereference", "out-of-bounds"}
    values = {bench.chain.evaluate(state.path, value) for state, value in found}
    assert values == {1, 2}
    assert len(found) == 2
    addresses = {bench.chain.evaluate(state.path, X) for state, _ in found}
    assert addresses == {number_of(a, bench.state.memory), number_of(b, bench.state.memory)}


def test_an_opaque_choice_is_resolved_exactly(bench: Any) -> None:
    """A pointer that only its path condition ties to objects."""
    a, b = bench.place(4, data=b"\x01"), bench.place(4, data=b"\x02")
    first, second = (number_of(one, bench.state.memory) for one in (a, b))
    bench.assume(build.either(build.eq(X, first, 64), build.eq(X, second, 64)))
    found = bench.explore(lambda step: load(step, X, 4))
    assert bench.outcomes == []
    assert {value if isinstance(value, int) else None for _, value in found} <= {1, 2, None}
    assert len(found) == 2


def test_a_pointer_moved_from_one_block_to_another(bench: Any) -> None:
    """``new + (p - old)``: the difference of two bases is no base, whatever object its high bits happen to name."""
    for _ in range(8):
        bench.place(4, data=b"\x63")
    old, other = bench.place(8, data=b""), bench.place(8, data=b"")
    new = bench.place(8, data=bytes(range(8)))
    start = number_of(old, bench.state.memory)
    bench.assume(build.either(build.eq(X, start + 2, 64), build.eq(X, start + 5, 64)))
    assert other != old
    results = bench.explore(
        lambda step: load(step, move_pointer(step, new, build.add(new, build.sub(X, start, 64), 64)), 1)
    )
    assert bench.outcomes == []
    for state, value in results:
        where = bench.chain.evaluate(state.path, X) - start
        assert bench.chain.evaluate(state.path, value) == where


# --- symbolic sizes ---


def test_a_block_of_symbolic_size_has_symbolic_bounds(bench: Any) -> None:
    block = bench.result("malloc", X)
    assert [one.reason for one in bench.outcomes] == ["capacity"]
    bench.outcomes.clear()
    bench.explore(lambda step: store(step, block + 10, 1, 4))
    assert bench.kinds == ["out-of-bounds"]
    assert bench.chain.must(bench.state.path, build.uge(X, 14, 64))


def test_an_object_of_symbolic_size_ends_at_its_capacity(bench: Any) -> None:
    bench.assume(build.both(build.ule(1, X, 64), build.ule(X, 4, 64)))
    small = bench.result("malloc", X)
    large = bench.place(8)
    bench.one(lambda step: store(step, build.ite(C, small + 5, large + 5, 64), 7, 1))
    assert bench.kinds == ["out-of-bounds"]
    assert bench.one(lambda step: load(step, large + 5, 1)) == 7


def test_a_symbolic_index_into_a_symbolic_size(bench: Any) -> None:
    block = bench.result("calloc", X, 1)
    bench.outcomes.clear()
    bench.assume(build.ult(Y, X, 64))
    value = bench.one(lambda step: load(step, build.add(block, Y, 64), 1))
    assert value == 0 or evaluate(value, Model({})) == 0
    assert bench.outcomes == []


@pytest.mark.parametrize("count", [0, 3, 8])
def test_copies_of_symbolic_length_are_exact(bench: Any, count: int) -> None:
    source, target = bench.place(8, data=b"abcdefgh"), bench.place(8, data=b"01234567")
    bench.assume(build.ule(X, 8, 64))
    bench.one(lambda step: copy(step, target, source, X))
    assert bench.outcomes == []
    value = bench.one(lambda step: load(step, target, 8))
    expected = b"abcdefgh"[:count] + b"01234567"[count:]
    assert evaluate(value, Model({X: count})) == int.from_bytes(expected, "little")


def test_a_copy_of_symbolic_length_faults_beyond_the_end(bench: Any) -> None:
    source, target = bench.place(8, data=b""), bench.place(4, data=b"")
    bench.one(lambda step: copy(step, target, source, X))
    assert bench.kinds == ["out-of-bounds", "out-of-bounds"]
    assert bench.chain.must(bench.state.path, build.ule(X, 4, 64))


def test_copies_of_no_bytes_never_fault(bench: Any) -> None:
    bench.one(lambda step: copy(step, 0, 0, 0))
    bench.one(lambda step: copy(step, 0, address_of(99), build.and_(X, 0, 64)))
    assert bench.outcomes == []


def test_a_struct_is_copied_at_a_symbolic_index(bench: Any) -> None:
    source, target = bench.place(48, data=bytes(range(48))), bench.place(12, data=b"")
    bench.assume(build.ult(X, 4, 64))
    pointer = build.add(source, build.mul(X, 12, 64), 64)
    bench.one(lambda step: copy(step, target, pointer, 12))
    assert bench.outcomes == []
    value = bench.one(lambda step: load(step, target + 8, 4))
    assert evaluate(value, Model({X: 2})) == int.from_bytes(bytes(range(32, 36)), "little")
