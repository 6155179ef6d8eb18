"""Places of a C file that debug information lacks: closing brackets of calls, where statements begin, real lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import PurePath

from unfork.clang.c_text import Statements, Token, scanned

_MARKER = re.compile(r"^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+\"((?:[^\"\\]|\\.)*)\")?[^\n]*$", re.M)
_HEADS = frozenset(("if", "while", "for", "switch"))
_OPENING, _CLOSING = frozenset("(["), frozenset(")]")
_NO_TYPES = _HEADS | {"return", "goto", "case", "sizeof", "else", "do", "__extension__"}
"""Words that begin no declaration."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file, counted from 1; ``column`` is None where only the line is sure."""

    line: int
    column: int | None


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Lines from ``start`` on, which the file says are those of ``file`` (None: itself) from ``given`` on."""

    start: int
    file: str | None
    given: int


class SourcePlaces:
    """The places of one file. Lines of debug information are those that line directives say; others are the file's."""

    def __init__(self, name: str, text: str) -> None:
        self._name = PurePath(name).name
        self._text = text
        self._starts = [0, *[match.end() for match in re.finditer("\n", text)]]
        self._tokens: tuple[Token, ...] | None = None
        self._ends: list[int] = []
        self._stretches = [_Stretch(1, None, 1)]
        file: str | None = None
        for marker in _MARKER.finditer(text):
            file = marker[2] if marker[2] is not None else file
            self._stretches.append(_Stretch(self._line_at(marker.start()) + 1, file, int(marker[1])))

    def line(self, file: str, given: int) -> int | None:
        """The line of this file that debug information calls line ``given`` of ``file``; None if there is none."""
        count = len(self._starts)
        ends = [*[stretch.start - 1 for stretch in self._stretches[1:]], count + 1]
        name = PurePath(file).name
        for stretch, end in zip(self._stretches, ends, strict=True):
            line = stretch.start + given - stretch.given
            own = self._name if stretch.file is None else PurePath(stretch.file).name
            if stretch.start <= line < end and name == own:
                return line
        return None

    def closing(self, line: int, column: int) -> Spot | None:
        """The closing bracket of the call whose function is named at a place; None if no such call stands there."""
        at = self._token_at(line, column)
        if at is None or not self._text_at(at).isidentifier():
            return None
        behind = self._behind_brackets(at + 1)
        return None if behind is None else self._spot(self._all()[behind - 1])

    def _behind_brackets(self, at: int) -> int | None:
        """The token behind the round brackets that open at token ``at``; None if none do, or they do not close."""
        return Statements(self._all()).behind_group(at) if self._text_at(at) == "(" else None

    def loop(self, line: int) -> Spot | None:
        """The keyword of the loop that begins on a line; None if none does, or several do."""
        first = self._token_at(line, 1)
        tokens, keywords = self._all(), list[Token]()
        at = len(tokens) if first is None else first
        while at < len(tokens) and self._line_at(tokens[at].start) == line:
            if tokens[at].text in ("for", "do") or (tokens[at].text == "while" and not self._ends_do(at)):
                keywords.append(tokens[at])
            at += 1
        return self._spot(keywords[0]) if len(keywords) == 1 else None

    def loop_at(self, line: int, column: int) -> Spot | None:
        """The keyword of a loop, or of the end of one, if it stands at a place."""
        at = self._token_at(line, column)
        if at is None or self._text_at(at) not in ("for", "while", "do"):
            return None
        spot = self._spot(self._all()[at])
        return spot if spot == Spot(line, column) else None

    def _ends_do(self, at: int) -> bool:
        """Whether a while may be the end of a do: nothing but a semicolon follows its condition."""
        behind = self._behind_brackets(at + 1)
        return behind is None or self._text_at(behind) == ";"

    def statement(self, line: int, column: int) -> Spot:
        """Where the statement or full expression around a place begins; only the line if that cannot be told."""
        at = self._token_at(line, column)
        if at is None:
            return Spot(line, None)
        first = self._beginning(at)
        start = self._initializer(first, at) if self._declares(first) else first
        return self._spot(self._all()[start])

    def _beginning(self, at: int) -> int:
        """The first token of the statement, or of the expression in the head of one, that token ``at`` is in."""
        depth = 0
        while at:
            text = self._text_at(at - 1)
            if text in _OPENING and depth == 0:
                if text == "(" and self._text_at(at - 2) in _HEADS:
                    return at
            elif text in _OPENING:
                depth -= 1
            elif text in _CLOSING:
                if depth == 0 and text == ")" and self._text_at(self._before_group(at - 1)) in _HEADS:
                    return at
                depth += 1
            elif depth == 0 and self._ends_before(at):
                return at
            at -= 1
        return at

    def _ends_before(self, at: int) -> bool:
        """Whether a statement may begin at token ``at``, by the token in front of it."""
        text = self._text_at(at - 1)
        if text == ":":
            return self._is_label(at - 1)
        if text in ("{", "}"):
            return self._text_at(at - 2) not in ("=", ",")
        return text in (";", "else", "do")

    def _is_label(self, colon: int) -> bool:
        at = colon - 1
        while at and self._text_at(at) not in (";", "{", "}", "?", "case", ":"):
            at -= 1
        return self._text_at(at) == "case" or (at == colon - 2 and self._text_at(at) != "?")

    def _before_group(self, closing: int) -> int:
        depth = 0
        for at in range(closing, 0, -1):
            depth += (self._text_at(at) in _CLOSING) - (self._text_at(at) in _OPENING)
            if not depth:
                return at - 1
        return 0

    def _declares(self, first: int) -> bool:
        """Whether the statement begins like a declaration: a word, stars, another word."""
        if not self._text_at(first).isidentifier() or self._text_at(first) in _NO_TYPES:
            return False
        behind = first + 1
        while self._text_at(behind) == "*":
            behind += 1
        return self._text_at(behind).isidentifier() and (behind == first + 1 or self._text_at(behind + 1) in "=;,[")

    def _initializer(self, first: int, at: int) -> int:
        """The token behind the last = before ``at`` that is in no brackets."""
        depth, start = 0, first
        for number in range(first, at):
            text = self._text_at(number)
            depth += (text in _OPENING or text == "{") - (text in _CLOSING or text == "}")
            if text == "=" and depth == 0 and self._text_at(number + 1) != "=":
                start = number + 1
        return start

    def _all(self) -> tuple[Token, ...]:
        if self._tokens is None:
            self._tokens = scanned(self._text).tokens
            self._ends = [token.end for token in self._tokens]
        return self._tokens

    def _text_at(self, at: int) -> str:
        tokens = self._all()
        return tokens[at].text if 0 <= at < len(tokens) else ""

    def _token_at(self, line: int, column: int) -> int | None:
        """The number of the token that covers a place, or of the next one on its line."""
        if not 1 <= line <= len(self._starts) or column < 1:
            return None
        offset = self._starts[line - 1] + column - 1
        tokens = self._all()
        at = bisect_right(self._ends, offset)
        return at if at < len(tokens) and self._line_at(tokens[at].start) == line else None

    def _spot(self, token: Token) -> Spot:
        line = self._line_at(token.start)
        return Spot(line, token.start - self._starts[line - 1] + 1)

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)
