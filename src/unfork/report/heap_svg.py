"""A heap as a picture: boxes with fields, arrows for pointers, clouds for what the path has not read."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from unfork.clang.escape import shown
from unfork.inputs.heap_data import Heap
from unfork.report.test_words import Row, call_text, rows_of, rows_of_arguments, title_of

_LINE, _LETTER, _PAD, _GAP = 20, 7.5, 10, 90
"""Pixels: the height of a row, the width of a letter, the padding in a box, the gap between columns."""
_STYLE = (
    "text{font:13px monospace}.box{fill:#fff;stroke:#333}.head{fill:#e8eef7;stroke:#333}.edge{fill:none;stroke:#25c}"
    ".cloud{fill:#f4f4f4;stroke:#999;stroke-dasharray:3 2}"
)


@dataclass(slots=True)
class _Box:
    """A drawn object; the first one holds the arguments."""

    title: str
    rows: list[Row]
    column: int = 0
    x: float = 0
    y: float = 0

    @property
    def width(self) -> float:
        longest = max([len(self.title), *(len(_text(row)) for row in self.rows)])
        return longest * _LETTER + 2 * _PAD

    @property
    def height(self) -> float:
        return (len(self.rows) + 1) * _LINE


def picture(heap: Heap) -> str:
    """The heap as an SVG document."""
    boxes = [_Box(call_text(heap), rows_of_arguments(heap))]
    boxes += [_Box(f"{title_of(item)} {shown(item.name)}", rows_of(heap, item)) for item in heap.objects]
    _place_columns(boxes)
    width, height = _place(boxes)
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="tip" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#25c"/></marker></defs>',
    ]
    for box in boxes:
        parts += _drawn(box)
    for box in boxes:
        parts += _edges(box, boxes)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _text(row: Row) -> str:
    return f"{row.name} = {row.text}" if row.name else row.text


def _place_columns(boxes: list[_Box]) -> None:
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


def _place(boxes: list[_Box]) -> tuple[float, float]:
    """Set the places of all boxes; returns the width and height of the picture."""
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


def _drawn(box: _Box) -> list[str]:
    parts = [
        f'<rect class="box" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"/>',
        f'<rect class="head" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{_LINE}"/>',
        _words(box.title, box.x + _PAD, box.y + 14),
    ]
    for number, row in enumerate(box.rows, 1):
        y = box.y + number * _LINE
        if row.is_untouched:
            parts.append(_cloud(box.x + box.width + 25, y + _LINE / 2))
            parts.append(_edge(box.x + box.width - 4, y + _LINE / 2, box.x + box.width + 8, y + _LINE / 2))
        parts.append(_words(_text(row), box.x + _PAD, y + 14))
    return parts


def _words(text: str, x: float, y: float) -> str:
    return f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _cloud(x: float, y: float) -> str:
    """Three overlapping ellipses."""
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
