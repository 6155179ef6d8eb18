"""A query with few inputs is decided by trying them all: the answers and counts are those of evaluation."""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests.support.power import some
from unfork.logic.solve.solver import Effort, Sat, Unknown, Unsat
from unfork.logic.solve.trial import INPUTS, Trial, no_machine_code
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.binding import machine_code

A, B, C = [symbol(name, 5) for name in "abc"]
BYTE, WORD, LONG = symbol("byte", 8), symbol("word", 32), symbol("long", 64)


def trial() -> Trial:
    return Trial(machine_code, Effort())


def terms(*conditions: Value) -> list[Term]:
    return [condition for condition in conditions if isinstance(condition, Term)]


def drawn(chance: random.Random) -> Value:
    operations = (build.add, build.mul, build.urem, build.sdiv, build.xor, build.lshr)
    value: Value = chance.choice((A, B, C))
    for _ in range(chance.randint(1, 4)):
        value = chance.choice(operations)(value, chance.choice((A, B, C, chance.randrange(32))), 5)
    return chance.choice((build.eq, build.ult, build.slt))(value, chance.choice((A, B, chance.randrange(32))), 5)


@pytest.mark.parametrize("seed", some([*range(20)], "trial", 8))
def test_answers_and_counts_are_those_of_evaluation(seed: int) -> None:
    chance = random.Random(seed)
    constraints = terms(*[drawn(chance) for _ in range(chance.randint(1, 4))])
    symbols = sorted(frozenset().union(*[each.symbols for each in constraints]), key=lambda each: each.name)
    inputs = [Model(dict(zip(symbols, values, strict=True))) for values in product(range(32), repeat=len(symbols))]
    solutions = sum(all(evaluate(each, model) for each in constraints) for model in inputs)
    assert trial().count(constraints) == (solutions if constraints else 1)
    answer = trial().check(constraints)
    assert isinstance(answer, Sat if solutions else Unsat)
    if isinstance(answer, Sat):
        assert all(evaluate(each, answer.model) for each in constraints)


def test_intervals_make_a_wide_symbol_small() -> None:
    squares = build.eq(build.urem(build.mul(WORD, WORD, 32), 1000, 32), 249, 32)
    assert isinstance(trial().check(terms(squares)), Unknown)
    low, high = build.sle(0xFFFF_FF00, WORD, 32), build.slt(WORD, 0x100, 32)
    hole = build.ne(WORD, 5, 32)
    expected = sum(n * n % 1000 == 249 and n != 5 for n in range(-256, 256))
    assert trial().count(terms(squares, low, hole, high)) == expected
    never = build.eq(build.urem(WORD, 512, 32), 600, 32)
    assert isinstance(never, int) or isinstance(trial().check(terms(low, high, never)), Unsat)


def test_bits_that_nothing_reads_stand_for_all_of_theirs() -> None:
    part = build.extract(LONG, 20, 10)
    odd = build.eq(build.urem(part, 7, 10), 3, 10)
    expected = sum(n % 7 == 3 for n in range(1 << 10))
    assert trial().count(terms(odd)) == expected << 54
    answer = trial().check(terms(odd))
    assert isinstance(answer, Sat)
    assert evaluate(odd, answer.model)


def test_sets_are_tried_and_nothing_else() -> None:
    wanted = build.eq(build.mul(BYTE, BYTE, 8), 0x51, 8)
    assert isinstance(trial().answer(terms(wanted), {BYTE: 1 << 9 | 1 << 200}), Sat)
    assert isinstance(trial().answer(terms(wanted), {BYTE: 1 << 8 | 1 << 200}), Unsat)
    assert isinstance(trial().answer(terms(wanted), {BYTE: 0}), Unsat)


def test_without_machine_code_and_for_other_formats_a_few_inputs_are_evaluated() -> None:
    number = build.fp_from_int(BYTE, 8, "unsigned", "x86_fp80")
    root = build.fp_compare("oeq", "x86_fp80", build.fp_op("mul", "x86_fp80", number, number), number)
    more = build.fp_compare("ogt", "x86_fp80", build.fp_op("add", "x86_fp80", number, number), number)
    assert isinstance(trial().check(terms(root, more)), Sat)
    interpreted = Trial(no_machine_code, Effort())
    assert isinstance(interpreted.check(terms(build.eq(build.mul(BYTE, BYTE, 8), 3, 8))), Unsat)
    wide = build.eq(build.mul(build.zext(A, 5, 32), build.zext(B, 5, 32), 32), build.zext(C, 5, 32), 32)
    assert INPUTS >= 1 << 15
    assert isinstance(interpreted.check(terms(wide)), Unknown)
    assert isinstance(trial().check(terms(wide)), Sat)


def test_work_is_counted_alike_each_time() -> None:
    ticks = []
    for _ in range(2):
        effort = Effort()
        asked = Trial(machine_code, effort)
        asked.check(terms(build.eq(build.mul(build.zext(BYTE, 8, 64), build.zext(BYTE, 8, 64), 64), 1 << 40, 64)))
        asked.check(terms(build.eq(build.urem(build.mul(A, B, 5), 7, 5), C, 5)))
        ticks.append(effort.ticks)
    assert ticks[0] == ticks[1] > 0


@pytest.mark.parametrize("seed", range(30))
def test_the_intervals_of_a_symbol_lose_no_solution(seed: int) -> None:
    chance = random.Random(seed)
    symbol_or_sum = build.add(A, chance.randrange(32), 5) if seed % 2 else A
    bounds = [
        chance.choice((build.ult, build.sle, build.sge, build.uge, build.ne))(symbol_or_sum, chance.randrange(32), 5)
        for _ in range(chance.randint(1, 4))
    ]
    constraints = terms(*bounds, build.eq(build.urem(build.mul(A, A, 5), 3, 5), 1, 5))
    expected = sum(all(evaluate(each, Model({A: n})) for each in constraints) for n in range(32))
    assert trial().count(constraints) == expected
