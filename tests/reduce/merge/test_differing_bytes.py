"""Differing bytes of two versions of an object: as a look at each byte says, wherever they lie among the pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from unfork.engine.state.memory import CONCRETE, SYMBOLIC, UNINITIALISED, MemoryObject
from unfork.engine.state.origins import ByteOrigins, OriginRange, UnwrittenBytes
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.merge import differing_bytes
from unfork.reduce.merge.differing_bytes import differing

SIZE = 3 * differing_bytes._PAGE + 100
PAGE = differing_bytes._PAGE
PLACES = some.one_of(some.integers(0, 20), some.integers(PAGE - 8, PAGE + 8), some.integers(SIZE - 30, SIZE - 8))
VALUES = some.one_of(some.integers(0, 2), some.sampled_from([symbol("x", 16), symbol("y", 16)]))
WRITES = some.lists(some.tuples(PLACES, VALUES), max_size=6)


def made(written: bool, writes: list[tuple[int, Value]]) -> MemoryObject:
    item = MemoryObject.unwritten(SIZE, SIZE, "heap", "malloc")
    if written:
        item.write_bytes(0, bytes(SIZE))
    for place, value in writes:
        item.write(place, 2, value)
    return item


def differ(a: MemoryObject, b: MemoryObject, position: int) -> bool:
    kinds = [CONCRETE if item.mask is None else item.mask[position] for item in (a, b)]
    if UNINITIALISED in kinds:
        origins = [item.origin(position) for item in (a, b)]
        return kinds[0] != kinds[1] or origins[0] != origins[1]
    return a.byte(position) is not b.byte(position) or kinds[0] != kinds[1]


def by_each_byte(a: MemoryObject, b: MemoryObject, count: int) -> list[tuple[int, int]]:
    positions = [position for position in range(count) if differ(a, b, position)]
    runs: list[tuple[int, int]] = []
    for position in positions:
        start = runs.pop()[0] if runs and runs[-1][1] == position else position
        runs.append((start, position + 1))
    return runs


@given(some.booleans(), some.booleans(), WRITES, WRITES, some.sampled_from([SIZE, PAGE, PAGE + 3]))
def test_the_runs_are_those_of_a_look_at_each_byte(
    first: bool, second: bool, mine: list[tuple[int, Value]], theirs: list[tuple[int, Value]], count: int
) -> None:
    a, b = made(first, mine), made(second, theirs)
    assert differing(a, b, count) == by_each_byte(a, b, count)


def test_a_run_over_the_end_of_a_page_is_one() -> None:
    a, b = made(True, []), made(True, [])
    a.write_bytes(PAGE - 3, b"abcdef")
    assert differing(a, b, SIZE) == [(PAGE - 3, PAGE + 3)]


def test_copies_of_different_unwritten_bytes_differ() -> None:
    a, b = made(False, []), made(False, [])
    one, two = UnwrittenBytes("one"), UnwrittenBytes("two")
    a.origins = ByteOrigins((OriginRange(5, 7, one, 5),))
    b.origins = ByteOrigins((OriginRange(5, 6, one, 5), OriginRange(6, 7, two, 5)))
    a.mask = bytearray(b"\x02" * SIZE)
    assert SYMBOLIC not in a.mask
    assert differing(a, b, SIZE) == [(6, 7)]
