"""Addresses as pointers and as numbers: what a word is worth does not depend on how it was built.

Each word of a random pool is built by what the engine does for casts, sums, differences, choices and memory, and
computed by hand for all values of the symbols. Pointers are compared by the numbers that a program sees.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import pytest

from unfork.engine.memory.loads import load
from unfork.engine.state.flat_layout import LOWEST_ADDRESS, number_of
from unfork.engine.state.memory import object_of
from unfork.engine.step.numbers import is_based, read_as_number, read_as_pointer, to_number, to_pointer
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol

MASK = (1 << 64) - 1
CONDITIONS = [symbol(f"c{number}", 1) for number in range(4)]
INDEX = symbol("i", 8)
INDICES = (0, 1, 5)
MODELS = [
    Model({**dict(zip(CONDITIONS, bits, strict=True)), INDEX: index})
    for bits in product((0, 1), repeat=len(CONDITIONS))
    for index in INDICES
]
SIZE = 64
OPERATIONS = 40


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the engine has it, and the number that it is under each model."""

    value: Value
    numbers: tuple[int, ...]

    @property
    def is_index(self) -> bool:
        """Whether it is small under every model, so that adding it to a pointer may stay in the object."""
        return all(number < SIZE // 4 for number in self.numbers)


class Pool:
    """Pointers and numbers, built from each other."""

    def __init__(self, bench: Any, generator: random.Random) -> None:
        self.bench, self.generator = bench, generator
        self.memory = bench.state.memory
        self.objects = [bench.place(SIZE, data=bytes(range(SIZE))), bench.place(SIZE, data=bytes(SIZE))]
        self.objects.append(bench.place(SIZE, kind="stack", data=bytes(SIZE)))
        everywhere = len(MODELS)
        self.pointers = [Word(0, (0,) * everywhere)]
        self.pointers += [Word(each, (number_of(each, self.memory),) * everywhere) for each in self.objects]
        index = build.zext(INDEX, 8, 64)
        self.numbers = [Word(k, (k,) * everywhere) for k in (0, 1, 3)]
        self.numbers.append(Word(index, tuple([evaluate(index, model) for model in MODELS])))
        bench.assume(build.disjunction([build.eq(INDEX, each, 8) for each in INDICES]))
        self.pairs = [(self.pointers[0], self.pointers[0], each) for each in self.pointers[1:]]
        """A pointer into an object and the beginning of the object, or both null; and the object."""

    def grow(self) -> None:
        """One more pointer or number."""
        draw = self.generator.choice
        p, q, m, n = draw(self.pointers), draw(self.pointers), draw(self.numbers), draw(self.numbers)
        match self.generator.randrange(12):
            case 0 | 1:
                self.pointers.append(self.chosen(p, q, draw(CONDITIONS)))
            case 2:
                self.numbers.append(self.chosen(m, n, draw(CONDITIONS)))
            case 3:
                self.numbers.append(Word(self.run(to_number, p.value), p.numbers))
            case 4:
                self.numbers.append(self.difference(self.number(p), self.number(q)))
            case 5:
                self.numbers.append(self.sum(m, n))
            case 6 if m.is_index:
                self.pointers.append(self.sum(p, m))
            case 7:
                self.pointers.append(Word(self.run(to_pointer, m.value), m.numbers))
            case 8 | 9:
                self.put(self.generator.randrange(len(self.pairs)))
            case 10:
                at, start, _ = draw(self.pairs)
                self.numbers.append(self.difference(self.number(at), self.number(start)))
            case 11:  # through memory, in which nothing says what a word is
                word = draw((p, m))
                self.pointers.append(Word(self.run(read_as_pointer, word.value), word.numbers))
                self.numbers.append(Word(self.run(read_as_number, word.value), word.numbers))

    def put(self, number: int) -> None:
        """Where a condition holds, the pointer of a pair is set to its object if it is null, and moves on."""
        at, start, item = self.pairs[number]
        condition = self.generator.choice(CONDITIONS)
        is_null = build.eq(self.number(at).value, 0, 64)
        begun = self.chosen(item, at, is_null), self.chosen(item, start, is_null)
        after = self.chosen(self.sum(begun[0], self.numbers[1]), at, condition)
        self.pairs[number] = after, self.chosen(begun[1], start, condition), item
        self.pointers += self.pairs[number][:2]

    def run(self, action: Any, value: Value) -> Value:
        return self.bench.one(lambda step: action(step, value))

    def number(self, pointer: Word) -> Word:
        return Word(self.run(to_number, pointer.value), pointer.numbers)

    def chosen(self, a: Word, b: Word, condition: Value) -> Word:
        numbers = [x if evaluate(condition, m) else y for x, y, m in zip(a.numbers, b.numbers, MODELS, strict=True)]
        return Word(build.ite(condition, a.value, b.value, 64), tuple(numbers))

    def sum(self, a: Word, b: Word) -> Word:
        numbers = [x + y & MASK for x, y in zip(a.numbers, b.numbers, strict=True)]
        return Word(build.add(a.value, b.value, 64), tuple(numbers))

    def difference(self, a: Word, b: Word) -> Word:
        numbers = [x - y & MASK for x, y in zip(a.numbers, b.numbers, strict=True)]
        return Word(build.sub(a.value, b.value, 64), tuple(numbers))

    def wrong(self) -> list[str]:
        """The words that are not worth what they should be."""
        found = []
        for word in self.numbers:
            worth = tuple([evaluate(word.value, model) for model in MODELS])
            if worth != word.numbers:
                found.append(f"number {word.value}: {worth}, not {word.numbers}")
        for word in self.pointers:
            worth = tuple([number_of(evaluate(word.value, model), self.memory) for model in MODELS])
            if worth != word.numbers:
                found.append(f"pointer {word.value}: {worth}, not {word.numbers}")
        return found


@pytest.mark.parametrize("seed", range(40))
def test_a_word_is_worth_the_same_however_it_was_built(bench: Any, seed: int) -> None:
    """Law: conversions commute with choice, sums and differences, through registers and through memory."""
    pool = Pool(bench, random.Random(seed))
    for _ in range(OPERATIONS):
        pool.grow()
    assert pool.wrong() == []
    known = [word for word in pool.pointers if is_based(bench.step, word.value)]
    for first, second in pairwise(known):
        equality = build.eq(first.value, second.value, 64)
        same = [a == b for a, b in zip(first.numbers, second.numbers, strict=True)]
        assert [bool(evaluate(equality, model)) for model in MODELS] == same


@pytest.mark.parametrize("seed", range(40, 60))
def test_a_pointer_leads_to_what_its_number_says(bench: Any, seed: int) -> None:
    """Law: a read through a pointer gives the byte at its number, whichever way the pointer was built."""
    pool = Pool(bench, random.Random(seed))
    for _ in range(OPERATIONS):
        pool.grow()
    contents = {}
    for address, data in zip(pool.objects, (bytes(range(SIZE)), bytes(SIZE), bytes(SIZE)), strict=True):
        contents |= {number_of(address, pool.memory) + offset: byte for offset, byte in enumerate(data)}
    for word in pool.pointers:
        if not all(number in contents for number in word.numbers):
            continue
        before = bench.state
        for state, byte in bench.explore(lambda step, word=word: load(step, word.value, 1)):
            for number, model in zip(word.numbers, MODELS, strict=True):
                if all(evaluate(condition, model) for condition in state.path.constraints()):
                    assert evaluate(byte, model) == contents[number]
        assert bench.outcomes == []
        bench.state = before


@pytest.mark.parametrize("seed", range(60, 80))
def test_a_conversion_depends_on_what_a_word_is_worth_alone(bench: Any, seed: int) -> None:
    """Law: a word of which parts were written over is converted as the number that it is under each model."""
    generator = random.Random(seed)
    pool = Pool(bench, generator)
    for _ in range(OPERATIONS // 2):
        pool.grow()
    words = [word.value for word in (*pool.pointers, *pool.numbers)]
    for _ in range(OPERATIONS // 2):
        first, second = generator.choice(words), generator.choice([*words, build.zext(INDEX, 8, 64)])
        cut = 8 * generator.randrange(1, 8)
        above, below = build.extract(first, cut, 64 - cut), build.extract(second, 0, cut)
        mixed = build.concat(above, below, 64 - cut, cut)
        words.append(build.ite(generator.choice(CONDITIONS), mixed, generator.choice(words), 64))
    for word in words:
        number, pointer = pool.run(to_number, word), pool.run(to_pointer, word)
        for model in MODELS:
            worth = evaluate(word, model)
            if worth >= LOWEST_ADDRESS and object_of(worth) not in pool.memory.objects:
                continue  # no program comes to the name of an object that never was
            assert evaluate(number, model) == number_of(worth, pool.memory)
            assert number_of(evaluate(pointer, model), pool.memory) == number_of(worth, pool.memory)
