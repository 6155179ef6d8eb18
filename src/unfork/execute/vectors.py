"""Operations on scalars lifted to vectors, and folds over the elements of a vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfork.execute.handlers import Arguments
from unfork.execute.operands import defined
from unfork.execute.step import Step
from unfork.llvm.ir import Call, MetadataOperand
from unfork.llvm.types import Type, VectorType
from unfork.logic.term import Value
from unfork.state.state import RegisterValue


def element_of(kind: Type) -> Type:
    """The type of the elements of a vector; a scalar is its own element."""
    return kind.element if isinstance(kind, VectorType) else kind


def operands(step: Step, arguments: Arguments, call: Call) -> list[RegisterValue]:
    """The arguments of a call with their undefined parts replaced by fresh symbols."""
    return [
        value if value.__class__ is int or isinstance(operand, MetadataOperand) else defined(step, value, operand.type)
        for value, operand in zip(arguments, call.arguments, strict=True)
    ]


def lifted(operate: Callable[..., RegisterValue], values: Sequence[RegisterValue]) -> RegisterValue:
    """``operate`` on scalars, or on the elements of the vectors among ``values``; scalars go with every element.

    An operation that yields a tuple yields a tuple of vectors.
    """
    count = next((len(value) for value in values if isinstance(value, tuple)), None)
    if count is None:
        return operate(*values)
    rows = [value if isinstance(value, tuple) else (value,) * count for value in values]
    results = [operate(*row) for row in zip(*rows, strict=True)]
    return tuple(zip(*results, strict=True)) if isinstance(results[0], tuple) else tuple(results)


def fold(operate: Callable[[Value, Value], Value], elements: Sequence[Value]) -> Value:
    """The elements combined from the first to the last."""
    total = elements[0]
    for element in elements[1:]:
        total = operate(total, element)
    return total
