"""Laws of terms: whatever the constructors simplify, a term is worth what its operators mean, and its facts hold."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.generated_terms import grown
from tests.support.power import examples
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate, substitute
from unfork.logic.terms.term import Term, Value, postorder
from unfork.logic.terms.term_table import symbol

# A term is grown from a seed: cheap, and the number of steps is what shrinks.
LAWS = settings(
    max_examples=examples(1500), derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
SEEDS = st.integers(0, 1 << 40)
STEPS = st.integers(1, 14)


@LAWS
@given(SEEDS, STEPS)
def test_a_term_is_worth_what_its_operators_mean(seed: int, steps: int) -> None:
    builder = grown(seed, steps)
    models = [Model(values) for values in builder.models]
    for value, width, worth in builder.nodes:
        assert type(value) is int or (type(value) is Term and value.width == width and value.op != "const")
        assert [evaluate(value, model) for model in models] == worth


@LAWS
@given(SEEDS, STEPS)
def test_known_bits_and_range_hold(seed: int, steps: int) -> None:
    builder = grown(seed, steps)
    models = [Model(values) for values in builder.models]
    for term in postorder([value for value, _, _ in builder.nodes if type(value) is Term]):
        assert term.low < term.high or term.op == "const"
        assert term.zeros & term.ones == 0
        for model in models:
            value = evaluate(term, model)
            assert value & term.zeros == 0 and value & term.ones == term.ones
            assert term.low <= value <= term.high


@LAWS
@given(SEEDS, STEPS)
def test_rebuilding_a_term_keeps_its_worth(seed: int, steps: int) -> None:
    builder = grown(seed, steps)
    for value, _, worth in builder.nodes[-2:]:
        if type(value) is not Term:
            continue
        for term in postorder([value]):
            if term.args:
                again = build.rebuild(term, [a.value if a.op == "const" else a for a in term.args])
                for values in builder.models:
                    assert evaluate(again, Model(values)) == evaluate(term, Model(values))
        ground = [substitute(value, dict(values)) for values in builder.models]
        assert ground == worth


@LAWS
@given(SEEDS, STEPS)
def test_choices_are_exclusive_and_complete(seed: int, steps: int) -> None:
    builder = grown(seed, steps)
    for value, _, worth in builder.nodes:
        found = build.choices(value) if type(value) is Term else None
        for values, expected in zip(builder.models, worth, strict=True):
            model = Model(values)
            if found is not None:
                assert [evaluate(leaf, model) for guard, leaf in found if evaluate(guard, model)] == [expected]


@LAWS
@given(SEEDS, STEPS)
def test_an_interval_says_the_same_as_its_condition(seed: int, steps: int) -> None:
    builder = grown(seed, steps)
    for value, width, worth in builder.nodes:
        if type(value) is not Term or width != 1:
            continue
        for condition, flip in ((value, 0), (build.negate(value), 1)):
            assert type(condition) is Term
            span = build.interval(condition)
            if span is not None:
                term, first, last = span
                mask = (1 << term.width) - 1
                inside = [evaluate(term, Model(m)) - first & mask <= last - first & mask for m in builder.models]
                assert inside == [bool(w ^ flip) for w in worth]


@LAWS
@given(SEEDS, STEPS)
def test_a_sum_splits_off_its_constant(seed: int, steps: int) -> None:
    builder = grown(seed, steps)
    for value, width, worth in builder.nodes:
        for offset in (1, 8, (1 << width) - 4):
            offset &= (1 << width) - 1
            total = build.add(value, offset, width)
            if type(total) is Term and total.alternatives == 0:
                part, rest = build.constant_offset(total)
                assert type(rest) is Term and build.constant_offset(rest) == (0, rest)
                again = [evaluate(build.add(rest, part, width), Model(m)) for m in builder.models]
                assert again == [w + offset & (1 << width) - 1 for w in worth]


@LAWS
@given(SEEDS, STEPS)
def test_pickling_gives_the_same_terms(seed: int, steps: int) -> None:
    builder = grown(seed, steps)
    for value, _, _ in builder.nodes[-1:]:
        assert pickle.loads(pickle.dumps(value)) is value or type(value) is int


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8, 13])
def test_lookup_reads_every_entry(length: int) -> None:
    index = symbol("index", 8)
    table: list[Value] = [i * 7 % 5 if i % 3 else symbol(f"entry{i}", 8) for i in range(length)]
    values: dict[Term, int] = {entry: 100 + i for i, entry in enumerate(table) if type(entry) is Term}
    read = build.lookup(index, 8, table, 8)
    for i, entry in enumerate(table):
        model = Model({**values, index: i})
        assert evaluate(read, model) == evaluate(entry, model)
