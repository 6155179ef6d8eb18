"""SEL1 to SEL5 of Scheurer16 for the abstract joins, on generated states whose concrete states are counted out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.reduce.merge.small_states import (
    CHAIN,
    WIDTH,
    X,
    Y,
    abstract_join,
    concrete_states,
    is_valid,
    less,
    models,
    state_of,
    symbols_of,
)
from tests.reduce.merge.test_join_laws import several
from tests.support.power import examples
from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term
from unfork.reduce.merge.abstraction_rules import NumberRule, read_rules
from unfork.reduce.merge.domains import ANYTHING, INTERVAL, WIDENED_INTERVAL

SETTINGS = settings(max_examples=examples(25), deadline=None)
KINDS = [("sign",), ("parity",), ("boolean",), ("interval",), ("sign", "parity"), ()]
JOINS = {
    ",".join(names) or "havoc": abstract_join(
        read_rules(names, ()) if names else [NumberRule(None, ANYTHING, ANYTHING)]
    )
    for names in KINDS
}


def join_of(name: str, a: State, b: State) -> State:
    made = JOINS[name].join(a, b)
    assert isinstance(made, State)
    assert is_valid(made)
    return made


def registers_only(state: State) -> set[tuple[object, ...]]:
    """The concrete states register by register: (number, x, y, value)."""
    found: set[tuple[object, ...]] = set()
    for number, value in enumerate(state.frames[-1].registers[:3]):
        about = {X, Y, *(value.symbols if isinstance(value, Term) else ())}
        conditions = [c for c in state.path.constraints() if not about.isdisjoint(c.symbols)]
        for model in models(sorted({*about, *symbols_of(conditions)}, key=lambda s: s.name), conditions):
            found.add((number, model.values[X], model.values[Y], evaluate(value, model)))
    return found


@pytest.mark.parametrize("name", JOINS)
@SETTINGS
@given(several(2))
def test_an_abstract_join_loses_nothing(name: str, pair: list[State]) -> None:
    """SEL4 (correctness): a weakening of both; and it is marked if it stands for more."""
    a, b = pair
    made = join_of(name, a, b)
    both = registers_only(a) | registers_only(b)
    assert both <= registers_only(made)
    if not made.over:
        assert both == registers_only(made)


@pytest.mark.parametrize("name", JOINS)
@SETTINGS
@given(several(2))
def test_an_abstract_join_excludes_no_input_and_adds_none(name: str, pair: list[State]) -> None:
    """SEL5 (conservativity): conditions on fresh values say nothing of the inputs."""
    a, b = pair
    inputs = [{one[1:3] for one in registers_only(each)} for each in (a, b, join_of(name, a, b))]
    assert inputs[2] == inputs[0] | inputs[1]


@pytest.mark.parametrize("name", JOINS)
@SETTINGS
@given(several(2))
def test_order_does_not_matter_and_a_state_joins_itself(name: str, pair: list[State]) -> None:
    """SEL1 (idempotency) and SEL2 (commutativity)."""
    a, b = pair
    assert registers_only(join_of(name, a, b)) == registers_only(join_of(name, b, a))
    assert registers_only(join_of(name, a, a)) == registers_only(a)


def first_values(name: str, *values: int) -> set[int]:
    """What the first register may be after states with these numbers were joined one by one."""
    made = state_of([values[0], 0, 0], [build.eq(X, 0, WIDTH)])
    for number, value in enumerate(values[1:], 1):
        made = join_of(name, made, state_of([value, 0, 0], [build.eq(X, number, WIDTH)]))
    return {one[2][0] for one in concrete_states(made)}  # type: ignore[index]  # a tuple of registers


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("sign", (3, 5), set(range(1, 8))),
        ("sign", (3, 0), set(range(8))),
        ("sign", (3, 12), {*range(1, 16)}),
        ("sign", (3, 12, 0), set(range(16))),
        ("parity", (3, 5), set(range(1, 16, 2))),
        ("boolean", (0, 1), {0, 1}),
        ("interval", (3, 5), {3, 4, 5}),
        ("interval", (1, 15), {15, 0, 1}),
        ("sign,parity", (3, 5), {1, 3, 5, 7}),
        ("havoc", (3, 5), set(range(16))),
    ],
)
def test_least_elements(name: str, values: tuple[int, ...], expected: set[int]) -> None:
    """The least element that holds the values of both sides, whatever the order."""
    assert first_values(name, *values) == expected
    assert first_values(name, *values[::-1]) == expected


def test_equal_pairs_stay_equal() -> None:
    """A register and its copy are one fresh value."""
    branch = less(X, 5)
    made = join_of("sign", state_of([1, 1, 2], [branch]), state_of([3, 3, 2], [build.negate(branch)]))
    first, second, third = made.frames[-1].registers[:3]
    assert isinstance(first, Term)
    assert first is second
    assert third == 2
    assert made.over


def test_widening_ends_chains() -> None:
    """At a loop head a bound that moves is given up, one that stands stays."""
    path = state_of([0, 0, 0], []).path
    fresh = Y
    plain = INTERVAL.covering(CHAIN, ((path, 0), (path, 2)), WIDTH, fresh)
    widened = WIDENED_INTERVAL.covering(CHAIN, ((path, 0), (path, 2)), WIDTH, fresh)
    assert plain is less(fresh, 3)
    assert widened is build.sle(0, fresh, WIDTH)
    below = WIDENED_INTERVAL.covering(CHAIN, ((path, 0), (path, 14)), WIDTH, fresh)
    assert below is build.sle(fresh, 0, WIDTH)
    assert WIDENED_INTERVAL.covering(CHAIN, ((path, 5), (path, 5)), WIDTH, fresh) is build.eq(fresh, 5, WIDTH)
