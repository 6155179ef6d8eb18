"""Ranges of terms: they are tight unless the solver gives up, and what was found is not asked again."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.power import examples
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Sat, Unknown
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

X = symbol("x", 16)


def path_of(chain: Chain, *conditions: Value) -> PathCondition:
    path = PathCondition.EMPTY
    for condition in conditions:
        longer = chain.assume(path, condition)
        assert isinstance(longer, PathCondition)
        path = longer
    return path


def among(values: set[int]) -> Value:
    return build.disjunction([build.eq(X, value, 16) for value in values])


def scrambled(factor: int) -> Term:
    """A term that shows nothing of its range."""
    value = build.add(build.mul(X, factor, 16), 0x1234, 16)
    assert isinstance(value, Term)
    return value


@given(st.sets(st.integers(0, 0xFFFF), min_size=1, max_size=6), st.integers(0, 127).map(lambda i: 2 * i + 1))
@settings(max_examples=examples(40, 3), deadline=None)
def test_bounds_are_the_tightest(values: set[int], factor: int) -> None:
    chain = Chain(BitwuzlaSolver())
    path = path_of(chain, among(values))
    value = scrambled(factor)
    taken = [(one * factor + 0x1234) & 0xFFFF for one in values]
    assert chain.bounds(path, value, 16) == (min(taken), max(taken))


def test_a_single_value_costs_one_query() -> None:
    chain = Chain(BitwuzlaSolver())
    path = path_of(chain, build.eq(build.mul(X, X, 16), 49, 16), build.ult(X, 100, 16))
    before = chain.statistics.queries
    assert chain.bounds(path, scrambled(3), 16) == (7 * 3 + 0x1234, 7 * 3 + 0x1234)
    assert chain.statistics.queries == before + 1


def test_what_was_found_is_not_asked_again() -> None:
    chain = Chain(BitwuzlaSolver())
    value = scrambled(3)
    found = chain.bounds(path_of(chain, build.ult(X, 8, 16)), value, 16)
    before = chain.statistics.queries
    assert chain.bounds(path_of(chain, build.ult(X, 8, 16)), value, 16) == found
    assert chain.statistics.queries == before
    chain.forget()
    chain.bounds(path_of(chain, build.ult(X, 8, 16)), value, 16)
    assert chain.statistics.queries > before


def test_what_one_path_excludes_another_may_take() -> None:
    chain = Chain(BitwuzlaSolver())
    value = scrambled(3)
    assert chain.bounds(path_of(chain, build.ult(X, 16, 16)), value, 16) == (0x1234, 0x1234 + 45)
    assert chain.bounds(path_of(chain, build.ult(X, 17, 16)), value, 16) == (0x1234, 0x1234 + 48)


class GivesUp(BitwuzlaSolver):
    """Answers that something can be, never that it cannot."""

    def check(self, constraints, timeout=float("inf")):  # type: ignore[no-untyped-def]
        answer = super().check(constraints, timeout)
        return answer if isinstance(answer, Sat) else Unknown("gave up")


def test_a_solver_that_gives_up_leaves_wide_bounds() -> None:
    value = scrambled(3)
    good, poor = Chain(BitwuzlaSolver()), Chain(GivesUp())
    path = path_of(good, build.ult(X, 16, 16))
    assert poor.bounds(path, value, 16)[0] <= 0x1234
    assert poor.bounds(path, value, 16)[1] >= 0x1234 + 45


@given(st.sets(st.integers(0, 0xFFFF), min_size=1, max_size=5), st.lists(st.integers(0, 0xFFFF), max_size=24))
@settings(max_examples=examples(40, 3), deadline=None)
def test_comparisons_come_out_as_the_solver_has_them(values: set[int], bounds: list[int]) -> None:
    chain = Chain(BitwuzlaSolver())
    path = path_of(chain, among(values))
    value = scrambled(5)
    taken = [(one * 5 + 0x1234) & 0xFFFF for one in values]
    for bound in bounds + taken + [one + 1 for one in taken if one < 0xFFFF]:
        both = build.both(build.ult(value, bound, 16), build.ne(value, 7, 16))
        for condition, holds in (
            (build.ult(value, bound, 16), [one < bound for one in taken]),
            (build.eq(value, bound, 16), [one == bound for one in taken]),
            (both, [one < bound and one != 7 for one in taken]),
        ):
            yes, no = chain.branch(path, condition)
            assert isinstance(yes, PathCondition) == any(holds)
            assert isinstance(no, PathCondition) == (not all(holds))
