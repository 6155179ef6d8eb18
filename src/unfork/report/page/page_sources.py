"""The C sources of a run: numbers for their locations, and their present text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pygments.lexers.c_cpp import CLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Token

from unfork.program.c.escape import escape_text
from unfork.program.facts.own_source import Readable, md5

SAME, CHANGED, UNKNOWN, MISSING = "same", "changed", "unknown", "missing"
_TAB = 8
_PICTURES = 0x2400
"""The first Unicode picture of a control character."""


class Locations:
    """Numbers files and locations (file, line, function) in the order of their first use.

    Location 0 is unknown.
    """

    def __init__(self) -> None:
        self.files: list[str] = []
        """By number, with the run's names."""
        self._files: dict[str, int] = {}
        self._numbers: dict[tuple[str, int, str], int] = {}

    def file(self, name: str) -> int:
        number = self._files.get(name)
        if number is None:
            number = self._files[name] = len(self.files)
            self.files.append(name)
        return number

    def number(self, file: str | None, line: int | None, function: str | None) -> int:
        if file is None or line is None:
            return 0
        key = (file, line, function or "")
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._numbers) + 1
            self.file(file)
        return number

    def rows(self) -> list[list[Any]]:
        """All locations by number: file number, line, function."""
        known = [[self._files[file], line, escape_text(function)] for file, line, function in self._numbers]
        return [[-1, 0, ""], *known]


def sources(names: Iterable[str], checksums: Mapping[str, str], readable: Readable) -> list[dict[str, Any]]:
    """The files as data of the page; ``checksums`` are the compiler's MD5 sums by name."""
    return [_source(name, checksums.get(name), readable) for name in names]


def _source(name: str, checksum: str | None, readable: Readable) -> dict[str, Any]:
    try:
        data = readable.contents(Path(name), checksum)
    except (OSError, ValueError) as problem:
        reason = (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
        return {
            "name": escape_text(name),
            "status": MISSING,
            "note": f"cannot be read: {escape_text(reason)}",
            "lines": [],
        }
    status, note = UNKNOWN, "the run kept no checksum of it, so it may have changed since"
    if checksum is not None:
        status, note = (
            (SAME, "")
            if md5(data) == checksum
            else (CHANGED, "has changed since the run: figures may stand at other lines")
        )
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = [_visible(line) for line in highlight(text)]
    if lines and not lines[-1]:
        lines.pop()
    return {"name": escape_text(name), "status": status, "note": note, "lines": lines}


def _visible(line: list[Piece]) -> list[str]:
    """Alternating sorts and texts. Tabs become spaces; control and format characters become pictures or escapes."""
    column = 0
    pieces: list[str] = []
    for sort, text in line:
        seen = visible_text(text, column)
        column += len(seen)
        pieces += [sort, seen]
    return pieces


def visible_text(text: str, column: int = 0) -> str:
    """Part of a line, starting at ``column``, with every character visible."""
    seen: list[str] = []
    for character in text:
        seen.append(_visible_character(character, column))
        column += len(seen[-1])
    return "".join(seen)


def _visible_character(character: str, column: int) -> str:
    if character == "\t":
        return " " * (_TAB - column % _TAB)
    if ord(character) < 0x20:
        return chr(_PICTURES + ord(character))
    return escape_text(character) if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn") else character


Piece = tuple[str, str]
"""(letter of a sort of text, "" for plain; text)."""
_SORTS = (
    (Comment.Preproc, "p"),
    (Comment.PreprocFile, "s"),
    (Comment, "c"),
    (Keyword.Type, "t"),
    (Keyword, "k"),
    (Name.Function, "f"),
    (Name.Builtin, "t"),
    (String, "s"),
    (Number, "n"),
    (Operator, "o"),
    (Punctuation, "o"),
)


def highlight(text: str) -> list[list[Piece]]:
    """The lines of a C source as pieces; their texts together equal the lines for any ``text``."""
    lines: list[list[Piece]] = [[]]
    for token, part in CLexer(stripnl=False, ensurenl=False).get_tokens(text):
        sort = _sort(token)
        for number, piece in enumerate(part.split("\n")):
            if number:
                lines.append([])
            if not piece:
                continue
            line = lines[-1]
            if line and line[-1][0] == sort:
                line[-1] = (sort, line[-1][1] + piece)
            else:
                line.append((sort, piece))
    return lines


def _sort(token: object) -> str:
    if token is Token.Text:
        return ""
    return next((letter for kind, letter in _SORTS if token in kind), "")
