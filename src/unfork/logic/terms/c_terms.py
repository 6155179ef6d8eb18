"""Terms as text like C: signed operators as C writes them, unsigned ones with a u, bytes as characters."""

from __future__ import annotations

import math
from collections.abc import Sequence

from unfork.logic.terms import build, fp
from unfork.logic.terms.evaluate import substitute
from unfork.logic.terms.term import Term, Value

DEEP = 6
"""Levels of a term to write out."""
_MOST = 8
"""The most alternatives to write out."""
_INFIX = {
    "add": "+",
    "mul": "*",
    "and": "&",
    "or": "|",
    "xor": "^",
    "eq": "==",
    "slt": "<",
    "ult": "<u",
    "shl": "<<",
    "ashr": ">>",
    "lshr": ">>u",
    "sdiv": "/",
    "srem": "%",
    "udiv": "/u",
    "urem": "%u",
}
_NEGATED = {"eq": "!=", "slt": ">=", "ult": ">=u"}
_OF_FLOATS = {
    "fp.eq": "==",
    "fp.lt": "<",
    "fp.le": "<=",
    "fp.add": "+",
    "fp.sub": "-",
    "fp.mul": "*",
    "fp.div": "/",
}
_FLOAT_FUNCTIONS = {"fp.rem": "fmod", "fp.min": "fmin", "fp.max": "fmax"}
"""C functions for operators that are called differently."""
_FLOAT_TYPES = {"float": "float", "double": "double", "x86_fp80": "long double"}
_INTEGER_TYPES = {8: "char", 16: "short", 32: "int", 64: "long"}
_UNSIGNED = ("ult", "lshr", "udiv", "urem")
_WIDE = 64
"""Parts of a value, per level, to search for choices."""
_SMALL = 16
"""Numbers with fewer bits are shown as stored, unless they are known to be signed."""
_BYTE = 8
_QUOTED = "'\\\\"
"""Characters that need an escape in a character constant."""


def words(value: Value, width: int, *, signed: bool, depth: int = DEEP) -> str:
    """A value of ``width`` bits."""
    if not isinstance(value, Term):
        return str(value - (1 << width) if signed and value >> (width - 1) else value)
    return _words(value, signed, depth)


def alternatives(value: Value) -> list[tuple[Value, Value]]:
    """The alternatives of a value, each with its guard (1 bit): disjoint, and one holds. [(1, value)] if there is one.

    Takes a choice within the value out of it as long as there are few.
    """
    found: dict[Value, Value] = {}
    waiting: list[tuple[Value, Value]] = [(1, value)]
    while waiting:
        guard, part = waiting.pop()
        condition = _choice(part) if len(found) + len(waiting) + 2 <= _MOST else None
        if condition is not None:
            for holds, side in ((0, build.negate(condition)), (1, condition)):
                waiting.append((build.both(guard, side), substitute(part, {condition: holds})))
        elif guard != 0:
            found[part] = build.either(found.get(part, 0), guard)
    return [(guard, part) for part, guard in found.items()]


def _choice(value: Value) -> Term | None:
    """The condition of the outermost choice in a value, if one is near its top."""
    level = [value] if isinstance(value, Term) else []
    for _ in range(DEEP):
        for term in level:
            if term.op == "ite":
                return term.args[0]
        level = [arg for term in level if term.width > 1 for arg in term.args][:_WIDE]
    return None


def _words(term: Term, signed: bool, depth: int) -> str:
    """``signed`` says how to read a constant."""
    if term.op == "const":
        return words(term.value, term.width, signed=signed)
    if term.op == "symbol":
        return term.name
    if depth <= 0:
        return "..."
    args: Sequence[Term] = term.args
    if term.op == "not":
        (inner,) = args
        if term.width == 1 and inner.op in _NEGATED:
            return _between(inner, _NEGATED[inner.op], depth)
        if _is_sign(inner):
            return f"{_operand(inner.args[0], True, depth)} >= 0"
        return ("!" if term.width == 1 else "~") + _operand(inner, signed, depth)
    if term.op == "neg":
        return "-" + _operand(args[0], True, depth)
    if term.op == "ite":
        condition, then, other = args
        return (
            f"{_operand(condition, False, depth)} ? {_operand(then, signed, depth)} : {_operand(other, signed, depth)}"
        )
    if term.op in ("and", "or") and term.width == 1:
        sides = [_operand(arg, False, depth) for arg in args]
        return (" && " if term.op == "and" else " || ").join(sides)
    if term.op.startswith("fp."):
        return _float_words(term, depth)
    if term.op in _INFIX:
        return _between(term, _INFIX[term.op], depth)
    if term.op in ("zext", "sext"):
        return f"{term.op}{term.width}({_words(args[0], signed, depth - 1)})"
    if _is_sign(term):
        return f"{_operand(args[0], True, depth)} < 0"
    if term.op == "concat" and (shifted := _shift_operand(term)) is not None:
        return f"{_operand(shifted, signed, depth)} << {args[1].width}"
    if term.op == "extract" and isinstance(term.parameter, int):
        return f"{_operand(args[0], signed, depth)}[{term.parameter + term.width - 1}:{term.parameter}]"
    inside = ", ".join([_words(arg, signed, depth - 1) for arg in args])
    return f"{term.op}{'' if term.parameter is None else f'[{term.parameter}]'}({inside})"


def _float_words(term: Term, depth: int) -> str:
    """A floating-point number, or an operation on such."""
    if term.op in ("fp.from_signed", "fp.from_unsigned"):
        return f"({_type(str(term.parameter))}) {_operand(term.args[0], term.op == 'fp.from_signed', depth)}"
    if term.op == "fp.convert":
        assert isinstance(term.parameter, tuple)
        before, after = term.parameter
        return f"({_type(after)}) {_float_operand(term.args[0], before, depth)}"
    operands = [_float_operand(arg, str(term.parameter), depth) for arg in term.args]
    if term.op in ("fp.to_signed", "fp.to_unsigned"):
        sign = "" if term.op == "fp.to_signed" else "unsigned "
        return f"({sign}{_INTEGER_TYPES.get(term.width, f'int{term.width}')}) {operands[0]}"
    if term.op in _OF_FLOATS:
        is_first = term.args[0].op == "const" and term.op in ("fp.eq", "fp.add", "fp.mul")
        return f" {_OF_FLOATS[term.op]} ".join(operands[::-1] if is_first else operands)
    return f"{_FLOAT_FUNCTIONS.get(term.op, term.op.removeprefix('fp.'))}({', '.join(operands)})"


def _float_operand(term: Term, format: str, depth: int) -> str:
    """A floating-point number of a format."""
    if term.op == "const":
        return float_words(term.value, format)
    if term.op == "ite" and depth > 1:
        condition, *sides = term.args
        then, other = [_float_operand(side, format, depth - 1) for side in sides]
        return f"({_operand(condition, False, depth - 1)} ? {then} : {other})"
    return _operand(term, False, depth)


def float_words(bits: int, format: str) -> str:
    """A constant as C writes it, with the fewest digits that identify it."""
    number = fp.to_float(bits, format)
    if not math.isfinite(number):
        return "NAN" if math.isnan(number) else "INFINITY" if number > 0 else "-INFINITY"
    for digits in range(1, 18):
        text = f"{number:.{digits}g}"
        if fp.from_float(float(text), format) == bits:
            mark = "" if any(each in text for each in ".e") else ".0"
            return f"{text}{mark}{'f' if format == 'float' else ''}"
    return f"the {format} {bits:#x}"  # no double has this value


def _type(format: str) -> str:
    return _FLOAT_TYPES.get(format, format)


def _is_sign(term: Term) -> bool:
    """Whether it is the highest bit of a value."""
    return term.op == "extract" and term.width == 1 and term.parameter == term.args[0].width - 1


def _shift_operand(term: Term) -> Term | None:
    """The operand of a left shift: zeros follow the low bits of a value as wide as the whole."""
    low, zeros = term.args
    is_shift = zeros.op == "const" and not zeros.value and low.op == "extract" and low.parameter == 0
    return low.args[0] if is_shift and low.args[0].width == term.width else None


def _between(term: Term, operator: str, depth: int) -> str:
    """Two operands with an operator between them. A constant comes second; ``a + -1`` is ``a - 1``."""
    left, right = term.args
    if left.op == "const" and term.op in ("add", "mul", "eq", "and", "or", "xor"):
        left, right = right, left
    signed = (term.op not in _UNSIGNED and right.width >= _SMALL) or term.op == "slt"
    if term.op == "add" and right.op == "const" and signed and right.value >> (right.width - 1):
        return f"{_operand(left, signed, depth)} - {(1 << right.width) - right.value}"
    if term.op == "eq" and left.op == "symbol" and _is_character(right):
        return f"{left.name} {operator} '{chr(right.value)}'"
    return f"{_operand(left, signed, depth)} {operator} {_operand(right, signed, depth)}"


def _is_character(term: Term) -> bool:
    """Whether it is a readable byte."""
    is_byte = term.op == "const" and term.width == _BYTE
    return is_byte and 0x20 <= term.value < 0x7F and chr(term.value) not in _QUOTED


def _operand(term: Term, signed: bool, depth: int) -> str:
    text = _words(term, signed, depth - 1)
    is_simple = " " not in text or term.op in ("zext", "sext")
    return text if is_simple else f"({text})"
