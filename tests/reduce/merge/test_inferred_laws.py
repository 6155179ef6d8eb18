"""SEL1 to SEL5 of Scheurer16 for joins by inferred predicates, on generated states of three variables."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reduce.merge.small_states import (
    WIDTH,
    X,
    Y,
    concrete_states,
    inferred_join,
    is_valid,
    ite_join,
    models,
    state_of,
)
from tests.reduce.merge.test_predicate_laws import QUICK, is_fresh, plain, registers
from tests.support.power import examples
from unfork.engine.state.state import State
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import constant
from unfork.reduce.audit.audited_join import JoinClaim
from unfork.reduce.invariants.sieve import LinearFit, fit_relation, samples
from unfork.reduce.merge import inference
from unfork.reduce.merge.lessons import Forgot
from unfork.reduce.merge.refinement import MOST_AGAIN, MOST_TRIES, Refinement, Suspects
from unfork.reduce.merge.states import ORIGIN

SETTINGS = settings(max_examples=examples(40, 3), deadline=None)
PLACE = ("f", 0, 0)


def joined(a: State, b: State) -> State:
    made = inferred_join(Refinement(), QUICK).join(a, b)
    assert isinstance(made, State)
    assert is_valid(made)
    return made


def missing(made: State, state: State) -> list[object]:
    """The concrete states that the joined state does not stand for: all values at once, so that relations count."""
    values, constraints = registers(made), made.path.constraints()
    mentioned = {s for one in (*constraints, *values) if isinstance(one, Term) for s in one.symbols}
    bits = [s for s in mentioned if s.name.startswith(ORIGIN) or (is_fresh(s) and s.width == 1)]
    found: list[object] = []
    for x, y, concrete, _ in concrete_states(state):
        numbers = {
            one: value
            for one, value in zip(values, concrete, strict=True)
            if isinstance(one, Term) and is_fresh(one) and one.width == WIDTH
        }
        for chosen in models(sorted(bits, key=lambda s: s.name)):
            model = Model({X: x, Y: y, **numbers, **chosen.values})
            is_same = tuple([evaluate(one, model) for one in values]) == concrete
            if is_same and all(evaluate(c, model) for c in constraints):
                break
        else:
            found.append((x, y, concrete))
    return found


@SETTINGS
@given(plain(2))
def test_a_join_by_inferred_predicates_loses_nothing(pair: list[State]) -> None:
    """SEL4 (correctness): every concrete state of both is one of the joined state; it is marked if it has more."""
    a, b = pair
    made = joined(a, b)
    assert not [one for state in pair for one in missing(made, state)]
    if not made.over:
        assert concrete_states(made) == concrete_states(a) | concrete_states(b)


@SETTINGS
@given(plain(3))
def test_joined_states_are_joined_again_without_loss(three: list[State]) -> None:
    """The same where one side is a joined state."""
    join = inferred_join(Refinement(), QUICK)
    a, b, c = three
    first = join.join(a, b)
    assert isinstance(first, State)
    made = join.join(first, c)
    assert isinstance(made, State)
    assert is_valid(made)
    assert not missing(made, c)
    assert made.over or not first.over


@SETTINGS
@given(plain(2))
def test_a_join_by_inferred_predicates_adds_no_input(pair: list[State]) -> None:
    """SEL5 (conservativity): the inputs of the joined state are those of either side."""
    a, b = pair
    made = joined(a, b)
    conditions = [build.disjunction([build.conjunction(each.path.constraints()) for each in pair])]
    known = {X, Y}
    own = [c for c in made.path.constraints() if c.symbols <= known]
    for model in models([X, Y]):
        if all(evaluate(c, model) for c in conditions):
            assert all(evaluate(c, model) for c in own)


@SETTINGS
@given(plain(2))
def test_the_audit_proves_joins_by_inferred_predicates(pair: list[State]) -> None:
    """Code of its own comes to the same: each obligation of the join is proved."""
    made = joined(*pair)
    for obligation in JoinClaim(pair, made).obligations():
        if obligation.conclusion == 1:
            continue
        negated = build.negate(obligation.conclusion)
        conditions = [*obligation.hypotheses, *([negated] if isinstance(negated, Term) else [])]
        assert negated == 0 or isinstance(QUICK.solver.check(conditions, 10.0), Unsat), obligation.what


@SETTINGS
@given(plain(1))
def test_samples_are_models(one: list[State]) -> None:
    """Law of models that cost nothing: each satisfies the path."""
    path = one[0].path
    for model in samples(path, [X, Y]):
        assert all(evaluate(constraint, model) for constraint in path.constraints())


NUMBERS = st.integers(-9, 9)


@SETTINGS
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=4, max_size=9), NUMBERS, NUMBERS, NUMBERS)
def test_sums_are_read_off_points_where_they_determine_them(
    places: list[tuple[int, int]], first: int, second: int, constant: int
) -> None:
    """Also where numbers wrap around: points that tell all factors apart give back the sum that they are on."""
    points = [((0, 0), constant), ((1, 0), first + constant), ((0, 1), second + constant)]
    points += [((a, b), a * first + b * second + constant) for a, b in places]
    for width in (8, 32):
        assert fit_relation(points, width) == LinearFit((first, second), constant)
        assert fit_relation([*points, ((0, 0), constant + 1)], width) is None


def test_a_sum_that_both_sides_are_is_kept_as_it_is() -> None:
    """x + y on paths with x == 1 and x == 2 (pos_sum): nothing is forgotten."""
    one = state_of([build.add(Y, 1, WIDTH), X, Y], [build.eq(X, 1, WIDTH)])
    two = state_of([build.add(Y, 2, WIDTH), X, Y], [build.eq(X, 2, WIDTH)])
    made = joined(one, two)
    assert registers(made)[0] is build.add(X, Y, WIDTH)
    assert not made.over


def test_places_that_are_blamed_join_exactly_and_in_the_end_all_do() -> None:
    """Law of the refinement: it ends, and exactly."""
    refinement = Refinement()
    a, b = (state_of([number, 0, 0], [build.eq(X, number, WIDTH)]) for number in (3, 5))
    for turn in range(MOST_AGAIN + 1):
        made = inferred_join(refinement, QUICK).join(a, b)
        assert isinstance(made, State)
        assert made.over is (turn == 0)
        refinement.note_join(Forgot(("f", 1 + turn, 0), {X: 3}, {}, None), [])
        refinement.blame(Suspects(frozenset((X,)) if turn else symbols(made), frozenset()))
        assert refinement.begins_again(QUICK)
        assert refinement.is_exact(PLACE)
    assert refinement.everywhere
    assert not refinement.begins_again(QUICK)


def symbols(state: State) -> frozenset[Term]:
    """Those of the registers."""
    return frozenset().union(*[value.symbols for value in registers(state) if isinstance(value, Term)])


def fails(state: State, compared: int) -> list[Term]:
    """The conditions under which two registers of a state, or one and an input, are equal, or are not."""
    one, two, three = registers(state)
    condition = build.eq(*((one, two), (two, three), (one, X), (one, Y))[compared >> 1], WIDTH)
    condition = condition if compared & 1 else build.negate(condition)
    return [*state.path.constraints(), *build.conjuncts(condition if isinstance(condition, Term) else FALSE)]


FALSE = constant(0, 1)


def is_possible(conditions: list[Term]) -> bool:
    return not isinstance(QUICK.solver.check(conditions, 10.0), Unsat)


def lost(made: State, state: State) -> list[object]:
    """Of some concrete states, those that the joined state does not stand for, whatever earlier joins forgot."""
    points = sorted(concrete_states(state), key=repr)
    some = points[:: len(points) // 5 + 1]
    said = [(*zip(registers(made), concrete, strict=True), (X, x), (Y, y)) for x, y, concrete, _ in some]
    equal = [[build.eq(value, number, WIDTH) for value, number in pairs] for pairs in said]
    wanted = [[each if isinstance(each, Term) else constant(each, 1) for each in conditions] for conditions in equal]
    known = made.path.constraints()
    return [one for one, each in zip(some, wanted, strict=True) if not is_possible([*known, *each])]


@SETTINGS
@given(plain(3), st.integers(0, 7))
def test_what_a_failure_gives_is_true_of_both_sides(three: list[State], compared: int) -> None:
    """SEL4 with predicates of failures: nothing is lost, whatever the failure was."""
    refinement = Refinement()
    a, b, c = three
    for _ in range(3):
        join = inferred_join(refinement, QUICK)
        first = join.join(a, b)
        assert isinstance(first, State)
        made = join.join(first, c)
        assert isinstance(made, State)
        assert is_valid(made)
        assert not [one for state in three for one in lost(made, state)]
        conditions = fails(made, compared)
        refinement.blame(Suspects(symbols(made), frozenset(), conditions))
        if not refinement.begins_again(QUICK) or refinement.is_exact(PLACE):
            break


@SETTINGS
@given(plain(2), st.integers(0, 7))
def test_a_failure_that_exact_joins_exclude_is_excluded_in_the_end(pair: list[State], compared: int) -> None:
    """Law of the refinement: what it gives, or the exact join in its place, suffices."""
    exact = ite_join().join(*pair)
    if not isinstance(exact, State) or is_possible(fails(exact, compared)):
        return
    refinement = Refinement()
    for _ in range(MOST_TRIES + MOST_AGAIN + 2):
        made = inferred_join(refinement, QUICK).join(*pair)
        assert isinstance(made, State)
        conditions = fails(made, compared)
        if not is_possible(conditions):
            return
        refinement.blame(Suspects(symbols(made), frozenset(), conditions))
        assert refinement.begins_again(QUICK)
    raise AssertionError(conditions)


def blamed() -> tuple[Refinement, list[State]]:
    """A number is 1 where x > 10, else 2; the join of both sides was blamed for a failure with 1 where x is 4."""
    above = build.ugt(X, 10, WIDTH)
    pair = [state_of([1, 0, 0], [above]), state_of([2, 0, 0], [build.negate(above)])]
    refinement = Refinement()
    made = inferred_join(refinement, QUICK).join(*pair)
    assert isinstance(made, State)
    wrong = build.both(build.eq(registers(made)[0], 1, WIDTH), build.eq(X, 4, WIDTH))
    assert isinstance(wrong, Term)
    refinement.blame(Suspects(wrong.symbols, frozenset(), [*made.path.constraints(), wrong]))
    assert refinement.begins_again(QUICK)
    return refinement, pair


def test_a_failure_gives_how_a_number_depends_on_an_input() -> None:
    """x > 10 tells the two sides apart: with that put back the failure cannot be, and its conditions are kept."""
    refinement, pair = blamed()
    assert not refinement.is_exact(PLACE)
    again = inferred_join(refinement, QUICK).join(*pair)
    assert isinstance(again, State)
    assert again.over
    assert QUICK.must(again.path, build.either(build.ne(X, 4, WIDTH), build.eq(registers(again)[0], 2, WIDTH)))


def test_what_a_failure_gives_is_proved_where_models_do_not_refute_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """That the number is 2 wherever x is 4 is false of the second pair, and no model at hand says so."""
    monkeypatch.setattr(inference, "samples", lambda path, symbols: [path.model()])
    refinement, _ = blamed()
    others = [state_of([1, 0, 0], [build.ult(X, 6, WIDTH)]), state_of([2, 0, 0], [build.uge(X, 6, WIDTH)])]
    again = inferred_join(refinement, QUICK).join(*others)
    assert isinstance(again, State)
    assert not [one for state in others for one in missing(again, state)]
