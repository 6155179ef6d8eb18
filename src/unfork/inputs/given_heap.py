"""Builds the heap of a test in memory, as ordinary objects, for a replay: nothing of it is lazy any more."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from unfork.errors import InputError
from unfork.execute.step import Step
from unfork.inputs.heap_data import Address, Elsewhere, FunctionAddress, Heap, HeapObject, Reference, bytes_of
from unfork.inputs.lazy_arguments import check, has_result_pointer, in_registers, registers, result_place
from unfork.logic.term import Value
from unfork.program.c_types import Opaque, Scalar
from unfork.program.module import Function
from unfork.state.lazy import LAZY, LazyHeap, LazyObject
from unfork.state.memory import FIRST_LAZY, MemoryObject, address_of, object_of
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
    numbers = _numbers(step, heap)
    variables = []
    for number, one in zip(numbers, heap.objects, strict=True):
        described = LazyObject(number, one.name, Opaque(one.type), None, one.length, is_stated=bool(one.data))
        if one.symbol:
            variables.append(described)
            item = _variable(step, number, one)
        else:
            state.lazy = state.lazy.with_object(described)
            item = MemoryObject(bytearray(one.data), len(one.data), LAZY, one.name)
            state.memory.add(number, item)
        for cell in one.cells:
            if cell.is_pointer and (cell.is_touched or not one.symbol):
                item.write(cell.offset, cell.size, address(step, numbers, cell.target))
    state.lazy = state.lazy.with_globals(variables)
    values: list[RegisterValue] = []
    if has_result_pointer(function, prototype):
        values.append(result_place(step, prototype))
    places = registers(function, prototype)
    for given, parameter, place in zip(heap.arguments, prototype.parameters, places, strict=True):
        if given.is_pointer == isinstance(parameter.type, Scalar):
            raise InputError(f"the test gives {given.name} another type than the program")
        value: Value
        if given.is_pointer:
            value = address(step, numbers, given.target)
        else:
            value = int.from_bytes(given.data, "little")
        values += in_registers(step, function, parameter.type, value, place)
    return values


def _numbers(step: Step, heap: Heap) -> list[int]:
    """The number of each object: those that are made come one after another."""
    made = count(FIRST_LAZY)
    found = []
    for one in heap.objects:
        if one.symbol and one.symbol not in step.program.globals:
            raise InputError(f"the test sets the variable {one.symbol}, which the program does not have")
        found.append(object_of(step.statics.address(one.symbol)) if one.symbol else next(made))
    return found


def _variable(step: Step, number: int, one: HeapObject) -> MemoryObject:
    """A variable, with the numbers that the test sets; what the test's path did not read is as it begins."""
    item = step.state.memory.writable(number)
    if item.read_only or len(item.data) != len(one.data):
        raise InputError(f"the test sets the variable {one.symbol}, which is another in the program")
    for cell in one.cells:
        if cell.is_touched and not cell.is_pointer:
            item.write_bytes(cell.offset, bytes_of(cell, one.data))
    return item


def address(step: Step, numbers: Sequence[int], target: Reference) -> int:
    """Where a pointer of the test leads."""
    match target:
        case Address(index, offset):
            return address_of(numbers[index], offset)
        case FunctionAddress(name):
            if not step.statics.has(name):
                raise InputError(f"the test holds the address of {name}, which the program does not have")
            return step.statics.address(name)
        case Elsewhere(what):
            raise InputError(f"the test holds a pointer to {what}, which is no part of its heap")
        case None:
            return 0
