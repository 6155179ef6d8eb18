from __future__ import annotations

import random
from typing import Any

import pytest

from unfork.engine.memory.loads import load, store
from unfork.engine.memory.ranges import compare, copy, fill
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

CELLS = 8
ROOM = 700
"""Bytes of an object that ranges of unknown lengths are written to, at unknown places."""


@pytest.mark.parametrize("seed", range(12))
def test_an_array_is_the_list_of_its_cells(bench: Any, seed: int) -> None:
    """Law: writes and reads at concrete and symbolic indices, in any order: a read gives what was written last."""
    generator = random.Random(seed)
    indices = [symbol(f"i{k}", 64) for k in range(4)]
    contents = [symbol(f"v{k}", 32) for k in range(4)]
    model = Model(
        {one: generator.randrange(CELLS) for one in indices} | {one: generator.getrandbits(32) for one in contents}
    )
    for one in indices:
        bench.assume(build.ult(one, CELLS, 64))
    bench.assume(build.eq(build.and_(indices[0], 1, 64), model.values[indices[0]] & 1, 64))
    first, second = bench.place(4 * CELLS, data=b""), bench.place(4 * CELLS, data=bytes(range(4 * CELLS)))
    expected = {
        first: [0] * CELLS,
        second: [int.from_bytes(bytes(range(4 * i, 4 * i + 4)), "little") for i in range(CELLS)],
    }
    choice = symbol("c", 1)
    model = Model({**model.values, choice: generator.randrange(2)})
    for _ in range(25):
        base: Value = generator.choice([first, second, build.ite(choice, first, second, 64)])
        index: Value = generator.choice([*indices, generator.randrange(CELLS)])
        pointer = build.add(base, build.shl(index, 2, 64), 64)
        which, cell = evaluate(base, model), evaluate(index, model)
        if generator.random() < 0.5:
            value: Value = generator.choice([*contents, generator.getrandbits(32)])
            bench.one(lambda step, pointer=pointer, value=value: store(step, pointer, value, 4))
            expected[which][cell] = evaluate(value, model)
        else:
            found = bench.one(lambda step, pointer=pointer: load(step, pointer, 4))
            assert evaluate(found, model) == expected[which][cell]
        assert bench.outcomes == []


def test_reading_back_a_symbolic_write_is_short(bench: Any) -> None:
    """``a[i] = v; a[j]`` compares the indices once, however large the array."""
    place = bench.place(1024, data=b"")
    i, j, v = symbol("i", 8), symbol("j", 8), symbol("v", 32)
    at = [build.add(place, build.shl(build.zext(one, 8, 64), 2, 64), 64) for one in (i, j)]
    bench.one(lambda step: store(step, at[0], v, 4))
    found = bench.one(lambda step: load(step, at[1], 4))
    assert found is build.ite(build.eq(i, j, 8), v, 0, 32)
    bench.one(lambda step: store(step, place + 40, 5, 4))
    found = bench.one(lambda step: load(step, at[1], 4))
    assert isinstance(found, Term)
    for a, b in ((1, 1), (1, 2), (10, 10), (3, 10)):
        expected = 5 if b == 10 else 77 if a == b else 0
        assert evaluate(found, Model({i: a, j: b, v: 77})) == expected


@pytest.mark.parametrize("seed", range(8))
def test_a_range_at_an_unknown_place_is_that_of_a_list_of_bytes(bench: Any, seed: int) -> None:
    """Law: copies and fills of any length, from and to any offset, change the bytes of a list as slices do."""
    generator = random.Random(seed)
    data = [generator.randbytes(ROOM), generator.randbytes(ROOM)]
    to, source = [bench.place(ROOM, data=each) for each in data]
    expected, known = bytearray(data[0]), dict[Term, int]()
    for turn in range(3):
        goal, start, length, byte = [symbol(f"{name}{turn}", 64) for name in ("goal", "start", "length", "byte")]
        kind = generator.choice(["from an unknown place", "from a known place", "of a known length", "fill"])
        most = 600 if kind == "of a known length" else generator.choice([12, 90, 600])
        known |= {goal: generator.randrange(ROOM - most), start: generator.randrange(ROOM - most)}
        known |= {length: generator.randrange(most // 6, most), byte: generator.randrange(256)}
        for one, end in ((goal, ROOM - most), (start, ROOM - most), (length, most)):
            bench.assume(build.ult(one, end, 64))
        size: Value = known[length] if kind == "of a known length" else length
        begin: Value = known[start] if kind == "from a known place" else start
        changed = slice(known[goal], known[goal] + known[length])
        target, origin = build.add(to, goal, 64), build.add(source, begin, 64)
        if kind == "fill":
            value = build.extract(byte, 0, 8)
            bench.one(lambda step, target=target, value=value, size=size: fill(step, target, value, size))
            expected[changed] = bytes([known[byte]]) * known[length]
        else:
            bench.one(lambda step, target=target, origin=origin, size=size: copy(step, target, origin, size))
            expected[changed] = data[1][known[start] : known[start] + known[length]]
        assert bench.outcomes == []
    found = bench.one(lambda step: [load(step, to + at, 1) for at in range(ROOM)])
    assert [evaluate(each, Model(known)) for each in found] == list(expected)


@pytest.mark.parametrize("seed", range(8))
def test_ranges_of_unknown_length_compare_as_bytes_do(bench: Any, seed: int) -> None:
    """Law: memcmp of many bytes is the difference of the first that differ, if they are among those that count."""
    generator = random.Random(seed)
    data = generator.randbytes(ROOM)
    places = [bench.place(ROOM, data=data), bench.place(ROOM, data=data)]
    known: dict[Term, int] = {}
    for number, at in enumerate(generator.sample(range(ROOM), 6)):
        byte = symbol(f"byte{number}", 8)
        known[byte] = generator.choice([data[at], generator.randrange(256)])
        place = places[number % 2] + at
        bench.one(lambda step, place=place, byte=byte: store(step, place, byte, 1))
    length = symbol("length", 64)
    known[length] = generator.randrange(ROOM)
    bench.assume(build.ule(length, ROOM, 64))
    found = bench.one(lambda step: compare(step, places[0], places[1], length))
    contents = bench.one(lambda step: [[load(step, place + at, 1) for at in range(ROOM)] for place in places])
    pairs = zip(*[[evaluate(each, Model(known)) for each in several] for several in contents], strict=True)
    expected = next((one - other for one, other in [*pairs][: known[length]] if one != other), 0)
    assert evaluate(found, Model(known)) == expected % (1 << 32)
