"""Builds the heap of a test in memory, as ordinary objects, for a replay: nothing of it is lazy any more."""

from __future__ import annotations

from unfork.errors import InputError
from unfork.execute.step import Step
from unfork.inputs.heap import Address, Elsewhere, FunctionAddress, Heap, Reference
from unfork.inputs.lazy_arguments import check, has_result_pointer, in_registers, registers, result_place
from unfork.logic.term import Value
from unfork.program.c_types import Opaque, Scalar
from unfork.program.module import Function
from unfork.state.lazy import FIRST_LAZY, LAZY, LazyHeap, LazyObject
from unfork.state.memory import MemoryObject, address_of
from unfork.state.state import RegisterValue


def arguments(step: Step, function: Function, heap: Heap) -> list[RegisterValue]:
    """The arguments that a test gives ``function``, with the heap that they lead to in memory.

    Raises InputError where the test does not fit the function.
    """
    prototype = check(step.program, function)
    names = [one.name for one in heap.arguments]
    if heap.function != function.name or names != [one.name for one in prototype.parameters]:
        raise InputError(f"the test calls {heap.function}({', '.join(names)}), which the program does not have")
    state = step.state
    state.lazy = LazyHeap(function.name)
    for index, one in enumerate(heap.objects):
        number = FIRST_LAZY + index
        described = LazyObject(number, one.name, Opaque(one.type), None, one.length, is_stated=bool(one.data))
        state.lazy = state.lazy.with_object(described)
        item = MemoryObject(bytearray(one.data), len(one.data), LAZY, one.name)
        for cell in one.cells:
            if cell.is_pointer:
                item.write(cell.offset, cell.size, address(step, cell.target))
        state.memory.add(number, item)
    values: list[RegisterValue] = []
    if has_result_pointer(function, prototype):
        values.append(result_place(step, prototype))
    places = registers(function, prototype)
    for given, parameter, place in zip(heap.arguments, prototype.parameters, places, strict=True):
        if given.is_pointer == isinstance(parameter.type, Scalar):
            raise InputError(f"the test gives {given.name} another type than the program")
        value: Value
        if given.is_pointer:
            value = address(step, given.target)
        else:
            value = int.from_bytes(given.data, "little")
        values += in_registers(step, function, parameter.type, value, place)
    return values


def address(step: Step, target: Reference) -> int:
    """Where a pointer of the test leads."""
    match target:
        case Address(index, offset):
            return address_of(FIRST_LAZY + index, offset)
        case FunctionAddress(name):
            if not step.statics.has(name):
                raise InputError(f"the test holds the address of {name}, which the program does not have")
            return step.statics.address(name)
        case Elsewhere(what):
            raise InputError(f"the test holds a pointer to {what}, which is no part of its heap")
        case None:
            return 0
