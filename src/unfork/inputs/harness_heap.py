"""C that builds the heap of a test, field by field, sets its variables, and calls the function with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from unfork.inputs.escape import c_comment, c_string
from unfork.inputs.heap_data import (
    Address,
    Elsewhere,
    FunctionAddress,
    Heap,
    HeapArgument,
    HeapCell,
    HeapObject,
    Reference,
    bytes_of,
)

SUPPORT = """
extern void *calloc(unsigned long, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
static struct unfork_array { const void *start; unsigned long length; } unfork_arrays[%(count)d];
static unsigned unfork_array_count;
static void *unfork_made(unsigned long length, unsigned long size) {
    void *start = calloc(length, size);
    unfork_arrays[unfork_array_count].start = start;
    unfork_arrays[unfork_array_count++].length = length;
    return start;
}
static void unfork_kept(const void *start, unsigned long length) {
    unfork_arrays[unfork_array_count].start = start;
    unfork_arrays[unfork_array_count++].length = length;
}
"""
LENGTH = """unsigned long unfork_length(const void *array) {
    unsigned i;
    for (i = 0; i < unfork_array_count; i++)
        if (unfork_arrays[i].start == array) return unfork_arrays[i].length;
    return 0;
}
"""
_WORD = re.compile(r"\W+")
_UNDECLARABLE = "{(["
"""In the names of types that have no short declaration: structs without a name, pointers to functions, arrays."""

_UNNAMED = ("((unsigned char *)", "*(")
"""How the C expressions begin of cells that are no members."""

Number = Callable[[str, bytes], int | float | str | None]
"""What bytes are worth in a C type."""


def main_of(heap: Heap, returns_integer: bool, number: Number) -> str:
    """A main that makes the objects, calls the function, and ends as a run of it does."""
    names = _variables(heap.objects)
    lines = [SUPPORT % {"count": len(heap.objects) + 1}]
    for one, name in zip(heap.objects, names, strict=True):
        if one.is_foreign:
            lines.append(f"extern unsigned char {name}[] __asm__({c_string(one.symbol)});")
    lines.append("int main(void) {")
    for one, name in zip(heap.objects, names, strict=True):
        lines.append(f"    {_made(one, name)} /* {c_comment(one.name)} */")
    for one, name in zip(heap.objects, names, strict=True):
        lines += [f"    {line}" for line in _contents(one, name, names, number)]
    values = []
    for position, argument in enumerate(heap.arguments):
        value, needed = _argument(argument, position, names, number)
        lines += [f"    {line}" for line in needed]
        values.append(value)
    call = f"{heap.function}({', '.join(values)})"
    lines.append(f"    return (int){call};" if returns_integer else f"    {call};\n    return 0;")
    return "\n".join([*lines, "}"]) + "\n"


def _variables(objects: Sequence[HeapObject]) -> list[str]:
    """A variable for each object, named after it; of a variable that the file knows, its address."""
    found: list[str] = []
    for index, one in enumerate(objects):
        if one.symbol and not one.is_foreign:
            found.append(f"({one.name})")
            continue
        name = "unfork_" + _WORD.sub("_", one.name).strip("_")
        found.append(name if name not in found else f"{name}_{index}")
    return found


def _is_typed(one: HeapObject) -> bool:
    return not any(mark in one.type for mark in _UNDECLARABLE) and bool(one.data or one.cells)


def _made(one: HeapObject, name: str) -> str:
    if one.symbol:
        return f"unfork_kept({name}, {one.length});"
    if _is_typed(one):
        pointer = f"{one.type}*" if one.type.endswith("*") else f"{one.type} *"
        return f"{pointer}{name} = unfork_made({one.length}, sizeof({one.type}));"
    if one.length == 0:
        return f"void *{name} = unfork_made(0, 1);"
    return f"void *{name} = unfork_made({one.length}, {len(one.data) // one.length});"


def _contents(one: HeapObject, name: str, names: Sequence[str], number: Number) -> list[str]:
    """Assignments of what the path has read; the rest may be anything, and is 0."""
    if one.is_text:
        return [_copied(name, one.data, "")]
    lines = []
    for cell in one.cells:
        if not cell.is_touched:
            continue
        if one.symbol:
            place, is_named = cell.path, not one.is_foreign and not cell.path.startswith(_UNNAMED)
        else:
            place = name + cell.path.removeprefix(one.name)
            is_named = _is_typed(one) and cell.path.startswith(one.name)
        is_named = is_named and not cell.is_const
        if cell.is_pointer:
            value = _pointer(cell.target, names)
            if is_named:
                lines.append(f"{place} = {value};")
            else:
                lines.append(f"memcpy((char *){name} + {cell.offset}, &(void *){{{value}}}, {cell.size});")
            continue
        data = bytes_of(cell, one.data)
        literal = _literal(number(cell.type, data)) if is_named else None
        if literal is not None:
            lines.append(f"{place} = {literal};")
        else:
            lines.append(_copied(f"(char *){name} + {cell.offset}", data, _remark(cell)))
    return lines


def _remark(cell: HeapCell) -> str:
    return f" /* {c_comment(cell.path)} */"


def _copied(place: str, data: bytes, remark: str) -> str:
    return f"memcpy({place}, (const unsigned char[]){{{', '.join(map(str, data))}}}, {len(data)});{remark}"


def _literal(value: object) -> str | None:
    """An integer as a constant of C; None for what is written byte by byte."""
    if not isinstance(value, int):
        return None
    if value >= 1 << 63:
        return f"{value}ULL" if value < 1 << 64 else None
    if value == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    if abs(value) >= 1 << 31:
        return f"{value}LL" if value != -(1 << 31) else "(-2147483647 - 1)"
    return str(value)


def _pointer(target: Reference, names: Sequence[str]) -> str:
    match target:
        case Address(index, 0):
            return f"(void *){names[index]}"
        case Address(index, offset):
            return f"(void *)((char *){names[index]} + {offset})"
        case FunctionAddress(name):
            return f"(void *){name}"
        case Elsewhere() | None:
            return "0"


def _argument(one: HeapArgument, position: int, names: Sequence[str], number: Number) -> tuple[str, list[str]]:
    """(the expression that is passed, what must be declared before)."""
    if one.is_copy:
        assert isinstance(one.target, Address)
        return f"*({one.type} *){names[one.target.index]}", []
    if one.is_pointer:
        return _pointer(one.target, names), []
    literal = _literal(number(one.type, one.data))
    if literal is not None:
        return f"/* {one.name} = */ {literal}", []
    name = f"unfork_argument_{position}"
    return name, [f"{one.type} {name};", _copied(f"&{name}", one.data, "")]
