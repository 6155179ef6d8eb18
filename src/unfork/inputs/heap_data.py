"""The heap that a function is given in a test, as data: objects, what is in them, and where their pointers lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unfork.logic.evaluate import Model, evaluate
from unfork.program.c_types import Pointer, Record
from unfork.state.lazy import LazyHeap, LazyObject, cell_path
from unfork.state.memory import object_of, offset_in
from unfork.state.state import State

FILLER = ord("a")
"""What stands in a string where the path has not looked."""


@dataclass(frozen=True, slots=True)
class Address:
    """The place ``offset`` bytes into object number ``index`` of the heap."""

    index: int
    offset: int


@dataclass(frozen=True, slots=True)
class FunctionAddress:
    """The address of a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What is no part of the input heap, in words: only in the heap that a run has come to."""

    what: str


Reference = Address | FunctionAddress | Elsewhere | None
"""What a pointer holds; None is null."""
MOST_UNTOUCHED = 64
"""Cells of an object of which those are listed that nobody has read."""


@dataclass(frozen=True, slots=True)
class HeapCell:
    """A number or a pointer. ``path`` is its C expression; ``target`` is a pointer's.

    One that is not touched was not read: it may hold anything, and is 0 here. One that ``is_const`` cannot be assigned.
    """

    path: str
    offset: int
    size: int
    type: str
    is_pointer: bool = False
    target: Reference = None
    is_touched: bool = True
    is_const: bool = False


@dataclass(frozen=True, slots=True)
class HeapObject:
    """``length`` elements of C type ``type`` that make up ``data``, where pointers are zeros; empty: opaque.

    ``name`` is the C expression of the pointer that first led here. ``symbol`` is not empty for a variable of the
    program: its name there, of which the file that defines the function knows nothing if it ``is_foreign``.
    """

    name: str
    type: str
    length: int
    data: bytes
    cells: tuple[HeapCell, ...]
    is_text: bool = False
    symbol: str = ""
    is_foreign: bool = False


@dataclass(frozen=True, slots=True)
class HeapArgument:
    """What the function is given for a parameter: bytes, a pointer, or (``is_copy``) the struct behind a pointer."""

    name: str
    type: str
    data: bytes
    is_pointer: bool = False
    target: Reference = None
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class Heap:
    """What ``function`` is called with."""

    function: str
    arguments: tuple[HeapArgument, ...]
    objects: tuple[HeapObject, ...]


def of_state(state: State, model: Model) -> Heap | None:
    """The input heap of a path under a model, without variables that do not matter; None for a start in main."""
    lazy = state.lazy
    if not lazy.function:
        return None
    used = _used(lazy, model)
    shown = [one for one in lazy.all if one.variable is None or one.number in used]
    names = {one.number: index for index, one in enumerate(shown)}
    arguments = []
    for one in lazy.arguments:
        value = evaluate(one.value, model)
        if isinstance(one.type, Pointer | Record):
            is_copy = isinstance(one.type, Record)
            target = _reference(lazy, names, value)
            arguments.append(HeapArgument(one.name, one.type.name, b"", True, target, is_copy))
        else:
            arguments.append(HeapArgument(one.name, one.type.name, value.to_bytes(one.type.size, "little")))
    return Heap(lazy.function, tuple(arguments), tuple([_object(lazy, names, one, model) for one in shown]))


def _used(lazy: LazyHeap, model: Model) -> set[int]:
    """The objects of which a cell was read, or to which a pointer of the input leads."""
    used = {number for number, _ in (*lazy.pointers, *lazy.numbers)}
    used.update(object_of(address) for address in lazy.pointers.values())
    used.update(object_of(evaluate(one.value, model)) for one in lazy.arguments if isinstance(one.type, Pointer))
    return used


def _reference(lazy: LazyHeap, names: Mapping[int, int], address: int) -> Reference:
    if address == 0:
        return None
    name = lazy.functions.get(address)
    if name is not None:
        return FunctionAddress(name)
    return Address(names[object_of(address)], offset_in(address))


def _object(lazy: LazyHeap, names: Mapping[int, int], one: LazyObject, model: Model) -> HeapObject:
    length = evaluate(one.length, model)
    if one.cells is None:
        return HeapObject(one.path, one.type.name, 0, b"", ())
    size = one.cells.size
    if one.is_text:
        length = max(length, 1)
    data = bytearray(length * size)
    if one.is_text:
        data[:-1] = bytes((FILLER,)) * (length - 1)
    cells = []
    for index, cell in one.cells.within(0, len(data)) if data else []:
        offset = index * size + cell.offset
        path, kind = cell_path(one, index, cell), cell.type.name
        key = (one.number, offset)
        if isinstance(cell.type, Record):  # a union: how it was read
            kind = "void *" if key in lazy.pointers else "unsigned long"
            path = f"*({kind.rstrip(' *')} *{'*' if key in lazy.pointers else ''})&{path}"
        if key in lazy.pointers:
            target = _reference(lazy, names, lazy.pointers[key])
            cells.append(HeapCell(path, offset, cell.size, kind, True, target, is_const=cell.is_const))
        elif key in lazy.numbers:
            value = evaluate(lazy.numbers[key], model)
            data[offset : offset + cell.size] = value.to_bytes(cell.size, "little")
            cells.append(HeapCell(path, offset, cell.size, kind, is_const=cell.is_const))
        elif cell.path is not None and len(data) // size * len(one.cells.cells) <= MOST_UNTOUCHED and not one.is_text:
            is_pointer = isinstance(cell.type, Pointer)
            cells.append(HeapCell(path, offset, cell.size, kind, is_pointer, None, False, cell.is_const))
    made = HeapObject(one.path, one.type.name, length, bytes(data), tuple(cells), one.is_text)
    if one.variable is None:
        return made
    return replace(made, symbol=one.variable.symbol, is_foreign=one.variable.is_foreign)


def bytes_of(cell: HeapCell, data: bytes) -> bytes:
    """The bytes of a cell."""
    return data[cell.offset : cell.offset + cell.size]


# --- as JSON ---------------------------------------------------------------------------------------------------------


def to_data(heap: Heap, number: Callable[[str, bytes], Any]) -> dict[str, Any]:
    """The heap for a test's file: pointers are null, "&NAME", "&NAME+OFFSET", "function NAME" or
    "elsewhere WHAT".

    ``number`` says what bytes are worth in a C type.
    """
    names = [one.name for one in heap.objects]
    return {
        "function": heap.function,
        "arguments": [
            {
                "name": one.name,
                "type": one.type,
                **(
                    {"copy" if one.is_copy else "pointer": _target_text(names, one.target)}
                    if one.is_pointer
                    else {"bytes": one.data.hex(), "value": number(one.type, one.data)}
                ),
            }
            for one in heap.arguments
        ],
        "objects": [
            {
                "name": one.name,
                "type": one.type,
                "length": one.length,
                "text": one.is_text,
                **({"variable": one.symbol, "foreign": one.is_foreign} if one.symbol else {}),
                "bytes": one.data.hex(),
                "cells": [_cell_data(names, one, cell, number) for cell in one.cells],
            }
            for one in heap.objects
        ],
    }


def _cell_data(
    names: Sequence[str], one: HeapObject, cell: HeapCell, number: Callable[[str, bytes], Any]
) -> dict[str, Any]:
    data: dict[str, Any] = {"path": cell.path, "offset": cell.offset, "size": cell.size, "type": cell.type}
    if cell.is_pointer:
        data["pointer"] = _target_text(names, cell.target)
    else:
        data["value"] = number(cell.type, bytes_of(cell, one.data))
    if cell.is_const:
        data["const"] = True
    return data if cell.is_touched else {**data, "untouched": True}


def _target_text(names: Sequence[str], target: Reference) -> str | None:
    match target:
        case None:
            return None
        case FunctionAddress(name):
            return f"function {name}"
        case Elsewhere(what):
            return f"elsewhere {what}"
        case Address(index, offset):
            return f"&{names[index]}" + (f"+{offset}" if offset else "")


def from_data(data: Mapping[str, Any]) -> Heap:
    """The heap that to_data described. Raises ValueError and its like for what is none."""
    names = [str(one["name"]) for one in data["objects"]]
    if len(set(names)) != len(names):
        raise ValueError("two objects of one name")
    return Heap(
        str(data["function"]),
        tuple([_argument(names, one) for one in data["arguments"]]),
        tuple([_object_of(names, one) for one in data["objects"]]),
    )


def _argument(names: Sequence[str], one: Mapping[str, Any]) -> HeapArgument:
    name, kind = str(one["name"]), str(one["type"])
    for key in ("pointer", "copy"):
        if key in one:
            return HeapArgument(name, kind, b"", True, _target(names, one[key]), key == "copy")
    return HeapArgument(name, kind, bytes.fromhex(one["bytes"]))


def _object_of(names: Sequence[str], one: Mapping[str, Any]) -> HeapObject:
    data = bytes.fromhex(one["bytes"])
    cells = []
    for cell in one["cells"]:
        target = _target(names, cell["pointer"]) if "pointer" in cell else None
        offset, size = int(cell["offset"]), int(cell["size"])
        if not 0 <= offset <= offset + size <= len(data):
            raise ValueError(f"{cell['path']} is not in {one['name']}")
        is_touched, is_const = not cell.get("untouched", False), bool(cell.get("const", False))
        path, kind = str(cell["path"]), str(cell["type"])
        cells.append(HeapCell(path, offset, size, kind, "pointer" in cell, target, is_touched, is_const))
    return HeapObject(
        str(one["name"]),
        str(one["type"]),
        int(one["length"]),
        data,
        tuple(cells),
        bool(one["text"]),
        str(one.get("variable", "")),
        bool(one.get("foreign", False)),
    )


def _target(names: Sequence[str], text: str | None) -> Reference:
    if text is None:
        return None
    if text.startswith("function "):
        return FunctionAddress(text.removeprefix("function "))
    if text.startswith("elsewhere "):
        return Elsewhere(text.removeprefix("elsewhere "))
    name, plus, offset = text.removeprefix("&").rpartition("+")
    if not plus or not offset.isdecimal():
        name, offset = text.removeprefix("&"), "0"
    return Address(names.index(name), int(offset))


# --- the heap that a run has come to ---------------------------------------------------------------------------------


def as_left(heap: Heap, state: State) -> Heap:
    """What a run on ``heap``, which is concrete, has made of its objects."""
    return replace(heap, objects=tuple([_left(heap, index, state) for index in range(len(heap.objects))]))


def _numbers(heap: Heap, state: State) -> list[int]:
    """The objects of a heap in the memory of a run on it."""
    known = {one.path: one.number for one in state.lazy.all}
    return [known[one.name] for one in heap.objects]


def _left(heap: Heap, index: int, state: State) -> HeapObject:
    one = heap.objects[index]
    item = state.memory.objects.get(_numbers(heap, state)[index])
    if item is None:
        return replace(one, type=f"{one.type} (freed)", cells=(), data=b"", length=0)
    cells = []
    for cell in one.cells:
        address = item.read(cell.offset, cell.size)
        is_touched = cell.is_touched or address != 0
        if cell.is_pointer and isinstance(address, int):
            cell = replace(cell, target=_seen(heap, state, address))
        cells.append(replace(cell, is_touched=is_touched))
    return replace(one, data=bytes(item.data), cells=tuple(cells))


def _seen(heap: Heap, state: State, address: int) -> Reference:
    """Where a pointer leads."""
    number = object_of(address)
    if address == 0:
        return None
    numbers = _numbers(heap, state)
    if number in numbers:
        return Address(numbers.index(number), offset_in(address))
    item = state.memory.objects.get(number)
    if item is not None:
        line = f" of line {item.site.line}" if item.site is not None else ""
        return Elsewhere(f"a block from {item.name}{line}" if item.kind == "heap" else item.name)
    return Elsewhere("what is gone" if number else f"{address:#x}")
