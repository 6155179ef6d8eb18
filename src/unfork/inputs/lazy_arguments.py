"""The arguments of a function that is tested alone: symbolic numbers, and pointers to what is made when it is read."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.errors import InputError
from unfork.execute.lazy import Target, make_number, reached, targets
from unfork.execute.step import Step
from unfork.inputs.arguments import FIRST_ARGUMENT
from unfork.logic import build
from unfork.logic.term import Value
from unfork.program import layout
from unfork.program.c_types import CType, Pointer, Prototype, Record, Scalar
from unfork.program.module import Function, Program
from unfork.program.types import FloatType, IntType, PointerType, Type, VoidType
from unfork.state.lazy import LazyArgument, LazyHeap
from unfork.state.memory import UNINITIALISED, MemoryObject, address_of
from unfork.state.state import RegisterValue

ASSUMPTIONS = (
    "each pointer in the input is null, or leads to an object of its own, or to the start of one of its type that was "
    "met before: none leads to a number inside a struct or inside an array, to a variable or to freed memory",
    "each such object is a heap block that holds one element, or as many as are accessed",
    "global variables begin with their initial values",
)
_RESULT = FIRST_ARGUMENT - 1
"""The number of the object for a result that is returned through memory."""


class Choices:
    """Which target each pointer argument takes, in order: a systematic enumeration of all combinations.

    ``taken`` are the choices of the run that comes next; ``counts`` learns how many there were.
    """

    def __init__(self, taken: Sequence[int]) -> None:
        self.taken = list(taken)
        self.counts: list[int] = []

    def pick(self, offered: Sequence[Target]) -> Target:
        """The next choice."""
        position = len(self.counts)
        if position == len(self.taken):
            self.taken.append(0)
        self.counts.append(len(offered))
        return offered[self.taken[position]]

    def following(self) -> Choices | None:
        """The combination after this one; None behind the last."""
        for position in reversed(range(len(self.counts))):
            if self.taken[position] + 1 < self.counts[position]:
                return Choices([*self.taken[:position], self.taken[position] + 1])
        return None


def check(program: Program, function: Function) -> Prototype:
    """The prototype of a function that can be given arguments; InputError says why one cannot."""
    prototype = program.c_types.prototype(function.name)
    where = f"--function {function.name}"
    if prototype is None:
        raise InputError(f"{where}: its arguments need debug information (compile with -g)")
    if prototype.is_variadic:
        raise InputError(f"{where}: it takes any number of arguments, which are not built")
    kinds = function.type.parameters[_has_result_pointer(function, prototype) :]
    if len(kinds) != len(prototype.parameters):
        raise InputError(f"{where}: a struct among its arguments is passed in registers, which is not built")
    for parameter, kind in zip(prototype.parameters, kinds, strict=True):
        if not _fits(parameter.type, kind):
            raise InputError(f"{where}: its argument {parameter.name} of type {parameter.type.name} is not built")
    return prototype


def _has_result_pointer(function: Function, prototype: Prototype) -> int:
    is_record = isinstance(prototype.result, Record)
    return int(is_record and isinstance(function.type.result, VoidType))


def _fits(kind: CType, passed: Type) -> bool:
    match kind, passed:
        case Scalar(size=size), IntType(width=width):
            return width <= 8 * size
        case Scalar(size=size), FloatType():
            return layout.store_size(passed) <= size
        case Pointer() | Record(), PointerType():
            return True
    return False


def make(step: Step, function: Function, choices: Choices) -> list[RegisterValue]:
    """The arguments of ``function``, of which ``choices`` decides the pointers; the state knows them as its heap."""
    prototype = check(step.program, function)
    state = step.state
    pointers = sum(not isinstance(one.type, Scalar) for one in prototype.parameters)
    limit = step.limits.max_objects
    if limit is not None and limit < pointers:
        raise InputError(f"--max-objects {limit}: {prototype.name} has {pointers} pointers among its arguments")
    state.lazy = LazyHeap(function.name, assumptions=frozenset(ASSUMPTIONS))
    values: list[RegisterValue] = []
    if _has_result_pointer(function, prototype):
        values.append(result_place(step, prototype))
    kinds = function.type.parameters[len(values) :]
    known: list[LazyArgument] = []
    for position, (parameter, kind) in enumerate(zip(prototype.parameters, kinds, strict=True), len(values)):
        value: Value
        if isinstance(parameter.type, Scalar):
            value = make_number(step, parameter.name, parameter.type)
        else:
            is_copy = function.parameter_byval[position] is not None
            value = _pointer(step, parameter.name, parameter.type, choices, is_copy)
        known.append(LazyArgument(parameter.name, parameter.type, value))
        values.append(passed(value, parameter.type, kind))
    state.lazy = state.lazy.with_arguments(known)
    return values


def passed(value: Value, kind: CType, given: Type) -> Value:
    """A value of a C type as a register of the parameter's type."""
    width = layout.bits_of(given)
    return value if width == 8 * kind.size or not isinstance(kind, Scalar) else build.extract(value, 0, width)


def result_place(step: Step, prototype: Prototype) -> int:
    """Where a struct is returned that takes memory."""
    size = prototype.result.size
    mask = bytearray((UNINITIALISED,)) * size
    step.state.memory.add(_RESULT, MemoryObject(bytearray(size), size, "argument", "result", mask=mask))
    return address_of(_RESULT)


def _pointer(step: Step, name: str, kind: CType, choices: Choices, is_copy: bool) -> Value:
    """A pointer argument; a struct that is passed by value is an object of its own (``is_copy``)."""
    if isinstance(kind, Pointer):
        return reached(step.state, choices.pick(targets(step, kind, name)))
    assert is_copy
    pointer = Pointer(f"{kind.name} *", kind.reference if isinstance(kind, Record) else None)
    return reached(step.state, targets(step, pointer, name)[-1])
