"""Terms as deep as a long run makes them: nothing that walks, builds or hands on a term calls itself once per level."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from tests.support.power import LONG
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.byte_domains import Domains
from unfork.logic.solve.ranks import Ranked
from unfork.logic.solve.smtlib import query_text
from unfork.logic.solve.solver import Answer, Effort, NoSolver
from unfork.logic.solve.trial import Trial, no_machine_code
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate, substitute
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.merge.value_choice import GuardedChoice

DEEP = 100_000
LEVELS = 400
FRAMES = 150
"""What a constructor may need of Python's stack: far less than one frame for each of LEVELS."""
X, Y, Z = symbol("x", 32), symbol("y", 32), symbol("z", 32)
FLAGS = [symbol(f"flag{i}", 1) for i in range(7)]
Grow = Callable[[Value, int], Value]


WIDE = 1_100
"""Symbolic bytes of a wide value."""
BYTES: dict[str, Callable[[int], Value]] = {
    "symbols": lambda i: symbol(f"wide{i}", 8),
    "symbols and numbers": lambda i: symbol(f"wide{i}", 8) if i % 2 else i & 255,
    "choices": lambda i: build.ite(symbol(f"level{i}", 1), symbol(f"wide{i}", 8), 3, 8),
    "extensions": lambda i: build.zext(symbol(f"low{i}", 3), 3, 8),
    "signed extensions": lambda i: build.sext(symbol(f"low{i}", 3), 3, 8),
    "parts of words": lambda i: build.extract(symbol(f"word{i // 4}", 32), 8 * (i % 4), 8),
    "parts in disorder": lambda i: build.extract(symbol(f"word{i // 4}", 32), 24 - 8 * (i % 4), 8),
}


def flag(i: int) -> Term:
    """A condition that the levels near by do not have. There are not many: each term knows the symbols in it."""
    return symbol(f"level{i % 50}", 1)


def byte(i: int) -> Value:
    return build.zext(symbol(f"byte{i % 50}", 8), 8, 32)


def word(i: int) -> Term:
    return symbol(f"addend{i % 50}", 32)


GROWING: dict[str, Grow] = {
    "sum": lambda v, i: build.add(build.xor(v, Y, 32), i, 32),
    "long sum": lambda v, i: build.add(v, word(i), 32),
    "long sum of small numbers": lambda v, i: build.add(v, byte(i), 32),
    "difference": lambda v, i: build.sub(build.mul(v, Y, 32), v, 32),
    "subtracted from": lambda v, i: build.sub(build.xor(Y, i, 32), build.or_(v, Z, 32), 32),
    "multiple": lambda v, i: build.add(build.mul(v, 31, 32), byte(i), 32),
    "product": lambda v, i: build.mul(build.add(v, 1, 32), Y, 32),
    "quotient": lambda v, i: build.udiv(build.add(v, i, 32), Y, 32),
    "remainder": lambda v, i: build.srem(build.xor(v, i, 32), Y, 32),
    "masks": lambda v, i: build.or_(build.and_(v, X, 32), Y, 32),
    "complement": lambda v, i: build.not_(build.neg(build.xor(v, Y, 32), 32), 32),
    "shift": lambda v, i: build.lshr(build.shl(build.add(v, i, 32), Y, 32), Z, 32),
    "shift by a constant": lambda v, i: build.xor(build.ashr(v, 3, 32), build.shl(v, 5, 32), 32),
    "rotation": lambda v, i: build.add(build.concat(build.extract(v, 0, 8), build.extract(v, 8, 24), 8, 24), Y, 32),
    "extension": lambda v, i: build.sext(build.add(build.zext(build.extract(v, 0, 8), 8, 16), 300 + i, 16), 16, 32),
    "choice": lambda v, i: build.ite(flag(i), v, build.add(v, i, 32), 32),
    "choice of a constant": lambda v, i: build.ite(flag(i), i, build.add(v, 1, 32), 32),
    "choice of the whole or a part": lambda v, i: build.ite(flag(i), v, build.neg(build.xor(v, i, 32), 32), 32),
    "choice by a comparison": lambda v, i: build.ite(build.ult(v, Y, 32), build.add(v, 1, 32), Z, 32),
    "equality": lambda v, i: build.ite(build.eq(v, build.add(Y, i, 32), 32), X, build.xor(v, Z, 32), 32),
    "flags": lambda v, i: build.zext(build.both(build.slt(v, Y, 32), build.either(flag(i), build.eq(v, i, 32))), 1, 32),
    "float": lambda v, i: build.fp_op("add", "float", v, Y),
}


def grown(name: str, levels: int, start: Value = X) -> Term:
    grow = GROWING[name]
    term = start
    for i in range(levels):
        term = grow(term, i)
    assert type(term) is Term
    return term


@pytest.fixture
def little_stack() -> Iterator[None]:
    """Python's stack as short as the test allows."""
    before = sys.getrecursionlimit()
    depth = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        depth += 1
    sys.setrecursionlimit(depth + FRAMES)
    yield
    sys.setrecursionlimit(before)


def everything(a: Term, b: Term) -> Iterator[Value]:
    """All constructors on two terms of 32 bits."""
    for one in ("add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "and_", "or_", "xor", "shl", "lshr", "ashr"):
        yield getattr(build, one)(a, b, 32)
        yield getattr(build, one)(a, 12, 32)
        yield getattr(build, one)(a, a, 32)
    for one in ("eq", "ne", "ult", "ule", "slt", "sle"):
        for other in (b, 5, build.add(a, 1, 32), build.xor(a, Y, 32)):
            yield getattr(build, one)(a, other, 32)
        yield getattr(build, one)(build.zext(a, 32, 64), build.zext(b, 32, 64), 64)
        yield getattr(build, one)(build.concat(a, b, 32, 32), build.concat(b, a, 32, 32), 64)
    yield build.neg(a, 32)
    yield build.not_(a, 32)
    yield build.extract(a, 5, 9)
    yield build.extract(build.concat(a, b, 32, 32), 20, 30)
    yield build.ite(build.ult(a, b, 32), a, b, 32)
    yield build.ite(build.eq(a, 0, 32), b, build.ite(FLAGS[0], a, b, 32), 32)
    yield build.concat_bytes([build.extract(x, low, 8) for x in (a, b) for low in (0, 8, 16, 24)])
    yield build.add(build.ite(FLAGS[1], a, b, 32), build.ite(FLAGS[1], b, a, 32), 32)
    yield build.fp_compare("olt", "float", a, b)
    low, high = build.ult(a, 100, 32), build.uge(a, 50, 32)
    yield build.both(low, high)
    yield build.either(build.both(low, FLAGS[0]), build.both(high, FLAGS[0]))


@pytest.mark.usefixtures("little_stack")
@pytest.mark.parametrize("name", GROWING)
def test_constructors_do_not_descend(name: str) -> None:
    a, b = grown(name, LEVELS), grown(name, LEVELS, Z)
    model = Model({X: 3, Y: 5, Z: 70})
    for value in everything(a, b):
        evaluate(value, model)
        if type(value) is Term:
            assert len(repr(value)) < 3000
    assert pickle.loads(pickle.dumps(a)) is a
    evaluate(substitute(a, {X: Z}), model)


@pytest.mark.usefixtures("little_stack")
@pytest.mark.parametrize("name", GROWING)
def test_encoders_fronts_and_joins_do_not_descend(name: str) -> None:
    a, b = grown(name, LEVELS // 3), grown(name, LEVELS // 3, Z)
    nobody = NoSolver()
    joined = GuardedChoice(FLAGS[2]).value(a, b, 32)
    difference = build.ne(joined, a, 32)
    conditions = [one for one in (difference, build.ult(a, 1000, 32)) if isinstance(one, Term)]
    assert query_text(conditions).count("(assert") >= len(conditions)
    for solver in (BitwuzlaSolver(), Z3Solver()):
        for one in conditions:
            solver._encoder.condition(one)
    for front in (Domains(nobody, lambda _: False, Trial(no_machine_code, Effort())), Ranked(nobody)):
        assert isinstance(front.check(conditions), Answer)


def of_wide(whole: Term, amount: Term) -> Iterator[Value]:
    """What moves, cuts, joins and compares a wide value."""
    width = whole.width
    for shift in (build.lshr, build.ashr, build.shl):
        yield from (shift(whole, by, width) for by in (4, 8, 12, width - 9, amount))
    yield build.extract(whole, 3, width - 7)
    yield build.sext(whole, width, width + 64)
    for low, size in ((0, 4), (4, width - 4), (0, width)):
        part = build.extract(whole, low, size)
        yield build.concat(whole, part, width, size)
        yield build.concat(part, whole, size, width)
    for one in (build.and_, build.or_, build.xor, build.add, build.eq, build.ult, build.slt):
        yield from (one(whole, other, width) for other in (1 << width - 9, amount, build.lshr(whole, 4, width)))
    yield build.ite(FLAGS[0], whole, build.lshr(whole, 4, width), width)


@pytest.mark.usefixtures("little_stack")
@pytest.mark.parametrize("name", BYTES)
def test_constructors_do_not_descend_into_wide_values(name: str) -> None:
    whole = build.concat_bytes([BYTES[name](i) for i in range(WIDE)])
    assert type(whole) is Term and whole.width == 8 * WIDE
    amount = symbol("amount", whole.width)
    inputs = {one: i & (1 << one.width) - 1 for i, one in enumerate([*whole.symbols, *amount.symbols])}
    model = Model(inputs)
    number = evaluate(whole, model)
    assert evaluate(build.lshr(whole, 12, whole.width), model) == number >> 12
    for value in of_wide(whole, amount):
        evaluate(value, model)
    condition = build.eq(build.lshr(whole, 12, whole.width), number >> 12, whole.width)
    assert isinstance(condition, Term)
    assert query_text([condition])
    for solver in (BitwuzlaSolver(), Z3Solver()):
        solver._encoder.condition(condition)


@LONG
@pytest.mark.usefixtures("little_stack")
def test_a_hundred_thousand_levels() -> None:
    names = ("sum", "long sum", "masks", "choice", "choice of a constant", "product", "complement")
    growing = cycle(GROWING[name] for name in names)
    term: Value = X
    for i in range(DEEP):
        term = next(growing)(term, i)
    assert type(term) is Term
    model = Model({X: 3, Y: 5, Z: 70})
    other = build.xor(term, Z, 32)
    assert type(other) is Term
    for value in everything(term, other):
        evaluate(value, model)
    condition = build.eq(GuardedChoice(FLAGS[2]).value(term, other, 32), 77, 32)
    assert type(condition) is Term
    assert pickle.loads(pickle.dumps(condition)) is condition
    assert query_text([condition])
