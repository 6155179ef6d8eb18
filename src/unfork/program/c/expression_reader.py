"""Reads expressions in a notation of conditions; refuses unknown words by name.

Operators are read by precedence. A notation is a table of words, operators and types.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from unfork.errors import InputError
from unfork.program.c.c_source import CSource
from unfork.program.c.expression_cursor import ExpressionCursor, Scope
from unfork.program.c.expression_tokens import Lexeme, character, lexemes_of_code, number
from unfork.program.c.expressions import (
    INT,
    UNSIGNED_LONG,
    AddressOf,
    Application,
    At,
    BinaryExpression,
    Conditional,
    Deref,
    Expression,
    Fresh,
    Index,
    MemberExpression,
    Name,
    Null,
    NumberLiteral,
    OfPointer,
    QuantifiedExpression,
    RangeExpression,
    ResultExpression,
    SameObject,
    Separated,
    SizeOf,
    UnaryExpression,
    Valid,
    ValidBytes,
)
from unfork.program.c.notations import BITS, LONG_PLAIN, RELATIONS, Notation

DEEPEST = 120
"""The deepest nesting of operands that is read."""
_RISING, _FALLING = frozenset(("<", "<=", "==")), frozenset((">", ">=", "=="))
_CONSTANTS: dict[str, Expression] = {"true": NumberLiteral(1, INT), "false": NumberLiteral(0, INT), "null": Null()}
_ZERO = NumberLiteral(0, INT)


@dataclass(frozen=True, slots=True)
class Interval:
    """``low..high``, allowed after a + or in brackets only."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class RangeElements:
    """The targets of a range's pointers."""

    range: RangeExpression


_Read: TypeAlias = Expression | Interval | RangeElements


def _smaller(op: str, left: Expression, right: Expression) -> Expression:
    return Conditional(BinaryExpression(op, left, right), left, right)


def _in_range(low: Expression, pointer: Expression, high: Expression) -> Expression:
    """Whether a pointer is between two others into its object."""
    same = BinaryExpression("&&", SameObject(low, pointer), SameObject(low, high))
    return BinaryExpression(
        "&&", same, BinaryExpression("&&", BinaryExpression("<=", low, pointer), BinaryExpression("<=", pointer, high))
    )


_OF_ARGUMENTS: dict[str, tuple[int, Callable[..., Expression]]] = {
    "abs": (1, lambda value: Conditional(BinaryExpression("<", value, _ZERO), UnaryExpression("-", value), value)),
    "min": (2, partial(_smaller, "<")),
    "max": (2, partial(_smaller, ">")),
    "valid_range": (3, lambda pointer, low, high: Valid((RangeExpression(pointer, low, high),), True)),
    "fresh": (2, Fresh),
    "offset": (1, partial(OfPointer, "offset")),
    "size": (1, partial(OfPointer, "size")),
    "same_object": (2, SameObject),
    "pointer_equals": (2, partial(BinaryExpression, "==")),
    "pointer_in_range": (3, _in_range),
}
"""Words with their numbers of arguments, and the expressions that they make."""


def plain_reader(text: str) -> ExpressionReader:
    """A reader of C without a file; its errors have no source location."""
    source = CSource("", text)
    return ExpressionReader(source, lexemes_of_code(source, 0, len(text)), len(text), LONG_PLAIN)


def parse_expression(text: str) -> Expression:
    """The expression of C in ``text``. Raises ValueError with a one-line message if there is none."""
    try:
        reader = plain_reader(text)
        expression = reader.expression()
        reader.expect_end("is too much")
    except InputError as problem:
        raise ValueError(str(problem)) from None
    return expression


class ExpressionReader(ExpressionCursor):
    """Reads expressions from the tokens of a ``source``; the caller reads the text around them.

    ``end`` is the offset after the last token.
    """

    def __init__(self, source: CSource, tokens: Sequence[Lexeme], end: int, notation: Notation) -> None:
        super().__init__(source, tokens, end, notation)
        self._depth = 0
        self.logic: Mapping[str, Container[int]] = {}
        """The known predicates and logic functions, with their numbers of arguments."""
        self.unread: Mapping[str, str] = {}
        """The unknown ones, with the problems in their definitions."""
        self._bare: object = None

    def expression(self) -> Expression:
        """The longest expression that begins here. Raises InputError if there is none, or for an unknown construct."""
        first = self.next
        return self._value(self._any(), first)

    def _name(self) -> str | None:
        """``name:`` before a condition."""
        first = self.next
        if first.kind != "word" or self._tokens[self._at + 1].text != ":" or first.text.startswith("\\"):
            return None
        self._at += 2
        return first.text

    # --- operators

    def _value(self, read: _Read, first: Lexeme) -> Expression:
        if isinstance(read, RangeExpression | Interval | RangeElements):
            raise self.source.problem(first.start, "'..' is not supported where one value should be")
        return read

    @contextmanager
    def _nesting(self, token: Lexeme) -> Iterator[None]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.source.problem(token.start, f"nested deeper than {DEEPEST}")
        yield
        self._depth -= 1

    def _any(self) -> _Read:
        first = self.next
        condition = self._binary(0)
        if not self.accept("?"):
            return condition
        question = self._value(condition, first)
        with self._nesting(first):
            then = self.expression()
            self.expect(":")
            return Conditional(question, then, self.expression())

    def _level(self) -> int:
        """The precedence of the operator at the cursor; -1 if there is none."""
        return self._levels.get(self.next.text, -1) if self.next.kind == "mark" else -1

    def _binary(self, loosest: int) -> _Read:
        first = self.next
        with self._nesting(first):
            left = self._unary()
            operators = 0
            while (level := self._level()) >= loosest:
                operators += 1
                if operators > self._notation.longest:
                    raise self.too_many(first)
                ops = self._notation.levels[level]
                if self._notation.chains and ops == RELATIONS:
                    left = self._chain(self._value(left, first), level)
                    continue
                op, after = self.take(), self.next
                right = self._binary(level if op.text == "==>" else level + 1)
                if op.text == "+" and isinstance(right, Interval):
                    left = RangeExpression(self._value(left, first), right.low, right.high)
                    continue
                left = BinaryExpression(op.text, self._value(left, first), self._value(right, after))
                if ops in BITS and self._notation.chains:
                    self._bare = left
        return left

    def _chain(self, left: Expression, level: int) -> Expression:
        """A chain of comparisons in one direction, each of neighbours, joined by &&."""
        chain: Expression | None = None
        ops: list[Lexeme] = []
        while self._level() == level:
            op, after, is_loose = self.take(), self.next, left is self._bare
            ops.append(op)
            right = self._value(self._binary(level + 1), after)
            if is_loose or right is self._bare:
                # ACSL's manual and its tools read ``a & b == c`` differently.
                raise self.unsupported(op, " beside &, | or ^ without parentheses")
            compared = BinaryExpression(op.text, left, right)
            chain = compared if chain is None else BinaryExpression("&&", chain, compared)
            left = right
        directions = {op.text for op in ops}
        if len(ops) > 1 and not (directions <= _RISING or directions <= _FALLING):
            raise self.unsupported(ops[1], " in a chain of comparisons that is not all < or all >")
        if len(ops) > self._notation.longest:
            raise self.too_many(ops[0])
        assert chain is not None
        return chain

    def _unary(self) -> _Read:
        token = self.next
        if token.kind == "mark" and token.text in ("-", "+", "~", "!", "*", "&"):
            self.take()
            with self._nesting(token):
                first = self.next
                return self._prefix(token, self._unary(), first)
        if (type_name := self._type_in_parentheses()) is not None:
            with self._nesting(token):
                first = self.next
                return self.conversion(type_name, self._value(self._unary(), first), token)
        return self._postfix()

    def _prefix(self, sign: Lexeme, read: _Read, first: Lexeme) -> _Read:
        match sign.text, read:
            case "*", RangeExpression():
                return RangeElements(read)
            case "&", RangeElements(elements):
                return elements
            case "&", Name() | Deref() | Index() | MemberExpression():
                return AddressOf(read)
            case "&", _:
                raise self.source.problem(sign.start, "'&' of what is no place")
        value = self._value(read, first)
        return Deref(value) if sign.text == "*" else UnaryExpression(sign.text, value)

    def _postfix(self) -> _Read:
        first = self.next
        read = self._primary()
        length = 0
        while (mark := self.next).text in ("[", ".", "->") and mark.kind == "mark":
            base = self._value(read, first)
            self.take()
            if mark.text == "[":
                after = self.next
                index = self._bracket("]")
                if isinstance(index, Interval):
                    read = RangeElements(RangeExpression(base, index.low, index.high))
                else:
                    read = Index(base, self._value(index, after))
            else:
                read = MemberExpression(base, self.name(), mark.text == "->")
            length += 1
            if length > DEEPEST:
                raise self.source.problem(mark.start, f"nested deeper than {DEEPEST}")
        return read

    def _bracket(self, closing: str) -> _Read:
        """Anything, or an interval, and the bracket after it."""
        first = self.next
        if first.text == "..":
            raise self.unsupported(first, " without both bounds")
        read = self._any()
        dots = self.next
        if self.accept(".."):
            if self.next.text == closing:
                raise self.unsupported(dots, " without both bounds")
            read = Interval(self._value(read, first), self.expression())
        self.expect(closing)
        return read

    # --- expressions that begin with a word or a number

    def _primary(self) -> _Read:
        token = self.next
        if token.kind == "mark" and self.accept("("):
            if self._notation.chains:
                self._name()
            read = self._bracket(")")
            self._bare = None
            return read
        if token.kind in ("number", "char"):
            try:
                self.take()
                return (
                    number(token.text, unbounded=self._notation.chains)
                    if token.kind == "number"
                    else character(token.text)
                )
            except ValueError as problem:
                raise self.source.problem(token.start, str(problem)) from None
        if token.kind in ("float", "text") or token.text in ("++", "--", "<-->", "-->"):
            raise self.unsupported(token)
        if token.kind != "word":
            raise self.misplaced("where a value should be")
        self.take()
        meaning = self._notation.words.get(token.text)
        if meaning is not None and token.text not in self._scope.bound:
            return self._special(meaning, token)
        return self._name_value(token)

    def _name_value(self, token: Lexeme) -> Expression:
        name = token.text
        if name in self._scope.refused:
            raise self.unsupported(token, ", a name of \\let, in a value of another state")
        if name in self._scope.bound:
            return self._scope.bound[name] or Name(name)
        if name == "sizeof":
            return self._size(token)
        if name == "NULL":
            return Null()
        if name.startswith(("\\", "__CPROVER_", "__builtin_", "UNFORK_")):
            raise self.unsupported(token)
        if name in self.unread and self.next.text in ("(", "{"):
            raise InputError(self.unread[name])
        if name in self.logic and self.next.text in ("(", "{"):
            return self._application(token)
        if self.next.text == "(":
            raise self.unsupported(token, ": conditions call no functions")
        if self._is_type(self._at - 1):
            raise self.source.problem(token.start, f"{name!r} where a value should be")
        return Name(name)

    def _size(self, token: Lexeme) -> Expression:
        type_name = self._type_in_parentheses()
        if type_name is None:
            first = self.next
            with self._nesting(token):
                return SizeOf(self._value(self._unary(), first))
        if type_name.words in self._notation.types:
            raise self.unsupported(token, f" of {type_name.words}")
        integral = self._integral(type_name)
        if integral is None and not type_name.stars:
            return SizeOf(type_name)
        return NumberLiteral(8 if integral is None else (integral.width + 7) // 8, UNSIGNED_LONG)

    def _special(self, meaning: str, token: Lexeme) -> Expression:
        """An expression that begins with a word of the notation."""
        if meaning in _OF_ARGUMENTS:
            count, function = _OF_ARGUMENTS[meaning]
            return function(*self._arguments(token, count))
        match meaning:
            case "true" | "false" | "null":
                return _CONSTANTS[meaning]
            case "result":
                self._require(meaning, token)
                return ResultExpression()
            case "old" | "loop_entry":
                self._require("old" if meaning == "old" else "loop", token)
                self.expect("(")
                value = self._earlier()
                self.expect(")")
                return At(value, "Old" if meaning == "old" else "LoopEntry")
            case "at":
                return self._at_label(token)
            case "forall" | "exists":
                return self._quantifier("forall" if meaning == "forall" else "exists")
            case "let":
                return self._let()
            case "valid" | "valid_read":
                return Valid(self._ranges(token), meaning == "valid")
            case "separated":
                return Separated(self._ranges(token))
            case "r_ok" | "w_ok" | "rw_ok":
                self.expect("(")
                pointer = self.expression()
                size = self.expression() if self.accept(",") else SizeOf(Deref(pointer))
                self.expect(")")
                return ValidBytes(pointer, size, meaning != "r_ok")
        raise self.unsupported(token, " here")

    def _opening(self, token: Lexeme) -> None:
        if self.next.text == "{":
            raise self.unsupported(token, " with labels")
        self.expect("(")

    def _arguments(self, token: Lexeme, count: int) -> list[Expression]:
        """The arguments in parentheses, ``count`` of them."""
        self._opening(token)
        values = [self.expression()]
        while self.accept(","):
            values.append(self.expression())
        self.expect(")")
        if len(values) != count:
            raise self.unsupported(token, f" with {len(values)} arguments instead of {count}")
        return values

    def _ranges(self, token: Lexeme) -> tuple[RangeExpression, ...]:
        """The arguments in parentheses: pointers, and ranges of pointers."""
        self._opening(token)
        ranges: list[RangeExpression] = []
        while not ranges or self.accept(","):
            first = self.next
            read = self._any()
            if isinstance(read, RangeElements):
                raise self.unsupported(
                    token, f" of {self.text_since(first)}: write pointer + (low..high), or put & in front"
                )
            ranges.append(
                read if isinstance(read, RangeExpression) else RangeExpression(self._value(read, first), _ZERO, _ZERO)
            )
        self.expect(")")
        return tuple(ranges)

    def _within(self, scope: Scope) -> Expression:
        """An expression in another scope."""
        around, self._scope = self._scope, scope
        value = self.expression()
        self._scope = around
        return value

    def _earlier(self) -> Expression:
        r"""A value of another state. A name of ``\let`` is a value of this one, so it must not occur there."""
        return self._within(self._scope.of_another_state())

    def _at_label(self, token: Lexeme) -> Expression:
        self.expect("(")
        value = self._earlier()
        self.expect(",")
        label = self.label(token)
        self.expect(")")
        return At(value, label)

    def _application(self, token: Lexeme) -> Application:
        """A predicate or a logic function, with its labels and arguments."""
        labels = tuple([self.label(token) for _ in self.labels()])
        self.expect("(")
        arguments: list[Expression] = []
        while not self.accept(")"):
            if arguments:
                self.expect(",")
            arguments.append(self.expression())
        if len(arguments) not in self.logic[token.text]:
            raise self.unsupported(token, f" with {len(arguments)} arguments")
        return Application(token.text, labels, tuple(arguments))

    def _quantifier(self, kind: Literal["forall", "exists"]) -> QuantifiedExpression:
        in_braces = not self._notation.chains
        if in_braces:
            self.expect("{")
        first = self.next
        variables = self.variables()
        self.expect(";")
        names = dict.fromkeys([variable.name for variable in variables])
        if self._scope.hides(names):
            raise self.unsupported(first, ": a name in \\let means something else outside")
        body = self._within(self._scope.with_names(names))
        if in_braces:
            self.accept(";")
            self.expect("}")
        return QuantifiedExpression(kind, variables, body)

    def _let(self) -> Expression:
        """``\\let name = value; body``: the body, with the value for the name."""
        name = self.name()
        self.expect("=")
        value = self.expression()
        self.expect(";")
        return self._within(self._scope.with_names({name: value}))
