"""Which class an object of the input is of: where its pointer to virtual functions leads, on a path each.

It may be any class of the program that begins with the one that is known, and that has no pure virtual function left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from unfork.execute.lazy_types import become
from unfork.execute.step import Step
from unfork.llvm.c_type_reader import CTypes
from unfork.llvm.c_types import Array, Cell, CType, Record
from unfork.llvm.ir import Aggregate
from unfork.llvm.module import Program
from unfork.state.lazy import LazyObject
from unfork.state.state import State

POINTER = "_vptr$"
"""How the member is called that leads to the table of virtual functions."""
_PURE = "__cxa_pure_virtual"
_TYPE = "_ZTI"
"""How the name of what describes a type begins, which lies in front of the functions in its table."""
_WORD = 8


def leads_to_table(cell: Cell) -> bool:
    """Whether a pointer is an object's to its virtual functions."""
    return cell.path is not None and cell.path.rpartition(".")[2].startswith(POINTER)


def decide_class(step: Step, thing: LazyObject, start: int, path: str) -> None:
    """Split the state over the classes that an object, or a member of it, may be of, whose pointer is at ``start``."""
    assert thing.cells is not None
    known = _class_at(step.program.c_types, thing.type, start % thing.cells.size)
    if known is None:
        step.unsupported(f"reading {path}, of a base that is not the first one")
    is_open = known is thing.type and thing.length == 1 and thing.variable is None and not thing.is_stated
    choices = [
        partial(_change, step, thing, start, kind, step.statics.address(table) + offset, f"{table}+{offset}")
        for table, kind, offset in _tables(step.program, known)
        if is_open or kind == known
    ]
    if not choices:
        step.unsupported(f"reading {path}: no class is here that the object could be of")
    whose = path.removesuffix(path.rpartition(POINTER)[1] + path.rpartition(POINTER)[2]).rstrip(".->")
    step.state.lazy = step.state.lazy.assuming(f"{whose} is of a class that has its virtual functions here")
    step.part(choices)


def _change(step: Step, thing: LazyObject, start: int, kind: Record, address: int, name: str, state: State) -> None:
    state.lazy = state.lazy.with_functions({address: name})
    cells = step.program.c_types.cells(kind)
    assert thing.cells is not None and cells is not None
    if cells.size > thing.cells.size and start == 0:
        become(state, thing, kind, cells)
    state.lazy = state.lazy.with_pointer(thing.number, start, address)
    state.memory.writable(thing.number).write(start, _WORD, address)


def _tables(program: Program, base: Record) -> Iterator[tuple[str, Record, int]]:
    """The tables of classes that begin with ``base``, each with the class and the offset of its functions."""
    types = program.c_types
    for table, kind in types.cpp.virtual_tables.items():
        cells = types.cells(kind)
        if table not in program.globals or cells is None or (0, base) not in cells.parts:
            continue
        whole = program.globals[table].initializer
        first = whole.elements[0] if isinstance(whole, Aggregate) else None
        names = [getattr(each, "name", "") for each in first.elements] if isinstance(first, Aggregate) else []
        describes = next((at for at, name in enumerate(names) if name.startswith(_TYPE)), None)
        if describes is not None and _PURE not in names:
            yield table, kind, _WORD * (describes + 1)


def _class_at(types: CTypes, kind: CType, offset: int) -> Record | None:
    """The class of the object, or of its member, whose pointer to virtual functions is at ``offset``.

    None if that belongs to a base that does not come first: it is for derived classes to say where this leads.
    """
    member, start, at = kind, 0, 0
    while True:
        if isinstance(kind, Array):
            at += (offset - at) // kind.element.size * kind.element.size
            member, start, kind = kind.element, at, kind.element
            continue
        if not isinstance(kind, Record):
            break
        within = [each for each in types.fields(kind) if each.offset <= offset - at < each.offset + each.type.size]
        if not within or within[0].name.startswith(POINTER):
            break
        is_base = within[0].name == within[0].type.name.rpartition(" ")[2]
        at, kind = at + within[0].offset, within[0].type
        if not is_base:
            member, start = kind, at
    return member if isinstance(member, Record) and start == offset else None
