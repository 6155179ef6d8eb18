"""Laws of terms: whatever the constructors simplify, a term is worth what its operators mean, and its facts hold."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unfork.logic import build
from unfork.logic.evaluate import Model, evaluate, substitute
from unfork.logic.term import Term, Value, postorder, symbol

# A term is grown from a seed: cheap, and the number of steps is what shrinks.
LAWS = settings(
    max_examples=1500, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
SEEDS = st.integers(0, 1 << 40)
STEPS = st.integers(1, 14)
SYMBOLS = 3
MODELS = 4


def signed(a: int, width: int) -> int:
    return a - (1 << width) if a >= 1 << (width - 1) else a


def divide(a: int, b: int, width: int) -> int:
    """SMT-LIB's bvsdiv, by its definition through the unsigned division of magnitudes."""
    x, y = signed(a, width), signed(b, width)
    quotient = abs(x) // abs(y) if y else (1 << width) - 1
    return -quotient if (x < 0) != (y < 0) else quotient


def remainder(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    rest = abs(x) % abs(y) if y else abs(x)
    return -rest if x < 0 else rest


def on_signed(function: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, w: int(function(signed(a, w), signed(b, w)))


def plainly(function: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, w: int(function(a, b))


ARITHMETIC: dict[str, Callable[[int, int, int], int]] = {
    "add": plainly(operator.add),
    "sub": plainly(operator.sub),
    "mul": plainly(operator.mul),
    "and_": plainly(operator.and_),
    "or_": plainly(operator.or_),
    "xor": plainly(operator.xor),
    "udiv": lambda a, b, w: a // b if b else -1,
    "urem": lambda a, b, w: a % b if b else a,
    "sdiv": divide,
    "srem": remainder,
    "shl": lambda a, b, w: a << min(b, w),
    "lshr": lambda a, b, w: a >> min(b, w),
    "ashr": lambda a, b, w: signed(a, w) >> min(b, w),
}
COMPARISON: dict[str, Callable[[int, int, int], int]] = {
    "eq": plainly(operator.eq),
    "ne": plainly(operator.ne),
    "ult": plainly(operator.lt),
    "ule": plainly(operator.le),
    "ugt": plainly(operator.gt),
    "uge": plainly(operator.ge),
    "slt": on_signed(operator.lt),
    "sle": on_signed(operator.le),
    "sgt": on_signed(operator.gt),
    "sge": on_signed(operator.ge),
}
Node = tuple[Value, int, list[int]]  # the value, its width, what it is worth under each model


class Builder:
    """Draws random operations on what is there already, and computes beside each term what it must be worth."""

    def __init__(self, random: Random, width: int) -> None:
        self.random = random
        self.models: list[dict[Term, int]] = [{} for _ in range(MODELS)]
        self.nodes: list[Node] = []
        for i in range(SYMBOLS):
            size = width if i else self.random.choice((1, width, 8))
            name = symbol(f"law{i}", size)
            worth = [self.number(size) for _ in range(MODELS)]
            for model, value in zip(self.models, worth, strict=True):
                model[name] = value
            self.nodes.append((name, size, worth))

    def number(self, width: int) -> int:
        mask = (1 << width) - 1
        half = 1 << (width - 1)
        edges = (0, 1, 2, half - 1, half, half + 1, mask - 1, mask, 127, 128, 255, 8)
        return (self.random.choice(edges) if self.random.random() < 0.6 else self.random.randint(0, mask)) & mask

    def pick(self, width: int = 0) -> Node:
        """One of the nodes, or a constant, brought to ``width`` bits if that is given."""
        if width and self.random.randint(0, 3) == 0:
            value = self.number(width)
            return value, width, [value] * MODELS
        newest = len(self.nodes) - 1
        node = self.nodes[newest - self.random.randint(0, min(newest, 5))]
        return self.resized(node, width) if width and node[1] != width else node

    def resized(self, node: Node, width: int) -> Node:
        value, size, worth = node
        if size > width:
            low = self.random.randint(0, size - width)
            return build.extract(value, low, width), width, [w >> low & (1 << width) - 1 for w in worth]
        if self.random.random() < 0.5:
            return build.zext(value, size, width), width, worth
        return build.sext(value, size, width), width, [signed(w, size) & (1 << width) - 1 for w in worth]

    def grow(self) -> None:
        kind = self.random.choice(("arithmetic", "comparison", "ite", "unary", "concat", "resize", "boolean"))
        a = self.pick()
        width = a[1]
        mask = (1 << width) - 1
        match kind:
            case "arithmetic" | "comparison":
                table = ARITHMETIC if kind == "arithmetic" else COMPARISON
                name = self.random.choice(sorted(table))
                b = self.pick(width)
                if self.random.randint(0, 7) == 0:
                    a, b = b, a
                value = getattr(build, name)(a[0], b[0], width)
                worth = [table[name](x, y, width) & mask for x, y in zip(a[2], b[2], strict=True)]
                self.nodes.append((value, width if kind == "arithmetic" else 1, worth))
            case "ite":
                c, b = self.pick(1), self.pick(width)
                worth = [x if t else y for t, x, y in zip(c[2], a[2], b[2], strict=True)]
                self.nodes.append((build.ite(c[0], a[0], b[0], width), width, worth))
            case "unary":
                negative = self.random.random() < 0.5
                value = (build.neg if negative else build.not_)(a[0], width)
                self.nodes.append((value, width, [(-x if negative else ~x) & mask for x in a[2]]))
            case "concat":
                b = self.pick()
                if width + b[1] <= 80:
                    worth = [x << b[1] | y for x, y in zip(a[2], b[2], strict=True)]
                    self.nodes.append((build.concat(a[0], b[0], width, b[1]), width + b[1], worth))
            case "resize":
                self.nodes.append(self.resized(a, self.random.randint(1, 40)))
            case "boolean":
                a, b = self.pick(1), self.pick(1)
                conjoin = self.random.random() < 0.5
                value = (build.both if conjoin else build.either)(a[0], b[0])
                worth = [x & y if conjoin else x | y for x, y in zip(a[2], b[2], strict=True)]
                self.nodes.append((value, 1, worth))


def grown(seed: int, steps: int) -> Builder:
    random = Random(seed)
    builder = Builder(random, random.choice((1, 2, 3, 4, 5, 7, 8, 8, 16, 32, 64)))
    for _ in range(steps):
        builder.grow()
    return builder


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
