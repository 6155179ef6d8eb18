"""The global variables of a module, each read on first use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from unfork.errors import Unsupported
from unfork.llvm.lexer import ReadError
from unfork.llvm.module import GlobalVariable

COUNT = re.compile(r"(\d+) x ")
TYPE_NAME = re.compile(r'%[-\w.$]+|%"[^"]*"')
START = re.compile(r" = (?:[^=\[{<]* )??(?:global|constant) ")
BYTES = re.compile(r"\[(\d+) x i8\]")
BRACKET = re.compile(r"[\[\]{}<>()]")
WIDE = re.compile(r"align \d{5}")
_LARGE = 1 << 13
_WIDEST = 16
"""The most bytes that a scalar field takes, padding included."""


class Globals(Mapping[str, GlobalVariable]):
    """``lines`` has the text of each, ``read`` makes a variable of it. Raises Unsupported for what cannot be read."""

    def __init__(self, lines: dict[str, str], read: Callable[[str], GlobalVariable]) -> None:
        self._lines = lines
        self._read = read
        self._known: dict[str, GlobalVariable] = {}

    def __getitem__(self, name: str) -> GlobalVariable:
        variable = self._known.get(name)
        if variable is None:
            line = self._lines[name]
            try:
                variable = self._known[name] = self._read(line)
            except (ReadError, ValueError, KeyError, IndexError) as error:
                raise Unsupported(f"the global {name} ({error})") from error
        return variable

    def __contains__(self, name: object) -> bool:
        return name in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def first_looked_at(lines: Mapping[str, str], types: Mapping[str, str]) -> tuple[str, ...]:
    """The variables that must be read before the program starts.

    They may be large or widely aligned, so that they take several names, or hold addresses of labels, which are
    numbered in the order in which they are met.
    """
    sizes = _most_bytes_of(types)
    return tuple(
        name
        for name, line in lines.items()
        if _most_bytes(_type_in(line), sizes) > _LARGE or "blockaddress(" in line or WIDE.search(line, len(line) - 200)
    )


def _type_in(line: str) -> str:
    """The text of a variable's type, or more."""
    start = START.search(line)
    if start is None:
        return line
    if line[start.end()] not in "[{<":
        return line[start.end() : line.find(" ", start.end() + 1)]
    simple = BYTES.match(line, start.end())
    if simple is not None:
        return simple[0]
    depth = 0
    for bracket in BRACKET.finditer(line, start.end()):
        depth += 1 if bracket[0] in "[{<(" else -1
        if depth == 0:
            return line[start.end() : bracket.end()]
    return line


def _most_bytes(text: str, sizes: Mapping[str, int]) -> int:
    """A bound on the bytes of a type: as if each field were the largest, and each count applied to the whole."""
    counts = math.prod(int(count) or 1 for count in COUNT.findall(text))
    if BYTES.fullmatch(text):
        return counts
    parts = max((sizes.get(name, 0) for name in TYPE_NAME.findall(text)), default=0)
    return counts * (text.count(",") + 1) * max(parts, _WIDEST)


def _most_bytes_of(types: Mapping[str, str]) -> dict[str, int]:
    """The same bound for each named type."""
    sizes: dict[str, int] = {}
    grown = True
    while grown:
        grown = False
        for name, text in types.items():
            size = min(_most_bytes(text, sizes), _LARGE + 1)
            if size > sizes.get(name, 0):
                sizes[name], grown = size, True
    return sizes
