"""A test as lines of text: what it gives the program and expects, and its heap with fields, values and pointers."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.clang.escape import quoted, shown
from unfork.inputs.heap_data import Address, Elsewhere, FunctionAddress, Heap, HeapObject, Reference, bytes_of
from unfork.inputs.testcase import Error, Exit, TestCase, TestInput, readable_number, value_of
from unfork.report.text import plural
from unfork.state.state import UNDEFINED_REGISTERS

_BYTES_SHOWN = 64
MOST_FIELDS = 40
"""The most fields of an object that are drawn."""
UNTOUCHED = "?"
"""Drawn for a field that the path has not read, and which may hold anything."""


@dataclass(frozen=True, slots=True)
class Row:
    """A field of a drawn object: its name, its value in words, and the number of the object that it points to."""

    name: str
    text: str
    target: int | None = None
    is_untouched: bool = False


def call_text(heap: Heap) -> str:
    """The call, with its arguments; those that are numbers have their values."""
    words = []
    for argument in heap.arguments:
        if argument.is_pointer:
            words.append(shown(argument.name))
        else:
            words.append(f"{shown(argument.name)} = {value_of(argument.type, argument.data)}")
    return f"{shown(heap.function)}({', '.join(words)})"


def rows_of_arguments(heap: Heap) -> list[Row]:
    """The arguments that are pointers, as rows."""
    return [_row(heap, argument.name, argument.target) for argument in heap.arguments if argument.is_pointer]


def rows_of(heap: Heap, item: HeapObject) -> list[Row]:
    """The fields of an object, as many as are drawn, or its text as a whole."""
    if item.is_text:
        return [Row("", quoted(item.data))]
    rows = []
    for cell in item.cells[:MOST_FIELDS]:
        name = shown(cell.path.removeprefix(item.name).removeprefix("->"))
        if not cell.is_touched:
            rows.append(Row(name, UNTOUCHED, is_untouched=True))
        elif cell.is_pointer:
            rows.append(_row(heap, name, cell.target))
        else:
            rows.append(Row(name, str(value_of(cell.type, bytes_of(cell, item.data)))))
    if len(item.cells) > MOST_FIELDS:
        rows.append(Row("", f"... and {len(item.cells) - MOST_FIELDS} more"))
    return rows


def title_of(item: HeapObject) -> str:
    """The title of an object: its type, and the number of its elements."""
    if not item.data and not item.cells and item.length == 0:
        return f"{shown(item.type)} (nothing is known of it)"
    return shown(item.type) + (f"[{item.length}]" if item.length != 1 or item.is_text else "")


def drawn(heap: Heap) -> list[str]:
    """The whole heap, line by line."""
    lines = [call_text(heap)]
    lines += [f"  {shown(row.name)} {_leads(row)}" for row in rows_of_arguments(heap)]
    for index, item in enumerate(heap.objects):
        lines.append(f"  [{index + 1}] {title_of(item)}  {shown(item.name)}")
        for row in rows_of(heap, item):
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


def expected(test: TestCase) -> str:
    """What a test expects, in words."""
    match test.expect:
        case Exit(None):
            return "abort()"
        case Exit(status):
            return f"exit status {status}"
        case Error() as error:
            return error.words()
        case None:
            return "nothing: the path was cut before its end"


def inputs_text(test: TestCase) -> list[str]:
    """The inputs of a test, one per line."""
    if not test.inputs:
        return ["inputs: none"]
    lines = ["inputs:"]
    undefined = [entry for entry in test.inputs if is_undefined(entry)]
    for entry in test.inputs:
        if entry in undefined:
            continue
        number = readable_number(entry)
        value = f" = {number}" if number is not None else ""
        kind = "" if entry.kind == "symbolic" else f" ({entry.kind})"
        lines.append(f"  {shown(entry.name)}{value}{kind}  {plural(len(entry.data), 'byte')}: {in_hex(entry.data)}")
    if undefined:
        lines.append(f"  and {plural(len(undefined), 'undefined value')}, 0 here")
    return lines


def is_undefined(entry: TestInput) -> bool:
    """Whether an input is an undefined value that is 0, of which there may be many."""
    return entry.name.startswith(UNDEFINED_REGISTERS) and not any(entry.data)


def world_text(test: TestCase) -> list[str]:
    """The arguments, standard input, files and output of a test, one per line, escaped."""
    words = [quoted(word.encode("utf-8", "surrogateescape")) for word in test.args]
    lines = [f"arguments: {' '.join(words)}"] if words else []
    if test.stdin:
        lines.append(f"standard input: {contents(test.stdin)}")
    lines += [f"file {shown(name)}: {contents(data)}" for name, data in test.files]
    if test.stdout:
        lines.append(f"prints: {contents(test.stdout)}")
    return lines


def in_hex(data: bytes) -> str:
    """Bytes in hexadecimal, as many as a line has room for."""
    return data[:_BYTES_SHOWN].hex(" ") + (" ..." if len(data) > _BYTES_SHOWN else "")


def contents(data: bytes) -> str:
    """Bytes as text in quotes, as many as a line has room for."""
    if len(data) <= _BYTES_SHOWN:
        return quoted(data)
    return f"{quoted(data[:_BYTES_SHOWN])}... ({len(data):,} bytes)"


def heap_text(test: TestCase) -> list[str]:
    """The heap that a test gives its function."""
    heap = test.command.heap
    return [] if heap is None else ["", "the heap that it is given:", *drawn(heap)]
