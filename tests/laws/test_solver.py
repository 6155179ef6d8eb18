"""Laws: the solvers and logic/terms/evaluate.py mean the same by every term, floating operations included, bit for
bit.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.power import examples
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.smtlib import query_text
from unfork.logic.solve.solver import Effort, Sat, Solver, Unsat
from unfork.logic.solve.trial import Trial
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build, fp
from unfork.logic.terms.columns import Columns
from unfork.logic.terms.evaluate import Model, evaluate, substitute
from unfork.logic.terms.fp_format import FORMATS
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make, symbol
from unfork.program.llvm.binding import machine_code

Operation = Callable[[Value, Value, int], Value]
BITWUZLA = BitwuzlaSolver()
Z3 = Z3Solver()
TRIAL = Trial(machine_code, Effort())
X, Y, Z = symbol("x", 8), symbol("y", 8), symbol("z", 8)
ARITHMETIC = (build.add, build.sub, build.mul, build.udiv, build.urem, build.sdiv, build.srem, build.and_, build.or_)
SHIFTS = (build.xor, build.shl, build.lshr, build.ashr)
COMPARISONS = (build.eq, build.ne, build.ult, build.ule, build.slt, build.sle)


@st.composite
def words(draw: st.DrawFn, depth: int = 4) -> Value:
    """A value of 8 bits over X, Y and Z."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.one_of(st.sampled_from([X, Y, Z]), st.integers(0, 255)))
    kind = draw(st.integers(0, 9))
    a = draw(words(depth - 1))
    if kind == 0:
        return build.ite(draw(conditions(depth - 1)), a, draw(words(depth - 1)), 8)
    if kind == 1:
        low = draw(st.integers(0, 7))
        width = draw(st.integers(1, 8 - low))
        part = build.extract(a, low, width)
        widened: Value = part if width == 8 else draw(st.sampled_from([build.zext, build.sext]))(part, width, 8)
        return widened
    if kind == 2:
        return build.trunc(
            build.lshr(build.concat(a, draw(words(depth - 1)), 8, 8), draw(st.integers(0, 15)), 16), 16, 8
        )
    operation: Operation = draw(st.sampled_from(ARITHMETIC + SHIFTS))
    return operation(a, draw(words(depth - 1)), 8)


@st.composite
def conditions(draw: st.DrawFn, depth: int = 4) -> Value:
    """A value of 1 bit over X, Y and Z."""
    if depth > 0 and draw(st.integers(0, 3)) == 0:
        join = draw(st.sampled_from([build.both, build.either]))
        return join(draw(conditions(depth - 1)), build.negate(draw(conditions(depth - 1))))
    return draw(st.sampled_from(COMPARISONS))(draw(words(depth)), draw(words(depth)), 8)


def verdict(solver: Solver, constraints: list[Term]) -> bool:
    """Whether they are satisfiable; a model is checked."""
    answer = solver.check(constraints, 20.0)
    assert isinstance(answer, Sat | Unsat)
    if isinstance(answer, Unsat):
        return False
    assert all(evaluate(constraint, answer.model) == 1 for constraint in constraints)
    return True


@settings(max_examples=examples(150), deadline=None, derandomize=True)
@given(st.lists(conditions(), min_size=1, max_size=4))
def test_solvers_and_evaluation_agree(found: list[Value]) -> None:
    constraints = [condition for condition in [*found, build.ult(Z, 64, 8)] if isinstance(condition, Term)]
    satisfiable = verdict(BITWUZLA, constraints)
    assert verdict(Z3, constraints) == satisfiable
    assert verdict(TRIAL, constraints) == satisfiable
    if not satisfiable:
        for values in ((0, 0, 0), (255, 1, 128), (7, 200, 31)):
            model = Model(dict(zip((X, Y, Z), values, strict=True)))
            assert not all(evaluate(constraint, model) for constraint in constraints)


@settings(max_examples=examples(100), deadline=None, derandomize=True)
@given(words(), st.tuples(*[st.integers(0, 255)] * 2))
def test_columns_hold_the_value_for_each_value_of_a_symbol(word: Value, others: tuple[int, int]) -> None:
    alone = substitute(word, dict(zip((Y, Z), others, strict=True)))
    if isinstance(alone, Term):
        assert [*Columns(X).of(alone)] == [evaluate(alone, Model({X: value})) for value in range(256)]


@settings(max_examples=examples(100), deadline=None, derandomize=True)
@given(words(), st.tuples(*[st.integers(0, 255)] * 3))
def test_a_term_equals_its_value_under_fixed_symbols(word: Value, values: tuple[int, int, int]) -> None:
    if not isinstance(word, Term):
        return
    fixed = [make("eq", 1, (s, constant(v, 8))) for s, v in zip((X, Y, Z), values, strict=True)]
    value = evaluate(word, Model(dict(zip((X, Y, Z), values, strict=True))))
    differs = make("not", 1, (make("eq", 1, (word, constant(value, 8))),))
    assert not verdict(BITWUZLA, [*fixed, differs])


FLOAT_OPERATIONS = {
    **dict.fromkeys(("add", "sub", "mul", "div", "rem", "min", "max"), 2),
    **dict.fromkeys(("sqrt", "floor", "ceil", "trunc", "rint", "round", "roundeven"), 1),
    "fma": 3,
}
# (the formats, the solver, operations left out: fmod and the fused operation are huge in wide formats)
SIDES = [
    (("half", "float"), BITWUZLA, ()),
    (("double",), BITWUZLA, ("rem", "fma")),
    (("half", "bfloat", "float"), Z3, ("rem", "fma")),
    (("x86_fp80",), Z3, ("rem", "fma", "sqrt", "div")),
]


def patterns(name: str) -> st.SearchStrategy[int]:
    """Patterns of a format: any, and those that are special in it."""
    fmt = FORMATS[name]
    one = fp.from_int(1, 8, False, name)
    special = [
        0,
        1,
        one,
        one + 1,
        fmt.infinity,
        fmt.infinity - 1,
        fmt.infinity + 1,
        fmt.nan,
        fp.from_int(3, 8, False, name),
    ]
    special += [1 << fmt.fraction_bits, (1 << fmt.fraction_bits) - 1]
    signed = st.builds(lambda bits, sign: bits | fmt.sign * sign, st.sampled_from(special), st.integers(0, 1))
    return st.one_of(signed, st.integers(0, (1 << fmt.width) - 1))


def check_operation(
    solver: Solver, op: str, parameter: str | tuple[str, str], args: list[tuple[int, int]], width: int
) -> None:
    """The solver finds that the operation on these operands (value, width) has the value that evaluation gives it."""
    symbols = [symbol(f"operand {i} of {w}", w) for i, (_, w) in enumerate(args)]
    term = make(op, width, tuple(symbols), parameter)
    value = evaluate(term, Model({s: v for s, (v, _) in zip(symbols, args, strict=True)}))
    fixed = [make("eq", 1, (s, constant(v, w))) for s, (v, w) in zip(symbols, args, strict=True)]
    agrees = make("eq", 1, (term, constant(value, width)))
    assert verdict(solver, [*fixed, agrees])
    assert not verdict(solver, [*fixed, make("not", 1, (agrees,))])


@pytest.mark.parametrize("side", SIDES, ids=lambda side: f"{type(side[1]).__name__}-{'-'.join(side[0])}")
@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(data=st.data())
def test_floating_arithmetic_agrees(side: tuple[tuple[str, ...], Solver, tuple[str, ...]], data: st.DataObject) -> None:
    formats, solver, omitted = side
    name = data.draw(st.sampled_from(formats))
    op = data.draw(st.sampled_from(sorted(set(FLOAT_OPERATIONS) - set(omitted))))
    width = fp.WIDTHS[name]
    args = [(data.draw(patterns(name)), width) for _ in range(FLOAT_OPERATIONS[op])]
    check_operation(solver, f"fp.{op}", name, args, width)


@pytest.mark.parametrize("side", SIDES, ids=lambda side: f"{type(side[1]).__name__}-{'-'.join(side[0])}")
@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(data=st.data())
def test_floating_comparisons_and_conversions_agree(
    side: tuple[tuple[str, ...], Solver, tuple[str, ...]], data: st.DataObject
) -> None:
    formats, solver, _ = side
    name = data.draw(st.sampled_from(formats))
    width = fp.WIDTHS[name]
    bits = data.draw(patterns(name))
    match data.draw(st.integers(0, 3)):
        case 0:
            op = data.draw(st.sampled_from(["fp.eq", "fp.lt", "fp.le"]))
            check_operation(solver, op, name, [(bits, width), (data.draw(patterns(name)), width)], 1)
            check_operation(solver, "fp.isnan", name, [(bits, width)], 1)
        case 1:
            size = data.draw(st.sampled_from([1, 8, 11, 12, 25, 32, 64]))
            sign = data.draw(st.sampled_from(["fp.to_signed", "fp.to_unsigned"]))
            near = fp.from_int(data.draw(st.integers(-2, 2)) + (1 << size - 1) & (1 << 80) - 1, 80, True, name)
            check_operation(
                solver, sign, name, [(data.draw(st.sampled_from([bits, near, near | 1 << width - 1])), width)], size
            )
        case 2:
            size = data.draw(st.sampled_from([1, 8, 12, 25, 64]))
            number = data.draw(st.integers(0, (1 << size) - 1))
            check_operation(
                solver,
                data.draw(st.sampled_from(["fp.from_signed", "fp.from_unsigned"])),
                name,
                [(number, size)],
                width,
            )
        case _:
            other = data.draw(st.sampled_from(["half", "float", "double"]))
            if other != name:
                check_operation(solver, "fp.convert", (name, other), [(bits, width)], fp.WIDTHS[other])


def test_nested_floating_operations_agree() -> None:
    a, b = symbol("a", 32), symbol("b", 32)
    product = build.fp_op("mul", "float", a, b)
    negated = build.fp_op("neg", "float", product)
    total = build.fp_op("add", "float", negated, build.fp_op("abs", "float", product))
    zero = build.fp_compare("oeq", "float", total, 0)
    small = build.ult(build.and_(a, 0x7FFFFFFF, 32), 0x100, 32)
    punned = build.eq(build.extract(product, 24, 8), 0x12, 8)
    constraints = [c for c in (zero, small, punned) if isinstance(c, Term)]
    assert verdict(BITWUZLA, constraints)
    assert "fp.mul" in query_text(constraints)


@st.composite
def numbers(draw: st.DrawFn, depth: int = 2) -> Value:
    """A float over the integers X and Y."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        integer = build.lshr(draw(st.sampled_from([X, Y])), 4, 8)
        return build.fp_from_int(integer, 8, draw(st.sampled_from(["signed", "unsigned"])), "float")
    operands = [draw(numbers(depth - 1)), draw(numbers(depth - 1))]
    return build.fp_op(draw(st.sampled_from(["add", "sub", "mul", "div", "min"])), "float", *operands)


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(numbers(), numbers(), st.sampled_from(["oeq", "olt", "ole", "uno", "une"]))
def test_solvers_and_trial_agree_on_floats(a: Value, b: Value, predicate: str) -> None:
    condition = build.fp_compare(predicate, "float", a, b)
    if isinstance(condition, Term):
        satisfiable = verdict(BITWUZLA, [condition])
        assert verdict(TRIAL, [condition]) == satisfiable
        assert verdict(Z3, [condition]) == satisfiable
