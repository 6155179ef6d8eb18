"""The first states of a function run alone: on a test's heap, or on any heap, lazily initialised.

Any heap: symbolic numbers, and pointers to objects that first use makes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TypeVar

from unfork.engine.instructions.access import load_typed
from unfork.engine.machine.machine import Machine
from unfork.engine.memory.lazy_objects import counted, make_number, touch
from unfork.engine.memory.lazy_targets import Target, address_of_target, own_targets, sized, targets
from unfork.engine.memory.library_objects import ERRNO_NAME, errno_address
from unfork.engine.state.flat_layout import as_stored
from unfork.engine.state.lazy import LAZY, LazyArgument, LazyObject, cell_path, empty_heap, made_for
from unfork.engine.state.memory import FIRST_ARGUMENT, FIRST_LAZY, UNINITIALISED, MemoryObject, address_of, object_of
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.step import Step
from unfork.errors import InputError
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.callbacks import STREAMS
from unfork.program.facts import pointer_parameters, size_names, stored_numbers, stream_pointers
from unfork.program.llvm import c_registers, layout
from unfork.program.llvm.c_types import (
    BYTE,
    VOID,
    CType,
    Opaque,
    Parameter,
    Pointer,
    Prototype,
    RecordType,
    Scalar,
    TypeCell,
)
from unfork.program.llvm.demangle import MANGLED
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import Type
from unfork.world.inputs import argument_ranges
from unfork.world.inputs.heap_data import (
    FunctionAddress,
    Heap,
    HeapAddress,
    HeapObject,
    OutsideLocation,
    Reference,
    bytes_of,
)
from unfork.world.inputs.lazy_globals import Globals

ASSUMPTION = "each object that a pointer leads to is a heap block that holds one element, or as many as are accessed"
MEMBERS = "objects of classes are made member by member, whatever their constructors would have made of them"
_RESULT = FIRST_ARGUMENT - 1

Prepare = Callable[[Step], None]
"""Puts the world (files, standard input) in a fresh state."""


def is_under_constrained(program: Program, name: str) -> bool:
    """Whether the entry is a function whose arguments no command line can give."""
    return name != "main" and name in program.defined and bool(program.function(name).type.parameters)


def first_states(machine: Machine, name: str, heap: Heap | None, prepare: Prepare, variables: Globals) -> list[State]:
    """One state for a given heap; otherwise one for each choice of targets for the pointer arguments.

    ``variables`` sets the global variables if there is no heap.
    """
    if heap is not None:
        return [machine.initial(name, partial(_arguments, heap, prepare))]
    states = []
    choices: Choices | None = Choices(())
    while choices is not None:
        states.append(machine.initial(name, partial(_any_arguments, choices, prepare, variables)))
        choices = choices.following()
    return states


Chosen = TypeVar("Chosen")


class Choices:
    """The target of each pointer argument, and the member of each union, in order: enumerates all combinations.

    ``taken``: the choices for the next run; ``counts``: the number of targets of each.
    """

    def __init__(self, taken: Sequence[int]) -> None:
        self.taken = list(taken)
        self.counts: list[int] = []
        self._has_untested_null = False

    def pick(self, offered: Sequence[Target], *, is_tested: bool = True) -> Target:
        """The next choice: new objects first, since most preconditions refuse null.

        Of the pointers that no code tests, one at most is null: with two, a path fails as it does with the one that it
        accesses first.
        """
        if self._has_untested_null and not is_tested:
            offered = [each for each in offered if each != 0] or offered
        target = self.next(offered)
        self._has_untested_null |= not is_tested and target == 0
        return target

    def next(self, offered: Sequence[Chosen]) -> Chosen:
        """The next choice, the last ones first."""
        position = len(self.counts)
        if position == len(self.taken):
            self.taken.append(0)
        self.counts.append(len(offered))
        return offered[-1 - self.taken[position]]

    def following(self) -> Choices | None:
        for position in reversed(range(len(self.counts))):
            if self.taken[position] + 1 < self.counts[position]:
                return Choices([*self.taken[:position], self.taken[position] + 1])
        return None


# --- the heap of a test


def _arguments(heap: Heap, prepare: Prepare, step: Step, function: Function) -> list[RegisterValue]:
    """A test's arguments for ``function``; also puts the heap that they point to in memory.

    Raises InputError if the test does not fit the function.
    """
    prepare(step)
    prototype = c_registers.check(step.program, function)
    names = [argument.name for argument in heap.arguments]
    if heap.function != function.name or names != [parameter.name for parameter in prototype.parameters]:
        raise InputError(f"the test calls {heap.function}({', '.join(names)}), which the program does not have")
    state = step.state
    state.lazy = empty_heap(function.name, state.memory)
    numbers = _numbers(step, heap)
    variables = []
    for number, heap_object in zip(numbers, heap.objects, strict=True):
        lazy_object = _lazy_object(number, heap_object)
        if heap_object.symbol:
            variables.append(lazy_object)
            item = _variable(step, number, heap_object)
        else:
            state.lazy = state.lazy.with_object(lazy_object)
            item = MemoryObject(bytearray(heap_object.data), len(heap_object.data), LAZY, heap_object.name)
            state.memory.add(number, item)
        for cell in heap_object.cells:
            if cell.is_pointer and (cell.is_touched or not heap_object.symbol):
                item.write(cell.offset, cell.size, as_stored(address(step, numbers, cell.target), state.memory))
    state.lazy = state.lazy.with_globals(variables)
    values: list[Value] = []
    for given, parameter in zip(heap.arguments, prototype.parameters, strict=True):
        if given.is_pointer == isinstance(parameter.type, Scalar):
            raise InputError(f"the test gives {given.name} another type than the program")
        if given.is_pointer:
            values.append(address(step, numbers, given.target))
        else:
            values.append(int.from_bytes(given.data, "little"))
    return in_registers(step, function, prototype, values)


def _lazy_object(number: int, heap_object: HeapObject) -> LazyObject:
    kind = Opaque(heap_object.type)
    return LazyObject(number, heap_object.name, kind, None, heap_object.length, is_stated=True)


def _numbers(step: Step, heap: Heap) -> list[int]:
    fresh_numbers = count(FIRST_LAZY, step.state.lazy.spacing)
    numbers = []
    for heap_object in heap.objects:
        if heap_object.symbol == ERRNO_NAME:
            numbers.append(object_of(errno_address(step)))
            continue
        if heap_object.symbol and heap_object.symbol not in step.program.globals:
            raise InputError(f"the test sets the variable {heap_object.symbol}, which the program does not have")
        numbers.append(
            object_of(step.statics.address(heap_object.symbol)) if heap_object.symbol else next(fresh_numbers)
        )
    return numbers


def _variable(step: Step, number: int, variable: HeapObject) -> MemoryObject:
    item = step.state.memory.writable(number)
    if item.read_only or len(item.data) != len(variable.data):
        raise InputError(f"the test sets the variable {variable.symbol}, which is another in the program")
    for cell in variable.cells:
        if cell.is_touched and not cell.is_pointer:
            item.write_bytes(cell.offset, bytes_of(cell, variable.data))
    return item


def address(step: Step, numbers: Sequence[int], target: Reference) -> int:
    """The address of a test's pointer. Raises InputError if the program or the heap lacks its target."""
    match target:
        case HeapAddress(index, offset):
            return address_of(numbers[index], offset)
        case FunctionAddress(name):
            symbol, _, place = STREAMS.get(name, name).partition("+")  # into a table of virtual functions
            if not step.statics.has(symbol):
                raise InputError(f"the test holds the address of {symbol}, which the program does not have")
            return step.statics.address(symbol) + int(place or 0)
        case OutsideLocation(what):
            raise InputError(f"the test holds a pointer to {what}, which is no part of its heap")
        case None:
            return 0


# --- any heap


def _any_arguments(
    choices: Choices, prepare: Prepare, variables: Globals, step: Step, function: Function
) -> list[RegisterValue]:
    """The arguments of ``function``, also added to the state's input heap; ``choices`` picks pointers' targets.

    ``variables`` runs first, and sets global variables. Raises InputError for arguments that cannot be made.
    """
    prepare(step)
    prototype = c_registers.check(step.program, function)
    state = step.state
    pointers = sum(_objects(step.program, parameter.type) for parameter in prototype.parameters)
    limit = step.limits.max_objects
    if limit is not None and limit < pointers:
        raise InputError(f"--max-objects {limit}: {prototype.name} has {pointers} pointers among its arguments")
    has_classes = function.name.startswith(MANGLED) and pointers > 0
    assumptions = frozenset([ASSUMPTION, MEMBERS] if has_classes else [ASSUMPTION])
    state.lazy = replace(empty_heap(function.name, step.state.memory), assumptions=assumptions)
    variables(step, function)
    known: list[LazyArgument] = []
    result = in_registers(step, function, prototype, _any_values(step, function, prototype, choices, known))
    state.lazy = state.lazy.with_arguments(known)
    return result


def _any_values(
    step: Step, function: Function, prototype: Prototype, choices: Choices, known: list[LazyArgument]
) -> Iterator[Value]:
    sizes: dict[str, Value] = {}
    driver = step.program.object_drivers.get(function.name)
    starts = [held.start for held in c_registers.registers(step.program, function, prototype)]
    said_by = _sizes(step, function, prototype.parameters, starts)
    untested = _untested(step, function)
    handles = _handles(step.program, function)
    streams = stream_pointers.stream_pointers(step.program).parameters.get(function.name, frozenset())
    ranges = argument_ranges.ArgumentRanges(step, function, prototype.parameters, starts)
    for parameter, after, start in zip(prototype.parameters, said_by, starts, strict=True):
        kind = parameter.type
        value: Value
        size: Value | None = None
        match kind:
            case Scalar():
                value = sizes.get(parameter.name) or make_number(step, parameter.name, kind)
            case Pointer() if ranges.includes(parameter.name):
                value = ranges.argument(parameter, choices.pick)
            case Pointer():
                step.state.lazy = step.state.lazy.with_arguments(known)  # a stream is passed once
                is_handle = start in handles and after is None and _is_to_characters(step, kind)
                leads_to = step.program.c_types.any_pointer if is_handle else kind
                offered = targets(step, leads_to, parameter.name, is_of_stream=start in streams)
                is_apart = parameter.is_address or (driver is not None and driver.is_apart(parameter.name))
                room = function.parameter_room[start]
                offered = offered[-1:] if is_apart else _promised(step, parameter.name, room, offered)
                own = own_targets(offered) if isinstance(offered[-1], LazyObject) else offered
                if after is not None:
                    offered = [_as_bytes(step, each) for each in own]
                    said = f"{parameter.name}, of {after.name} bytes, is no object that another pointer leads to"
                    step.state.lazy = step.state.lazy.assuming(said)
                elif start in untested and len(offered) > 2:
                    offered = own
                    said = f"{parameter.name}, which no code compares, is no object that another argument leads to"
                    step.state.lazy = step.state.lazy.assuming(said)
                target = choices.pick(offered, is_tested=start not in untested)
                if after is not None and isinstance(after.type, Scalar):
                    size = sizes[after.name] = make_number(step, after.name, after.type)
                    step.assume(build.ule(build.zext(size, 8 * after.type.size, 64), step.limits.max_size, 64))
                    if isinstance(target, LazyObject):
                        target, _ = sized(step, target, [(after.name, size, after.type.size)])
                value = address_of_target(step.state, target, step.limits)
            case _:
                value = _struct(step, parameter, choices, is_copied=c_registers.is_copied(function, start))
        known.append(LazyArgument(parameter.name, kind, value, size))
        yield value


def _promised(step: Step, name: str, room: int | None, offered: list[Target]) -> list[Target]:
    """The targets of an argument that attributes declare non-null, or large enough for ``room`` bytes.

    An array has the parameter's number of elements if sizes are trusted; ``[static 1]`` only means that there is at
    least one. Raises InputError if none is left.
    """
    if room is None:
        return offered
    if offered == [0]:
        raise InputError(f"the argument {name} is not null, but nothing of its type is here")
    step.state.lazy = step.state.lazy.assuming(f"{name} is not null (its attribute)")
    return [
        replace(each, length=room // each.cells.size, is_stated=True, is_text=False)
        if isinstance(each, LazyObject)
        and each.cells is not None
        and each.cells.tail is None
        and room > each.cells.size
        and step.limits.pairs_sizes
        else each
        for each in offered
        if each != 0
    ]


def _untested(step: Step, function: Function) -> frozenset[int]:
    """The positions of the pointers that code only accesses; none in a run that lists all inputs."""
    if not step.limits.pairs_sizes:
        return frozenset()
    return pointer_parameters.untested_parameters(step.program).get(function.name, frozenset())


def _handles(program: Program, function: Function) -> frozenset[int]:
    """The positions of the pointers that code takes for structs alone."""
    return pointer_parameters.handle_parameters(program).get(function.name, frozenset())


def _is_to_characters(step: Step, kind: Pointer) -> bool:
    target = step.program.c_types.target(kind)
    return isinstance(target, Scalar) and target.size == 1


def _as_bytes(step: Step, target: Target) -> Target:
    """A target that a ``void *`` leads to, as the bytes for which the code takes it."""
    if not isinstance(target, LazyObject) or target.cells is not None:
        return target
    return replace(made_for(target.number, target.path, BYTE, step.program.c_types.cells(BYTE)), given=target.type)


def _sizes(
    step: Step, function: Function, parameters: Sequence[Parameter], starts: Sequence[int]
) -> list[Parameter | None]:
    """For each parameter, the later one that gives its size in bytes.

    Pointers before at least as many sizes pair in order. With fewer sizes, the last pointer takes the first size,
    unless the size is named after another (``src, dest, src_size``). A ``void *`` before more sizes than pointers may
    lead to as many elements of a size. What code takes for a struct alone has a size only in bytes. A number that is
    written there is no size.
    """
    sizes: list[Parameter | None] = [None] * len(parameters)
    if not step.limits.pairs_sizes:
        return sizes
    of_bytes = pointer_parameters.byte_parameters(step.program).get(function.name, frozenset())
    signs = "".join(
        _sign(step.program, each, start in of_bytes) for each, start in zip(parameters, starts, strict=True)
    )
    for run in re.finditer("([pv]+)(?=(n+))", signs):
        size, pointers, more = parameters[run.end()], run[1], len(run[2]) - len(run[1])
        if more == 0 or (more > 0 and "v" not in pointers):
            sizes[run.start() : run.end()] = parameters[run.end() : run.end() + len(pointers)]
        elif more < 0:
            owners = [at for at in range(run.start(), run.end()) if size.name.startswith(parameters[at].name)]
            sizes[owners[0] if owners else run.end() - 1] = size
    handles = _handles(step.program, function)
    stored = stored_numbers.stored_numbers(step.program).get(function.name, frozenset())

    def is_meant(pointer: Parameter, start: int, size: Parameter) -> bool:
        if (start, starts[parameters.index(size)]) in stored:
            return False
        is_of_bytes = start not in handles or size_names.is_of_bytes_alone(size.name)
        return is_of_bytes and not size_names.counts_others(size.name, pointer.name)

    pairs = zip(parameters, starts, sizes, strict=True)
    return [size if size is not None and is_meant(pointer, start, size) else None for pointer, start, size in pairs]


def _sign(program: Program, parameter: Parameter, is_bytes: bool) -> str:
    """p for a pointer to bytes, v for a ``void *`` that code takes for one, n for a size, - for anything else."""
    match parameter.type:
        case Pointer() as kind:
            target = program.c_types.target(kind)
            if target == VOID:
                return "v" if is_bytes else "-"
            cells = program.c_types.cells(target)
            return "p" if cells is not None and cells.size == 1 else "-"
        case Scalar(encoding="signed" | "unsigned" | "unsigned_char"):
            return "n" if size_names.is_named_size(parameter.name) else "-"
    return "-"


def _objects(program: Program, kind: CType) -> int:
    cells = program.c_types.cells(kind) if isinstance(kind, RecordType) else None
    inside = 0 if cells is None else sum(isinstance(cell.type, Pointer) for cell in cells.cells)
    return inside + (not isinstance(kind, Scalar))


def _struct(step: Step, parameter: Parameter, choices: Choices, *, is_copied: bool) -> int:
    """The address of a struct for a parameter. In one that registers hold, a union holds one of its members; one that
    ``is_copied`` stays in memory, where the first read of a union decides.
    """
    kind = parameter.type
    assert isinstance(kind, RecordType)
    new_object = targets(step, Pointer(f"{kind.name} *", kind.reference), f"&{parameter.name}")[-1]
    address = address_of_target(step.state, new_object, step.limits)
    number = object_of(address)
    described = step.state.lazy.find(number)
    if described is None or described.cells is None:
        raise InputError(f"the argument {parameter.name} of type {kind.name} is not built")
    for cell in described.cells.cells:
        parts = [cell]
        if isinstance(cell.type, RecordType):
            if is_copied:
                continue
            parts = [each.within(cell) for each in choices.next(step.program.c_types.shapes(cell.type))]
            path = cell_path(described, 0, cell)
            step.state.lazy = step.state.lazy.with_shape(number, cell.offset, parts, path)
        for each in parts:
            if isinstance(each.type, Pointer):
                target = address_of_target(step.state, choices.pick(_offered(step, described, each)), step.limits)
                step.state.lazy = step.state.lazy.with_pointer(number, each.offset, target)
                stored = as_stored(target, step.state.memory)
                step.state.memory.writable(number).write(each.offset, each.size, stored)
        touch(step, number, cell.offset, cell.size)
    return address


def _offered(step: Step, struct: LazyObject, cell: TypeCell) -> list[Target]:
    """The targets of a pointer in a struct by value. What a number beside it counts is no object of another pointer,
    and there is room for it wherever this one leads, as for an argument.
    """
    assert isinstance(cell.type, Pointer)
    path = cell_path(struct, 0, cell)
    offered = targets(step, cell.type, path)
    new = offered[-1]
    if not isinstance(new, LazyObject) or not step.limits.pairs_sizes:
        return offered
    made, fits = counted(step, struct, cell.offset, new)
    if made is new:
        return offered
    step.assume(fits)
    said = f"{path}, whose elements a number counts, is no object that another pointer leads to"
    step.state.lazy = step.state.lazy.assuming(said)
    return [*own_targets(offered)[:-1], made]


# --- in registers


def in_registers(step: Step, function: Function, prototype: Prototype, values: Iterable[Value]) -> list[RegisterValue]:
    """C arguments as the compiled function takes them; ``values``: numbers, and addresses of structs."""
    compiled = function.type.parameters
    result: list[RegisterValue] = (
        [_result_address(step, prototype)] if c_registers.has_result_pointer(function, prototype) else []
    )
    held = c_registers.registers(step.program, function, prototype)
    for parameter, value, positions in zip(prototype.parameters, values, held, strict=True):
        if isinstance(parameter.type, RecordType) and not c_registers.is_copied(function, positions[0]):
            for place, position in zip(c_registers.places(step.program, parameter.type), positions, strict=True):
                result.append(load_typed(step, build.add(value, place, 64), compiled[position]))
        else:
            result.append(_as_wide(value, parameter.type, compiled[positions[0]]))
    return result


def _as_wide(value: Value, kind: CType, given: Type) -> Value:
    width = layout.bits_of(given)
    return value if width == 8 * kind.size or not isinstance(kind, Scalar) else build.extract(value, 0, width)


def _result_address(step: Step, prototype: Prototype) -> int:
    size = prototype.result.size
    mask = bytearray((UNINITIALISED,)) * size
    step.state.memory.add(_RESULT, MemoryObject(bytearray(size), size, "argument", "result", mask=mask))
    return address_of(_RESULT)
