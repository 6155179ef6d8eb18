"""Terms as integers: where no wrap is needed, what is refused, and models that are checked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unfork.logic.integers.integer_solver import IntegerSolver
from unfork.logic.solve.solver import Answer, Sat, Unknown, Unsat
from unfork.logic.solve.solver_worker import WorkerSolver
from unfork.logic.terms import build, fp
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make, symbol
from unfork.world.library.integer_intrinsics import add_signed, multiply_signed, subtract_signed

STEPS = 2_000_000
X, Y, N = symbol("x", 32), symbol("y", 32), symbol("n", 32)


def terms(*conditions: Value) -> list[Term]:
    return [condition for condition in conditions if isinstance(condition, Term)]


def asked(*conditions: Value) -> Answer:
    return IntegerSolver(STEPS).check(terms(*conditions))


@pytest.mark.parametrize("compute", [add_signed, subtract_signed, multiply_signed])
def test_what_is_known_not_to_overflow_is_exact(compute: Callable[[Value, Value, int], tuple[Value, Value]]) -> None:
    result, overflow = compute(X, Y, 32)
    wide = {add_signed: build.add, subtract_signed: build.sub, multiply_signed: build.mul}[compute]
    exact = wide(build.sext(X, 32, 64), build.sext(Y, 32, 64), 64)
    same = build.eq(build.sext(result, 32, 64), exact, 64)
    assert isinstance(asked(build.negate(overflow), build.negate(same)), Unsat)
    assert isinstance(asked(overflow, build.negate(same)), Sat)
    assert isinstance(asked(overflow, same), Unsat)


def test_a_model_has_a_value_for_every_symbol() -> None:
    bit = symbol("bit", 1)
    query = terms(build.eq(build.add(X, Y, 32), 10, 32), build.ult(X, Y, 32), bit, build.ule(N, N, 32))
    query.append(make("eq", 1, (make("xor", 32, (N, constant(0, 32))), N)))
    answer = IntegerSolver(STEPS).check(query)
    assert isinstance(answer, Sat)
    assert {X, Y, N, bit} <= set(answer.model.values)
    assert answer.model.values[bit] == 1


def test_no_constraints_are_satisfiable() -> None:
    assert isinstance(IntegerSolver().check([]), Sat)


@pytest.mark.parametrize("negated", [False, True])
def test_wraps_that_do_happen_are_found(negated: bool) -> None:
    after = build.add(X, 1, 32)
    wraps = build.slt(after, X, 32)
    answer = asked(build.negate(wraps) if negated else wraps)
    assert isinstance(answer, Sat)
    assert (answer.model.values[X] == 0x7FFFFFFF) != negated


def test_division_by_zero_is_as_smt_lib_has_it() -> None:
    for operator, value in (("udiv", 0xFFFFFFFF), ("urem", X), ("srem", X)):
        quotient = make(operator, 32, (X, Y))
        query = terms(build.eq(Y, 0, 32), build.ne(quotient, value, 32))
        assert isinstance(IntegerSolver(STEPS).check(query), Unsat)
    quotient = make("sdiv", 32, (X, Y))
    expected = build.ite(build.slt(X, 0, 32), 1, 0xFFFFFFFF, 32)
    assert isinstance(asked(build.eq(Y, 0, 32), build.ne(quotient, expected, 32)), Unsat)


def test_the_quotient_of_the_least_int_by_minus_one_wraps() -> None:
    quotient = make("sdiv", 32, (X, Y))
    least = asked(build.eq(X, 1 << 31, 32), build.eq(Y, 0xFFFFFFFF, 32), build.ne(quotient, 1 << 31, 32))
    assert isinstance(least, Unsat)


FLOATS = (build.fp_op("add", "float", X, Y), build.fp_op("add", "float", Y, X))


@pytest.mark.parametrize(
    "condition",
    [
        build.eq(build.and_(X, Y, 32), 0x1234, 32),
        build.eq(build.xor(X, 0x55555555, 32), 0x1234, 32),
        build.eq(build.shl(1, X, 32), 4, 32),
        build.fp_compare("olt", "float", FLOATS[0], 0),
        build.fp_compare("ogt", "x86_fp80", symbol("l", fp.WIDTHS["x86_fp80"]), 0x4000 << 64),
    ],
    ids=["and", "mask", "shift", "float", "long double"],
)
def test_where_bit_tricks_and_floats_decide_the_answer_is_unknown(condition: Value) -> None:
    for query in (condition, build.negate(condition)):
        answer = asked(query, build.ne(X, 0, 32))
        assert not isinstance(answer, Unsat)
        if isinstance(answer, Unknown):
            assert "for unknowns" in answer.reason


def test_where_bit_tricks_and_floats_do_not_matter_they_are_unknowns() -> None:
    tricks = (build.eq(build.and_(X, Y, 32), 7, 32), build.fp_compare("olt", "float", FLOATS[0], 0))
    assert isinstance(asked(*tricks, build.slt(X, N, 32), build.slt(N, X, 32)), Unsat)
    assert isinstance(asked(build.ult(X, build.and_(X, Y, 32), 32), build.sge(X, 0, 32)), Unsat)
    assert isinstance(asked(build.ult(build.lshr(X, Y, 32), N, 32), build.ugt(build.lshr(X, Y, 32), N, 32)), Unsat)


def test_absolute_values_by_masks_are_choices() -> None:
    sign = build.ashr(X, 31, 32)
    size = build.sub(build.xor(X, sign, 32), sign, 32)
    assert isinstance(asked(build.ne(X, 1 << 31, 32), build.slt(size, 0, 32)), Unsat)
    answer = asked(build.slt(size, 0, 32))
    assert isinstance(answer, Sat)
    assert answer.model.values[X] == 1 << 31


def test_the_same_questions_get_the_same_models() -> None:
    query = terms(build.slt(build.mul(X, Y, 32), N, 32), build.sgt(N, 100, 32), build.sgt(build.add(X, Y, 32), 7, 32))
    answers = [IntegerSolver(STEPS).check(query) for _ in range(2)]
    assert isinstance(answers[0], Sat)
    assert answers[0] == answers[1]


def test_work_is_limited_by_steps() -> None:
    """A law of numbers that nobody finds soon: no product of two is this prime."""
    prime = 2**61 - 1
    a, b = symbol("a", 64), symbol("b", 64)
    bounds = [build.ugt(a, 1, 64), build.ugt(b, 1, 64), build.ult(a, 1 << 31, 64), build.ult(b, 1 << 32, 64)]
    solver = IntegerSolver(20_000)
    assert isinstance(solver.check(terms(build.eq(build.mul(a, b, 64), prime, 64), *bounds)), Unknown)
    assert solver.effort.ticks > 0


def test_a_process_answers_as_the_solver_does() -> None:
    worker = WorkerSolver("unfork.logic.integers.integer_solver:IntegerSolver", (), 2 << 30)
    try:
        assert isinstance(worker.check(terms(build.slt(X, Y, 32), build.slt(Y, X, 32)), 60.0), Unsat)
        answer = worker.check(terms(build.slt(X, Y, 32)), 60.0)
        assert isinstance(answer, Sat)
    finally:
        worker.close()


def test_long_sums_are_unknowns_rather_than_added_up() -> None:
    total: Term = X
    for i in range(300):
        total = make("add", 32, (total, symbol(f"addend {i}", 32)))
    assert isinstance(asked(make("slt", 1, (total, X))), Unknown)


def test_deep_terms_need_no_recursion() -> None:
    deep: Term = X
    for i in range(2_000):
        deep = make("ite", 32, (make("slt", 1, (deep, Y)), make("neg", 32, (deep,)), deep)) if i % 50 == 0 else deep
        deep = make("add", 32, (deep, Y)) if i % 2 else make("not", 32, (deep,))
    answer = asked(build.eq(Y, 0, 32), build.eq(X, 5, 32), make("eq", 1, (deep, deep)))
    assert isinstance(answer, Sat)
