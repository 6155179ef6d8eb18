"""Conditions under others that hold: what is decided holds in every model, and a contradiction has none."""

from __future__ import annotations

import random
from itertools import product

from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.literals import Literals
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

BITS = [symbol(f"bit{number}", 1) for number in range(3)]
LETTERS = [symbol(f"letter{number}", 2) for number in range(2)]
EVERYTHING = [
    Model(dict(zip([*BITS, *LETTERS], values, strict=True))) for values in product(*[range(2)] * 3, *[range(4)] * 2)
]


def condition(chance: random.Random, depth: int) -> Value:
    one: Value
    if depth:
        one = build.both(condition(chance, depth - 1), condition(chance, depth - 1))
    elif chance.random() < 0.5:
        one = chance.choice(BITS)
    else:
        one = chance.choice([build.eq, build.ult])(chance.choice(LETTERS), chance.randrange(4), 2)
    return build.negate(one) if chance.random() < 0.5 else one


def worth(value: Value, model: Model) -> int:
    return evaluate(value, model) if isinstance(value, Term) else value


def test_what_is_reduced_is_worth_the_same_under_all_that_was_assumed() -> None:
    chance = random.Random(3)
    contradictions = decided = 0
    for _ in range(400):
        assumed = [condition(chance, chance.choice((0, 1, 2, 3))) for _ in range(6)]
        literals = Literals(assumed)
        models = [model for model in EVERYTHING if all(worth(one, model) for one in assumed)]
        if literals.contradictory:
            contradictions += 1
            assert not models
            continue
        for _ in range(4):
            asked = condition(chance, chance.choice((0, 1, 2)))
            reduced = literals.reduced(asked)
            decided += isinstance(asked, Term) and not isinstance(reduced, Term)
            assert all(worth(asked, model) == worth(reduced, model) for model in models)
    assert contradictions > 50 and decided > 200


def test_the_last_part_of_a_clause_follows_in_whatever_order_the_others_fail() -> None:
    parts = [*BITS, build.eq(LETTERS[0], 1, 2), build.eq(LETTERS[1], 2, 2)]
    clause = build.disjunction(parts)
    for seed in range(30):
        order = parts.copy()
        random.Random(seed).shuffle(order)
        conditions = [build.negate(part) for part in order[:-1]]
        literals = Literals([clause, *conditions] if seed % 2 else [*conditions[:2], clause, *conditions[2:]])
        assert literals.reduced(order[-1]) == 1
        literals.assume(build.negate(order[-1]))
        assert literals.contradictory
