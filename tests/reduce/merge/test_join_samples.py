"""The sample states of Steinhoefel's summaries and of Scheurer16, worked by hand."""

from __future__ import annotations

import pytest

from tests.reduce.merge.small_states import (
    CHAIN,
    WIDTH,
    X,
    Y,
    abstract_join,
    concrete_states,
    is_valid,
    ite_join,
    less,
    state_of,
    summary_join,
)
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.state import State
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.reduce.invariants.havoc import HAVOC
from unfork.reduce.merge.abstraction_rules import read_rules
from unfork.reduce.merge.domains import read_predicate
from unfork.reduce.merge.joined_paths import distinguishing
from unfork.reduce.merge.lineage import Lineage
from unfork.reduce.merge.states import ORIGIN

JOIN = summary_join()
"""One for all: origins are counted by run."""


def joined(a: State, b: State) -> State:
    made = JOIN.join(a, b)
    assert isinstance(made, State)
    return made


def test_if_example_needs_no_origin() -> None:
    """if (k > 0) i = 2 * k; else i = 42: the branch tells the sides apart, and the path says nothing any more."""
    positive = build.slt(0, X, WIDTH)
    a = state_of([build.mul(X, 2, WIDTH), 0, 0], [positive])
    b = state_of([10, 0, 0], [build.negate(positive)])
    made = ite_join().join(a, b)
    assert isinstance(made, State)
    assert made.path.length == 0
    assert made.frames[-1].registers[0] is build.ite(positive, build.mul(X, 2, WIDTH), 10, WIDTH)
    assert made.joined_under is positive
    assert made.multiplicity == 2


def test_if_example_by_abstraction() -> None:
    """The same with what is known of i forgotten but for its sign: ({c > 0}, i = c) (Steinhoefel)."""
    positive, small = build.slt(0, X, WIDTH), less(X, 4)
    a = state_of([build.mul(X, 2, WIDTH), 0, 0], [small, positive])
    b = state_of([5, 0, 0], [small, build.negate(positive)])
    rules = (read_rules(["sign"], ()), read_rules(["conjunctive"], [read_predicate("v > 0"), read_predicate("v > 5")]))
    for kept in rules:
        made = abstract_join(kept).join(a, b)
        assert isinstance(made, State)
        value = made.frames[-1].registers[0]
        assert isinstance(value, Term)
        assert value.name.startswith(HAVOC)
        assert [one for one in made.path.constraints() if one is not small] == [build.slt(0, value, WIDTH)]
        assert made.over


def test_what_the_statements_printed() -> None:
    """if (l1 == n) l2 = 17 else l2 = l1 * l1, as ({}, [l2 -> {(l1 * l1 | l1 != n), (17 | l1 == n)}]) (Steinhoefel)."""
    is_n = build.eq(X, 10, WIDTH)
    square = build.mul(X, X, WIDTH)
    a, b = state_of([X, square, 0], [build.negate(is_n)]), state_of([X, 7, 0], [is_n])
    for pair in ((a, b), (b, a)):
        made = ite_join().join(*pair)
        assert isinstance(made, State)
        assert made.path.length == 0
        assert made.frames[-1].registers[:2] == [X, build.ite(is_n, 7, square, WIDTH)]


def do_while_states() -> tuple[State, State]:
    """do { i--; } while (i > 0), at the loop's head: (true, i = i0) and (i0 > 0, i = i0 - 1)."""
    return state_of([X, 0, 0], []), state_of([build.sub(X, 1, WIDTH), 0, 0], [build.slt(0, X, WIDTH)])


def test_do_while_is_refused_by_ite() -> None:
    a, b = do_while_states()
    for pair in ((a, b), (b, a)):
        assert ite_join().join(*pair) == Refusal("indistinguishable")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_do_while_is_handled_by_a_summary(order: tuple[int, int]) -> None:
    """Both values stay possible where both paths are: neither order loses one, as an ite would."""
    states = do_while_states()
    made = joined(states[order[0]], states[order[1]])
    assert concrete_states(made) == concrete_states(states[0]) | concrete_states(states[1])
    value = made.frames[-1].registers[0]
    origins = [s for s in value.symbols if s.name.startswith(ORIGIN)]
    assert len(origins) == 1
    assert origins[0].width == 1


def test_the_path_behind_an_origin_is_rebuilt() -> None:
    """A model of the joined state says which of the two paths it is on, join by join."""
    a, b = do_while_states()
    join = summary_join()
    made = join.join(a, b)
    assert isinstance(made, State)
    lineage = Lineage(lambda node: {9: (7,), 7: (3, 4)}.get(node, ()))
    lineage.remember(7, (3, 4), made.joined_under)
    origin = made.joined_under
    assert isinstance(origin, Term)
    assert lineage.way(9, Model({origin: 1, X: 5})) == [(7, 3)]
    assert lineage.way(7, Model({origin: 0, X: 5})) == [(7, 4)]
    assert lineage.way(3, Model({})) == []
    value = made.frames[-1].registers[0]
    assert (evaluate(value, Model({origin: 1, X: 5})), evaluate(value, Model({origin: 0, X: 5}))) == (5, 4)
    assert lineage.way(9, made.path.model()) == [(7, 3)]
    paths = [one for one in lineage.paths(9, made.path, CHAIN) if isinstance(one, PathCondition)]
    assert [evaluate(origin, one.model()) for one in paths] == [1, 0]


def test_states_with_an_origin_can_be_told_apart_again() -> None:
    """Time makes overlapping states distinguishable: what a later branch on the value splits, ite joins."""
    made = joined(*do_while_states())
    value = made.frames[-1].registers[0]
    low, high = (state_of(made.frames[-1].registers[:3], [*made.path.constraints(), c]) for c in _sides(less(value, 3)))
    again = ite_join().join(low, high)
    assert isinstance(again, State)
    assert concrete_states(again) == concrete_states(made)


def _sides(condition: object) -> tuple[object, object]:
    return condition, build.negate(condition)  # type: ignore[arg-type]  # a Value


def test_overlapping_constants_are_both_possible() -> None:
    """{(true | 7), (true | 12)} stands for {7, 12}."""
    a, b = state_of([7, 0, 0], []), state_of([12, 0, 0], [])
    assert ite_join().join(a, b) == Refusal("indistinguishable")
    made = joined(a, b)
    assert {one[2][0] for one in concrete_states(made)} == {7, 12}
    again = joined(made, a)
    assert {one[2][0] for one in concrete_states(again)} == {7, 12}


def test_one_origin_serves_all_variables() -> None:
    """Guards that were chosen per variable would mix the x of one path with the y of another."""
    a, b = state_of([1, 2, 3], [], [X]), state_of([4, 5, 6], [], [Y])
    made = joined(a, b)
    assert {one[2] for one in concrete_states(made)} == {(1, 2, 3), (4, 5, 6)}
    assert len({s for value in made.frames[-1].registers[:3] for s in value.symbols}) == 1


def test_equal_variables_stay() -> None:
    """Condition (star): what both states hold alike is no choice, whatever the paths are."""
    branch = less(X, 5)
    a, b = state_of([X, 3, 1], [branch]), state_of([X, 3, 2], [build.negate(branch)])
    made = ite_join().join(a, b)
    assert isinstance(made, State)
    assert made.frames[-1].registers[:2] == [X, 3]


def test_dist_keeps_no_branch() -> None:
    """Scheurer16, Example 2: x and y are exchanged where y < x; neither comparison stays in the path."""
    swap = less(Y, X)
    a, b = state_of([Y, X, 0], [swap]), state_of([X, Y, 0], [build.negate(swap)])
    made = ite_join().join(a, b)
    assert isinstance(made, State)
    assert made.path.length == 0
    low, high = made.frames[-1].registers[:2]
    assert low is build.ite(swap, Y, X, WIDTH)
    assert high is build.ite(swap, X, Y, WIDTH)


def terms(*values: Value) -> list[Term]:
    """Conditions that are no constants."""
    return [one for one in values if isinstance(one, Term)]


def test_the_distinguishing_formula_is_the_branch() -> None:
    """Scheurer16, Def. 10: of all that the first side assumes, the one condition that the other side denies."""
    branch = less(X, 5)
    first = terms(less(Y, 9), branch, build.ne(Y, 3, WIDTH))
    second = terms(build.ne(Y, 1, WIDTH), build.negate(branch))
    assert distinguishing(first, second) is branch
    assert distinguishing(second, first) is build.negate(branch)


def test_else_the_distinguishing_formula_is_the_smaller_side() -> None:
    """Where no single condition is denied, but both together contradict each other."""
    both = terms(build.ne(Y, 3, WIDTH), build.eq(X, 2, WIDTH))
    one = terms(build.eq(X, 3, WIDTH))
    assert distinguishing(both, one) is build.negate(one[0])
    assert distinguishing(one, both) is one[0]


def test_what_overlaps_is_not_distinguished() -> None:
    first, second = terms(less(X, 5)), terms(less(3, X))
    assert distinguishing(first, second) is None
    assert ite_join().join(state_of([1, 0, 0], first), state_of([2, 0, 0], second)) == Refusal("indistinguishable")


def test_a_formula_that_only_a_solver_finds() -> None:
    """x * x = 4 excludes x = 3 (4 bits: 9), which no folding sees; the shorter side is the guard."""
    square = build.eq(build.mul(X, X, WIDTH), 4, WIDTH)
    three = build.both(build.ule(3, X, WIDTH), build.ule(X, 3, WIDTH))
    made = ite_join().join(state_of([1, 0, 0], [square]), state_of([2, 0, 0], [three]))
    assert isinstance(made, State)
    assert not any(s.name.startswith(ORIGIN) for c in made.path.constraints() for s in c.symbols)
    assert {one[2][0] for one in concrete_states(made) if one[0] == 3} == {2}


def test_a_choice_of_numbers_is_decided_by_folding() -> None:
    """arg < argc over {2 if C, 1 otherwise} needs no solver (Steinhoefel; Kuznetsov12's echo)."""
    branch = less(X, 5)
    made = ite_join().join(state_of([2, 0, 0], [branch]), state_of([1, 1, 0], [build.negate(branch)]))
    assert isinstance(made, State)
    number = made.frames[-1].registers[0]
    assert less(number, 3) == 1
    assert less(number, 1) == 0
    assert less(number, 2) is build.negate(branch)
    assert build.add(number, made.frames[-1].registers[1], WIDTH) == 2


def test_what_is_left_of_a_path_is_what_the_guard_leaves_open() -> None:
    """(C and c) or (not C and d): two implications; and a third state that takes the rest of C makes it empty."""
    branch, inner = less(X, 5), less(Y, 3)
    a = state_of([1, 0, 0], [branch, inner])
    b = state_of([2, 0, 0], [branch, build.negate(inner)])
    c = state_of([3, 0, 0], [build.negate(branch)])
    first = joined(a, c)
    assert first.path.length == 1
    assert joined(first, b).path.length == 0
    assert concrete_states(joined(first, b)) == concrete_states(a) | concrete_states(b) | concrete_states(c)


def test_a_condition_that_one_side_assumed_twice_is_kept() -> None:
    """A conjunction brings a condition again that both paths began with: it is no residual of that side."""
    nonzero, low = build.ne(X, 0, WIDTH), less(Y, 3)
    common = state_of([1, 0, 0], [nonzero])
    a, b = common.fork(), common.fork()
    a.path = a.path.extended([nonzero, low], state_of([1, 0, 0], [nonzero, low]).path.all_slices())
    b.frames[-1].registers[0] = 2
    b.path = CHAIN.assume(b.path, build.negate(low))  # type: ignore[assignment]  # it is feasible
    for pair in ((a, b), (b, a)):
        made = joined(*pair)
        assert is_valid(made)
        assert made.path.constraints() == [nonzero]
        assert concrete_states(made) == concrete_states(a) | concrete_states(b)
