"""SEL1 to SEL5 of Scheurer16 for joins by predicates, on generated states of three variables a, b and c."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.reduce.merge.small_states import (
    CHAIN,
    REGISTERS,
    WIDTH,
    X,
    Y,
    abstract_join,
    concrete_states,
    is_valid,
    less,
    models,
    state_of,
)
from tests.reduce.merge.test_join_laws import several
from tests.support.power import examples
from unfork.engine.state.state import State
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate, substitute
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.invariants.havoc import HAVOC
from unfork.reduce.merge.abstraction_rules import read_rules
from unfork.reduce.merge.domains import read_predicate
from unfork.reduce.merge.states import ORIGIN

SETTINGS = settings(max_examples=examples(12, 3), deadline=None)
SIGNS = ("v < 0", "v == 0", "v > 0")
RELATIONS = ("v >= 0", "v <= b", "v == a || v == -c", "v != 3")
QUICK = Chain(BitwuzlaSolver())
"""For joins of joined states, which have too many symbols to try all values."""
KINDS = {
    "simple signs": ("simple", SIGNS),
    "simple relations": ("simple", RELATIONS),
    "conjunctive signs": ("conjunctive", SIGNS),
    "conjunctive relations": ("conjunctive", RELATIONS),
    "disjunctive signs": ("disjunctive", SIGNS),
    "disjunctive relations": ("disjunctive", RELATIONS),
    "some by variable": ("conjunctive", ("a: v >= 0", "b: v <= a")),
}
EXCLUSIVE = ("simple signs", "conjunctive signs", "conjunctive relations", "disjunctive signs", "some by variable")
"""Where no state has two least elements."""
JOINS = {
    kind: abstract_join(read_rules([lattice], [read_predicate(text) for text in predicates]), QUICK)
    for kind, (lattice, predicates) in KINDS.items()
}


def join_of(kind: str, a: State, b: State) -> State:
    made = JOINS[kind].join(a, b)
    assert isinstance(made, State)
    assert is_valid(made)
    return made


def registers(state: State) -> list[Value]:
    found: list[Value] = state.frames[-1].registers[:REGISTERS]
    return found


def is_fresh(one: Term) -> bool:
    return one.op == "symbol" and one.name.startswith(HAVOC)


def fresh_in(state: State) -> list[Term]:
    """What stands for forgotten numbers."""
    return [one for one in registers(state) if isinstance(one, Term) and is_fresh(one)]


def plain(count: int) -> st.SearchStrategy[list[State]]:
    """States that began alike and have registers alone."""
    return several(count).map(lambda them: [state_of(registers(one), one.path.constraints()) for one in them])


def missing(joined: State, state: State) -> list[object]:
    """The concrete states that the joined state does not stand for: all values at once, so that relations count."""
    values, fresh, constraints = registers(joined), set(fresh_in(joined)), joined.path.constraints()
    mentioned = {s for one in (*constraints, *values) if isinstance(one, Term) for s in one.symbols}
    origins = list(models(sorted((s for s in mentioned if s.name.startswith(ORIGIN)), key=lambda s: s.name)))
    found: list[object] = []
    for x, y, concrete, _ in concrete_states(state):
        chosen = {one: value for one, value in zip(values, concrete, strict=True) if isinstance(one, Term)}
        chosen = {one: value for one, value in chosen.items() if one in fresh}
        for origin in origins:
            model = Model({X: x, Y: y, **chosen, **origin.values})
            is_same = tuple([evaluate(one, model) for one in values]) == concrete
            if is_same and all(evaluate(c, model) for c in constraints):
                break
        else:
            found.append((x, y, concrete))
    return found


@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(plain(2))
def test_a_join_by_predicates_loses_nothing(kind: str, pair: list[State]) -> None:
    """SEL4 (correctness): every concrete state of both is one of the joined state."""
    a, b = pair
    made = join_of(kind, a, b)
    assert not [one for state in pair for one in missing(made, state)]
    assert made.over or not fresh_in(made)


@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(plain(2))
def test_what_is_said_of_fresh_values_adds_no_input(kind: str, pair: list[State]) -> None:
    """SEL5 (conservativity): without the conditions on fresh values, the path is that of either side; by SEL4 they
    exclude none of it."""
    a, b = pair
    made = join_of(kind, a, b)
    inputs = {one[:2] for state in pair for one in concrete_states(state)}
    conditions = [c for c in made.path.constraints() if not any(s.name.startswith(HAVOC) for s in c.symbols)]
    mentioned = sorted({X, Y, *[s for c in conditions for s in c.symbols]}, key=lambda s: s.name)
    for model in models(mentioned, conditions):
        assert (model.values[X], model.values[Y]) in inputs


def renamed(state: State) -> tuple[list[Value], Value]:
    """The registers, and what is said of fresh values, with these named after the first register that has them."""
    names: dict[Term, Value] = {}
    for number, one in enumerate(registers(state)):
        if one in fresh_in(state):
            names.setdefault(one, symbol(f"fresh{number}", WIDTH))  # type: ignore[arg-type]  # a Term
    about = [c for c in state.path.constraints() if any(s in names for s in c.symbols)]
    said = build.conjunction([substitute(c, names) for c in about])
    return [substitute(one, names) for one in registers(state)], said


def are_alike(one: State, other: State) -> bool:
    """Whether two joined states forgot the same registers and say the same of them."""
    (mine, said), (theirs, their_said) = renamed(one), renamed(other)
    forgotten = [
        [v if isinstance(v, Term) and v.op == "symbol" and v.name.startswith("fresh") else None for v in each]
        for each in (mine, theirs)
    ]
    if forgotten[0] != forgotten[1]:
        return False
    if said is their_said or said == their_said:
        return True
    differ = build.xor(said, their_said, 1)
    if not isinstance(differ, Term):
        return differ == 0
    solver = BitwuzlaSolver()
    under = [c for c in one.path.constraints() if not any(s.name.startswith(HAVOC) for s in c.symbols)]
    return isinstance(solver.check([*under, differ]), Unsat)


@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(plain(2))
def test_order_does_not_matter_and_a_state_joins_itself(kind: str, pair: list[State]) -> None:
    """SEL1 (idempotency) and SEL2 (commutativity)."""
    a, b = pair
    assert are_alike(join_of(kind, a, b), join_of(kind, b, a))
    assert concrete_states(join_of(kind, a, a)) == concrete_states(a)


def equals_by_path(state: State) -> bool:
    """Whether two registers hold different terms that are worth the same wherever the path leads."""
    return any(
        one is not other and one != other and CHAIN.must(state.path, build.eq(one, other, WIDTH))
        for one, other in combinations(registers(state), 2)
    )


@pytest.mark.parametrize("kind", EXCLUSIVE)
@SETTINGS
@given(plain(3))
def test_joins_by_predicates_may_be_grouped_in_any_way(kind: str, three: list[State]) -> None:
    """SEL3 (associativity). A joined value is known by its pair of terms: no path may say that two are equal."""
    a, b, c = three
    assume(not any(equals_by_path(state) for state in three))
    left, right = join_of(kind, join_of(kind, a, b), c), join_of(kind, a, join_of(kind, b, c))
    assert are_alike(left, right)


def first_values(lattice: str, predicates: list[str], *values: int) -> set[int]:
    """What the first register may be after states with these numbers were joined one by one."""
    join = abstract_join(read_rules([lattice], [read_predicate(text) for text in predicates]))
    made = state_of([values[0], 0, 0], [build.eq(X, 0, WIDTH)])
    for number, value in enumerate(values[1:], 1):
        again = join.join(made, state_of([value, 0, 0], [build.eq(X, number, WIDTH)]))
        assert isinstance(again, State)
        made = again
    return {one[2][0] for one in concrete_states(made)}


ANY = set(range(16))


@pytest.mark.parametrize(
    ("lattice", "predicates", "values", "expected"),
    [
        ("simple", ["v > 0", "v >= 0"], (3, 5), set(range(1, 8))),
        ("simple", ["v > 0", "v == 0"], (3, 0), ANY),
        ("conjunctive", ["v >= 0", "v <= 5", "v == 4"], (3, 5), set(range(6))),
        ("conjunctive", ["v >= 0", "v <= 5"], (3, 6), set(range(8))),
        ("conjunctive", ["v >= 0"], (3, 15), ANY),
        ("disjunctive", ["v > 0", "v == 0", "v < 0"], (3, 0), set(range(8))),
        ("disjunctive", ["v > 0", "v == 0", "v < 0"], (3, 0, 14), ANY),
        ("disjunctive", ["v == 3", "v == 5", "v == 6"], (3, 5), {3, 5}),
        ("disjunctive", ["v == 3", "v > 0"], (3, 5), set(range(1, 8))),
        ("disjunctive", ["v == 3"], (3, 5), ANY),
        ("conjunctive", ["v % 2 == 1", "(v & 4) == 0 || v > 4"], (3, 5), {1, 3, 5, 7}),
    ],
)
def test_least_elements(lattice: str, predicates: list[str], values: tuple[int, ...], expected: set[int]) -> None:
    """The least element that holds the values of both sides, whatever the order; 4 bits, signed."""
    assert first_values(lattice, predicates, *values) == expected
    assert first_values(lattice, predicates, *values[::-1]) == expected


def test_predicates_speak_of_the_joined_variables() -> None:
    """Scheurer16, Examples 3 and 4: after the exchange a is at most b, although both are forgotten."""
    swap, positive = less(Y, X), [build.slt(0, X, WIDTH), build.slt(0, Y, WIDTH)]
    a = state_of([Y, X, 0], [*positive, swap])
    b = state_of([X, Y, 0], [*positive, build.negate(swap)])
    join = abstract_join(read_rules(["conjunctive"], [read_predicate("v >= a"), read_predicate("v >= 0")]))
    made = join.join(a, b)
    assert isinstance(made, State)
    low, high, _ = registers(made)
    assert [low, high] == fresh_in(made)
    about = {c for c in made.path.constraints() if not c.symbols.isdisjoint((low, high))}
    wide = [build.sext(one, WIDTH, 32) for one in (low, high)]
    wanted = [build.sle(0, low, WIDTH), build.sle(0, high, WIDTH), build.sle(wide[0], wide[1], 32)]
    said = build.conjunction(list(about))
    differ = build.xor(said, build.conjunction(wanted), 1)
    assert differ == 0 or isinstance(BitwuzlaSolver().check([differ]), Unsat)  # type: ignore[list-item]  # a Term
    assert made.over
    assert positive == [c for c in made.path.constraints() if c not in about]


def test_values_that_no_rule_is_for_are_joined_by_ite() -> None:
    """Scheurer16, section 4.3: ite is the fallback where no lattice is given."""
    branch = less(X, 5)
    join = abstract_join(read_rules(["a:sign", "b:parity"], ()))
    made = join.join(state_of([1, 2, 3], [branch]), state_of([3, 4, 5], [build.negate(branch)]))
    assert isinstance(made, State)
    first, second, third = registers(made)
    assert fresh_in(made) == [first, second]
    assert third is build.ite(branch, 3, 5, WIDTH)
    possible = {one[2][:2] for one in concrete_states(made)}
    assert {one[0] for one in possible} == set(range(1, 8))
    assert {one[1] for one in possible} == set(range(0, 16, 2))


def test_what_is_proved_equal_is_kept() -> None:
    """Condition (star) of Scheurer16, Def. 9: where x is 5, so is x; nothing is forgotten."""
    is_five = build.eq(X, 5, WIDTH)
    for join in JOINS.values():
        a, b = state_of([5, 1, 1], [is_five]), state_of([X, 1, 1], [build.negate(is_five)])
        for pair in ((a, b), (b, a)):
            made = join.join(*pair)
            assert isinstance(made, State)
            assert registers(made)[0] is X
            assert not made.over
