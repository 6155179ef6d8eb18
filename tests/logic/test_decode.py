"""What a solver hands back says the same as a term of ours."""

from __future__ import annotations

import pytest

from unfork.logic import build
from unfork.logic.bitwuzla import BitwuzlaSolver
from unfork.logic.decode import Seen, Undecodable, decoded
from unfork.logic.solver import Unsat
from unfork.logic.term import Term, Value, symbol

X, Y, Z = symbol("x", 8), symbol("y", 8), symbol("z", 8)


def terms(*values: Value) -> list[Term]:
    return [value for value in values if isinstance(value, Term)]


@pytest.mark.parametrize(
    "first, second",
    [
        (terms(build.ult(X, 5, 8)), terms(build.ugt(X, 9, 8))),
        (terms(build.eq(X, build.add(Y, 1, 8), 8), build.ult(Y, 9, 8)), terms(build.ugt(X, 20, 8))),
        (terms(build.eq(build.and_(X, 15, 8), 3, 8)), terms(build.eq(build.and_(X, 3, 8), build.and_(Z, 2, 8), 8))),
    ],
)
def test_an_interpolant_lies_between_its_sides(first: list[Term], second: list[Term]) -> None:
    solver = BitwuzlaSolver()
    between = solver.interpolant(first, second)
    assert between is not None
    for side, excluded in ((first, build.negate(between)), (second, between)):
        assert isinstance(solver.check([*side, *terms(excluded)]), Unsat) or excluded == 0
    if isinstance(between, Term):
        assert between.symbols <= frozenset().union(*[term.symbols for term in first])


def test_an_unknown_operator_is_refused() -> None:
    with pytest.raises(Undecodable):
        decoded("root", lambda node: Seen("bvmagic", (), (), 8, None))
