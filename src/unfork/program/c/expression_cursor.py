"""A cursor over the tokens of expressions: the names and types at its position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unfork.errors import InputError
from unfork.program.c.c_source import CSource
from unfork.program.c.expression_tokens import Lexeme
from unfork.program.c.expressions import (
    TYPE_WORDS,
    BoundVariable,
    CastExpression,
    Expression,
    Integral,
    Label,
    Null,
    NumberLiteral,
    TypeCast,
    TypeName,
    integer_type,
    names_in,
    words_of,
)
from unfork.program.c.notations import Notation

_QUALIFIERS = frozenset(("const", "volatile", "restrict", "__restrict"))
_TAGGED = frozenset(("struct", "union", "enum"))
_UNREAD = _TAGGED | {"void", "float", "double", "__int128"}
_WORDS = TYPE_WORDS | _UNREAD


@dataclass(frozen=True, slots=True)
class Scope:
    """The names bound around an expression.

    ``bound`` has the variables of quantifiers (None), and the names of ``let``, with their values. ``refused`` are
    names of ``let`` from outside of a value of another state: they name values of this one, and must not occur
    there.
    """

    bound: Mapping[str, Expression | None] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    """The labels of the surrounding logic definition."""

    def with_names(self, names: Mapping[str, Expression | None]) -> Scope:
        """The scope inside a quantifier or ``let``."""
        return Scope({**self.bound, **names}, self.refused.difference(names), self.labels)

    def of_another_state(self) -> Scope:
        """The scope inside ``old`` and ``at``."""
        named = [name for name, value in self.bound.items() if value is not None]
        return Scope(self.bound, self.refused.union(named), self.labels)

    def hides(self, names: Mapping[str, None]) -> bool:
        """Whether variables hide a name in a value of ``let``, which would change its meaning."""
        return any(value is not None and names.keys() & names_in(value) for value in self.bound.values())


EMPTY = Scope()


class ExpressionCursor(ABC):
    """A position among the tokens of a ``source``; ``end`` is the offset after the last."""

    def __init__(self, source: CSource, tokens: Sequence[Lexeme], end: int, notation: Notation) -> None:
        self.source = source
        self._notation = notation
        self._levels = {op: level for level, ops in enumerate(notation.levels) for op in ops}
        self._tokens = [*tokens, Lexeme("end", "", end, end), Lexeme("end", "", end, end)]
        self._at = 0
        self._scope = EMPTY
        self._allowed: frozenset[str] = frozenset()

    @property
    def next(self) -> Lexeme:
        """The token that comes next."""
        return self._tokens[self._at]

    @property
    def is_at_end(self) -> bool:
        """Whether no token is left."""
        return self.next.kind == "end"

    def take(self) -> Lexeme:
        """Step over the next token."""
        token = self.next
        self._at += token.kind != "end"
        return token

    def accept(self, text: str) -> bool:
        """Step over ``text`` if it comes next."""
        is_next = self.next.text == text and self.next.kind in ("mark", "word")
        self._at += is_next
        return is_next

    def expect(self, text: str) -> None:
        """Step over ``text``. Raises InputError if it does not come next."""
        if not self.accept(text):
            raise self.misplaced(f"where {text!r} should be")

    def expect_end(self, otherwise: str) -> None:
        """Raises InputError with ``otherwise`` about the next token, if one is left."""
        if not self.is_at_end:
            raise self.misplaced(otherwise)

    def name(self) -> str:
        """Step over a name. Raises InputError if there is none."""
        if self.next.kind != "word" or self.next.text.startswith("\\"):
            raise self.misplaced("where a name should be")
        return self.take().text

    def text_since(self, first: Lexeme) -> str:
        """The source's text from the token ``first`` to the last one stepped over, on one line."""
        text = ""
        end = first.start
        for token in self._tokens[self._tokens.index(first) : self._at]:
            # A macro's expansion has the macro's place, and is no text of its own.
            if token.start >= end:
                text += " " * bool(text and token.start > end) + self.source.text[token.start : token.end]
                end = token.end
        return text

    def misplaced(self, where: str) -> InputError:
        """The error for a token where something else should be."""
        if self.next.text.startswith("\\"):
            return self.unsupported(self.next, f" {where}")
        shown = "the end" if self.is_at_end else repr(self.next.text)
        return self.source.problem(self.next.start, f"{shown} {where}")

    def unsupported(self, token: Lexeme, more: str = "") -> InputError:
        """The error for a word that is unknown, or not allowed here; ``more`` says how or why."""
        return self.source.problem(token.start, f"{token.text} is not supported{more}")

    def too_many(self, first: Lexeme) -> InputError:
        """The error for a row of operators that begins with ``first`` and is too long."""
        return self.source.problem(first.start, f"more than {self._notation.longest} operators in a row")

    def type_name(self) -> TypeName:
        """The type that comes next, with its stars, without qualifiers."""
        words: list[str] = []
        while self.next.kind == "word":
            word = self.next.text
            if word in _TAGGED and not words:
                self.take()
                words += (word, self.name())
            elif word in _QUALIFIERS:
                self.take()
            elif (word in _WORDS and words[-1] in _WORDS) if words else not word.startswith("\\"):
                words.append(self.take().text)
            else:
                break
        if not words:
            raise self.misplaced("where a type should be")
        stars, pointers = self._stars(), 0
        if self.next.text == "(" and self._tokens[self._at + 1].text == "*":
            self.take()
            pointers = self._stars()
            self.expect(")")
            if self.next.text != "[":
                raise self.misplaced("after a pointer to what is no array")
        dimensions = []
        while self.accept("["):
            dimensions.append(self.expression())
            self.expect("]")
        return TypeName(" ".join(words), stars, pointers, tuple(dimensions))

    def _stars(self) -> int:
        stars = 0
        while self.next.text == "*" or self.next.text in _QUALIFIERS:
            stars += self.take().text == "*"
        return stars

    @abstractmethod
    def expression(self) -> Expression:
        """The longest expression that begins here. Raises InputError if there is none, or for an unknown construct."""

    def variables(self) -> tuple[BoundVariable, ...]:
        """The variables of a quantifier or of a logic definition: types, each with names after it."""
        variables: list[BoundVariable] = []
        kind: Integral | TypeName | None = None
        while not variables or self.accept(","):
            first = self.next
            if not variables or (self._is_type(self._at) and self._tokens[self._at + 1].text not in (",", ";", ")")):
                kind = self.variable_type(first)
            if self.next.text == "*" or (isinstance(kind, TypeName) and "pointers" not in self._allowed):
                raise self.unsupported(first, ": a quantifier's variables are integers")
            name = self.name()
            if self.accept("["):
                raise self.unsupported(first, ": write a pointer for an array")
            variables.append(BoundVariable(name, kind))
        return tuple(variables)

    def parameters(self) -> tuple[BoundVariable, ...]:
        """The parameters of a logic definition, and the parenthesis after them."""
        self._allowed = frozenset(("pointers",))
        variables = self.variables()
        self._allowed = frozenset()
        self.expect(")")
        return variables

    def variable_type(self, first: Lexeme) -> Integral | TypeName | None:
        """The type of a variable, which begins with ``first``; None for mathematical integers."""
        type_name = self.type_name()
        if type_name.dimensions:
            raise self.unsupported(first, ": a variable that is an array")
        if type_name.words in ("integer", "__CPROVER_integer") and not type_name.stars:
            return None
        pointed = self._integral(TypeName(type_name.words, 0))
        if not type_name.stars:
            if pointed is None:
                raise self.unsupported(first, ": a quantifier's variables are integers")
            return pointed
        return type_name if pointed is None else TypeName(words_of(pointed), type_name.stars)

    def label(self, token: Lexeme) -> Label:
        """The label at the cursor, for ``token``."""
        label, name = self.next, self.name()
        if name in self._scope.labels or name == "Here":
            return name
        match name:
            case "Pre" | "Old":
                self._require("old", token)
                return "Old"
            case "Post" | "LoopEntry" | "LoopCurrent":
                self._require("result" if name == "Post" else "loop", token)
                return name
        raise self.unsupported(label, f" as a label of {token.text}")

    def labels(self) -> Iterator[Lexeme]:
        """Each label in braces, which the caller steps over; none without a brace."""
        if self.accept("{"):
            yield self.next
            while self.accept(","):
                yield self.next
            self.expect("}")

    def _require(self, word: str, token: Lexeme) -> None:
        if word not in self._allowed:
            raise self.unsupported(token, " in this clause")

    def _is_type(self, at: int) -> bool:
        """Whether a type begins with a token of the list."""
        word = self._tokens[at].text
        known = (_WORDS, _QUALIFIERS, self._notation.types, self.source.types)
        return self._tokens[at].kind == "word" and any(word in words for words in known)

    def _integral(self, type_name: TypeName) -> Integral | None:
        """The integer type of a type name; None if it is not one, or is unknown."""
        if type_name.stars or type_name.dimensions:
            return None
        return integer_type(type_name.words) or self.source.types.get(type_name.words)

    def _type_in_parentheses(self) -> TypeName | None:
        """The type in parentheses at the cursor; None for anything else."""
        word = self._tokens[min(self._at + 1, len(self._tokens) - 1)].text
        if self.next.text != "(" or word in self._scope.bound or not self._is_type(self._at + 1):
            return None
        self.take()
        type_name = self.type_name()
        self.expect(")")
        return type_name

    def conversion(self, type_name: TypeName, value: Expression, token: Lexeme) -> Expression:
        """``(type) value``. Raises InputError for a type whose values cannot be computed with."""
        if type_name == TypeName("void", 1) and isinstance(value, NumberLiteral) and value.value == 0:
            return Null()
        integral = self._integral(type_name)
        if integral is not None:
            return CastExpression(integral, value)
        first = type_name.words.split()[0]
        is_unread = first in _WORDS or (first in self._notation.types and first != "integer")
        if type_name.target is None and (is_unread or type_name.dimensions):
            raise self.source.problem(token.start, f"({type_name.words}) is not supported")
        return TypeCast(type_name, value)
