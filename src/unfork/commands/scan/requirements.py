"""Preconditions as conditions in C over the inputs of a function, in the form of UNFORK_REQUIRES."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from unfork.commands.scan.judgement import NumbersAllow
from unfork.engine.state.lazy import names_places
from unfork.logic.terms import build
from unfork.logic.terms.c_terms import DEEP
from unfork.logic.terms.term import Term, Value
from unfork.program.c.expression_text import expression_text
from unfork.program.c.expressions import (
    INT,
    LONG,
    UNSIGNED,
    BinaryExpression,
    CastExpression,
    Expression,
    Integral,
    Name,
    NumberLiteral,
    UnaryExpression,
)

_WIDTHS = (8, 16, 32, 64)
"""Bits of the integer types of C."""
_COMPARED = {"eq": "==", "ult": "<", "slt": "<"}
_NEGATED = {"==": "!=", "<": ">="}
_SUMS = {"add": "+", "sub": "-", "mul": "*"}
_LARGEST = 1 << 62
"""Beyond that a number says how sums wrap, which nobody reads."""
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


def excluding(fault: Iterable[Value], numbers: Mapping[Term, CallerNumber], *, is_narrow: bool) -> str:
    """The condition under which not all conditions of ``fault`` hold, with exactly their meaning in C; "" if C cannot
    say it. ``is_narrow``: a ``long`` and a ``size_t`` have 32 bits.
    """
    words = _InWords(numbers, is_narrow)
    try:
        conditions = [words.condition(build.negate(each)) for each in fault]
    except _NotInC:
        return ""
    return expression_text(_joined("||", conditions)) if conditions else ""


def demanded(fault: Iterable[Value]) -> NumbersAllow:
    """The same condition, for a check."""
    return NumbersAllow(build.negate(build.conjunction(list(fault))))


def in_order(conditions: Iterable[str]) -> list[str]:
    """The distinct conditions, ordered so that those about a pointer come before those that read through it."""
    return sorted(dict.fromkeys(conditions), key=lambda each: len(_READ.findall(each.partition(" && ")[0])))


def _joined(operator: str, sides: Sequence[Expression]) -> Expression:
    return reduce(partial(BinaryExpression, operator), sides)


def _is_small(condition: Term) -> bool:
    """Whether a condition says that a length is not the largest number, as no length is."""
    if condition.op != "not" or condition.args[0].op != "eq":
        return False
    symbol, constant = sorted(condition.args[0].args, key=lambda each: each.op == "const")
    return symbol.op == "symbol" and _LENGTH.match(symbol.name) is not None and constant.ones >> (symbol.width - 1) > 0


@dataclass(frozen=True, slots=True)
class _InWords:
    """Terms over the caller's ``numbers`` as expressions of C."""

    numbers: Mapping[Term, CallerNumber]
    is_narrow: bool

    def condition(self, value: Value, depth: int = DEEP) -> Expression:
        """A condition (1 bit)."""
        if not isinstance(value, Term) or not depth:
            raise _NotInC
        inner = value.args[0] if value.op == "not" else value
        is_negated = inner is not value
        if inner.op in ("and", "or"):
            parts = [arg for arg in inner.args if not (inner.op == "and" and _is_small(arg))]
            if is_negated or not parts:
                raise _NotInC
            sides = [self.condition(arg, depth - 1) for arg in parts]
            return _joined("&&" if inner.op == "and" else "||", sides)
        if inner.op == "extract":
            return self._bit(inner, is_set=not is_negated, depth=depth)
        if inner.op not in _COMPARED:
            raise _NotInC
        left, right = inner.args
        if left.op == "const" and inner.op == "eq":
            left, right = right, left
        signed = inner.op == "slt" or (inner.op == "eq" and left in self.numbers and self.numbers[left].is_signed)
        if inner.op == "ult" and left in self.numbers and self.numbers[left].is_signed and right.op == "const":
            path, limit = Name(self.numbers[left].path), right.value
            if limit <= 1 << (left.width - 1):
                low, high = ("<", ">=") if is_negated else (">=", "<")
                sides = [
                    BinaryExpression(low, path, self._literal(0)),
                    BinaryExpression(high, path, self._literal(limit, signed=True)),
                ]
                return _joined("||" if is_negated else "&&", sides)
        operator = _COMPARED[inner.op]
        sides = [self._number(side, signed, depth) for side in (left, right)]
        return BinaryExpression(_NEGATED[operator] if is_negated else operator, *sides)

    def _bit(self, term: Term, *, is_set: bool, depth: int) -> Expression:
        """That a bit of a number is set, or is not."""
        assert isinstance(term.parameter, int)
        number = self._number(term.args[0], False, depth - 1)
        masked = BinaryExpression("&", number, self._literal(1 << term.parameter))
        return BinaryExpression("!=" if is_set else "==", masked, self._literal(0))

    def _number(self, term: Term, signed: bool, depth: int) -> Expression:
        """A term as a signed or an unsigned number."""
        width = term.width
        kind = self._of_width(width, signed)
        if term.op == "const":
            value = term.value - (1 << width) if signed and term.value >> (width - 1) else term.value
            return self._literal(value, signed=signed)
        if width not in _WIDTHS or not depth:
            raise _NotInC
        if term.op == "symbol":
            length = _LENGTH.match(term.name)
            number = CallerNumber(term.name, "unsigned") if length else self.numbers.get(term)
            if number is None or (not number.is_signed and not number.encoding.startswith(("unsigned", "boolean"))):
                raise _NotInC
            if not names_places(number.path):  # there is no C for an element at any place
                raise _NotInC
            return Name(number.path) if number.is_signed == signed else CastExpression(kind, Name(number.path))
        if term.op in ("zext", "sext"):
            inner = self._number(term.args[0], term.op == "sext", depth - 1)
            return inner if signed == (term.op == "sext") else CastExpression(kind, inner)
        if term.op in _SUMS and width >= INT.width:
            whole, operator = self._of_width(width, False), _SUMS[term.op]
            left, right = sorted(term.args, key=lambda each: each.op == "const") if operator != "-" else term.args
            first = self._operand(left, whole, depth - 1)
            if operator == "+" and right.op == "const" and right.value >> (right.width - 1):
                total = BinaryExpression("-", first, self._literal((1 << width) - right.value))
            else:
                total = BinaryExpression(operator, first, self._operand(right, whole, depth - 1))
            return CastExpression(kind, total) if signed else total
        raise _NotInC

    def _operand(self, term: Term, whole: Integral, depth: int) -> Expression:
        """An operand of a sum of the unsigned type ``whole``. A constant takes that type from the other operand."""
        operand = self._number(term, False, depth)
        is_whole = isinstance(operand, CastExpression) and operand.type == whole
        is_short = self.is_narrow and term.op == "symbol" and _LENGTH.match(term.name) is not None
        is_whole = is_whole or (term.op == "symbol" and isinstance(operand, Name) and not is_short)
        return operand if term.op == "const" or is_whole else CastExpression(whole, operand)

    def _literal(self, value: int, *, signed: bool = False) -> Expression:
        """A number of at most 64 bits. One that fits is an int; any other has a type of this sign."""
        if abs(value) > _LARGEST:
            raise _NotInC
        size = abs(value)
        kind = INT
        if size >> (INT.width - 1):
            is_signed = signed or value < 0
            kind = UNSIGNED if not is_signed and not size >> INT.width else self._of_width(LONG.width, is_signed)
        return NumberLiteral(size, kind) if value >= 0 else UnaryExpression("-", NumberLiteral(size, kind))

    def _of_width(self, width: int, signed: bool) -> Integral:
        return Integral(width, signed, is_long_long=self.is_narrow and width == LONG.width)
