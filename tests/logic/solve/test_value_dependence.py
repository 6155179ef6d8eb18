"""Where a value depends on symbols: whatever their values, it is the same where it is said not to."""

from __future__ import annotations

from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from unfork.logic.solve.value_dependence import dependence
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

KNOWN, UNKNOWN = (symbol("a", 1), symbol("b", 2)), (symbol("s", 1), symbol("t", 2))


def drawn(chance: Random, width: int, depth: int) -> Value:
    """A random value of 1 or 2 bits."""
    if not depth:
        return chance.choice([term for term in (*KNOWN, *UNKNOWN) if term.width == width])
    below = [drawn(chance, width, depth - 1) for _ in range(2)]
    condition = drawn(chance, 1, depth - 1)
    match chance.randrange(4):
        case 0:
            return build.ite(condition, below[0], below[1], width)
        case 1:
            return build.and_(below[0], below[1], width)
        case 2 if width == 1:
            sides = [drawn(chance, 2, depth - 1) for _ in range(2)]
            return build.eq(sides[0], sides[1], 2)
        case _:
            return build.xor(below[0], below[1], width)


def models(terms: tuple[Term, ...]) -> list[dict[Term, int]]:
    ranges = [range(1 << term.width) for term in terms]
    return [dict(zip(terms, values, strict=True)) for values in product(*ranges)]


@given(st.integers(0, 1 << 32), st.integers(1, 2), st.integers(1, 3))
def test_a_value_is_the_same_where_it_does_not_depend(seed: int, width: int, depth: int) -> None:
    value = drawn(Random(seed), width, depth)
    depends = dependence(value, frozenset(UNKNOWN))
    for known in models(KNOWN):
        independent = [
            evaluate(value, Model(known | unknown))
            for unknown in models(UNKNOWN)
            if not evaluate(depends, Model(known | unknown))
        ]
        assert len(set(independent)) <= 1


def test_what_is_not_chosen_does_not_count() -> None:
    (a, b), (s, t) = KNOWN, UNKNOWN
    assert dependence(b, frozenset(UNKNOWN)) == 0
    assert dependence(build.ite(a, t, b, 2), frozenset(UNKNOWN)) == a
    assert dependence(build.add(t, b, 2), frozenset(UNKNOWN)) == 1
    assert dependence(build.and_(s, a, 1), frozenset(UNKNOWN)) == a
