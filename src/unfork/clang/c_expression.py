"""Parses C expressions over integers, as predicates on program variables use them.

They have literals, names, casts to integer types, `?:`, and all C operators without side effects. Types and values
are computed elsewhere (merge/c_values.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d\w*)|(?P<name>[A-Za-z_]\w*)|(?P<char>'(?:\\.[0-9xa-fA-F]*|[^'\\])')"""
    r"""|(?P<mark>->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>=!~&^|?:(){},;])|(?P<other>\S))"""
)
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)")
SUFFIXES = frozenset(("", "u", "l", "ul", "lu", "ll", "ull", "llu"))
ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}
LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Binary operators, the loosest first; all group to the left."""
DEEPEST = 50
"""The deepest nesting of operands that is read."""


@dataclass(frozen=True, slots=True)
class Integral:
    """An integer type: ``width`` in bits."""

    width: int
    signed: bool


INT, UNSIGNED, LONG, UNSIGNED_LONG = Integral(32, True), Integral(32, False), Integral(64, True), Integral(64, False)
_WORDS: dict[tuple[str, ...], Integral] = {
    ("_Bool",): Integral(1, False),
    ("bool",): Integral(1, False),
    ("char",): Integral(8, True),
    ("char", "signed"): Integral(8, True),
    ("char", "unsigned"): Integral(8, False),
    ("int",): INT,
    ("signed",): INT,
    ("unsigned",): UNSIGNED,
    ("short",): Integral(16, True),
    ("short", "unsigned"): Integral(16, False),
    ("long",): LONG,
    ("long", "unsigned"): UNSIGNED_LONG,
    ("long", "long"): LONG,
    ("long", "long", "unsigned"): UNSIGNED_LONG,
}
TYPE_WORDS = frozenset(word for words in _WORDS for word in words)
Operand_co = TypeVar("Operand_co", covariant=True)
"""What operators are applied to: ``Expression``, or a wider language's expressions (clang/logic_expression.py)."""


@dataclass(frozen=True, slots=True)
class Number:
    """A literal: ``value`` is unsigned, of the type's width."""

    value: int
    type: Integral


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary(Generic[Operand_co]):
    """``op`` is one of + - ~ !."""

    op: str
    operand: Operand_co


@dataclass(frozen=True, slots=True)
class Cast(Generic[Operand_co]):
    """A conversion to an integer type."""

    type: Integral
    operand: Operand_co


@dataclass(frozen=True, slots=True)
class Binary(Generic[Operand_co]):
    """``op`` is one of LEVELS."""

    op: str
    left: Operand_co
    right: Operand_co


@dataclass(frozen=True, slots=True)
class Conditional(Generic[Operand_co]):
    """``condition ? then : otherwise``."""

    condition: Operand_co
    then: Operand_co
    otherwise: Operand_co


Expression: TypeAlias = (
    "Number | Name | Unary[Expression] | Cast[Expression] | Binary[Expression] | Conditional[Expression]"
)


def parsed(text: str) -> Expression:
    """The expression in ``text``. Raises ValueError with a one-line message if there is none."""
    reader = ExpressionReader(text)
    expression = reader.expression()
    reader.expect_end()
    return expression


def names_in(expression: Expression) -> frozenset[str]:
    """The names that an expression mentions."""
    names = set()
    pending = [expression]
    while pending:
        match pending.pop():
            case Name(name):
                names.add(name)
            case Unary(_, operand) | Cast(_, operand):
                pending.append(operand)
            case Binary(_, left, right):
                pending += (left, right)
            case Conditional(condition, then, otherwise):
                pending += (condition, then, otherwise)
    return frozenset(names)


def integer_type(words: str) -> Integral | None:
    """The integer type that C keywords, such as ``unsigned long``, name; None if they name none."""
    given = words.split()
    kept = sorted(word for word in given if word != "int" and (word != "signed" or "char" in given))
    return _WORDS.get(tuple(kept or sorted(set(given))[:1]))


class ExpressionReader:
    """Reads expressions from tokens; the caller reads what stands around them (braces, commas)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens: list[tuple[str, str]] = []
        self._starts: list[int] = []
        self._at = 0
        self._depth = 0
        for match in TOKEN.finditer(text.rstrip()):
            kind = match.lastgroup or ""
            if kind == "other":
                raise ValueError(f"{match[kind]!r} is not of an expression over integers")
            self._tokens.append((kind, match[kind]))
            self._starts.append(match.start(kind))
        self._tokens.append(("end", ""))
        self._starts.append(len(text))

    @property
    def next(self) -> str:
        """The token that comes next; "" at the end."""
        return self._tokens[self._at][1]

    def accept(self, token: str) -> bool:
        """Step over ``token`` if it comes next."""
        if self.next != token or self._tokens[self._at][0] == "end":
            return False
        self._at += 1
        return True

    def expect(self, token: str) -> None:
        """Step over ``token``; ValueError if it does not come next."""
        if not self.accept(token):
            raise ValueError(f"{self._shown()} where {token!r} should be")

    def expect_end(self) -> None:
        """ValueError if anything follows."""
        if self._tokens[self._at][0] != "end":
            raise ValueError(f"{self._shown()} is too much")

    def word(self) -> str:
        """A name."""
        kind, token = self._tokens[self._at]
        if kind != "name":
            raise ValueError(f"{self._shown()} where a name should be")
        self._at += 1
        return token

    def words(self) -> list[str]:
        """The names that come next."""
        names = []
        while self._tokens[self._at][0] == "name":
            names.append(self.word())
        return names

    def noted(self) -> tuple[str, Expression]:
        """An expression with its text."""
        start = self._starts[self._at]
        expression = self.expression()
        return " ".join(self.text[start : self._starts[self._at]].split()), expression

    def expression(self) -> Expression:
        """The longest expression that begins here. Raises ValueError if there is none, or it nests too deep."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ValueError(f"nested deeper than {DEEPEST}")
        condition = self._binary(0)
        if self.accept("?"):
            then = self.expression()
            self.expect(":")
            condition = Conditional(condition, then, self.expression())
        self._depth -= 1
        return condition

    def _shown(self) -> str:
        kind, token = self._tokens[self._at]
        return "the end" if kind == "end" else repr(token)

    def _binary(self, level: int) -> Expression:
        if level == len(LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._tokens[self._at][0] == "mark" and self.next in LEVELS[level]:
            op = self.next
            self._at += 1
            left = Binary(op, left, self._binary(level + 1))
        return left

    def _unary(self) -> Expression:
        signs: list[str | Integral] = []
        while True:
            kind, token = self._tokens[self._at]
            if kind == "mark" and token in ("-", "+", "~", "!"):
                signs.append(token)
                self._at += 1
            elif token == "(" and self._tokens[self._at + 1][1] in TYPE_WORDS:
                self._at += 1
                signs.append(self._type())
                self.expect(")")
            else:
                break
        expression = self._primary()
        for sign in reversed(signs):
            expression = Unary(sign, expression) if isinstance(sign, str) else Cast(sign, expression)
        return expression

    def _type(self) -> Integral:
        words = " ".join(self.words())
        kind = integer_type(words)
        if kind is None:
            raise ValueError(f"{words!r} is no integer type")
        return kind

    def _primary(self) -> Expression:
        kind, token = self._tokens[self._at]
        if self.accept("("):
            inside = self.expression()
            self.expect(")")
            return inside
        if kind == "name":
            if token in TYPE_WORDS or token == "sizeof":
                raise ValueError(f"{token!r} where a value should be")
            self._at += 1
            if self.next == "(":
                raise ValueError(f"{token!r} is called: predicates call no functions")
            return Name(token)
        if kind == "number":
            self._at += 1
            return number(token)
        if kind == "char":
            self._at += 1
            return character(token)
        raise ValueError(f"{self._shown()} where a value should be")


def number(token: str) -> Number:
    """The literal that ``token`` is. Raises ValueError with a one-line message."""
    match = NUMBER.fullmatch(token)
    suffix = match[2].lower() if match else ""
    if match is None or suffix not in SUFFIXES:
        raise ValueError(f"{token!r} is no integer")
    digits = match[1]
    is_decimal = digits == "0" or digits[0] != "0"
    try:
        value = int(digits, 10 if is_decimal else 0 if digits[1:2] in "xXbB" else 8)
    except ValueError:
        raise ValueError(f"{token!r} is no integer") from None
    kinds = [LONG, UNSIGNED_LONG] if "l" in suffix else [INT, UNSIGNED, LONG, UNSIGNED_LONG]
    for kind in kinds:
        unfit = kind.signed if "u" in suffix else not kind.signed and is_decimal
        if not unfit and value >> (kind.width - kind.signed) == 0:
            return Number(value, kind)
    raise ValueError(f"{token!r} is too large")


def character(token: str) -> Number:
    """The value of a character in quotes. Raises ValueError with a one-line message."""
    inside = token[1:-1]
    if inside[0] != "\\":
        value = ord(inside)
    elif inside[1] == "x":
        value = int(inside[2:], 16) if inside[2:] else 256
    elif inside[1] in "01234567":
        value = int(inside[1:], 8) if all(digit in "01234567" for digit in inside[1:]) else 256
    else:
        value = ESCAPES.get(inside[1:], 256)
    if value > 255:
        raise ValueError(f"{token} is no character of one byte")
    return Number((value - 256 if value > 127 else value) & 0xFFFFFFFF, INT)
