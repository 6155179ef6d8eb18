"""The solvers' floating point, the evaluator's and the software's are one, bit for bit, NaN patterns included."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.support.power import every
from unfork.engine.instructions import floats
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.solver import Sat, Solver, Unsat
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build, fp
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.fp_format import FORMATS, FloatFormat
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.types import FloatType, IntType
from unfork.world.library.float_intrinsics import OPERATIONS

ARITY = {
    **dict.fromkeys(("add", "sub", "mul", "div", "min", "max", "minimum", "maximum", "copysign"), 2),
    **dict.fromkeys(("sqrt", "floor", "ceil", "trunc", "rint", "roundeven", "round", "nearbyint", "abs", "neg"), 1),
    "fma": 3,
}
PREDICATES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
Apply = Callable[..., Value | None]
SECONDS = 20.0


def solvers() -> Iterator[tuple[str, Callable[[], Solver], tuple[str, ...]]]:
    yield "bitwuzla", BitwuzlaSolver, ("half", "float", "double")
    yield "z3", Z3Solver, ("half", "x86_fp80")


CASES = [pytest.param(make, name, id=f"{label}-{name}") for label, make, names in solvers() for name in names]


def pattern(choose: random.Random, fmt: FloatFormat) -> int:
    """Any pattern, invalid ones of x86_fp80 too; edges are likely."""
    top, precision = fmt.top_exponent, fmt.precision
    exponent = choose.choice(
        [0, 1, top, top - 1, top // 2, top // 2 + choose.randrange(precision), choose.randrange(top)]
    )
    exponent = min(top, exponent)
    ones = (1 << (precision - 1)) - 1
    fraction = choose.choice([0, 1, ones, 1 << (precision - 2), choose.getrandbits(precision - 1)])
    leading = (1 << (precision - 1)) * ((exponent > 0) ^ (choose.random() < 0.1)) if fmt.explicit else 0
    return choose.getrandbits(1) * fmt.sign | exponent << fmt.fraction_bits | leading | fraction


def agree(solver: Solver, apply: Apply, operands: list[tuple[int, int]], width: int, otherwise: int = 0) -> None:
    """The value of ``apply`` on constants is the evaluator's, and the only one that the solver allows for its term.

    ``operands`` pairs values with widths; ``otherwise`` is the value of a term where constants give poison.
    """
    symbols = [symbol(f"x{i}", bits) for i, (_, bits) in enumerate(operands)]
    values = [value for value, _ in operands]
    found = apply(*values)
    expected = otherwise if found is None else found
    assert isinstance(expected, int)
    term = apply(*symbols)
    assert isinstance(term, Term)
    given = Model(dict(zip(symbols, values, strict=True)))
    assert evaluate(term, given) == expected, [hex(value) for value in values]
    known = [build.eq(one, value, bits) for one, (value, bits) in zip(symbols, operands, strict=True)]
    same = build.eq(term, expected, width)
    assert all(isinstance(one, Term) for one in (*known, same))
    assert isinstance(solver.check([*known, same], SECONDS), Sat), [hex(value) for value in values]
    assert isinstance(solver.check([*known, build.negate(same)], SECONDS), Unsat), [hex(value) for value in values]


@pytest.mark.parametrize(("make", "name"), every([*CASES], 3))
@pytest.mark.parametrize("op", sorted(ARITY))
def test_operations(make: Callable[[], Solver], name: str, op: str) -> None:
    fmt, solver, choose = FORMATS[name], make(), random.Random(op + name)
    apply = floats.operation(op, FloatType(name))
    for _ in range(8):
        agree(solver, apply, [(pattern(choose, fmt), fmt.width) for _ in range(ARITY[op])], fmt.width)
    solver.close()


@pytest.mark.parametrize("make", [pytest.param(BitwuzlaSolver, id="bitwuzla"), pytest.param(Z3Solver, id="z3")])
def test_remainder(make: Callable[[], Solver]) -> None:
    fmt, solver, choose = FORMATS["half"], make(), random.Random("rem")
    apply = floats.operation("rem", FloatType("half"))
    for _ in range(8):
        agree(solver, apply, [(pattern(choose, fmt), 16), (pattern(choose, fmt), 16)], 16)
    solver.close()


@pytest.mark.parametrize(("make", "name"), CASES)
def test_predicates(make: Callable[[], Solver], name: str) -> None:
    fmt, solver, choose = FORMATS[name], make(), random.Random(name)
    for predicate in PREDICATES:
        apply = floats.compile_float_compare(predicate, FloatType(name))
        for _ in range(3):
            a, b = pattern(choose, fmt), pattern(choose, fmt)
            agree(solver, apply, [(a, fmt.width), (choose.choice([a, b, a ^ fmt.sign]), fmt.width)], 1)
    solver.close()


@pytest.mark.parametrize(("make", "name"), CASES)
def test_conversions(make: Callable[[], Solver], name: str) -> None:
    fmt, solver, choose = FORMATS[name], make(), random.Random(name)
    kind = FloatType(name)
    for width in (1, 8, 32, 64):
        integer = IntType(width)
        for _ in range(3):
            value = choose.getrandbits(width) >> choose.randrange(width)
            for op in ("sitofp", "uitofp"):
                agree(solver, floats.compile_float_cast(op, integer, kind), [(value, width)], fmt.width)
            near = fp.from_int(value, width, True, name) ^ choose.getrandbits(2)
            for bits in (pattern(choose, fmt), near):
                for op in ("fptosi", "fptoui"):
                    convert = floats.compile_float_cast(op, kind, integer)
                    agree(solver, convert, [(bits, fmt.width)], width, otherwise=1 << (width - 1))
                    agree(solver, floats.conversion_fits(op, kind, integer), [(bits, fmt.width)], 1)
    solver.close()


@pytest.mark.parametrize(
    ("make", "source", "target"),
    [
        (BitwuzlaSolver, "half", "float"),
        (BitwuzlaSolver, "float", "double"),
        (BitwuzlaSolver, "double", "float"),
        (BitwuzlaSolver, "double", "half"),
        (Z3Solver, "float", "bfloat"),
        (Z3Solver, "double", "x86_fp80"),
        (Z3Solver, "x86_fp80", "double"),
        (Z3Solver, "x86_fp80", "float"),
    ],
)
def test_formats_convert(make: Callable[[], Solver], source: str, target: str) -> None:
    solver, choose = make(), random.Random(source + target)
    apply = floats._convert(source, target)
    for _ in range(8):
        agree(solver, apply, [(pattern(choose, FORMATS[source]), fp.WIDTHS[source])], fp.WIDTHS[target])
    solver.close()


@pytest.mark.parametrize("name", ["half", "double", "x86_fp80"])
def test_classes_need_no_floats(name: str) -> None:
    fmt, choose = FORMATS[name], random.Random(name)
    solver: Solver = Z3Solver() if name == "x86_fp80" else BitwuzlaSolver()
    for place in range(10):
        test = floats.is_class(FloatType(name), 1 << place)
        for _ in range(4):
            agree(solver, test, [(pattern(choose, fmt), fmt.width)], 1)
    solver.close()


@pytest.mark.parametrize(("make", "name"), CASES)
def test_models_of_random_terms(make: Callable[[], Solver], name: str) -> None:
    """Whatever model a solver gives for a formula with floats, the evaluator finds the formula true under it."""
    fmt, solver, choose = FORMATS[name], make(), random.Random("models" + name)
    kind = FloatType(name)
    ops = [op for op in ARITY if op not in ("fma", "div", "sqrt", "mul") or name == "half"]
    for _ in range(6):
        pool: list[Value] = [symbol(f"f{i}", fmt.width) for i in range(3)]
        pool.append(pattern(choose, fmt))
        for _ in range(3):
            op = choose.choice(ops)
            pool.append(floats.operation(op, kind)(*[choose.choice(pool) for _ in range(ARITY[op])]))
        compare = partial(floats.compile_float_compare(choose.choice(PREDICATES), kind))
        condition = compare(pool[-1], choose.choice(pool))
        if isinstance(condition, Term):
            answer = solver.check([condition], SECONDS)
            assert isinstance(answer, Sat | Unsat)
            if isinstance(answer, Sat):
                assert evaluate(condition, answer.model) == 1
    solver.close()


@pytest.mark.parametrize("name", ["fptosi.sat", "fptoui.sat", "lround", "lrint"])
def test_saturating_and_rounding_conversions(name: str) -> None:
    fmt, solver, choose = FORMATS["float"], BitwuzlaSolver(), random.Random(name)
    for width in (8, 32, 64):
        apply = OPERATIONS[name](FloatType("float"), IntType(width))
        for _ in range(8):
            near = fp.from_int(choose.getrandbits(width), width, True, "float") ^ choose.getrandbits(2)
            agree(solver, apply, [(choose.choice([near, pattern(choose, fmt)]), 32)], width)
    solver.close()
