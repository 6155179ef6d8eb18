"""Conditions said in fewer words say the same, whatever their symbols are worth."""

from __future__ import annotations

import random
from itertools import product

from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.prune.interpolation.strengthen import simplify

X, Y, Z = (symbol(name, 2) for name in "xyz")


def literal(chance: random.Random) -> Value:
    one, bound = chance.choice((X, Y, Z)), chance.randrange(1, 4)
    made: Value = chance.choice((build.eq(one, bound, 2), build.ult(one, bound, 2), build.eq(X, Y, 2)))
    return chance.choice((made, build.negate(made)))


def holds(conditions: list[Term], model: Model) -> bool:
    return all(evaluate(one, model) for one in conditions)


def test_what_is_left_means_the_same() -> None:
    chance = random.Random(3)
    shorter = 0
    for _ in range(150):
        made = [
            build.disjunction([literal(chance) for _ in range(chance.choice((1, 2, 2, 3)))])
            for _ in range(chance.randint(2, 8))
        ]
        conditions = [one for one in made if isinstance(one, Term)]
        found = simplify(conditions)
        shorter += len(found) < len(conditions)
        for values in product(range(4), repeat=3):
            model = Model(dict(zip((X, Y, Z), values, strict=True)))
            assert holds(found, model) == holds(conditions, model)
    assert shorter > 50


def test_numbers_decide_disjunctions_and_wider_ones_go() -> None:
    first = build.eq(X, 1, 2)
    decided = build.either(build.eq(X, 1, 2), build.eq(Y, 1, 2))
    left = build.either(build.eq(X, 2, 2), build.eq(Z, 1, 2))
    conditions = [one for one in (decided, left, first) if isinstance(one, Term)]
    assert set(simplify(conditions)) == {first, build.eq(Z, 1, 2)}
    narrow = build.either(build.eq(X, 2, 2), build.eq(Z, 1, 2))
    wide = build.either(narrow, build.eq(Y, 3, 2))
    both = [one for one in (wide, narrow) if isinstance(one, Term)]
    assert simplify(both) == [narrow]
