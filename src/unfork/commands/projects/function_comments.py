"""The comments of a project at the declarations and definitions of its functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from unfork.program.c.escape import escape_text
from unfork.program.c.syntax import Layout, Lines, TextPiece, after_group, text_of

_ENDED = re.compile(r"[;{}]")
_BODY = re.compile(r"[{}]")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_TYPE = re.compile(r"(\w+)[\s*]*\Z")
_BEFORE_CALLS = frozenset(("return", "else", "case", "do", "sizeof", "goto"))
_DECLARED = re.compile(r"\s*(?:[{;]|\w)")
_MACRO = re.compile(r"#\s*define\s+([A-Za-z_]\w*)\s+\(?\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\s*\)?\s*(?:/[/*].*)?$", re.S)


@dataclass(frozen=True, slots=True)
class FunctionComment:
    """A comment of a function. ``is_near``: it stands directly above the function, or the group of declarations that
    it is in, or after it on the same line.
    """

    text: str
    source: CommentedText
    start: int
    is_near: bool

    def line(self, offset: int) -> tuple[Path, int, str]:
        """The file, the number and the text of the line at an offset of the comment, safe to show."""
        return self.source.line(self.start + offset)


class CommentedText:
    """The text of a file, with its comments."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = text_of(path)
        except OSError:
            self._text = ""
        self.layout = Layout(self._text)

    @cached_property
    def macros(self) -> dict[str, int]:
        """The macros that stand for a number."""
        found = (_MACRO.match(each.text) for each in self.layout.directives)
        return {each[1]: int(each[2], 0) for each in found if each is not None and _is_number(each[2])}

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._text)

    def line(self, offset: int) -> tuple[Path, int, str]:
        number, column = self._lines.location(offset)
        start = offset - column + 1
        line = self._text[start:].partition("\n")[0]
        return self.path, number, escape_text(line.encode("latin-1").decode("utf-8", "replace").strip())

    def comments_of(self, name: str) -> Iterator[FunctionComment]:
        """The comments between what ends before a declaration of a function and that one, and those near it."""
        code = self.layout.code
        for match in re.finditer(rf"\b{re.escape(name)}\s*\(", code):
            is_declared = self._is_declared(match)
            near = [*self._near(match.start(), match.end())] if is_declared else []
            for each in self.layout.comments:
                is_near = any(each is one for one in near)
                if is_near or (each.end <= match.start() and not _ENDED.search(code, each.end, match.start())):
                    yield FunctionComment(each.text, self, each.start, is_near)

    def _is_declared(self, match: re.Match[str]) -> bool:
        """Whether a name with a bracket is declared or defined there, and not called."""
        code = self.layout.code
        before, end = _TYPE.search(code[: match.start()]), after_group(code, match.end() - 1)
        after = None if end is None else _DECLARED.match(code, end)
        return before is not None and before[1] not in _BEFORE_CALLS and after is not None

    def _near(self, start: int, end: int) -> Iterator[TextPiece]:
        """The comments of a declaration. One with a comment of its own has none of its group."""
        beside = self._beside(end)
        above = self._above(start)
        is_of_group = bool(above) and _ENDED.search(self.layout.code, above[-1].end, start) is not None
        yield from () if beside and is_of_group else above
        yield from beside

    def _above(self, start: int) -> list[TextPiece]:
        """The comments directly above a declaration, or above the group of declarations without comments around it."""
        code, found = self.layout.code, list[TextPiece]()
        for each in reversed([one for one in self.layout.comments if one.end <= start]):
            between = code[each.end : start]
            is_apart = between.strip() if found else _BODY.search(between)
            if is_apart or _PARAGRAPH.search(between) or self._is_beside_code(each):
                break
            found.append(each)
            start = each.start
        return found[::-1]

    def _is_beside_code(self, comment: TextPiece) -> bool:
        """Whether code stands before a comment on its line."""
        code = self.layout.code[: comment.start]
        return bool(code[code.rfind("\n") + 1 :].strip())

    def _beside(self, start: int) -> list[TextPiece]:
        """The comments in a declaration, and after it on its last line."""
        end = _ENDED.search(self.layout.code, start)
        if end is None:
            return []
        last = self.layout.code.find("\n", end.end())
        rest = self.layout.code[end.end() : last] if last >= 0 else ""
        until = end.start() if rest.strip() or end[0] != ";" else last
        return [each for each in self.layout.comments if start <= each.start <= until]


def _is_number(text: str) -> bool:
    return not (text.startswith("0") and text.isdigit() and len(text) > 1)  # an octal one
