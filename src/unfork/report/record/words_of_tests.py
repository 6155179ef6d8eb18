"""A test as lines of text: inputs, expected end, and heap, as text and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from unfork.engine.state.state import UNDEFINED_REGISTERS
from unfork.program.c.escape import escape_text, quote_bytes
from unfork.report.record.text import plural
from unfork.world.inputs.heap_data import (
    FunctionAddress,
    Heap,
    HeapAddress,
    HeapObject,
    OutsideLocation,
    Reference,
    bytes_of,
)
from unfork.world.inputs.testcase import Error, Exit, TestCase, TestInput, readable_number, value_of

_BYTES_SHOWN = 64
MOST_FIELDS = 40
"""The most fields of an object in a picture."""
UNTOUCHED = "?"
"""Stands for a field that the path has not read, with any value."""


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field of a drawn object: name, value in words, number of the object that it points to."""

    name: str
    text: str
    target: int | None = None
    is_untouched: bool = False


def call_text(heap: Heap) -> str:
    """The call with its arguments; numbers have their values."""
    words = []
    for argument in heap.arguments:
        if argument.is_pointer:
            words.append(escape_text(argument.name))
        else:
            words.append(f"{escape_text(argument.name)} = {value_of(argument.type, argument.data)}")
    return f"{escape_text(heap.function)}({', '.join(words)})"


def rows_of_arguments(heap: Heap) -> list[FieldRow]:
    """The pointers among the arguments, as rows."""
    return [_row(argument.name, argument.target) for argument in heap.arguments if argument.is_pointer]


def rows_of(item: HeapObject) -> list[FieldRow]:
    """The fields of an object, up to MOST_FIELDS, or its whole text."""
    if item.is_text:
        return [FieldRow("", quote_bytes(item.data))]
    rows = []
    for cell in item.cells[:MOST_FIELDS]:
        name = escape_text(cell.path.removeprefix(item.name).removeprefix("->"))
        if not cell.is_touched:
            rows.append(FieldRow(name, UNTOUCHED, is_untouched=True))
        elif cell.is_pointer:
            rows.append(_row(name, cell.target))
        else:
            rows.append(FieldRow(name, str(value_of(cell.type, bytes_of(cell, item.data)))))
    if len(item.cells) > MOST_FIELDS:
        rows.append(FieldRow("", f"... and {len(item.cells) - MOST_FIELDS} more"))
    return rows


def title_of(item: HeapObject) -> str:
    """The title of an object: its type, and the number of its elements."""
    if not item.data and not item.cells and item.length == 0:
        return f"{escape_text(item.type)} (nothing is known of it)"
    return escape_text(item.type) + (f"[{item.length}]" if item.length != 1 or item.is_text else "")


def heap_lines(heap: Heap) -> list[str]:
    """The whole heap, line by line."""
    lines = [call_text(heap)]
    lines += [f"  {escape_text(row.name)} {_leads(row)}" for row in rows_of_arguments(heap)]
    for index, item in enumerate(heap.objects):
        lines.append(f"  [{index + 1}] {title_of(item)}  {escape_text(item.name)}")
        for row in rows_of(item):
            lines.append(f"        {f'{row.name} {_leads(row)}'.strip()}")
    return lines


def _leads(row: FieldRow) -> str:
    if row.target is not None:
        return f"-> {row.text}"
    return f"= {row.text}" if row.name else row.text


def _row(name: str, target: Reference) -> FieldRow:
    match target:
        case HeapAddress(index, offset):
            return FieldRow(name, f"[{index + 1}]" + (f" + {offset}" if offset else ""), index)
        case FunctionAddress(function):
            return FieldRow(name, escape_text(function if "+" in function else f"{function}()"))
        case OutsideLocation(what):
            return FieldRow(name, escape_text(what))
        case None:
            return FieldRow(name, "null")


def expectation_words(test: TestCase) -> str:
    """The expected end of a test, in words."""
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
    """The inputs of a test, one a line."""
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
        lines.append(
            f"  {escape_text(entry.name)}{value}{kind}  {plural(len(entry.data), 'byte')}: {in_hex(entry.data)}"
        )
    if undefined:
        lines.append(f"  and {plural(len(undefined), 'undefined value')}, 0 here")
    return lines


def is_undefined(entry: TestInput) -> bool:
    """Whether an input is an undefined value of 0, of which there may be many."""
    return entry.name.startswith(UNDEFINED_REGISTERS) and not any(entry.data)


def world_text(test: TestCase) -> list[str]:
    """Arguments, standard input, files and output of a test, one a line, escaped."""
    words = [quote_bytes(word.encode("utf-8", "surrogateescape")) for word in test.args]
    lines = [f"arguments: {' '.join(words)}"] if words else []
    if test.stdin:
        lines.append(f"standard input: {contents(test.stdin)}")
    lines += [f"file {escape_text(name)}: {contents(data)}" for name, data in test.files]
    for name, value in test.environment:
        lines.append(f"variable {escape_text(name)}: {'not set' if value is None else quote_bytes(value)}")
    if test.stdout:
        lines.append(f"prints: {contents(test.stdout)}")
    return lines


def in_hex(data: bytes) -> str:
    """Bytes in hexadecimal, cut to a line."""
    return data[:_BYTES_SHOWN].hex(" ") + (" ..." if len(data) > _BYTES_SHOWN else "")


def contents(data: bytes) -> str:
    """Bytes as text in quotes, cut to a line."""
    if len(data) <= _BYTES_SHOWN:
        return quote_bytes(data)
    return f"{quote_bytes(data[:_BYTES_SHOWN])}... ({len(data):,} bytes)"


def lanes(test: TestCase) -> list[list[str]]:
    """The schedule as a table with headings: the line, then each thread's action and [its locks].

    A program without threads has no table.
    """
    if not test.schedule:
        return []
    threads = 1 + max(turn.thread for turn in test.schedule)
    rows = [["line", "main", *[f"thread {number}" for number in range(1, threads)]]]
    for turn in test.schedule:
        held = f" [{escape_text(', '.join(turn.holds))}]" if turn.holds else ""
        row = ["" if turn.line is None else str(turn.line), *[""] * threads]
        row[1 + turn.thread] = f"{escape_text(f'{turn.does} {turn.what}'.strip())}{held}"
        rows.append(row)
    return rows


def schedule_text(test: TestCase) -> list[str]:
    """The schedule of a test, one turn a line."""
    rows = lanes(test)
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].rjust(widths[0]), *map(str.ljust, row[1:], widths[1:])]).rstrip() for row in rows]
    return ["", "the schedule, with the locks that are held:", *[f"  {line}" for line in lines]]


def heap_text(test: TestCase) -> list[str]:
    """The heap of a function's test."""
    heap = test.command.heap
    return [] if heap is None else ["", "the heap that it is given:", *heap_lines(heap)]


# --- the heap as a picture: boxes with fields, arrows for pointers, clouds for unread parts

_LINE, _LETTER, _PAD, _GAP = 20, 7.5, 10, 90
"""Pixels: height of a row, width of a letter, padding of a box, gap between columns."""
_STYLE = (
    "text{font:13px monospace}.box{fill:#fff;stroke:#333}.head{fill:#e8eef7;stroke:#333}.edge{fill:none;stroke:#25c}"
    ".cloud{fill:#f4f4f4;stroke:#999;stroke-dasharray:3 2}"
)


@dataclass(slots=True)
class _Box:
    """A drawn object; the first one has the arguments."""

    title: str
    rows: list[FieldRow]
    column: int = 0
    x: float = 0
    y: float = 0

    @property
    def width(self) -> float:
        longest = max([len(self.title), *(len(_row_text(row)) for row in self.rows)])
        return longest * _LETTER + 2 * _PAD

    @property
    def height(self) -> float:
        return (len(self.rows) + 1) * _LINE


def picture(heap: Heap) -> str:
    """The heap as an SVG document."""
    boxes = [_Box(call_text(heap), rows_of_arguments(heap))]
    boxes += [_Box(f"{title_of(item)} {escape_text(item.name)}", rows_of(item)) for item in heap.objects]
    _choose_columns(boxes)
    width, height = _arrange(boxes)
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="tip" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#25c"/></marker></defs>',
    ]
    for box in boxes:
        parts += _box(box)
    for box in boxes:
        parts += _edges(box, boxes)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row_text(row: FieldRow) -> str:
    return f"{row.name} = {row.text}" if row.name else row.text


def _choose_columns(boxes: list[_Box]) -> None:
    """Put each object one column to the right of the first object that points to it."""
    seen = {0}
    waiting = [0]
    while waiting:
        number = waiting.pop(0)
        for row in boxes[number].rows:
            if row.target is not None and row.target + 1 not in seen:
                seen.add(row.target + 1)
                boxes[row.target + 1].column = boxes[number].column + 1
                waiting.append(row.target + 1)


def _arrange(boxes: list[_Box]) -> tuple[float, float]:
    """Give all boxes their coordinates; returns the width and height of the picture."""
    x, bottom = float(_PAD), 0.0
    for column in range(max(box.column for box in boxes) + 1):
        here = [box for box in boxes if box.column == column]
        y = float(_PAD)
        for box in here:
            box.x, box.y = x, y
            y += box.height + _LINE
        x += max((box.width for box in here), default=0) + _GAP
        bottom = max(bottom, y)
    return x, bottom


def _box(box: _Box) -> list[str]:
    parts = [
        f'<rect class="box" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"/>',
        f'<rect class="head" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{_LINE}"/>',
        _label(box.title, box.x + _PAD, box.y + 14),
    ]
    for number, row in enumerate(box.rows, 1):
        y = box.y + number * _LINE
        if row.is_untouched:
            parts.append(_cloud(box.x + box.width + 25, y + _LINE / 2))
            parts.append(_edge(box.x + box.width - 4, y + _LINE / 2, box.x + box.width + 8, y + _LINE / 2))
        parts.append(_label(_row_text(row), box.x + _PAD, y + 14))
    return parts


def _label(text: str, x: float, y: float) -> str:
    return f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _cloud(x: float, y: float) -> str:
    rounds = ((-8, 2, 9, 6), (8, 2, 9, 6), (0, -2, 11, 7))
    return "".join(
        f'<ellipse class="cloud" cx="{x + dx:g}" cy="{y + dy:g}" rx="{rx}" ry="{ry}"/>' for dx, dy, rx, ry in rounds
    )


def _edges(box: _Box, boxes: list[_Box]) -> list[str]:
    edges = []
    for number, row in enumerate(box.rows, 1):
        if row.target is None:
            continue
        to = boxes[row.target + 1]
        y = box.y + number * _LINE + _LINE / 2
        if to.column > box.column:
            edges.append(_edge(box.x + box.width, y, to.x, to.y + _LINE / 2))
        else:  # backwards or to itself: around the right side
            edges.append(_edge(box.x + box.width, y, to.x + to.width, to.y + _LINE / 2, bend=60))
    return edges


def _edge(x: float, y: float, to_x: float, to_y: float, bend: float = 0) -> str:
    half = bend or (to_x - x) / 2
    far = to_x + bend if bend else to_x - half
    path = f"M{x:g},{y:g} C{x + half:g},{y:g} {far:g},{to_y:g} {to_x:g},{to_y:g}"
    return f'<path class="edge" d="{path}" marker-end="url(#tip)"/>'
