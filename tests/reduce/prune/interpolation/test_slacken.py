"""Conditions that were made fewer imply those that they replace, and are true where it matters, whatever wraps."""

from __future__ import annotations

import random
from functools import partial
from itertools import product

import pytest

from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.prune.interpolation import strengthen
from unfork.reduce.prune.interpolation.strengthen import without_shifts

WIDTH = 4
X, Y = symbol("x", WIDTH), symbol("y", WIDTH)
MODELS = [Model({X: x, Y: y}) for x, y in product(range(1 << WIDTH), repeat=2)]


def holds(conditions: list[Term], model: Model) -> bool:
    return all(evaluate(one, model) for one in conditions)


def is_met(model: Model, condition: Value) -> bool:
    return bool(evaluate(condition, model))


def compared(chance: random.Random, count: int) -> list[Value]:
    order = chance.choice((build.slt, build.ult, build.sge, build.uge))
    most = chance.choice((0, 2))
    sums = [
        (build.add(X, chance.randrange(5), WIDTH), build.add(Y, chance.randint(0, most), WIDTH)) for _ in range(count)
    ]
    return [order(one, other, WIDTH) for one, other in sums]


def test_one_comparison_stands_for_all_where_no_sum_wraps() -> None:
    chance = random.Random(5)
    shorter = 0
    for _ in range(150):
        here = chance.choice(MODELS)
        made = [*compared(chance, 5), *compared(chance, 5)]
        conditions = [one for one in made if isinstance(one, Term) and evaluate(one, here)]
        found = without_shifts(conditions, partial(is_met, here))
        shorter += len(found) < len(conditions)
        assert holds(found, here)
        for model in MODELS:
            assert holds(conditions, model) or not holds(found, model)
    assert shorter > 50


@pytest.mark.parametrize("alike", [1, 16])
def test_intervals_on_one_term_become_one(alike: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They mean the same, unless there are too many that are not one interval together."""
    monkeypatch.setattr(strengthen, "ALIKE", alike)
    chance = random.Random(7)
    shorter = 0
    for _ in range(150):
        here = chance.choice(MODELS)
        terms = (X, build.sub(X, Y, WIDTH))
        made = [
            build.member(term, chance.randrange(16), chance.randrange(16))
            for term in chance.choices(terms, k=chance.randint(2, 9))
            if isinstance(term, Term)
        ]
        conditions = [one for one in made if isinstance(one, Term) and evaluate(one, here)]
        found = strengthen.slacken(conditions, here.values)
        shorter += len(found) < len(conditions)
        assert holds(found, here)
        for model in MODELS:
            if alike == 1:
                assert holds(conditions, model) or not holds(found, model)
            else:
                assert holds(conditions, model) == holds(found, model)
    assert shorter > 50
