"""Laws: integers with explicit wraps mean what bit-vectors mean; whoever answers, the answer is the same."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.generated_terms import Builder
from tests.support.power import examples
from unfork.logic.integers.affine import Affine, IntegerRange, Knowledge
from unfork.logic.integers.integer_form import runs
from unfork.logic.integers.integer_solver import IntegerSolver
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

STEPS = 100_000
BITWUZLA = BitwuzlaSolver()
INTEGERS = IntegerSolver(STEPS)
BINARY = ("add", "sub", "mul", "udiv", "urem", "sdiv", "srem")
COMPARISONS = ("eq", "ne", "ult", "ule", "slt", "sle")
WIDTH = 6
SYMBOLS = tuple(symbol(name, WIDTH) for name in "xyz")


@st.composite
def words(draw: st.DrawFn, depth: int = 3) -> Value:
    """A value of 6 bits of which integers can speak."""
    if depth == 0:
        return draw(st.one_of(st.sampled_from(SYMBOLS), st.integers(0, (1 << WIDTH) - 1)))
    a = draw(words(depth - 1))
    match draw(st.integers(0, 6)):
        case 0:
            return build.ite(draw(conditions(depth - 1)), a, draw(words(depth - 1)), WIDTH)
        case 1:
            low = draw(st.integers(0, WIDTH - 1))
            size = draw(st.integers(1, WIDTH - low))
            part = build.extract(a, low, size)
            return part if size == WIDTH else draw(st.sampled_from([build.zext, build.sext]))(part, size, WIDTH)
        case 2:
            shift = draw(st.sampled_from([build.shl, build.lshr, build.ashr]))
            return shift(a, draw(st.integers(0, WIDTH)), WIDTH)
        case 3:
            low, size = draw(st.integers(0, WIDTH - 1)), draw(st.integers(1, WIDTH))
            mask = (1 << size) - 1 << low & (1 << WIDTH) - 1
            return draw(st.sampled_from([build.and_, build.or_, build.xor]))(a, mask, WIDTH)
        case 4:
            wide = build.concat(a, draw(words(depth - 1)), WIDTH, WIDTH)
            return build.extract(wide, draw(st.integers(0, WIDTH)), WIDTH)
    return getattr(build, draw(st.sampled_from(BINARY)))(a, draw(words(depth - 1)), WIDTH)


@st.composite
def conditions(draw: st.DrawFn, depth: int = 3) -> Value:
    """A comparison, also of sums that are extended first, or a conjunction."""
    kind = draw(st.integers(0, 3))
    if depth > 0 and kind == 0:
        join = draw(st.sampled_from([build.both, build.either]))
        return join(draw(conditions(depth - 1)), build.negate(draw(conditions(depth - 1))))
    a, b = draw(words(depth)), draw(words(depth))
    width = WIDTH
    if kind == 1:
        width += draw(st.integers(1, 4))
        a, b = (draw(st.sampled_from([build.zext, build.sext]))(value, WIDTH, width) for value in (a, b))
        a = build.add(a, draw(st.integers(0, (1 << width) - 1)), width)
    return getattr(build, draw(st.sampled_from(COMPARISONS)))(a, b, width)


def agreed(solver: Solver, constraints: list[Term]) -> Answer:
    """The answer, which is no other than that on bit-vectors; models are checked."""
    answer, other = solver.check(constraints, 20.0), BITWUZLA.check(constraints)
    if isinstance(answer, Sat):
        assert all(evaluate(constraint, answer.model) == 1 for constraint in constraints)
        assert set(answer.model.values) >= frozenset().union(*[constraint.symbols for constraint in constraints])
        assert not isinstance(other, Unsat)
    if isinstance(answer, Unsat):
        assert not isinstance(other, Sat)
    return answer


@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(st.lists(conditions(), min_size=1, max_size=4))
def test_integers_agree_with_bit_vectors(found: list[Value]) -> None:
    agreed(INTEGERS, [condition for condition in found if isinstance(condition, Term)])


def sample(seed: int) -> list[Term]:
    """Random conditions, of any operators."""
    random = Random(seed)
    builder = Builder(random, random.choice((2, 3, 4, 5, 8)))
    for _ in range(1 + seed % 16):
        builder.grow()
    conditions = [value for value, width, _ in builder.nodes if width == 1 and isinstance(value, Term)]
    chosen = random.sample(conditions, min(len(conditions), random.randint(1, 3)))
    signed = [value if random.random() < 0.5 else build.negate(value) for value in chosen]
    return [value for value in signed if isinstance(value, Term)]


def test_most_random_queries_are_decided() -> None:
    answers = Counter(type(agreed(INTEGERS, query)) for query in map(sample, range(250)) if query)
    assert answers[Unsat] >= 20
    assert answers[Unknown] <= sum(answers.values()) / 10


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(st.data())
def test_what_is_learnt_of_sums_holds_for_every_value_that_was_told(data: st.DataObject) -> None:
    """Facts are told of fixed values of some atoms; no range that follows may exclude these values."""
    count = data.draw(st.integers(1, 4))
    values = [data.draw(st.integers(-9, 9)) for _ in range(count)]
    knowledge = Knowledge()
    for atom, value in enumerate(values):
        slack = data.draw(st.tuples(st.integers(0, 9), st.integers(0, 9)))
        assert knowledge.atom(atom, IntegerRange(value - slack[0], value + slack[1])) == atom
    sums = st.builds(
        lambda constant, factors: Affine(constant, tuple((i, f) for i, f in enumerate(factors) if f)),
        st.integers(-9, 9),
        st.lists(st.integers(-3, 3), min_size=count, max_size=count),
    )
    for _ in range(data.draw(st.integers(1, 5))):
        told = data.draw(sums)
        worth = told.constant + sum(factor * values[atom] for atom, factor in told.factors)
        knowledge.learn(told, IntegerRange(worth - data.draw(st.integers(0, 5)), worth + data.draw(st.integers(0, 5))))
    asked = data.draw(sums)
    worth = asked.constant + sum(factor * values[atom] for atom, factor in asked.factors)
    for bounds in (knowledge.values(asked), knowledge.closer(asked)):
        assert bounds.low <= worth <= bounds.high


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(st.integers(0, 1 << 40))
def test_the_runs_of_a_mask_are_its_ones(mask: int) -> None:
    assert sum((1 << last) - (1 << first) for first, last in runs(mask)) == mask
    ends = [bit for run in runs(mask) for bit in run]
    assert ends == sorted(set(ends))


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(st.integers(-99, 99), st.lists(st.integers(-99, 99).filter(bool), max_size=3), st.integers(1, 20))
def test_a_sum_is_split_into_a_multiple_and_a_rest(constant: int, factors: list[int], count: int) -> None:
    sum = Affine(constant, tuple(enumerate(factors)))
    quotient, rest = sum.split(count)
    assert quotient.times(count).plus(rest) == sum
    assert all(2 * abs(factor) <= count for _, factor in rest.factors)
    assert 0 <= rest.constant < count
