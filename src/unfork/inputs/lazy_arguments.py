"""The arguments of a function that is tested alone: symbolic numbers, and pointers to objects made on first use."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.errors import InputError
from unfork.execute.access import load_typed
from unfork.execute.lazy_objects import Target, make_number, reached, targets, touch
from unfork.execute.step import Step
from unfork.inputs.lazy_globals import Globals
from unfork.llvm import layout
from unfork.llvm.c_types import CType, Parameter, Pointer, Prototype, Record, Scalar
from unfork.llvm.module import Function, Program
from unfork.llvm.types import FloatType, IntType, PointerType, Type, VoidType
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.lazy import LazyArgument, LazyHeap, cell_path
from unfork.state.memory import FIRST_ARGUMENT, UNINITIALISED, MemoryObject, address_of, object_of
from unfork.state.state import RegisterValue

ASSUMPTION = "each object that a pointer leads to is a heap block that holds one element, or as many as are accessed"
WORD = 8
"""Bytes of a register that holds a part of a struct."""
_RESULT = FIRST_ARGUMENT - 1
"""The number of the object for a result that is returned through memory."""


class Choices:
    """Which target each pointer argument takes, in order: a systematic enumeration of all combinations.

    ``taken`` are the choices for the next run; ``counts`` records how many targets each could take.
    """

    def __init__(self, taken: Sequence[int]) -> None:
        self.taken = list(taken)
        self.counts: list[int] = []

    def pick(self, offered: Sequence[Target]) -> Target:
        """The next choice: new objects come first, since preconditions mostly refuse null."""
        position = len(self.counts)
        if position == len(self.taken):
            self.taken.append(0)
        self.counts.append(len(offered))
        return offered[-1 - self.taken[position]]

    def following(self) -> Choices | None:
        """The combination after this one; None after the last."""
        for position in reversed(range(len(self.counts))):
            if self.taken[position] + 1 < self.counts[position]:
                return Choices([*self.taken[:position], self.taken[position] + 1])
        return None


def check(program: Program, function: Function) -> Prototype:
    """The function's prototype. Raises InputError for a function that cannot be given arguments."""
    prototype = program.c_types.prototype(function.name)
    where = f"--function {function.name}"
    if prototype is None:
        raise InputError(f"{where}: its arguments need debug information (compile with -g)")
    if prototype.is_variadic:
        raise InputError(f"{where}: it takes any number of arguments, which are not built")
    registers(function, prototype)
    return prototype


def registers(function: Function, prototype: Prototype) -> list[range]:
    """For each C parameter, the parameters of the compiled function that hold it: a small struct may take two.

    Raises InputError where the two do not fit.
    """
    kinds, where = function.type.parameters, f"--function {function.name}"
    at = has_result_pointer(function, prototype)
    places = []
    for parameter in prototype.parameters:
        count = 1
        if isinstance(parameter.type, Record) and not _is_copied(function, at):
            count = (parameter.type.size + WORD - 1) // WORD
        elif at >= len(kinds) or not _fits(parameter.type, kinds[at]):
            raise InputError(f"{where}: its argument {parameter.name} of type {parameter.type.name} is not built")
        places.append(range(at, at + count))
        at += count
    if at != len(kinds):
        raise InputError(f"{where}: how its arguments are passed is not built")
    return places


def _is_copied(function: Function, position: int) -> bool:
    """Whether a parameter is a struct that is passed in memory."""
    return position < len(function.parameter_byval) and function.parameter_byval[position] is not None


def has_result_pointer(function: Function, prototype: Prototype) -> int:
    """1 if the function's first parameter says where to put the result, else 0."""
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


def make(step: Step, function: Function, choices: Choices, variables: Globals) -> list[RegisterValue]:
    """The arguments of ``function``, in the state's input heap too; ``choices`` decides where pointers lead.

    ``variables`` comes first, and sets global variables. Raises InputError for arguments that cannot be made.
    """
    prototype = check(step.program, function)
    state = step.state
    pointers = sum(_objects(step.program, parameter.type) for parameter in prototype.parameters)
    limit = step.limits.max_objects
    if limit is not None and limit < pointers:
        raise InputError(f"--max-objects {limit}: {prototype.name} has {pointers} pointers among its arguments")
    state.lazy = LazyHeap(function.name, assumptions=frozenset([ASSUMPTION]))
    variables(step, function)
    values: list[RegisterValue] = []
    if has_result_pointer(function, prototype):
        values.append(result_place(step, prototype))
    known: list[LazyArgument] = []
    for parameter, places in zip(prototype.parameters, registers(function, prototype), strict=True):
        kind = parameter.type
        value: Value
        match kind:
            case Scalar():
                value = make_number(step, parameter.name, kind)
            case Pointer():
                value = reached(step.state, choices.pick(targets(step, kind, parameter.name)))
            case _:
                value = _struct(step, parameter, choices)
        known.append(LazyArgument(parameter.name, kind, value))
        values += in_registers(step, function, kind, value, places)
    state.lazy = state.lazy.with_arguments(known)
    return values


def _objects(program: Program, kind: CType) -> int:
    """How many objects an argument may need before the function begins."""
    cells = program.c_types.cells(kind) if isinstance(kind, Record) else None
    inside = 0 if cells is None else sum(isinstance(cell.type, Pointer) for cell in cells.cells)
    return inside + (not isinstance(kind, Scalar))


def in_registers(step: Step, function: Function, kind: CType, value: Value, places: range) -> list[RegisterValue]:
    """A C parameter as the compiled function takes it; ``value`` is its value, or the address of a struct."""
    given = function.type.parameters
    if not isinstance(kind, Record) or _is_copied(function, places[0]):
        return [passed(value, kind, given[places[0]])]
    return [load_typed(step, build.add(value, WORD * index, 64), given[place]) for index, place in enumerate(places)]


def _struct(step: Step, parameter: Parameter, choices: Choices) -> int:
    """The address of a struct that is passed by value: an object of its own whose pointers are decided at once."""
    kind = parameter.type
    assert isinstance(kind, Record)
    new_object = targets(step, Pointer(f"{kind.name} *", kind.reference), parameter.name)[-1]
    address = reached(step.state, new_object)
    number = object_of(address)
    described = step.state.lazy.find(number)
    if described is None or described.cells is None:
        raise InputError(f"the argument {parameter.name} of type {kind.name} is not built")
    for cell in described.cells.cells:
        if isinstance(cell.type, Pointer):
            target = reached(step.state, choices.pick(targets(step, cell.type, cell_path(described, 0, cell))))
            step.state.lazy = step.state.lazy.with_pointer(number, cell.offset, target)
            step.state.memory.writable(number).write(cell.offset, cell.size, target)
        elif isinstance(cell.type, Record):
            raise InputError(f"the argument {parameter.name} holds a union that may hold a pointer, which is not built")
    touch(step, number, 0, described.cells.size)
    return address


def passed(value: Value, kind: CType, given: Type) -> Value:
    """A value of a C type as a register of the parameter's type."""
    width = layout.bits_of(given)
    return value if width == 8 * kind.size or not isinstance(kind, Scalar) else build.extract(value, 0, width)


def result_place(step: Step, prototype: Prototype) -> int:
    """The address of a new object for a struct that is returned in memory."""
    size = prototype.result.size
    mask = bytearray((UNINITIALISED,)) * size
    step.state.memory.add(_RESULT, MemoryObject(bytearray(size), size, "argument", "result", mask=mask))
    return address_of(_RESULT)
