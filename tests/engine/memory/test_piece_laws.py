"""Memory that holds pointers is the bytes of their numbers, whatever is written, copied and read of it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from unfork.engine.memory.loads import load, store
from unfork.engine.memory.ranges import compare, copy
from unfork.engine.state.flat_layout import number_of
from unfork.engine.step.numbers import read_as_number, read_as_pointer, to_number
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol

SIZE = 40
INDEX, CONDITION = symbol("i", 8), symbol("c", 1)
MODELS = [Model({INDEX: index, CONDITION: condition}) for index in (0, 3, 8) for condition in (0, 1)]


class Mirror:
    """Two places in memory, and the bytes that a native run has there under each model."""

    def __init__(self, bench: Any, generator: random.Random) -> None:
        self.bench, self.generator = bench, generator
        bench.assume(build.disjunction([build.eq(INDEX, each, 8) for each in (0, 3, 8)]))
        self.places = [bench.place(SIZE, data=bytes(SIZE)) for _ in range(2)]
        self.bytes = [[bytearray(SIZE) for _ in MODELS] for _ in self.places]
        first, second = [bench.place(64, data=b"") for _ in range(2)]
        index = build.zext(INDEX, 8, 64)
        self.pointers = [first, second, build.add(first, index, 64), build.ite(CONDITION, first, second, 64)]

    def act(self) -> None:
        draw = self.generator.randrange
        place, size = draw(2), self.generator.choice((1, 2, 4, 8, 8))
        at = draw(SIZE - size + 1)
        if self.generator.random() < 0.5:
            at &= -size
        match draw(5):
            case 0 | 1:
                pointer = self.generator.choice(self.pointers)
                at = min(at, SIZE - 8)
                self.put(place, at, 8, pointer, [self.number(evaluate(pointer, model)) for model in MODELS])
            case 2:
                value = draw(1 << 8 * size - 1)
                self.put(place, at, size, value, [value] * len(MODELS))
            case 3:
                other, start = draw(2), draw(SIZE)
                count = draw(min(SIZE - start, SIZE - at) + 1)
                self.run(lambda step: copy(step, self.places[place] + at, self.places[other] + start, count))
                for mine, its in zip(self.bytes[place], self.bytes[other], strict=True):
                    mine[at : at + count] = its[start : start + count]
            case 4:
                self.check(place, at, size)

    def put(self, place: int, at: int, size: int, value: Value, natively: list[int]) -> None:
        self.run(lambda step: store(step, self.places[place] + at, value, size))
        for mine, number in zip(self.bytes[place], natively, strict=True):
            mine[at : at + size] = number.to_bytes(size, "little")

    def check(self, place: int, at: int, size: int) -> None:
        found = self.run(lambda step: load(step, self.places[place] + at, size))
        if size == 8:
            pointer = self.run(lambda step: to_number(step, read_as_pointer(step, found)))
            found = self.run(lambda step: read_as_number(step, found))
            if self.is_pointer(place, at):
                self.compare(pointer, place, at, size)
        self.compare(found, place, at, size)
        same = self.run(lambda step: compare(step, self.places[0] + at, self.places[1] + at, size))
        for model, mine, its in zip(MODELS, *self.bytes, strict=True):
            assert (evaluate(same, model) == 0) == (mine[at : at + size] == its[at : at + size])

    def compare(self, value: Value, place: int, at: int, size: int) -> None:
        for model, mine in zip(MODELS, self.bytes[place], strict=True):
            assert evaluate(value, model) == int.from_bytes(mine[at : at + size], "little")

    def is_pointer(self, place: int, at: int) -> bool:
        """Whether one of the pointers lies there; pieces of several lead nowhere."""
        natively = [int.from_bytes(mine[at : at + 8], "little") for mine in self.bytes[place]]
        numbers = [[self.number(evaluate(pointer, model)) for model in MODELS] for pointer in self.pointers]
        return natively in numbers

    def run(self, action: Any) -> Any:
        return self.bench.one(action)

    def number(self, pointer: int) -> int:
        return number_of(pointer, self.bench.state.memory)


@pytest.mark.parametrize("seed", range(40))
def test_pieces_of_pointers_are_pieces_of_their_numbers(bench: Any, seed: int) -> None:
    mirror = Mirror(bench, random.Random(seed))
    for _ in range(40):
        mirror.act()
    for at in range(0, SIZE - 7, 4):
        mirror.check(0, at, 8)
        mirror.check(1, at, 1)
    assert bench.outcomes == []
