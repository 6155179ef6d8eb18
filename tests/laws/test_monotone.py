"""Law: a comparison that was turned into one of an integer holds for the same values of that integer."""

from __future__ import annotations

import random

import pytest

from unfork.logic.terms import build, float_terms, fp
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

FORMATS = ("half", "bfloat", "float", "double", "x86_fp80", "fp128")
"""All: each rounds elsewhere."""
PREDICATES = ("oeq", "olt", "ole", "ogt", "oge", "one", "ueq", "ult", "une", "ord", "uno")


def _constant(chance: random.Random, fmt: str) -> int:
    value = chance.choice((1.0, 10.0, 0.1, 1e3, 3e-3, 7.5, 2.0**-20, 6e4)) * chance.choice((1, -1))
    return fp.from_float(value, fmt)


def _number(chance: random.Random, integer: Term) -> tuple[Value, str]:
    fmt = chance.choice(FORMATS)
    number = build.fp_from_int(integer, integer.width, chance.choice(("signed", "unsigned")), fmt)
    for _ in range(chance.randrange(4)):
        match chance.randrange(4):
            case 0:
                number = build.fp_op("neg", fmt, number)
            case 1:
                target = chance.choice(FORMATS)
                number, fmt = build.fp_convert(number, fmt, target), target
            case _:
                operands = [number, _constant(chance, fmt)]
                op = chance.choice(("add", "sub", "mul", "div"))
                if op != "div":
                    chance.shuffle(operands)
                number = build.fp_op(op, fmt, *operands)
    return number, fmt


@pytest.mark.parametrize("seed", range(60))
def test_a_comparison_of_an_integer_says_the_same(seed: int) -> None:
    chance = random.Random(seed)
    integer = symbol("n", chance.choice((8, 16, 32, 64)))
    number, fmt = _number(chance, integer)
    assert isinstance(number, Term)
    function = float_terms.monotone(number, fmt)
    assert function is not None
    top = 1 << integer.width
    for _ in range(8):
        bound = function.at(chance.randrange(top)) if chance.randrange(2) else _constant(chance, fmt)
        operands: list[Value] = [number, bound]
        chance.shuffle(operands)
        predicate = chance.choice(PREDICATES)
        condition = build.fp_compare(predicate, fmt, *operands)
        if isinstance(condition, Term):
            assert "fp." not in _operators(condition)
        values = [0, 1, top // 2 - 1, top // 2, top - 1, *[chance.randrange(top) for _ in range(20)]]
        for value in values:
            there = [function.at(value) if one is number else one for one in operands]
            expected = fp.compare(predicate, fmt, *[one for one in there if isinstance(one, int)])
            assert evaluate(condition, Model({integer: value})) == expected, (predicate, value)


def _operators(term: Term) -> str:
    found, pending = set(), [term]
    while pending:
        one = pending.pop()
        found.add(one.op)
        pending.extend(one.args)
    return " ".join(sorted(found))
