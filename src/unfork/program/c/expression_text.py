"""Prints the expressions of contracts in ACSL; in CBMC's words where ACSL has none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unfork.program.c.expressions import (
    INT,
    LONG,
    UNSIGNED,
    UNSIGNED_LONG,
    AddressOf,
    Application,
    AssignedLocation,
    At,
    BinaryExpression,
    BoundVariable,
    Bytes,
    CastExpression,
    Conditional,
    Deref,
    Expression,
    Fresh,
    GuardedLocations,
    Index,
    Integral,
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
    TypeCast,
    TypeName,
    UnaryExpression,
    Valid,
    ValidBytes,
    WholeObject,
)
from unfork.program.c.notations import ACSL, BITS, RELATIONS

_LEVELS = {op: level for level, ops in enumerate(ACSL.levels) for op in ops}
_LOOSEST = -1
"""The level of quantifiers and of ``?:``."""
_UNARY = len(ACSL.levels)
_POSTFIX = _UNARY + 1
_SUFFIXES = {INT: "", UNSIGNED: "U", LONG: "L", UNSIGNED_LONG: "UL"}
_NAMES = {8: "char", 16: "short", 32: "int", 64: "long"}
_ADDITIVE = _LEVELS["+"]


def expression_text(expression: Expression | AssignedLocation) -> str:
    """The text of an expression or memory location. Reading it back gives the same."""
    match expression:
        case RangeExpression(pointer, low, high):
            return f"{_operand(pointer, _POSTFIX)}[{expression_text(low)} .. {expression_text(high)}]"
        case Bytes(pointer, size):
            return f"__CPROVER_object_upto({expression_text(pointer)}, {expression_text(size)})"
        case WholeObject(pointer):
            return f"__CPROVER_object_whole({expression_text(pointer)})"
        case GuardedLocations(condition, places):
            return f"{expression_text(condition)}: {', '.join(map(expression_text, places))}"
    return _text(expression)[0]


def type_text(kind: Integral | None) -> str:
    """The name of an integer type; None is a mathematical integer."""
    if kind is None:
        return "integer"
    if kind.width == 1:
        return "_Bool"
    name = "long long" if kind.is_long_long else _NAMES[kind.width]
    if not kind.signed:
        return f"unsigned {name}"
    return "signed char" if name == "char" else name


def _text(expression: Expression) -> tuple[str, int]:
    """The text of an expression, and the precedence of its outermost operator."""
    match expression:
        case NumberLiteral():
            # 1.x would be a number.
            return number_text(expression), _UNARY
        case Name(name):
            return name, _POSTFIX
        case BinaryExpression(op, left, right):
            return _binary(op, left, right), _LEVELS[op]
        case Conditional(condition, then, otherwise):
            return f"{_operand(condition, 0)} ? {expression_text(then)} : {expression_text(otherwise)}", _LOOSEST
        case QuantifiedExpression(kind, variables, body):
            return f"\\{kind} {_binders(variables)}; {expression_text(body)}", _LOOSEST
        case UnaryExpression(op, operand):
            return _prefix_text(op, operand), _UNARY
        case Deref(pointer):
            return _prefix_text("*", pointer), _UNARY
        case AddressOf(location):
            return _prefix_text("&", location), _UNARY
        case CastExpression(kind, operand):
            return f"({type_text(kind)}){_operand(operand, _UNARY)}", _UNARY
        case TypeCast(kind, operand):
            return f"({_type_name(kind)}){_operand(operand, _UNARY)}", _UNARY
        case SizeOf(of):
            return f"sizeof({_type_name(of) if isinstance(of, TypeName) else expression_text(of)})", _UNARY
        case Index(base, index):
            return f"{_operand(base, _POSTFIX)}[{expression_text(index)}]", _POSTFIX
        case MemberExpression(record, name, arrow):
            return f"{_operand(record, _POSTFIX)}{'->' if arrow else '.'}{name}", _POSTFIX
    return _word(expression), _POSTFIX


def _binders(variables: Sequence[BoundVariable]) -> str:
    """The variables of a quantifier, each type once in a row."""
    words = []
    for number, variable in enumerate(variables):
        is_new = not number or variable.type != variables[number - 1].type
        kind = variable.type
        name = _type_name(kind) if isinstance(kind, TypeName) else type_text(kind)
        words.append(f"{name} {variable.name}" if is_new else variable.name)
    return ", ".join(words)


def _word(expression: Expression) -> str:
    """The text of a word, or of an expression that begins with one."""
    match expression:
        case ResultExpression():
            return "\\result"
        case Null():
            return "\\null"
        case Application(name, labels, arguments):
            states = f"{{{', '.join(labels)}}}" if labels else ""
            return f"{name}{states}({', '.join(map(expression_text, arguments))})"
        case At(value, "Old"):
            return f"\\old({expression_text(value)})"
        case At(value, label):
            return f"\\at({expression_text(value)}, {label})"
        case Valid(ranges, writes):
            return f"\\{'valid' if writes else 'valid_read'}({_pointers(ranges)})"
        case Separated(ranges):
            return f"\\separated({_pointers(ranges)})"
        case ValidBytes(pointer, size, writes):
            return f"__CPROVER_{'w' if writes else 'r'}_ok({expression_text(pointer)}, {expression_text(size)})"
        case Fresh(pointer, size):
            return f"__CPROVER_is_fresh({expression_text(pointer)}, {expression_text(size)})"
        case OfPointer(what, pointer):
            return f"__CPROVER_{'POINTER_OFFSET' if what == 'offset' else 'OBJECT_SIZE'}({expression_text(pointer)})"
        case SameObject(left, right):
            return f"__CPROVER_same_object({expression_text(left)}, {expression_text(right)})"
    raise TypeError(f"{expression!r} is no expression of a contract")


def _operand(expression: Expression, level: int) -> str:
    """The text of an operand, in parentheses if it binds less tightly than ``level``."""
    text, own = _text(expression)
    return text if own >= level else f"({text})"


def _binary(op: str, left: Expression, right: Expression) -> str:
    level = _LEVELS[op]
    if op in RELATIONS:
        # Comparisons in a row are a chain, and & | ^ beside them are refused.
        level += len(BITS)
        return f"{_operand(left, level + 1)} {op} {_operand(right, level + 1)}"
    is_to_right = op == "==>"
    return f"{_operand(left, level + is_to_right)} {op} {_operand(right, level + (not is_to_right))}"


def _prefix_text(sign: str, operand: Expression) -> str:
    text = _operand(operand, _UNARY)
    return f"{sign}({text})" if text.startswith(sign) and sign in "+-&" else sign + text


def _pointers(ranges: Iterable[RangeExpression]) -> str:
    return ", ".join(_pointer(each) for each in ranges)


def _pointer(elements: RangeExpression) -> str:
    if elements.low == elements.high == NumberLiteral(0, INT):
        return expression_text(elements.pointer)
    low, high = expression_text(elements.low), expression_text(elements.high)
    return f"{_operand(elements.pointer, _ADDITIVE)} + ({low} .. {high})"


def number_text(number: NumberLiteral) -> str:
    """The text of a literal."""
    if number.type == INT and number.value >> 31:
        # Only characters are negative.
        return f"'\\x{number.value & 0xFF:02x}'"
    return f"{number.value}{_SUFFIXES.get(number.type, '')}{'L' if number.type.is_long_long else ''}"


def _type_name(name: TypeName) -> str:
    inner = f"({'*' * name.pointers})" if name.pointers else ""
    dimensions = "".join(f"[{expression_text(each)}]" for each in name.dimensions)
    return f"{name.words} {'*' * name.stars}{inner}{dimensions}".rstrip()
