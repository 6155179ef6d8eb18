"""Floating operations on bit patterns: folded when concrete, terms when not; comparisons reduce to three predicates."""

from __future__ import annotations

from unfork.logic import fp
from unfork.logic.boolean import both, either, negate
from unfork.logic.choice import node
from unfork.logic.fp_format import FORMATS
from unfork.logic.term import Term, Value, make


def fp_op(op: str, fmt: str, *args: Value) -> Value:
    """One of fp.OPERATIONS on patterns of ``fmt``."""
    if not any(isinstance(one, Term) for one in args):
        return fp.arithmetic(op, fmt, *[one for one in args if isinstance(one, int)])
    width = FORMATS[fmt].width
    return make(f"fp.{op}", width, tuple([node(one, width) for one in args]), fmt)


def fp_compare(predicate: str, fmt: str, a: Value, b: Value) -> Value:
    """LLVM's fcmp on patterns of ``fmt``: one bit."""
    if isinstance(a, int) and isinstance(b, int):
        return int(fp.compare(predicate, fmt, a, b))
    if predicate in ("true", "false"):
        return int(predicate == "true")
    unordered = either(_is_nan(fmt, a), _is_nan(fmt, b))
    match predicate:
        case "uno":
            return unordered
        case "ord":
            return negate(unordered)
        case "one":
            return both(negate(unordered), negate(_test("fp.eq", fmt, a, b)))
        case "ueq":
            return either(unordered, _test("fp.eq", fmt, a, b))
    match predicate[1:]:
        case "eq":
            holds = _test("fp.eq", fmt, a, b)
        case "ne":
            return negate(_test("fp.eq", fmt, a, b))
        case "lt":
            holds = _test("fp.lt", fmt, a, b)
        case "le":
            holds = _test("fp.le", fmt, a, b)
        case "gt":
            holds = _test("fp.lt", fmt, b, a)
        case _:
            holds = _test("fp.le", fmt, b, a)
    return holds if predicate[0] == "o" else either(unordered, holds)


def _test(op: str, fmt: str, a: Value, b: Value) -> Value:
    width = FORMATS[fmt].width
    return make(op, 1, (node(a, width), node(b, width)), fmt)


def _is_nan(fmt: str, a: Value) -> Value:
    return int(fp.is_nan(a, fmt)) if isinstance(a, int) else make("fp.isnan", 1, (a,), fmt)


def fp_convert(a: Value, source: str, target: str) -> Value:
    """A pattern of one format in another."""
    if isinstance(a, int):
        return fp.convert(a, source, target)
    return make("fp.convert", FORMATS[target].width, (a,), (source, target))


def fp_from_int(a: Value, width: int, sign: str, fmt: str) -> Value:
    """An integer of ``width`` bits, "signed" or "unsigned", as a float."""
    if isinstance(a, int):
        return fp.from_int(a, width, sign == "signed", fmt)
    return make(f"fp.from_{sign}", FORMATS[fmt].width, (a,), fmt)


def fp_to_int(a: Value, fmt: str, width: int, sign: str) -> Value:
    """A float as an integer, rounded towards zero; out of range only the top bit is set."""
    if isinstance(a, int):
        found = fp.to_int(a, fmt, width, sign == "signed")
        return 1 << width - 1 if found is None else found
    return make(f"fp.to_{sign}", width, (a,), fmt)
