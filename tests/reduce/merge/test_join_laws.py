"""SEL1 to SEL5 of Scheurer16 for the exact joins, on generated states whose concrete states are counted out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reduce.merge.small_states import WIDTH, X, Y, concrete_states, is_valid, ite_join, state_of, summary_join
from tests.support.power import examples
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.term import Value

SETTINGS = settings(max_examples=examples(60, 3), deadline=None)
NUMBERS = st.integers(0, (1 << WIDTH) - 1)


@st.composite
def values(draw: st.DrawFn) -> Value:
    """A term of 4 bits, or a number."""
    leaf = draw(st.sampled_from([X, Y, *range(4)]))
    match draw(st.sampled_from(["leaf", "leaf", "add", "ite", "mul"])):
        case "add":
            return build.add(leaf, draw(st.sampled_from([X, Y, 1, 3])), WIDTH)
        case "mul":
            return build.mul(leaf, draw(NUMBERS), WIDTH)
        case "ite":
            return build.ite(draw(conditions()), leaf, draw(NUMBERS), WIDTH)
    return leaf


@st.composite
def conditions(draw: st.DrawFn) -> Value:
    """A condition over the inputs."""
    term, other = draw(st.sampled_from([X, Y])), draw(st.one_of(NUMBERS, st.sampled_from([X, Y])))
    made = draw(st.sampled_from([build.ult, build.eq, build.slt]))(term, other, WIDTH)
    if draw(st.booleans()):
        made = build.negate(made)
    if draw(st.integers(0, 3)) == 0:
        made = build.either(made, build.eq(draw(st.sampled_from([X, Y])), draw(NUMBERS), WIDTH))
    return made


WRITTEN = values().map(lambda value: build.zext(value, WIDTH, 8))
CELLS = st.one_of(st.none(), WRITTEN)


@st.composite
def states(draw: st.DrawFn, shared: list[Value], branch: Value, *, unwritten: bool = False) -> State:
    """A state under shared conditions, mostly one side of a branch, and conditions of its own."""
    own = draw(st.lists(conditions(), max_size=2))
    side = draw(st.sampled_from([[branch], [build.negate(branch)], []]))
    cells = draw(st.lists(CELLS if unwritten else WRITTEN, min_size=2, max_size=2))
    has_block = draw(st.integers(0, 4)) > 0
    registers = draw(st.lists(values(), min_size=3, max_size=3))
    return state_of(registers, [*shared, *side, *own], cells if has_block else ())


@st.composite
def several(draw: st.DrawFn, count: int) -> list[State]:
    """States that began alike."""
    shared, branch = draw(st.lists(conditions(), max_size=2)), draw(conditions())
    return [draw(states(shared, branch)) for _ in range(count)]


def joined(a: State, b: State) -> State:
    made = summary_join().join(a, b)
    assert isinstance(made, State)
    assert is_valid(made)
    return made


@SETTINGS
@given(several(2))
def test_a_join_stands_for_exactly_the_concrete_states_of_both(pair: list[State]) -> None:
    """SEL4 (correctness), and that nothing is added."""
    a, b = pair
    before = concrete_states(a), concrete_states(b)
    assert concrete_states(joined(a, b)) == before[0] | before[1]
    assert (concrete_states(a), concrete_states(b)) == before


@SETTINGS
@given(several(2))
def test_ite_is_exact_or_refuses(pair: list[State]) -> None:
    """SEL4 for ite, which needs a distinguishing formula: it refuses where an input leads to both states."""
    a, b = pair
    made = ite_join().join(a, b)
    inputs = [{one[:2] for one in concrete_states(each)} for each in pair]
    if isinstance(made, Refusal):
        assert made.reason == "indistinguishable"
        assert inputs[0] & inputs[1]
    else:
        assert is_valid(made)
        assert not inputs[0] & inputs[1]
        assert concrete_states(made) == concrete_states(a) | concrete_states(b)
        assert not any(s.width == 1 for c in made.path.constraints() for s in c.symbols)


@SETTINGS
@given(several(1))
def test_joining_a_state_with_itself_changes_nothing(one: list[State]) -> None:
    """SEL1 (idempotency)."""
    (a,) = one
    made = joined(a, a)
    assert concrete_states(made) == concrete_states(a)


@SETTINGS
@given(several(2))
def test_the_order_of_a_join_does_not_matter(pair: list[State]) -> None:
    """SEL2 (commutativity)."""
    a, b = pair
    assert concrete_states(joined(a, b)) == concrete_states(joined(b, a))


@SETTINGS
@given(several(3))
def test_joins_may_be_grouped_in_any_way(three: list[State]) -> None:
    """SEL3 (associativity), with one table of origins for the whole run."""
    a, b, c = three
    join = summary_join()

    def both(one: State, other: State) -> State:
        made = join.join(one, other)
        assert isinstance(made, State)
        assert is_valid(made)
        return made

    left, right = both(both(a, b), c), both(a, both(b, c))
    assert concrete_states(left) == concrete_states(right)
    assert concrete_states(left) == concrete_states(a) | concrete_states(b) | concrete_states(c)


@SETTINGS
@given(several(2))
def test_a_join_excludes_no_input_of_either_state(pair: list[State]) -> None:
    """SEL5 (conservativity): every model of a side's path extends to one of the joined path; nothing else does."""
    a, b = pair
    made = joined(a, b)
    inputs = [{one[:2] for one in concrete_states(each)} for each in (*pair, made)]
    assert inputs[2] == inputs[0] | inputs[1]


@SETTINGS
@given(conditions(), st.data())
def test_unwritten_bytes_exclude_nothing(branch: Value, data: st.DataObject) -> None:
    """Naming what one side has not written leaves paths and registers as they are."""
    a = data.draw(states([], branch, unwritten=True))
    b = data.draw(states([], branch, unwritten=True))
    made = joined(a, b)
    sides = concrete_states(a, with_block=False) | concrete_states(b, with_block=False)
    assert concrete_states(made, with_block=False) == sides
