"""The chain: its answers are the solver's, at most one query a branch, and an unknown stays one."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence

from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

EMPTY = PathCondition.EMPTY
X, Y, Z = symbol("x", 32), symbol("y", 32), symbol("z", 32)


class Silent:
    """A solver that never knows."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        return Unknown("silent")

    def forget(self) -> None:
        """Nothing to forget."""

    def close(self) -> None:
        """Nothing to close."""


def chain() -> Chain:
    return Chain(BitwuzlaSolver(), 20.0)


def term(value: Value) -> Term:
    assert isinstance(value, Term)
    return value


def taken(answer: object) -> PathCondition:
    assert isinstance(answer, PathCondition)
    model = answer.model()
    assert all(evaluate(constraint, model) for constraint in answer.constraints())
    return answer


def assumed(chain: Chain, *conditions: Value) -> PathCondition:
    path = EMPTY
    for condition in conditions:
        path = taken(chain.assume(path, condition))
    return path


def test_constants_need_no_path() -> None:
    asked = chain()
    assert asked.branch(EMPTY, 1) == (EMPTY, Unsat())
    assert asked.branch(EMPTY, 0) == (Unsat(), EMPTY)
    assert asked.must(EMPTY, 1)
    assert not asked.must(EMPTY, 0)
    assert asked.values(EMPTY, 7, 32, 3) == ([7], True)
    assert asked.bounds(EMPTY, 7, 32) == (7, 7)
    assert asked.statistics.queries == 0


def test_a_branch_costs_one_query_at_most_and_none_the_second_time() -> None:
    asked = chain()
    condition = build.ult(X, 10, 32)
    yes, no = asked.branch(EMPTY, condition)
    assert taken(yes).constraints() == [condition]
    assert taken(no).constraints() == [build.negate(condition)]
    assert asked.statistics.queries <= 1
    queries = asked.statistics.queries
    again, _ = asked.branch(EMPTY, condition)
    assert again == yes
    assert asked.statistics.queries == queries
    assert asked.statistics.answered_without >= 1


def test_the_path_itself_goes_on_where_the_other_side_is_infeasible() -> None:
    asked = chain()
    path = assumed(asked, build.ult(X, Y, 32), build.ult(Y, Z, 32))
    yes, no = asked.branch(path, build.ult(X, Z, 32))
    assert yes is path
    assert isinstance(no, Unsat)


def test_independent_conditions_stay_apart() -> None:
    asked = chain()
    path = assumed(asked, build.ult(X, 10, 32), build.ult(Y, 10, 32))
    assert len(path.all_slices()) == 2
    path = assumed(asked, build.ult(X, 10, 32), build.ult(Y, 10, 32), build.ult(X, Y, 32))
    assert len(path.all_slices()) == 1


def test_conjunctions_are_taken_apart() -> None:
    asked = chain()
    path = assumed(asked, build.both(build.ult(X, 10, 32), build.ult(Y, 20, 32)))
    assert len(path) == 2
    assert len(path.all_slices()) == 2
    yes, no = asked.branch(path, build.both(build.ult(X, 5, 32), build.ult(Z, 5, 32)))
    assert len(taken(yes).all_slices()) == 3
    assert len(taken(no)) == 3


def test_must_is_proof() -> None:
    asked = chain()
    path = assumed(asked, build.ult(X, 10, 32))
    assert asked.must(path, build.ult(X, 11, 32))
    assert not asked.must(path, build.ult(X, 9, 32))
    assert not Chain(Silent()).must(path, build.ult(X, 11, 32))


def test_values_and_bounds() -> None:
    asked = chain()
    path = assumed(asked, build.ult(X, 5, 32), build.ne(X, 2, 32))
    shifted = build.add(build.mul(X, 3, 32), 1, 32)
    assert asked.values(path, shifted, 32, 10) == ([1, 4, 10, 13], True)
    found, complete = asked.values(path, shifted, 32, 2)
    assert not complete
    assert len(found) == 2
    assert set(found) <= {1, 4, 10, 13}
    assert asked.bounds(path, shifted, 32) == (1, 13)
    assert asked.bounds(EMPTY, build.and_(X, 0xF0, 32), 32) == (0, 0xF0)
    assert asked.evaluate(path, shifted) in (1, 4, 10, 13)


def test_bounds_where_a_comparison_folds_that_the_range_does_not_show() -> None:
    asked = chain()
    rest = build.urem(X, 13, 32)
    before = build.ite(build.eq(rest, 0, 32), 0, build.sub(rest, 1, 32), 32)
    assert build.uge(before, 1 << 31, 32) == 0
    assert asked.bounds(EMPTY, before, 32) == (0, 11)


def test_an_unknown_is_neither_side() -> None:
    asked = Chain(Silent())
    condition = build.eq(X, 0, 32)
    yes, no = asked.branch(EMPTY, condition)
    known = [side for side in (yes, no) if isinstance(side, PathCondition)]
    unknown = [side for side in (yes, no) if isinstance(side, Unknown)]
    assert len(known) == len(unknown) == 1
    assert asked.statistics.unknown == 1
    found, complete = asked.values(EMPTY, X, 32, 4)
    assert not complete
    assert len(found) == 1
    assert asked.bounds(EMPTY, X, 32) == (0, 0xFFFFFFFF)


def test_forgetting_changes_no_answer() -> None:
    asked = chain()
    path = assumed(asked, build.ult(X, Y, 32))
    asked.forget()
    yes, no = asked.branch(path, build.ult(Y, X, 32))
    assert isinstance(yes, Unsat)
    assert no is path


def test_paths_pickle_with_their_models() -> None:
    asked = chain()
    path = assumed(asked, build.ult(X, Y, 32), build.ult(Z, 7, 32), build.eq(Y, 9, 32))
    copy = pickle.loads(pickle.dumps(path))
    assert copy == path
    assert hash(copy) == hash(path)
    assert copy.constraints() == path.constraints()
    assert copy.model().values == path.model().values
    assert len(copy.all_slices()) == 2
    assert pickle.loads(pickle.dumps(EMPTY)) == EMPTY


def test_long_paths_pickle() -> None:
    asked = chain()
    path = EMPTY
    for i in range(3_000):
        path = taken_quickly(asked.assume(path, build.ne(symbol(f"byte {i}", 8), 3, 8)))
    copy = pickle.loads(pickle.dumps(path))
    assert len(copy) == 3_000
    assert copy == path
    del path, copy


def taken_quickly(answer: object) -> PathCondition:
    assert isinstance(answer, PathCondition)
    return answer


def test_common_prefix() -> None:
    asked = chain()
    stem = assumed(asked, build.ult(X, 10, 32), build.ult(Y, 10, 32))
    left, right = asked.branch(stem, build.ult(X, Y, 32))
    longer = taken(asked.assume(taken(left), build.eq(Z, 1, 32)))
    assert longer.common_prefix(taken(right)) == 2
    assert taken(right).common_prefix(longer) == 2
    assert longer.common_prefix(stem) == 2
    assert longer.common_prefix(longer) == 4
    assert EMPTY.common_prefix(longer) == 0
    again = assumed(chain(), build.ult(X, 10, 32), build.eq(Z, 5, 32))
    assert longer.common_prefix(again) == 1


def test_equality_is_that_of_sets() -> None:
    asked = chain()
    one = assumed(asked, build.ult(X, 10, 32), build.ult(Y, 10, 32))
    other = assumed(asked, build.ult(Y, 10, 32), build.ult(X, 10, 32))
    assert one == other
    assert hash(one) == hash(other)
    assert one != EMPTY


def test_random_walks_agree_with_the_bare_solver() -> None:
    choose = random.Random(7)
    symbols = [symbol(f"walk {i}", 8) for i in range(5)]
    asked, bare = chain(), BitwuzlaSolver()
    for _ in range(25):
        path = EMPTY
        for _ in range(12):
            a, b = choose.sample(symbols, 2)
            left: Value = build.add(a, choose.randrange(256), 8) if choose.random() < 0.5 else a
            right: Value = b if choose.random() < 0.6 else choose.randrange(256)
            condition = choose.choice([build.ult, build.slt, build.eq, build.ule])(left, right, 8)
            yes, no = asked.branch(path, condition)
            for side, literal in ((yes, condition), (no, build.negate(condition))):
                query = [*path.constraints(), *([literal] if isinstance(literal, Term) else [])]
                feasible = literal != 0 and isinstance(bare.check(query), Sat)
                assert isinstance(side, PathCondition) == feasible
            path = taken(choose.choice([side for side in (yes, no) if isinstance(side, PathCondition)]))
    assert asked.statistics.queries < 25 * 12


def test_the_summary_counts_what_was_asked() -> None:
    asked = chain()
    assumed(asked, build.ult(X, 5, 32))
    assert isinstance(asked.assume(assumed(asked, build.ult(X, 5, 32)), build.ugt(X, 9, 32)), Unsat)
    counts = asked.statistics.as_dict()
    assert counts["queries"] == counts["sat"] + counts["unsat"] + counts["unknown"] > 0
    assert counts["unknown"] == 0


def test_a_byte_needs_no_query_where_its_own_constraints_decide() -> None:
    asked = Chain(Silent())
    first, second = symbol("first", 8), symbol("second", 8)
    path = assumed(asked, build.ult(first, 10, 8), build.ne(first, 0, 8))
    yes, no = asked.branch(path, build.eq(first, 7, 8))
    assert taken(yes).model().values[first] == 7
    assert taken(no).model().values[first] != 7
    assert asked.branch(path, build.ult(first, 20, 8)) == (path, Unsat())
    related = taken(chain().assume(path, build.ult(second, first, 8)))
    assert isinstance(asked.assume(related, build.eq(first, 12, 8)), Unsat)
    assert asked.statistics.queries == 0
    assert isinstance(asked.assume(related, build.eq(second, 8, 8)), Unknown)
