"""What is in an object of the input whose pointer's type says nothing, or too little: what the code takes it for.

``void *`` leads to anything, a struct that is declared only to what is never said, and a pointer to a base to what is
derived from it. Where such an object is first accessed beyond what its type says, it becomes what the access is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unfork.execute.step import Step
from unfork.facts.pointees import Pointee
from unfork.llvm import layout
from unfork.llvm.c_type_reader import CTypes
from unfork.llvm.c_types import ANY_POINTER, BYTE, VOID, CType, Opaque, Pointer, Record, Scalar
from unfork.llvm.ir import Call, GlobalAddress, Instruction, Load, Register, Store
from unfork.llvm.module import GlobalVariable
from unfork.llvm.types import FloatType, IntType, PointerType, StructType, Type
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.state.lazy import LazyHeap, LazyObject, made_for
from unfork.state.memory import object_of, offset_in

_CHARACTER = Scalar("char", 1, "signed_char")
_TEXT_FUNCTIONS = "str"
"""How the names of C's functions on texts begin; the standard reserves it."""
NUMBERS = {
    size: Scalar(f"unsigned {name}", size, "unsigned")
    for size, name in ((1, "char"), (2, "short"), (4, "int"), (8, "long"))
}
"""The types of integers of so many bytes."""
WORD = 8
"""Bytes of a pointer."""
_FLOATS = {"float": 4, "double": 8}


def taken_for(step: Step, thing: LazyObject, offset: Value, size: Value, *, is_inside: bool = False) -> LazyObject:
    """The object as the access to ``size`` bytes at ``offset`` takes it; the same if that is not known to differ.

    ``is_inside``: its own type has such bytes, so that only a cast for this very access says more.
    """
    if not isinstance(thing.length, int) or thing.variable is not None or thing.is_stated:
        return thing
    if isinstance(thing.type, Record) and step.program.c_types.dynamic_types(thing.type):
        return thing  # its class was chosen
    kind = _type_of_access(step, thing, offset, size, is_inside=is_inside)
    cells = None if kind is None else step.program.c_types.cells(kind)
    if kind is None or cells is None or not _fits(step.state.lazy, thing, kind, step):
        return thing
    changed = replace(made_for(thing.number, thing.path, kind, cells), given=thing.given or thing.type)
    said = f"{thing.path}, which is declared to lead to {(thing.given or thing.type).name}, leads to {kind.name}"
    step.state.lazy = step.state.lazy.with_changed(changed).assuming(f"{said}, as which the code uses it")
    item = step.state.memory.writable(thing.number)
    room = cells.size * int(not changed.is_text)
    if room > len(item.data):
        item.make_room(room)
    item.size = room
    item.vanish(item.gone)
    return changed


def dynamic_types(step: Step, static: CType, path: str) -> list[CType]:
    """The types of a new object behind a pointer: a class with virtual functions, or one derived from it.

    Such a class has a virtual table in the program. Without one it is an object of the static type.
    """
    types = step.program.c_types
    known = types.dynamic_types(static) if isinstance(static, Record) else []
    found = [kind for kind, table in known if _table(step, table) is not None]
    usable = [kind for kind in found if (cells := types.cells(kind)) is not None and (0, static) in cells.parts]
    if len(usable) < len(found):
        step.give_up_part("capacity", f"{path} with a class in which its own does not come first")
    if known:
        step.state.lazy = step.state.lazy.assuming(
            "an object of a class with virtual functions is of it, or of one derived from it that the program makes"
        )
    return usable[::-1] or [static]


def _table(step: Step, name: str) -> GlobalVariable | None:
    """A virtual table that the program has."""
    variable = step.program.globals.get(name)
    return variable if variable is not None and variable.initializer is not None else None


def virtual_table(step: Step, kind: CType, offset: int) -> tuple[str, int] | None:
    """The virtual table that the pointer at an offset in an object leads to, by its variable and an offset there.

    Each part of it begins with the distance to the start of the object, and the type's information. There is none for
    classes with virtual bases, whose tables begin otherwise.
    """
    known = step.program.c_types.dynamic_types(kind) if isinstance(kind, Record) else []
    variable = next((_table(step, table) for each, table in known if each == kind), None)
    if variable is None or not isinstance(variable.type, StructType):
        return None
    item = step.statics.memory().objects[object_of(step.statics.address(variable.name))]
    start = 0
    for part in variable.type.elements:
        if int.from_bytes(item.data[start : start + WORD], "little", signed=True) == -offset:
            return variable.name, start + 2 * WORD
        start += layout.store_size(part)
    return None


def _type_of_access(step: Step, thing: LazyObject, offset: Value, size: Value, *, is_inside: bool) -> CType | None:
    """The type of what an access takes an object for; None if nothing says it better than its own type.

    The C library's own structs are not those of the library that tests run with.
    """
    frames = step.state.frames
    if not frames or not frames[-1].index or (is_inside and frames[-1].function.name in step.program.library):
        return None
    frame = frames[-1]
    instruction = frame.function.blocks[frame.block].body[frame.index - 1]
    if frame.function.name in step.program.library:
        return _plain(instruction) if thing.type == VOID and size == 1 else None
    found = [*_candidates(step, instruction, thing.number, offset, size)]
    records = [each for each in found if isinstance(each.type, Record) and (each.is_here or not is_inside)]
    if records:
        return max(records, key=lambda each: (each.is_here, each.type.size)).type
    if not isinstance(thing.type, Opaque):
        return None
    return found[0].type if found else _plain(instruction)


def _candidates(step: Step, instruction: Instruction, number: int, offset: Value, size: Value) -> Iterator[Pointee]:
    """The types that the source has for the object of an access, if the access may lie within one of them."""
    types, frame = step.program.c_types, step.state.frames[-1]
    pointees = step.facts[frame.function].pointees(types)
    match instruction:
        case Load(pointer=pointer) | Store(pointer=pointer):
            start = build.constant_offset(offset)[0] if isinstance(offset, Term) else offset
            yield from _around(types, pointees.of(pointer), start)
        case Call(arguments=arguments):
            for argument in arguments:
                value = frame.registers[argument.index] if isinstance(argument, Register) else None
                if isinstance(value, int) and object_of(value) == number:
                    yield from _around(types, pointees.of(argument), offset_in(value))
                else:  # what is copied to, or from, such an object is one, too
                    yield from (each for each in pointees.of(argument) if each.type.size == size and not each.distance)


def _around(types: CTypes, pointees: Iterable[Pointee], start: int) -> Iterator[Pointee]:
    """Those that may begin in an object, or be an element of it, where a pointer to its byte ``start`` is taken so."""
    for each in pointees:
        cells = types.cells(each.type)
        if cells is not None and start >= each.distance and (start - each.distance) % cells.size == 0:
            yield each


def _plain(instruction: Instruction) -> CType | None:
    """The type of an access about which the source says nothing."""
    match instruction:
        case Load(type=kind):
            return _as_c(kind)
        case Store(value=value):
            return _as_c(value.type)
        case Call(callee=GlobalAddress(name=name)) if name.startswith(_TEXT_FUNCTIONS):
            return _CHARACTER
        case Call():
            return BYTE
    return None


def _as_c(kind: Type) -> CType | None:
    match kind:
        case PointerType():
            return ANY_POINTER
        case IntType():
            return NUMBERS.get(layout.store_size(kind))
        case FloatType(name=name) if name in _FLOATS:
            return Scalar(name, _FLOATS[name], "float")
    return None


def _fits(heap: LazyHeap, thing: LazyObject, kind: CType, step: Step) -> bool:
    """Whether an object may be of another type: one that says more, and of which all holds that was read."""
    cells = step.program.c_types.cells(kind)
    assert cells is not None
    if thing.cells is None:
        return True
    if kind == thing.type or cells.size < thing.cells.size * int(not thing.is_text):
        return False
    for known, is_pointer in ((heap.pointers, True), (heap.numbers, False)):
        for number, offset in known:
            if number == thing.number:
                if offset >= cells.size:
                    return False
                [(_, cell)] = cells.within(offset, offset + 1)
                if cell.offset != offset or isinstance(cell.type, Pointer) != is_pointer:
                    return False
                if not isinstance(cell.type, Record) and cell.size != heap.cell_at(number, offset).size:
                    return False
    return True
