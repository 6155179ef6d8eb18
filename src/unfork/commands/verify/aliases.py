"""Which pointers of a contract may lead into the same memory, and whether the contract excludes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from unfork.engine.meaning.c_values import NoMeaning
from unfork.program.c.expressions import (
    BinaryExpression,
    Expression,
    MemberExpression,
    Name,
    RangeExpression,
    Separated,
)
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType, Scalar

CHARACTER = "character"


def pointed_type(pointer: Expression, names: Mapping[str, CType], types: CTypes) -> CType:
    """The type of a pointer's target. ``names`` are the types of parameters and variables."""
    kind = _type_of(pointer, names, types)
    if not isinstance(kind, Pointer):
        raise NoMeaning("what is no pointer to a known type is required to be valid")
    return types.target(kind)


def _type_of(expression: Expression, names: Mapping[str, CType], types: CTypes) -> CType | None:
    fields: list[str] = []
    while isinstance(expression, MemberExpression):
        fields.append(expression.field)
        expression = expression.record
    kind = names.get(expression.name) if isinstance(expression, Name) else None
    for name in reversed(fields):
        record = types.target(kind) if isinstance(kind, Pointer) else kind
        if not isinstance(record, RecordType):
            return None
        kind = next((field.type for field in types.fields(record) if field.name == name), None)
    return kind


def may_overlap(first: CType, second: CType, types: CTypes) -> bool:
    """Whether C lets objects of two types overlap: both have a cell of one type, or one has characters."""
    mine, other = _effective_cells(first, types), _effective_cells(second, types)
    if mine is None or other is None or mine & other:
        return True
    return any(kind[0] == CHARACTER for kind in mine | other)


def element_of(kind: CType) -> CType:
    """The type of an array's elements; any other type itself."""
    while isinstance(kind, Array):
        kind = kind.element
    return kind


def innermost(kind: CType, types: CTypes) -> CType:
    """The element type of nested arrays; a record of a single array counts as that."""
    while True:
        match kind:
            case Array():
                kind = kind.element
            case RecordType():
                fields = types.fields(kind)
                if len(fields) != 1 or fields[0].is_bits or fields[0].type.size != kind.size:
                    return kind
                kind = fields[0].type
            case _:
                return kind


def effective(kind: CType) -> tuple[str, int]:
    """What C's rules on aliasing distinguish: signed and unsigned numbers of a size are one type."""
    if isinstance(kind, Scalar) and kind.size == 1:
        return CHARACTER, 1
    return (kind.encoding.removeprefix("un") if isinstance(kind, Scalar) else kind.name), kind.size


def _effective_cells(kind: CType, types: CTypes) -> frozenset[tuple[str, int]] | None:
    """The types of a type's numbers and pointers; None if unknown, as in unions."""
    cells = types.cells(element_of(kind))
    if cells is None or any(not isinstance(cell.type, Scalar | Pointer) for cell in cells.cells):
        return None
    return frozenset(
        [("pointer", 8) if isinstance(cell.type, Pointer) else effective(cell.type) for cell in cells.cells]
    )


def are_apart(
    conjuncts: Sequence[Expression], mine: Sequence[RangeExpression], other: Sequence[RangeExpression]
) -> bool:
    r"""Whether ``\separated`` among conditions literally separates all of some ranges from all of others."""
    said = [[plain(part) for part in each.ranges] for each in conjuncts if isinstance(each, Separated)]
    return all(any(a in ranges and b in ranges for ranges in said) for a in mine for b in other)


def plain(part: RangeExpression) -> RangeExpression:
    """A range with its pointer's offset moved into its bounds."""
    pointer, low, high = part.pointer, part.low, part.high
    while isinstance(pointer, BinaryExpression) and pointer.op == "+":
        low, high = BinaryExpression("+", low, pointer.right), BinaryExpression("+", high, pointer.right)
        pointer = pointer.left
    return RangeExpression(pointer, low, high)


def conjuncts_of(expression: Expression) -> Iterator[Expression]:
    """The conditions that ``&&`` connects."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, BinaryExpression) and node.op == "&&":
            waiting += (node.left, node.right)
        else:
            yield node
