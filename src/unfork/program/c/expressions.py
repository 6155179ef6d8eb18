"""Expressions of C and of contracts, as data: one tree for every notation of conditions.

Types and values are computed elsewhere. Truth is C's: 0 is false, anything else is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

Label: TypeAlias = str
"""The state of an ``At``: Old, Here, Post, LoopEntry, LoopCurrent, or a label of a logic definition."""


@dataclass(frozen=True, slots=True)
class Integral:
    """An integer type: ``width`` in bits. ``is_long_long``: C calls it so, though another type may have its width."""

    width: int
    signed: bool
    is_long_long: bool = field(default=False, compare=False, kw_only=True)


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
STANDARD_TYPES: dict[str, Integral] = {
    **{f"int{width}_t": Integral(width, True) for width in (8, 16, 32, 64)},
    **{f"uint{width}_t": Integral(width, False) for width in (8, 16, 32, 64)},
    **dict.fromkeys(("ptrdiff_t", "ssize_t", "intptr_t", "intmax_t"), LONG),
    **dict.fromkeys(("size_t", "uintptr_t", "uintmax_t", "__CPROVER_size_t"), UNSIGNED_LONG),
}
"""Integer types of the standard library, by their names."""


def integer_type(words: str) -> Integral | None:
    """The integer type named by C keywords, such as ``unsigned long``; None if there is none."""
    given = words.split()
    kept = sorted(word for word in given if word != "int" and (word != "signed" or "char" in given))
    return _WORDS.get(tuple(kept or sorted(set(given))[:1]))


def words_of(kind: Integral) -> str:
    """The keywords of C for an integer type, those that ``integer_type`` reads."""
    return next(" ".join(reversed(words)) for words, known in _WORDS.items() if known == kind)


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A literal: ``value`` is unsigned, of the type's width."""

    value: int
    type: Integral


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class UnaryExpression:
    """``op`` is one of + - ~ !."""

    op: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class CastExpression:
    """A conversion to an integer type."""

    type: Integral
    operand: Expression


@dataclass(frozen=True, slots=True)
class BinaryExpression:
    """An operator of C between two operands, ``==>``, ``<==>`` or ``^^`` (exclusive or)."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as it is written: ``words`` (``struct node``, ``void``, ``value_type``) and the stars after them.

    An array of such has ``dimensions``; ``pointers`` are the stars of ``(*)[n]``, which leads to an array.
    """

    words: str
    stars: int
    pointers: int = 0
    dimensions: tuple[Expression, ...] = ()

    @property
    def target(self) -> TypeName | None:
        """The target of a pointer; None for other types."""
        if self.pointers:
            return replace(self, pointers=self.pointers - 1)
        return replace(self, stars=self.stars - 1) if self.stars and not self.dimensions else None


@dataclass(frozen=True, slots=True)
class Deref:
    """``*pointer``."""

    pointer: Expression


@dataclass(frozen=True, slots=True)
class Index:
    """``base[index]``."""

    base: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class MemberExpression:
    """``record.field``, or ``record->field`` with ``arrow``."""

    record: Expression
    field: str
    arrow: bool


@dataclass(frozen=True, slots=True)
class AddressOf:
    """``&place``."""

    place: Expression


@dataclass(frozen=True, slots=True)
class At:
    """An expression in a label's state: LoopEntry is before the loop, LoopCurrent at the beginning of its turn."""

    expression: Expression
    label: Label


@dataclass(frozen=True, slots=True)
class ResultExpression:
    """The function's result."""


@dataclass(frozen=True, slots=True)
class Null:
    """The null pointer."""


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The size in bytes of a type, or of an expression's type."""

    of: TypeName | Expression


@dataclass(frozen=True, slots=True)
class TypeCast:
    """A conversion to a pointer, to ``integer``, or to a type known by its name alone; others: ``CastExpression``."""

    type: TypeName
    operand: Expression


@dataclass(frozen=True, slots=True)
class RangeExpression:
    """The elements ``pointer[low]`` to ``pointer[high]``, both included; none where high < low.

    ``\\valid(p)`` is about the range from 0 to 0 (``NumberLiteral``).
    """

    pointer: Expression
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Bytes:
    """The first ``size`` bytes at ``pointer``, as an assignable memory location."""

    pointer: Expression
    size: Expression


@dataclass(frozen=True, slots=True)
class WholeObject:
    """All bytes of the object that ``pointer`` points into, as an assignable memory location."""

    pointer: Expression


@dataclass(frozen=True, slots=True)
class GuardedLocations:
    """Assignable memory locations, if a condition holds before."""

    condition: Expression
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class OfPointer:
    """The offset in bytes of a pointer's target in its object, or the size of that object."""

    what: Literal["offset", "size"]
    pointer: Expression


@dataclass(frozen=True, slots=True)
class SameObject:
    """Both pointers lead into one object."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Valid:
    """All elements of all ranges may be read, and with ``writes`` also written."""

    ranges: tuple[RangeExpression, ...]
    writes: bool


@dataclass(frozen=True, slots=True)
class ValidBytes:
    """``size`` bytes at ``pointer`` may be read, and with ``writes`` also written."""

    pointer: Expression
    size: Expression
    writes: bool


@dataclass(frozen=True, slots=True)
class Separated:
    """No two of the ranges have a byte in common."""

    ranges: tuple[RangeExpression, ...]


@dataclass(frozen=True, slots=True)
class Fresh:
    """``pointer`` points to the start of ``size`` bytes of an object to which nothing else points."""

    pointer: Expression
    size: Expression


@dataclass(frozen=True, slots=True)
class BoundVariable:
    """A variable of a quantifier or a logic definition: of an integer type of C, or None, a mathematical integer.

    Pointers (``TypeName``) are variables of logic definitions, lemmas and axioms only.
    """

    name: str
    type: Integral | TypeName | None


@dataclass(frozen=True, slots=True)
class QuantifiedExpression:
    """``body`` for all, or for some, values of the variables; these are values, the same in every state."""

    kind: Literal["forall", "exists"]
    variables: tuple[BoundVariable, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Application:
    """A logic function or a predicate of ``arguments``, about the states ``labels``; none: the current one."""

    name: str
    labels: tuple[Label, ...]
    arguments: tuple[Expression, ...]


Expression: TypeAlias = (
    NumberLiteral
    | Name
    | UnaryExpression
    | CastExpression
    | BinaryExpression
    | Conditional
    | Deref
    | Index
    | MemberExpression
    | AddressOf
    | At
    | ResultExpression
    | Null
    | SizeOf
    | TypeCast
    | RangeExpression
    | Valid
    | ValidBytes
    | Separated
    | Fresh
    | OfPointer
    | SameObject
    | QuantifiedExpression
    | Application
)
Place: TypeAlias = Name | Deref | Index | MemberExpression | RangeExpression | Bytes | WholeObject
AssignedLocation: TypeAlias = Place | GuardedLocations
"""An item of an assigns clause."""


def parts(expression: Expression | AssignedLocation) -> Iterator[Expression]:
    """The direct parts of an expression, from left to right."""
    for each in fields(expression):
        value = getattr(expression, each.name)
        if isinstance(value, TypeName):
            value = value.dimensions
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Expression):
                yield part


def mapped(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """An expression with each of its parts changed; the same object if none differs."""
    values: dict[str, Any] = {}
    for each in fields(expression):
        value = getattr(expression, each.name)
        if isinstance(value, TypeName):
            dimensions = tuple(map(change, value.dimensions))
            if any(new is not old for new, old in zip(dimensions, value.dimensions, strict=True)):
                values[each.name] = replace(value, dimensions=dimensions)
            continue
        before = value if isinstance(value, tuple) else (value,)
        after = [change(item) if isinstance(item, Expression) else item for item in before]
        if any(new is not old for new, old in zip(after, before, strict=True)):
            values[each.name] = tuple(after) if isinstance(value, tuple) else after[0]
    return replace(expression, **values) if values else expression


def substituted(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """An expression with names replaced, except those bound by a quantifier in it."""
    if isinstance(expression, Name):
        return values.get(expression.name, expression)
    if isinstance(expression, QuantifiedExpression):
        inner = {variable.name for variable in expression.variables}
        values = {name: value for name, value in values.items() if name not in inner}
    return mapped(expression, lambda part: substituted(part, values))


def operands(expression: BinaryExpression) -> list[Expression]:
    """The operands of a row of one operator that groups to the left."""
    found: list[Expression] = []
    rest: Expression = expression
    while isinstance(rest, BinaryExpression) and rest.op == expression.op:
        found.append(rest.right)
        rest = rest.left
    return [rest, *reversed(found)]


def nodes(expression: Expression) -> Iterator[Expression]:
    """The expression and all of its parts."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += parts(node)


def with_part(expression: Expression, part: Expression, other: Expression) -> Expression:
    """The expression with one of its parts replaced, at any depth."""
    return other if expression is part else mapped(expression, lambda each: with_part(each, part, other))


def without_names(item: Any, bound: Mapping[str, str] = MappingProxyType({}), depth: int = 0) -> Any:
    """An expression, or a container of some, with quantified variables named by nesting.

    Preprocessors invent different names in each file.
    """
    match item:
        case tuple():
            return tuple([without_names(each, bound, depth) for each in item])
        case Name(name):
            return Name(bound.get(name, name))
        case QuantifiedExpression(kind, variables, body):
            named = [replace(each, name=f"#{depth + number}") for number, each in enumerate(variables)]
            inner = {**bound, **{old.name: new.name for old, new in zip(variables, named, strict=True)}}
            return QuantifiedExpression(kind, tuple(named), without_names(body, inner, depth + len(named)))
    if not is_dataclass(item) or isinstance(item, type):
        return item
    return replace(item, **{each.name: without_names(getattr(item, each.name), bound, depth) for each in fields(item)})


def names_in(expression: Expression | AssignedLocation) -> frozenset[str]:
    """The names in an expression, including its quantifiers' variables."""
    names: set[str] = set()
    pending: list[Expression | AssignedLocation] = [expression]
    while pending:
        part = pending.pop()
        match part:
            case Name(name):
                names.add(name)
            case QuantifiedExpression(_, variables, _):
                names.update(variable.name for variable in variables)
            case GuardedLocations(_, places):
                pending += places
        pending += parts(part)
    return frozenset(names)
