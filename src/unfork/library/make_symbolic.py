"""Making memory and values symbolic: the inputs that a program asks for by name."""

from __future__ import annotations

from unfork.execute.ranges import pinned, writable
from unfork.execute.step import Step
from unfork.llvm import layout
from unfork.llvm.ir import Register
from unfork.llvm.types import ArrayType, StructType, Type, VectorType
from unfork.logic.term import Value

SIZES = 64
"""How many values the size of a symbolic range may have."""
UNNAMED = "unnamed"


def make_symbolic(step: Step, pointer: Value, size: Value, name: str, kind: str) -> None:
    """Replace ``size`` bytes, any part of an object, by a new input that is cut as the object's type says."""
    count = step.concretize(size, 64, SIZES, "the size of a symbolic range")
    place = writable(step, pointer, count)
    if place is None:
        return
    start = pinned(step, place)
    type_name = _type_name(step, pointer, count)
    known = len(step.state.inputs)
    new_input = step.source.make(step.state, name or UNNAMED, range_type(place.item.type, start, count), count, kind)
    item = step.state.memory.writable(place.number)
    offset = start
    for leaf, leaf_size in new_input.leaves:
        item.write(offset, leaf_size, leaf)
        offset += leaf_size
    _describe(step, known, type_name)


def fresh_value(step: Step, name: str, width: int, kind: str, type_name: str | None) -> Value:
    """A new input that is a value of ``width`` bits."""
    known = len(step.state.inputs)
    value = step.fresh(name or UNNAMED, width, kind)
    _describe(step, known, type_name)
    return value


def _describe(step: Step, known: int, type_name: str | None) -> None:
    """Note the C type of the input that was made when there were ``known`` inputs, if the path has it."""
    inputs = step.state.inputs
    if type_name is not None and len(inputs) > known:
        inputs.describe(type_name)


def range_type(kind: Type | None, offset: int, size: int) -> Type | None:
    """The type of ``size`` bytes at ``offset`` in an object of type ``kind``; None if the range cuts an element."""
    while kind is not None:
        if offset == 0 and layout.size_of(kind) == size:
            return kind
        match kind:
            case ArrayType(element=element) | VectorType(element=element):
                stride = layout.size_of(element)
                if stride == 0:
                    return None
                if offset % stride == 0 and size % stride == 0:
                    return element if size == stride else ArrayType(size // stride, element)
                offset %= stride
                kind = element
            case StructType(elements=elements):
                index = _field_at(kind, offset)
                if index is None:
                    return None
                offset -= layout.offset_of(kind, index)
                kind = elements[index]
            case _:
                whole = layout.size_of(kind)
                repeated = whole > 0 and offset % whole == 0 and size % whole == 0
                return ArrayType(size // whole, kind) if repeated and size > whole else kind if repeated else None
        if layout.size_of(kind) < offset + size:
            return None
    return None


def _field_at(kind: StructType, offset: int) -> int | None:
    field = None
    for index in range(len(kind.elements)):
        if layout.offset_of(kind, index) <= offset:
            field = index
    return field


def _type_name(step: Step, pointer: Value, size: int) -> str | None:
    """The C type of the local variable at ``pointer``, from debug information."""
    if not isinstance(pointer, int):
        return None
    for frame in reversed(step.state.frames):
        for block in frame.function.blocks:
            for record in block.debug:
                operand = record.operand
                if (
                    record.indirect
                    and record.variable.size == size
                    and isinstance(operand, Register)
                    and frame.registers[operand.index] == pointer
                ):
                    return record.variable.type_name
    return None
