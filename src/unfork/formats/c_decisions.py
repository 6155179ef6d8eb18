"""Where gcc says that a decision of a C source is: at the ``&&`` or ``||`` before it, or the ``:`` behind it.

An operand of ``&&`` and ``||`` that others precede has the place of the operator before it. The first one has that of
the whole: of ``(`` in an ``if``, of ``:`` in a choice, of a call whose argument it is, of ``!``, or of the operator
that is applied last.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container
from dataclasses import dataclass

_TOKEN = re.compile(r"\w+|&&|\|\||<<=|>>=|[-+*/%&|^<>=!]=|->|<<|>>|\+\+|--|\S")
_LOGICAL = ("&&", "||")
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
_BOUNDS = (",", ";", "?", ":", "return", "else", "do", "case", *_ASSIGNMENTS)
_ENDS = (";", "{", "}")
_HEADS = ("if", "while", "for", "switch")


@dataclass(frozen=True, slots=True)
class _Group:
    """Operands of && and || in a row: the tokens before and behind it, and its operators, in order."""

    left: int
    right: int
    operators: tuple[int, ...]


class Decisions:
    """The decisions of one text, in which comments, literals and directives are blank."""

    def __init__(self, text: str) -> None:
        matches = list(_TOKEN.finditer(text))
        self._words = [match[0] for match in matches]
        self._starts = [match.start() for match in matches]

    def decision(self, offset: int, converting: Container[int | None]) -> int | None:
        """The offset of the place that gcc gives to the decision at ``offset``; None if that is its own.

        Calls at ``converting`` make another type of their argument.
        """
        at = self._at(offset)
        if at is None:
            return None
        first = last = at + 1 if self._words[at] in _LOGICAL else at
        place: int | None = None
        while True:
            group = self._group(first, last)
            before = [operator for operator in group.operators if operator < first]
            if group.operators:
                place = self._root(group)
            if before:
                is_root = before[-1] == place
                return self._start(self._named(group, before[-1], converting) if is_root else before[-1])
            if place is not None and group.operators:
                place = self._named(group, place, converting)
            if self._word(group.right) == "?":
                return self._start(self._colon(group.right))
            head = self._word(group.left - 1)
            if self._word(group.left) != "(" or head in _HEADS or self._is_call(group.left):
                return self._start(group.left if self._word(group.left) == "(" and head == "if" else place)
            first, last = self._negated(group.left), group.right
            if not self._is_operand(first, last):
                return self._start(place)

    def returned(self, offset: int) -> int | None:
        """The offset of the operator that a ``return`` has its value from; None if that has no && or || or ?."""
        at = self._at(offset)
        if at is None or self._words[at] != "return":
            return None
        group = self._group(at + 1, at + 1)
        if self._word(group.right) == "?":
            return self._start(self._colon(group.right))
        return self._start(self._root(group)) if group.operators else None

    def is_beside_else(self, offset: int) -> bool:
        """Whether the jump at ``offset`` is one of two arms of an ``if``, alone."""
        at = self._at(offset)
        if at is None:
            return False
        before = at - 2 if self._word(at - 1) == "{" else at - 1
        behind = at
        while self._word(behind) not in (";", ""):
            behind += 1
        behind += 2 if self._word(behind + 1) == "}" else 1
        return "else" in (self._word(before), self._word(behind))

    def _at(self, offset: int) -> int | None:
        at = bisect_right(self._starts, offset) - 1
        return at if at >= 0 and offset < self._starts[at] + len(self._words[at]) else None

    def _word(self, at: int) -> str:
        return self._words[at] if 0 <= at < len(self._words) else ""

    def _start(self, at: int | None) -> int | None:
        return self._starts[at] if at is not None and 0 <= at < len(self._starts) else None

    def _group(self, first: int, last: int) -> _Group:
        """What tokens ``first`` to ``last`` are an operand of, or a part of one."""
        operators: list[int] = []
        left, depth = first - 1, 0
        while left >= 0 and (depth or not self._bounds(left, (*_OPENING, "}"))):
            depth += (self._words[left] in _CLOSING) - (self._words[left] in _OPENING)
            if depth == 0 and self._words[left] in _LOGICAL:
                operators.insert(0, left)
            left -= 1
        right, depth = last if self._word(last) in _OPENING else last + 1, 0
        while right < len(self._words) and (depth or not self._bounds(right, _CLOSING)):
            depth += (self._words[right] in _OPENING) - (self._words[right] in _CLOSING)
            if depth == 0 and self._words[right] in _LOGICAL:
                operators.append(right)
            right += 1
        return _Group(left, right, tuple(operators))

    def _bounds(self, at: int, brackets: tuple[str, ...]) -> bool:
        return self._words[at] in _BOUNDS or self._words[at] in brackets

    def _root(self, group: _Group) -> int:
        """The operator of a group that is applied last."""
        either = [operator for operator in group.operators if self._words[operator] == "||"]
        return (either or group.operators)[-1]

    def _named(self, group: _Group, root: int, converting: Container[int | None]) -> int:
        """Where gcc says that the last operator of a group is: at a ! before it, or at the call that it is given to."""
        left, depth = group.left, 0
        if self._word(left) == ",":
            while left >= 0 and (depth or self._words[left] not in _OPENING) and self._words[left] not in _ENDS:
                depth += (self._words[left] in _CLOSING) - (self._words[left] in _OPENING)
                left -= 1
        if self._word(left) != "(":
            return root
        if self._is_call(left):
            return root if self._starts[left - 1] in converting else left - 1
        first = self._negated(left)
        return first if first < left else root

    def _negated(self, opening: int) -> int:
        """The first of the ! before a bracket, or the bracket."""
        while self._word(opening - 1) == "!":
            opening -= 1
        return opening

    def _is_call(self, opening: int) -> bool:
        before = self._word(opening - 1)
        is_word = before[:1].isalpha() or before[:1] == "_"
        return (is_word and before not in (*_HEADS, *_BOUNDS, "sizeof")) or before in (")", "]")

    def _is_operand(self, first: int, last: int) -> bool:
        """Whether a group in brackets is an operand of && or ||, or all that there is."""
        before, behind = self._word(first - 1), self._word(last + 1)
        return (before in _LOGICAL or before in _BOUNDS or before in ("(", "{", "}", "")) and (
            behind in _LOGICAL or behind in (*_BOUNDS, ")", "]", "}", "")
        )

    def _colon(self, question: int) -> int | None:
        """The : of a ?."""
        depth = pending = 0
        for at in range(question, len(self._words)):
            word = self._words[at]
            depth += (word in _OPENING) - (word in _CLOSING)
            if depth < 0 or (depth == 0 and word == ";"):
                return None
            if depth == 0 and word in ("?", ":"):
                pending += 1 if word == "?" else -1
                if pending == 0:
                    return at
        return None
