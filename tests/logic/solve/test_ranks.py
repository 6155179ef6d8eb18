"""Queries about ranks are answered as queries about the values themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from tests.support.power import some
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.ranks import RANK, Ranked, _classes
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import make, symbol

INTS = [symbol(f"v{i}", 32) for i in range(4)]
FLAGS = [symbol(f"flag{i}", 1) for i in range(2)]
EDGES = (0, 1, 2, 7, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF)


class Watched:
    """A solver that remembers what it was asked."""

    def __init__(self) -> None:
        self.solver = BitwuzlaSolver()
        self.asked: list[Term] = []

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        self.asked += constraints
        return self.solver.check(constraints, timeout)

    def forget(self) -> None:
        self.solver.forget()

    def close(self) -> None: ...

    def widths(self) -> set[int]:
        return {one.width for condition in self.asked for one in condition.symbols}


def terms(*conditions: Value) -> list[Term]:
    return [condition for condition in conditions if isinstance(condition, Term)]


def value(choose: random.Random, depth: int, order: str) -> Value:
    draw = choose.random()
    if depth == 0 or draw < 0.2:
        return choose.choice(INTS) if choose.random() < 0.8 else choose.choice(EDGES)
    if draw < 0.25:
        return build.add(choose.choice(INTS), choose.choice(INTS), 32)
    return build.ite(
        condition(choose, depth - 1, order), value(choose, depth - 1, order), value(choose, depth - 1, order), 32
    )


def condition(choose: random.Random, depth: int, order: str) -> Value:
    draw = choose.random()
    if draw < 0.1:
        return choose.choice(FLAGS)
    if draw < 0.3 and depth:
        return build.both(condition(choose, depth - 1, order), condition(choose, depth - 1, order))
    if draw < 0.4 and depth:
        return build.negate(condition(choose, depth - 1, order))
    a, b = value(choose, depth, order), value(choose, depth, order)
    if draw < 0.5:
        return build.eq(a, b, 32)
    if draw < 0.6:
        return build.ult(build.add(a, choose.choice(EDGES), 32), choose.choice(EDGES), 32)
    order = choose.choice(("ult", "slt")) if order == "mixed" else order
    return (build.ult if order == "ult" else build.slt)(a, b, 32)


@pytest.mark.parametrize("order", some(["ult", "slt", "mixed"], "ranks", 1))
def test_answers_are_those_about_values(order: str) -> None:
    choose = random.Random(order)
    plain, watched = BitwuzlaSolver(), Watched()
    ranked = Ranked(watched)
    unsat = by_rank = 0
    for _ in range(80):
        query = terms(*[condition(choose, 2, order) for _ in range(choose.randint(2, 9))])
        expected, answer = plain.check(query), ranked.check(query)
        assert isinstance(answer, type(expected))
        unsat += isinstance(answer, Unsat)
        by_rank += any(one.name.endswith(RANK) for asked in watched.asked for one in asked.symbols)
        watched.asked.clear()
        if isinstance(answer, Sat):
            assert all(evaluate(constraint, answer.model) for constraint in query)
            assert {one for constraint in query for one in constraint.symbols} <= set(answer.model.values)
    assert unsat > 5
    assert by_rank > (0 if order == "mixed" else 10)


def test_classes_are_never_missed_for_want_of_a_look() -> None:
    choose = random.Random(5)
    ranked = Ranked(Watched())
    without = 0
    for _ in range(1_500):
        query = terms(*[condition(choose, 2, choose.choice(("ult", "slt"))) for _ in range(choose.randint(1, 3))])
        classes = _classes([ranked._summary(constraint) for constraint in query])
        without += not classes
        assert not classes or any(ranked._may_pay(constraint) for constraint in query)
    assert 100 < without < 1_400


def bubble(values: list[Value]) -> list[Value]:
    for end in range(len(values) - 1, 0, -1):
        for i in range(end):
            a, b = values[i], values[i + 1]
            swap = build.slt(b, a, 32)
            values[i], values[i + 1] = build.ite(swap, b, a, 32), build.ite(swap, a, b, 32)
    return values


def test_what_is_sorted_is_asked_in_few_bits() -> None:
    watched = Watched()
    after = bubble([symbol(f"x{i}", 32) for i in range(12)])
    for a, b in pairwise(after):
        assert isinstance(Ranked(watched).check(terms(build.slt(b, a, 32))), Unsat)
    assert watched.widths() == {4}


def test_as_many_values_as_inputs_may_differ() -> None:
    values = [symbol(f"x{i}", 32) for i in range(6)]
    ordered = terms(*[build.ult(a, b, 32) for a, b in pairwise(values)])
    choice = terms(build.ult(build.ite(FLAGS[0], values[0], values[5], 32), values[1], 32))
    between = terms(build.ult(9, values[0], 32), build.ult(values[5], 16, 32))
    watched = Watched()
    answer = Ranked(watched).check([*ordered, *choice, *between])
    assert isinstance(answer, Sat)
    assert [answer.model.values[one] for one in values] == [10, 11, 12, 13, 14, 15]
    assert watched.widths() == {1, 5}
    too_few = terms(build.ult(9, values[0], 32), build.ult(values[5], 15, 32))
    assert isinstance(Ranked(watched).check([*ordered, *choice, *too_few]), Unsat)


def test_what_is_computed_with_keeps_its_bits() -> None:
    a, b, c = INTS[:3]
    chosen = make("ite", 32, (FLAGS[0], a, b))
    total = build.eq(build.add(a, b, 32), 7, 32)
    watched = Watched()
    assert isinstance(Ranked(watched).check(terms(build.slt(chosen, c, 32), total)), Sat)
    assert watched.widths() == {1, 32}
