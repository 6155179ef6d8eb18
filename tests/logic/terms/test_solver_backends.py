"""Both backends and the SMT-LIB writer: prefixes, limits, deep and wide queries."""

from __future__ import annotations

from pathlib import Path

import bitwuzla
import pytest
import z3

from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.smtlib import DumpingSolver, query_text
from unfork.logic.solve.solver import Sat, Solver, Unknown, Unsat
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build, fp
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import make, symbol

X, Y = symbol("x", 32), symbol("y", 32)


@pytest.fixture(params=[BitwuzlaSolver, Z3Solver], ids=["bitwuzla", "z3"])
def solver(request: pytest.FixtureRequest) -> Solver:
    made: Solver = request.param()
    return made


def terms(*conditions: Value) -> list[Term]:
    return [condition for condition in conditions if isinstance(condition, Term)]


def test_models_hold_and_name_every_symbol(solver: Solver) -> None:
    query = terms(build.eq(build.add(X, Y, 32), 10, 32), build.ult(X, Y, 32), build.eq(symbol("bit", 1), 1, 1))
    answer = solver.check(query)
    assert isinstance(answer, Sat)
    assert set(answer.model.values) == {X, Y, symbol("bit", 1)}
    assert all(evaluate(constraint, answer.model) for constraint in query)


@pytest.mark.parametrize(
    "names", [("\0one", "\0two"), ("a\0b", "a\0c"), ("\0", "\\x00"), ("\udc80", "\x80"), ("é", "è")]
)
def test_symbols_are_told_apart_whatever_their_names(solver: Solver, names: tuple[str, str]) -> None:
    """Libraries take names as text that ends at a zero byte."""
    one, other = (symbol(name, 8) for name in names)
    assert isinstance(solver.check(terms(build.ult(one, other, 8))), Sat)


def test_no_constraints_are_satisfiable(solver: Solver) -> None:
    assert isinstance(solver.check([]), Sat)


def test_queries_that_share_prefixes_do_not_disturb_each_other(solver: Solver) -> None:
    chain = terms(*[build.ult(symbol(f"v{i}", 16), symbol(f"v{i + 1}", 16), 16) for i in range(6)])
    back = terms(build.ult(symbol("v6", 16), symbol("v0", 16), 16))
    for _ in range(3):
        assert isinstance(solver.check([*chain, *back]), Unsat)
        for cut in range(6):
            assert isinstance(solver.check([*chain[:cut], *back]), Sat)
        assert isinstance(solver.check([*chain[1:], *back]), Sat)


def test_many_different_queries_keep_contexts_small(solver: Solver) -> None:
    for i in range(400):
        answer = solver.check(terms(build.eq(build.and_(X, 0xFFF, 32), i, 32), build.ult(X, 0x1000, 32)))
        assert isinstance(answer, Sat)
        assert answer.model.values[X] == i


def test_deep_terms_need_no_recursion(solver: Solver) -> None:
    deep: Term = X
    for i in range(20_000):
        deep = make("xor", 32, (deep, Y)) if i % 2 else make("not", 32, (deep,))
    query = terms(build.eq(Y, 0, 32), build.eq(X, 5, 32), make("eq", 1, (deep, X)))
    assert isinstance(solver.check(query), Sat)


def test_same_name_at_two_widths_is_two_symbols(solver: Solver) -> None:
    answer = solver.check(terms(build.eq(symbol("n", 8), 3, 8), build.eq(symbol("n", 16), 4, 16)))
    assert isinstance(answer, Sat)
    assert answer.model.values == {symbol("n", 8): 3, symbol("n", 16): 4}


def test_forgetting_keeps_answers(solver: Solver) -> None:
    query = terms(build.ult(X, Y, 32))
    solver.check(query)
    solver.forget()
    assert isinstance(solver.check([*query, *terms(build.ult(Y, X, 32))]), Unsat)


@pytest.mark.parametrize("name", ["x86_fp80", "bfloat"])
def test_formats_that_bitwuzla_does_not_vouch_for_are_left_to_z3(name: str) -> None:
    number = symbol("number", fp.WIDTHS[name])
    query = terms(build.fp_compare("ogt", name, build.fp_op("add", name, number, number), 0))
    assert isinstance(BitwuzlaSolver().check(query), Unknown)
    answer = Z3Solver().check(query)
    assert isinstance(answer, Sat)
    assert all(evaluate(constraint, answer.model) for constraint in query)


def scripts() -> dict[str, tuple[list[Term], bool]]:
    half = symbol("f", 32)
    doubled = build.fp_op("add", "float", half, half)
    shared: Value = X
    for _ in range(200):
        shared = build.add(build.mul(shared, Y, 32), shared, 32)
    return {
        "words": (terms(build.eq(build.add(X, Y, 32), 10, 32), build.ult(X, 3, 32)), True),
        "none": (terms(build.ult(X, Y, 32), build.ult(Y, X, 32)), False),
        "names": (terms(build.eq(symbol("a|b\\c d", 8), 3, 8), build.eq(symbol("a_b_c d", 8), 4, 8)), True),
        "floats": (terms(build.eq(doubled, 0x40000000, 32), build.fp_compare("oeq", "float", doubled, half)), False),
        "punned": (terms(build.eq(build.extract(doubled, 31, 1), 1, 1), build.eq(half, 0xBF800000, 32)), True),
        "shared": (terms(build.eq(shared, 1, 32), build.eq(X, 1, 32), build.eq(Y, 0, 32)), True),
    }


@pytest.mark.parametrize("name", sorted(scripts()))
def test_scripts_are_read_by_both_solvers(name: str, tmp_path: Path) -> None:
    constraints, satisfiable = scripts()[name]
    path = tmp_path / "query.smt2"
    path.write_text(query_text(constraints))
    assert len(path.read_text()) < 60_000
    other = z3.Solver()
    other.from_file(str(path))
    assert other.check() == (z3.sat if satisfiable else z3.unsat)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(str(path), True, True)
    assert parser.bitwuzla().check_sat() == (bitwuzla.Result.SAT if satisfiable else bitwuzla.Result.UNSAT)


def test_queries_are_written_with_their_answers(tmp_path: Path) -> None:
    solver = DumpingSolver(BitwuzlaSolver(), tmp_path)
    assert isinstance(solver.check(terms(build.ult(X, Y, 32))), Sat)
    assert isinstance(solver.check(terms(build.ult(X, Y, 32), build.ult(Y, X, 32))), Unsat)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["000001.smt2", "000002.smt2"]
    assert "(set-info :status unsat)" in (tmp_path / "000002.smt2").read_text()


def test_the_same_query_is_the_same_work_whenever_z3_is_asked() -> None:
    """Its own count goes on from check to check."""
    solver = Z3Solver()
    x, y = symbol("x", 16), symbol("y", 16)
    query = terms(build.eq(build.mul(x, y, 16), 12345, 16), build.ult(1, x, 16))
    work = []
    for _ in range(5):
        before = solver.effort.ticks
        assert isinstance(solver.check(query), Sat)
        work.append(solver.effort.ticks - before)
    assert 0 < max(work) < 2 * min(work)
