"""Which choices ``c ? x : y`` gcc takes for one operation, and makes no branch of."""

from __future__ import annotations

from typing import NamedTuple

from unfork.formats.values import Values
from unfork.llvm.ir import Binary, Cast, Compare, Operand, Phi
from unfork.llvm.types import IntType, PointerType, Type

_INT = IntType(32)
_INVERSE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}
_BESIDE = {"lt": -1, "le": 1, "gt": 1, "ge": -1}
"""``x < c ? x : c - 1`` is the lesser of two: the constants that go with a comparison, as distances."""


class Choice(NamedTuple):
    """``condition ? then : otherwise``, of a type."""

    type: Type
    condition: Operand
    then: Operand
    otherwise: Operand


def is_operation(choice: Choice, values: Values) -> bool:
    """Whether a choice is the truth of its condition, an equal value on both sides, a mask, a minimum, or a maximum.

    Numbers with a floating point have zeros with a sign and are never the same to gcc.
    """
    type, condition, then, otherwise = choice
    if values.of(then) == values.of(otherwise):
        return True
    if not isinstance(type, IntType | PointerType):
        return False
    constants = values.constant(then), values.constant(otherwise)
    if type == _INT and sorted(map(str, constants)) == ["0", "1"]:
        return True
    match values.definition(condition):
        case Compare(predicate=predicate, left=left, right=right, type=compared):
            return _is_of(predicate, left, right, compared, choice, values)
        case _:
            match values.definition(then):
                case Cast(op="zext", value=value):
                    return values.of(value) == values.of(condition) and constants[1] == 0
    return False


def _is_of(predicate: str, left: Operand, right: Operand, compared: Type, choice: Choice, values: Values) -> bool:
    """Whether a choice by a comparison is an operation on what is compared."""
    if _is_rewritten(left, right, values) or _is_rewritten(right, left, values):
        return False
    then, otherwise = values.of(choice.then), values.of(choice.otherwise)
    first, second = values.of(left), values.of(right)
    if (then, otherwise) in ((first, second), (second, first)):
        return True
    bound = values.constant(right)
    may_be_absolute = bound == 0 and predicate not in ("uge", "ule", "ult") and first in (then, otherwise)
    if may_be_absolute and values.is_negation(choice.then, choice.otherwise):
        return True
    mask = values.mask(left)
    if bound == 0 and predicate == "ne" and mask is not None and mask.bit_count() == 1:
        return values.constant(choice.then) == mask and values.constant(choice.otherwise) == 0
    order = predicate[1:]
    other = values.constant(choice.otherwise)
    if first == otherwise:
        order, other = _INVERSE.get(order, ""), values.constant(choice.then)
    if bound is None or other is None or first not in (then, otherwise) or not isinstance(compared, IntType):
        return False
    return order in _BESIDE and (bound + _BESIDE[order] - other) % (1 << compared.width) == 0


def _is_rewritten(operand: Operand, other: Operand, values: Values) -> bool:
    """Whether gcc compares something else with a constant: of ``x + 1 < 5`` and ``max(x, 1) < 5``, only x."""
    if values.constant(other) is None:
        return False
    match values.definition(operand):
        case Binary(op="add" | "sub", left=left, right=right, flags=flags) if "nsw" in flags:
            return values.constant(left) is not None or values.constant(right) is not None
        case definition:
            return isinstance(definition, Phi)
