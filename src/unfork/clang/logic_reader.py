"""Reads the expressions of contracts in the words of one notation; what it does not know is refused, with the word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from unfork.clang.c_expression import (
    INT,
    Binary,
    Conditional,
    Name,
    Number,
    Unary,
    character,
    number,
)
from unfork.clang.contracts import Clause
from unfork.clang.logic_binders import EMPTY, Scope, variables_of
from unfork.clang.logic_cursor import Cursor
from unfork.clang.logic_expression import (
    AddressOf,
    At,
    Bytes,
    Deref,
    Fresh,
    Index,
    Logic,
    Member,
    Null,
    Old,
    Place,
    Quantified,
    Range,
    Result,
    Separated,
    SizeOf,
    TypeName,
    Valid,
    ValidBytes,
    WholeObject,
)
from unfork.clang.logic_nodes import MOST_OPERATORS, chained, converted, size_of
from unfork.clang.logic_notation import BITS, RELATIONS, Notation
from unfork.clang.logic_tokens import Lexeme

DEEPEST = 120
"""The deepest nesting of operands that is read."""
_ZERO = Number(0, INT)


@dataclass(frozen=True, slots=True)
class _Interval:
    """``low..high``, which only stands behind a + or in brackets."""

    low: Logic
    high: Logic


@dataclass(frozen=True, slots=True)
class _Elements:
    """What the pointers of a range point to."""

    range: Range


_Read: TypeAlias = "Logic | _Interval | _Elements"


class LogicReader:
    """Reads expressions and places from a cursor; the caller reads what stands around them.

    ``allowed`` are the words, of those that mean something in some clauses only, that this one may have: result, old,
    and loop (for labels of loops). ``scope`` is what names mean that are no variables of C.
    """

    def __init__(self, cursor: Cursor, notation: Notation, allowed: frozenset[str], scope: Scope = EMPTY) -> None:
        self._cursor = cursor
        self._notation = notation
        self._levels = {op: level for level, ops in enumerate(notation.levels) for op in ops}
        self._allowed = allowed
        self._depth = 0
        self._scope = scope
        self._bare: object = None

    def clause(self) -> Clause:
        """A condition or term, with its name if it has one."""
        first = self._cursor.next
        name = self._name() if self._notation.chains else None
        expression = self.expression()
        file, line = self._cursor.source.position(first.start)
        return Clause(self._cursor.text_since(first), expression, file, line, name)

    def expression(self) -> Logic:
        """The longest expression that begins here. Raises InputError if there is none, or for what is not known."""
        first = self._cursor.next
        return self._value(self._any(), first)

    def places(self, nothing: str | None) -> tuple[Place, ...]:
        """The places of an assigns clause; ``nothing`` is the word for none."""
        if nothing is not None and self._cursor.accept(nothing):
            return ()
        places = [self._place()]
        while self._cursor.accept(","):
            places.append(self._place())
        return tuple(places)

    def _place(self) -> Place:
        cursor, first = self._cursor, self._cursor.next
        match self._notation.words.get(first.text):
            case "object_whole":
                cursor.take()
                return WholeObject(self._arguments(first, 1)[0])
            case "object_upto":
                cursor.take()
                return Bytes(*self._arguments(first, 2))
            case "typed_target":
                cursor.take()
                place: _Read = self._arguments(first, 1)[0]
            case _:
                place = self._binary(0)
        match place:
            case Name() | Deref() | Index() | Member():
                return place
            case _Elements(elements):
                return elements
        raise cursor.source.problem(first.start, f"{cursor.text_since(first)!r} is no place that can be assigned")

    def _name(self) -> str | None:
        """``name:`` in front of a condition."""
        first = self._cursor.next
        if first.kind != "word" or self._cursor.second.text != ":" or first.text.startswith("\\"):
            return None
        self._cursor.take()
        self._cursor.take()
        return first.text

    def _value(self, read: _Read, first: Lexeme) -> Logic:
        if isinstance(read, Range | _Interval | _Elements):
            raise self._cursor.source.problem(first.start, "'..' is not supported where one value should be")
        return read

    def _any(self) -> _Read:
        first = self._cursor.next
        condition = self._binary(0)
        if not self._cursor.accept("?"):
            return condition
        self._nest(first)
        then = self.expression()
        self._cursor.expect(":")
        otherwise = self.expression()
        self._depth -= 1
        return Conditional(self._value(condition, first), then, otherwise)

    def _nest(self, token: Lexeme) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._cursor.source.problem(token.start, f"nested deeper than {DEEPEST}")

    def _level(self, loosest: int) -> int | None:
        """How tightly the operator that comes next binds; None if there is none, or it is looser than ``loosest``."""
        token = self._cursor.next
        level = self._levels.get(token.text) if token.kind == "mark" else None
        return None if level is None or level < loosest else level

    def _binary(self, loosest: int) -> _Read:
        first = self._cursor.next
        self._nest(first)
        left = self._unary()
        operators = 0
        while (level := self._level(loosest)) is not None:
            operators += 1
            if operators > MOST_OPERATORS:
                raise self._cursor.source.problem(first.start, f"more than {MOST_OPERATORS} operators in a row")
            ops = self._notation.levels[level]
            if self._notation.chains and ops == RELATIONS:
                left = self._chain(self._value(left, first), level)
                continue
            op = self._cursor.take()
            behind = self._cursor.next
            right = self._binary(level if op.text == "==>" else level + 1)
            if op.text == "+" and isinstance(right, _Interval):
                left = Range(self._value(left, first), right.low, right.high)
                continue
            left = Binary(op.text, self._value(left, first), self._value(right, behind))
            if ops in BITS and self._notation.chains:
                self._bare = left
        self._depth -= 1
        return left

    def _chain(self, left: Logic, level: int) -> Logic:
        """Comparisons in a row, of one direction, each about neighbours."""
        operands, ops = [left], []
        while self._cursor.next.kind == "mark" and self._cursor.next.text in RELATIONS:
            ops.append(self._cursor.take())
            behind = self._cursor.next
            is_loose = operands[-1] is self._bare
            operands.append(self._value(self._binary(level + 1), behind))
            if is_loose or operands[-1] is self._bare:
                # ACSL's manual and its tools read ``a & b == c`` differently.
                raise self._cursor.unsupported(ops[-1], " beside &, | or ^ without parentheses")
        return chained(self._cursor, operands, ops)

    def _unary(self) -> _Read:
        cursor = self._cursor
        signs: list[tuple[str | TypeName, Lexeme]] = []
        while True:
            token = cursor.next
            if token.kind == "mark" and token.text in ("-", "+", "~", "!", "*", "&"):
                signs.append((cursor.take().text, token))
            elif token.text == "(" and self._is_type_next():
                cursor.take()
                signs.append((cursor.type_name(), token))
                cursor.expect(")")
            else:
                break
            if len(signs) > DEEPEST:
                raise cursor.source.problem(token.start, f"nested deeper than {DEEPEST}")
        first = cursor.next
        read = self._postfix()
        for sign, token in reversed(signs):
            read = self._signed(sign, read, first, token)
        return read

    def _is_type_next(self) -> bool:
        """Whether a type in parentheses comes next."""
        word = self._cursor.second
        return word.text not in self._scope.bound and self._cursor.is_type(word, self._notation.types)

    def _signed(self, sign: str | TypeName, read: _Read, first: Lexeme, token: Lexeme) -> _Read:
        match sign, read:
            case "*", Range():
                return _Elements(read)
            case "&", _Elements(elements):
                return elements
            case "&", Name() | Deref() | Index() | Member():
                return AddressOf(read)
            case "&", _:
                raise self._cursor.source.problem(token.start, "'&' of what is no place")
        value = self._value(read, first)
        if isinstance(sign, TypeName):
            return converted(self._cursor, self._notation, sign, value, token)
        return Deref(value) if sign == "*" else Unary(sign, value)

    def _postfix(self) -> _Read:
        cursor, first = self._cursor, self._cursor.next
        read = self._primary()
        length = 0
        while (mark := cursor.next).text in ("[", ".", "->") and mark.kind == "mark":
            base = self._value(read, first)
            cursor.take()
            if mark.text == "[":
                read = self._indexed(base)
            else:
                read = Member(base, cursor.name(), mark.text == "->")
            length += 1
            if length > DEEPEST:
                raise cursor.source.problem(mark.start, f"nested deeper than {DEEPEST}")
        return read

    def _indexed(self, base: Logic) -> _Read:
        first = self._cursor.next
        index = self._bracketed("]")
        if isinstance(index, _Interval):
            return _Elements(Range(base, index.low, index.high))
        return Index(base, self._value(index, first))

    def _bracketed(self, closing: str) -> _Read:
        """Anything, or an interval, and the bracket behind it."""
        cursor, first = self._cursor, self._cursor.next
        if first.text == "..":
            raise cursor.unsupported(first, " without both bounds")
        read = self._any()
        dots = cursor.next
        if cursor.accept(".."):
            if cursor.next.text == closing:
                raise cursor.unsupported(dots, " without both bounds")
            read = _Interval(self._value(read, first), self.expression())
        cursor.expect(closing)
        return read

    def _primary(self) -> _Read:
        cursor = self._cursor
        token = cursor.next
        if token.text == "(" and token.kind == "mark":
            return self._in_parentheses()
        if token.kind in ("number", "char"):
            cursor.take()
            try:
                return number(token.text) if token.kind == "number" else character(token.text)
            except ValueError as problem:
                raise cursor.source.problem(token.start, str(problem)) from None
        if token.kind in ("float", "text") or token.text in ("++", "--", "<-->", "-->"):
            raise cursor.unsupported(token)
        if token.kind != "word":
            raise cursor.misplaced("where a value should be")
        cursor.take()
        meaning = self._notation.words.get(token.text)
        if meaning is not None and token.text not in self._scope.bound:
            return self._special(meaning, token)
        return self._named(token)

    def _in_parentheses(self) -> _Read:
        self._cursor.take()
        if self._notation.chains:
            self._name()
        read = self._bracketed(")")
        self._bare = None
        return read

    def _named(self, token: Lexeme) -> Logic:
        cursor, name = self._cursor, token.text
        if name in self._scope.refused:
            raise cursor.unsupported(token, ", a name of \\let, in a value of another state")
        if name in self._scope.bound:
            value = self._scope.bound[name]
            return Name(name) if value is None else value
        if name == "sizeof":
            return self._size(token)
        if name == "NULL":
            return Null()
        if name.startswith(("\\", "__CPROVER_", "__builtin_", "UNFORK_")):
            raise cursor.unsupported(token)
        if cursor.next.text == "(":
            raise cursor.unsupported(token, ": contracts call no functions")
        if cursor.is_type(token, self._notation.types):
            raise cursor.source.problem(token.start, f"{name!r} where a value should be")
        return Name(name)

    def _size(self, token: Lexeme) -> Logic:
        cursor = self._cursor
        if cursor.next.text == "(" and self._is_type_next():
            cursor.take()
            type_name = cursor.type_name()
            cursor.expect(")")
            return size_of(cursor, self._notation, type_name, token)
        first = cursor.next
        self._nest(token)
        value = self._value(self._unary(), first)
        self._depth -= 1
        return SizeOf(value)

    def _special(self, meaning: str, token: Lexeme) -> Logic:
        """What begins with a word of the notation."""
        match meaning:
            case "true" | "false":
                return Number(int(meaning == "true"), INT)
            case "null":
                return Null()
            case "result":
                self._require(meaning, token)
                return Result()
            case "old":
                self._require(meaning, token)
                return self._old()
            case "loop_entry":
                self._require("loop", token)
                return At(self._old().expression, "LoopEntry")
            case "at":
                return self._at_label(token)
            case "forall" | "exists":
                return self._quantified(meaning)
            case "let":
                return self._let()
            case "valid" | "valid_read":
                return Valid(self._ranges(token), meaning == "valid")
            case "separated":
                return Separated(self._ranges(token))
            case "valid_range":
                return Valid((Range(*self._arguments(token, 3)),), True)
            case "fresh":
                return Fresh(*self._arguments(token, 2))
            case "r_ok" | "w_ok" | "rw_ok":
                return self._valid_bytes(token, meaning != "r_ok")
            case "abs":
                (value,) = self._arguments(token, 1)
                return Conditional(Binary("<", value, _ZERO), Unary("-", value), value)
            case "min" | "max":
                left, right = self._arguments(token, 2)
                return Conditional(Binary("<" if meaning == "min" else ">", left, right), left, right)
        raise self._cursor.unsupported(token, " here")

    def _require(self, word: str, token: Lexeme) -> None:
        if word not in self._allowed:
            raise self._cursor.unsupported(token, " in this clause")

    def _arguments(self, token: Lexeme, count: int) -> list[Logic]:
        """The arguments in parentheses, ``count`` of them."""
        if self._cursor.next.text == "{":
            raise self._cursor.unsupported(token, " with labels")
        self._cursor.expect("(")
        values = [self.expression()]
        while self._cursor.accept(","):
            values.append(self.expression())
        self._cursor.expect(")")
        if len(values) != count:
            raise self._cursor.unsupported(token, f" with {len(values)} arguments instead of {count}")
        return values

    def _ranges(self, token: Lexeme) -> tuple[Range, ...]:
        """The arguments in parentheses: pointers, and ranges of pointers."""
        cursor = self._cursor
        if cursor.next.text == "{":
            raise cursor.unsupported(token, " with labels")
        cursor.expect("(")
        ranges = []
        while True:
            first = cursor.next
            read = self._any()
            if isinstance(read, _Elements):
                raise cursor.unsupported(
                    token, f" of {cursor.text_since(first)}: write pointer + (low..high), or put & in front"
                )
            ranges.append(read if isinstance(read, Range) else Range(self._value(read, first), _ZERO, _ZERO))
            if not cursor.accept(","):
                cursor.expect(")")
                return tuple(ranges)

    def _valid_bytes(self, token: Lexeme, writes: bool) -> Logic:
        self._cursor.expect("(")
        pointer = self.expression()
        size = self.expression() if self._cursor.accept(",") else SizeOf(Deref(pointer))
        self._cursor.expect(")")
        return ValidBytes(pointer, size, writes)

    def _earlier(self) -> Logic:
        """A value of another state. What ``\\let`` names is a value of this one, so it may not stand there."""
        scope = self._scope
        self._scope = scope.of_another_state()
        value = self.expression()
        self._scope = scope
        return value

    def _old(self) -> Old:
        self._cursor.expect("(")
        value = self._earlier()
        self._cursor.expect(")")
        return Old(value)

    def _at_label(self, token: Lexeme) -> Logic:
        cursor = self._cursor
        cursor.expect("(")
        value = self._earlier()
        cursor.expect(",")
        label = cursor.next
        cursor.name()
        cursor.expect(")")
        match label.text:
            case "Pre" | "Old":
                self._require("old", token)
                return Old(value)
            case "Here":
                return At(value, "Here")
            case "Post":
                self._require("result", token)
                return At(value, "Post")
            case "LoopEntry" | "LoopCurrent":
                self._require("loop", token)
                return At(value, "LoopEntry" if label.text == "LoopEntry" else "LoopCurrent")
        raise cursor.unsupported(label, f" as a label of {token.text}")

    def _quantified(self, kind: Literal["forall", "exists"]) -> Quantified:
        cursor = self._cursor
        in_braces = not self._notation.chains
        if in_braces:
            cursor.expect("{")
        first = cursor.next
        variables = variables_of(cursor, self._notation)
        cursor.expect(";")
        scope = self._scope
        if scope.hides(variables):
            raise cursor.unsupported(first, ": a name in \\let means something else outside")
        self._scope = scope.with_variables(variables)
        body = self.expression()
        self._scope = scope
        if in_braces:
            cursor.accept(";")
            cursor.expect("}")
        return Quantified(kind, variables, body)

    def _let(self) -> Logic:
        """``\\let name = value; body``: the body, with the value for the name."""
        cursor = self._cursor
        name = cursor.name()
        cursor.expect("=")
        value = self.expression()
        cursor.expect(";")
        scope = self._scope
        self._scope = scope.with_name(name, value)
        body = self.expression()
        self._scope = scope
        return body
