"""Places in a C source: the word that stands at one, and the labels before it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable

from unfork.formats.c_decisions import Decisions

_HIDDEN = re.compile(r'/\*.*?\*/|//(?:\\\n|[^\n])*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
_WORD = re.compile(r"\w+|\S")
_LAST_JUMP = re.compile(r"\b(break|continue|goto\s+\w+)\s*;\s*\Z")
_LONGEST_JUMP = 400
"""Characters that are searched for a jump."""
_LABELS = re.compile(r"\s*((?:case\b[^:;{}]*|[A-Za-z_]\w*\s*):(?!:))")


class Source:
    """The text of a file, in which comments, literals and directives are blank."""

    def __init__(self, text: str) -> None:
        blank = _DIRECTIVE.sub(_blank, _HIDDEN.sub(_blank_literal, text))
        self._text = blank
        self._starts = [0, *(match.end() for match in re.finditer("\n", blank))]
        self._decisions = Decisions(blank)

    def word(self, line: int, column: int) -> str:
        """The word or sign at a place; "" if there is none."""
        at = self._offset(line, column)
        match = None if at is None else _WORD.match(self._text, at)
        return match[0] if match else ""

    def label(self, line: int, column: int) -> int | None:
        """The line of the first label of the statement that a place is in; None if it has none."""
        at = self._offset(line, column)
        found: int | None = None
        while at is not None:
            start = max(self._text.rfind(sign, 0, at) for sign in ";{}") + 1
            labels = _LABELS.match(self._text, start, at)
            if labels is not None:
                found = bisect.bisect_right(self._starts, labels.start(1))
            if start == 0 or self._text[start - 1] != "{":
                break
            at = start - 1  # the label may stand before the block
            if not self._text[:at].rstrip().endswith(":"):
                break
        return found

    def jump_before(self, line: int, column: int) -> int | None:
        """The line of the break, continue or goto that is the last statement before a place; None if there is none."""
        at = self._offset(line, column)
        jump = None if at is None else _LAST_JUMP.search(self._text, max(at - _LONGEST_JUMP, 0), at)
        return None if jump is None else bisect.bisect_right(self._starts, jump.start(1))

    def decision(self, line: int, column: int, converting: Iterable[tuple[int, int]]) -> int:
        """The line that gcc gives to the decision at a place; ``converting`` are places of calls that take a bool."""
        at = self._offset(line, column)
        calls = frozenset(self._offset(*call) for call in converting)
        place = None if at is None else self._decisions.decision(at, calls)
        return line if place is None else bisect.bisect_right(self._starts, place)

    def returned(self, line: int, column: int) -> int:
        """The line that gcc gives to the return at a place."""
        at = self._offset(line, column)
        place = None if at is None else self._decisions.returned(at)
        return line if place is None else bisect.bisect_right(self._starts, place)

    def is_beside_else(self, line: int, column: int) -> bool:
        """Whether the jump at a place is all that one of the two arms of an ``if`` does."""
        at = self._offset(line, column)
        return at is not None and self._decisions.is_beside_else(at)

    def _offset(self, line: int, column: int) -> int | None:
        if not 0 < line <= len(self._starts):
            return None
        return self._starts[line - 1] + max(column - 1, 0)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _blank_literal(match: re.Match[str]) -> str:
    """A comment is blank; a literal keeps its quotes, so that it stays a word."""
    text = match[0]
    return _blank(match) if text[0] == "/" else text[0] + re.sub(r"[^\n]", " ", text[1:-1]) + text[-1]
