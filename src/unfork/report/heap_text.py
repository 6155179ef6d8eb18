"""A heap as lines of text: each object with its fields, what they hold and where they lead."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.inputs.escape import quoted, shown
from unfork.inputs.heap_data import Address, Elsewhere, FunctionAddress, Heap, HeapObject, Reference, bytes_of
from unfork.inputs.testcase import value_of

MOST_FIELDS = 40
"""Fields of one object that are drawn."""
UNTOUCHED = "?"
"""What is drawn for a field that the path has not read: it may hold anything."""


@dataclass(frozen=True, slots=True)
class Row:
    """A field of a drawn object: what it is called, what it holds in words, and the object that it leads to."""

    name: str
    text: str
    target: int | None = None
    is_untouched: bool = False


def call_text(heap: Heap) -> str:
    """The call, with the arguments that are numbers."""
    words = []
    for one in heap.arguments:
        if one.is_pointer:
            words.append(shown(one.name))
        else:
            words.append(f"{shown(one.name)} = {value_of(one.type, one.data)}")
    return f"{shown(heap.function)}({', '.join(words)})"


def rows_of_arguments(heap: Heap) -> list[Row]:
    """The arguments that are pointers."""
    return [_row(heap, one.name, one.target) for one in heap.arguments if one.is_pointer]


def rows_of(heap: Heap, one: HeapObject) -> list[Row]:
    """The fields of an object that are worth drawing."""
    if one.is_text:
        return [Row("", quoted(one.data))]
    rows = []
    for cell in one.cells[:MOST_FIELDS]:
        name = shown(cell.path.removeprefix(one.name).removeprefix("->"))
        if not cell.is_touched:
            rows.append(Row(name, UNTOUCHED, is_untouched=True))
        elif cell.is_pointer:
            rows.append(_row(heap, name, cell.target))
        else:
            rows.append(Row(name, str(value_of(cell.type, bytes_of(cell, one.data)))))
    if len(one.cells) > MOST_FIELDS:
        rows.append(Row("", f"... and {len(one.cells) - MOST_FIELDS} more"))
    return rows


def title_of(one: HeapObject) -> str:
    """What an object is called: its type, with the number of its elements."""
    if not one.data and not one.cells and one.length == 0:
        return f"{shown(one.type)} (nothing is known of it)"
    return shown(one.type) + (f"[{one.length}]" if one.length != 1 or one.is_text else "")


def drawn(heap: Heap) -> list[str]:
    """The whole heap."""
    lines = [call_text(heap)]
    lines += [f"  {shown(row.name)} {_leads(row)}" for row in rows_of_arguments(heap)]
    for index, one in enumerate(heap.objects):
        lines.append(f"  [{index + 1}] {title_of(one)}  {shown(one.name)}")
        for row in rows_of(heap, one):
            lines.append(f"        {f'{row.name} {_leads(row)}'.strip()}")
    return lines


def _leads(row: Row) -> str:
    if row.target is not None:
        return f"-> {row.text}"
    return f"= {row.text}" if row.name else row.text


def _row(heap: Heap, name: str, target: Reference) -> Row:
    match target:
        case Address(index, offset):
            return Row(name, f"[{index + 1}]" + (f" + {offset}" if offset else ""), index)
        case FunctionAddress(function):
            return Row(name, f"{shown(function)}()")
        case Elsewhere(what):
            return Row(name, shown(what))
        case None:
            return Row(name, "null")
