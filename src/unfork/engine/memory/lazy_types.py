"""Types of input objects whose pointer's type says too little: ``void *``, an incomplete struct, a base class.

The first access beyond the declared type decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unfork.engine.memory.array_elements import pin_elements
from unfork.engine.memory.lazy_targets import check_room
from unfork.engine.state.lazy import LazyHeap, LazyObject, made_for
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.pointees import Pointee
from unfork.program.llvm import layout
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import BYTE, VOID, CType, Opaque, Pointer, RecordType, Scalar, TypeCells
from unfork.program.llvm.ir import Call, Cast, GlobalAddress, Instruction, Load, Register, Store
from unfork.program.llvm.narrow_pointers import SPELL, UNSPELL
from unfork.program.llvm.types import FloatType, IntType, PointerType, Type

_CHARACTER = Scalar("char", 1, "signed_char")
_COPIES = ("llvm.memcpy", "llvm.memmove", "memcpy", "memmove")
"""Functions that copy bytes of any type."""
_TEXT_FUNCTIONS = "str"
"""The prefix of C's functions on texts, which the standard reserves."""
NUMBERS = {
    size: Scalar(f"unsigned {name}", size, "unsigned")
    for size, name in ((1, "char"), (2, "short"), (4, "int"), (8, "long"))
}
"""Unsigned integers by their bytes."""
_FLOATS = {"float": 4, "double": 8}
_WIDE = Scalar("unsigned long long", 8, "unsigned")
"""The one of 8 bytes where a long has 4."""


def number_of_size(step: Step, size: int) -> Scalar | None:
    """The unsigned integer of the program with so many bytes."""
    return _WIDE if size == _WIDE.size and step.state.memory.is_narrow else NUMBERS.get(size)


def reads_pointer(step: Step) -> bool:
    """Whether the access reads a pointer. Where one has 32 bits, it reads the number that the next cast takes for one
    (program/llvm/narrow_pointers.py).
    """
    if step.reads_pointer or not step.state.memory.is_narrow:
        return step.reads_pointer
    match _around_access(step):
        case _, Load(result=result), Cast(op=op, value=Register(index=index)):
            return op == UNSPELL and index == result
    return False


def copies(step: Step) -> bool:
    """Whether the access is a copy, which says nothing of what it reads."""
    match _around_access(step):
        case _, Call(callee=GlobalAddress(name=name)), _:
            return name.startswith(_COPIES)
    return False


def _writes_pointer(step: Step) -> bool:
    """The same for a store of the number that the cast before has made."""
    match _around_access(step):
        case Cast(op=op, result=result), Store(value=Register(index=index)), _:
            return op == SPELL and index == result
    return False


def _around_access(step: Step) -> tuple[Instruction | None, Instruction | None, Instruction | None]:
    """The instruction that runs, between the one before it and the next."""
    frame = step.state.frames[-1]
    body, after = frame.function.blocks[frame.block].body, frame.index
    if not 0 < after < len(body):  # the last one accesses nothing
        return None, None, None
    return body[after - 2] if after > 1 else None, body[after - 1], body[after]


def typed_by_access(
    step: Step, thing: LazyObject, offset: Value, size: Value, *, is_inside: bool = False
) -> LazyObject:
    """The object as an access to ``size`` bytes at ``offset`` types it; itself if the access says nothing new.

    ``is_inside``: its own type has these bytes, so that only a cast for this access counts.
    """
    if has_class(step.state.lazy, thing):
        return thing
    if not isinstance(thing.length, int) or thing.variable is not None or thing.is_stated:
        return thing
    kind = _type_of_access(step, thing, offset, size, is_inside=is_inside)
    cells = None if kind is None else step.program.c_types.cells(kind)
    if kind is None or cells is None or not _says_more(thing, kind, cells):
        return thing
    pin_elements(step, thing.number)
    if not _fits(step.state.lazy, thing, cells):
        return thing
    check_room(step.state, thing.path, cells.size)
    changed = become(step.state, thing, kind, cells)
    said = f"{thing.path}, which is declared to lead to {(thing.given or thing.type).name}, leads to {kind.name}"
    step.state.lazy = step.state.lazy.assuming(f"{said}, as which the code uses it")
    return changed


def has_class(lazy: LazyHeap, thing: LazyObject) -> bool:
    """Whether a pointer to virtual functions has decided the class of an object."""
    return any(
        number == thing.number and "+" in lazy.functions.get(address, "")
        for (number, _), address in lazy.pointers.items()
    )


def become(state: State, thing: LazyObject, kind: CType, cells: TypeCells) -> LazyObject:
    """Change the type of an object to one that keeps all that was read of it."""
    changed = replace(made_for(thing.number, thing.path, kind, cells), given=thing.given or thing.type)
    state.lazy = state.lazy.with_changed(changed)
    item = state.memory.writable(thing.number)
    room = cells.size * int(not changed.is_text)
    if room > len(item.data):
        item.make_room(room)
    item.size = room
    item.vanish(item.gone)
    return changed


def _type_of_access(step: Step, thing: LazyObject, offset: Value, size: Value, *, is_inside: bool) -> CType | None:
    """The type that an access takes the object for; None if its own type says as much.

    Ignores types of the C library, which may differ in tests.
    """
    frames = step.state.frames
    if not frames or not frames[-1].index or (is_inside and frames[-1].function.name in step.program.library):
        return None
    frame = frames[-1]
    instruction = frame.function.blocks[frame.block].body[frame.index - 1]
    if frame.function.name in step.program.library:
        is_of_bytes = size == 1 or isinstance(instruction, Call)  # the system copies them at once
        return _plain(step, instruction) if thing.type == VOID and is_of_bytes else None
    pointees = [*_candidates(step, instruction, thing.number, offset, size)]
    records = [each for each in pointees if isinstance(each.type, RecordType) and (each.is_here or not is_inside)]
    if records:
        return max(records, key=lambda each: (each.is_here, each.type.size)).type
    if not isinstance(thing.type, Opaque):
        return None
    return pointees[0].type if pointees else _plain(step, instruction)


def _candidates(step: Step, instruction: Instruction, number: int, offset: Value, size: Value) -> Iterator[Pointee]:
    """The types that the source gives for the object of an access, if the access fits them."""
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
                else:  # an object copied to or from such an object has its type
                    yield from (each for each in pointees.of(argument) if each.type.size == size and not each.distance)


def _around(types: CTypes, pointees: Iterable[Pointee], start: int) -> Iterator[Pointee]:
    """Those types that may begin in the object, or be its elements, where a pointer to its byte ``start`` has them."""
    for each in pointees:
        cells = types.cells(each.type)
        if cells is not None and start >= each.distance and (start - each.distance) % cells.size == 0:
            yield each


def _plain(step: Step, instruction: Instruction) -> CType | None:
    match instruction:
        case Load() | Store() if reads_pointer(step) or _writes_pointer(step):
            return step.program.c_types.any_pointer
        case Load(type=kind):
            return _as_c(step, kind)
        case Store(value=value):
            return _as_c(step, value.type)
        case Call(callee=GlobalAddress(name=name)) if name.startswith(_TEXT_FUNCTIONS):
            return _CHARACTER
        case Call():
            return BYTE
    return None


def _as_c(step: Step, kind: Type) -> CType | None:
    match kind:
        case PointerType():
            return step.program.c_types.any_pointer
        case IntType():
            return number_of_size(step, layout.store_size(kind))
        case FloatType(name=name) if name in _FLOATS:
            return Scalar(name, _FLOATS[name], "float")
    return None


def _says_more(thing: LazyObject, kind: CType, cells: TypeCells) -> bool:
    """Whether a type says more than that of an object."""
    return thing.cells is None or (kind != thing.type and cells.size >= thing.cells.size * int(not thing.is_text))


def _fits(heap: LazyHeap, thing: LazyObject, cells: TypeCells) -> bool:
    """Whether a type has all that was read of an object."""
    if thing.cells is None:
        return True
    for known, is_pointer in ((heap.pointers, True), (heap.numbers, False)):
        for number, offset in known:
            if number == thing.number:
                if offset >= cells.size:
                    return False
                [(_, cell)] = cells.within(offset, offset + 1)
                if cell.offset != offset or isinstance(cell.type, Pointer) != is_pointer:
                    return False
                if not isinstance(cell.type, RecordType) and cell.size != heap.cell_at(number, offset).size:
                    return False
    return True
