from __future__ import annotations

import random
from typing import Any

import pytest

from unfork.engine.memory.loads import load, store
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

CELLS = 8


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
