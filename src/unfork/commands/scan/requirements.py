"""Preconditions as conditions in C over the inputs of a function, in the form of UNFORK_REQUIRES."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from unfork.logic.terms import build
from unfork.logic.terms.c_terms import DEEP
from unfork.logic.terms.term import Term, Value

_TYPES = {8: "char", 16: "short", 32: "int", 64: "long"}
_COMPARED = {"eq": "==", "ult": "<", "slt": "<"}
_NEGATED = {"==": "!=", "<": ">="}
_SUMS = {"add": "+", "sub": "-", "mul": "*"}
_INT = 32
_LOWEST = -(1 << 63)
"""A number without a literal in C."""
_READ = re.compile(r"->|\[|\b(?:strlen|unfork_length)\(")
_LENGTH = re.compile(r"(strlen|unfork_length)\([^#]*\)\Z")


@dataclass(frozen=True, slots=True)
class CallerNumber:
    """A number that the caller chooses, by its C expression."""

    path: str
    encoding: str
    """DWARF's word for its type."""
    is_argument: bool = False

    @property
    def is_signed(self) -> bool:
        return self.encoding.startswith("signed")


class _NotInC(Exception):
    """A term is too large for a readable condition, or C cannot say it."""


def excluding(fault: Iterable[Value], numbers: Mapping[Term, CallerNumber]) -> str:
    """The condition under which not all conditions of ``fault`` hold, with exactly their meaning in C; "" if C cannot
    say it.
    """
    try:
        return " || ".join([_condition(build.negate(each), numbers) for each in fault])
    except _NotInC:
        return ""


def in_order(conditions: Iterable[str]) -> list[str]:
    """The distinct conditions, ordered so that those about a pointer come before those that read through it."""
    return sorted(dict.fromkeys(conditions), key=lambda each: len(_READ.findall(each)))


def _condition(value: Value, numbers: Mapping[Term, CallerNumber], depth: int = DEEP) -> str:
    """A condition (1 bit)."""
    if not isinstance(value, Term) or not depth:
        raise _NotInC
    inner = value.args[0] if value.op == "not" else value
    is_negated = inner is not value
    if inner.op in ("and", "or"):
        if is_negated:
            raise _NotInC
        sides = [
            _condition(arg, numbers, depth - 1) for arg in inner.args if not (inner.op == "and" and _is_small(arg))
        ]
        operator = " && " if inner.op == "and" else " || "
        return operator.join([f"({side})" if " && " in side or " || " in side else side for side in sides])
    if inner.op not in _COMPARED:
        raise _NotInC
    left, right = inner.args
    if left.op == "const" and inner.op == "eq":
        left, right = right, left
    signed = inner.op == "slt" or (inner.op == "eq" and left in numbers and numbers[left].is_signed)
    if inner.op == "ult" and left in numbers and numbers[left].is_signed and right.op == "const":
        path, limit = numbers[left].path, right.value
        if limit <= 1 << (left.width - 1):
            return f"{path} < 0 || {path} >= {limit}" if is_negated else f"{path} >= 0 && {path} < {limit}"
    operator = _COMPARED[inner.op]
    sides = [_text(side, numbers, signed, depth) for side in (left, right)]
    return f" {_NEGATED[operator] if is_negated else operator} ".join(sides)


def _is_small(condition: Term) -> bool:
    """Whether a condition says that a length is not the largest number, as no length is."""
    if condition.op != "not" or condition.args[0].op != "eq":
        return False
    symbol, constant = sorted(condition.args[0].args, key=lambda each: each.op == "const")
    return symbol.op == "symbol" and _LENGTH.match(symbol.name) is not None and constant.ones >> (symbol.width - 1) > 0


def _text(term: Term, numbers: Mapping[Term, CallerNumber], signed: bool, depth: int) -> str:
    """The C text of a term, read as a signed or an unsigned number."""
    width = term.width
    if term.op == "const":
        value = term.value - (1 << width) if signed and term.value >> (width - 1) else term.value
        if value == _LOWEST:
            raise _NotInC
        return f"{value}u" if value >> (_INT - 1) > 0 else str(value)
    if width not in _TYPES or not depth:
        raise _NotInC
    kind = _TYPES[width] if signed else f"unsigned {_TYPES[width]}"
    if term.op == "symbol":
        length = _LENGTH.match(term.name)
        number = CallerNumber(term.name, "unsigned") if length else numbers.get(term)
        if number is None or (not number.is_signed and not number.encoding.startswith(("unsigned", "boolean"))):
            raise _NotInC
        return number.path if number.is_signed == signed else f"({kind}) {number.path}"
    if term.op in ("zext", "sext"):
        inner = _text(term.args[0], numbers, term.op == "sext", depth - 1)
        return inner if signed == (term.op == "sext") else f"({kind}) {inner}"
    if term.op in _SUMS and width >= _INT:
        whole, operator = f"unsigned {_TYPES[width]}", _SUMS[term.op]
        left, right = sorted(term.args, key=lambda each: each.op == "const") if operator != "-" else term.args
        if operator == "+" and right.op == "const" and right.value >> (width - 1):
            text = f"({_operand(left, numbers, whole, depth - 1)} - {(1 << width) - right.value})"
        else:
            text = (
                f"({_operand(left, numbers, whole, depth - 1)} {operator} {_operand(right, numbers, whole, depth - 1)})"
            )
        return f"({kind}) {text}" if signed else text
    raise _NotInC


def _operand(term: Term, numbers: Mapping[Term, CallerNumber], whole: str, depth: int) -> str:
    """An operand of a sum of the unsigned type ``whole``. A constant takes that type from the other operand."""
    text = _text(term, numbers, False, depth)
    is_whole = text.startswith(f"({whole})") or (term.op == "symbol" and not text.startswith("("))
    return text if term.op == "const" or is_whole else f"({whole}) {text}"
