"""The first states of a function that is run alone: on the heap of a test, or on any heap, lazily initialised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count

from unfork.errors import InputError
from unfork.execute.machine import Machine
from unfork.execute.step import Step
from unfork.inputs import lazy_arguments
from unfork.inputs.heap_data import Address, Elsewhere, FunctionAddress, Heap, HeapObject, Reference, bytes_of
from unfork.inputs.lazy_arguments import Choices, check, has_result_pointer, in_registers, registers, result_place
from unfork.inputs.lazy_globals import Globals
from unfork.llvm.c_types import Opaque, Scalar
from unfork.llvm.module import Function, Program
from unfork.logic.term import Value
from unfork.state.lazy import LAZY, LazyHeap, LazyObject
from unfork.state.memory import FIRST_LAZY, MemoryObject, address_of, object_of
from unfork.state.state import RegisterValue, State

Place = Callable[[Step], None]
"""Puts the world (files, standard input) in a fresh state."""


def is_under_constrained(program: Program, name: str) -> bool:
    """Whether the entry is a function that needs arguments no command line can give."""
    return name != "main" and name in program.defined and bool(program.function(name).type.parameters)


def first_states(machine: Machine, name: str, heap: Heap | None, place: Place, variables: Globals) -> list[State]:
    """One state for a given heap; otherwise one for each choice of targets for the pointer arguments.

    ``variables`` says what global variables hold if no heap is given.
    """
    if heap is not None:
        return [machine.initial(name, partial(_given, heap, place))]
    states = []
    choices: Choices | None = Choices(())
    while choices is not None:
        states.append(machine.initial(name, partial(_lazily, choices, place, variables)))
        choices = choices.following()
    return states


def _given(heap: Heap, place: Place, step: Step, function: Function) -> list[RegisterValue]:
    place(step)
    return _arguments(step, function, heap)


def _lazily(choices: Choices, place: Place, variables: Globals, step: Step, function: Function) -> list[RegisterValue]:
    place(step)
    return lazy_arguments.make(step, function, choices, variables)


def _arguments(step: Step, function: Function, heap: Heap) -> list[RegisterValue]:
    """The arguments that a test gives to ``function``; the heap that they lead to is put in memory.

    Raises InputError where the test does not fit the function.
    """
    prototype = check(step.program, function)
    names = [argument.name for argument in heap.arguments]
    if heap.function != function.name or names != [parameter.name for parameter in prototype.parameters]:
        raise InputError(f"the test calls {heap.function}({', '.join(names)}), which the program does not have")
    state = step.state
    state.lazy = LazyHeap(function.name)
    numbers = _numbers(step, heap)
    variables = []
    for number, heap_object in zip(numbers, heap.objects, strict=True):
        lazy_object = _described(number, heap_object)
        if heap_object.symbol:
            variables.append(lazy_object)
            item = _variable(step, number, heap_object)
        else:
            state.lazy = state.lazy.with_object(lazy_object)
            item = MemoryObject(bytearray(heap_object.data), len(heap_object.data), LAZY, heap_object.name)
            state.memory.add(number, item)
        for cell in heap_object.cells:
            if cell.is_pointer and (cell.is_touched or not heap_object.symbol):
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


def _described(number: int, heap_object: HeapObject) -> LazyObject:
    """An object as the state's input heap knows it."""
    kind = Opaque(heap_object.type)
    return LazyObject(number, heap_object.name, kind, None, heap_object.length, is_stated=bool(heap_object.data))


def _numbers(step: Step, heap: Heap) -> list[int]:
    """The number of each object: variables have theirs, new objects are numbered in order."""
    fresh_numbers = count(FIRST_LAZY)
    numbers = []
    for heap_object in heap.objects:
        if heap_object.symbol and heap_object.symbol not in step.program.globals:
            raise InputError(f"the test sets the variable {heap_object.symbol}, which the program does not have")
        numbers.append(
            object_of(step.statics.address(heap_object.symbol)) if heap_object.symbol else next(fresh_numbers)
        )
    return numbers


def _variable(step: Step, number: int, variable: HeapObject) -> MemoryObject:
    """A variable with the numbers that the test sets; what the test's path did not read keeps its initial value."""
    item = step.state.memory.writable(number)
    if item.read_only or len(item.data) != len(variable.data):
        raise InputError(f"the test sets the variable {variable.symbol}, which is another in the program")
    for cell in variable.cells:
        if cell.is_touched and not cell.is_pointer:
            item.write_bytes(cell.offset, bytes_of(cell, variable.data))
    return item


def address(step: Step, numbers: Sequence[int], target: Reference) -> int:
    """Where a pointer of the test leads. Raises InputError for what the program or the heap does not have."""
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
