"""Law: machine code gives every term the value that logic/terms/evaluate.py gives it, floats included, bit for bit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from ctypes import CFUNCTYPE, addressof, c_uint64, c_void_p
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.test_solver import FLOAT_OPERATIONS, patterns
from tests.support.generated_terms import grown
from tests.support.power import examples
from unfork.logic.solve.term_code import RUN, NoTermCode, input_loop
from unfork.logic.terms import fp
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, sort_terms
from unfork.logic.terms.term_table import constant, make, symbol
from unfork.program.llvm.binding import machine_code

MOST_RESULTS = 6
FORMATS = ("float", "double")


def found(symbols: Sequence[Term], values: Sequence[Sequence[int]], constraints: Sequence[Term]) -> int:
    """How many inputs satisfy the constraints, by machine code."""
    code = machine_code(input_loop(symbols, values, constraints).text, RUN)
    words = (c_uint64 * len(symbols))()
    count = CFUNCTYPE(c_uint64, c_void_p, c_uint64)(code.address)(addressof(words), 0)
    return int(count)


def agrees(term: Term, symbols: Sequence[Term], values: Sequence[Sequence[int]]) -> None:
    """Code finds each result as often as evaluation does, over all combinations of values."""
    results = Counter(evaluate(term, Model(dict(zip(symbols, chosen, strict=True)))) for chosen in product(*values))
    for result, count in sorted(results.items())[:MOST_RESULTS]:
        equal = make("eq", 1, (term, constant(result, term.width)))
        assert found(symbols, values, [equal]) == count, (term, hex(result))


@pytest.mark.parametrize("seed", range(examples(24)))
def test_code_of_random_terms_agrees(seed: int) -> None:
    builder = grown(seed, 1 + seed % 24)
    compiled = 0
    for term, _, _ in builder.nodes:
        if isinstance(term, Term) and term.args:
            symbols = sort_terms(term.symbols)
            values = [sorted({model[s] for model in builder.models}) for s in symbols]
            try:
                agrees(term, symbols, values)
            except NoTermCode:
                continue
            compiled += 1
    assert compiled or len(builder.nodes) < 8


@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(
    st.sampled_from(("add", "mul", "udiv", "urem", "sdiv", "srem", "shl", "lshr", "ashr", "eq", "ult", "slt")),
    st.sampled_from((2, 7, 8, 11, 32, 33, 64, 65, 128)),
    st.data(),
)
def test_code_of_integer_operations_agrees(op: str, width: int, data: st.DataObject) -> None:
    top = 1 << width
    edges = (0, 1, 2, width % top, top - 1, top - 2, top >> 1, (top >> 1) - 1, (top >> 1) + 1)
    numbers = st.lists(st.one_of(st.sampled_from(edges), st.integers(0, top - 1)), min_size=1, max_size=5, unique=True)
    symbols = [symbol("a", width), symbol("b", width)]
    term = make(op, 1 if op in ("eq", "ult", "slt") else width, tuple(symbols))
    values = [data.draw(numbers), data.draw(numbers)]
    if width > 64 and op.endswith(("div", "rem")):
        with pytest.raises(NoTermCode):
            input_loop(symbols, values, [make("eq", 1, (term, constant(0, width)))])
    else:
        agrees(term, symbols, values)


def test_a_quotient_of_long_numbers_that_are_small_is_compiled() -> None:
    small = [make("zext", 100, (symbol(name, 8),)) for name in "ab"]
    for op in ("udiv", "urem"):
        agrees(make(op, 100, tuple(small)), [symbol("a", 8), symbol("b", 8)], [range(256), (0, 1, 7, 255)])


@settings(max_examples=examples(80), deadline=None, derandomize=True)
@given(st.sampled_from(FORMATS), st.sampled_from(sorted(FLOAT_OPERATIONS)), st.data())
def test_code_of_float_arithmetic_agrees(name: str, op: str, data: st.DataObject) -> None:
    width, count = fp.WIDTHS[name], FLOAT_OPERATIONS[op]
    symbols = [symbol(f"operand {i} of {width}", width) for i in range(count)]
    values = [data.draw(st.lists(patterns(name), min_size=1, max_size=6, unique=True)) for _ in symbols]
    agrees(make(f"fp.{op}", width, tuple(symbols), name), symbols, values)


@settings(max_examples=examples(80), deadline=None, derandomize=True)
@given(st.sampled_from(FORMATS), st.data())
def test_code_of_float_comparisons_and_conversions_agrees(name: str, data: st.DataObject) -> None:
    width = fp.WIDTHS[name]
    some = st.lists(patterns(name), min_size=1, max_size=8, unique=True)
    a, b = symbol(f"a of {width}", width), symbol(f"b of {width}", width)
    match data.draw(st.integers(0, 3)):
        case 0:
            op = data.draw(st.sampled_from(["fp.eq", "fp.lt", "fp.le"]))
            agrees(make(op, 1, (a, b), name), [a, b], [data.draw(some), data.draw(some)])
            agrees(make("fp.isnan", 1, (a,), name), [a], [data.draw(some)])
        case 1:
            size = data.draw(st.sampled_from([1, 8, 11, 12, 24, 25, 32, 53, 54, 63, 64]))
            near = [fp.from_int(around + (1 << size - 1) & (1 << 80) - 1, 80, True, name) for around in (-2, -1, 0, 1)]
            near += [fp.from_int(around + (1 << size) & (1 << 80) - 1, 80, True, name) for around in (-1, 0)]
            values = {*data.draw(some), *near, *[each | 1 << width - 1 for each in near]}
            for op in ("fp.to_signed", "fp.to_unsigned"):
                agrees(make(op, size, (a,), name), [a], [sorted(values)])
        case 2:
            size = data.draw(st.sampled_from([1, 8, 12, 25, 31, 32, 63, 64]))
            integer = symbol(f"integer of {size}", size)
            numbers = {data.draw(st.integers(0, (1 << size) - 1)) for _ in range(6)} | {
                0,
                (1 << size) - 1,
                1 << size - 1,
            }
            for op in ("fp.from_signed", "fp.from_unsigned"):
                agrees(make(op, width, (integer,), name), [integer], [sorted(numbers)])
        case _:
            other = FORMATS[name == "float"]
            agrees(make("fp.convert", fp.WIDTHS[other], (a,), (name, other)), [a], [data.draw(some)])


@pytest.mark.parametrize("name", ["half", "bfloat", "x86_fp80", "fp128"])
def test_other_formats_are_not_compiled(name: str) -> None:
    a = symbol(f"a of {name}", fp.WIDTHS[name])
    with pytest.raises(NoTermCode):
        input_loop([a], [(0,)], [make("fp.eq", 1, (a, a), name)])
