"""C that builds the heap of a test, field by field, sets its variables, and calls the function with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from unfork.clang.escape import c_comment, c_string
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
from unfork.inputs.testcase import c_bytes, c_integer, value_of

SUPPORT = """
extern void *calloc(unsigned long, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
static struct unfork_array { const void *start; unsigned long length; void *block; } unfork_arrays[%(count)d];
static unsigned unfork_array_count;
static void *unfork_made(unsigned long length, unsigned long size) {
    char *block = calloc(length ? length : 1, size);
    char *start = length ? block : block + size; /* of no elements, no byte is good */
    unfork_arrays[unfork_array_count].start = start;
    unfork_arrays[unfork_array_count].block = block;
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
}"""
_WORD = re.compile(r"\W+")
_UNDECLARABLE = "{(["
"""Signs of a type that has no short declaration: a struct without a name, a pointer to a function, an array."""
_PLAIN = frozenset("unsigned signed char short int long float double _Bool void __int128 *".split())
"""Words of types that every file knows."""
_UNNAMED = ("((unsigned char *)", "*(")
"""How the C expression of a cell begins that is not a member."""


def main_of(heap: Heap, known: Collection[str], *, returns_integer: bool, needs_length: bool) -> str:
    """A main that makes the objects, calls the function, and ends as a run of it does; before it, what that needs.

    ``known`` are the types of which the file says what is in them; objects of others are written as bytes.
    """
    names = _variables(heap.objects)
    lines = [SUPPORT % {"count": len(heap.objects) + 1}]
    for heap_object, name in zip(heap.objects, names, strict=True):
        if heap_object.is_foreign:
            lines.append(f"extern unsigned char {name}[] __asm__({c_string(heap_object.symbol)});")
    lines += [LENGTH, "int main(void) {"] if needs_length else ["int main(void) {"]
    for heap_object, name in zip(heap.objects, names, strict=True):
        lines.append(f"    {_declaration(heap_object, name, known)} /* {c_comment(heap_object.name)} */")
    for heap_object, name in zip(heap.objects, names, strict=True):
        lines += [f"    {line}" for line in _contents(heap_object, name, names, known)]
    values = []
    for position, argument in enumerate(heap.arguments):
        value, needed = _argument(argument, position, names)
        lines += [f"    {line}" for line in needed]
        values.append(value)
    call = f"{heap.function}({', '.join(values)})"
    lines.append(f"    return (int){call};" if returns_integer else f"    {call};\n    return 0;")
    return "\n".join([*lines, "}"]) + "\n"


def _variables(objects: Sequence[HeapObject]) -> list[str]:
    """C for the address of each object: a pointer named after it, or the expression that the file has for it."""
    variables: list[str] = []
    for index, heap_object in enumerate(objects):
        if heap_object.symbol and not heap_object.is_foreign:
            variables.append(f"({heap_object.name})")
            continue
        name = "unfork_" + _WORD.sub("_", heap_object.name).strip("_")
        variables.append(name if name not in variables else f"{name}_{index}")
    return variables


def _is_typed(heap_object: HeapObject, known: Collection[str]) -> bool:
    """Whether the file can say the type of an object."""
    kind = heap_object.type
    if any(mark in kind for mark in _UNDECLARABLE) or not (heap_object.data or heap_object.cells):
        return False
    base = kind.rstrip(" *")
    is_tagged = kind.endswith("*") and base.startswith(("struct ", "union "))
    return is_tagged or base in known or _PLAIN.issuperset(base.split())


def _declaration(heap_object: HeapObject, name: str, known: Collection[str]) -> str:
    if heap_object.symbol:
        return f"unfork_kept({name}, {heap_object.length});"
    if _is_typed(heap_object, known):
        pointer = f"{heap_object.type}*" if heap_object.type.endswith("*") else f"{heap_object.type} *"
        return f"{pointer}{name} = unfork_made({heap_object.length}, sizeof({heap_object.type}));"
    if heap_object.length == 0:
        return f"void *{name} = unfork_made(0, 1);"
    return f"void *{name} = unfork_made({heap_object.length}, {len(heap_object.data) // heap_object.length});"


def _contents(heap_object: HeapObject, name: str, names: Sequence[str], known: Collection[str]) -> list[str]:
    """Assignments of what the path has read; the rest may be anything, and is 0."""
    if heap_object.is_text:
        return [_copy(name, heap_object.data, "")]
    lines = []
    for cell in heap_object.cells:
        if not cell.is_touched:
            continue
        if heap_object.symbol:
            location, is_named = cell.path, not heap_object.is_foreign and not cell.path.startswith(_UNNAMED)
        else:
            location = name + cell.path.removeprefix(heap_object.name)
            is_named = _is_typed(heap_object, known) and cell.path.startswith(heap_object.name)
        is_named = is_named and not cell.is_const
        if cell.is_pointer:
            value = _pointer(cell.target, names)
            if is_named:
                lines.append(f"{location} = {value};")
            else:
                lines.append(f"memcpy((char *){name} + {cell.offset}, &(void *){{{value}}}, {cell.size});")
            continue
        data = bytes_of(cell, heap_object.data)
        literal = _literal(value_of(cell.type, data)) if is_named else None
        if literal is not None:
            lines.append(f"{location} = {literal};")
        else:
            lines.append(_copy(f"(char *){name} + {cell.offset}", data, _remark(cell)))
    return lines


def _remark(cell: HeapCell) -> str:
    return f" /* {c_comment(cell.path)} */"


def _copy(location: str, data: bytes, remark: str) -> str:
    return f"memcpy({location}, (const unsigned char[]){{{c_bytes(data)}}}, {len(data)});{remark}"


def _literal(value: object) -> str | None:
    """An integer as a C constant; None for a value that must be written byte by byte."""
    return c_integer(value) if isinstance(value, int) else None


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


def _argument(argument: HeapArgument, position: int, names: Sequence[str]) -> tuple[str, list[str]]:
    """(the expression that is passed, the lines that must come before the call)."""
    if argument.is_copy:
        assert isinstance(argument.target, Address)
        return f"*({argument.type} *){names[argument.target.index]}", []
    if argument.is_pointer:
        return _pointer(argument.target, names), []
    literal = _literal(value_of(argument.type, argument.data))
    if literal is not None:
        return f"/* {argument.name} = */ {literal}", []
    name = f"unfork_argument_{position}"
    return name, [f"{argument.type} {name};", _copy(f"&{name}", argument.data, "")]
