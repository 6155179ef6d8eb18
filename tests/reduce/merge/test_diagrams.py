"""Two exclusive paths as one condition: nothing is lost or added, and what completes itself vanishes."""

from __future__ import annotations

import random
from itertools import product

from unfork.logic.solve.solver import Effort
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.merge.diagrams import Diagrams

SYMBOLS = [symbol(f"d{number}", 1) for number in range(6)]


def condition(chance: random.Random, depth: int) -> Value:
    if depth == 0:
        one: Value = chance.choice(SYMBOLS)
    else:
        one = build.both(condition(chance, depth - 1), condition(chance, depth - 1))
    return build.negate(one) if chance.random() < 0.5 else one


def holds(conditions: list[Term] | tuple[Term, ...], model: Model) -> bool:
    return all(evaluate(one, model) for one in conditions)


def models() -> list[Model]:
    return [Model(dict(zip(SYMBOLS, bits, strict=True))) for bits in product((0, 1), repeat=len(SYMBOLS))]


def test_a_union_says_what_either_path_says() -> None:
    chance = random.Random(1)
    everything = models()
    exclusive = 0
    for _ in range(300):
        sides = [
            [one for one in (condition(chance, depth) for depth in (0, 1, 2)) if isinstance(one, Term)]
            for _ in range(2)
        ]
        first, second = sides
        diagrams = Diagrams(Effort())
        united = diagrams.union(first, second)
        overlap = any(holds(first, model) and holds(second, model) for model in everything)
        possible = any(holds(first, model) or holds(second, model) for model in everything)
        assert (united is None) == (overlap or not possible)
        if united is None:
            continue
        exclusive += 1
        for model in everything:
            a, b = holds(first, model), holds(second, model)
            assert holds(united.conditions, model) == (a or b)
            if a or b:
                guard = united.guard
                assert bool(evaluate(guard, model) if isinstance(guard, Term) else guard) == a
    assert exclusive > 50


LETTERS = [symbol(f"letter{number}", 3) for number in range(2)]


def ranges(chance: random.Random, depth: int) -> Value:
    """Comparisons of two letters with constants, and of their sum, which is a variable that depends on both."""
    if depth:
        one = build.both(ranges(chance, depth - 1), ranges(chance, depth - 1))
    else:
        first, second = LETTERS
        letter: Value = chance.choice([first, first, second, second, build.add(first, second, 3)])
        compare = chance.choice([build.eq, build.ult, build.slt])
        one = compare(build.add(letter, chance.choice((0, 0, 3)), 3), chance.randrange(8), 3)
    return build.negate(one) if chance.random() < 0.5 else one


def test_a_union_of_ranges_says_what_either_path_says() -> None:
    chance = random.Random(2)
    everything = [Model(dict(zip(LETTERS, values, strict=True))) for values in product(range(8), repeat=2)]
    united_at_all = 0
    for _ in range(400):
        first, second = [
            [one for one in (ranges(chance, depth) for depth in (0, 1, 2)) if isinstance(one, Term)] for _ in range(2)
        ]
        united = Diagrams(Effort()).union(first, second)
        if united is None:
            continue
        united_at_all += 1
        for model in everything:
            a, b = holds(first, model), holds(second, model)
            assert not (a and b)
            assert holds(united.conditions, model) == (a or b)
            if a or b:
                guard = united.guard
                assert bool(evaluate(guard, model) if isinstance(guard, Term) else guard) == a
    assert united_at_all > 80


def test_different_values_exclude_each_other_and_all_values_are_no_condition() -> None:
    letter = symbol("letter", 8)
    united = Diagrams(Effort()).union(terms(build.eq(letter, 45, 8)), terms(build.eq(letter, 101, 8)))
    assert united is not None
    others = [(build.ult(letter, 45, 8),), (build.ult(101, letter, 8),)]
    others += [(build.ult(45, letter, 8), build.ult(letter, 101, 8))]  # type: ignore[list-item]  # of any length
    for other in others:
        assert united.conditions
        united = Diagrams(Effort()).union(united.conditions, terms(*other))
        assert united is not None
    assert united.conditions == ()


def terms(*values: Value) -> list[Term]:
    return [one for one in values if isinstance(one, Term)]


def test_paths_of_a_loop_complete_each_other_in_any_order() -> None:
    """Leaving a loop at its first, second, ... test or never: together no condition at all."""
    zeros = [build.eq(symbol(f"text[{i}]", 8), 0, 8) for i in range(6)]
    leaving = [[*[build.negate(zeros[j]) for j in range(i)], zeros[i]] for i in range(6)]
    leaving.append([build.negate(zero) for zero in zeros])
    for seed in range(20):
        chance = random.Random(seed)
        diagrams = Diagrams(Effort())
        waiting = [tuple(one for one in path if isinstance(one, Term)) for path in leaving]
        while len(waiting) > 1:
            first = waiting.pop(chance.randrange(len(waiting)))
            second = waiting.pop(chance.randrange(len(waiting)))
            united = diagrams.union(first, second)
            assert united is not None
            waiting.append(united.conditions)
        assert waiting == [()]


def test_the_guard_of_a_branch_is_the_branch() -> None:
    a, b, c = SYMBOLS[:3]
    united = Diagrams(Effort()).union([a, b], [build.negate(a), c])  # type: ignore[list-item]  # a Term, since ``a`` is a symbol
    assert united is not None
    assert united.guard is a


def test_what_is_too_large_is_left_alone() -> None:
    many = [symbol(f"many{number}", 1) for number in range(1000)]
    assert Diagrams(Effort()).union([*many], [build.negate(build.conjunction(many))]) is None  # type: ignore[list-item]
