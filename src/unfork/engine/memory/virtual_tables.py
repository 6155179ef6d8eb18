"""Decides the class of an input object by its pointer to virtual functions, with a path for each.

Candidates begin with the known class, and have their virtual functions in the program.
"""

from __future__ import annotations

from functools import partial

from unfork.engine.memory.lazy_types import become, has_class
from unfork.engine.state.lazy import LazyObject
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.program.llvm import layout
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Array, CType, RecordType, TypeCell
from unfork.program.llvm.types import StructType

POINTER = "_vptr$"
"""The prefix of the member that points to the table of virtual functions."""
_WORD = 8


def leads_to_table(cell: TypeCell) -> bool:
    """Whether a pointer is an object's pointer to its virtual functions."""
    return cell.path is not None and cell.path.rpartition(".")[2].startswith(POINTER)


def decide_class(step: Step, thing: LazyObject, start: int, path: str) -> None:
    """Split the state over the classes of the object, or member, whose pointer is at ``start``."""
    assert thing.cells is not None
    types, within = step.program.c_types, start % thing.cells.size
    known, at = _class_at(types, thing.type, within)
    is_alone = thing.length == 1 and thing.variable is None and not thing.is_stated
    is_open = known is thing.type and is_alone and not has_class(step.state.lazy, thing)
    choices = []
    for kind, table in types.dynamic_types(known):
        cells, offset = types.cells(kind), _functions_in(step, table, within - at)
        if not isinstance(kind, RecordType) or cells is None or offset is None:
            continue
        if (0, known) in cells.parts and (is_open or kind == known):
            change = partial(_change, step, thing, start, kind if is_open else None)
            choices.append(partial(change, step.statics.address(table) + offset, f"{table}+{offset}"))
    if not choices:
        step.unsupported(f"reading {path}: no class that the object could be of has its virtual functions here")
    whose = path[: path.rindex(POINTER)].rstrip(".->")
    step.state.lazy = step.state.lazy.assuming(f"{whose} is of a class that has its virtual functions here")
    step.part(choices)


def _change(
    step: Step, thing: LazyObject, start: int, kind: RecordType | None, address: int, name: str, state: State
) -> None:
    cells = None if kind is None else step.program.c_types.cells(kind)
    if kind is not None and cells is not None and kind != thing.type:
        become(state, thing, kind, cells)
    state.lazy = state.lazy.with_functions({address: name}).with_pointer(thing.number, start, address)
    state.memory.writable(thing.number).write(start, _WORD, address)


def _functions_in(step: Step, table: str, offset: int) -> int | None:
    """Where a table has the functions for the pointer at an offset in an object; None for tables of virtual bases.

    Each part of a table begins with the distance to the start of the object and the type's description.
    """
    variable = step.program.globals.get(table)
    if variable is None or variable.initializer is None or not isinstance(variable.type, StructType):
        return None
    item = step.statics.memory().objects[object_of(step.statics.address(table))]
    start = 0
    for part in variable.type.elements:
        if int.from_bytes(item.data[start : start + _WORD], "little", signed=True) == -offset:
            return start + 2 * _WORD
        start += layout.store_size(part)
    return None


def _class_at(types: CTypes, kind: CType, offset: int) -> tuple[RecordType, int]:
    """The class, and the offset, of the object or member whose pointer to virtual functions is at ``offset``."""
    member, start, at = kind, 0, 0
    while True:
        if isinstance(kind, Array):
            at += (offset - at) // kind.element.size * kind.element.size
            member, start, kind = kind.element, at, kind.element
            continue
        assert isinstance(kind, RecordType)
        within = [each for each in types.fields(kind) if each.offset <= offset - at < each.offset + each.type.size]
        if within[0].name.startswith(POINTER):
            assert isinstance(member, RecordType)
            return member, start
        is_base = within[0].name == within[0].type.name.rpartition(" ")[2]
        at, kind = at + within[0].offset, within[0].type
        if not is_base:
            member, start = kind, at
