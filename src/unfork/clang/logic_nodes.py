"""How conversions, sizes and chains of comparisons are made of what was read."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.clang.c_expression import UNSIGNED_LONG, Binary, Cast, Number
from unfork.clang.logic_cursor import Cursor
from unfork.clang.logic_expression import Logic, Null, SizeOf, TypeCast, TypeName
from unfork.clang.logic_notation import Notation
from unfork.clang.logic_tokens import Lexeme

MOST_OPERATORS = 200
"""The longest chain of operators that is read."""
_RISING, _FALLING = frozenset(("<", "<=", "==")), frozenset((">", ">=", "=="))
_UNREAD = frozenset(("void", "float", "double", "__int128", "struct", "union", "enum"))


def converted(cursor: Cursor, notation: Notation, type_name: TypeName, value: Logic, token: Lexeme) -> Logic:
    """``(type) value``. Raises InputError for a type whose values contracts do not compute with."""
    if type_name == TypeName("void", 1) and isinstance(value, Number) and value.value == 0:
        return Null()
    integral = cursor.integral(type_name)
    if integral is not None:
        return Cast(integral, value)
    first = type_name.words.split()[0]
    if not type_name.stars and (first in _UNREAD or (first in notation.types and first != "integer")):
        raise cursor.source.problem(token.start, f"({type_name.words}) is not supported")
    return TypeCast(type_name, value)


def size_of(cursor: Cursor, notation: Notation, type_name: TypeName, token: Lexeme) -> Logic:
    """``sizeof(type)``: a number if it is known here."""
    if type_name.words in notation.types:
        raise cursor.unsupported(token, f" of {type_name.words}")
    integral = cursor.integral(type_name)
    if type_name.stars:
        return Number(8, UNSIGNED_LONG)
    return SizeOf(type_name) if integral is None else Number((integral.width + 7) // 8, UNSIGNED_LONG)


def chained(cursor: Cursor, operands: Sequence[Logic], ops: Sequence[Lexeme]) -> Logic:
    """Comparisons of neighbours, joined by &&. Raises InputError if they are of several directions."""
    directions = {op.text for op in ops}
    if len(ops) > 1 and not (directions <= _RISING or directions <= _FALLING):
        raise cursor.unsupported(ops[1], " in a chain of comparisons that is not all < or all >")
    if len(ops) > MOST_OPERATORS:
        raise cursor.source.problem(ops[0].start, f"more than {MOST_OPERATORS} operators in a row")
    chain: Logic = Binary(ops[0].text, operands[0], operands[1])
    for op, before, after in zip(ops[1:], operands[1:], operands[2:], strict=False):
        chain = Binary("&&", chain, Binary(op.text, before, after))
    return chain
