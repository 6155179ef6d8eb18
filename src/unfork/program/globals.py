"""The global variables of a module, each read on first use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from unfork.errors import Unsupported
from unfork.program.lexer import ReadError
from unfork.program.module import GlobalVariable

COUNT = re.compile(r"(\d+) x ")
TYPE_NAME = re.compile(r'%[-\w.$]+|%"[^"]*"')
_TYPE_LENGTH = 300
"""Letters of a definition that are looked at for its size; the first of them are its type."""
_MANY = 1 << 12


class Globals(Mapping[str, GlobalVariable]):
    """``lines`` has the text of each, ``read`` makes a variable of it. Raises Unsupported for what cannot be read."""

    def __init__(self, lines: dict[str, str], read: Callable[[str], GlobalVariable]) -> None:
        self._lines = lines
        self._read = read
        self._known: dict[str, GlobalVariable] = {}

    def __getitem__(self, name: str) -> GlobalVariable:
        found = self._known.get(name)
        if found is None:
            line = self._lines[name]
            try:
                found = self._known[name] = self._read(line)
            except (ReadError, ValueError, KeyError, IndexError) as error:
                raise Unsupported(f"the global {name} ({error})") from error
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def first_looked_at(lines: Mapping[str, str], types: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that must be seen before the program starts.

    They may be too large, or hold addresses of labels, which are numbered in the order in which they are met.
    """
    heavy = {name for name, text in types.items() if _elements(text) >= _MANY}
    grown = -1
    while grown != len(heavy):
        grown = len(heavy)
        heavy.update(name for name, text in types.items() if not heavy.isdisjoint(TYPE_NAME.findall(text)))
    return tuple(
        name
        for name, line in lines.items()
        if "blockaddress(" in line
        or _elements(line[:_TYPE_LENGTH]) >= _MANY
        or (heavy and not heavy.isdisjoint(TYPE_NAME.findall(line[:_TYPE_LENGTH])))
    )


def _elements(text: str) -> int:
    return math.prod(int(count) or 1 for count in COUNT.findall(text)) * max(1, text.count(", ") // 8)
